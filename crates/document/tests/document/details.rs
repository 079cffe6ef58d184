//! The nodes of TipTap's Details extension, with TipTap's own results in Chromium (`tests/oracle/details.mjs`): one
//! line for the extension with its defaults, one with `persist`.

use copydesk_document::{Document, Schema, Style, parse_fragment};
use serde_json::Value;
use std::sync::Arc;

fn each_configuration(check: impl Fn(&Arc<Schema>, &Value)) {
    let lines: Vec<_> = include_str!("../../../../tests/fixtures/documents/details.jsonl").lines().collect();
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
fn html_becomes_the_details_that_tiptap_makes_of_it() {
    each_configuration(|schema, answers| {
        for answer in answers["htmls"].as_array().unwrap() {
            let document = parsed(schema, answer["html"].as_str().unwrap());
            assert_eq!(document.to_json(), answer["doc"].to_string(), "{}", answer["html"]);
            assert_eq!(document.to_html(), answer["editorHtml"].as_str().unwrap(), "{}", answer["html"]);
        }
    });
}

#[test]
fn details_become_the_html_that_tiptap_writes_and_what_it_makes_of_that() {
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
fn a_summary_and_its_content_are_shown_as_such() {
    each_configuration(|schema, _| {
        let html =
            "<details><summary>Tea</summary><div data-type=\"detailsContent\"><p>A<br>drink.</p></div></details>";
        let shown = parsed(schema, html).numbered(None, None, Style::Structure).unwrap();
        assert_eq!(shown, "3 lines, version v1\n1: ▸ Tea\n2:   A\n3:   drink.");
    });
}

#[test]
fn the_schema_that_documents_have_without_an_editor_has_no_details() {
    for name in ["details", "detailsSummary", "detailsContent"] {
        assert_eq!(Schema::tiptap().find_node(name), None);
    }
}
