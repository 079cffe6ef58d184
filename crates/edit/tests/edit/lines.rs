//! Edits of lines: what each comes to, and what it leaves alone.

use super::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{Document, Schema, Style};
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

/// The document after one range got another content.
fn edited(html: &str, start: i64, end: i64, content: &str) -> String {
    after(
        html,
        json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] }),
    )
}

/// The same with content that states its format.
fn edited_as(format: &str, html: &str, start: i64, end: i64, content: &str) -> String {
    let edit = json!({ "start_line": start, "end_line": end, "content": content, "format": format });
    after(html, json!({ "operation": "replace_lines", "edits": [edit] }))
}

fn whole(html: &str, content: &str) -> String {
    after(html, json!({ "operation": "replace_lines", "edits": [{ "content": content }] }))
}

fn result(html: &str, given: Value) -> serde_json::Map<String, Value> {
    update(&cell(html), given).unwrap().into_map()
}

#[test]
fn a_line_of_plain_text_keeps_its_type_and_the_marks_of_what_stays() {
    let html = "<h2>Old <em>title</em></h2><p>Tea is <strong>very</strong> old.</p>";
    assert_eq!(edited(html, 1, 1, "New title"), "<h2>New <em>title</em></h2><p>Tea is <strong>very</strong> old.</p>");
    assert_eq!(
        edited(html, 2, 2, "Tea is very, very old."),
        "<h2>Old <em>title</em></h2><p>Tea is <strong>very</strong>, very old.</p>"
    );
}

#[test]
fn text_in_place_of_other_text_takes_its_marks_and_a_link_does_not_grow_at_its_edges() {
    let link = |text: &str| {
        format!("<a target=\"_blank\" rel=\"noopener noreferrer nofollow\" href=\"https://a.example\">{text}</a>")
    };
    let html = format!("<p>See {} now.</p>", link("the docs"));
    assert_eq!(edited(&html, 1, 1, "See the manual now."), format!("<p>See {} now.</p>", link("the manual")));
    assert_eq!(edited(&html, 1, 1, "See the docs here now."), format!("<p>See {} here now.</p>", link("the docs")));
    assert_eq!(edited(&html, 1, 1, "See all the docs now."), format!("<p>See all {} now.</p>", link("the docs")));
    assert_eq!(edited(&html, 1, 1, "See the new docs now."), format!("<p>See {} now.</p>", link("the new docs")));
}

#[test]
fn inside_a_word_each_sign_that_stays_keeps_its_mark() {
    assert_eq!(
        edited("<p>un<strong>believable</strong></p>", 1, 1, "unbelievably"),
        "<p>un<strong>believably</strong></p>"
    );
    assert_eq!(edited("<p>中<strong>文字</strong>符</p>", 1, 1, "中文的字符"), "<p>中<strong>文的字</strong>符</p>");
    assert_eq!(edited("<p>👨‍👩‍👧<em>👍🏽</em></p>", 1, 1, "👨‍👩‍👦👍🏽"), "<p>👨‍👩‍👦<em>👍🏽</em></p>");
}

#[test]
fn more_lines_than_the_range_become_siblings_of_the_last() {
    assert_eq!(edited("<p>a</p><p>z</p>", 1, 1, "a\nb\nc"), "<p>a</p><p>b</p><p>c</p><p>z</p>");
    assert_eq!(edited("<h2>a</h2><p>z</p>", 1, 1, "a\nb"), "<h2>a</h2><p>b</p><p>z</p>");
    assert_eq!(
        edited("<ul><li>a</li><li>z</li></ul>", 1, 1, "a\nb"),
        "<ul><li><p>a</p></li><li><p>b</p></li><li><p>z</p></li></ul>"
    );
    assert_eq!(edited("<pre><code>a\nz</code></pre>", 1, 1, "a\nb"), "<pre><code>a\nb\nz</code></pre>");
    assert_eq!(edited("<blockquote><p>a</p></blockquote>", 1, 1, "a\nb"), "<blockquote><p>a</p><p>b</p></blockquote>");
    let cell = edited("<table><tr><td>a</td><td>z</td></tr></table>", 1, 1, "a\nb");
    assert!(cell.contains("<p>a</p><p>b</p></td><td"), "{cell}");
}

#[test]
fn a_new_item_leaves_the_nested_list_behind_the_line_that_it_stood_behind() {
    let html = "<ul><li><p>a</p><ul><li><p>x</p></li></ul></li></ul>";
    assert_eq!(edited(html, 1, 1, "a\nb"), "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>x</p></li></ul></li></ul>");
    assert_eq!(edited(html, 2, 2, "x\ny"), "<ul><li><p>a</p><ul><li><p>x</p></li><li><p>y</p></li></ul></li></ul>");
}

#[test]
fn a_new_task_is_not_done_yet() {
    let html = "<ul data-type=\"taskList\"><li data-type=\"taskItem\" data-checked=\"true\">a</li></ul>";
    let done = edited(html, 1, 1, "a\nb");
    assert_eq!(done.matches("data-checked=\"true\"").count(), 1, "{done}");
    assert_eq!(done.matches("data-checked=\"false\"").count(), 1, "{done}");
}

#[test]
fn a_line_put_before_another_leaves_that_one_its_marks() {
    let html = "<p>a</p><p>see <strong>this</strong></p>";
    assert_eq!(edited(html, 2, 2, "new\nsee this"), "<p>a</p><p>new</p><p>see <strong>this</strong></p>");
    let list = "<ul><li><p><strong>a</strong></p></li></ul>";
    assert_eq!(edited(list, 1, 1, "new\na"), "<ul><li><p>new</p></li><li><p><strong>a</strong></p></li></ul>");
}

#[test]
fn fewer_lines_take_the_surplus_blocks_away() {
    assert_eq!(edited("<p>one thing</p><p>b</p><p>c</p>", 1, 3, "one new thing"), "<p>one new thing</p>");
    assert_eq!(edited("<ul><li>a</li><li>b</li></ul><p>c</p>", 1, 3, "c"), "<p>c</p>");
}

#[test]
fn empty_content_deletes_lines_with_their_blocks() {
    assert_eq!(edited("<p>a</p><p>b</p>", 1, 1, ""), "<p>b</p>");
    assert_eq!(edited("<p>a</p>", 1, 1, ""), "<p></p>");
    assert_eq!(edited("<ul><li>a</li><li>b</li></ul>", 1, 1, ""), "<ul><li><p>b</p></li></ul>");
    assert_eq!(edited("<p>x</p><ul><li>a</li></ul>", 2, 2, ""), "<p>x</p>");
    assert_eq!(edited("<p>x</p><blockquote><ul><li>a</li></ul></blockquote>", 2, 2, ""), "<p>x</p>");
    assert_eq!(edited("<pre><code>a\nb\nc</code></pre>", 2, 2, ""), "<pre><code>a\nc</code></pre>");
    assert_eq!(edited("<p>a<br>b<br>c</p>", 2, 2, ""), "<p>a<br>c</p>");
    assert_eq!(edited("<p>a<br>b</p>", 1, 1, ""), "<p>b</p>");
    assert_eq!(edited("<p>a</p><img src=\"https://a.example/b.png\"><p>c</p>", 2, 2, ""), "<p>a</p><p>c</p>");
    let table = edited("<table><tr><td>a</td><td>b</td></tr></table>", 1, 1, "");
    assert_eq!(table.matches("<td").count(), 2, "a cell is emptied, never removed: {table}");
    assert!(table.contains("><p></p></td><td"), "{table}");
}

#[test]
fn an_item_that_goes_leaves_the_items_in_it_at_its_place() {
    let html = "<ul><li><p>a</p><ul><li><p>x</p></li><li><p>y</p></li></ul></li><li><p>b</p></li></ul>";
    assert_eq!(edited(html, 1, 1, ""), "<ul><li><p>x</p></li><li><p>y</p></li><li><p>b</p></li></ul>");
}

#[test]
fn lines_between_hard_breaks_stay_in_their_block() {
    assert_eq!(edited("<p>a<br>b<br>c</p>", 2, 2, "x\ny"), "<p>a<br>x<br>y<br>c</p>");
    assert_eq!(edited("<p>a<br>b</p>", 2, 2, "b\nc"), "<p>a<br>b<br>c</p>");
}

#[test]
fn html_is_taken_as_given() {
    assert_eq!(edited("<p>a</p><p>b</p>", 1, 1, "<h3>x</h3><p>y</p>"), "<h3>x</h3><p>y</p><p>b</p>");
    assert_eq!(
        edited("<h2>a</h2>", 1, 1, "<strong>b</strong> c"),
        "<h2><strong>b</strong> c</h2>",
        "inline HTML is the content of the line"
    );
    assert_eq!(
        edited("<ul><li>a</li></ul>", 1, 1, "b <em>c</em>\nd"),
        "<ul><li><p>b <em>c</em></p></li><li><p>d</p></li></ul>"
    );
}

#[test]
fn html_stands_as_deep_as_the_schema_has_a_place_for_it() {
    let list = "<ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul>";
    assert_eq!(edited(list, 2, 2, "<p>x</p>"), "<ul><li><p>a</p></li><li><p>x</p></li><li><p>c</p></li></ul>");
    assert_eq!(
        edited(list, 2, 2, "<ul><li>x</li><li>y</li></ul>"),
        "<ul><li><p>a</p></li><li><p>x</p></li><li><p>y</p></li><li><p>c</p></li></ul>"
    );
    assert_eq!(edited(list, 2, 2, "<h2>x</h2>"), "<ul><li><p>a</p></li></ul><h2>x</h2><ul><li><p>c</p></li></ul>");
    let numbered = "<ol><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ol>";
    assert_eq!(
        edited(numbered, 2, 2, "<h2>x</h2>"),
        "<ol><li><p>a</p></li></ol><h2>x</h2><ol start=\"2\"><li><p>c</p></li></ol>"
    );
}

#[test]
fn code_stays_text_although_it_looks_like_html() {
    assert_eq!(
        edited("<pre><code>a\nb</code></pre>", 2, 2, "<div>x</div>"),
        "<pre><code>a\n&lt;div&gt;x&lt;/div&gt;</code></pre>"
    );
    assert_eq!(edited_as("text", "<p>a</p>", 1, 1, "<p>x</p>"), "<p>&lt;p&gt;x&lt;/p&gt;</p>");
}

#[test]
fn numbers_and_signs_that_the_model_was_shown_are_no_content() {
    assert_eq!(edited("<h2>a</h2><p>b</p>", 1, 2, "1: ## x\n2: y"), "<h2>x</h2><p>y</p>");
    assert_eq!(
        edited("<ul><li>a <strong>b</strong></li></ul>", 1, 1, "- a b c"),
        "<ul><li><p>a <strong>b</strong> c</p></li></ul>"
    );
    assert_eq!(edited("<ol><li>a</li></ol>", 1, 1, "1. a\n2. b"), "<ol><li><p>a</p></li><li><p>b</p></li></ol>");
    assert_eq!(edited("<pre><code>a</code></pre>", 1, 1, "```\nx\ny\n```"), "<pre><code>x\ny</code></pre>");
    let image = "<p>a</p><img src=\"https://a.example/b.png\" alt=\"B\">";
    assert_eq!(
        edited(image, 1, 2, "x\n![B](https://a.example/b.png)"),
        "<p>x</p><img src=\"https://a.example/b.png\" alt=\"B\">"
    );
}

#[test]
fn a_mention_stays_where_the_text_has_its_form_and_goes_where_it_has_not() {
    let schema = copydesk_document::Schema::from_json(
        &json!({
            "topNode": "doc",
            "nodes": [
                { "name": "doc", "content": "block+" },
                { "name": "paragraph", "content": "inline*", "group": "block" },
                { "name": "text", "group": "inline" },
                { "name": "mention", "group": "inline", "inline": true, "attrs": { "id": {} } },
            ],
            "marks": [],
        })
        .to_string(),
    )
    .unwrap();
    let mention = json!({ "type": "mention", "attrs": { "id": "ann" } });
    let content = json!([{ "type": "paragraph", "content": [{ "type": "text", "text": "Ask " }, mention, { "type": "text", "text": " about it" }] }]);
    let document =
        copydesk_document::Document::from_json(&json!({ "type": "doc", "content": content }).to_string(), schema)
            .unwrap();
    let cell = copydesk_edit::DocumentCell::new(document);
    let edit = |content: &str| json!({ "operation": "replace_lines", "edits": [{ "start_line": 1, "end_line": 1, "content": content }] });
    update(&cell, edit("Do ask @ann about that")).unwrap();
    assert_eq!(cell.document().lines()[0].text, "Do ask @ann about that");
    assert_eq!(cell.document().lines()[0].atoms, std::slice::from_ref(&(7..11)));
    update(&cell, edit("Ask about that")).unwrap();
    assert_eq!((cell.document().lines()[0].text.as_str(), cell.document().size()), ("Ask about that", 16));
}

#[test]
fn content_may_be_the_whole_document_of_which_the_range_is_taken() {
    let html = "<p>one</p><p>two</p><p>three</p><p>four</p>";
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 2, "content": "one\nTWO\nthree!\nfour" }] });
    let result = result(html, given.clone());
    assert_eq!(after(html, given), "<p>one</p><p>TWO</p><p>three</p><p>four</p>");
    assert_eq!(result["reading"], "document");
    assert_eq!(result["notApplied"], json!([{ "line": 3, "text": "three", "content": "three!" }]));
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 2, "content": "<p>one</p><h2>TWO</h2><p>three</p><p>four</p>" }] });
    assert_eq!(after(html, given), "<p>one</p><h2>TWO</h2><p>three</p><p>four</p>");
}

#[test]
fn below_sixty_percent_it_is_the_text_of_the_range() {
    let html = "<p>one</p><p>two</p><p>three</p><p>four</p><p>five</p><p>six</p>";
    let content = "one\nTWO\nthree\nfive";
    let given =
        json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 2, "content": content }] });
    assert_eq!(result(html, given)["reading"], "document", "3 of 5 are 60 %");
    let given = json!({ "operation": "replace_lines", "edits": [{ "start_line": 2, "end_line": 2, "content": "one\nTWO\nthree" }] });
    assert_eq!(result(html, given.clone())["reading"], "range", "2 of 5 are 40 %");
    assert_eq!(
        after(html, given),
        "<p>one</p><p>TWO</p><p>three</p><p>four</p><p>five</p><p>six</p>",
        "the lines beside it are repeated"
    );
}

/// An edit of some lines as JSON.
fn of_lines(first: usize, last: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": first, "end_line": last, "content": content }] })
}

#[test]
fn a_neighbour_that_content_repeats_is_not_doubled_beside_fewer_lines() {
    let html = "<p>one</p><p>two</p><p>three</p><p>four</p><p>five</p><p>six</p>";
    let without_two = "<p>one</p><p>three</p><p>four</p><p>five</p><p>six</p>";
    assert_eq!(after(html, of_lines(2, 3, "one\nthree")), without_two);
    assert_eq!(after(html, of_lines(2, 3, "three\nfour")), without_two);
    // A line that is in the range as well is not a neighbour.
    let rules = "<hr><ol><li><p>two</p></li></ol><p>three</p><hr><p>five</p>";
    assert_eq!(
        after(rules, of_lines(1, 2, "1. two\n---")),
        "<ol><li><p>two</p></li></ol><hr><p>three</p><hr><p>five</p>"
    );
    // Content that is nothing of the range may be a neighbour's text.
    assert_eq!(after(html, of_lines(2, 3, "one")), "<p>one</p><p>one</p><p>four</p><p>five</p><p>six</p>");
}

#[test]
fn a_row_goes_on_with_the_list_or_quotation_beside_its_lines() {
    let html = "<blockquote><p>a</p></blockquote><p>b</p><ul><li><p>c</p></li></ul>";
    assert_eq!(
        after(html, of_lines(2, 2, "> more\nb")),
        "<blockquote><p>a</p><p>more</p></blockquote><p>b</p><ul><li><p>c</p></li></ul>"
    );
    assert_eq!(
        after(html, of_lines(2, 2, "b\n- more")),
        "<blockquote><p>a</p></blockquote><p>b</p><ul><li><p>more</p></li><li><p>c</p></li></ul>"
    );
    let nested = "<ol><li><p>a</p></li></ol><h2>b</h2>";
    assert_eq!(
        after(nested, of_lines(2, 2, "  - more\n## b")),
        "<ol><li><p>a</p><ul><li><p>more</p></li></ul></li></ol><h2>b</h2>"
    );
    // A new numbered list begins at 1.
    assert_eq!(
        after("<ol><li><p>a</p></li></ol><p>b</p>", of_lines(2, 2, "1. more")),
        "<ol><li><p>a</p></li></ol><ol><li><p>more</p></li></ol>"
    );
}

#[test]
fn lines_of_code_added_before_old_ones_are_lines_of_their_block() {
    let html = "<pre><code class=\"language-sql\">where\nselect\nfrom</code></pre>";
    assert_eq!(
        after(html, of_lines(2, 3, "```\ngroup\nwhere 2\nselect\nfrom\n```")),
        "<pre><code class=\"language-sql\">where\ngroup\nwhere 2\nselect\nfrom</code></pre>"
    );
}

#[test]
fn an_item_with_tasks_in_it_is_no_task() {
    let html = "<ul><li><p>a</p><ul data-type=\"taskList\"><li data-checked=\"true\" data-type=\"taskItem\"><p>b</p></li></ul></li></ul>";
    let given = "<li>a<ul data-type=\"taskList\"><li data-type=\"taskItem\" data-checked=\"true\">b</li><li data-type=\"taskItem\" data-checked=\"false\">c</li></ul></li>";
    let made = after(html, of_lines(1, 2, given));
    assert_eq!((made.matches("<li>").count(), made.matches("taskItem").count()), (1, 2), "{made}");
}

#[test]
fn in_a_whole_html_document_a_range_in_a_list_or_cell_is_taken_alone() {
    let html = "<p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul><p>d</p><p>e</p>";
    assert_eq!(
        edited(html, 2, 2, &html.replace(">b<", "><em>B</em><").replace(">c<", ">C<")),
        html.replace(">b<", "><em>B</em><")
    );
    let table = "<p>a</p><table><tr><td>b</td><td>c</td></tr></table><p>d</p><p>e</p>";
    let now = edited(table, 2, 2, &table.replace(">b<", "><em>B</em><"));
    assert!(now.contains("<em>B</em></p></td><td") && now.contains("<p>c</p>"), "{now}");
}

#[test]
fn the_whole_document_as_text_changes_only_what_differs() {
    let html = "<h1>T</h1><p>one <strong>two</strong></p><ul><li>a</li><li>b</li></ul><p>end</p>";
    assert_eq!(
        whole(html, "T\none two three\na\nb\nc\nend"),
        "<h1>T</h1><p>one <strong>two</strong> three</p><ul><li><p>a</p></li><li><p>b</p></li><li><p>c</p></li></ul><p>end</p>"
    );
    assert_eq!(whole(html, "T\none two\na\nb\nend"), whole(html, &whole(html, "T\none two\na\nb\nend")));
}

#[test]
fn several_ranges_change_at_once() {
    let edits = json!([
        { "start_line": 3, "end_line": 3, "content": "C" },
        { "start_line": 1, "end_line": 1, "content": "A\nAA" },
    ]);
    assert_eq!(
        after("<p>a</p><p>b</p><p>c</p>", json!({ "operation": "replace_lines", "edits": edits })),
        "<p>A</p><p>AA</p><p>b</p><p>C</p>"
    );
}

#[test]
fn invalid_lines_fail_with_the_valid_range() {
    for (start, end) in [(0, 1), (2, 1), (1, 3), (-1, 1), (4, 4)] {
        let error = refused(
            "<p>a</p><p>b</p>",
            json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": "x" }] }),
        );
        assert_eq!(error.code(), "line_out_of_range");
        assert!(error.message(Locale::En).contains("lines 1–2"), "{error}");
    }
    let edits =
        json!([{ "start_line": 1, "end_line": 2, "content": "x" }, { "start_line": 2, "end_line": 2, "content": "y" }]);
    assert_eq!(
        refused("<p>a</p><p>b</p>", json!({ "operation": "replace_lines", "edits": edits })).code(),
        "overlapping_edits"
    );
}

#[test]
fn each_edit_has_its_records() {
    let html = "<p>a</p><p>b</p><p>c</p><p>d</p>";
    let given = json!({ "operation": "replace_lines", "instruction": "tidy", "edits": [
        { "start_line": 2, "end_line": 2, "content": "B" }, { "start_line": 4, "end_line": 4, "content": "" } ] });
    let diffs = &result(html, given)["diffs"];
    assert_eq!(diffs[0]["diffType"], "edit");
    assert_eq!((&diffs[0]["originalCode"], &diffs[0]["newCode"]), (&json!("b"), &json!("B")));
    assert_eq!(diffs[0]["contextBefore"], "a");
    assert_eq!(diffs[0]["contextAfter"], "c\nd");
    assert_eq!(diffs[0]["aiSpecifiedStartLine"], 2);
    assert_eq!(diffs[0]["foundBy"], "lines");
    assert_eq!(diffs[0]["instruction"], "tidy");
    assert_eq!(diffs[1]["diffType"], "deletion");
    assert_eq!((&diffs[1]["originalStartLine"], &diffs[1]["originalEndLine"]), (&json!(4), &json!(4)));
    assert_eq!((&diffs[1]["startLine"], &diffs[1]["endLine"]), (&json!(4), &json!(3)));
    assert_eq!(diffs.as_array().unwrap().len(), 2);
}

#[test]
fn a_long_line_that_was_shown_cut_keeps_its_end() {
    let long = "word ".repeat(150) + "end";
    let html = format!("<p>{long}</p><p>b</p><p>z</p>");
    let shown = cell(&html).document().numbered(None, None, Style::Structure).unwrap();
    assert!(shown.contains("more characters"), "{shown}");
    let given_back = shown.replace("1: word", "1: first").replace("2: b", "2: c");
    assert_eq!(whole(&html, &given_back), format!("<p>first{}</p><p>c</p><p>z</p>", &long[4..]));
    let first = shown.lines().nth(1).unwrap();
    assert_eq!(edited(&html, 1, 1, first), html);
}

#[test]
fn a_line_that_begins_with_its_own_number_keeps_it() {
    let html = "<p>1: In the beginning</p><p>2: And the earth</p>";
    let changed = html.replace("the earth", "all the earth");
    assert_eq!(edited(html, 2, 2, "2: And all the earth"), changed);
    assert_eq!(edited(html, 2, 2, "2: 2: And all the earth"), changed);
    assert_eq!(whole(html, "1: In the beginning\n2: And all the earth"), changed);
    assert_eq!(whole(html, "1: 1: In the beginning\n2: 2: And all the earth"), changed);
}

#[test]
fn lines_between_newlines_are_edited_one_by_one() {
    let edited = |start: usize, end: usize, content: &str| {
        let text = json!({ "type": "text", "text": "one\ntwo\nthree" });
        let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] }).to_string();
        let cell = DocumentCell::new(Document::from_json(&json, Schema::tiptap()).unwrap());
        let edit = json!({ "start_line": start, "end_line": end, "content": content });
        update(&cell, json!({ "operation": "replace_lines", "edits": [edit] })).unwrap();
        let html = cell.document().to_html();
        html.trim_start_matches("<p>").trim_end_matches("</p>").to_owned()
    };
    assert_eq!(edited(2, 2, "second"), "one\nsecond\nthree");
    assert_eq!(edited(1, 1, ""), "two\nthree");
    assert_eq!(edited(3, 3, ""), "one\ntwo");
    assert_eq!(edited(1, 2, "1\n2"), "1\n2\nthree");
    assert_eq!(edited(2, 2, "two\nand a half"), "one\ntwo\nand a half\nthree");
    assert_eq!(edited(1, 2, "第二\nfirst"), "第二\nfirst\nthree");
    assert_eq!(edited(2, 2, "<b>two</b>"), "one\n<strong>two</strong>\nthree");
}

#[test]
fn a_text_over_a_newline_keeps_it() {
    let text = json!({ "type": "text", "text": "one\ntwo\nthree" });
    let json = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] }).to_string();
    let cell = DocumentCell::new(Document::from_json(&json, Schema::tiptap()).unwrap());
    update(&cell, json!({ "operation": "replace_text", "old": "ne\ntw", "new": "NE\nTW" })).unwrap();
    assert_eq!(cell.document().to_html(), "<p>oNE\nTWo\nthree</p>");
    update(&cell, json!({ "operation": "replace_text", "old": "o\nthree", "new": "o and three" })).unwrap();
    assert_eq!(cell.document().to_html(), "<p>oNE\nTWo and three</p>");
}

#[test]
fn a_link_has_no_attributes_of_another_link_to_its_url() {
    let link = |title: &str, text: &str| format!("<a href=\"https://a.b/\" title=\"{title}\">{text}</a>");
    let (first, other) = (link("Tip", "one"), link("", "two"));
    let document = |end: &str| format!("<p>{first}</p><p>{other} {end}</p>");
    let row = |content: &str| {
        let edits = json!([{ "start_line": 2, "end_line": 2, "content": content }]);
        json!({ "operation": "replace_lines", "edits": edits })
    };
    let unchanged = cell(&document("new")).document().to_html();
    assert_eq!(after(&document("end"), row("<a href=\"https://a.b/\">two</a> new")), unchanged);
    // Two links side by side with one URL stay two.
    let pair = format!("<p>x</p><p>{first}{other} end</p>");
    let row = row("<a href=\"https://a.b/\">one</a><a href=\"https://a.b/\">two</a> new");
    assert_eq!(after(&pair, row), cell(&pair.replace("end", "new")).document().to_html());
}

#[test]
fn a_blank_row_at_the_place_of_an_empty_item_is_that_item() {
    let html = "<ul><li><p></p></li><li><p>orchard</p></li></ul>";
    assert_eq!(edited(html, 1, 2, "\norchard"), html);
    assert_eq!(edited(html, 1, 2, "\norchards"), html.replace("orchard", "orchards"));
    assert_eq!(edited(html, 1, 2, "orchard"), "<ul><li><p>orchard</p></li></ul>");
}

#[test]
fn a_mark_of_byte_order_that_a_line_begins_with_is_text() {
    assert_eq!(edited("<p>\u{feff}some text</p>", 1, 1, "\u{feff}some words"), "<p>\u{feff}some words</p>");
    assert_eq!(edited("<p>some text</p>", 1, 1, "\u{feff}some words"), "<p>some words</p>");
}

#[test]
fn the_last_empty_line_of_code_stays_in_text() {
    let html = "<pre><code>stone\n</code></pre>";
    assert_eq!(edited_as("text", html, 1, 2, "stone\n"), html);
}

#[test]
fn a_heading_beside_a_text_that_begins_like_another_one_is_a_heading() {
    let html = "<p># no heading</p>";
    assert_eq!(edited(html, 1, 1, "# no heading\n## Added"), format!("{html}<h2>Added</h2>"));
    assert_eq!(edited(html, 1, 1, "# still no heading"), "<p># still no heading</p>");
}

#[test]
fn an_empty_row_beside_the_lines_is_not_taken_for_the_last_one() {
    let html = "<table><tr><th colspan=\"2\"><p></p></th></tr><tr><td><p>one</p></td><td><p>two</p></td></tr>\
        <tr><td><p></p></td><td><p></p></td></tr></table>";
    let expected = after(html, json!({ "operation": "replace_text", "old": "two", "new": "three" }));
    assert_eq!(edited(html, 1, 4, "| \n| one\n| three\n| "), expected);
}

#[test]
fn lines_of_adjacent_tables_stay_in_their_tables() {
    let row = |cells: [&str; 2]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td><p>{cell}</p></td>")).concat());
    let table =
        |rows: &[[&str; 2]]| format!("<table>{}</table>", rows.iter().map(|cells| row(*cells)).collect::<String>());
    let html = |rows: &[[&str; 2]], others: &[[&str; 2]]| {
        copydesk_document::Document::from_html(&(table(rows) + &table(others))).unwrap().to_html()
    };
    let first = [["alpha one", "beta two"], ["candle five", "basket six"]];
    let second = [["copper seven", "falcon eight"]];
    let before = html(&first, &second);
    let changed = html(&[first[0], ["candle five", "basket new"]], &second);
    for start in 1..=3 {
        let lines = ["| alpha one", "| beta two", "| candle five", "| basket new", "| copper seven", "| falcon eight"];
        assert_eq!(edited(&before, start, 6, &lines[start as usize - 1..].join("\n")), changed, "from {start}");
    }
    let longer = html(&[first[0], first[1], ["garden new", "meadow new"]], &second);
    let lines = "| candle five\n| basket six\n| garden new\n| meadow new\n| copper seven\n| falcon eight";
    assert_eq!(edited(&before, 3, 6, lines), longer);
    let shorter = html(&first[..1], &second);
    assert_eq!(edited(&before, 1, 6, "| alpha one\n| beta two\n| copper seven\n| falcon eight"), shorter);
    // The range ends in a row.
    let second = [second[0], ["lantern nine", "saddle ten"]];
    let longer = html(&first, &[second[0], ["garden new", "meadow new"], second[1]]);
    let lines =
        "| candle five\n| basket six\n| copper seven\n| falcon eight\n| garden new\n| meadow new\n| lantern nine";
    assert_eq!(edited(&html(&first, &second), 3, 7, lines), longer);
}
