//! Rows, items and blocks in place of lines: their positions, and the nodes that stay around them.

use crate::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_document::Document;
use serde_json::{Value, json};

const LIST: &str =
    "<ul><li><p>Tea</p><ul><li><p>Green</p></li><li><p>Black</p></li></ul></li><li><p>Water</p></li></ul>";
const TASKS: &str = concat!(
    r#"<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><label><input type="checkbox" checked="checked">"#,
    r#"<span></span></label><div><p>Boil</p></div></li><li data-checked="false" data-type="taskItem"><label>"#,
    r#"<input type="checkbox"><span></span></label><div><p>Pour</p></div></li></ul>"#
);

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

fn table(rows: &[&[&str]]) -> String {
    let cell = |text: &&str| format!("<td><p>{text}</p></td>");
    let row = |cells: &&[&str]| format!("<tr>{}</tr>", cells.iter().map(cell).collect::<String>());
    format!("<table><tbody>{}</tbody></table>", rows.iter().map(row).collect::<String>())
}

/// The cells of a table after an edit of its lines, row by row.
fn rows_after(html: &str, edit: Value) -> Vec<Vec<String>> {
    let cell = cell(html);
    update(&cell, edit).unwrap();
    let document = cell.document();
    let text = |row: &copydesk_document::Node| row.children().iter().map(|cell| cell.text_content()).collect();
    document.blocks()[0].children().iter().map(text).collect()
}

#[test]
fn a_row_takes_the_place_of_a_row_cell_by_cell() {
    let html = table(&[&["Tea", "Sugar", "Heat"], &["Green", "5 %", "70 °C"], &["Black", "9 %", "95 °C"]]);
    let expected = vec![vec!["Tea", "Sugar", "Heat"], vec!["Green", "0 %", "80 °C"], vec!["Black", "9 %", "95 °C"]];
    for content in [
        "<tr><td>Green</td><td>0 %</td><td>80 °C</td></tr>",
        "<td>Green</td><td>0 %</td><td>80 °C</td>",
        "| Green | 0 % | 80 °C |",
        "Green\n0 %\n80 °C",
    ] {
        assert_eq!(rows_after(&html, lines(4, 6, content)), expected, "{content}");
    }
}

#[test]
fn more_rows_are_added_and_fewer_are_deleted() {
    let html = table(&[&["Tea", "Heat"], &["Green", "70"], &["Black", "95"]]);
    let more = vec![vec!["Tea", "Heat"], vec!["White", "65"], vec!["Green", "70"], vec!["Black", "95"]];
    for content in [
        "<tr><td>White</td><td>65</td></tr><tr><td>Green</td><td>70</td></tr>",
        "| White | 65 |\n| Green | 70 |",
        "White\n65\nGreen\n70",
    ] {
        assert_eq!(rows_after(&html, lines(3, 4, content)), more, "{content}");
    }
    let fewer = vec![vec!["Tea", "Heat"], vec!["Black", "95"]];
    for content in ["<tr><td>Black</td><td>95</td></tr>", "| Black | 95 |", "Black\n95"] {
        assert_eq!(rows_after(&html, lines(3, 6, content)), fewer, "{content}");
    }
    assert_eq!(rows_after(&html, lines(3, 6, "")), [["Tea", "Heat"]]);
    assert_eq!(rows_after(&html, lines(5, 5, "")), [["Tea", "Heat"], ["Green", "70"], ["", "95"]]);
    assert_eq!(after(&format!("<p>A</p>{html}<p>B</p>"), lines(2, 7, "")), "<p>A</p><p>B</p>");
}

#[test]
fn a_row_that_does_not_fit_is_refused() {
    let html = table(&[&["Tea", "Heat"], &["Green", "70"]]);
    assert_eq!(refused(&html, lines(3, 4, "<tr><td>Green</td></tr>")).code(), "column_count");
    assert_eq!(refused(&html, lines(3, 4, "| Green | 70 | 1 |")).code(), "column_count");
    let error = refused(&html, lines(3, 3, "<tr><td>White</td><td>65</td></tr>"));
    assert_eq!(error.code(), "part_of_row");
    // The other cell is what it was.
    assert_eq!(rows_after(&html, lines(3, 3, "<tr><td>White</td><td>70</td></tr>"))[1], ["White", "70"]);
    assert_eq!(rows_after(&html, lines(3, 3, "<td>White</td>"))[1], ["White", "70"]);
}

#[test]
fn widths_and_spans_of_cells_stay() {
    let html = r#"<table><tbody><tr><th colspan="2" colwidth="80,90"><p>Tea</p></th></tr><tr><td colwidth="80"><p>Green</p></td><td colwidth="90"><p>70</p></td></tr></tbody></table>"#;
    let cell = cell(html);
    update(&cell, lines(1, 3, "<tr><td>Teas</td></tr><tr><td>White</td><td>65</td></tr>")).unwrap();
    let expected = html.replace("Tea<", "Teas<").replace("Green", "White").replace("70", "65");
    assert_eq!(cell.document().to_html(), crate::cell(&expected).document().to_html());
}

#[test]
fn an_item_keeps_the_list_in_it() {
    let expected = LIST.replace("<p>Tea</p>", "<p>All <strong>tea</strong></p>");
    for content in [
        "<li>All <strong>tea</strong></li>",
        "<ul><li>All <strong>tea</strong></li></ul>",
        "<ul><li><p>All <strong>tea</strong></p></li></ul>",
    ] {
        assert_eq!(after(LIST, lines(1, 1, content)), expected, "{content}");
    }
    let repeated = "<li>All <strong>tea</strong><ul><li>Green</li><li>Black</li></ul></li>";
    assert_eq!(after(LIST, lines(1, 1, repeated)), expected);
}

#[test]
fn items_are_added_beside_an_item() {
    let expected = LIST.replace("<li><p>Green</p></li>", "<li><p>White</p></li><li><p>Green</p></li>");
    assert_eq!(after(LIST, lines(2, 2, "<li>White</li><li>Green</li>")), expected);
}

#[test]
fn a_task_stays_a_task_with_its_state() {
    let expected = TASKS.replace("Boil", "Boil water");
    for content in [
        "<li>Boil water</li>",
        "<ul><li>Boil water</li></ul>",
        r#"<li><input type="checkbox" checked> Boil water</li>"#,
    ] {
        assert_eq!(after(TASKS, lines(1, 1, content)), expected, "{content}");
    }
    let done = after(TASKS, lines(2, 2, r#"<li><input type="checkbox" checked>Pour</li>"#));
    assert_eq!(done.matches(r#"data-checked="true""#).count(), 2, "{done}");
}

#[test]
fn blocks_for_all_lines_take_them_out_of_their_container() {
    let two = "<p>A</p><p>B</p>";
    assert_eq!(after("<ul><li><p>a</p></li><li><p>b</p></li></ul>", lines(1, 2, two)), two);
    assert_eq!(after("<blockquote><p>a</p><p>b</p></blockquote>", lines(1, 2, two)), two);
    assert_eq!(after("<p>x</p><blockquote><p>a</p></blockquote>", lines(2, 2, "<h2>A</h2>")), "<p>x</p><h2>A</h2>");
    // One paragraph for the only line may be meant as its text.
    let one = "<p>x</p><blockquote><p>a</p></blockquote>";
    assert_eq!(after(one, lines(2, 2, "<p>A</p>")), one.replace("a<", "A<"));
    // Cells and parts of a container keep it.
    assert_eq!(rows_after(&table(&[&["a", "b"]]), lines(1, 2, two)), [["A", "B"]]);
    let part = after("<ul><li><p>a</p></li><li><p>b</p></li></ul>", lines(1, 1, "<p>A</p>"));
    assert_eq!(part, "<ul><li><p>A</p></li><li><p>b</p></li></ul>");
}

#[test]
fn no_quote_comes_into_a_quote() {
    let html = "<blockquote><p>a</p><p>b</p></blockquote>";
    assert_eq!(after(html, lines(1, 1, "<blockquote><p>A</p></blockquote>")), html.replace("a<", "A<"));
    assert_eq!(after(html, lines(1, 2, "<blockquote><p>A</p></blockquote>")), "<blockquote><p>A</p></blockquote>");
}

#[test]
fn what_is_unescaped_meets_the_guards() {
    let link = r#"\u003ca href=\"javascript:alert(1)\"\u003ex\u003c/a\u003e"#;
    assert_eq!(refused("<p>a</p>", lines(1, 1, link)).code(), "invalid_url");
    let escaped = r#"&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;"#;
    assert_eq!(refused("<p>a</p>", lines(1, 1, escaped)).code(), "invalid_url");
    // Entities of a section are decoded once.
    let section = json!({ "operation": "replace", "sectionIndex": 0, "content": "Write &amp;lt; for it." });
    assert_eq!(after("<p>a</p>", section), "<p>Write &amp;lt; for it.</p>");
}

#[test]
fn what_nests_too_deep_or_leaves_nothing_is_refused() {
    let deep = |levels: usize| format!("{}d{}", "<blockquote>".repeat(levels), "</blockquote>".repeat(levels));
    for levels in 240..300 {
        let cell = cell("<ul><li><p>a</p></li></ul>");
        let edit = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "content": deep(levels) }] });
        match update(&cell, edit) {
            // The document can be read.
            Ok(_) => drop(Document::from_json(&cell.document().to_json(), cell.document().schema().clone()).unwrap()),
            Err(error) => assert_eq!(error.code(), "too_deep"),
        }
    }
    for nothing in [
        "<iframe src=\"https://a.example\"></iframe>",
        "<video src=\"/v\"></video>",
        "<!-- note -->",
        "<table></table>",
    ] {
        assert_eq!(refused("<p>a</p><p>b</p>", lines(2, 2, nothing)).code(), "not_in_schema", "{nothing}");
    }
    assert_eq!(after("<p>a</p><p>b</p>", lines(2, 2, "<p></p>")), "<p>a</p><p></p>");
    // The text form of a block is not text.
    let rule = "<p>a</p><hr><p>b</p>";
    assert_eq!(refused(rule, lines(1, 1, "a\n[horizontalRule]")).code(), "placeholder");
    let stated = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "content": "[horizontalRule]", "format": "text" }] });
    assert_eq!(after(rule, stated), "<p>[horizontalRule]</p><hr><p>b</p>");
}

#[test]
fn a_paragraph_with_breaks_stays_one() {
    let html = "<p>a<br>b<br>c</p>";
    assert_eq!(after(html, lines(2, 2, "<strong>B</strong>")), "<p>a<br><strong>B</strong><br>c</p>");
    assert_eq!(after(html, lines(2, 2, "B<br>B2")), "<p>a<br>B<br>B2<br>c</p>");
    assert_eq!(after(html, lines(2, 2, "B\nB2")), "<p>a<br>B<br>B2<br>c</p>");
    assert_eq!(after(html, lines(3, 3, "C\nC2")), "<p>a<br>b<br>C<br>C2</p>");
    assert_eq!(after(html, lines(1, 1, "A0\nA")), "<p>A0<br>A<br>b<br>c</p>");
    assert_eq!(after(html, lines(2, 2, "<p>B</p>")), "<p>a<br>B<br>c</p>");
    assert_eq!(after("<p>a</p>", lines(1, 1, "a<br>b")), "<p>a<br>b</p>");
}

#[test]
fn an_item_whose_text_goes_and_whose_picture_stays_begins_with_an_empty_paragraph() {
    let html = r#"<ol><li><p>A</p><ol><li><p>b</p><img src="/a.png"></li></ol></li></ol>"#;
    let edit = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 2, "format": "html",
        "content": "<ul data-type=\"taskList\"><li data-type=\"taskItem\"><p>C</p></li></ul>" }] });
    let cell = cell(html);
    update(&cell, edit).unwrap();
    let document = cell.document();
    let read = copydesk_document::Document::from_json(&document.to_json(), document.schema().clone());
    assert!(read.is_ok(), "{document:?}");
    let text = document.to_html();
    assert!(text.contains(r#"<li><p></p><img src="/a.png"></li>"#) && text.contains("<p>C</p>"), "{text}");
}

#[test]
fn an_item_whose_text_becomes_a_block_keeps_the_items_in_it() {
    let rest = "<ul><li><p></p><ul><li><p>Green</p></li><li><p>Black</p></li></ul></li><li><p>Water</p></li></ul>";
    assert_eq!(after(LIST, lines(1, 1, "<h2>Tea</h2>")), format!("<h2>Tea</h2>{rest}"));
}

#[test]
fn a_list_in_place_of_a_whole_one_is_of_its_own_kind() {
    let list = |tag: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><p>{item}</p></li>")).collect();
        format!("<{tag}>{items}</{}>", tag.split(' ').next().unwrap())
    };
    let tasks = |items: &[&str]| {
        let item = |item: &&str| format!("<li data-type=\"taskItem\" data-checked=\"false\"><p>{item}</p></li>");
        format!("<ul data-type=\"taskList\">{}</ul>", items.iter().map(item).collect::<String>())
    };
    for (old, new, expected) in [
        (list("ol", &["one", "two"]), list("ol start=\"7\"", &["1", "2"]), list("ol start=\"7\"", &["1", "2"])),
        (list("ul", &["one", "two"]), tasks(&["1", "2"]), tasks(&["1", "2"])),
        (list("ul", &["one", "two"]), list("ol", &["1", "2"]), list("ol", &["1", "2"])),
        // A bullet list is how HTML without attributes states a task list.
        (tasks(&["one", "two"]), list("ul", &["1", "2"]), tasks(&["1", "2"])),
    ] {
        let (html, expected) = (format!("<p>a</p>{old}<p>z</p>"), format!("<p>a</p>{expected}<p>z</p>"));
        assert_eq!(after(&html, lines(2, 3, &new)), cell(&expected).document().to_html(), "{old}: {new}");
    }
}

#[test]
fn another_text_for_a_merged_cell_of_the_row_before_is_refused() {
    let html = "<table><tbody><tr><th><p>Year</p></th><th><p>Event</p></th></tr>\
        <tr><td rowspan=\"2\"><p>1721</p></td><td><p>Trip</p></td></tr><tr><td><p>Return</p></td></tr></tbody></table>";
    let error = refused(html, lines(5, 5, "| 1722 | Death |"));
    assert_eq!(error.code(), "merged_cell", "{error:?}");
}
