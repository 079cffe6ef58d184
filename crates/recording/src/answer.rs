//! The answers of the app's tools and hooks and of the editor, as JSON: `{value}` or `{error: {code, of, message}}`.
//! The output of a tool is stored directly: `{content, isError, …}`.

use crate::Failure;
use crate::redact::left_out;
use copydesk_agent::Error;
use copydesk_agent::hooks::Hook;
use copydesk_agent::tools::ToolOutput;
use copydesk_base::ErrorInfo;
use copydesk_edit::Error as EditError;
use copydesk_llm::Image;
use copydesk_workspace::Error as FileError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The name of calls of tools.
pub(crate) const TOOL: &str = "tool";
/// The name of calls of the workspace.
pub(crate) const WORKSPACE: &str = "workspace";
/// The setting of a recording whose agent had a host of files: of a workspace, or of plugins.
pub(crate) const HAS_FILES: &str = "hasFiles";
/// The setting that states that the files are a workspace. Older recordings have it alone.
pub(crate) const HAS_WORKSPACE: &str = "hasWorkspace";
/// The name of decisions whether a call needs approval.
pub(crate) const NEEDS_APPROVAL: &str = "needsApproval";
/// The name under which the loading of a Markdown parser is recorded.
pub(crate) const MARKDOWN: &str = "loadMarkdown";

/// The output of a tool in a recording.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct OutputRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doc_update: Option<Map<String, Value>>,
    is_error: bool,
    content: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Image>,
}

/// An error in a recording.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ErrorRow {
    code: String,
    /// The tool or the hook that failed.
    of: String,
    message: String,
}

/// Returns an answer without keys.
pub(crate) fn without_key(what: &str, value: &Value) -> Value {
    let mut value = value.clone();
    if what == Hook::GetApiKey.name()
        && let Some(key) = value["value"].as_str()
    {
        value["value"] = left_out(key).into();
    }
    value
}

/// Writes an error in place of an answer.
pub(crate) fn write_error(error: impl Into<Error>) -> Value {
    json!({ "error": ErrorRow::from(&error.into()) })
}

/// Takes the error out of an answer, if it is one.
fn take_error(answer: &mut Value) -> Option<ErrorRow> {
    let error = answer.get_mut("error").map(Value::take).filter(|error| !error.is_null())?;
    // A file that somebody has changed may hold anything there.
    Some(serde_json::from_value(error).unwrap_or_default())
}

fn take_value(answer: &mut Value) -> Value {
    answer.get_mut("value").map(Value::take).unwrap_or_default()
}

/// Writes the answer of a hook.
pub(crate) fn write_value(result: Result<Value, Error>) -> Value {
    result.map_or_else(write_error, |value| json!({ "value": value }))
}

/// Reads the answer of a hook.
pub(crate) fn read_value(mut answer: Value) -> Result<Value, Error> {
    match take_error(&mut answer) {
        Some(error) => Err(error.error()),
        None => Ok(take_value(&mut answer)),
    }
}

/// Reads the answer of an editor.
pub(crate) fn read_edit_value(mut answer: Value) -> Result<Value, EditError> {
    match take_error(&mut answer) {
        Some(error) => Err(error.edit_error()),
        None => Ok(take_value(&mut answer)),
    }
}

/// Writes the answer of a workspace.
pub(crate) fn write_file_value(result: Result<Value, FileError>) -> Value {
    match result {
        Ok(value) => json!({ "value": value }),
        Err(error) => {
            let message = match &error {
                FileError::StorageFailed { reason, .. } => reason.clone(),
                error => error.to_string(),
            };
            json!({ "error": { "code": error.code(), "message": message, "details": error.details() } })
        }
    }
}

/// Reads the answer of a workspace.
pub(crate) fn read_file_value(mut answer: Value) -> Result<Value, FileError> {
    match answer.get("error").filter(|error| !error.is_null()) {
        Some(error) => {
            let text = |name: &str| error[name].as_str().unwrap_or_default();
            Err(FileError::of_host(text("code"), text("message"), &error["details"]))
        }
        None => Ok(take_value(&mut answer)),
    }
}

/// Writes the answer of a tool.
pub(crate) fn write_output(result: Result<ToolOutput, Error>) -> Value {
    match result {
        Ok(ToolOutput { content, doc_update, images, details, is_error }) => {
            json!(OutputRow { details, doc_update, is_error, content, images })
        }
        Err(error) => write_error(error),
    }
}

/// Reads the answer of a tool.
pub(crate) fn read_output(mut answer: Value) -> Result<ToolOutput, Error> {
    if let Some(error) = take_error(&mut answer) {
        return Err(error.error());
    }
    let OutputRow { details, doc_update, is_error, content, images } =
        serde_json::from_value(answer).unwrap_or_default();
    Ok(ToolOutput { content, doc_update, images, details, is_error })
}

impl From<&Error> for ErrorRow {
    fn from(error: &Error) -> ErrorRow {
        let (of, message) = match error {
            Error::ToolFailed { tool, message } => (tool.as_str(), message.clone()),
            Error::HookFailed { hook, message } => (*hook, message.clone()),
            Error::Edit(EditError::EditorRefused { reason }) => ("", reason.clone()),
            Error::Edit(EditError::MarkdownNotLoaded { reason }) => ("", reason.clone().unwrap_or_default()),
            Error::Base(error) => ("", Failure::from(error).what),
            other => ("", other.to_string()),
        };
        ErrorRow { code: error.code().to_owned(), of: of.to_owned(), message }
    }
}

impl ErrorRow {
    /// Returns the error of a tool or a hook.
    fn error(self) -> Error {
        let ErrorRow { of, message, .. } = self;
        match self.code.as_str() {
            "tool_failed" => Error::ToolFailed { tool: of, message },
            "hook_failed" => {
                let hook = Hook::ALL.into_iter().find(|hook| hook.name() == of).unwrap_or(Hook::AfterToolCall).name();
                Error::HookFailed { hook, message }
            }
            "stream_cut" => copydesk_llm::Error::StreamCut.into(),
            _ => ErrorRow { of, message, ..self }.edit_error().into(),
        }
    }

    /// Returns the error of an editor.
    fn edit_error(self) -> EditError {
        let ErrorRow { code, message, .. } = self;
        match code.as_str() {
            "editor_refused" => EditError::EditorRefused { reason: message },
            "editor_destroyed" => EditError::EditorDestroyed,
            "read_only" => EditError::ReadOnly,
            "markdown_not_loaded" => EditError::MarkdownNotLoaded { reason: Some(message) },
            _ => Failure { code, what: message, ms: 0 }.error().into(),
        }
    }
}
