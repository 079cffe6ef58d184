//! The agent: a conversation, and runs in which a model and its tools go back and forth until it is done.
//!
//! [`Agent`] keeps the conversation between runs; [`run`] is one run. An agent reports through one listener and
//! takes back nothing from it, and it calls out with nothing borrowed: a listener may call into the agent.

pub mod event;
pub mod ledger;
pub mod log;
pub mod prompt;
pub mod run;

pub use event::{Event, EventKind};
pub use run::{Outcome, RunResult};

use crate::edit::preview::{Preview, preview};
use crate::edit::{DocumentHost, seen::Seen};
use crate::error::Error;
use crate::fields::{Object, optional, required};
use crate::host::{AbortSignal, Clock, Fetch};
use crate::llm::{LlmConfig, Message, Usage};
use crate::locale::Locale;
use crate::search::Services;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The most turns of a run.
pub const MAX_TURNS: usize = 40;
/// The longest that a run may take, in milliseconds.
pub const RUN_TIMEOUT_MS: u64 = 5 * 60_000;

/// How an agent works. Keys are in here: never print it.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct AgentOptions {
    /// Which model is asked, and how.
    pub llm_config: LlmConfig,
    /// Which services the search tools ask.
    pub services: Rc<Services>,
    /// The language of prompts, results and errors.
    pub locale: Locale,
    /// What the model is told before the conversation; copydesk's own prompt where none is given.
    pub system_prompt: Option<String>,
    /// The most turns of a run, at most [`MAX_TURNS`].
    pub max_turns: Option<usize>,
    /// The longest that a run may take, in milliseconds, at most [`RUN_TIMEOUT_MS`].
    pub run_timeout: Option<u64>,
}

impl TryFrom<Value> for AgentOptions {
    type Error = String;

    fn try_from(mut value: Value) -> Result<AgentOptions, String> {
        let Object(llm_config) = required(&mut value, "llmConfig")?;
        let services: Option<Object> = optional(&mut value, "services")?;
        let locale: Option<String> = optional(&mut value, "locale")?;
        Ok(AgentOptions {
            llm_config: llm_config.try_into()?,
            services: services
                .map(|Object(services)| services.try_into())
                .transpose()?
                .map(Rc::new)
                .unwrap_or_default(),
            locale: locale.map(|tag| Locale::from_tag(&tag)).unwrap_or_default(),
            system_prompt: optional(&mut value, "systemPrompt")?,
            max_turns: optional(&mut value, "maxTurns")?,
            run_timeout: optional(&mut value, "runTimeout")?,
        })
    }
}

/// An agent. Clones are the same agent.
#[derive(Clone)]
pub struct Agent(Rc<State>);

struct State {
    options: RefCell<AgentOptions>,
    document: Rc<dyn DocumentHost>,
    fetch: Rc<dyn Fetch>,
    clock: Rc<dyn Clock>,
    listener: Rc<dyn Fn(Event)>,
    messages: RefCell<Vec<Message>>,
    /// What the model last saw of the document.
    seen: Rc<RefCell<Seen>>,
    /// The names of its turns.
    turns: RefCell<Vec<String>>,
    usage: Cell<Usage>,
    seq: Cell<u64>,
    /// The switch of the run that is under way.
    running: RefCell<Option<AbortSignal>>,
}

impl Agent {
    /// An agent that works on a document.
    pub fn new(
        options: AgentOptions,
        document: Rc<dyn DocumentHost>,
        fetch: Rc<dyn Fetch>,
        clock: Rc<dyn Clock>,
        listener: Rc<dyn Fn(Event)>,
    ) -> Agent {
        Agent(Rc::new(State {
            options: RefCell::new(options),
            document,
            fetch,
            clock,
            listener,
            messages: RefCell::default(),
            seen: Rc::default(),
            turns: RefCell::default(),
            usage: Cell::default(),
            seq: Cell::default(),
            running: RefCell::default(),
        }))
    }

    /// Says something to the agent and lets it work until it is done. The run begins with the call, with the options
    /// of this moment, and works while its future is polled. A failed run is a result, not an error.
    ///
    /// # Errors
    /// [`Error::Busy`] while another run is under way.
    pub fn prompt(&self, text: &str) -> Result<impl Future<Output = RunResult> + use<>, Error> {
        if self.is_running() {
            return Err(Error::Busy);
        }
        let signal = AbortSignal::default();
        *self.0.running.borrow_mut() = Some(signal.clone());
        // Whoever drops the future ends the run: the agent must not stay busy for ever.
        let idle_again = IdleAgain(self.clone());
        let (options, text) = (self.0.options.borrow().clone(), text.to_owned());
        Ok(async move {
            let agent = idle_again.0.clone();
            let (result, last) = run::run(&agent, options, text, &signal).await;
            // Who hears the last event may begin the next run.
            drop(idle_again);
            agent.emit(last);
            result
        })
    }

    /// Where a call will write whose arguments are still arriving, and what it has written so far: for the eye.
    pub fn preview(&self, tool: &str, arguments: &Map<String, Value>) -> Option<Preview> {
        preview(self.0.document.as_ref(), &self.0.seen.borrow(), tool, arguments)
    }

    /// Stops the run under way, if there is one. What was written stays.
    pub fn abort(&self) {
        let running = self.0.running.borrow().clone();
        if let Some(signal) = running {
            signal.abort();
        }
    }

    /// Whether a run is under way.
    pub fn is_running(&self) -> bool {
        self.0.running.borrow().is_some()
    }

    /// The conversation so far.
    pub fn messages(&self) -> Vec<Message> {
        self.0.messages.borrow().clone()
    }

    /// Replaces the conversation; [`Error::Busy`] while a run is under way.
    pub fn set_messages(&self, messages: Vec<Message>) -> Result<(), Error> {
        if self.is_running() {
            return Err(Error::Busy);
        }
        *self.0.messages.borrow_mut() = messages;
        *self.0.seen.borrow_mut() = Seen::default();
        Ok(())
    }

    /// What all runs cost.
    pub fn usage(&self) -> Usage {
        self.0.usage.get()
    }

    /// Changes how the agent works, from the next run on.
    pub fn configure(&self, options: AgentOptions) {
        *self.0.options.borrow_mut() = options;
    }

    fn emit(&self, kind: EventKind) {
        let seq = self.0.seq.get() + 1;
        self.0.seq.set(seq);
        (self.0.listener)(Event { seq, kind });
    }

    fn push(&self, message: Message) {
        self.0.messages.borrow_mut().push(message);
    }
}

struct IdleAgain(Agent);

impl Drop for IdleAgain {
    fn drop(&mut self) {
        *self.0.0.running.borrow_mut() = None;
    }
}
