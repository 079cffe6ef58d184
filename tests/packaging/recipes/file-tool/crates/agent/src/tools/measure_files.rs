//! Defines `measure_files`, which adds up the sizes of the files.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `measure_files()` → `{bytes}`.
#[derive(Deserialize, JsonSchema)]
pub struct MeasureFiles {}

impl ToolDefinition for MeasureFiles {
    const NAME: &'static str = "measure_files";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::List;

    fn description(locale: Locale) -> &'static str {
        messages::MEASURE_FILES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let files = context.workspace()?.list().await?;
            let bytes: f64 = files.iter().map(|file| file.size).sum();
            Ok(ToolOutput { content: json!({ "bytes": bytes }), ..ToolOutput::default() })
        })
    }
}
