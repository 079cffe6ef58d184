//! Calls to the agent from inside the app's tools and hooks are replayed at the same point.

use super::{Recorded, record, record_with, user_writes};
use crate::harness::{Answer, calls, says, tool};
use copydesk_agent::Agent;
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_agent::hooks::Hook;
use copydesk_agent::tools::app::output;
use copydesk_recording::Recorder;
use copydesk_recording::recorder::LIMIT;
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::cell::{Cell, OnceCell, RefCell};
use std::future::ready;
use std::rc::Rc;

/// An action of the app, performed once.
struct AppAction {
    what: &'static str,
    agent: Agent,
    recorder: Recorder,
    document: ReviewCell,
    done: Cell<bool>,
}

const ACTIONS: [&str; 5] = ["nothing", "abort", "steer", "followUp", "write"];

fn action(what: &'static str, recorded: &Recorded) -> Rc<AppAction> {
    let (agent, document) = (recorded.harness.agent.clone(), recorded.harness.document.clone());
    Rc::new(AppAction { what, agent, recorder: recorded.recorder.clone(), document, done: Cell::new(false) })
}

impl AppAction {
    fn act(&self) {
        if !self.done.replace(true) {
            act(self.what, &self.agent, &self.recorder, &self.document);
        }
    }
}

/// Performs an action and records it.
pub fn act(what: &str, agent: &Agent, recorder: &Recorder, document: &ReviewCell) {
    let said = json!({ "role": "user", "content": "Louder." });
    let message = || serde_json::from_value(said.clone()).unwrap();
    match what {
        "abort" => {
            recorder.input("abort", Value::Null);
            agent.abort();
        }
        "steer" => {
            recorder.input("steer", json!([said]));
            agent.steer(message());
        }
        "followUp" => {
            recorder.input("followUp", json!([said]));
            agent.follow_up(message());
        }
        "write" => user_writes(recorder, document, "Mine."),
        _ => {}
    }
}

/// Approves a call.
pub fn approve(agent: &Agent, recorder: &Recorder, id: &str) {
    recorder.input("approve", json!({ "toolId": id, "approved": true, "reason": "" }));
    agent.approve(id, ApprovalResponse { approved: true, ..ApprovalResponse::default() }).unwrap();
}

/// Calls two tools of the app with an edit between them, and then says something, twice.
fn answers() -> Vec<Answer> {
    let append = json!({ "operation": "append", "title": "Now", "content": "<p>New.</p>" });
    let called = [("c1", "acts", json!({})), ("c2", "update_section", append), ("c3", "two", json!({}))];
    vec![calls(&called), says("Done."), says("Louder, then.")]
}

/// Returns the tools of the app; the first acts before and after it waits.
fn tools(recorded: &Recorded, first: &Rc<AppAction>, then: &Rc<AppAction>) {
    let specs = ["acts", "two"].map(|name| json!({ "name": name, "description": "Acts.", "parameters": {} }));
    let (first, then) = (first.clone(), then.clone());
    let acts = recorded.recorder.execute(Rc::new(move |arguments, context| {
        let then = then.clone();
        first.act();
        Box::pin(async move {
            context.clock.sleep(3).await;
            then.act();
            context.clock.sleep(3).await;
            Ok(output(Value::Object(arguments)))
        })
    }));
    let two = recorded.recorder.execute(Rc::new(|_, _| Box::pin(ready(Ok(output(json!(2)))))));
    recorded.recorder.input("setTools", json!(specs));
    let [acting, other] = specs;
    recorded.harness.agent.set_tools(vec![
        tool(acting, move |arguments, context| acts(arguments, context)),
        tool(other, move |arguments, context| two(arguments, context)),
    ]);
}

#[test]
fn actions_of_a_concurrent_tool_are_replayed() {
    for what in ACTIONS {
        for late in [false, true] {
            let recorded = record(answers(), json!({}));
            let (nothing, deed) = (action("nothing", &recorded), action(what, &recorded));
            let (first, then) = if late { (&nothing, &deed) } else { (&deed, &nothing) };
            tools(&recorded, first, then);
            recorded.prompt("Act");
            assert!(deed.done.get(), "{what}");
            recorded.plays_the_same();
        }
    }
}

#[test]
fn actions_of_a_hook_are_replayed() {
    for (hook, what) in Hook::ALL.into_iter().flat_map(|hook| ACTIONS.map(|what| (hook, what))) {
        let recorded = record(answers(), json!({}));
        let (nothing, deed) = (action("nothing", &recorded), action(what, &recorded));
        tools(&recorded, &nothing, &nothing);
        let acting = deed.clone();
        recorded.harness.hook(hook, move |given| {
            acting.act();
            Ok(if given.is_array() { given } else { Value::Null })
        });
        recorded.prompt("Act");
        assert!(deed.done.get(), "{hook:?} {what}");
        recorded.plays_the_same();
    }
}

#[test]
fn actions_of_fetch_are_replayed() {
    for what in ACTIONS {
        let recorded = record(vec![], json!({}));
        let (nothing, deed) = (action("nothing", &recorded), action(what, &recorded));
        tools(&recorded, &nothing, &nothing);
        let (acting, left) = (deed.clone(), RefCell::new(answers()));
        recorded.harness.answers_by(move |_| {
            acting.act();
            left.borrow_mut().remove(0)
        });
        recorded.prompt("Act");
        assert!(deed.done.get(), "{what}");
        recorded.plays_the_same();
    }
}

#[test]
fn steering_by_a_tool_and_approval_by_a_listener_are_replayed() {
    for what in ACTIONS {
        let options = json!({ "approval": ["two"] });
        let recorded = record_with(answers(), options, LIMIT, |agent, recorder, event| {
            if event["type"] == "approval_request" {
                approve(agent, recorder, event["toolId"].as_str().unwrap());
            }
        });
        let (nothing, deed) = (action("nothing", &recorded), action(what, &recorded));
        tools(&recorded, &deed, &nothing);
        recorded.prompt("Act");
        recorded.plays_the_same();
    }
}

#[test]
fn actions_of_needs_approval_are_replayed() {
    for what in ACTIONS {
        let recorded = record(answers(), json!({}));
        let deed = action(what, &recorded);
        let spec = json!({ "name": "acts", "description": "Acts.", "parameters": {}, "needsApproval": true });
        let execute = recorded.recorder.execute(Rc::new(|_, _| Box::pin(ready(Ok(output(json!(1)))))));
        let mut acts = tool(spec.clone(), move |arguments, context| execute(arguments, context));
        let acting = deed.clone();
        let needs = Rc::new(move |_: &_| {
            acting.act();
            false
        });
        acts.needs_approval = Some(recorded.recorder.needs_approval("acts", needs));
        recorded.recorder.input("setTools", json!([spec]));
        recorded.harness.agent.set_tools(vec![acts]);
        recorded.prompt("Act");
        assert!(deed.done.get(), "{what}");
        recorded.plays_the_same();
    }
}

#[test]
fn late_progress_of_a_tool_is_replayed_in_order() {
    for at_once in [true, false] {
        let called = [("c1", "counts", json!({})), ("c2", "counts", json!({}))];
        let recorded = record(vec![calls(&called), says("Done.")], json!({}));
        let spec = json!({ "name": "counts", "description": "Counts.", "parameters": {} });
        let execute = recorded.recorder.execute(Rc::new(move |arguments, context| {
            if at_once {
                (context.progress)(json!(1));
            }
            Box::pin(async move {
                context.clock.sleep(20).await;
                (context.progress)(json!(2));
                context.clock.sleep(20).await;
                Ok(output(Value::Object(arguments)))
            })
        }));
        recorded.recorder.input("setTools", json!([spec]));
        recorded.harness.agent.set_tools(vec![tool(spec, move |arguments, context| execute(arguments, context))]);
        recorded.prompt("Count");
        let updates = recorded.harness.event_types().iter().filter(|kind| *kind == "tool_update").count();
        assert_eq!(updates, if at_once { 4 } else { 2 });
        recorded.plays_the_same();
    }
}

#[test]
fn an_invalid_header_fails_in_the_replay_too() {
    let with = |more: Value| {
        let mut stream = json!({ "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" });
        stream.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let model = json!({ "api": "openai-completions", "modelId": "test-model" });
        json!({ "llmConfig": { "model": model, "streamOptions": stream } })
    };
    for (options, of_hook, secret) in [
        (with(json!({ "apiKey": "my bad key" })), None, "my bad key"),
        (with(json!({ "headers": { "x-mine": "schlüssel" } })), None, "schlüssel"),
        (with(json!({ "headers": { "x mine": "my-value" } })), None, "my-value"),
        (json!({}), Some("ключ"), "ключ"),
    ] {
        let recorded = record(vec![], options);
        if let Some(key) = of_hook {
            recorded.harness.hook(Hook::GetApiKey, move |_| Ok(json!(key)));
        }
        recorded.prompt("Hi");
        assert_eq!(recorded.harness.event("error")["code"], "config");
        assert!(!recorded.file().to_value().to_string().contains(secret), "{secret}");
        recorded.plays_the_same();
    }
    // If there is no key, none is added.
    let recorded = record(vec![says("Hello.")], with(json!({ "apiKey": " " })));
    recorded.prompt("Hi");
    assert_eq!(recorded.file().settings["llmConfig"]["streamOptions"]["apiKey"], "");
    recorded.plays_the_same();
}

type Hand = Box<dyn Fn(f64)>;

#[test]
fn a_timeout_during_a_listener_is_replayed() {
    let hand: Rc<OnceCell<Hand>> = Rc::default();
    let held = hand.clone();
    let recorded = record_with(answers(), json!({ "runTimeout": 300 }), LIMIT, move |_, _, event| {
        if event["type"] == "doc_update" {
            (held.get().unwrap())(400.0);
        }
    });
    assert!(hand.set(Box::new(recorded.harness.hand()) as Hand).is_ok());
    let nothing = action("nothing", &recorded);
    tools(&recorded, &nothing, &nothing);
    recorded.prompt("Act");
    assert_eq!(recorded.harness.event("error")["code"], "timeout");
    recorded.plays_the_same();
}
