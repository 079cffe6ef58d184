//! Openverse, openly licensed pictures: <https://api.openverse.org/v1/>.

use super::service::{ImageResult, Query, SearchService, some_text, text};
use copydesk_base::host::{Request, percent_encode};
use serde_json::Value;

/// Openverse.
pub const SERVICE: SearchService<ImageResult> = SearchService {
    provider: "openverse",
    name: "Openverse",
    needs_key: false,
    default_url: Some(|_| "https://api.openverse.org/v1"),
    request,
    results,
};

fn request(query: &Query<'_>) -> Request {
    let (words, count) = (percent_encode(query.words), query.count);
    Request::get(query.url(&format!("/images/?q={words}&page_size={count}")))
}

fn results(answer: &Value) -> Option<Vec<ImageResult>> {
    let read = |image: &Value| ImageResult {
        url: text(&image["url"]),
        thumbnail_url: some_text(&image["thumbnail"]).unwrap_or_else(|| text(&image["url"])),
        description: text(&image["title"]),
        author: text(&image["creator"]),
        author_url: text(&image["creator_url"]),
        license: license(image),
        license_url: some_text(&image["license_url"]),
        source_url: some_text(&image["foreign_landing_url"]),
    };
    Some(answer["results"].as_array()?.iter().map(read).collect())
}

/// `by-sa` and `4.0` are "CC BY-SA 4.0"; `cc0` and `pdm` have names of their own.
fn license(image: &Value) -> Option<String> {
    let code = some_text(&image["license"])?;
    let version = text(&image["license_version"]);
    let name = match code.as_str() {
        "pdm" => "Public Domain Mark".to_owned(),
        "cc0" => "CC0".to_owned(),
        _ => format!("CC {}", code.to_ascii_uppercase()),
    };
    Some(format!("{name} {version}").trim_end().to_owned())
}
