//! Content in the notation in which a document is shown, read row by row. `COPYDESK_SEED=n` makes a run again.

use super::documents::{blocks, document_of, for_seeds};
use super::random::Random;
use super::update;
use copydesk_document::notation::LineNumber;
use copydesk_document::{Document, Style};
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

/// The rows of a document, with or without the numbers of lines.
fn shown(document: &Document, with_numbers: bool) -> Vec<String> {
    let text = document.numbered(None, None, Style::Structure).unwrap();
    let rows = text.lines().skip(1);
    let mut number = 0;
    rows.map(|row| match LineNumber(number + 1).read(row) {
        Some(bare) => {
            number += 1;
            if with_numbers { row.to_owned() } else { bare.to_owned() }
        }
        None => row.to_owned(),
    })
    .collect()
}

/// The document after content for all of it.
fn whole(document: &Document, rows: &[String]) -> Document {
    let cell = DocumentCell::new(document.clone());
    let given =
        json!({ "operation": "replace_lines", "whole": true, "edits": [{ "content": rows.join("\n") + "\n" }] });
    update(&cell, given).unwrap_or_else(|error| panic!("{error:?} for {rows:#?}"));
    cell.document()
}

/// Random blocks with texts that differ from each other, so that each line is known by its text.
fn distinct(random: &mut Random) -> Document {
    let mut made = blocks(random, 1, 8);
    let mut count = 0;
    made.iter_mut().for_each(|block| number_texts(block, &mut count));
    document_of(&made)
}

fn number_texts(node: &mut Value, count: &mut usize) {
    if let Some(text) = node.get_mut("text") {
        *count += 1;
        *text = format!("{} w{count}", text.as_str().unwrap_or_default().trim()).into();
    }
    let children = node.get_mut("content").and_then(Value::as_array_mut);
    children.into_iter().flatten().for_each(|child| number_texts(child, count));
}

#[test]
fn a_document_given_again_as_it_is_shown_is_itself() {
    for_seeds(10000, |random| {
        let document = distinct(random);
        // Content without anything in it is no document.
        if shown(&document, false).iter().all(|row| row.trim().is_empty()) {
            return;
        }
        for with_numbers in [false, true] {
            let rows = shown(&document, with_numbers);
            assert_eq!(whole(&document, &rows).to_html(), document.to_html(), "{}", rows.join("\n"));
        }
    });
}

/// The HTML of a document after content for one of its lines.
fn line(html: &str, number: usize, content: &str) -> String {
    let cell = DocumentCell::new(Document::from_html(html).unwrap());
    let edits = json!([{ "start_line": number, "end_line": number, "content": content }]);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    cell.document().to_html()
}

#[test]
fn a_line_is_edited_as_it_is_shown() {
    let link = |text: &str| {
        let attributes = "target=\"_blank\" rel=\"noopener noreferrer nofollow\" href=\"https://a.example/?a=1&amp;b=2\" title=\"T\"";
        format!("<p>ask <strong>Ann</strong> about <a {attributes}>{text}</a></p>")
    };
    let shown = "ask <strong>Ann</strong> about <a href=\"https://a.example/?a=1&amp;b=2\">black tea</a>";
    assert_eq!(line(&link("tea"), 1, shown), link("black tea"));
    // A mark may be set, moved and taken away.
    assert_eq!(line("<p>a <strong>b</strong> c</p>", 1, "a b <em>c</em>"), "<p>a b <em>c</em></p>");
    // What looks like a tag in a text is shown with a reference, and is no tag.
    assert_eq!(line("<p>the &lt;b&gt; tag</p>", 1, "this &lt;b> tag"), "<p>this &lt;b&gt; tag</p>");
    let marked = "<p>the &lt;b&gt; <em>tag</em> &amp; R&amp;D</p>";
    assert_eq!(line(marked, 1, "this &lt;b> <em>tag</em> & R&amp;D"), marked.replace("the ", "this "));
}

#[test]
fn a_text_is_found_as_its_line_is_shown() {
    let replaced = |html: &str, old: &str, new: &str| {
        let cell = DocumentCell::new(Document::from_html(html).unwrap());
        update(&cell, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
        cell.document().to_html()
    };
    assert_eq!(replaced("<p>the &lt;b&gt; tag</p>", "the &lt;b> tag", "this &lt;b> tag"), "<p>this &lt;b&gt; tag</p>");
    assert_eq!(replaced("<p>old R&amp;D</p>", "old R&amp;D", "new R&amp;D"), "<p>new R&amp;D</p>");
    let marked = |word: &str| format!("<p><strong>all</strong> {word} R&amp;D</p>");
    let shown = |word: &str| format!("<strong>all</strong> {word} R&amp;D");
    assert_eq!(replaced(&marked("old"), &shown("old"), &shown("new")), marked("new"));
    // A reference that is text is found as it is.
    assert_eq!(replaced("<p>&amp;amp; and a</p>", "&amp; and a", "&amp; and b"), "<p>&amp;amp; and b</p>");
}

#[test]
fn lines_of_tables_are_theirs_as_long_as_none_moved() {
    let table = |first: &str| {
        format!(
            "<table><tr><th>{first}</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table><p>x</p>\
                <table><tr><th>e</th></tr><tr><td>f</td></tr></table>"
        )
    };
    let [before, after] = ["a", "A new head"].map(|first| Document::from_html(table(first)).unwrap());
    assert_eq!(whole(&before, &shown(&after, false)).to_html(), after.to_html());
}

#[test]
fn items_of_a_list_in_a_cell_are_read_from_their_signs() {
    let table = |items: &str| format!("<table><tr><td><p>x</p><ul>{items}</ul></td><td>y</td></tr></table><p>z</p>");
    let [before, after] =
        ["<li>one</li><li>two</li>", "<li>one</li><li>2</li>"].map(|items| Document::from_html(table(items)).unwrap());
    let rows: Vec<String> = shown(&after, false).iter().map(|row| row.replace("| - ", "| * ")).collect();
    assert_eq!(whole(&before, &rows).to_html(), after.to_html());
}

#[test]
fn a_row_of_a_top_level_paragraph_that_is_added_or_left_out_changes_nothing_else() {
    for_seeds(20000, |random| {
        let document = distinct(random);
        let is_paragraph = |at: usize| {
            let block = &document.blocks()[at];
            block.name(document.schema()) == "paragraph" && document.line_numbers_of(at).len() == 1
        };
        let paragraphs: Vec<usize> = (0..document.blocks().len()).filter(|at| is_paragraph(*at)).collect();
        if paragraphs.is_empty() || document.blocks().len() == 1 {
            return;
        }
        let at = *random.pick(&paragraphs);
        let text = document.blocks()[at].text_content();
        let rows = shown(&document, false);
        let Some(row) = rows.iter().position(|row| row.trim() == text.trim()) else { return };
        if text.trim().is_empty() {
            return;
        }
        let without = [&rows[..row], &rows[row + 1..]].concat();
        // Nothing is no document.
        if without.iter().all(|row| row.trim().is_empty()) {
            return;
        }
        let expected = document.replace_blocks(at..at + 1, Vec::new());
        assert_eq!(whole(&document, &without).to_html(), expected.to_html(), "{}", rows.join("\n"));
    });
}

#[test]
fn a_cell_with_a_list_takes_items_with_and_without_its_sign() {
    let html = "<table><tbody><tr><td><p>a</p><ul><li><p>b</p></li></ul></td><td><p>c</p></td></tr></tbody></table>";
    for content in ["| - b\n| - d", "- b\n- d", "* b\n* d"] {
        let made = line(html, 2, content);
        assert!(made.contains("<ul><li><p>b</p></li><li><p>d</p></li></ul>"), "{content}: {made}");
    }
    assert!(line(html, 2, "| - b\n|   - d").contains("<ul><li><p>b</p><ul><li><p>d</p></li></ul></li></ul>"));
    // In a cell without a list the sign is text.
    assert!(line(html, 3, "- 5 °C").contains("<p>- 5 °C</p>"));
}

#[test]
fn where_cells_have_bars_a_row_without_a_bar_at_its_end_is_one_cell() {
    let html = "<table><tbody><tr><td><p>Fish | lemon</p></td><td><p>no</p></td></tr></tbody></table>";
    assert!(line(html, 1, "| Fish | dill").contains("<p>Fish | dill</p>"));
}
