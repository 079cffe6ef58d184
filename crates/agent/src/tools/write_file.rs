//! Defines `write_file`, which writes a whole text file.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput, path_argument};
use crate::messages;
use copydesk_base::characters;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `write_file{path, content}` → `{success, path, created, version}`.
#[derive(Deserialize, JsonSchema)]
pub struct WriteFile {
    /// The path of the file, such as notes/characters.md. Missing folders are created.
    #[schemars(description = messages::WRITE_FILE_PATH.text(parameters::locale()))]
    path: String,
    /// The whole text.
    #[schemars(description = messages::WRITE_FILE_CONTENT.text(parameters::locale()))]
    content: String,
}

impl ToolDefinition for WriteFile {
    const NAME: &'static str = "write_file";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::WRITE_FILE_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::WRITES_FILES
    }

    fn path_in(arguments: &Map<String, Value>) -> Option<String> {
        path_argument(arguments)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            characters::check("content", &self.content)?;
            let expected = context.workspace()?.known(&self.path);
            let content = context.write_file(&self.path, self.content, expected).await?;
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
