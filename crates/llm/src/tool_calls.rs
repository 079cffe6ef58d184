//! Assignment of deltas to tool calls.
//!
//! According to the format, the `index` assigns a delta. Servers omit the index, give every call the index 0, start
//! at 1, reuse the index of the last call for a new one, send its arguments under another index, omit the id, or
//! repeat the name in every delta. So a delta belongs to the call with its id, else to the latest call with its
//! index, else to the latest call; and it begins a new call if its id or its name says so.

use super::partial_json::PartialObject;
use super::surrogates::{Joiner, replace_lone_surrogates};
use super::{Arguments, Delta, ToolCall, limits};
use crate::Error;
use copydesk_base::error::excerpt;
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
    /// The provider's token for the call.
    pub signature: &'a str,
    /// True if the arguments replace the earlier ones.
    pub instead: bool,
    /// True if lone surrogates were replaced in the event.
    pub(super) has_lone_surrogates: bool,
}

/// The calls of an answer under way.
#[derive(Debug, Default)]
pub struct ToolCalls {
    calls: Vec<Call>,
    secrets: Secrets,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    /// True if the id is the provider's own.
    given: bool,
    index: Option<u64>,
    name: String,
    raw: String,
    /// The readable part of `raw`.
    partial: PartialObject,
    signature: String,
    joiner: Joiner,
    bracket: Bracket,
    announced: bool,
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
        let at = match found {
            Some(at) if !self.calls[at].followed_by(delta) => at,
            None if delta.id.is_empty() && delta.name.is_empty() && delta.arguments.is_empty() => return Ok(()),
            _ => self.begin(delta, answer, deltas)?,
        };
        let call = &mut self.calls[at];
        if delta.index.is_some() {
            call.index = delta.index;
        }
        if !call.announced && call.name != delta.name {
            call.name.push_str(delta.name);
        }
        call.signature.push_str(delta.signature);
        if delta.instead {
            call.raw.clear();
            call.partial = PartialObject::new(&self.secrets);
            call.shown = 0;
            (call.joiner, call.bracket) = Default::default();
        }
        if !delta.arguments.is_empty() {
            let text = call.joiner.join(delta.arguments, delta.has_lone_surrogates);
            call.bracket.follow(&text);
            call.raw.push_str(&text);
            // Not earlier, because until then the name may be incomplete.
            call.announce(at, &self.secrets, deltas);
        }
        Ok(())
    }

    /// Reports the arguments that have grown enough since the last report.
    pub fn show(&mut self, deltas: &mut Vec<Delta>) {
        for (at, call) in self.calls.iter_mut().enumerate() {
            let grown = call.raw.len() - call.shown;
            if !call.announced || grown == 0 || grown < call.shown / 64 {
                continue;
            }
            call.shown = call.raw.len();
            call.partial.read(&call.raw);
            if !call.partial.object().is_empty() {
                deltas.push(Delta::ToolCallArguments { call: at, partial: call.partial.object().clone() });
            }
        }
    }

    /// Reports data that was held back as incomplete. No more deltas may follow.
    pub fn end(&mut self, deltas: &mut Vec<Delta>) {
        self.drop_empty();
        for (at, call) in self.calls.iter_mut().enumerate() {
            let owed = call.joiner.end();
            call.raw.push_str(owed);
            call.announce(at, &self.secrets, deltas);
        }
    }

    /// Returns the number of calls, including a last one that may turn out to be empty.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns whether there is no call.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the calls of the finished answer; `cut` states that it reached the length limit.
    pub fn finish(self, cut: bool) -> Vec<ToolCall> {
        let secrets = &self.secrets;
        let whole = |call: Call| ToolCall {
            arguments: redacted(arguments(call.raw, call.bracket.deepest, cut), secrets),
            id: secrets.redact(&call.id),
            name: secrets.redact(&call.name),
            signature: Some(secrets.redact(&call.signature)).filter(|signature| !signature.is_empty()),
        };
        self.calls.into_iter().map(whole).collect()
    }

    fn route(&self, delta: &CallDelta) -> Option<usize> {
        let latest = |found: &dyn Fn(&Call) -> bool| self.calls.iter().rposition(found);
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
        self.calls.push(Call { id, given, partial: PartialObject::new(&self.secrets), ..Call::default() });
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

impl Call {
    /// Returns whether the delta repeats a complete call: LocalAI repeats calls with their ids under other indexes.
    fn repeated_by(&self, delta: &CallDelta) -> bool {
        self.id == delta.id && self.name == delta.name && self.bracket.closed && self.raw == delta.arguments
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
        let name_grows = delta.index.is_some() && delta.id.is_empty() && self.raw.is_empty() && !more;
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

/// Tracks whether the outermost bracket of a JSON text has closed, and its depth. Reads each character once.
#[derive(Debug, Default)]
struct Bracket {
    depth: usize,
    deepest: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Bracket {
    fn follow(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed |= self.depth == 0;
                }
                _ => {}
            }
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
    }
}

fn arguments(raw: String, depth: usize, cut: bool) -> Arguments {
    let text = raw.trim();
    if text.is_empty() || text == "null" {
        return Arguments::Whole(Map::new());
    }
    if limits::has_too_many_values(text) {
        return Arguments::Invalid { reason: "they have too many values".to_owned(), raw };
    }
    if depth > limits::ARGUMENTS_DEPTH {
        return Arguments::Invalid { reason: "they nest more than 64 deep".to_owned(), raw };
    }
    let read = |text: &str| serde_json::from_str::<Value>(text);
    match read(text)
        .or_else(|error| replace_lone_surrogates(text, false).map_or(Err(error), |replaced| read(&replaced)))
    {
        Ok(Value::Object(arguments)) => Arguments::Whole(arguments),
        Ok(_) => Arguments::Invalid { reason: "expected an object".to_owned(), raw },
        Err(error) if cut || error.is_eof() => Arguments::CutOff { raw },
        Err(error) => Arguments::Invalid { reason: excerpt(&error.to_string()), raw },
    }
}
