//! The direction in which the user's history is walked.

/// The direction of a change that the editor's history makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMove {
    /// A step is undone.
    Undo,
    /// A step is made again.
    Redo,
    /// The editor does not say.
    Unknown,
}

impl HistoryMove {
    /// Returns the direction with a name.
    pub fn from_name(name: &str) -> HistoryMove {
        match name {
            "undo" => HistoryMove::Undo,
            "redo" => HistoryMove::Redo,
            _ => HistoryMove::Unknown,
        }
    }

    pub(super) fn may_undo(self) -> bool {
        self != HistoryMove::Redo
    }

    pub(super) fn may_redo(self) -> bool {
        self != HistoryMove::Undo
    }
}
