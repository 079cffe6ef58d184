//! Tavily's web search: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.

use super::{WebResult, address, text};
use copydesk_base::host::Request;
use serde_json::{Value, json};

pub const NAME: &str = "Tavily";

pub fn request(base_url: Option<&str>, key: &str, query: &str, count: usize) -> Request {
    let url = address(base_url, "https://api.tavily.com", "/search");
    Request::post_json(url, &json!({ "query": query, "max_results": count }))
        .with_header("authorization", format!("Bearer {key}"))
}

pub fn results(answer: &Value) -> Option<Vec<WebResult>> {
    let read = |result: &Value| WebResult {
        title: text(&result["title"]),
        url: text(&result["url"]),
        content: text(&result["content"]),
        score: result["score"].as_f64().unwrap_or_default(),
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}
