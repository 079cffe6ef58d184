//! Review: what an edit proposes, what decisions come to, and that the user's typing is in both documents.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod deciding;
mod dependent_hunks;
mod due;
mod history;
mod linked_hunks;
mod merge;
mod moving;
mod ranges;
mod restoring;
mod review;
mod revision;
mod sharing;
mod tables;
mod turns;
mod turns_and_history;
mod turns_of_proposals;
mod undoing_decisions;

use copydesk_base::Locale;
use copydesk_document::Document;
use copydesk_edit::{Applied, DocUpdate, Error, apply};
use copydesk_review::ReviewCell;
use copydesk_test_support::{documents, html, random};
use serde_json::Value;

/// A document of its own, from HTML.
fn cell(html: &str) -> ReviewCell {
    ReviewCell::new(Document::from_html(html).unwrap())
}

/// Applies an update given as JSON.
fn update(cell: &ReviewCell, update: Value) -> Result<Applied, Error> {
    apply(cell, &DocUpdate::from_value(&update)?, &Locale::En.into())
}

/// Returns the document after an update, as HTML.
fn after(html: &str, given: Value) -> String {
    let cell = cell(html);
    update(&cell, given).unwrap();
    cell.document().to_html()
}
