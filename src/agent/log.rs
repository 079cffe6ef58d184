//! What happens behind the events, for whoever looks after an app: each request, each call, how long it took.
//!
//! Silent unless the app gives a [`Logger`]. An entry names things by their ids and says nothing of what was written: text
//! of the document, prompts, answers and results are in no entry above [`Level::Debug`], and only where somebody puts
//! them into one with [`Log::debug`]. **A key is in no entry at any level**: every text passes [`without_key`].

use crate::error::{Error, excerpt, without_key};
use crate::fields::{form, object};
use crate::host::{Request, origin_of};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For whoever looks for a fault; may hold text of the document.
    Debug,
    /// What happened, as it should.
    Info,
    /// Something went wrong and was got over.
    Warning,
    /// Something went wrong.
    Error,
}

impl Level {
    /// Its name, as methods of `console` are called, nearly.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// How much it matters.
    pub level: Level,
    /// What happened: the same words for the same thing, so that they can be searched for.
    pub message: &'static str,
    /// Ids, names, durations in `ms`, origins.
    pub fields: Vec<(&'static str, Value)>,
}

impl Entry {
    /// As JSON: `{level, message, fields}`.
    pub fn to_value(&self) -> Value {
        let mut fields: Vec<(&str, Value)> = self.fields.clone();
        form("level message fields", [self.level.name().into(), self.message.into(), object(&mut fields)])
    }
}

/// Where entries go.
pub trait Logger {
    /// Takes an entry. Nothing is borrowed meanwhile.
    fn log(&self, entry: Entry);
}

/// What entries are written with. Clones write to the same place.
#[derive(Clone, Default)]
pub struct Log {
    logger: Option<Rc<dyn Logger>>,
    /// What is never written.
    keys: Rc<RefCell<Vec<String>>>,
}

impl Log {
    /// A log that writes nothing.
    pub fn silent() -> Log {
        Log::default()
    }

    /// A log of an app.
    pub fn new(logger: Rc<dyn Logger>) -> Log {
        Log { logger: Some(logger), keys: Rc::default() }
    }

    /// Whether nobody reads it: then nothing need be put together.
    pub fn is_silent(&self) -> bool {
        self.logger.is_none()
    }

    /// Remembers a key that must not be written from now on.
    pub fn add_key(&self, key: &str) {
        let key = key.trim();
        let mut keys = self.keys.borrow_mut();
        if !key.is_empty() && !self.is_silent() && !keys.iter().any(|known| known == key) {
            // The longest first: a key may be the beginning of another.
            let at = keys.partition_point(|known| known.len() >= key.len());
            keys.insert(at, key.to_owned());
        }
    }

    /// Writes an entry.
    pub fn write(&self, level: Level, message: &'static str, fields: &mut [(&'static str, Value)]) {
        let Some(logger) = &self.logger else { return };
        let mut fields: Vec<_> = fields.iter_mut().map(|(name, value)| (*name, value.take())).collect();
        fields.retain(|(_, value)| !value.is_null());
        for key in self.keys.borrow().iter() {
            fields.iter_mut().for_each(|(_, value)| blot(value, key));
        }
        if level > Level::Debug {
            // Names of calls and tools come from models and may be of any length. They are cut when no key is in them
            // any more: half a key would not be found.
            for value in fields.iter_mut().map(|(_, value)| value) {
                if let Value::String(text) = value {
                    *text = excerpt(text);
                }
            }
        }
        logger.log(Entry { level, message, fields });
    }

    /// Writes what may hold text: for whoever looks for a fault. `detail` is called only where there is a logger.
    pub fn debug(&self, message: &'static str, detail: &dyn Fn() -> Value) {
        if !self.is_silent() {
            self.write(Level::Debug, message, &mut [("detail", detail())]);
        }
    }

    /// A request is sent.
    pub fn request_started(&self, id: u64, request: &Request) {
        if self.is_silent() {
            return;
        }
        // What is relative goes to the page's own origin.
        // A key that stands in an address as it is may hold a slash: without this, half of it would be in the origin.
        let url = self.keys.borrow().iter().fold(request.url.clone(), |url, key| without_key(&url, Some(key)));
        let origin = url.contains("://").then(|| origin_of(&url));
        self.write(
            Level::Info,
            "request started",
            &mut [
                ("requestId", id.into()),
                ("method", request.method.into()),
                ("origin", origin.into()),
                ("bytes", request.body.as_ref().map(String::len).into()),
            ],
        );
    }

    /// The head of an answer has come. A status other than 2xx is a warning: it may be tried again.
    pub fn request_answered(&self, id: u64, status: u16, ms: f64) {
        let level = if (200..300).contains(&status) { Level::Info } else { Level::Warning };
        let fields = &mut [("requestId", id.into()), ("status", status.into()), ("ms", ms.into())];
        self.write(level, "request answered", fields);
    }

    /// No answer came, or it broke off.
    pub fn request_failed(&self, id: u64, error: &Error, ms: f64) {
        // The message of an error quotes what a server said, and servers quote what they were sent.
        let fields = &mut [("requestId", id.into()), ("code", error.code().into()), ("ms", ms.into())];
        self.write(Level::Warning, "request failed", fields);
    }

    /// A request will be sent again.
    pub fn retry(&self, attempt: usize, delay_ms: u64, code: &str) {
        let fields = &mut [("attempt", attempt.into()), ("delayMs", delay_ms.into()), ("code", code.into())];
        self.write(Level::Warning, "retry", fields);
    }

    /// A call begins to run.
    pub fn tool_started(&self, tool_id: &str, tool: &str, turn_id: &str) {
        let fields = &mut [("toolId", tool_id.into()), ("tool", tool.into()), ("turnId", turn_id.into())];
        self.write(Level::Info, "tool started", fields);
    }

    /// A call is over; `code` is that of its error.
    pub fn tool_finished(&self, tool_id: &str, tool: &str, ms: f64, code: Option<&str>) {
        let level = if code.is_some() { Level::Warning } else { Level::Info };
        let fields = &mut [("toolId", tool_id.into()), ("tool", tool.into()), ("ms", ms.into()), ("code", code.into())];
        self.write(level, "tool finished", fields);
    }

    /// The conversation was shortened, in tokens.
    pub fn compacted(&self, before: usize, after: usize, ms: f64) {
        let fields = &mut [("before", before.into()), ("after", after.into()), ("ms", ms.into())];
        self.write(Level::Info, "compaction", fields);
    }

    /// A run is over; `code` is that of its error.
    pub fn run_finished(&self, status: &str, turns: usize, ms: f64, code: Option<&str>) {
        let level = if code.is_some() { Level::Error } else { Level::Info };
        let fields =
            &mut [("status", status.into()), ("turns", turns.into()), ("ms", ms.into()), ("code", code.into())];
        self.write(level, "run finished", fields);
    }
}

/// Takes a key out of all texts in a value, names of members too.
fn blot(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if text.contains(key) => *text = without_key(text, Some(key)),
        Value::Array(items) => items.iter_mut().for_each(|item| blot(item, key)),
        Value::Object(members) => {
            members.values_mut().for_each(|value| blot(value, key));
            if members.keys().any(|name| name.contains(key)) {
                let renamed = std::mem::take(members).into_iter();
                *members = renamed.map(|(name, value)| (without_key(&name, Some(key)), value)).collect();
            }
        }
        _ => {}
    }
}
