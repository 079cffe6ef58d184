//! Invalid input gives a typed error or the same result as TipTap, never a panic, a hang or a stack overflow.

use copydesk_document::Error;
use copydesk_document::{Document, MAX_DEPTH, MAX_HTML_BYTES, Schema, Style};

fn html(html: &str) -> Result<Document, Error> {
    Document::from_html(html)
}

fn json(json: &str) -> Result<Document, Error> {
    Document::from_json(json, Schema::tiptap())
}

fn nested(depth: usize) -> String {
    let (open, close) = (r#"{"type":"blockquote","content":["#.repeat(depth), "]}".repeat(depth));
    format!(r#"{{"type":"doc","content":[{open}{{"type":"paragraph"}}{close}]}}"#)
}

#[test]
fn a_hundred_thousand_nested_tags_are_too_deep() {
    for tag in ["div", "blockquote", "ul><li", "table><tr><td", "font", "b", "p", "a href=x", "svg", "template"] {
        let nested = format!("<{tag}>").repeat(100_000);
        match html(&nested) {
            Err(Error::TooDeep { .. }) => {}
            // What closes itself does not nest.
            Ok(_) if matches!(tag, "p" | "a href=x" | "b") => {}
            other => panic!("{tag}: {:?}", other.map(|document| document.size())),
        }
    }
}

#[test]
fn a_few_hundred_nested_tags_are_read_as_tiptap_reads_them() {
    let document = html(&format!("{}x{}", "<div>".repeat(600), "</div>".repeat(600))).unwrap();
    assert_eq!(document.to_html(), "<p>x</p>");
    let document = html(&"<blockquote>".repeat(200)).unwrap();
    assert_eq!(document.size(), 200 * 2 + 2);
    assert_eq!(html(&"<blockquote>".repeat(300)), Err(Error::TooDeep { limit: MAX_DEPTH }));
}

#[test]
fn formatting_that_is_never_closed_is_read_or_too_deep() {
    let unclosed: String = (0..300).map(|index| format!("<font id={index}>")).collect();
    assert!(html(&format!("<p>{unclosed}{}", "<p>x".repeat(100))).is_ok());
    let unclosed: String = (0..900).map(|index| format!("<font id={index}>")).collect();
    assert!(matches!(html(&format!("<p>{unclosed}{}", "<p>x".repeat(2000))), Err(Error::TooDeep { .. })));
}

#[test]
fn everything_unclosed_is_read() {
    for start in [
        "<",
        "<p",
        "<p a",
        "<p a=",
        "<p a='",
        "<!--",
        "<![CDATA[",
        "<!doctype",
        "<?",
        "</",
        "&",
        "&#",
        "&#x",
        "<textarea>",
        "<script>",
        "<title>",
        "<style>",
        "<plaintext>",
        "<table><tr><td>",
        "<svg><p>",
    ] {
        let document = html(&format!("{start}tail <p>x")).unwrap();
        assert!(document.line_count() > 0, "{start}");
    }
}

#[test]
fn nuls_and_other_controls_are_read_as_tiptap_reads_them() {
    assert_eq!(html("<p>a\0b\u{1}c\u{7f}d</p>").unwrap().to_html(), "<p>ab\u{1}c\u{7f}d</p>");
    assert_eq!(html("\0").unwrap().to_html(), "<p></p>");
    assert!(html(&"\0".repeat(100_000)).is_ok());
}

#[test]
fn nothing_becomes_an_empty_document() {
    let document = html("").unwrap();
    assert_eq!((document.to_html().as_str(), document.is_empty(), document.sections().len()), ("<p></p>", true, 0));
    assert_eq!(document, Document::empty(Schema::tiptap()));
}

#[test]
fn html_above_the_limit_is_too_large() {
    let length = MAX_HTML_BYTES + 1;
    assert_eq!(html(&"x".repeat(length)), Err(copydesk_base::Error::TooLarge { length, limit: MAX_HTML_BYTES }.into()));
}

#[test]
fn many_siblings_take_no_more_than_their_share_of_time() {
    for piece in [
        "<p>x</p>",
        "x<br>",
        "<b>x</b>",
        "<td>x</td>",
        "<li>x",
        "<ul><li>x</ul>",
        "<img src=x>",
        "x &amp; ",
        "</p>",
        "<div>",
        "<h2>x</h2>",
    ] {
        let count = if piece == "<div>" { 500 } else { 20_000 };
        html(&piece.repeat(count)).unwrap();
    }
    let row = format!("<table><colgroup><col width=5></colgroup><tr>{}</table>", "<td>x".repeat(20_000));
    html(&row).unwrap().to_html();
}

#[test]
fn a_tag_with_thousands_of_attributes_is_refused_wherever_it_is_and_one_with_hundreds_is_read() {
    let attributes = |count: usize, reversed: bool| -> String {
        (0..count).map(|index| format!(" a{}", if reversed { count - index } else { index })).collect()
    };
    for tag in ["p", "b", "custom-tag", "path"] {
        let tags = |count| {
            let (one, other) = (attributes(count, false), attributes(count, true));
            format!("<{tag}{one}>x<{tag}{other}>x<{tag}{one}>x")
        };
        assert!(html(&tags(900)).is_ok(), "{tag}");
        assert_eq!(html(&tags(50_000)), Err(Error::TooManyAttributes { limit: 4096 }), "{tag}");
    }
    let many = attributes(50_000, false);
    for start in [
        "<!-- > --><p",
        "<b x='\">'",
        "<p\n",
        "</p",
        "<i x=\"<b y='\"",
        "<p/x=a/",
        "<p x = \"'\" y",
        "<title></title><p",
    ] {
        let refused = html(&format!("{start}{many}>x"));
        assert_eq!(refused, Err(Error::TooManyAttributes { limit: 4096 }), "{start}");
    }
    for long in ["x ".repeat(50_000), "y/".repeat(50_000), "z=1 ".repeat(50_000)] {
        let document = html(&format!("<p title=\"{long}\">{long}</p><!-- {long} --><script>{long}</script>")).unwrap();
        assert!(document.size() > 90_000);
    }
}

#[test]
fn formatting_with_many_attributes_is_copied_and_compared_only_so_often() {
    let attributes: String = (0..4000).map(|index| format!(" a{index}")).collect();
    let refused = |html_text: String| assert!(matches!(html(&html_text), Err(Error::TooDeep { .. })));
    refused(format!("<b{attributes}><table>{}", "</b>".repeat(100_000)));
    let open: String = (0..900).map(|index| format!("<b id={index}>")).collect();
    refused(format!("{open}{}", (0..100_000).map(|index| format!("<b id=x{index}></b>")).collect::<String>()));
    assert!(html(&"<p><a href=/x title=y>link</a> and <b class=z>bold</b></p>".repeat(20_000)).is_ok());
}

#[test]
fn a_span_that_claims_millions_of_columns_writes_few() {
    let document = html("<table><tr><td colspan=999999999>x</td></tr></table>").unwrap();
    assert!(document.to_html().len() < 1_000_000);
}

#[test]
fn deep_json_is_too_deep_and_less_deep_json_is_read() {
    assert!(json(&nested(MAX_DEPTH - 1)).is_ok());
    assert_eq!(json(&nested(MAX_DEPTH + 1)), Err(Error::TooDeep { limit: MAX_DEPTH }));
    assert_eq!(json(&nested(100_000)), Err(Error::TooDeep { limit: MAX_DEPTH }));
    assert_eq!(json(&"[".repeat(1_000_000)), Err(Error::TooDeep { limit: MAX_DEPTH }));
    let attrs = format!(r#"{{"type":"doc","attrs":{{"a":{}{}}}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(json(&attrs), Err(Error::TooDeep { limit: MAX_DEPTH }));
}

#[test]
fn json_that_the_schema_forbids_is_refused_with_its_place() {
    let refused = |content: &str| match json(&format!(r#"{{"type":"doc","content":[{content}]}}"#)) {
        Err(Error::InvalidDocument { reason }) => reason,
        other => panic!("{content}: {other:?}"),
    };
    assert_eq!(
        refused(r#"{"type":"paragraph"},{"type":"bulletList"}"#),
        "content[1]: a bulletList holds \"listItem+\", not ()"
    );
    let inner = r#"{"type":"blockquote","content":[{"type":"paragraph"},{"type":"text","text":"x"}]}"#;
    assert_eq!(refused(inner), "content[0]: a blockquote holds \"block+\", not (paragraph, text)");
    assert_eq!(
        refused(r#"{"type":"paragraph","content":[{"type":"text","text":""}]}"#),
        "content[0].content[0]: a text node without text"
    );
    assert_eq!(
        refused(r#"{"type":"paragraph","content":[{"type":"text"}]}"#),
        "content[0].content[0]: a text node without text"
    );
    assert_eq!(refused(r#"{"content":[]}"#), "content[0]: a node without a type");
    let marked = r#"{"type":"codeBlock","content":[{"type":"text","marks":[{"type":"bold"}],"text":"x"}]}"#;
    assert_eq!(refused(marked), "content[0]: the content of a codeBlock takes no mark \"bold\"");
    let both =
        r#"{"type":"paragraph","content":[{"type":"text","marks":[{"type":"bold"},{"type":"code"}],"text":"x"}]}"#;
    assert_eq!(refused(both), "content[0].content[0]: marks that exclude one another");
    assert_eq!(
        refused(r#"{"type":"horizontalRule","content":[{"type":"paragraph"}]}"#),
        "content[0]: a horizontalRule takes no content"
    );
    assert!(refused(r#"{"type":"paragraph","content":7}"#).starts_with("content[0]: "));
}

#[test]
fn what_may_not_stand_at_a_place_is_refused_by_its_kind() {
    let refused = |node: &str, said: &str| {
        let reason = match json(&format!(r#"{{"type":"doc","content":[{node}]}}"#)) {
            Err(Error::InvalidDocument { reason }) => reason,
            other => panic!("{node}: {other:?}"),
        };
        let expected = format!("content[0]: invalid type: {said} at line 1 column ");
        assert!(reason.starts_with(&expected), "{node}: {reason}");
    };
    let node = "expected a node, {type, attrs?, content?, marks?, text?}";
    for (given, kind) in [
        ("true", "boolean `true`"),
        ("-7", "integer `-7`"),
        ("7", "integer `7`"),
        ("1.50", "floating point `1.5`"),
        (r#""a\"b""#, r#"string "a\"b""#),
        ("null", "null"),
        ("[]", "sequence"),
    ] {
        refused(given, &format!("{kind}, {node}"));
    }
    refused(r#"{"type":{}}"#, "map, expected the name of a node type");
    refused(r#"{"content":{}}"#, "map, expected an array of nodes");
    refused(r#"{"attrs":[]}"#, "sequence, expected an object of attributes");
    refused(r#"{"marks":"bold"}"#, "string \"bold\", expected an array of marks");
    refused(r#"{"marks":[7]}"#, "integer `7`, expected a mark, {type, attrs?}");
    refused(r#"{"marks":[{"type":7}]}"#, "integer `7`, expected a string");
    refused(r#"{"text":[]}"#, "sequence, expected a string");
}

#[test]
fn types_that_the_schema_does_not_have_are_named() {
    let unknown = |content: &str| json(&format!(r#"{{"type":"doc","content":[{content}]}}"#)).unwrap_err();
    assert_eq!(unknown(r#"{"type":"callout"}"#), Error::UnknownType { name: "callout".into() });
    let marked = r#"{"type":"paragraph","content":[{"type":"text","marks":[{"type":"shout"}],"text":"x"}]}"#;
    assert_eq!(unknown(marked), Error::UnknownType { name: "shout".into() });
}

#[test]
fn json_that_is_no_json_or_no_document_is_refused() {
    for text in [
        "",
        "null",
        "7",
        "[]",
        "{}",
        r#"{"type":"paragraph"}"#,
        r#"{"type":"doc"}"#,
        r#"{"type":"doc","content":[]}"#,
        "{\"type\":\"doc\"",
        r#"{"type":"doc","content":[{"type":"paragraph"}]} x"#,
        r#"{"type":7}"#,
    ] {
        assert!(matches!(json(text), Err(Error::InvalidDocument { .. })), "{text}: {:?}", json(text));
    }
    let lone = r#"{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"\ud800"}]}]}"#;
    assert!(matches!(json(lone), Err(Error::InvalidDocument { .. })));
}

#[test]
fn an_editor_is_believed_where_it_holds_what_its_schema_forbids() {
    let text = r#"{"type":"doc","content":[{"type":"bulletList"}]}"#;
    assert!(json(text).is_err());
    let document = Document::from_editor(text, Schema::tiptap()).unwrap();
    assert_eq!(
        (document.size(), document.to_json().as_str()),
        (2, r#"{"type":"doc","content":[{"type":"bulletList"}]}"#)
    );
}

#[test]
fn a_failed_sync_leaves_the_document_as_it_was() {
    let mut document = html("<p>a</p><p>b</p>").unwrap();
    let (before, version) = (document.to_json(), document.version());
    for (from, removed, blocks) in [
        (0, 3, "[]"),
        (3, 0, "[]"),
        (usize::MAX, 2, "[]"),
        (0, 1, "{}"),
        (0, 1, "["),
        (0, 1, r#"[{"type":"x"}]"#),
        (0, 1, "[7]"),
    ] {
        assert!(document.sync(from, removed, blocks).is_err(), "{from} {removed} {blocks}");
    }
    assert_eq!((document.to_json(), document.version()), (before, version));
}

#[test]
fn schemas_that_make_no_sense_are_refused() {
    let node = |name: &str, content: &str| format!(r#"{{"name":"{name}","content":"{content}"}}"#);
    let schema =
        |nodes: &str| Schema::from_json(&format!(r#"{{"nodes":[{nodes},{{"name":"text","group":"inline"}}]}}"#)).err();
    assert_eq!(schema(&format!("{},{}", node("doc", "p+"), node("p", "inline*"))), None);
    for bad in [
        "p",
        "p+ (",
        "q",
        "p{1",
        "p{2000}",
        "p text",
        ")",
        "p{a}",
        "(((((((((((((((((((((((((((((((((p)))))))))))))))))))))))))))))))))",
        "((p{900}){900}){900}",
        "doc+",
    ] {
        let inner = if bad == "p" { "doc" } else { "inline*" };
        let error = schema(&format!("{},{}", node("doc", bad), node("p", inner)));
        assert!(matches!(error, Some(Error::InvalidSchema { .. })), "{bad}: {error:?}");
    }
    for bad in ["", "[]", "{}", r#"{"nodes":[]}"#, r#"{"nodes":[{"name":"doc"}]}"#] {
        assert!(matches!(Schema::from_json(bad), Err(Error::InvalidSchema { .. })), "{bad}");
    }
}

#[test]
fn lines_out_of_range_are_refused_with_the_range_there_is() {
    let document = html("<p>a</p><p>b</p>").unwrap();
    for (start, end) in [(Some(0), None), (Some(3), None), (Some(2), Some(1)), (None, Some(0))] {
        assert!(matches!(
            document.numbered(start, end, Style::Plain),
            Err(Error::Base(copydesk_base::Error::InvalidParameter { .. }))
        ));
    }
    assert!(document.numbered(None, Some(99), Style::Plain).is_ok());
}

#[test]
fn content_that_is_required_is_filled_in_sixteen_levels_deep() {
    let nested = |levels: usize| {
        let node = |at: usize| match at == levels {
            true => format!(r#"{{"name":"n{at}"}}"#),
            false => format!(r#"{{"name":"n{at}","content":"n{}"}}"#, at + 1),
        };
        let nodes: Vec<String> = (0..=levels).map(node).collect();
        let doc = r#"{"name":"doc","content":"n0*"},{"name":"text","group":"inline"}"#;
        let schema = Schema::from_json(&format!(r#"{{"nodes":[{doc},{}]}}"#, nodes.join(","))).ok()?;
        let filled = schema.create_and_fill(schema.find_node("n0").unwrap(), Default::default())?;
        let inner = std::iter::successors(Some(&filled), |node| node.children().first());
        assert_eq!(inner.count(), levels + 1);
        Some(filled)
    };
    for levels in 0..=16 {
        assert!(nested(levels).is_some(), "{levels}");
    }
    assert!(nested(17).is_none());
}
