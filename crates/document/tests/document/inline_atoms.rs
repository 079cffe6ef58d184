//! The leaves of TipTap's Mention, Mathematics, Emoji, Audio and YouTube, with TipTap's own results in Chromium
//! (`tests/oracle/inline-atoms.mjs`).

use copydesk_document::{Document, Schema, parse_fragment};
use serde_json::{Value, json};
use std::sync::Arc;

fn answers() -> (Arc<Schema>, Value) {
    let answers = include_str!("../../../../tests/fixtures/documents/inline-atoms.jsonl");
    let answers: Value = serde_json::from_str(answers).unwrap();
    (Schema::from_json(&answers["schema"].to_string()).unwrap(), answers)
}

fn parsed(schema: &Arc<Schema>, html: &str) -> Document {
    Document::from_blocks(schema.clone(), parse_fragment(html, schema).unwrap())
}

#[test]
fn html_becomes_the_leaves_that_tiptap_makes_of_it() {
    let (schema, answers) = answers();
    for answer in answers["htmls"].as_array().unwrap() {
        let document = parsed(&schema, answer["html"].as_str().unwrap());
        assert_eq!(document.to_json(), answer["doc"].to_string(), "{}", answer["html"]);
    }
}

#[test]
fn leaves_become_the_html_that_tiptap_writes_and_what_it_makes_of_that() {
    let (schema, answers) = answers();
    for answer in answers["documents"].as_array().unwrap() {
        let document = Document::from_json(&answer["json"].to_string(), schema.clone()).unwrap();
        assert_eq!(document.to_html(), answer["html"].as_str().unwrap());
        let again = parsed(&schema, &document.to_html());
        assert_eq!(again.to_json(), answer["doc"].to_string(), "{}", answer["html"]);
    }
}

#[test]
fn the_schema_that_documents_have_without_an_editor_has_none_of_them() {
    for name in ["mention", "inlineMath", "blockMath", "emoji", "audio", "youtube"] {
        assert_eq!(Schema::tiptap().find_node(name), None);
    }
}

#[test]
fn the_form_of_types_without_a_definition_is_read_as_well() {
    let (schema, _) = answers();
    let inline = json!([
        { "type": "mention", "attrs": { "id": "u9", "label": "Ann", "mentionSuggestionChar": "#" } },
        { "type": "inlineMath", "attrs": { "latex": "7" } },
        { "type": "emoji", "attrs": { "name": "tea" } },
    ]);
    let options = json!({
        "src": "/a.mp3", "controls": false, "autoplay": false, "loop": true, "muted": false, "preload": "none",
        "controlslist": null, "crossorigin": null, "disableremoteplayback": false,
    });
    let video = json!({ "src": "https://youtu.be/a", "start": 7, "width": 640, "height": "50%" });
    let expected = json!({ "type": "doc", "content": [
        { "type": "paragraph", "content": inline },
        { "type": "blockMath", "attrs": { "latex": "x < y" } },
        { "type": "audio", "attrs": options },
        { "type": "youtube", "attrs": video },
    ] });
    let html = "<p><span data-type=\"mention\" id=\"u9\" label=\"Ann\" mentionSuggestionChar=\"#\">#Ann</span>\
        <span data-type=\"inlineMath\" latex=\"7\">$7$</span><span data-type=\"emoji\" name=\"tea\">:tea:</span></p>\
        <div data-type=\"blockMath\" latex=\"x &lt; y\"></div>\
        <div data-type=\"audio\" src=\"/a.mp3\" controls=\"false\" loop=\"true\" preload=\"none\"></div>\
        <div data-type=\"youtube\" src=\"https://youtu.be/a\" start=\"7\" height=\"50%\"></div>";
    assert_eq!(parsed(&schema, html).to_json(), expected.to_string());
}

#[test]
fn an_id_beside_the_attributes_of_the_extension_is_not_that_of_the_mention() {
    let (schema, _) = answers();
    let html = "<p><span data-type=\"mention\" id=\"element\" data-label=\"Ann\">@Ann</span></p>";
    let mention = json!({ "type": "mention", "attrs": { "id": null, "label": "Ann", "mentionSuggestionChar": "@" } });
    let expected = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [mention] }] });
    assert_eq!(parsed(&schema, html).to_json(), expected.to_string());
}

#[test]
fn leaves_with_other_attributes_are_written_and_read() {
    let leaf = |name: &str, attrs: Value| json!({ "name": name, "group": "inline", "inline": true, "attrs": attrs });
    let none = json!({ "default": null });
    let schema = json!({ "nodes": [
        { "name": "doc", "content": "paragraph+" },
        { "name": "paragraph", "content": "inline*" },
        { "name": "text", "group": "inline" },
        leaf("mention", json!({ "id": {}, "label": none, "team": none })),
        leaf("inlineMath", json!({ "latex": { "default": "" }, "display": { "default": false } })),
        leaf("mathInline", json!({ "latex": { "default": "" } })),
    ] });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let content = json!([
        { "type": "mention", "attrs": { "id": "u9", "label": "Ann", "team": "<b>\"" } },
        { "type": "inlineMath", "attrs": { "latex": "x", "display": true } },
        { "type": "mathInline", "attrs": { "latex": "y" } },
    ]);
    let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": content }] });
    let document = Document::from_json(&json.to_string(), schema.clone()).unwrap();
    let html = document.to_html();
    for part in ["data-id=\"u9\" data-label=\"Ann\">@Ann</span>", "data-latex=\"x\" data-type=\"inline-math\"></span>"]
    {
        assert!(html.contains(part), "{html} has no {part}");
    }
    assert_eq!(parsed(&schema, &html).to_json(), document.to_json(), "{html}");
}
