//! Defines `search_web`, which searches pages.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolOutput, required_text};
use crate::search;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

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

impl ToolDefinition for SearchWeb {
    const NAME: &'static str = "search_web";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search the web for facts. Cite what you use with a link to its url.",
            "在网络上查找资料。引用时请附上来源 url 的链接。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy {
            sequential: false,
            edits: false,
            timeout: Some(search::SEARCH_TIMEOUT_MS),
            ..ExecutionPolicy::default()
        }
    }

    fn url_fields() -> &'static [&'static str] {
        &["results[].url"]
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let query = required_text("search_web", "query", &self.query)?;
            let count = self.max_results.unwrap_or(5) as usize;
            let (fetch, clock) = (context.fetch.as_ref(), context.clock.as_ref());
            let results = search::search(&context.services.web, query, count, context.locale, fetch, clock).await?;
            let content = json!({ "totalResults": results.len(), "results": results, "query": query });
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
