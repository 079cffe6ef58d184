//! The errors of files, paths and searches.
//!
//! Messages begin with the names that models know from Python: `FileNotFoundError`, `PermissionError`, `ValueError`,
//! `OSError`.

use crate::messages;
use copydesk_base::Locale;
use copydesk_base::catalog::{Message, Text};
use copydesk_base::error::excerpt;
use copydesk_base::phrases::after_dash;
use serde_json::{Value, json};

/// The reason for which a path is not valid.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A message of this crate.
    Own(Text),
    /// The message of a host, in its own language; may be empty.
    Host(String),
}

impl Reason {
    fn text(&self, locale: Locale) -> String {
        match self {
            Reason::Own(text) => text.text(locale).to_owned(),
            Reason::Host(text) => excerpt(text),
        }
    }

    fn dashed(&self, locale: Locale) -> String {
        after_dash(&self.text(locale), locale)
    }
}

copydesk_base::errors! {
    /// A failure of a workspace, or a call that it refuses.
    pub enum Error {
        /// There is no such file or folder.
        FileNotFound {
            /// The path.
            path: String,
        } = "file_not_found" {
            shorten: path,
            message: |locale| messages::FileNotFound { path }.text(locale),
            details: { "path": path },
        }
        /// The path leaves the workspace, or is not a valid name.
        InvalidPath {
            /// The path.
            path: String,
            /// The reason.
            reason: Reason,
        } = "invalid_path" {
            shorten: path,
            message: |locale| messages::InvalidPath { path, reason: &reason.dashed(locale) }.text(locale),
            details: { "path": path, "reason": reason.text(Locale::En) },
        }
        /// The user or the system does not allow the access.
        PermissionDenied {
            /// The path.
            path: String,
        } = "permission_denied" {
            shorten: path,
            message: |locale| messages::PermissionDenied { path }.text(locale),
            details: { "path": path },
        }
        /// Only the user writes this file: it has rules, or belongs to a skill.
        FileProtected {
            /// The path.
            path: String,
        } = "file_protected" {
            shorten: path,
            message: |locale| messages::FileProtected { path }.text(locale),
            details: { "path": path },
        }
        /// The file is not text, or in an encoding that is not known.
        NotText {
            /// The path.
            path: String,
        } = "not_text" {
            shorten: path,
            message: |locale| messages::NotText { path }.text(locale),
            details: { "path": path },
        }
        /// The encoding of the file does not have some characters of the text.
        NotEncodable {
            /// The path.
            path: String,
            /// The encoding.
            encoding: String,
            /// Some of the characters; empty if the old text cannot be written back unchanged.
            characters: String,
        } = "not_encodable" {
            shorten: path,
            message: |locale| match characters.as_str() {
                "" => messages::NotEncodableAgain { path, encoding }.text(locale),
                characters => messages::NotEncodable { path, encoding, characters: &characters }.text(locale),
            },
            details: { "path": path, "encoding": encoding, "characters": characters },
        }
        /// The file, or the text to be written, is too large.
        FileTooLarge {
            /// The path.
            path: String,
        } = "file_too_large" {
            shorten: path,
            message: |locale| messages::FileTooLarge { path }.text(locale),
            details: { "path": path },
        }
        /// A file is there that the call must not replace.
        FileExists {
            /// The path.
            path: String,
            /// True if the call has a parameter `overwrite`.
            can_overwrite: bool,
        } = "file_exists" {
            shorten: path,
            message: |locale| match can_overwrite {
                true => messages::FileExistsOverwrite { path }.text(locale),
                false => messages::FileExists { path }.text(locale),
            },
            details: { "path": path },
        }
        /// The file was changed since the model read it.
        FileChanged {
            /// The path.
            path: String,
        } = "file_changed" {
            shorten: path,
            message: |locale| messages::FileChanged { path }.text(locale),
            details: { "path": path },
        }
        /// No space is left.
        StorageFull {
            /// The path.
            path: String,
        } = "storage_full" {
            shorten: path,
            message: |locale| messages::StorageFull { path }.text(locale),
            details: { "path": path },
        }
        /// The storage failed.
        StorageFailed {
            /// The path; may be empty.
            path: String,
            /// The message of the failure.
            reason: String,
        } = "storage_failed" {
            shorten: reason,
            message: |locale| match excerpt(path).as_str() {
                "" => messages::StorageFailed { reason }.text(locale),
                path => messages::StorageFailedAt { path: &path, reason }.text(locale),
            },
            details: { "path": excerpt(path), "reason": reason },
        }
        /// A regular expression took too long.
        SearchTimeout {
            /// The pattern.
            pattern: String,
        } = "search_timeout" {
            shorten: pattern,
            message: |locale| messages::SearchTimeout { pattern }.text(locale),
            details: { "pattern": pattern },
        }
        /// The pattern is empty, or no regular expression.
        InvalidPattern {
            /// The pattern.
            pattern: String,
            /// The reason; may be empty.
            reason: String,
        } = "invalid_pattern" {
            shorten: pattern,
            message: |locale| messages::InvalidPattern { pattern: &shown(pattern), reason: &after_dash(&excerpt(reason), locale) }.text(locale),
            details: { "pattern": pattern, "reason": excerpt(reason) },
        }
        /// A parameter is outside its range.
        InvalidValue {
            /// The parameter.
            name: &'static str,
            /// The given value.
            given: String,
            /// The accepted values.
            expected: Message,
        } = "invalid_parameter" {
            shorten: given,
            message: |locale| messages::InvalidValue { name, given, expected: &expected.text(locale) }.text(locale),
            details: { "name": name, "given": given, "expected": expected.text(Locale::En) },
        }
        /// The text to be replaced is not in the file.
        TextNotFound {
            /// The path.
            path: String,
            /// The text.
            old: String,
            /// The lines that resemble it most, with their numbers.
            nearest: Vec<(usize, String)>,
        } = "text_not_found" {
            shorten: old,
            message: |locale| {
                let path = &excerpt(path);
                match nearest.as_slice() {
                    [] => messages::TextNotFound { path, old }.text(locale),
                    nearest => messages::TextNotFoundNear { path, old, nearest: &rows(nearest) }.text(locale),
                }
            },
            details: { "path": excerpt(path), "old": old, "nearest": listed_json(nearest) },
        }
        /// The text to be replaced is in the file more than once.
        TextAmbiguous {
            /// The path.
            path: String,
            /// The text.
            old: String,
            /// The number of its occurrences.
            count: usize,
            /// The first lines that it begins in.
            lines: Vec<usize>,
            /// True if it begins in more lines.
            is_cut: bool,
        } = "text_ambiguous" {
            shorten: old,
            message: |locale| {
                let (path, numbers) = (&excerpt(path), &joined(lines, *is_cut));
                match lines.len() {
                    1 => messages::TextAmbiguousInLine { count, path, numbers }.text(locale),
                    _ => messages::TextAmbiguous { count, path, numbers }.text(locale),
                }
            },
            details: { "path": excerpt(path), "old": old, "count": count, "lines": lines },
        }
    }
    wraps {
        /// A wrong parameter or setting, or a failure of the host.
        Base(copydesk_base),
    }
}

impl Error {
    /// Returns the error that a host reports with a code of this crate. Any other code is a failure of the storage,
    /// with the host's message.
    ///
    /// ```
    /// use copydesk_base::{ErrorInfo, Locale};
    /// use copydesk_workspace::Error;
    /// use serde_json::json;
    ///
    /// let error = Error::of_host("file_not_found", "gone", &json!({ "path": "chapters/ch999.md" }));
    /// assert_eq!(error.message(Locale::ZhCn), "FileNotFoundError: 文件不存在: chapters/ch999.md");
    /// assert_eq!(Error::of_host("NotFoundError", "no disk", &json!({})).code(), "storage_failed");
    /// ```
    pub fn of_host(code: &str, message: &str, details: &Value) -> Error {
        let detail = |name: &str| details.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let path = detail("path");
        match code {
            "file_not_found" => Error::FileNotFound { path },
            "invalid_path" => Error::InvalidPath { path, reason: Reason::Host(detail("reason")) },
            "permission_denied" => Error::PermissionDenied { path },
            "file_protected" => Error::FileProtected { path },
            "not_text" => Error::NotText { path },
            "not_encodable" => {
                Error::NotEncodable { path, encoding: detail("encoding"), characters: detail("characters") }
            }
            "file_too_large" => Error::FileTooLarge { path },
            "file_exists" => Error::FileExists { path, can_overwrite: false },
            "file_changed" => Error::FileChanged { path },
            "storage_full" => Error::StorageFull { path },
            "search_timeout" => Error::SearchTimeout { pattern: detail("pattern") },
            "invalid_pattern" => Error::InvalidPattern { pattern: detail("pattern"), reason: detail("reason") },
            // The message of the error continues behind it.
            _ => Error::StorageFailed { path, reason: excerpt(message.trim_end_matches(['.', '。'])) },
        }
    }
}

fn shown(pattern: impl AsRef<str>) -> String {
    let pattern = pattern.as_ref();
    if pattern.is_empty() { "\"\"".to_owned() } else { pattern.to_owned() }
}

/// Returns lines with their numbers, each on a row of its own.
fn rows(lines: &[(usize, String)]) -> String {
    lines.iter().map(|(line, text)| format!("\n{line} | {text}")).collect()
}

fn listed_json(lines: &[(usize, String)]) -> Value {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}

fn joined(lines: &[usize], is_cut: bool) -> String {
    let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
    numbers.join(", ") + if is_cut { ", …" } else { "" }
}
