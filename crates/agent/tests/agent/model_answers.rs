//! Answers of models that servers pass on in an unusual form: `tests/fixtures/model-answers`.

use super::harness::{Answer, Harness, calls, chunks, contains_text, says, stream, tool};
use copydesk_agent::tools::app::output;
use copydesk_agent::{Outcome, RunResult};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::future::ready;
use std::pin::Pin;
use std::rc::Rc;

const TEA: &str = "<h1>Tea</h1><p>A leaf that is hot.</p><h2>History</h2><p>Old as paper.</p>";

/// The input of a case.
fn case(id: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/model-answers/cases.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    cases.iter().find(|case| case["id"] == id).unwrap()["input"].clone()
}

/// An answer with one call, whose arguments arrive in these deltas.
fn call(name: &str, deltas: &[&str]) -> Answer {
    let head = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": name, "arguments": "" } });
    let mut chunked = vec![json!({ "tool_calls": [head] })];
    chunked
        .extend(deltas.iter().map(|more| json!({ "tool_calls": [{ "index": 0, "function": { "arguments": more } }] })));
    stream(&chunks(&chunked, "tool_calls"))
}

/// Runs an answer in an agent that has read the document. A second answer ends the run.
fn run(answer: Answer, more: Value) -> (Harness, RunResult) {
    let harness = Harness::with(TEA, vec![answer, says("Done.")], more, |_, _| {});
    harness.read();
    harness.read_lines();
    let result = harness.prompt("x");
    (harness, result)
}

fn last_result(harness: &Harness) -> Value {
    harness.event("tool_result")["content"].clone()
}

#[test]
fn formulas_and_paths_with_single_backslashes_stay_what_they_are() {
    let input = case("latex-escapes");
    let (harness, _) =
        run(call("edit_current_editor_document", &[input["arguments_raw"].as_str().unwrap()]), json!({}));
    let shown = "Half is $\\frac{1}{2}$, angle $\\theta$, rate $\\nu$.";
    assert_eq!(harness.html(), TEA.replace("A leaf that is hot.", shown));

    for command in "frac forall beta bar binom nu nabla neq rho right rangle theta times text tan to".split(' ') {
        for (tool, raw) in [
            ("replace_text", format!(r#"{{"old":"hot","new":"so $\{command}$"}}"#)),
            (
                "edit_current_editor_document",
                format!(
                    r#"{{"edits":"[{{\"start_line\":2,\"end_line\":2,\"content\":\"A leaf that is so $\\{command}$.\"}}]"}}"#
                ),
            ),
            (
                "update_section",
                format!(
                    r#"{{"operation":"replace","sectionIndex":0,"title":"Tea","content":"<p>A leaf that is so $\{command}$.</p>"}}"#
                ),
            ),
        ] {
            let (harness, _) = run(call(tool, &[&raw]), json!({}));
            assert!(harness.html().contains(&format!("so $\\{command}$.")), "{raw}\n{}", harness.html());
        }
    }
    for (given, shown) in [
        (r"C:\new\files\book", r"C:\new\files\book"),
        (r"\bword\b and \alpha", r"\bword\b and \alpha"),
        (r"C:\\new\\table", r"C:\new\table"),
    ] {
        let (harness, _) = run(call("replace_text", &[&format!(r#"{{"old":"hot","new":"{given}"}}"#)]), json!({}));
        assert_eq!(harness.html(), TEA.replace("hot", shown), "{given}");
    }
}

#[test]
fn an_ambiguous_escape_changes_nothing_and_the_model_learns_both_forms() {
    for (locale, phrase) in [("en", "for the backslash or \\u000a for a line break"), ("zh-CN", "换行写成 \\u000a")]
    {
        let (harness, result) =
            run(call("replace_text", &[r#"{"old":"hot","new":"C:\new"}"#]), json!({ "locale": locale }));
        assert_eq!(result.status, Outcome::Complete);
        assert_eq!(harness.html(), TEA);
        let error = last_result(&harness)["error"].clone();
        assert_eq!((&error["code"], &error["details"]["escape"]), (&json!("ambiguous_escape"), &json!("\\new")));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("\\\\new") && message.contains(phrase), "{message}");
    }
}

#[test]
fn ordinary_line_breaks_are_line_breaks() {
    let raw = r#"{"edits":[{"start_line":2,"end_line":2,"content":"It costs $5\nunder the table,\n\nnow $6."}]}"#;
    let (harness, _) = run(call("edit_current_editor_document", &[raw]), json!({}));
    assert_eq!(harness.html().matches("<p>").count(), 4, "{}", harness.html());
}

#[test]
fn arguments_that_are_repeated_or_encoded_twice_are_one_call() {
    let repeated = case("json-cumulative");
    let repeated: Vec<&str> = repeated["deltas"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let twice = case("json-double");
    let line_break = "{\"old\":\"leaf\",\n\t\"new\":\"bud\"}";
    for deltas in [repeated, vec![twice["arguments_raw"].as_str().unwrap()], vec![line_break], vec!["{}", line_break]] {
        let (harness, _) = run(call("replace_text", &deltas), json!({}));
        assert_eq!(harness.html(), TEA.replace("leaf", "bud"), "{deltas:?}");
        assert_eq!(harness.event_types().iter().filter(|kind| *kind == "tool_use").count(), 1);
    }
}

#[test]
fn cut_off_arguments_never_run() {
    for deltas in [
        vec![r#"{"old":"leaf","new":"bu"#],
        vec![r#""{\"old\":\"leaf\",\"new\":\"bud\""#],
        vec![r#"{"old":"leaf","new":"bud"}"#, r#"{"old":"leaf""#],
        vec![r#"{"old":"leaf","new":"$\\nu"#],
    ] {
        let (harness, _) = run(call("replace_text", &deltas), json!({}));
        assert_eq!(harness.html(), TEA);
        assert_eq!(last_result(&harness)["error"]["code"], "arguments_cut_off", "{deltas:?}");
    }
}

#[test]
fn arguments_of_an_app_tool_fit_its_schema() {
    let input = case("args-string-app-tool");
    let given: Rc<RefCell<Vec<Map<String, Value>>>> = Rc::default();
    for raw in [
        input["arguments_raw"].as_str().unwrap(),
        r#"{"tags":"a","limit":5.0}"#,
        r#"{"Tags":["a"],"limit":" 5 "}"#,
        r#""{\"tags\":\"[\\\"a\\\"]\",\"limit\":5}""#,
    ] {
        let harness = Harness::new(TEA, vec![call("label", &[raw]), says("Done.")]);
        let seen = given.clone();
        let spec = json!({ "name": "label", "parameters": input["tool_parameters"].clone() });
        harness.agent.set_tools(vec![tool(spec, move |arguments, _| {
            seen.borrow_mut().push(arguments);
            Box::pin(ready(Ok(output(json!("done")))))
        })]);
        harness.prompt("x");
        assert_eq!(Value::Object(given.take().remove(0)), json!({ "tags": ["a"], "limit": 5 }), "{raw}");
    }
    let harness = Harness::new(TEA, vec![call("label", &[r#"{"tags":"a, b"}"#]), says("Done.")]);
    let spec = json!({ "name": "label", "parameters": input["tool_parameters"].clone() });
    harness.agent.set_tools(vec![tool(spec, |_, _| unreachable!("it must not run"))]);
    harness.prompt("x");
    let message = last_result(&harness)["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("tags is \"a, b\"; it must be array of string"), "{message}");
}

#[test]
fn what_a_server_adds_to_a_call_is_sent_back() {
    let delta = case("vertex-signature")["delta"].clone();
    let (harness, _) = run(stream(&chunks(std::slice::from_ref(&delta), "tool_calls")), json!({}));
    let sent = harness.requests()[1]["messages"].as_array().unwrap().clone();
    let call = sent.iter().rev().find_map(|message| message.pointer("/tool_calls/0")).unwrap();
    assert_eq!(call["extra_content"], delta["tool_calls"][0]["extra_content"]);
}

#[test]
fn thinking_in_the_text_is_reported_as_thinking_and_not_sent_back() {
    for content in [case("think-tags")["content"].as_str().unwrap(), "I should say hi.</think>\n\nHi."] {
        for whole in [true, false] {
            let pieces: Vec<String> =
                if whole { vec![content.to_owned()] } else { content.chars().map(String::from).collect() };
            let deltas: Vec<Value> = pieces.iter().map(|piece| json!({ "content": piece })).collect();
            let harness = Harness::new(TEA, vec![stream(&chunks(&deltas, "stop")), says("Again.")]);
            assert_eq!(harness.prompt("x").text, "Hi.");
            // As a listener shows them: a `retry` invalidates what was shown.
            let (mut text, mut thinking) = (String::new(), String::new());
            for event in harness.events() {
                let content = event["content"].as_str().unwrap_or_default();
                match event["type"].as_str().unwrap() {
                    "content" => text += content,
                    "thinking" => thinking += content,
                    "retry" => drop((std::mem::take(&mut text), std::mem::take(&mut thinking))),
                    _ => {}
                }
            }
            assert_eq!((text.as_str(), thinking.as_str()), ("Hi.", "I should say hi."));
            let types = harness.event_types();
            let count = |kind: &str| types.iter().filter(|other| *other == kind).count();
            assert_eq!(count("thinking_start"), count("thinking_end"));
            harness.prompt("y");
            assert!(!contains_text(&harness.requests()[1], "I should"), "{}", harness.requests()[1]);
        }
    }
}

/// The answers of the reports, in which a call is text.
fn leaked() -> Vec<String> {
    let json = r#"{"old":"leaf","new":"bud"}"#;
    vec![
        case("leaked-calls")["content"].as_str().unwrap().to_owned(),
        "<tool_call>\n<function=replace_text>\n<parameter=old>\nleaf\n</parameter>\n<parameter=new>\nbud\n</parameter>\n</function>\n</tool_call>".into(),
        "<invoke name=\"replace_text\"><parameter name=\"old\">leaf</parameter><parameter name=\"new\">bud</parameter></invoke>".into(),
        format!("<|tool_calls_section_begin|><|tool_call_begin|>functions.replace_text:0<|tool_call_argument_begin|>{json}<|tool_call_end|><|tool_calls_section_end|>"),
        format!("[TOOL_CALLS]replace_text[ARGS]{json}"),
        format!("```json\n{{\"name\":\"replace_text\",\"arguments\":{json}}}\n```"),
    ]
}

#[test]
fn a_call_in_the_text_does_not_run_and_user_and_model_are_told_once() {
    for content in leaked() {
        let harness = Harness::new(TEA, vec![says(&content), says(&content)]);
        harness.read_lines();
        let result = harness.prompt("x");
        assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, ""), "{content}");
        assert_eq!(harness.html(), TEA);
        assert!(!harness.event_types().contains(&"content".to_owned()), "the call is not the answer");
        let notice = harness.event("notice");
        assert_eq!(notice["code"], "text_tool_call");
        let message = notice["message"].as_str().unwrap();
        assert!(message.contains("--tool-call-parser") && message.contains("model.compat.textToolCalls"), "{message}");
        let requests = harness.requests();
        assert_eq!(requests.len(), 2, "the model is told once");
        let last = requests[1]["messages"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["role"], "user");
        assert!(contains_text(&last, "written as text. It did not run"), "{last}");
        assert!(!contains_text(&requests[1], "</function>") && !contains_text(&requests[1], "TOOL_CALLS"));
    }
}

#[test]
fn the_model_may_call_the_tool_after_it_was_told() {
    let replace = calls(&[("b", "replace_text", json!({ "old": "leaf", "new": "bud" }))]);
    let harness = Harness::new(TEA, vec![says(&leaked()[0]), replace, says("Done.")]);
    harness.read_lines();
    assert_eq!(harness.prompt("x").text, "Done.");
    assert_eq!(harness.html(), TEA.replace("leaf", "bud"));
}

#[test]
fn a_call_in_the_text_runs_if_the_server_is_declared_to_need_it() {
    let model = json!({ "model": { "api": "openai-completions", "modelId": "test-model", "compat": { "textToolCalls": true } },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": "http://localhost:11434/v1" } });
    for content in leaked() {
        let harness =
            Harness::with(TEA, vec![says(&content), says("Done.")], json!({ "llmConfig": model.clone() }), |_, _| {});
        harness.read_lines();
        assert_eq!(harness.prompt("x").text, "Done.");
        assert_eq!(harness.html(), TEA.replace("leaf", "bud"), "{content}");
        assert!(!harness.event_types().contains(&"notice".to_owned()));
    }
    let cut = "<function=replace_text><parameter=old>leaf</parameter><parameter=new>bu";
    let harness = Harness::with(TEA, vec![says(cut), says("Done.")], json!({ "llmConfig": model }), |_, _| {});
    harness.read_lines();
    harness.prompt("x");
    assert_eq!(harness.html(), TEA);
    assert_eq!(last_result(&harness)["error"]["code"], "arguments_cut_off");
}

#[test]
fn an_announced_call_that_is_missing_is_requested_once_more() {
    let missing = || stream(&chunks(&[json!({ "content": "I'll edit." })], "tool_calls"));
    let harness = Harness::new(TEA, vec![missing(), says("Done.")]);
    assert_eq!(harness.prompt("x").text, "Done.");
    assert_eq!(harness.event("retry")["reason"], "call_missing");
    assert_eq!(harness.agent.messages().len(), 2, "the answer without its call is not kept");
    assert!(!harness.event_types().contains(&"notice".to_owned()));
    assert_eq!(harness.agent.usage().total_tokens, 30, "both answers are counted");

    for (more, requests) in [(json!({}), 2), (json!({ "maxRetries": 0 }), 1)] {
        let harness = Harness::with(TEA, vec![missing(), missing()], more, |_, _| {});
        let result = harness.prompt("x");
        assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, "I'll edit."));
        assert_eq!(harness.event("notice")["code"], "call_missing");
        assert_eq!(harness.requests().len(), requests);
    }
}

/// Anthropic's format, in which the call has leaked into the text.
#[test]
fn a_call_that_is_missing_and_begins_in_the_text_is_told_to_the_model() {
    let text = "count\n<invoke name=\"replace_text\">";
    let event = |name: &str, data: Value| format!("event: {name}\ndata: {data}\n\n");
    let body = event("message_start", json!({ "type": "message_start", "message": { "id": "m" } }))
        + &event(
            "content_block_start",
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        )
        + &event(
            "content_block_delta",
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } }),
        )
        + &event("content_block_stop", json!({ "type": "content_block_stop", "index": 0 }))
        + &event(
            "message_delta",
            json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 1 } }),
        )
        + &event("message_stop", json!({ "type": "message_stop" }));
    let model = json!({ "model": { "api": "anthropic-messages", "modelId": "claude" },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example" } });
    let harness = Harness::with(TEA, vec![stream(&body), stream(&body)], json!({ "llmConfig": model }), |_, _| {});
    assert_eq!(harness.prompt("x").text, "count\n");
    assert_eq!(harness.event("notice")["code"], "text_tool_call");
    assert_eq!(harness.requests().len(), 2);
}

#[test]
fn a_name_that_means_one_tool_is_its_name() {
    for name in ["functions.replace_text", "default_api:replace_text", "Replace_Text", "replace text", "replace-text"] {
        let (harness, _) = run(call(name, &[r#"{"old":"leaf","new":"bud"}"#]), json!({ "needsApproval": [] }));
        assert_eq!(harness.html(), TEA.replace("leaf", "bud"), "{name}");
        assert_eq!(harness.event("tool_use")["toolName"], "replace_text", "{name}");
    }
    for name in ["functions.", "replace", "replace_texts"] {
        let (harness, _) = run(call(name, &[r#"{"old":"leaf","new":"bud"}"#]), json!({}));
        assert_eq!(harness.html(), TEA, "{name}");
        assert_eq!(last_result(&harness)["error"]["code"], "unknown_tool", "{name}");
    }
}

/// An approval is asked for the tool that runs, whatever name the model wrote.
#[test]
fn another_form_of_a_name_does_not_pass_by_the_approval() {
    for name in ["replace_text", "functions.replace_text", "REPLACE_TEXT"] {
        let answers = vec![call(name, &[r#"{"old":"leaf","new":"bud"}"#]), says("Done.")];
        let harness = Harness::with(TEA, answers, json!({ "needsApproval": ["replace_text"] }), |_, _| {});
        let mut run: Pin<Box<dyn Future<Output = RunResult>>> = Box::pin(harness.agent.prompt("x").unwrap());
        for _ in 0..5 {
            let _ = harness.poll(&mut run);
            harness.pass(300.0);
        }
        assert_eq!(harness.html(), TEA, "{name}");
        assert_eq!(harness.event("approval_request")["toolName"], "replace_text", "{name}");
    }
}
