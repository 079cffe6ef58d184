//! The tools that read and change the document.

use super::{Tool, ToolContext, ToolFuture, ToolOutput, tool};
use crate::Error;
use copydesk_base::arguments::{self, Arguments, Param, Params};
use copydesk_base::fields::form;
use copydesk_base::locale::Locale;
use copydesk_edit::carry::AROUND;
use copydesk_edit::content::Format;
use copydesk_edit::guard::confirms_drop;
use copydesk_edit::update::{DocUpdate, EditDocument, InsertImage, ReplaceText, UpdateSection};
use copydesk_edit::{EditContext, apply, record};
use serde_json::Value;

struct GetDocument;

impl Params for GetDocument {
    const PARAMS: &'static [Param] = &[];

    fn take(_: &mut Arguments) -> GetDocument {
        GetDocument
    }
}

/// `get_document()` → `{sections: [{index, title, content}], totalSections, rawHtml}`.
pub fn get_document(locale: Locale) -> Tool {
    let description = locale.pick(
        "Read the whole document: its sections with index, title and content (HTML without the heading), and the \
         raw HTML. Section 0 is everything before the first h2; each further section begins with an h2. Call this \
         before any edit.",
        "读取整篇文档：各章节的 index、标题和内容（不含标题的 HTML），以及原始 HTML。Section 0 是第一个 h2 之前的全部内容，\
         其后每个 h2 开始一个新章节。修改之前请先调用。",
    );
    tool("get_document", description, &[], |_: GetDocument, context| {
        Box::pin(async move { Ok(ToolOutput { content: read(&context)?, ..ToolOutput::default() }) })
    })
}

/// `update_section{operation, sectionIndex?, title?, content?}` → `{success, operation, sectionIndex, message, sections}`.
pub fn update_section(locale: Locale) -> Tool {
    let description = locale.pick(
        "Change one section. replace: new content for sectionIndex, and a new heading if title is given (0 is the \
         area of the h1). append: a new section at the end. insert: a new section before sectionIndex. delete: \
         take sectionIndex away (not 0). replace and delete need the section's content to have been shown to you. The \
         result has the new outline: later indexes may have moved.",
        "修改一个章节。replace：替换 sectionIndex 的内容，给出 title 时同时替换标题（0 为 h1 区域）。append：在末尾追加新章节。\
         insert：在 sectionIndex 之前插入新章节。delete：删除 sectionIndex(0 除外)。replace 和 delete 要求该章节的内容已展示给你。结果中带有最新目录，其后的 index 可能已改变。",
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
    tool("update_section", description, &parameters, |given: UpdateSection, context| {
        change(given.try_into().map_err(copydesk_edit::Error::into), context)
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
    tool("insert_image", description, &parameters, |given: InsertImage, context| {
        let (url, description) = (given.image_url.clone(), given.image_description.clone());
        let changed = change(Ok(given.into()), context);
        Box::pin(async move {
            let mut output = changed.await?;
            output.content["imageUrl"] = url.into();
            output.content["imageDescription"] = description.into();
            Ok(output)
        })
    })
}

struct ReadLines {
    start_line: Option<i64>,
    end_line: Option<i64>,
}

impl Params for ReadLines {
    const PARAMS: &'static [Param] = &[Param::integer("start_line"), Param::integer("end_line")];

    fn take(given: &mut Arguments) -> ReadLines {
        ReadLines { start_line: given.integer("start_line"), end_line: given.integer("end_line") }
    }
}

/// `read_lines{start_line?, end_line?}` → the lines as text, `12: text` each, after a line with the total and the version.
pub fn read_lines(locale: Locale) -> Tool {
    let description = locale.pick(
        "Read lines with their numbers, as edit_current_editor_document and replace_text count them. Signs of Markdown \
         show what kind of line it is; they are not part of its text. A long line is cut; read it alone to see all of it.",
        "带行号读取文档，行号与 edit_current_editor_document、replace_text 一致。行首的 Markdown 符号只表示该行的类型，不属于正文。\
         过长的行会被截断，单独读取即可看到全文。",
    );
    let parameters = [
        ("start_line", locale.pick("The first line, from 1. Default: the first.", "起始行，从 1 开始，默认第一行。")),
        ("end_line", locale.pick("The last line, included. Default: the last.", "结束行(含)，默认最后一行。")),
    ];
    tool("read_lines", description, &parameters, |given: ReadLines, context| {
        Box::pin(
            async move { Ok(ToolOutput { content: show_lines(given, &context)?.into(), ..ToolOutput::default() }) },
        )
    })
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
    let mut evidence = context.seen.borrow_mut().evidence(&document);
    let shown = evidence.with_lines(first..=last)?;
    context.shows.replace(Some(evidence.into()));
    Ok(shown)
}

fn why(locale: Locale) -> (&'static str, &'static str) {
    ("instruction", locale.pick("Why, in a few words.", "修改原因，简短说明。"))
}

fn version(locale: Locale) -> (&'static str, &'static str) {
    let en = "The version whose lines are meant. Default: the last you saw.";
    ("version", locale.pick(en, "行号所属的版本，默认最近一次看到的版本。"))
}

/// `edit_current_editor_document{content, start_line?, end_line?, edits?, …}` → the result with the lines around the change.
pub fn edit_document(locale: Locale) -> Tool {
    let description = locale.pick(
        "Change lines of the document. Give start_line, end_line and content, or several ranges at once in edits; content \
         alone is the whole new document, all of which must have been shown to you. Plain text keeps what each line is (heading, item, cell) and its formatting; \
         more lines than the range add lines of the same kind, fewer take lines away, empty content deletes them. HTML is \
         taken as it is. Read the lines with read_lines first. All calls of one answer mean the lines of before.",
        "按行修改文档。给出 start_line、end_line 和 content，或用 edits 一次修改多个范围；只给 content 表示整篇新文档，此时整篇文档须已展示给你。\
         纯文本保留每行的类型(标题、列表项、单元格)和格式；行数多于范围时追加同类的行，少于范围时删去多余的行，content 为空则删除这些行。\
         HTML 按原样写入。请先用 read_lines 读取。同一次回答中的多次调用都以修改前的行号为准。",
    );
    let parameters = [
        (
            "content",
            locale.pick("The new text of the lines, or of the whole document.", "这些行(或整篇文档)的新内容。"),
        ),
        ("start_line", locale.pick("The first line, from 1.", "起始行，从 1 开始。")),
        ("end_line", locale.pick("The last line, included.", "结束行(含)。")),
        ("edits", locale.pick("Several ranges at once; they do not overlap.", "一次修改多个互不重叠的范围。")),
        ("format", locale.pick("How content is written. Default: as it looks.", "content 的写法，默认自动判断。")),
        why(locale),
        version(locale),
    ];
    tool("edit_current_editor_document", description, &parameters, |given: EditDocument, context| {
        change(given.try_into().map_err(copydesk_edit::Error::into), context)
    })
}

/// `replace_text{old, new, near_line?, all?}` → the result with the lines around the change.
pub fn replace_text(locale: Locale) -> Tool {
    let description = locale.pick(
        "Put a text in the place of another inside a line; formatting and links of what stays are kept. The best tool for \
         small changes of words.",
        "把某一行中的一段文字替换为另一段，保留其余文字的格式和链接。适合改动少量词句。",
    );
    let parameters = [
        (
            "old",
            locale
                .pick("The text that goes, exactly as it stands in one line.", "要替换的文字，与某一行中的完全一致。"),
        ),
        ("new", locale.pick("The text in its place, as plain text.", "替换后的文字，纯文本。")),
        ("near_line", locale.pick("The line it is in, where it occurs more than once.", "出现多次时，所在的行。")),
        ("all", locale.pick("Whether every occurrence is meant.", "是否替换全部。")),
        why(locale),
        version(locale),
    ];
    tool("replace_text", description, &parameters, |given: ReplaceText, context| {
        change(Ok(DocUpdate::ReplaceText(given)), context)
    })
}

/// What a call of one of these tools asks for; none for calls of others, and where arguments do not fit.
pub fn update_of(tool: &str, arguments: &Value) -> Option<DocUpdate> {
    match tool {
        "update_section" => arguments::read::<UpdateSection>(tool, arguments).ok()?.try_into().ok(),
        "insert_image" => Some(arguments::read::<InsertImage>(tool, arguments).ok()?.into()),
        "edit_current_editor_document" => arguments::read::<EditDocument>(tool, arguments).ok()?.try_into().ok(),
        "replace_text" => Some(DocUpdate::ReplaceText(arguments::read(tool, arguments).ok()?)),
        _ => None,
    }
}

/// The document as `get_document` shows it.
fn read(context: &ToolContext) -> Result<Value, Error> {
    let host = context.document.as_ref();
    let document = host.document()?;
    let sections = document.sections();
    let mut shown = Vec::with_capacity(sections.len());
    let mut evidence = context.seen.borrow_mut().evidence(&document);
    evidence.with_outline();
    for section in &sections {
        let content = evidence.with_content(host, section.index)?;
        shown.push(form("index title content", [section.index.into(), section.title.as_str().into(), content.into()]));
    }
    context.shows.replace(Some(evidence.into()));
    let raw = if sections.is_empty() { String::new() } else { host.html(0..document.blocks().len())? };
    Ok(form(
        "sections totalSections rawHtml totalLines version",
        [shown.into(), sections.len().into(), raw.into(), document.line_count().into(), document.version().into()],
    ))
}

/// Applies a doc update to what the model meant. The model gets the result without the changes, which only programs need,
/// but with the lines around what changed.
fn change(update: Result<DocUpdate, Error>, context: ToolContext) -> ToolFuture {
    Box::pin(async move {
        let update = update?;
        match change_now(&update, &context) {
            // Whether content is Markdown shows where it is to stand; its parser is loaded when it is first missed.
            Err(Error::Edit(copydesk_edit::Error::MarkdownNotLoaded { .. }))
                if let Some(parser) = context.document.markdown() =>
            {
                parser.load().await?;
                change_now(&update, &context)
            }
            result => result,
        }
    })
}

fn change_now(update: &DocUpdate, context: &ToolContext) -> Result<ToolOutput, Error> {
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
