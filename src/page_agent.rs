//! An agent of the page.

use super::callbacks::{AppCallbacks, Callbacks};
use super::clock::PageClock;
use super::document::DocumentHandle;
#[cfg(feature = "full")]
use super::document_mirror::DocumentMirrorHandle;
use super::fetch::PageFetch;
use super::page_document::PageDocument;
use super::parts::later;
#[cfg(not(feature = "full"))]
use super::recorder::record;
use super::recorder::{PageHost, RecordingSource};
#[cfg(feature = "full")]
use super::recording::record;
use super::value::{self, decode, encode, report, settings, throw};
use crate::error;
use copydesk_agent::Error;
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_agent::tools::app::{ToolFunctions, tools as tools_of};
use copydesk_agent::{Agent, AgentHost, AgentOptions, RunOptions, RunResult};
use copydesk_base::ErrorInfo;
use copydesk_base::locale::Locale;
use copydesk_edit::apply::DocumentHolder;
use copydesk_llm::Message;
use copydesk_review::{Observers, ReviewHost};
use js_sys::{Function, Promise};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// The methods of an agent. They are behind a trait so that only the constructor refers to them.
pub trait AgentMethods {
    /// Runs a prompt, an array of messages, to its end. The options are optional.
    fn prompt(&self, messages: JsValue, options: JsValue) -> Promise;

    /// Continues the conversation. The options are optional.
    fn continue_run(&self, options: JsValue) -> Promise;

    /// Queues messages for the turn after the current one or, with `follow_up`, for the end of the run.
    fn queue(&self, messages: JsValue, follow_up: bool) -> Result<(), JsValue>;

    /// Removes the queued messages.
    fn clear_queues(&self);

    /// Decides about a call that waits for approval.
    fn approve(&self, tool_id: &str, approved: bool, reason: String) -> Result<(), JsValue>;

    /// Replaces the app's own tools, from the next request on.
    fn set_tools(&self, tools: JsValue) -> Result<(), JsValue>;

    /// Returns tokens and costs by turn, tool and edit.
    fn ledger(&self) -> Result<JsValue, JsValue>;

    /// Returns the current state.
    fn state(&self) -> Result<JsValue, JsValue>;

    /// Returns whether a run is under way.
    fn is_running(&self) -> bool;

    /// Returns the target of an unfinished call, from the arguments that have arrived: `{from, to, content, format}`,
    /// or null.
    fn preview(&self, tool_id: &str) -> Result<JsValue, JsValue>;

    /// Stops the run under way.
    fn abort(&self);

    /// Reports a notice for the user to the listener.
    fn notice(&self, code: String, message: String);

    /// Replaces the options, from the next request on.
    fn configure(&self, options: JsValue) -> Result<(), JsValue>;

    /// Returns the conversation.
    fn messages(&self) -> Result<JsValue, JsValue>;

    /// Replaces the conversation.
    fn set_messages(&self, messages: JsValue) -> Result<(), JsValue>;

    /// Returns the recording so far, as JSON text without keys.
    fn recording(&self) -> Result<String, JsValue>;

    /// Returns the usage of all runs.
    fn usage(&self) -> Result<JsValue, JsValue>;
}

/// An agent, and what its calls need.
struct PageAgent {
    agent: Agent,
    /// The functions of the app's tools.
    functions: Rc<dyn ToolFunctions>,
    /// Observers of the calls of the user and the app.
    observers: Observers,
    /// The recorder, with the document.
    recording: Option<(Rc<dyn RecordingSource>, Rc<PageDocument>)>,
    locale: Cell<Locale>,
}

later! {
    "01"
    /// Creates an agent that works on a document.
    pub fn new_agent(
        document: &DocumentHandle,
        options: JsValue,
        fetch: Option<Function>,
        app: Callbacks,
        listener: Function,
        recorded: bool,
    ) -> Result<Box<dyn AgentMethods>, JsValue> {
        let (options, settings) = read_options(options)?;
        let locale = Cell::new(options.locale);
        let parts = parts(document.host(), fetch, app, listener);
        let document = document.0.clone();
        let observers = Observers::default();
        let (parts, recording) = if recorded {
            let recorded = record(&document, &observers, settings, parts);
            let (parts, recording) = recorded.map_err(|error| throw(&error, options.locale))?;
            (parts, Some((recording, document)))
        } else {
            (parts, None)
        };
        let PageHost { document, host, functions } = parts;
        let agent = Agent::new(options, document, host);
        Ok(Box::new(PageAgent { agent, functions, observers, recording, locale }))
    }
}

/// Creates an agent that works on the mirror of a document.
#[cfg(feature = "full")]
pub fn new_mirror_agent(
    mirror: &DocumentMirrorHandle,
    options: JsValue,
    fetch: Option<Function>,
    app: Callbacks,
    listener: Function,
) -> Result<Box<dyn AgentMethods>, JsValue> {
    let (options, _) = read_options(options)?;
    let locale = Cell::new(options.locale);
    let PageHost { document, host, functions } = parts(mirror.0.clone(), fetch, app, listener);
    let agent = Agent::new(options, document, host);
    Ok(Box::new(PageAgent { agent, functions, observers: Observers::default(), recording: None, locale }))
}

impl AgentMethods for PageAgent {
    fn prompt(&self, messages: JsValue, options: JsValue) -> Promise {
        let run = || {
            let messages: Vec<Message> = decode("messages", &value::json("messages", &messages)?)?;
            let (options, given) = run_options(options)?;
            self.observers.input("prompt", &|| {
                let messages: Value = messages.iter().cloned().map(Value::from).collect();
                if given.is_null() { messages } else { with_member(given.clone(), "messages", messages) }
            });
            self.agent.prompt_with(messages, options)
        };
        self.promise(run())
    }

    fn continue_run(&self, options: JsValue) -> Promise {
        let run = || {
            let (options, given) = run_options(options)?;
            self.observers.input("continue", &|| given.clone());
            self.agent.continue_with(options)
        };
        self.promise(run())
    }

    fn queue(&self, messages: JsValue, follow_up: bool) -> Result<(), JsValue> {
        let name = if follow_up { "followUp" } else { "steer" };
        for message in self.messages_of(name, messages).map_err(|error| self.thrown(&error))? {
            if follow_up {
                self.agent.follow_up(message);
            } else {
                self.agent.steer(message);
            }
        }
        Ok(())
    }

    fn clear_queues(&self) {
        self.observers.input("clearQueues", &|| Value::Null);
        self.agent.clear_queues();
    }

    fn approve(&self, tool_id: &str, approved: bool, reason: String) -> Result<(), JsValue> {
        let given = || json!({ "toolId": tool_id, "approved": approved, "reason": reason });
        self.observers.input("approve", &given);
        self.agent.approve(tool_id, ApprovalResponse { approved, reason }).map_err(|error| self.thrown(&error))
    }

    fn set_tools(&self, tools: JsValue) -> Result<(), JsValue> {
        let tools = settings("tools", tools).and_then(|tools| {
            self.observers.input("setTools", &|| tools.clone());
            Ok(tools_of(&tools, &self.functions)?)
        });
        self.agent.set_tools(tools.map_err(|error| self.thrown(&error))?);
        Ok(())
    }

    fn ledger(&self) -> Result<JsValue, JsValue> {
        encode(&self.agent.ledger())
    }

    fn state(&self) -> Result<JsValue, JsValue> {
        encode(&self.agent.state())
    }

    fn is_running(&self) -> bool {
        self.agent.is_running()
    }

    fn preview(&self, tool_id: &str) -> Result<JsValue, JsValue> {
        match self.agent.preview(tool_id) {
            Some(preview) => encode(&preview.to_value()),
            None => Ok(JsValue::NULL),
        }
    }

    fn abort(&self) {
        self.observers.input("abort", &|| Value::Null);
        self.agent.abort();
    }

    fn notice(&self, code: String, message: String) {
        self.observers.input("notice", &|| json!({ "code": code, "message": message }));
        self.agent.notice(code, message);
    }

    fn configure(&self, options: JsValue) -> Result<(), JsValue> {
        let (options, settings) = read_options(options)?;
        self.observers.input("configure", &|| settings.clone());
        self.locale.set(options.locale);
        self.agent.configure(options);
        Ok(())
    }

    fn messages(&self) -> Result<JsValue, JsValue> {
        encode(&self.agent.messages().into_iter().map(Value::from).collect())
    }

    fn set_messages(&self, messages: JsValue) -> Result<(), JsValue> {
        let messages = self.messages_of("setMessages", messages);
        messages.and_then(|messages| self.agent.set_messages(messages)).map_err(|error| self.thrown(&error))
    }

    fn recording(&self) -> Result<String, JsValue> {
        let Some((recording, bound)) = &self.recording else {
            return Err(self.thrown(&error::Error::NotRecording));
        };
        // After the editor was destroyed, the last known document is used.
        let after = bound.document().unwrap_or_else(|_| bound.cell.document());
        Ok(recording.recording(&after))
    }

    fn usage(&self) -> Result<JsValue, JsValue> {
        encode(&json!(self.agent.usage()))
    }
}

impl PageAgent {
    /// Reads messages of the user, which are an input with this name.
    fn messages_of(&self, name: &str, messages: JsValue) -> Result<Vec<Message>, Error> {
        let messages: Vec<Message> = decode("messages", &value::json("messages", &messages)?)?;
        self.observers.input(name, &|| messages.iter().cloned().map(Value::from).collect());
        Ok(messages)
    }

    fn thrown(&self, error: &dyn ErrorInfo) -> JsValue {
        throw(error, self.locale.get())
    }

    fn promise(&self, run: Result<impl Future<Output = RunResult> + 'static, Error>) -> Promise {
        match run {
            Ok(run) => future_to_promise(async { encode(&json!(run.await)) }),
            Err(error) => Promise::reject(&self.thrown(&error)),
        }
    }
}

/// Returns the host of an agent: the parts from the JS package, and the document.
fn parts(document: Rc<dyn ReviewHost>, fetch: Option<Function>, app: Callbacks, listener: Function) -> PageHost {
    let app = AppCallbacks { callbacks: app };
    let host = AgentHost {
        fetch: Rc::new(PageFetch::new(fetch).read_by(app.callbacks.clone().unchecked_into())),
        clock: Rc::new(PageClock),
        hooks: Rc::new(app.clone()),
        workspace: app.workspace(),
        log: app.log(),
        listener: report(listener),
    };
    PageHost { document, host, functions: Rc::new(app) }
}

/// Reads the options, and returns them also as JSON.
fn read_options(options: JsValue) -> Result<(AgentOptions, Value), JsValue> {
    let read = move || {
        let value = settings("options", options)?;
        Ok((decode("options", &value)?, value))
    };
    read().map_err(|error: Error| throw(&error, Locale::En))
}

/// Reads the options of a run, and returns them also as JSON: null without any.
fn run_options(options: JsValue) -> Result<(RunOptions, Value), Error> {
    if options.is_undefined() || options.is_null() {
        return Ok((RunOptions::default(), Value::Null));
    }
    let value = settings("options", options)?;
    let read: RunOptions = decode("options", &value)?;
    Ok((read, if read.scope.is_some() { value } else { Value::Null }))
}

/// Returns an object with another member.
fn with_member(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}
