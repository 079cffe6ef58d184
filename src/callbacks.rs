//! The functions of the app: its hooks, tools and logger. The JS package passes them as one object.

use super::promise::settled;
use super::value::{encode, json, reason};
use super::workspace_host::AppWorkspace;
use copydesk_agent::Error;
use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::log::{Log, LogEntry, Logger};
use copydesk_agent::tools::app::{self, ToolFunctions};
use copydesk_agent::tools::{ToolContext, ToolFuture};
use copydesk_agent::workspace::WorkspaceHost;
use copydesk_base::host::LocalFuture;
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen]
extern "C" {
    /// The object of the JS package. A hook is identified by its own name, a tool by its name in the list of tools.
    #[derive(Clone)]
    pub type Callbacks;

    /// Returns whether the app provides a hook, a logger or a workspace.
    #[wasm_bindgen(method, catch)]
    fn has(this: &Callbacks, name: &str) -> Result<JsValue, JsValue>;

    /// Calls a hook, or a tool with `update`. Returns a promise.
    #[wasm_bindgen(method, catch)]
    fn call(
        this: &Callbacks,
        name: &str,
        given: &JsValue,
        signal: &AbortSignal,
        update: &JsValue,
    ) -> Result<JsValue, JsValue>;

    /// Returns whether a call of a tool needs the user's approval.
    #[wasm_bindgen(method, catch, js_name = needsApproval)]
    fn needs_approval(this: &Callbacks, tool: &str, args: &JsValue) -> Result<JsValue, JsValue>;

    /// Calls a method of the workspace. Returns a promise.
    #[wasm_bindgen(method, catch)]
    pub fn workspace(this: &Callbacks, method: &str, given: &JsValue) -> Result<JsValue, JsValue>;

    /// Writes a log entry.
    #[wasm_bindgen(method, catch)]
    fn log(this: &Callbacks, level: &str, message: &str, fields: &JsValue) -> Result<(), JsValue>;
}

/// The functions of the app, as the agent calls them.
#[derive(Clone)]
pub struct AppCallbacks {
    /// The object of the JS package.
    pub callbacks: Callbacks,
}

impl AppCallbacks {
    /// Calls an asynchronous function. Dropping the future aborts the signal that was passed to it.
    fn call(&self, name: &str, given: &Value, update: JsValue) -> LocalFuture<'static, Result<Value, JsValue>> {
        let begun = encode(given).and_then(|given| {
            let pending = PendingCall { controller: AbortController::new()?, settled: Cell::new(false) };
            let promise = self.callbacks.call(name, &given, &pending.controller.signal(), &update)?;
            Ok((promise, pending))
        });
        Box::pin(async {
            let (promise, pending) = begun?;
            let outcome = settled(promise).await;
            pending.settled.set(true);
            let value = outcome?;
            if value.is_undefined() { Ok(Value::Null) } else { json("result", &value).map_err(|error| said(&error)) }
        })
    }

    /// Returns the workspace of the app, if there is one.
    pub fn workspace(&self) -> Option<Rc<dyn WorkspaceHost>> {
        let has = self.callbacks.has("workspace").is_ok_and(|has| has.is_truthy());
        has.then(|| Rc::new(AppWorkspace(self.callbacks.clone())) as Rc<dyn WorkspaceHost>)
    }

    /// Returns the log of the app, silent without a logger.
    pub fn log(&self) -> Log {
        match self.callbacks.has("logger") {
            Ok(has) if has.is_truthy() => Log::new(Rc::new(self.clone())),
            _ => Log::silent(),
        }
    }
}

impl ToolFunctions for AppCallbacks {
    fn run(&self, tool: &str, arguments: Map<String, Value>, context: ToolContext) -> ToolFuture {
        let progress = context.progress.clone();
        let update = Closure::<dyn Fn(JsValue)>::new(move |partial: JsValue| {
            if let Ok(partial) = json("update", &partial) {
                progress(partial);
            }
        });
        let given = json!({ "id": context.origin.tool_id.clone().unwrap_or_default(), "args": arguments });
        let running = self.call(tool, &given, update.as_ref().clone());
        let tool = tool.to_owned();
        Box::pin(async move {
            let given = running.await;
            // The tool may report until its call ends.
            drop(update);
            match given {
                Ok(given) => Ok(app::output(given)),
                Err(thrown) => Err(Error::ToolFailed { tool, message: reason(&thrown) }),
            }
        })
    }

    fn needs_approval(&self, tool: &str, arguments: &Map<String, Value>) -> bool {
        let arguments = encode(&Value::Object(arguments.clone())).unwrap_or_default();
        // If the app's function throws, the call waits for the user.
        self.callbacks.needs_approval(tool, &arguments).map_or(true, |needs| needs.is_truthy())
    }
}

impl Logger for AppCallbacks {
    fn log(&self, entry: LogEntry) {
        let fields = entry.fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let fields = encode(&Value::Object(fields)).unwrap_or_default();
        // An exception of the logger must not end a run, and there is nowhere to report it.
        let _ = self.callbacks.log(entry.level.name(), entry.message, &fields);
    }
}

impl Hooks for AppCallbacks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let failed = move |thrown: JsValue| Error::HookFailed { hook: hook.name(), message: reason(&thrown) };
        match self.callbacks.has(hook.name()) {
            Ok(has) if !has.is_truthy() => return None,
            Ok(_) => {}
            Err(thrown) => return Some(Box::pin(ready(Err(failed(thrown))))),
        }
        let called = AppCallbacks::call(self, hook.name(), &given(), JsValue::UNDEFINED);
        Some(Box::pin(async move { called.await.map_err(failed) }))
    }
}

/// A running function of the app; dropping it aborts its signal.
struct PendingCall {
    controller: AbortController,
    settled: Cell<bool>,
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        if !self.settled.get() {
            self.controller.abort();
        }
    }
}

fn said(error: &dyn std::error::Error) -> JsValue {
    JsError::new(&error.to_string()).into()
}
