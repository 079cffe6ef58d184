//! Random runs, recorded and replayed.

use super::app::{act, approve};
use super::{Recorded, record_with, replace};
use crate::harness::{Answer, chunks, says, stream, tool};
use crate::random::Random;
use copydesk_agent::hooks::Hook;
use copydesk_agent::tools::app::output;
use copydesk_base::Error;
use copydesk_recording::recorder::LIMIT;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The steps of a tool.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Waits(u64),
    Acts(&'static str),
    Reports,
    Fails,
}

fn steps(random: &mut Random) -> Vec<Step> {
    let deeds = ["steer", "followUp", "write", "nothing", "nothing", "abort"];
    let step = |random: &mut Random| match random.below(12) {
        0..=4 => Step::Waits(random.below(40) as u64),
        5..=8 => Step::Acts(deeds[random.below(deeds.len())]),
        9 | 10 => Step::Reports,
        _ => Step::Fails,
    };
    (0..random.below(5)).map(|_| step(random)).collect()
}

/// An answer with some calls, at once or slowly, with its end said or not.
fn answer(turn: usize, random: &mut Random) -> Answer {
    let names = ["acts", "acts", "asks", "update_section", "get_document", "nobody"];
    let call = |at: usize, name: &str| {
        let arguments = if name == "update_section" { replace("<p>Older.</p>") } else { json!({}) };
        let function = json!({ "name": name, "arguments": arguments.to_string() });
        json!({ "index": at, "id": format!("c{turn}{at}"), "type": "function", "function": function })
    };
    let calls: Vec<Value> = (0..random.below(5)).map(|at| call(at, names[random.below(names.len())])).collect();
    let finish = if calls.is_empty() { "stop" } else { "tool_calls" };
    let body = chunks(&[json!({ "content": "Well." }), json!({ "tool_calls": calls })], finish);
    let body = if random.below(2) > 0 { body } else { body.replace("data: [DONE]\n\n", "") };
    let pieces = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    match random.below(6) {
        0 => Answer::Fails(Error::Offline),
        1 => Answer::Later { status: 503, retry_after: 50 },
        2 => stream(&body[..body.len() / 2]),
        3 => stream(&body),
        _ => Answer::Slowly(random.below(30) as u64, pieces),
    }
}

fn eventful(mut random: Random) -> Recorded {
    let options = json!({ "toolTimeout": 60, "runTimeout": 4_000, "maxTurns": 6, "approval": ["asks"] });
    let in_listener = random.below(2) == 0;
    let recorded = record_with(vec![], options, LIMIT, move |agent, recorder, event| {
        if event["type"] == "approval_request" && in_listener {
            approve(agent, recorder, event["toolId"].as_str().unwrap());
        }
    });
    let random = Rc::new(RefCell::new(random));
    let (agent, recorder, document) = (&recorded.harness.agent, &recorded.recorder, &recorded.harness.document);
    let acts: Rc<dyn Fn(&str)> = {
        let (agent, recorder, document) = (agent.clone(), recorder.clone(), document.clone());
        Rc::new(move |what: &str| act(what, &agent, &recorder, &document))
    };
    let at_times = {
        let (random, acts) = (random.clone(), acts.clone());
        move || {
            let deeds = ["steer", "write", "abort", "followUp"];
            let deed = random.borrow_mut().below(24);
            deeds.get(deed).into_iter().for_each(|deed| acts(deed));
        }
    };
    recorded.harness.answers_by({
        let (random, at_times, turn) = (random.clone(), at_times.clone(), RefCell::new(0));
        move |_| {
            at_times();
            *turn.borrow_mut() += 1;
            if *turn.borrow() > 5 { says("Done.") } else { answer(*turn.borrow(), &mut random.borrow_mut()) }
        }
    });
    let specs = ["acts", "asks"].map(|name| json!({ "name": name, "description": "Acts.", "parameters": {} }));
    recorder.input("setTools", json!(specs));
    let tools = specs.map(|spec| {
        let (random, acts) = (random.clone(), acts.clone());
        let execute = recorder.execute(Rc::new(move |arguments, context| {
            let (mut steps, acts) = (steps(&mut random.borrow_mut()), acts.clone());
            // Before the function returns, and later.
            let at_once = steps.iter().take_while(|step| matches!(step, Step::Acts(_))).count();
            for step in steps.drain(..at_once) {
                if let Step::Acts(what) = step {
                    acts(what);
                }
            }
            Box::pin(async move {
                for step in steps {
                    match step {
                        Step::Waits(ms) => context.clock.sleep(ms).await,
                        Step::Acts(what) => acts(what),
                        Step::Reports => (context.progress)(json!({ "far": true })),
                        Step::Fails => {
                            return Err(copydesk_agent::Error::ToolFailed {
                                tool: "acts".into(),
                                message: "It threw.".into(),
                            });
                        }
                    }
                }
                Ok(output(Value::Object(arguments)))
            })
        }));
        tool(spec, move |arguments, context| execute(arguments, context))
    });
    agent.set_tools(tools.into());
    for hook in [Hook::TransformContext, Hook::GetApiKey, Hook::BeforeToolCall, Hook::AfterToolCall] {
        let at_times = at_times.clone();
        let takes = {
            let random = random.clone();
            move || [0, 0, 5, 12, 30][random.borrow_mut().below(5)]
        };
        recorded.harness.hook_slowly(hook, takes, move |given| {
            at_times();
            Ok(if given.is_array() { given } else { Value::Null })
        });
    }
    for text in ["One", "Two"] {
        let mut run = recorded.begin(text);
        while recorded.harness.poll(&mut run).is_pending() {
            recorded.harness.pass(7.0);
            // Who was not heard at once is heard a while later.
            if let Some(id) = agent.state()["waitingForApproval"][0].as_str() {
                approve(agent, recorder, id);
            }
            if random.borrow_mut().below(100) == 0 {
                at_times();
            }
        }
    }
    recorded
}

#[test]
fn random_runs_are_replayed() {
    let mut random = Random::new();
    for _ in 0..60 {
        let seed = random.next();
        println!("of it: {seed}");
        eventful(Random::from_seed(seed)).plays_the_same();
    }
}
