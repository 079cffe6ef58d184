//! Text forms of inline leaves, and the positions of the text beside them.

use crate::documents::for_seeds;
use crate::random::Random;
use copydesk_document::{Document, Schema, text_form, utf16};
use serde_json::{Value, json};
use std::sync::Arc;

fn schema() -> Arc<Schema> {
    let leaf = |name: &str, attrs: Value| json!({ "name": name, "group": "inline", "inline": true, "attrs": attrs });
    let none = json!({ "default": null });
    let schema = json!({
        "nodes": [
            { "name": "doc", "content": "block+" },
            { "name": "paragraph", "content": "inline*", "group": "block" },
            { "name": "heading", "content": "inline*", "group": "block", "attrs": { "level": { "default": 1 } } },
            { "name": "text", "group": "inline" },
            { "name": "hardBreak", "group": "inline", "inline": true },
            leaf("mention", json!({ "id": none, "label": none, "mentionSuggestionChar": { "default": "@" } })),
            leaf("inlineMath", json!({ "latex": none })),
            leaf("emoji", json!({ "name": none })),
            leaf("image", json!({ "src": none, "alt": none })),
            leaf("chip", json!({ "tone": none, "title": none })),
            { "name": "note", "group": "inline", "inline": true, "content": "(text | mention)*" },
        ],
        "marks": [{ "name": "bold" }],
    });
    Schema::from_json(&schema.to_string()).unwrap()
}

#[test]
fn each_leaf_has_a_readable_form() {
    let form = |name: &str, attrs: Value| {
        let schema = schema();
        let paragraph = json!({ "type": "paragraph", "content": [{ "type": name, "attrs": attrs }] });
        let json = json!({ "type": "doc", "content": [paragraph] }).to_string();
        let document = Document::from_json(&json, schema.clone()).unwrap();
        let form = text_form(&schema, &document.blocks()[0].children()[0]);
        assert_eq!(document.lines()[0].text, form);
        assert_eq!(document.lines()[0].to, 2);
        form
    };
    assert_eq!(form("mention", json!({ "id": "u9", "label": "Ann\n Lee" })), "@Ann Lee");
    assert_eq!(form("mention", json!({ "id": "u9" })), "@u9");
    assert_eq!(form("mention", json!({ "id": 7, "label": " " })), "@7");
    assert_eq!(form("mention", json!({ "label": "#tea", "mentionSuggestionChar": "#" })), "#tea");
    assert_eq!(form("mention", json!({})), "[mention: @]");
    assert_eq!(form("inlineMath", json!({ "latex": "E=mc^2" })), "$E=mc^2$");
    assert_eq!(form("inlineMath", json!({ "latex": "" })), "[inlineMath]");
    assert_eq!(form("emoji", json!({ "name": "tea" })), ":tea:");
    assert_eq!(form("image", json!({ "src": "/a.png", "alt": "A" })), "![A](/a.png)");
    assert_eq!(form("chip", json!({ "tone": "dark", "title": "Due" })), "[chip: Due]");
    assert_eq!(form("chip", json!({ "tone": "dark" })), "[chip: dark]");
    assert_eq!(form("chip", json!({})), "[chip]");
}

#[test]
fn titles_and_html_have_the_forms() {
    let content = json!([{ "type": "text", "text": "By " }, { "type": "mention", "attrs": { "label": "Ann" } }]);
    let heading = json!({ "type": "heading", "attrs": { "level": 1 }, "content": content });
    let json = json!({ "type": "doc", "content": [heading] }).to_string();
    let document = Document::from_json(&json, schema()).unwrap();
    assert_eq!(document.sections()[0].title, "By @Ann");
    assert!(document.to_html().contains(">@Ann</span>"), "{}", document.to_html());
}

fn inline(random: &mut Random, depth: usize) -> Value {
    let text = |random: &mut Random| json!({ "type": "text", "text": *random.pick(&["a", "茶", "😀", "tea ", "x y"]) });
    match random.below(if depth == 0 { 8 } else { 2 }) {
        0 => json!({ "type": "mention", "attrs": { "label": *random.pick(&["Ann", "李明", "😀"]) } }),
        2 => json!({ "type": "inlineMath", "attrs": { "latex": "x^2" } }),
        3 => json!({ "type": "hardBreak" }),
        4 => json!({ "type": "chip", "attrs": { "title": "é" } }),
        5 => json!({ "type": "note", "content": [inline(random, 1), inline(random, 1)] }),
        _ => text(random),
    }
}

/// The positions of a line, one entry each: what the text has there, and the number of bytes of that.
fn walked(document: &Document, block: usize) -> Vec<Vec<String>> {
    fn visit(schema: &Schema, node: &copydesk_document::Node, lines: &mut Vec<Vec<String>>) {
        match node.text() {
            Some(text) => text.chars().for_each(|c| {
                let line = lines.last_mut().unwrap();
                line.push(c.to_string());
                (1..c.len_utf16()).for_each(|_| line.push(String::new()));
            }),
            None if schema.is_hard_break(node.kind()) => lines.push(Vec::new()),
            None if node.is_leaf() => lines.last_mut().unwrap().push(text_form(schema, node)),
            None => {
                lines.last_mut().unwrap().push("\u{fffc}".to_owned());
                node.children().iter().for_each(|child| visit(schema, child, lines));
                lines.last_mut().unwrap().push("\u{fffc}".to_owned());
            }
        }
    }
    let mut lines = vec![Vec::new()];
    document.blocks()[block].children().iter().for_each(|child| visit(document.schema(), child, &mut lines));
    lines
}

#[test]
fn offsets_and_positions_are_those_of_a_walk_over_every_position() {
    for_seeds(2000, |random| {
        let paragraph = |random: &mut Random| -> Value {
            let content: Vec<Value> = (0..random.below(9)).map(|_| inline(random, 0)).collect();
            json!({ "type": "paragraph", "content": content })
        };
        let blocks: Vec<Value> = (0..=random.below(2)).map(|_| paragraph(random)).collect();
        let json = json!({ "type": "doc", "content": blocks }).to_string();
        let document = Document::from_json(&json, schema()).unwrap();
        let lines = document.lines();
        let slow: Vec<Vec<String>> = (0..document.blocks().len()).flat_map(|block| walked(&document, block)).collect();
        assert_eq!(lines.len(), slow.len());
        for (line, units) in lines.iter().zip(slow) {
            assert_eq!(line.text, units.concat());
            assert_eq!(line.to - line.from, units.len());
            assert_eq!(line.position(line.text.len()), line.to);
            let mut offset = 0;
            for (at, unit) in units.iter().enumerate() {
                if !unit.is_empty() {
                    assert_eq!(line.position(offset), line.from + at, "{:?} at {offset}", line.text);
                    assert_eq!(line.offset(line.from + at), offset, "{:?} at position {at}", line.text);
                    offset += unit.len();
                }
            }
            assert_eq!(line.offset(line.to), line.text.len());
            for atom in &line.atoms {
                assert_eq!(line.position(atom.end), line.position(atom.start) + 1);
                assert_eq!(line.position(atom.end - 1), line.position(atom.start), "inside a form");
            }
            let widths: usize = line.atoms.iter().map(|atom| utf16::len(&line.text[atom.clone()]) - 1).sum();
            assert_eq!(line.to - line.from, utf16::len(&line.text) - widths);
        }
    });
}
