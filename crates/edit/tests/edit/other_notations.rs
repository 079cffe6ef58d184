//! Signs in other notations than the shown one, and what content repeats around its lines.

use crate::{after, cell, refused};
use copydesk_base::{ErrorInfo, Locale};
use copydesk_edit::{DocUpdate, EditContext, apply};
use serde_json::{Value, json};

fn lines(start: usize, end: usize, content: &str) -> Value {
    json!({ "operation": "replace_lines", "edits": [{ "start_line": start, "end_line": end, "content": content }] })
}

fn text(old: &str, new: &str) -> Value {
    json!({ "operation": "replace_text", "old": old, "new": new })
}

/// Returns a list of tasks of their texts and ticks.
fn tasks(tasks: &[(&str, bool)]) -> String {
    let item = |(text, checked): &(&str, bool)| {
        format!(
            r#"<li data-checked="{checked}" data-type="taskItem"><label><input type="checkbox"{}><span></span></label><div><p>{text}</p></div></li>"#,
            if *checked { r#" checked="checked""# } else { "" }
        )
    };
    format!(r#"<ul data-type="taskList">{}</ul>"#, tasks.iter().map(item).collect::<String>())
}

#[test]
fn a_sentence_above_a_quotation_that_replaces_other_lines_is_text() {
    let html = "<ul><li><p>Introductions to two operators.</p></li><li><p>Feedback on the deck.</p></li></ul>";
    let content = "We have one ask this time:\n\n> Introduce us to one operator.";
    let quoted = "<p>We have one ask this time:</p><blockquote><p>Introduce us to one operator.</p></blockquote>";
    assert_eq!(after(html, lines(1, 2, content)), quoted);
    // Above a quotation that is one it introduces the content.
    let html = "<blockquote><p>Introductions to two operators.</p><p>Feedback.</p></blockquote>";
    let content = "Here is the line:\n\n> Introductions to three operators.";
    assert_eq!(after(html, lines(1, 1, content)), html.replace("two", "three"));
}

#[test]
fn items_with_another_sign_are_another_list_and_one_alone_is_of_its_list() {
    let html = "<p>Three.</p><ul><li><p>upper tea house</p></li><li><p>middle tea house</p></li></ul><p>End.</p>";
    let numbered = "<p>All.</p><ol><li><p>Ah</p></li><li><p>middle house</p></li></ol>";
    assert_eq!(after(html, lines(1, 4, "All.\n\n1. Ah\n2. middle house")), numbered);
    let one = "<p>All.</p><ul><li><p>middle house</p></li></ul>";
    assert_eq!(after(html, lines(1, 4, "All.\n\n1. middle house")), one);
}

#[test]
fn a_line_that_the_old_text_begins_with_introduces_items_and_stays() {
    let before = "<p>We need two things: a hammer and nails. The rest is here.</p>";
    for content in [
        "We need two things:\n\n- a hammer\n- nails",
        "Bring:\n\n- a hammer\n- nails",
        "We bring:\n\n1. a hammer\n2. nails",
    ] {
        let first = content.split('\n').next().unwrap();
        assert!(after(before, lines(1, 1, content)).starts_with(&format!("<p>{first}</p>")), "{content:?}");
    }
    let plain = "<p>The door is open today.</p>";
    assert_eq!(
        after(plain, lines(1, 1, "Here is the line:\n\nThe door is shut today.")),
        "<p>The door is shut today.</p>"
    );
}

#[test]
fn an_underlined_line_in_the_place_of_a_heading_is_that_heading() {
    let before = "<h2>The old title</h2><p>Text.</p>";
    assert_eq!(after(before, lines(1, 1, "A new title\n---")), "<h2>A new title</h2><p>Text.</p>");
    assert_eq!(after("<h1>Old</h1><p>Text.</p>", lines(1, 1, "New\n===")), "<h1>New</h1><p>Text.</p>");
    assert_eq!(after("<p>A line.</p><p>Text.</p>", lines(1, 1, "A row.\n---")), "<p>A row.</p><hr><p>Text.</p>");
}

#[test]
fn numbers_and_headings_in_full_width_are_signs() {
    let list = "<ul><li><p>a b c</p></li><li><p>d e f</p></li></ul>";
    assert_eq!(
        after(list, lines(1, 2, "１：- a b c d\n２：- d e f")),
        "<ul><li><p>a b c d</p></li><li><p>d e f</p></li></ul>"
    );
    assert_eq!(after("<h3>食事</h3><p>x</p>", lines(1, 1, "＃＃＃ 食事と味")), "<h3>食事と味</h3><p>x</p>");
}

#[test]
fn a_sign_that_all_rows_in_the_place_of_items_begin_with_is_their_bullet() {
    let list = |items: &[&str]| {
        format!("<ul>{}</ul>", items.iter().map(|item| format!("<li><p>{item}</p></li>")).collect::<String>())
    };
    let before = list(&["パソコン", "回線"]);
    for sign in ["・", "– ", "— ", "▸ "] {
        let content = format!("{sign}パソコン一台\n{sign}光回線");
        assert_eq!(after(&before, lines(1, 2, &content)), list(&["パソコン一台", "光回線"]), "{sign}");
    }
    let kept = list(&["– minus", "plus"]);
    assert_eq!(after(&kept, lines(1, 1, "– minus one")), list(&["– minus one", "plus"]));
    assert_eq!(after(&before, lines(1, 1, "“PC”")), list(&["“PC”", "回線"]));
}

#[test]
fn an_item_that_comes_behind_those_of_another_list_is_in_that_list() {
    let item = |text: &str, inside: &[&str]| {
        let nested: String = inside.iter().map(|text| format!("<li><p>{text}</p></li>")).collect();
        format!(
            "<li><p>{text}</p>{}</li>",
            if inside.is_empty() { String::new() } else { format!("<ul>{nested}</ul>") }
        )
    };
    let before = format!("<ul>{}{}</ul>", item("Top", &["ten bowls", "four jars"]), item("Middle", &["twenty plates"]));
    assert_eq!(
        after(&before, lines(3, 5, "- Middle\n  - twenty plates\n  - four jars")),
        format!("<ul>{}{}</ul>", item("Top", &["ten bowls"]), item("Middle", &["twenty plates", "four jars"]))
    );
    let two =
        "<ol><li><p>one</p></li><li><p>two</p></li></ol><p>Between.</p><ol start=\"3\"><li><p>three</p></li></ol>";
    assert_eq!(
        after(two, lines(1, 4, "1. one\n2. two\n3. three\nBetween.")),
        "<ol><li><p>one</p></li><li><p>two</p></li><li><p>three</p></li></ol><p>Between.</p>"
    );
    let beside = "<ul><li><p>one</p></li></ul><ul><li><p>two</p></li></ul>";
    assert_eq!(after(beside, lines(1, 2, "- one\n- two!")), beside.replace("two", "two!"));
}

#[test]
fn a_task_beside_the_lines_that_comes_back_with_another_tick_gets_it() {
    let before = tasks(&[("Seams", false), ("Buttons", false), ("Wash", true)]);
    let rows = |ticks: [bool; 3]| {
        let row = |(text, is): (&str, bool)| format!("- [{}] {text}", if is { "x" } else { " " });
        ["Seams", "Buttons", "Wash"].into_iter().zip(ticks).map(row).collect::<Vec<_>>()
    };
    for named in 1..=3 {
        for ticks in [[true, false, true], [true, true, false], [false, true, true]] {
            let expected = tasks(&[("Seams", ticks[0]), ("Buttons", ticks[1]), ("Wash", ticks[2])]);
            assert_eq!(after(&before, lines(named, named, &rows(ticks).join("\n"))), expected, "{named} {ticks:?}");
        }
    }
    let two = rows([false, true, true])[..2].join("\n");
    assert_eq!(after(&before, lines(1, 1, &two)), tasks(&[("Seams", false), ("Buttons", true), ("Wash", true)]));
}

#[test]
fn words_between_dots_are_no_text() {
    let table = "<table><tr><td><p>a</p></td><td><p>1</p></td></tr><tr><td><p>b</p></td><td><p>2</p></td></tr></table>";
    let error = refused(table, lines(1, 2, "| a | 9 |\n... rest of the table unchanged ..."));
    assert_eq!(error.code(), "placeholder");
    assert_eq!(after("<p>… and so on …</p>", lines(1, 1, "… and so on …\nMore.")), "<p>… and so on …</p><p>More.</p>");
}

#[test]
fn a_line_that_is_nearly_the_one_beside_it_is_refused() {
    let before = "<p>Flat A 12 was empty from January to June. The previous tenant had smoked, and every wall had to be sealed before it could be painted.</p>\
        <p>Flat C 3 was empty from April to September. Here we simply failed: the advertisement was never published.</p>";
    let content =
        "Flat C 3 was empty from April to August. Here we simply failed: the advertisement was never published.";
    let error = refused(before, lines(1, 1, content));
    assert_eq!(error.code(), "wrong_line");
}

#[test]
fn quotes_typed_plainly_stay_those_of_the_document() {
    let two = "<p>« C’est vrai », dit-il. Il a dix ans.</p><p>L’école est loin.</p>";
    assert_eq!(
        after(two, lines(1, 2, "« C'est vrai », dit-il. Il a onze ans.\nL'école est loin.")),
        two.replace("dix", "onze")
    );
    assert_eq!(after("<p>L’école est loin.</p>", lines(1, 1, "L'école est loin.")), "<p>L'école est loin.</p>");
}

#[test]
fn signs_that_are_typed_otherwise_stay_beside_marks_and_other_words() {
    let changed = |before: &str, content: &str, old: &str, new: &str| {
        assert_eq!(after(before, lines(1, 1, content)), before.replace(old, new), "{content}");
    };
    let note = "<p>Errors of class «50»: from <em>10</em> to 240</p>";
    changed(note, "Errors of class \"70\": from <em>10</em> to 240", "50", "70");
    changed("<p>「できません」ではなく代わりの案</p>", "\"できません\"ではなく別の案", "代わり", "別");
    changed("<p>« Un outil <em>prêté</em> ». Merci</p>", "\"Un outil <em>rendu</em>\". Merci", "prêté", "rendu");
    changed("<p>Reset at 04:00. Deploy with:</p>", "Reset at 05:00. Deploy\u{a0}with:", "04", "05");
    changed("<p>Dès 12&nbsp;% de marge</p>", "Dès 13 % de marge", "12", "13");
    // Where nothing else changes they are meant.
    changed("<p>He said “yes”</p>", "He said \"yes\"", "“yes”", "\"yes\"");
    // Other punctuation belongs to the language.
    changed("<p>茶是好树。</p>", "Tea is a fine tree.", "茶是好树。", "Tea is a fine tree.");
}

#[test]
fn digits_that_are_typed_in_full_width_are_those_of_the_document() {
    let before = "<p>水曜日の10時から14時まで</p>";
    let changed = "<p>水曜日の9時から13時まで</p>";
    assert_eq!(after(before, text("の１０時から１４時", "の９時から１３時")), changed);
}

#[test]
fn a_line_that_begins_as_another_item_without_spaces_is_refused() {
    let before = "<ol><li><p>登记行动不便的住户</p></li><li><p>保管好快递</p></li><li><p>报修请扫码填写</p></li></ol>";
    assert_eq!(refused(before, lines(2, 2, "3. 报修请扫码填写或致电前台")).code(), "wrong_line");
    assert!(after(before, lines(2, 2, "2. 请保管好快递")).contains("请保管好快递"));
}

#[test]
fn a_link_in_a_text_with_another_address_keeps_its_title() {
    let link = |number: u8| {
        format!(
            r#"<p>See <a target="_blank" rel="noopener noreferrer nofollow" href="https://a.org/{number}" title="The list">task {number}</a>.</p>"#
        )
    };
    assert_eq!(
        after(&link(1), text(r#"<a href="https://a.org/1">task 1</a>"#, r#"<a href="https://a.org/2">task 2</a>"#)),
        link(2)
    );
}

#[test]
fn references_with_which_a_text_is_shown_are_its_signs() {
    let tags = "<p>Do not paste &lt;script> tags.</p>";
    assert_eq!(
        after(tags, lines(1, 1, "Never paste &lt;script> tags.")),
        tags.replace("Do not", "Never").replace("> t", "&gt; t")
    );
    let entity = "<p>Use &amp;amp; if you must.</p>";
    let only = entity.replace("if", "only if");
    assert_eq!(after(entity, lines(1, 1, "Use &amp;amp; only if you must.")), only);
    // The text itself has the reference.
    assert_eq!(after(entity, lines(1, 1, "Use &amp; only if you must.")), only);
}

#[test]
fn signs_in_an_element_of_code_are_its_text() {
    let html = "<p>Two stars shout; <code>**code**</code> does not.</p>";
    let loud = html.replace("shout", "shout loudly");
    assert_eq!(after(html, lines(1, 1, "Two stars shout loudly; <code>**code**</code> does not.")), loud);
}

#[test]
fn boxes_that_are_escaped_or_empty_are_boxes() {
    let html = tasks(&[("Ask for three offers", false), ("Send the brief", true)]);
    let changed = tasks(&[("Ask for four offers", false), ("Send the brief", true)]);
    for box_ in ["- [] ", "- \\[ \\] ", "- [ ] "] {
        assert_eq!(after(&html, lines(1, 1, &format!("{box_}Ask for four offers"))), changed, "{box_}");
    }
}

#[test]
fn numbers_before_the_signs_of_all_items_are_no_text() {
    let html = "<p>Goals:</p><ul><li><p>Less leave</p></li><li><p>Cheaper heating</p></li></ul>";
    let changed = html.replace("Less leave", "Fewer sick days").replace("Cheaper", "Better");
    assert_eq!(after(html, lines(2, 3, "1: - Fewer sick days\n2: - Better heating")), changed);
}

#[test]
fn an_indented_item_with_the_number_of_its_line_is_that_item() {
    let html = "<ol><li><p>The newest comments</p></li><li><p>A link to all</p></li></ol>";
    let changed = html.replace("all", "all comments");
    assert_eq!(after(html, lines(2, 2, "   2. A link to all comments")), changed);
    let nested = after(html, lines(2, 2, "   1. A link to all comments"));
    assert!(nested.contains("<p>The newest comments</p><ol>"), "{nested}");
}

#[test]
fn a_line_with_all_words_of_one_beside_it_is_refused_and_one_as_near_to_both_is_not() {
    let dates = "<p>12 Feb: first draft.</p><p>20 Feb: limit added.</p><p>1 Mar: accepted.</p>";
    assert_eq!(refused(dates, lines(2, 2, "12 Feb: first rough draft.")).code(), "wrong_line");
    let counts = "<ol><li><p>Count them when they board</p></li><li><p>Count them when they leave</p></li></ol>";
    let changed = counts.replace("they leave", "they arrive");
    assert_eq!(after(counts, lines(2, 2, "2. Count them when they arrive")), changed);
    let broken = "<p>First party (stamp):<br>Second party (stamp):<br>Date:</p>";
    let whole = "<p>The buyer (signature):<br>Second party (stamp):<br>Date:</p>";
    assert_eq!(after(broken, lines(1, 1, whole)), whole);
}

#[test]
fn letters_added_between_a_word_and_the_number_of_a_note_are_of_the_word() {
    let html = "<p>Oat<strong>1</strong></p>";
    assert_eq!(after(html, lines(1, 1, "Oatmeal1")), "<p>Oatmeal<strong>1</strong></p>");
    assert_eq!(after(html, lines(1, 1, "Oat12")), "<p>Oat<strong>12</strong></p>");
}

#[test]
fn a_text_between_cells_is_a_further_line_of_the_cell_before_it() {
    let row = |cells: [&str; 2]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
    let table =
        |rows: &[[&str; 2]]| format!("<table>{}</table>", rows.iter().map(|cells| row(*cells)).collect::<String>());
    let lunch = ["<p>Lunch</p>", "<p>Bring a box</p>"];
    let tea = ["<p>Tea</p>", "<p>Twenty seats</p>"];
    let html = table(&[lunch, tea]);
    let content = "| Lunch\n| Bring a box\nOne euro less\n| Coffee\n| Thirty seats";
    let changed = after(&html, lines(1, 4, content));
    let expected = [["<p>Lunch</p>", "<p>Bring a box<br>One euro less</p>"], ["<p>Coffee</p>", "<p>Thirty seats</p>"]];
    assert_eq!(changed, after(&table(&expected), lines(1, 1, "| Lunch")));
}

#[test]
fn an_amount_that_is_nearly_the_named_one_is_no_other_amount() {
    let row = |cells: [&str; 2]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td><p>{cell}</p></td>")).concat());
    let rows = |amount: &str| row(["Subsidie", "€ -252.000"]) + &row(["Totaal", amount]);
    let table = |amount: &str| format!("<table><tbody>{}</tbody></table>", rows(amount));
    assert_eq!(
        after(&table("€ 253.000"), lines(4, 4, "| € 258.000")),
        after(&table("€ 258.000"), lines(1, 1, "| Subsidie"))
    );
    assert_eq!(refused(&table("n/a"), lines(4, 4, "| € -252.100")).code(), "wrong_line");
}

#[test]
fn a_line_with_most_words_of_another_and_few_of_its_own_is_refused() {
    let claims = "<ol><li><p>A method as in claim 1, wherein the filter has a fleece of basalt fibres.</p></li>\
        <li><p>A method as in claim 1 or 2, wherein the coolant is compressed at 80 to 110 bar.</p></li></ol>";
    let other = "1. A method as in claim 1 or 2, wherein the coolant is compressed.";
    assert_eq!(refused(claims, lines(1, 1, other)).code(), "wrong_line");
    let own = "1. A method as in claim 1, wherein the filter is compressed.";
    assert!(after(claims, lines(1, 1, own)).contains("the filter is compressed"));
    let ropes = "<ul><li><p>Static rope 60 m</p></li><li><p>Dynamic rope 50 m, old but checked, spare</p></li></ul>";
    assert_eq!(refused(ropes, lines(2, 2, "- Static rope 60 m, spare")).code(), "wrong_line");
}

#[test]
fn a_new_row_that_is_as_another_line_is_shown_states_its_marks() {
    let row = |cells: [&str; 2]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td><p>{cell}</p></td>")).concat());
    let table = |rows: &[[&str; 2]]| {
        format!("<table><tbody>{}</tbody></table>", rows.iter().map(|cells| row(*cells)).collect::<String>())
    };
    let (first, second) = (["<em>Tide</em>", "8"], ["Quay", "7"]);
    let expected = after(&table(&[first, second, ["<em>Tide</em>", "9"]]), lines(2, 2, "| 8"));
    assert_eq!(after(&table(&[first, second]), lines(4, 4, "| 7\n| <em>Tide</em>\n| 9")), expected);
    // What only repeats a line beside the named one is that line.
    let items = "<ul><li><p>a <strong>b</strong></p></li><li><p>c</p></li></ul>";
    assert_eq!(after(items, lines(2, 2, "- a <strong>b</strong>\n- d")), items.replace(">c<", ">d<"));
}

#[test]
fn plain_text_for_a_section_keeps_the_marks_of_what_stays() {
    let cell = cell("<h2>Tea</h2><p>A <strong>green</strong> leaf, and more.</p><p>Old.</p>");
    let replaced = json!({ "operation": "replace", "sectionIndex": 1, "content": "A green leaf.\n\n- <b>New</b>." });
    let context = EditContext { format: serde_json::from_value(json!("text")).unwrap(), ..Locale::En.into() };
    apply(&cell, &DocUpdate::from_value(&replaced).unwrap(), &context).unwrap();
    let expected = "<h2>Tea</h2><p>A <strong>green</strong> leaf.</p><p>- &lt;b&gt;New&lt;/b&gt;.</p>";
    assert_eq!(cell.document().to_html(), expected);
}

#[test]
fn content_for_a_section_that_is_like_nothing_in_it_is_new() {
    let tasks = "<ul data-type=\"taskList\"><li data-checked=\"true\"><p>Budget</p></li></ul>";
    let html = format!(
        "<h2>Plan</h2>{tasks}<details><summary>Opinion</summary><div data-type=\"detailsContent\"><p>Agreed.</p></div></details>"
    );
    let replaced = json!({ "operation": "replace", "sectionIndex": 1, "content": "First, the harvest.\n\nThen quality.", "whole": true });
    assert_eq!(after(&html, replaced), "<h2>Plan</h2><p>First, the harvest.</p><p>Then quality.</p>");
    let code = "<h2>Use</h2><pre><code class=\"language-bash\">npm install q\nnpx q</code></pre><p>It prints all.</p>";
    let replaced = json!({ "operation": "replace", "sectionIndex": 1, "content": "Use it:\n\n```bash\ncurl q\n```", "whole": true });
    assert_eq!(
        after(code, replaced),
        "<h2>Use</h2><p>Use it:</p><pre><code class=\"language-bash\">curl q</code></pre>"
    );
}

#[test]
fn a_note_in_place_of_the_last_line_is_a_placeholder_behind_lines_that_stay() {
    let html = "<p>Down for nearly four hours.</p><p>An expired certificate.</p>";
    assert_eq!(refused(html, lines(1, 2, "Down for four hours.\n(unchanged)")).code(), "placeholder");
    let sole = after(html, lines(2, 2, "(sighs)"));
    assert_eq!(sole, html.replace("An expired certificate.", "(sighs)"));
    let same_words = after(html, lines(1, 2, "Down for four hours.\n(a certificate)"));
    assert!(same_words.contains("(a certificate)"));
    let leaf = after(html, lines(1, 2, "Down for four hours.\n[button]"));
    assert!(leaf.contains("[button]"));
}

#[test]
fn a_row_that_begins_as_one_two_rows_away_is_refused() {
    let row = |cells: [&str; 3]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td><p>{cell}</p></td>")).concat());
    let rows = [row(["A", "1200", "7"]), row(["B", "900", "15"]), row(["C", "600", "2"])].concat();
    let table = format!("<table><tbody>{rows}</tbody></table>");
    assert_eq!(refused(&table, lines(1, 3, "| C | 610 | 2 |")).code(), "wrong_line");
    assert!(after(&table, lines(1, 3, "| A | 1210 | 7 |")).contains("1210"));
}

#[test]
fn the_items_that_are_left_of_a_list_make_another_list_with_its_signs() {
    let list = |tag: &str, items: &[&str]| {
        let items: String = items.iter().map(|item| format!("<li><p>{item}</p></li>")).collect();
        format!("<{tag}>{items}</{tag}>")
    };
    let before = list("ol", &["Boots in the rack", "Silence from ten", "Dogs on the leash", "Take your waste home"]);
    let left = ["Silence from ten", "Take your waste home"];
    assert_eq!(after(&before, lines(1, 4, "- Silence from ten\n- Take your waste home")), list("ul", &left));
    // Of the list more is left.
    let some = after(&before, lines(1, 2, "- Silence from ten"));
    assert_eq!(some, list("ol", &["Silence from ten", "Dogs on the leash", "Take your waste home"]));
}

#[test]
fn an_item_that_is_one_space_further_in_is_beside_the_one_before_it() {
    let list = |more: &str| {
        format!("<ul><li><p>a</p><ul><li><p>sorted by name</p></li>{more}</ul></li><li><p>z</p></li></ul>")
    };
    for content in ["  - sorted by name\n   - sorted by date", "  - sorted by name\n  - sorted by date"] {
        assert_eq!(after(&list(""), lines(2, 2, content)), list("<li><p>sorted by date</p></li>"), "{content:?}");
    }
    let nested = after(&list(""), lines(2, 2, "  - sorted by name\n    - or date"));
    assert!(nested.contains("<p>sorted by name</p><ul><li><p>or date</p>"), "{nested}");
}

#[test]
fn rows_that_go_on_in_the_outer_list_leave_the_inner_one() {
    let item = |text: &str, inside: &str| format!("<li><p>{text}</p>{inside}</li>");
    let list = |items: &[String]| format!("<ol>{}</ol>", items.concat());
    let inner = list(&[item("cleaning", ""), item("lifts", "")]);
    let html = list(&[item("garage", ""), item("fees", &inner), item("playground", "")]);
    let outer =
        [item("garage", ""), item("fees", &list(&[item("cleaning", "")])), item("lifts", ""), item("playground", "")];
    assert_eq!(after(&html, lines(4, 5, "3. lifts\n4. playground")), list(&outer));
    // Alone it is where it was.
    let inner = list(&[item("cleaning", ""), item("both lifts", "")]);
    let html_after = list(&[item("garage", ""), item("fees", &inner), item("playground", "")]);
    assert_eq!(after(&html, lines(4, 4, "2. both lifts")), html_after);
}

#[test]
fn the_only_line_of_a_quotation_that_comes_back_without_its_sign_comes_out() {
    let html = "<p>a</p><blockquote><p>To <strong>measure</strong> is to compare.</p></blockquote>";
    let out = "<p>a</p><p>To <strong>measure</strong> is to compare.</p>";
    assert_eq!(after(html, lines(2, 2, "To <strong>measure</strong> is to compare.")), out);
    // Another text is the line with changes.
    let changed = html.replace("compare", "weigh");
    assert_eq!(after(html, lines(2, 2, "To <strong>measure</strong> is to weigh.")), changed);
}

#[test]
fn a_shortened_neighbour_and_dots_for_an_image_are_refused() {
    let html = "<p>This paper proposes that every write request carries a key in its header, so that clients can \
        safely retry after a timeout.</p><p>The key is stored for a day and the answer is replayed.</p>\
        <img src=\"https://a.b/c.png\" alt=\"A\">";
    let shortened = "Every write request carries a key in its header, so clients can safely retry.";
    assert_eq!(refused(html, lines(2, 2, shortened)).code(), "wrong_line");
    let elided = "The key is stored for two days and the answer is replayed.\n…";
    assert_eq!(refused(html, lines(2, 3, elided)).code(), "placeholder");
}
