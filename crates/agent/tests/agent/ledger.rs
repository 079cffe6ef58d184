use super::harness::{Answer, BodyEnd, Harness, calls, says};
use super::random::Random;
use copydesk_agent::ledger::{Amount, FinishedCall, Ledger, TurnCosts};
use copydesk_agent::{Outcome, RunResult};
use copydesk_base::Error;
use copydesk_llm::{Cost, Usage};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// Dollars for a million tokens.
const PRICES: Cost = Cost { input: 3.0, output: 15.0, cache_read: 0.3, cache_write: 3.75 };

fn usage(input: u64, output: u64) -> Usage {
    Usage { input_tokens: input, output_tokens: output, total_tokens: input + output, ..Usage::default() }
}

fn call(id: &str, name: &str, argument_tokens: u64, result_tokens: u64) -> FinishedCall {
    let (tool_id, tool_name) = (id.to_owned(), name.to_owned());
    FinishedCall { tool_id, tool_name, argument_tokens, result_tokens, ms: 10.0, ..FinishedCall::default() }
}

fn edit(id: &str, version: &str, argument_tokens: u64) -> FinishedCall {
    FinishedCall { version: Some(version.into()), ..call(id, "update_section", argument_tokens, 20) }
}

/// Plays a turn.
fn turn(ledger: &mut Ledger, name: &str, calls: Vec<FinishedCall>, usage: Usage) {
    ledger.turn_started(name);
    calls.into_iter().for_each(|call| ledger.call_finished(call));
    ledger.turn_ended(usage, Some(&PRICES));
}

fn dollars(amount: f64) -> Amount {
    Amount((amount * 1e12).round() as u64)
}

#[test]
fn a_turn_costs_what_its_tokens_cost_and_cached_ones_are_cheaper() {
    let mut ledger = Ledger::default();
    turn(&mut ledger, "t1", vec![], Usage { cached_tokens: 800, ..usage(1_000, 100) });
    let cost = dollars(200.0 * 3e-6 + 800.0 * 0.3e-6 + 100.0 * 15e-6);
    assert_eq!(ledger.turns[0].cost, Some(cost));
    assert_eq!(ledger.totals.cost, cost);
    assert_eq!(ledger.turns[0].shares.len(), 1, "all of it is the rest: the prompt and the text");
}

#[test]
fn an_edit_costs_what_writing_its_arguments_cost() {
    let mut ledger = Ledger::default();
    turn(&mut ledger, "t1", vec![edit("c1", "v2", 60), call("c2", "search_web", 10, 500)], usage(1_000, 100));
    let edit = &ledger.edits[0];
    assert_eq!((edit.tool_id.as_str(), edit.turn_id.as_str(), edit.version.as_str()), ("c1", "t1", "v2"));
    assert_eq!((edit.output_tokens, edit.cost), (60, Some(dollars(60.0 * 15e-6))));
    assert_eq!(ledger.edits.len(), 1, "a search is no edit");
    let shared: Vec<u64> = ledger.turns[0].shares.iter().map(|share| share.output_tokens).collect();
    assert_eq!(shared, [60, 10, 30]);
}

#[test]
fn a_result_is_input_of_every_later_turn_until_compaction() {
    let mut ledger = Ledger::default();
    turn(&mut ledger, "t1", vec![call("c1", "search_web", 10, 500)], usage(1_000, 100));
    let search = |ledger: &Ledger| (ledger.tools[0].input_tokens, ledger.tools[0].result_tokens, ledger.tools[0].cost);
    let written = dollars(10.0 * 15e-6);
    assert_eq!(search(&ledger), (0, 500, written), "nobody was sent it yet");
    turn(&mut ledger, "t2", vec![], usage(1_600, 50));
    turn(&mut ledger, "t3", vec![], usage(1_700, 50));
    assert_eq!(search(&ledger), (1_000, 500, Amount(written.0 + dollars(1_000.0 * 3e-6).0)));
    ledger.keep_results(&|id| id != "c1");
    turn(&mut ledger, "t4", vec![], usage(300, 50));
    assert_eq!(search(&ledger).0, 1_000);
}

#[test]
fn tools_are_counted_with_their_errors_and_their_time() {
    let mut ledger = Ledger::default();
    let failed = FinishedCall { is_error: true, ms: 2.5, ..call("c2", "search_web", 5, 5) };
    turn(&mut ledger, "t1", vec![call("c1", "search_web", 5, 5), failed, edit("c3", "v2", 5)], usage(100, 50));
    let told: Vec<_> = ledger.tools.iter().map(|tool| (tool.name.as_str(), tool.calls, tool.errors, tool.ms)).collect();
    assert_eq!(told, [("search_web", 2, 1, 12.5), ("update_section", 1, 0, 10.0)]);
    assert_eq!((ledger.totals.calls, ledger.totals.errors, ledger.totals.edits), (3, 1, 1));
}

#[test]
fn without_prices_costs_are_unknown() {
    let mut ledger = Ledger::default();
    ledger.turn_started("t1");
    ledger.call_finished(edit("c1", "v2", 60));
    ledger.turn_ended(usage(1_000, 100), None);
    let value = ledger.to_value();
    assert_eq!((&value["turns"][0]["cost"], &value["edits"][0]["cost"]), (&Value::Null, &Value::Null));
    assert_eq!((&value["edits"][0]["outputTokens"], &value["totals"]["unpricedTurns"]), (&json!(60), &json!(1)));
}

#[test]
fn without_reported_usage_calls_are_estimated() {
    let mut ledger = Ledger::default();
    turn(&mut ledger, "t1", vec![edit("c1", "v2", 60), call("c2", "search_web", 10, 500)], Usage::default());
    assert!(ledger.turns[0].estimated);
    assert_eq!(ledger.turns[0].usage, Usage { output_tokens: 70, total_tokens: 70, ..Usage::default() });
    assert_eq!(ledger.edits[0].cost, Some(dollars(60.0 * 15e-6)));
}

#[test]
fn a_failed_turn_is_closed_by_the_next_one() {
    let mut ledger = Ledger::default();
    ledger.turn_started("t1");
    turn(&mut ledger, "t2", vec![], usage(10, 5));
    let turns: Vec<_> = ledger.turns.iter().map(|turn| (turn.turn_id.as_str(), turn.cost.is_some())).collect();
    assert_eq!(turns, [("t1", false), ("t2", true)]);
    ledger.turn_ended(usage(1, 1), Some(&PRICES));
    assert_eq!(ledger.totals.turns, 2, "an end without a beginning is nobody's");
}

#[test]
fn costs_in_json_are_in_the_currency_of_the_prices() {
    let mut ledger = Ledger::default();
    turn(&mut ledger, "t1", vec![edit("c1", "v2", 60)], usage(1_000_000, 100));
    let value = ledger.to_value();
    assert_eq!(value["totals"]["cost"], json!(3.0015));
    assert_eq!(value["turns"][0]["shares"][0]["toolId"], "c1");
    assert_eq!(
        value["tools"][0],
        json!({ "name": "update_section", "calls": 1, "errors": 0, "ms": 10.0, "outputTokens": 60, "resultTokens": 20,
            "inputTokens": 0, "cost": 0.0009 })
    );
}

#[test]
fn the_ledger_is_bounded_for_any_number_of_turns_and_tools() {
    let mut ledger = Ledger::default();
    for number in 0..3_000 {
        let name = format!("tool_{number}");
        turn(&mut ledger, "t", vec![call("c", &name, 1, 1), edit("e", "v", 1)], usage(10, 5));
    }
    assert_eq!((ledger.turns.len(), ledger.edits.len(), ledger.totals.turns), (1_000, 1_000, 3_000));
    assert!(ledger.tools.len() <= 201, "{}", ledger.tools.len());
    assert_eq!(ledger.tools.iter().map(|tool| tool.calls).sum::<u64>(), 6_000);
}

#[test]
fn the_shares_of_a_turn_add_up_to_the_turn_exactly() {
    let mut random = Random::new();
    for _ in 0..300 {
        let mut ledger = Ledger::default();
        // Prices without end behind the point, estimates that are far too high, and every kind of nothing.
        let price = |random: &mut Random| match random.below(8) {
            0 => 0.0,
            1 => -1.0,
            2 => f64::NAN,
            _ => random.below(100_000) as f64 / 3_333.0,
        };
        let size = |random: &mut Random| {
            let most = *random.pick(&[1, 3, 1_000, 1_000_000]);
            random.below(most) as u64
        };
        for number in 0..12 {
            ledger.turn_started(&format!("t{number}"));
            for at in 0..random.below(6) {
                let name = *random.pick(&["search_web", "update_section", "read_lines", "mine"]);
                let mut made = call(&format!("c{number}_{at}"), name, size(&mut random), size(&mut random));
                made.version = (random.below(2) == 0).then(|| "v".to_owned());
                ledger.call_finished(made);
            }
            let mut spent = usage(size(&mut random), size(&mut random));
            spent.cached_tokens = size(&mut random);
            let mut price = || price(&mut random);
            let prices = Cost { input: price(), output: price(), cache_read: price(), cache_write: price() };
            ledger.turn_ended(spent, Some(&prices));
        }
        for TurnCosts { usage, cost, shares, .. } in &ledger.turns {
            assert_eq!(shares.iter().map(|share| share.input_tokens).sum::<u64>(), usage.input_tokens);
            assert_eq!(shares.iter().map(|share| share.output_tokens).sum::<u64>(), usage.output_tokens);
            assert_eq!(Some(Amount(shares.iter().map(|share| share.cost.unwrap_or_default().0).sum())), *cost);
        }
        let shares = || ledger.turns.iter().flat_map(|turn| &turn.shares);
        for tool in &ledger.tools {
            let own = || shares().filter(|share| share.tool_name.as_ref() == Some(&tool.name));
            assert_eq!(own().map(|share| share.cost.unwrap_or_default().0).sum::<u64>(), tool.cost.0);
            assert_eq!(own().map(|share| share.input_tokens).sum::<u64>(), tool.input_tokens);
            assert_eq!(own().map(|share| share.output_tokens).sum::<u64>(), tool.output_tokens);
        }
        for edit in &ledger.edits {
            let own = shares().find(|share| share.tool_id.as_ref() == Some(&edit.tool_id)).unwrap();
            assert_eq!((own.cost, own.output_tokens), (edit.cost, edit.output_tokens));
        }
        assert_eq!(shares().map(|share| share.cost.unwrap_or_default().0).sum::<u64>(), ledger.totals.cost.0);
    }
}

#[test]
fn the_ledger_is_computed_from_events_alone() {
    let ledger = Rc::new(RefCell::new(Ledger::default()));
    let listen = {
        let (ledger, time) = (ledger.clone(), RefCell::new(0.0));
        move |_: &_, event: &copydesk_agent::Event| {
            *time.borrow_mut() += 1.0;
            ledger.borrow_mut().record_event(&event.kind, *time.borrow(), Some(&PRICES), &|text| text.len());
        }
    };
    let content = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Older.</p>" });
    let html = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";
    let answers = vec![
        calls(&[("c1", "get_document", json!({})), ("c2", "no_such_tool", json!({}))]),
        calls(&[("c3", "update_section", content)]),
        says("Done."),
    ];
    Harness::with(html, answers, json!({}), listen).prompt("Make it older");
    let ledger = ledger.borrow();
    assert_eq!((ledger.totals.turns, ledger.totals.usage.total_tokens), (3, 45));
    let tools: Vec<_> = ledger.tools.iter().map(|tool| (tool.name.as_str(), tool.calls, tool.errors)).collect();
    assert_eq!(tools, [("get_document", 1, 0), ("no_such_tool", 1, 1), ("update_section", 1, 0)]);
    let [edit] = &ledger.edits[..] else { panic!("{:?}", ledger.edits) };
    assert_eq!((edit.tool_id.as_str(), edit.turn_id.as_str(), edit.output_tokens), ("c3", "t2", 5));
    assert!(!edit.version.is_empty());
    assert!(ledger.tools[0].ms > 0.0, "the clock moved between its use and its result");
    assert!(ledger.tools[0].input_tokens > 0, "the second turn was sent its result");
}

/// Returns the beginning of an answer that has reported usage, and its end.
fn begun(end: BodyEnd) -> Answer {
    let event = json!({
        "choices": [{ "index": 0, "delta": { "content": "Te" } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102 },
    });
    let pieces = vec![format!("data: {event}\n\n").into_bytes()];
    Answer::Stream { status: 200, content_type: "text/event-stream", pieces, end }
}

/// The tokens of the run, of the agent, and of the ledger.
fn counted(harness: &Harness, result: &RunResult) -> [u64; 3] {
    let ledger = harness.agent.ledger()["totals"]["usage"]["totalTokens"].as_u64().unwrap();
    [result.usage.total_tokens, harness.agent.usage().total_tokens, ledger]
}

#[test]
fn the_cost_of_a_failed_answer_is_counted() {
    let broken =
        || begun(BodyEnd::Breaks(Error::Unreachable { origin: "https://llm.example".into(), reason: String::new() }));
    let harness = Harness::new("<p>a</p>", vec![broken(), broken(), says("Tea.")]);
    let result = harness.prompt("x");
    assert_eq!(counted(&harness, &result), [219; 3], "{}", harness.agent.ledger());
    assert_eq!(harness.event("turn_end")["usage"]["totalTokens"], 15, "a turn is its own answer");
    let error = "data: {\"error\":{\"message\":\"no\",\"code\":400}}\n\n";
    let Answer::Stream { status, content_type, mut pieces, .. } = broken() else { unreachable!() };
    pieces.push(error.as_bytes().to_vec());
    let harness = Harness::with(
        "<p>a</p>",
        vec![Answer::Stream { status, content_type, pieces, end: BodyEnd::Closes }],
        json!({ "maxRetries": 0 }),
        |_, _| {},
    );
    let result = harness.prompt("x");
    assert_eq!(counted(&harness, &result), [102; 3]);
}

#[test]
fn the_cost_of_a_stopped_answer_is_counted() {
    let harness = Harness::with("<p>a</p>", vec![begun(BodyEnd::Hangs)], json!({}), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "content" {
            agent.abort();
        }
    });
    let result = harness.prompt("x");
    assert_eq!((result.status, counted(&harness, &result)), (Outcome::Aborted, [102; 3]));
}

/// Settings of a model that costs `output` dollars for a million tokens of output.
fn settings(output: f64) -> Value {
    json!({ "llmConfig": {
        "model": { "api": "openai-completions", "modelId": "m", "cost": { "input": 0, "output": output } },
        "streamOptions": { "apiKey": "k", "baseUrl": "https://llm.example/v1" },
    } })
}

#[test]
fn an_answer_costs_the_price_of_the_model_that_gave_it() {
    let answers = vec![calls(&[("c1", "get_document", json!({}))]), says("Tea."), says("Tea.")];
    let harness = Harness::with("<p>a</p>", answers, settings(1.0), |agent, event| {
        if serde_json::to_value(event).unwrap()["type"] == "tool_use" {
            agent.configure(serde_json::from_value(settings(1_000.0)).unwrap());
        }
    });
    let cost = |harness: &Harness| harness.agent.ledger()["totals"]["cost"].as_f64().unwrap();
    harness.prompt("x");
    assert_eq!(cost(&harness), 0.005005, "two answers of five tokens, the second at the new price");
    harness.prompt("y");
    assert_eq!(cost(&harness), 0.010005, "and a third");
}

#[test]
fn a_new_conversation_has_no_costs_of_old_results() {
    let answers = vec![calls(&[("c1", "get_document", json!({}))]), says("Tea."), says("a"), says("b")];
    let harness = Harness::new("<p>a</p>", answers);
    harness.prompt("x");
    let sent = || harness.agent.ledger()["tools"][0]["inputTokens"].as_u64().unwrap();
    let before = sent();
    assert!(before > 0, "the second turn was sent it");
    harness.agent.set_messages(harness.agent.messages()).unwrap();
    harness.prompt("y");
    let still = sent();
    assert!(still > before, "a conversation that was kept pays on");
    harness.agent.set_messages(vec![]).unwrap();
    harness.prompt("z");
    assert_eq!(sent(), still);
}
