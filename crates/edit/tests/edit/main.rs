//! Edits: what each operation means, and that the plan of an edit is small, valid and exact.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod addresses;
mod atoms;
mod attributes;
mod characters;
use copydesk_test_support::documents;
mod fit;
mod guards;
mod habits;
mod line_properties;
mod lines;
mod losses;
mod markdown;
mod moved_text;
mod moving;
mod notation;
mod objects;
mod one_answer;
mod operations;
mod other_notations;
mod parameters;
mod planning;
use copydesk_test_support::{html, random};
mod rows;
mod run_scope;
mod schemas;
mod set_attributes;
mod slow;
mod texts;
mod unnamed_lines;
mod unsaid;
mod unspoken;

use copydesk_base::Locale;
use copydesk_document::Document;
use copydesk_edit::DocumentCell;
use copydesk_edit::Error;
use copydesk_edit::{Applied, DocUpdate, apply};
use serde_json::Value;

/// A document of its own, from HTML.
fn cell(html: &str) -> DocumentCell {
    DocumentCell::new(Document::from_html(html).unwrap())
}

/// Applies an update given as JSON.
fn update(cell: &DocumentCell, update: Value) -> Result<Applied, Error> {
    apply(cell, &DocUpdate::from_value(&update)?, &Locale::En.into())
}

/// Returns the document after an update, as HTML.
fn after(html: &str, given: Value) -> String {
    let cell = cell(html);
    update(&cell, given).unwrap();
    cell.document().to_html()
}

/// Returns the error of an update that fails, after checking that the document is unchanged.
fn refused(html: &str, given: Value) -> Error {
    let cell = cell(html);
    let before = cell.document();
    let error = update(&cell, given).unwrap_err();
    assert_eq!(cell.document().to_json(), before.to_json());
    assert_eq!(cell.document().version(), before.version());
    error
}
