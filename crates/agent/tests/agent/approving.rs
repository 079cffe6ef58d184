//! Calls that wait for approval, also across a reload of the page.

use super::harness::{Harness, calls, says, slow_tool, tool};
use copydesk_agent::Error;
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_agent::tools::app::output;
use copydesk_agent::{EventKind, Hook, Outcome, RunResult};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::ready;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::Poll;

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

type Running = Pin<Box<dyn Future<Output = RunResult>>>;

fn replace() -> Value {
    json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" })
}

fn yes() -> ApprovalResponse {
    ApprovalResponse { approved: true, reason: String::new() }
}

fn asking(answers: Vec<super::harness::Answer>) -> Harness {
    Harness::with(TEA, answers, json!({ "needsApproval": ["update_section"] }), |_, _| {})
}

/// Runs until the agent waits for the user.
fn until_asked(harness: &Harness) -> Running {
    let mut run: Running = Box::pin(harness.agent.prompt("x").unwrap());
    for _ in 0..5 {
        assert!(harness.poll(&mut run).is_pending());
        harness.pass(200.0);
    }
    assert!(harness.event_types().contains(&"approval_request".to_owned()), "{:?}", harness.event_types());
    run
}

#[test]
fn a_call_waits_for_approval_and_then_runs() {
    let harness = asking(vec![calls(&[("a", "update_section", replace())]), says("Done.")]);
    harness.read();
    let run = until_asked(&harness);
    assert_eq!(harness.event("approval_request")["toolInput"], replace());
    assert_eq!(harness.agent.state()["waitingForApproval"], json!(["a"]));
    assert_eq!(harness.html(), TEA);
    harness.agent.approve("a", yes()).unwrap();
    assert_eq!(harness.wait(run).status, Outcome::Complete);
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn a_rejection_is_sent_to_the_model_with_its_reason() {
    let harness = asking(vec![calls(&[("a", "update_section", replace())]), says("As you wish.")]);
    let run = until_asked(&harness);
    harness.agent.approve("a", ApprovalResponse { approved: false, reason: "too short".into() }).unwrap();
    assert_eq!(harness.wait(run).text, "As you wish.");
    assert_eq!(harness.html(), TEA);
    let error = &harness.event("tool_result")["content"]["error"];
    assert_eq!(error["code"], "rejected");
    assert!(error["message"].as_str().unwrap().contains("too short"));
}

#[test]
fn the_decision_and_its_reason_are_stored_in_the_conversation() {
    for (approved, reason, decision) in [(true, "", "approved"), (true, "Go on", "approved"), (false, "No", "rejected")]
    {
        let harness = asking(vec![calls(&[("a", "update_section", replace())]), says("Done.")]);
        harness.read();
        let run = until_asked(&harness);
        let stored = || {
            let messages = harness.agent.messages().into_iter().map(Value::from);
            let approval = messages.into_iter().find(|message| message["role"] == "approval").unwrap();
            (approval["decision"].clone(), approval["reason"].as_str().unwrap_or_default().to_owned())
        };
        assert_eq!(stored(), (json!("pending"), String::new()));
        harness.agent.approve("a", ApprovalResponse { approved, reason: reason.into() }).unwrap();
        harness.wait(run);
        assert_eq!(stored(), (json!(decision), reason.to_owned()));
    }
}

#[test]
fn waiting_for_the_user_does_not_count_as_run_time() {
    let harness = asking(vec![calls(&[("a", "update_section", replace())]), says("Done.")]);
    let mut run = until_asked(&harness);
    harness.pass(3_600_000.0);
    assert!(harness.poll(&mut run).is_pending());
    harness.agent.approve("a", yes()).unwrap();
    assert_eq!(harness.wait(run).status, Outcome::Complete);
}

#[test]
fn a_listener_that_asks_the_user_takes_no_run_time() {
    let harness = Rc::new_cyclic(|harness: &Weak<Harness>| {
        let harness = harness.clone();
        let answers = vec![calls(&[("a", "update_section", replace())]), says("Done.")];
        Harness::with(TEA, answers, json!({ "needsApproval": ["update_section"] }), move |agent, event| {
            if serde_json::to_value(event).unwrap()["type"] == "approval_request" {
                harness.upgrade().unwrap().pass(360_000.0);
                agent.approve("a", yes()).unwrap();
            }
        })
    });
    harness.read();
    assert_eq!(harness.prompt("x").text, "Done.");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn other_calls_of_the_answer_do_not_wait() {
    let both = calls(&[("a", "update_section", replace()), ("b", "waits", json!({}))]);
    let harness = asking(vec![both, says("Done.")]);
    harness.agent.set_tools(vec![slow_tool("waits", 10)]);
    let run = until_asked(&harness);
    assert_eq!(harness.event("tool_result")["toolId"], "b");
    harness.agent.approve("a", yes()).unwrap();
    harness.wait(run);
    let last = harness.requests()[1]["messages"].clone();
    assert_eq!((&last[3]["tool_call_id"], &last[4]["tool_call_id"]), (&json!("a"), &json!("b")));
}

#[test]
fn a_tool_decides_which_calls_need_approval() {
    let harness = Harness::new(
        TEA,
        vec![calls(&[("a", "pay", json!({ "sum": 5 })), ("b", "pay", json!({ "sum": 500 }))]), says("Done.")],
    );
    let mut pay = slow_tool("pay", 1);
    pay.needs_approval = Some(std::rc::Rc::new(|arguments| arguments["sum"].as_u64() > Some(100)));
    harness.agent.set_tools(vec![pay]);
    let run = until_asked(&harness);
    assert_eq!(harness.event("approval_request")["toolId"], "b");
    harness.agent.approve("b", yes()).unwrap();
    assert_eq!(harness.wait(run).status, Outcome::Complete);
}

#[test]
fn only_a_waiting_call_can_be_approved() {
    let harness = asking(vec![calls(&[("a", "update_section", replace())]), says("Done.")]);
    assert_eq!(harness.agent.approve("a", yes()), Err(Error::NotWaiting { given: "a".into(), valid: vec![] }));
    let run = until_asked(&harness);
    assert_eq!(
        harness.agent.approve("z", yes()),
        Err(Error::NotWaiting { given: "z".into(), valid: vec!["a".into()] })
    );
    drop(run);
}

#[test]
fn a_stop_while_waiting_for_approval_runs_nothing() {
    let harness = asking(vec![calls(&[("a", "update_section", replace())])]);
    let mut run = until_asked(&harness);
    harness.agent.abort();
    let Poll::Ready(result) = harness.poll(&mut run) else { panic!("a stop that does not stop") };
    assert_eq!(result.status, Outcome::Aborted);
    assert_eq!(harness.event("tool_result")["content"]["error"]["code"], "not_run");
    assert_eq!(harness.html(), TEA);
    assert_eq!(harness.agent.state()["waitingForApproval"], json!([]));
}

/// The conversation as JSON, in another agent on the same document.
fn reloaded(messages: &[Message], answers: Vec<super::harness::Answer>) -> Harness {
    let kept = serde_json::to_string(messages).unwrap();
    let harness = asking(answers);
    harness.agent.set_messages(serde_json::from_str(&kept).unwrap()).unwrap();
    harness
}

#[test]
fn after_a_reload_the_run_waits_again_and_continues_with_approval() {
    let both = calls(&[("a", "update_section", replace()), ("b", "get_document", json!({}))]);
    let before = asking(vec![both]);
    before.read();
    drop(until_asked(&before));
    let harness = reloaded(&before.agent.messages(), vec![says("Done.")]);
    assert_eq!(harness.agent.state()["waitingForApproval"], json!(["a"]));
    let mut run: Running = Box::pin(harness.agent.continue_run().unwrap());
    assert!(harness.poll(&mut run).is_pending());
    assert_eq!(harness.event("approval_request")["toolId"], "a");
    harness.agent.approve("a", yes()).unwrap();
    assert_eq!(harness.wait(run).text, "Done.");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    let sent = harness.requests()[0]["messages"].clone();
    let ids: Vec<_> = sent.as_array().unwrap().iter().filter(|one| one["role"] == "tool").collect();
    assert_eq!(ids.len(), 3, "each call has its result: {sent}");
}

#[test]
fn approval_may_be_given_before_the_run_continues() {
    let before = asking(vec![calls(&[("a", "update_section", replace())])]);
    before.read();
    drop(until_asked(&before));
    let harness = reloaded(&before.agent.messages(), vec![says("Done.")]);
    harness.agent.approve("a", yes()).unwrap();
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "Done.");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
}

#[test]
fn calls_running_at_a_reload_are_not_run_twice() {
    let sends = calls(&[("a", "send_mail", json!({}))]);
    let before = Harness::new(TEA, vec![sends]);
    before.agent.set_tools(vec![slow_tool("send_mail", 100_000)]);
    let mut run: Running = Box::pin(before.agent.prompt("x").unwrap());
    assert!(before.poll(&mut run).is_pending());
    before.pass(1_000.0);
    assert!(before.poll(&mut run).is_pending());
    drop(run);
    let harness = reloaded(&before.agent.messages(), vec![says("I shall look.")]);
    harness.agent.set_tools(vec![tool(json!({ "name": "send_mail" }), |_, _| unreachable!("it must not run twice"))]);
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "I shall look.");
    assert!(harness.requests()[0].to_string().contains("maybe_ran"));
}

#[test]
fn results_before_a_reload_are_kept_while_a_hook_runs() {
    let sends = calls(&[("a", "send_mail", json!({ "to": "you" })), ("b", "update_section", replace())]);
    let before = asking(vec![sends]);
    before.agent.set_tools(vec![slow_tool("send_mail", 10)]);
    before.hook_that_hangs(copydesk_agent::Hook::AfterToolCall);
    drop(until_asked(&before));
    let harness = reloaded(&before.agent.messages(), vec![says("Done.")]);
    harness.agent.set_tools(vec![tool(json!({ "name": "send_mail" }), |_, _| unreachable!("it must not run twice"))]);
    harness.agent.approve("b", yes()).unwrap();
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "Done.");
    let sent = harness.requests()[0]["messages"].clone();
    assert_eq!((&sent[3]["tool_call_id"], &sent[4]["tool_call_id"]), (&json!("a"), &json!("b")));
    assert!(sent[3]["content"].as_str().unwrap().contains("you"), "{sent}");
    assert!(!sent.to_string().contains("maybe_ran"));
}

#[test]
fn an_unknown_tool_in_requires_approval_ends_the_run() {
    let answers = vec![calls(&[("a", "update_section", replace())]), says("Done.")];
    let harness = Harness::with(TEA, answers, json!({ "needsApproval": ["*", "updateSection"] }), |_, _| {});
    let result = harness.prompt("x");
    assert_eq!(result.status, Outcome::Error);
    let error = harness.event("error");
    assert_eq!(error["code"], "config");
    let sentence = error["error"].as_str().unwrap();
    assert!(sentence.contains("updateSection") && sentence.contains("update_section"), "{sentence}");
    assert_eq!(harness.html(), TEA);
}

#[test]
fn neither_the_app_nor_the_user_is_asked_about_arguments_that_are_not_valid() {
    let search = tool(
        json!({ "name": "find", "parameters": { "type": "object", "required": ["q"], "properties": {
            "q": { "type": "string" }, "n": { "type": "integer" } } } }),
        |arguments, _| Box::pin(ready(Ok(output(Value::Object(arguments))))),
    );
    for (name, arguments, code) in [
        ("find", json!({ "n": 1 }), "missing_parameter"),
        ("find", json!({ "q": "tea", "n": [] }), "invalid_parameter"),
        ("replace_text", json!({ "old": "Tea" }), "missing_parameter"),
        ("search_web", json!({}), "missing_parameter"),
        ("nothing", json!({}), "unknown_tool"),
        ("edit_current_editor_document", json!({ "start_line": 1 }), "missing_parameter"),
        ("update_section", json!({ "operation": "append" }), "missing_parameter"),
        ("update_section", json!({ "operation": "delete" }), "missing_parameter"),
        ("update_section", json!({ "operation": "grow", "sectionIndex": 1 }), "invalid_parameter"),
        ("move_section", json!({ "sectionIndex": "first", "toIndex": 2 }), "invalid_parameter"),
    ] {
        let answers = vec![calls(&[("c", name, arguments.clone())]), says("Done.")];
        let more = json!({ "needsApproval": ["*"], "documentInPrompt": true });
        let world = Harness::with(TEA, answers, more, |_, event| {
            assert!(!matches!(event.kind, EventKind::ApprovalRequest { .. }), "{event:?}");
        });
        world.agent.set_tools(vec![search.clone()]);
        let asked = Rc::new(Cell::new(0));
        let counted = asked.clone();
        world.hook(Hook::BeforeToolCall, move |_| {
            counted.set(counted.get() + 1);
            Ok(Value::Null)
        });
        world.prompt("Go");
        let result = world.event("tool_result");
        assert_eq!(result["content"]["error"]["code"], code, "{name} {arguments}: {result}");
        assert_eq!(world.html(), TEA);
        assert_eq!(asked.get(), 0, "{name} {arguments}");
    }
}
