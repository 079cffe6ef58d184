//! Types of a schema that copydesk has no definition of: their HTML is read back.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_document::{Document, Schema, html};
use serde_json::{Value, json};
use std::sync::Arc;

fn schema() -> Arc<Schema> {
    let none = json!({ "default": null });
    let schema = json!({
        "nodes": [
            { "name": "doc", "content": "block+" },
            { "name": "paragraph", "content": "inline*", "group": "block" },
            { "name": "panel", "content": "block+", "group": "block",
              "attrs": { "tone": { "default": "calm" }, "isOpen": none, "columns": none } },
            { "name": "divider", "group": "block", "attrs": { "width": none } },
            { "name": "text", "group": "inline" },
            { "name": "poll", "group": "inline", "inline": true, "attrs": { "question": { "default": "" }, "votes": none } },
            { "name": "term", "group": "inline", "inline": true, "content": "text*", "attrs": { "entry": none } },
        ],
        "marks": [{ "name": "highlight", "attrs": { "color": { "default": "#ff0" } } }, { "name": "bold" }],
    });
    Schema::from_json(&schema.to_string()).unwrap()
}

fn text(random: &mut Random) -> Value {
    let marks = match random.below(4) {
        0 => json!([{ "type": "highlight", "attrs": { "color": *random.pick(&["#ff0", "5", "[red]"]) } }]),
        1 => json!([{ "type": "bold" }]),
        _ => json!([]),
    };
    json!({ "type": "text", "text": *random.pick(&["tea", "茶 & 水", "😀", "a < b"]), "marks": marks })
}

fn inline(random: &mut Random) -> Value {
    match random.below(6) {
        0 => {
            json!({ "type": "poll", "attrs": { "question": *random.pick(&["Which?", "7", "true", ""]), "votes": random.below(9) } })
        }
        1 => {
            json!({ "type": "term", "attrs": { "entry": *random.pick(&["oolong", "pu-erh"]) }, "content": [text(random)] })
        }
        _ => text(random),
    }
}

fn block(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth < 3 { 5 } else { 3 }) {
        0 => json!({ "type": "divider", "attrs": { "width": *random.pick(&[1, 40]) } }),
        3 | 4 => {
            let content: Vec<Value> = (0..=random.below(2)).map(|_| block(random, depth + 1)).collect();
            let (tone, is_open) = (*random.pick(&["calm", "12", "{}"]), random.below(2) == 0);
            let columns = random.pick(&[json!([1, 2]), json!({ "left": "a" }), json!(null)]).clone();
            json!({ "type": "panel", "attrs": { "tone": tone, "isOpen": is_open, "columns": columns }, "content": content })
        }
        _ => {
            let content: Vec<Value> = (0..=random.below(4)).map(|_| inline(random)).collect();
            json!({ "type": "paragraph", "content": content })
        }
    }
}

#[test]
fn what_is_written_as_html_is_read_back() {
    for_seeds(2000, |random| {
        let blocks: Vec<Value> = (0..=random.below(3)).map(|_| block(random, 0)).collect();
        let json = json!({ "type": "doc", "content": blocks }).to_string();
        let document = Document::from_json(&json, schema()).unwrap();
        let html = document.to_html();
        let read = html::parse_fragment(&html, document.schema()).unwrap();
        let again = Document::from_blocks(document.schema().clone(), read);
        assert_eq!(again.to_json(), document.to_json(), "{html}");
    });
}

#[test]
fn a_name_that_is_no_undefined_type_means_nothing() {
    let schema = schema();
    let read =
        html::parse_fragment("<span data-type=\"nothing\">a</span><b data-type=\"poll\">b</b>", &schema).unwrap();
    let document = Document::from_blocks(schema, read);
    assert_eq!(document.to_html(), "<p>a<strong>b</strong></p>");
}
