//! Defines `search_web`, which searches pages.

use super::search::SearchTool;
use crate::messages;
use crate::search::{ServiceSettings, Services, WebResult};
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;

/// `search_web{query, maxResults?}` → `{results: [{title, url, content, score}], totalResults, query}`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchWeb {
    /// The search query.
    #[schemars(description = messages::SEARCH_WEB_QUERY.text(parameters::locale()))]
    query: String,
    /// The number of results, 1–10. Default 5.
    #[schemars(range(min = 1, max = 10), description = messages::SEARCH_WEB_MAX_RESULTS.text(parameters::locale()))]
    max_results: Option<i64>,
}

impl SearchTool for SearchWeb {
    type Result = WebResult;
    const NAME: &'static str = "search_web";
    const WORDS: &'static str = "query";
    const RESULTS: (&'static str, &'static str) = ("results", "totalResults");
    const URL_FIELDS: &'static [&'static str] = &["results[].url"];

    fn description(locale: Locale) -> &'static str {
        messages::SEARCH_WEB_DESCRIPTION.text(locale)
    }

    fn service(services: &Services) -> &ServiceSettings<WebResult> {
        &services.web
    }

    fn query(&self) -> (&str, i64) {
        (&self.query, self.max_results.unwrap_or(5))
    }
}
