//! Documents of a given size, and operations on them.

use copydesk_base::Locale;
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::Error;
use copydesk_edit::content::Format;
use copydesk_edit::operation::{LineEdit, Replace, ReplaceLines, ReplaceText};
use copydesk_edit::{Applied, DocUpdate, DocumentCell, apply};
use serde_json::Value;

/// Returns `count` texts.
pub fn repeat(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// Returns a distinct sentence for each number.
pub fn sentence(at: usize) -> String {
    format!("line {at} of {} words, {} and {}", at * 7919 % 10_007, at * 31 % 997, at * 17 % 89)
}

/// Parses a document from HTML.
pub fn document(html: &str) -> Document {
    Document::from_html(html).expect("HTML of the benchmark is read")
}

/// Paragraphs, all different.
pub fn paragraphs(count: usize) -> Document {
    document(&repeat(count, |at| format!("<p>{}</p>", sentence(at))))
}

/// One list of items, all different.
pub fn list(count: usize) -> Document {
    document(&format!("<ul>{}</ul>", repeat(count, |at| format!("<li><p>{}</p></li>", sentence(at)))))
}

/// One list of equal items.
/// Paragraphs with marks, lists and tables: ten lines each.
pub fn mixed(count: usize) -> Document {
    let part = |at: usize| {
        let [one, two, three] = [0, 1, 2].map(|more| text_of(6, 3 * at + more));
        let row = |cell: &str| format!("<tr><td><p>{cell} {at}</p></td><td><p><b>{cell}</b></p></td></tr>");
        format!(
            "<h3>{at}</h3><p>{one} <b>{two} {at}</b> and <a href=\"https://a.example/{at}\">{three}</a>.</p>\
             <ul><li><p>{three}</p></li><li><p><i>{one}</i> {at}</p></li></ul>\
             <table><tbody>{}{}{}</tbody></table>",
            row("a"),
            row("b"),
            row("c")
        )
    };
    document(&repeat(count, part))
}

pub fn equal_list(count: usize) -> Document {
    document(&format!("<ul>{}</ul>", "<li><p>the same</p></li>".repeat(count)))
}

/// Sections of a heading and a paragraph.
pub fn sections(count: usize) -> Document {
    document(&repeat(count, |at| format!("<h2>Section {at}</h2><p>{}</p>", sentence(at))))
}

/// Returns a paragraph of many words.
pub fn paragraph(words: usize) -> Document {
    document(&format!("<p>{}</p>", text_of(words, 0)))
}

/// Returns a text of words that depends on a seed.
pub fn text_of(words: usize, seed: usize) -> String {
    let words: Vec<String> = (0..words).map(|at| format!("w{}", (at * 7919 + seed * 104_729) % 10_007)).collect();
    words.join(" ")
}

/// One table of two columns.
pub fn table(rows: usize) -> Document {
    let row = |at| format!("<tr><td><p>{}</p></td><td><p>{at}</p></td></tr>", sentence(at));
    document(&format!("<table><tbody>{}</tbody></table>", repeat(rows, row)))
}

/// One code block.
pub fn code(lines: usize) -> Document {
    document(&format!("<pre><code>{}</code></pre>", repeat(lines, |at| sentence(at) + "\n")))
}

/// The blocks in their JSON form.
pub fn json_of(document: &Document, blocks: &[Node]) -> String {
    Value::from(blocks.iter().map(|block| block.to_value(document.schema())).collect::<Vec<_>>()).to_string()
}

/// Reads the document from JSON.
pub fn from_json(json: &str) -> Document {
    Document::from_json(json, Schema::tiptap()).expect("JSON of the benchmark is read")
}

/// Returns the texts of all lines.
pub fn text(document: &Document) -> Vec<String> {
    document.lines().into_iter().map(|line| line.text).collect()
}

/// Applies an update to a copy of a document.
pub fn applied(document: &Document, update: &DocUpdate) -> Applied {
    outcome(document, update).expect("the update of the benchmark is applied")
}

/// Applies an update that may fail.
pub fn outcome(document: &Document, update: &DocUpdate) -> Result<Applied, Error> {
    apply(&DocumentCell::new(document.clone()), update, &Locale::En.into())
}

/// A line edit with plain text.
pub fn line_edit(first: usize, last: usize, content: impl Into<String>) -> LineEdit {
    let (start_line, end_line) = (Some(first as i64), Some(last as i64));
    LineEdit { start_line, end_line, content: content.into(), format: Some(Format::Text) }
}

/// An update of several line edits.
pub fn replace_lines(edits: Vec<LineEdit>) -> DocUpdate {
    DocUpdate::ReplaceLines(ReplaceLines { edits, ..ReplaceLines::default() })
}

/// An update whose content is the whole new document.
pub fn whole(content: String, format: Option<Format>) -> DocUpdate {
    let edits = vec![LineEdit { content, format, ..LineEdit::default() }];
    DocUpdate::ReplaceLines(ReplaceLines { edits, whole: Some(true), ..ReplaceLines::default() })
}

/// An update that replaces a text everywhere.
pub fn replace_all(old: &str, new: &str) -> DocUpdate {
    DocUpdate::ReplaceText(ReplaceText { all: Some(true), ..replace_text(old, new) })
}

/// Parameters that replace a text.
pub fn replace_text(old: &str, new: &str) -> ReplaceText {
    ReplaceText {
        old: old.into(),
        new: new.into(),
        all: None,
        near_line: None,
        version: None,
        instruction: None,
        format: None,
    }
}

/// An update that replaces the content of a section.
pub fn replace_section(section_index: usize, content: &str) -> DocUpdate {
    Replace { section_index: section_index as i64, title: None, content: content.into(), whole: None, format: None }
        .into()
}

/// The same if hardly anything of the section is left.
pub fn replace_whole_section(section_index: usize, content: &str) -> DocUpdate {
    Replace {
        section_index: section_index as i64,
        title: None,
        content: content.into(),
        whole: Some(true),
        format: None,
    }
    .into()
}
