//! The states of a tool call: which may follow which, and what a stop means in each.

use super::harness::{Harness, calls, says, tool};
use copydesk_agent::call_state::CallState;
use copydesk_agent::hooks::Hook;
use copydesk_agent::tools::app::output;
use copydesk_base::ErrorInfo;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

fn all() -> Vec<CallState> {
    use CallState::*;
    vec![Queued, AwaitingApp, AwaitingApproval, Announced, Running, Returned(Default::default()), Finished]
}

#[test]
fn only_the_transitions_of_the_diagram_are_allowed() {
    let mut allowed = Vec::new();
    for (from, before) in all().iter().enumerate() {
        for (to, next) in all().iter().enumerate() {
            if before.can_become(next) {
                allowed.push((from, to));
            }
        }
    }
    let forward = [(0, 1), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5)];
    let mut expected: Vec<(usize, usize)> = forward.into_iter().chain((0..6).map(|from| (from, 6))).collect();
    expected.sort_unstable();
    allowed.sort_unstable();
    assert_eq!(allowed, expected);
}

#[test]
fn a_stop_states_whether_the_call_ran() {
    for (state, atomic, otherwise) in [
        (CallState::Queued, "not_run", "not_run"),
        (CallState::AwaitingApp, "not_run", "not_run"),
        (CallState::AwaitingApproval, "not_run", "not_run"),
        (CallState::Announced, "not_run", "not_run"),
        (CallState::Running, "not_run", "maybe_ran"),
        (CallState::Returned(Default::default()), "", ""),
    ] {
        let code = |is_atomic| state.interrupted("t", is_atomic).map_or_else(|error| error.code(), |_| "");
        assert_eq!((code(true), code(false)), (atomic, otherwise), "{state:?}");
    }
}

#[test]
fn running_calls_are_listed_from_tool_use_to_tool_result() {
    let told: Rc<RefCell<Vec<(String, Value)>>> = Rc::default();
    let tells = told.clone();
    let answers = vec![calls(&[("a", "price", json!({})), ("b", "price", json!({ "of": "tea" }))]), says("Done.")];
    let harness = Harness::with("<p>Tea.</p>", answers, json!({}), move |agent, event| {
        let value = Value::from(event.clone());
        let kind = value["type"].as_str().unwrap_or_default().to_owned();
        if ["tool_use", "tool_result"].contains(&kind.as_str()) {
            tells.borrow_mut().push((kind, agent.state()["pendingToolCalls"].clone()));
        }
    });
    harness.hook(Hook::AfterToolCall, |_| Ok(Value::Null));
    harness.agent.set_tools(vec![tool(json!({ "name": "price", "executionMode": "sequential" }), |_, _| {
        Box::pin(ready(Ok(output(json!(3)))))
    })]);
    harness.prompt("How much?");
    let expected = [
        ("tool_use", json!(["a"])),
        ("tool_result", json!([])),
        ("tool_use", json!(["b"])),
        ("tool_result", json!([])),
    ];
    assert_eq!(*told.borrow(), expected.map(|(kind, ids)| (kind.to_owned(), ids)));
}
