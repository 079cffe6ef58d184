//! The tools that search pages and pictures.

use super::{Tool, ToolOutput, tool};
use crate::Error;
use crate::search::{self, ImageResult, WebResult};
use copydesk_base::arguments::{Arguments, Param, Params};
use copydesk_base::fields::form;
use copydesk_base::locale::Locale;

struct SearchWeb {
    query: String,
    max_results: Option<i64>,
}

impl Params for SearchWeb {
    const PARAMS: &'static [Param] = &[Param::string("query").required(), Param::integer_within("maxResults", 1, 10)];

    fn take(given: &mut Arguments) -> SearchWeb {
        SearchWeb { query: given.text("query").unwrap_or_default(), max_results: given.integer("maxResults") }
    }
}

struct SearchImage {
    keywords: String,
    count: Option<i64>,
}

impl Params for SearchImage {
    const PARAMS: &'static [Param] = &[Param::string("keywords").required(), Param::integer_within("count", 1, 5)];

    fn take(given: &mut Arguments) -> SearchImage {
        SearchImage { keywords: given.text("keywords").unwrap_or_default(), count: given.integer("count") }
    }
}

/// A text that says something.
fn said<'a>(call: &str, name: &str, text: &'a str) -> Result<&'a str, Error> {
    Some(text.trim())
        .filter(|text| !text.is_empty())
        .ok_or_else(|| Error::Base(copydesk_base::Error::MissingParameter { call: call.into(), name: name.into() }))
}

/// `search_web{query, maxResults?}` → `{results: [{title, url, content, score}], totalResults, query}`.
pub fn search_web(locale: Locale) -> Tool {
    let description = locale.pick(
        "Search the web for facts. Cite what you use with a link to its url.",
        "在网络上查找资料。引用时请附上来源 url 的链接。",
    );
    let parameters = [
        ("query", locale.pick("What to look for.", "要查找的内容。")),
        ("maxResults", locale.pick("How many results, 1–10. Default 5.", "结果数量，1–10，默认 5。")),
    ];
    tool("search_web", description, &parameters, |given: SearchWeb, context| {
        Box::pin(async move {
            let query = said("search_web", "query", &given.query)?;
            let count = given.max_results.unwrap_or(5) as usize;
            let (fetch, clock) = (context.fetch.as_ref(), context.clock.as_ref());
            let results = search::search_web(&context.services.web, query, count, context.locale, fetch, clock).await?;
            let content = form(
                "totalResults results query",
                [results.len().into(), results.iter().map(WebResult::to_value).collect(), query.into()],
            );
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    })
    .with_urls(&["results[].url"])
}

/// The fields of a found picture that hold URLs.
const IMAGE_URLS: [&str; 5] =
    ["images[].url", "images[].thumbnailUrl", "images[].authorUrl", "images[].licenseUrl", "images[].sourceUrl"];

/// `search_image{keywords, count?}` → `{images: [{url, thumbnailUrl, description, author, authorUrl}], totalImages,
/// keywords}`.
pub fn search_image(locale: Locale) -> Tool {
    let description = locale.pick(
        "Search for pictures. Insert one with insert_image, using its url, and name the author where the licence asks.",
        "搜索图片。用结果中的 url 调用 insert_image 插入，并按许可要求注明作者。",
    );
    let parameters = [
        ("keywords", locale.pick("What the picture shows; English finds most.", "图片内容的关键词，英文结果最多。")),
        ("count", locale.pick("How many pictures, 1–5. Default 3.", "图片数量，1–5，默认 3。")),
    ];
    tool("search_image", description, &parameters, |given: SearchImage, context| {
        Box::pin(async move {
            let keywords = said("search_image", "keywords", &given.keywords)?;
            let count = given.count.unwrap_or(3) as usize;
            let (fetch, clock) = (context.fetch.as_ref(), context.clock.as_ref());
            let images = search::search_image(&context.services.images, keywords, count, fetch, clock).await?;
            let content = form(
                "totalImages images keywords",
                [images.len().into(), images.iter().map(ImageResult::to_value).collect(), keywords.into()],
            );
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    })
    .with_urls(&IMAGE_URLS)
}
