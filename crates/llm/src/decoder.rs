//! From bytes to an answer: what all formats have in common.
//!
//! The beginning says what the body is: events, JSON (an answer that was not streamed, or an error with status 200),
//! or a page. Out of events come JSON values, each of which goes to the format's [`Reader`].

use super::draft::{Draft, Reader};
use super::http_error::{message_in, says};
use super::surrogates::mend;
use super::{
    Answer, Api, Delta, Usage, anthropic_messages, google_generative_ai, limits, openai_completions, openai_responses,
    sse,
};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::Secrets;
use serde::de::Error as _;
use serde_json::Value;
use std::fmt;

/// Reads the answer to [`request`](super::request()) from the bytes of a 2xx response.
///
/// An error comes after everything that was good before it: where a push brought both, the deltas come from that
/// push and the error from the next call.
pub struct Decoder {
    content_type: String,
    secrets: Secrets,
    body: Body,
    /// The beginning of the body, to quote where it is not a stream.
    head: Vec<u8>,
    failed: Option<Error>,
    ended: bool,
    reader: Box<dyn Reader>,
    draft: Draft,
}

/// What the body is, by its first byte that is not space.
enum Body {
    Unknown,
    Events(sse::Parser),
    Json(Vec<u8>),
    Page,
}

/// How much of the beginning of a body is kept to quote it, in bytes.
const HEAD_BYTES: usize = 2048;

impl Decoder {
    /// `content_type` is quoted where the answer is no stream; `secrets` are redacted wherever a server repeats them.
    pub fn new(api: Api, content_type: &str, secrets: &Secrets) -> Decoder {
        Decoder {
            content_type: excerpt(&secrets.redact(content_type)),
            secrets: secrets.clone(),
            body: Body::Unknown,
            head: Vec::new(),
            failed: None,
            ended: false,
            reader: match api {
                Api::OpenaiCompletions => Box::new(openai_completions::Chunks),
                Api::AnthropicMessages => Box::new(anthropic_messages::Events::default()),
                Api::OpenaiResponses => Box::new(openai_responses::Events::default()),
                Api::GoogleGenerativeAi => Box::new(google_generative_ai::Chunks::default()),
            },
            draft: Draft::new(secrets),
        }
    }

    /// Whether the server said that nothing more comes.
    pub fn is_done(&self) -> bool {
        self.draft.done
    }

    /// Whether the model was done: what may still come are figures.
    pub fn is_finished(&self) -> bool {
        self.draft.is_finished()
    }

    /// What the answer has cost so far, where the server has said so.
    pub fn usage(&self) -> Option<Usage> {
        self.draft.usage()
    }

    /// Takes the next bytes, split anywhere, and gives what they brought.
    ///
    /// Errors: [`Error::Provider`] for an error inside the stream, [`Error::NotAStream`] for a page,
    /// [`Error::MalformedStream`] for what is not of the format or beyond the [`limits`].
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, Error> {
        self.settle(|decoder| decoder.take_bytes(bytes))
    }

    /// Says that no more bytes come, and gives what was held back until then: a last event without its blank line,
    /// an answer that came as one JSON body.
    pub fn end(&mut self) -> Result<Vec<Delta>, Error> {
        if std::mem::replace(&mut self.ended, true) {
            return self.settle(|_| Ok(()));
        }
        self.settle(|decoder| {
            decoder.take_end()?;
            decoder.draft.end();
            Ok(())
        })
    }

    /// The whole answer, or why there is none. Calls [`end`](Decoder::end) if nobody did.
    ///
    /// An answer needs an ending: a reason that says something, or the server's word that it is done. Without, it is
    /// [`Error::StreamCut`]. An answer that the provider's filter stopped is kept when it is text alone, because the
    /// person has read it already; with calls, or with nothing, it is [`Error::ContentFilter`].
    pub fn finish(mut self) -> Result<Answer, Error> {
        if !self.ended {
            self.end()?;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        let none = self.no_answer();
        self.draft.done &= !self.reader.needs_finish();
        self.draft.answer()?.ok_or(none)
    }

    /// Runs one step; what it brought goes out before its error does.
    fn settle(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<Vec<Delta>, Error> {
        if self.failed.is_none() {
            self.failed = step(self).err();
            self.draft.show();
        }
        let deltas = std::mem::take(&mut self.draft.deltas);
        match &self.failed {
            Some(error) if deltas.is_empty() => Err(error.clone()),
            _ => Ok(deltas),
        }
    }

    fn take_bytes(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
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
                Err(limits::too_long("the answer", limits::BODY_BYTES))
            }
            Body::Json(body) => {
                body.extend_from_slice(bytes);
                Ok(())
            }
            Body::Events(parser) => {
                let mut events = Vec::new();
                let parsed = parser.push(bytes, &mut events);
                for event in &events {
                    self.take_event(event)?;
                }
                // What comes after the last event is not read.
                if self.draft.done { Ok(()) } else { parsed }
            }
        }
    }

    fn take_end(&mut self) -> Result<(), Error> {
        match std::mem::replace(&mut self.body, Body::Unknown) {
            Body::Unknown => Ok(()),
            Body::Page => Err(self.not_a_stream()),
            Body::Json(body) => self.take_body(&body),
            Body::Events(mut parser) => {
                let mut events = Vec::new();
                parser.end(&mut events)?;
                for event in &events {
                    match self.take_event(event) {
                        // Half an event. After a finish it can only have been the usage.
                        Err(Error::MalformedStream { .. }) if !self.is_finished() => return Err(Error::StreamCut),
                        Err(Error::MalformedStream { .. }) => {}
                        taken => taken?,
                    }
                }
                Ok(())
            }
        }
    }

    /// An answer that is JSON: a server that does not stream, or an error with status 200.
    fn take_body(&mut self, body: &[u8]) -> Result<(), Error> {
        let text = String::from_utf8_lossy(body);
        let (values, mended) = match parse(&text) {
            Ok(parsed) => parsed,
            Err(error) if error.is_eof() => return Err(Error::StreamCut),
            Err(_) => return Err(self.not_a_stream()),
        };
        for value in &values {
            self.take_value(value, "", mended)?;
        }
        if self.draft.answered {
            self.draft.done = true;
            return Ok(());
        }
        match values.first().filter(|value| message_in(value).is_some()) {
            Some(error) => Err(self.draft.reported(error)),
            None => Err(self.not_a_stream()),
        }
    }

    fn take_event(&mut self, event: &sse::Event) -> Result<(), Error> {
        let mut data = event.data.trim();
        if self.draft.done {
            return Ok(());
        }
        // Where the blank line before it is missing, it is the last line of the event before.
        let done = data.ends_with("[DONE]");
        while let Some(rest) = data.strip_suffix("[DONE]") {
            data = rest.trim_end();
        }
        self.draft.mended = false;
        let skimmed = event.name != "error" && self.reader.skim(data, &mut self.draft)?;
        if !skimmed && !data.is_empty() {
            match parse(data) {
                Ok((values, mended)) => {
                    for value in &values {
                        if event.name == "error" {
                            return Err(self.draft.reported(value));
                        }
                        self.take_value(value, &event.name, mended)?;
                    }
                }
                Err(_) if event.name == "error" => return Err(self.draft.reported(&data.into())),
                // `event: ping` and the like.
                Err(_) if !self.reader.knows(&event.name) => {}
                Err(error) => {
                    return Err(Error::MalformedStream { reason: format!("an event is not JSON ({error})") });
                }
            }
        }
        self.draft.done |= done;
        Ok(())
    }

    fn take_value(&mut self, value: &Value, event: &str, mended: bool) -> Result<(), Error> {
        if let Value::Array(values) = value {
            return values.iter().try_for_each(|value| self.take_value(value, event, mended));
        }
        let is_error = |field| value.get(field).and_then(Value::as_str) == Some("error");
        if says(value.get("error")) || is_error("object") || is_error("type") {
            return Err(self.draft.reported(value));
        }
        self.draft.mended = mended;
        self.reader.take(value, event, &mut self.draft)
    }

    fn no_answer(&self) -> Error {
        let fields = [&b":"[..], b"data", b"event", b"id", b"retry"];
        let begun = |field: &&[u8]| field.iter().zip(&self.head).all(|(expected, byte)| expected == byte);
        if self.head.is_empty() || self.draft.answered || fields.iter().any(begun) {
            return Error::StreamCut;
        }
        self.not_a_stream()
    }

    fn not_a_stream(&self) -> Error {
        // A key may begin at the end of what was kept.
        let head = self.secrets.redact_unfinished(&String::from_utf8_lossy(&self.head));
        Error::NotAStream { content_type: self.content_type.clone(), excerpt: excerpt(&head) }
    }
}

/// The JSON values in the data of an event, mostly one; and whether halves of surrogate pairs were mended in it.
fn parse(data: &str) -> Result<(Vec<Value>, bool), serde_json::Error> {
    if limits::has_too_many_values(data) {
        return Err(serde_json::Error::custom("it has too many values"));
    }
    if let Ok(value) = serde_json::from_str(data) {
        return Ok((vec![value], false));
    }
    let mended = mend(data, true);
    // Several, where the blank lines between events are missing.
    let values = serde_json::Deserializer::from_str(mended.as_deref().unwrap_or(data)).into_iter();
    Ok((values.collect::<Result<_, _>>()?, mended.is_some()))
}

// Neither the key nor what the document's author wrote belongs into a log.
impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.is_finished();
        f.debug_struct("Decoder").field("finished", &finished).field("failed", &self.failed).finish_non_exhaustive()
    }
}
