//! The outline of a document, as results have it.

use copydesk_document::{Document, Section};
use serde_json::{Value, json};

/// Returns the sections of a document as `[{index, title}]`.
pub fn outline(document: &Document) -> Value {
    outline_of(&document.sections())
}

pub(crate) fn outline_of(sections: &[Section]) -> Value {
    let entry = |section: &Section| json!({ "index": section.index, "title": section.title });
    sections.iter().map(entry).collect()
}
