//! The time at which a change of the user has to be applied.

use crate::Review;

/// The time at which [`Review::sync`] has to apply a change inside of one top-level block. Reading the review gives the
/// same results as if the change had been applied at once, provided that all changes are applied before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// At once: hunks may change with it.
    Now,
    /// Later, but each change by itself: the editor's history may return to the state between two of them.
    Later,
    /// Later, and several changes of one block as one.
    Joined,
}

impl Review {
    /// Returns when a change inside of one top-level block, which the user made, has to be taken over.
    pub fn due(&self) -> Due {
        let is_plain = self.expected.is_none() && self.history_move.is_none() && self.sharing.is_none();
        match self.pending {
            None if is_plain && self.history.is_without_past() => Due::Joined,
            None if is_plain => Due::Later,
            _ => Due::Now,
        }
    }
}
