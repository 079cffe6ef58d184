//! The agent as JavaScript holds it.

use super::clock::PageClock;
use super::document::DocumentHandle;
use super::fetch::PageFetch;
use super::value::{decode, encode, throw};
use crate::agent::{Agent, AgentOptions, Event};
use crate::locale::Locale;
use js_sys::{Function, Promise};
use serde_json::Value;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// An agent; `Agent` of the package wraps it.
#[wasm_bindgen(js_name = AgentHandle)]
pub struct AgentHandle {
    agent: Agent,
    locale: Cell<Locale>,
}

#[wasm_bindgen(js_class = AgentHandle)]
impl AgentHandle {
    /// An agent that works on a document and reports to `listener`, which must not throw.
    #[wasm_bindgen(constructor)]
    pub fn new(
        document: &DocumentHandle,
        options: JsValue,
        fetch: Option<Function>,
        listener: Function,
    ) -> Result<AgentHandle, JsValue> {
        let options = read_options(options)?;
        let locale = Cell::new(options.locale);
        let report = move |event: Event| {
            if let Ok(event) = encode(&event.into()) {
                // The skin's listener catches what the app's listeners throw.
                let _ = listener.call1(&JsValue::UNDEFINED, &event);
            }
        };
        let fetch = Rc::new(PageFetch::new(fetch));
        let agent = Agent::new(options, document.0.clone(), fetch, Rc::new(PageClock), Rc::new(report));
        Ok(AgentHandle { agent, locale })
    }

    /// Runs from a prompt to its end.
    pub fn prompt(&self, text: String) -> Promise {
        match self.agent.prompt(&text) {
            Ok(run) => future_to_promise(async { encode(&run.await.to_value()) }),
            Err(error) => Promise::reject(&throw(&error, self.locale.get())),
        }
    }

    /// Where a call will write whose arguments, given as JSON, are still arriving: `{from, to, content, format}` or null.
    pub fn place(&self, tool: &str, arguments: &str) -> Result<JsValue, JsValue> {
        let arguments = serde_json::from_str(arguments).unwrap_or_default();
        match self.agent.preview(tool, &arguments) {
            Some(preview) => encode(&preview.to_value()),
            None => Ok(JsValue::NULL),
        }
    }

    /// Stops the run under way.
    pub fn abort(&self) {
        self.agent.abort();
    }

    /// Changes how the agent works, from the next run on.
    pub fn configure(&self, options: JsValue) -> Result<(), JsValue> {
        let options = read_options(options)?;
        self.locale.set(options.locale);
        self.agent.configure(options);
        Ok(())
    }

    /// The conversation so far.
    #[wasm_bindgen(getter)]
    pub fn messages(&self) -> Result<JsValue, JsValue> {
        encode(&self.agent.messages().into_iter().map(Value::from).collect())
    }

    /// Replaces the conversation.
    #[wasm_bindgen(js_name = setMessages)]
    pub fn set_messages(&self, messages: JsValue) -> Result<(), JsValue> {
        let messages = decode("messages", messages).map_err(|error| throw(&error, self.locale.get()))?;
        self.agent.set_messages(messages).map_err(|error| throw(&error, self.locale.get()))
    }

    /// What all runs cost.
    #[wasm_bindgen(getter)]
    pub fn usage(&self) -> Result<JsValue, JsValue> {
        encode(&self.agent.usage().into())
    }
}

fn read_options(options: JsValue) -> Result<AgentOptions, JsValue> {
    decode("options", options).map_err(|error| throw(&error, Locale::En))
}
