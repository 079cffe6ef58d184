//! The agent as JavaScript uses it. Its methods are in [`page_agent`](super::page_agent), which is of the later part.

use super::callbacks::Callbacks;
use super::document::DocumentHandle;
#[cfg(feature = "full")]
use super::document_mirror::DocumentMirrorHandle;
#[cfg(feature = "full")]
use super::page_agent::new_mirror_agent;
use super::page_agent::{AgentMethods, new_agent};
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

/// An agent; `Agent` of the package wraps it.
#[wasm_bindgen(js_name = AgentHandle)]
pub struct AgentHandle(Box<dyn AgentMethods>);

#[wasm_bindgen(js_class = AgentHandle)]
impl AgentHandle {
    /// Creates an agent that works on a document and reports to `listener`, which must not throw. `app` has the app's
    /// functions. With `recorded`, a recorder records its runs.
    #[wasm_bindgen(constructor)]
    pub fn new(
        document: &DocumentHandle,
        options: JsValue,
        fetch: Option<Function>,
        app: Callbacks,
        listener: Function,
        recorded: bool,
    ) -> Result<AgentHandle, JsValue> {
        new_agent(document, options, fetch, app, listener, recorded).map(AgentHandle)
    }

    /// Creates an agent that works on the mirror of a document.
    #[cfg(feature = "full")]
    #[wasm_bindgen(js_name = ofMirror)]
    pub fn of_mirror(
        mirror: &DocumentMirrorHandle,
        options: JsValue,
        fetch: Option<Function>,
        app: Callbacks,
        listener: Function,
    ) -> Result<AgentHandle, JsValue> {
        new_mirror_agent(mirror, options, fetch, app, listener).map(AgentHandle)
    }

    /// Runs a prompt, an array of messages, to its end. The options are optional.
    pub fn prompt(&self, messages: JsValue, options: JsValue) -> Promise {
        self.0.prompt(messages, options)
    }

    /// Continues the conversation. The options are optional.
    #[wasm_bindgen(js_name = continueRun)]
    pub fn continue_run(&self, options: JsValue) -> Promise {
        self.0.continue_run(options)
    }

    /// Queues messages for the turn after the current one or, with `follow_up`, for the end of the run.
    pub fn queue(&self, messages: JsValue, follow_up: bool) -> Result<(), JsValue> {
        self.0.queue(messages, follow_up)
    }

    /// Removes the queued messages.
    #[wasm_bindgen(js_name = clearQueues)]
    pub fn clear_queues(&self) {
        self.0.clear_queues()
    }

    /// Decides about a call that waits for approval.
    pub fn approve(&self, tool_id: &str, approved: bool, reason: String) -> Result<(), JsValue> {
        self.0.approve(tool_id, approved, reason)
    }

    /// Replaces the app's own tools, from the next request on.
    #[wasm_bindgen(js_name = setTools)]
    pub fn set_tools(&self, tools: JsValue) -> Result<(), JsValue> {
        self.0.set_tools(tools)
    }

    /// Returns tokens and costs by turn, tool and edit.
    #[wasm_bindgen(getter)]
    pub fn ledger(&self) -> Result<JsValue, JsValue> {
        self.0.ledger()
    }

    /// Returns the current state.
    #[wasm_bindgen(getter)]
    pub fn state(&self) -> Result<JsValue, JsValue> {
        self.0.state()
    }

    /// Returns whether a run is under way.
    #[wasm_bindgen(getter, js_name = isRunning)]
    pub fn is_running(&self) -> bool {
        self.0.is_running()
    }

    /// Returns the target of an unfinished call, from the arguments that have arrived: `{from, to, content, format}`,
    /// or null.
    pub fn preview(&self, tool_id: &str) -> Result<JsValue, JsValue> {
        self.0.preview(tool_id)
    }

    /// Stops the run under way.
    pub fn abort(&self) {
        self.0.abort()
    }

    /// Reports a notice for the user to the listener.
    pub fn notice(&self, code: String, message: String) {
        self.0.notice(code, message)
    }

    /// Replaces the options, from the next request on.
    pub fn configure(&self, options: JsValue) -> Result<(), JsValue> {
        self.0.configure(options)
    }

    /// Returns the conversation.
    #[wasm_bindgen(getter)]
    pub fn messages(&self) -> Result<JsValue, JsValue> {
        self.0.messages()
    }

    /// Replaces the conversation.
    #[wasm_bindgen(js_name = setMessages)]
    pub fn set_messages(&self, messages: JsValue) -> Result<(), JsValue> {
        self.0.set_messages(messages)
    }

    /// Returns the recording so far, as JSON text without keys.
    #[wasm_bindgen(getter)]
    pub fn recording(&self) -> Result<String, JsValue> {
        self.0.recording()
    }

    /// Returns the usage of all runs.
    #[wasm_bindgen(getter)]
    pub fn usage(&self) -> Result<JsValue, JsValue> {
        self.0.usage()
    }
}
