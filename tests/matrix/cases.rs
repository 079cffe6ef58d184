//! Builders of cases, for faults that take more than a line.

use crate::fault::Case;
use crate::fault::FaultOutcome::{self, Answer, Anything, Fails, Retried};
use crate::shape::Shape;
use crate::wire::{Event, Format, Stream};
use crate::world::{BodyEnd, Head, KEY, ScriptedResponse};
use copydesk_base::Error;
use serde_json::Value;

/// The idle timeout, in milliseconds.
const IDLE_TIMEOUT: f64 = 60_000.0;
/// The longest wait for the usage of a finished answer, in milliseconds.
const USAGE_TIMEOUT: f64 = 3_000.0;
/// The longest wait for the end of the connection after a finished answer, in milliseconds.
const CLOSE_TIMEOUT: f64 = 200.0;
/// The time limit of a run, in milliseconds.
const RUN_TIMEOUT: f64 = 300_000.0;

/// Returns a stream of these chunks that is closed at its end.
pub fn stream_of(chunks: Vec<Vec<u8>>) -> ScriptedResponse {
    ScriptedResponse::stream(chunks, BodyEnd::Closes)
}

/// Returns a stream of these bytes in chunks of `size`.
pub fn in_chunks(bytes: &[u8], size: usize) -> ScriptedResponse {
    stream_of(bytes.chunks(size).map(<[u8]>::to_vec).collect())
}

/// Returns cases of a stream whose changed text must have the same outcome.
pub fn rewritten(stream: &Stream, rewrite: impl Fn(&str) -> String) -> Vec<Case> {
    let body = rewrite(&String::from_utf8(stream.chunks().concat()).unwrap()).into_bytes();
    vec![
        Case::new("", in_chunks(&body, body.len()), Answer).with_usage().at("whole"),
        Case::new("", in_chunks(&body, 1), Answer).with_usage().at("byte by byte"),
        Case::new("", in_chunks(&body, 7), Answer).with_usage().at("by sevens"),
    ]
}

/// Returns the events without some of them.
pub fn without(stream: &Stream, left_out: &[usize]) -> ScriptedResponse {
    let rest = stream.events.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
    stream_of(rest.map(|(_, event)| event.bytes()).collect())
}

/// Returns the chunks of the events with these bytes before the event `at`.
pub fn inserted(stream: &Stream, at: usize, bytes: Vec<u8>) -> Vec<Vec<u8>> {
    let mut chunks = stream.chunks();
    chunks.insert(at.min(chunks.len()), bytes);
    chunks
}

const BEFORE: &str = "before the finish";
const AFTER: &str = "after it";

/// Returns cases of a connection that ends like this at each boundary of events and within each event.
pub fn disconnected(stream: &Stream, end: &BodyEnd) -> Vec<Case> {
    let chunks = stream.chunks();
    let mut cases = Vec::new();
    for (at, chunk) in chunks.iter().enumerate() {
        let (when, outcome) = if at > stream.finish { (AFTER, Answer) } else { (BEFORE, Retried("stream_cut")) };
        for within in [0, chunk.len() / 2, chunk.len() - 3] {
            // All positions within an event are equivalent, so one shape tests them.
            if within > chunk.len() / 2 && at != stream.finish {
                continue;
            }
            let mut chunks = chunks[..at].to_vec();
            chunks.push(chunk[..within].to_vec());
            let case =
                Case::new(when, ScriptedResponse::stream(chunks, end.clone()), outcome).at(format!("{at}, {within}"));
            cases.push(if at + within > 0 { Case { also_persistent: false, ..case } } else { case });
        }
    }
    cases.push(Case::new(AFTER, ScriptedResponse::stream(chunks, end.clone()), Answer).at("the end").with_usage());
    cases
}

/// Returns cases with this event at each boundary of events. It ends an unfinished answer.
pub fn error_events(stream: &Stream, event: &Event, code: &'static str) -> Vec<Case> {
    let cases = (0..=stream.events.len()).map(|at| {
        let over = stream.terminator.is_some_and(|terminator| at > terminator);
        let (when, outcome) = if over { ("after the end", Answer) } else { ("", Retried(code)) };
        let case = Case::new(when, stream_of(inserted(stream, at, event.bytes())), outcome).at(at);
        Case { also_persistent: at == 0, ..case }
    });
    cases.collect()
}

/// Returns a response that is not a stream.
pub fn plain_response(
    status: u16,
    content_type: &'static str,
    retry_after: Option<u64>,
    body: &str,
) -> ScriptedResponse {
    let head = Head::Status { status, content_type, retry_after };
    ScriptedResponse { head, chunks: vec![body.as_bytes().to_vec()], end: BodyEnd::Closes }
}

/// Returns cases of a response with this status.
pub fn error_responses(format: &Format, shape: &Shape, status: u16, outcome: FaultOutcome) -> Vec<Case> {
    let body = (format.error_body)(status, &format!("No, {KEY}."));
    let html = format!("<html><title>{status} {KEY}</title></html>");
    let json = Case::new("", plain_response(status, "application/json", None, &body), outcome).at("JSON");
    if shape.name != "a text" {
        return vec![json];
    }
    vec![
        json,
        Case::new("", plain_response(status, "text/html", None, &html), outcome).at("a page"),
        Case::new("", plain_response(status, "", None, ""), outcome).at("no body"),
    ]
}

/// Returns the case of a request that fails.
pub fn failed_request(error: Error, outcome: FaultOutcome) -> Vec<Case> {
    vec![Case::new(
        "",
        ScriptedResponse { head: Head::Fails(error), chunks: Vec::new(), end: BodyEnd::Closes },
        outcome,
    )]
}

/// The origin of the server.
pub fn origin() -> String {
    "https://llm.example".to_owned()
}

/// Returns the shape with chunks of 1 MiB, so that few of them exceed the limits.
fn enlarged(shape: &Shape) -> Shape {
    let long = "x".repeat(1 << 20);
    let mut shape = shape.clone();
    match shape.name {
        "one call" => shape.calls[0].arguments = vec!["{\"text\":\"".to_owned(), long, "\"}".to_owned()],
        "a text" => shape.text = vec![long],
        _ => (shape.thinking, shape.text) = (vec![long], Vec::new()),
    }
    shape
}

/// Returns cases of streams without end.
pub fn endless(format: &Format, shape: &Shape, stream: &Stream) -> Vec<Case> {
    let kind = match shape.name {
        "a text" => "a text",
        "thinking, then a text" => "thinking",
        "one call" => "arguments",
        _ => return Vec::new(),
    };
    let enlarged = (format.write)(&enlarged(shape));
    let more = enlarged.events.iter().position(|event| event.data.len() > 200_000).unwrap();
    let chunks = enlarged.chunks();
    let big = ScriptedResponse::stream(chunks[..more].to_vec(), BodyEnd::Repeats(chunks[more].clone(), 0));
    let mut cases = vec![Case::new(kind, big, Fails("malformed_stream")).once()];
    if shape.name == "a text" {
        let repeated = |start: &str, more: &str, every: u64| {
            ScriptedResponse::stream(vec![start.as_bytes().to_vec()], BodyEnd::Repeats(more.as_bytes().to_vec(), every))
        };
        let long = "x".repeat(256 << 10);
        let lines = format!("data: {}\n", "x".repeat(4000)).repeat(64);
        let after = ScriptedResponse::stream(stream.chunks(), BodyEnd::Repeats(b": more\n\n".to_vec(), 100));
        cases.extend([
            Case::new("one line", repeated("data: ", &long, 0), Fails("malformed_stream")).once(),
            Case::new("one event", repeated("data: x\n", &lines, 0), Fails("malformed_stream")).once(),
            Case::new("one JSON body", repeated("{\"a\":\"", &long, 0), Fails("malformed_stream")).once(),
            Case::new("a page", repeated("<html>", &long, 0), Fails("not_a_stream")).once(),
            Case::new("comments, one a second", repeated("", ": wait\n\n", 1000), Fails("timeout"))
                .waits(RUN_TIMEOUT)
                .once(),
            // Only a terminator ends the answer; otherwise it ends after a pause of the server.
            Case::new("comments after the end", after, Answer)
                .waits(if stream.terminator.is_some() { CLOSE_TIMEOUT } else { RUN_TIMEOUT + CLOSE_TIMEOUT })
                .once(),
        ]);
    }
    cases
}

/// Returns cases of a connection that stays open without further bytes, after each number of events.
pub fn stalled(stream: &Stream) -> Vec<Case> {
    let never = ScriptedResponse { head: Head::Never, chunks: Vec::new(), end: BodyEnd::Closes };
    let mut cases = vec![Case::new(BEFORE, never, Retried("timeout")).waits(IDLE_TIMEOUT).at("no head")];
    let chunks = stream.chunks();
    for at in 0..=chunks.len() {
        let (when, outcome) = if at > stream.finish { (AFTER, Answer) } else { (BEFORE, Retried("timeout")) };
        let over = stream.terminator.is_some_and(|terminator| at > terminator);
        let response = ScriptedResponse::stream(chunks[..at].to_vec(), BodyEnd::Hangs);
        // Without a terminator usage may follow.
        let waits = match when {
            BEFORE => IDLE_TIMEOUT,
            _ if over => CLOSE_TIMEOUT,
            _ => USAGE_TIMEOUT + CLOSE_TIMEOUT,
        };
        let case = Case::new(when, response, outcome).waits(waits).at(at);
        cases.push(Case { also_persistent: at == 1, ..case });
    }
    cases
}

/// Returns cases in which one value of one event is replaced by a value of another type.
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
            let position = (event.name.clone(), path.clone());
            if done.contains(&position) {
                continue;
            }
            done.push(position);
            for wrong in WRONG {
                let mut other = value.clone();
                *other.pointer_mut(&path).unwrap() = serde_json::from_str(wrong).unwrap();
                let mut events = stream.clone();
                events.events[at] = Event { name: event.name.clone(), data: other.to_string() };
                let case = Case::new("", stream_of(events.chunks()), Anything).at(format!("{at}{path} = {wrong}"));
                cases.push(Case { also_persistent: false, ..case });
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

/// Returns the chunks with `from` replaced by `to` within each.
pub fn replaced(chunks: Vec<Vec<u8>>, from: &[u8], to: &[u8]) -> Vec<Vec<u8>> {
    let replace = |chunk: Vec<u8>| {
        let mut made = Vec::new();
        let mut at = 0;
        while at < chunk.len() {
            if chunk[at..].starts_with(from) {
                made.extend_from_slice(to);
                at += from.len();
            } else {
                made.push(chunk[at]);
                at += 1;
            }
        }
        made
    };
    chunks.into_iter().map(replace).collect()
}
