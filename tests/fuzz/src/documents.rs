//! Invariants of documents, from any HTML and any JSON.

use copydesk_document::{Document, Schema, Style, utf16};

/// Panics if positions of a document's lines, sections or blocks are wrong.
fn hold(document: &Document) {
    let lines = document.lines();
    assert_eq!(lines.len(), document.line_count());
    let mut end = 0;
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line.line, index + 1);
        assert!(end <= line.from && line.from <= line.to && line.to <= document.size(), "{line:?}");
        assert!(line.text.is_empty() || utf16::len(&line.text) == line.to - line.from, "{line:?}");
        assert_eq!(document.block_at(line.from), line.block, "{line:?}");
        end = line.to;
    }
    let sections = document.sections();
    assert!(sections.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert!(sections.last().is_none_or(|last| last.to == document.size()));
    assert_eq!(document.block_ids().len(), document.blocks().len());
    for style in [Style::Plain, Style::Structure] {
        let _ = document.numbered(None, None, style);
    }
}

/// Panics unless any HTML becomes a document or a typed error, and so does its serialization.
pub fn html(bytes: &[u8]) {
    let Ok(html) = std::str::from_utf8(bytes) else { return };
    let Ok(document) = Document::from_html(html) else { return };
    hold(&document);
    // It need not be the same document again: TipTap's is not either.
    if let Ok(again) = Document::from_html(document.to_html()) {
        hold(&again);
    }
}

/// Panics unless any JSON is a document of the built-in schema, a document of a schema in JSON, or a typed error. A
/// schema and a document are separated by NUL; without NUL the input is only a document.
pub fn json(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let (schema, json) = match input.split_once('\0') {
        Some((schema, json)) => match Schema::from_json(schema) {
            Ok(schema) => (schema, json),
            Err(_) => return,
        },
        None => (Schema::tiptap(), input),
    };
    for read in [Document::from_json, Document::from_editor] {
        let Ok(mut document) = read(json, schema.clone()) else { continue };
        hold(&document);
        let _ = document.to_html();
        let again = Document::from_editor(&document.to_json(), schema.clone()).expect("what is written can be read");
        // Numbers beyond what a double holds exactly are rounded on each way.
        assert_eq!(again.lines(), document.lines());
        assert_eq!(again.size(), document.size());
        let count = document.blocks().len();
        let _ = document.sync(count / 2, count - count / 2, "[]");
        hold(&document);
    }
}
