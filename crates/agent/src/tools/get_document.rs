//! Defines `get_document`, which reads the whole document.

use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use crate::Error;
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

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Read the whole document: its sections with index, title and content (HTML without the heading), and the \
             raw HTML. Section 0 is everything before the first h2; each further section begins with an h2. Call this \
             before you edit what you were not shown.",
            "读取整篇文档：各章节的 index、标题和内容（不含标题的 HTML），以及原始 HTML。第 0 节是第一个 h2 之前的全部内容，\
             其后每个 h2 开始一个新章节。修改尚未展示给你的内容之前请先调用。",
        )
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
    for section in &sections {
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
