//! The JSON text of arguments that are still arriving.

use super::event::ArrivingArguments;
use serde_json::{Map, Value};

/// The text of the arguments of one call, as far as it was reported.
#[derive(Default)]
pub(super) struct ArgumentsText {
    reported: String,
}

impl ArgumentsText {
    /// Returns what was added to the text since the last call; `None` if nothing was.
    pub(super) fn grown(&mut self, arguments: &Map<String, Value>) -> Option<ArrivingArguments> {
        let text = open_text(arguments);
        let (delta, restart) = match text.strip_prefix(&self.reported) {
            Some("") => return None,
            Some(more) => (more.to_owned(), false),
            // A repeated name has replaced a value.
            None => (text.clone(), true),
        };
        self.reported = text;
        Some(ArrivingArguments::Delta { delta, restart })
    }
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
