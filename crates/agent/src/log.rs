//! A log of requests, calls and runs for operators of an app.
//!
//! Nothing is written unless the app provides a [`Logger`]. Entries name things by id and contain no text of the
//! document, prompts, answers or results, except entries of [`Level::Debug`], which are written with [`Log::debug`].
//! **No entry contains a key, at any level**: every text passes [`Secrets::redact`].

use copydesk_base::ErrorInfo;
use copydesk_base::error::excerpt;
use copydesk_base::host::{Request, origin_of};
use copydesk_base::secrets::Secrets;
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// Severity of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Details for debugging; may contain text of the document.
    Debug,
    /// Normal operation.
    Info,
    /// A failure that was recovered from.
    Warning,
    /// A failure.
    Error,
}

impl Level {
    /// Returns its name, mostly that of the method of `console`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// A log entry.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// Its severity.
    pub level: Level,
    /// The event, in a fixed wording that can be searched for.
    pub message: &'static str,
    /// Ids, names, durations in `ms`, origins.
    pub fields: Vec<(&'static str, Value)>,
}

impl LogEntry {
    /// Returns the entry as JSON: `{level, message, fields}`.
    pub fn to_value(&self) -> Value {
        let fields: Map<String, Value> =
            self.fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        json!({ "level": self.level.name(), "message": self.message, "fields": fields })
    }
}

/// A destination of log entries.
pub trait Logger {
    /// Receives an entry. Nothing is borrowed meanwhile.
    fn log(&self, entry: LogEntry);
}

/// Writes log entries. Clones write to the same logger.
#[derive(Clone, Default)]
pub struct Log {
    logger: Option<Rc<dyn Logger>>,
    /// Keys that are redacted.
    secrets: Secrets,
}

impl Log {
    /// Creates a log that writes nothing.
    pub fn silent() -> Log {
        Log::default()
    }

    /// Creates a log that writes to `logger`.
    pub fn new(logger: Rc<dyn Logger>) -> Log {
        Log { logger: Some(logger), secrets: Secrets::default() }
    }

    /// Returns whether there is no logger, so that callers can skip building entries.
    pub fn is_silent(&self) -> bool {
        self.logger.is_none()
    }

    /// Returns the keys that are redacted; users of a key add it.
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
            // Names of calls and tools come from models and may be of any length. They are cut after redaction: half
            // a key would not be found.
            for value in fields.iter_mut().map(|(_, value)| value) {
                if let Value::String(text) = value {
                    *text = excerpt(text);
                }
            }
        }
        logger.log(LogEntry { level, message, fields });
    }

    /// Writes a debug entry, which may contain text. `detail` is called only if there is a logger.
    pub fn debug(&self, message: &'static str, detail: &dyn Fn() -> Value) {
        if !self.is_silent() {
            self.write(Level::Debug, message, &mut [("detail", detail())]);
        }
    }

    /// Logs that a request is sent.
    pub fn request_started(&self, id: u64, request: &Request) {
        if self.is_silent() {
            return;
        }
        // A relative URL is one of the page's own origin. Redact first: a key in a URL may contain a slash, and half of
        // it would be in the origin.
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

    /// Logs the head of a response. A status other than 2xx is a warning, because the request may be repeated.
    pub fn request_answered(&self, id: u64, status: u16, ms: f64) {
        let level = if (200..300).contains(&status) { Level::Info } else { Level::Warning };
        let fields = &mut [("requestId", id.into()), ("status", status.into()), ("ms", ms.into())];
        self.write(level, "request answered", fields);
    }

    /// Logs that no response came, or that it broke off.
    pub fn request_failed(&self, id: u64, error: &dyn ErrorInfo, ms: f64) {
        // The message of an error quotes the server, which may quote the request.
        let fields = &mut [("requestId", id.into()), ("code", error.code().into()), ("ms", ms.into())];
        self.write(Level::Warning, "request failed", fields);
    }

    /// Logs that a request will be sent again.
    pub fn retry(&self, attempt: usize, delay_ms: u64, code: &str) {
        let fields = &mut [("attempt", attempt.into()), ("delayMs", delay_ms.into()), ("code", code.into())];
        self.write(Level::Warning, "retry", fields);
    }

    /// Logs that a call starts to run.
    pub fn tool_started(&self, tool_id: &str, tool: &str, turn_id: &str) {
        let fields = &mut [("toolId", tool_id.into()), ("tool", tool.into()), ("turnId", turn_id.into())];
        self.write(Level::Info, "tool started", fields);
    }

    /// Logs that a call has ended; `code` is that of its error, `is_error` if the tool itself says that it failed.
    pub fn tool_finished(&self, tool_id: &str, tool: &str, ms: f64, code: Option<&str>) {
        let level = if code.is_some() { Level::Error } else { Level::Info };
        let fields = &mut [("toolId", tool_id.into()), ("tool", tool.into()), ("ms", ms.into()), ("code", code.into())];
        self.write(level, "tool finished", fields);
    }

    /// Logs the size of the arguments of a call that starts to run.
    pub fn tool_called(&self, tool_id: &str, tool: &str, bytes: usize) {
        let fields =
            &mut [("toolId", excerpt(tool_id).into()), ("tool", excerpt(tool).into()), ("bytes", bytes.into())];
        self.write(Level::Debug, "tool called", fields);
    }

    /// Logs the size of the result of a call, as the model is shown it.
    pub fn tool_result(&self, tool_id: &str, tool: &str, bytes: usize, images: usize, is_error: bool) {
        let fields = &mut [
            ("toolId", excerpt(tool_id).into()),
            ("tool", excerpt(tool).into()),
            ("bytes", bytes.into()),
            ("images", images.into()),
            ("isError", is_error.into()),
        ];
        self.write(Level::Debug, "tool result", fields);
    }

    /// Logs that an edit was applied: its operation, the number of its changes, and the version after it.
    pub fn applied(&self, tool_id: &str, update: &Map<String, Value>) {
        let changes = update.get("changes").and_then(Value::as_array).map_or(0, Vec::len);
        let field = |name: &str| update.get(name).cloned().unwrap_or_default();
        let fields = &mut [
            ("toolId", tool_id.into()),
            ("operation", field("operation")),
            ("changes", changes.into()),
            ("version", field("version")),
        ];
        self.write(Level::Info, "apply", fields);
    }

    /// Logs that a call has written a file.
    pub fn file_written(&self, tool_id: &str, path: &str, version: &str, created: bool) {
        let fields = &mut [
            ("toolId", tool_id.into()),
            ("path", path.into()),
            ("version", version.into()),
            ("created", created.into()),
        ];
        self.write(Level::Info, "file written", fields);
    }

    /// Logs that the conversation was shortened, in tokens.
    pub fn compacted(&self, before: usize, after: usize, ms: f64) {
        let fields = &mut [("before", before.into()), ("after", after.into()), ("ms", ms.into())];
        self.write(Level::Info, "compaction", fields);
    }

    /// Logs that a run has ended; `code` is that of its error.
    pub fn run_finished(&self, status: &str, turns: usize, ms: f64, code: Option<&str>) {
        let level = if code.is_some() { Level::Error } else { Level::Info };
        let fields =
            &mut [("status", status.into()), ("turns", turns.into()), ("ms", ms.into()), ("code", code.into())];
        self.write(level, "run finished", fields);
    }
}
