//! Control characters and noncharacters are never written. `COPYDESK_SEED=n` makes a run again.

use super::documents::for_seeds;
use super::{after, cell, refused, update};
use copydesk_base::{ErrorInfo, Locale, characters};
use copydesk_document::{Document, Schema};
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

const HTML: &str = "<h1>Tea</h1><p>The first line.</p><h2>More</h2><p>The last line.</p>";

/// Every character that the rule names.
fn unwritable() -> impl Iterator<Item = char> {
    let controls = (0..=0x1F).chain(0x7F..=0x9F).filter(|code| ![0x9, 0xA, 0xD].contains(code));
    controls.chain([0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF]).filter_map(char::from_u32)
}

fn updates(text: &str) -> Vec<Value> {
    let lines = |edit: Value| json!({ "operation": "replace_lines", "edits": [edit] });
    vec![
        lines(json!({ "start_line": 2, "end_line": 2, "content": text })),
        lines(json!({ "start_line": 2, "end_line": 2, "content": text, "format": "text" })),
        lines(json!({ "start_line": 2, "end_line": 2, "content": format!("<p title=\"{text}\">x</p>") })),
        json!({ "operation": "replace", "sectionIndex": 1, "content": text }),
        json!({ "operation": "replace", "sectionIndex": 1, "title": text, "content": "<p>x</p>" }),
        json!({ "operation": "append", "title": text, "content": "<p>x</p>" }),
        json!({ "operation": "insert", "sectionIndex": 1, "title": "x", "content": text }),
        json!({ "operation": "replace_text", "old": "first", "new": text }),
        json!({ "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://a.example/a.png", "imageDescription": text }),
    ]
}

#[test]
fn no_operation_writes_one() {
    for character in unwritable() {
        for given in updates(&format!("$x{character}rac{{1}}{{2}}$")) {
            let error = refused(HTML, given.clone());
            let code = format!("U+{:04X}", u32::from(character));
            assert_eq!(
                (error.code(), error.details()["character"].as_str()),
                ("unwritable_character", Some(code.as_str())),
                "{given}"
            );
            for locale in [Locale::En, Locale::ZhCn] {
                let message = error.message(locale);
                assert!(message.contains("\\\\frac") && message.contains(&code), "{message}");
                assert_eq!(characters::find_unwritable(&message), None, "{message:?}");
            }
        }
    }
}

#[test]
fn entities_and_escapes_do_not_write_one() {
    for content in ["<p>a&#x1B;b</p>", "<p>a&#27;b</p>", "<p>a&#8;b</p>", "<p>a&#xFFFE;b</p>", "a\\u0001b", "a&#x1B;b"]
    {
        for given in updates(content) {
            let cell = cell(HTML);
            let outcome = update(&cell, given.clone());
            let written = cell.document().to_json();
            let text: Value = serde_json::from_str(&written).unwrap();
            let mut texts = Vec::new();
            strings(&text, &mut texts);
            for text in texts {
                assert_eq!(characters::find_unwritable(&text), None, "{given}: {outcome:?}");
            }
        }
    }
}

fn strings(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, texts)),
        _ => {}
    }
}

#[test]
fn a_random_text_is_written_if_it_has_none() {
    for_seeds(300, |random| {
        let others = ['\t', '\u{A0}', '\u{2028}', '\u{FEFF}', '\u{FFFD}', '茶', '\\', 'a'];
        let all: Vec<char> = unwritable().collect();
        let has_one = random.below(2) == 0;
        let mut text: Vec<char> = (0..1 + random.below(20)).map(|_| *random.pick(&others)).collect();
        if has_one {
            text.insert(random.below(text.len() + 1), *random.pick(&all));
        }
        let text: String = "x".to_owned() + &text.into_iter().collect::<String>() + "x";
        let cell = cell(HTML);
        let edit = json!({ "start_line": 2, "end_line": 2, "content": text, "format": "text" });
        let outcome = update(&cell, json!({ "operation": "replace_lines", "edits": [edit] }));
        assert_eq!(outcome.is_err(), has_one, "{text:?}: {outcome:?}");
    });
}

#[test]
fn one_that_is_in_the_document_does_not_hinder_edits_beside_it() {
    let text = |text: &str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
    let json = json!({ "type": "doc", "content": [text("soft\u{B}return here")] }).to_string();
    let cell = DocumentCell::new(Document::from_json(&json, Schema::tiptap()).unwrap());
    update(&cell, json!({ "operation": "replace_text", "old": "here", "new": "there" })).unwrap();
    assert_eq!(cell.document().lines()[0].text, "soft\u{B}return there");
    update(&cell, json!({ "operation": "replace_text", "old": "soft\u{B}return", "new": "soft return" })).unwrap();
    assert_eq!(cell.document().lines()[0].text, "soft return there");
    assert_eq!(
        after(HTML, json!({ "operation": "replace_text", "old": "first", "new": "\\frac" })),
        HTML.replace("first", "\\frac")
    );
}

/// Text that was encoded once is about escapes, and is written unchanged.
#[test]
fn escapes_that_a_text_is_about_are_not_decoded() {
    for text in [
        "Use \\n to separate lines and \\t for tabs.",
        "Lines end with \\n.",
        "Write \\n, \\r or \\t",
        "A line ends with `\\n`",
        "It is called \\n\\n by some.",
        "printf('done.\\n');",
        "print(\"One.\\nTwo.\")",
        "Name\\tAge",
        "Escape a quote as \\\" in JSON.",
        "The escape \\u2019 is an apostrophe.",
        "Type \\u0041 or (\\u0042).",
        "Split at \\n New lines follow.",
        "/^a\\nB$/",
    ] {
        for content in [json!({ "content": text }), json!({ "content": text, "format": "text" })] {
            let mut edit = json!({ "start_line": 2, "end_line": 2 });
            edit.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
            let cell = cell(HTML);
            update(&cell, json!({ "operation": "replace_lines", "edits": [edit] })).unwrap();
            let lines: Vec<String> = cell.document().lines().iter().map(|line| line.text.to_owned()).collect();
            assert_eq!(lines.len(), 4, "{text}: {lines:?}");
            assert!(lines[1].contains("\\"), "{text}: {lines:?}");
        }
    }
    for (text, written) in
        [("One.\\nTwo.", 5), ("One.\\n\\nTwo.\\n", 5), ("<p>The \\\"best\\\" tea.</p>\\n<p>Ann\\u2019s cup.</p>", 5)]
    {
        let cell = cell(HTML);
        let edit = json!({ "start_line": 2, "end_line": 2, "content": text });
        update(&cell, json!({ "operation": "replace_lines", "edits": [edit] })).unwrap();
        let lines: Vec<String> = cell.document().lines().iter().map(|line| line.text.to_owned()).collect();
        assert!(lines.len() == written && !lines[1..3].concat().contains('\\'), "{text}: {lines:?}");
    }
}
