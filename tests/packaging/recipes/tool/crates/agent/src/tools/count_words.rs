//! Defines `count_words`, which counts the words of the document.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `count_words()` → `{words}`.
#[derive(Deserialize, JsonSchema)]
pub struct CountWords {}

impl ToolDefinition for CountWords {
    const NAME: &'static str = "count_words";
    const KIND: ToolKind = ToolKind::Read;

    fn description(locale: Locale) -> &'static str {
        messages::COUNT_WORDS_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_DOCUMENT
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let document = context.document.document()?;
            let words: usize = document.lines().iter().map(|line| line.text.split_whitespace().count()).sum();
            Ok(ToolOutput { content: json!({ "words": words }), ..ToolOutput::default() })
        })
    }
}
