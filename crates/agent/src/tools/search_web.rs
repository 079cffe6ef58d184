//! Defines `search_web`, which searches pages.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolOutput, required_text};
use crate::search::{self, WebResult};
use copydesk_base::arguments::{Arguments, Param, Params};
use copydesk_base::fields::form;
use copydesk_base::locale::Locale;

/// `search_web{query, maxResults?}` → `{results: [{title, url, content, score}], totalResults, query}`.
pub struct SearchWeb {
    query: String,
    max_results: Option<i64>,
}

impl Params for SearchWeb {
    const PARAMS: &'static [Param] = &[Param::string("query").required(), Param::integer_within("maxResults", 1, 10)];

    fn take(given: &mut Arguments) -> SearchWeb {
        SearchWeb { query: given.text("query").unwrap_or_default(), max_results: given.integer("maxResults") }
    }
}

impl ToolDefinition for SearchWeb {
    const NAME: &'static str = "search_web";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search the web for facts. Cite what you use with a link to its url.",
            "在网络上查找资料。引用时请附上来源 url 的链接。",
        )
    }

    fn parameters(locale: Locale) -> Vec<(&'static str, &'static str)> {
        vec![
            ("query", locale.pick("What to look for.", "要查找的内容。")),
            ("maxResults", locale.pick("How many results, 1–10. Default 5.", "结果数量，1–10，默认 5。")),
        ]
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
            let results = search::search_web(&context.services.web, query, count, context.locale, fetch, clock).await?;
            let content = form(
                "totalResults results query",
                [results.len().into(), results.iter().map(WebResult::to_value).collect(), query.into()],
            );
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
