//! Mentions and formulas in edits: read by their text forms, each once, and never both the node and its text.

use crate::documents::for_seeds;
use crate::random::Random;
use crate::update;
use copydesk_document::{Document, Schema};
use copydesk_edit::{DocumentCell, Error};
use serde_json::{Value, json};
use std::collections::HashMap;

fn schema() -> Value {
    let mut schema = Schema::tiptap_data();
    let none = json!({ "default": null });
    let nodes = schema["nodes"].as_array_mut().unwrap();
    let leaf = |name: &str, attrs: Value| json!({ "name": name, "group": "inline", "inline": true, "attrs": attrs });
    nodes.push(leaf("mention", json!({ "id": none, "label": none, "team": none })));
    nodes.push(leaf("inlineMath", json!({ "latex": none })));
    schema
}

pub(super) fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub(super) fn mention(id: &str, label: &str) -> Value {
    json!({ "type": "mention", "attrs": { "id": id, "label": label, "team": "t" } })
}

fn math(latex: &str) -> Value {
    json!({ "type": "inlineMath", "attrs": { "latex": latex } })
}

pub(super) fn p(content: Vec<Value>) -> Value {
    json!({ "type": "paragraph", "content": content })
}

/// A document whose schema has mentions and formulas.
pub(super) fn document(blocks: &[Value]) -> DocumentCell {
    let json = json!({ "type": "doc", "content": blocks }).to_string();
    DocumentCell::new(Document::from_json(&json, Schema::from_json(&schema().to_string()).unwrap()).unwrap())
}

pub(super) fn edited(blocks: &[Value], edits: Value) -> Value {
    let cell = document(blocks);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    serde_json::from_str::<Value>(&cell.document().to_json()).unwrap()["content"].clone()
}

pub(super) fn line(number: usize, content: &str) -> Value {
    json!({ "start_line": number, "end_line": number, "content": content })
}

#[test]
fn forms_in_text_and_html_are_the_nodes() {
    let before = [p(vec![text("Ask "), mention("u9", "Ann Lee"), text(" of "), math("a*b*c")])];
    let after = json!([p(vec![text("Do ask "), mention("u9", "Ann Lee"), text(" about "), math("a*b*c")])]);
    for content in [
        "Do ask @Ann Lee about $a*b*c$",
        "<p>Do ask @Ann Lee about $a*b*c$</p>",
        "<p>Do ask <span>@Ann Lee</span> about $a*b*c$</p>",
    ] {
        assert_eq!(edited(&before, json!([line(1, content)])), after, "{content}");
    }
}

#[test]
fn what_only_looks_like_a_form_stays_text() {
    let before = [p(vec![text("Ask "), mention("u9", "Ann"), text(" for x.")])];
    let after = edited(&before, json!([line(1, "Mail me@Ann or @Anna or @home for $5 and $6, not @Ann.")]));
    let rest = "Mail me@Ann or @Anna or @home for $5 and $6, not ";
    assert_eq!(after, json!([p(vec![text(rest), mention("u9", "Ann"), text(".")])]));
}

#[test]
fn a_mention_moves_between_edits_and_lines() {
    let before =
        [p(vec![text("Ask "), mention("u9", "Ann"), text(" now.")]), p(vec![text("b")]), p(vec![text("Then go.")])];
    let edits = json!([line(1, "Ask now."), line(3, "Then go with @Ann.")]);
    let moved = p(vec![text("Then go with "), mention("u9", "Ann"), text(".")]);
    assert_eq!(edited(&before, edits), json!([p(vec![text("Ask now.")]), before[1], moved]));
}

#[test]
fn latex_is_neither_unescaped_nor_markup() {
    for latex in ["\\nu", "a<b", "x_1 * y_2 * z", "\\alpha\\neq\\beta", "a & b", "**b**", "<b>x</b>"] {
        let before = [p(vec![text("So "), math(latex), text(" is.")])];
        let after = json!([p(vec![text("Then "), math(latex), text(" was.")])]);
        assert_eq!(edited(&before, json!([line(1, &format!("Then ${latex}$ was."))])), after, "{latex}");
    }
}

#[test]
fn a_text_is_not_found_inside_a_form() {
    let cell = document(&[p(vec![text("Ask "), mention("u9", "Ann Lee"), text(" first.")])]);
    let replace = |old: &str, new: &str| update(&cell, json!({ "operation": "replace_text", "old": old, "new": new }));
    for inside in ["Ann", "Lee first", "Ask @Ann"] {
        assert!(matches!(replace(inside, "x"), Err(Error::TextNotFound { .. })), "{inside}");
    }
    replace("Ask @Ann Lee", "Call @Ann Lee").unwrap();
    assert_eq!(cell.document().lines()[0].text, "Call @Ann Lee first.");
    assert_eq!(cell.document().lines()[0].atoms, std::slice::from_ref(&(5..13)));
    replace("@Ann Lee", "Bo").unwrap();
    assert_eq!(cell.document().lines()[0].text, "Call Bo first.");
    assert!(cell.document().lines()[0].atoms.is_empty());
}

/// A document of tokens: words, and mentions, some of them with the same label.
fn tokens(random: &mut Random, most: usize) -> Vec<Option<(String, String)>> {
    let token = |random: &mut Random, at: usize| {
        let label = *random.pick(&["Ann", "Ann Lee", "Bo"]);
        (random.below(3) == 0).then(|| (format!("u{at}"), label.to_owned()))
    };
    (0..1 + random.below(most)).map(|at| token(random, at)).collect()
}

#[test]
fn every_form_of_the_content_is_one_of_the_nodes_and_no_node_is_text() {
    for_seeds(1500, |random| {
        let words = ["tea", "cup", "of", "pot", "hot"];
        let mut id = 0;
        let (mut blocks, mut shown, mut ids) = (Vec::new(), Vec::new(), HashMap::<String, Vec<String>>::new());
        for _ in 0..1 + random.below(3) {
            let (mut content, mut pieces) = (Vec::new(), Vec::new());
            for token in tokens(random, 6) {
                if !pieces.is_empty() {
                    content.push(text(" "));
                }
                match token {
                    Some((_, label)) => {
                        id += 1;
                        content.push(mention(&format!("u{id}"), &label));
                        ids.entry(format!("@{label}")).or_default().push(format!("u{id}"));
                        pieces.push(format!("@{label}"));
                    }
                    None => {
                        let word = *random.pick(&words);
                        content.push(text(word));
                        pieces.push(word.to_owned());
                    }
                }
            }
            blocks.push(p(content));
            shown.push(pieces);
        }
        // Pieces leave, come and change places, also from line to line.
        let mut new = shown.clone();
        for _ in 0..1 + random.below(4) {
            let from = random.below(new.len());
            let piece = match new[from].len() {
                0 | 1 => (*random.pick(&words)).to_owned(),
                length => new[from].remove(random.below(length)),
            };
            if random.below(3) > 0 {
                let to = random.below(new.len());
                let at = random.below(new[to].len() + 1);
                new[to].insert(at, piece);
            }
        }
        let content = new.iter().map(|line| line.join(" ")).collect::<Vec<_>>().join("\n");
        let cell = document(&blocks);
        let all = json!([{ "start_line": 1, "end_line": blocks.len(), "content": content, "format": "text" }]);
        update(&cell, json!({ "operation": "replace_lines", "edits": all })).unwrap();
        let lines: Vec<String> = cell.document().lines().into_iter().map(|line| line.text).collect();
        assert_eq!(lines.join("\n"), content);
        let mut used = HashMap::<String, Vec<String>>::new();
        for block in cell.document().blocks() {
            for node in block.children() {
                match node.text() {
                    Some(text) => assert!(!text.contains('@'), "{text:?} is text in {content:?}"),
                    None => {
                        let (id, label) = (node.attrs().text("id").unwrap(), node.attrs().text("label").unwrap());
                        assert_eq!(node.attrs().text("team"), Some("t"));
                        used.entry(format!("@{label}")).or_default().push(id.to_owned());
                    }
                }
            }
        }
        for (form, used) in used {
            let wanted = new.iter().flatten().filter(|piece| **piece == form).count();
            assert_eq!(used.len(), wanted, "{form} in {content:?}");
            let mut distinct = used.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), wanted.min(ids[&form].len()), "a node twice instead of another: {used:?}");
        }
    });
}
