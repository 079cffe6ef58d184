//! A model changes only what it was shown or wrote itself; only results that were sent count as shown.

use super::harness::{Answer, Harness, calls, chunks, says, stream};
use copydesk_agent::Hook;
use copydesk_agent::Outcome;
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use serde_json::{Value, json};
use std::cell::Cell;

const TEA: &str = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

fn read() -> Answer {
    calls(&[("r", "get_document", json!({}))])
}

fn replace(index: usize, text: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": index, "content": format!("<p>{text}</p>") })
}

fn delete(index: usize) -> Value {
    json!({ "operation": "delete", "sectionIndex": index })
}

fn update(arguments: Value) -> Answer {
    calls(&[("u", "update_section", arguments)])
}

fn lines(start: usize, content: &str) -> Answer {
    let edit = json!({ "start_line": start, "end_line": start, "content": content });
    calls(&[("l", "edit_current_editor_document", edit)])
}

fn results(harness: &Harness) -> Vec<Value> {
    let results = harness.events().into_iter().filter(|event| event["type"] == "tool_result");
    results.map(|event| event["content"].clone()).collect()
}

/// The error code of each result, or `ok`.
fn codes(harness: &Harness) -> Vec<String> {
    results(harness).iter().map(|result| result["error"]["code"].as_str().unwrap_or("ok").to_owned()).collect()
}

/// A run of these answers on this document, with these options.
fn run(html: &str, answers: Vec<Answer>, options: Value) -> Harness {
    let harness = Harness::with(html, answers.into_iter().chain([says("Done.")]).collect(), options, |_, _| {});
    assert_eq!(harness.prompt("Write").status, Outcome::Complete);
    harness
}

/// Applies an edit of the user.
fn person(harness: &Harness, update: Value) {
    apply(&harness.document, &DocUpdate::from_value(&update).unwrap(), &Locale::En.into()).unwrap();
}

/// A document of this number of sections of about 400 bytes.
fn long(sections: usize) -> String {
    let section = |at: usize| format!("<h2>S{at}</h2><p>{}</p>", format!("tea {at} ").repeat(60).trim_end());
    (1..=sections).map(section).collect()
}

#[test]
fn a_section_that_was_never_shown_is_neither_replaced_nor_deleted() {
    for model in [replace(1, "New."), delete(1), replace(0, "New.")] {
        let harness = run(TEA, vec![update(model)], json!({}));
        assert_eq!((codes(&harness), harness.html()), (vec!["section_not_shown".to_owned()], TEA.to_owned()));
    }
}

#[test]
fn a_refusal_contains_the_current_section_and_counts_as_shown() {
    let harness = run(TEA, vec![update(replace(1, "New.")), update(replace(1, "New."))], json!({}));
    assert_eq!(codes(&harness), ["section_not_shown", "ok"]);
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    let error = &results(&harness)[0]["error"];
    assert_eq!(error["details"]["index"], 1);
    assert_eq!(error["details"]["title"], "History");
    assert_eq!(error["details"]["content"], "<p>Old.</p>");
    assert_eq!(error["details"]["sections"][2], json!({ "index": 2, "title": "Kinds" }));
    let chinese = run(TEA, vec![update(replace(1, "New."))], json!({ "locale": "zh-CN" }));
    assert!(results(&chinese)[0]["error"]["message"].as_str().unwrap().contains("重新调用"));
}

#[test]
fn calls_of_one_answer_do_not_know_what_it_reads() {
    let both = calls(&[("r", "get_document", json!({})), ("u", "update_section", replace(1, "New."))]);
    let harness = run(TEA, vec![both, update(replace(1, "New."))], json!({}));
    assert_eq!(codes(&harness), ["ok", "section_not_shown", "ok"]);
}

#[test]
fn insertions_need_no_reading() {
    let append = json!({ "operation": "append", "title": "End", "content": "<p>.</p>" });
    let insert = json!({ "operation": "insert", "sectionIndex": 1, "title": "Now", "content": "<p>.</p>" });
    let harness = run(TEA, vec![update(append), update(insert)], json!({}));
    assert_eq!(codes(&harness), ["ok", "ok"]);
}

#[test]
fn an_outline_does_not_show_sections() {
    let append = json!({ "operation": "append", "title": "End", "content": "<p>Mine.</p>" });
    let harness = run(TEA, vec![update(append), update(replace(1, "New."))], json!({}));
    assert_eq!(results(&harness)[0]["sections"][1]["title"], "History");
    assert_eq!(codes(&harness), ["ok", "section_not_shown"]);
}

#[test]
fn an_index_beyond_the_shown_outline_is_refused() {
    for model in [replace(3, "New."), delete(3)] {
        let harness = Harness::new(TEA, vec![read(), says("Read."), update(model), says("Done.")]);
        harness.prompt("Read");
        person(&harness, json!({ "operation": "append", "title": "Mine", "content": "<p>My own.</p>" }));
        let before = harness.html();
        harness.prompt("Write");
        assert_eq!((codes(&harness), harness.html()), (vec!["ok".into(), "section_not_shown".to_owned()], before));
    }
    let harness = run(TEA, vec![read(), update(delete(7))], json!({}));
    assert_eq!(codes(&harness), ["ok", "section_out_of_range"]);
}

#[test]
fn the_model_may_change_its_own_text_in_the_same_answer() {
    let append = |title: &str| json!({ "operation": "append", "title": title, "content": format!("<p>{title}</p>") });
    let first = calls(&[
        ("a", "update_section", append("A")),
        ("b", "update_section", append("B")),
        ("c", "update_section", replace(1, "Opened.")),
    ]);
    // A model that never saw an outline cannot know the indexes before there is one; behind it both sections are its
    // own.
    let harness = run(TEA, vec![first, update(replace(3, "x")), update(delete(4))], json!({}));
    assert_eq!(codes(&harness), ["ok", "ok", "section_not_shown", "ok", "ok"]);
    assert_eq!(harness.html(), format!("{TEA}<h2>A</h2><p>x</p>"));
    let second = calls(&[("a", "update_section", append("A")), ("b", "update_section", replace(3, "x"))]);
    let harness = run(TEA, vec![read(), second], json!({}));
    assert_eq!(codes(&harness), ["ok", "ok", "ok"]);
    assert_eq!(harness.html(), format!("{TEA}<h2>A</h2><p>x</p>"));
}

#[test]
fn a_blank_document_may_be_edited_without_reading() {
    let harness = run("<p></p>", vec![update(replace(0, "First.")), update(replace(0, "Second."))], json!({}));
    assert_eq!(
        (codes(&harness), harness.html()),
        (vec!["ok".to_owned(), "ok".to_owned()], "<p>Second.</p>".to_owned())
    );
}

#[test]
fn a_paged_result_shows_only_complete_sections() {
    let html = long(40);
    let options = || json!({ "resultBytes": 6_000 });
    let harness = run(&html, vec![read(), update(replace(30, "New."))], options());
    assert_eq!(codes(&harness), ["ok", "section_not_shown"]);
    assert_eq!(harness.html(), html);
    let more = |offset: usize| calls(&[("m", "read_more", json!({ "id": "page_1", "offset": offset }))]);
    let shown = results(&harness)[0].as_str().unwrap().to_owned();
    let (whole, cut) = (1..40).partition::<Vec<usize>, _>(|at| shown.contains(&format!("tea {at}</p>")));
    assert!(whole.len() > 5 && cut.len() > 20, "{whole:?} {cut:?}");
    let (last, next) = (*whole.last().unwrap(), cut[0]);
    let harness = run(&html, vec![read(), update(replace(next, "New.")), update(replace(last, "New."))], options());
    assert_eq!(codes(&harness), ["ok", "section_not_shown", "ok"], "the one that was cut was shown in part");
    let to: usize = shown.rsplit_once("characters 0–").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    let harness = run(&html, vec![read(), more(to), update(replace(next, "New.")), update(delete(39))], options());
    assert_eq!(codes(&harness), ["ok", "ok", "ok", "section_not_shown"], "both halves were sent");
    let harness = run(&html, vec![read(), more(to + 500), update(replace(next, "New."))], options());
    assert_eq!(codes(&harness), ["ok", "ok", "section_not_shown"], "between the halves something was not sent");
}

#[test]
fn a_long_section_is_shown_once_all_its_pages_were_sent() {
    let html = format!("<h1>T</h1><p>{}</p><h2>End</h2><p>Short.</p>", "word ".repeat(2_000));
    let options = || json!({ "resultBytes": 6_000 });
    let harness = run(&html, vec![read(), update(replace(1, "x")), update(replace(0, "x"))], options());
    assert_eq!(codes(&harness), ["ok", "ok", "section_not_shown"]);
    let content = results(&harness)[0]["sections"][0]["content"].as_str().unwrap().to_owned();
    let from: usize = content.rsplit_once("\"offset\": ").unwrap().1.trim_end_matches("}]").parse().unwrap();
    let reads = [0, 5_000].map(|on| calls(&[("m", "read_more", json!({ "id": "page_1", "offset": from + on }))]));
    let harness =
        run(&html, vec![read()].into_iter().chain(reads).chain([update(replace(0, "x"))]).collect(), options());
    assert_eq!(codes(&harness), ["ok", "ok", "ok", "ok"]);
}

#[test]
fn a_paged_result_shows_only_the_lines_that_were_sent() {
    let html: String = (1..=300).map(|at| format!("<p>line {at} of tea and of milk</p>")).collect();
    let options = || json!({ "resultBytes": 3_000 });
    let read = || calls(&[("r", "read_lines", json!({}))]);
    let harness = run(&html, vec![read(), lines(5, "x"), lines(250, "x")], options());
    assert_eq!(codes(&harness), ["ok", "ok", "lines_not_shown"]);
    let shown = results(&harness)[0].as_str().unwrap().to_owned();
    let to: usize = shown.rsplit_once("characters 0–").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    let more = |offset: usize| calls(&[("m", "read_more", json!({ "id": "page_1", "offset": offset }))]);
    let last: usize = shown.rsplit_once("line ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    let harness = run(&html, vec![read(), more(to), lines(last, "x"), lines(last + 1, "x")], options());
    assert_eq!(codes(&harness), ["ok", "ok", "ok", "ok"]);
}

#[test]
fn a_whole_document_is_rewritten_only_when_all_of_it_was_shown() {
    let whole = || {
        let content = "<h1>Tea</h1><p>New.</p>";
        calls(&[("w", "edit_current_editor_document", json!({ "content": content, "whole": true }))])
    };
    let part = calls(&[("r", "read_lines", json!({ "start_line": 1, "end_line": 3 }))]);
    let harness = run(TEA, vec![part, whole()], json!({}));
    assert_eq!(
        (codes(&harness), harness.html()),
        (vec!["ok".to_owned(), "lines_not_shown".to_owned()], TEA.to_owned())
    );
    assert_eq!(results(&harness)[1]["error"]["details"]["lines"], json!([4, 6]));
    let all = calls(&[("r", "read_lines", json!({}))]);
    assert_eq!(codes(&run(TEA, vec![all, whole()], json!({}))), ["ok", "ok"]);
    assert_eq!(codes(&run(TEA, vec![read(), whole()], json!({}))), ["ok", "ok"]);
    let harness = run(&long(40), vec![read(), whole()], json!({ "resultBytes": 6_000 }));
    assert_eq!(codes(&harness), ["ok", "lines_not_shown"]);
    let harness = Harness::new(TEA, vec![read(), says("Read."), whole(), says("Done.")]);
    harness.prompt("Read");
    person(&harness, json!({ "operation": "replace_text", "old": "Old", "new": "Mine" }));
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "stale"]);
}

/// Runs a model with a hook that replaces the result of the first call.
fn hooked(html: &str, answers: Vec<Answer>, content: impl Fn(&Value) -> Value + 'static) -> Harness {
    let harness = Harness::new(html, answers.into_iter().chain([says("Done.")]).collect());
    let first = Cell::new(true);
    harness.hook(Hook::AfterToolCall, move |given| match first.replace(false) {
        true => Ok(json!({ "content": content(&given["result"]) })),
        false => Ok(Value::Null),
    });
    harness.prompt("Write");
    harness
}

#[test]
fn a_result_changed_by_a_hook_shows_what_remains() {
    let attempts = || vec![read(), update(replace(2, "New.")), update(replace(1, "New."))];
    let harness = hooked(TEA, attempts(), |_| json!("Not for you."));
    assert_eq!(codes(&harness), ["ok", "section_not_shown", "section_not_shown"]);
    let without_kinds = |result: &Value| {
        let mut result = result.clone();
        result["sections"][2]["content"] = json!("<p>[hidden]</p>");
        result["rawHtml"] = json!("");
        result
    };
    let harness = hooked(TEA, attempts(), without_kinds);
    assert_eq!(codes(&harness), ["ok", "section_not_shown", "ok"]);
    let harness = hooked(TEA, attempts(), move |result| json!(without_kinds(result).to_string()));
    assert_eq!(codes(&harness), ["ok", "section_not_shown", "ok"], "as text");
    let harness = hooked(TEA, attempts(), |result| json!({ "note": "Be brief.", "result": result }));
    assert_eq!(codes(&harness), ["ok", "ok", "ok"], "with something around it");
    let read_lines = calls(&[("r", "read_lines", json!({}))]);
    let redacted = |result: &Value| json!(result.as_str().unwrap().replace("Old", "[…]"));
    let harness = hooked(TEA, vec![read_lines, lines(4, "x"), lines(2, "x")], redacted);
    assert_eq!(codes(&harness), ["ok", "lines_not_shown", "ok"]);
}

#[test]
fn text_removed_by_transform_context_is_not_shown() {
    let harness = Harness::new(TEA, vec![read(), update(replace(1, "New.")), says("Done.")]);
    harness.hook(Hook::TransformContext, |mut messages| {
        for message in messages.as_array_mut().unwrap().iter_mut().filter(|message| message["role"] == "toolResult") {
            message["content"] = json!("left out");
        }
        Ok(messages)
    });
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "section_not_shown"]);
}

#[test]
fn a_result_that_was_never_sent_is_not_shown() {
    let harness =
        Harness::with(TEA, vec![read(), update(replace(1, "New.")), says("Done.")], json!({}), |agent, event| {
            let event = serde_json::to_value(event).unwrap();
            if event["type"] == "tool_result" && event["toolId"] == "r" {
                agent.abort();
            }
        });
    assert_eq!(harness.prompt("Read").status, Outcome::Aborted);
    // The app takes the results out of what it keeps on sending.
    harness.hook(Hook::TransformContext, |messages| {
        let said = messages.as_array().unwrap().iter().filter(|message| message["role"] == "user");
        Ok(said.cloned().collect())
    });
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "section_not_shown"]);
    // Where it is sent later, it is shown then.
    let harness =
        Harness::with(TEA, vec![read(), update(replace(1, "New.")), says("Done.")], json!({}), |agent, event| {
            let event = serde_json::to_value(event).unwrap();
            if event["type"] == "tool_result" && event["toolId"] == "r" {
                agent.abort();
            }
        });
    assert_eq!(harness.prompt("Read").status, Outcome::Aborted);
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["ok", "ok"]);
}

#[test]
fn shown_text_stays_shown_after_compaction() {
    let options = json!({ "systemPrompt": "Help.", "llmConfig": {
        "model": { "api": "openai-completions", "modelId": "test-model", "contextWindow": 4_000 },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
    } });
    // A server that counts much more than was said.
    let counted = chunks(&[json!({ "content": "milk and tea ".repeat(300) })], "stop").replace(":10,", ":3500,");
    let harness = Harness::with(TEA, vec![read(), says("Read."), stream(&counted)], options, |_, _| {});
    harness.prompt("Read");
    harness.prompt(&"tea and milk ".repeat(100));
    harness.answers_by(|body| {
        match (body.get("tools").is_some(), body["messages"].as_array().unwrap().last().unwrap()) {
            (false, _) => says("They spoke of tea."),
            (true, last) if last["role"] == "user" => update(replace(1, "New.")),
            _ => says("Done."),
        }
    });
    harness.prompt("Now write");
    assert!(harness.event_types().contains(&"compaction".to_owned()));
    let sent = harness.requests();
    let before = sent.iter().rev().nth(1).unwrap().to_string();
    assert!(before.contains("Now write") && !before.contains("Old."), "the section is no longer in the request");
    assert_eq!(codes(&harness).last().unwrap(), "ok");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn a_loaded_conversation_has_shown_nothing() {
    let harness = Harness::new(TEA, vec![read(), says("Read.")]);
    harness.prompt("Read");
    let kept = serde_json::to_string(&harness.agent.messages()).unwrap();
    let harness = Harness::new(TEA, vec![update(replace(1, "New.")), update(replace(1, "New.")), says("Done.")]);
    harness.agent.set_messages(serde_json::from_str(&kept).unwrap()).unwrap();
    harness.prompt("Write");
    assert_eq!(codes(&harness), ["section_not_shown", "ok"]);
}

#[test]
fn a_line_equal_to_a_shown_line_is_not_shown() {
    let one = |line: usize| calls(&[("r", "read_lines", json!({ "start_line": line, "end_line": line }))]);
    for html in [
        "<blockquote><p>q</p><img src=\"https://a.example/1.png\"><img src=\"https://a.example/2.png\"></blockquote><p>z</p>",
        "<pre><code>secret\n}\n}</code></pre><p>z</p>",
        "<ul><li><p>first</p></li><li><p>same</p></li><li><p>same</p></li></ul><p>z</p>",
    ] {
        let harness = run(html, vec![one(2), lines(3, "gone")], json!({}));
        assert_eq!(
            (codes(&harness), harness.html()),
            (vec!["ok".to_owned(), "lines_not_shown".to_owned()], html.to_owned())
        );
        let harness = run(html, vec![one(3), lines(2, "gone")], json!({}));
        assert_eq!(codes(&harness), ["ok", "lines_not_shown"], "{html}");
    }
}

#[test]
fn an_edit_without_lines_takes_those_beside_the_list() {
    let all = || calls(&[("r", "read_lines", json!({}))]);
    let edit = |given: Value| run(TEA, vec![all(), calls(&[("w", "edit_current_editor_document", given)])], json!({}));
    let harness = edit(json!({ "start_line": 2, "end_line": 2, "edits": [{ "content": "Another second line." }] }));
    assert_eq!(
        (codes(&harness), harness.html()),
        (vec!["ok".to_owned(); 2], TEA.replace("A leaf.", "Another second line."))
    );
    let harness = edit(json!({ "content": "Another second line." }));
    assert_eq!((codes(&harness), harness.html()), (vec!["ok".to_owned(), "would_drop".to_owned()], TEA.to_owned()));
}
