//! The app's own functions: its hooks and its tools.
//!
//! The skin hands over one object: `has(name)`, `call(name, given, signal, update)`, which gives a promise, and
//! `needsApproval(tool, args)`. A hook goes by its own name, a tool by its name in the list beside it.

use super::taped::Taped;
use super::value::{encode, json, reason};
use copydesk_agent::Error;
use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::log::{Entry, Log, Logger};
use copydesk_agent::tools::app::{self, Execute};
use copydesk_agent::tools::{NeedsApproval, Tool, ToolContext};
use copydesk_base::host::LocalFuture;
use js_sys::{Array, Function, Promise, Reflect};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

/// What the skin hands over.
#[derive(Clone)]
pub struct PageApp {
    /// The skin's object.
    pub app: JsValue,
    /// Between the tools and the agent, where it is recorded.
    pub tape: Option<Rc<dyn Taped>>,
}

impl PageApp {
    fn invoke(&self, method: &str, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
        let function: Function = Reflect::get(&self.app, &method.into())?.dyn_into()?;
        function.apply(&self.app, &arguments.iter().collect::<Array>())
    }

    /// Calls a function that takes its time. Dropping the future raises the signal that the function was given.
    fn call(&self, name: &str, given: &Value, update: JsValue) -> LocalFuture<'static, Result<Value, JsValue>> {
        let begun = encode(given).and_then(|given| {
            let waiting = Waiting { controller: AbortController::new()?, settled: Cell::new(false) };
            let promise = self.invoke("call", &[name.into(), given, waiting.controller.signal().into(), update])?;
            Ok((Promise::resolve(&promise), waiting))
        });
        Box::pin(async {
            let (promise, waiting) = begun?;
            let settled = JsFuture::from(promise).await;
            waiting.settled.set(true);
            let value = settled?;
            if value.is_undefined() { Ok(Value::Null) } else { json("result", &value).map_err(|error| said(&error)) }
        })
    }

    /// The log of an app that wants one.
    pub fn log(&self) -> Log {
        match self.invoke("has", &["logger".into()]) {
            Ok(has) if has.is_truthy() => Log::new(Rc::new(self.clone())),
            _ => Log::silent(),
        }
    }

    /// The tools of a list, each with its function behind it.
    pub fn tools(&self, list: Value) -> Result<Vec<Tool>, copydesk_base::Error> {
        let Value::Array(list) = list else { return Ok(Vec::new()) };
        let made = |(at, given)| {
            self.tool(given).map_err(|wrong| match wrong.split_once(" must be ") {
                Some((field, expected)) => {
                    copydesk_base::Error::Config { name: format!("tools[{at}].{field}"), expected: expected.to_owned() }
                }
                None => copydesk_base::Error::Config { name: format!("tools[{at}]"), expected: wrong },
            })
        };
        list.into_iter().enumerate().map(made).collect()
    }

    fn tool(&self, given: Value) -> Result<Tool, String> {
        let app = self.clone();
        let name = given["name"].as_str().unwrap_or_default().to_owned();
        let needs = given["needsApproval"].as_bool().unwrap_or(false);
        let tool = name.clone();
        let execute: Execute = Rc::new(move |arguments: Map<String, Value>, context: ToolContext| {
            let progress = context.progress.clone();
            let update = Closure::<dyn Fn(JsValue)>::new(move |partial: JsValue| {
                if let Ok(partial) = json("update", &partial) {
                    progress(partial);
                }
            });
            let id = context.origin.tool_id.clone().unwrap_or_default();
            let given = [("id", id.into()), ("args", Value::Object(arguments))];
            let given = Value::Object(given.map(|(name, value)| (name.to_owned(), value)).into_iter().collect());
            let running = app.call(&tool, &given, update.as_ref().clone());
            let tool = tool.clone();
            Box::pin(async move {
                let given = running.await;
                // The tool may report as long as it runs.
                drop(update);
                match given {
                    Ok(given) => Ok(app::output(given)),
                    Err(thrown) => Err(Error::ToolFailed { tool, message: reason(&thrown) }),
                }
            })
        });
        let execute = match &self.tape {
            Some(tape) => tape.execute(execute),
            None => execute,
        };
        let mut made = app::tool(given, execute)?;
        if needs {
            let (app, asked) = (self.clone(), name.clone());
            let needs: NeedsApproval = Rc::new(move |arguments: &Map<String, Value>| {
                let arguments = encode(&Value::Object(arguments.clone())).unwrap_or_default();
                // Where the app cannot say, the person is asked.
                app.invoke("needsApproval", &[asked.as_str().into(), arguments]).map_or(true, |needs| needs.is_truthy())
            });
            made.needs_approval = Some(match &self.tape {
                Some(tape) => tape.needs_approval(&name, needs),
                None => needs,
            });
        }
        Ok(made)
    }
}

impl Logger for PageApp {
    fn log(&self, entry: Entry) {
        let fields = entry.fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let fields = encode(&Value::Object(fields)).unwrap_or_default();
        // A logger that throws must not end a run; where else should it be told?
        let _ = self.invoke("log", &[entry.level.name().into(), entry.message.into(), fields]);
    }
}

impl Hooks for PageApp {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let failed = move |thrown: JsValue| Error::HookFailed { hook: hook.name(), message: reason(&thrown) };
        match self.invoke("has", &[hook.name().into()]) {
            Ok(has) if !has.is_truthy() => return None,
            Ok(_) => {}
            Err(thrown) => return Some(Box::pin(ready(Err(failed(thrown))))),
        }
        let called = PageApp::call(self, hook.name(), &given(), JsValue::UNDEFINED);
        Some(Box::pin(async move { called.await.map_err(failed) }))
    }
}

/// A function of the app under way; dropping it raises the signal that the function was given.
struct Waiting {
    controller: AbortController,
    settled: Cell<bool>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.settled.get() {
            self.controller.abort();
        }
    }
}

fn said(error: &dyn std::error::Error) -> JsValue {
    JsError::new(&error.to_string()).into()
}
