//! The app's functions in a run: hooks, tools, and the decision whether a call needs approval.

use super::redact::left_out;
use super::{Failure, Tape};
use copydesk_agent::Error;
use copydesk_agent::Outside;
use copydesk_agent::hooks::{Given, Hook, Hooks};
use copydesk_agent::tools::app::Execute;
use copydesk_agent::tools::{NeedsApproval, ToolContext, ToolOutput};
use copydesk_base::ErrorInfo;
use copydesk_base::fields::{object, object_of_given, optional, take};
use copydesk_base::host::LocalFuture;
use serde_json::{Map, Value};
use std::rc::Rc;

/// The name under which calls of tools are recorded.
const TOOL: &str = "tool";
/// The name under which decisions about approval are recorded.
const NEEDS_APPROVAL: &str = "needsApproval";

impl Tape {
    /// Wraps everything that an agent gets from its host.
    pub fn outside(&self, outside: Outside) -> Outside {
        Outside {
            fetch: self.fetch(outside.fetch),
            clock: self.clock(outside.clock),
            hooks: self.hooks(outside.hooks),
            listener: self.listener(outside.listener),
            ..outside
        }
    }

    /// Wraps the hooks of the app. In a replay they are not called.
    pub fn hooks(&self, hooks: Rc<dyn Hooks>) -> Rc<dyn Hooks> {
        match self {
            Tape::Off => hooks,
            _ => Rc::new(RecordedHooks { tape: self.clone(), hooks }),
        }
    }

    /// Wraps the function of one of the app's tools. In a replay it is not called.
    pub fn execute(&self, execute: Execute) -> Execute {
        if matches!(self, Tape::Off) {
            return execute;
        }
        let tape = self.clone();
        Rc::new(move |arguments, mut context: ToolContext| {
            let (tape, execute) = (tape.clone(), execute.clone());
            let id = context.origin.tool_id.clone().unwrap_or_default();
            let progress = context.progress.clone();
            if let Tape::Recording(recorder) = &tape {
                // What the tool itself asks for is no matter of the recording: in a replay it does not run.
                recorder.leave(&mut context);
                let (recorder, id, progress) = (recorder.clone(), id.clone(), progress.clone());
                context.progress = Rc::new(move |partial: Value| {
                    recorder.update(TOOL, &id, partial.clone());
                    progress(partial);
                });
            }
            Box::pin(async move {
                let running = async { write_result(execute(arguments, context).await) };
                read_result(tape.ask(TOOL, &id, Box::pin(running), progress.as_ref()).await?)
            })
        })
    }

    /// Wraps the function that decides whether a call of a tool needs approval.
    pub fn needs_approval(&self, tool: &str, needs: NeedsApproval) -> NeedsApproval {
        let (tape, tool) = (self.clone(), tool.to_owned());
        Rc::new(move |arguments: &Map<String, Value>| {
            let decided = tape.decide(NEEDS_APPROVAL, &tool, || needs(arguments).into());
            // Where nobody can say, the person is asked.
            decided.as_bool().unwrap_or(true)
        })
    }

    /// Asks the host something that it answers at once.
    fn decide(&self, what: &str, id: &str, decide: impl FnOnce() -> Value) -> Value {
        match self {
            Tape::Off => decide(),
            Tape::Recording(recorder) => {
                let at = recorder.asked(what, id);
                let value = recorder.during(at, decide);
                recorder.said(at, true, &value);
                value
            }
            Tape::Replaying(replay) => replay.decided(what, id).unwrap_or_default(),
        }
    }
}

struct RecordedHooks {
    tape: Tape,
    hooks: Rc<dyn Hooks>,
}

impl Hooks for RecordedHooks {
    fn call(&self, hook: Hook, given: Given<'_>) -> Option<LocalFuture<'static, Result<Value, Error>>> {
        let (tape, what) = (self.tape.clone(), hook.name());
        let of_call = matches!(hook, Hook::BeforeToolCall | Hook::AfterToolCall);
        let id =
            if of_call { given()["toolCall"]["id"].as_str().unwrap_or_default().to_owned() } else { String::new() };
        match tape {
            Tape::Off => self.hooks.call(hook, given),
            Tape::Replaying(replay) if !replay.is_answered(what, &id) => None,
            Tape::Replaying(replay) => Some(Box::pin(async move { read_value(replay.ask(what, &id, &|_| {}).await?) })),
            Tape::Recording(recorder) => {
                let asked = recorder.asked(what, &id);
                let Some(called) = recorder.during(asked, || self.hooks.call(hook, given)) else {
                    recorder.not_asked(asked);
                    return None;
                };
                Some(Box::pin(async move {
                    let running = async {
                        let result = called.await;
                        if let (Hook::GetApiKey, Ok(Value::String(key))) = (hook, &result) {
                            recorder.add_key(key);
                        }
                        write_value(result)
                    };
                    read_value(recorder.answer(asked, Box::pin(running)).await)
                }))
            }
        }
    }
}

/// Returns an answer as it is recorded: without keys.
pub(super) fn shown(what: &str, value: &Value) -> Value {
    let mut value = value.clone();
    if what == Hook::GetApiKey.name()
        && let Some(key) = value["value"].as_str()
    {
        value["value"] = left_out(key).into();
    }
    value
}

fn write_value(result: Result<Value, Error>) -> Value {
    match result {
        Ok(value) => object(&mut [("value", value)]),
        Err(error) => failed(error),
    }
}

/// An error in place of what was asked for.
pub(super) fn failed(error: impl Into<Error>) -> Value {
    object(&mut [("error", write_error(&error.into()))])
}

fn read_value(mut value: Value) -> Result<Value, Error> {
    match value.get_mut("error") {
        Some(error) => Err(read_error(error.take())),
        None => Ok(take(&mut value, "value")),
    }
}

fn write_result(result: Result<ToolOutput, Error>) -> Value {
    match result {
        Ok(output) => {
            let mut value = object_of_given(&mut [
                ("details", output.details.into()),
                ("docUpdate", output.doc_update.into()),
                ("isError", output.is_error.into()),
            ]);
            value["content"] = output.content;
            if !output.images.is_empty() {
                value["images"] = serde_json::json!(output.images);
            }
            value
        }
        Err(error) => failed(error),
    }
}

fn read_result(mut value: Value) -> Result<ToolOutput, Error> {
    if let Some(error) = value.get_mut("error") {
        return Err(read_error(error.take()));
    }
    Ok(ToolOutput {
        content: take(&mut value, "content"),
        images: serde_json::from_value(take(&mut value, "images")).unwrap_or_default(),
        details: Some(take(&mut value, "details")).filter(|details| !details.is_null()),
        doc_update: optional(&mut value, "docUpdate").unwrap_or_default(),
        is_error: optional(&mut value, "isError").unwrap_or_default().unwrap_or_default(),
    })
}

fn write_error(error: &Error) -> Value {
    use copydesk_edit::Error as EditError;
    let (of, said) = match error {
        Error::ToolFailed { tool, message } => (tool.as_str(), message.clone()),
        Error::HookFailed { hook, message } => (*hook, message.clone()),
        Error::Edit(EditError::EditorRefused { reason }) => ("", reason.clone()),
        Error::Edit(EditError::MarkdownNotLoaded { reason }) => ("", reason.clone().unwrap_or_default()),
        Error::Base(error) => ("", Failure::from(error).what),
        other => ("", other.to_string()),
    };
    object(&mut [("code", error.code().into()), ("of", of.into()), ("message", said.into())])
}

/// Reads an error of a tool or a hook.
fn read_error(value: Value) -> Error {
    let text = |name| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match text("code").as_str() {
        "tool_failed" => Error::ToolFailed { tool: text("of"), message: text("message") },
        "hook_failed" => {
            let of = text("of");
            let all = [Hook::TransformContext, Hook::ConvertToLlm, Hook::GetApiKey, Hook::BeforeToolCall];
            let hook = all.into_iter().find(|hook| hook.name() == of).unwrap_or(Hook::AfterToolCall).name();
            Error::HookFailed { hook, message: text("message") }
        }
        "stream_cut" => copydesk_llm::Error::StreamCut.into(),
        _ => read_edit_error(value).into(),
    }
}

/// Reads an error of an editor.
pub(super) fn read_edit_error(value: Value) -> copydesk_edit::Error {
    use copydesk_edit::Error;
    let text = |name| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match text("code").as_str() {
        "editor_refused" => Error::EditorRefused { reason: text("message") },
        "editor_destroyed" => Error::EditorDestroyed,
        "markdown_not_loaded" => Error::MarkdownNotLoaded { reason: Some(text("message")) },
        code => Failure { code: code.to_owned(), what: text("message"), ms: 0 }.error().into(),
    }
}
