//! Defines `read_file`, which reads a text file with line numbers.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput, path_argument};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::{WantedLines, numbered};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `read_file{path, start_line?, end_line?, raw?}` → the lines as text, `12 | text` each; cut after 10,000 characters.
#[derive(Deserialize, JsonSchema)]
pub struct ReadFile {
    /// The path of the file, such as chapters/ch001.md.
    #[schemars(description = messages::READ_FILE_PATH.text(parameters::locale()))]
    path: String,
    /// The first line, from 1. Default: the first.
    #[schemars(description = messages::READ_FILE_START_LINE.text(parameters::locale()))]
    start_line: Option<i64>,
    /// The last line, included. Default: the last.
    #[schemars(description = messages::READ_FILE_END_LINE.text(parameters::locale()))]
    end_line: Option<i64>,
    /// True for the plain text without line numbers. Default: false.
    #[schemars(description = messages::READ_FILE_RAW.text(parameters::locale()))]
    raw: Option<bool>,
}

impl ToolDefinition for ReadFile {
    const NAME: &'static str = "read_file";
    const SUBJECT: Subject = Subject::Files;
    const KIND: ToolKind = ToolKind::Read;

    fn description(locale: Locale) -> &'static str {
        messages::READ_FILE_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn path_in(arguments: &Map<String, Value>) -> Option<String> {
        path_argument(arguments)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let workspace = context.workspace()?;
            let file = workspace.read(&self.path).await?;
            let range = WantedLines { first: self.start_line, last: self.end_line };
            let content = numbered(&file.text, range, self.raw.unwrap_or(false), context.locale)?;
            workspace.know(&file.path, &file.version);
            Ok(ToolOutput { content: content.into(), ..ToolOutput::default() })
        })
    }
}
