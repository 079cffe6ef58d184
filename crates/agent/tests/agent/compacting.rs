//! Long conversations and long results, in a run.

use super::harness::{Answer, Harness, calls, chunks, page, says, stream, tool};
use copydesk_agent::tools::app::output;
use copydesk_agent::{Agent, Event, EventKind, Hook, Outcome};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::ready;

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

/// An agent whose model takes 4,000 tokens, with a conversation of about `tokens` tokens.
fn long(tokens: usize, answers: Vec<Answer>) -> Harness {
    heard(tokens, answers, |_, _| {})
}

/// The same with a listener.
fn heard(tokens: usize, answers: Vec<Answer>, listen: impl Fn(&Agent, &Event) + 'static) -> Harness {
    let harness = Harness::with(TEA, answers, model(4_000), listen);
    let mut messages = Vec::new();
    for turn in 0..10 {
        messages.push(Message::user(format!("Question {turn}: {}", "tea and milk ".repeat(tokens / 20 / 3))));
        let answer = json!({ "role": "assistant", "stopReason": "stop", "content": [
            { "type": "text", "text": format!("Answer {turn}: {}", "milk and tea ".repeat(tokens / 20 / 3)) }] });
        messages.push(Message::try_from(answer).unwrap());
    }
    harness.agent.set_messages(messages).unwrap();
    harness
}

fn model(window: u64) -> Value {
    json!({ "systemPrompt": "Help.", "llmConfig": {
        "model": { "api": "openai-completions", "modelId": "test-model", "contextWindow": window },
        "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
    } })
}

fn roles(harness: &Harness) -> Vec<String> {
    let messages = harness.agent.messages().into_iter().map(Value::from);
    messages.map(|message| message["role"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_conversation_that_fits_is_not_compacted() {
    let harness = long(400, vec![says("Fine.")]);
    harness.prompt("And now?");
    assert_eq!(harness.agent.messages().len(), 22);
    assert!(!harness.event_types().contains(&"compaction".to_owned()));
}

#[test]
fn a_run_stopped_in_the_compaction_event_sends_nothing_more() {
    let harness = heard(6_000, vec![says("They spoke of tea."), says("Fine.")], |agent, event| {
        if matches!(event.kind, EventKind::Compaction { .. }) {
            agent.abort();
        }
    });
    assert_eq!(harness.prompt("And now?").status, Outcome::Aborted);
    assert_eq!(harness.requests().len(), 1);
}

#[test]
fn the_oldest_messages_become_one_summary_that_the_model_writes() {
    let harness = long(6_000, vec![says("They spoke of tea."), says("Fine.")]);
    let result = harness.prompt("And now?");
    assert_eq!((result.status, result.text.as_str()), (Outcome::Complete, "Fine."));
    assert_eq!(result.usage.total_tokens, 30, "the summary is paid for as well");
    let event = harness.event("compaction");
    assert!(event["after"].as_u64() < event["before"].as_u64(), "{event}");
    assert!(event["after"].as_u64().unwrap() <= 3_200, "{event}");
    assert_eq!(roles(&harness)[0], "summary");
    let requests = harness.requests();
    assert!(requests[0].get("tools").is_none(), "a summary needs no tools");
    let sent = requests[1]["messages"].as_array().unwrap();
    assert_eq!(sent[0]["role"], "system");
    assert!(sent[1]["content"].as_str().unwrap().contains("They spoke of tea."));
    assert!(sent.last().unwrap()["content"].as_str().unwrap().ends_with("And now?"));
}

#[test]
fn a_plain_digest_replaces_a_failed_summary() {
    let harness = long(6_000, vec![page(400, "text/plain", "oops"), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").status, Outcome::Complete);
    let summary = Value::from(harness.agent.messages()[0].clone());
    assert_eq!(summary["role"], "summary");
    assert!(summary["content"].as_str().unwrap().contains("Question 0"), "{summary}");
}

#[test]
fn a_wrong_key_fails_the_run_and_keeps_the_conversation() {
    let harness = long(6_000, vec![page(401, "application/json", "{}"), says("They spoke of tea."), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").error.unwrap()["code"], "unauthorized");
    assert_eq!(harness.agent.messages().len(), 21);
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "Fine.");
}

#[test]
fn a_failed_summary_is_postponed_while_there_is_room() {
    let harness = long(1_600, vec![page(503, "text/plain", "oops"), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").text, "Fine.");
    assert_eq!(harness.requests().len(), 2, "it was tried");
    assert_eq!(harness.agent.messages().len(), 22);
}

#[test]
fn an_urgent_summary_is_retried() {
    let broken = || page(503, "text/plain", "oops");
    let offline = || Answer::Fails(copydesk_base::Error::Offline);
    let harness = long(6_000, vec![broken(), offline(), says("They spoke of tea."), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").text, "Fine.");
    let reasons: Vec<Value> =
        harness.events().iter().filter(|event| event["type"] == "retry").map(|event| event["reason"].clone()).collect();
    assert_eq!(reasons, ["overloaded", "offline"]);
    assert_eq!(harness.now(), 3_000.0);
    let summary = Value::from(harness.agent.messages()[0].clone());
    assert_eq!(summary["content"].as_str().unwrap().lines().next(), Some("They spoke of tea."));
}

#[test]
fn being_offline_briefly_does_not_fail_a_run_over_a_summary() {
    let offline = || Answer::Fails(copydesk_base::Error::Offline);
    let harness = long(1_600, vec![offline(), offline(), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").text, "Fine.");
    assert_eq!(harness.agent.messages().len(), 22);
}

#[test]
fn a_stop_during_a_summary_keeps_the_conversation() {
    let harness = long(6_000, vec![Answer::Hangs]);
    let mut run: std::pin::Pin<Box<dyn Future<Output = _>>> = Box::pin(harness.agent.prompt("And now?").unwrap());
    assert!(harness.poll(&mut run).is_pending());
    harness.agent.abort();
    assert!(harness.poll(&mut run).is_ready());
    assert_eq!(harness.agent.messages().len(), 21);
}

#[test]
fn compaction_within_a_run_keeps_results_with_their_calls() {
    let harness = Harness::with(TEA, vec![], model(3_000), |_, _| {});
    let turn = Cell::new(0);
    harness.answers_by(move |request| {
        if request.get("tools").is_none() {
            return says("They read pages.");
        }
        turn.set(turn.get() + 1);
        let id = format!("c{}", turn.get());
        let call = json!({
            "index": 0,
            "id": id,
            "function": { "name": "fetch_page", "arguments": json!({ "page": turn.get() }).to_string() },
        });
        let delta = if turn.get() > 12 { json!({ "content": "Done." }) } else { json!({ "tool_calls": [call] }) };
        let sent = request.to_string().len() / 4;
        stream(&chunks(&[delta], "stop").replace("\"prompt_tokens\":10", &format!("\"prompt_tokens\":{sent}")))
    });
    harness.agent.set_tools(vec![tool(json!({ "name": "fetch_page" }), |given, _| {
        let text = format!("Page {}: {}", given["page"], "tea and milk ".repeat(150));
        Box::pin(ready(Ok(output(text.into()))))
    })]);
    assert_eq!(harness.prompt("Read everything").text, "Done.");
    assert!(harness.event_types().iter().filter(|kind| *kind == "compaction").count() >= 2);
    for request in harness.requests() {
        let messages = request["messages"].as_array().unwrap();
        let calls = messages.iter().flat_map(|message| message["tool_calls"].as_array().into_iter().flatten());
        let called: Vec<&Value> = calls.map(|call| &call["id"]).collect();
        let results = messages.iter().filter(|message| message["role"] == "tool");
        let answered: Vec<&Value> = results.map(|message| &message["tool_call_id"]).collect();
        assert_eq!(called, answered);
        assert!(request.to_string().contains("Read everything"), "what was asked for is never forgotten");
    }
}

#[test]
fn the_image_of_the_current_request_survives_compaction() {
    for api in ["openai-completions", "openai-responses", "anthropic-messages", "google-generative-ai"] {
        let mut more = model(4_500);
        more["llmConfig"]["model"]["api"] = json!(api);
        let harness =
            Harness::with(TEA, vec![page(400, "text/plain", "no"), page(400, "text/plain", "no")], more, |_, _| {});
        let picture = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
        let asked = json!([{ "type": "text", "text": "What does it show?" }, picture]);
        let mut messages = vec![json!({ "role": "user", "content": asked })];
        for id in ["a", "b", "c", "d"] {
            let call = json!({ "type": "toolCall", "id": id, "name": "fetch_page", "arguments": {} });
            messages.push(json!({ "role": "assistant", "stopReason": "stop", "content": [call] }));
            let said = "tea and milk ".repeat(250);
            messages.push(json!({
                "role": "toolResult",
                "toolCallId": id,
                "toolName": "fetch_page",
                "content": said,
                "isError": false,
            }));
        }
        harness.agent.set_messages(serde_json::from_value(messages.into()).unwrap()).unwrap();
        harness.wait(harness.agent.continue_run().unwrap());
        harness.event("compaction");
        let sent = harness.requests().pop().unwrap().to_string();
        assert!(sent.contains("aGk=") && sent.contains("What does it show?"), "{api}: {sent}");
        assert!(
            roles(&harness).starts_with(&["summary".into(), "user".into(), "assistant".into()]),
            "{:?}",
            roles(&harness)
        );
    }
}

#[test]
fn a_conversation_refused_as_too_long_is_compacted_and_retried() {
    let refusal = r#"{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 4000 tokens."}}"#;
    let harness = long(800, vec![page(400, "application/json", refusal), says("They spoke of tea."), says("Fine.")]);
    assert_eq!(harness.prompt("And now?").text, "Fine.");
    assert_eq!(harness.event_types().iter().filter(|kind| *kind == "compaction").count(), 1);
    assert_eq!(harness.requests().len(), 3);
}

#[test]
fn a_result_that_is_too_long_is_paged_and_can_be_read_on() {
    let text: String = (0..4_000).map(|line| format!("{line}: tea and milk\n")).collect();
    let whole = text.clone();
    let answers = vec![
        calls(&[("a", "fetch_page", json!({}))]),
        calls(&[("b", "read_more", json!({ "id": "page_1", "offset": 40_000 }))]),
        says("Done."),
    ];
    let harness = Harness::with(TEA, answers, json!({ "resultBytes": 20_000 }), |_, _| {});
    harness.agent.set_tools(vec![tool(json!({ "name": "fetch_page" }), move |_, _| {
        Box::pin(ready(Ok(output(text.clone().into()))))
    })]);
    harness.prompt("x");
    let results: Vec<Value> = harness.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    let first = results[0]["content"].as_str().unwrap();
    assert!(
        first.len() < 21_000 && first.contains("read_more") && first.contains("page_1"),
        "{}",
        &first[first.len() - 300..]
    );
    let second = results[1]["content"].as_str().unwrap();
    assert!(second.contains(&whole[40_000..40_100]), "{}", &second[..200]);
    let sent = harness.requests()[2]["messages"].clone();
    assert!(sent[5]["content"].as_str().unwrap().starts_with("<data source="), "a stranger's page stays fenced");
}

#[test]
fn the_configured_result_size_applies_up_to_a_fifth_of_the_window() {
    let shown = |window: u64, bytes: Value| {
        let mut more = model(window);
        more["resultBytes"] = bytes;
        let harness =
            Harness::with(TEA, vec![calls(&[("a", "fetch_page", json!({}))]), says("Done.")], more, |_, _| {});
        harness.agent.set_tools(vec![tool(json!({ "name": "fetch_page" }), |_, _| {
            Box::pin(ready(Ok(output("tea and milk, ".repeat(12_000).into()))))
        })]);
        harness.prompt("x");
        harness.event("tool_result")["content"].as_str().unwrap().len()
    };
    assert_eq!(shown(1_000_000, json!(200_000)), 168_000, "all of it");
    assert!((99_000..=100_000).contains(&shown(1_000_000, json!(100_000))), "as said");
    assert!((39_000..=50_000).contains(&shown(1_000_000, Value::Null)), "the default");
    for given in [Value::Null, json!(50_000), json!(200_000)] {
        let length = shown(8_000, given);
        assert!((4_000..9_000).contains(&length), "{length} bytes are more than a fifth of 8,000 tokens");
    }
}

#[test]
fn tokens_and_costs_are_listed_by_turn_tool_and_edit() {
    let mut more = model(100_000);
    more["llmConfig"]["model"]["cost"] = json!({ "input": 1_000_000.0, "output": 2_000_000.0 });
    let append = json!({ "operation": "append", "title": "Now", "content": "<p>New.</p>" });
    let harness = Harness::with(TEA, vec![calls(&[("a", "update_section", append)]), says("Done.")], more, |_, _| {});
    harness.prompt("x");
    let ledger = harness.agent.ledger();
    assert_eq!(ledger["totals"]["cost"], json!(40.0), "{ledger}");
    assert_eq!((&ledger["tools"][0]["name"], &ledger["tools"][0]["calls"]), (&json!("update_section"), &json!(1)));
    assert_eq!((&ledger["edits"][0]["toolId"], &ledger["turns"][1]["cost"]), (&json!("a"), &json!(20.0)));
}

#[test]
fn an_incomplete_answer_that_is_retried_is_counted_once() {
    let whole = chunks(&[json!({ "content": "Half an " }), json!({ "content": "answer." })], "stop");
    let cut = stream(whole.split_inclusive("\n\n").next().unwrap());
    let harness = Harness::new(TEA, vec![cut, says("Whole.")]);
    harness.hook(Hook::TransformContext, Ok);
    harness.prompt("x");
    assert_eq!(harness.agent.ledger()["totals"]["turns"], 1);
    assert_eq!(harness.agent.usage().total_tokens, 15);
}
