//! Defines `read_more`, which continues a result that was too long to be shown at once.

use super::paging::{Budget, CutText, Pages, READ_MORE};
use super::{ExecutionPolicy, ResultEvidence, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::future::ready;

/// `read_more{id, offset?}` → the text from that character on, and how to continue if there is more.
#[derive(Deserialize, JsonSchema)]
pub struct ReadMore {
    /// The id given at the end of the result.
    #[schemars(description = messages::READ_MORE_ID.text(parameters::locale()))]
    id: String,
    /// The first character, as given at the end of the result. Default: the beginning.
    #[schemars(description = messages::READ_MORE_OFFSET.text(parameters::locale()))]
    offset: Option<i64>,
}

impl ToolDefinition for ReadMore {
    const NAME: &'static str = READ_MORE;
    const SUBJECT: Subject = Subject::Outside;
    const KIND: ToolKind = ToolKind::Read;

    fn description(locale: Locale) -> &'static str {
        messages::READ_MORE_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        // The pages are redacted when they are made.
        ExecutionPolicy {
            sequential: false,
            timeout: None,
            external: false,
            edits: false,
            reads_pages: true,
            ..ExecutionPolicy::default()
        }
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let read = self.chunk(&context.pages.borrow(), context.budget, context.locale);
        Box::pin(ready(read.map(|CutText { shown, piece, evidence, .. }| {
            context.shows.replace(evidence.map(|evidence| ResultEvidence { evidence, ranges: vec![piece] }));
            ToolOutput { content: shown.into(), ..ToolOutput::default() }
        })))
    }
}

impl ReadMore {
    fn chunk(&self, pages: &Pages, budget: Budget, locale: Locale) -> Result<CutText, Error> {
        let offset = self.offset.unwrap_or(0);
        let offset = usize::try_from(offset).map_err(|_| {
            Error::Base(copydesk_base::Error::InvalidParameter {
                name: "offset".into(),
                given: offset.to_string(),
                expected: "integer ≥ 0".into(),
            })
        })?;
        pages.read(&self.id, offset, budget, locale)
    }
}

/// Returns the text that a call with these arguments returns.
///
/// # Errors
/// As [`Pages::read`].
pub fn read(given: &Value, pages: &Pages, budget: Budget, locale: Locale) -> Result<String, Error> {
    let given: ReadMore = parameters::read(READ_MORE, given)?;
    Ok(given.chunk(pages, budget, locale)?.shown)
}
