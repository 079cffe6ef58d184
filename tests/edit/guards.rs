use super::{cell, update};
use copydesk::document::{Document, Schema};
use copydesk::edit::{Applied, Change, DocUpdate, EditContext, Guards, Origin, Provenance, apply};
use copydesk::edit::{DocumentCell, DocumentHost};
use copydesk::{Error, Locale};
use serde_json::{Value, json};
use std::rc::Rc;

const TEA: &str =
    "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Legal</h2><p>As is.</p><h2>End</h2><p>Fin.</p>";

fn guards(given: Value) -> Guards {
    serde_json::from_value(given).unwrap()
}

/// A document of this HTML with guards.
fn guarded(html: &str, given: Value) -> DocumentCell {
    let cell = cell(html);
    cell.set_guards(&guards(given)).unwrap();
    cell
}

/// The code of the error that an update gives, having made sure that the document stayed as it was; or `ok`.
fn code(cell: &DocumentCell, given: Value) -> &'static str {
    let before = cell.document();
    match update(cell, given) {
        Ok(_) => "ok",
        Err(error) => {
            assert_eq!(cell.document().to_json(), before.to_json());
            assert_eq!(cell.document().version(), before.version());
            error.code()
        }
    }
}

/// An edit of a model that knows these addresses.
fn as_agent(cell: &DocumentCell, given: Value, known: &[&str]) -> Result<Applied, Error> {
    let provenance = Provenance { urls: known.iter().map(|url| (*url).to_owned()).collect() };
    let context = EditContext { provenance: Some(Rc::new(provenance)), ..EditContext::default() };
    apply(cell, &DocUpdate::from_value(&given)?, &context)
}

/// As the person types: past all guards.
fn person(cell: &DocumentCell, change: impl Fn(&Document) -> Change) {
    let change = change(&cell.document());
    cell.dispatch(&[change], &Origin::default()).unwrap();
}

fn replace(index: usize, content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": index, "content": content })
}

fn insert(index: usize) -> Value {
    json!({ "operation": "insert", "sectionIndex": index, "title": "New", "content": "<p>x</p>" })
}

fn append() -> Value {
    json!({ "operation": "append", "title": "New", "content": "<p>x</p>" })
}

fn delete(index: usize) -> Value {
    json!({ "operation": "delete", "sectionIndex": index })
}

fn image(index: usize, position: &str) -> Value {
    json!({ "operation": "insert_image", "sectionIndex": index, "imageUrl": "https://a.example/1.png",
            "imageDescription": "x", "position": position })
}

// Where.

#[test]
fn only_the_sections_in_scope_can_be_changed() {
    for scope in [json!([1]), json!(["History"])] {
        let cell = guarded(TEA, json!({ "scope": { "sections": scope } }));
        for (index, expected) in [(0, "out_of_scope"), (2, "out_of_scope"), (3, "out_of_scope"), (1, "ok")] {
            assert_eq!(code(&cell, replace(index, "<p>Other.</p>")), expected, "section {index}");
        }
        assert_eq!(code(&cell, delete(3)), "out_of_scope");
        assert_eq!(code(&cell, append()), "out_of_scope");
        assert_eq!(code(&cell, insert(3)), "out_of_scope");
    }
}

#[test]
fn a_picture_at_the_border_belongs_to_the_section_that_it_would_stand_in() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, image(1, "before_section")), "out_of_scope", "it would stand at the end of section 0");
    assert_eq!(code(&cell, image(2, "after_section")), "out_of_scope");
    assert_eq!(code(&cell, image(2, "before_section")), "ok", "it stands at the end of section 1");
    assert_eq!(code(&cell, image(1, "after_section")), "ok");
}

#[test]
fn what_is_added_in_the_scope_belongs_to_it() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, replace(1, "<p>a</p><h2>Second</h2><p>b</p>")), "ok");
    assert_eq!(code(&cell, replace(2, "<p>c</p>")), "ok", "the new section");
    assert_eq!(code(&cell, replace(3, "<p>c</p>")), "out_of_scope", "what was section 2");
    assert_eq!(code(&cell, delete(1)), "ok");
    assert_eq!(code(&cell, replace(1, "<p>d</p>")), "ok");
}

#[test]
fn several_sections_can_be_in_scope_and_section_0_even_when_it_is_empty() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [3, "History"] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "ok");
    let cell = guarded("<h2>A</h2><p>a</p>", json!({ "scope": { "sections": [0] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(0, "<p>x</p>")), "ok");
    let cell = guarded("<h2>A</h2><p>a</p>", json!({ "scope": { "sections": [1] } }));
    assert_eq!(code(&cell, replace(0, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, delete(1)), "ok");
}

#[test]
fn a_scope_moves_with_its_sections_when_the_person_types() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [2] } }));
    let heading = Document::from_html("<h2>Before</h2><p>x</p>").unwrap().blocks().to_vec();
    person(&cell, |document| {
        let at = document.sections()[1].from;
        Change { from: at, to: at, content: heading.clone() }
    });
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "out_of_scope", "what was section 1");
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "ok");
}

#[test]
fn a_selection_is_widened_to_the_blocks_it_touches() {
    let html = "<h2>A</h2><p>one</p><p>two</p><p>three</p>";
    let document = Document::from_html(html).unwrap();
    let (from, to) = (document.block_start(2) + 2, document.block_start(2) + 3);
    for (from, to) in [(from, to), (from, from), (document.block_start(2), document.block_start(3))] {
        let cell = guarded(html, json!({ "scope": { "from": from, "to": to } }));
        let error = update(&cell, replace(1, "<p>ONE</p><p>two</p><p>three</p>")).unwrap_err();
        assert_eq!(error, Error::OutOfScope { sections: vec![], lines: Some((3, 3)) });
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>two</p><p>THREE</p>")), "out_of_scope");
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>2</p><p>more</p><p>three</p>")), "ok");
        assert_eq!(code(&cell, replace(1, "<p>one</p><p>2</p><p>even more</p><p>three</p>")), "ok");
    }
}

#[test]
fn nothing_can_be_changed_when_the_scope_is_empty() {
    let cell = guarded(TEA, json!({ "scope": { "sections": [] } }));
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "out_of_scope");
    assert_eq!(code(&cell, replace(1, "<p>Old.</p>")), "ok", "an edit that changes nothing");
}

#[test]
fn a_locked_section_keeps_its_text_its_heading_and_its_borders() {
    for named in [json!([2]), json!(["Legal"]), json!(["2. Legal"])] {
        let cell = guarded(TEA, json!({ "locked": named }));
        let retitle = json!({ "operation": "replace", "sectionIndex": 2, "title": "Law", "content": "<p>As is.</p>" });
        for given in [
            replace(2, "<p>Other.</p>"),
            replace(2, "<h2>Split</h2><p>As is.</p>"),
            retitle,
            delete(2),
            image(2, "after_section"),
            image(3, "before_section"),
        ] {
            assert_eq!(code(&cell, given.clone()), "locked", "{given}");
        }
        assert_eq!(code(&cell, image(2, "before_section")), "ok", "it stands at the end of section 1");
        assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
        assert_eq!(code(&cell, insert(2)), "ok", "a section before it");
        assert_eq!(code(&cell, insert(4)), "ok", "a section after it");
        assert_eq!(code(&cell, replace(3, "<p>x</p>")), "locked", "it is section 3 now");
        assert_eq!(code(&cell, append()), "ok");
    }
}

#[test]
fn an_h2_that_would_split_a_locked_section_is_refused() {
    let cell = guarded("<h2>A</h2><p>one</p><p>two</p>", json!({ "locked": [1] }));
    assert_eq!(code(&cell, replace(1, "<p>one</p><h2>x</h2><p>two</p>")), "locked");
    assert_eq!(code(&cell, replace(1, "<p>one</p><p>two</p><h2>x</h2>")), "ok", "that is a section after it");
    let cell = guarded(TEA, json!({ "locked": [0] }));
    assert_eq!(code(&cell, replace(0, "<h2>x</h2><p>A leaf.</p>")), "locked");
    assert_eq!(code(&cell, image(1, "before_section")), "locked");
    assert_eq!(code(&cell, insert(1)), "ok");
}

#[test]
fn a_section_can_be_appended_after_a_locked_one_that_ends_in_an_empty_paragraph() {
    let cell = guarded("<h2>A</h2><p>a</p><p></p>", json!({ "locked": [1] }));
    assert_eq!(code(&cell, append()), "ok");
    assert_eq!(code(&cell, replace(1, "<p>b</p>")), "locked");
}

#[test]
fn a_locked_section_is_found_again_by_its_title_when_its_heading_was_made_anew() {
    let cell = guarded(TEA, json!({ "locked": ["Legal"] }));
    let (wholly_other, legal) =
        (Document::from_html("<table><tr><td>x</td></tr></table>").unwrap(), "<h2>Legal</h2><p>Now.</p>");
    let range = |document: &Document| (document.sections()[2].from, document.sections()[2].to);
    let blocks = wholly_other.blocks().to_vec();
    person(&cell, |document| Change { from: range(document).0, to: range(document).1, content: blocks.clone() });
    assert_eq!(code(&cell, replace(1, "<p>x</p>")), "ok");
    let blocks = Document::from_html(legal).unwrap().blocks().to_vec();
    person(&cell, |document| Change { from: document.size(), to: document.size(), content: blocks.clone() });
    assert_eq!(code(&cell, replace(3, "<p>x</p>")), "locked");
}

#[test]
fn a_locked_section_that_the_person_retitled_stays_locked() {
    let cell = guarded(TEA, json!({ "locked": ["Legal"] }));
    person(&cell, |document| {
        let at = document.sections()[2].from + 1;
        let text = copydesk::document::Node::text_node(document.schema(), "Wholly il", Default::default());
        Change { from: at, to: at + 1, content: vec![text] }
    });
    assert_eq!(cell.document().sections()[2].title, "Wholly ilegal");
    assert_eq!(code(&cell, replace(2, "<p>x</p>")), "locked");
}

#[test]
fn settings_that_are_wrong_name_their_field() {
    for (given, said) in [
        (json!({ "lock": [1] }), "lock must be left out"),
        (json!({ "locked": 1 }), "locked must be an array"),
        (json!({ "locked": [true] }), "locked must be an array of sections"),
        (json!({ "scope": {} }), "from must be a whole number"),
        (json!({ "scope": { "from": 5, "to": 4 } }), "scope.to must be scope.from or more"),
        (json!({ "lossless": "yes" }), "lossless must be \"off\""),
        (json!({ "images": { "hosts": ["https://a.example/"] } }), "images must be \"any\" or"),
        (json!({ "links": "some" }), "links must be \"any\" or"),
    ] {
        let error = serde_json::from_value::<Guards>(given.clone()).unwrap_err().to_string();
        assert!(error.starts_with(said), "{given}: {error}");
    }
    for given in [json!({ "locked": [4] }), json!({ "locked": ["Law"] }), json!({ "scope": { "sections": [9] } })] {
        let error = guards(given).bind(&Document::from_html(TEA).unwrap()).unwrap_err();
        assert_eq!(error.code(), "config");
        assert!(error.message(Locale::En).contains("2 'Legal'"), "{error}");
    }
}

// What is dropped.

/// What an edit of section 1 drops, in words.
fn drops(old: &str, new: &str) -> Vec<String> {
    let cell = guarded(&format!("<h2>A</h2>{old}"), json!({ "lossless": "report" }));
    let applied = update(&cell, replace(1, new)).unwrap();
    let reported = applied.to_map().remove("dropped");
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
    assert_eq!(drops(image, r#"<p>a</p><img src="https://a.example/1.png">"#), ["image alt A cup"]);
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
    let mut schema: Value = serde_json::from_str(include_str!("../../src/document/tiptap.json")).unwrap();
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
        Value::from(applied.to_map())["dropped"],
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
    use copydesk::edit::guard::confirms_drop;
    assert!(confirms_drop(&json!({ "confirmDrop": true })) && confirms_drop(&json!({ "confirmDrop": "true" })));
    assert!(!confirms_drop(&json!({})) && !confirms_drop(&json!({ "confirmDrop": 1 })) && !confirms_drop(&json!(null)));
}

#[test]
fn nothing_is_reported_where_lossless_is_off_or_nothing_is_lost() {
    let link = r#"<h2>A</h2><p><a href="https://a.example">tea</a></p>"#;
    let applied = update(&cell(link), replace(1, "<p>tea</p>")).unwrap();
    assert!(applied.dropped.is_empty() && !applied.to_map().contains_key("dropped"));
    let cell = guarded(link, json!({ "lossless": "reject" }));
    assert_eq!(code(&cell, append()), "ok");
}

// Addresses.

#[test]
fn addresses_that_run_code_read_files_or_carry_passwords_are_never_written() {
    for href in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " \u{1}javascript:alert(1)",
        "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "java&#10;script:alert(1)",
        "&#106;avascript:alert(1)",
        "javascript&colon;alert(1)",
        "java\u{ad}script:alert(1)",
        "\u{200b}javascript:alert(1)",
        "vbscript:msgbox(1)",
        "data:text/html,<script>alert(1)</script>",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "https://user:password@a.example/",
        "https://user@a.example/",
        "https:\\\\user@a.example/",
        "//user:password@a.example/",
    ] {
        let content = format!("<p>See <a href=\"{href}\">this</a>.</p>");
        let error = update(&cell(TEA), replace(1, &content)).unwrap_err();
        assert_eq!(error.code(), "invalid_url", "{href:?}");
        assert!(matches!(&error, Error::UnsafeUrl { name, .. } if name == "href"), "{error:?}");
    }
    for src in ["javascript:alert(1)", "data:text/html,x", "file:///a.png", "https://a:b@a.example/1.png"] {
        let content = format!("<p>x</p><img src=\"{src}\">");
        assert_eq!(code(&cell(TEA), replace(1, &content)), "invalid_url", "{src}");
    }
}

#[test]
fn ordinary_addresses_are_written_and_code_that_shows_others_too() {
    for content in [
        r##"<p><a href="https://a.example/x?y=1#z">a</a> <a href="/here">b</a> <a href="#there">c</a></p>"##,
        r#"<p><a href="mailto:ann@a.example">a</a> <a href="tel:+123">b</a> <a href="https://a.example/@ann">c</a></p>"#,
        r#"<p><a href="/javascript:x">a</a> <a href="https://a.example/javascript:x">b</a></p>"#,
        r#"<pre><code>&lt;a href="javascript:alert(1)"&gt;</code></pre>"#,
        r#"<p>x</p><!-- <a href="javascript:alert(1)">x</a> -->"#,
        "Write javascript:void(0) in the href=\"\" field",
        r#"<p>x</p><img src="data:image/png;base64,AAAA">"#,
        r#"<p>x</p><img src="https://anywhere.example/a.png"><img src="/own.png">"#,
    ] {
        assert_eq!(code(&cell(TEA), replace(1, content)), "ok", "{content}");
    }
}

#[test]
fn an_address_that_stands_in_the_document_already_is_not_the_edits_doing() {
    let link = json!({ "type": "link", "attrs": { "href": "javascript:old()" } });
    let document = json!({ "type": "doc", "content": [
        { "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "A" }] },
        { "type": "paragraph", "content": [{ "type": "text", "text": "old", "marks": [link] }] },
    ] });
    let cell = DocumentCell::new(Document::from_json(&document.to_string(), Schema::tiptap()).unwrap());
    assert_eq!(code(&cell, replace(1, r#"<p><a href="javascript:old()">old</a> text</p>"#)), "ok");
    assert_eq!(code(&cell, replace(1, r#"<p><a href="javascript:new()">old</a></p>"#)), "invalid_url");
}

#[test]
fn a_models_pictures_come_from_tools_the_person_the_document_or_allowed_hosts() {
    let picture = |src: &str| replace(1, &format!("<p>x</p><img src=\"{src}\">"));
    let html = format!("{TEA}<img src=\"https://old.example/1.png\">");
    let known = ["https://found.example/1.png?a=1&b=2"];
    let hosts = json!({ "images": { "hosts": ["cdn.example", "*.img.example"] } });
    for (src, plainly, with_hosts) in [
        ("https://evil.example/?q=secret", "url_not_allowed", "url_not_allowed"),
        ("https://found.example/1.png?a=1&amp;b=2", "ok", "ok"),
        ("https://found.example/1.png?a=1&amp;b=3", "url_not_allowed", "url_not_allowed"),
        ("https://old.example/1.png", "ok", "ok"),
        ("https://old.example/1.png#secret", "url_not_allowed", "url_not_allowed"),
        ("https://cdn.example/x.png", "url_not_allowed", "ok"),
        ("https://CDN.example:8443/x.png", "url_not_allowed", "ok"),
        ("//cdn.example/x.png", "url_not_allowed", "ok"),
        ("https://a.img.example/x.png", "url_not_allowed", "ok"),
        ("https://img.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("https://cdn.example.evil.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("https://evil.example/cdn.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("https:evil.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("\\\\evil.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("https://evil.example\\@cdn.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("https://notimg.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("ftp://cdn.example/x.png", "url_not_allowed", "url_not_allowed"),
        ("/logout", "url_not_allowed", "url_not_allowed"),
    ] {
        for (given, expected) in [(json!({}), plainly), (hosts.clone(), with_hosts)] {
            let outcome = as_agent(&guarded(&html, given.clone()), picture(src), &known);
            assert_eq!(outcome.as_ref().map_or_else(Error::code, |_| "ok"), expected, "{src} with {given}");
        }
    }
    let any = guarded(TEA, json!({ "images": "any" }));
    assert!(as_agent(&any, picture("https://evil.example/?q=secret"), &[]).is_ok());
}

#[test]
fn what_may_be_used_instead_is_in_the_error() {
    let cell = guarded(TEA, json!({ "images": { "hosts": ["cdn.example"] } }));
    let error = as_agent(&cell, image(1, "after_section"), &[]).unwrap_err();
    let (en, zh) = (error.message(Locale::En), error.message(Locale::ZhCn));
    assert!(
        ["picture \"https://a.example/1.png\"", "cdn.example", "search_image"].iter().all(|word| en.contains(word)),
        "{en}"
    );
    assert!(
        ["图片“https://a.example/1.png”", "cdn.example", "search_image"].iter().all(|word| zh.contains(word)),
        "{zh}"
    );
}

#[test]
fn the_apps_own_edits_are_held_to_the_hosts_that_it_set_and_to_no_others() {
    let cell = guarded(TEA, json!({ "images": { "hosts": ["cdn.example"] }, "links": { "hosts": ["a.example"] } }));
    assert_eq!(code(&cell, image(1, "after_section")), "url_not_allowed");
    for (content, expected) in [
        (r#"<img src="https://cdn.example/1.png"><img src="/own.png">"#, "ok"),
        (r#"<p><a href="https://a.example/x">x</a></p>"#, "ok"),
        (r##"<p><a href="mailto:ann@b.example">x</a><a href="#x">y</a><a href="/y">z</a></p>"##, "ok"),
        (r#"<p><a href="https://b.example/x">x</a></p>"#, "url_not_allowed"),
        (r#"<p><a href="//b.example/x">x</a></p>"#, "url_not_allowed"),
    ] {
        assert_eq!(code(&cell, replace(1, content)), expected, "{content}");
    }
}

#[test]
fn addresses_are_found_in_what_tools_say() {
    let mut seen = Provenance::default();
    let result = json!({
        "images": [{ "url": "https://a.example/1.png?x=(1)", "size": 3 }],
        "text": "See https://b.example/x, (https://c.example/y_(z)). And HTTP://D.example/q! 见https://e.example/页，好。",
        "markdown": "![x](https://f.example/1.png)![y](https://g.example/2.png \"t\")",
        "html": "<img src=\"https://h.example/?a=1&amp;b=2\"> ftp://no.example http:// x://y.example ahttps://i.example",
    });
    copydesk::edit::provenance::collect(&result, &mut seen);
    for url in [
        "https://a.example/1.png?x=(1)",
        "https://b.example/x",
        "https://c.example/y_(z)",
        "HTTP://D.example/q",
        "https://e.example/页",
        "https://f.example/1.png",
        "https://g.example/2.png",
        "https://h.example/?a=1&b=2",
        "https://i.example",
    ] {
        assert!(seen.knows(url), "{url} is not in {:?}", seen.urls);
    }
    assert!(!seen.urls.iter().any(|url| url.contains("no.example") || url.contains("y.example")));
}

#[test]
fn what_tools_say_is_kept_within_bounds() {
    let mut seen = Provenance::default();
    let many: String = (0..20_000).map(|number| format!("https://a.example/{number} ")).collect();
    let long = format!("https://b.example/{}", "x".repeat(10_000));
    copydesk::edit::provenance::collect(&json!([long, many, "https://", "http://é"]), &mut seen);
    assert_eq!(seen.urls.len(), 5_000);
    assert!(!seen.knows(&long));
    let deep = (0..10_000).fold(json!("https://a.example/deep"), |inner, _| Value::Array(vec![inner]));
    copydesk::edit::provenance::collect(&deep, &mut Provenance::default());
    std::mem::forget(deep);
}
