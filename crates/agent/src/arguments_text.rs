//! The JSON text of arguments that are still arriving.

use super::event::ArrivingArguments;
use serde_json::{Map, Value};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The text of the arguments of one call, as far as it was reported: its length in bytes and a hash. The text itself may
/// have many megabytes.
#[derive(Default)]
pub(super) struct ArgumentsText {
    length: usize,
    hash: u64,
}

impl ArgumentsText {
    /// Returns what was added to the text since the last call; `None` if nothing was.
    pub(super) fn grown(&mut self, arguments: &Map<String, Value>) -> Option<ArrivingArguments> {
        let text = open_text(arguments);
        let begins = text.get(..self.length).is_some_and(|begin| self.length == 0 || hash_of(begin) == self.hash);
        if begins && text.len() == self.length {
            return None;
        }
        // A repeated name has replaced a value.
        let restart = !begins;
        let delta = if restart { text.clone() } else { text[self.length..].to_owned() };
        (self.length, self.hash) = (text.len(), hash_of(&text));
        Some(ArrivingArguments::Delta { delta, restart })
    }
}

/// Returns a hash that is compared within one process only.
fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns an object as JSON text without the brackets and the quote that close it. When strings get longer and members
/// are added at the end, the text grows at its end.
fn open_text(object: &Map<String, Value>) -> String {
    // Serialization fails only for map keys that are not strings.
    let mut text = serde_json::to_string(object).unwrap_or_default();
    let mut closers = 1;
    let mut last = object.values().next_back();
    while let Some(value) = last {
        closers += usize::from(matches!(value, Value::Object(_) | Value::Array(_) | Value::String(_)));
        last = match value {
            Value::Object(members) => members.values().next_back(),
            Value::Array(items) => items.last(),
            _ => None,
        };
    }
    text.truncate(text.len().saturating_sub(closers));
    text
}
