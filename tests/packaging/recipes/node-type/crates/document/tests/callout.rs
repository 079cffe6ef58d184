//! The node type of the recipe: read, shown and written.

#![allow(clippy::unwrap_used)]

use copydesk_document::Document;

#[test]
fn a_callout_is_read_shown_and_written() {
    let html = "<aside data-kind=\"tip\"><p>Warm the pot.</p></aside>";
    let document = Document::from_html(html).unwrap();
    assert_eq!(document.blocks()[0].name(document.schema()), "callout");
    assert_eq!(document.lines()[0].text, "Warm the pot.");
    assert_eq!(document.to_html(), html);
}
