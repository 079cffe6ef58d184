//! Edits that wait for the user: proposals of the agent, decisions about them, and their undoing.
//!
//! A review is two documents: *base*, which is the editor's document, and the *proposal*, which the agent reads and
//! edits. Their differences are hunks, which the user accepts or rejects.
//!
//! | step | modules |
//! |---|---|
//! | hold both documents | [`review`]; a [`ReviewCell`] without an editor, any other [`ReviewHost`] with one |
//! | propose an edit | `derive` makes hunks of its changes, `pending` keeps them in order; `linked` finds those between which text was moved |
//! | follow the user | [`merge`] carries what they type into the proposal; `history` returns to the states of the editor's history |
//! | decide | [`decide`] accepts, rejects and resolves [`hunk`]s; [`undo_decision`] makes decided ones pending again |
//! | take a turn back | [`turns`] records the blocks that each turn changed, `proposal_log` those of edits that waited; `turn_groups` and `turn_fates` determine which are restored together, `vanished` finds blocks that reappeared |
//! | store and share | `restore` makes stored hunks pending again, `shared` those that several pages share |
//!
//! [`document_event`] reports the changes of a document to observers. Edits themselves are planned, checked and applied
//! by `copydesk-edit`, which knows nothing of review: a [`ReviewHost`] is one of its hosts whose document is the
//! proposal. [`bind_scope`] maps ranges of the editor's document to it, and [`preview_in_editor`] maps them back.
//!
//! # Invariants
//!
//! - While nothing is pending there is one document, and following an editor costs no more than without review.
//! - Hunks are stored. Deciding about one moves the others and compares nothing.
//! - The id of a hunk is never given to another hunk, and a block id never identifies two blocks.
//! - A decision changes base in one transaction, or not at all.
//!
//! # Traps
//!
//! - The document of a host is the proposal; positions of the user are positions in base.
//! - A holder may call back while it makes a change: hold no borrow of the review across [`decide`] and
//!   [`Reviewed`](decide::Reviewed) calls.
//! - Linked hunks are decided together: a decision may affect more hunks than were selected.
//!
//! # A decision
//!
//! ```
//! use copydesk_base::Locale;
//! use copydesk_document::Document;
//! use copydesk_edit::{DocUpdate, apply};
//! use copydesk_review::decide::{Reviewed, accept, set_mode};
//! use copydesk_review::{Mode, ReviewCell, Which};
//! use serde_json::json;
//!
//! let cell = ReviewCell::new(Document::from_html("<h2>History</h2><p>Tea is old.</p>")?);
//! set_mode(&cell, Mode::Review);
//! let update = json!({ "operation": "replace", "sectionIndex": 1, "content": "<p>Tea is very old.</p>" });
//! let applied = apply(&cell, &DocUpdate::from_value(&update)?, &Locale::En.into())?;
//! assert_eq!(applied.message, "Section 1 'History' updated; it waits for the user's approval");
//! assert_eq!(cell.base().to_html(), "<h2>History</h2><p>Tea is old.</p>");
//! assert_eq!(cell.document().to_html(), "<h2>History</h2><p>Tea is very old.</p>");
//!
//! let hunks = cell.review().borrow().hunks();
//! assert_eq!((hunks.len(), hunks[0].new_text.as_str()), (1, "very "));
//! accept(&cell, &Which::All)?;
//! assert_eq!(cell.base().to_html(), "<h2>History</h2><p>Tea is very old.</p>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod cell;
pub mod decide;
mod derive;
pub mod document_event;
mod due;
mod editor_range;
mod error;
mod history;
mod history_move;
mod host;
pub mod hunk;
mod linked;
pub mod merge;
mod pending;
mod proposal_log;
mod restore;
pub mod review;
mod shared;
mod sharing;
mod table_links;
mod turn_fates;
mod turn_groups;
pub mod turns;
pub mod undo_decision;
mod vanished;

mod messages;

pub use cell::ReviewCell;
pub use document_event::{DocumentEvent, Observer, Observers};
pub use due::Due;
pub use editor_range::{bind_scope, preview_in_editor};
pub use error::Error;
pub use history_move::HistoryMove;
pub use host::{ReviewHost, Reviewer};
pub use hunk::{Hunk, HunkOutcome, Verdict, Version, Which};
pub use review::{Mode, Review};
pub use shared::WaitingReason;
pub use sharing::Authors;
