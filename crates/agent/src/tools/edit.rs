//! Applies doc updates for the tools that edit the document.

use super::{ToolContext, ToolFuture, ToolOutput};
use copydesk_edit::Error;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::relocate::AROUND;
use copydesk_edit::{DocUpdate, EditContext, apply, record};
use serde_json::{Map, Value};

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
        let total = after.line_count();
        let mut evidence = shown.evidence(&after);
        evidence.with_outline();
        let lines = record::touched(&applied.diffs, total).map(|touched| {
            let lines = touched.start().saturating_sub(AROUND).max(1)..=(touched.end() + AROUND).min(total);
            evidence.with_lines(lines)
        });
        let lines = lines.transpose()?;
        Ok((applied, lines, evidence))
    });
    // If the current content cannot be read either, the first error says more.
    let shows = result.as_ref().err().and_then(|error| shown.evidence_of(host, update, error).ok().flatten());
    context.shown.replace(shown);
    context.shows.replace(shows.map(Into::into));
    let (applied, lines, evidence) = result?;
    context.shows.replace(Some(evidence.into()));
    let applied = applied.to_map();
    let mut content = applied.clone();
    content.remove("changes");
    content.remove("diffs");
    if let Some(lines) = lines {
        content.insert("lines".into(), lines.into());
    }
    Ok(ToolOutput { content: Value::Object(content), doc_update: Some(applied), ..ToolOutput::default() })
}

/// Returns the arguments with the name of their operation.
pub(super) fn of_operation(operation: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.insert("operation".into(), operation.into());
    arguments
}
