//! Losses of edits are reported or refused.

use super::guards::{append, code, guarded, guards, replace};
use super::{cell, update};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{Document, Schema};
use copydesk_edit::DocumentCell;
use copydesk_edit::{DocUpdate, EditContext, apply};
use serde_json::{Value, json};

/// Returns the losses of an edit of section 1, in words.
fn drops(old: &str, new: &str) -> Vec<String> {
    let cell = guarded(&format!("<h2>A</h2>{old}"), json!({ "lossless": "report" }));
    let applied = update(&cell, replace(1, new)).unwrap();
    let reported = applied.clone().into_map().remove("dropped");
    assert_eq!(reported.is_some(), !applied.dropped.is_empty());
    applied.dropped.iter().map(|dropped| format!("{} {} {}", dropped.kind, dropped.name, dropped.text)).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn a_link_that_disappears_is_dropped_and_one_that_moves_or_is_renamed_is_not() {
    let link = r#"<p>See <a href="https://a.example">tea <b>leaf</b></a> now.</p>"#;
    assert_eq!(drops(link, "<p>See tea leaf now.</p>"), ["link link tea leaf", "mark bold leaf"]);
    assert_eq!(drops(link, "<p>See now.</p>"), ["link link tea leaf"]);
    assert_eq!(drops(link, r#"<p>x</p><ul><li><p><a href="https://a.example">other</a></p></li></ul>"#), NONE);
    assert_eq!(
        drops(link, r#"<p>See <a href="https://b.example">tea <b>leaf</b></a> now.</p>"#),
        ["link link tea leaf"]
    );
    let two = r#"<p><a href="https://a.example">one</a> and <a href="https://a.example">two</a></p>"#;
    assert_eq!(drops(two, r#"<p><a href="https://a.example">two</a></p>"#), ["link link one"]);
}

#[test]
fn a_picture_its_alternative_text_and_a_table_that_disappear_are_dropped() {
    let image = r#"<p>a</p><img src="https://a.example/1.png" alt="A cup">"#;
    assert_eq!(drops(image, "<p>a</p>"), ["image image A cup"]);
    assert_eq!(drops(image, r#"<p>a</p><img src="https://a.example/1.png">"#), NONE);
    assert_eq!(drops(image, r#"<p>a</p><img src="https://a.example/1.png" alt="">"#), ["image alt A cup"]);
    assert_eq!(drops(image, r#"<img src="https://a.example/1.png" alt="A full cup"><p>b</p>"#), NONE);
    let table = "<table><tbody><tr><td><p>cell</p></td></tr></tbody></table>";
    assert_eq!(drops(table, "<p>cell</p>"), ["node table cell"]);
    assert_eq!(drops(table, "<table><tbody><tr><td><p>other</p></td></tr></tbody></table>"), NONE);
}

#[test]
fn a_plain_mark_is_dropped_where_its_text_stays_and_not_where_the_text_goes_too() {
    let bold = "<p>This is <strong>very important</strong> for <em>everybody</em>.</p>";
    assert_eq!(drops(bold, "<p>This is very important for <em>everybody</em>.</p>"), ["mark bold very important"]);
    assert_eq!(
        drops(bold, "<p>This is most important for everybody.</p>"),
        ["mark bold very important", "mark italic everybody"]
    );
    assert_eq!(drops(bold, "<p>This is for <em>everybody</em>.</p>"), NONE);
    assert_eq!(drops(bold, "<p>All is new.</p>"), NONE);
    assert_eq!(drops(bold, "<p><em>Everybody</em> knows.</p><p>It is <strong>very important</strong>.</p>"), NONE);
    let chinese = "<p>这是<strong>非常重要</strong>的事情。</p>";
    assert_eq!(drops(chinese, "<p>这是非常重要的事情。</p>"), ["mark bold 非常重要"]);
    assert_eq!(drops(chinese, "<p>事情不大。</p>"), NONE);
}

fn custom() -> DocumentCell {
    let mut schema = Schema::tiptap_data();
    let nodes = schema["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "mention", "group": "inline", "inline": true, "atom": true, "attrs": { "id": { "default": null }, "label": { "default": null } } }));
    nodes.push(json!({ "name": "callout", "group": "block", "content": "block+" }));
    schema["marks"]
        .as_array_mut()
        .unwrap()
        .push(json!({ "name": "comment", "attrs": { "commentId": { "default": null } } }));
    let text = |text: &str| json!({ "type": "text", "text": text });
    let document = json!({ "type": "doc", "content": [
        { "type": "heading", "attrs": { "level": 2 }, "content": [text("A")] },
        { "type": "paragraph", "content": [text("Ask "), { "type": "mention", "attrs": { "id": "7", "label": "Ann" } }, text(" first.")] },
        { "type": "paragraph", "content": [{ "type": "text", "text": "doubtful", "marks": [{ "type": "comment", "attrs": { "commentId": "c1" } }] }] },
        { "type": "callout", "content": [{ "type": "paragraph", "content": [text("Mind.")] }] },
    ] });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    DocumentCell::new(Document::from_json(&document.to_string(), schema).unwrap())
}

#[test]
fn mentions_comments_and_custom_blocks_are_dropped_by_name() {
    let cell = custom();
    cell.set_guards(&guards(json!({ "lossless": "report" }))).unwrap();
    let applied = update(&cell, replace(1, "<p>Nothing of it.</p>")).unwrap();
    let message = "Section 1 'A' updated; it dropped mention \"Ann\", comment \"doubtful\", callout \"Mind.\"";
    assert_eq!(applied.message, message);
    assert_eq!(
        Value::from(applied.clone().into_map())["dropped"],
        json!([
            { "type": "node", "name": "mention", "text": "Ann" },
            { "type": "mark", "name": "comment", "text": "doubtful" },
            { "type": "node", "name": "callout", "text": "Mind." },
        ])
    );
}

#[test]
fn reject_refuses_until_the_loss_is_confirmed() {
    let html = r#"<h2>A</h2><p>See <a href="https://a.example">tea</a>.</p>"#;
    let cell = guarded(html, json!({ "lossless": "reject" }));
    let error = update(&cell, replace(1, "<p>See tea.</p>")).unwrap_err();
    assert_eq!(error.code(), "would_drop");
    assert_eq!(
        error.details(),
        json!({ "dropped": [{ "type": "link", "name": "link", "text": "tea", "url": "https://a.example" }] })
    );
    for (locale, words) in [
        (Locale::En, ["link \"tea\" (https://a.example)", "confirmDrop: true"]),
        (Locale::ZhCn, ["链接“tea”", "confirmDrop: true"]),
    ] {
        assert!(words.iter().all(|word| error.message(locale).contains(word)), "{}", error.message(locale));
    }
    assert_eq!(cell.document().to_html(), Document::from_html(html).unwrap().to_html());
    let context = EditContext { confirm_drop: true, ..EditContext::default() };
    let applied = apply(&cell, &DocUpdate::from_value(&replace(1, "<p>See tea.</p>")).unwrap(), &context).unwrap();
    assert_eq!(applied.dropped.len(), 1, "and the result still says so");
}

#[test]
fn the_confirmation_is_read_from_an_update() {
    use copydesk_edit::operation::EditOptions;
    let confirms = |given| EditOptions::read(&given).map(|options| options.confirm_drop == Some(true));
    assert_eq!(confirms(json!({ "confirmDrop": true })), Ok(true));
    assert_eq!(confirms(json!({ "confirmDrop": "true" })), Ok(true));
    for given in [json!({}), json!({ "confirmDrop": null }), json!({ "confirmDrop": false })] {
        assert_eq!(confirms(given), Ok(false));
    }
    let error = confirms(json!({ "confirmDrop": 1 })).unwrap_err();
    assert_eq!(error.message(copydesk_base::Locale::En).split(';').next(), Some("confirmDrop is 1"));
}

#[test]
fn nothing_is_reported_where_lossless_is_off_or_nothing_is_lost() {
    let link = r#"<h2>A</h2><p><a href="https://a.example">tea</a></p>"#;
    let applied = update(&cell(link), replace(1, "<p>tea</p>")).unwrap();
    assert!(applied.dropped.is_empty() && !applied.clone().into_map().contains_key("dropped"));
    let cell = guarded(link, json!({ "lossless": "reject" }));
    assert_eq!(code(&cell, append()), "ok");
}
