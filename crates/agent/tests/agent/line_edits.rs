//! Line numbers refer to the snapshot that the model saw, and are relocated in the current document.

use super::harness::{Harness, calls, says};
use copydesk_base::ErrorInfo;
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><ul><li><p>green</p></li><li><p>black</p></li></ul><p>End.</p>";

fn lines(start: i64, end: i64, content: &str) -> Value {
    json!({ "start_line": start, "end_line": end, "content": content })
}

/// The model reads all lines, the user makes an edit, and then the model calls in one answer.
fn after_reading(person: Option<Value>, model: &[(&str, Value)]) -> Harness {
    let made: Vec<(&str, &str, Value)> =
        model.iter().map(|(tool, arguments)| ("c", *tool, arguments.clone())).collect();
    let harness =
        Harness::new(TEA, vec![calls(&[("r", "read_lines", json!({}))]), says("Read."), calls(&made), says("Done.")]);
    harness.prompt("Read");
    if let Some(person) = person {
        apply(&harness.document, &DocUpdate::from_value(&person).unwrap(), &Locale::En.into()).unwrap();
    }
    harness.prompt("Write");
    harness
}

fn edit(arguments: Value) -> (&'static str, Value) {
    ("edit_current_editor_document", arguments)
}

fn person_lines(start: i64, end: i64, content: &str) -> Option<Value> {
    Some(json!({ "operation": "replace_lines", "edits": [lines(start, end, content)] }))
}

fn results(harness: &Harness) -> Vec<Value> {
    harness
        .events()
        .into_iter()
        .filter(|event| event["type"] == "tool_result")
        .skip(1)
        .map(|event| event["content"].clone())
        .collect()
}

fn codes(harness: &Harness) -> Vec<String> {
    results(harness).iter().map(|result| result["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

#[test]
fn lines_are_shown_with_numbers_kinds_and_the_version() {
    let harness = after_reading(None, &[edit(lines(2, 2, "A green leaf."))]);
    let read = harness.events().into_iter().find(|event| event["type"] == "tool_result").unwrap()["content"].clone();
    assert_eq!(
        read,
        "7 lines, version v1\n1: # Tea\n2: A leaf.\n3: ## History\n4: Old.\n5: - green\n6: - black\n7: End."
    );
    assert_eq!(harness.html(), TEA.replace("A leaf.", "A green leaf."));
}

#[test]
fn a_result_ends_with_the_changed_lines_their_neighbours_and_the_new_version() {
    let harness = after_reading(None, &[edit(lines(4, 4, "Very old.\nVery."))]);
    let result = &results(&harness)[0];
    assert_eq!(
        result["lines"],
        "8 lines, version v3\n2: A leaf.\n3: ## History\n4: Very old.\n5: Very.\n6: - green\n7: - black"
    );
    assert_eq!(result["version"], "v3");
    assert!(result.get("changes").is_none() && result.get("diffs").is_none(), "what only programs need");
    let update = harness.event("doc_update");
    assert_eq!(update["diffs"][0]["newCode"], "Very old.\nVery.");
    assert_eq!(update["diffs"][0]["foundBy"], "lines");
}

#[test]
fn an_edit_is_applied_after_lines_were_added_above_it() {
    let harness = after_reading(person_lines(2, 2, "A leaf.\nMine."), &[edit(lines(6, 6, "red"))]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("A leaf.", "A leaf.</p><p>Mine.").replace("black", "red"));
    assert_eq!(harness.event("doc_update")["diffs"][0]["aiSpecifiedStartLine"], 6);
    assert_eq!(harness.event("doc_update")["diffs"][0]["originalStartLine"], 7);
}

#[test]
fn edits_of_different_list_items_do_not_conflict() {
    let harness = after_reading(person_lines(5, 5, "jade\nmint"), &[edit(lines(6, 6, "red"))]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("<p>green</p>", "<p>jade</p></li><li><p>mint</p>").replace("black", "red"));
}

#[test]
fn text_that_was_changed_is_stale_and_the_error_shows_the_current_text() {
    let harness = after_reading(person_lines(4, 4, "Older than that."), &[edit(lines(4, 4, "New."))]);
    assert_eq!(codes(&harness), ["stale"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "Older than that."));
    let said = results(&harness)[0]["error"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("4: Older than that.") && said.contains("version v2"), "{said}");
}

#[test]
fn what_the_error_showed_can_be_edited_by_its_numbers() {
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("r", "read_lines", json!({}))]),
            says("Read."),
            calls(&[("a", "edit_current_editor_document", lines(4, 4, "New."))]),
            calls(&[("b", "edit_current_editor_document", lines(5, 5, "New."))]),
            says("Done."),
        ],
    );
    harness.prompt("Read");
    let person =
        json!({ "operation": "replace_lines", "edits": [lines(1, 1, "My tea\nMine."), lines(4, 4, "Older.")] });
    apply(&harness.document, &DocUpdate::from_value(&person).unwrap(), &Locale::En.into()).unwrap();
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["stale", "ok"]);
    assert!(harness.html().contains("<p>New.</p>") && harness.html().contains("<p>Mine.</p>"), "{}", harness.html());
}

#[test]
fn two_calls_of_one_answer_refer_to_the_earlier_lines() {
    let harness = after_reading(None, &[edit(lines(2, 2, "One.\nTwo.\nThree.")), edit(lines(7, 7, "Fin."))]);
    assert_eq!(codes(&harness), ["ok", "ok"]);
    assert_eq!(harness.html(), TEA.replace("A leaf.", "One.</p><p>Two.</p><p>Three.").replace("End.", "Fin."));
    let harness = after_reading(None, &[edit(lines(2, 2, "One.")), edit(lines(2, 2, "Two."))]);
    assert_eq!(codes(&harness), ["ok", "stale"], "the first call has changed the very line that the second one means");
}

#[test]
fn lines_that_were_never_shown_are_refused() {
    let model = |arguments: Value| {
        vec![
            calls(&[("r", "read_lines", json!({ "start_line": 1, "end_line": 3 }))]),
            calls(&[("c", "edit_current_editor_document", arguments)]),
            says("Done."),
        ]
    };
    let harness = Harness::new(TEA, model(lines(3, 4, "x")));
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["lines_not_shown"]);
    assert!(results(&harness)[0]["error"]["message"].as_str().unwrap().contains("Lines 4–4"));
    let harness =
        Harness::new(TEA, vec![calls(&[("c", "edit_current_editor_document", lines(1, 1, "x"))]), says("Done.")]);
    harness.prompt("Write");
    assert_eq!(harness.event("tool_result")["content"]["error"]["code"], "lines_not_shown", "nothing was read at all");
    assert_eq!(harness.html(), TEA);
}

#[test]
fn lines_of_a_stated_version_refer_to_that_version() {
    let model = vec![
        calls(&[("r", "read_lines", json!({}))]),
        calls(&[("a", "edit_current_editor_document", lines(1, 1, "Tea\nIntro."))]),
        calls(&[(
            "b",
            "edit_current_editor_document",
            json!({ "start_line": 4, "end_line": 4, "content": "Ancient.", "version": "v1" }),
        )]),
        calls(&[(
            "c",
            "edit_current_editor_document",
            json!({ "start_line": 4, "end_line": 4, "content": "x", "version": "v99" }),
        )]),
        says("Done."),
    ];
    let harness = Harness::new(TEA, model);
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "ok", "unknown_version"]);
    assert_eq!(harness.html(), TEA.replace("</h1>", "</h1><p>Intro.</p>").replace("Old.", "Ancient."));
}

#[test]
fn a_whole_document_in_plain_text_is_applied_if_other_lines_changed() {
    let content = "Tea\nA leaf.\nHistory\nAncient.\ngreen\nblack\nEnd.";
    let harness = after_reading(person_lines(7, 7, "The end."), &[edit(json!({ "content": content }))]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "Ancient.").replace("End.", "The end."));
}

#[test]
fn blank_lines_of_a_whole_document_are_separators_if_other_lines_changed() {
    let whole = "Tea\nA leaf.\n\nHistory\nAncient.\n\n\ngreen\nblack\nEnd.";
    let harness = after_reading(person_lines(7, 7, "The end."), &[edit(json!({ "content": whole }))]);
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "Ancient.").replace("End.", "The end."));
}

#[test]
fn text_of_the_user_is_not_mistaken_for_the_target() {
    let call = |old: &str, near: i64| ("replace_text", json!({ "old": old, "new": "tea", "near_line": near }));
    // The user changed "Old." and wrote the same text elsewhere.
    let two = json!([lines(4, 4, "New."), lines(7, 7, "End. Old.")]);
    let person = Some(json!({ "operation": "replace_lines", "edits": two }));
    let harness = after_reading(person.clone(), &[call("Old.", 4)]);
    assert_eq!(codes(&harness), ["stale"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "New.").replace("End.", "End. Old."));
    // What else was written in its line, and above it, makes no difference.
    let two = json!([lines(1, 1, "Tea\nMine"), lines(4, 4, "Very. Old.")]);
    let harness = after_reading(Some(json!({ "operation": "replace_lines", "edits": two })), &[call("Old.", 4)]);
    assert_eq!(codes(&harness), ["ok"]);
    assert!(harness.html().contains("Very. tea"), "{}", harness.html());
}

#[test]
fn text_is_replaced_without_a_line_number() {
    let harness = after_reading(
        person_lines(1, 1, "Tea\nIntro."),
        &[("replace_text", json!({ "old": "Old", "new": "Ancient", "near_line": 4 }))],
    );
    assert_eq!(codes(&harness), ["ok"]);
    assert_eq!(harness.html(), TEA.replace("</h1>", "</h1><p>Intro.</p>").replace("Old", "Ancient"));
    let result = &results(&harness)[0];
    assert_eq!(result["message"], "Text replaced in line 5");
}

#[test]
fn the_results_are_in_the_locale() {
    let error = copydesk_edit::Error::LineOutOfRange { start: 9, end: 9, total: 7 };
    assert!(error.message(Locale::ZhCn).contains("第 1–7 行"));
}

#[test]
fn a_call_that_is_still_arriving_has_a_target() {
    let harness = after_reading(person_lines(2, 2, "A leaf.\nMine."), &[edit(lines(7, 7, "Fin."))]);
    let place = |tool: &str, arguments: Value| {
        let arguments = arguments.as_object().unwrap().clone();
        harness.agent.preview_of(tool, &arguments).map(|preview| (preview.from, preview.to, preview.content))
    };
    let now = harness.document.document();
    let line = &now.lines()[3];
    assert_eq!(line.text, "History");
    assert_eq!(place("edit_current_editor_document", lines(4, 4, "Hist")), Some((line.from, line.to, "Hist".into())));
    let whole = place("edit_current_editor_document", json!({ "content": "All of it" }));
    assert_eq!(whole, Some((0, now.size(), "All of it".into())));
    assert_eq!(place("edit_current_editor_document", json!({ "end_line": 4, "content": "H" })).unwrap().0, line.from);
    assert_eq!(place("replace_text", json!({ "old": "Old", "new": "An" })).unwrap().2, "An");
    assert_eq!(place("replace_text", json!({ "old": "e", "new": "An" })), None, "several places");
    assert_eq!(
        place("update_section", json!({ "operation": "append", "title": "T" })),
        Some((now.size(), now.size(), "<h2>T</h2>".into()))
    );
    assert_eq!(place("search_web", json!({ "query": "x" })), None);
}

#[test]
fn the_start_of_a_blank_document_is_shown_with_its_title() {
    let harness = Harness::new("", vec![says("Hello.")]);
    let arguments = json!({ "operation": "replace", "sectionIndex": 0, "title": "T", "content": "<p>a" });
    let preview = harness.agent.preview_of("update_section", arguments.as_object().unwrap()).unwrap();
    assert_eq!((preview.from, preview.to), (0, harness.document.document().size()));
    assert_eq!(preview.content, "<h1>T</h1><p>a");
}

#[test]
fn lines_rewritten_with_an_edit_do_not_count_as_shown() {
    let section = json!({ "operation": "replace", "sectionIndex": 2, "content": "<p>New.</p>" });
    let heading = json!({ "start_line": 5, "end_line": 5, "content": "<h2>Kinds</h2>" });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("d", "get_document", json!({})), ("r", "read_lines", json!({}))]),
            says("Read."),
            calls(&[("a", "edit_current_editor_document", heading)]),
            calls(&[("b", "update_section", section)]),
            says("Done."),
        ],
    );
    harness.prompt("Read");
    let person = json!({ "operation": "replace_lines", "edits": [lines(6, 6, "black\none\ntwo\nthree, mine")] });
    apply(&harness.document, &DocUpdate::from_value(&person).unwrap(), &Locale::En.into()).unwrap();
    harness.prompt("Write");
    assert_eq!(codes(&harness)[1..], ["ok", "stale"], "the items came behind the heading, and nobody showed them");
    assert!(harness.html().contains("three, mine"), "{}", harness.html());
}

#[test]
fn lines_in_an_error_are_not_known_to_other_calls_of_the_answer() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = Harness::new(
        TEA,
        vec![
            calls(&[("d", "get_document", json!({}))]),
            says("Read."),
            calls(&[("a", "update_section", replace.clone()), ("b", "update_section", replace.clone())]),
            calls(&[("c", "update_section", replace)]),
            says("Done."),
        ],
    );
    harness.prompt("Read");
    apply(
        &harness.document,
        &DocUpdate::from_value(&person_lines(4, 4, "Mine.").unwrap()).unwrap(),
        &Locale::En.into(),
    )
    .unwrap();
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["stale", "stale", "ok"]);
}

#[test]
fn a_long_line_must_be_shown_to_its_end() {
    let long = "word ".repeat(150) + "end";
    let html = format!("<p>a</p><p>{long}</p>");
    let change = ("c", "edit_current_editor_document", lines(2, 2, "short"));
    let read = |start: i64| calls(&[("r", "read_lines", json!({ "start_line": start }))]);
    let answers = || vec![calls(std::slice::from_ref(&change)), says("Done.")];
    let run = |start: i64| {
        let harness = Harness::new(&html, [vec![read(start)], answers()].into_iter().flatten().collect());
        harness.prompt("Write");
        (codes(&harness), harness.html())
    };
    assert_eq!(run(1), (vec!["lines_not_shown".to_owned()], html.clone()));
    assert_eq!(run(2), (vec!["ok".to_owned()], "<p>a</p><p>short</p>".into()));
}

#[test]
fn a_long_line_written_by_the_model_counts_as_shown() {
    let long = "word ".repeat(150);
    let write = |content: &str| calls(&[("w", "edit_current_editor_document", lines(1, 1, content))]);
    let answers = vec![calls(&[("r", "read_lines", json!({}))]), write(long.trim()), write("short"), says("Done.")];
    let harness = Harness::new("<p>a</p><p>b</p>", answers);
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "ok"]);
    assert_eq!(harness.html(), "<p>short</p><p>b</p>");
}

#[test]
fn the_next_turn_reports_the_users_decisions() {
    use copydesk_review::decide::{reject, set_mode};
    use copydesk_review::{Mode, Which};
    let answers = vec![
        calls(&[("r", "read_lines", json!({}))]),
        calls(&[("a", "edit_current_editor_document", lines(4, 4, "Ancient."))]),
        says("Proposed."),
        says("Pity."),
    ];
    let harness = Harness::new(TEA, answers);
    set_mode(&harness.document, Mode::Review);
    harness.prompt("Write");
    assert_eq!(results(&harness)[0]["pending"], true);
    assert_eq!(harness.document.base().to_html(), TEA);
    reject(&harness.document, &Which::All).unwrap();
    harness.prompt("Well?");
    let messages = harness.requests().last().unwrap()["messages"].clone();
    let said = messages.as_array().unwrap().iter().filter(|message| message["role"] == "user");
    let said: Vec<&str> = said.map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        ["Write", "[Review] The user decided:\nedit_current_editor_document: rejected h1 (line 4)\n\nWell?"]
    );
}
