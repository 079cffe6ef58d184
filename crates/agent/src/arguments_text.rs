//! The JSON text of arguments that are still arriving.

use super::event::ArrivingArguments;
use serde_json::{Map, Value};
use std::hash::{DefaultHasher, Hasher};
use std::io;

/// The text of the arguments of one call, as far as it was reported: its length in bytes and a hash. The text itself
/// may have many megabytes.
#[derive(Default)]
pub(super) struct ArgumentsText {
    length: usize,
    hash: u64,
}

impl ArgumentsText {
    /// Returns the text that was added since the last call; `None` if nothing was.
    pub(super) fn grown(&mut self, arguments: &Map<String, Value>) -> Option<ArrivingArguments> {
        let more = Rest::of(arguments, self.length).filter(|rest| self.length == 0 || rest.skipped == self.hash);
        // A repeated name has replaced a value.
        let restart = more.is_none();
        let Rest { text, hasher, .. } = more.or_else(|| Rest::of(arguments, 0))?;
        if !restart && text.is_empty() {
            return None;
        }
        self.length = text.len() + if restart { 0 } else { self.length };
        self.hash = hash_of(hasher, &text);
        Some(ArrivingArguments::Delta { delta: text, restart })
    }
}

/// The rest of a JSON text behind its first bytes.
struct Rest {
    text: String,
    /// The hash of the first bytes.
    skipped: u64,
    /// The hasher that has read these.
    hasher: DefaultHasher,
}

impl Rest {
    /// Returns the rest of an object's JSON text behind its first `length` bytes, without the brackets and the quote
    /// that close it. When strings get longer and members are added at the end, the text grows at its end. `None` if
    /// the text is shorter.
    fn of(object: &Map<String, Value>, length: usize) -> Option<Rest> {
        let mut writer = PrefixHasher { left: length, hasher: DefaultHasher::new(), rest: Vec::new() };
        // Serialization fails only for map keys that are not strings.
        serde_json::to_writer(&mut writer, object).ok()?;
        let PrefixHasher { left: 0, hasher, mut rest } = writer else { return None };
        rest.truncate(rest.len().checked_sub(closers(object))?);
        Some(Rest { text: String::from_utf8(rest).ok()?, skipped: hasher.finish(), hasher })
    }
}

/// Hashes the first bytes and collects the others.
struct PrefixHasher {
    left: usize,
    hasher: DefaultHasher,
    rest: Vec<u8>,
}

impl io::Write for PrefixHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (skipped, kept) = bytes.split_at(self.left.min(bytes.len()));
        self.hasher.write(skipped);
        self.left -= skipped.len();
        self.rest.extend_from_slice(kept);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the hash of the bytes that a hasher has read and a text. It is compared within one process only.
fn hash_of(mut hasher: DefaultHasher, text: &str) -> u64 {
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Returns the number of brackets and quotes that close an object and the last values in it.
fn closers(object: &Map<String, Value>) -> usize {
    let mut count = 1;
    let mut last = object.values().next_back();
    while let Some(value) = last {
        count += usize::from(matches!(value, Value::Object(_) | Value::Array(_) | Value::String(_)));
        last = match value {
            Value::Object(members) => members.values().next_back(),
            Value::Array(items) => items.last(),
            _ => None,
        };
    }
    count
}
