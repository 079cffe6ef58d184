//! Defines `set_attributes`, which sets attributes of lines.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, SetAttributes};
use schemars::JsonSchema;
use serde::Deserialize;

/// `set_attributes{edits: [{start_line, end_line?, attributes}]}` → the result with the lines around the changes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SetAttributesCall {
    #[serde(flatten)]
    edit: SetAttributes,
}

impl ToolDefinition for SetAttributesCall {
    const NAME: &'static str = "set_attributes";
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::SET_ATTRIBUTES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(self.edit.into()), EditOptions::default(), context)
    }
}
