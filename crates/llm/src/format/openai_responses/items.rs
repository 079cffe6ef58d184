//! The items of an answer under way, and the assignment of events to them.
//!
//! According to the format, an event refers to the item with its `item_id`, at its `output_index`. Copilot gives
//! every event another id; others use the index 0 for all, omit the id, or send neither `added` nor deltas but only
//! the complete item, or repeat it in the response at the end. The complete text of an item adds what its deltas
//! lacked, and is never reported twice.

use crate::Error;
use crate::format::definition::without_nulls;
use crate::partial_answer::{Kind, PartialAnswer, TextId};
use crate::surrogates::Joiner;
use crate::tool_calls::CallDelta;
use serde_json::{Value, json};

/// The kinds of items that are read; others (such as searches of the server) are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemKind {
    Message,
    Reasoning,
    Call,
}

/// The texts of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A message's text.
    Text,
    /// A message that refuses.
    Refusal,
    /// Summary of the thinking.
    Summary,
    /// The thinking itself, as open models report it.
    Thought,
    /// A call's arguments.
    Arguments,
}

/// The items so far.
#[derive(Default)]
pub(super) struct ResponseItems {
    items: Vec<ResponseItem>,
}

struct ResponseItem {
    kind: ItemKind,
    id: String,
    call_id: String,
    index: Option<u64>,
    /// Its text, its thinking, or the JSON text of its arguments so far.
    said: String,
    refused: String,
    /// The kind of thinking that is reported: the first that arrived.
    source: Option<Of>,
    /// The number of its latest part.
    paragraph: Option<u64>,
    /// True if the call was reported.
    begun: bool,
    done: bool,
}

/// The most items of an answer; each takes memory and time to search.
const MOST: usize = 1024;

/// Bytes that an item counts beside its text.
const ITEM_BYTES: usize = 256;

/// The longest id that OpenAI accepts. Copilot assigns longer ones.
pub(super) const ID_BYTES: usize = 64;

pub(super) fn output_index(value: &Value) -> Option<u64> {
    value.get("output_index").and_then(Value::as_u64)
}

pub(super) fn text(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn kind_of(item: &Value) -> Option<ItemKind> {
    match text(item.get("type")) {
        "message" => Some(ItemKind::Message),
        "reasoning" => Some(ItemKind::Reasoning),
        "function_call" => Some(ItemKind::Call),
        _ => None,
    }
}

impl ResponseItems {
    /// Adds an item. Its content at this point is repeated later.
    pub(super) fn begin(&mut self, item: &Value, index: Option<u64>, partial: &mut PartialAnswer) -> Result<(), Error> {
        let Some(kind) = kind_of(item) else { return Ok(()) };
        let at = match self.known(kind, item) {
            Some(at) => at,
            None => self.add(kind, item, index, partial)?,
        };
        if kind == ItemKind::Call && !text(item.get("name")).is_empty() {
            self.announce(at, item, partial)?;
        }
        Ok(())
    }

    /// Processes a delta.
    pub(super) fn say(&mut self, of: Of, event: &Value, piece: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        if piece.is_empty() {
            return Ok(());
        }
        let at = self.route(of, event, partial)?;
        let item = &mut self.items[at];
        if item.done {
            return Ok(());
        }
        if matches!(of, Of::Summary | Of::Thought) {
            if *item.source.get_or_insert(of) != of {
                return Ok(());
            }
            let part = if of == Of::Summary { "summary_index" } else { "content_index" };
            let part = event.get(part).and_then(Value::as_u64);
            let before = std::mem::replace(&mut item.paragraph, part);
            if before.is_some() && before != part && !item.said.is_empty() {
                self.push(at, of, "\n\n", partial)?;
            }
        }
        self.push(at, of, piece, partial)
    }

    /// Processes a complete text.
    pub(super) fn say_whole(&mut self, of: Of, event: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        let field = match of {
            Of::Arguments => "arguments",
            Of::Refusal => "refusal",
            _ => "text",
        };
        let Some(whole) = event.get(field) else { return Ok(()) };
        let at = self.route(of, event, partial)?;
        let item = &self.items[at];
        match of {
            _ if item.done => Ok(()),
            Of::Arguments => self.settle_arguments(at, whole, partial),
            Of::Refusal if !item.refused.is_empty() => Ok(()),
            Of::Text | Of::Summary | Of::Thought if !item.said.is_empty() => Ok(()),
            _ => self.say(of, event, text(Some(whole)), partial),
        }
    }

    /// Processes a complete item.
    pub(super) fn settle(
        &mut self,
        item: &Value,
        index: Option<u64>,
        partial: &mut PartialAnswer,
    ) -> Result<(), Error> {
        let Some(kind) = kind_of(item) else { return Ok(()) };
        let (no_id, call_id) = (text(item.get("id")).is_empty(), text(item.get("call_id")));
        let here =
            |known: &ResponseItem| known.may_be(call_id) && if index.is_some() { known.index == index } else { no_id };
        let at = match self.known(kind, item).or_else(|| self.open(kind, here)) {
            Some(at) => at,
            None => self.add(kind, item, index, partial)?,
        };
        self.settle_at(at, item, partial)
    }

    /// Processes the items of the complete response, which some servers omit. Their order identifies them as well.
    pub(super) fn settle_all(&mut self, output: Option<&Value>, partial: &mut PartialAnswer) -> Result<(), Error> {
        let mut seen = [0; 3];
        for item in output.and_then(Value::as_array).into_iter().flatten() {
            let Some(kind) = kind_of(item) else { continue };
            let number = seen[kind as usize];
            seen[kind as usize] += 1;
            let call_id = text(item.get("call_id"));
            let mut of_kind = self.items.iter().enumerate().filter(|(_, known)| known.kind == kind);
            let in_order = of_kind.nth(number).filter(|(_, known)| known.may_be(call_id)).map(|(at, _)| at);
            let at = match self.known(kind, item).or(in_order) {
                Some(at) => at,
                None => self.add(kind, item, None, partial)?,
            };
            self.settle_at(at, item, partial)?;
        }
        // Arguments of a call that was never reported: it cannot run, but it must not be lost.
        for at in 0..self.items.len() {
            if self.items[at].kind == ItemKind::Call && !self.items[at].begun {
                self.announce(at, &Value::Null, partial)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        kind: ItemKind,
        item: &Value,
        index: Option<u64>,
        partial: &mut PartialAnswer,
    ) -> Result<usize, Error> {
        let (id, call_id) = (text(item.get("id")).to_owned(), text(item.get("call_id")).to_owned());
        if self.items.len() == MOST {
            return Err(Error::MalformedStream { reason: format!("an answer has more than {MOST} items") });
        }
        partial.count_bytes(ITEM_BYTES + id.len() + call_id.len())?;
        let (said, refused) = Default::default();
        let (source, paragraph, begun, done) = (None, None, false, false);
        self.items.push(ResponseItem { kind, id, call_id, index, said, refused, source, paragraph, begun, done });
        Ok(self.items.len() - 1)
    }

    /// Returns the item with the same id, or the call with the same call id.
    fn known(&self, kind: ItemKind, item: &Value) -> Option<usize> {
        let (id, call_id) = (text(item.get("id")), text(item.get("call_id")));
        let same = |known: &ResponseItem| {
            known.kind == kind
                && ((!id.is_empty() && known.id == id) || (!call_id.is_empty() && known.call_id == call_id))
        };
        self.items.iter().rposition(same)
    }

    /// Returns the latest open item of a kind that fits.
    fn open(&self, kind: ItemKind, fits: impl Fn(&ResponseItem) -> bool) -> Option<usize> {
        self.items.iter().rposition(|item| item.kind == kind && !item.done && fits(item))
    }

    /// Returns the item that a delta belongs to.
    fn route(&mut self, of: Of, event: &Value, partial: &mut PartialAnswer) -> Result<usize, Error> {
        let kind = match of {
            Of::Text | Of::Refusal => ItemKind::Message,
            Of::Summary | Of::Thought => ItemKind::Reasoning,
            Of::Arguments => ItemKind::Call,
        };
        let (id, index) = (text(event.get("item_id")), output_index(event));
        let by_id = || self.items.iter().rposition(|item| !id.is_empty() && item.kind == kind && item.id == id);
        let by_index = || self.open(kind, |item| index.is_some() && item.index == index);
        let last = || self.open(kind, |item| index.is_none() || (item.said.is_empty() && item.refused.is_empty()));
        match by_id().or_else(by_index).or_else(last) {
            Some(at) => Ok(at),
            None => self.add(kind, &without_nulls(json!({ "id": id })), index, partial),
        }
    }

    fn push(&mut self, at: usize, of: Of, piece: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        let item = &mut self.items[at];
        let place = TextId::Block(at as u64);
        match of {
            Of::Text => partial.push_text(Kind::Text, place, piece)?,
            Of::Refusal => partial.push_text(Kind::Refusal, place, piece)?,
            Of::Summary | Of::Thought => partial.push_text(Kind::Thinking, place, piece)?,
            Of::Arguments if item.begun => {
                let index = Some(at as u64);
                partial.push_call(&CallDelta {
                    id: item.wire_id(),
                    index,
                    arguments: piece,
                    ..CallDelta::default()
                })?;
            }
            Of::Arguments => partial.count_bytes(piece.len())?,
        }
        let said = if of == Of::Refusal { &mut item.refused } else { &mut item.said };
        said.push_str(piece);
        Ok(())
    }

    /// Reports a call, with the arguments so far.
    fn announce(&mut self, at: usize, item: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        let known = &mut self.items[at];
        if known.call_id.is_empty() {
            known.call_id = text(item.get("call_id")).to_owned();
        }
        if std::mem::replace(&mut known.begun, true) {
            return Ok(());
        }
        let signature = if known.id.len() <= ID_BYTES { known.id.as_str() } else { "" };
        let (id, index, name) = (known.wire_id(), Some(at as u64), text(item.get("name")));
        partial.push_call(&CallDelta { id, index, name, arguments: &known.said, signature, ..CallDelta::default() })
    }

    fn settle_at(&mut self, at: usize, item: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        if self.items[at].done {
            return Ok(());
        }
        match self.items[at].kind {
            ItemKind::Message => {
                let content = item.get("content");
                let (said, refused) = (joined(content, "text", ""), joined(content, "refusal", ""));
                self.push_rest(at, Of::Text, &said, partial)?;
                self.push_rest(at, Of::Refusal, &refused, partial)?;
                let signature = signature(item);
                if !self.items[at].said.is_empty() {
                    partial.push_signature(Kind::Text, TextId::Block(at as u64), &signature)?;
                }
            }
            ItemKind::Reasoning => {
                let summary = joined(item.get("summary"), "text", "\n\n");
                let thought = joined(item.get("content"), "text", "\n\n");
                match self.items[at].source {
                    Some(Of::Thought) => self.push_rest(at, Of::Thought, &thought, partial)?,
                    None if summary.is_empty() => self.push_rest(at, Of::Thought, &thought, partial)?,
                    _ => self.push_rest(at, Of::Summary, &summary, partial)?,
                }
                let kind = if self.items[at].said.is_empty() { Kind::Redacted } else { Kind::Thinking };
                // The item is sent back as its own JSON.
                let mut joiner = Joiner::default();
                let signature = joiner.join(&item.to_string(), partial.has_lone_surrogates);
                partial.push_signature(kind, TextId::Block(at as u64), &signature)?;
            }
            ItemKind::Call => {
                self.announce(at, item, partial)?;
                self.settle_arguments(at, item.get("arguments").unwrap_or(&Value::Null), partial)?;
            }
        }
        self.items[at].done = true;
        Ok(())
    }

    /// Reports the part of the complete text that the deltas lacked. If they differ, the deltas stay.
    fn push_rest(&mut self, at: usize, of: Of, whole: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        let said = if of == Of::Refusal { &self.items[at].refused } else { &self.items[at].said };
        match whole.strip_prefix(said.as_str()) {
            Some(rest) if !rest.is_empty() => self.push(at, of, rest, partial),
            _ => Ok(()),
        }
    }

    /// Does the same for arguments; if they differ, the complete ones are run.
    fn settle_arguments(&mut self, at: usize, whole: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        let whole = match whole {
            Value::Null => return Ok(()),
            Value::String(text) => text.clone(),
            // An object instead of JSON text.
            value => value.to_string(),
        };
        let item = &mut self.items[at];
        if whole.trim().is_empty() {
            return Ok(());
        }
        if whole.starts_with(&item.said) {
            return self.push_rest(at, Of::Arguments, &whole, partial);
        }
        item.said.clear();
        item.said.push_str(&whole);
        if !item.begun {
            return partial.count_bytes(whole.len());
        }
        let (id, index) = (item.wire_id(), Some(at as u64));
        partial.push_call(&CallDelta { id, index, arguments: &whole, instead: true, ..CallDelta::default() })
    }
}

impl ResponseItem {
    /// Returns whether the item can be the call with this id, if both have one.
    fn may_be(&self, call_id: &str) -> bool {
        call_id.is_empty() || self.call_id.is_empty() || self.call_id == call_id
    }

    /// Returns the id that the result refers to; some servers have only one id.
    fn wire_id(&self) -> &str {
        if self.call_id.is_empty() { &self.id } else { &self.call_id }
    }
}

/// Returns the texts in a list of parts, joined.
fn joined(parts: Option<&Value>, field: &str, by: &str) -> String {
    match parts {
        Some(Value::String(text)) if field == "text" => text.clone(),
        Some(Value::Array(parts)) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get(field)?.as_str()).collect();
            texts.join(by)
        }
        _ => String::new(),
    }
}

/// Returns the fields of a message that are sent back beside its text; empty if there are none.
fn signature(item: &Value) -> String {
    let short = |field| item.get(field).filter(|value| (1..=ID_BYTES).contains(&text(Some(value)).len())).cloned();
    let signature = without_nulls(json!({ "id": short("id"), "phase": short("phase") }));
    if signature.as_object().is_some_and(|fields| fields.is_empty()) { String::new() } else { signature.to_string() }
}
