//! Defines `read_lines`, which reads lines with their numbers.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;

/// `read_lines{start_line?, end_line?}` → the lines as text, `12: text` each, after a line with the total and the
/// version.
#[derive(Deserialize, JsonSchema)]
pub struct ReadLines {
    /// The first line, from 1. Default: the first.
    #[schemars(description = messages::READ_LINES_START_LINE.text(parameters::locale()))]
    start_line: Option<i64>,
    /// The last line, included. Default: the last.
    #[schemars(description = messages::READ_LINES_END_LINE.text(parameters::locale()))]
    end_line: Option<i64>,
}

impl ToolDefinition for ReadLines {
    const NAME: &'static str = "read_lines";
    const KIND: ToolKind = ToolKind::Read;

    fn description(locale: Locale) -> &'static str {
        messages::READ_LINES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_DOCUMENT
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            context.document.synced().await;
            Ok(ToolOutput { content: show_lines(self, &context)?.into(), ..ToolOutput::default() })
        })
    }
}

fn show_lines(given: ReadLines, context: &ToolContext) -> Result<String, Error> {
    let document = context.document.document()?;
    let total = document.line_count();
    let number = |line: Option<i64>, default: usize| line.map_or(Some(default), |line| usize::try_from(line).ok());
    let (first, last) = match (number(given.start_line, 1), number(given.end_line, total)) {
        (Some(first), Some(last)) if (1..=total).contains(&first) && first <= last => (first, last.min(total)),
        _ => {
            let (start, end) = (given.start_line.unwrap_or(1), given.end_line.unwrap_or(total as i64));
            return Err(copydesk_edit::Error::LineOutOfRange { start, end, total }.into());
        }
    };
    let mut evidence = context.shown.borrow_mut().evidence(&document);
    let shown = evidence.with_lines_in(first..=last, context.locale)?;
    context.shows.replace(Some(evidence.into()));
    Ok(shown)
}
