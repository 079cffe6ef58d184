//! Unsplash's photo search: <https://unsplash.com/documentation#search-photos>. Unsplash asks browsers to go
//! through a proxy that holds the key: set `baseUrl` to it.

use super::{ImageResult, address, some_text, text};
use copydesk_base::host::{Request, percent_encode};
use serde_json::Value;

pub const NAME: &str = "Unsplash";

pub fn request(base_url: Option<&str>, key: &str, keywords: &str, count: usize) -> Request {
    let rest = format!("/search/photos?query={}&per_page={count}", percent_encode(keywords));
    Request::get(address(base_url, "https://api.unsplash.com", &rest))
        .with_header("authorization", format!("Client-ID {key}"))
}

pub fn results(answer: &Value) -> Option<Vec<ImageResult>> {
    let read = |photo: &Value| ImageResult {
        url: text(&photo["urls"]["regular"]),
        thumbnail_url: text(&photo["urls"]["thumb"]),
        description: some_text(&photo["alt_description"]).unwrap_or_else(|| text(&photo["description"])),
        author: text(&photo["user"]["name"]),
        author_url: text(&photo["user"]["links"]["html"]),
        license: Some("Unsplash License".to_owned()),
        license_url: Some("https://unsplash.com/license".to_owned()),
        source_url: some_text(&photo["links"]["html"]),
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}
