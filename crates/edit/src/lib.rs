//! Doc updates: their targets, the changes that they make, the guards that check them, and how they are applied.
//!
//! An update goes through these steps. All but the last are pure:
//!
//! | step | modules |
//! |---|---|
//! | read the update | [`operation`] defines each kind in one file; [`target`] is the part of a document that an update refers to |
//! | find the target in the current document | [`relocate`]; [`evidence`] finds which lines the model was shown |
//! | read the content | [`content`], [`markdown`]; [`as_shown`] removes the notation of shown lines |
//! | resolve to new blocks | [`section`], `lines`, [`text_edit`] on what [`find_text`] finds; [`atoms`] reads mentions and formulas by their text forms, and `objects` nodes with content; `rows` pairs old and new lines and places the new ones, [`rewrite`] rewrites the tree around HTML, [`retext`] gives a line another text and keeps its marks, [`echo`] restores what HTML cannot carry |
//! | plan the smallest changes | [`plan`], on the alignment of [`copydesk_document::align`]; [`change`] |
//! | check | [`guard`]: scope, locks, losses, URLs; [`provenance`] knows which URLs the model did not make up |
//! | apply | [`mod@apply`], on a [`DocumentHost`]: an editor, or a [`DocumentCell`] |
//!
//! [`record`] describes an applied edit line by line. [`tokens`] compares nodes by their structure.
//!
//! An edit may wait for the user's decision: the crate `copydesk-review` handles this, and its hosts are hosts of this
//! crate. Edits read and change the proposal as they would any other document.
//!
//! # Invariants
//!
//! - An update is applied completely or not at all: everything that can fail happens before the transaction.
//! - Each change is valid alone and in any order.
//! - Every edit is made by [`apply()`] or [`plan_update`], and so is checked by the guards.
//!
//! # Traps
//!
//! - Indexes and line numbers of an update count in the snapshot that the model saw, not in the current document.
//! - Applying may call back into the host before it returns: hold no borrow across [`DocumentHost`] calls.
//! - Positions are UTF-16 code units.
//!
//! # An edit
//!
//! A [`DocUpdate`] states an edit as a model or a server requests it. The holder of the document, a [`DocumentHost`],
//! parses the HTML in it with its own schema and applies the changes; between the two, [`plan`] finds changes that are
//! as small as possible.
//!
//! ```
//! use copydesk_document::Document;
//! use copydesk_edit::{DocUpdate, DocumentCell, apply};
//! use copydesk_base::Locale;
//! use serde_json::json;
//!
//! let cell = DocumentCell::new(Document::from_html("<h2>History</h2><p>Tea is old.</p>")?);
//! let update = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Tea is very old.</p>" });
//! let applied = apply(&cell, &DocUpdate::from_value(&update)?, &Locale::En.into())?;
//!
//! assert_eq!(applied.message, "Section 1 'History' updated");
//! let inserted = json!([{ "from": 17, "to": 17, "content": [{ "type": "text", "text": "very " }] }]);
//! assert_eq!(applied.changes, inserted);
//! assert_eq!(cell.document().to_html(), "<h2>History</h2><p>Tea is very old.</p>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # An error
//!
//! An [`Error`] has a message for the model in its language, and a stable code for programs.
//!
//! ```
//! # use copydesk_base::{ErrorInfo, Locale};
//! # use copydesk_document::Document;
//! # use copydesk_edit::{DocUpdate, DocumentCell, apply};
//! # let cell = DocumentCell::new(Document::from_html("<h2>History</h2><p>Tea is old.</p>")?);
//! let update = DocUpdate::from_value(&serde_json::json!({ "operation": "delete", "sectionIndex": 4 }))?;
//! let error = apply(&cell, &update, &Locale::En.into()).unwrap_err();
//! assert_eq!(error.code(), "section_out_of_range");
//! assert!(error.message(Locale::En).starts_with("sectionIndex 4 is out of range: delete takes sections 1–1."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod apply;
pub mod as_shown;
pub mod atoms;
pub mod attributes;
pub mod cell;
pub mod change;
pub mod content;
mod context;
mod definitions;
mod details;
pub mod dictionary;
mod donors;
mod draft;
pub mod echo;
mod elision;
pub mod error;
pub mod evidence;
mod fence;
pub mod find_text;
pub mod fit;
mod formulas;
mod frames;
mod grid;
pub mod guard;
mod host;
pub mod inlines;
mod introduction;
mod kept_marks;
mod line_html;
mod lines;
pub mod markdown;
mod markdown_phrases;
mod markdown_syntax;
mod marks_in_text;
mod mixed;
mod moved_text;
mod named_parts;
pub mod neighbours;
mod not_applied;
mod numbers;
mod objects;
pub mod operation;
mod origin;
mod outline;
mod parent;
pub mod patterns;
mod phrases;
pub mod plan;
pub mod preview;
pub mod provenance;
pub mod record;
pub mod relocate;
mod repeated_code;
mod required;
mod resolved;
pub mod retext;
pub mod rewrite;
mod rows;
pub mod runs;
mod same_text;
pub mod section;
mod sections_as_html;
pub mod segments;
pub mod target;
pub mod text_edit;
pub mod tokens;
pub mod typography;
mod unplaced;
pub mod unsaid;
mod word_diff;
pub mod wrapping;

mod messages;

pub use apply::{
    Applied, BlockParser, DocumentHolder, DocumentHost, EditContext, Origin, Planned, apply, at_once, made_at_once,
    plan_update, with_parts,
};
pub use cell::DocumentCell;
pub use change::Change;
pub use error::Error;
pub use guard::Guards;
pub use operation::DocUpdate;
pub use parent::is_row;
pub use provenance::Provenance;
