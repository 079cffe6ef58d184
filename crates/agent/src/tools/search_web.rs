//! Defines `search_web`, which searches pages.

use super::search::SearchTool;
use crate::search::{ServiceSettings, Services, WebResult};
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;

/// `search_web{query, maxResults?}` → `{results: [{title, url, content, score}], totalResults, query}`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchWeb {
    /// The search query.
    #[schemars(extend("zh-CN" = "要查找的内容。"))]
    query: String,
    /// The number of results, 1–10. Default 5.
    #[schemars(range(min = 1, max = 10), extend("zh-CN" = "结果数量，1–10，默认 5。"))]
    max_results: Option<i64>,
}

impl SearchTool for SearchWeb {
    type Result = WebResult;
    const NAME: &'static str = "search_web";
    const WORDS: &'static str = "query";
    const RESULTS: (&'static str, &'static str) = ("results", "totalResults");
    const URL_FIELDS: &'static [&'static str] = &["results[].url"];

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search the web for facts. Cite what you use with a link to its url.",
            "在网络上查找资料。引用时请附上来源 url 的链接。",
        )
    }

    fn service(services: &Services) -> &ServiceSettings<WebResult> {
        &services.web
    }

    fn query(&self) -> (&str, i64) {
        (&self.query, self.max_results.unwrap_or(5))
    }
}
