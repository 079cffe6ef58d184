//! Edits keep all that their content does not state: styles, titles of links, colors, quotes, and which part of a text
//! is the old one.

use crate::atoms::{document, edited, line, mention, p, text};
use crate::random::Random;
use crate::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_document::{Document, Schema, html::parse_fragment};
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

/// Returns the document after an edit of lines, without the attributes that TipTap's link brings.
fn html_after(html: &str, edit: Value) -> String {
    after(html, edit).replace(r#"target="_blank" rel="noopener noreferrer nofollow" "#, "")
}

const CENTER: &str = r#" style="text-align: center;""#;
const RIGHT: &str = r#" style="text-align: right;""#;

/// Returns the document after an edit, in a schema in which paragraphs have an alignment and an id, and lists a
/// direction.
fn styled(html: &str, edit: Value) -> String {
    let mut schema = Schema::tiptap_data();
    let mut add = |node: &str, attribute: &str| {
        let node = schema["nodes"].as_array_mut().unwrap().iter_mut().find(|other| other["name"] == node).unwrap();
        node["attrs"][attribute] = json!({ "default": null });
    };
    add("paragraph", "textAlign");
    add("paragraph", "id");
    add("bulletList", "dir");
    add("orderedList", "dir");
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let blocks = parse_fragment(html, &schema).unwrap();
    let cell = DocumentCell::new(Document::from_blocks(schema, blocks));
    update(&cell, edit).unwrap();
    cell.document().to_html()
}

#[test]
fn a_style_that_another_block_has_says_nothing_about_the_others() {
    let mut random = Random::new();
    for _ in 0..200 {
        let centered: Vec<bool> = (0..4).map(|_| random.below(2) == 0).collect();
        let style = |is: bool| if is { CENTER } else { "" };
        let block = |at: usize, is: bool| format!("<p{}>Text number {at} of all.</p>", style(is));
        let before: String = (0..4).map(|at| block(at, centered[at])).collect();
        let new = format!("<p{CENTER}>A new one.</p>");
        let bare: String = (0..4).map(|at| block(at, false)).collect();
        assert_eq!(styled(&before, lines(1, 4, &format!("{new}{bare}"))), format!("{new}{before}"));
    }
}

#[test]
fn a_style_that_comes_back_where_it_was_is_taken_from_the_blocks_without_it() {
    let block = |text: &str, style: &str| format!("<p{style}>{text}</p>");
    let before = block("Stays in the middle.", CENTER) + &block("Goes to the left.", CENTER);
    let content = block("Stays in the middle.", CENTER) + &block("Goes to the left.", "");
    assert_eq!(styled(&before, lines(1, 2, &content)), content);
    assert_eq!(
        styled(&before, lines(1, 2, &content.replace("<p>", r#"<p style="text-align: left;">"#))),
        content.replace("<p>", r#"<p style="text-align: left;">"#)
    );
}

#[test]
fn a_link_with_another_address_keeps_its_title() {
    let link = |number: u8, title: &str| {
        format!(r#"<p>See <a href="https://a.org/{number}" title="{title}">task {number}</a> now.</p>"#)
    };
    let content = r#"See <a href="https://a.org/2">task 2</a> now."#;
    for content in [content.to_owned(), format!("<p>{content}</p>")] {
        let stated = content.replace("/2\">", r#"/2" title="Other">"#);
        assert_eq!(html_after(&link(1, "The list"), lines(1, 1, &content)), link(2, "The list"));
        assert_eq!(html_after(&link(1, "The list"), lines(1, 1, &stated)), link(2, "Other"));
    }
}

#[test]
fn lines_of_one_call_exchange_their_mentions() {
    let before = |a: Value, b: Value| [p(vec![text("Ask "), a]), p(vec![text("Tell "), b])];
    let (ann, bo) = (|| mention("u9", "Ann Lee"), || mention("u3", "Bo"));
    for [first, second] in
        [["Ask @Bo", "Tell @Ann Lee"], ["<p>Ask @Bo</p>", "Tell @Ann Lee"], ["<p>Ask @Bo</p>", "<p>Tell @Ann Lee</p>"]]
    {
        let found = edited(&before(ann(), bo()), json!([line(1, first), line(2, second)]));
        assert_eq!(found, json!(before(bo(), ann())), "{first} {second}");
    }
    // A mention of another line stays text.
    let cell = document(&before(ann(), bo()));
    update(&cell, lines(1, 1, "Ask @Bo")).unwrap();
    assert!(cell.document().to_json().contains("Ask @Bo"));
}

#[test]
fn a_replaced_phrase_keeps_its_marks_though_a_character_recurs() {
    let before = "<p>土星：<strong>光环</strong>与卡西尼缝</p><p><em>满月</em>时请加减光片。</p>";
    let after_it = "<p>土星：<strong>环系</strong>与卡西尼缝</p><p><em>月圆</em>时请加减光片。</p>";
    assert_eq!(after(before, lines(1, 2, "土星：环系与卡西尼缝\n月圆时请加减光片。")), after_it);
    let before = "<p>A <strong>red apple</strong> is here.</p>";
    assert_eq!(after(before, lines(1, 1, "A apple pie is here.")), "<p>A <strong>apple pie</strong> is here.</p>");
    // A phrase that changes at one end only grows or shrinks.
    let grown = "<p>A <strong>red apple</strong> tart is here.</p>";
    assert_eq!(after(before, lines(1, 1, "A red apple tart is here.")), grown);
    assert_eq!(after(before, lines(1, 1, "A apple is here.")), "<p>A <strong>apple</strong> is here.</p>");
    let link = |text: &str| format!("<p>See <a href=\"https://a.example/\">{text}</a></p>");
    let changed = after(&link("How hooks are signed"), lines(1, 1, "See How hooks are signed"));
    assert_eq!(after(&link("Signing hooks"), lines(1, 1, "See How hooks are signed")), changed);
}

#[test]
fn the_first_part_of_a_split_line_is_the_old_one_and_the_first_of_joined_lines_stays() {
    let (short, long) = ("Short one.", "And a rather long second sentence follows.");
    let one = format!("<p{RIGHT}>{short} {long}</p>");
    assert_eq!(
        styled(&one, lines(1, 1, &format!("{short}\n{long}"))),
        format!("<p{RIGHT}>{short}</p><p{RIGHT}>{long}</p>")
    );
    let two = format!("<p{RIGHT}>{short}</p><p>{long}</p>");
    assert_eq!(styled(&two, lines(1, 2, &format!("{short} {long}"))), one);
    // The rows begin alike, and one is removed.
    let alike = format!("<p{RIGHT}>Part one: the tea.</p><p>Part two: the water.</p>");
    assert_eq!(styled(&alike, lines(1, 2, "Part two: the waters.")), "<p>Part two: the waters.</p>");
}

#[test]
fn retyped_quotes_and_dashes_stay_unless_nothing_else_changes() {
    let before = "<p>Wir wohnen im „Westturm“ – vier Tage. Alle kommen.</p>";
    assert_eq!(
        after(before, lines(1, 1, "Wir wohnen im \"Westturm\" - vier Tage.")),
        "<p>Wir wohnen im „Westturm“ – vier Tage.</p>"
    );
    let plain = "Wir wohnen im \"Westturm\" - vier Tage. Alle kommen.";
    assert_eq!(after(before, lines(1, 1, plain)), format!("<p>{plain}</p>"));
}

#[test]
fn images_between_the_lines_of_cells_are_lines_of_cells() {
    let row = |cells: [&str; 2]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
    let image = r#"<p>B</p><img src="https://a.org/i.png" alt="I">"#;
    let table = |last: &str| {
        let rows = row(["<p>1</p>", "<p>one</p><p>more</p>"]) + &row(["<p>2</p>", image]) + &row(["<p>3</p>", last]);
        format!("<table><tbody>{rows}</tbody></table>")
    };
    let cell = cell(&table("<p>three</p>"));
    let shown = cell.document().numbered(None, None, copydesk_document::Style::Structure).unwrap();
    let content: Vec<&str> =
        shown.lines().skip(1).map(|line| line.split_once(": ").map_or(line, |(_, text)| text)).collect();
    let count = cell.document().line_count();
    for (from, to) in [("more", "less"), ("three", "thirteen")] {
        let edit = lines(1, count, &content.join("\n").replace(from, to));
        assert_eq!(
            after(&table("<p>three</p>"), edit),
            after(&table("<p>three</p>"), json!({ "operation": "replace_text", "old": from, "new": to }))
        );
    }
}

#[test]
fn a_line_of_code_that_ends_with_a_colon_is_code() {
    let before = "<pre><code>names = read()\nprint(names)</code></pre>";
    assert_eq!(
        after(before, lines(2, 2, "for name in names:\n    print(name)")),
        "<pre><code>names = read()\nfor name in names:\n    print(name)</code></pre>"
    );
}

#[test]
fn a_text_of_the_line_beside_is_refused_for_a_heading() {
    let before = "<p>Malo</p><h2>Trois haïkus</h2><p>Neige sur le banc</p>";
    assert_eq!(refused(before, lines(2, 2, "Malo T.")).code(), "wrong_line");
}

#[test]
fn a_class_above_a_method_is_no_introduction() {
    let before = "<pre><code>def area(r):\n    return 3*r</code></pre>";
    let content = "class Circle:\n\n    def area(self, r):\n        return 3*r";
    assert_eq!(after(before, lines(1, 2, content)), format!("<pre><code>{content}</code></pre>"));
}

#[test]
fn a_row_that_begins_like_another_is_no_part_of_it() {
    let ten = "<p>Item <strong>10</strong> done.</p>";
    assert_eq!(
        after(ten, lines(1, 1, "Item 1\nItem 10 is done.")),
        "<p>Item 1</p><p>Item <strong>10</strong> is done.</p>"
    );
    let two = format!("<p{RIGHT}>Item 1</p><p>Item 10 done.</p>");
    assert_eq!(styled(&two, lines(1, 2, "Item 10 is done.")), "<p>Item 10 is done.</p>");
}

#[test]
fn words_that_their_own_line_keeps_stay_there() {
    let bold = |text: &str| json!({ "type": "text", "text": text, "marks": [{ "type": "bold" }] });
    let before = [p(vec![text("Ask Bo")]), p(vec![bold("Tea time"), text(" with "), mention("u9", "Ann")])];
    let second = "<p><strong>Tea time</strong> with @Ann now</p>";
    let found = edited(&before, json!([line(1, "Ask Bo about Tea time"), line(2, second)]));
    assert_eq!(found[0], p(vec![text("Ask Bo about Tea time")]));
}

#[test]
fn an_added_row_is_aligned_as_its_columns_and_items_made_of_rows_are_not() {
    let row = |item: &str, price: &str| format!("<tr><td><p>{item}</p></td><td><p{RIGHT}>{price}</p></td></tr>");
    let table = |rows: &[String]| format!("<table><tbody>{}</tbody></table>", rows.concat());
    let before = table(&[row("Tea", "4.10"), row("Milk", "1.20")]);
    let after = table(&[row("Tea", "4.10"), row("Honey", "6.00"), row("Milk", "1.20")]);
    let flat =
        |html: String| html.replace(r#" colspan="1" rowspan="1""#, "").replace(r#" style="min-width: 50px;""#, "");
    let bare = |html: String| html[html.find("<tbody>").unwrap_or(0)..].to_owned();
    for content in ["| Tea | 4.10 |\n| Honey | 6.00 |", "| Tea\n| 4.10\n| Honey\n| 6.00"] {
        assert_eq!(bare(flat(styled(&before, lines(1, 2, content)))), bare(after.clone()), "{content:?}");
    }
    let title = r#"<tr><td colspan="2"><p>Drinks</p></td></tr>"#;
    let titled = before.replacen("<tbody>", &format!("<tbody>{title}"), 1);
    let first = styled(&titled, lines(2, 3, "| Water | 0.50 |\n| Tea | 4.10 |"));
    assert!(first.contains(&format!("<p{RIGHT}>0.50</p>")), "{first}");
    let items = styled(&before, lines(1, 4, "- Tea: 4.10\n- Milk: 1.20"));
    assert_eq!(items, "<ul><li><p>Tea: 4.10</p></li><li><p>Milk: 1.20</p></li></ul>");
}

#[test]
fn a_list_of_another_kind_keeps_what_both_kinds_have() {
    let list = |tag: &str| format!(r#"<{tag} dir="rtl"><li><p>one</p></li><li><p>two</p></li></{tag}>"#);
    assert_eq!(styled(&list("ol"), lines(1, 2, "- one\n- two")), list("ul"));
}

#[test]
fn a_block_in_three_parts_is_the_first_of_them() {
    let before = r#"<p id="lead">Dear owners: both lifts are eighteen years old. From June on they are replaced.</p>"#;
    let after = r#"<p id="lead">Dear owners:</p><p>both lifts are eighteen years old.</p><p>From June on they are replaced.</p>"#;
    let content = "Dear owners:\n\nboth lifts are eighteen years old.\n\nFrom June on they are replaced.";
    assert_eq!(styled(before, lines(1, 1, content)), after);
}
