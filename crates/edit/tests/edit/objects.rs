//! Nodes with content in a line, such as footnotes.

use copydesk_base::Locale;
use copydesk_document::{Document, Schema};
use copydesk_edit::DocumentCell;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn bold(text: &str) -> Value {
    json!({ "type": "text", "text": text, "marks": [{ "type": "bold" }] })
}

fn note(number: i64, inside: &str) -> Value {
    json!({ "type": "footnote", "attrs": { "num": number }, "content": [text(inside)] })
}

/// Returns the content of the paragraphs of a document after an edit of some lines.
fn after(paragraphs: &[Value], start: usize, end: usize, content: &str) -> Vec<Value> {
    let mut schema = Schema::tiptap_data();
    let attrs = json!({ "num": { "default": 1 } });
    let footnote = json!({ "name": "footnote", "inline": true, "group": "inline", "content": "text*", "attrs": attrs });
    schema["nodes"].as_array_mut().unwrap().push(footnote);
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let paragraph = |content: &Value| json!({ "type": "paragraph", "content": content });
    let blocks: Vec<Value> = paragraphs.iter().map(paragraph).collect();
    let document = json!({ "type": "doc", "content": blocks }).to_string();
    let cell = DocumentCell::new(Document::from_json(&document, schema).unwrap());
    let edits = json!([{ "start_line": start, "end_line": end, "content": content }]);
    let update = DocUpdate::from_value(&json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    apply(&cell, &update, &Locale::En.into()).unwrap();
    let made: Value = serde_json::from_str(&cell.document().to_json()).unwrap();
    made["content"].as_array().unwrap().iter().map(|block| block["content"].clone()).collect()
}

#[test]
fn a_node_with_content_stays_beside_words_that_change() {
    let old = json!([text("A long tale"), note(5, "see page"), text(" with "), bold("end")]);
    for row in
        ["A new tale\u{FFFC}see page\u{FFFC} with <strong>end</strong>", "A new tale\u{FFFC}see page\u{FFFC} with end"]
    {
        for content in [row.to_owned(), format!("<p>{row}</p>")] {
            let made = &after(std::slice::from_ref(&old), 1, 1, &content)[0];
            assert_eq!(made[1], note(5, "see page"), "{content}");
            assert_eq!(made[0], text("A new tale"), "{content}");
        }
    }
}

#[test]
fn the_content_of_a_node_changes_in_it() {
    let old = json!([text("tale"), note(5, "see page"), text(" with "), bold("end")]);
    for content in ["tale\u{FFFC}see book\u{FFFC} with <strong>end</strong>", "tale\u{FFFC}see book\u{FFFC} with end"] {
        let made = after(std::slice::from_ref(&old), 1, 1, content);
        assert_eq!(made, [json!([text("tale"), note(5, "see book"), text(" with "), bold("end")])], "{content}");
    }
}

#[test]
fn a_node_is_the_one_with_its_text_and_the_next_one_else() {
    let old = json!([note(1, "one"), text(" and "), note(2, "two"), text(" and "), bold("end")]);
    let swapped = after(
        std::slice::from_ref(&old),
        1,
        1,
        "\u{FFFC}two\u{FFFC} and \u{FFFC}other\u{FFFC} and <strong>end</strong>",
    );
    assert_eq!(swapped, [json!([note(2, "two"), text(" and "), note(1, "other"), text(" and "), bold("end")])]);
    // Of boundaries without a node the text is left.
    let more =
        after(&[json!([text("a "), note(1, "one")])], 1, 1, "a \u{FFFC}one\u{FFFC} \u{FFFC}x\u{FFFC} <em>b</em>");
    assert_eq!(more[0][1], note(1, "one"));
}

#[test]
fn nodes_of_several_lines_stay_in_their_lines() {
    let old = [json!([text("a"), note(1, "one")]), json!([text("b"), note(2, "two")])];
    let made = after(&old, 1, 2, "<p>a\u{FFFC}one\u{FFFC} <em>c</em></p><p>b\u{FFFC}two\u{FFFC} d</p>");
    assert_eq!((&made[0][1], &made[1][1]), (&note(1, "one"), &note(2, "two")));
}
