//! URLs: those of links that could run a script are neither read nor written.

use copydesk_document::Document;
use copydesk_document::html::unescape;
use serde_json::json;

const ALLOWED: [&str; 12] = [
    "https://a.example/b",
    "HTTP://a.example",
    "mailto:a@b.example",
    "tel:112",
    "/chapter/2",
    "#end",
    "?page=2",
    "chapter-2",
    "chapter/a:b",
    "a?javascript:b",
    "//a.example",
    "web3:a",
];
const FORBIDDEN: [&str; 9] = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " java\tscript:alert(1)",
    "\u{3000}javascript\n:alert(1)",
    "\u{1}javascript:alert(1)",
    "vbscript:a",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "x-app.a+b:c",
];

fn linked(url: &str) -> Document {
    let link = json!({ "type": "link", "attrs": { "href": url } });
    let text = json!({ "type": "text", "text": "here", "marks": [link] });
    let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] });
    Document::from_json(&json.to_string(), Document::from_html("").unwrap().schema().clone()).unwrap()
}

fn read(url: &str) -> String {
    let url = url.replace('&', "&amp;").replace('"', "&quot;");
    Document::from_html(format!("<p><a href=\"{url}\">here</a></p>")).unwrap().to_json()
}

#[test]
fn only_links_with_harmless_urls_are_read() {
    for url in ALLOWED {
        assert!(read(url).contains("\"link\""), "{url:?}");
    }
    for url in FORBIDDEN.iter().chain(&[""]) {
        assert!(!read(url).contains("\"link\""), "{url:?}");
    }
}

#[test]
fn only_harmless_urls_are_written() {
    for url in ALLOWED {
        assert!(linked(url).to_html().contains(&format!("href=\"{url}\"")), "{url:?}");
    }
    for url in FORBIDDEN {
        let html = linked(url).to_html();
        assert!(html.contains("href=\"\"") && html.contains("here"), "{html}");
    }
}

#[test]
fn character_references_in_a_url_are_resolved() {
    for (text, value) in [
        ("https://a.example/?a=1&amp;b=2", "https://a.example/?a=1&b=2"),
        ("java&#115;cript&colon;alert(1)", "javascript:alert(1)"),
        ("&quot;a\" &lt;b>", "\"a\" <b>"),
        ("a & b", "a & b"),
        ("plain", "plain"),
    ] {
        assert_eq!(unescape(text), value);
    }
}
