//! Decoding of answers: the parts that all formats share.
//!
//! The first byte tells the kind of body: events, JSON (an answer that was not streamed, or an error with status
//! 200), or a page. The JSON values of events are passed to the format's [`EventReader`].

use super::http_error::{message_in, says};
use super::partial_answer::{EventReader, PartialAnswer};
use super::surrogates::replace_lone_surrogates;
use super::{Api, AssistantMessage, Delta, Usage, format, limits, sse};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::Secrets;
use serde::de::Error as _;
use serde_json::Value;
use std::fmt;

/// Decodes the response to [`request`](super::request()) from the bytes of a 2xx response.
///
/// Deltas before an error are not lost: the push that contains both returns the deltas, and the next call returns the
/// error.
pub struct Decoder {
    content_type: String,
    secrets: Secrets,
    body: BodyKind,
    /// The beginning of the body, which is quoted if it is not a stream.
    head: Vec<u8>,
    failed: Option<Error>,
    ended: bool,
    reader: Box<dyn EventReader>,
    partial: PartialAnswer,
}

/// Kind of body, by its first byte that is not white space.
enum BodyKind {
    Unknown,
    Events(sse::SseParser),
    Json(Vec<u8>),
    Page,
}

/// Bytes of the beginning of a body that are kept for error messages.
const HEAD_BYTES: usize = 2048;

impl Decoder {
    /// Returns a decoder. `content_type` is quoted if the response is not a stream; `secrets` are redacted wherever a
    /// server repeats them.
    pub fn new(api: Api, content_type: &str, secrets: &Secrets) -> Decoder {
        Decoder {
            content_type: excerpt(&secrets.redact(content_type)),
            secrets: secrets.clone(),
            body: BodyKind::Unknown,
            head: Vec::new(),
            failed: None,
            ended: false,
            reader: format::reader(api),
            partial: PartialAnswer::new(secrets),
        }
    }

    /// Recognizes calls of these tools that the model wrote as text. `run` states that they are calls, because the
    /// server reads none; otherwise [`AssistantMessage::text_calls`] names their tools.
    pub fn recognizing_calls(mut self, tools: Vec<String>, run: bool) -> Decoder {
        self.partial.recognize_calls(tools, run);
        self
    }

    /// Returns whether the server ended the stream.
    pub fn is_done(&self) -> bool {
        self.partial.done
    }

    /// Returns whether the model has finished; only usage may follow.
    pub fn is_finished(&self) -> bool {
        self.partial.is_finished()
    }

    /// Returns the token counts so far, if the server reported them.
    pub fn usage(&self) -> Option<Usage> {
        self.partial.usage()
    }

    /// Decodes the next bytes, split anywhere, and returns their deltas.
    ///
    /// Fails with [`Error::Provider`] for an error inside the stream, [`Error::NotAStream`] for a page,
    /// [`Error::MalformedStream`] for data that is not of the format or exceeds the [`limits`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, Error> {
        self.run_step(|decoder| decoder.take_bytes(bytes))
    }

    /// Ends the input and returns the deltas that were held back: of a last event without its blank line, or of an
    /// answer in one JSON body.
    pub fn end(&mut self) -> Result<Vec<Delta>, Error> {
        if std::mem::replace(&mut self.ended, true) {
            return self.run_step(|_| Ok(()));
        }
        self.run_step(|decoder| {
            decoder.take_end()?;
            decoder.partial.end()
        })
    }

    /// Returns the complete answer, or the error that explains why there is none. Calls [`end`](Decoder::end) if that
    /// was not done.
    ///
    /// An answer needs an ending: a finish reason, or the server's end marker. Otherwise the error is
    /// [`Error::StreamCut`]. An answer that the provider's filter stopped is kept if it is text only, because the
    /// user has read it already; with calls, or empty, it is [`Error::ContentFilter`].
    pub fn finish(mut self) -> Result<AssistantMessage, Error> {
        if !self.ended {
            self.end()?;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        let none = self.no_answer();
        self.partial.done &= !self.reader.requires_finish();
        self.partial.into_message()?.ok_or(none)
    }

    /// Runs one step; its deltas are returned before its error.
    fn run_step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<Vec<Delta>, Error> {
        if self.failed.is_none() {
            self.failed = step(self).err();
            self.partial.emit_arguments();
        }
        let deltas = std::mem::take(&mut self.partial.deltas);
        match &self.failed {
            Some(error) if deltas.is_empty() => Err(error.clone()),
            _ => Ok(deltas),
        }
    }

    fn take_bytes(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        if matches!(self.body, BodyKind::Unknown) {
            // A byte order mark may be split; no supported body begins with one of its bytes.
            let space = |byte: &u8| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte);
            let Some(start) = bytes.iter().position(|byte| !space(byte)) else { return Ok(()) };
            bytes = &bytes[start..];
            self.body = match bytes[0] {
                b'{' | b'[' => BodyKind::Json(Vec::new()),
                b'<' => BodyKind::Page,
                _ => BodyKind::Events(sse::SseParser::default()),
            };
        }
        let room = HEAD_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        match &mut self.body {
            BodyKind::Unknown => Ok(()),
            BodyKind::Page if self.head.len() < HEAD_BYTES => Ok(()),
            BodyKind::Page => Err(self.not_a_stream()),
            BodyKind::Json(body) if body.len() + bytes.len() > limits::BODY_BYTES => {
                Err(limits::too_long("the answer", limits::BODY_BYTES))
            }
            BodyKind::Json(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            BodyKind::Events(parser) => {
                let mut events = Vec::new();
                let parsed = parser.push(bytes, &mut events);
                for event in &events {
                    self.take_event(event)?;
                }
                // Data after the last event is ignored.
                if self.partial.done { Ok(()) } else { parsed }
            }
        }
    }

    fn take_end(&mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.body, BodyKind::Unknown) {
            BodyKind::Unknown => Ok(()),
            BodyKind::Page => Err(self.not_a_stream()),
            BodyKind::Json(body) => self.take_body(&body),
            BodyKind::Events(mut parser) => {
                let mut events = Vec::new();
                parser.end(&mut events)?;
                for event in &events {
                    match self.take_event(event) {
                        // Half an event. After the finish reason it can only be the usage.
                        Err(Error::MalformedStream { .. }) if !self.is_finished() => return Err(Error::StreamCut),
                        Err(Error::MalformedStream { .. }) => {}
                        taken => taken?,
                    }
                }
                Ok(())
            }
        }
    }

    /// Decodes an answer in JSON: of a server that does not stream, or an error with status 200.
    fn take_body(&mut self, body: &[u8]) -> Result<(), Error> {
        let text = String::from_utf8_lossy(body);
        let (values, has_lone_surrogates) = match parse(&text) {
            Ok(parsed) => parsed,
            Err(error) if error.is_eof() => return Err(Error::StreamCut),
            Err(_) => return Err(self.not_a_stream()),
        };
        for value in &values {
            self.take_value(value, "", has_lone_surrogates)?;
        }
        if self.partial.answered {
            self.partial.done = true;
            return Ok(());
        }
        match values.first().filter(|value| message_in(value).is_some()) {
            Some(error) => Err(self.partial.server_error(error)),
            None => Err(self.not_a_stream()),
        }
    }

    fn take_event(&mut self, event: &sse::ServerEvent) -> Result<(), Error> {
        let mut data = event.data.trim();
        if self.partial.done {
            return Ok(());
        }
        // If the blank line before it is missing, it is the last line of the event before.
        let done = data.ends_with("[DONE]");
        while let Some(rest) = data.strip_suffix("[DONE]") {
            data = rest.trim_end();
        }
        self.partial.has_lone_surrogates = false;
        let was_plain = event.name != "error" && self.reader.read_plain(data, &mut self.partial)?;
        if !was_plain && !data.is_empty() {
            match parse(data) {
                Ok((values, has_lone_surrogates)) => {
                    for value in &values {
                        if event.name == "error" {
                            return Err(self.partial.server_error(value));
                        }
                        self.take_value(value, &event.name, has_lone_surrogates)?;
                    }
                }
                Err(_) if event.name == "error" => return Err(self.partial.server_error(&data.into())),
                // Events such as `event: ping`.
                Err(_) if !self.reader.is_json(&event.name) => {}
                Err(error) => {
                    return Err(Error::MalformedStream { reason: format!("an event is not JSON ({error})") });
                }
            }
        }
        self.partial.done |= done;
        Ok(())
    }

    fn take_value(&mut self, value: &Value, event: &str, has_lone_surrogates: bool) -> Result<(), Error> {
        if let Value::Array(values) = value {
            return values.iter().try_for_each(|value| self.take_value(value, event, has_lone_surrogates));
        }
        let is_error = |field| value.get(field).and_then(Value::as_str) == Some("error");
        if says(value.get("error")) || is_error("object") || is_error("type") {
            return Err(self.partial.server_error(value));
        }
        self.partial.has_lone_surrogates = has_lone_surrogates;
        self.reader.read(value, event, &mut self.partial)
    }

    fn no_answer(&self) -> Error {
        let fields = [&b":"[..], b"data", b"event", b"id", b"retry"];
        let begun = |field: &&[u8]| field.iter().zip(&self.head).all(|(expected, byte)| expected == byte);
        if self.head.is_empty() || self.partial.answered || fields.iter().any(begun) {
            return Error::StreamCut;
        }
        self.not_a_stream()
    }

    fn not_a_stream(&self) -> Error {
        // The stored beginning may end in the middle of a key.
        let head = self.secrets.redact_unfinished(&String::from_utf8_lossy(&self.head));
        Error::NotAStream { content_type: self.content_type.clone(), excerpt: excerpt(&head) }
    }
}

/// Returns the JSON values in the data of an event, usually one, and whether lone surrogates were replaced in them.
fn parse(data: &str) -> Result<(Vec<Value>, bool), serde_json::Error> {
    if limits::has_too_many_values(data) {
        return Err(serde_json::Error::custom("it has too many values"));
    }
    if let Ok(value) = serde_json::from_str(data) {
        return Ok((vec![value], false));
    }
    let replaced = replace_lone_surrogates(data, true);
    // Several, if the blank lines between events are missing.
    let values = serde_json::Deserializer::from_str(replaced.as_deref().unwrap_or(data)).into_iter();
    Ok((values.collect::<Result<_, _>>()?, replaced.is_some()))
}

// Omits the key and text of the document, which must not be logged.
impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.is_finished();
        f.debug_struct("Decoder").field("finished", &finished).field("failed", &self.failed).finish_non_exhaustive()
    }
}
