//! Defines `insert_image`, which inserts an image before or after a section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, InsertImage};
use schemars::JsonSchema;
use serde::Deserialize;

/// `insert_image{sectionIndex, imageUrl, imageDescription, position?}` → `{success, message, imageUrl,
/// imageDescription}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InsertImageCall {
    #[serde(flatten)]
    edit: InsertImage,
    #[serde(flatten)]
    options: EditOptions,
}

impl ToolDefinition for InsertImageCall {
    const NAME: &'static str = "insert_image";
    const KIND: ToolKind = ToolKind::InsertImage;

    fn description(locale: Locale) -> &'static str {
        messages::INSERT_IMAGE_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let (url, description) = (self.edit.image_url.clone(), self.edit.image_description.clone());
        let changed = apply_update(Ok(self.edit.into()), self.options, context);
        Box::pin(async move {
            let mut output = changed.await?;
            output.content["imageUrl"] = url.into();
            output.content["imageDescription"] = description.into();
            Ok(output)
        })
    }
}
