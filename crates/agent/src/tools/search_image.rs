//! Defines `search_image`, which searches images.

use super::search::SearchTool;
use crate::messages;
use crate::search::{ImageResult, ServiceSettings, Services};
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;

/// `search_image{keywords, count?}` →
/// `{images: [{url, thumbnailUrl, description, author, authorUrl}], totalImages, keywords}`.
#[derive(Deserialize, JsonSchema)]
pub struct SearchImage {
    /// Keywords of the image; English finds most.
    #[schemars(description = messages::SEARCH_IMAGE_KEYWORDS.text(parameters::locale()))]
    keywords: String,
    /// The number of images, 1–5. Default 3.
    #[schemars(range(min = 1, max = 5), description = messages::SEARCH_IMAGE_COUNT.text(parameters::locale()))]
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
        messages::SEARCH_IMAGE_DESCRIPTION.text(locale)
    }

    fn service(services: &Services) -> &ServiceSettings<ImageResult> {
        &services.images
    }

    fn query(&self) -> (&str, i64) {
        (&self.keywords, self.count.unwrap_or(3))
    }
}
