//! Defines `update_section`, which changes one section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_edit::DocUpdate;
use copydesk_edit::Error;
use copydesk_edit::operation::EditOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `update_section{operation, sectionIndex?, title?, content?}` → `{success, operation, sectionIndex, message,
/// sections}`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSection {
    /// The operation.
    #[schemars(description = messages::UPDATE_SECTION_OPERATION.text(parameters::locale()))]
    pub operation: SectionOperation,
    /// The section, as get_document numbers it. Needed for replace, insert and delete.
    #[schemars(description = messages::UPDATE_SECTION_SECTION_INDEX.text(parameters::locale()))]
    pub section_index: Option<i64>,
    /// The heading, as plain text. Needed for append and insert.
    #[schemars(description = messages::UPDATE_SECTION_TITLE.text(parameters::locale()))]
    pub title: Option<String>,
    /// The content as HTML (p, h3, ul, ol, blockquote, pre, table, strong, em, a …), without the heading. Needed for
    /// replace, append and insert.
    #[schemars(description = messages::UPDATE_SECTION_CONTENT.text(parameters::locale()))]
    pub content: Option<String>,
    /// With replace: true if the content may delete most of the document.
    #[schemars(description = messages::UPDATE_SECTION_WHOLE.text(parameters::locale()))]
    pub whole: Option<bool>,
    /// Options of the edit.
    #[serde(flatten)]
    pub options: EditOptions,
}

/// The operations of `update_section`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SectionOperation {
    Replace,
    Append,
    Insert,
    Delete,
}

impl UpdateSection {
    fn update(&self) -> Result<DocUpdate, Error> {
        let given = serde_json::to_value(self);
        DocUpdate::from_value(&given.map_err(|error| Error::Internal { reason: error.to_string() })?)
    }
}

impl ToolDefinition for UpdateSection {
    const NAME: &'static str = "update_section";
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::UPDATE_SECTION_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        self.update().ok()
    }

    fn arriving_update(arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        Some(arguments.clone())
    }

    fn check(&self) -> Result<(), crate::Error> {
        Ok(self.update().map(drop)?)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(self.update(), self.options, context)
    }
}
