//! Content in the notation in which a document is shown, read row by row. `COPYDESK_SEED=n` makes a run again.

use super::documents::{blocks, document_of, for_seeds};
use super::random::Random;
use super::{after, update};
use copydesk_base::ErrorInfo;
use copydesk_document::notation::LineNumber;
use copydesk_document::{Document, Schema, Style, parse_fragment};
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

/// Random blocks with texts that differ from each other, so that each line is identified by its text.
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
        // Empty content is not a document.
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
    // Text that looks like a tag is shown with a character reference, and is not a tag.
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
    // A reference that is text is found unchanged.
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

/// The HTML of a document after content for some of its lines.
fn range(html: &str, start: usize, end: usize, content: &str) -> String {
    let cell = DocumentCell::new(Document::from_html(html).unwrap());
    let edits = json!([{ "start_line": start, "end_line": end, "content": content }]);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    cell.document().to_html()
}

fn table(rows: &[&[&str]]) -> String {
    let row = |cells: &&[&str]| format!("<tr><td>{}</td></tr>", cells.join("</td><td>"));
    Document::from_html(format!("<table>{}</table>", rows.iter().map(row).collect::<String>())).unwrap().to_html()
}

#[test]
fn lines_of_a_whole_table_may_have_a_column_more_or_less() {
    let (three, two) = (
        table(&[&["a", "b", "x"], &["c", "d", "x"], &["e", "f", "y"]]),
        table(&[&["a", "b"], &["c", "d"], &["e", "f"]]),
    );
    assert_eq!(range(&two, 1, 6, "| a\n| b\n| x\n| c\n| d\n| x\n| e\n| f\n| y"), three);
    assert_eq!(range(&three, 1, 9, "| a\n| b\n| c\n| d\n| e\n| f"), two);
    // As many cells are rows more where these keep more of the old ones.
    let rows = table(&[&["a", "b"], &["c", "d"], &["e", "f"], &["x", "x"], &["y", "y"], &["z", "z"]]);
    assert_eq!(range(&two, 1, 6, "| a\n| b\n| c\n| d\n| e\n| f\n| x\n| x\n| y\n| y\n| z\n| z"), rows);
}

#[test]
fn a_row_that_is_left_out_goes_whole_whatever_its_cells_are_like() {
    let html = |rows: &[&[&str]]| format!("<p>new</p>{}", table(rows));
    let before = html(&[&["a", "x", "x"], &["b", "y", "x"], &["c", "z", "w"]]).replace("new", "old");
    assert_eq!(range(&before, 1, 7, "new\n| a\n| x\n| x"), html(&[&["a", "x", "x"], &["c", "z", "w"]]));
}

#[test]
fn a_fence_that_opens_code_is_not_that_of_the_block_before() {
    let html = "<p>a</p><pre><code>b</code></pre>";
    assert_eq!(
        range(&format!("{html}<p>Signature</p>"), 3, 3, "```\nc\n```\nSignature"),
        format!("{html}<pre><code>c</code></pre><p>Signature</p>")
    );
    assert_eq!(range(&format!("{html}<p>d</p>"), 3, 3, "b\n```\ne"), format!("{html}<p>e</p>"));
}

#[test]
fn breaks_in_a_cell_of_markdown_are_between_its_items() {
    let html = |item: &str, head: &str| {
        let cells = format!("<td>{head}</td><td><ul><li>one</li><li>{item}</li></ul></td>");
        Document::from_html(format!("<table><tr><th>a</th><th>b</th></tr><tr>{cells}</tr></table>")).unwrap().to_html()
    };
    let before = html("two", "c");
    assert_eq!(range(&before, 1, 5, "| a | b |\n| - | - |\n| d | one<br>two |"), html("two", "d"));
    assert_eq!(range(&before, 1, 5, "| a | b |\n| - | - |\n| c | - one<br>- three |"), html("three", "c"));
}

#[test]
fn signs_in_full_width_may_be_in_each_other() {
    let quote = "<blockquote><p>a</p><ul><li>b</li><li>c</li></ul></blockquote>";
    assert_eq!(line(quote, 2, "＞ － d"), Document::from_html(quote.replace(">b<", ">d<")).unwrap().to_html());
    let nested = "<ul><li>a<ul><li>b</li></ul></li></ul>";
    assert_eq!(line(nested, 2, "　－ d"), Document::from_html(nested.replace(">b<", ">d<")).unwrap().to_html());
    assert_eq!(line(&table(&[&["a", "b"]]), 2, "｜ d"), table(&[&["a", "d"]]));
}

#[test]
fn a_text_with_marks_is_the_one_that_has_them() {
    let html = "<p>The cooper Peter</p><p>A <strong>cooper</strong> came</p>";
    let cell = DocumentCell::new(Document::from_html(html).unwrap());
    let (old, new) = ("<strong>cooper</strong>", "<em>cooper</em>");
    update(&cell, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
    assert_eq!(cell.document().to_html(), html.replace("strong", "em"));
    // If several have them, the call must state which.
    let twice = format!("{html}<p>One <strong>cooper</strong> more</p>");
    let cell = DocumentCell::new(Document::from_html(twice).unwrap());
    let error = update(&cell, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap_err();
    assert_eq!(error.code(), "text_ambiguous");
}

#[test]
fn items_of_a_list_in_a_cell_are_read_from_their_signs() {
    let table = |items: &str| format!("<table><tr><td><p>x</p><ul>{items}</ul></td><td>y</td></tr></table><p>z</p>");
    let [before, after] =
        ["<li>one</li><li>two</li>", "<li>one</li><li>2</li>"].map(|items| Document::from_html(table(items)).unwrap());
    let rows: Vec<String> = shown(&after, false).iter().map(|row| row.replace("| - ", "| * ")).collect();
    assert_eq!(whole(&before, &rows).to_html(), after.to_html());
}

/// A document whose schema has the nodes of the extension Details.
fn with_details(html: &str) -> Document {
    let mut schema = Schema::tiptap_data();
    let nodes = schema["nodes"].as_array_mut().unwrap();
    nodes.extend([
        json!({ "name": "details", "content": "detailsSummary detailsContent", "group": "block", "isolating": true }),
        json!({ "name": "detailsSummary", "content": "text*" }),
        json!({ "name": "detailsContent", "content": "block+" }),
    ]);
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    Document::from_blocks(schema.clone(), parse_fragment(html, &schema).unwrap())
}

fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{summary}</summary><div data-type=\"detailsContent\">{content}</div></details>")
}

#[test]
fn details_between_rows_of_markdown_are_rows_as_they_are_shown() {
    let document = |items: &str, more: &str| {
        let in_item = details("Answer", "<p>The Congo.</p>");
        format!("<h1>Quiz</h1><ol><li><p>Which river?</p>{in_item}</li>{items}</ol>{more}<p>End</p>")
    };
    let before = document("<li><p>Two</p></li>", &details("Why?", "<p>So.</p><ul><li><p>a</p></li></ul>"));
    let markdown = |more: &str| {
        let in_item = "   <details>\n   <summary>Answer</summary>\n\n   The Congo.\n\n   </details>";
        format!("# Quiz\n\n1. Which river?\n{in_item}\n2. Two\n{more}\nEnd\n")
    };
    let same = "\n<details>\n<summary>Why?</summary>\n\nSo.\n\n- a\n\n</details>\n";
    let rows = |content: &str| content.lines().map(str::to_owned).collect::<Vec<_>>();
    let before_document = with_details(&before);
    assert_eq!(whole(&before_document, &rows(&markdown(same))).to_html(), before);
    // A new one is written with them too.
    let added = format!("{same}\n<details><summary>New</summary>\nText\n</details>\n");
    let expected = before.replace("<p>End</p>", &(details("New", "<p>Text</p>") + "<p>End</p>"));
    assert_eq!(whole(&before_document, &rows(&markdown(&added))).to_html(), expected);
    // In code the tags are code.
    let code = with_details("<pre><code>&lt;details&gt;</code></pre><p>b</p>");
    let cell = DocumentCell::new(code.clone());
    let edits = json!([{ "start_line": 1, "end_line": 1, "content": "<details>\n</details>" }]);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    assert_eq!(cell.document().to_html(), code.to_html().replace("&gt;<", "&gt;\n&lt;/details&gt;<"));
}

#[test]
fn what_has_no_place_outside_of_details_is_in_it() {
    let cell = DocumentCell::new(with_details(&details("Bring", "<ul><li><p>Lunch</p></li><li><p>Coat</p></li></ul>")));
    let edits = json!([{ "start_line": 2, "end_line": 3, "content": "## What\n\n1. Lunch\n2. Coat" }]);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    let inside = "<h2>What</h2><ol><li><p>Lunch</p></li><li><p>Coat</p></li></ol>";
    assert_eq!(cell.document().to_html(), details("Bring", inside));
}

#[test]
fn what_a_summary_sums_up_is_given_by_rows_below_it() {
    let before = with_details(&details("Why?", "<p>So.</p>"));
    let given = |rows: &[&str]| whole(&before, &rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>()).to_html();
    assert_eq!(given(&["▸ Why?", "  Because.", "  - a"]), details("Why?", "<p>Because.</p><ul><li><p>a</p></li></ul>"));
    assert_eq!(
        given(&["▸ Why?", "  So.", "▸ Who?", "  You."]),
        details("Why?", "<p>So.</p>") + &details("Who?", "<p>You.</p>")
    );
}

#[test]
fn an_added_item_has_the_attributes_that_all_items_of_its_list_have() {
    let mut schema = Schema::tiptap_data();
    let nodes = schema["nodes"].as_array_mut().unwrap();
    let item = nodes.iter_mut().find(|node| node["name"] == "listItem").unwrap();
    item["attrs"] = json!({ "dir": { "default": null }, "id": { "default": null } });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let item = |dir: &str, id: Value, text: &str| {
        let content = json!([{ "type": "paragraph", "content": [{ "type": "text", "text": text }] }]);
        json!({ "type": "listItem", "attrs": { "dir": dir, "id": id }, "content": content })
    };
    let list = |items: Vec<Value>| {
        let document = json!({ "type": "doc", "content": [{ "type": "bulletList", "content": items }] });
        Document::from_json(&document.to_string(), schema.clone()).unwrap()
    };
    for (dir, added) in [("rtl", json!("rtl")), ("ltr", json!(null))] {
        let before = list(vec![item("rtl", json!("1"), "a"), item(dir, json!("2"), "b")]);
        let cell = DocumentCell::new(before);
        let edits = json!([{ "start_line": 2, "end_line": 2, "content": "- b\n- c" }]);
        update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
        let made: Value = serde_json::from_str(&cell.document().to_json()).unwrap();
        assert_eq!(made["content"][0]["content"][2]["attrs"], json!({ "dir": added, "id": null }));
    }
}

#[test]
fn references_of_a_document_with_html_in_code_are_read_as_they_are_shown() {
    let html = "<p>R&amp;D <strong>b</strong></p><pre><code>&lt;p&gt;x &amp;amp; y&lt;/p&gt;</code></pre><p>z</p>";
    let document = Document::from_html(html).unwrap();
    let rows = shown(&document, false);
    assert!(rows[0].starts_with("R&amp;D"), "{rows:?}");
    assert_eq!(whole(&document, &rows).to_html(), document.to_html());
    // A section too.
    let cell = DocumentCell::new(document.clone());
    update(&cell, json!({ "operation": "replace", "sectionIndex": 0, "content": rows.join("\n") })).unwrap();
    assert_eq!(cell.document().to_html(), document.to_html());
    // A row more than there were states its marks.
    let rows = ["R&amp;D <strong>b</strong>", "R&amp;D <strong>b</strong>"].map(str::to_owned);
    let one = Document::from_html("<p>R&amp;D <strong>b</strong></p>").unwrap();
    assert_eq!(whole(&one, &rows).to_html(), one.to_html().repeat(2));
}

#[test]
fn leaves_do_not_say_that_other_rows_have_signs() {
    let html = "<h2>T</h2><ul><li><p>a</p></li></ul><hr><p>b</p>";
    let rows = ["T", "a", "---", "c"].map(str::to_owned);
    let made = whole(&Document::from_html(html).unwrap(), &rows).to_html();
    assert_eq!(made, html.replace(">b<", ">c<"));
}

#[test]
fn code_below_tabs_is_indented_as_its_fence() {
    let html = |code: &str| {
        format!("<ul><li><p>a</p><ul><li><p>b</p><pre><code>{code}</code></pre></li></ul></li></ul><p>c</p>")
    };
    let rows = ["- a", "\t- b", "", "\t\t```", "\t\tx = 1", "\t\t\ty", "\t\t```", "c"].map(str::to_owned);
    assert_eq!(whole(&Document::from_html(html("x")).unwrap(), &rows).to_html(), html("x = 1\n\ty"));
}

#[test]
fn a_backslash_in_code_leaves_that_at_the_end_of_a_row_a_break() {
    let html = |text: &str| format!("<pre><code>a \\</code></pre><p>{text}<br>z</p>");
    let rows = ["```", "a \\", "```", "new\\", "z"].map(str::to_owned);
    assert_eq!(whole(&Document::from_html(html("old")).unwrap(), &rows).to_html(), html("new"));
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
        // Empty content is not a document.
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

#[test]
fn a_blank_row_ends_a_block_unless_each_row_has_one_before_it() {
    let edit = |content: &str| {
        let given =
            json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 2, "content": content }] });
        after("<p>Draw a card.<br>If none is left, stop.</p><p>end</p>", given)
    };
    assert_eq!(
        edit("Draw a card.\n\nIf none is left, stop."),
        "<p>Draw a card.</p><p>If none is left, stop.</p><p>end</p>"
    );
    for content in ["Draw a card.\nIf none is left, stop.", "\nDraw a card.\n\nIf none is left, stop.\n"] {
        assert_eq!(edit(content), "<p>Draw a card.<br>If none is left, stop.</p><p>end</p>", "{content:?}");
    }
}

#[test]
fn each_blank_row_ends_a_block() {
    let rows = "a one\n\nb two\n\nc three";
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 3, "content": rows }] });
    assert_eq!(after("<p>a one<br>b two<br>c three</p>", given), "<p>a one</p><p>b two</p><p>c three</p>");
}

#[test]
fn content_that_goes_on_behind_code_closes_its_fence() {
    let html = "<pre><code class=\"language-sh\">a\nb</code></pre><p>text</p>";
    let rows = "b two\n```\n## More\ntext";
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 3, "content": rows }] });
    let made = "<pre><code class=\"language-sh\">a\nb two</code></pre><h2>More</h2><p>text</p>";
    assert_eq!(after(html, given), made);
}

#[test]
fn an_item_before_a_list_is_one_of_it() {
    for (list, sign) in [("<ul>", "-"), ("<ol>", "1.")] {
        let end = list.replace('<', "</");
        let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 1, "content": format!("# A\n{sign} new") }] });
        let made = after(&format!("<h1>A</h1>{list}<li><p>old</p></li>{end}"), given);
        assert_eq!(made, format!("<h1>A</h1>{list}<li><p>new</p></li><li><p>old</p></li>{end}"));
    }
    // Another number begins another list.
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 1, "content": "# A\n1. new" }] });
    let made = after("<h1>A</h1><ol start=\"4\"><li><p>old</p></li></ol>", given);
    assert_eq!(made, "<h1>A</h1><ol><li><p>new</p></li></ol><ol start=\"4\"><li><p>old</p></li></ol>");
}

#[test]
fn items_change_places_with_lists_that_have_some_items_in_common() {
    let list = |items: [&str; 3]| {
        format!("<ol type=\"a\">{}</ol>", items.map(|item| format!("<li><p>{item}</p></li>")).concat())
    };
    let (two, three) = (list(["1", "2", "4"]), list(["1", "2", "6"]));
    let of = |first: (&str, &str), second: (&str, &str)| {
        format!("<ol><li><p>{}</p>{}</li><li><p>{}</p>{}</li></ol>", first.0, first.1, second.0, second.1)
    };
    let html = of(("two and two", &two), ("two and four", &three));
    let content = "1. two and four\n  1. 1\n  2. 2\n  3. 6\n2. two and two\n  1. 1\n  2. 2\n  3. 4";
    let given =
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 8, "content": content }] });
    assert_eq!(after(&html, given), of(("two and four", &three), ("two and two", &two)));
}

#[test]
fn what_is_below_an_item_that_moves_out_is_in_that_item() {
    let html = "<ul><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li><li><p>d</p></li></ul>";
    let given =
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 2, "content": "- a\n- b" }] });
    let made = "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul>";
    assert_eq!(after(html, given), made);
}

#[test]
fn lines_of_a_block_become_items() {
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 3, "content": "Check:\n- pulse\n- heat" }] });
    let made = "<p>Check:</p><ul><li><p>pulse</p></li><li><p>heat</p></li></ul>";
    assert_eq!(after("<p>Check:<br>pulse<br>heat</p>", given.clone()), made);
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 4, "content": "Check often:\n- pulse\n- depth\n- heat" }] });
    let made = "<p>Check often:</p><ul><li><p>pulse</p></li><li><p>depth</p></li><li><p>heat</p></li></ul>";
    assert_eq!(after("<p>Check often: pulse,<br>depth,<br>heat<br>and more</p>", given), made);
}

#[test]
fn the_second_paragraph_of_an_item_that_becomes_several_is_in_the_last_of_them() {
    let html = "<ul><li><p>a</p><p>more</p></li><li><p>b</p></li></ul>";
    let given =
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 1, "content": "x\n\ny" }] });
    assert_eq!(after(html, given), "<ul><li><p>x</p></li><li><p>y</p><p>more</p></li><li><p>b</p></li></ul>");
}

#[test]
fn another_sign_for_some_items_is_meant_if_nothing_else_changes() {
    let html = "<ol><li><p>one</p></li><li><p>two</p></li><li><p>three</p></li></ol>";
    let edited = |start: usize, end: usize, content: &str| {
        let edits = json!([{ "start_line": start, "end_line": end, "content": content }]);
        after(html, json!({ "operation": "replace_lines", "edits": edits }))
    };
    let bullets = "<ul><li><p>two</p></li><li><p>three</p></li></ul>";
    assert_eq!(edited(2, 3, "- two\n- three"), format!("<ol><li><p>one</p></li></ol>{bullets}"));
    assert_eq!(
        edited(3, 3, "- three"),
        "<ol><li><p>one</p></li><li><p>two</p></li></ol><ul><li><p>three</p></li></ul>"
    );
    // Beside another change the items stay in their list.
    let list = |items: [&str; 3]| format!("<ol>{}</ol>", items.map(|item| format!("<li><p>{item}</p></li>")).concat());
    assert_eq!(edited(2, 3, "- two\n- four"), list(["one", "two", "four"]));
    assert_eq!(edited(2, 3, "- three\n- two"), list(["one", "three", "two"]));
}

#[test]
fn spaces_of_a_line_with_marks_stay() {
    let schema = Schema::tiptap();
    let text = |text: &str, marks: Value| json!({ "type": "text", "text": text, "marks": marks });
    let bold = || json!([{ "type": "bold" }]);
    let paragraph = json!([text("One.  Two ", json!([])), text(" three ", bold()), text(" end  ", json!([]))]);
    let document = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": paragraph }] });
    let cell = DocumentCell::new(Document::from_json(&document.to_string(), schema).unwrap());
    let content = "One.  Four <strong> three </strong> end  ";
    let edits = json!([{ "start_line": 1, "end_line": 1, "content": content }]);
    update(&cell, json!({ "operation": "replace_lines", "edits": edits })).unwrap();
    let text: String =
        cell.document().blocks()[0].children().iter().filter_map(|node| node.text().map(str::to_owned)).collect();
    assert_eq!(text, "One.  Four  three  end  ");
}
