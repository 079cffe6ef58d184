//! Servers that repeat the key, in every format and every part of a response, split at every position. No output may
//! contain the key.

use crate::formats;
use crate::random::Random;
use crate::shape::{Call, Shape};
use crate::wire::Format;
use crate::world::{BodyEnd, Head, KEY, ScriptedResponse, World};
use copydesk_agent::Event;
use copydesk_agent::log::{Log, LogEntry, Logger};
use copydesk_base::host::Clock;
use copydesk_document::Document;
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, Recorder, Replay, ReplayAgent, playback};
use copydesk_review::ReviewCell;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The longest part of the key, in bytes, that may appear where it was split.
const VISIBLE: usize = 4;

#[derive(Default)]
struct LogCollector(RefCell<Vec<Value>>);

impl Logger for LogCollector {
    fn log(&self, entry: LogEntry) {
        self.0.borrow_mut().push(entry.to_value());
    }
}

/// All output of a run.
struct RunOutput {
    events: Vec<Value>,
    all: Vec<(&'static str, Value)>,
    differs: Value,
}

/// Runs a prompt against a server with these responses and collects the output.
fn run(format: &Format, first: ScriptedResponse) -> RunOutput {
    let document = ReviewCell::new(Document::from_html("<p>Tea.</p>").unwrap());
    let (events, entries): (Rc<RefCell<Vec<Value>>>, Rc<LogCollector>) = Default::default();
    let recorder: RefCell<Option<Recorder>> = RefCell::default();
    let listener = events.clone();
    let last = ScriptedResponse::stream((format.write)(&Shape::text("Done.")).chunks(), BodyEnd::Closes);
    let world = World::observed(
        format,
        vec![first],
        &last,
        Rc::new(move |event: Event| listener.borrow_mut().push(event.into())),
        document.clone(),
        Log::new(entries.clone()),
        |clock, settings| {
            let json = document.document().to_json();
            let beginning = Beginning { settings: settings.clone(), document: json, ..Beginning::default() };
            let made = Recorder::new(beginning, clock, LIMIT);
            *recorder.borrow_mut() = Some(made.clone());
            Some(made)
        },
    );
    let recorder = recorder.take().unwrap();
    recorder.input("prompt", json!([{ "role": "user", "content": "Write." }]));
    let result = world.prompt("Write.");
    let recording = recorder.recording(&document.document().to_json());
    let texts = |value: &Value| value.to_string();
    let events = events.borrow().clone();
    let joined = |kind: &str| -> Value {
        let of_kind = events.iter().filter(|event| event["type"] == kind);
        of_kind.filter_map(|event| event["content"].as_str()).collect::<String>().into()
    };
    let bodies: Vec<Value> = recording
        .requests
        .iter()
        .map(|request| {
            let bytes: Vec<u8> = request
                .response
                .iter()
                .flat_map(|response| &response.chunks)
                .flat_map(|chunk| chunk.bytes.clone())
                .collect();
            String::from_utf8_lossy(&bytes).into_owned().into()
        })
        .collect();
    let texts_of_bodies: Vec<Value> = bodies.iter().map(|body| joined_texts(body.as_str().unwrap()).into()).collect();
    let all = vec![
        ("an event", events.iter().map(texts).collect::<Vec<_>>().into()),
        ("the text of all events", joined("content")),
        ("the thinking of all events", joined("thinking")),
        ("a message", world.agent.messages().into_iter().map(Value::from).collect()),
        ("the state", world.agent.state()),
        ("the result", json!(result)),
        ("the ledger", world.agent.ledger()),
        ("the log", entries.0.borrow().iter().filter(|entry| entry["message"] != "request body").cloned().collect()),
        ("the document", document.document().to_html().into()),
        ("the recording", recording.to_value()),
        ("a body in the recording", bodies.into()),
        ("the texts of a body in the recording", texts_of_bodies.into()),
    ];
    let replay = Replay::new(recording);
    let stage = ReplayAgent::new(&replay, replay.recording().options().unwrap(), Rc::new(|_| {})).unwrap();
    let document = stage.document.clone();
    let clock = ExpiredClock;
    let mut playing = pin!(playback::play(&replay, stage, &clock));
    let ended = loop {
        if let Poll::Ready(ended) = playing.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break ended;
        }
    };
    RunOutput { events, all, differs: playback::differs(&replay, ended, &document) }
}

/// All timers fire at once, so that a stuck replay ends.
struct ExpiredClock;

impl Clock for ExpiredClock {
    fn now(&self) -> f64 {
        0.0
    }

    fn sleep(&self, _: u64) -> copydesk_base::host::LocalFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }

    fn random(&self) -> f64 {
        0.5
    }
}

/// Returns the texts of all events of a stream, joined by their paths in the events.
fn joined_texts(body: &str) -> String {
    let mut texts: Vec<(String, String)> = Vec::new();
    fn collect(value: &Value, path: &str, texts: &mut Vec<(String, String)>) {
        match value {
            Value::String(text) => match texts.iter_mut().find(|(known, _)| known == path) {
                Some((_, all)) => all.push_str(text),
                None => texts.push((path.to_owned(), text.clone())),
            },
            Value::Array(items) => items.iter().for_each(|item| collect(item, &format!("{path}/0"), texts)),
            Value::Object(members) => {
                members.iter().for_each(|(name, value)| collect(value, &format!("{path}/{name}"), texts));
            }
            _ => {}
        }
    }
    for data in body.lines().filter_map(|line| line.strip_prefix("data:")) {
        if let Ok(value) = serde_json::from_str(data) {
            collect(&value, "", &mut texts);
        }
    }
    texts.into_iter().map(|(_, text)| text + "\n").collect()
}

/// Fails if the replay differs, or if the output contains a part of the key longer than `VISIBLE`.
fn check(what: &str, output: &RunOutput) {
    check_redaction(what, output);
    assert_eq!(output.differs, Value::Null, "{what}: the replay differs");
}

/// Fails if the output contains a part of the key longer than `VISIBLE`.
fn check_redaction(what: &str, output: &RunOutput) {
    for (place, value) in &output.all {
        let text = value.to_string();
        let parts = (0..KEY.len() - VISIBLE).map(|at| &KEY[at..=at + VISIBLE]);
        for part in parts.filter(|part| *part != &KEY[..=VISIBLE] || text.contains(KEY)) {
            assert!(!text.contains(part), "{what}: {part:?} of the key is in {place}: {text}");
        }
    }
}

/// Returns the response that streams a shape.
fn streamed(format: &Format, shape: &Shape) -> ScriptedResponse {
    ScriptedResponse::stream((format.write)(shape).chunks(), BodyEnd::Closes)
}

/// Returns chunks of a text that contains the key.
type Split = fn(&str, &mut Random) -> Vec<String>;

fn in_two(text: &str, random: &mut Random) -> Vec<String> {
    let at = 1 + random.below(text.len() - 1);
    vec![text[..at].to_owned(), text[at..].to_owned()]
}

fn in_small_chunks(text: &str, random: &mut Random) -> Vec<String> {
    let chunks = random.split(text.as_bytes(), 6).into_iter();
    chunks.map(|chunk| String::from_utf8(chunk.to_vec()).unwrap()).collect()
}

#[test]
fn a_key_in_an_answer_is_redacted_wherever_it_is_split() {
    let mut random = Random::new();
    for format in formats::all() {
        let text = format!("Your key is {KEY}, is it?");
        let start = text.find(KEY).unwrap();
        let at_each = (start..=start + KEY.len()).map(|at| vec![text[..at].to_owned(), text[at..].to_owned()]);
        let cuts: Vec<Vec<String>> = at_each
            .chain((0..8).map(|_| in_small_chunks(&text, &mut random)))
            .chain([text.chars().map(String::from).collect(), vec![text.clone()]])
            .collect();
        for chunks in cuts {
            for part in ["text", "thinking", "refusal", "arguments"] {
                let what = format!("{} · {part} · {chunks:?}", format.api);
                let mut shape = Shape { text: vec!["Well.".into()], ..Shape::default() };
                match part {
                    "text" => shape.text = chunks.clone(),
                    "thinking" => shape.thinking = chunks.clone(),
                    "refusal" => (shape.text, shape.refusal) = (chunks.clone(), true),
                    _ => {
                        let mut arguments = chunks.clone();
                        arguments[0].insert_str(0, r#"{"operation":"append","title":"Key","content":"<p>"#);
                        arguments.last_mut().unwrap().push_str(r#"</p>"}"#);
                        shape.calls = vec![Call { id: "c1", arguments }];
                    }
                }
                let mut response = streamed(&format, &shape);
                rename_tool(&mut response, "update_section");
                let output = run(&format, response);
                // A replay reports small chunks of arguments less often.
                if part == "arguments" && chunks.len() > 2 {
                    check_redaction(&what, &output)
                } else {
                    check(&what, &output)
                }
                let all = output.all.iter().map(|(_, value)| value.to_string()).collect::<String>();
                let (before, after) =
                    if part == "arguments" { ("<p>Your key is ", ", is it?") } else { ("Your key is ", ", is it?") };
                assert!(all.contains(before) && all.contains(after), "{what}: the rest is lost: {all}");
                if part == "arguments" {
                    let (_, html) = output.all.iter().find(|(place, _)| *place == "the document").unwrap();
                    assert_eq!(html, "<p>Tea.</p><h2>Key</h2><p>Your key is …, is it?</p>", "{what}");
                }
            }
        }
    }
}

/// Replaces the tool's name in the calls of an answer.
fn rename_tool(response: &mut ScriptedResponse, tool: &str) {
    for chunk in &mut response.chunks {
        *chunk = String::from_utf8_lossy(chunk).replace("\"note\"", &Value::from(tool).to_string()).into_bytes();
    }
}

#[test]
fn a_key_is_redacted_in_other_forms_and_wherever_bytes_are_split() {
    let mut random = Random::new();
    let cuts: [Split; 2] = [in_two, in_small_chunks];
    for format in formats::all() {
        let arguments = json!({ "operation": "append", "title": KEY, "content": format!("<p>Bearer {KEY}</p>") });
        // JSON allows escapes for any letter.
        let escaped = arguments.to_string().replace(KEY, &KEY.replace('s', "\\u0073"));
        for arguments in
            [arguments.to_string(), escaped, r#"{"operation":"append","content":"sk-secret-of-the-matrix"#.into()]
        {
            let call = Call { id: "c1", arguments: in_small_chunks(&arguments, &mut random) };
            let shape =
                Shape { text: vec![format!("Authorization: Bearer {KEY}")], calls: vec![call], ..Shape::default() };
            let mut response = streamed(&format, &shape);
            rename_tool(&mut response, "update_section");
            for cut in cuts {
                let body = String::from_utf8(response.chunks.concat()).unwrap();
                let chunks = cut(&body, &mut random).into_iter().map(String::into_bytes).collect();
                let mut output = run(&format, ScriptedResponse { chunks, ..response.clone() });
                if arguments.contains("\\u0073") {
                    // A recording contains the server's bytes; servers do not escape letters.
                    output.all.retain(|(place, _)| !place.contains("recording"));
                }
                check_redaction(&format!("{} · {arguments}", format.api), &output);
            }
        }
    }
}

#[test]
fn a_key_is_redacted_in_names_ids_errors_and_headers() {
    let leak: &'static str = "text/sk-secret-of-the-matrix";
    for format in formats::all() {
        let api = format.api;
        let call = Call { id: "c1", arguments: vec!["{}".into()] };
        let shape = Shape { calls: vec![call.clone()], ..Shape::default() };
        let mut response = streamed(&format, &shape);
        rename_tool(&mut response, KEY);
        check(&format!("{api} · a name"), &run(&format, response));

        let shape = Shape { calls: vec![Call { id: KEY, ..call }], ..Shape::default() };
        check(&format!("{api} · an id"), &run(&format, streamed(&format, &shape)));

        let words = format!("The key {KEY} or Bearer {KEY} is wrong");
        let error = ScriptedResponse::stream(vec![(format.error_event)(&words).bytes()], BodyEnd::Closes);
        let output = run(&format, error);
        check(&format!("{api} · an error in the stream"), &output);
        assert!(
            output.events.iter().any(|event| event["error"].as_str().is_some_and(|error| error.contains("The key …")))
        );

        for status in [400, 401, 404, 500] {
            let body = (format.error_body)(status, &words).into_bytes();
            let head = Head::Status { status, content_type: "application/json", retry_after: None };
            check(
                &format!("{api} · {status}"),
                &run(&format, ScriptedResponse { head, chunks: vec![body], end: BodyEnd::Closes }),
            );
        }
        let page = format!("<html><title>{KEY}</title><p>{}{KEY}", "x".repeat(2040 - KEY.len()));
        let head = Head::Status { status: 200, content_type: leak, retry_after: None };
        let response = ScriptedResponse { head, chunks: vec![page.into_bytes()], end: BodyEnd::Closes };
        // If the page is shorter, a replay waits for the rest.
        check_redaction(&format!("{api} · a header"), &run(&format, response));
        let fails = copydesk_base::Error::FetchFailed { reason: format!("x-api-key: {KEY} is no header") };
        let response = ScriptedResponse { head: Head::Fails(fails), chunks: Vec::new(), end: BodyEnd::Closes };
        check(&format!("{api} · an error of fetch"), &run(&format, response));
    }
}
