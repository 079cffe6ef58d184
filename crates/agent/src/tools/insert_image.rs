//! Defines `insert_image`, which inserts an image before or after a section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::update::{DocUpdate, InsertImage};

/// `insert_image{sectionIndex, imageUrl, imageDescription, position?}` → `{success, message, imageUrl, imageDescription}`.
impl ToolDefinition for InsertImage {
    const NAME: &'static str = "insert_image";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Insert a picture that search_image returned before or after a section.",
            "把 search_image 返回的图片插入到某个章节之前或之后。",
        )
    }

    fn parameters(locale: Locale) -> Vec<(&'static str, &'static str)> {
        vec![
            (
                "sectionIndex",
                locale.pick("The section, as get_document numbers it.", "章节序号，以 get_document 的编号为准。"),
            ),
            (
                "imageUrl",
                locale
                    .pick("The url of a picture from the results of search_image.", "search_image 结果中图片的 url。"),
            ),
            (
                "imageDescription",
                locale.pick("What the picture shows: its alternative text.", "图片内容的描述，用作替代文本。"),
            ),
            (
                "position",
                locale.pick("On which side of the section. Default after_section.", "插入位置，默认 after_section。"),
            ),
        ]
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let (url, description) = (self.image_url.clone(), self.image_description.clone());
        let changed = apply_update(Ok(self.into()), context);
        Box::pin(async move {
            let mut output = changed.await?;
            output.content["imageUrl"] = url.into();
            output.content["imageDescription"] = description.into();
            Ok(output)
        })
    }
}
