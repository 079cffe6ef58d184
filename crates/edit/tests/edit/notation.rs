//! Content in the notation in which lines are shown.

use crate::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_document::{Document, Node, Schema, html};
use copydesk_edit::DocumentCell;
use serde_json::{Value, json};

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

fn whole(content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "content": content }] })
}

/// A task list of texts and states, as TipTap writes it.
fn tasks(items: &[(&str, bool)]) -> String {
    let item = |(text, checked): &(&str, bool)| {
        let box_ = if *checked { " checked=\"checked\"" } else { "" };
        format!(
            "<li data-checked=\"{checked}\" data-type=\"taskItem\"><label><input type=\"checkbox\"{box_}><span></span>\
             </label><div><p>{text}</p></div></li>"
        )
    };
    format!("<ul data-type=\"taskList\">{}</ul>", items.iter().map(item).collect::<String>())
}

/// A table of one row, as TipTap writes it.
fn table(cells: &str) -> String {
    let html = format!("<table><tbody><tr>{cells}</tr></tbody></table>");
    copydesk_document::Document::from_html(html).unwrap().to_html()
}

#[test]
fn the_state_of_a_task_comes_back() {
    let html = tasks(&[("Boil", true), ("Pour", false)]);
    for content in ["- [x] Pour", "* [X] Pour", "[x] Pour"] {
        assert_eq!(after(&html, lines(2, 2, content)), tasks(&[("Boil", true), ("Pour", true)]), "{content}");
    }
    assert_eq!(after(&html, lines(1, 1, "- [ ] Boil it")), tasks(&[("Boil it", false), ("Pour", false)]));
    // A row that does not state the state of its task keeps it; an added one has the state that it states.
    assert_eq!(after(&html, lines(1, 1, "- Boil it")), tasks(&[("Boil it", true), ("Pour", false)]));
    let added = after(&html, lines(2, 2, "- [ ] Pour\n- [x] Drink"));
    assert_eq!(added, tasks(&[("Boil", true), ("Pour", false), ("Drink", true)]));
    // The whole document in plain text states them too.
    assert_eq!(after(&html, whole("- [ ] Boil\n- [x] Pour")), tasks(&[("Boil", false), ("Pour", true)]));
}

#[test]
fn another_indent_is_another_level() {
    let flat = "<ul><li><p>Tea</p></li><li><p>Green</p></li><li><p>Water</p></li></ul>";
    let deep = "<ul><li><p>Tea</p><ul><li><p>Green</p></li></ul></li><li><p>Water</p></li></ul>";
    assert_eq!(after(flat, lines(2, 2, "  - Green")), deep);
    for inner in ["  - Green", "    - Green", "\t- Green"] {
        assert_eq!(after(flat, lines(1, 3, &format!("- Tea\n{inner}\n- Water"))), deep, "{inner}");
    }
    assert_eq!(after(deep, lines(1, 3, "- Tea\n- Green\n- Water")), flat);
    assert_eq!(after(deep, lines(2, 2, "- Green")), flat);
    // The same level is a change of the text only, and marks stay.
    let marked = "<ul><li><p>Tea</p><ul><li><p><strong>Green</strong> tea</p></li></ul></li></ul>";
    assert_eq!(after(marked, lines(2, 2, "  - Green leaf")), marked.replace("> tea", "> leaf"));
    assert_eq!(
        after(marked, lines(2, 2, "- Green tea")),
        "<ul><li><p>Tea</p></li><li><p><strong>Green</strong> tea</p></li></ul>"
    );
}

#[test]
fn a_fence_around_all_lines_of_code_states_its_language() {
    let html = "<pre><code class=\"language-js\">a()\nb()</code></pre>";
    let python = after(html, lines(1, 2, "```python\na()\nc()\n```"));
    assert_eq!(python, "<pre><code class=\"language-python\">a()\nc()</code></pre>");
    assert_eq!(after(html, lines(1, 2, "```\na()\nc()\n```")), html.replace("b()", "c()"));
    assert_eq!(after(html, lines(2, 2, "```python\nc()\n```")), html.replace("b()", "c()"));
}

#[test]
fn small_marks_depend_on_what_was_there() {
    use copydesk_edit::markdown::has_small_mark;
    let has = |line: &str, old: &str| has_small_mark(line, [old].into_iter());
    assert!(has("It is __very__ old.", "It is very old."));
    assert!(!has("Call __init__ first.", "Old words.") && !has("Call __init__ now.", "Call __init__ first."));
    assert!(has("Run `make` now.", "Run it.") && !has("Run `make` now.", "Run `it`.") && !has("Press ` twice.", "x"));
    let text = |line: &str| after("<p>Old.</p>", lines(1, 1, line));
    for line in ["- Tea", "* Tea", "> Tea", "1. Tea", "> “Tea”"] {
        assert!(!text(line).contains(line), "{line}");
        assert!(after("<p>- Old.</p>", lines(1, 1, "- Tea")).contains("- Tea"), "{line}");
    }
    for line in ["-5 °C", "- 5 °C", "1984. A year", "2. May", "+49 30", "&gt;5", "*note", "5 &gt; 3"] {
        let content = line.replace("&gt;", ">");
        assert_eq!(text(&content), format!("<p>{line}</p>"));
    }
    // The signs of lines need no parser of Markdown.
    assert_eq!(text("- Tea"), "<ul><li><p>Tea</p></li></ul>");
}

#[test]
fn signs_that_the_text_itself_has_stay() {
    let html = "<ul><li><p>- five degrees</p></li></ul><p>- a dash</p><p>before</p>";
    assert_eq!(after(html, lines(1, 1, "- six degrees")), html.replace("five", "six"));
    assert_eq!(after(html, lines(2, 2, "- no dash")), html.replace("a dash", "no dash"));
    assert_eq!(after(html, lines(3, 3, "---")), html.replace("<p>before</p>", "<hr>"));
    let cells = &table("<td><p>a</p></td><td><p>b</p></td>");
    assert_eq!(after(cells, lines(1, 1, "---")), cells.replace("<p>a</p>", "<p>---</p>"));
    assert_eq!(after(cells, lines(1, 1, "| c |")), cells.replace("<p>a</p>", "<p>c</p>"));
}

#[test]
fn cells_are_given_in_their_order() {
    let html = &table("<td><p>a</p></td><td><p><strong>b</strong></p></td>");
    let swapped = table("<td><p><strong>b</strong></p></td><td><p>a</p></td>");
    assert_eq!(after(html, lines(1, 2, "b\na")), swapped);
    assert_eq!(refused(html, lines(1, 1, "| c | d |")).code(), "part_of_row");
    assert_eq!(after(html, lines(1, 1, "| c | b |")), html.replace("<p>a</p>", "<p>c</p>"));
}

#[test]
fn unchanged_neighbours_in_html_and_with_signs_are_not_doubled() {
    let first = "The pot must be warm before the leaves go in.";
    let paragraph = |text: &str| format!("<p>{text}</p>");
    let html = [first, "Take two spoons.", "Wait three minutes.", "One.", "Two.", "Three.", "Four."].map(paragraph);
    let expected = html.concat().replace("two", "three");
    let content = [&paragraph(first), "<p>Take three spoons.</p>", "<p>Wait three minutes.</p>"].concat();
    assert_eq!(after(&html.concat(), lines(2, 2, &content)), expected);
    let items = "<ul><li><p>Warm it well.</p></li><li><p>Add tea.</p></li><li><p>Pour.</p></li></ul>";
    let all = format!("{items}{}", html.concat());
    let given = lines(2, 2, "- Warm it well.\n- Add green tea.\n- Pour.");
    assert_eq!(after(&all, given), all.replace("Add tea", "Add green tea"));
}

#[test]
fn content_that_deletes_most_of_a_document_is_refused_unless_it_is_meant() {
    let html: String = (1..=10).map(|at| format!("<p>Line {at} of the text</p>")).collect();
    let error = refused(&html, whole("<p>Short.</p>"));
    assert_eq!((error.code(), error.details()["lines"].clone()), ("would_drop", json!(10)));
    assert!(error.message(copydesk_base::Locale::En).contains("whole: true"));
    let mut meant = whole("<p>Short.</p>");
    meant["whole"] = json!(true);
    assert_eq!(after(&html, meant), "<p>Short.</p>");
    let section = json!({ "operation": "replace", "sectionIndex": 0, "content": "<p>Short.</p>" });
    assert_eq!(refused(&html, section).code(), "would_drop");
    // Named lines are meant.
    assert_eq!(after(&html, lines(1, 10, "<p>Short.</p>")), "<p>Short.</p>");
    // A text of its own is not the document, at any length.
    assert_eq!(refused("<p>One.</p><p>Two.</p>", whole("<p>Short.</p>")).code(), "would_drop");
    let other: String = (1..=8).map(|at| format!("<p>Another text, number {at}</p>")).collect();
    assert_eq!(refused(&html, whole(&other)).code(), "would_drop");
}

#[test]
fn a_section_in_plain_text_keeps_the_marks_of_what_stays() {
    let html = "<h2>Tea</h2><p>It is <strong>very</strong> old.</p><p>So they say.</p>";
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "It is very, very old.\nSo they say." });
    assert_eq!(after(html, given), html.replace("very</strong>", "very</strong>, very"));
    let with_next = "<p>It is new.</p><h2>Kinds</h2><p>Green.</p>";
    let two = format!("{html}<h2>Kinds</h2><p>Green.</p><p>Black.</p>");
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": with_next });
    assert_eq!(after(&two, given), "<h2>Tea</h2><p>It is new.</p><h2>Kinds</h2><p>Green.</p><p>Black.</p>");
    let titled = json!({ "operation": "replace", "sectionIndex": 1, "title": "Milk &amp; tea", "content": "<p>x</p>" });
    assert_eq!(
        update(&cell(html), titled).map(|applied| applied.into_map()["sections"][1]["title"].clone()),
        Ok("Milk & tea".into())
    );
}

#[test]
fn numbers_of_lines_in_one_form_are_no_text() {
    let html = "<p>The first step</p><ul><li><p>the second one</p></li></ul><p>a last one</p>";
    let changed = html.replace("second", "other");
    let forms = ["N: ", "N | ", "N\t", "[N] ", "L N: ", "Line N: ", "第N行：", "N→", "N. ", "(N) ", "N) "];
    for form in forms {
        let at = |line: usize| form.replace("L N", "LN").replace('N', &line.to_string());
        let content = format!("{}The first step\n{}- the other one\n{}a last one", at(1), at(2), at(3));
        assert_eq!(after(html, lines(1, 3, &content)), changed, "{form}");
        assert_eq!(after(html, whole(&content)), changed, "{form}, whole");
        let fenced = format!("```\n{content}\n```");
        assert_eq!(after(html, lines(1, 3, &fenced)), changed, "{form}, fenced");
    }
    // Without the sign of the line they are those of items.
    let list = "<ul><li><p>a b</p></li><li><p>c</p></li></ul>";
    assert_eq!(after(list, lines(1, 2, "1. a b\n2. c")), list.replace("ul>", "ol>"));
    let list = &list.replace("<p>c", "<p>c of d");
    assert_eq!(after(list, lines(1, 2, "1. - a b\n2. - c of e")), list.replace("of d", "of e"));
    assert_eq!(after("<h2># a</h2>", lines(1, 1, "# b")), "<h2># b</h2>");
    // Numbers that do not follow each other, or in two forms, are text.
    for content in ["1: a\n3: b\n2: c", "7: a\n8: b\n10: c"] {
        let expected: Vec<String> = content.lines().map(|line| format!("<p>{line}</p>")).collect();
        assert_eq!(after("<p>x</p><p>y</p><p>z</p>", lines(1, 3, content)), expected.concat());
    }
    assert_eq!(after("<p>At 5</p>", lines(1, 1, "1:30 is late")), "<p>1:30 is late</p>");
    assert_eq!(after("<p>1: a</p><p>2: b</p>", lines(1, 2, "1: a\n2: c")), "<p>1: a</p><p>2: c</p>");
}

#[test]
fn a_sign_is_text_where_that_is_nearer_the_old_text() {
    let html = "<ul><li><p>1) Streets of the town</p></li><li><p>2) Gardens</p></li></ul><ul><li><p>- so they say -</p></li></ul>";
    let content = "- 1) Roads of the town\n\n- 2) Gardens\n\n* - so they say -";
    assert_eq!(after(html, lines(1, 3, content)), html.replace("Streets of", "Roads of"));
    let content = content.replace("* - ", "- - ").replace("\n\n", "\n");
    assert_eq!(after(html, lines(1, 3, &content)), html.replace("Streets of", "Roads of"));
}

#[test]
fn a_blank_last_line_is_the_end_of_content() {
    let html = "<p>a</p><p>b</p><p></p>";
    assert_eq!(after(html, lines(1, 3, "a\nnew\nb\n")), "<p>a</p><p>new</p><p>b</p><p></p>");
    assert_eq!(after(html, lines(1, 3, "a\nnew\nb")), "<p>a</p><p>new</p><p>b</p>");
}

#[test]
fn who_escapes_a_sign_in_a_word_escapes_all_of_its_kind() {
    let has = copydesk_edit::markdown::has_escape;
    assert!(has(r"1\. May") && has(r"\*all\* of it") && has(r"snake\_case\_name") && has(r"say \[this]"));
    assert!(!has(r"¯\_(ツ)_/¯") && !has(r"C:\temp\*.*") && !has(r"a \ b"));
}

/// The document after an edit, in a schema with colors of highlights and alignment of paragraphs.
fn styled_after(html: &str, given: Value) -> String {
    let mut schema = Schema::tiptap_data();
    let marks = schema["marks"].as_array_mut().unwrap();
    marks.retain(|mark| mark["name"] != "highlight");
    marks.push(json!({ "name": "highlight", "attrs": { "color": { "default": null } } }));
    let paragraph = schema["nodes"].as_array_mut().unwrap().iter_mut().find(|node| node["name"] == "paragraph");
    paragraph.unwrap()["attrs"] = json!({ "textAlign": { "default": null } });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let blocks = html::parse_fragment(html, &schema).unwrap();
    let cell = DocumentCell::new(Document::from_blocks(schema, blocks));
    update(&cell, given).unwrap();
    cell.document().to_html()
}

#[test]
fn a_color_that_an_element_does_not_state_stays() {
    let html = "<p><mark data-color=\"#eeeeee\">music</mark></p><p>b</p>";
    let kept = styled_after(html, lines(1, 1, "<p>The <mark>music</mark> on</p>"));
    assert!(kept.starts_with("<p>The <mark data-color=\"#eeeeee\""), "{kept}");
    let other = styled_after(html, lines(1, 1, "<p>The <mark data-color=\"\">music</mark> on</p>"));
    assert!(other.contains("<mark") && !other.contains("#eeeeee"), "{other}");
}

#[test]
fn an_item_that_moved_keeps_what_its_content_does_not_state() {
    let html = "<ol><li><p>olives</p></li><li><p style=\"text-align: right\">dates</p></li><li><p>figs</p></li></ol>";
    let moved = styled_after(html, whole("<ol><li>dates</li><li>olives</li><li>figs</li></ol>"));
    assert!(moved.starts_with("<ol><li><p style=\"text-align: right"), "{moved}");
    assert_eq!(moved.matches("text-align").count(), 1, "{moved}");
}

#[test]
fn what_a_quotation_or_an_item_takes_in_keeps_what_its_content_does_not_state() {
    let aligned = "<p style=\"text-align: center\">Good night</p><p>b</p>";
    let quoted = styled_after(aligned, lines(1, 1, "<blockquote><p>Good night</p></blockquote>"));
    assert!(quoted.starts_with("<blockquote><p style=\"text-align: center"), "{quoted}");
    let html = format!("<blockquote>{aligned}</blockquote>");
    let let_out = styled_after(&html, whole("<p>Good night</p><p>b</p>"));
    assert!(let_out.starts_with("<p style=\"text-align: center"), "{let_out}");
    let items = "<ul><li><p>a</p></li><li><p style=\"text-align: right\">b</p></li></ul>";
    let nested = styled_after(items, whole("<ul><li>a<ul><li>b</li></ul></li></ul>"));
    assert!(nested.contains("<ul><li><p style=\"text-align: right"), "{nested}");
    let list = "<p>a</p><ol start=\"3\"><li><p>b</p></li></ol>";
    let moved = styled_after(list, whole("<blockquote><ol><li>b</li></ol></blockquote><p>a</p>"));
    assert!(moved.starts_with("<blockquote><ol start=\"3\">"), "{moved}");
}

#[test]
fn html_that_would_change_nothing_in_a_container_takes_the_place_of_it() {
    for container in
        ["<blockquote>{}</blockquote>", "<ul><li>{}</li></ul>", "<blockquote><ul><li>{}</li></ul></blockquote>"]
    {
        let held = container.replace("{}", "<p>a <strong>b</strong></p>");
        let html = format!("<p>x</p>{held}<p>y</p>");
        let out = "<p>x</p><p>a <strong>b</strong></p><p>y</p>";
        assert_eq!(after(&html, lines(2, 2, "<p>a <strong>b</strong></p>")), out, "{container}");
        // Another text is that of the line.
        let changed = html.replace("a <", "c <");
        assert_eq!(after(&html, lines(2, 2, "<p>c <strong>b</strong></p>")), changed, "{container}");
    }
    // So is another attribute, and a line beside others.
    let aligned = |align: &str| format!("<blockquote><p style=\"text-align: {align};\">a</p></blockquote>");
    assert_eq!(
        styled_after(&aligned("right"), lines(1, 1, "<p style=\"text-align: center\">a</p>")),
        aligned("center")
    );
    let two = "<blockquote><p>a</p><p>b</p></blockquote>";
    assert_eq!(after(two, lines(1, 1, "<p>a</p>")), two);
}

#[test]
fn a_level_is_a_tab_or_as_many_columns_as_the_content_has() {
    let html = "<ul><li><p>a</p><ul><li><p>b</p></li><li><p>c</p></li></ul></li></ul>";
    let changed = html.replace(">c<", ">d<");
    for content in ["\t- d", "  - d", "    - d"] {
        assert_eq!(after(html, lines(3, 3, content)), changed, "{content:?}");
    }
    // Where its level is all that changes, it changes.
    let nested = "<ul><li><p>a</p><ul><li><p>b</p><ul><li><p>c</p></li></ul></li></ul></li></ul>";
    assert_eq!(after(html, lines(3, 3, "    - c")), nested);
}

#[test]
fn a_swap_may_be_two_edits() {
    let html = "<p>The harbour opens in spring.</p><p>The ferry leaves at nine.</p>";
    let swap = json!({ "operation": "replace_lines", "edits": [
        { "start_line": 1, "end_line": 1, "content": "The ferry leaves at nine." },
        { "start_line": 2, "end_line": 2, "content": "The harbour opens in spring." },
    ] });
    assert_eq!(after(html, swap), "<p>The ferry leaves at nine.</p><p>The harbour opens in spring.</p>");
    assert_eq!(refused(html, lines(1, 1, "The ferry leaves at ten.")).code(), "wrong_line");
}

#[test]
fn a_longer_item_is_not_put_in_the_place_of_the_one_beside_it() {
    let html = "<ul><li><p>Green tea</p></li><li><p>Old coffee</p></li></ul>";
    assert_eq!(refused(html, lines(2, 2, "- Green tea, without sugar")).code(), "wrong_line");
    let changed = html.replace("Old coffee", "Coffee and green tea");
    assert_eq!(after(html, lines(2, 2, "- Coffee and green tea")), changed);
    let paragraphs = "<h2>Green tea</h2><p>Soon.</p>";
    assert_eq!(after(paragraphs, lines(2, 2, "Green tea is old.")), "<h2>Green tea</h2><p>Green tea is old.</p>");
}

#[test]
fn content_may_be_that_of_a_line_a_few_lines_away() {
    let html = "<p>The harbour opens in spring.</p><p>x</p><p>Only with the consent of all contributors.</p>";
    assert_eq!(refused(html, lines(3, 3, "The harbour opens in summer.")).code(), "wrong_line");
}

#[test]
fn content_that_begins_in_code_may_close_its_fence() {
    let html = "<ul><li><p>a</p><pre><code>x\ny</code></pre></li></ul>";
    let changed = "<ul><li><p>a</p><pre><code>x\nz\nw</code></pre></li></ul>";
    assert_eq!(after(html, lines(3, 3, "  z\n  w\n  ```")), changed);
    let quoted = "<blockquote><pre><code>x\ny</code></pre></blockquote>";
    let changed = "<blockquote><pre><code>x\nz\nw</code></pre></blockquote>";
    assert_eq!(after(quoted, lines(2, 2, "> z\n> w\n```")), changed);
    assert_eq!(
        after("<pre><code>x</code></pre>", lines(1, 1, "x\n```\n\nAfter.")),
        "<pre><code>x</code></pre><p>After.</p>"
    );
}

#[test]
fn a_line_with_a_tag_in_its_text_is_read_as_it_is_shown() {
    let html = "<p>Count <code>&lt;div&gt;</code> in <code>a.html</code></p>";
    let content = "- Count <code>&lt;div></code> in <code>b.html</code>";
    let changed = "<ul><li><p>Count <code>&lt;div&gt;</code> in <code>b.html</code></p></li></ul>";
    assert_eq!(after(html, lines(1, 1, content)), changed);
}

#[test]
fn the_number_of_an_unchanged_line_is_the_sign_of_an_item() {
    let html = "<p>The harbour opens in spring.</p>";
    let listed = "<ol><li><p>The harbour opens in spring.</p></li></ol>";
    assert_eq!(after(html, lines(1, 1, "1. The harbour opens in spring.")), listed);
    let changed = html.replace("spring", "summer");
    assert_eq!(after(html, lines(1, 1, "1. The harbour opens in summer.")), changed);
}

#[test]
fn a_line_that_is_named_and_beside_the_range_is_not_dropped() {
    let html = "<hr><hr><p>b</p>";
    assert_eq!(after(html, lines(1, 1, "new\n---")), "<p>new</p><hr><hr><p>b</p>");
    let html = "<p>a</p><hr><hr>";
    assert_eq!(after(html, lines(1, 2, "a\nnew\n---")), "<p>a</p><p>new</p><hr><hr>");
}

#[test]
fn of_the_parts_of_a_block_the_first_keeps_its_id() {
    let mut schema = Schema::tiptap_data();
    let paragraph = schema["nodes"].as_array_mut().unwrap().iter_mut().find(|node| node["name"] == "paragraph");
    paragraph.unwrap()["attrs"] = json!({ "id": { "default": null } });
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let blocks = html::parse_fragment("<p>a<br>b</p><p>c</p>", &schema).unwrap();
    let named = |node: &Node, id: &str| node.with_attrs(node.attrs().with("id", id.into()));
    let blocks = vec![named(&blocks[0], "one"), named(&blocks[1], "two")];
    let cell = DocumentCell::new(Document::from_blocks(schema, blocks));
    update(&cell, lines(1, 2, "- a\n- b")).unwrap();
    let json = cell.document().to_json();
    assert_eq!((json.matches("\"one\"").count(), json.matches("\"two\"").count()), (1, 1), "{json}");
}

#[test]
fn headings_fences_and_tables_may_be_in_another_notation_of_markdown() {
    let html = "<h2>Parts</h2><p>a</p><pre><code class=\"language-sh\">ls</code></pre>\
        <table><tr><td><p>x</p></td><td><p>1</p></td></tr><tr><td><p>y</p></td><td><p>2</p></td></tr></table>";
    let given_whole = |content: &str| after(html, whole(content));
    let changed = after(html, lines(2, 2, "b"));
    let rest = "b\n~~~sh\nls\n~~~\nx | 1\n---|---\ny | 2";
    assert_eq!(given_whole(&format!("## Parts ##\n{rest}")).replace("th>", "td>"), changed.replace("th>", "td>"));
    assert_eq!(given_whole(&format!("Parts\n---\n{rest}")).replace("th>", "td>"), changed.replace("th>", "td>"));
    assert_eq!(after("<p>a</p>", lines(1, 1, "Parts\n=====\nb")), "<h1>Parts</h1><p>b</p>");
    assert_eq!(after("<p>a</p>", lines(1, 1, "Yours\n--\nAnn")), "<p>Yours</p><p>--</p><p>Ann</p>");
    // Nothing but a text is underlined.
    let code = after("<p>a</p>", lines(1, 1, "```\nx\n```\n-----"));
    assert_eq!(code, "<pre><code>x</code></pre><hr>");
    // A rule is shown as three dashes, and a text may have these signs.
    assert_eq!(after("<p>a</p><p>c</p>", lines(1, 1, "b\n---")), "<p>b</p><hr><p>c</p>");
    assert_eq!(after("<p>a | b</p><p>c</p>", lines(2, 2, "c | d")), "<p>a | b</p><p>c | d</p>");
    assert_eq!(after("<h2>C #</h2><p>c</p>", lines(1, 1, "## C #")), "<h2>C #</h2><p>c</p>");
    assert_eq!(after("<pre><code>a</code></pre>", lines(1, 1, "~~~\nb\n~~~")), "<pre><code>b</code></pre>");
}

#[test]
fn an_item_added_behind_the_last_one_of_a_container_without_a_sign_is_in_it() {
    let mut schema = Schema::tiptap_data();
    let nodes = schema["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "name": "callout", "group": "block", "content": "block+" }));
    let schema = Schema::from_json(&schema.to_string()).unwrap();
    let blocks = html::parse_fragment("<p>a</p><ul><li><p>b</p></li></ul>", &schema).unwrap();
    let kind = schema.find_node("callout").unwrap();
    let callout = Node::new(&schema, kind, schema.default_attrs(kind), blocks, Default::default());
    let cell = DocumentCell::new(Document::from_blocks(schema, vec![callout]));
    update(&cell, lines(2, 2, "- b\n- c")).unwrap();
    assert_eq!(cell.document().blocks().len(), 1);
    assert_eq!(cell.document().blocks()[0].children()[1].children().len(), 2);

    // Given for the lines behind the container.
    let title = html::parse_fragment("<h2>d</h2>", cell.document().schema()).unwrap();
    let blocks = [cell.document().blocks().to_vec(), title].concat();
    let cell = DocumentCell::new(Document::from_blocks(cell.document().schema().clone(), blocks));
    update(&cell, lines(4, 4, "- e\n## d")).unwrap();
    assert_eq!(cell.document().blocks().len(), 2);
    assert_eq!(cell.document().blocks()[0].children()[1].children().len(), 3);
}

#[test]
fn rows_that_stand_for_cells_or_items_are_refused() {
    let table = "<table><tr><td><p>1</p></td><td><p>07:30</p></td></tr><tr><td><p>2</p></td><td><p>09:00</p></td></tr>\
        <tr><td><p>4</p></td><td><p>07:30</p></td></tr></table>";
    for content in
        ["| 1 | 07:30 |\n| ... | ... |", "| 1 | 07:30 |\n| (unchanged) | |", "| 1 | 07:30 |\n(other rows unchanged)"]
    {
        assert_eq!(refused(table, lines(1, 6, content)).code(), "placeholder", "{content}");
    }
    let list = "<ol><li><p>Draw four tiles.</p></li><li><p>Place them.</p></li><li><p>Set the tide.</p></li></ol>";
    assert_eq!(refused(list, lines(1, 3, "1. Draw five tiles.\n2–3. (as before)")).code(), "placeholder");
}

#[test]
fn an_item_of_the_line_beside_is_refused() {
    let list = "<ul><li><p>Echo in 6 weeks</p></li><li><p>referral sent</p></li></ul>";
    assert_eq!(refused(list, lines(1, 1, "- referral sent")).code(), "wrong_line");
}

#[test]
fn an_item_or_a_row_that_is_another_one_further_away_with_changes_is_refused() {
    let list = "<ul><li><p>Karim as the night stranger</p></li><li><p>Hala as the owner</p><ul><li><p>her voice is clear</p></li>\
        <li><p>her steps are small</p></li></ul></li><li><p>a choir of six students</p></li></ul>";
    assert_eq!(refused(list, lines(5, 5, "- Karim as the old night stranger")).code(), "wrong_line");
    after(list, lines(5, 5, "- a choir of seven students"));
    let row = |cells: [&str; 3]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td><p>{cell}</p></td>")).concat());
    let table = format!("<table>{}{}</table>", row(["Points", "22", "26"]), row(["Bugs", "9", "4"]));
    assert_eq!(refused(&table, lines(1, 3, "| Bugs | 9 | 5 |")).code(), "wrong_line");
    after(&table, lines(1, 3, "| Points | 9 | 5 |"));
    // The sign shows which line is meant.
    let steps =
        "<ol><li><p>Tell support</p></li></ol><blockquote><p>Never roll back alone.</p><p>Ask first.</p></blockquote>";
    assert_eq!(refused(steps, lines(3, 3, "1. Tell support and sales")).code(), "wrong_line");
}

#[test]
fn rows_that_move_keep_cells_of_several_lines() {
    let row = |cells: [&str; 3]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
    let edirne = row(["<p>3</p>", "<p>Edirne</p><p>(two concerts)</p>", "<p>Han</p>"]);
    let ayvalik = row(["<p>6</p>", "<p>Ayvalık</p>", "<p>Depot</p>"]);
    let table = |rows: [&str; 2]| {
        format!("<table>{}{}</table>", row(["<p>Day</p>", "<p>Town</p>", "<p>Hall</p>"]), rows.concat())
    };
    let content = "| Day\n| Town\n| Hall\n| 6\n| Ayvalık\n| Depot\n| 3\n| Edirne\n| (two concerts)\n| Han";
    let moved = after(&table([&edirne, &ayvalik]), lines(1, 10, content));
    assert_eq!(moved, cell(&table([&ayvalik, &edirne])).document().to_html());
}

#[test]
fn a_section_of_one_ticked_task_is_refused() {
    let task = |text: &str| format!("<li data-type=\"taskItem\" data-checked=\"false\"><p>{text}</p></li>");
    let html =
        format!("<h2>A</h2><ul data-type=\"taskList\">{}{}{}</ul>", task("one of"), task("two of"), task("three of"));
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "- [x] two of" });
    assert_eq!(refused(&html, given).code(), "would_drop");
}

#[test]
fn what_frames_a_line_is_no_part_of_it() {
    let html = "<ol><li><p>Each player draws four tiles.</p></li></ol>";
    let made = "<ol><li><p>Each player draws five tiles.</p></li></ol>";
    for content in [
        "<!-- updated line -->\n1. Each player draws five tiles.",
        "<think>The value changes.</think>\n1. Each player draws five tiles.",
        "<answer>\n1. Each player draws five tiles.",
        "<line number=\"1\">1. Each player draws five tiles.</line>",
        "**Updated line:**\n\n1. Each player draws five tiles.",
        "<<<<<<< SEARCH\n1. Each player draws four tiles.\n=======\n1. Each player draws five tiles.\n>>>>>>> REPLACE",
    ] {
        assert_eq!(after(html, lines(1, 1, content)), made, "{content}");
    }
    // Text in an element that no HTML knows is text of the line.
    let made = "<ol><li><p>Each player (Ann) draws five tiles.</p></li></ol>";
    let own = "1. <player>Each player (Ann)</player> draws five tiles.";
    assert_eq!(after(html, lines(1, 1, own)).replace("&lt;player&gt;", "").replace("&lt;/player&gt;", ""), made);
    let own = "<player>Each player (Ann)</player> draws five tiles.";
    assert!(after(html, lines(1, 1, own)).contains("Each player (Ann)"));
    // A comment that is text, or in code, stays.
    let code = "<pre><code>a\nb</code></pre>";
    assert_eq!(after(code, lines(1, 1, "<!-- a -->")), "<pre><code>&lt;!-- a --&gt;\nb</code></pre>");
}

#[test]
fn headings_that_content_of_a_section_repeats_are_there_once() {
    let html = "<h2>Aims</h2><p>To show it.</p><h2>Sessions</h2><p>x</p>";
    for content in ["To prove it.\n\n## Sessions", "<p>To prove it.</p><h2>Sessions</h2>"] {
        let given = json!({ "operation": "replace", "sectionIndex": 1, "content": content });
        assert_eq!(after(html, given), html.replace("show", "prove"), "{content}");
    }
    for content in ["## Aims\n\nTo show it.", "<h2>Aims</h2><p>To show it.</p>"] {
        let given = json!({ "operation": "replace", "sectionIndex": 1, "title": "Goals", "content": content });
        assert_eq!(after(html, given), html.replace("Aims", "Goals"), "{content}");
    }
}
