//! State of a review that shares its hunks, and the authors of edits.

use super::hunk::HunkOutcome;
use super::pending::Maker;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// State of a review that shares its hunks.
#[derive(Clone, Default)]
pub(super) struct Sharing {
    /// Decisions of this page that were not taken yet.
    pub(super) decisions: Vec<(u64, HunkOutcome)>,
    /// Hunks that turns of this page made, pending or decided.
    pub(super) own: FxHashMap<u64, OwnHunk>,
    /// Decided hunks, with the decision that the model was told.
    pub(super) told: FxHashMap<u64, HunkOutcome>,
}

/// A hunk that a turn of this page made. It is known after other pages have decided the hunk.
#[derive(Clone)]
pub(super) struct OwnHunk {
    pub(super) makers: Vec<Maker>,
    /// First line of the hunk in the proposal, when it was last pending.
    pub(super) line: usize,
}

/// Authors of edits, as the host describes them.
#[derive(Clone, Debug, Default)]
pub struct Authors {
    /// The author of the edits of models.
    pub agent: Option<Value>,
    /// The author of all other edits.
    pub person: Option<Value>,
}
