//! Where an app has a say in a run.
//!
//! A hook is a function of the app, named as in pi-agent-core. It is given JSON and gives JSON, perhaps later. What
//! throws is an error: a call that `beforeToolCall` failed to judge does not run.

use crate::Error;
use crate::tools::{ToolOutput, app::read_parts};
use copydesk_base::decode;
use copydesk_base::host::LocalFuture;
use copydesk_llm::Message;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A function that an app may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Messages → messages, before each request.
    TransformContext,
    /// Messages, also of the app's own kinds → messages that a model understands.
    ConvertToLlm,
    /// `{provider, modelId}` → a key for the next request, or nothing to take the one of the settings.
    GetApiKey,
    /// `{toolCall, args}` → `{block, reason}` or nothing.
    BeforeToolCall,
    /// `{toolCall, args, result, isError}` → `{content, details, isError}` or nothing.
    AfterToolCall,
}

impl Hook {
    /// Its name in the options.
    pub fn name(self) -> &'static str {
        match self {
            Hook::TransformContext => "transformContext",
            Hook::ConvertToLlm => "convertToLlm",
            Hook::GetApiKey => "getApiKey",
            Hook::BeforeToolCall => "beforeToolCall",
            Hook::AfterToolCall => "afterToolCall",
        }
    }
}

/// The hooks of an app. Dropping the future of one tells it to stop.
pub trait Hooks {
    /// Calls a hook; none where the app did not give it.
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>>;
}

/// Makes what a hook is given, where there is one to give it to: a conversation is long.
pub type Given<'a> = &'a dyn Fn() -> Value;

/// An app without hooks.
pub struct NoHooks;

impl Hooks for NoHooks {
    fn call(&self, _: Hook, _: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        None
    }
}

/// What the app has made of the messages.
pub async fn messages(hooks: &dyn Hooks, mut messages: Vec<Message>) -> Result<Vec<Message>, Error> {
    for hook in [Hook::TransformContext, Hook::ConvertToLlm] {
        let given = || messages.iter().cloned().map(Value::from).collect();
        if let Some(answer) = hooks.call(hook, &given) {
            let wrong = |message: String| Error::HookFailed { hook: hook.name(), message };
            let Value::Array(given) = answer.await? else {
                return Err(wrong("it must give an array of messages".to_owned()));
            };
            messages = decode::from_value(&given.into()).map_err(|error| wrong(error.to_string()))?;
        }
    }
    Ok(messages)
}

/// The key of the next request, where the app has one for it.
pub async fn api_key(hooks: &dyn Hooks, provider: &str, model: &str) -> Result<Option<String>, Error> {
    let given = || json!({ "provider": provider, "modelId": model });
    match hooks.call(Hook::GetApiKey, &given) {
        Some(answer) => match answer.await? {
            Value::String(key) => Ok(Some(key)),
            Value::Null => Ok(None),
            _ => Err(Error::HookFailed {
                hook: Hook::GetApiKey.name(),
                message: "it must give a string or nothing".to_owned(),
            }),
        },
        None => Ok(None),
    }
}

/// What `beforeToolCall` may answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Verdict {
    block: bool,
    reason: String,
}

/// What `afterToolCall` may answer, beside `content` and `details`, in which null counts too.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Changed {
    is_error: Option<bool>,
}

/// Reads an answer; what is no object answers nothing.
fn read<T: DeserializeOwned + Default>(hook: Hook, answer: &Value) -> Result<T, Error> {
    if !answer.is_object() {
        return Ok(T::default());
    }
    decode::from_value(answer).map_err(|error| Error::HookFailed { hook: hook.name(), message: error.to_string() })
}

/// A call, as hooks are told of it.
pub struct HookedCall<'a> {
    /// Its id.
    pub id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// The arguments.
    pub arguments: &'a Map<String, Value>,
}

impl HookedCall<'_> {
    fn to_value(&self) -> Value {
        let HookedCall { id, name, arguments } = self;
        json!({
            "toolCall": { "type": "toolCall", "id": id, "name": name, "arguments": arguments },
            "args": arguments,
        })
    }

    /// An error where the app does not let the call run.
    pub async fn before(&self, hooks: &dyn Hooks) -> Result<(), Error> {
        let given = || self.to_value();
        let Some(answer) = hooks.call(Hook::BeforeToolCall, &given) else { return Ok(()) };
        let verdict: Verdict = read(Hook::BeforeToolCall, &answer.await?)?;
        if verdict.block {
            return Err(Error::ToolBlocked { tool: self.name.to_owned(), reason: verdict.reason });
        }
        Ok(())
    }

    /// What a tool gave, with what the app puts in the place of its parts. `waits` is called where the app has a say.
    pub async fn after(
        &self,
        hooks: &dyn Hooks,
        mut output: ToolOutput,
        waits: impl FnOnce(&ToolOutput),
    ) -> Result<ToolOutput, Error> {
        let given = || {
            let mut given = self.to_value();
            given["result"] = output.content.clone();
            given["isError"] = output.is_error.into();
            given
        };
        let Some(answer) = hooks.call(Hook::AfterToolCall, &given) else { return Ok(output) };
        waits(&output);
        let answer = answer.await?;
        let changed: Changed = read(Hook::AfterToolCall, &answer)?;
        output.is_error = changed.is_error.unwrap_or(output.is_error);
        // The hook is told of pictures in words alone: what it gives back as it was is no other content.
        if let Some(content) = answer.get("content").filter(|content| **content != output.content) {
            (output.content, output.images) = read_parts(content.clone());
        }
        if let Some(details) = answer.get("details") {
            output.details = Some(details.clone());
        }
        Ok(output)
    }
}
