//! Recordings as JSON. What is missing counts as nothing; what is wrong is an error that says where.

use super::body::{Like, Text};
use super::{Answer, Chunk, Exchange, FORMAT, Failure, Head, Input, Mark, Recording, Timer, base64};
use crate::error::Error;
use crate::fields::{Object, must_be, object, object_of_given, optional, required, take};
use serde_json::{Map, Value};

/// How deep a file may nest: as deep as a document, and a little more.
const MAX_BRACKETS: usize = 640;

type Read<T> = Result<T, String>;

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
    /// [`Error::InvalidRecording`], which says what is wrong and where; [`Error::TooDeep`].
    pub fn from_json(json: &str) -> Result<Recording, Error> {
        Recording::from_value(parse(json)?)
    }

    /// Out of JSON.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`], which says what is wrong and where.
    pub fn from_value(value: Value) -> Result<Recording, Error> {
        read(value).map_err(invalid)
    }
}

fn invalid(reason: String) -> Error {
    Error::InvalidRecording { reason }
}

fn read(mut value: Value) -> Read<Recording> {
    let value = &mut value;
    let format: usize = match optional(value, "format") {
        Ok(Some(format)) => format,
        _ => return Err("it is no recording of copydesk: it has no format".into()),
    };
    if format as u64 != FORMAT {
        return Err(format!("its format is {format}, and this version reads {FORMAT}"));
    }
    let recording = Recording {
        copydesk: optional(value, "copydesk")?.unwrap_or_default(),
        is_cut: flag(value, "isCut")?,
        settings: take(value, "settings"),
        schema: take(value, "schema"),
        before: read_document(take(value, "before")),
        after: read_document(take(value, "after")),
        messages: take(value, "messages"),
        requests: each(value, "requests", read_exchange)?,
        timers: each(value, "timers", read_timer)?,
        inputs: each(value, "inputs", read_input)?,
        answers: each(value, "answers", read_answer)?,
        random: each(value, "random", |number| number.as_f64().ok_or_else(|| " must be a number".into()))?,
        events: each(value, "events", Ok)?,
    };
    check_bodies(&recording)?;
    Ok(recording)
}

/// A body may be told by the one before it. That one has to be there, and as long as it has to be.
fn check_bodies(recording: &Recording) -> Read<()> {
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

fn write_exchange(exchange: &Exchange) -> Value {
    let headers = exchange.headers.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    let mut members = marked(exchange.sent, "at", 0.0);
    members.extend([
        ("method".into(), exchange.method.as_str().into()),
        ("url".into(), exchange.url.as_str().into()),
        ("headers".into(), Value::Object(headers.collect())),
        ("body".into(), exchange.body.as_ref().map(write_text).into()),
    ]);
    match &exchange.came {
        Some((mark, Ok(head))) => {
            let mut response = marked(*mark, "at", 0.0);
            response.extend([
                ("status".into(), head.status.into()),
                ("contentType".into(), head.content_type.as_str().into()),
                ("retryAfter".into(), head.retry_after.into()),
                ("chunks".into(), exchange.chunks.iter().map(|chunk| write_chunk(chunk, mark.at)).collect()),
            ]);
            if let Some((end, failure)) = &exchange.end {
                let mut members = marked(*end, "ms", mark.at);
                if let Some(failure) = failure {
                    members.insert("error".into(), write_failure(failure));
                }
                response.insert("end".into(), members.into());
            }
            members.insert("response".into(), response.into());
        }
        Some((mark, Err(failure))) => {
            let mut failed = marked(*mark, "at", 0.0);
            failed.insert("error".into(), write_failure(failure));
            members.insert("failed".into(), failed.into());
        }
        None => {}
    }
    members.into()
}

fn read_exchange(mut value: Value) -> Read<Exchange> {
    let value = &mut value;
    let headers: Map<String, Value> = optional(value, "headers")?.unwrap_or_default();
    let mut exchange = Exchange {
        sent: mark(value, "at", 0.0)?,
        method: required(value, "method")?,
        url: required(value, "url")?,
        headers: headers.into_iter().map(|(name, value)| (name, value.as_str().map(str::to_owned))).collect(),
        body: read_text(take(value, "body"))?,
        ..Exchange::default()
    };
    if let Some(Object(mut response)) = optional(value, "response")? {
        within("response", read_response(&mut exchange, &mut response))?;
    } else if let Some(Object(mut failed)) = optional(value, "failed")? {
        let failure = read_failure(take(&mut failed, "error"));
        exchange.came =
            Some(within("failed", mark(&mut failed, "at", 0.0).and_then(|mark| Ok((mark, Err(failure?)))))?);
    }
    Ok(exchange)
}

fn read_response(exchange: &mut Exchange, value: &mut Value) -> Read<()> {
    let began = mark(value, "at", 0.0)?;
    let status: usize = required(value, "status")?;
    let head = Head {
        status: status.try_into().map_err(|_| must_be("status", "an HTTP status"))?,
        content_type: optional(value, "contentType")?.unwrap_or_default(),
        retry_after: optional(value, "retryAfter")?,
    };
    exchange.came = Some((began, Ok(head)));
    exchange.chunks = each(value, "chunks", |chunk| read_chunk(chunk, began.at))?;
    if let Some(Object(mut end)) = optional(value, "end")? {
        let error = take(&mut end, "error");
        let failure = if error.is_null() { None } else { Some(within("end", read_failure(error))?) };
        exchange.end = Some((within("end", mark(&mut end, "ms", began.at))?, failure));
    }
    Ok(())
}

fn write_chunk(chunk: &Chunk, began: f64) -> Value {
    let mut members = marked(chunk.came, "ms", began);
    match std::str::from_utf8(&chunk.bytes) {
        Ok(text) => members.insert("text".into(), text.into()),
        Err(_) => members.insert("base64".into(), base64::encode(&chunk.bytes).into()),
    };
    members.into()
}

fn read_chunk(mut value: Value, began: f64) -> Read<Chunk> {
    let came = mark(&mut value, "ms", began)?;
    let bytes = match (optional::<String>(&mut value, "text")?, optional::<String>(&mut value, "base64")?) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(text)) => base64::decode(&text).ok_or_else(|| must_be("base64", "base64"))?,
        _ => return Err(" must have either text or base64".into()),
    };
    Ok(Chunk { came, bytes })
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

fn read_text(value: Value) -> Read<Option<Text>> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(Text { like: None, text })),
        mut value if value.is_object() => {
            let value = &mut value;
            let like = within("body", {
                let last = required(value, "last");
                required(value, "likeRequest").and_then(|request| Ok((request, required(value, "first")?, last?)))
            });
            let (request, first, last) = like?;
            Ok(Some(Text { like: Some(Like { request, first, last }), text: within("body", required(value, "text"))? }))
        }
        _ => Err(must_be("body", "a text")),
    }
}

fn write_failure(failure: &Failure) -> Value {
    object_of_given(&mut [
        ("code", failure.code.as_str().into()),
        ("what", failure.what.as_str().into()),
        ("ms", (failure.ms > 0).then_some(failure.ms).into()),
    ])
}

fn read_failure(mut value: Value) -> Read<Failure> {
    Ok(Failure {
        code: within("error", required(&mut value, "code"))?,
        what: within("error", optional(&mut value, "what"))?.unwrap_or_default(),
        ms: within("error", optional(&mut value, "ms"))?.unwrap_or_default(),
    })
}

fn write_timer(timer: &Timer) -> Value {
    let mut members = marked(timer.came, "at", 0.0);
    members.extend([("number".into(), timer.number.into()), ("ms".into(), timer.ms.into())]);
    members.into()
}

fn read_timer(mut value: Value) -> Read<Timer> {
    let number: usize = required(&mut value, "number")?;
    let ms = optional(&mut value, "ms")?.unwrap_or_default();
    Ok(Timer { came: mark(&mut value, "at", 0.0)?, number: number as u64, ms })
}

fn write_input(input: &Input) -> Value {
    let mut members = marked(input.came, "at", 0.0);
    members.extend([
        ("after".into(), input.after.into()),
        ("inside".into(), input.inside.into()),
        ("name".into(), input.name.as_str().into()),
        ("value".into(), input.value.clone()),
    ]);
    members.into()
}

fn read_input(mut value: Value) -> Read<Input> {
    let value = &mut value;
    let after: usize = optional(value, "after")?.unwrap_or_default();
    Ok(Input {
        came: mark(value, "at", 0.0)?,
        after: after as u64,
        inside: flag(value, "inside")?,
        name: required(value, "name")?,
        value: take(value, "value"),
    })
}

fn write_answer(answer: &Answer) -> Value {
    let said = |(mark, value): &(Mark, Value)| {
        let mut members = marked(*mark, "at", 0.0);
        members.insert("value".into(), value.clone());
        Value::Object(members)
    };
    object_of_given(&mut [
        ("what", answer.what.as_str().into()),
        ("id", answer.id.as_str().into()),
        ("updates", answer.updates.iter().map(said).collect()),
        ("said", answer.said.as_ref().map(said).into()),
    ])
}

fn read_answer(mut value: Value) -> Read<Answer> {
    let said = |mut value: Value| Ok((mark(&mut value, "at", 0.0)?, take(&mut value, "value")));
    let value = &mut value;
    Ok(Answer {
        what: required(value, "what")?,
        id: required(value, "id")?,
        updates: each(value, "updates", said)?,
        said: optional(value, "said")?.map(|Object(value)| within("said", said(value))).transpose()?,
    })
}

/// A mark as members; its time is counted from `began` and written under this name.
fn marked(mark: Mark, time: &str, began: f64) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("order".into(), mark.order.into());
    // A difference of two times has digits that nobody measured.
    members.insert(time.into(), (((mark.at - began) * 1000.0).round() / 1000.0).into());
    if mark.ready {
        members.insert("ready".into(), true.into());
    }
    members
}

fn mark(value: &mut Value, time: &str, began: f64) -> Read<Mark> {
    let order: usize = required(value, "order")?;
    let at: f64 = optional(value, time)?.unwrap_or_default();
    Ok(Mark { order: order as u64, at: ((at + began) * 1000.0).round() / 1000.0, ready: flag(value, "ready")? })
}

fn flag(value: &mut Value, name: &str) -> Read<bool> {
    Ok(optional(value, name)?.unwrap_or_default())
}

/// The items of an array; an error says in which of them.
fn each<T>(value: &mut Value, name: &str, read: impl Fn(Value) -> Read<T>) -> Read<Vec<T>> {
    let items: Vec<Value> = optional(value, name)?.unwrap_or_default();
    let item = |(at, item)| read(item).map_err(|reason| below(&format!("{name}[{at}]"), &reason));
    items.into_iter().enumerate().map(item).collect()
}

/// An error says below which field.
fn within<T>(name: &str, read: Read<T>) -> Read<T> {
    read.map_err(|reason| below(name, &reason))
}

fn below(name: &str, reason: &str) -> String {
    // What begins with a space is about the item itself.
    if reason.starts_with(' ') { format!("{name}{reason}") } else { format!("{name}.{reason}") }
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
/// [`Error::InvalidRecording`], [`Error::TooDeep`].
pub fn parse(json: &str) -> Result<Value, Error> {
    if brackets(json) > MAX_BRACKETS {
        return Err(Error::TooDeep { limit: MAX_BRACKETS });
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut deserializer);
    let value = value.and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error: serde_json::Error| invalid(format!("it is not JSON: {error}")))
}

/// How deep brackets nest in a JSON text.
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
