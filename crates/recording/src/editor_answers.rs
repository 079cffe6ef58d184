//! The names of the answers of an editor, for recorder and replay.

use std::cell::Cell;

/// The names under which answers of an editor are recorded.
pub(crate) mod names {
    pub const PARSE: &str = "parse";
    pub const HTML: &str = "html";
    pub const DISPATCH: &str = "dispatch";
    pub const NEW_TURN: &str = "newTurn";
    pub const SELECTION: &str = "selection";
}

/// Counts a call and returns its number.
pub(crate) fn next(calls: &Cell<u64>) -> String {
    calls.set(calls.get() + 1);
    calls.get().to_string()
}
