//! Defines `edit_file`, which replaces a text that occurs once in a file.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput, path_argument};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::{Error, replace_once};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// `edit_file{path, old_text, new_text}` → `{success, path, created, version, lines: [first, last]}`.
#[derive(Deserialize, JsonSchema)]
pub struct EditFile {
    /// The path of the file.
    #[schemars(description = messages::EDIT_FILE_PATH.text(parameters::locale()))]
    path: String,
    /// The text to be replaced, exactly as it is in the file, without line numbers. It must occur once.
    #[schemars(description = messages::EDIT_FILE_OLD_TEXT.text(parameters::locale()))]
    old_text: String,
    /// The new text.
    #[schemars(description = messages::EDIT_FILE_NEW_TEXT.text(parameters::locale()))]
    new_text: String,
}

impl ToolDefinition for EditFile {
    const NAME: &'static str = "edit_file";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::EDIT_FILE_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::WRITES_FILES
    }

    fn path_in(arguments: &Map<String, Value>) -> Option<String> {
        path_argument(arguments)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let workspace = context.workspace()?;
            let file = workspace.read(&self.path).await?;
            if workspace.known(&file.path).is_some_and(|known| known != file.version) {
                return Err(Error::FileChanged { path: self.path }.into());
            }
            let replaced = replace_once(&self.path, &file.text, &self.old_text, &self.new_text)?;
            let mut content = context.write_file(&self.path, replaced.text, Some(file.version)).await?;
            content["lines"] = json!([replaced.first_line, replaced.last_line]);
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
