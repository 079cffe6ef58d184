//! Edits of text: found across marks, never guessed, and no more of the line changes than the text.

use super::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_document::{Document, Schema};
use copydesk_edit::content::Format;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::{DocUpdate, DocumentCell, EditContext, apply};
use serde_json::{Value, json};

fn replaced(html: &str, old: &str, new: &str) -> String {
    after(html, json!({ "operation": "replace_text", "old": old, "new": new }))
}

#[test]
fn text_is_found_across_marks_and_what_stays_keeps_them() {
    assert_eq!(replaced("<p>a <strong>b</strong> c</p>", "a b c", "a b d"), "<p>a <strong>b</strong> d</p>");
    assert_eq!(replaced("<p>x <strong>old</strong> y</p>", "old", "new"), "<p>x <strong>new</strong> y</p>");
    assert_eq!(replaced("<p><em>one</em> two</p>", "one two", "one big two"), "<p><em>one</em> big two</p>");
    assert_eq!(replaced("<p>the the the</p>", "the the the", "the"), "<p>the</p>");
}

#[test]
fn a_part_that_is_joined_to_a_word_by_a_hyphen_has_the_marks_of_the_word() {
    let link = |text: &str| {
        format!("<a target=\"_blank\" rel=\"noopener noreferrer nofollow\" href=\"https://a.b/\">{text}</a>")
    };
    let paragraph = |inside: &str| format!("<p>im {inside} hoch</p>");
    assert_eq!(replaced(&paragraph(&link("Portal")), "Portal", "Online-Portal"), paragraph(&link("Online-Portal")));
    assert_eq!(replaced(&paragraph("<em>drug</em>"), "im drug", "im drug-B"), paragraph("<em>drug-B</em>"));
    assert_eq!(replaced(&paragraph("<em>rock</em>"), "rock", "rock’n"), paragraph("<em>rock’n</em>"));
    // Text with a space or another sign is beside the word, and so is a part between two words.
    assert_eq!(replaced(&paragraph("<em>drug</em>"), "im drug", "im drug, B"), paragraph("<em>drug</em>, B"));
    assert_eq!(replaced(&paragraph("<em>drug</em>"), "im drug", "im drug -"), paragraph("<em>drug</em> -"));
    assert_eq!(replaced("<p><em>a</em>b</p>", "ab", "a-x-b"), "<p><em>a</em>-x-b</p>");
}

#[test]
fn what_is_added_to_a_link_that_is_named_as_a_whole_belongs_to_it() {
    let linked = |text: &str, behind: &str| {
        let link = r#"<a target="_blank" rel="noopener noreferrer nofollow" href="https://a.b/">"#;
        format!("<p>map of {link}{text}</a>{behind}</p>")
    };
    let html = linked("the springs", ", old");
    assert_eq!(replaced(&html, "the springs", "the springs of Ojos"), linked("the springs of Ojos", ", old"));
    assert_eq!(replaced(&html, "the springs", "all the springs"), linked("all the springs", ", old"));
    // A part of it, or more than it, names no link.
    assert_eq!(replaced(&html, "springs", "springs here"), linked("the springs", " here, old"));
    assert_eq!(replaced(&html, "of the springs", "of the springs here"), linked("the springs", " here, old"));
}

#[test]
fn nothing_outside_the_text_is_touched() {
    let html = "<p>a b a b</p>";
    assert_eq!(after(html, json!({ "operation": "replace_text", "old": "b a", "new": "x" })), "<p>a x b</p>");
    assert_eq!(replaced("<p>a <code>b c</code></p>", "b", ""), "<p>a <code> c</code></p>");
}

#[test]
fn width_quotes_and_spaces_make_no_difference_where_the_text_does_not_stand_exactly() {
    assert_eq!(replaced("<p>他说“你好”，走了。</p>", "他说\"你好\",走了.", "他走了。"), "<p>他走了。</p>");
    assert_eq!(replaced("<p>it’s a\u{a0}“test”…</p>", "it's a \"test\"...", "done"), "<p>done</p>");
    assert_eq!(replaced("<p>ＡＢＣ 1</p>", "ABC", "X"), "<p>X 1</p>");
    assert_eq!(replaced("<p>9 ס״מ, 5′</p>", "9 ס\"מ, 5'", "8 ס\"מ, 5'"), "<p>8 ס״מ, 5′</p>");
}

#[test]
fn a_sign_that_stands_for_several_is_found_whole_or_not_at_all() {
    let full_stops = json!({ "operation": "replace_text", "old": ".", "new": "!", "all": true });
    assert_eq!(refused("<p>a…b</p>", full_stops).code(), "text_not_found");
    let wait = json!({ "operation": "replace_text", "old": "Wait.", "new": "No." });
    assert_eq!(refused("<p>Wait… what?</p>", wait).code(), "text_not_found");
    assert_eq!(replaced("<p>Wait… what?</p>", "Wait...", "No"), "<p>No what?</p>");
}

#[test]
fn newlines_in_the_new_text_begin_new_lines() {
    assert_eq!(replaced("<ul><li>a, b</li></ul>", ", ", "\n"), "<ul><li><p>a</p></li><li><p>b</p></li></ul>");
    assert_eq!(replaced("<p>a; <strong>b</strong></p>", "; ", "\n"), "<p>a</p><p><strong>b</strong></p>");
}

#[test]
fn what_is_not_found_is_answered_with_the_nearest_lines() {
    let error = refused(
        "<p>Tea is old.</p><p>Coffee is young.</p><p>Water.</p><p>Salt</p>",
        json!({ "operation": "replace_text", "old": "Tea is very old", "new": "x" }),
    );
    assert_eq!(error.code(), "text_not_found");
    assert!(error.message(Locale::En).contains("1: Tea is old."), "{error}");
    assert_eq!(error.details()["nearest"].as_array().unwrap().len(), 3);
}

#[test]
fn several_places_are_listed_and_none_is_taken_silently() {
    let html = "<p>tea and tea</p><p>no</p><p>tea</p>";
    let given = |more: Value| {
        let mut update = json!({ "operation": "replace_text", "old": "tea", "new": "T" });
        update.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        update
    };
    let error = refused(html, given(json!({})));
    assert_eq!(error.code(), "text_ambiguous");
    assert_eq!(error.details()["count"], 3);
    assert!(error.message(Locale::En).contains("3: tea"), "{error}");
    assert_eq!(after(html, given(json!({ "near_line": 2, "all": true }))), "<p>T and T</p><p>no</p><p>T</p>");
    assert_eq!(after(html, given(json!({ "near_line": 3 }))), "<p>tea and tea</p><p>no</p><p>T</p>");
    assert_eq!(refused(html, given(json!({ "near_line": 1 }))).code(), "text_ambiguous", "two in that very line");
    assert_eq!(refused(html, given(json!({ "near_line": 2 }))).code(), "text_ambiguous", "one line away on both sides");
    assert_eq!(refused(html, given(json!({ "near_line": 9 }))).code(), "line_out_of_range");
}

#[test]
fn a_text_over_several_lines_keeps_joins_or_splits_them() {
    let html = "<p>one a</p><p><strong>b</strong> two</p>";
    assert_eq!(replaced(html, "a\nb", "x\nb"), "<p>one x</p><p><strong>b</strong> two</p>");
    assert_eq!(replaced(html, "a\n\nb", "a b"), "<p>one a <strong>b</strong> two</p>");
    assert_eq!(replaced("<p>a c<br>b</p>", "c\nb", "C\nB"), "<p>a C<br>B</p>");
    assert_eq!(replaced("<h3>a</h3><p>b</p><p>c</p>", "a\nb\n", "x\ny\n"), "<h3>x</h3><p>y</p><p>c</p>");
    assert_eq!(replaced("<p>“a” x</p><p>b…</p>", "\"a\" x\nb...", "\"a\" y\nc..."), "<p>“a” y</p><p>c…</p>");
}

#[test]
fn a_line_whose_text_goes_goes_with_its_break() {
    assert_eq!(replaced("<p>Warm it.<br>Pour.<br>Wait.</p>", "Pour.", ""), "<p>Warm it.<br>Wait.</p>");
    assert_eq!(replaced("<p>Warm it.<br>Pour.</p>", "Pour.", ""), "<p>Warm it.</p>");
    assert_eq!(replaced("<pre><code>a()\n# note\nb()</code></pre>", "# note", ""), "<pre><code>a()\nb()</code></pre>");
    assert_eq!(replaced("<p>a</p><p>b</p>", "b", ""), "<p>a</p><p></p>");
}

#[test]
fn code_keeps_the_indentation_that_the_text_to_find_leaves_out() {
    let code = |name: &str| format!("<pre><code>def f():\n    if {name}:\n        return 1\n    return 2</code></pre>");
    assert_eq!(replaced(&code("a"), "if a:\n    return 1", "if b:\n    return 1"), code("b"));
}

#[test]
fn cells_are_never_joined() {
    let row = "<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table>";
    let error = refused(row, json!({ "operation": "replace_text", "old": "a\nb", "new": "x" }));
    assert_eq!(error.code(), "invalid_parameter");
    assert!(error.message(Locale::En).contains("cells are not joined"), "{error}");
    assert!(replaced(row, "a\nb", "x\ny").contains("<p>x</p></td>"));
}

#[test]
fn spaces_and_newlines_at_the_ends_are_handled_alike() {
    let html = "<p>The oolong is rare.</p><p>z</p>";
    let new = "<p>The jasmine is rare.</p><p>z</p>";
    for (old, text) in [
        ("oolong\n", "jasmine\n"),
        ("\noolong\n", "\njasmine\n"),
        ("oolong\n", "jasmine"),
        (" oolong ", " jasmine "),
        ("  oolong  ", "  jasmine  "),
        ("  oolong  ", "jasmine"),
        ("The oolong is rare.\n", "The jasmine is rare.\n"),
    ] {
        assert_eq!(replaced(html, old, text), new, "{old:?} to {text:?}");
    }
    assert_eq!(replaced("<p>a tea pot</p>", "tea pot", "teapot"), "<p>a teapot</p>");
    assert_eq!(replaced("<p>a b</p>", " b", ""), "<p>a</p>");
}

#[test]
fn what_stays_keeps_the_typography_of_the_document() {
    assert_eq!(
        replaced("<p>It’s “so” – yes…</p>", "It's \"so\" - yes...", "It's \"so\" - no..."),
        "<p>It’s “so” – no…</p>"
    );
    assert_eq!(replaced("<p>80\u{a0}°C hot</p>", "80 °C hot", "80 °C warm"), "<p>80&nbsp;°C warm</p>");
}

#[test]
fn marks_in_the_new_text_are_read_where_it_plainly_is_markup() {
    assert_eq!(
        replaced("<p>a <em>b</em> c</p>", "b c", "b <strong>c</strong>"),
        "<p>a <em>b</em> <strong>c</strong></p>"
    );
    assert_eq!(replaced("<p>a b</p>", "a", "a <name> &lt; 2 * 3 * 4"), "<p>a &lt;name&gt; &amp;lt; 2 * 3 * 4 b</p>");
    assert_eq!(
        replaced("<pre><code>a b</code></pre>", "a", "<b>a</b>"),
        "<pre><code>&lt;b&gt;a&lt;/b&gt; b</code></pre>"
    );
    assert_eq!(replaced("<p>a <strong>b</strong> c</p>", "a **b** c", "a b d"), "<p>a <strong>b</strong> d</p>");
}

/// "Ask¹ first.", with a note that has text of its own.
fn footnote() -> DocumentCell {
    let mut schema = Schema::tiptap_data();
    let note = json!({ "name": "footnote", "group": "inline", "inline": true, "content": "text*" });
    schema["nodes"].as_array_mut().unwrap().push(note);
    let text = |text: &str| json!({ "type": "text", "text": text });
    let note = json!({ "type": "footnote", "content": [text("an old note")] });
    let paragraph = json!({ "type": "paragraph", "content": [text("Ask"), note, text(" first.")] });
    let document = json!({ "type": "doc", "content": [paragraph] }).to_string();
    DocumentCell::new(Document::from_json(&document, Schema::from_json(&schema.to_string()).unwrap()).unwrap())
}

#[test]
fn a_text_in_a_footnote_is_replaced_there_and_the_note_is_not_doubled() {
    let replace = |old: &str| json!({ "operation": "replace_text", "old": old, "new": "new" });
    let cell = footnote();
    let before = cell.document().to_json();
    update(&cell, replace("old")).unwrap();
    assert_eq!(cell.document().to_json(), before.replace("an old note", "an new note"));
    for across in ["Ask\u{FFFC}an", "note\u{FFFC} first"] {
        let cell = footnote();
        assert_eq!(update(&cell, replace(across)).unwrap_err().code(), "text_not_found");
        assert_eq!(cell.document().to_json(), before);
    }
}

#[test]
fn every_line_of_a_long_code_block_can_be_changed() {
    // Each line was once found by walking over all of them: that took minutes.
    let code: String = (0..10_000).map(|line| format!("let x = {line};\n")).collect();
    let html = format!("<pre><code>{code}</code></pre>");
    let changed = after(&html, json!({ "operation": "replace_text", "old": "let", "new": "var", "all": true }));
    assert_eq!(changed, html.replace("let", "var"));
}

#[test]
fn entities_in_a_new_text_are_decoded_where_none_are_meant() {
    assert_eq!(replaced("<p>Take oolong.</p>", "oolong", "oolong &amp; milk"), "<p>Take oolong &amp; milk.</p>");
    assert_eq!(replaced("<p>Ann is.</p>", "Ann is", "Ann&#39;s&nbsp;tea"), "<p>Ann's&nbsp;tea.</p>");
    assert_eq!(replaced("<p>a</p><p>b</p>", "a\nb", "c &lt; d\ne"), "<p>c &lt; d</p><p>e</p>");
    // They are the tags of marks.
    assert_eq!(replaced("<p>a tag</p>", "tag", "&lt;b&gt;tag&lt;/b&gt;"), "<p>a <strong>tag</strong></p>");
    // Elements without marks are what the text is about.
    for tags in ["&lt;script&gt;x&lt;/script&gt;", "&lt;style&gt;p {}&lt;/style&gt;", "&lt;div&gt;box&lt;/div&gt;"] {
        let kept = format!("<p>a {}</p>", tags.replace('&', "&amp;"));
        assert_eq!(replaced("<p>a tag</p>", "tag", tags), kept);
        let edit = json!([{ "start_line": 1, "content": format!("a {tags}") }]);
        assert_eq!(after("<p>Use it.</p>", json!({ "operation": "replace_lines", "edits": edit })), kept);
    }
    // They are meant: the line is about them, they would make a tag that is not closed, it is code, or they are none.
    let about = "<p>Write <code>&amp;amp;</code> for it.</p>";
    assert_eq!(replaced(about, "for it", "for &amp;"), "<p>Write <code>&amp;amp;</code> for &amp;amp;.</p>");
    assert_eq!(replaced("<p>a tag</p>", "tag", "the tag &lt;b&gt;"), "<p>a the tag &amp;lt;b&amp;gt;</p>");
    assert_eq!(replaced("<pre><code>x</code></pre>", "x", "&amp;x"), "<pre><code>&amp;amp;x</code></pre>");
    assert_eq!(replaced("<p>a</p>", "a", "R&D; &more AT&T"), "<p>R&amp;D; &amp;more AT&amp;T</p>");
    // The lines of all matches decide one by one.
    let both = json!({ "operation": "replace_text", "old": "tea", "new": "t &amp; m", "all": true });
    assert_eq!(after("<p>tea</p><p>tea &amp;amp;</p>", both), "<p>t &amp; m</p><p>t &amp;amp; m &amp;amp;</p>");
}

#[test]
fn the_stated_format_is_that_of_the_new_text() {
    let with = |html: &str, new: &str, format: &str| {
        let cell = cell(html);
        let given = json!({ "operation": "replace_text", "old": "old", "new": new, "format": format });
        let context = EditContext { format: EditOptions::read(&given).unwrap().format, ..EditContext::default() };
        let applied = apply(&cell, &DocUpdate::from_value(&given).unwrap(), &context);
        applied.map(|_| cell.document().to_html()).map_err(|error| error.code())
    };
    let html = "<p>an <em>old</em> leaf</p>";
    assert_eq!(
        with(html, "<b>a</b> &amp; b", "text").unwrap(),
        "<p>an <em>&lt;b&gt;a&lt;/b&gt; &amp;amp; b</em> leaf</p>"
    );
    assert_eq!(with(html, "a &amp; b", "html").unwrap(), "<p>an <em>a &amp; b</em> leaf</p>");
    assert_eq!(with("<p>an old</p>", "<b>a</b> &amp; b", "html").unwrap(), "<p>an <strong>a</strong> &amp; b</p>");
    assert_eq!(with("<p>an old</p>", "<p>a <b>b</b></p>", "html").unwrap(), "<p>an a <strong>b</strong></p>");
    assert_eq!(with(html, "<ul><li>a</li></ul>", "html"), Err("invalid_parameter"));
    assert_eq!(with(html, "**a**", "markdown"), Err("markdown_not_loaded"));
    assert_eq!(with("<pre><code>old</code></pre>", "&amp;", "html").unwrap(), "<pre><code>&amp;amp;</code></pre>");
    // Stated for a call of lines, it is that of each edit that does not state its own.
    let edits = json!([{ "start_line": 1, "content": "<b>x</b>" }, { "start_line": 2, "content": "<b>y</b>", "format": "html" }]);
    let given = json!({ "operation": "replace_lines", "edits": edits });
    let cell = cell("<p>a</p><p>b</p>");
    let context = EditContext { format: Some(Format::Text), ..EditContext::default() };
    apply(&cell, &DocUpdate::from_value(&given).unwrap(), &context).unwrap();
    assert_eq!(cell.document().to_html(), "<p>&lt;b&gt;x&lt;/b&gt;</p><p><strong>y</strong></p>");
}

#[test]
fn tags_that_the_replaced_text_has_as_well_are_text() {
    let html = "<p>forest&lt;p&gt;para&lt;/p&gt;</p>";
    assert_eq!(replaced(html, "forest<p>para</p>", "meadow<p>para</p>"), html.replace("forest", "meadow"));
    let html = "<p>falcon<br>&lt;/p&gt;</p>";
    assert_eq!(replaced(html, "falcon\n</p>", "heron\n</p>"), html.replace("falcon", "heron"));
    assert_eq!(replaced("<p>forest</p>", "forest", "<p>a</p><p>b</p>"), "<p>a</p><p>b</p>");
}

#[test]
fn invisible_characters_of_the_new_text_stay_beside_a_retyped_quote() {
    for (was, is) in [("soft\u{ad}hyphen", "soft\u{ad}lander"), ("می\u{200c}خواهم", "نمی\u{200c}خواهم")]
    {
        let (html, other) = (format!("<p>it’s {was} now</p>"), format!("<p>it’s {is} now</p>"));
        assert_eq!(replaced(&html, &format!("it's {was} now"), &format!("it's {is} now")), other);
    }
}

#[test]
fn spaces_at_the_ends_of_lines_stay_as_they_are() {
    let html = "<p>guitar</p><pre><code>  window</code></pre>";
    assert_eq!(replaced(html, "guitar\n  window", "violin\n  window"), html.replace("guitar", "violin"));
    let document = |first: &str, last: &str| {
        let text = |text: &str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
        json!({ "type": "doc", "content": [text(first), text(last)] })
    };
    for (old, new, first) in
        [("stone \nharbor", "rock \nharbor", "rock "), ("it's stone \nharbor", "it's rock \nharbor", "it’s rock ")]
    {
        let was = if old.starts_with("it") { "it’s stone " } else { "stone " };
        for last in ["harbor", "harbor "] {
            let (old, new) = (old.replace("harbor", last), new.replace("harbor", last));
            let before = Document::from_json(&document(was, last).to_string(), Schema::tiptap()).unwrap();
            let cell = DocumentCell::new(before);
            update(&cell, json!({ "operation": "replace_text", "old": old, "new": new })).unwrap();
            let after: Value = serde_json::from_str(&cell.document().to_json()).unwrap();
            assert_eq!(after, document(first, last));
        }
    }
}
