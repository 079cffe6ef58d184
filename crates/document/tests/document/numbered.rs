//! Lines as the model reads them.

use copydesk_base::Locale;
use copydesk_document::{Document, Style, cut_line};

const PAGE: &str = "<h1>Title</h1><p>one<br>two</p><ul><li><p>a</p><p>b<br>c</p><ol start=\"3\"><li>d</li><li>e</li></ol></li></ul>\
    <blockquote><p>q</p></blockquote><pre><code class=\"language-js\">x\n\ny</code></pre><hr><img src=\"/1.png\" alt=\"An image\">\
    <ul data-type=\"taskList\"><li data-type=\"taskItem\" data-checked=\"true\">done</li><li data-type=\"taskItem\">open</li></ul>\
    <table><tr><th>h</th><td>c</td></tr></table><h2>End</h2>";

fn numbered(start: usize, end: usize, style: Style) -> String {
    Document::from_html(PAGE).unwrap().numbered(Some(start), Some(end), style).unwrap()
}

#[test]
fn every_line_has_its_number_and_the_first_row_says_how_many_there_are() {
    let expected = "19 lines, version v1\n1: Title\n2: one\n3: two\n4: a\n5: b\n6: c\n7: d\n8: e\n9: q\n10: x\n11: \n12: y\n13: \n14: \n15: done\n16: open\n17: h\n18: c\n19: End";
    assert_eq!(numbered(1, 99, Style::Plain), expected);
    assert_eq!(numbered(5, 6, Style::Plain), "19 lines, version v1\n5: b\n6: c");
}

#[test]
fn structure_shows_what_kind_of_line_it_is() {
    let expected = [
        "19 lines, version v1",
        "1: # Title",
        "2: one",
        "3: two",
        "4: - a",
        "5:   b",
        "6:   c",
        "7:   3. d",
        "8:   4. e",
        "9: > q",
        "```js",
        "10: x",
        "11: ",
        "12: y",
        "```",
        "13: ---",
        "14: ![An image](/1.png)",
        "15: - [x] done",
        "16: - [ ] open",
        "17: | h",
        "18: | c",
        "19: ## End",
    ];
    assert_eq!(numbered(1, 19, Style::Structure), expected.join("\n"));
}

#[test]
fn a_part_has_the_signs_it_has_in_the_whole() {
    assert_eq!(numbered(5, 7, Style::Structure), "19 lines, version v1\n5:   b\n6:   c\n7:   3. d");
    assert_eq!(numbered(11, 11, Style::Structure), "19 lines, version v1\n```js\n11: \n```");
    assert_eq!(numbered(12, 13, Style::Structure), "19 lines, version v1\n```js\n12: y\n```\n13: ---");
}

#[test]
fn a_long_line_is_cut_among_others_and_whole_alone() {
    let long = "wörd ".repeat(200).trim_end().to_owned();
    let document = Document::from_html(format!("<p>{long}</p><p>b</p>")).unwrap();
    let among = document.numbered(None, None, Style::Plain).unwrap();
    assert!(among.contains("… [499 more characters: read line 1 alone]\n2: b"), "{among}");
    assert_eq!(document.numbered(Some(1), Some(1), Style::Plain).unwrap(), format!("2 lines, version v1\n1: {long}"));
}

#[test]
fn the_first_line_is_in_the_language_asked_for_and_the_lines_are_the_same() {
    let document = Document::from_html(PAGE).unwrap();
    let [en, zh] =
        [Locale::En, Locale::ZhCn].map(|locale| document.numbered_in(Some(5), Some(6), Style::Plain, locale).unwrap());
    assert_eq!(en, "19 lines, version v1\n5: b\n6: c");
    assert_eq!(zh, "共 19 行，版本 v1\n5: b\n6: c");
}

#[test]
fn an_empty_document_has_one_empty_line() {
    let document = Document::from_html("").unwrap();
    assert_eq!(document.numbered(None, None, Style::Plain).unwrap(), "1 line, version v1\n1: ");
}

#[test]
fn a_newline_in_any_text_begins_a_line() {
    let text = |text: &str| serde_json::json!({ "type": "text", "text": text });
    let block = |kind: &str, content: Vec<serde_json::Value>| serde_json::json!({ "type": kind, "content": content });
    let content = [
        block("heading", vec![text("Tea\nand milk")]),
        block("paragraph", vec![text("one\n"), serde_json::json!({ "type": "hardBreak" }), text("three\nfour")]),
    ];
    let json = serde_json::json!({ "type": "doc", "content": content }).to_string();
    let document = Document::from_json(&json, copydesk_document::Schema::tiptap()).unwrap();
    let shown = document.numbered(None, None, Style::Structure).unwrap();
    assert_eq!(shown, "6 lines, version v1\n1: # Tea\n2: and milk\n3: one\n4: \n5: three\n6: four");
    assert_eq!(document.line_count(), 6);
    let ranges: Vec<_> = document.lines().iter().map(|line| (line.from, line.to)).collect();
    // The heading has 12 positions of text, so the paragraph begins at 14.
    assert_eq!(ranges, [(1, 4), (5, 13), (15, 18), (19, 19), (20, 25), (26, 30)]);
    assert_eq!(document.sections()[0].title, "Tea and milk");
}

#[test]
fn a_line_shows_its_marks_as_tags_with_what_tells_them_apart() {
    let html = "<p>warn <strong>you <em>all</em></strong> and <a href='https://a.example/?a=1&amp;b' title='T'>see</a><br>\
                plain</p><ul><li><p>1 &lt; 2, &lt;b&gt; is bold, R&amp;D &amp; more</p></li></ul><pre><code>a&lt;b&gt;</code></pre>";
    let document = Document::from_html(html).unwrap();
    let shown = document.numbered(None, None, Style::Structure).unwrap();
    let expected = [
        "4 lines, version v1",
        "1: warn <strong>you <em>all</em></strong> and <a href=\"https://a.example/?a=1&amp;b\">see</a>",
        "2: plain",
        "3: - 1 < 2, &lt;b> is bold, R&amp;D & more",
        "```",
        "4: a<b>",
        "```",
    ];
    assert_eq!(shown, expected.join("\n"));
    let plain = document.numbered(Some(1), Some(1), Style::Plain).unwrap();
    assert_eq!(plain, "4 lines, version v1\n1: warn you all and see");
}

#[test]
fn a_long_line_is_cut_by_its_text_and_its_tags_are_closed() {
    let html = format!("<p><strong>{}</strong>{}</p><p>b</p>", "x".repeat(499), "y".repeat(10));
    let document = Document::from_html(html).unwrap();
    let shown = document.numbered(None, None, Style::Structure).unwrap();
    let row = format!("1: <strong>{}</strong>y… [9 more characters: read line 1 alone]", "x".repeat(499));
    assert_eq!(shown.lines().nth(1), Some(row.as_str()));
    let mut rest = None;
    document.each_line(0..1, &mut |line| {
        rest = cut_line(document.schema(), line, Style::Structure).map(|cut| cut.rest.to_string())
    });
    assert_eq!(rest.as_deref(), Some("yyyyyyyyy"));
}
