//! Assignment of deltas to tool calls.
//!
//! According to the format, the `index` assigns a delta. Servers omit the index, give every call the index 0, start at
//! 1, reuse the index of the last call for a new one, send its arguments under another index, omit the id, or repeat
//! the name in every delta. So a delta belongs to the call with its id, else to the latest call with its index, else to
//! the latest call; and it begins a new call if it has a new id or name.

use super::arguments::{self, Bracket};
use super::partial_json::PartialObject;
use super::surrogates::Joiner;
use super::{Arguments, Delta, ToolCall, limits};
use crate::Error;
use copydesk_base::lenient_json::Mender;
use copydesk_base::secrets::Secrets;
use serde_json::{Map, Value};

/// One delta of a call. Every field may be missing.
#[derive(Clone, Debug, Default)]
pub struct CallDelta<'a> {
    /// The provider's id; empty if there is none.
    pub id: &'a str,
    /// The provider's index.
    pub index: Option<u64>,
    /// The tool; empty if it is not stated (again).
    pub name: &'a str,
    /// More of the JSON text of the arguments.
    pub arguments: &'a str,
    /// The provider's token for the call, or a JSON object, which replaces an earlier one.
    pub signature: &'a str,
    /// True if the arguments replace the earlier ones.
    pub instead: bool,
    /// True if lone surrogates were replaced in the event.
    pub(super) has_lone_surrogates: bool,
}

/// The calls of an answer under way.
#[derive(Debug, Default)]
pub struct ToolCalls {
    calls: Vec<AssembledCall>,
    secrets: Secrets,
}

#[derive(Debug, Default)]
struct AssembledCall {
    id: String,
    /// True if the id is the provider's own.
    given: bool,
    index: Option<u64>,
    name: String,
    raw: String,
    /// The position in `raw` at which the server last began to repeat the arguments from their start.
    restart: usize,
    /// The arguments from `restart` on, mended.
    mender: Mender,
    /// The readable part of the mended arguments.
    partial: PartialObject,
    signature: String,
    joiner: Joiner,
    bracket: Bracket,
    announced: bool,
    /// True if the complete call was named again without arguments.
    named_again: bool,
    /// The length of `raw` at the last report.
    shown: usize,
}

impl ToolCalls {
    /// Creates the calls of an answer; `secrets` are redacted in all reports.
    pub fn new(secrets: &Secrets) -> ToolCalls {
        ToolCalls { calls: Vec::new(), secrets: secrets.clone() }
    }

    /// Processes a delta. `answer` is the provider's id of the whole answer, used to generate missing ids of calls.
    /// Fails if there are more than [`limits::CALLS`].
    pub fn take(&mut self, delta: &CallDelta, answer: &str, deltas: &mut Vec<Delta>) -> Result<(), Error> {
        let found = self.route(delta);
        if found.is_some_and(|at| self.calls[at].repeated_by(delta)) {
            return Ok(());
        }
        let next_head = found.filter(|at| self.calls[*at].begins_next(delta)).map(|at| self.calls[at].name.clone());
        if let Some(name) = next_head {
            let head = CallDelta { name: &name, ..delta.clone() };
            let at = self.begin(&head, answer, deltas)?;
            self.extend(at, &head, deltas);
            return Ok(());
        }
        let at = match found {
            Some(at) if !self.calls[at].followed_by(delta) => at,
            None if delta.id.is_empty() && delta.name.is_empty() && delta.arguments.is_empty() => return Ok(()),
            _ => self.begin(delta, answer, deltas)?,
        };
        self.extend(at, delta, deltas);
        Ok(())
    }

    /// Adds a delta to its call.
    fn extend(&mut self, at: usize, delta: &CallDelta, deltas: &mut Vec<Delta>) {
        let call = &mut self.calls[at];
        if delta.index.is_some() {
            call.index = delta.index;
        }
        call.named_again |= call.bracket.closed && !delta.name.is_empty() && delta.arguments.is_empty();
        if !call.announced && call.name != delta.name {
            call.name.push_str(delta.name);
        }
        if delta.signature.starts_with('{') {
            delta.signature.clone_into(&mut call.signature);
        } else if call.signature != delta.signature {
            call.signature.push_str(delta.signature);
        }
        if delta.instead {
            call.raw.clear();
            call.restart_at(0, &self.secrets);
            call.joiner = Joiner::default();
        }
        if !delta.arguments.is_empty() {
            let text = call.joiner.join(delta.arguments, delta.has_lone_surrogates);
            if text.len() > 1 && call.raw.len() > call.restart && text.starts_with(&call.raw[call.restart..]) {
                call.restart_at(call.raw.len(), &self.secrets);
            }
            call.bracket.follow(&text);
            call.raw.push_str(&text);
            // Not earlier, because until then the name may be incomplete.
            call.announce(at, &self.secrets, deltas);
        }
    }

    /// Reports the arguments that have grown enough since the last report.
    pub fn show(&mut self, deltas: &mut Vec<Delta>) {
        self.report(deltas, |shown| shown / 64);
    }

    /// Reports the arguments that have grown by `least` bytes or more, given the number that was read for the last
    /// report.
    fn report(&mut self, deltas: &mut Vec<Delta>, least: impl Fn(usize) -> usize) {
        for (at, call) in self.calls.iter_mut().enumerate() {
            let grown = call.raw.len() - call.shown;
            if !call.announced || grown == 0 || grown < least(call.shown) {
                continue;
            }
            call.shown = call.raw.len();
            call.mender.read(&call.raw[call.restart..], false);
            call.partial.read(call.mender.text());
            if !call.partial.object().is_empty() {
                deltas.push(Delta::ToolCallArguments { call: at, partial: call.partial.object().clone() });
            }
        }
    }

    /// Reports data that was held back as incomplete, and arguments that had grown too little. No more deltas may
    /// follow.
    pub fn end(&mut self, deltas: &mut Vec<Delta>) {
        self.drop_empty();
        for (at, call) in self.calls.iter_mut().enumerate() {
            let owed = call.joiner.end();
            call.raw.push_str(owed);
            call.announce(at, &self.secrets, deltas);
        }
        self.report(deltas, |_| 0);
    }

    /// Returns the number of calls, including a last one that may turn out to be empty.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns whether there is no call.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the calls of the finished answer. If it reached the length limit (`cut`), none of them may run: the
    /// model did not end it, so even complete arguments may not be the intended ones.
    pub fn finish(self, cut: bool) -> Vec<ToolCall> {
        let secrets = &self.secrets;
        let whole = |call: AssembledCall| ToolCall {
            arguments: redacted(
                if cut { Arguments::CutOff { raw: call.raw } } else { arguments::read(call.raw, call.restart) },
                secrets,
            ),
            id: secrets.redact(&call.id),
            name: secrets.redact(&call.name),
            signature: Some(secrets.redact(&call.signature)).filter(|signature| !signature.is_empty()),
        };
        self.calls.into_iter().map(whole).collect()
    }

    fn route(&self, delta: &CallDelta) -> Option<usize> {
        let latest = |found: &dyn Fn(&AssembledCall) -> bool| self.calls.iter().rposition(found);
        if !delta.id.is_empty()
            && let Some(known) = latest(&|call| call.given && call.id == delta.id)
        {
            return Some(known);
        }
        if delta.index.is_some()
            && let Some(known) = latest(&|call| call.index == delta.index)
        {
            return Some(known);
        }
        // An id, or a name under a new index, begins a new call.
        let begins = !delta.id.is_empty() || (delta.index.is_some() && !delta.name.is_empty());
        if begins { None } else { self.calls.len().checked_sub(1) }
    }

    fn begin(&mut self, delta: &CallDelta, answer: &str, deltas: &mut Vec<Delta>) -> Result<usize, Error> {
        self.drop_empty();
        let at = self.calls.len();
        if at == limits::CALLS {
            return Err(Error::MalformedStream { reason: format!("an answer has more than {at} tool calls") });
        }
        if let Some(before) = self.calls.last_mut() {
            before.announce(at - 1, &self.secrets, deltas);
        }
        let given = !delta.id.is_empty() && !self.calls.iter().any(|call| call.id == delta.id);
        let id = if given { delta.id.to_owned() } else { self.new_id(answer) };
        self.calls.push(AssembledCall {
            id,
            given,
            partial: PartialObject::new(&self.secrets),
            ..AssembledCall::default()
        });
        Ok(at)
    }

    /// Removes the last call if it has neither name nor arguments.
    fn drop_empty(&mut self) {
        self.calls.pop_if(|call| call.name.is_empty() && call.raw.is_empty());
    }

    /// Generates an id of at most 40 characters, OpenAI's limit for ids that are sent back.
    fn new_id(&self, answer: &str) -> String {
        let tail: Vec<char> = answer.chars().filter(char::is_ascii_alphanumeric).collect();
        let tail: String = tail[tail.len().saturating_sub(24)..].iter().collect();
        let free = |id: &String| !self.calls.iter().any(|call| call.id == *id);
        let made = |number: usize| format!("call_{number}_{tail}").trim_end_matches('_').to_owned();
        // There are more candidates than calls, so one is free.
        (self.calls.len()..=2 * limits::CALLS).map(made).find(free).unwrap_or_default()
    }
}

impl AssembledCall {
    /// Returns whether the delta repeats a complete call: LocalAI repeats calls with their ids under other indexes.
    fn repeated_by(&self, delta: &CallDelta) -> bool {
        if !self.bracket.closed || delta.arguments.is_empty() {
            return false;
        }
        if !delta.id.is_empty() {
            return self.id == delta.id && self.name == delta.name && self.raw == delta.arguments;
        }
        // Servers that repeat the arguments in the last delta may write them in another way.
        let is_known = delta.index.is_some() && self.index == delta.index;
        let is_named = delta.name.is_empty() || delta.name == self.name;
        is_known && is_named && !self.named_again && arguments::are_equal(&self.raw, delta.arguments)
    }

    /// Returns whether the delta has the arguments of another call, after this one was named again.
    fn begins_next(&self, delta: &CallDelta) -> bool {
        self.named_again && delta.name.is_empty() && delta.arguments.trim_start().starts_with('{')
    }

    /// Reads the arguments again from this position on.
    fn restart_at(&mut self, position: usize, secrets: &Secrets) {
        self.restart = position;
        self.mender = Mender::default();
        self.partial = PartialObject::new(secrets);
        self.shown = position;
        self.bracket = Bracket::default();
    }

    /// Returns whether the delta begins a new call although it was assigned to this one.
    fn followed_by(&self, delta: &CallDelta) -> bool {
        let other_id = !delta.id.is_empty() && delta.id != self.id;
        if delta.name.is_empty() {
            // Old vLLM gives every delta a new id: without a name it begins no call while arguments are incomplete.
            return other_id && self.bracket.closed;
        }
        if other_id && self.given {
            return true;
        }
        if self.name.is_empty() {
            return false;
        }
        let more = !delta.arguments.is_empty();
        if delta.name == self.name {
            return self.bracket.closed && more;
        }
        let has_own_id = self.given && delta.id == self.id;
        let name_grows = delta.index.is_some() && self.raw.is_empty() && (has_own_id || delta.id.is_empty() && !more);
        !name_grows
    }

    fn announce(&mut self, at: usize, secrets: &Secrets, deltas: &mut Vec<Delta>) {
        if !self.announced && !self.name.is_empty() {
            self.announced = true;
            let (id, name) = (secrets.redact(&self.id), secrets.redact(&self.name));
            deltas.push(Delta::ToolCallStart { call: at, id, name });
        }
    }
}

/// Redacts arguments, so that no key gets into the document.
fn redacted(arguments: Arguments, secrets: &Secrets) -> Arguments {
    let members = |given| {
        let mut value = Value::Object(given);
        secrets.redact_value(&mut value);
        if let Value::Object(members) = value { members } else { Map::new() }
    };
    match arguments {
        Arguments::Whole(given) => Arguments::Whole(members(given)),
        Arguments::CutOff { raw } => Arguments::CutOff { raw: secrets.redact(&raw) },
        Arguments::Invalid { raw, reason } => {
            Arguments::Invalid { raw: secrets.redact(&raw), reason: secrets.redact(&reason) }
        }
        Arguments::Ambiguous { raw, escape } => Arguments::Ambiguous { raw: secrets.redact(&raw), escape },
    }
}
