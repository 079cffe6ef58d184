//! Defines `search_image`, which searches images.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolOutput, required_text};
use crate::search::{self, ImageResult};
use copydesk_base::arguments::{Arguments, Param, Params};
use copydesk_base::fields::form;
use copydesk_base::locale::Locale;

/// `search_image{keywords, count?}` → `{images: [{url, thumbnailUrl, description, author, authorUrl}], totalImages, keywords}`.
pub struct SearchImage {
    keywords: String,
    count: Option<i64>,
}

impl Params for SearchImage {
    const PARAMS: &'static [Param] = &[Param::string("keywords").required(), Param::integer_within("count", 1, 5)];

    fn take(given: &mut Arguments) -> SearchImage {
        SearchImage { keywords: given.text("keywords").unwrap_or_default(), count: given.integer("count") }
    }
}

impl ToolDefinition for SearchImage {
    const NAME: &'static str = "search_image";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search for pictures. Insert one with insert_image, using its url, and name the author where the licence asks.",
            "搜索图片。用结果中的 url 调用 insert_image 插入，并按许可要求注明作者。",
        )
    }

    fn parameters(locale: Locale) -> Vec<(&'static str, &'static str)> {
        vec![
            (
                "keywords",
                locale.pick("What the picture shows; English finds most.", "图片内容的关键词，英文结果最多。"),
            ),
            ("count", locale.pick("How many pictures, 1–5. Default 3.", "图片数量，1–5，默认 3。")),
        ]
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
            let images = search::search_image(&context.services.images, keywords, count, fetch, clock).await?;
            let content = form(
                "totalImages images keywords",
                [images.len().into(), images.iter().map(ImageResult::to_value).collect(), keywords.into()],
            );
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
