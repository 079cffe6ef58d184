//! Recordings as JSON. A missing field has its default; a wrong one is an error that names its path.

use super::body::{Like, Text};
use super::{Answer, Chunk, During, Exchange, FORMAT, Failure, Head, Input, Mark, Recording, Timer};
use crate::Error;
use copydesk_base::base64;
use copydesk_base::fields::{Field, count, object, object_of_given, optional, take};
use serde_json::{Map, Value};

/// The deepest nesting of a file: that of a document, and a little more.
const MAX_BRACKETS: usize = 640;

impl Recording {
    /// As JSON: `{copydesk, format, settings, schema, before, after, messages, requests, timers, inputs, answers, random, events}`.
    /// The chunks of an answer are text where they are, else base64; their `ms` count from when it began.
    pub fn to_value(&self) -> Value {
        object(&mut [
            ("copydesk", self.copydesk.as_str().into()),
            ("format", FORMAT.into()),
            ("isCut", self.is_cut.into()),
            ("settings", self.settings.clone()),
            ("schema", self.schema.clone()),
            ("before", document(&self.before)),
            ("after", document(&self.after)),
            ("messages", self.messages.clone()),
            ("requests", self.requests.iter().map(write_exchange).collect()),
            ("timers", self.timers.iter().map(write_timer).collect()),
            ("inputs", self.inputs.iter().map(write_input).collect()),
            ("answers", self.answers.iter().map(write_answer).collect()),
            ("random", self.random.iter().copied().map(Value::from).collect()),
            ("events", self.events.clone().into()),
        ])
    }

    /// Out of JSON text.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`], which says what is wrong and where; [`copydesk_document::Error::TooDeep`].
    pub fn from_json(json: &str) -> Result<Recording, Error> {
        Recording::from_value(parse(json)?)
    }

    /// Out of JSON.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`], which says what is wrong and where.
    pub fn from_value(mut value: Value) -> Result<Recording, Error> {
        let value = &mut value;
        let format: usize = match optional(value, "format") {
            Ok(Some(format)) => format,
            _ => return Err(invalid("it is no recording of copydesk: it has no format".into())),
        };
        if format as u64 != FORMAT {
            return Err(invalid(format!("its format is {format}, and this version reads {FORMAT}")));
        }
        let mut reader = Reader::default();
        let mut recording = Recording {
            copydesk: reader.given(value, "copydesk"),
            is_cut: reader.given(value, "isCut"),
            settings: take(value, "settings"),
            schema: take(value, "schema"),
            before: read_document(take(value, "before")),
            after: read_document(take(value, "after")),
            messages: take(value, "messages"),
            events: reader.given(value, "events"),
            ..Recording::default()
        };
        reader.each(value, "requests", &mut |reader, value| recording.requests.push(read_exchange(reader, value)));
        reader.each(value, "timers", &mut |reader, value| recording.timers.push(read_timer(reader, value)));
        reader.each(value, "inputs", &mut |reader, value| recording.inputs.push(read_input(reader, value)));
        reader.each(value, "answers", &mut |reader, value| recording.answers.push(read_answer(reader, value)));
        reader.each(value, "random", &mut |reader, value| {
            recording.random.push(reader.it(value.as_f64(), "a number"));
        });
        let checked = reader.wrong.map_or_else(|| check_bodies(&recording), Err);
        checked.map(|()| recording).map_err(invalid)
    }
}

fn invalid(reason: String) -> Error {
    Error::InvalidRecording { reason }
}

/// A body may be told by the one before it. That one has to be there, and as long as it has to be.
fn check_bodies(recording: &Recording) -> Result<(), String> {
    let mut last: Option<(usize, String)> = None;
    for (at, exchange) in recording.requests.iter().enumerate() {
        let Some(body) = &exchange.body else { continue };
        let earlier = last.take();
        let is_there = match (body.like, &earlier) {
            (Some(like), Some((before, _))) => like.request == *before,
            (like, _) => like.is_none(),
        };
        let whole = body.whole(earlier.as_ref().map_or("", |(_, body)| body)).filter(|_| is_there);
        let whole = whole.ok_or_else(|| format!("requests[{at}].body is like a part of a body that is not there"))?;
        last = Some((at, whole));
    }
    Ok(())
}

/// Reads fields, and keeps the first that is wrong: what comes after it is read and thrown away.
#[derive(Default)]
struct Reader {
    /// The path of the current value, such as `requests[1].response`.
    place: String,
    wrong: Option<String>,
}

impl Reader {
    /// A field, or nothing where it is missing.
    fn given<T: Field + Default>(&mut self, value: &mut Value, name: &str) -> T {
        let given = take(value, name);
        if given.is_null() {
            return T::default();
        }
        let read = T::read(given);
        self.field(name, read, T::EXPECTED)
    }

    /// A field that must be there.
    fn required<T: Field + Default>(&mut self, value: &mut Value, name: &str) -> T {
        let read = T::read(take(value, name));
        self.field(name, read, T::EXPECTED)
    }

    fn field<T: Default>(&mut self, name: &str, read: Option<T>, expected: &str) -> T {
        let Some(read) = read else {
            self.at(name, &mut |reader| reader.complain(expected));
            return T::default();
        };
        read
    }

    /// The current value as a whole.
    fn it<T: Default>(&mut self, read: Option<T>, expected: &str) -> T {
        if read.is_none() {
            self.complain(expected);
        }
        read.unwrap_or_default()
    }

    fn complain(&mut self, expected: &str) {
        if self.wrong.is_none() {
            self.wrong = Some([&self.place, " must be ", expected].concat());
        }
    }

    /// Reads below a name.
    fn at(&mut self, name: &str, read: &mut dyn FnMut(&mut Reader)) {
        let length = self.place.len();
        if length > 0 && !name.starts_with('[') {
            self.place.push('.');
        }
        self.place.push_str(name);
        read(self);
        self.place.truncate(length);
    }

    /// Reads an object, where it is there.
    fn object(&mut self, value: &mut Value, name: &str, read: &mut dyn FnMut(&mut Reader, &mut Value)) {
        let mut value = take(value, name);
        self.at(name, &mut |reader| match &value {
            Value::Null => {}
            Value::Object(_) => read(reader, &mut value),
            _ => reader.complain("an object"),
        });
    }

    /// Reads the items of an array.
    fn each(&mut self, value: &mut Value, name: &str, read: &mut dyn FnMut(&mut Reader, &mut Value)) {
        let mut items: Vec<Value> = self.given(value, name);
        self.at(name, &mut |reader| {
            for (at, item) in items.iter_mut().enumerate() {
                reader.at(&format!("[{at}]"), &mut |reader| read(reader, item));
            }
        });
    }

    /// When something came; its time counts from `began` and has this name.
    fn mark(&mut self, value: &mut Value, time: &str, began: f64) -> Mark {
        let order: usize = self.required(value, "order");
        let at: f64 = self.given(value, time);
        Mark { order: order as u64, at: rounded(at + began), ready: self.given(value, "ready") }
    }
}

/// Times have no more digits than somebody has measured.
fn rounded(ms: f64) -> f64 {
    (ms * 1000.0).round() / 1000.0
}

/// Something that came: when, and these members as far as they are there.
fn row(mark: Mark, time: &str, began: f64, members: &mut [(&str, Value)]) -> Value {
    let mut value = object_of_given(members);
    value["order"] = mark.order.into();
    value[time] = rounded(mark.at - began).into();
    if mark.ready {
        value["ready"] = true.into();
    }
    value
}

fn write_exchange(exchange: &Exchange) -> Value {
    let headers = exchange.headers.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    let (mut response, mut failed) = (Value::Null, Value::Null);
    match &exchange.came {
        Some((mark, Ok(head))) => {
            let end = exchange.end.as_ref().map(|(end, failure)| {
                row(*end, "ms", mark.at, &mut [("error", failure.as_ref().map(write_failure).into())])
            });
            response = row(
                *mark,
                "at",
                0.0,
                &mut [
                    ("status", head.status.into()),
                    ("contentType", head.content_type.as_str().into()),
                    ("retryAfter", head.retry_after.into()),
                    ("chunks", exchange.chunks.iter().map(|chunk| write_chunk(chunk, mark.at)).collect()),
                    ("end", end.into()),
                ],
            );
        }
        Some((mark, Err(failure))) => failed = row(*mark, "at", 0.0, &mut [("error", write_failure(failure))]),
        None => {}
    }
    row(
        exchange.sent,
        "at",
        0.0,
        &mut [
            ("method", exchange.method.as_str().into()),
            ("url", exchange.url.as_str().into()),
            ("headers", Value::Object(headers.collect())),
            ("body", exchange.body.as_ref().map(write_text).into()),
            ("response", response),
            ("failed", failed),
        ],
    )
}

fn read_exchange(reader: &mut Reader, value: &mut Value) -> Exchange {
    let headers: Map<String, Value> = reader.given(value, "headers");
    let mut exchange = Exchange {
        sent: reader.mark(value, "at", 0.0),
        method: reader.required(value, "method"),
        url: reader.required(value, "url"),
        headers: headers.into_iter().map(|(name, value)| (name, value.as_str().map(str::to_owned))).collect(),
        body: read_text(reader, take(value, "body")),
        ..Exchange::default()
    };
    reader.object(value, "failed", &mut |reader, value| {
        let mark = reader.mark(value, "at", 0.0);
        reader.object(value, "error", &mut |reader, value| {
            exchange.came = Some((mark, Err(read_failure(reader, value))));
        });
    });
    reader.object(value, "response", &mut |reader, value| read_response(reader, value, &mut exchange));
    exchange
}

fn read_response(reader: &mut Reader, value: &mut Value, exchange: &mut Exchange) {
    let began = reader.mark(value, "at", 0.0);
    let status: usize = reader.required(value, "status");
    let head = Head {
        status: reader.field("status", status.try_into().ok(), "an HTTP status"),
        content_type: reader.given(value, "contentType"),
        retry_after: Some(take(value, "retryAfter")).filter(|ms| !ms.is_null()).and_then(|ms| count(&ms)),
    };
    exchange.came = Some((began, Ok(head)));
    reader.each(value, "chunks", &mut |reader, value| exchange.chunks.push(read_chunk(reader, value, began.at)));
    reader.object(value, "end", &mut |reader, value| {
        let mut failure = None;
        reader.object(value, "error", &mut |reader, value| failure = Some(read_failure(reader, value)));
        exchange.end = Some((reader.mark(value, "ms", began.at), failure));
    });
}

fn write_chunk(chunk: &Chunk, began: f64) -> Value {
    let bytes = match std::str::from_utf8(&chunk.bytes) {
        Ok(text) => ("text", text.into()),
        Err(_) => ("base64", base64::encode(&chunk.bytes).into()),
    };
    row(chunk.came, "ms", began, &mut [bytes])
}

fn read_chunk(reader: &mut Reader, value: &mut Value, began: f64) -> Chunk {
    let came = reader.mark(value, "ms", began);
    let bytes = match (take(value, "text"), take(value, "base64")) {
        (Value::String(text), Value::Null) => text.into_bytes(),
        (Value::Null, Value::String(text)) => reader.field("base64", base64::decode(&text), "base64"),
        _ => reader.it(None, "either text or base64"),
    };
    Chunk { came, bytes }
}

fn write_text(body: &Text) -> Value {
    let Some(Like { request, first, last }) = body.like else { return body.text.as_str().into() };
    object(&mut [
        ("likeRequest", request.into()),
        ("first", first.into()),
        ("last", last.into()),
        ("text", body.text.as_str().into()),
    ])
}

fn read_text(reader: &mut Reader, mut value: Value) -> Option<Text> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(Text { like: None, text }),
        _ => {
            let mut text = Text::default();
            reader.at("body", &mut |reader| {
                let like = Like {
                    request: reader.required(&mut value, "likeRequest"),
                    first: reader.required(&mut value, "first"),
                    last: reader.required(&mut value, "last"),
                };
                text = Text { like: Some(like), text: reader.required(&mut value, "text") };
            });
            Some(text)
        }
    }
}

fn write_failure(failure: &Failure) -> Value {
    object_of_given(&mut [
        ("code", failure.code.as_str().into()),
        ("what", failure.what.as_str().into()),
        ("ms", (failure.ms > 0).then_some(failure.ms).into()),
    ])
}

fn read_failure(reader: &mut Reader, value: &mut Value) -> Failure {
    Failure { code: reader.required(value, "code"), what: reader.given(value, "what"), ms: reader.given(value, "ms") }
}

fn write_timer(timer: &Timer) -> Value {
    row(timer.came, "at", 0.0, &mut [("number", timer.number.into()), ("ms", timer.ms.into())])
}

fn read_timer(reader: &mut Reader, value: &mut Value) -> Timer {
    let number: usize = reader.required(value, "number");
    Timer { came: reader.mark(value, "at", 0.0), number: number as u64, ms: reader.given(value, "ms") }
}

fn write_input(input: &Input) -> Value {
    let (answer, request) = match input.during {
        Some(During::Answer(at)) => (Some(at), None),
        Some(During::Request(at)) => (None, Some(at)),
        None => (None, None),
    };
    let mut members = [
        ("after", input.after.into()),
        ("inside", input.inside.into()),
        ("duringAnswer", answer.into()),
        ("duringRequest", request.into()),
        ("name", input.name.as_str().into()),
        ("value", input.value.clone()),
    ];
    row(input.came, "at", 0.0, &mut members)
}

fn read_input(reader: &mut Reader, value: &mut Value) -> Input {
    let after: usize = reader.given(value, "after");
    let mut index = |name| {
        let at = take(value, name);
        (!at.is_null()).then(|| reader.field(name, usize::read(at), usize::EXPECTED))
    };
    let during = index("duringAnswer").map(During::Answer).or(index("duringRequest").map(During::Request));
    Input {
        came: reader.mark(value, "at", 0.0),
        after: after as u64,
        inside: reader.given(value, "inside"),
        during,
        name: reader.required(value, "name"),
        value: take(value, "value"),
    }
}

fn write_said((mark, value): &(Mark, Value)) -> Value {
    row(*mark, "at", 0.0, &mut [("value", value.clone())])
}

fn read_said(reader: &mut Reader, value: &mut Value) -> (Mark, Value) {
    (reader.mark(value, "at", 0.0), take(value, "value"))
}

fn write_answer(answer: &Answer) -> Value {
    object_of_given(&mut [
        ("what", answer.what.as_str().into()),
        ("id", answer.id.as_str().into()),
        ("updates", answer.updates.iter().map(write_said).collect()),
        ("said", answer.said.as_ref().map(write_said).into()),
    ])
}

fn read_answer(reader: &mut Reader, value: &mut Value) -> Answer {
    let mut answer =
        Answer { what: reader.required(value, "what"), id: reader.required(value, "id"), ..Answer::default() };
    reader.each(value, "updates", &mut |reader, value| answer.updates.push(read_said(reader, value)));
    reader.object(value, "said", &mut |reader, value| answer.said = Some(read_said(reader, value)));
    answer
}

/// A document as JSON, or as text where it is none that can be read.
fn document(json: &str) -> Value {
    if json.is_empty() { Value::Null } else { parse(json).unwrap_or_else(|_| json.into()) }
}

fn read_document(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(json) => json,
        value => value.to_string(),
    }
}

/// JSON that may nest deeper than serde_json reads by itself.
///
/// # Errors
/// [`Error::InvalidRecording`], [`copydesk_document::Error::TooDeep`].
pub fn parse(json: &str) -> Result<Value, Error> {
    if brackets(json) > MAX_BRACKETS {
        return Err(copydesk_document::Error::TooDeep { limit: MAX_BRACKETS }.into());
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut deserializer);
    let value = value.and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error: serde_json::Error| invalid(format!("it is not JSON: {error}")))
}

/// Returns the depth of nesting of brackets in a JSON text.
fn brackets(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
