use super::{after, cell, refused, update};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_edit::Error;
use serde_json::json;

const TEA: &str = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

#[test]
fn replace_gives_a_section_new_content_and_keeps_its_heading() {
    let html = after(TEA, json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Very old.</p>" }));
    assert_eq!(html, TEA.replace("Old.", "Very old."));
}

#[test]
fn replace_with_a_title_changes_the_heading_too() {
    let given =
        json!({ "operation": "replace", "sectionIndex": 2, "title": "Sorts & kinds", "content": "<p>Four.</p>" });
    assert_eq!(after(TEA, given), TEA.replace("Kinds", "Sorts &amp; kinds").replace("Many.", "Four."));
}

#[test]
fn replace_of_section_0_is_about_the_area_of_the_h1() {
    let given = json!({ "operation": "replace", "sectionIndex": 0, "title": "All tea", "content": "<p>New.</p>" });
    assert_eq!(after(TEA, given), TEA.replace("<h1>Tea", "<h1>All tea").replace("About tea.", "New."));
}

#[test]
fn replace_of_section_0_gives_a_document_without_h1_one_where_a_title_says_so() {
    let given = json!({ "operation": "replace", "sectionIndex": 0, "title": "T", "content": "<p>new</p>" });
    assert_eq!(after("<p>x</p><h2>A</h2>", given), "<h1>T</h1><p>new</p><h2>A</h2>");
}

#[test]
fn what_stands_before_the_h1_stays_there_when_the_content_begins_with_it() {
    let given = json!({ "operation": "replace", "sectionIndex": 0, "content": "<p>before</p><p>changed</p>" });
    assert_eq!(after("<p>before</p><h1>T</h1><p>x</p>", given), "<p>before</p><h1>T</h1><p>changed</p>");
}

#[test]
fn what_a_block_before_the_h1_became_stays_there() {
    let html = "<p>Preface here.</p><h1>T</h1><p>text here</p>";
    let replaced =
        |content: &str| after(html, json!({ "operation": "replace", "sectionIndex": 0, "content": content }));
    for content in ["<p>Foreword here.</p><p>text here</p>", "Foreword here.\ntext here"] {
        assert_eq!(replaced(content), html.replace("Preface", "Foreword"));
    }
    assert_eq!(replaced("<p>Foreword here.</p><h1>T</h1><p>text here</p>"), html.replace("Preface", "Foreword"));
    assert_eq!(replaced("<p>text here</p><p>more</p>"), "<h1>T</h1><p>text here</p><p>more</p>");
    assert_eq!(replaced("<p>other</p>"), "<h1>T</h1><p>other</p>");
    let html = html.replace("<p>Preface here.</p>", "<h4>Preface</h4>");
    let given = json!({ "operation": "replace", "sectionIndex": 0, "content": "<h4>Foreword</h4><p>text here</p>" });
    assert_eq!(after(&html, given), html.replace("Preface", "Foreword"));
}

#[test]
fn append_adds_a_section_at_the_end() {
    let given = json!({ "operation": "append", "title": "Now", "content": "<p>Today.</p>" });
    assert_eq!(after(TEA, given), format!("{TEA}<h2>Now</h2><p>Today.</p>"));
}

#[test]
fn append_takes_the_place_of_the_empty_paragraph_that_editors_keep_at_the_end() {
    let given = json!({ "operation": "append", "title": "B", "content": "<p>b</p>" });
    assert_eq!(
        after("<h2>A</h2><ul><li><p>a</p></li></ul><p></p>", given),
        "<h2>A</h2><ul><li><p>a</p></li></ul><h2>B</h2><p>b</p>"
    );
}

#[test]
fn insert_puts_a_section_before_another_and_later_indexes_move() {
    let cell = cell(TEA);
    let given = json!({ "operation": "insert", "sectionIndex": 1, "title": "First", "content": "<p>f</p>" });
    let applied = update(&cell, given).unwrap();
    assert_eq!(applied.section_index, Some(1));
    assert_eq!(
        applied.into_map()["sections"],
        json!([
            { "index": 0, "title": "Tea" }, { "index": 1, "title": "First" },
            { "index": 2, "title": "History" }, { "index": 3, "title": "Kinds" }
        ])
    );
    assert_eq!(cell.document().to_html(), TEA.replace("<h2>History", "<h2>First</h2><p>f</p><h2>History"));
}

#[test]
fn delete_takes_a_section_away_with_its_heading() {
    let html = after(TEA, json!({ "operation": "delete", "sectionIndex": 1 }));
    assert_eq!(html, TEA.replace("<h2>History</h2><p>Old.</p>", ""));
}

#[test]
fn a_document_from_which_everything_was_deleted_is_one_empty_paragraph() {
    assert_eq!(after("<h2>A</h2><p>a</p>", json!({ "operation": "delete", "sectionIndex": 1 })), "<p></p>");
}

#[test]
fn an_empty_document_takes_replace_of_section_0_and_append() {
    let replace = json!({ "operation": "replace", "sectionIndex": 0, "title": "T", "content": "<p>x</p>" });
    let append = json!({ "operation": "append", "title": "A", "content": "<p>a</p>" });
    for empty in ["", "<p></p>", "<p></p><p></p>"] {
        assert_eq!(after(empty, replace.clone()), "<h1>T</h1><p>x</p>");
    }
    for empty in ["", "<p></p>"] {
        let cell = cell(empty);
        let applied = update(&cell, append.clone()).unwrap();
        assert_eq!(applied.section_index, Some(1));
        assert_eq!(cell.document().to_html(), "<h2>A</h2><p>a</p>");
    }
}

#[test]
fn an_empty_document_has_no_section_to_delete() {
    let error = refused("", json!({ "operation": "delete", "sectionIndex": 0 }));
    assert!(matches!(error, Error::SectionOutOfRange { index: 0, valid: None, .. }), "{error:?}");
    assert!(error.message(Locale::En).contains("append"), "{error}");
}

#[test]
fn a_heading_that_the_content_repeats_is_not_doubled() {
    let append = json!({ "operation": "append", "title": "Now", "content": "<h2> Now </h2><p>Today.</p>" });
    assert_eq!(after(TEA, append), format!("{TEA}<h2>Now</h2><p>Today.</p>"));
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<h2>History</h2><p>Older.</p>" });
    assert_eq!(after(TEA, replace), TEA.replace("Old.", "Older."));
    let h1 = json!({ "operation": "replace", "sectionIndex": 0, "content": "<h1>Tea</h1><p>x</p>" });
    assert_eq!(after(TEA, h1), TEA.replace("About tea.", "x"));
}

#[test]
fn a_leading_heading_of_the_sections_own_rank_becomes_its_heading() {
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "<h2>The past</h2><p>Old.</p>" });
    assert_eq!(after(TEA, given), TEA.replace("History", "The past"));
}

#[test]
fn further_h2s_in_the_content_make_further_sections() {
    let cell = cell(TEA);
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Old.</p><h2>Later</h2><p>New.</p>" });
    let applied = update(&cell, given).unwrap();
    let titles: Vec<_> =
        applied.into_map()["sections"].as_array().unwrap().iter().map(|entry| entry["title"].clone()).collect();
    assert_eq!(titles, ["Tea", "History", "Later", "Kinds"]);
}

#[test]
fn an_image_goes_after_a_section_or_before_it() {
    let image = r#"<img src="https://example.org/a.png" alt="A &quot;cup&quot;">"#;
    let given = |position: &str| {
        json!({
            "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a.png",
            "imageDescription": "A \"cup\"", "position": position
        })
    };
    assert_eq!(after(TEA, given("after_section")), TEA.replace("<h2>Kinds", &format!("{image}<h2>Kinds")));
    assert_eq!(after(TEA, given("before_section")), TEA.replace("<h2>History", &format!("{image}<h2>History")));
}

#[test]
fn an_image_after_the_last_section_goes_before_the_empty_paragraph_at_the_end() {
    let given = json!({
        "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a.png", "imageDescription": ""
    });
    let html = after("<h2>A</h2><ul><li><p>a</p></li></ul><p></p>", given);
    assert_eq!(html, r#"<h2>A</h2><ul><li><p>a</p></li></ul><img src="https://example.org/a.png" alt=""><p></p>"#);
}

#[test]
fn an_image_needs_an_http_address() {
    for url in [
        "javascript:alert(1)",
        "data:image/png;base64,AAAA",
        "/a.png",
        "https://",
        "ftp://example.org/a.png",
        "a.png",
        "",
    ] {
        let given = json!({ "operation": "insert_image", "sectionIndex": 0, "imageUrl": url, "imageDescription": "x" });
        let error = refused(TEA, given);
        assert_eq!(error.code(), "invalid_url", "{url}");
        assert!(
            error.message(Locale::En).contains("search_image") && error.message(Locale::ZhCn).contains("search_image")
        );
    }
}

#[test]
fn an_index_out_of_range_is_refused_with_the_valid_range() {
    for index in [-1, 3, 99] {
        let error = refused(TEA, json!({ "operation": "replace", "sectionIndex": index, "content": "x" }));
        assert_eq!(
            error.message(Locale::En).split(". ").next().unwrap(),
            format!("sectionIndex {index} is out of range: replace takes sections 0–2")
        );
    }
    for (operation, last) in [("insert", 3), ("delete", 2)] {
        let error = refused(TEA, json!({ "operation": operation, "sectionIndex": 0, "title": "x", "content": "x" }));
        assert!(error.message(Locale::En).contains(&format!("{operation} takes sections 1–{last}")), "{error}");
    }
}

#[test]
fn what_an_operation_needs_must_be_there() {
    for (given, missing) in [
        (json!({ "operation": "replace", "content": "x" }), "sectionIndex"),
        (json!({ "operation": "replace", "sectionIndex": 1 }), "content"),
        (json!({ "operation": "append", "content": "x" }), "title"),
        (json!({ "operation": "append", "title": " ", "content": "x" }), "title"),
        (json!({ "operation": "append", "title": "x" }), "content"),
        (json!({ "operation": "insert", "sectionIndex": 1, "content": "x" }), "title"),
        (json!({ "operation": "delete" }), "sectionIndex"),
        (
            json!({ "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a" }),
            "imageDescription",
        ),
        (json!({ "sectionIndex": 1 }), "operation"),
    ] {
        let error = refused(TEA, given);
        assert!(
            matches!(&error, Error::Base(copydesk_base::Error::MissingParameter { name, .. }) if name == missing),
            "{error:?}"
        );
    }
}

#[test]
fn an_unknown_operation_is_refused_with_the_ones_there_are() {
    let error = refused(TEA, json!({ "operation": "rewrite", "sectionIndex": 1 }));
    assert_eq!(error.code(), "unknown_operation");
    assert!(
        error.message(Locale::En).ends_with(
            "replace, append, insert, delete, insert_image, move_section, replace_lines, replace_text, set_attributes."
        ),
        "{error}"
    );
}

#[test]
fn numbers_given_as_text_are_taken() {
    let html = after(TEA, json!({ "operation": "replace", "sectionIndex": "1", "content": "<p>x</p>", "title": null }));
    assert_eq!(html, TEA.replace("Old.", "x"));
}

#[test]
fn content_without_a_tag_is_paragraphs_of_its_lines() {
    let given = json!({ "operation": "replace", "sectionIndex": 1, "content": "1 < 2 & 3\n\nsecond" });
    assert_eq!(after(TEA, given), TEA.replace("<p>Old.</p>", "<p>1 &lt; 2 &amp; 3</p><p>second</p>"));
}

#[test]
fn empty_content_leaves_the_heading_alone() {
    let html = after(TEA, json!({ "operation": "replace", "sectionIndex": 1, "content": "" }));
    assert_eq!(html, TEA.replace("<p>Old.</p>", ""));
}

#[test]
fn an_update_that_changes_nothing_makes_no_change_and_no_new_version() {
    let cell = cell(TEA);
    let before = cell.document().version();
    let applied =
        update(&cell, json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Old.</p>" })).unwrap();
    assert_eq!(applied.changes, json!([]));
    assert_eq!(applied.version, before);
}

#[test]
fn results_are_told_in_both_languages() {
    use copydesk_edit::{DocUpdate, apply};
    let html = "<h1>茶</h1><h2>第一章 背景</h2><p>旧</p>";
    let told = |given, locale: Locale| {
        apply(&cell(html), &DocUpdate::from_value(&given).unwrap(), &locale.into()).unwrap().message
    };
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>新</p>" });
    assert_eq!(told(replace.clone(), Locale::ZhCn), "Section 1 '第一章 背景' 已更新");
    assert_eq!(told(replace, Locale::En), "Section 1 '第一章 背景' updated");
    let image = json!({
        "operation": "insert_image", "sectionIndex": 1, "imageUrl": "https://example.org/a.png", "imageDescription": "茶"
    });
    assert_eq!(told(image.clone(), Locale::ZhCn), "图片已插入到 Section 1 之后");
    assert_eq!(told(image, Locale::En), "Image inserted after Section 1");
    let delete = json!({ "operation": "delete", "sectionIndex": 1 });
    assert_eq!(told(delete, Locale::ZhCn), "Section 1 '第一章 背景' 已删除");
}

#[test]
fn content_that_is_written_back_as_it_was_read_changes_nothing() {
    for html in [
        "<h2>Tea</h2><h3>Tea</h3><p>x</p>",
        "<h1>A</h1><h1>B</h1><p>x</p>",
        "<h2>A</h2><h3>1. A</h3>",
        "<p>before</p><h1>T</h1><p>x</p><h2>A</h2><ul><li><p>a</p></li></ul><p></p>",
        "<h2>1. History</h2><p>x</p><h2>第一章 背景</h2><p>y</p>",
    ] {
        let cell = cell(html);
        let before = cell.document();
        for section in before.sections().iter() {
            let content = copydesk_edit::section::html(&cell, &before, section).unwrap();
            let given = json!({ "operation": "replace", "sectionIndex": section.index, "content": content });
            assert_eq!(update(&cell, given).unwrap().changes, json!([]), "{html}");
        }
    }
}

#[test]
fn a_repeated_heading_without_its_number_does_not_rename_the_section() {
    for (heading, repeated) in [
        ("1. History", "History"),
        ("第一章 背景", "背景"),
        ("一、背景", "背景"),
        ("1.2 Sorts", "Sorts"),
        ("2) Sorts", "Sorts"),
    ] {
        let given =
            json!({ "operation": "replace", "sectionIndex": 1, "content": format!("<h2>{repeated}</h2><p>y</p>") });
        assert_eq!(after(&format!("<h2>{heading}</h2><p>x</p>"), given), format!("<h2>{heading}</h2><p>y</p>"));
    }
    let year = json!({ "operation": "replace", "sectionIndex": 1, "content": "<h2>in review</h2><p>y</p>" });
    assert_eq!(after("<h2>2026 in review</h2><p>x</p>", year), "<h2>in review</h2><p>y</p>");
}

#[test]
fn the_words_of_a_title_that_stay_keep_their_marks() {
    let html = "<h2><strong>Tea</strong> history<br>and more</h2><p>x</p>";
    let given =
        |title: &str| json!({ "operation": "replace", "sectionIndex": 1, "title": title, "content": "<p>x</p>" });
    assert_eq!(after(html, given("Tea history and more")), html);
    let renamed = after("<h2><strong>Tea</strong> history</h2><p>x</p>", given("Tea histories"));
    assert_eq!(renamed, "<h2><strong>Tea</strong> histories</h2><p>x</p>");
}

#[test]
fn a_document_is_never_left_without_a_block() {
    let empty = json!({ "operation": "replace", "sectionIndex": 0, "content": "" });
    for html in ["<p>x</p>", "", "<hr>"] {
        assert_eq!(after(html, empty.clone()), "<p></p>");
    }
}

#[test]
fn what_only_looks_like_a_tag_stays_text() {
    let given = |content: &str| json!({ "operation": "replace", "sectionIndex": 1, "content": content });
    let text = after("<h2>A</h2>", given("if x<y and z>1 then\nnext"));
    assert_eq!(text, "<h2>A</h2><p>if x&lt;y and z&gt;1 then</p><p>next</p>");
    assert_eq!(after("<h2>A</h2>", given("```html\n<p>fenced</p>\n```")), "<h2>A</h2><p>fenced</p>");
    assert_eq!(after("<h2>A</h2>", given("<custom-tag>x</custom-tag>")), "<h2>A</h2><p>x</p>");
}

#[test]
fn insert_takes_the_index_behind_the_last_section_and_0_where_nothing_precedes_the_first() {
    let insert =
        |index: i64| json!({ "operation": "insert", "sectionIndex": index, "title": "New", "content": "<p>n</p>" });
    for (html, index, expected) in [
        ("<p>a</p><h2>One</h2>", 2, "<p>a</p><h2>One</h2><h2>New</h2><p>n</p>"),
        ("<p>a</p>", 1, "<p>a</p><h2>New</h2><p>n</p>"),
        ("<h2>One</h2><p>o</p>", 0, "<h2>New</h2><p>n</p><h2>One</h2><p>o</p>"),
        ("", 0, "<h2>New</h2><p>n</p>"),
        ("", 1, "<h2>New</h2><p>n</p>"),
    ] {
        let cell = copydesk_edit::DocumentCell::new(copydesk_document::Document::from_html(html).unwrap());
        let update = copydesk_edit::DocUpdate::from_value(&insert(index)).unwrap();
        copydesk_edit::apply(&cell, &update, &copydesk_base::Locale::En.into()).unwrap();
        assert_eq!(cell.document().to_html(), expected, "{html} at {index}");
    }
    for (html, index) in [("<p>a</p><h2>One</h2>", 0), ("<p>a</p><h2>One</h2>", 3)] {
        let cell = copydesk_edit::DocumentCell::new(copydesk_document::Document::from_html(html).unwrap());
        let update = copydesk_edit::DocUpdate::from_value(&insert(index)).unwrap();
        let error = copydesk_edit::apply(&cell, &update, &copydesk_base::Locale::En.into()).unwrap_err();
        assert!(error.message(copydesk_base::Locale::En).contains("insert takes sections 1–2"), "{error:?}");
    }
}

#[test]
fn the_last_empty_line_of_code_stays_in_its_section() {
    for heading in ["", "<h2>T</h2>"] {
        let html = format!("{heading}<pre><code>stone\n</code></pre>");
        let cell = cell(&html);
        let before = cell.document().to_json();
        let index = usize::from(!heading.is_empty());
        update(&cell, json!({ "operation": "replace", "sectionIndex": index, "content": "```\nstone\n\n```" }))
            .unwrap();
        assert_eq!(cell.document().to_json(), before);
    }
}
