//! Limits of a server's answer. Beyond them the answer is an error, not a slow page.
//!
//! JSON nests at most 128 deep, which is serde_json's own limit and that of [`partial_json`](super::partial_json).

use crate::Error;

/// The longest single event, and the longest line of one, in bytes.
pub const EVENT_BYTES: usize = 4 << 20;

/// The longest answer that comes as one JSON body instead of a stream, in bytes.
pub const BODY_BYTES: usize = 8 << 20;

/// All that one answer may say (text, thinking, names, ids and arguments together), in bytes.
pub const ANSWER_BYTES: usize = 16 << 20;

/// The number of values in the JSON of an event, a body or a call's arguments. Each takes up to some hundred bytes of
/// memory where its text takes two.
pub const VALUES: usize = 400_000;

/// Maximum depth of the arguments of a call. They are nested in messages, and those in the data that an app stores and
/// passes back, or records: all of it has to be parsed again.
pub const ARGUMENTS_DEPTH: usize = 64;

/// The number of tool calls in one answer.
pub const CALLS: usize = 128;

/// Returns whether a JSON text may have more than [`VALUES`]. Estimated without parsing, so names of members count too.
pub(super) fn has_too_many_values(json: &str) -> bool {
    // Each takes a byte, and the sign before it another one: short texts need not be checked.
    if json.len() / 2 <= VALUES {
        return false;
    }
    let (mut count, mut in_string, mut escaped, mut after_space) = (0, false, false, false);
    for byte in json.bytes() {
        if escaped {
            escaped = false;
        } else if in_string {
            escaped = byte == b'\\';
            in_string = byte != b'"';
        } else {
            in_string = byte == b'"';
            // A number or word begins after one of these, or after a space if a text contains several values.
            let begins =
                in_string || matches!(byte, b',' | b'[' | b'{') || (after_space && byte.is_ascii_alphanumeric());
            count += usize::from(begins);
        }
        after_space = byte.is_ascii_whitespace();
    }
    count > VALUES
}

pub(super) fn too_long(what: &str, limit: usize) -> Error {
    Error::MalformedStream { reason: format!("{what} is longer than {} MiB", limit >> 20) }
}
