//! Defines `get_document`, which reads the whole document.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_edit::with_parts;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `get_document()` → `{sections: [{index, title, content}], totalSections, rawHtml, totalLines, version}`.
#[derive(Deserialize, JsonSchema)]
pub struct GetDocument {}

impl ToolDefinition for GetDocument {
    const NAME: &'static str = "get_document";
    const KIND: ToolKind = ToolKind::Read;

    fn description(locale: Locale) -> &'static str {
        messages::GET_DOCUMENT_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_DOCUMENT
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            context.document.synced().await;
            let content = with_parts(context.document.as_ref(), || read(&context)).await?;
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}

/// Returns the document as `get_document` shows it.
fn read(context: &ToolContext) -> Result<Value, Error> {
    let host = context.document.as_ref();
    let document = host.document()?;
    let sections = document.sections();
    let mut shown = Vec::with_capacity(sections.len());
    let mut evidence = context.shown.borrow_mut().evidence(&document);
    evidence.with_outline();
    for section in sections.iter() {
        let content = evidence.with_content(host, section.index)?;
        shown.push(json!({ "index": section.index, "title": section.title, "content": content }));
    }
    context.shows.replace(Some(evidence.into()));
    let raw = if sections.is_empty() { String::new() } else { host.html(0..document.blocks().len())? };
    Ok(json!({
        "sections": shown,
        "totalSections": sections.len(),
        "rawHtml": raw,
        "totalLines": document.line_count(),
        "version": document.version(),
    }))
}
