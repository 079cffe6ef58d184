//! How a document changes.
//!
//! An edit goes through four pure steps and one door:
//!
//! 1. [`operation`] defines each kind of doc update in one file; [`target`] is what an update refers to. [`relocate`]
//!    finds targets again in the current document and checks them against what the model was shown, which [`evidence`]
//!    finds in the results that were sent.
//! 2. The operation resolves to top-level blocks that become others, with the help of [`section`] for sections and of
//!    [`lines`](mod@lines) and [`find_text`] for lines.
//!    [`rewrite`] is what becomes of the tree around a line (`parent`: what its schema lets stand there), [`retext`] what becomes
//!    of the marks in it, [`echo`] keeps what HTML cannot carry, [`pair`] says which line became which, [`written`] how content is written ([`as_shown`] takes numbers and signs off).
//! 3. [`plan`]: the smallest changes that come to that ([`align`](copydesk_document::align) says what is equal, `word_diff` which words;
//!    [`dictionary`] and [`patterns`] find many texts, and many rows of lines, at once).
//! 4. [`change`]: what a change is, and how copydesk's own nodes take it. [`record`] is how people and programs read it.
//!
//! Before them [`markdown`] turns what models slip into into HTML. Between the plan and the change [`guard`] says whether the edit may be made; [`provenance`] tells addresses that came from
//! outside from those that a model made up.
//!
//! An edit may wait for the user: [`review`] holds what the editor has and what the agent proposes beside each other
//! (`pending`: how the two differ; `derive` makes hunks of edits; [`merge`] brings what the user types into the proposal, by `tokens`), [`hunk`] is one difference as others see
//! it, [`decide`] carries out what the user decides, [`turns`] remembers what each turn did so that it can be taken back.
//!
//! [`document_event`] reports to observers, such as a recorder, what happens to a document.
//!
//! [`apply`] walks them for whoever holds the document, a [`DocumentHost`]: TipTap's editor, or a value of ours ([`cell`]).
//!
//! # An edit
//!
//! A [`DocUpdate`](DocUpdate) says what is wanted, as a model or a server states it. Whoever holds the
//! document, a [`DocumentHost`](DocumentHost), parses the HTML in it with its own schema and takes the changes;
//! between the two, [`plan`] finds changes that are as small as they can be.
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
pub mod attributes;
pub mod cell;
pub mod change;
pub mod content;
pub mod decide;
mod derive;
pub mod dictionary;
pub mod document_event;
pub mod echo;
pub mod error;
pub mod evidence;
pub mod find_text;
pub mod fit;
pub mod guard;
pub mod hunk;
pub mod lines;
pub mod markdown;
pub mod merge;
mod moved_text;
pub mod neighbours;
pub mod operation;
pub mod pair;
mod parent;
pub mod patterns;
mod pending;
pub mod plan;
pub mod preview;
pub mod provenance;
pub mod record;
pub mod relocate;
pub mod retext;
pub mod review;
pub mod rewrite;
pub mod section;
pub mod segments;
pub mod target;
mod tokens;
pub mod turns;
mod word_diff;
pub mod wrapping;
pub mod written;

pub use apply::{Applied, DocumentHost, EditContext, Origin, apply};
pub use cell::DocumentCell;
pub use change::Change;
pub use document_event::{DocumentEvent, Observer, Observers};
pub use error::Error;
pub use guard::Guards;
pub use hunk::{Hunk, Verdict, Version, Which};
pub use operation::DocUpdate;
pub use provenance::Provenance;
pub use review::{Mode, Review};
