//! Actions of the user and the app during a recorded run, replayed at the same moment.

use super::{app_tools, record, record_with, replace, user_writes};
use crate::harness::{Answer, calls, chunks, says, slow_tool, stream, tool};
use copydesk_agent::hooks::Hook;
use copydesk_recording::Input;
use copydesk_recording::recorder::LIMIT;
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::pending;
use std::rc::Rc;

#[test]
fn a_stop_in_an_event_is_replayed() {
    let append = json!({ "operation": "append", "title": "Now", "content": "<p>New.</p>" });
    for kind in ["turn_start", "content", "tool_args", "tool_use", "doc_update", "tool_result", "turn_end"] {
        let answers = vec![
            stream(&chunks(
                &[
                    json!({ "content": "I will." }),
                    json!({ "tool_calls": [{ "index": 0, "id": "c1", "function":
                        { "name": "update_section", "arguments": append.to_string() } }] }),
                ],
                "tool_calls",
            )),
            says("Done."),
        ];
        let recorded = record_with(answers, json!({}), LIMIT, move |agent, recorder, event| {
            if event["type"] == kind {
                recorder.input("abort", Value::Null);
                agent.abort();
            }
        });
        recorded.prompt("Make it older");
        assert_eq!(recorded.harness.event_types().last().unwrap(), "aborted", "{kind}");
        recorded.plays_the_same();
    }
}

#[test]
fn a_stop_while_waiting_is_replayed() {
    let body =
        chunks(&[json!({ "content": "One " }), json!({ "content": "two " }), json!({ "content": "three" })], "stop");
    let pieces: Vec<Vec<u8>> = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    for after in 0..5 {
        let recorded = record(vec![Answer::Slowly(100, pieces.clone())], json!({}));
        let mut run = recorded.begin("Hi");
        assert!(recorded.harness.poll(&mut run).is_pending());
        for _ in 0..after {
            recorded.harness.pass(100.0);
            let _ = recorded.harness.poll(&mut run);
        }
        recorded.harness.pass(50.0);
        recorded.recorder.input("abort", Value::Null);
        recorded.harness.agent.abort();
        recorded.harness.wait(run);
        let said = recorded.harness.event_types().iter().filter(|kind| *kind == "content").count();
        assert_eq!(said, after.min(3));
        recorded.plays_the_same();
    }
}

#[test]
fn typing_of_the_user_is_replayed_at_the_same_time() {
    // Between the reading and the writing of the model, while it waits for the second answer.
    let second = chunks(
        &[json!({ "tool_calls": [{ "index": 0, "id": "c2", "function":
            { "name": "update_section", "arguments": replace("<p>Older.</p>").to_string() } }] })],
        "tool_calls",
    );
    let answers = || {
        let pieces = second.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
        vec![calls(&[("c1", "get_document", json!({}))]), Answer::Slowly(500, pieces), says("Done.")]
    };
    let recorded = record(answers(), json!({}));
    let mut run = recorded.begin("Make it older");
    assert!(recorded.harness.poll(&mut run).is_pending());
    user_writes(&recorded.recorder, &recorded.harness.document, "Mine.");
    recorded.harness.wait(run);
    assert!(recorded.harness.html().contains("<p>Mine.</p>") && recorded.harness.html().contains("<p>Older.</p>"));
    recorded.plays_the_same();

    // Also by a listener of the first result, before the next request.
    let document: Rc<RefCell<Option<ReviewCell>>> = Rc::default();
    let held = document.clone();
    let recorded = record_with(answers(), json!({}), LIMIT, move |_, recorder, event| {
        if event["type"] == "tool_result" && event["toolId"] == "c1" {
            user_writes(recorder, held.borrow().as_ref().unwrap(), "Mine, at once.");
        }
    });
    *document.borrow_mut() = Some(recorded.harness.document.clone());
    recorded.prompt("Make it older");
    assert!(recorded.harness.html().contains("at once"));
    recorded.plays_the_same();
}

#[test]
fn queued_messages_are_replayed() {
    let recorded =
        record_with(vec![says("One."), says("Two."), says("Three.")], json!({}), LIMIT, |agent, recorder, event| {
            let said = |text: &str| json!([{ "role": "user", "content": text }]);
            if event["type"] == "content" && event["content"] == "One." {
                recorder.input("steer", said("Louder."));
                agent.steer(serde_json::from_value(said("Louder.")[0].clone()).unwrap());
                recorder.input("followUp", said("And again."));
                agent.follow_up(serde_json::from_value(said("And again.")[0].clone()).unwrap());
            }
        });
    recorded.prompt("Hi");
    assert_eq!(recorded.harness.requests().len(), 3);
    recorded.plays_the_same();
}

#[test]
fn concurrent_calls_end_in_the_recorded_order_without_running_tools() {
    let called = calls(&[
        ("c1", "slower", json!({ "n": 1 })),
        ("c2", "counts", json!({ "n": 2 })),
        ("c3", "slow", json!({ "n": 3 })),
        ("c4", "fails", json!({ "n": 4 })),
        ("c5", "fails", json!({ "n": "four" })),
        ("c6", "update_section", replace("<p>Older.</p>")),
    ]);
    let recorded = record(vec![called, says("Done.")], json!({}));
    app_tools(&recorded);
    recorded.prompt("Do all");
    let results: Vec<Value> =
        recorded.harness.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    let ended: Vec<_> = results.iter().map(|result| result["toolId"].as_str().unwrap()).collect();
    assert_eq!(ended.last(), Some(&"c2"), "{ended:?}");
    let updates = recorded.harness.event_types().iter().filter(|kind| *kind == "tool_update").count();
    assert_eq!(updates, 3);
    recorded.plays_the_same();
}

#[test]
fn timeouts_and_stops_of_tools_are_replayed() {
    let called = || vec![calls(&[("c1", "slow", json!({})), ("c2", "slower", json!({}))]), says("Done.")];
    let recorded = record(called(), json!({ "toolTimeout": 40 }));
    app_tools(&recorded);
    recorded.prompt("Wait");
    let late = recorded.harness.events().into_iter().find(|event| event["toolId"] == "c2" && event["isError"] == true);
    assert_eq!(late.unwrap()["content"]["error"]["code"], "timeout");
    recorded.plays_the_same();

    let recorded = record(called(), json!({}));
    app_tools(&recorded);
    let mut run = recorded.begin("Wait");
    assert!(recorded.harness.poll(&mut run).is_pending());
    recorded.harness.pass(30.0);
    assert!(recorded.harness.poll(&mut run).is_pending());
    recorded.recorder.input("abort", Value::Null);
    recorded.harness.agent.abort();
    recorded.harness.wait(run);
    recorded.plays_the_same();
}

#[test]
fn hooks_and_approvals_are_replayed_and_keys_are_not_recorded() {
    let answers = vec![
        calls(&[("c1", "get_document", json!({})), ("c2", "update_section", replace("<p>Older.</p>"))]),
        says("Done."),
    ];
    let recorded = record_with(answers, json!({ "approval": ["update_section"] }), LIMIT, |agent, recorder, event| {
        if event["type"] == "approval_request" {
            let id = event["toolId"].as_str().unwrap();
            recorder.input("approve", json!({ "toolId": id, "approved": true, "reason": "" }));
            agent
                .approve(id, copydesk_agent::approvals::ApprovalResponse { approved: true, ..Default::default() })
                .unwrap();
        }
    });
    recorded.harness.hook(Hook::GetApiKey, |_| Ok(json!("sk-of-the-hook")));
    recorded.harness.hook(Hook::BeforeToolCall, |given| match given["toolCall"]["name"].as_str() {
        Some("get_document") => Ok(json!({ "block": true, "reason": "Not now." })),
        _ => Ok(Value::Null),
    });
    recorded.harness.hook(Hook::AfterToolCall, |given| match given["toolCall"]["name"].as_str() {
        Some("update_section") => Ok(json!({ "content": "It is done." })),
        _ => Err(copydesk_agent::Error::HookFailed { hook: "afterToolCall", message: "It threw.".into() }),
    });
    recorded.prompt("Make it older");
    let codes: Vec<Value> = recorded.harness.events();
    assert!(codes.iter().any(|event| event["content"]["error"]["code"] == "tool_blocked"), "{codes:?}");
    let file = recorded.file().to_value().to_string();
    assert!(!file.contains("sk-of-the-hook") && !file.contains("sk-secret"));
    recorded.plays_the_same();
}

#[test]
fn unknown_inputs_are_passed_to_the_host_of_the_replay() {
    let recorded = record(vec![says("Hello.")], json!({}));
    recorded.recorder.input("somethingNew", json!({ "x": 1 }));
    recorded.prompt("Hi");
    let file = recorded.file();
    let names: Vec<&str> = file.inputs.iter().map(|Input { name, .. }| name.as_str()).collect();
    assert_eq!(names, ["somethingNew", "prompt"]);
    recorded.plays_the_same();
}

#[test]
fn a_tool_without_a_recorded_end_is_not_awaited() {
    let recorded = record(vec![calls(&[("c1", "never", json!({}))]), says("Done.")], json!({ "toolTimeout": 500 }));
    let execute = recorded.recorder.execute(Rc::new(|_, _| Box::pin(pending())));
    let spec = json!({ "name": "never", "description": "Never.", "parameters": {} });
    recorded.recorder.input("setTools", json!([spec]));
    recorded.harness.agent.set_tools(vec![tool(spec, move |arguments, context| execute(arguments, context))]);
    recorded.prompt("Hi");
    assert!(recorded.file().answers[0].said.is_none());
    recorded.plays_the_same();
    // The tools of the harness's own time are not those of a recording.
    drop(slow_tool("x", 1));
}
