//! What comes back.

use super::chunk;
use crate::error::{Error, excerpt, without_key};
use crate::llm::http_error::message_in;
use crate::llm::surrogates::Joiner;
use crate::llm::tool_calls::{Calls, Piece};
use crate::llm::{Answer, Delta, Usage, limits, sse};
use serde_json::Value;
use std::fmt;

/// Reads the answer to [`request`](super::request) from the bytes of a 2xx response.
///
/// An error comes after everything that was good before it: where a push brought both, the deltas come from that
/// push and the error from the next call.
pub struct Decoder {
    content_type: String,
    key: Option<String>,
    body: Body,
    /// The beginning of the body, to quote where it is not a stream.
    head: Vec<u8>,
    failed: Option<Error>,
    ended: bool,
    /// `[DONE]` came, or a JSON body was whole.
    done: bool,
    saw_choices: bool,
    /// The provider's id of the answer.
    id: String,
    text: Flow,
    thinking: Flow,
    refusal: Flow,
    calls: Calls,
    finish: String,
    usage: Option<Usage>,
    /// What was kept so far, in bytes.
    kept: usize,
}

/// What the body is, by its first byte that is not space.
#[derive(Debug)]
enum Body {
    Unknown,
    Events(sse::Parser),
    Json(Vec<u8>),
    Page,
}

/// One of the texts of an answer.
#[derive(Debug, Default)]
struct Flow {
    all: String,
    joiner: Joiner,
}

/// How much of the beginning of a body is kept to quote it, in bytes.
const HEAD_BYTES: usize = 2048;

impl Decoder {
    /// `content_type` is quoted where the answer is no stream; `key` is blotted out wherever a server echoes it.
    pub fn new(content_type: &str, key: Option<&str>) -> Decoder {
        Decoder {
            content_type: excerpt(content_type),
            key: key.map(str::to_owned),
            body: Body::Unknown,
            head: Vec::new(),
            failed: None,
            ended: false,
            done: false,
            saw_choices: false,
            id: String::new(),
            text: Flow::default(),
            thinking: Flow::default(),
            refusal: Flow::default(),
            calls: Calls::default(),
            finish: String::new(),
            usage: None,
            kept: 0,
        }
    }

    /// Whether the server said that nothing more comes (`[DONE]`).
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the model was done: what may still come are figures.
    pub fn is_finished(&self) -> bool {
        self.done || !self.finish.is_empty()
    }

    /// Takes the next bytes, split anywhere, and gives what they brought.
    ///
    /// Errors: [`Error::Provider`] for an error inside the stream, [`Error::NotAStream`] for a page,
    /// [`Error::MalformedStream`] for what is not of the format or beyond the [`limits`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, Error> {
        self.settle(|decoder, deltas| decoder.take_bytes(bytes, deltas))
    }

    /// Says that no more bytes come, and gives what was held back until then: a last event without its blank line,
    /// an answer that came as one JSON body.
    pub fn end(&mut self) -> Result<Vec<Delta>, Error> {
        if std::mem::replace(&mut self.ended, true) {
            return self.settle(|_, _| Ok(()));
        }
        self.settle(|decoder, deltas| {
            decoder.take_end(deltas)?;
            for (flow, delta) in [
                (&mut decoder.text, Delta::Text as fn(String) -> Delta),
                (&mut decoder.thinking, Delta::Thinking),
                (&mut decoder.refusal, Delta::Refusal),
            ] {
                let owed = flow.joiner.end();
                if !owed.is_empty() {
                    flow.all.push_str(owed);
                    deltas.push(delta(owed.to_owned()));
                }
            }
            decoder.calls.end(deltas);
            Ok(())
        })
    }

    /// The whole answer, or why there is none. Calls [`end`](Decoder::end) if nobody did.
    ///
    /// An answer needs an ending: a `finish_reason` that says something, or `[DONE]`. Without, it is
    /// [`Error::StreamCut`]. An answer that the provider's filter stopped is kept when it is text alone, because the
    /// person has read it already; with calls, or with nothing, it is [`Error::ContentFilter`].
    pub fn finish(mut self) -> Result<Answer, Error> {
        if !self.ended {
            self.end()?;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        let says_something = !self.text.all.is_empty() || !self.refusal.all.is_empty() || !self.calls.is_empty();
        match self.finish.as_str() {
            "" if !(self.done && (says_something || !self.thinking.all.is_empty())) => return Err(self.no_answer()),
            // `sensitive` is Zhipu's.
            "content_filter" | "sensitive" if !self.calls.is_empty() || !says_something => {
                return Err(Error::ContentFilter);
            }
            // OpenRouter and Mistral; Zhipu; DeepSeek.
            "error" | "network_error" | "insufficient_system_resource" => {
                return Err(Error::Provider { message: self.finish });
            }
            _ => {}
        }
        let cut = matches!(self.finish.as_str(), "length" | "model_length" | "max_tokens");
        Ok(Answer {
            text: self.text.all,
            thinking: self.thinking.all,
            refusal: self.refusal.all,
            tool_calls: self.calls.finish(cut),
            finish: self.finish,
            usage: self.usage,
        })
    }

    /// Runs one step; what it brought goes out before its error does.
    fn settle(
        &mut self,
        step: impl FnOnce(&mut Self, &mut Vec<Delta>) -> Result<(), Error>,
    ) -> Result<Vec<Delta>, Error> {
        let mut deltas = Vec::new();
        if self.failed.is_none() {
            self.failed = step(self, &mut deltas).err();
            self.calls.show(&mut deltas);
        }
        match &self.failed {
            Some(error) if deltas.is_empty() => Err(error.clone()),
            _ => Ok(deltas),
        }
    }

    fn take_bytes(&mut self, mut bytes: &[u8], deltas: &mut Vec<Delta>) -> Result<(), Error> {
        if matches!(self.body, Body::Unknown) {
            // A byte order mark may be split, and nothing that we read begins with one of its bytes.
            let space = |byte: &u8| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte);
            let Some(start) = bytes.iter().position(|byte| !space(byte)) else { return Ok(()) };
            bytes = &bytes[start..];
            self.body = match bytes[0] {
                b'{' | b'[' => Body::Json(Vec::new()),
                b'<' => Body::Page,
                _ => Body::Events(sse::Parser::default()),
            };
        }
        let room = HEAD_BYTES - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        match &mut self.body {
            Body::Unknown => Ok(()),
            Body::Page if self.head.len() < HEAD_BYTES => Ok(()),
            Body::Page => Err(self.not_a_stream()),
            Body::Json(body) if body.len() + bytes.len() > limits::BODY_BYTES => {
                Err(too_long("the answer", limits::BODY_BYTES))
            }
            Body::Json(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            Body::Events(parser) => {
                let mut events = Vec::new();
                let parsed = parser.push(bytes, &mut events);
                for event in &events {
                    self.take_event(event, deltas)?;
                }
                // What comes after `[DONE]` is not read.
                if self.done { Ok(()) } else { parsed }
            }
        }
    }

    fn take_end(&mut self, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        match std::mem::replace(&mut self.body, Body::Unknown) {
            Body::Unknown => Ok(()),
            Body::Page => Err(self.not_a_stream()),
            Body::Json(body) => self.take_body(&body, deltas),
            Body::Events(mut parser) => {
                let mut events = Vec::new();
                parser.end(&mut events)?;
                for event in &events {
                    match self.take_event(event, deltas) {
                        // Half an event. After a finish it can only have been the usage.
                        Err(Error::MalformedStream { .. }) if self.finish.is_empty() => return Err(Error::StreamCut),
                        Err(Error::MalformedStream { .. }) => {}
                        taken => taken?,
                    }
                }
                Ok(())
            }
        }
    }

    /// An answer that is one JSON value: a server that does not stream, or an error with status 200.
    fn take_body(&mut self, body: &[u8], deltas: &mut Vec<Delta>) -> Result<(), Error> {
        let text = String::from_utf8_lossy(body);
        let (values, mended) = match chunk::parse(&text) {
            Ok(parsed) => parsed,
            Err(error) if error.is_eof() => return Err(Error::StreamCut),
            Err(_) => return Err(self.not_a_stream()),
        };
        for value in &values {
            self.take_value(value, mended, deltas)?;
        }
        if self.saw_choices {
            self.done = true;
            return Ok(());
        }
        Err(match values.first().and_then(message_in) {
            Some(message) => self.provider(&message),
            None => self.not_a_stream(),
        })
    }

    fn take_event(&mut self, event: &sse::Event, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        let mut data = event.data.trim();
        if self.done {
            return Ok(());
        }
        // Where the blank line before it is missing, it is the last line of the event before.
        let done = data.ends_with("[DONE]");
        if done {
            data = data.trim_end_matches("[DONE]").trim_end();
        }
        if !data.is_empty() {
            match chunk::parse(data) {
                Ok((values, mended)) => {
                    for value in &values {
                        if event.name == "error" {
                            return Err(self.provider(&message_in(value).unwrap_or_default()));
                        }
                        self.take_value(value, mended, deltas)?;
                    }
                }
                Err(_) if event.name == "error" => return Err(self.provider(data)),
                // `event: ping` and the like.
                Err(_) if !matches!(event.name.as_str(), "" | "message") => {}
                Err(error) => {
                    return Err(Error::MalformedStream { reason: format!("an event is not JSON ({error})") });
                }
            }
        }
        self.done = done;
        Ok(())
    }

    fn take_value(&mut self, value: &Value, mended: bool, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        if let Value::Array(values) = value {
            return values.iter().try_for_each(|value| self.take_value(value, mended, deltas));
        }
        if chunk::says(value.get("error")) || value.get("object").and_then(Value::as_str) == Some("error") {
            return Err(self.provider(&message_in(value).unwrap_or_default()));
        }
        if let Some(id) = value.get("id").and_then(Value::as_str).filter(|_| self.id.is_empty()) {
            self.id = id.chars().take(64).collect();
        }
        // Groq puts it into a field of its own.
        for holder in [value.get("x_groq"), Some(value)].into_iter().flatten() {
            self.take_usage(holder);
        }
        for choice in value.get("choices").and_then(Value::as_array).into_iter().flatten() {
            self.saw_choices = true;
            self.take_choice(choice, mended, deltas)?;
        }
        Ok(())
    }

    // Only one choice is asked for. Where a server sends several all the same, their pieces come as one answer.
    fn take_choice(&mut self, choice: &Value, mended: bool, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        if chunk::says(choice.get("error")) {
            return Err(self.provider(&message_in(choice).unwrap_or_default()));
        }
        self.take_usage(choice);
        let delta = choice.get("delta").filter(|delta| delta.is_object());
        // A whole message is an answer that was not streamed; after deltas, it says once more what they said.
        let nothing_yet = self.text.all.is_empty() && self.thinking.all.is_empty() && self.calls.is_empty();
        let message = choice.get("message").filter(|_| nothing_yet);
        if let Some(delta) = delta.or(message) {
            self.take_delta(delta, mended, deltas)?;
        }
        if let Some(finish) = choice.get("finish_reason").and_then(Value::as_str)
            && !finish.is_empty()
        {
            self.finish = excerpt(finish);
        }
        Ok(())
    }

    fn take_delta(&mut self, delta: &Value, mended: bool, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        // Some servers send the same thinking under two names.
        let plain = ["reasoning_content", "reasoning", "reasoning_text"].iter();
        let plain = plain.filter_map(|field| delta.get(*field)?.as_str()).find(|text| !text.is_empty());
        let mut thinking = String::new();
        match plain {
            Some(text) => thinking.push_str(text),
            None => chunk::collect_text(delta.get("reasoning_details"), &mut thinking),
        }
        let mut text = String::new();
        match delta.get("content") {
            Some(Value::String(content)) => text.push_str(content),
            Some(parts) => chunk::split_parts(parts, &mut text, &mut thinking),
            None => {}
        }
        let refusal = delta.get("refusal").and_then(Value::as_str).unwrap_or_default();
        self.keep(thinking.len() + text.len() + refusal.len())?;
        if let Some(more) = self.thinking.take(&thinking, mended) {
            match deltas.last_mut() {
                Some(Delta::Thinking(last)) => last.push_str(&more),
                _ => deltas.push(Delta::Thinking(more)),
            }
        }
        if let Some(more) = self.text.take(&text, mended) {
            match deltas.last_mut() {
                Some(Delta::Text(last)) => last.push_str(&more),
                _ => deltas.push(Delta::Text(more)),
            }
        }
        if let Some(more) = self.refusal.take(refusal, mended) {
            deltas.push(Delta::Refusal(more));
        }
        match delta.get("tool_calls") {
            Some(Value::Array(calls)) => calls.iter().try_for_each(|call| self.take_call(call, mended, deltas)),
            Some(call @ Value::Object(_)) => self.take_call(call, mended, deltas),
            _ => Ok(()),
        }
    }

    fn take_call(&mut self, call: &Value, mended: bool, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        let function = call.get("function").unwrap_or(&Value::Null);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let (id, name) = (text(call.get("id")), text(function.get("name")));
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            // The arguments themselves instead of their JSON text.
            Some(value) => value.to_string(),
        };
        self.keep(id.len() + name.len() + arguments.len())?;
        let index = call.get("index").and_then(Value::as_u64);
        let piece = Piece { id: &id, index, name: &name, arguments: &arguments, mended };
        self.calls.take(&piece, &self.id, deltas)
    }

    /// The last count wins: it comes with the finish, after it without choices, inside a choice, or growing.
    fn take_usage(&mut self, holder: &Value) {
        if let Some(usage) = holder.get("usage").and_then(chunk::usage) {
            self.usage = Some(usage);
        }
    }

    fn keep(&mut self, bytes: usize) -> Result<(), Error> {
        self.kept += bytes;
        if self.kept > limits::ANSWER_BYTES { Err(too_long("the answer", limits::ANSWER_BYTES)) } else { Ok(()) }
    }

    fn provider(&self, message: &str) -> Error {
        Error::Provider { message: excerpt(&without_key(message, self.key.as_deref())) }
    }

    fn no_answer(&self) -> Error {
        let fields = [&b":"[..], b"data", b"event", b"id", b"retry"];
        let begun = |field: &&[u8]| field.iter().zip(&self.head).all(|(expected, byte)| expected == byte);
        if self.head.is_empty() || self.saw_choices || fields.iter().any(begun) {
            return Error::StreamCut;
        }
        self.not_a_stream()
    }

    fn not_a_stream(&self) -> Error {
        let mut head = without_key(&String::from_utf8_lossy(&self.head), self.key.as_deref());
        if self.head.len() == HEAD_BYTES {
            // A key may begin at the end of what was kept.
            let key = self.key.as_deref().map_or(0, str::len);
            let certain = head.len().saturating_sub(key);
            while head.len() > certain {
                head.pop();
            }
        }
        Error::NotAStream { content_type: self.content_type.clone(), excerpt: excerpt(&head) }
    }
}

impl Flow {
    /// Adds a piece and gives what can be shown of it.
    fn take(&mut self, piece: &str, mended: bool) -> Option<String> {
        let more = self.joiner.join(piece, mended);
        self.all.push_str(&more);
        Some(more).filter(|more| !more.is_empty())
    }
}

// Neither the key nor what the document's author wrote belongs into a log.
impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("finish", &self.finish).field("failed", &self.failed).finish_non_exhaustive()
    }
}

fn too_long(what: &str, limit: usize) -> Error {
    Error::MalformedStream { reason: format!("{what} is longer than {} MiB", limit >> 20) }
}
