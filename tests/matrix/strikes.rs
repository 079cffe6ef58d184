//! Faults that occur at many positions, with the cases of each.

use crate::fault::Case;
use crate::fault::Comes::{self, Answer, Anything, Fails, Retried};
use crate::shape::Shape;
use crate::wire::{Event, Format, Stream};
use crate::world::{End, Head, KEY, Served};
use copydesk_base::Error;
use serde_json::Value;

/// The idle timeout, in milliseconds.
const IDLE: f64 = 60_000.0;
/// The longest wait for the usage of a finished answer, in milliseconds.
const FIGURES: f64 = 3_000.0;
/// The longest wait for the end of the connection after a finished answer, in milliseconds.
const LAST_BYTES: f64 = 200.0;
const RUN: f64 = 300_000.0;

/// Returns a stream of these chunks that is closed at its end.
pub fn closed(pieces: Vec<Vec<u8>>) -> Served {
    Served::stream(pieces, End::Closes)
}

pub fn split(bytes: &[u8], every: usize) -> Served {
    closed(bytes.chunks(every).map(<[u8]>::to_vec).collect())
}

/// Returns the same stream with changed text.
pub fn changed(stream: &Stream, change: impl Fn(&str) -> String) -> Vec<Case> {
    let body = change(&String::from_utf8(stream.pieces().concat()).unwrap()).into_bytes();
    vec![
        Case::new("", split(&body, body.len()), Answer).counted().at("whole"),
        Case::new("", split(&body, 1), Answer).counted().at("byte by byte"),
        Case::new("", split(&body, 7), Answer).counted().at("by sevens"),
    ]
}

/// Returns the events without some of them.
pub fn without(stream: &Stream, left_out: &[usize]) -> Served {
    let kept = stream.events.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
    closed(kept.map(|(_, event)| event.bytes()).collect())
}

/// Returns the events with these bytes before the one at `at`.
pub fn with(stream: &Stream, at: usize, bytes: Vec<u8>) -> Vec<Vec<u8>> {
    let mut pieces = stream.pieces();
    pieces.insert(at.min(pieces.len()), bytes);
    pieces
}

const BEFORE: &str = "before the finish";
const AFTER: &str = "after it";

/// Returns cases of a connection that ends at each boundary of events and within each event.
pub fn cut(stream: &Stream, then: &End) -> Vec<Case> {
    let pieces = stream.pieces();
    let mut cases = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let (when, comes) = if at > stream.finish { (AFTER, Answer) } else { (BEFORE, Retried("stream_cut")) };
        for within in [0, piece.len() / 2, piece.len() - 3] {
            // All positions within an event are equivalent, so one shape tests them.
            if within > piece.len() / 2 && at != stream.finish {
                continue;
            }
            let mut pieces = pieces[..at].to_vec();
            pieces.push(piece[..within].to_vec());
            let case = Case::new(when, Served::stream(pieces, then.clone()), comes).at(format!("{at}, {within}"));
            cases.push(if at + within > 0 { Case { also_for_ever: false, ..case } } else { case });
        }
    }
    cases.push(Case::new(AFTER, Served::stream(pieces, then.clone()), Answer).at("the end").counted());
    cases
}

/// Inserts an event at each boundary of events that ends an unfinished answer.
pub fn reported(stream: &Stream, event: &Event, code: &'static str) -> Vec<Case> {
    let cases = (0..=stream.events.len()).map(|at| {
        let over = stream.terminator.is_some_and(|terminator| at > terminator);
        let (when, comes) = if over { ("after the end", Answer) } else { ("", Retried(code)) };
        let case = Case::new(when, closed(with(stream, at, event.bytes())), comes).at(at);
        Case { also_for_ever: at == 0, ..case }
    });
    cases.collect()
}

/// Returns a response that is not a stream.
pub fn page(status: u16, content_type: &'static str, retry_after: Option<u64>, body: &str) -> Served {
    let head = Head::Status { status, content_type, retry_after };
    Served { head, pieces: vec![body.as_bytes().to_vec()], then: End::Closes }
}

pub fn refused(format: &Format, shape: &Shape, status: u16, comes: Comes) -> Vec<Case> {
    let body = (format.error_body)(status, &format!("No, {KEY}."));
    let html = format!("<html><title>{status} {KEY}</title></html>");
    let json = Case::new("", page(status, "application/json", None, &body), comes).at("JSON");
    if shape.name != "a text" {
        return vec![json];
    }
    vec![
        json,
        Case::new("", page(status, "text/html", None, &html), comes).at("a page"),
        Case::new("", page(status, "", None, ""), comes).at("no body"),
    ]
}

pub fn failed(error: Error, comes: Comes) -> Vec<Case> {
    vec![Case::new("", Served { head: Head::Fails(error), pieces: Vec::new(), then: End::Closes }, comes)]
}

pub fn origin() -> String {
    "https://llm.example".to_owned()
}

/// Returns the shape with chunks of 1 MiB, so that few of them exceed the limits.
fn grown(shape: &Shape) -> Shape {
    let long = "x".repeat(1 << 20);
    let mut shape = shape.clone();
    match shape.name {
        "one call" => shape.calls[0].arguments = vec!["{\"text\":\"".to_owned(), long, "\"}".to_owned()],
        "a text" => shape.text = vec![long],
        _ => (shape.thinking, shape.text) = (vec![long], Vec::new()),
    }
    shape
}

pub fn endless(format: &Format, shape: &Shape, stream: &Stream) -> Vec<Case> {
    let kind = match shape.name {
        "a text" => "a text",
        "thinking, then a text" => "thinking",
        "one call" => "arguments",
        _ => return Vec::new(),
    };
    let grown = (format.write)(&grown(shape));
    let more = grown.events.iter().position(|event| event.data.len() > 200_000).unwrap();
    let pieces = grown.pieces();
    let big = Served::stream(pieces[..more].to_vec(), End::Repeats(pieces[more].clone(), 0));
    let mut cases = vec![Case::new(kind, big, Fails("malformed_stream")).light()];
    if shape.name == "a text" {
        let ever = |start: &str, more: &str, every: u64| {
            Served::stream(vec![start.as_bytes().to_vec()], End::Repeats(more.as_bytes().to_vec(), every))
        };
        let long = "x".repeat(256 << 10);
        let lines = format!("data: {}\n", "x".repeat(4000)).repeat(64);
        let after = Served::stream(stream.pieces(), End::Repeats(b": more\n\n".to_vec(), 100));
        cases.extend([
            Case::new("one line", ever("data: ", &long, 0), Fails("malformed_stream")).light(),
            Case::new("one event", ever("data: x\n", &lines, 0), Fails("malformed_stream")).light(),
            Case::new("one JSON body", ever("{\"a\":\"", &long, 0), Fails("malformed_stream")).light(),
            Case::new("a page", ever("<html>", &long, 0), Fails("not_a_stream")).light(),
            Case::new("comments, one a second", ever("", ": wait\n\n", 1000), Fails("timeout")).waits(RUN).light(),
            // Only a terminator ends the answer; otherwise it ends after a pause of the server.
            Case::new("comments after the end", after, Answer)
                .waits(if stream.terminator.is_some() { LAST_BYTES } else { RUN + LAST_BYTES })
                .light(),
        ]);
    }
    cases
}

pub fn silent(stream: &Stream) -> Vec<Case> {
    let never = Served { head: Head::Never, pieces: Vec::new(), then: End::Closes };
    let mut cases = vec![Case::new(BEFORE, never, Retried("timeout")).waits(IDLE).at("no head")];
    let pieces = stream.pieces();
    for at in 0..=pieces.len() {
        let (when, comes) = if at > stream.finish { (AFTER, Answer) } else { (BEFORE, Retried("timeout")) };
        let over = stream.terminator.is_some_and(|terminator| at > terminator);
        let served = Served::stream(pieces[..at].to_vec(), End::Hangs);
        // Without a terminator usage may follow.
        let waits = match when {
            BEFORE => IDLE,
            _ if over => LAST_BYTES,
            _ => FIGURES + LAST_BYTES,
        };
        let case = Case::new(when, served, comes).waits(waits).at(at);
        cases.push(Case { also_for_ever: at == 1, ..case });
    }
    cases
}

/// Replaces every value in every event by each of these.
pub fn wrong_types(stream: &Stream) -> Vec<Case> {
    const WRONG: [&str; 7] =
        ["null", "true", "-1.5e300", "\"\"", "[]", "{}", r#"[{"type":"text","text":[{"index":-1}],"id":{}}]"#];
    let mut cases = Vec::new();
    let mut done: Vec<(String, String)> = Vec::new();
    for (at, event) in stream.events.iter().enumerate() {
        let Ok(value) = serde_json::from_str::<Value>(&event.data) else { continue };
        let mut paths = Vec::new();
        paths_of(&value, String::new(), &mut paths);
        for path in paths {
            let place = (event.name.clone(), path.clone());
            if done.contains(&place) {
                continue;
            }
            done.push(place);
            for wrong in WRONG {
                let mut other = value.clone();
                *other.pointer_mut(&path).unwrap() = serde_json::from_str(wrong).unwrap();
                let mut events = stream.clone();
                events.events[at] = Event { name: event.name.clone(), data: other.to_string() };
                let case = Case::new("", closed(events.pieces()), Anything).at(format!("{at}{path} = {wrong}"));
                cases.push(Case { also_for_ever: false, ..case });
            }
        }
    }
    cases
}

fn paths_of(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(at, value)| paths_of(value, format!("{path}/{at}"), paths));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| paths_of(value, format!("{path}/{name}"), paths))
        }
        _ => {}
    }
    paths.push(path);
}

pub fn replaced(pieces: Vec<Vec<u8>>, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
    let replace = |piece: Vec<u8>| {
        let mut made = Vec::new();
        let mut at = 0;
        while at < piece.len() {
            if piece[at..].starts_with(from) {
                made.extend_from_slice(to);
                at += from.len();
            } else {
                made.push(piece[at]);
                at += 1;
            }
        }
        made
    };
    pieces.into_iter().map(replace).collect()
}
