//! Defines `read_more`, which reads on in a result that was too long to be shown at once.

use super::paging::{Budget, Pages, Piece, READ_MORE};
use super::{ExecutionPolicy, Shows, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use crate::Error;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::future::ready;

/// `read_more{id, offset?}` → the text from that character on, and how to read on where there is more.
#[derive(Deserialize, JsonSchema)]
pub struct ReadMore {
    /// The page, as the mark names it.
    #[schemars(extend("zh-CN" = "标记中给出的 id。"))]
    id: String,
    /// The character to begin with, as the mark names it. Default: the first.
    #[schemars(extend("zh-CN" = "起始字符，以标记中给出的为准，默认从头开始。"))]
    offset: Option<i64>,
}

impl ToolDefinition for ReadMore {
    const NAME: &'static str = READ_MORE;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Read on where a result was too long and ends in a mark that names this tool. Only if you need the rest.",
            "当某个结果过长、结尾标明要用本工具时，继续读取其余部分。仅在确实需要时调用。",
        )
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
        let read = self.piece(&context.pages.borrow(), context.budget, context.locale);
        Box::pin(ready(read.map(|Piece { shown, piece, evidence, .. }| {
            context.shows.replace(evidence.map(|evidence| Shows { evidence, pieces: vec![piece] }));
            ToolOutput { content: shown.into(), ..ToolOutput::default() }
        })))
    }
}

impl ReadMore {
    fn piece(&self, pages: &Pages, budget: Budget, locale: Locale) -> Result<Piece, Error> {
        let offset = self.offset.unwrap_or(0);
        let offset = usize::try_from(offset).map_err(|_| {
            Error::Base(copydesk_base::Error::InvalidParameter {
                name: "offset".into(),
                given: offset.to_string(),
                expected: "integer from 0".into(),
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
    Ok(given.piece(pages, budget, locale)?.shown)
}
