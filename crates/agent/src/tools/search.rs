//! Common definitions of the search tools: a query in, a list of results out.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput, required_text};
use crate::search::{self, SearchResult, ServiceSettings, Services};
use copydesk_base::locale::Locale;
use copydesk_base::parameters::Parameters;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The definition of a search tool, implemented by the struct of its parameters.
pub trait SearchTool: Parameters + 'static {
    /// The kind of its results.
    type Result: SearchResult + Serialize;
    /// The name by which a model calls it.
    const NAME: &'static str;
    /// The parameter with the words to search for. It is repeated in the result.
    const WORDS: &'static str;
    /// The field of the result with the list of results, and the one with their number.
    const RESULTS: (&'static str, &'static str);
    /// The fields of the result whose URLs the model may use as images.
    const URL_FIELDS: &'static [&'static str];
    /// The fields of the result with URLs of pages, which the model may use as links.
    const PAGE_FIELDS: &'static [&'static str] = &[];

    /// Describes the tool to the model.
    fn description(locale: Locale) -> &'static str;

    /// Returns the service that is asked.
    fn service(services: &Services) -> &ServiceSettings<Self::Result>;

    /// Returns the words to search for and the number of results wanted.
    fn query(&self) -> (&str, i64);
}

impl<T: SearchTool> ToolDefinition for T {
    const NAME: &'static str = T::NAME;
    const SUBJECT: Subject = Subject::Outside;
    const KIND: ToolKind = ToolKind::Search;

    fn description(locale: Locale) -> &'static str {
        T::description(locale)
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
        T::URL_FIELDS
    }

    fn page_fields() -> &'static [&'static str] {
        T::PAGE_FIELDS
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let (words, count) = self.query();
            let words = required_text(<T as SearchTool>::NAME, T::WORDS, words)?;
            let (fetch, clock) = (context.fetch.as_ref(), context.clock.as_ref());
            let service = T::service(&context.services);
            let found = search::search(service, words, count as usize, context.locale, fetch, clock).await?;
            let (results, total) = T::RESULTS;
            let content = [(total, json!(found.len())), (results, json!(found)), (T::WORDS, words.into())];
            let content: Map<String, Value> =
                content.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
            Ok(ToolOutput { content: content.into(), ..ToolOutput::default() })
        })
    }
}
