//! Any JSON is a document of the built-in schema, a document of a schema in JSON, or a typed error.

#![no_main]

use copydesk_fuzz::hold;
use copydesk_document::{Document, Schema};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    // A schema and a document, separated by NUL; without NUL only a document.
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
});
