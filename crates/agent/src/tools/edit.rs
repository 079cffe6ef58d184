//! Applies doc updates for the tools that edit the document.

use super::{ToolContext, ToolFuture, ToolOutput};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::Error;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::relocate::{AROUND, Relocated, Shown};
use copydesk_edit::{DocUpdate, EditContext, Planned, plan_update, record, with_parts};
use serde_json::{Map, Value};
use std::ops::Range;
/// Applies a doc update to its target in the current document. The result has the lines around the changes, and not
/// the changes themselves, which only programs need.
pub(super) fn apply_update(update: Result<DocUpdate, Error>, options: EditOptions, context: ToolContext) -> ToolFuture {
    Box::pin(async move {
        let update = update?;
        match applied(&update, options, &context).await {
            Ok(output) => Ok(output),
            Err(error) => {
                let host = context.document.as_ref();
                // If the current content cannot be read either, the first error says more.
                let evidence =
                    with_parts(host, || with_shown(&context, |shown| shown.evidence_of(host, &update, &error)));
                context.shows.replace(evidence.await.ok().flatten().map(Into::into));
                Err(error.into())
            }
        }
    })
}

/// A planned edit, with the context of its plan.
struct Attempt {
    planned: Planned,
    /// The update as it is stated for the current document.
    relocated: Relocated,
    with: EditContext,
}

async fn applied(update: &DocUpdate, options: EditOptions, context: &ToolContext) -> Result<ToolOutput, Error> {
    let host = context.document.as_ref();
    let mut has_parser = false;
    loop {
        host.synced().await;
        match with_parts(host, || attempt(update, options, context)).await {
            // Whether content is Markdown depends on its target, so the parser is loaded when it is first needed.
            Err(Error::MarkdownNotLoaded { .. }) if !has_parser && let Some(parser) = host.markdown() => {
                parser.load().await?;
                has_parser = true;
            }
            Err(error) => return Err(error),
            // The document is no longer the one that was read: its current state is read, and the edit planned again.
            Ok(attempt) if !attempt.planned.commit(host).await? => {}
            Ok(attempt) => return output(attempt, options, context),
        }
    }
}

/// Plans an edit; nothing changes.
fn attempt(update: &DocUpdate, options: EditOptions, context: &ToolContext) -> Result<Attempt, Error> {
    let host = context.document.as_ref();
    with_shown(context, |shown| {
        let mut relocated = shown.relocate(host, update)?;
        let with = EditContext {
            locale: context.locale,
            origin: context.origin.clone(),
            stated: relocated.stated.take(),
            confirm_drop: options.confirm_drop == Some(true),
            provenance: Some(context.provenance.clone()),
            format: options.format,
            scope: context.scope.clone(),
        };
        let planned = plan_update(host, &relocated.update, &with)?;
        Ok(Attempt { planned, relocated, with })
    })
}

/// Returns the output of an edit that was made.
fn output(attempt: Attempt, options: EditOptions, context: &ToolContext) -> Result<ToolOutput, Error> {
    let Attempt { planned, relocated: Relocated { update, counts_own_edits, .. }, with } = attempt;
    let host = context.document.as_ref();
    let before = planned.before().clone();
    let applied = planned.finish(host, &update, &with)?;
    let after = host.document()?;
    let total = after.line_count();
    let touched = record::touched(&applied.diffs, total);
    let (lines, evidence) = with_shown(context, |shown| {
        shown.wrote(&update, &before, &after);
        if let Some(listing) = context.listing.borrow_mut().as_mut() {
            listing.edited(&before, &after);
        }
        let mut evidence = shown.evidence(&after);
        evidence.with_outline();
        let lines = touched.as_ref().map(|touched| {
            let lines = touched.start().saturating_sub(AROUND).max(1)..=(touched.end() + AROUND).min(total);
            evidence.with_lines_in(lines, context.locale)
        });
        Ok::<_, Error>((lines.transpose()?, evidence))
    })?;
    let moved = touched.and_then(|touched| moved(*touched.end() + 1..total + 1, before.line_count(), context.locale));
    let counting = counts_own_edits.then_some(messages::COUNTING.text(context.locale));
    context.shows.replace(Some(evidence.into()));
    let applied = applied.into_map();
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

/// Calls `act` with the parts of the document that the model was shown. They are taken out meanwhile: the editor may
/// call back, so nothing is borrowed.
fn with_shown<T>(context: &ToolContext, act: impl FnOnce(&mut Shown) -> T) -> T {
    let mut shown = context.shown.take();
    let result = act(&mut shown);
    context.shown.replace(shown);
    result
}

/// Returns the payload of a `doc_update` event: the result, and the update as it was applied, which brings another copy
/// of the document to the same state. Indexes and lines are those directly before the edit; `version` is that of the
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
    let (first_before, total_before) = (&first_before, &total_before);
    Some(messages::LinesRenumbered { first: &first, last: &last, first_before, total_before }.text(locale))
}

/// Returns the arguments with the name of their operation.
pub(super) fn of_operation(operation: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.insert("operation".into(), operation.into());
    arguments
}
