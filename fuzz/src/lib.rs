//! Invariants that several targets check.

pub mod answers;

use copydesk_document::{Document, Style, utf16};

/// Panics if positions of a document's lines, sections or blocks are wrong.
pub fn hold(document: &Document) {
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
