//! SearXNG, a metasearch engine that anybody can host: <https://docs.searxng.org/dev/search_api.html>.
//!
//! There is no public server, so `baseUrl` must be set. The server must list `json` among its `search.formats`,
//! otherwise it answers 403, and must allow the page's origin, or be behind a proxy that does.

use super::service::{Query, SearchService, WebResult, text};
use copydesk_base::host::{Request, is_http_url, percent_encode};
use serde_json::Value;

/// SearXNG.
pub const SERVICE: SearchService<WebResult> =
    SearchService { provider: "searxng", name: "SearXNG", needs_key: false, default_url: None, request, results };

fn request(query: &Query<'_>) -> Request {
    Request::get(query.url(&format!("/search?q={}&format=json", percent_encode(query.words))))
}

/// Reads the results, which come best first. Scores are sums over engines, so the best is taken as 1. Some results have
/// no URL of a page.
fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let results = answer["results"].as_array()?;
    let score = |result: &Value| result["score"].as_f64().unwrap_or_default();
    let best = results.iter().map(score).fold(f64::MIN_POSITIVE, f64::max);
    let read = |result: &Value| WebResult {
        title: text(&result["title"]),
        url: text(&result["url"]),
        content: text(&result["content"]),
        score: score(result) / best,
    };
    Some(results.iter().map(read).filter(|result| is_http_url(&result.url)).collect())
}
