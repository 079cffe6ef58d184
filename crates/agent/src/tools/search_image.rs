//! Defines `search_image`, which searches images.

use super::search::SearchTool;
use crate::search::{ImageResult, ServiceSettings, Services};
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;

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

impl SearchTool for SearchImage {
    type Result = ImageResult;
    const NAME: &'static str = "search_image";
    const WORDS: &'static str = "keywords";
    const RESULTS: (&'static str, &'static str) = ("images", "totalImages");
    const URL_FIELDS: &'static [&'static str] = &["images[].url", "images[].thumbnailUrl"];
    const PAGE_FIELDS: &'static [&'static str] = &["images[].authorUrl", "images[].licenseUrl", "images[].sourceUrl"];

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search for images. To insert one, call insert_image with its url. Name the author if the licence requires it.",
            "搜索图片。用结果中的 url 调用 insert_image 插入，并按许可要求注明作者。",
        )
    }

    fn service(services: &Services) -> &ServiceSettings<ImageResult> {
        &services.images
    }

    fn query(&self) -> (&str, i64) {
        (&self.keywords, self.count.unwrap_or(3))
    }
}
