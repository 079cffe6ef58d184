//! One run: from a prompt until the model is done, stopped or failed.
//!
//! The history is valid after every line of this file: an answer is kept only when it has arrived whole, and
//! every call in it gets a result, even if that only says that it did not run.

use super::event::EventKind;
use super::prompt::system_prompt;
use super::{Agent, AgentOptions, MAX_TURNS, RUN_TIMEOUT_MS};
use crate::edit::Origin;
use crate::edit::guard::Lossless;
use crate::edit::provenance::{Provenance, collect, collect_text};
use crate::error::Error;
use crate::fields::{object, object_of_given};
use crate::host::{AbortSignal, Body, Response, read_to_end, within};
use crate::llm::http_error::status_error;
use crate::llm::{self, Answer, Decoder, Delta, Ending, Message, ToolCall, Usage};
use crate::map::HashMap;
use crate::tools::{self, Tool, ToolContext, ToolOutput};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How long a server may take to close the connection when it is done, in milliseconds.
const LAST_BYTES_MS: u64 = 200;
/// The longest error page that is read, in bytes.
const LONGEST_ERROR_BODY: usize = 100_000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model was done.
    Complete,
    /// The person stopped it.
    Aborted,
    /// It failed.
    Error,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    /// How it ended.
    pub status: Outcome,
    /// The text of the last answer.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
    /// Why it failed: `{code, message, details}`.
    pub error: Option<Value>,
}

impl RunResult {
    /// As JSON.
    pub fn to_value(&self) -> Value {
        let status = match self.status {
            Outcome::Complete => "complete",
            Outcome::Aborted => "aborted",
            Outcome::Error => "error",
        };
        object_of_given(&mut [
            ("status", status.into()),
            ("text", self.text.as_str().into()),
            ("usage", self.usage.into()),
            ("error", self.error.clone().into()),
        ])
    }
}

struct Run<'a> {
    agent: &'a Agent,
    options: AgentOptions,
    tools: Vec<Tool>,
    signal: &'a AbortSignal,
    /// The longest that it may take, in milliseconds.
    allowed: u64,
    /// When it must be over, on the agent's clock.
    deadline: f64,
    usage: Cell<Usage>,
    /// The addresses that the model did not make up: the person wrote them, or a tool returned them.
    provenance: RefCell<Rc<Provenance>>,
}

/// Runs from a prompt to its end. The last event is for the caller to report, when the agent is free again.
pub(super) async fn run(
    agent: &Agent,
    options: AgentOptions,
    prompt: String,
    signal: &AbortSignal,
) -> (RunResult, EventKind) {
    let allowed = options.run_timeout.unwrap_or(RUN_TIMEOUT_MS).min(RUN_TIMEOUT_MS);
    let mut tools = tools::builtin(options.locale);
    if agent.0.document.guards().lossless == Lossless::Reject {
        tools = tools::with_confirm_drop(tools, options.locale);
    }
    let run = Run {
        agent,
        tools,
        options,
        signal,
        allowed,
        deadline: agent.0.clock.now() + allowed as f64,
        usage: Cell::default(),
        provenance: RefCell::default(),
    };
    agent.emit(EventKind::AgentStart);
    // What was decided before the prompt comes before it.
    run.tell_verdicts();
    run.agent.push(Message::user(prompt));
    run.remember_addresses();
    let ended = run.turns().await;
    let usage = run.usage.get();
    let mut total = agent.0.usage.get();
    total.add(&usage);
    agent.0.usage.set(total);
    let result = |status, text, error| RunResult { status, text, usage, error };
    match ended {
        Ok(text) => (result(Outcome::Complete, text, None), EventKind::Complete { usage }),
        Err(Error::Aborted) => (result(Outcome::Aborted, String::new(), None), EventKind::Aborted),
        Err(error) => {
            let message = error.message(run.options.locale);
            let last = EventKind::Error { error: message, code: error.code(), details: error.details() };
            (result(Outcome::Error, String::new(), Some(run.describe(&error))), last)
        }
    }
}

impl Run<'_> {
    /// Turn after turn until the model calls nothing; the text of its last answer.
    async fn turns(&self) -> Result<String, Error> {
        self.options.llm_config.check()?;
        let limit = self.options.max_turns.unwrap_or(MAX_TURNS).clamp(1, MAX_TURNS);
        for _ in 0..limit {
            self.tell_verdicts();
            let turn = self.agent.0.document.new_turn();
            self.agent.0.turns.borrow_mut().push(turn.clone());
            self.agent.emit(EventKind::TurnStart { turn_id: turn.clone() });
            self.agent.0.seen.borrow_mut().turn();
            let answer = self.signal.guard(self.ask()).await?;
            let usage = answer.usage.unwrap_or_default();
            let mut total = self.usage.get();
            total.add(&usage);
            self.usage.set(total);
            self.agent.push(answer.message(&self.options.llm_config.model));
            self.notice(&answer);
            let ended = self.calls(&answer.tool_calls, &turn).await;
            self.agent.emit(EventKind::TurnEnd { usage });
            ended?;
            if answer.tool_calls.is_empty() {
                return Ok(answer.text());
            }
        }
        Err(Error::TooManyTurns { limit })
    }

    /// Tells the model what the person decided about its proposals.
    fn tell_verdicts(&self) {
        let turns = self.agent.0.turns.borrow().clone();
        let verdicts = self.agent.0.document.verdicts(&turns);
        if !verdicts.is_empty() {
            let sentences = verdicts.iter().map(|verdict| verdict.sentence(self.options.locale));
            self.agent.push(Message::user(sentences.collect::<Vec<_>>().join("\n")));
        }
    }

    /// Asks the model and reads its whole answer.
    async fn ask(&self) -> Result<Answer, Error> {
        let config = &self.options.llm_config;
        let locale = self.options.locale;
        let system = self.options.system_prompt.as_deref().unwrap_or_else(|| system_prompt(locale));
        let specs: Vec<_> = self.tools.iter().map(|tool| tool.spec.clone()).collect();
        let request = llm::request(config, system, &self.agent.messages(), &specs)?;
        let (url, key) = (request.url.clone(), config.stream_options.key());
        let response = self.in_time(self.agent.0.fetch.fetch(request)).await?;
        if !(200..300).contains(&response.status) {
            // What the error page says is a help, not a condition: the status alone tells enough.
            let body = self.in_time(read_to_end(response.body, LONGEST_ERROR_BODY)).await.unwrap_or_default();
            let body = String::from_utf8_lossy(&body);
            return Err(status_error(response.status, &url, &response.content_type, &body, key));
        }
        let mut report = Report::new(self.agent);
        let answer = self.read(response, key, &mut report).await;
        report.thought();
        let mut answer = answer?;
        for (at, call) in answer.tool_calls.iter_mut().enumerate() {
            call.id = report.id_of(at, &call.id);
        }
        Ok(answer)
    }

    /// Reads an answer to its end. What the model had said whole counts, even if the connection then stays open or breaks.
    async fn read(&self, mut response: Response, key: Option<&str>, report: &mut Report<'_>) -> Result<Answer, Error> {
        let mut decoder = Decoder::new(self.options.llm_config.model.api, &response.content_type, key);
        while !decoder.is_done() {
            let bytes = match self.next(&mut response.body).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => break,
                Err(error) if !decoder.is_finished() => return Err(error),
                Err(_) => break,
            };
            decoder.push(&bytes)?.into_iter().for_each(|delta| report.delta(delta));
        }
        decoder.end()?.into_iter().for_each(|delta| report.delta(delta));
        // A server that is done closes the connection, and then it need not be aborted. One that leaves it open is not
        // waited for.
        let closed = async {
            while let Ok(Some(_)) = response.body.chunk().await {}
            Ok(())
        };
        let _ = within(self.agent.0.clock.as_ref(), LAST_BYTES_MS, "", closed).await;
        decoder.finish()
    }

    /// The next bytes of the answer. A connection that breaks in the middle is a cut stream.
    async fn next(&self, body: &mut Box<dyn Body>) -> Result<Option<Vec<u8>>, Error> {
        self.in_time(body.chunk()).await.map_err(|error| match error {
            Error::Unreachable { .. } | Error::Blocked { .. } => Error::StreamCut,
            other => other,
        })
    }

    /// Waits for the model no longer than the idle timeout, and for nothing longer than the run may take.
    async fn in_time<T>(&self, future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let model = &self.options.llm_config.model.model_id;
        within(
            self.agent.0.clock.as_ref(),
            self.remaining(self.options.llm_config.stream_options.timeout())?,
            model,
            future,
        )
        .await
    }

    /// `ms`, or what is left of the run where that is less; an error where nothing is left.
    fn remaining(&self, ms: u64) -> Result<u64, Error> {
        let left = self.deadline - self.agent.0.clock.now();
        if left <= 0.0 {
            let what = self.options.locale.pick("the run", "本次任务").into();
            return Err(Error::Timeout { what, ms: self.allowed });
        }
        Ok(ms.min(left.ceil() as u64))
    }

    /// Runs the calls of an answer in their order. After a stop, those that are left get a result that says so.
    async fn calls(&self, calls: &[ToolCall], turn: &str) -> Result<(), Error> {
        let mut ended = Ok(());
        for call in calls {
            let result = match &ended {
                Ok(()) if self.signal.is_aborted() => Err(Error::Aborted),
                Ok(()) => self.call(call, turn).await,
                Err(error) => Err(Error::clone(error)),
            };
            if let Err(error @ Error::Aborted) = &result {
                ended = Err(error.clone());
            } else if ended.is_ok() {
                ended = self.remaining(0).map(drop);
            }
            self.finish_call(call, result);
        }
        ended
    }

    async fn call(&self, call: &ToolCall, turn: &str) -> Result<ToolOutput, Error> {
        let arguments = call.arguments.runnable()?.clone();
        let tool = self.tools.iter().find(|tool| tool.spec.name == call.name).ok_or_else(|| Error::UnknownTool {
            name: call.name.clone(),
            valid: self.tools.iter().map(|tool| tool.spec.name.clone()).collect(),
        })?;
        self.agent.emit(EventKind::ToolUse {
            tool_id: call.id.clone(),
            tool_name: call.name.clone(),
            tool_input: arguments.clone(),
        });
        let state = &self.agent.0;
        let context = ToolContext {
            document: state.document.clone(),
            seen: state.seen.clone(),
            fetch: state.fetch.clone(),
            clock: state.clock.clone(),
            services: self.options.services.clone(),
            locale: self.options.locale,
            origin: Origin { turn: Some(turn.to_owned()), tool_id: Some(call.id.clone()), ..Origin::default() },
            provenance: self.provenance.borrow().clone(),
            arguments: Rc::default(),
        };
        let left = self.remaining(RUN_TIMEOUT_MS)?;
        let running = (tool.run)(Value::Object(arguments), context);
        self.signal.guard(within(state.clock.as_ref(), left, &call.name, running)).await
    }

    fn finish_call(&self, call: &ToolCall, result: Result<ToolOutput, Error>) {
        let (content, is_error) = match result {
            Ok(output) => {
                if let Some(update) = output.doc_update {
                    self.agent.emit(EventKind::DocUpdate { tool_id: call.id.clone(), update });
                }
                if tools::is_source(&call.name) {
                    collect(&output.content, Rc::make_mut(&mut self.provenance.borrow_mut()));
                }
                (output.content, false)
            }
            Err(error) => (object(&mut [("error", self.describe(&error))]), true),
        };
        self.agent.push(Message::ToolResult {
            tool_call_id: call.id.clone(),
            tool_name: call.name.clone(),
            content: content.clone(),
            is_error,
            untrusted: false,
            images: Vec::new(),
        });
        let (tool_id, tool_name) = (call.id.clone(), call.name.clone());
        self.agent.emit(EventKind::ToolResult { tool_id, tool_name, content, is_error });
    }

    /// Takes over the addresses of the conversation so far: "the second picture that you found" may be of an earlier run.
    fn remember_addresses(&self) {
        let mut provenance = Provenance::default();
        for message in self.agent.0.messages.borrow().iter() {
            match message {
                Message::User { content, .. } => collect_text(content, &mut provenance),
                Message::ToolResult { tool_name, content, is_error: false, .. } if tools::is_source(tool_name) => {
                    collect(content, &mut provenance);
                }
                _ => {}
            }
        }
        self.provenance.replace(Rc::new(provenance));
    }

    fn describe(&self, error: &Error) -> Value {
        let message = error.message(self.options.locale);
        object(&mut [("code", error.code().into()), ("message", message.into()), ("details", error.details())])
    }

    /// Says what the person would otherwise wonder about.
    fn notice(&self, answer: &Answer) {
        let locale = self.options.locale;
        let (code, message) = if answer.ending == Ending::Length {
            let en = "The answer reached the model's length limit and ends early.";
            ("length", locale.pick(en, "回答达到了模型的长度上限，提前结束。"))
        } else if answer.text().is_empty() && answer.refusal().is_empty() && answer.tool_calls.is_empty() {
            ("empty_answer", locale.pick("The model answered with nothing.", "模型没有给出任何回答。"))
        } else {
            return;
        };
        self.agent.emit(EventKind::Notice { code, message: message.to_owned() });
    }
}

/// Turns what a stream brings into events.
struct Report<'a> {
    agent: &'a Agent,
    thinking: bool,
    /// The id and the tool of each call so far.
    calls: HashMap<usize, (String, String)>,
}

impl<'a> Report<'a> {
    fn new(agent: &'a Agent) -> Report<'a> {
        Report { agent, thinking: false, calls: HashMap::default() }
    }

    fn delta(&mut self, delta: Delta) {
        match delta {
            Delta::Thinking(content) => {
                if !self.thinking {
                    self.thinking = true;
                    self.agent.emit(EventKind::ThinkingStart);
                }
                self.agent.emit(EventKind::Thinking { content });
            }
            Delta::Text(content) | Delta::Refusal(content) => {
                self.thought();
                self.agent.emit(EventKind::Content { content });
            }
            Delta::ToolCallStart { call, id, name } => {
                self.thought();
                let id = self.unique(id);
                self.calls.insert(call, (id.clone(), name.clone()));
                self.agent.emit(EventKind::ToolArgs { tool_id: id, tool_name: name, partial: Map::new() });
            }
            Delta::ToolCallArguments { call, partial } => {
                if let Some((tool_id, tool_name)) = self.calls.get(&call).cloned() {
                    self.agent.emit(EventKind::ToolArgs { tool_id, tool_name, partial });
                }
            }
        }
    }

    /// Ends the thinking, where there was some.
    fn thought(&mut self) {
        if std::mem::take(&mut self.thinking) {
            self.agent.emit(EventKind::ThinkingEnd);
        }
    }

    /// The id of a call as it was reported.
    fn id_of(&self, call: usize, id: &str) -> String {
        self.calls.get(&call).map_or_else(|| self.unique(id.to_owned()), |(id, _)| id.clone())
    }

    /// Servers number the calls of each answer anew, or give no ids; in a conversation each call needs its own.
    fn unique(&self, id: String) -> String {
        let messages = self.agent.0.messages.borrow();
        let known = |id: &str| {
            let earlier = messages
                .iter()
                .any(|message| matches!(message, Message::ToolResult { tool_call_id, .. } if tool_call_id == id));
            earlier || self.calls.values().any(|(known, _)| known == id)
        };
        let numbered = (2..).map(|number| format!("{id}_{number}"));
        std::iter::once(id.clone()).chain(numbered).find(|id| !known(id)).unwrap_or(id)
    }
}
