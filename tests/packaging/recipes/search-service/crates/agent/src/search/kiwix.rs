//! Kiwix, an offline library.

use super::service::{Query, SearchService, WebResult, text};
use copydesk_base::host::{Request, percent_encode};
use serde_json::Value;

/// Kiwix.
pub const SERVICE: SearchService<WebResult> =
    SearchService { provider: "kiwix", name: "Kiwix", needs_key: false, default_url: None, request, results };

fn request(query: &Query<'_>) -> Request {
    Request::get(query.url(&format!("/suggest?term={}", percent_encode(query.words))))
}

fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let read = |result: &Value| WebResult {
        title: text(&result["title"]),
        url: text(&result["url"]),
        content: text(&result["content"]),
        score: 1.0,
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}
