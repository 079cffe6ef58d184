//! What a wire format is to the matrix: how an answer is written in it, what its errors look like, and how to read the
//! conversation out of a request. A further format is a further file in `formats/`, and a line in `formats::all`.

use crate::fault::Comes;
use crate::shape::{FIRST_HALF, Made, SECOND_HALF, Shape};
use serde_json::Value;

/// A format.
pub struct Format {
    /// As in the settings.
    pub api: &'static str,
    /// The model that is asked. Some formats do things for some models only.
    pub model: &'static str,
    pub base_url: &'static str,
    /// Writes an answer.
    pub write: fn(&Shape) -> Stream,
    /// An error in the middle of a stream, in these words.
    pub error_event: fn(words: &str) -> Event,
    /// The same from a server that has too much to do.
    pub overloaded_event: Event,
    /// The body of an error of status 400 because the conversation is too long.
    pub overflow_body: &'static str,
    /// The body of any other error with this status, in these words.
    pub error_body: fn(status: u16, words: &str) -> String,
    /// The conversation in the body of a request.
    pub conversation: fn(&Value) -> Result<Vec<Entry>, String>,
    /// What a shape comes to where the format cannot say it, and why.
    pub other_shape: fn(&Shape, Made) -> (Made, Option<&'static str>),
    /// What a fault comes to where that is not what it comes to in general, and why.
    pub other_fault: fn(&str, &'static str, &Shape) -> Option<(Comes, &'static str)>,
}

/// An event of a stream.
#[derive(Clone)]
pub struct Event {
    /// Empty where the format names none.
    pub name: String,
    pub data: String,
}

/// An answer as a format writes it.
#[derive(Clone)]
pub struct Stream {
    pub events: Vec<Event>,
    /// The event that says why the answer ended.
    pub finish: usize,
    /// The event after which nothing comes, which may be the same.
    pub terminator: Option<usize>,
}

/// What a request tells of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Person(String),
    Answer { text: String, calls: Vec<String> },
    Result { id: String },
}

impl Event {
    /// An event of JSON. What stands for half an emoji becomes its escape.
    pub fn new(name: &str, data: &Value) -> Event {
        Event { name: name.to_owned(), data: Event::raw(&data.to_string()) }
    }

    /// JSON in which what stands for half an emoji has become its escape.
    pub fn raw(json: &str) -> String {
        json.replace(FIRST_HALF, "\\ud83d").replace(SECOND_HALF, "\\ude00")
    }

    pub fn bytes(&self) -> Vec<u8> {
        let name = if self.name.is_empty() { String::new() } else { format!("event: {}\n", self.name) };
        format!("{name}data: {}\n\n", self.data).into_bytes()
    }
}

impl Stream {
    /// The bytes of each event.
    pub fn pieces(&self) -> Vec<Vec<u8>> {
        self.events.iter().map(Event::bytes).collect()
    }
}

/// Whether a model can go on with a conversation: the person begins and no answer stands last; every call has one
/// result right behind its answer, and every result its call; nobody speaks twice in a row.
pub fn check_conversation(entries: &[Entry]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &entries[at]);
        match entry {
            Entry::Person(_) if !open.is_empty() => {
                return Err(format!("the person speaks before the results of {open:?}"));
            }
            Entry::Person(_) if matches!(before, Some(Entry::Person(_))) => {
                return Err("the person speaks twice".into());
            }
            Entry::Person(_) => {}
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
        Some(Entry::Person(_) | Entry::Result { .. }) => Ok(()),
        _ => Err("there is nothing to answer".into()),
    }
}
