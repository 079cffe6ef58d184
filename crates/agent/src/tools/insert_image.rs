//! Defines `insert_image`, which inserts an image before or after a section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
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

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Insert an image that search_image returned, before or after a section. In all calls of one answer \
             an index is that of the outline shown to you before it.",
            "把 search_image 返回的图片插入到某个章节之前或之后。\
             同一次回答的所有调用中，序号都以回答之前展示给你的目录为准。",
        )
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
