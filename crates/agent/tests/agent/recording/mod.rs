//! Recorded runs, replayed to the same events and the same document.

mod app;
mod differences;
mod editor;
mod files;
mod interactions;
mod keys;
mod old_files;
mod random_runs;
mod runs;
mod workspace;

use crate::harness::{Answer, Harness, calls, says, tool};
use copydesk_agent::tools::app::output;
use copydesk_agent::{Agent, Event};
use copydesk_base::Locale;
use copydesk_edit::{DocUpdate, apply};
use copydesk_llm::Message;
use copydesk_recording::Error;
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, Recorder, Recording, Replay, ReplayAgent};
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::{Future, ready};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

pub const TEA: &str = "<h1>Tea</h1><h2>History</h2><p>Old.</p>";

pub fn replace(content: &str) -> Value {
    json!({ "operation": "replace", "sectionIndex": 1, "content": content })
}

/// A harness with a recorder.
pub struct Recorded {
    pub harness: Harness,
    pub recorder: Recorder,
}

pub fn record(answers: Vec<Answer>, more: Value) -> Recorded {
    record_with(answers, more, LIMIT, |_, _, _| {})
}

/// The user's action on an event: with the agent, the recorder and the event.
pub fn record_with(
    answers: Vec<Answer>,
    more: Value,
    limit: usize,
    listen: impl Fn(&Agent, &Recorder, &Value) + 'static,
) -> Recorded {
    let made: Rc<RefCell<Option<Recorder>>> = Rc::default();
    let listener = {
        let made = made.clone();
        move |agent: &Agent, event: &Event| {
            let recorder = made.borrow().clone().unwrap();
            listen(agent, &recorder, &event.clone().into());
        }
    };
    let keep = made.clone();
    let harness = Harness::recorded(TEA, answers, more, listener, move |clock, options, document| {
        let beginning = Beginning {
            settings: options.clone(),
            document: document.document().to_json(),
            messages: json!([]),
            ..Beginning::default()
        };
        let recorder = Recorder::new(beginning, clock, limit);
        *keep.borrow_mut() = Some(recorder.clone());
        recorder
    });
    let recorder = made.borrow().clone().unwrap();
    Recorded { harness, recorder }
}

impl Recorded {
    pub fn prompt(&self, text: &str) {
        self.recorder.input("prompt", json!([{ "role": "user", "content": text }]));
        self.harness.prompt(text);
    }

    /// A run that may change a range only.
    pub fn prompt_within(&self, text: &str, from: usize, to: usize) {
        let messages = json!([{ "role": "user", "content": text }]);
        let options = json!({ "scope": { "from": from, "to": to } });
        self.recorder.input("prompt", json!({ "messages": messages, "scope": options["scope"] }));
        let options = serde_json::from_value(options).unwrap();
        let run = self.harness.agent.prompt_with(vec![Message::user(text)], options).unwrap();
        self.harness.wait(run);
    }

    /// A run that is polled by hand.
    pub fn begin(&self, text: &str) -> Pin<Box<dyn Future<Output = ()>>> {
        self.recorder.input("prompt", json!([{ "role": "user", "content": text }]));
        let run = self.harness.agent.prompt(text).unwrap();
        Box::pin(async move { drop(run.await) })
    }

    /// The file, read again.
    pub fn file(&self) -> Recording {
        let after = self.harness.document.document().to_json();
        let recording = self.recorder.recording(&after);
        let read = Recording::from_json(&recording.to_value().to_string()).unwrap();
        assert_eq!(read, recording, "a file says all that there is");
        read
    }

    /// Replays it and asserts that nothing differs.
    #[track_caller]
    pub fn plays_the_same(&self) {
        let recording = self.file();
        assert_eq!(recording.events.len(), self.harness.events().len());
        let played = play(Replay::new(recording.clone()));
        assert_eq!(played.ended, Ok(()));
        assert_eq!(played.different, None);
        assert_eq!(played.document, self.harness.html());
        assert_eq!(played.events.len(), recording.events.len());
    }
}

/// Inserts a text of the user before the first section.
pub fn user_writes(recorder: &Recorder, document: &ReviewCell, text: &str) {
    let content = format!("<h1>Tea</h1><p>{text}</p>");
    let update = json!({ "operation": "replace", "sectionIndex": 0, "content": content });
    let before = document.base().blocks().len();
    apply(document, &DocUpdate::from_value(&update).unwrap(), &Locale::En.into()).unwrap();
    let blocks: Value = serde_json::from_str(&document.base().to_json()).unwrap();
    recorder.input(
        "sync",
        json!({ "stretches": [[0, before, document.base().blocks().len()]], "blocks": blocks["content"] }),
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

pub fn staged(replay: &Replay, change: &dyn Fn(&mut Value)) -> (ReplayAgent, Rc<RefCell<Vec<Value>>>) {
    try_staged(replay, change).unwrap()
}

type Staged = (ReplayAgent, Rc<RefCell<Vec<Value>>>);

fn try_staged(replay: &Replay, change: &dyn Fn(&mut Value)) -> Result<Staged, Error> {
    let mut recording = replay.recording().clone();
    change(&mut recording.settings);
    let events: Rc<RefCell<Vec<Value>>> = Rc::default();
    let heard = events.clone();
    let listener = Rc::new(move |event: Event| heard.borrow_mut().push(event.into()));
    Ok((ReplayAgent::new(replay, recording.options()?, listener)?, events))
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

/// The app's tools of the tests: one that is slow, one that reports, one that fails.
fn app_tools(recorded: &Recorded) {
    let specs = json!([
        { "name": "slow", "description": "Waits.", "parameters": {} },
        { "name": "slower", "description": "Waits.", "parameters": {} },
        { "name": "counts", "description": "Counts.", "parameters": {} },
        { "name": "fails", "description": "Fails.", "parameters": { "properties": { "n": { "type": "integer" } } } },
    ]);
    let counts = tool(specs[2].clone(), {
        let recorder = recorded.recorder.clone();
        let execute = recorder.execute(Rc::new(|arguments, context| {
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
        let execute = recorded.recorder.execute(Rc::new(|_, _| {
            let error = copydesk_agent::Error::ToolFailed { tool: "fails".into(), message: "It threw.".into() };
            Box::pin(ready(Err(error)))
        }));
        move |arguments, context| execute(arguments, context)
    });
    let waits = |spec: &Value, ms: u64| {
        let execute = recorded.recorder.execute(Rc::new(move |arguments, context| {
            Box::pin(async move {
                context.clock.sleep(ms).await;
                Ok(output(Value::Object(arguments)))
            })
        }));
        tool(spec.clone(), move |arguments, context| execute(arguments, context))
    };
    recorded.recorder.input("setTools", specs.clone());
    recorded.harness.agent.set_tools(vec![waits(&specs[0], 30), waits(&specs[1], 50), counts, fails]);
}
