//! Tavily's web search: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use super::service::{Query, SearchService, WebResult, text};
use copydesk_base::host::Request;
use serde_json::{Value, json};

/// Tavily.
pub const SERVICE: SearchService<WebResult> = SearchService {
    provider: "tavily",
    name: "Tavily",
    needs_key: true,
    default_url: Some(|_| "https://api.tavily.com"),
    request,
    results,
};

fn request(query: &Query<'_>) -> Request {
    let body = json!({ "query": query.words, "max_results": query.count });
    Request::post_json(query.url("/search"), &body).with_header("authorization", format!("Bearer {}", query.key))
}

fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let read = |result: &Value| WebResult {
        title: text(&result["title"]),
        url: text(&result["url"]),
        content: text(&result["content"]),
        score: result["score"].as_f64().unwrap_or_default(),
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}
