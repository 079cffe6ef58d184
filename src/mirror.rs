//! The messages between a document of the page and its mirror in a worker, as JSON.
//!
//! The mirror asks, the page answers. Each question names the revision of the document that it refers to; the page
//! answers it only if its document is still the same, and otherwise with [`MirrorAnswer::Stale`]. Together with the
//! answer, or by itself, the page sends what has changed since ([`Update`]).

use copydesk_edit::{Error, Origin};
use copydesk_review::Verdict;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The document as a mirror begins.
#[derive(Serialize, Deserialize)]
pub struct MirrorBeginning {
    /// The schema as the app passed it; `None` for the built-in one.
    pub schema: Option<String>,
    /// The document with the edits that wait for a decision.
    pub document: String,
    /// The rest of its state.
    pub update: Update,
}

/// A change of the document since the last update.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// Grows with each update that changes the result of planning an edit.
    pub revision: u32,
    /// The top-level blocks that changed: their index, their former and their present number.
    pub range: Option<[usize; 3]>,
    /// Their present content, an array as JSON text.
    pub blocks: String,
    /// The version of the document.
    pub version: String,
    /// True if an edit would wait for a decision.
    pub proposes: bool,
    /// The ends of the selection in this document.
    pub selection: Option<[usize; 2]>,
    /// The name of the next turn.
    pub turn: String,
    /// The guards as the app passed them, if they were set since; null if they were removed.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "some")]
    pub guards: Option<Value>,
    /// The reason for which the document cannot be read.
    pub fault: Option<Fault>,
}

/// Reads null as a value.
fn some<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A question of the mirror.
#[derive(Serialize, Deserialize)]
pub struct Question {
    /// The revision that it refers to.
    pub revision: u32,
    /// The name that the last turn was given.
    pub turn: Option<String>,
    /// The request.
    pub request: MirrorRequest,
}

/// The request of a question.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub enum MirrorRequest {
    /// Asks for changes only.
    Sync,
    /// Takes the decisions of the user about the proposals of these turns.
    Decided(Vec<String>),
    /// Asks for the HTML of some top-level blocks, each by itself.
    Html {
        /// The first.
        start: usize,
        /// The one after the last.
        end: usize,
    },
    /// Asks for blocks parsed by the editor's schema.
    Parse {
        /// Their HTML.
        html: String,
        /// Their index.
        at: usize,
    },
    /// Makes changes in one transaction.
    Commit {
        /// The changes as [`copydesk_edit::Change::to_value`] writes them.
        changes: Vec<Value>,
        /// The turn and the call that they are attributed to.
        origin: Origin,
    },
}

/// The answer to a question.
#[derive(Clone, Serialize, Deserialize)]
pub enum MirrorAnswer {
    /// The document is another one by now. Nothing was done.
    Stale,
    /// Done.
    Done,
    /// To [`MirrorRequest::Decided`].
    Decided(Vec<Verdict>),
    /// To [`MirrorRequest::Html`].
    Html(Vec<String>),
    /// To [`MirrorRequest::Parse`]: an array of blocks as JSON text.
    Parsed(String),
    /// The holder of the document refused. Nothing was done.
    Failed(Fault),
}

/// An error of the holder of the document.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub enum Fault {
    /// The editor was destroyed.
    Destroyed,
    /// The editor is read-only.
    ReadOnly,
    /// The editor refused, for this reason.
    Refused(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error {
            Error::EditorDestroyed => Fault::Destroyed,
            Error::ReadOnly => Fault::ReadOnly,
            Error::EditorRefused { reason } => Fault::Refused(reason),
            other => Fault::Refused(other.to_string()),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        match fault {
            Fault::Destroyed => Error::EditorDestroyed,
            Fault::ReadOnly => Error::ReadOnly,
            Fault::Refused(reason) => Error::EditorRefused { reason },
        }
    }
}
