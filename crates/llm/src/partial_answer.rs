//! An answer that is still arriving. The reader of a format fills it, and it becomes the message.
//!
//! Text, thinking and refusals arrive in deltas, each for a part that the format identifies. A delta for the last
//! part of its kind continues it, any other begins a part. So the parts are in the order in which their deltas
//! arrived, and their texts are the concatenated deltas.

use super::http_error::reported_error;
use super::surrogates::Joiner;
use super::tagged_text::{TaggedText, TextPiece};
use super::text_calls::TextCall;
use super::tool_calls::{CallDelta, ToolCalls};
use super::{AssistantMessage, Delta, Ending, Part, Usage, limits};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::{Redactor, Secrets};
use serde_json::Value;

/// The reader of a format: it gets the JSON values of the stream one after the other.
pub(super) trait EventReader {
    /// Reads the next value. `event` is the name of its event, usually empty. Errors in a member `error` are handled
    /// before this is called; fails with the other errors of the format.
    fn read(&mut self, value: &Value, event: &str, partial: &mut PartialAnswer) -> Result<(), Error>;

    /// Reads the data of a simple event without parsing all of it. Returns false for any other event, which is then
    /// parsed and [read](EventReader::read).
    fn read_plain(&mut self, _data: &str, _partial: &mut PartialAnswer) -> Result<bool, Error> {
        Ok(false)
    }

    /// Returns whether events of this name are JSON. Gateways add others, such as `ping`, with any content.
    fn is_json(&self, event: &str) -> bool {
        matches!(event, "" | "message")
    }

    /// Returns whether an answer needs a finish reason. Otherwise the end of the stream is enough.
    fn requires_finish(&self) -> bool {
        false
    }
}

/// An answer that is still arriving.
pub(super) struct PartialAnswer {
    /// True if lone surrogates were replaced in the event that is being read.
    pub has_lone_surrogates: bool,
    /// True if the body was recognized as an answer, so that other content is not quoted as an unexpected response.
    pub answered: bool,
    /// True if the server ended the stream.
    pub done: bool,
    /// Changes to return from the next push.
    pub deltas: Vec<Delta>,
    /// The provider's id of the answer, used to generate missing ids of calls.
    id: String,
    parts: Vec<PartialPart>,
    calls: ToolCalls,
    /// Number of calls that have a part.
    placed: usize,
    finish: String,
    ending: Ending,
    usage: Option<Usage>,
    /// Bytes kept so far.
    kept: usize,
    secrets: Secrets,
    /// Redactors of text and of thinking. A key may be split over several parts of either.
    said: Redactor,
    thought: Redactor,
    /// The text, before its thinking and its calls are taken out.
    tagged: TaggedText,
    /// The part that text was last added to.
    text_place: Option<TextId>,
    /// Joins the text of that part.
    text_joiner: Joiner,
    text_calls: Vec<TextCall>,
    /// True if calls in the text are calls.
    runs_text_calls: bool,
}

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Hidden thinking: no text, only a signature.
    Redacted,
    Refusal,
}

impl Kind {
    fn is_thinking(self) -> bool {
        matches!(self, Kind::Thinking | Kind::Redacted)
    }
}

/// Identity of a text within its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextId {
    /// The part with this number of the provider.
    Block(u64),
    /// The last part if it is of this kind and has no signature yet, else a new one.
    Last,
}

enum PartialPart {
    Text { kind: Kind, place: TextId, all: String, signature: String, joiner: Joiner },
    Call,
}

/// Bytes that a part counts in [`limits::ANSWER_BYTES`] beside its text, because empty parts take memory too.
const PART_BYTES: usize = 256;

impl PartialAnswer {
    pub(super) fn new(secrets: &Secrets) -> PartialAnswer {
        PartialAnswer {
            has_lone_surrogates: false,
            answered: false,
            done: false,
            deltas: Vec::new(),
            id: String::new(),
            parts: Vec::new(),
            calls: ToolCalls::new(secrets),
            placed: 0,
            finish: String::new(),
            ending: Ending::default(),
            usage: None,
            kept: 0,
            secrets: secrets.clone(),
            said: Redactor::new(secrets),
            thought: Redactor::new(secrets),
            tagged: TaggedText::new(Vec::new()),
            text_place: None,
            text_joiner: Joiner::default(),
            text_calls: Vec::new(),
            runs_text_calls: false,
        }
    }

    /// Recognizes calls of these tools in the text. `run` states that they are calls.
    pub(super) fn recognize_calls(&mut self, tools: Vec<String>, run: bool) {
        self.tagged = TaggedText::new(tools);
        self.runs_text_calls = run;
    }

    /// Stores the provider's id of the answer when it first appears.
    pub(super) fn set_id(&mut self, id: Option<&Value>) {
        if self.id.is_empty() {
            let id = self.secrets.redact(id.and_then(Value::as_str).unwrap_or_default());
            self.id = id.chars().take(64).collect();
        }
    }

    /// Returns whether the provider's id of the answer is known.
    pub(super) fn has_id(&self) -> bool {
        !self.id.is_empty()
    }

    /// Returns whether the answer has no parts yet.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.text_place.is_none()
    }

    /// Appends a delta of text.
    pub(super) fn push_text(&mut self, kind: Kind, place: TextId, piece: &str) -> Result<(), Error> {
        if piece.is_empty() {
            return Ok(());
        }
        self.count_bytes(piece.len())?;
        if kind == Kind::Text {
            if self.text_place.is_some_and(|before| before != place) {
                self.end_text()?;
                self.tagged.next_part();
            }
            self.text_place = Some(place);
            let more = self.text_joiner.join(piece, self.has_lone_surrogates);
            let pieces = self.tagged.push(&more);
            return self.take_pieces(pieces);
        }
        self.flush_text()?;
        self.release(!kind.is_thinking(), Redactor::release);
        let at = self.part(kind, place)?;
        let Some(PartialPart::Text { joiner, .. }) = self.parts.get_mut(at) else { return Ok(()) };
        let more = joiner.join(piece, self.has_lone_surrogates);
        self.put(at, &more);
        Ok(())
    }

    /// Processes text that was held back as a possible mark: something else follows.
    fn flush_text(&mut self) -> Result<(), Error> {
        if !self.tagged.is_holding() {
            return Ok(());
        }
        let pieces = self.tagged.flush();
        self.take_pieces(pieces)
    }

    /// Ends the part that text was last added to.
    fn end_text(&mut self) -> Result<(), Error> {
        let owed = self.text_joiner.end();
        let pieces = self.tagged.push(owed);
        self.take_pieces(pieces)?;
        self.flush_text()
    }

    fn take_pieces(&mut self, pieces: Vec<TextPiece>) -> Result<(), Error> {
        let place = self.text_place.unwrap_or(TextId::Last);
        for piece in pieces {
            let (kind, text) = match piece {
                TextPiece::Text(text) => (Kind::Text, text),
                TextPiece::Thinking(text) => (Kind::Thinking, text),
                TextPiece::TextWasThinking => {
                    self.turn_to_thinking();
                    continue;
                }
                TextPiece::Calls(calls) => {
                    self.count_bytes(calls.len() * PART_BYTES)?;
                    self.text_calls.extend(calls);
                    continue;
                }
            };
            self.release(!kind.is_thinking(), Redactor::release);
            let at = self.part(kind, place)?;
            self.put(at, &text);
        }
        Ok(())
    }

    /// Turns all text so far to thinking.
    fn turn_to_thinking(&mut self) {
        self.release(false, Redactor::finish);
        for part in &mut self.parts {
            if let PartialPart::Text { kind: kind @ Kind::Text, .. } = part {
                *kind = Kind::Thinking;
            }
        }
        self.deltas.push(Delta::TextWasThinking);
    }

    /// Appends text to a part, with keys redacted.
    fn put(&mut self, at: usize, more: &str) {
        if let Some(PartialPart::Text { kind, all, .. }) = self.parts.get_mut(at) {
            let redactor = if kind.is_thinking() { &mut self.thought } else { &mut self.said };
            let more = redactor.push(more);
            all.push_str(&more);
            show(&mut self.deltas, *kind, more);
        }
    }

    /// Appends to the signature of a text, which may be empty.
    pub(super) fn push_signature(&mut self, kind: Kind, place: TextId, signature: &str) -> Result<(), Error> {
        if signature.is_empty() {
            return Ok(());
        }
        self.count_bytes(signature.len())?;
        self.flush_text()?;
        let at = self.part(kind, place)?;
        if let Some(PartialPart::Text { signature: all, .. }) = self.parts.get_mut(at) {
            all.push_str(signature);
        }
        Ok(())
    }

    /// Processes a delta of a call.
    pub(super) fn push_call(&mut self, piece: &CallDelta) -> Result<(), Error> {
        self.flush_text()?;
        self.release(true, Redactor::release);
        self.release(false, Redactor::release);
        self.count_bytes(piece.id.len() + piece.name.len() + piece.arguments.len() + piece.signature.len())?;
        let piece = CallDelta { has_lone_surrogates: self.has_lone_surrogates, ..piece.clone() };
        let taken = self.calls.take(&piece, &self.id, &mut self.deltas);
        // A call that had neither name nor arguments may have been replaced by this one.
        if self.placed < self.calls.len() {
            self.placed += 1;
            self.parts.push(PartialPart::Call);
        }
        taken
    }

    /// Stores the finish reason and its meaning. The last one counts.
    pub(super) fn set_finish(&mut self, word: &str, ending: Ending) {
        if !word.is_empty() {
            self.finish = excerpt(&self.secrets.redact(word));
            // Some engines report these when they were stopped; in a conversation they have the same meaning.
            let broken = ending == Ending::Done && matches!(word, "abort" | "aborted" | "error");
            self.ending = if broken { Ending::Failed } else { ending };
        }
    }

    /// Returns the token counts so far.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Stores the token counts. The last ones count.
    pub(super) fn set_usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// Returns whether the model has finished; only usage may follow.
    pub(super) fn is_finished(&self) -> bool {
        self.done || !self.finish.is_empty()
    }

    /// Returns the error that a server reported in this value or text.
    pub(super) fn server_error(&self, value: &Value) -> Error {
        reported_error(value, &self.secrets)
    }

    /// Counts stored bytes. Fails when the limit is exceeded.
    pub(super) fn count_bytes(&mut self, bytes: usize) -> Result<(), Error> {
        self.kept += bytes;
        if self.kept > limits::ANSWER_BYTES {
            return Err(limits::too_long("the answer", limits::ANSWER_BYTES));
        }
        Ok(())
    }

    /// Reports the arguments that have grown enough.
    pub(super) fn emit_arguments(&mut self) {
        self.calls.show(&mut self.deltas);
    }

    /// Ends the answer: no more data follows.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.end_text()?;
        if self.runs_text_calls {
            for (at, call) in std::mem::take(&mut self.text_calls).into_iter().enumerate() {
                let arguments = call.arguments.written();
                let (name, index) = (call.name.as_str(), Some(u64::MAX - at as u64));
                self.push_call(&CallDelta { name, index, arguments: &arguments, ..CallDelta::default() })?;
            }
            self.calls.show(&mut self.deltas);
        }
        for at in 0..self.parts.len() {
            self.close(at);
        }
        self.release(true, Redactor::finish);
        self.release(false, Redactor::finish);
        self.calls.end(&mut self.deltas);
        Ok(())
    }

    /// Returns the complete answer; `None` without an ending, which is a finish reason or the end of a stream that
    /// had content.
    ///
    /// An answer that the provider's filter stopped is kept if it is text only, because the user has read it already;
    /// with calls, or empty, it is [`Error::ContentFilter`].
    pub(super) fn into_message(self) -> Result<Option<AssistantMessage>, Error> {
        let said = |part: &PartialPart| match part {
            PartialPart::Text { kind: Kind::Thinking | Kind::Redacted, .. } | PartialPart::Call => false,
            PartialPart::Text { all, .. } => !all.is_empty(),
        };
        let says_something = !self.calls.is_empty() || !self.text_calls.is_empty() || self.parts.iter().any(said);
        let has_text = self.parts.iter().any(|part| matches!(part, PartialPart::Text { .. }));
        if self.finish.is_empty() && !(self.done && (says_something || has_text)) {
            return Ok(None);
        }
        match self.ending {
            Ending::Filtered if !self.calls.is_empty() || !says_something => return Err(Error::ContentFilter),
            Ending::Failed => return Err(Error::Provider { message: self.finish }),
            _ => {}
        }
        let secrets = self.secrets;
        let tool_calls = self.calls.finish(self.ending == Ending::Length);
        let mut calls = 0..tool_calls.len();
        let part = |part| match part {
            PartialPart::Call => calls.next().map(|call| Part::ToolCall { call }),
            PartialPart::Text { kind, all, signature, .. } => {
                let signature = Some(secrets.redact(&signature)).filter(|signature| !signature.is_empty());
                Some(match kind {
                    Kind::Text => Part::Text { text: all, signature },
                    Kind::Thinking => Part::Thinking { thinking: all, signature, redacted: false },
                    Kind::Redacted => Part::Thinking { thinking: all, signature, redacted: true },
                    Kind::Refusal => Part::Refusal { refusal: all },
                })
            }
        };
        Ok(Some(AssistantMessage {
            content: self.parts.into_iter().filter_map(part).collect(),
            tool_calls,
            text_calls: self.text_calls.into_iter().map(|call| secrets.redact(&call.name)).collect(),
            finish: self.finish,
            ending: self.ending,
            usage: self.usage,
        }))
    }

    /// Returns the index of the part that a delta belongs to, which is added if necessary.
    fn part(&mut self, wanted: Kind, wanted_place: TextId) -> Result<usize, Error> {
        let of_kind = |part: &PartialPart| matches!(part, PartialPart::Text { kind, .. } if *kind == wanted);
        let last = self.parts.iter().rposition(of_kind);
        if let Some(at) = last
            && let Some(PartialPart::Text { place, signature, .. }) = self.parts.get(at)
        {
            let continues = match wanted_place {
                TextId::Block(_) => *place == wanted_place,
                TextId::Last => at + 1 == self.parts.len() && signature.is_empty(),
            };
            if continues {
                return Ok(at);
            }
            self.close(at);
        }
        self.count_bytes(PART_BYTES)?;
        let (all, signature) = Default::default();
        self.parts.push(PartialPart::Text {
            kind: wanted,
            place: wanted_place,
            all,
            signature,
            joiner: Joiner::default(),
        });
        Ok(self.parts.len() - 1)
    }

    /// Closes a part: half of a surrogate pair at its end is replaced.
    fn close(&mut self, at: usize) {
        if let Some(PartialPart::Text { joiner, .. }) = self.parts.get_mut(at) {
            let owed = joiner.end();
            self.put(at, owed);
        }
    }

    /// Appends text that was held back as a possible beginning of a key to the last part of its kind, once it is
    /// known not to be a key or is redacted.
    fn release(&mut self, thinking: bool, held: fn(&mut Redactor) -> String) {
        let rest = held(if thinking { &mut self.thought } else { &mut self.said });
        if rest.is_empty() {
            return;
        }
        let of_kind =
            |part: &&mut PartialPart| matches!(part, PartialPart::Text { kind, .. } if kind.is_thinking() == thinking);
        if let Some(PartialPart::Text { kind, all, .. }) = self.parts.iter_mut().rev().find(of_kind) {
            all.push_str(&rest);
            show(&mut self.deltas, *kind, rest);
        }
    }
}

/// Adds a delta, merged with the one before if that is of the same kind.
fn show(deltas: &mut Vec<Delta>, kind: Kind, more: String) {
    match (kind, deltas.last_mut()) {
        _ if more.is_empty() => {}
        (Kind::Text, Some(Delta::Text(last))) | (Kind::Thinking, Some(Delta::Thinking(last))) => last.push_str(&more),
        (Kind::Text, _) => deltas.push(Delta::Text(more)),
        (Kind::Thinking, _) => deltas.push(Delta::Thinking(more)),
        (Kind::Refusal, _) => deltas.push(Delta::Refusal(more)),
        (Kind::Redacted, _) => {}
    }
}
