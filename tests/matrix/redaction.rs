//! A server that repeats the key, in every format and every part of a response, split at every position. The key must
//! not appear in any output.

use crate::formats;
use crate::random::Random;
use crate::shape::{Call, Shape};
use crate::wire::Format;
use crate::world::{End, Head, KEY, Served, World};
use copydesk_agent::Event;
use copydesk_agent::log::{Entry, Log, Logger};
use copydesk_base::host::Clock;
use copydesk_document::Document;
use copydesk_edit::DocumentCell;
use copydesk_recording::recorder::LIMIT;
use copydesk_recording::{Beginning, Recorder, Replay, ReplayAgent, playback};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The length in bytes of a part of a key that may appear where it was split.
const SEEN: usize = 4;

#[derive(Default)]
struct Kept(RefCell<Vec<Value>>);

impl Logger for Kept {
    fn log(&self, entry: Entry) {
        self.0.borrow_mut().push(entry.to_value());
    }
}

/// All output of a run.
struct Seen {
    events: Vec<Value>,
    all: Vec<(&'static str, Value)>,
    differs: Value,
}

/// Runs a prompt against a server with these responses and collects the output.
fn run(format: &Format, first: Served) -> Seen {
    let document = DocumentCell::new(Document::from_html("<p>Tea.</p>").unwrap());
    let (events, kept): (Rc<RefCell<Vec<Value>>>, Rc<Kept>) = Default::default();
    let recorder: RefCell<Option<Recorder>> = RefCell::default();
    let heard = events.clone();
    let last = Served::stream((format.write)(&Shape::says("Done.")).pieces(), End::Closes);
    let world = World::observed(
        format,
        vec![first],
        &last,
        Rc::new(move |event: Event| heard.borrow_mut().push(event.into())),
        document.clone(),
        Log::new(kept.clone()),
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
    let said: Vec<Value> = bodies.iter().map(|body| joined_texts(body.as_str().unwrap()).into()).collect();
    let all = vec![
        ("an event", events.iter().map(texts).collect::<Vec<_>>().into()),
        ("the text of all events", joined("content")),
        ("the thinking of all events", joined("thinking")),
        ("a message", world.agent.messages().into_iter().map(Value::from).collect()),
        ("the state", world.agent.state()),
        ("the result", json!(result)),
        ("the ledger", world.agent.ledger()),
        ("the log", kept.0.borrow().iter().filter(|entry| entry["message"] != "request body").cloned().collect()),
        ("the document", document.document().to_html().into()),
        ("the recording", recording.to_value()),
        ("a body in the recording", bodies.into()),
        ("the texts of a body in the recording", said.into()),
    ];
    let replay = Replay::new(recording);
    let stage = ReplayAgent::new(&replay, replay.recording().options().unwrap(), Rc::new(|_| {})).unwrap();
    let document = stage.document.clone();
    let clock = Over;
    let mut playing = pin!(playback::play(&replay, stage, &clock));
    let ended = loop {
        if let Poll::Ready(ended) = playing.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            break ended;
        }
    };
    Seen { events, all, differs: playback::differs(&replay, ended, &document) }
}

/// All timers fire at once, so that a stuck replay ends.
struct Over;

impl Clock for Over {
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

/// The texts of all events of a stream, joined by part.
fn joined_texts(body: &str) -> String {
    let mut places: Vec<(String, String)> = Vec::new();
    fn collect(value: &Value, place: &str, places: &mut Vec<(String, String)>) {
        match value {
            Value::String(text) => match places.iter_mut().find(|(known, _)| known == place) {
                Some((_, all)) => all.push_str(text),
                None => places.push((place.to_owned(), text.clone())),
            },
            Value::Array(items) => items.iter().for_each(|item| collect(item, &format!("{place}/0"), places)),
            Value::Object(members) => {
                members.iter().for_each(|(name, value)| collect(value, &format!("{place}/{name}"), places));
            }
            _ => {}
        }
    }
    for data in body.lines().filter_map(|line| line.strip_prefix("data:")) {
        if let Ok(value) = serde_json::from_str(data) {
            collect(&value, "", &mut places);
        }
    }
    places.into_iter().map(|(_, text)| text + "\n").collect()
}

/// Finds a part of the key that is longer than its first few letters.
fn check(what: &str, seen: &Seen) {
    check_places(what, seen);
    assert_eq!(seen.differs, Value::Null, "{what}: a replay went another way");
}

fn check_places(what: &str, seen: &Seen) {
    for (place, value) in &seen.all {
        let text = value.to_string();
        let parts = (0..KEY.len() - SEEN).map(|at| &KEY[at..=at + SEEN]);
        for part in parts.filter(|part| *part != &KEY[..=SEEN] || text.contains(KEY)) {
            assert!(!text.contains(part), "{what}: {part:?} of the key is in {place}: {text}");
        }
    }
}

fn streamed(format: &Format, shape: &Shape) -> Served {
    Served::stream((format.write)(shape).pieces(), End::Closes)
}

/// Returns chunks of a text that contains the key.
type Cut = fn(&str, &mut Random) -> Vec<String>;

fn at_one_place(text: &str, random: &mut Random) -> Vec<String> {
    let at = 1 + random.below(text.len() - 1);
    vec![text[..at].to_owned(), text[at..].to_owned()]
}

fn anywhere(text: &str, random: &mut Random) -> Vec<String> {
    let pieces = random.split(text.as_bytes(), 6).into_iter();
    pieces.map(|piece| String::from_utf8(piece.to_vec()).unwrap()).collect()
}

#[test]
fn a_key_in_what_a_model_says_is_seen_by_nobody_wherever_it_is_split() {
    let mut random = Random::new();
    for format in formats::all() {
        let text = format!("Your key is {KEY}, is it?");
        let start = text.find(KEY).unwrap();
        let at_each = (start..=start + KEY.len()).map(|at| vec![text[..at].to_owned(), text[at..].to_owned()]);
        let cuts: Vec<Vec<String>> = at_each
            .chain((0..8).map(|_| anywhere(&text, &mut random)))
            .chain([text.chars().map(String::from).collect(), vec![text.clone()]])
            .collect();
        for pieces in cuts {
            for part in ["text", "thinking", "refusal", "arguments"] {
                let what = format!("{} · {part} · {pieces:?}", format.api);
                let mut shape = Shape { text: vec!["Well.".into()], ..Shape::default() };
                match part {
                    "text" => shape.text = pieces.clone(),
                    "thinking" => shape.thinking = pieces.clone(),
                    "refusal" => (shape.text, shape.refusal) = (pieces.clone(), true),
                    _ => {
                        let mut arguments = pieces.clone();
                        arguments[0].insert_str(0, r#"{"operation":"append","title":"Key","content":"<p>"#);
                        arguments.last_mut().unwrap().push_str(r#"</p>"}"#);
                        shape.calls = vec![Call { id: "c1", arguments }];
                    }
                }
                let mut served = streamed(&format, &shape);
                named(&mut served, "update_section");
                let seen = run(&format, served);
                // A replay reports arguments in small chunks less often.
                if part == "arguments" && pieces.len() > 2 {
                    check_places(&what, &seen)
                } else {
                    check(&what, &seen)
                }
                let told = seen.all.iter().map(|(_, value)| value.to_string()).collect::<String>();
                let (before, after) =
                    if part == "arguments" { ("<p>Your key is ", ", is it?") } else { ("Your key is ", ", is it?") };
                assert!(told.contains(before) && told.contains(after), "{what}: the rest is lost: {told}");
                if part == "arguments" {
                    let (_, html) = seen.all.iter().find(|(place, _)| *place == "the document").unwrap();
                    assert_eq!(html, "<p>Tea.</p><h2>Key</h2><p>Your key is …, is it?</p>", "{what}");
                }
            }
        }
    }
}

/// Replaces the tool's name in the calls of an answer.
fn named(served: &mut Served, tool: &str) {
    for piece in &mut served.pieces {
        *piece = String::from_utf8_lossy(piece).replace("\"note\"", &Value::from(tool).to_string()).into_bytes();
    }
}

#[test]
fn a_key_that_comes_in_bytes_cut_anywhere_or_in_other_forms_is_seen_by_nobody() {
    let mut random = Random::new();
    let cuts: [Cut; 2] = [at_one_place, anywhere];
    for format in formats::all() {
        let arguments = json!({ "operation": "append", "title": KEY, "content": format!("<p>Bearer {KEY}</p>") });
        // JSON allows escapes for any letter.
        let escaped = arguments.to_string().replace(KEY, &KEY.replace('s', "\\u0073"));
        for arguments in
            [arguments.to_string(), escaped, r#"{"operation":"append","content":"sk-secret-of-the-matrix"#.into()]
        {
            let call = Call { id: "c1", arguments: anywhere(&arguments, &mut random) };
            let shape =
                Shape { text: vec![format!("Authorization: Bearer {KEY}")], calls: vec![call], ..Shape::default() };
            let mut served = streamed(&format, &shape);
            named(&mut served, "update_section");
            for cut in cuts {
                let body = String::from_utf8(served.pieces.concat()).unwrap();
                let pieces = cut(&body, &mut random).into_iter().map(String::into_bytes).collect();
                let mut seen = run(&format, Served { pieces, ..served.clone() });
                if arguments.contains("\\u0073") {
                    // A recording contains the server's bytes; servers do not escape letters.
                    seen.all.retain(|(place, _)| !place.contains("recording"));
                }
                check_places(&format!("{} · {arguments}", format.api), &seen);
            }
        }
    }
}

#[test]
fn a_key_in_a_name_an_id_an_error_or_a_header_is_seen_by_nobody() {
    let leak: &'static str = "text/sk-secret-of-the-matrix";
    for format in formats::all() {
        let api = format.api;
        let call = Call { id: "c1", arguments: vec!["{}".into()] };
        let shape = Shape { calls: vec![call.clone()], ..Shape::default() };
        let mut served = streamed(&format, &shape);
        named(&mut served, KEY);
        check(&format!("{api} · a name"), &run(&format, served));

        let shape = Shape { calls: vec![Call { id: KEY, ..call }], ..Shape::default() };
        check(&format!("{api} · an id"), &run(&format, streamed(&format, &shape)));

        let words = format!("The key {KEY} or Bearer {KEY} is wrong");
        let error = Served::stream(vec![(format.error_event)(&words).bytes()], End::Closes);
        let seen = run(&format, error);
        check(&format!("{api} · an error in the stream"), &seen);
        assert!(
            seen.events.iter().any(|event| event["error"].as_str().is_some_and(|error| error.contains("The key …")))
        );

        for status in [400, 401, 404, 500] {
            let body = (format.error_body)(status, &words).into_bytes();
            let head = Head::Status { status, content_type: "application/json", retry_after: None };
            check(&format!("{api} · {status}"), &run(&format, Served { head, pieces: vec![body], then: End::Closes }));
        }
        let page = format!("<html><title>{KEY}</title><p>{}{KEY}", "x".repeat(2040 - KEY.len()));
        let head = Head::Status { status: 200, content_type: leak, retry_after: None };
        let served = Served { head, pieces: vec![page.into_bytes()], then: End::Closes };
        // If the page is shorter, a replay waits for the rest.
        check_places(&format!("{api} · a header"), &run(&format, served));
        let fails = copydesk_base::Error::FetchFailed { reason: format!("x-api-key: {KEY} is no header") };
        let served = Served { head: Head::Fails(fails), pieces: Vec::new(), then: End::Closes };
        check(&format!("{api} · what fetch throws"), &run(&format, served));
    }
}
