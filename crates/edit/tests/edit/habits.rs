//! Content in the notation that a model was shown, with the habits of models around it.

use crate::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use serde_json::{Value, json};

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

fn whole(content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "content": content }] })
}

fn text(old: &str, new: &str) -> Value {
    json!({ "operation": "replace_text", "old": old, "new": new })
}

#[test]
fn blank_lines_of_a_whole_document_are_separators() {
    assert_eq!(after("<h2>T</h2><p>a</p><p>b</p>", whole("## T\n\na\n\nb!")), "<h2>T</h2><p>a</p><p>b!</p>");
    for (html, content) in [
        ("<h2>T</h2><ul><li><p>a</p></li><li><p>b</p></li></ul><p>z</p>", "## T\n\n- a\n- b\n\nz"),
        ("<h2>题</h2><ol><li><p>甲</p></li><li><p>乙</p></li></ol><p>尾</p>", "## 题\n\n1. 甲\n2. 乙\n\n尾"),
        ("<blockquote><p>a</p><p>b</p></blockquote><p>z</p>", "> a\n\n> b\n\nz"),
        ("<p>a</p><p></p><p>b</p>", "a\n\nb"),
        ("<p>a</p><pre><code>x\n\ny</code></pre><p>b</p>", "a\n\nx\n\ny\n\nb"),
    ] {
        assert_eq!(after(html, whole(content)), html, "{content:?}");
    }
}

#[test]
fn a_blank_line_that_is_added_to_code_stays() {
    assert_eq!(
        after("<p>a</p><pre><code>x\ny</code></pre><p>b</p>", whole("a\n\nx\n\ny\n\nb!")),
        "<p>a</p><pre><code>x\n\ny</code></pre><p>b!</p>"
    );
}

#[test]
fn text_over_lines_of_code_keeps_the_indentation_that_is_given() {
    let code = |text: &str| format!("<pre><code>{text}</code></pre>");
    for (old, new) in [
        ("if (a) {\n  b();\n}", "if (c) {\n  b();\n}"),
        ("def f():\n    return 1", "def f(x):\n    y = x\n    return y"),
        ("a\n\tb\n\tc", "a\n\tb\n\t\tc"),
        ("  a\n  b", "  a1\n  b1"),
        ("  a\n  b", "a1\nb1"),
        ("a\n  b\nc", "a\nc"),
    ] {
        assert_eq!(after(&code(old), text(old, new)), code(new), "{old:?} to {new:?}");
        let around = |text: &str| code(&format!("first\n{text}\nlast"));
        assert_eq!(after(&around(old), text(old, new)), around(new), "{old:?} to {new:?} in between");
    }
    // A text with less indentation than the code leaves the rest of it.
    assert_eq!(after(&code("  a\n  b"), text("a\n  b", "a1\n  b1")), code("  a1\n  b1"));
    assert_eq!(after(&code("    a\n    b"), text("  a\n  b", "  a1\n  b1")), code("    a1\n    b1"));
}

#[test]
fn every_sign_of_a_rule_is_one() {
    for sign in ["---", "***", "___", "* * *", "-----"] {
        assert_eq!(after("<p>a</p><hr><p>b</p>", lines(2, 2, sign)), "<p>a</p><hr><p>b</p>", "{sign}");
        assert_eq!(after("<p>a</p><p>c</p><p>b</p>", lines(2, 2, sign)), "<p>a</p><hr><p>b</p>", "{sign}");
    }
    assert_eq!(after("<p>a</p>", lines(1, 1, "-*-")), "<p>-*-</p>");
}

#[test]
fn an_image_that_is_repeated_with_blank_lines_stays() {
    let html = r#"<p>x</p><img src="https://a.example/c.png" alt="q" title="t" width="300"><p>y</p>"#;
    let image = r#"<img src="https://a.example/c.png" alt="q" title="t" width="300">"#;
    assert_eq!(
        after(html, lines(2, 2, "Before:\n\n![q](https://a.example/c.png)")),
        format!("<p>x</p><p>Before:</p>{image}<p>y</p>")
    );
    assert_eq!(after(html, lines(1, 3, "x\n\n![q](https://a.example/c.png)\n\ny!")), html.replace("<p>y", "<p>y!"));
    assert_eq!(after(html, whole("x\n\n![q](https://a.example/c.png)\n\ny!")), html.replace("<p>y", "<p>y!"));
}

const TABLE: &str = concat!(
    "<table><tbody><tr><th><p>A</p></th><th><p>B</p></th></tr>",
    "<tr><td><p>1</p></td><td><p><em>2</em></p></td></tr>",
    "<tr><td><p><strong>3</strong></p></td><td><p>4</p></td></tr></tbody></table>"
);

/// The table without what TipTap's attributes add.
fn table_after(edit: Value) -> String {
    let bare = |html: String| html.replace(r#" colspan="1""#, "").replace(r#" rowspan="1""#, "");
    let html = bare(after(TABLE, edit));
    let (start, end) = (html.find("<tbody>").unwrap_or(0), html.find("</tbody>").unwrap_or(html.len()));
    html[start..end].replace("<tbody>", "").replace("<p>", "").replace("</p>", "")
}

#[test]
fn a_whole_table_in_markdown_may_have_other_columns() {
    assert_eq!(
        table_after(lines(1, 6, "| A |\n|---|\n| 1 |\n| 3 |")),
        "<tr><th>A</th></tr><tr><td>1</td></tr><tr><td><strong>3</strong></td></tr>"
    );
    assert_eq!(
        table_after(lines(1, 6, "| A | B | C |\n|---|---|---|\n| 1 | 2 | x |\n| 3 | 4 | y |")),
        concat!(
            "<tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td><em>2</em></td><td>x</td></tr>",
            "<tr><td><strong>3</strong></td><td>4</td><td>y</td></tr>"
        )
    );
    // A part of the table must keep its columns.
    assert_eq!(refused(TABLE, lines(3, 6, "| 1 | 2 | x |\n| 3 | 4 | y |")).code(), "column_count");
}

#[test]
fn cells_of_markdown_may_hold_tags_and_escaped_bars() {
    assert_eq!(
        table_after(lines(5, 6, "| 3<br>x | 4 |")),
        "<tr><th>A</th><th>B</th></tr><tr><td>1</td><td><em>2</em></td></tr><tr><td><strong>3</strong><br>x</td><td>4</td></tr>"
    );
    assert_eq!(
        table_after(lines(5, 6, r"| 5 \| 6 | 4 |")),
        concat!(
            "<tr><th>A</th><th>B</th></tr><tr><td>1</td><td><em>2</em></td></tr>",
            "<tr><td><strong>5 | 6</strong></td><td>4</td></tr>"
        )
    );
    // Outside of a table it is text.
    let cell = cell("<pre><code>a</code></pre>");
    update(&cell, lines(1, 1, "| a<b> | c |")).unwrap();
    assert_eq!(cell.document().blocks()[0].text_content(), "| a<b> | c |");
}

#[test]
fn cells_that_take_the_place_of_one_that_spans_them_do_not_span() {
    let html = concat!(
        "<table><tbody><tr><td><p>A</p></td><td><p>B</p></td></tr>",
        r#"<tr><td colspan="2"><p>Sum</p></td></tr></tbody></table>"#
    );
    let content = "<table><tr><td>A</td><td>B</td></tr><tr><td>Sum</td><td>7</td></tr></table>";
    let html = after(html, lines(1, 3, content));
    assert!(!html.contains(r#"colspan="2""#), "{html}");
}

#[test]
fn a_task_is_ticked_by_the_beginning_of_its_text() {
    let task = |checked: bool| {
        format!(
            "<ul data-type=\"taskList\"><li data-type=\"taskItem\" data-checked=\"{checked}\">\
                <p>measure <em>twice</em> and cut</p></li></ul><p>z</p>"
        )
    };
    let ticked = |old: &str, new: &str| after(&task(false), text(old, new));
    assert_eq!(ticked("- [ ] measure", "- [x] measure"), after(&task(true), text("z", "z")));
    assert_eq!(ticked("- [ ] measure tw", "- [x] Measure tw"), after(&task(true), text("measure", "Measure")));
}

#[test]
fn bullets_as_they_are_printed_are_signs_unless_a_text_begins_so() {
    let list = |items: &str| format!("<ul><li><p>{items}</p></li></ul><p>z</p>");
    for sign in ["•", "◦", "▪", "‣", "●"] {
        let rows = format!("{sign} b\n{sign} c");
        assert_eq!(after(&list("a"), lines(1, 1, &rows)), list("b</p></li><li><p>c"));
    }
    assert_eq!(after("<p>• a</p><p>z</p>", lines(1, 1, "• b")), "<p>• b</p><p>z</p>");
}

#[test]
fn a_number_behind_that_of_the_line_and_a_tab_is_the_items() {
    let list = |items: &str| format!("<ol><li><p>a</p></li>{items}</ol>");
    let html = list("<li><p>b</p></li><li><p>c</p></li>");
    assert_eq!(after(&html, lines(2, 3, "     2\t2. c")), list("<li><p>c</p></li>"));
}

#[test]
fn a_comment_with_dots_in_code_is_a_placeholder_if_it_deletes_lines() {
    let html = "<pre><code>a {\n  b: 1,\n  c: 2,\n}</code></pre>";
    for comment in ["// ... rest", "// the rest ...", "# ... rest", "-- ...", "/* … */", "..."] {
        let content = format!("```\na {{\n  b: 2,\n  {comment}\n}}\n```");
        assert_eq!(refused(html, lines(1, 4, &content)).code(), "placeholder", "{comment}");
    }
    let content = "```\na {\n  b: 2, // ...\n  c: 2,\n}\n```";
    assert_eq!(after(html, lines(1, 4, content)), html.replace("b: 1,", "b: 2, // ..."));
}

#[test]
fn a_note_in_code_is_a_placeholder_if_it_deletes_lines_and_no_code() {
    let html = "<pre><code>begin\none\ntwo\nthree</code></pre>";
    for note in ["(unchanged)", "(uændret)", "(其余不变)"] {
        assert_eq!(refused(html, lines(1, 4, &format!("begin here\n{note}"))).code(), "placeholder", "{note}");
    }
    for code in ["(f x 1)", "{ value }", "[section]", "<tag>"] {
        let with = html.replace("one\ntwo\nthree", &code.replace('<', "&lt;").replace('>', "&gt;"));
        assert_eq!(after(html, lines(1, 4, &format!("begin\n{code}"))), with, "{code}");
    }
    let call = html.replace("two", "(reload)");
    assert_eq!(after(html, lines(1, 4, "begin\none\n(reload)\nthree")), call, "a line for a line");
}

#[test]
fn a_no_break_space_behind_the_sign_of_an_item_is_a_space() {
    let list = |text: &str| format!("<ol><li><p>a</p></li><li><p>{text}</p></li></ol>");
    assert_eq!(after(&list("b"), lines(2, 2, "2.\u{a0}b c")), list("b c"));
    let bullets = "<ul><li><p>a</p></li></ul>";
    assert_eq!(after(bullets, lines(1, 1, "-\u{a0}b")), bullets.replace('a', "b"));
    let date = "<p>1.\u{a0}May is a holiday.</p>";
    assert_eq!(after(date, lines(1, 1, "1.\u{a0}May is free.")), "<p>1.&nbsp;May is free.</p>");
}

#[test]
fn of_a_word_that_recurs_the_one_with_marks_is_deleted() {
    let html = "<p>敬称は<s>訳す</s>訳さない</p>";
    assert_eq!(after(html, text("敬称は訳す訳さない", "敬称は訳さない")), "<p>敬称は訳さない</p>");
}

#[test]
fn an_amount_that_goes_takes_its_sign_along() {
    let prices = "<p>Soup, <s>£6</s> £5</p>";
    assert_eq!(after(prices, text("Soup, £6 £5", "Soup, £5")), "<p>Soup, £5</p>");
    assert_eq!(
        after("<p>is <strong>very</strong> old</p>", lines(1, 1, "is very, very old")),
        "<p>is <strong>very</strong>, very old</p>"
    );
}

#[test]
fn items_that_begin_with_plus_are_no_diff() {
    let list = |inner: &str| format!("<ul><li><p>a</p></li><li><p>b</p><ul>{inner}</ul></li><li><p>d</p></li></ul>");
    let (one, two) = ("<li><p>c</p></li>", "<li><p>c</p></li><li><p>x</p></li>");
    assert_eq!(after(&list(one), lines(1, 4, "+ a\n+ b\n  + c\n  + x\n+ d")), list(two));
    let diff = |old: &str, new: &str| format!("-{old} <em>b</em>\n+{new} <em>b</em>");
    assert_eq!(after("<p>a <em>b</em></p>", lines(1, 1, &diff("a", "c"))), "<p>c <em>b</em></p>");
}

#[test]
fn an_introduction_is_no_text_in_any_language() {
    let html = "<p>The pot is cold.</p><p>Pour <strong>slowly</strong>.</p>";
    let edited = "<p>The pot is warm.</p><p>Pour <strong>slowly</strong>.</p>";
    for introduction in ["Hier ist die Zeile:", "はい、次のとおりです：", "Конечно! Новый текст:", "إليك النص المعدّل:"]
    {
        assert_eq!(after(html, lines(1, 1, &format!("{introduction}\n\nThe pot is warm."))), edited);
        assert_eq!(after(html, lines(1, 1, &format!("{introduction}\n\n```\nThe pot is warm.\n```"))), edited);
        let section = json!({ "operation": "replace", "sectionIndex": 0,
            "content": format!("{introduction}\n\nThe pot is warm.\n\nPour slowly.") });
        assert_eq!(after(html, section), edited);
    }
    // Code at the beginning of the line is no fence.
    let edit = lines(1, 1, "Hier ist die Zeile:\n\n`Em` The moon sings");
    assert_eq!(after("<p>`Am` The moon sings</p>", edit), "<p>`Em` The moon sings</p>");
}

#[test]
fn a_remark_in_brackets_below_content_is_no_text_and_is_reported() {
    let html = "<h2>Pot</h2><p>The pot is cold.</p><p>Pour <strong>slowly</strong>.</p>";
    let edited = "<h2>Pot</h2><p>The pot is warm.</p><p>Pour <strong>slowly</strong>.</p>";
    for remark in ["(Nothing else was changed.)", "[Sonst blieb alles gleich]", "（其他内容未改动。）"] {
        let section = format!("The pot is warm.\n\nPour slowly.\n\n{remark}");
        assert_eq!(after(html, lines(2, 2, &format!("The pot is warm.\n\n{remark}"))), edited);
        assert_eq!(after(html, whole(&format!("## Pot\n{section}"))), edited);
        let update = json!({ "operation": "replace", "sectionIndex": 1, "content": section });
        assert_eq!(after(html, update.clone()), edited);
        let applied = self::update(&cell(html), update).unwrap();
        assert_eq!(applied.facts["notApplied"], json!([{ "line": 3, "text": "Pour slowly.", "content": remark }]));
    }
    // It is text if nothing else changes, and if a line is in brackets itself. In the place of a deleted line it is a
    // placeholder.
    let kept = |html: &str, content: &str| after(html, whole(content)).ends_with("<p>(loud)</p>");
    assert_eq!(
        after("<p>`Ann:` Yes</p>", lines(1, 1, "`Ann:` Yes.\n\n[silence]")),
        "<p>`Ann:` Yes.</p><p>[silence]</p>"
    );
    assert!(kept("<p>The pot is cold.</p>", "The pot is cold.\n\n(loud)"));
    let deleted = refused("<p>The pot is cold.</p><p>Pour slowly.</p>", whole("The pot is warm.\n\n(loud)"));
    assert_eq!(deleted.code(), "placeholder");
    assert!(kept("<p>The pot is cold.</p><p>(quiet)</p>", "The pot is warm.\n\n(loud)"));
}

#[test]
fn numbers_of_the_lines_around_the_named_one_are_no_text() {
    let list = |text: &str| format!("<ul><li><p>tea</p></li><li><p>{text}</p></li><li><p>sugar</p></li></ul>");
    let content = "1: - tea\n2: - oat milk\n3: - sugar";
    assert_eq!(after(&list("milk"), lines(2, 2, content)), list("oat milk"));
    let other = "1: - coffee\n2: - oat milk\n3: - sugar";
    assert!(after(&list("milk"), lines(2, 2, other)).contains("1: - coffee"));
}

#[test]
fn a_line_with_a_colon_is_text_where_what_follows_is_not_the_old_line_edited() {
    let list = "<ul><li><p>tea</p></li><li><p>milk</p></li></ul>";
    // The line is the edit: the lines behind it are repeated unchanged.
    assert_eq!(after(list, lines(1, 2, "Bring:\n\n- tea\n- milk")), format!("<p>Bring:</p>{list}"));
    // It replaces a similar line, or one to which nothing else is similar.
    let html = format!("<p>Please bring:</p>{list}");
    let changed = "<ul><li><p>tea</p></li><li><p>milk and sugar</p></li></ul>";
    let content = "- tea\n- milk and sugar";
    assert_eq!(
        after(&html, lines(1, 3, &format!("Please bring all of this:\n\n{content}"))),
        format!("<p>Please bring all of this:</p>{changed}")
    );
    assert_eq!(after(&html, lines(1, 3, &format!("Nimm mit:\n\n{content}"))), format!("<p>Nimm mit:</p>{changed}"));
    assert_eq!(after("<p>The pot is cold.</p>", lines(1, 1, "You need:\na cup")), "<p>You need:</p><p>a cup</p>");
}

#[test]
fn signs_in_full_width_and_other_digits_or_letters_are_signs_where_the_document_has_them() {
    let list = |a: &str, b: &str| format!("<ol><li><p>{a}</p></li><li><p>{b}</p></li></ol>");
    for (first, second) in [("１．", "２．"), ("١. ", "٢. "), ("१. ", "२. "), ("a. ", "b. "), ("a) ", "b) ")]
    {
        let content = format!("{first}warm the pot\n{second}pour");
        assert_eq!(after(&list("warm it", "pour"), lines(1, 2, &content)), list("warm the pot", "pour"), "{content}");
        let text = format!("<p>{first}warm it</p>");
        assert_eq!(after(&text, lines(1, 1, &format!("{first}warm the pot"))), format!("<p>{first}warm the pot</p>"));
    }
    let quote = "<blockquote><p>cold tea</p></blockquote>";
    assert_eq!(after(quote, lines(1, 1, "＞ warm tea")), "<blockquote><p>warm tea</p></blockquote>");
    let table = |a: &str| format!("<table><tbody><tr><td><p>{a}</p></td><td><p>2</p></td></tr></tbody></table>");
    let changed = after(&table("tea"), lines(1, 2, "｜green tea｜2｜"));
    assert!(changed.contains("green tea") && !changed.contains('｜'), "{changed}");
}

#[test]
fn html_in_a_fence_is_html_for_code_too() {
    let code = |text: &str| format!("<pre><code class=\"language-ini\">{text}</code></pre>");
    let content = "```html\n<pre><code class=\"language-ini\">[a]\nx = 2</code></pre>\n```";
    assert_eq!(after(&code("[a]\nx = 1"), lines(1, 2, content)), code("[a]\nx = 2"));
    // Another fence is that of the code.
    let fenced = "```ini\n[a]\nx = 3\n```";
    assert_eq!(after(&code("[a]\nx = 1"), lines(1, 2, fenced)), code("[a]\nx = 3"));
}

#[test]
fn words_are_deleted_where_their_marks_end() {
    for (html, content, expected) in [
        ("<p>of <s>1 300</s> 1 250 Ft</p>", "of 1 250 Ft", "<p>of 1 250 Ft</p>"),
        ("<p>cue <s>LX 40</s> LX 41 is</p>", "cue LX 41 is", "<p>cue LX 41 is</p>"),
        ("<p>cue LX 40 <s>LX 41</s> is</p>", "cue LX 40 is", "<p>cue LX 40 is</p>"),
    ] {
        assert_eq!(after(html, lines(1, 1, content)), expected);
    }
}

#[test]
fn leaves_stay_that_lines_without_signs_do_not_show() {
    let html = "<p>a</p><hr><p>b</p><hr><hr>";
    assert_eq!(after(html, whole("a\nb!")), "<p>a</p><hr><p>b!</p><hr><hr>");
    assert_eq!(after(html, whole("a\n\nb!\n\n")), "<p>a</p><hr><p>b!</p><hr><hr>");
    // Rows with one state all of them.
    assert_eq!(after("<p>a</p><hr><p>b</p><hr>", whole("a\n---\nb!")), "<p>a</p><hr><p>b!</p>");
}

#[test]
fn a_line_of_code_beside_the_range_may_be_repeated_without_its_fence() {
    let html = "<p>before</p><pre><code>x\ny</code></pre><p>after</p>";
    assert_eq!(after(html, lines(4, 4, "y\nafter!")), "<p>before</p><pre><code>x\ny</code></pre><p>after!</p>");
    assert_eq!(after(html, lines(3, 3, "x\nafter")), "<p>before</p><pre><code>x</code></pre><p>after</p>");
}

#[test]
fn the_old_line_an_arrow_and_the_new_line_are_the_new_line() {
    let html = "<p>The river is long and wide.</p><p>b</p>";
    for arrow in ["→", "->", "=>", "⇒"] {
        let given = format!("The river is long and wide. {arrow} The river is long and deep.");
        assert_eq!(after(html, lines(1, 1, &given)), "<p>The river is long and deep.</p><p>b</p>", "{arrow}");
    }
}

#[test]
fn an_item_that_begins_with_another_container_has_one_in_it() {
    let html = "<ul><li><p></p><blockquote><p>a</p></blockquote></li><li><p>b</p></li></ul><p>z</p>";
    let given = "- > a!\n- b\n\nz";
    assert_eq!(after(html, whole(given)), html.replace("a</p>", "a!</p>"));
}

#[test]
fn numbers_of_lines_are_removed_where_one_line_between_them_has_none() {
    let html =
        "<p>one</p><p>two</p><p>three</p><p>four</p><p>The pot is warm.</p><p>The leaves are in.</p><p>x</p><p>end</p>";
    let before = "<p>one</p><p>two</p><p>three</p><p>four</p>";
    assert_eq!(
        after(html, lines(5, 7, "5: The pot is very warm.\nAll leaves are in.\n7: y")),
        format!("{before}<p>The pot is very warm.</p><p>All leaves are in.</p><p>y</p><p>end</p>")
    );
    // Of several, it is not known which numbers were meant.
    assert_eq!(
        after(html, lines(5, 7, "5: The pot is very warm.\nAll leaves are in.\nAnd a spoon.\n8: y")),
        format!(
            "{before}<p>5: The pot is very warm.</p><p>All leaves are in.</p><p>And a spoon.</p><p>8: y</p><p>end</p>"
        )
    );
}

#[test]
fn a_row_that_is_added_at_the_end_is_aligned_as_the_row_before_it() {
    let cell = |text: &str| format!("<td align=\"right\"><p>{text}</p></td>");
    let row = |number: &str, name: &str| format!("<tr>{}<td><p>{name}</p></td></tr>", cell(number));
    let head = "<tr><th><p>No.</p></th><th><p>Name</p></th></tr>";
    let table = |rows: &[String]| format!("<table><tbody>{head}{}</tbody></table>", rows.concat());
    let html = table(&[row("1", "Oak"), row("2", "Elm")]);
    let expected = crate::cell(&table(&[row("1", "Oak"), row("2", "Elm"), row("3", "Ash")])).document().to_html();
    assert_eq!(expected.matches("right").count(), 3, "{expected}");
    assert_eq!(after(&html, lines(5, 6, "| 2\n| Elm\n| 3\n| Ash")), expected);
}

#[test]
fn numbers_that_count_on_are_removed_from_lines_that_are_like_the_old_ones() {
    let html = "<p>one</p><p>The pot is warm.</p><p>The leaves are in.</p><p>end</p>";
    assert_eq!(
        after(html, lines(2, 3, "12: The pot is very warm.\n13: All leaves are in.")),
        "<p>one</p><p>The pot is very warm.</p><p>All leaves are in.</p><p>end</p>"
    );
}
