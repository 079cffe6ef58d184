//! What happens behind the events, for whoever looks after an app: each request, each call, how long it took.
//!
//! Silent unless the app gives a [`Logger`]. An entry names things by their ids and says nothing of what was written: text
//! of the document, prompts, answers and results are in no entry above [`Level::Debug`], and only where somebody puts
//! them into one with [`Log::debug`]. **A key is in no entry at any level**: every text passes [`Secrets::redact`].

use copydesk_base::ErrorInfo;
use copydesk_base::error::excerpt;
use copydesk_base::host::{Request, origin_of};
use copydesk_base::secrets::Secrets;
use serde_json::{Map, Value, json};
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
        let fields: Map<String, Value> =
            self.fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        json!({ "level": self.level.name(), "message": self.message, "fields": fields })
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
    secrets: Secrets,
}

impl Log {
    /// A log that writes nothing.
    pub fn silent() -> Log {
        Log::default()
    }

    /// A log of an app.
    pub fn new(logger: Rc<dyn Logger>) -> Log {
        Log { logger: Some(logger), secrets: Secrets::default() }
    }

    /// Returns whether nobody reads it: then nothing need be put together.
    pub fn is_silent(&self) -> bool {
        self.logger.is_none()
    }

    /// The keys that are never written; whoever uses one adds it.
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Writes an entry.
    pub fn write(&self, level: Level, message: &'static str, fields: &mut [(&'static str, Value)]) {
        let Some(logger) = &self.logger else { return };
        let mut fields: Vec<_> = fields.iter_mut().map(|(name, value)| (*name, value.take())).collect();
        fields.retain(|(_, value)| !value.is_null());
        fields.iter_mut().for_each(|(_, value)| self.secrets.redact_value(value));
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
        let url = self.secrets.redact(&request.url);
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
    pub fn request_failed(&self, id: u64, error: &dyn ErrorInfo, ms: f64) {
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
