//! Applies doc updates for the tools that edit the document.

use super::{ToolContext, ToolFuture, ToolOutput};
use copydesk_edit::Error;
use copydesk_edit::carry::AROUND;
use copydesk_edit::content::Format;
use copydesk_edit::guard::confirms_drop;
use copydesk_edit::update::DocUpdate;
use copydesk_edit::{EditContext, apply, record};
use serde_json::Value;

/// Applies a doc update to what the model meant. The result omits the changes, which only programs need, and has the
/// lines around what changed.
pub(super) fn apply_update(update: Result<DocUpdate, Error>, context: ToolContext) -> ToolFuture {
    Box::pin(async move {
        let update = update?;
        match apply_now(&update, &context) {
            // Whether content is Markdown shows where it is to stand; its parser is loaded when it is first missed.
            Err(Error::MarkdownNotLoaded { .. }) if let Some(parser) = context.document.markdown() => {
                parser.load().await?;
                Ok(apply_now(&update, &context)?)
            }
            result => Ok(result?),
        }
    })
}

fn apply_now(update: &DocUpdate, context: &ToolContext) -> Result<ToolOutput, Error> {
    let host = context.document.as_ref();
    let format = Format::stated(&context.arguments)?;
    // An editor calls back while it takes the edit, so nothing is borrowed meanwhile.
    let mut seen = context.seen.take();
    let result = seen.carry(host, update).and_then(|carried| {
        let before = host.document()?;
        let with = EditContext {
            locale: context.locale,
            origin: context.origin.clone(),
            stated: carried.stated,
            confirm_drop: confirms_drop(&context.arguments),
            provenance: Some(context.provenance.clone()),
            format,
        };
        let applied = apply(host, &carried.update, &with)?;
        let after = host.document()?;
        seen.wrote(&carried.update, &before, &after);
        let total = after.line_count();
        let mut evidence = seen.evidence(&after);
        evidence.with_outline();
        let shown = record::touched(&applied.diffs, total).map(|touched| {
            let lines = touched.start().saturating_sub(AROUND).max(1)..=(touched.end() + AROUND).min(total);
            evidence.with_lines(lines)
        });
        let shown = shown.transpose()?;
        Ok((applied, shown, evidence))
    });
    // Where even that cannot be read, nothing is shown, and the first error says more.
    let shows = result.as_ref().err().and_then(|error| seen.evidence_of(host, update, error).ok().flatten());
    context.seen.replace(seen);
    context.shows.replace(shows.map(Into::into));
    let (applied, shown, evidence) = result?;
    context.shows.replace(Some(evidence.into()));
    let applied = applied.to_map();
    let mut content = applied.clone();
    content.remove("changes");
    content.remove("diffs");
    if let Some(shown) = shown {
        content.insert("lines".into(), shown.into());
    }
    Ok(ToolOutput { content: Value::Object(content), doc_update: Some(applied), ..ToolOutput::default() })
}
