//! The errors of decisions.

use crate::messages;
use copydesk_base::phrases::listed;

copydesk_base::errors! {
    /// A failure to decide about edits. Documents and hunks are unchanged after the call that returned it.
    pub enum Error {
        /// No pending hunk has this id.
        UnknownHunk {
            /// The given id.
            given: String,
            /// The ids there are.
            valid: Vec<String>,
        } = "unknown_hunk" {
            shorten: given,
            message: |locale| match valid.as_slice() {
                [] => messages::NoHunks { given }.text(locale),
                valid => messages::UnknownHunk { given, valid: &listed(valid, locale) }.text(locale),
            },
            details: { "given": given, "valid": valid },
        }
        /// No turn that can be taken back has this id.
        UnknownTurn {
            /// The given id.
            given: String,
            /// The ids there are.
            valid: Vec<String>,
        } = "unknown_turn" {
            shorten: given,
            message: |locale| match valid.as_slice() {
                [] => messages::NoTurns { given }.text(locale),
                valid => messages::UnknownTurn { given, valid: &listed(valid, locale) }.text(locale),
            },
            details: { "given": given, "valid": valid },
        }
    }
    wraps {
        /// A wrong parameter.
        Base(copydesk_base),
        /// Content that cannot be read.
        Document(copydesk_document: Base),
        /// A change that cannot be made.
        Edit(copydesk_edit: Base, Document),
    }
}
