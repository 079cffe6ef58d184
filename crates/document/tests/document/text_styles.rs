//! TipTap's extensions of text styles and TextAlign, with TipTap's own results in Chromium
//! (`tests/oracle/text-styles.mjs`): one line for a Highlight without colors, one line for one with.

use copydesk_document::{Document, Schema, parse_fragment};
use serde_json::{Value, json};
use std::sync::Arc;

fn each_configuration(check: impl Fn(&Arc<Schema>, &Value)) {
    let lines: Vec<_> = include_str!("../../../../tests/fixtures/documents/text-styles.jsonl").lines().collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let answers: Value = serde_json::from_str(line).unwrap();
        check(&Schema::from_json(&answers["schema"].to_string()).unwrap(), &answers);
    }
}

fn parsed(schema: &Arc<Schema>, html: &str) -> Document {
    Document::from_blocks(schema.clone(), parse_fragment(html, schema).unwrap())
}

#[test]
fn html_becomes_the_styles_that_tiptap_makes_of_it() {
    each_configuration(|schema, answers| {
        for answer in answers["htmls"].as_array().unwrap() {
            let document = parsed(schema, answer["html"].as_str().unwrap());
            assert_eq!(document.to_json(), answer["doc"].to_string(), "{}", answer["html"]);
        }
    });
}

#[test]
fn styles_become_the_html_that_tiptap_writes_and_what_it_makes_of_that() {
    each_configuration(|schema, answers| {
        for answer in answers["documents"].as_array().unwrap() {
            let document = Document::from_json(&answer["json"].to_string(), schema.clone()).unwrap();
            assert_eq!(document.to_html(), answer["html"].as_str().unwrap());
            let again = parsed(schema, &document.to_html());
            assert_eq!(again.to_json(), answer["doc"].to_string(), "{}", answer["html"]);
        }
    });
}

#[test]
fn the_schema_that_documents_have_without_an_editor_has_no_styles() {
    for name in ["highlight", "subscript", "superscript", "textStyle"] {
        assert_eq!(Schema::tiptap().find_mark(name), None);
    }
}

#[test]
fn the_form_of_types_without_a_definition_is_read_as_well() {
    each_configuration(|schema, _| {
        let html = "<p><span data-type=\"subscript\">a</span><span data-type=\"textStyle\" color=\"red\">b</span></p>";
        let expected = "<p><sub>a</sub><span style=\"color: red;\">b</span></p>";
        assert_eq!(parsed(schema, html).to_html(), expected);
    });
}

#[test]
fn a_value_that_is_more_than_one_declaration_is_not_written() {
    each_configuration(|schema, _| {
        let style = json!({ "color": "red; background: url(//evil.example)", "fontSize": "12px" });
        let marks = json!([{ "type": "textStyle", "attrs": style }]);
        let text = json!({ "type": "text", "text": "tea", "marks": marks });
        let block = json!({ "type": "paragraph", "attrs": { "textAlign": "center; x: y" }, "content": [text] });
        let json = json!({ "type": "doc", "content": [block] });
        let document = Document::from_json(&json.to_string(), schema.clone()).unwrap();
        assert_eq!(document.to_html(), "<p><span style=\"font-size: 12px;\">tea</span></p>");
    });
}

#[test]
fn attributes_that_extensions_add_are_written_and_read() {
    let schema = json!({
        "nodes": [
            { "name": "doc", "content": "block+" },
            { "name": "paragraph", "content": "inline*", "group": "block",
              "attrs": { "id": { "default": null }, "textAlign": { "default": null }, "dir": { "default": "auto" } } },
            { "name": "table", "content": "tableRow+", "group": "block", "attrs": { "textAlign": { "default": null } } },
            { "name": "tableRow", "content": "tableCell*" },
            { "name": "tableCell", "content": "block+",
              "attrs": { "colspan": { "default": 1 }, "rowspan": { "default": 1 }, "backgroundColor": { "default": null } } },
            { "name": "details", "content": "block+", "group": "block", "attrs": { "open": { "default": false } } },
            { "name": "text", "group": "inline" },
        ],
        "marks": [{ "name": "link", "attrs": { "href": {}, "data-id": { "default": null } } }],
    });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let link = json!({ "type": "link", "attrs": { "href": "https://a.b", "data-id": "<7>\"" } });
    let paragraph = json!({
        "type": "paragraph",
        "attrs": { "id": "p-1", "textAlign": "right", "dir": "rtl" },
        "content": [{ "type": "text", "text": "tea", "marks": [link] }],
    });
    let cell =
        json!({ "type": "tableCell", "attrs": { "backgroundColor": "red" }, "content": [{ "type": "paragraph" }] });
    let table = json!({
        "type": "table",
        "attrs": { "textAlign": "center" },
        "content": [{ "type": "tableRow", "content": [cell] }],
    });
    let details = json!({ "type": "details", "attrs": { "open": false }, "content": [paragraph] });
    let json = json!({ "type": "doc", "content": [paragraph, table, details] });
    let document = Document::from_json(&json.to_string(), schema.clone()).unwrap();
    let html = document.to_html();
    let begin = "<p style=\"text-align: right;\" id=\"p-1\" dir=\"rtl\"><a data-id=\"&lt;7&gt;&quot;\" href=\"https://a.b\">tea</a></p>";
    assert!(html.starts_with(begin), "{html}");
    assert!(html.contains("<table style=\"text-align: center; min-width: 25px;\">"), "{html}");
    assert!(html.contains("<td backgroundColor=\"red\">"), "{html}");
    assert!(html.contains("<details><p"), "{html}");
    assert_eq!(parsed(&schema, &html).to_json(), document.to_json(), "{html}");
}

#[test]
fn the_style_of_a_list_states_its_numbering() {
    for (style, kind) in [
        ("list-style-type: upper-roman", json!("I")),
        ("color: red; LIST-STYLE-TYPE : lower-roman ;", json!("i")),
        ("list-style-type: upper-alpha", json!("A")),
        ("list-style-type:lower-latin", json!("a")),
        ("list-style-type:; list-style-type: lower-roman", json!("i")),
        ("list-style-type: square", json!(null)),
        ("list-style: upper-roman", json!(null)),
    ] {
        for html in [
            format!("<ol style=\"{style}\"><li>a</li></ol>"),
            format!("<ol><li style=\"{style}\">a</li><li>b</li></ol>"),
        ] {
            let document = Document::from_html(&html).unwrap();
            assert_eq!(document.blocks()[0].attrs().get("type").unwrap_or(&Value::Null), &kind, "{html}");
        }
    }
}
