//! Tools of the app: parallel calls and approval.

use super::harness::{Answer, Harness, calls, says, slow_tool, tool};
use copydesk_agent::Error;
use copydesk_agent::tools::app::output;
use copydesk_agent::{Hook, Outcome};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::ready;
use std::rc::{Rc, Weak};

const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

/// Returns each result: the id, and the error code or the content.
fn results(harness: &Harness) -> Vec<(String, Value)> {
    let messages = harness.agent.messages().into_iter().map(Value::from);
    let results = messages.filter(|message| message["role"] == "toolResult");
    let shown = |message: Value| {
        let content = &message["content"];
        let said = if message["isError"] == true { content["error"]["code"].clone() } else { content.clone() };
        (message["toolCallId"].as_str().unwrap().to_owned(), said)
    };
    results.map(shown).collect()
}

#[test]
fn calls_of_one_answer_run_concurrently_and_results_keep_their_order() {
    let both = calls(&[("slow", "wait_long", json!({ "n": 1 })), ("quick", "wait_briefly", json!({ "n": 2 }))]);
    let harness = Harness::new(TEA, vec![both, says("Done.")]);
    harness.agent.set_tools(vec![slow_tool("wait_long", 5_000), slow_tool("wait_briefly", 1_000)]);
    harness.prompt("x");
    assert_eq!(harness.now(), 5_000.0, "together they take as long as the longest");
    let ended: Vec<Value> = harness
        .events()
        .into_iter()
        .filter(|event| event["type"] == "tool_result")
        .map(|event| event["toolId"].clone())
        .collect();
    assert_eq!(ended, ["quick", "slow"], "listeners hear of the first that is done");
    assert_eq!(results(&harness), [("slow".into(), json!({ "n": 1 })), ("quick".into(), json!({ "n": 2 }))]);
    let sent = harness.requests()[1]["messages"].clone();
    assert_eq!((&sent[3]["tool_call_id"], &sent[4]["tool_call_id"]), (&json!("slow"), &json!("quick")));
}

#[test]
fn calls_run_sequentially_if_the_app_or_the_tool_requires_it() {
    let both = || calls(&[("a", "one", json!({})), ("b", "two", json!({}))]);
    let harness = Harness::with(TEA, vec![both(), says("Done.")], json!({ "toolExecution": "sequential" }), |_, _| {});
    harness.agent.set_tools(vec![slow_tool("one", 1_000), slow_tool("two", 1_000)]);
    harness.prompt("x");
    assert_eq!(harness.now(), 2_000.0);

    let harness = Harness::new(TEA, vec![both(), says("Done.")]);
    let in_order = |name: &str| {
        let mut tool = slow_tool(name, 1_000);
        tool.policy.sequential = true;
        tool
    };
    harness.agent.set_tools(vec![in_order("one"), in_order("two")]);
    harness.prompt("x");
    assert_eq!(harness.now(), 2_000.0);
}

#[test]
fn a_failed_call_does_not_affect_the_others() {
    let three = calls(&[("a", "breaks", json!({})), ("b", "waits", json!({})), ("c", "get_document", json!({}))]);
    let harness = Harness::new(TEA, vec![three, says("Done.")]);
    let breaks = tool(json!({ "name": "breaks" }), |_, _| {
        Box::pin(ready(Err(Error::ToolFailed { tool: "breaks".into(), message: "no luck".into() })))
    });
    harness.agent.set_tools(vec![breaks, slow_tool("waits", 10)]);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    let results = results(&harness);
    assert_eq!((&results[0].1, &results[1].1), (&json!("tool_failed"), &json!({})));
    assert_eq!(results[2].1["totalSections"], 2);
}

#[test]
fn a_tool_that_exceeds_its_timeout_is_stopped_and_the_run_continues() {
    for (more, own, ms) in [(json!({}), Some(30), 30), (json!({ "toolTimeout": 40 }), None, 40)] {
        let harness = Harness::with(TEA, vec![calls(&[("a", "waits", json!({}))]), says("Done.")], more, |_, _| {});
        let mut waits = slow_tool("waits", 100_000);
        waits.policy.timeout = own;
        harness.agent.set_tools(vec![waits]);
        assert_eq!(harness.prompt("x").status, Outcome::Complete);
        assert_eq!(results(&harness), [("a".into(), json!("timeout"))]);
        let note = harness.event("tool_result")["content"]["note"].clone();
        assert!(note.as_str().unwrap().starts_with("It may have taken effect"), "{note}");
        assert_eq!(harness.now(), ms as f64);
    }
}

#[test]
fn a_tool_reports_progress_until_its_call_ends() {
    type Tell = Rc<dyn Fn(Value)>;
    let kept: Rc<RefCell<Option<Tell>>> = Rc::default();
    let lent = kept.clone();
    let counts = tool(json!({ "name": "counts" }), move |_, context| {
        *lent.borrow_mut() = Some(context.progress.clone());
        (context.progress)(json!({ "done": 1 }));
        Box::pin(ready(Ok(output(json!("all")))))
    });
    let harness = Harness::new(TEA, vec![calls(&[("a", "counts", json!({}))]), says("Done.")]);
    harness.agent.set_tools(vec![counts]);
    harness.prompt("x");
    let update = harness.event("tool_update");
    assert_eq!(
        (&update["toolId"], &update["toolName"], &update["partial"]),
        (&json!("a"), &json!("counts"), &json!({ "done": 1 }))
    );
    let before = harness.events().len();
    let late = kept.borrow_mut().take().unwrap();
    late(json!({ "done": 2 }));
    assert_eq!(harness.events().len(), before);
}

#[test]
fn content_parts_are_for_the_model_and_details_for_the_app() {
    let given = json!({
        "content": [{ "type": "text", "text": "Two" }, { "type": "text", "text": "lines" }],
        "details": { "rows": 2 },
    });
    let harness = Harness::new(TEA, vec![calls(&[("a", "table", json!({}))]), says("Done.")]);
    harness
        .agent
        .set_tools(vec![tool(json!({ "name": "table" }), move |_, _| Box::pin(ready(Ok(output(given.clone())))))]);
    harness.prompt("x");
    let result = harness.event("tool_result");
    assert_eq!((&result["content"], &result["details"]), (&json!("Two\nlines"), &json!({ "rows": 2 })));
    assert!(!harness.requests()[1].to_string().contains("rows"));
}

#[test]
fn arguments_are_validated_against_the_schema() {
    let schema = json!({ "type": "object", "required": ["to"], "properties": {
        "to": { "type": "string" }, "count": { "type": ["integer", "null"] }, "kind": { "enum": ["a", "b"] } } });
    let wrong = [
        (json!({}), "missing_parameter"),
        (json!({ "to": true }), "invalid_parameter"),
        (json!({ "to": "x", "count": 1.5 }), "invalid_parameter"),
        (json!({ "to": "x", "kind": "c" }), "invalid_parameter"),
    ];
    for (arguments, code) in wrong {
        let harness = Harness::new(TEA, vec![calls(&[("a", "send", arguments)]), says("Done.")]);
        let spec = json!({ "name": "send", "parameters": schema.clone() });
        harness.agent.set_tools(vec![tool(spec, |_, _| unreachable!("it must not run"))]);
        harness.prompt("x");
        assert_eq!(results(&harness), [("a".into(), json!(code))]);
    }
    let harness = Harness::new(
        TEA,
        vec![calls(&[("a", "send", json!({ "to": "x", "count": 2, "kind": "a", "more": [] }))]), says("Done.")],
    );
    harness.agent.set_tools(vec![tool(json!({ "name": "send", "parameters": schema }), |given, _| {
        Box::pin(ready(Ok(output(Value::Object(given)))))
    })]);
    harness.prompt("x");
    assert_eq!(results(&harness)[0].1["to"], "x");
}

#[test]
fn a_tool_with_the_name_of_a_built_in_one_replaces_it() {
    let harness = Harness::new(TEA, vec![calls(&[("a", "search_web", json!({}))]), says("Done.")]);
    harness
        .agent
        .set_tools(vec![tool(json!({ "name": "search_web" }), |_, _| Box::pin(ready(Ok(output(json!("mine"))))))]);
    harness.prompt("x");
    assert_eq!(results(&harness), [("a".into(), json!("mine"))]);
    let names: Vec<Value> = harness.requests()[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].clone())
        .filter(|name| name == "search_web")
        .collect();
    assert_eq!(names.len(), 1);
}

#[test]
fn a_hook_can_block_a_call_with_a_reason() {
    let delete = json!({ "operation": "delete", "sectionIndex": 1 });
    let harness = Harness::new(TEA, vec![calls(&[("a", "update_section", delete)]), says("Done.")]);
    harness.hook(Hook::BeforeToolCall, |given| {
        assert_eq!(given["toolCall"]["name"], "update_section");
        Ok(json!({ "block": given["args"]["operation"] == "delete", "reason": "History stays." }))
    });
    harness.prompt("x");
    assert_eq!(harness.html(), TEA);
    assert_eq!(results(&harness), [("a".into(), json!("tool_blocked"))]);
    assert!(harness.event("tool_result")["content"]["error"]["message"].as_str().unwrap().contains("History stays."));
    assert!(!harness.event_types().contains(&"tool_use".to_owned()));
}

#[test]
fn a_failing_hook_blocks_the_call() {
    let delete = json!({ "operation": "delete", "sectionIndex": 1 });
    let harness = Harness::new(TEA, vec![calls(&[("a", "update_section", delete)]), says("Done.")]);
    harness.hook(Hook::BeforeToolCall, |_| {
        Err(Error::HookFailed { hook: "beforeToolCall", message: "x is undefined".into() })
    });
    harness.prompt("x");
    assert_eq!(harness.html(), TEA);
    assert_eq!(results(&harness), [("a".into(), json!("hook_failed"))]);
}

#[test]
fn a_hook_that_never_answers_holds_the_run_up_no_longer_than_it_may_take() {
    for hook in [Hook::TransformContext, Hook::GetApiKey] {
        let harness = Harness::new(TEA, vec![]);
        harness.hook_that_hangs(hook);
        let error = harness.prompt("x").error.unwrap();
        assert_eq!((&error["code"], &error["details"]["what"]), (&json!("timeout"), &json!(hook.name())));
    }
    let harness = Harness::new(TEA, vec![calls(&[("a", "get_document", json!({}))])]);
    harness.hook_that_hangs(Hook::AfterToolCall);
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "timeout");
    assert_eq!(harness.now(), 300_000.0);
    assert_eq!(harness.event("tool_result")["content"]["result"]["totalSections"], 2, "what it gave is kept");
}

/// Returns an agent whose listener takes six minutes for the event of an edit, so that the run times out.
fn heard_slowly(answers: Vec<Answer>) -> Rc<Harness> {
    Rc::new_cyclic(|harness: &Weak<Harness>| {
        let harness = harness.clone();
        Harness::with(TEA, answers, json!({}), move |_, event| {
            if serde_json::to_value(event).unwrap()["type"] == "doc_update" {
                harness.upgrade().unwrap().pass(360_000.0);
            }
        })
    })
}

#[test]
fn the_result_of_a_call_is_kept_when_the_run_times_out() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = heard_slowly(vec![calls(&[("a", "update_section", replace)]), says("It is done.")]);
    harness.read();
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "timeout");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    let result = harness.event("tool_result");
    assert_eq!((&result["isError"], &result["content"]["operation"]), (&json!(false), &json!("replace")));
    let run = harness.agent.continue_run().unwrap();
    assert_eq!(harness.wait(run).text, "It is done.");
    let sent = harness.requests()[1].to_string();
    assert!(!sent.contains("Try again") && !sent.contains("timeout"), "{sent}");
}

#[test]
fn a_hook_that_answers_at_once_runs_after_the_run_timed_out() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = heard_slowly(vec![calls(&[("a", "update_section", replace)])]);
    harness.read();
    harness.hook(Hook::AfterToolCall, |_| Ok(json!({ "content": "changed" })));
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "timeout");
    assert_eq!(harness.event("tool_result")["content"], "changed");
}

#[test]
fn an_applied_edit_is_not_reported_as_failed_if_its_hook_never_answers() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = Harness::new(TEA, vec![calls(&[("a", "update_section", replace)])]);
    harness.read();
    harness.hook_that_hangs(Hook::AfterToolCall);
    assert_eq!(harness.prompt("x").error.unwrap()["code"], "timeout");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    let result = harness.event("tool_result");
    assert_eq!((&result["isError"], &result["content"]["result"]["operation"]), (&json!(false), &json!("replace")));
    assert_eq!(result["content"]["error"]["code"], "hook_failed");
    assert!(!result.to_string().contains("ry again"), "{result}");
}

#[test]
fn a_hook_can_change_the_result_of_a_call() {
    let harness = Harness::new(TEA, vec![calls(&[("a", "get_document", json!({}))]), says("Done.")]);
    harness.hook(Hook::AfterToolCall, |given| {
        assert_eq!((&given["isError"], &given["result"]["totalSections"]), (&json!(false), &json!(2)));
        Ok(json!({ "content": "two sections", "isError": true, "details": 2 }))
    });
    harness.prompt("x");
    let result = harness.event("tool_result");
    assert_eq!((&result["content"], &result["isError"]), (&json!("two sections"), &json!(true)));
    assert_eq!(result["details"], 2);
}

#[test]
fn an_applied_edit_is_reported_even_if_the_hook_after_it_fails() {
    let replace = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>New.</p>" });
    let harness = Harness::new(TEA, vec![calls(&[("a", "update_section", replace)]), says("Done.")]);
    harness.read();
    harness.hook(Hook::AfterToolCall, |_| {
        Err(Error::HookFailed { hook: "afterToolCall", message: "x is undefined".into() })
    });
    harness.prompt("x");
    assert_eq!(harness.html(), TEA.replace("Old.", "New."));
    assert_eq!(harness.event("doc_update")["toolId"], "a");
    let result = harness.event("tool_result");
    assert_eq!(result["content"]["error"]["code"], "hook_failed");
    assert_eq!((&result["isError"], &result["content"]["result"]["operation"]), (&json!(false), &json!("replace")));
}

#[test]
fn a_hook_can_change_a_request_and_not_the_conversation() {
    let harness = Harness::new(TEA, vec![says("Done.")]);
    harness.hook(Hook::TransformContext, |given| {
        let mut messages = given.as_array().unwrap().clone();
        messages.push(json!({ "role": "customNote", "content": "the time is noon" }));
        Ok(messages.into())
    });
    harness.hook(Hook::ConvertToLlm, |given| {
        let converted = given.as_array().unwrap().iter().map(|message| match message["role"].as_str() {
            Some("customNote") => json!({ "role": "user", "content": message["content"] }),
            _ => message.clone(),
        });
        Ok(converted.collect())
    });
    harness.prompt("x");
    assert_eq!(harness.requests()[0]["messages"][1]["content"], "x\n\nthe time is noon");
    assert_eq!(harness.agent.messages().len(), 2);
}

#[test]
fn each_request_asks_for_the_current_key() {
    let harness = Harness::new(TEA, vec![calls(&[("a", "get_document", json!({}))]), says("Done.")]);
    let count = std::cell::Cell::new(0);
    harness.hook(Hook::GetApiKey, move |given| {
        assert_eq!(given["provider"], "llm.example");
        count.set(count.get() + 1);
        Ok(json!(format!("sk-{}", count.get())))
    });
    harness.prompt("x");
    assert_eq!(harness.keys(), ["Bearer sk-1", "Bearer sk-2"]);
    assert!(!harness.events().iter().any(|event| event.to_string().contains("sk-")));
}

#[test]
fn a_long_result_is_stored_once_if_a_hook_changes_it() {
    let long = "long ".repeat(20_000);
    for answer in [json!({}), json!({ "details": 2 })] {
        let harness = Harness::new(
            TEA,
            vec![
                calls(&[("a", "tell", json!({}))]),
                calls(&[("b", "read_more", json!({ "id": "page_1", "offset": 99_990 }))]),
                says("Done."),
            ],
        );
        let text = long.clone();
        harness
            .agent
            .set_tools(vec![tool(json!({ "name": "tell" }), move |_, _| Box::pin(ready(Ok(output(json!(text))))))]);
        harness.hook(Hook::AfterToolCall, move |_| Ok(answer.clone()));
        harness.prompt("x");
        let shown = results(&harness).remove(0).1.to_string();
        assert!(shown.contains("page_1") && !shown.contains("page_2"), "{}", &shown[shown.len() - 200..]);
        assert!(results(&harness)[1].1.to_string().contains("long long"));
    }
}
