//! Unsplash's photo search: <https://unsplash.com/documentation#search-photos>. Unsplash asks browsers to go
//! through a proxy that holds the key: set `baseUrl` to it.

use super::service::{ImageResult, Query, SearchService, some_text, text};
use copydesk_base::host::{Request, percent_encode};
use serde_json::Value;

/// Unsplash.
pub const SERVICE: SearchService<ImageResult> = SearchService {
    provider: "unsplash",
    name: "Unsplash",
    needs_key: true,
    default_url: Some(|_| "https://api.unsplash.com"),
    request,
    results,
};

fn request(query: &Query<'_>) -> Request {
    let (words, count) = (percent_encode(query.words), query.count);
    Request::get(query.url(&format!("/search/photos?query={words}&per_page={count}")))
        .with_header("authorization", format!("Client-ID {}", query.key))
}

fn results(answer: &Value) -> Option<Vec<ImageResult>> {
    let read = |photo: &Value| ImageResult {
        url: text(&photo["urls"]["regular"]),
        thumbnail_url: text(&photo["urls"]["small"]),
        description: some_text(&photo["alt_description"]).unwrap_or_else(|| text(&photo["description"])),
        author: text(&photo["user"]["name"]),
        author_url: text(&photo["user"]["links"]["html"]),
        license: Some("Unsplash License".to_owned()),
        license_url: Some("https://unsplash.com/license".to_owned()),
        source_url: some_text(&photo["links"]["html"]),
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}
