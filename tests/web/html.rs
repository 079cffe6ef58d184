//! Compares the attributes that `DOMParser` finds in the page build with those that html5ever finds in the full
//! build.

use copydesk::html::attributes;
use copydesk_document::html::each_attribute;
use copydesk_test_support::random::Random;
use serde_json::Value;
use std::collections::BTreeSet;
use wasm_bindgen_test::*;

type Attribute = (String, String, String);

/// DOMPurify's published attacks.
const VECTORS: &str = include_str!("../fixtures/dompurify/expect.mjs");

fn of_page(html: &str) -> Vec<Attribute> {
    let found = attributes(html).unwrap();
    sorted(found.into_iter().map(|found| (found.element, found.name, found.value)).collect())
}

fn of_html5ever(html: &str) -> Vec<Attribute> {
    let mut found = Vec::new();
    each_attribute(html, &mut |element, name, value| found.push((element.into(), name.into(), value.into()))).unwrap();
    sorted(found)
}

fn sorted(mut attributes: Vec<Attribute>) -> Vec<Attribute> {
    attributes.sort();
    // Repetitions of unclosed elements are not compared.
    attributes.dedup();
    attributes
}

/// Attributes of `html` and `body` may come from several tags. html5ever reports all of them, a browser the first of
/// each name.
fn around((element, ..): &Attribute) -> bool {
    element == "html" || element == "body"
}

#[track_caller]
fn same(html: &str) {
    let (page, full) = (of_page(html), of_html5ever(html));
    let (page_around, page): (Vec<_>, Vec<_>) = page.into_iter().partition(around);
    let (full_around, full): (Vec<_>, Vec<_>) = full.into_iter().partition(around);
    assert_eq!(page, full, "{html}");
    let names = |found: &[Attribute]| found.iter().map(|(_, name, _)| name.clone()).collect::<BTreeSet<_>>();
    assert_eq!(names(&page_around), names(&full_around), "{html}");
    for (_, name, value) in page_around {
        assert!(full_around.contains(&("body".into(), name, value)), "{html}");
    }
}

#[wasm_bindgen_test]
fn attacks_show_the_same_attributes() {
    let vectors = VECTORS.trim_start_matches("export default").trim().trim_end_matches(';');
    let vectors: Vec<Value> = serde_json::from_str(vectors).unwrap();
    assert_eq!(vectors.len(), 213);
    for vector in &vectors {
        same(vector["payload"].as_str().unwrap());
    }
}

#[wasm_bindgen_test]
fn names_in_the_html_hide_no_attribute() {
    for name in
        ["attributes", "localName", "content", "textContent", "querySelectorAll", "childNodes", "length", "item"]
    {
        same(&format!("<form onclick=x><input name={name}><input id={name}></form><form name={name} action=y></form>"));
        same(&format!("<img name={name} src=x><img id={name} src=y><object id={name} data=z></object><p title=t>"));
        same(&format!("<template><form action=a><input name={name}></form></template><p {name}=b item=c>"));
    }
}

#[wasm_bindgen_test]
fn templates_scripts_and_foreign_elements_are_read() {
    for html in [
        "<template><img src=a><template><img src=b></template></template><p title=c>",
        "<template shadowrootmode=open><img src=a></template>",
        "<script src=a>let b = '<img src=c>';</script><style>p { background: url(d) }</style>",
        "<svg viewbox=a><a xlink:href=b><style>url(c)</style></a></svg><a xlink:href=d>",
        "<math><mtext><mglyph><style><img src=a></style></mtext></math>",
        "<noscript><p title=\"</noscript><img src=a>\"></noscript>",
        "<body onload=a><body onload=b class=c><html lang=d>",
        "<frameset onload=a><frame src=b></frameset>",
        "<p title='&lt;&amp;&notin;&not;in&#106;&#x0;'>",
        "<p a=1 A=2 title=\"\r\n\0\">",
        "a text, <!-- <img src=a> --> and <",
        "",
    ] {
        same(html);
    }
}

#[wasm_bindgen_test]
fn random_html_shows_the_same_attributes() {
    // Without `select`, whose content Chromium parses by newer rules, and `template`, in which html5ever drops a
    // nested form.
    const TAGS: [&str; 21] = [
        "a",
        "b",
        "form",
        "input",
        "img",
        "p",
        "svg",
        "math",
        "mtext",
        "foreignObject",
        "title",
        "style",
        "script",
        "table",
        "tr",
        "td",
        "noscript",
        "textarea",
        "body",
        "iframe",
        "li",
    ];
    const PARTS: [&str; 14] = [
        " href=a",
        " src='b'",
        " style=\"c\"",
        " xlink:href=d",
        " onclick=e",
        " name=attributes",
        " id=localName",
        ">",
        ">",
        "/>",
        "text",
        "<!--",
        "-->",
        "&amp;",
    ];
    let mut random = Random::from_seed(1);
    for _ in 0..3000 {
        let mut html = String::new();
        for _ in 0..random.below(20) {
            match random.below(3) {
                0 => html += PARTS[random.below(PARTS.len())],
                1 => html += &["</", TAGS[random.below(TAGS.len())], ">"].concat(),
                _ => html += &["<", TAGS[random.below(TAGS.len())], PARTS[random.below(7)], ">"].concat(),
            }
        }
        same(&html);
    }
}
