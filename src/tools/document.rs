//! The tools that read and change the document.

use super::{Tool, ToolContext, ToolOutput, tool};
use crate::edit::guard::confirms_drop;
use crate::edit::markdown::{self, Format};
use crate::edit::update::{DocUpdate, InsertImage, UpdateSection};
use crate::edit::{EditContext, apply, section};
use crate::error::Error;
use crate::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct GetDocument {}

/// `get_document()` → `{sections: [{index, title, content}], totalSections, rawHtml}`.
pub fn get_document(locale: Locale) -> Tool {
    let description = locale.pick(
        "Read the whole document: its sections with index, title and content (HTML without the heading), and the \
         raw HTML. Section 0 is everything before the first h2; each further section begins with an h2. Call this \
         before any edit.",
        "读取整篇文档：各章节的 index、标题和内容（不含标题的 HTML），以及原始 HTML。Section 0 是第一个 h2 之前的全部内容，\
         其后每个 h2 开始一个新章节。修改之前请先调用。",
    );
    tool("get_document", description, &[], |_: GetDocument, context| async move {
        Ok(ToolOutput { content: read(&context)?, doc_update: None })
    })
}

/// `update_section{operation, sectionIndex?, title?, content?}` → `{success, operation, sectionIndex, message, sections}`.
pub fn update_section(locale: Locale) -> Tool {
    let description = locale.pick(
        "Change one section. replace: new content for sectionIndex, and a new heading if title is given (0 is the \
         area of the h1). append: a new section at the end. insert: a new section before sectionIndex. delete: \
         take sectionIndex away (not 0). The result has the new outline: later indexes may have moved.",
        "修改一个章节。replace：替换 sectionIndex 的内容，给出 title 时同时替换标题（0 为 h1 区域）。append：在末尾追加新章节。\
         insert：在 sectionIndex 之前插入新章节。delete：删除 sectionIndex(0 除外)。结果中带有最新目录，其后的 index 可能已改变。",
    );
    let parameters = [
        ("operation", locale.pick("What to do.", "要执行的操作。")),
        (
            "sectionIndex",
            locale.pick(
                "The section, as get_document numbers it. Needed for replace, insert and delete.",
                "章节序号，以 get_document 的编号为准。replace、insert、delete 必填。",
            ),
        ),
        (
            "title",
            locale.pick(
                "The heading, as plain text. Needed for append and insert.",
                "标题，纯文本。append、insert 必填。",
            ),
        ),
        (
            "content",
            locale.pick(
                "The content as HTML (p, h3, ul, ol, blockquote, pre, table, strong, em, a …), without the heading. \
                 Needed for replace, append and insert.",
                "内容，使用 HTML（p、h3、ul、ol、blockquote、pre、table、strong、em、a 等），不含标题。replace、append、insert 必填。",
            ),
        ),
    ];
    tool("update_section", description, &parameters, |given: UpdateSection, context| async move {
        change(&given.try_into()?, &context).await
    })
}

/// `insert_image{sectionIndex, imageUrl, imageDescription, position?}` → `{success, message, imageUrl, imageDescription}`.
pub fn insert_image(locale: Locale) -> Tool {
    let description = locale.pick(
        "Insert a picture that search_image returned before or after a section.",
        "把 search_image 返回的图片插入到某个章节之前或之后。",
    );
    let parameters = [
        (
            "sectionIndex",
            locale.pick("The section, as get_document numbers it.", "章节序号，以 get_document 的编号为准。"),
        ),
        (
            "imageUrl",
            locale.pick("The url of a picture from the results of search_image.", "search_image 结果中图片的 url。"),
        ),
        (
            "imageDescription",
            locale.pick("What the picture shows: its alternative text.", "图片内容的描述，用作替代文本。"),
        ),
        (
            "position",
            locale.pick("On which side of the section. Default after_section.", "插入位置，默认 after_section。"),
        ),
    ];
    tool("insert_image", description, &parameters, |given: InsertImage, context| async move {
        let (url, description) = (given.image_url.clone(), given.image_description.clone());
        let mut output = change(&given.into(), &context).await?;
        output.content["imageUrl"] = url.into();
        output.content["imageDescription"] = description.into();
        Ok(output)
    })
}

/// The document as `get_document` shows it.
fn read(context: &ToolContext) -> Result<Value, Error> {
    let host = context.document.as_ref();
    let document = host.document()?;
    let sections = document.sections();
    let mut shown = Vec::with_capacity(sections.len());
    for section in &sections {
        let content = section::html(host, &document, section)?;
        shown.push(json!({ "index": section.index, "title": section.title, "content": content }));
    }
    context.seen.borrow_mut().read(&document);
    let raw = if sections.is_empty() { String::new() } else { host.html(0..document.blocks().len())? };
    Ok(json!({ "sections": shown, "totalSections": sections.len(), "rawHtml": raw }))
}

/// Applies a doc update to what the model meant. The model gets the result without the changes, which only programs need.
async fn change(update: &DocUpdate, context: &ToolContext) -> Result<ToolOutput, Error> {
    let host = context.document.as_ref();
    let format = Format::stated(&context.arguments)?;
    markdown::load_for(host, update, format).await?;
    // An editor calls back while it takes the edit, so nothing is borrowed meanwhile.
    let mut seen = context.seen.take();
    let result = seen.carry(host, update).and_then(|update| {
        let before = host.document()?;
        let with = EditContext {
            locale: context.locale,
            origin: context.origin.clone(),
            confirm_drop: confirms_drop(&context.arguments),
            provenance: Some(context.provenance.clone()),
            format,
        };
        let applied = apply(host, &update, &with)?;
        seen.wrote(&update, &before, &host.document()?);
        Ok(applied)
    });
    context.seen.replace(seen);
    let applied = result?.to_map();
    let mut content = applied.clone();
    content.remove("changes");
    Ok(ToolOutput { content: Value::Object(content), doc_update: Some(applied) })
}
