//! Runs that are recorded, and played again to the same events and the same document.

use super::random::Random;
use super::world::{Answer, End, World, calls, chunks, page, says, slow_tool, stream, tool};
use copydesk_agent::hooks::Hook;
use copydesk_agent::tools::app::output;
use copydesk_agent::{Agent, Event};
use copydesk_base::base64;
use copydesk_base::host::{Clock, LocalFuture};
use copydesk_base::{Error, Locale};
use copydesk_edit::{DocUpdate, DocumentCell, apply};
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{AgentStage, Beginning, Input, Recorder, Recording, Replay, Tape};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::{Future, pending, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

pub const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

pub fn replace(content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": 1, "content": content })
}

/// A world that is recorded.
pub struct Recorded {
    pub world: World,
    recorder: Recorder,
    pub tape: Tape,
}

pub fn record(answers: Vec<Answer>, more: Value) -> Recorded {
    record_with(answers, more, LIMIT, |_, _, _| {})
}

/// What the person does when they hear an event: with the agent, the tape and the event.
pub fn record_with(
    answers: Vec<Answer>,
    more: Value,
    limit: usize,
    listen: impl Fn(&Agent, &Tape, &Value) + 'static,
) -> Recorded {
    let made: Rc<RefCell<Option<Recorder>>> = Rc::default();
    let listener = {
        let made = made.clone();
        move |agent: &Agent, event: &Event| {
            let tape = Tape::Recording(made.borrow().clone().unwrap());
            listen(agent, &tape, &event.clone().into());
        }
    };
    let keep = made.clone();
    let world = World::taped(TEA, answers, more, listener, move |clock, options, document| {
        let beginning = Beginning {
            settings: options.clone(),
            document: document.document().to_json(),
            messages: json!([]),
            ..Beginning::default()
        };
        let recorder = Recorder::new(beginning, clock, limit);
        *keep.borrow_mut() = Some(recorder.clone());
        Tape::Recording(recorder)
    });
    let recorder = made.borrow().clone().unwrap();
    Recorded { world, tape: Tape::Recording(recorder.clone()), recorder }
}

impl Recorded {
    pub fn prompt(&self, text: &str) {
        self.tape.input("prompt", || json!([{ "role": "user", "content": text }]));
        self.world.prompt(text);
    }

    /// A run that is polled by hand.
    pub fn begin(&self, text: &str) -> Pin<Box<dyn Future<Output = ()>>> {
        self.tape.input("prompt", || json!([{ "role": "user", "content": text }]));
        let run = self.world.agent.prompt(text).unwrap();
        Box::pin(async move { drop(run.await) })
    }

    /// The file, read again.
    pub fn file(&self) -> Recording {
        let after = self.world.document.document().to_json();
        let recording = self.recorder.recording(&after);
        let read = Recording::from_json(&recording.to_value().to_string()).unwrap();
        assert_eq!(read, recording, "a file says all that there is");
        read
    }

    /// Plays it, and says that nothing is different.
    #[track_caller]
    pub fn plays_the_same(&self) {
        let recording = self.file();
        assert_eq!(recording.events.len(), self.world.events().len());
        let played = play(Replay::new(recording.clone()));
        assert_eq!(played.ended, Ok(()));
        assert_eq!(played.different, None);
        assert_eq!(played.document, self.world.html());
        assert_eq!(played.events.len(), recording.events.len());
    }
}

/// The person writes something before the first section.
pub fn person_writes(tape: &Tape, document: &DocumentCell, text: &str) {
    let content = format!("<h1>Tea</h1><p>{text}</p>");
    let update = json!({ "operation": "replace", "sectionIndex": 0, "content": content });
    let before = document.base().blocks().len();
    apply(document, &DocUpdate::from_value(&update).unwrap(), &Locale::En.into()).unwrap();
    let blocks: Value = serde_json::from_str(&document.base().to_json()).unwrap();
    tape.input(
        "sync",
        || json!({ "stretches": [[0, before, document.base().blocks().len()]], "blocks": blocks["content"] }),
    );
}

pub struct Played {
    pub ended: Result<(), copydesk_recording::Error>,
    pub different: Option<(Value, Value)>,
    pub document: String,
    pub events: Vec<Value>,
}

pub fn play(replay: Replay) -> Played {
    play_as(replay, &|_| {})
}

/// The same with options that are changed before.
fn play_as(replay: Replay, change: &dyn Fn(&mut Value)) -> Played {
    let (stage, events) = staged(&replay, change);
    let document = stage.document.clone();
    let ended = finish(replay.play(Rc::new(stage)), &|| panic!("the replay waits for what never comes"));
    let events = events.borrow().clone();
    Played { ended, different: replay.different_event(), document: document.document().to_html(), events }
}

pub fn staged(replay: &Replay, change: &dyn Fn(&mut Value)) -> (AgentStage, Rc<RefCell<Vec<Value>>>) {
    try_staged(replay, change).unwrap()
}

type Staged = (AgentStage, Rc<RefCell<Vec<Value>>>);

fn try_staged(replay: &Replay, change: &dyn Fn(&mut Value)) -> Result<Staged, Error> {
    let mut recording = replay.recording().clone();
    change(&mut recording.settings);
    let events: Rc<RefCell<Vec<Value>>> = Rc::default();
    let heard = events.clone();
    let listener = Rc::new(move |event: Event| heard.borrow_mut().push(event.into()));
    Ok((AgentStage::new(replay, recording.options()?, listener)?, events))
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Polls as long as something wakes it; else time has to pass.
pub fn finish<T>(future: impl Future<Output = T>, wait: &dyn Fn()) -> T {
    let mut future = pin!(future);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        if !woken.0.swap(false, Ordering::Relaxed) {
            wait();
        }
    }
}

pub fn edits() -> Vec<Answer> {
    vec![
        calls(&[("c1", "get_document", json!({}))]),
        calls(&[("c2", "update_section", replace("<p>Older.</p>")), ("c3", "rewrite", json!({}))]),
        says("Done."),
    ]
}

#[test]
fn a_run_with_calls_is_played_to_the_same_events_and_the_same_document() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    assert_eq!(recorded.world.html(), TEA.replace("Old.", "Older."));
    recorded.plays_the_same();
}

#[test]
fn several_runs_are_one_conversation() {
    let recorded = record([edits(), vec![says("You are welcome.")]].into_iter().flatten().collect(), json!({}));
    recorded.prompt("Make it older");
    recorded.prompt("Thanks");
    recorded.plays_the_same();
}

#[test]
fn errors_retries_and_broken_streams_come_again() {
    let whole = chunks(&[json!({ "content": "Half an " }), json!({ "content": "answer." })], "stop");
    let pieces: Vec<Vec<u8>> = whole.split_inclusive("\n\n").take(1).map(|piece| piece.as_bytes().to_vec()).collect();
    let broken = |error: Error| Answer::Stream {
        status: 200,
        content_type: "text/event-stream",
        pieces: pieces.clone(),
        end: End::Breaks(error),
    };
    for answers in [
        vec![Answer::Fails(Error::Offline), Answer::Later { status: 429, retry_after: 7_000 }, says("Hello.")],
        vec![page(500, "text/plain", "oops"), broken(Error::Unreachable { origin: "x".into() }), says("Hello.")],
        vec![page(401, "application/json", r#"{"error":{"message":"No such key."}}"#)],
        vec![page(200, "text/html", "<h1>Welcome</h1>")],
        vec![Answer::Fails(Error::Blocked { origin: "https://llm.example".into() })],
        vec![broken(Error::FetchFailed { reason: "my proxy fell over".into() })],
        vec![Answer::Hangs, says("At last.")],
    ] {
        let recorded = record(answers, json!({ "maxRetries": 3 }));
        recorded.prompt("Hi");
        recorded.plays_the_same();
    }
}

#[test]
fn timers_go_off_again_after_an_answer_that_ended_without_saying_so() {
    let whole = chunks(&[json!({ "content": "Half." })], "stop");
    let unsaid = whole.replace("data: [DONE]\n\n", "");
    let google = r#"data: {"candidates":[{"content":{"parts":[{"text":"Half."}]},"finishReason":"STOP"}]}"#;
    let google = [google, "\n\n"].concat();
    let pieces = |body: &str| body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    for (api, body) in [("openai-completions", &unsaid), ("google-generative-ai", &google)] {
        let options = json!({
            "llmConfig": {
                "model": { "api": api, "modelId": "test-model" },
                "streamOptions": { "apiKey": "sk-secret", "baseUrl": "https://llm.example/v1" },
            },
        });
        let slowly = || Answer::Slowly(10, pieces(body));
        let broken = Answer::Stream {
            status: 200,
            content_type: "text/event-stream",
            pieces: pieces(body)[..1].to_vec(),
            end: End::Hangs,
        };
        let answers = vec![slowly(), Answer::Fails(Error::Offline), slowly(), broken, Answer::Hangs, slowly()];
        let recorded = record(answers, options);
        ["One", "Two", "Three"].iter().for_each(|text| recorded.prompt(text));
        assert_eq!(recorded.world.event_types().last().unwrap(), "complete", "{api}");
        recorded.plays_the_same();
    }
}

#[test]
fn random_numbers_are_drawn_again() {
    let recorded = record(vec![Answer::Fails(Error::Offline), says("Hello.")], json!({}));
    recorded.prompt("Hi");
    assert_eq!(recorded.file().random, [0.5]);
    let mut other = recorded.file();
    other.random = vec![0.25];
    let (was, is) = play(Replay::new(other)).different.unwrap();
    assert_ne!(was["delayMs"], is["delayMs"], "the wait follows from it");
}

#[test]
fn a_character_that_came_in_two_pieces_comes_so_again() {
    let body = chunks(&[json!({ "content": "Tee 🍵 für dich." })], "stop");
    let mut random = Random::new();
    for _ in 0..30 {
        let pieces = random.split(body.as_bytes(), 5).into_iter().map(<[u8]>::to_vec).collect();
        let recorded = record(vec![Answer::Slowly(3, pieces)], json!({}));
        recorded.prompt("Hi");
        let file = recorded.file().to_value();
        let chunks = file["requests"][0]["response"]["chunks"].as_array().unwrap();
        assert!(chunks.iter().all(|chunk| chunk["text"].is_string() != chunk["base64"].is_string()));
        assert_eq!(chunks[1]["ms"], 6.0, "it counts from when the answer began");
        recorded.plays_the_same();
    }
    let torn = vec![vec![0xF0, 0x9F], vec![0x8D, 0xB5]];
    let recorded = record(vec![Answer::Slowly(1, torn)], json!({ "maxRetries": 0 }));
    recorded.prompt("Hi");
    assert_eq!(recorded.file().to_value()["requests"][0]["response"]["chunks"][0]["base64"], "8J8=");
    recorded.plays_the_same();
}

#[test]
fn who_stops_the_run_when_they_hear_an_event_stops_it_there_again() {
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
        let recorded = record_with(answers, json!({}), LIMIT, move |agent, tape, event| {
            if event["type"] == kind {
                tape.input("abort", || Value::Null);
                agent.abort();
            }
        });
        recorded.prompt("Make it older");
        assert_eq!(recorded.world.event_types().last().unwrap(), "aborted", "{kind}");
        recorded.plays_the_same();
    }
}

#[test]
fn who_stops_the_run_while_it_waits_stops_it_there_again() {
    let body = chunks(&[json!({ "content": "A" }), json!({ "content": "B" }), json!({ "content": "C" })], "stop");
    let pieces: Vec<Vec<u8>> = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    for after in 0..5 {
        let recorded = record(vec![Answer::Slowly(100, pieces.clone())], json!({}));
        let mut run = recorded.begin("Hi");
        assert!(recorded.world.poll(&mut run).is_pending());
        for _ in 0..after {
            recorded.world.pass(100.0);
            let _ = recorded.world.poll(&mut run);
        }
        recorded.world.pass(50.0);
        recorded.tape.input("abort", || Value::Null);
        recorded.world.agent.abort();
        recorded.world.wait(run);
        let said = recorded.world.event_types().iter().filter(|kind| *kind == "content").count();
        assert_eq!(said, after.min(3));
        recorded.plays_the_same();
    }
}

#[test]
fn what_the_person_writes_meanwhile_is_written_again_at_the_same_moment() {
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
    assert!(recorded.world.poll(&mut run).is_pending());
    person_writes(&recorded.tape, &recorded.world.document, "Mine.");
    recorded.world.wait(run);
    assert!(recorded.world.html().contains("<p>Mine.</p>") && recorded.world.html().contains("<p>Older.</p>"));
    recorded.plays_the_same();

    // And by who hears of the first result: before the model is asked again.
    let document: Rc<RefCell<Option<DocumentCell>>> = Rc::default();
    let held = document.clone();
    let recorded = record_with(answers(), json!({}), LIMIT, move |_, tape, event| {
        if event["type"] == "tool_result" && event["toolId"] == "c1" {
            person_writes(tape, held.borrow().as_ref().unwrap(), "Mine, at once.");
        }
    });
    *document.borrow_mut() = Some(recorded.world.document.clone());
    recorded.prompt("Make it older");
    assert!(recorded.world.html().contains("at once"));
    recorded.plays_the_same();
}

#[test]
fn what_is_said_meanwhile_is_said_again() {
    let recorded =
        record_with(vec![says("One."), says("Two."), says("Three.")], json!({}), LIMIT, |agent, tape, event| {
            let said = |text: &str| json!([{ "role": "user", "content": text }]);
            if event["type"] == "content" && event["content"] == "One." {
                tape.input("steer", || said("Louder."));
                agent.steer(serde_json::from_value(said("Louder.")[0].clone()).unwrap());
                tape.input("followUp", || said("And again."));
                agent.follow_up(serde_json::from_value(said("And again.")[0].clone()).unwrap());
            }
        });
    recorded.prompt("Hi");
    assert_eq!(recorded.world.requests().len(), 3);
    recorded.plays_the_same();
}

/// The app's tools of the tests: one that is slow, one that reports, one that fails.
fn app_tools(recorded: &Recorded) {
    let specs = json!([
        { "name": "slow", "description": "Waits.", "parameters": {} },
        { "name": "slower", "description": "Waits.", "parameters": {} },
        { "name": "counts", "description": "Counts.", "parameters": {} },
        { "name": "fails", "description": "Fails.", "parameters": { "properties": { "n": { "type": "integer" } } } },
    ]);
    let counts = tool(specs[2].clone(), {
        let tape = recorded.tape.clone();
        let execute = tape.execute(Rc::new(|arguments, context| {
            Box::pin(async move {
                for count in 1..4 {
                    context.clock.sleep(20).await;
                    (context.progress)(json!({ "count": count }));
                }
                Ok(output(Value::Object(arguments)))
            })
        }));
        move |arguments, context| execute(arguments, context)
    });
    let fails = tool(specs[3].clone(), {
        let execute = recorded.tape.execute(Rc::new(|_, _| {
            let error = copydesk_agent::Error::ToolFailed { tool: "fails".into(), message: "It threw.".into() };
            Box::pin(ready(Err(error)))
        }));
        move |arguments, context| execute(arguments, context)
    });
    let waits = |spec: &Value, ms: u64| {
        let execute = recorded.tape.execute(Rc::new(move |arguments, context| {
            Box::pin(async move {
                context.clock.sleep(ms).await;
                Ok(output(Value::Object(arguments)))
            })
        }));
        tool(spec.clone(), move |arguments, context| execute(arguments, context))
    };
    recorded.tape.input("setTools", || specs.clone());
    recorded.world.agent.set_tools(vec![waits(&specs[0], 30), waits(&specs[1], 50), counts, fails]);
}

#[test]
fn calls_that_ran_beside_each_other_end_in_the_same_order_and_the_apps_tools_do_not_run() {
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
        recorded.world.events().into_iter().filter(|event| event["type"] == "tool_result").collect();
    let ended: Vec<_> = results.iter().map(|result| result["toolId"].as_str().unwrap()).collect();
    assert_eq!(ended.last(), Some(&"c2"), "{ended:?}");
    let updates = recorded.world.event_types().iter().filter(|kind| *kind == "tool_update").count();
    assert_eq!(updates, 3);
    recorded.plays_the_same();
}

#[test]
fn a_tool_that_takes_too_long_or_is_stopped_does_so_again() {
    let called = || vec![calls(&[("c1", "slow", json!({})), ("c2", "slower", json!({}))]), says("Done.")];
    let recorded = record(called(), json!({ "toolTimeout": 40 }));
    app_tools(&recorded);
    recorded.prompt("Wait");
    let late = recorded.world.events().into_iter().find(|event| event["toolId"] == "c2" && event["isError"] == true);
    assert_eq!(late.unwrap()["content"]["error"]["code"], "timeout");
    recorded.plays_the_same();

    let recorded = record(called(), json!({}));
    app_tools(&recorded);
    let mut run = recorded.begin("Wait");
    assert!(recorded.world.poll(&mut run).is_pending());
    recorded.world.pass(30.0);
    assert!(recorded.world.poll(&mut run).is_pending());
    recorded.tape.input("abort", || Value::Null);
    recorded.world.agent.abort();
    recorded.world.wait(run);
    recorded.plays_the_same();
}

#[test]
fn hooks_and_the_persons_yes_are_played_and_a_key_that_a_hook_gave_is_not_in_it() {
    let answers = vec![
        calls(&[("c1", "get_document", json!({})), ("c2", "update_section", replace("<p>Older.</p>"))]),
        says("Done."),
    ];
    let recorded = record_with(answers, json!({ "approval": ["update_section"] }), LIMIT, |agent, tape, event| {
        if event["type"] == "approval_request" {
            let id = event["toolId"].as_str().unwrap();
            tape.input("approve", || json!({ "toolId": id, "approved": true, "reason": "" }));
            agent.approve(id, copydesk_agent::approvals::Verdict { approved: true, ..Default::default() }).unwrap();
        }
    });
    recorded.world.hook(Hook::GetApiKey, |_| Ok(json!("sk-of-the-hook")));
    recorded.world.hook(Hook::BeforeToolCall, |given| match given["toolCall"]["name"].as_str() {
        Some("get_document") => Ok(json!({ "block": true, "reason": "Not now." })),
        _ => Ok(Value::Null),
    });
    recorded.world.hook(Hook::AfterToolCall, |given| match given["toolCall"]["name"].as_str() {
        Some("update_section") => Ok(json!({ "content": "It is done." })),
        _ => Err(copydesk_agent::Error::HookFailed { hook: "afterToolCall", message: "It threw.".into() }),
    });
    recorded.prompt("Make it older");
    let codes: Vec<Value> = recorded.world.events();
    assert!(codes.iter().any(|event| event["content"]["error"]["code"] == "tool_blocked"), "{codes:?}");
    let file = recorded.file().to_value().to_string();
    assert!(!file.contains("sk-of-the-hook") && !file.contains("sk-secret"));
    recorded.plays_the_same();
}

#[test]
fn a_replay_can_take_the_time_that_the_run_took() {
    let body = chunks(&[json!({ "content": "A" }), json!({ "content": "B" })], "stop");
    let pieces: Vec<Vec<u8>> = body.split_inclusive("\n\n").map(|piece| piece.as_bytes().to_vec()).collect();
    let recorded = record(vec![Answer::Fails(Error::Offline), Answer::Slowly(100, pieces)], json!({}));
    recorded.prompt("Hi");

    #[derive(Default)]
    struct Wrist(Rc<Cell<f64>>);
    impl Clock for Wrist {
        fn now(&self) -> f64 {
            self.0.get()
        }
        fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
            let (now, until) = (self.0.clone(), self.0.get() + ms as f64);
            Box::pin(std::future::poll_fn(move |_| if now.get() >= until { Poll::Ready(()) } else { Poll::Pending }))
        }
        fn random(&self) -> f64 {
            0.5
        }
    }
    let wrist = Wrist::default();
    let now = wrist.0.clone();
    now.set(77.0);
    let replay = Replay::in_time(recorded.file(), Rc::new(wrist));
    let (stage, events) = staged(&replay, &|_| {});
    let seen: RefCell<Vec<(f64, usize)>> = RefCell::default();
    let ended = finish(replay.play(Rc::new(stage)), &|| {
        seen.borrow_mut().push((now.get() - 77.0, events.borrow().len()));
        now.set(now.get() + 10.0);
    });
    assert_eq!((ended, replay.different_event()), (Ok(()), None));
    assert_eq!(now.get() - 77.0, recorded.world.now());
    let seen = seen.borrow();
    let at = |ms: f64| seen.iter().find(|(at, _)| *at == ms).unwrap().1;
    // The retry waits a second, and then each piece comes a tenth of one after the one before.
    assert!(at(1000.0) < at(1110.0) && at(1110.0) < at(1210.0), "{seen:?}");
}

#[test]
fn a_request_that_is_another_one_says_at_which_request_and_where() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let played = play_as(Replay::new(recorded.file()), &|settings| {
        settings["llmConfig"]["model"]["modelId"] = "another-model".into();
    });
    let Err(copydesk_recording::Error::ReplayDiffers { request, what, at, recorded: was, given }) = played.ended else {
        panic!()
    };
    assert_eq!((request, what), (1, "body"));
    assert!(was.starts_with("test-model") && given.starts_with("another-model"), "{at}: {was} / {given}");
    assert_eq!(played.events.last().unwrap()["code"], "replay_differs");
    assert!(played.different.is_some());

    let mut other = recorded.file();
    other.before = other.before.replace("Old.", "New.");
    let Err(copydesk_recording::Error::ReplayDiffers { request, what, .. }) = play(Replay::new(other)).ended else {
        panic!()
    };
    assert_eq!((request, what), (2, "body"), "the second request has what was read");

    let mut other = recorded.file();
    other.requests[0].url = "https://other.example/v1/chat/completions".into();
    let Err(copydesk_recording::Error::ReplayDiffers { what, .. }) = play(Replay::new(other)).ended else { panic!() };
    assert_eq!(what, "url");
}

#[test]
fn a_replay_that_does_less_than_the_run_says_so() {
    let recorded = record(vec![says("One."), says("Two.")], json!({}));
    recorded.prompt("a");
    recorded.prompt("b");
    let mut other = recorded.file();
    other.inputs.pop();
    let Err(copydesk_recording::Error::ReplayDiffers { what, .. }) = play(Replay::new(other)).ended else { panic!() };
    assert_eq!(what, "end");
}

#[test]
fn beyond_its_limit_a_recording_stops_and_says_so() {
    let recorded = record_with(edits(), json!({}), 6_000, |_, _, _| {});
    recorded.prompt("Make it older");
    let file = recorded.file();
    assert!(file.is_cut && file.to_value()["isCut"] == true);
    assert!(file.events.len() < recorded.world.events().len());
    let whole = record(edits(), json!({}));
    whole.prompt("Make it older");
    assert!(!whole.file().is_cut);
    // What is in it can be played.
    let played = play(Replay::new(file.clone()));
    assert_eq!(played.different, None);
}

#[test]
fn long_conversations_are_not_written_out_anew_for_each_request() {
    let long = "word ".repeat(4_000);
    let answers: Vec<Answer> = (0..20).map(|_| says("Go on.")).collect();
    let recorded = record(answers, json!({}));
    for _ in 0..20 {
        recorded.prompt(&long);
    }
    let sent: usize = recorded.world.requests().iter().map(|body| body.to_string().len()).sum();
    let file = recorded.file();
    let written: usize = file.requests.iter().map(|request| request.body.as_ref().unwrap().text.len()).sum();
    assert!(sent > 4_000_000 && written < 500_000, "{written} of {sent} bytes");
    recorded.plays_the_same();
}

#[test]
fn files_that_are_no_recordings_say_what_is_wrong() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let good = recorded.file().to_value();
    let wrong = |path: &str, value: Value| {
        let mut file = good.clone();
        *file.pointer_mut(path).unwrap() = value;
        Recording::from_value(file).unwrap_err().to_string()
    };
    for (said, expected) in [
        (Recording::from_json("{").unwrap_err().to_string(), "it is not JSON"),
        (Recording::from_json("[]").unwrap_err().to_string(), "it has no format"),
        (wrong("/format", json!(2)), "its format is 2, and this version reads 1"),
        (wrong("/requests", json!({})), "requests must be an array"),
        (wrong("/requests/1", json!(3)), "requests[1].order must be a whole number"),
        (wrong("/requests/1/response/status", json!(70_000)), "requests[1].response.status must be an HTTP status"),
        (wrong("/requests/0/response/chunks/2", json!({ "order": 3 })), "chunks[2] must be either text or base64"),
        (
            wrong("/requests/0/response/chunks/0", json!({ "order": 3, "base64": "=a" })),
            "requests[0].response.chunks[0].base64 must be base64",
        ),
        (wrong("/inputs/0/name", json!(null)), "inputs[0].name must be a string"),
        (
            wrong("/requests/1/body/first", json!(1_000_000)),
            "requests[1].body is like a part of a body that is not there",
        ),
        (
            wrong("/requests/1/body/likeRequest", json!(1)),
            "requests[1].body is like a part of a body that is not there",
        ),
        (wrong("/requests/0/response/end", json!({ "order": 1, "error": {} })), "end.error.code must be a string"),
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert!(matches!(
        Recording::from_json(&"[".repeat(100_000)),
        Err(copydesk_recording::Error::Document(copydesk_document::Error::TooDeep { .. }))
    ));
    // What is missing counts as nothing, what is not known is passed over.
    let little = Recording::from_value(json!({ "format": 1, "later": true })).unwrap();
    assert_eq!(little, Recording::default());
}

#[test]
fn files_that_somebody_has_garbled_neither_panic_nor_fill_the_memory() {
    let recorded = record(edits(), json!({}));
    recorded.prompt("Make it older");
    let good = recorded.file().to_value();
    let mut random = Random::new();
    for _ in 0..60 {
        let mut file = good.clone();
        for _ in 0..1 + random.below(3) {
            garble(&mut file, &mut random);
        }
        if let Ok(replay) = Recording::from_value(file).map(Replay::new)
            && let Ok((stage, _)) = try_staged(&replay, &|_| {})
        {
            // It may wait for ever for what somebody has taken out.
            let (stuck, mut run) = (Cell::new(false), pin!(replay.play(Rc::new(stage))));
            let woken = Arc::new(Woken::default());
            let waker = Waker::from(woken.clone());
            while !stuck.get() && run.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                stuck.set(!woken.0.swap(false, Ordering::Relaxed));
            }
        }
    }
}

/// Changes something somewhere.
fn garble(value: &mut Value, random: &mut Random) {
    let odd = [json!(null), json!(-1), json!(9e18), json!(1e308), json!("x"), json!([]), json!({}), json!(3)];
    match value {
        Value::Array(items) if !items.is_empty() && random.below(6) > 0 => {
            let at = random.below(items.len());
            garble(&mut items[at], random);
        }
        Value::Object(members) if !members.is_empty() && random.below(12) > 0 => {
            let at = random.below(members.len());
            garble(members.values_mut().nth(at).unwrap(), random);
        }
        value => *value = random.pick(&odd).clone(),
    }
}

#[test]
fn bytes_that_are_no_text_are_kept_as_base64() {
    for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
        assert_eq!(base64::encode(bytes.as_bytes()), text);
    }
    for wrong in ["Z", "Zh==", "Zm9vZ", "Zm 9v", "é"] {
        assert_eq!(base64::decode(wrong), None, "{wrong}");
    }
    let mut random = Random::new();
    for length in 0..200 {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert_eq!(base64::decode(&base64::encode(&bytes)), Some(bytes));
    }
}

/// A key with everything that keys have, and perhaps what has to be escaped in JSON.
fn some_key(random: &mut Random, with_odd: bool) -> String {
    let letters: Vec<char> = "abcXYZ019-_.+/=".chars().collect();
    let odd: Vec<char> = "\"\\é茶 ".chars().collect();
    let mut key = "sk-".to_owned();
    for _ in 0..8 + random.below(40) {
        let from = if with_odd && random.below(12) == 0 { &odd } else { &letters };
        key.push(*random.pick(from));
    }
    key.trim().to_owned()
}

#[test]
fn no_key_is_in_a_recording() {
    let mut random = Random::new();
    for _ in 0..20 {
        // One that goes into a header has to be ASCII.
        let told = some_key(&mut random, false);
        let (in_url, of_hook) = (some_key(&mut random, true), some_key(&mut random, true));
        let url = |key: &str| copydesk_base::host::percent_encode(key);
        let keys = [told.clone(), in_url.clone(), of_hook.clone()];
        // Servers say back what they were sent, in one piece or in many, and so does the model.
        let echo = |key: &str, random: &mut Random| {
            let body = chunks(&[json!({ "content": format!("Is {key} yours?") })], "stop");
            let pieces = random.split(body.as_bytes(), 7).into_iter().map(<[u8]>::to_vec).collect();
            Answer::Slowly(1, pieces)
        };
        let refused = json!({ "error": { "message": format!("Wrong key: {told} {of_hook}") } }).to_string();
        let answers = vec![
            Answer::Fails(Error::FetchFailed { reason: format!("could not send {of_hook} to ?key={}", url(&in_url)) }),
            page(500, "application/json", &json!({ "key": in_url, "arguments": refused }).to_string()),
            echo(&in_url, &mut random),
            calls(&[
                ("c1", "update_section", replace(&format!("<p>{}</p>", url(&told)))),
                ("c2", "echo", json!({ "k": in_url })),
            ]),
            says("Done."),
            page(401, "application/json", &refused),
        ];
        let options = json!({
            "llmConfig": {
                "model": { "api": "openai-completions", "modelId": "test-model" },
                "streamOptions": {
                    "apiKey": told,
                    "baseUrl": format!("https://me:{}@llm.example/v1?api_key={}&x=1", url(&of_hook), url(&in_url)),
                },
            },
            "services": { "tavily": { "apiKey": of_hook } },
            "maxRetries": 3,
        });
        let recorded = record(answers, options);
        let echoes = recorded.tape.execute(Rc::new(|arguments, context| {
            (context.progress)(Value::Object(arguments.clone()));
            Box::pin(ready(Ok(output(Value::Object(arguments)))))
        }));
        let spec = json!({ "name": "echo", "description": format!("Says {in_url}"), "parameters": {} });
        recorded.tape.input("setTools", || json!([spec]));
        recorded.world.agent.set_tools(vec![tool(spec, move |arguments, context| echoes(arguments, context))]);
        recorded.prompt(&format!("My key is {told}, and this one too: {of_hook}"));
        ["Again", "And again", "A last time"].iter().for_each(|text| recorded.prompt(text));
        assert_eq!(recorded.world.requests().len(), 6, "{:?}", recorded.world.events());
        let recording = recorded.file();
        let file = recording.to_value();
        assert_eq!(file["settings"]["llmConfig"]["streamOptions"]["apiKey"], "key-left-out");
        for key in &keys {
            // As it is, in an address, in JSON, and in JSON that is a text of JSON.
            let escaped = |text: &str| Value::from(text).to_string().trim_matches('"').to_owned();
            for form in [key.clone(), url(key), escaped(key), escaped(&escaped(key))] {
                assert!(!holds(&file, &form), "{form}: {file}");
                for (at, request) in recording.requests.iter().enumerate() {
                    let whole: Vec<u8> = request.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
                    assert!(!String::from_utf8_lossy(&whole).contains(&form), "a key in two pieces");
                    let body = recording.body_of(at).unwrap();
                    assert!(!body.contains(&form), "a key in a body that is told by another");
                }
            }
        }
    }
}

fn holds(value: &Value, key: &str) -> bool {
    match value {
        Value::String(text) => text.contains(key),
        Value::Array(items) => items.iter().any(|item| holds(item, key)),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains(key) || holds(value, key)),
        _ => false,
    }
}

#[test]
fn a_run_in_which_a_key_was_said_can_still_be_played() {
    let answers = vec![page(401, "application/json", r#"{"error":{"message":"Wrong key: sk-secret"}}"#), says("Done.")];
    let recorded = record(answers, json!({}));
    recorded.prompt("My key is sk-secret, is it not?");
    recorded.prompt("And now?");
    recorded.plays_the_same();
}

#[test]
fn headers_are_told_by_name_and_only_harmless_ones_by_value() {
    let recorded = record(vec![says("Hello.")], json!({}));
    recorded.prompt("Hi");
    let headers = recorded.file().to_value()["requests"][0]["headers"].clone();
    assert_eq!(headers, json!({ "content-type": "application/json", "authorization": null }));
}

#[test]
fn an_input_of_another_time_is_played_by_whoever_knows_it() {
    let recorded = record(vec![says("Hello.")], json!({}));
    recorded.tape.input("somethingNew", || json!({ "x": 1 }));
    recorded.prompt("Hi");
    let file = recorded.file();
    let names: Vec<&str> = file.inputs.iter().map(|Input { name, .. }| name.as_str()).collect();
    assert_eq!(names, ["somethingNew", "prompt"]);
    recorded.plays_the_same();
}

#[test]
fn a_tool_that_nobody_waited_for_is_not_waited_for_again() {
    let recorded = record(vec![calls(&[("c1", "never", json!({}))]), says("Done.")], json!({ "toolTimeout": 500 }));
    let execute = recorded.tape.execute(Rc::new(|_, _| Box::pin(pending())));
    let spec = json!({ "name": "never", "description": "Never.", "parameters": {} });
    recorded.tape.input("setTools", || json!([spec]));
    recorded.world.agent.set_tools(vec![tool(spec, move |arguments, context| execute(arguments, context))]);
    recorded.prompt("Hi");
    assert!(recorded.file().answers[0].said.is_none());
    recorded.plays_the_same();
    // The tools of the world's own time are not those of a recording.
    drop(slow_tool("x", 1));
}
