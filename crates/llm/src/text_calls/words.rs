//! The common parts of the formats of calls in text.

use crate::Arguments;
use crate::arguments::Bracket;

/// A call that was written as text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextCall {
    /// The tool.
    pub name: String,
    /// Arguments; values from tags are strings.
    pub arguments: Arguments,
}

/// States whether a call begins at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    No,
    Yes,
    /// More text is needed.
    Unknown,
}

/// Names of the member that has the name of the tool.
pub(super) const NAMES: [&str; 7] =
    ["name", "tool", "tool_name", "function", "function_name", "action", "recipient_name"];
/// Names of the member that has the arguments.
pub(super) const ARGUMENTS: [&str; 7] =
    ["arguments", "parameters", "args", "input", "tool_input", "action_input", "params"];
/// Languages of code blocks that models put around calls.
pub(super) const LANGUAGES: [&str; 6] = ["", "json", "tool_call", "tool_calls", "tool_code", "tool_use"];
/// Words that formats put before the name of a tool or a list of calls.
pub(super) const WORDS: [&str; 9] =
    ["functools", "Action:", "commentary", "assistant", "function", "json", "call:", "to=", "print("];
/// The longest name that is read, in bytes.
pub(super) const NAME_BYTES: usize = 100;

/// Splits text after the JSON at its beginning; all of it if the JSON does not end.
pub(super) fn json_at(text: &str) -> (&str, &str) {
    let mut bracket = Bracket::default();
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        bracket.follow(&text[at..end]);
        if bracket.closed {
            return text.split_at(end);
        }
    }
    (text, "")
}

/// Returns the name at the beginning of a text.
pub(super) fn identifier(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let end = text.char_indices().find(|(at, c)| !is_part(*c) || *at >= NAME_BYTES).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Returns the name of the tool: `read` of `functions.read:0`.
pub(super) fn tool_name(name: &str) -> &str {
    let name =
        ["functions.", "default_api.", "call:"].iter().find_map(|space| name.strip_prefix(*space)).unwrap_or(name);
    match name.rsplit_once(':') {
        Some((tool, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => tool,
        _ => name,
    }
}
