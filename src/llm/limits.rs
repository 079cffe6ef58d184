//! How much of a server's answer is kept at most. Beyond it the answer is an error, not a slow page.
//!
//! JSON nests at most 128 deep, which is serde_json's own limit and that of [`partial_json`](super::partial_json).

use crate::error::Error;

/// The longest single event, and the longest line of one, in bytes.
pub const EVENT_BYTES: usize = 4 << 20;

/// The longest answer that comes as one JSON body instead of a stream, in bytes.
pub const BODY_BYTES: usize = 8 << 20;

/// All that one answer may say (text, thinking, names, ids and arguments together), in bytes.
pub const ANSWER_BYTES: usize = 16 << 20;

/// The number of tool calls in one answer.
pub const CALLS: usize = 128;

pub(super) fn too_long(what: &str, limit: usize) -> Error {
    Error::MalformedStream { reason: format!("{what} is longer than {} MiB", limit >> 20) }
}
