//! Functions of the app that take part in a run.
//!
//! A hook is named as in pi-agent-core. It takes JSON and returns JSON, or a promise of it. An exception is an error:
//! a call whose `beforeToolCall` failed does not run.

use crate::Error;
use crate::tools::{ToolOutput, app::read_parts};
use copydesk_base::decode;
use copydesk_base::host::LocalFuture;
use copydesk_llm::Message;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// The hooks that an app may provide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Nothing → nothing, before each request: returns when the plugins of the app are ready.
    PrepareRequest,
    /// Messages → messages, before each request.
    TransformContext,
    /// Messages, also of the app's own kinds → messages that a model understands.
    ConvertToLlm,
    /// `{provider, modelId}` → an API key for the next request, or nothing for the configured one.
    GetApiKey,
    /// `{toolCall, args}` → `{block, reason}` or nothing.
    BeforeToolCall,
    /// `{toolCall, args, result, isError}` → `{content, details, isError}` or nothing.
    AfterToolCall,
}

impl Hook {
    /// All hooks.
    pub const ALL: [Hook; 6] = [
        Hook::PrepareRequest,
        Hook::TransformContext,
        Hook::ConvertToLlm,
        Hook::GetApiKey,
        Hook::BeforeToolCall,
        Hook::AfterToolCall,
    ];

    /// Returns the name of the option.
    pub fn name(self) -> &'static str {
        match self {
            Hook::PrepareRequest => "prepareRequest",
            Hook::TransformContext => "transformContext",
            Hook::ConvertToLlm => "convertToLlm",
            Hook::GetApiKey => "getApiKey",
            Hook::BeforeToolCall => "beforeToolCall",
            Hook::AfterToolCall => "afterToolCall",
        }
    }
}

/// The hooks of an app. Dropping a future cancels the call.
pub trait Hooks {
    /// Calls a hook; `None` if the app does not provide it.
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>>;
}

/// Builds the argument of a hook. Called only if the hook exists, because a conversation is long.
pub type Given<'a> = &'a dyn Fn() -> Value;

/// An app without hooks.
pub struct NoHooks;

impl Hooks for NoHooks {
    fn call(&self, _: Hook, _: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        None
    }
}

/// Waits until the app is ready for the next request.
pub async fn prepare(hooks: &dyn Hooks) -> Result<(), Error> {
    match hooks.call(Hook::PrepareRequest, &|| Value::Null) {
        Some(ready) => ready.await.map(drop),
        None => Ok(()),
    }
}

/// Returns the messages as the hooks `transformContext` and `convertToLlm` change them.
pub async fn messages(hooks: &dyn Hooks, mut messages: Vec<Message>) -> Result<Vec<Message>, Error> {
    for hook in [Hook::TransformContext, Hook::ConvertToLlm] {
        let given = || messages.iter().cloned().map(Value::from).collect();
        if let Some(answer) = hooks.call(hook, &given) {
            let wrong = |message: String| Error::HookFailed { hook: hook.name(), message };
            let Value::Array(given) = answer.await? else {
                return Err(wrong("it must return an array of messages".to_owned()));
            };
            messages = decode::from_value(&given.into()).map_err(|error| wrong(error.to_string()))?;
        }
    }
    Ok(messages)
}

/// Returns the key that the hook `getApiKey` gives for the next request.
pub async fn api_key(hooks: &dyn Hooks, provider: &str, model: &str) -> Result<Option<String>, Error> {
    let given = || json!({ "provider": provider, "modelId": model });
    match hooks.call(Hook::GetApiKey, &given) {
        Some(answer) => match answer.await? {
            Value::String(key) => Ok(Some(key)),
            Value::Null => Ok(None),
            _ => Err(Error::HookFailed {
                hook: Hook::GetApiKey.name(),
                message: "it must return a string or nothing".to_owned(),
            }),
        },
        None => Ok(None),
    }
}

/// The fields that `beforeToolCall` may return.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BeforeToolCall {
    block: bool,
    reason: String,
}

/// The field that `afterToolCall` may return beside `content` and `details`, in which null is a value.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AfterToolCall {
    is_error: Option<bool>,
}

/// Decodes the result of a hook; anything but an object counts as an empty one.
fn read<T: DeserializeOwned + Default>(hook: Hook, answer: &Value) -> Result<T, Error> {
    if !answer.is_object() {
        return Ok(T::default());
    }
    decode::from_value(answer).map_err(|error| Error::HookFailed { hook: hook.name(), message: error.to_string() })
}

/// The call that hooks are told of.
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

    /// Calls `beforeToolCall`. Fails if the app blocks the call.
    pub async fn before(&self, hooks: &dyn Hooks) -> Result<(), Error> {
        let given = || self.to_value();
        let Some(answer) = hooks.call(Hook::BeforeToolCall, &given) else { return Ok(()) };
        let verdict: BeforeToolCall = read(Hook::BeforeToolCall, &answer.await?)?;
        if verdict.block {
            return Err(Error::ToolBlocked { tool: self.name.to_owned(), reason: verdict.reason });
        }
        Ok(())
    }

    /// Calls `afterToolCall` and returns the output with the parts that the app replaces. `waits` is called before
    /// the hook, if there is one.
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
        let changed: AfterToolCall = read(Hook::AfterToolCall, &answer)?;
        output.is_error = changed.is_error.unwrap_or(output.is_error);
        // The hook gets images as text only, so content that it returns unchanged keeps its images.
        if let Some(content) = answer.get("content").filter(|content| **content != output.content) {
            (output.content, output.images) = read_parts(content.clone());
        }
        if let Some(details) = answer.get("details") {
            output.details = Some(details.clone());
        }
        Ok(output)
    }
}
