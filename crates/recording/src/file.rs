//! The file format of recordings: these structs, as JSON.
//!
//! Every item that arrived ends with three fields: `order`, its position in the order of arrival; `at`, the
//! milliseconds since the recording began (`ms` since the response began, within a response); and `ready`, present if
//! nothing had to wait for it.
//!
//! A missing field has its default. A wrong one is an error that names its path. Documents may be nested deeper than
//! `serde_json` reads by itself, so files go through [`parse`].

use crate::Error;
use crate::body::StoredText;
use crate::failure::Failure;
use base64::prelude::{BASE64_STANDARD, Engine};
use copydesk_base::decode;
use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// The version of the file format. A format that reads differently has another number.
pub const FORMAT: u64 = 1;

/// The maximum nesting of brackets in a file: that of a document, and a little more.
const MAX_BRACKETS: usize = 640;

/// Everything that an agent received from its host, and the events that it reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recording {
    /// The version of copydesk that wrote it.
    pub copydesk: String,
    /// The version of the file format.
    pub format: FormatVersion,
    /// True if the recording reached its limit, so that later items are missing.
    pub is_cut: bool,
    /// The options of the agent, without keys.
    pub settings: Value,
    /// The schema of the document as the app gave it; null for TipTap's own.
    pub schema: Value,
    /// The document before, as JSON text.
    #[serde(with = "document_json")]
    pub before: String,
    /// The document after, as JSON text; empty if unknown.
    #[serde(with = "document_json")]
    pub after: String,
    /// The conversation before.
    pub messages: Value,
    /// The requests, in the order in which they were sent.
    pub requests: Vec<Exchange>,
    /// The timers that went off.
    pub timers: Vec<Timer>,
    /// The calls of the user and the app.
    pub inputs: Vec<Input>,
    /// The calls of the app's tools and hooks, with their answers.
    pub answers: Vec<AppAnswer>,
    /// The random numbers that were drawn.
    pub random: Vec<f64>,
    /// The events of the agent, as [`event_value`](crate::event_value) returns them.
    pub events: Vec<Value>,
}

/// The version of the file format; [`FORMAT`] by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormatVersion(u64);

impl Default for FormatVersion {
    fn default() -> FormatVersion {
        FormatVersion(FORMAT)
    }
}

/// The time of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeMark {
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    pub at: f64,
    /// States that nothing had to wait for it.
    pub ready: bool,
}

/// A request and its response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// `GET` or `POST`.
    pub method: String,
    /// The URL, without secrets.
    pub url: String,
    /// The headers. The value is null unless it is never secret.
    #[serde(default)]
    pub headers: Map<String, Value>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<StoredText>,
    /// The response, if one began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<RecordedResponse>,
    /// The error in place of a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<Failed>,
    /// Position of the request in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// Always set: a request is sent at once.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// A response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedResponse {
    /// The HTTP status.
    #[serde(deserialize_with = "http_status")]
    pub status: u16,
    /// The `content-type`, or empty.
    #[serde(default)]
    pub content_type: String,
    /// The delay that the server asks for before a retry, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// The body.
    #[serde(default)]
    pub chunks: Vec<RecordedChunk>,
    /// The end of the body; `None` if the body was not read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<ResponseEnd>,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// A request without a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// The reason.
    pub error: Failure,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// A chunk of a response, as the network delivered it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ChunkRow", into = "ChunkRow")]
pub struct RecordedChunk {
    /// The bytes. A character may be split between two chunks.
    pub bytes: Vec<u8>,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the response began.
    pub ms: f64,
    /// States that nothing had to wait for it.
    pub ready: bool,
}

/// A chunk in the file: text if the bytes are UTF-8, else base64.
#[derive(Serialize, Deserialize)]
struct ChunkRow {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "base64_text")]
    base64: Option<Vec<u8>>,
    order: u64,
    #[serde(default)]
    ms: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    ready: bool,
}

impl TryFrom<ChunkRow> for RecordedChunk {
    type Error = &'static str;

    fn try_from(row: ChunkRow) -> Result<RecordedChunk, &'static str> {
        let ChunkRow { text, base64, order, ms, ready } = row;
        let bytes = match (text, base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(bytes)) => bytes,
            _ => return Err("either text or base64"),
        };
        Ok(RecordedChunk { bytes, order, ms, ready })
    }
}

impl From<RecordedChunk> for ChunkRow {
    fn from(chunk: RecordedChunk) -> ChunkRow {
        let RecordedChunk { bytes, order, ms, ready } = chunk;
        let (text, base64) = match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None),
            Err(error) => (None, Some(error.into_bytes())),
        };
        ChunkRow { text, base64, order, ms, ready }
    }
}

/// The end of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseEnd {
    /// The reason why the response broke off; `None` if it was complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the response began.
    #[serde(default)]
    pub ms: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// A timer that went off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Timer {
    /// Zero-based index of the timer.
    pub number: u64,
    /// The delay for which it was set, in milliseconds.
    #[serde(default)]
    pub ms: u64,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// Something that the user or the app did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// The number of the last event before it; 0 before the first event.
    #[serde(default)]
    pub after: u64,
    /// States that a listener of this event did it, before anything else happened.
    #[serde(default)]
    pub inside: bool,
    /// The index of the answer of the tool or hook that did it while the agent waited for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during_answer: Option<usize>,
    /// The index of the request during which the app's own `fetch` did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub during_request: Option<usize>,
    /// The name of the input, such as `prompt`, `abort` or `sync`: see [`inputs`](crate::inputs).
    pub name: String,
    /// The parameters.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// A function of the app that the agent has called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum During {
    /// A tool or a hook: the index of its answer.
    Answer(usize),
    /// The app's own `fetch`: the index of the request.
    Request(usize),
}

/// A call of a tool or a hook of the app.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppAnswer {
    /// The name of the call: `tool`, `beforeToolCall` …
    pub what: String,
    /// The id of the tool call, or empty.
    pub id: String,
    /// The progress that was reported before the answer.
    #[serde(default)]
    pub updates: Vec<RecordedValue>,
    /// The answer; `None` if nobody waited for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<RecordedValue>,
}

/// A value that a function of the app returned or reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedValue {
    /// The value.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// Position in the order of arrival.
    pub order: u64,
    /// Milliseconds since the recording began.
    #[serde(default)]
    pub at: f64,
    /// States that nothing had to wait for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ready: bool,
}

/// An item that arrived at a time of its own.
pub trait Arrival {
    /// Returns the time of arrival.
    fn mark(&self) -> TimeMark;
}

macro_rules! arrivals {
    ($($row:ty),*) => { $(
        impl Arrival for $row {
            fn mark(&self) -> TimeMark {
                TimeMark { order: self.order, at: self.at, ready: self.ready }
            }
        }
    )* };
}

arrivals!(Exchange, RecordedResponse, Failed, Timer, Input, RecordedValue);

impl RecordedResponse {
    /// Returns the time at which a chunk or the end of this response arrived.
    pub fn mark_of(&self, order: u64, ms: f64, ready: bool) -> TimeMark {
        TimeMark { order, at: rounded(self.at + ms), ready }
    }
}

impl Exchange {
    /// Returns the position at which the response or the error arrived.
    pub fn answered(&self) -> Option<u64> {
        let began = self.response.as_ref().map(|response| response.order);
        began.or(self.failed.as_ref().map(|failed| failed.order))
    }
}

impl Input {
    /// Returns the function of the app that did it, while the agent waited for it.
    pub fn during(&self) -> Option<During> {
        self.during_answer.map(During::Answer).or(self.during_request.map(During::Request))
    }
}

impl Recording {
    /// Returns the recording as JSON.
    pub fn to_value(&self) -> Value {
        json!(self)
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`] with the problem and its path; [`copydesk_document::Error::TooDeep`].
    pub fn from_json(json: &str) -> Result<Recording, Error> {
        Recording::from_value(&parse(json)?)
    }

    /// Reads a recording from JSON.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`] with the problem and its path.
    pub fn from_value(value: &Value) -> Result<Recording, Error> {
        match value.get("format").and_then(decode::count) {
            Some(FORMAT) => {}
            Some(other) => return Err(invalid(format!("its format is {other}, and this version reads {FORMAT}"))),
            None => return Err(invalid("it is no recording of copydesk: it has no format".into())),
        }
        let recording: Recording = decode::from_value(value).map_err(|error| invalid(error.to_string()))?;
        recording.check_bodies().map_err(invalid)?;
        Ok(recording)
    }

    /// Checks that each body that is stored as a difference refers to the body before it, and fits it.
    fn check_bodies(&self) -> Result<(), String> {
        let mut last: Option<(usize, String)> = None;
        for (at, exchange) in self.requests.iter().enumerate() {
            let Some(body) = &exchange.body else { continue };
            let earlier = last.take();
            let is_there = match (body.like, &earlier) {
                (Some(like), Some((before, _))) => like.request == *before,
                (like, _) => like.is_none(),
            };
            let whole = body.whole(earlier.as_ref().map_or("", |(_, body)| body)).filter(|_| is_there);
            let whole =
                whole.ok_or_else(|| format!("requests[{at}].body is like a part of a body that is not there"))?;
            last = Some((at, whole));
        }
        Ok(())
    }
}

fn invalid(reason: String) -> Error {
    Error::InvalidRecording { reason }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Returns a time with no more digits than were measured.
pub(crate) fn rounded(ms: f64) -> f64 {
    (ms * 1000.0).round() / 1000.0
}

fn http_status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let status = u64::deserialize(deserializer)?;
    let invalid = |_| D::Error::invalid_value(Unexpected::Unsigned(status), &"an HTTP status");
    status.try_into().map_err(invalid)
}

/// Bytes as base64.
mod base64_text {
    use super::*;

    pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        bytes.as_ref().map(|bytes| BASE64_STANDARD.encode(bytes)).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let invalid = || D::Error::invalid_value(Unexpected::Str(&text), &"base64");
        BASE64_STANDARD.decode(&text).map(Some).map_err(|_| invalid())
    }
}

/// A document: JSON text in memory, JSON in the file. Text other than JSON stays text.
mod document_json {
    use super::*;

    pub fn serialize<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
        let document = match json {
            "" => Value::Null,
            json => parse(json).unwrap_or_else(|_| json.into()),
        };
        document.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::Null => String::new(),
            Value::String(json) => json,
            value => value.to_string(),
        })
    }
}

/// Parses JSON that may be nested deeper than `serde_json` reads by itself.
///
/// # Errors
/// [`Error::InvalidRecording`], [`copydesk_document::Error::TooDeep`].
pub fn parse(json: &str) -> Result<Value, Error> {
    if brackets(json) > MAX_BRACKETS {
        return Err(copydesk_document::Error::TooDeep { limit: MAX_BRACKETS }.into());
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = Deserialize::deserialize(&mut deserializer);
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
