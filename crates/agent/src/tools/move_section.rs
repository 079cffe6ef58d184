//! Defines `move_section`, which moves a section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, MoveSection};
use schemars::JsonSchema;
use serde::Deserialize;

/// `move_section{sectionIndex, toIndex}` → `{success, operation, sectionIndex, message, sections}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct MoveSectionCall {
    #[serde(flatten)]
    edit: MoveSection,
    #[serde(flatten)]
    options: EditOptions,
}

impl ToolDefinition for MoveSectionCall {
    const NAME: &'static str = "move_section";
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::MOVE_SECTION_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(self.edit.into()), self.options, context)
    }
}
