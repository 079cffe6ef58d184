//! Schemas other than TipTap's usual one.

use copydesk_base::{ErrorInfo, Locale};
use copydesk_document::{Document, Schema, Style};
use copydesk_edit::DocumentCell;
use copydesk_edit::Error;
use copydesk_edit::section::heading_of;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};

fn schema(top: &str, heading: bool) -> Value {
    let mut nodes = vec![
        json!({ "name": "doc", "content": top }),
        json!({ "name": "paragraph", "content": "text*", "group": "block", "attrs": { "id": { "default": null } } }),
        json!({ "name": "text" }),
    ];
    if heading {
        let attrs = json!({ "level": { "default": 1 } });
        nodes.push(json!({ "name": "heading", "content": "text*", "group": "block", "attrs": attrs }));
    }
    json!({ "topNode": "doc", "nodes": nodes, "marks": [] })
}

fn cell(schema: &Value, doc: Value) -> DocumentCell {
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    DocumentCell::new(Document::from_json(&json!({ "type": "doc", "content": doc }).to_string(), schema).unwrap())
}

fn update(cell: &DocumentCell, update: Value) -> Result<(), Error> {
    apply(cell, &DocUpdate::from_value(&update)?, &Locale::En.into()).map(drop)
}

fn paragraph(text: &str, id: Value) -> Value {
    json!({ "type": "paragraph", "attrs": { "id": id }, "content": [{ "type": "text", "text": text }] })
}

fn heading(level: u8, text: &str) -> Value {
    json!({ "type": "heading", "attrs": { "level": level }, "content": [{ "type": "text", "text": text }] })
}

fn content(cell: &DocumentCell) -> Value {
    serde_json::from_str::<Value>(&cell.document().to_json()).unwrap()["content"].clone()
}

#[test]
fn attributes_that_html_does_not_carry_stay_on_every_block_that_stays() {
    let cell = cell(
        &schema("block+", true),
        json!([
            heading(2, "A"),
            paragraph("one", json!("p1")),
            paragraph("two words", json!("p2")),
            paragraph("three", json!("p3")),
        ]),
    );
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>one</p><p>new</p><p>two other words</p><p>three</p>" });
    update(&cell, given).unwrap();
    assert_eq!(
        content(&cell),
        json!([
            heading(2, "A"),
            paragraph("one", json!("p1")),
            paragraph("new", json!(null)),
            paragraph("two other words", json!("p2")),
            paragraph("three", json!("p3")),
        ])
    );
}

#[test]
fn spaces_that_html_collapses_stay_in_every_block_that_stays() {
    let cell = cell(
        &schema("block+", true),
        json!([heading(2, "A"), paragraph("a   b  ", json!(null)), paragraph("c", json!(null))]),
    );
    update(&cell, json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>a   b  </p><p>d</p>" })).unwrap();
    assert_eq!(content(&cell)[1], paragraph("a   b  ", json!(null)));
    assert_eq!(content(&cell)[2], paragraph("d", json!(null)));
}

#[test]
fn a_schema_without_headings_has_no_place_for_a_section() {
    let cell = cell(&schema("block+", false), json!([paragraph("x", json!(null))]));
    let error = update(&cell, json!({ "operation": "append", "title": "T", "content": "<p>y</p>" })).unwrap_err();
    assert_eq!(error, Error::NotInSchema { what: "<h2>".into() });
    assert_eq!(content(&cell), json!([paragraph("x", json!(null))]));
}

/// Returns JSON in which the types and attributes have the names of ProseMirror's own schemas.
fn in_prosemirror_names(json: &str) -> String {
    let names = [
        ("bulletList", "bullet_list"),
        ("orderedList", "ordered_list"),
        ("listItem", "list_item"),
        ("codeBlock", "code_block"),
        ("hardBreak", "hard_break"),
        ("horizontalRule", "horizontal_rule"),
        ("tableHeader", "table_header"),
        ("tableRow", "table_row"),
        ("tableCell", "table_cell"),
        ("start", "order"),
    ];
    names.iter().fold(json.to_owned(), |json, (own, other)| json.replace(own, other))
}

#[test]
fn types_with_the_names_of_prosemirror_are_shown_and_written_as_those_of_tiptap() {
    let table = "<table><tr><th><p>h</p></th><th><p>i</p></th></tr><tr><td><p>x</p></td><td><p>y</p></td></tr></table>";
    let html = format!(
        "<h2>T</h2><ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul><ol start=\"3\"><li><p>c</p></li></ol>\
         <blockquote><p>q</p></blockquote><pre><code>z</code></pre><hr>{table}"
    );
    let own = Document::from_html(&html).unwrap();
    let schema = in_prosemirror_names(&Schema::tiptap_data().to_string())
        .replace("\"group\":\"block list\"", "\"group\":\"block\"");
    let other = Schema::from_json(&schema).unwrap();
    let other = Document::from_json(&in_prosemirror_names(&own.to_json()), other).unwrap();
    let (own, other) = (DocumentCell::new(own), DocumentCell::new(other));
    let shown = |cell: &DocumentCell| cell.document().numbered(None, None, Style::Structure).unwrap();
    let edits = [
        json!([{ "start_line": 2, "end_line": 2, "content": "- a\n- new" }]),
        json!([{ "start_line": 4, "end_line": 4, "content": "## Heading\n1. one\n2. two\n> said" }]),
        json!([{ "start_line": 1, "end_line": 1, "content": "T\n\n```js\nx()\n```\n---" }]),
        json!([{ "start_line": 1, "end_line": 1, "content": "| a | b |\n| --- | --- |\n| c | d |" }]),
    ];
    assert_eq!(shown(&own), shown(&other));
    for edit in edits {
        let given = json!({ "operation": "replace_lines", "edits": edit });
        update(&own, given.clone()).unwrap();
        update(&other, given).unwrap();
        assert_eq!(in_prosemirror_names(&own.document().to_json()), other.document().to_json(), "{edit}");
        assert_eq!(shown(&own), shown(&other));
    }
}

/// A schema whose paragraphs and boxes have an attribute without a default.
fn schema_with_required() -> Value {
    json!({ "nodes": [
        { "name": "doc", "content": "block*" },
        { "name": "paragraph", "group": "block", "content": "inline*", "attrs": { "uid": {}, "tone": { "default": null } } },
        { "name": "box", "group": "block", "content": "block*", "attrs": { "kind": {} } },
        { "name": "text", "group": "inline" },
    ], "marks": [{ "name": "link", "attrs": { "href": {} } }] })
}

fn identified(uid: &str, content: Value) -> Value {
    json!({ "type": "paragraph", "attrs": { "uid": uid, "tone": null }, "content": content })
}

fn replace_line(line: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": line, "end_line": line, "content": content }] })
}

#[test]
fn inline_html_is_the_content_of_a_line_whose_type_requires_an_attribute() {
    let link = json!({ "type": "link", "attrs": { "href": "https://a.example/" } });
    let line = |last: &str| {
        let link = json!({ "type": "text", "marks": [link], "text": "two" });
        identified("u1", json!([{ "type": "text", "text": "one " }, link, { "type": "text", "text": last }]))
    };
    let four = identified("u2", json!([{ "type": "text", "text": "four" }]));
    let cell = cell(&schema_with_required(), json!([line(" three"), four]));
    let html = "one <a href=\"https://a.example/\">two</a> changed";
    let edit = json!({ "start_line": 1, "end_line": 1, "content": html, "format": "html" });
    update(&cell, json!({ "operation": "replace_lines", "edits": [edit] })).unwrap();
    assert_eq!(content(&cell), json!([line(" changed"), four]));
}

#[test]
fn a_required_attribute_that_html_does_not_state_stays() {
    let line = |uid: &str, text: &str| identified(uid, json!([{ "type": "text", "text": text }]));
    let boxed = |text: &str| json!({ "type": "box", "attrs": { "kind": "tip" }, "content": [line("u2", text)] });
    let cell = cell(&schema_with_required(), json!([line("u1", "one three"), boxed("inside")]));
    update(&cell, replace_line(1, "<p>one changed</p><p>new</p>")).unwrap();
    // As pressing enter gives it.
    assert_eq!(content(&cell), json!([line("u1", "one changed"), line("u1", "new"), boxed("inside")]));
    update(&cell, replace_line(3, "<div data-type=\"box\"><p>inside it</p></div>")).unwrap();
    assert_eq!(content(&cell)[2], boxed("inside it"));
    update(&cell, replace_line(2, "<p uid=\"u3\" tone=\"dry\">new</p>")).unwrap();
    assert_eq!(content(&cell)[1]["attrs"], json!({ "uid": "u3", "tone": "dry" }));
}

#[test]
fn a_node_without_a_required_attribute_is_refused() {
    let line = identified("u1", json!([{ "type": "text", "text": "one" }]));
    let cell = cell(&schema_with_required(), json!([line]));
    let error = update(&cell, replace_line(1, "<p>one</p><div data-type=\"box\"><p>new</p></div>")).unwrap_err();
    assert_eq!(error.code(), "not_in_schema");
    assert_eq!(content(&cell), json!([line]));
}

#[test]
fn marks_of_a_line_are_read_although_the_first_textblock_takes_none() {
    let schema = json!({ "nodes": [
        { "name": "doc", "content": "block*" },
        { "name": "title", "group": "block", "content": "text*", "marks": "" },
        { "name": "para", "group": "block", "content": "inline*" },
        { "name": "text", "group": "inline" },
    ], "marks": [{ "name": "link", "attrs": { "href": {} } }, { "name": "em" }] });
    let link = json!({ "type": "link", "attrs": { "href": "https://a.example/" } });
    let line = |last: &str| {
        json!({ "type": "para", "content": [
            { "type": "text", "text": "one " },
            { "type": "text", "marks": [link], "text": "two" },
            { "type": "text", "marks": [{ "type": "em" }], "text": last },
        ] })
    };
    let cell = cell(&schema, json!([line(" three")]));
    let html = |last: &str| format!("one <a href=\"https://a.example/\">two</a><span data-type=\"em\"> {last}</span>");
    update(&cell, replace_line(1, &html("changed"))).unwrap();
    assert_eq!(content(&cell), json!([line(" changed")]));
    let (old, new) = ("two changed", "two <span data-type=\"em\">again</span>");
    update(&cell, json!({ "operation": "replace_text", "old": old, "new": new, "format": "html" })).unwrap();
    assert_eq!(content(&cell), json!([line(" again")]));
}

#[test]
fn a_block_that_the_schema_demands_at_the_beginning_is_the_heading_of_the_first_section() {
    let section = |top: &str| {
        let nodes = json!([
            { "name": "doc", "content": top },
            { "name": "title", "content": "text*" },
            { "name": "paragraph", "content": "text*", "group": "block" },
            { "name": "text" },
        ]);
        let schema = Schema::from_json(&json!({ "topNode": "doc", "nodes": nodes, "marks": [] }).to_string()).unwrap();
        let title = json!({ "type": "title", "content": [{ "type": "text", "text": "Tea" }] });
        let text = json!({ "type": "paragraph", "content": [{ "type": "text", "text": "Leaf." }] });
        let document = json!({ "type": "doc", "content": [title, text] });
        let document = Document::from_json(&document.to_string(), schema).unwrap();
        heading_of(&document, &document.sections()[0])
    };
    assert_eq!(section("title block+"), Some(0));
    assert_eq!(section("(title | block)+"), None);
}
