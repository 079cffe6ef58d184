//! An answer on its way: what the reader of a format puts into it, and what the decoder makes of that.
//!
//! Text, thinking and refusals come in pieces, each for a place that the format names; pieces for the place of the
//! last part of their kind continue it, all others begin a part. So the parts stand in the order in which the
//! pieces came, and their texts are what the deltas say.

use super::http_error::reported_error;
use super::surrogates::Joiner;
use super::tool_calls::{Calls, Piece};
use super::{Answer, Delta, Ending, Part, Usage, limits};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::{Redactor, Secrets};
use serde_json::Value;

/// Reads one format: the JSON values of its stream, one after the other.
pub(super) trait Reader {
    /// Takes the next value. `event` is the name of its event, mostly empty. Errors that a server reports as `error`
    /// have been found before; what else is no answer, the reader tells.
    fn take(&mut self, value: &Value, event: &str, draft: &mut Draft) -> Result<(), Error>;

    /// Takes the data of an event where a look at it is enough, and says whether it was. If not, it is parsed and
    /// [taken](Reader::take).
    fn skim(&mut self, _data: &str, _draft: &mut Draft) -> Result<bool, Error> {
        Ok(false)
    }

    /// Whether events of this name are JSON. Gateways add others, such as `ping`, which may be anything.
    fn knows(&self, event: &str) -> bool {
        matches!(event, "" | "message")
    }

    /// Whether an answer must say why it ended. Else it is enough that the server says that it is done.
    fn needs_finish(&self) -> bool {
        false
    }
}

/// An answer on its way.
#[derive(Default)]
pub(super) struct Draft {
    /// The value that is being read is out of an event with halves of surrogate pairs.
    pub mended: bool,
    /// Something of the format has come: what it is not, is not to be quoted as a strange answer.
    pub answered: bool,
    /// The server said that nothing more comes.
    pub done: bool,
    /// What can be shown.
    pub deltas: Vec<Delta>,
    /// The provider's id of the answer, of which ids are made for calls that have none.
    id: String,
    parts: Vec<Drafted>,
    calls: Calls,
    /// How many calls have a part.
    placed: usize,
    finish: String,
    ending: Ending,
    usage: Option<Usage>,
    /// What was kept so far, in bytes.
    kept: usize,
    secrets: Secrets,
    /// What the person reads, and what the model thinks. A key may be split over several parts of either.
    said: Redactor,
    thought: Redactor,
}

/// Which text of an answer a piece belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thinking,
    /// Thinking that is not shown: it has no text, but a signature.
    Redacted,
    Refusal,
}

impl Kind {
    fn is_thinking(self) -> bool {
        matches!(self, Kind::Thinking | Kind::Redacted)
    }
}

/// A text of an answer: its kind, and the provider's number of it where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The part that the provider counts so.
    Block(u64),
    /// The last part, where it is of this kind and has no signature yet; else a new one.
    Last,
}

enum Drafted {
    Text { kind: Kind, place: Place, all: String, signature: String, joiner: Joiner },
    Call,
}

/// What a part counts for in [`limits::ANSWER_BYTES`] beside its text: many empty ones are memory too.
const PART_BYTES: usize = 256;

impl Draft {
    pub(super) fn new(secrets: &Secrets) -> Draft {
        Draft {
            secrets: secrets.clone(),
            calls: Calls::new(secrets),
            said: Redactor::new(secrets),
            thought: Redactor::new(secrets),
            ..Draft::default()
        }
    }

    /// Takes the provider's id of the answer, when it is first said.
    pub(super) fn identify(&mut self, id: Option<&Value>) {
        if self.id.is_empty() {
            let id = self.secrets.redact(id.and_then(Value::as_str).unwrap_or_default());
            self.id = id.chars().take(64).collect();
        }
    }

    /// Whether the provider's id of the answer was said.
    pub(super) fn is_identified(&self) -> bool {
        !self.id.is_empty()
    }

    /// Whether nothing was said, thought or called yet.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Takes more of a text.
    pub(super) fn say(&mut self, kind: Kind, place: Place, piece: &str) -> Result<(), Error> {
        if piece.is_empty() {
            return Ok(());
        }
        self.keep(piece.len())?;
        self.release(!kind.is_thinking(), Redactor::release);
        let at = self.part(kind, place)?;
        let Some(Drafted::Text { joiner, .. }) = self.parts.get_mut(at) else { return Ok(()) };
        let more = joiner.join(piece, self.mended);
        self.put(at, &more);
        Ok(())
    }

    /// Puts more of its text into a part, without keys.
    fn put(&mut self, at: usize, more: &str) {
        if let Some(Drafted::Text { kind, all, .. }) = self.parts.get_mut(at) {
            let redactor = if kind.is_thinking() { &mut self.thought } else { &mut self.said };
            let more = redactor.push(more);
            all.push_str(&more);
            show(&mut self.deltas, *kind, more);
        }
    }

    /// Takes (more of) the token of a text, which need not have any words.
    pub(super) fn sign(&mut self, kind: Kind, place: Place, signature: &str) -> Result<(), Error> {
        if signature.is_empty() {
            return Ok(());
        }
        self.keep(signature.len())?;
        let at = self.part(kind, place)?;
        if let Some(Drafted::Text { signature: all, .. }) = self.parts.get_mut(at) {
            all.push_str(signature);
        }
        Ok(())
    }

    /// Takes a piece of a call.
    pub(super) fn call(&mut self, piece: &Piece) -> Result<(), Error> {
        self.release(true, Redactor::release);
        self.release(false, Redactor::release);
        self.keep(piece.id.len() + piece.name.len() + piece.arguments.len() + piece.signature.len())?;
        let piece = Piece { mended: self.mended, ..piece.clone() };
        let taken = self.calls.take(&piece, &self.id, &mut self.deltas);
        // A call that had neither name nor arguments may have made room for this one.
        if self.placed < self.calls.len() {
            self.placed += 1;
            self.parts.push(Drafted::Call);
        }
        taken
    }

    /// Takes why the answer ended: in the provider's word, and what that means. A later one counts.
    pub(super) fn finish(&mut self, word: &str, ending: Ending) {
        if !word.is_empty() {
            self.finish = excerpt(&self.secrets.redact(word));
            // Some engines say so when they were stopped themselves; in a conversation these words mean the same.
            let broken = ending == Ending::Done && matches!(word, "abort" | "aborted" | "error");
            self.ending = if broken { Ending::Failed } else { ending };
        }
    }

    /// The counts so far.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// Takes the counts. Later ones count.
    pub(super) fn count(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// Whether the model was done: what may still come are figures.
    pub(super) fn is_finished(&self) -> bool {
        self.done || !self.finish.is_empty()
    }

    /// The error that a server reported in this value, or in these words.
    pub(super) fn reported(&self, value: &Value) -> Error {
        reported_error(value, &self.secrets)
    }

    /// Counts what is kept, and errors when it is too much.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), Error> {
        self.kept += bytes;
        if self.kept > limits::ANSWER_BYTES {
            return Err(limits::too_long("the answer", limits::ANSWER_BYTES));
        }
        Ok(())
    }

    /// Shows the arguments that have grown enough.
    pub(super) fn show(&mut self) {
        self.calls.show(&mut self.deltas);
    }

    /// Says that no more comes.
    pub(super) fn end(&mut self) {
        for at in 0..self.parts.len() {
            self.close(at);
        }
        self.release(true, Redactor::finish);
        self.release(false, Redactor::finish);
        self.calls.end(&mut self.deltas);
    }

    /// The whole answer; none where there is no ending: neither a word for it, nor that the server was done after
    /// it had said something.
    ///
    /// An answer that the provider's filter stopped is kept when it is text alone, because the person has read it
    /// already; with calls, or with nothing, it is [`Error::ContentFilter`].
    pub(super) fn answer(self) -> Result<Option<Answer>, Error> {
        let said = |part: &Drafted| match part {
            Drafted::Text { kind: Kind::Thinking | Kind::Redacted, .. } | Drafted::Call => false,
            Drafted::Text { all, .. } => !all.is_empty(),
        };
        let says_something = !self.calls.is_empty() || self.parts.iter().any(said);
        let has_text = self.parts.iter().any(|part| matches!(part, Drafted::Text { .. }));
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
            Drafted::Call => calls.next().map(|call| Part::ToolCall { call }),
            Drafted::Text { kind, all, signature, .. } => {
                let signature = Some(secrets.redact(&signature)).filter(|signature| !signature.is_empty());
                Some(match kind {
                    Kind::Text => Part::Text { text: all, signature },
                    Kind::Thinking => Part::Thinking { thinking: all, signature, redacted: false },
                    Kind::Redacted => Part::Thinking { thinking: all, signature, redacted: true },
                    Kind::Refusal => Part::Refusal { refusal: all },
                })
            }
        };
        Ok(Some(Answer {
            content: self.parts.into_iter().filter_map(part).collect(),
            tool_calls,
            finish: self.finish,
            ending: self.ending,
            usage: self.usage,
        }))
    }

    /// The part that a piece belongs to.
    fn part(&mut self, wanted: Kind, wanted_place: Place) -> Result<usize, Error> {
        let of_kind = |part: &Drafted| matches!(part, Drafted::Text { kind, .. } if *kind == wanted);
        let last = self.parts.iter().rposition(of_kind);
        if let Some(at) = last
            && let Some(Drafted::Text { place, signature, .. }) = self.parts.get(at)
        {
            let continues = match wanted_place {
                Place::Block(_) => *place == wanted_place,
                Place::Last => at + 1 == self.parts.len() && signature.is_empty(),
            };
            if continues {
                return Ok(at);
            }
            self.close(at);
        }
        self.keep(PART_BYTES)?;
        let (all, signature) = Default::default();
        self.parts.push(Drafted::Text { kind: wanted, place: wanted_place, all, signature, joiner: Joiner::default() });
        Ok(self.parts.len() - 1)
    }

    /// Half of a surrogate pair at the end of a text stays alone.
    fn close(&mut self, at: usize) {
        if let Some(Drafted::Text { joiner, .. }) = self.parts.get_mut(at) {
            let owed = joiner.end();
            self.put(at, owed);
        }
    }

    /// Puts what was held back as the beginning of a key into the last part of its kind: it is none, or else what follows
    /// is replaced.
    fn release(&mut self, thinking: bool, held: fn(&mut Redactor) -> String) {
        let rest = held(if thinking { &mut self.thought } else { &mut self.said });
        if rest.is_empty() {
            return;
        }
        let of_kind =
            |part: &&mut Drafted| matches!(part, Drafted::Text { kind, .. } if kind.is_thinking() == thinking);
        if let Some(Drafted::Text { kind, all, .. }) = self.parts.iter_mut().rev().find(of_kind) {
            all.push_str(&rest);
            show(&mut self.deltas, *kind, rest);
        }
    }
}

/// Shows more of a text, together with what came right before it.
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
