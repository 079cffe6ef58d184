//! The interface of a wire format to the matrix: how to write an answer and errors, and how to read the conversation
//! in a request. A new format is a file in `formats/` and a line in `formats::all`.

use crate::fault::FaultOutcome;
use crate::shape::{HIGH_SURROGATE, LOW_SURROGATE, Shape, ShapeOutcome};
use serde_json::Value;

/// A format.
pub struct Format {
    /// The name in the settings.
    pub api: &'static str,
    /// The requested model. Some formats depend on it.
    pub model: &'static str,
    pub base_url: &'static str,
    /// Writes an answer.
    pub write: fn(&Shape) -> Stream,
    /// Writes an error in the middle of a stream.
    pub error_event: fn(words: &str) -> Event,
    /// Writes the error of an overloaded server in the middle of a stream.
    pub overloaded_event: Event,
    /// Writes the body of an error of status 400 for a conversation that is too long.
    pub overflow_body: &'static str,
    /// Writes the body of any other error with this status.
    pub error_body: fn(status: u16, words: &str) -> String,
    /// Reads the conversation in the body of a request.
    pub conversation: fn(&Value) -> Result<Vec<Entry>, String>,
    /// The outcome of a shape that the format cannot express, and the reason.
    pub other_shape: fn(&Shape, ShapeOutcome) -> (ShapeOutcome, Option<&'static str>),
    /// The outcome of a fault that is an exception in this format, and the reason.
    pub other_fault: fn(&str, &'static str, &Shape) -> Option<(FaultOutcome, &'static str)>,
}

/// An event of a stream.
#[derive(Clone)]
pub struct Event {
    /// Empty if the format has no names of events.
    pub name: String,
    pub data: String,
}

/// An answer as a format writes it.
#[derive(Clone)]
pub struct Stream {
    pub events: Vec<Event>,
    /// The event with the finish reason.
    pub finish: usize,
    /// The last event, which may be the same.
    pub terminator: Option<usize>,
}

/// The conversation in a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    User(String),
    Answer { text: String, calls: Vec<String> },
    Result { id: String },
}

impl Event {
    /// Returns an event of JSON. Placeholders for surrogates become escapes.
    pub fn new(name: &str, data: &Value) -> Event {
        Event { name: name.to_owned(), data: Event::raw(&data.to_string()) }
    }

    /// Returns JSON in which placeholders for surrogates are escapes.
    pub fn raw(json: &str) -> String {
        json.replace(HIGH_SURROGATE, "\\ud83d").replace(LOW_SURROGATE, "\\ude00")
    }

    pub fn bytes(&self) -> Vec<u8> {
        let name = if self.name.is_empty() { String::new() } else { format!("event: {}\n", self.name) };
        format!("{name}data: {}\n\n", self.data).into_bytes()
    }
}

impl Stream {
    /// Returns the bytes of each event.
    pub fn chunks(&self) -> Vec<Vec<u8>> {
        self.events.iter().map(Event::bytes).collect()
    }
}

/// Checks that a model can continue a conversation: the user begins, no answer is last, every call has one result
/// right after its answer and every result a call, and roles alternate.
pub fn check_conversation(entries: &[Entry]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &entries[at]);
        match entry {
            Entry::User(_) if !open.is_empty() => {
                return Err(format!("a message of the user precedes the results of {open:?}"));
            }
            Entry::User(_) if matches!(before, Some(Entry::User(_))) => {
                return Err("two messages of the user in sequence".into());
            }
            Entry::User(_) => {}
            Entry::Answer { .. } if !open.is_empty() => return Err(format!("no results of {open:?}")),
            Entry::Answer { .. } if matches!(before, None | Some(Entry::Answer { .. })) => {
                return Err("an answer to nothing".into());
            }
            Entry::Answer { calls, .. } => {
                for id in calls {
                    if seen.contains(&id.as_str()) {
                        return Err(format!("two calls have the id {id}"));
                    }
                    seen.push(id);
                    open.push(id);
                }
            }
            Entry::Result { id } => {
                let known = open.iter().position(|open| open == id).ok_or(format!("a result of no call: {id}"))?;
                open.remove(known);
            }
        }
    }
    match entries.last() {
        _ if !open.is_empty() => Err(format!("no results of {open:?} at the end")),
        Some(Entry::User(_) | Entry::Result { .. }) => Ok(()),
        _ => Err("there is nothing to answer".into()),
    }
}
