//! An edit leaves alone everything that its content does not speak of, however it was read: the check itself, with
//! replacements that are wrong on purpose.

use super::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::apply::Resolved;
use copydesk_edit::{Error, unsaid};
use serde_json::{Value, json};
use std::sync::Arc;

fn schema() -> Arc<Schema> {
    let mut schema = Schema::tiptap_data();
    for node in schema["nodes"].as_array_mut().unwrap() {
        if node["name"] == "paragraph" || node["name"] == "heading" {
            node["attrs"]["textAlign"] = json!({ "default": null });
        }
    }
    Schema::from_json(&schema.to_string()).unwrap()
}

fn document(blocks: &Value) -> Document {
    Document::from_json(&json!({ "type": "doc", "content": blocks }).to_string(), schema()).unwrap()
}

/// Returns the unstated changes of an edit of `named` lines, each as `type name text`.
fn changed(old: &Value, new: &Value, named: &[usize], content: &str) -> Vec<String> {
    let before = document(old);
    let with: Vec<Node> = Document::blocks_from_json(&new.to_string(), before.schema()).unwrap();
    let mut resolved = Resolved::of(0..before.blocks().len(), with);
    resolved.lines = named.iter().map(|line| *line..=*line).collect();
    match unsaid::check(&before, &resolved, &[content]) {
        Ok(()) => Vec::new(),
        Err(Error::WouldChangeUnsaid { dropped }) => {
            dropped.iter().map(|one| format!("{} {} {}", one.kind, one.name, one.text)).collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn marked(text: &str, mark: &str) -> Value {
    json!({ "type": "text", "text": text, "marks": [{ "type": mark }] })
}

fn paragraph(content: &[Value]) -> Value {
    json!({ "type": "paragraph", "content": content })
}

fn aligned(text: &str, align: &str) -> Value {
    json!({ "type": "paragraph", "attrs": { "textAlign": align }, "content": [{ "type": "text", "text": text }] })
}

fn table(kind: &str, attrs: Value, cell: &str) -> Value {
    let one = |kind: &str, attrs: Value, cell: &str| json!({ "type": kind, "attrs": attrs, "content": [paragraph(&[text(cell)])] });
    json!({ "type": "table", "content": [
        { "type": "tableRow", "content": [one(kind, attrs, cell), one("tableCell", json!({}), "12 g")] },
    ] })
}

const NONE: [&str; 0] = [];

#[test]
fn a_text_beside_the_named_lines_stays_or_is_in_the_content() {
    let old = json!([paragraph(&[text("One leaf")]), paragraph(&[text("Two cups")]), paragraph(&[text("Three pots")])]);
    let new = json!([paragraph(&[text("One leaf")]), paragraph(&[text("Two bowls")]), paragraph(&[text("Three")])]);
    assert_eq!(changed(&old, &new, &[2], "Two bowls"), ["node paragraph Three pots"]);
    assert_eq!(changed(&old, &new, &[2, 3], "Two bowls\nThree"), NONE);
    let joined = json!([paragraph(&[text("One leaf")]), paragraph(&[text("Two bowls, three pots")])]);
    assert_eq!(changed(&old, &joined, &[2], "Two bowls, Three pots"), NONE);
    let doubled = json!([paragraph(&[text("Same")]), paragraph(&[text("Same")]), paragraph(&[text("Two cups")])]);
    let single = json!([paragraph(&[text("Same")]), paragraph(&[text("Two bowls")])]);
    assert_eq!(changed(&doubled, &single, &[3], "Two bowls"), ["node paragraph Same"]);
}

#[test]
fn an_attribute_of_a_text_that_stays_is_lost_only_if_the_content_speaks_of_it() {
    let old = json!([aligned("The very old title", "center"), paragraph(&[text("Text")])]);
    let new = json!([paragraph(&[text("The very old title")]), paragraph(&[text("Words")])]);
    for content in
        ["The very old title\nWords", "<p>The very old title</p><p>Words</p>", "**The very old title**\n\nWords"]
    {
        assert_eq!(changed(&old, &new, &[1, 2], content), ["attribute textAlign The very old title"], "{content}");
    }
    for content in [
        r#"<p style="text-align: left">The very old title</p>"#,
        r#"<p data-text-align="">The very old title</p>"#,
        "center",
    ] {
        assert_eq!(changed(&old, &new, &[1, 2], content), NONE, "{content}");
    }
    let level = |level: u8| json!([{ "type": "heading", "attrs": { "level": level }, "content": [text("The very old title")] }]);
    assert_eq!(changed(&level(2), &level(3), &[1], "### The very old title"), NONE);
}

#[test]
fn marks_that_a_notation_cannot_state_stay() {
    let bold = json!([paragraph(&[text("a "), marked("very old", "bold"), text(" leaf")])]);
    let underline = json!([paragraph(&[text("a "), marked("very old", "underline"), text(" leaf")])]);
    let plain = json!([paragraph(&[text("a very old leaf")])]);
    assert_eq!(changed(&bold, &plain, &[1], "a very old leaf"), ["mark bold a very old leaf"]);
    assert_eq!(changed(&underline, &plain, &[1], "a very *old* leaf"), ["mark underline a very old leaf"]);
    assert_eq!(changed(&bold, &plain, &[1], "a very old leaf, a *cup*"), NONE);
    assert_eq!(changed(&underline, &plain, &[1], "<p>a very old leaf</p>"), NONE);
    assert_eq!(changed(&underline, &underline, &[1], "a very old leaf"), NONE);
}

#[test]
fn header_cells_and_the_attributes_of_cells_stay() {
    let header = json!([table("tableHeader", json!({}), "Tea")]);
    let cell = json!([table("tableCell", json!({}), "Tea")]);
    assert_eq!(changed(&header, &cell, &[1], "| Tea | 12 g |"), ["node tableHeader Tea"]);
    assert_eq!(changed(&header, &cell, &[1], "<table><tr><td>Tea</td><td>12 g</td></tr></table>"), NONE);
    assert_eq!(changed(&cell, &header, &[1], "| Tea | 12 g |\n| - | - |"), NONE);
    let wide = json!([table("tableCell", json!({ "colwidth": [120] }), "Tea")]);
    for content in ["| Tea | 12 g |", "<table><tr><td>Tea</td><td>12 g</td></tr></table>"] {
        assert_eq!(changed(&wide, &cell, &[1], content), ["attribute colwidth Tea"], "{content}");
    }
    assert_eq!(changed(&wide, &cell, &[1], r#"<td colwidth="">Tea</td>"#), NONE);
}

#[test]
fn the_refusal_says_what_would_change_and_the_way_out() {
    let error = Error::WouldChangeUnsaid {
        dropped: vec![copydesk_edit::guard::dropped::Dropped {
            kind: "attribute",
            name: "textAlign".into(),
            text: "The very old title".into(),
            url: None,
        }],
    };
    assert_eq!(error.code(), "would_drop");
    let message = error.to_string();
    assert!(message.contains("textAlign \"The very old title\""), "{message}");
    assert!(message.contains("as HTML") && message.contains("confirmDrop: true"), "{message}");
}

/// A paragraph that is told from all others, perhaps with a mark and an attribute.
fn random_paragraph(random: &mut Random, number: usize) -> Value {
    let words = format!("paragraph {number} of {}", random.below(1000));
    let content = if random.below(2) == 0 { marked(&words, "underline") } else { text(&words) };
    let mut node = paragraph(&[content]);
    if random.below(2) == 0 {
        node["attrs"] = json!({ "textAlign": "right" });
    }
    node
}

#[test]
fn one_harm_in_a_random_document_is_found_and_a_document_without_harm_passes() {
    let mut random = Random::new();
    for _ in 0..500 {
        let count = 2 + random.below(8);
        let old: Vec<Value> = (0..count).map(|number| random_paragraph(&mut random, number)).collect();
        let named = random.below(count);
        let mut new = old.clone();
        new[named] = paragraph(&[text("Something else")]);
        let check = |new: &[Value]| changed(&json!(old), &json!(new), &[named + 1], "Something else");
        assert_eq!(check(&new), NONE, "{old:?}");
        let harmed = (named + 1 + random.below(count - 1)) % count;
        match random.below(3) {
            0 => drop(new.remove(harmed)),
            1 => new[harmed]["attrs"] = json!({ "textAlign": "center" }),
            _ => new[harmed]["content"] = json!([marked("other words", "bold")]),
        }
        assert_ne!(check(&new), NONE, "{old:?}");
    }
}
