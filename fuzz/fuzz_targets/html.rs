//! Any HTML becomes a document or a typed error, and so does its serialization.

#![no_main]

use copydesk_fuzz::hold;
use copydesk_document::Document;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| {
    let Ok(document) = Document::from_html(html) else { return };
    hold(&document);
    // It need not be the same document again: TipTap's is not either.
    if let Ok(again) = Document::from_html(&document.to_html()) {
        hold(&again);
    }
});
