//! Defines `search_image`, which searches images.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolOutput, required_text};
use crate::search;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `search_image{keywords, count?}` → `{images: [{url, thumbnailUrl, description, author, authorUrl}], totalImages, keywords}`.
#[derive(Deserialize, JsonSchema)]
pub struct SearchImage {
    /// Keywords of the image; English finds most.
    #[schemars(extend("zh-CN" = "图片内容的关键词，英文结果最多。"))]
    keywords: String,
    /// The number of images, 1–5. Default 3.
    #[schemars(range(min = 1, max = 5), extend("zh-CN" = "图片数量，1–5，默认 3。"))]
    count: Option<i64>,
}

impl ToolDefinition for SearchImage {
    const NAME: &'static str = "search_image";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search for images. To insert one, call insert_image with its url. Name the author if the licence requires it.",
            "搜索图片。用结果中的 url 调用 insert_image 插入，并按许可要求注明作者。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy {
            sequential: false,
            edits: false,
            timeout: Some(search::SEARCH_TIMEOUT_MS),
            ..ExecutionPolicy::default()
        }
    }

    fn url_fields() -> &'static [&'static str] {
        &["images[].url", "images[].thumbnailUrl", "images[].authorUrl", "images[].licenseUrl", "images[].sourceUrl"]
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let keywords = required_text("search_image", "keywords", &self.keywords)?;
            let count = self.count.unwrap_or(3) as usize;
            let (fetch, clock) = (context.fetch.as_ref(), context.clock.as_ref());
            let images =
                search::search(&context.services.images, keywords, count, context.locale, fetch, clock).await?;
            let content = json!({ "totalImages": images.len(), "images": images, "keywords": keywords });
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
