//! The definition of a search service.

use copydesk_base::host::Request;
use copydesk_base::locale::Locale;
use serde::Serialize;
use serde_json::Value;

/// The definition of a search service that finds results of one kind.
pub struct SearchService<R: 'static> {
    /// Name of the service in the setting `provider`.
    pub provider: &'static str,
    /// Its own name, for messages.
    pub name: &'static str,
    /// States that requests need an API key.
    pub needs_key: bool,
    /// Returns its URL if the settings have no `baseUrl`; `None` if they must have one.
    pub default_url: Option<fn(Locale) -> &'static str>,
    /// Builds the request of a query.
    pub request: fn(&Query<'_>) -> Request,
    /// Reads the results from a JSON answer, best first; `None` if they are missing.
    pub results: fn(&Value) -> Option<Vec<R>>,
}

/// A query to a service.
pub struct Query<'a> {
    /// The words to search for.
    pub words: &'a str,
    /// The number of results wanted.
    pub count: usize,
    /// The API key; empty if the service needs none.
    pub key: &'a str,
    pub(super) base_url: &'a str,
}

impl Query<'_> {
    /// Returns the URL of `rest`, a path and perhaps parameters, below the base URL. Parameters of the base URL come
    /// last.
    pub fn url(&self, rest: &str) -> String {
        let (path, more) = self.base_url.split_once('?').unwrap_or((self.base_url, ""));
        let separator = match (more, rest.contains('?')) {
            ("", _) => "",
            (_, true) => "&",
            (_, false) => "?",
        };
        [path.trim_end_matches('/'), rest, separator, more].concat()
    }
}

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WebResult {
    /// Its title.
    pub title: String,
    /// Its URL.
    pub url: String,
    /// A passage of it, as plain text.
    pub content: String,
    /// Relevance, 0–1; where a service only ranks, 1 for the first and less for each further one.
    pub score: f64,
}

/// An image that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageResult {
    /// The URL of the image itself.
    pub url: String,
    /// The URL of a small version.
    pub thumbnail_url: String,
    /// A description of what it shows.
    pub description: String,
    /// The name of its author.
    pub author: String,
    /// A page about the author, or empty.
    pub author_url: String,
    /// The licence, where the service names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The licence's text, where the service names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license_url: Option<String>,
    /// The page that the image comes from, where the service names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
}

/// Returns a text field; empty if it is missing.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

/// Returns a text field; `None` if it is missing or empty.
pub(super) fn some_text(value: &Value) -> Option<String> {
    Some(text(value)).filter(|text| !text.is_empty())
}
