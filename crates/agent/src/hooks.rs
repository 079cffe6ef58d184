//! Where an app has a say in a run.
//!
//! A hook is a function of the app, named as in pi-agent-core. It is given JSON and gives JSON, perhaps later. What
//! throws is an error: a call that `beforeToolCall` failed to judge does not run.

use crate::Error;
use crate::tools::{ToolOutput, app::read_parts};
use copydesk_base::fields::{form, object, optional, take};
use copydesk_base::host::LocalFuture;
use copydesk_llm::Message;
use serde_json::{Map, Value};

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
            messages = given.into_iter().map(Message::try_from).collect::<Result<_, _>>().map_err(wrong)?;
        }
    }
    Ok(messages)
}

/// The key of the next request, where the app has one for it.
pub async fn api_key(hooks: &dyn Hooks, provider: &str, model: &str) -> Result<Option<String>, Error> {
    let given = || form("provider modelId", [provider.into(), model.into()]);
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
    fn members(&self) -> [(&'static str, Value); 2] {
        let arguments = || Value::Object(self.arguments.clone());
        let call = form("type=toolCall id name arguments", [self.id.into(), self.name.into(), arguments()]);
        [("toolCall", call), ("args", arguments())]
    }

    /// An error where the app does not let the call run.
    pub async fn before(&self, hooks: &dyn Hooks) -> Result<(), Error> {
        let given = || object(&mut self.members());
        let Some(answer) = hooks.call(Hook::BeforeToolCall, &given) else { return Ok(()) };
        let mut verdict = answer.await?;
        let wrong = |message| Error::HookFailed { hook: Hook::BeforeToolCall.name(), message };
        if optional(&mut verdict, "block").map_err(wrong)?.unwrap_or(false) {
            let reason = optional(&mut verdict, "reason").map_err(wrong)?.unwrap_or_default();
            return Err(Error::ToolBlocked { tool: self.name.to_owned(), reason });
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
            let [call, args] = self.members();
            object(&mut [call, args, ("result", output.content.clone()), ("isError", output.is_error.into())])
        };
        let Some(answer) = hooks.call(Hook::AfterToolCall, &given) else { return Ok(output) };
        waits(&output);
        let mut changed = answer.await?;
        let wrong = |message| Error::HookFailed { hook: Hook::AfterToolCall.name(), message };
        output.is_error = optional(&mut changed, "isError").map_err(wrong)?.unwrap_or(output.is_error);
        // The hook is told of pictures in words alone: what it gives back as it was is no other content.
        if changed.get("content").is_some_and(|content| *content != output.content) {
            (output.content, output.images) = read_parts(take(&mut changed, "content"));
        }
        if changed.get("details").is_some() {
            output.details = Some(take(&mut changed, "details"));
        }
        Ok(output)
    }
}
