//! Applies doc updates for the tools that edit the document.

use super::{ToolContext, ToolFuture, ToolOutput};
use copydesk_base::locale::Locale;
use copydesk_edit::Error;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::relocate::AROUND;
use copydesk_edit::{DocUpdate, EditContext, apply, record};
use serde_json::{Map, Value};
use std::ops::Range;

/// The note in the result of a call whose numbers were read as those after the earlier calls of the same answer.
const COUNTING: [&str; 2] = [
    "The number was read as counted after your earlier calls of this answer. In all calls of one answer numbers are \
     those shown to you before it.",
    "该序号（行号）已按本次回答中之前的调用执行之后的文档理解。同一次回答的所有调用中，序号和行号都应以回答之前展示给你的为准。",
];

/// Applies a doc update to its target in the current document. The result has the lines around the changes, and not
/// the changes themselves, which only programs need.
pub(super) fn apply_update(update: Result<DocUpdate, Error>, options: EditOptions, context: ToolContext) -> ToolFuture {
    Box::pin(async move {
        let update = update?;
        match apply_now(&update, options, &context) {
            // Whether content is Markdown depends on its target, so the parser is loaded when it is first needed.
            Err(Error::MarkdownNotLoaded { .. }) if let Some(parser) = context.document.markdown() => {
                parser.load().await?;
                Ok(apply_now(&update, options, &context)?)
            }
            result => Ok(result?),
        }
    })
}

fn apply_now(update: &DocUpdate, options: EditOptions, context: &ToolContext) -> Result<ToolOutput, Error> {
    let host = context.document.as_ref();
    // The editor calls back while it applies the edit, so nothing is borrowed meanwhile.
    let mut shown = context.shown.take();
    let result = shown.relocate(host, update).and_then(|relocated| {
        let before = host.document()?;
        let with = EditContext {
            locale: context.locale,
            origin: context.origin.clone(),
            stated: relocated.stated,
            confirm_drop: options.confirm_drop == Some(true),
            provenance: Some(context.provenance.clone()),
            format: options.format,
            scope: context.scope.clone(),
        };
        let applied = apply(host, &relocated.update, &with)?;
        let after = host.document()?;
        shown.wrote(&relocated.update, &before, &after);
        if let Some(listing) = context.listing.borrow_mut().as_mut() {
            listing.edited(&before, &after);
        }
        let total = after.line_count();
        let mut evidence = shown.evidence(&after);
        evidence.with_outline();
        let lines = record::touched(&applied.diffs, total).map(|touched| {
            let lines = touched.start().saturating_sub(AROUND).max(1)..=(touched.end() + AROUND).min(total);
            evidence.with_lines(lines)
        });
        let lines = lines.transpose()?;
        let moved = record::touched(&applied.diffs, total)
            .and_then(|touched| moved(*touched.end() + 1..total + 1, before.line_count(), context.locale));
        let counting = relocated.counts_own_edits.then_some(context.locale.pick(COUNTING[0], COUNTING[1]));
        Ok((applied, relocated.update, lines, moved, counting, evidence))
    });
    // If the current content cannot be read either, the first error says more.
    let shows = result.as_ref().err().and_then(|error| shown.evidence_of(host, update, error).ok().flatten());
    context.shown.replace(shown);
    context.shows.replace(shows.map(Into::into));
    let (applied, update, lines, moved, counting, evidence) = result?;
    context.shows.replace(Some(evidence.into()));
    let applied = applied.to_map();
    let mut content = applied.clone();
    content.remove("changes");
    content.remove("diffs");
    if let Some(lines) = lines {
        content.insert("lines".into(), lines.into());
    }
    if let Some(moved) = moved {
        content.insert("renumbered".into(), moved.into());
    }
    if let Some(counting) = counting {
        content.insert("counting".into(), counting.into());
    }
    let event = event_of(applied, update, options)?;
    Ok(ToolOutput { content: Value::Object(content), doc_update: Some(event), ..ToolOutput::default() })
}

/// Returns the payload of a `doc_update` event: the result, and the update as it was applied, with which another copy
/// of the document comes to the same state. Indexes and lines are those right before the edit; `version` is that of the
/// result.
fn event_of(
    mut applied: Map<String, Value>,
    update: DocUpdate,
    options: EditOptions,
) -> Result<Map<String, Value>, Error> {
    let mut stated = update.to_map();
    stated.remove("version");
    let internal = |error: serde_json::Error| Error::Internal { reason: error.to_string() };
    if let Value::Object(options) = serde_json::to_value(options).map_err(internal)? {
        stated.extend(options.into_iter().filter(|(_, option)| !option.is_null()));
    }
    applied.extend(stated);
    Ok(applied)
}

/// Returns the former numbers of the lines after an edit, as a sentence; `None` if they are the same.
fn moved(lines: Range<usize>, total_before: usize, locale: Locale) -> Option<String> {
    let (first, last) = (lines.start, lines.end.checked_sub(1)?);
    let first_before = (total_before + first).checked_sub(last)?;
    if lines.is_empty() || first_before == first {
        return None;
    }
    Some(locale.pick(
        format!("lines {first}-{last} were lines {first_before}-{total_before}"),
        format!("第 {first}-{last} 行原为第 {first_before}-{total_before} 行"),
    ))
}

/// Returns the arguments with the name of their operation.
pub(super) fn of_operation(operation: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.insert("operation".into(), operation.into());
    arguments
}
