//! Defines `replace_text`, which replaces a text in a line or over the ends of lines.

use super::edit::{apply_update, of_operation};
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, ReplaceText};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `replace_text{old, new, near_line?, all?}` → the result with the lines around the change.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReplaceTextCall {
    #[serde(flatten)]
    edit: ReplaceText,
    #[serde(flatten)]
    options: EditOptions,
}

impl ToolDefinition for ReplaceTextCall {
    const NAME: &'static str = "replace_text";
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::REPLACE_TEXT_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn arriving_update(arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        Some(of_operation(Self::NAME, arguments.clone()))
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(self.edit.into()), self.options, context)
    }
}
