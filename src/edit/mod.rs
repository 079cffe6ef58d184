//! How a document changes.
//!
//! An edit goes through four pure steps, one file each, and one door:
//!
//! 1. [`update`]: what was asked, read and checked.
//! 2. [`section`]: which top-level blocks become which ([`echo`] keeps what HTML cannot carry, [`retext`] the marks
//!    of a text that changes). [`seen`] holds an index to what the model saw.
//! 3. [`plan`]: the smallest changes that come to that ([`align`] says what is equal, [`words`] where to cut).
//! 4. [`change`]: what a change is, and how copydesk's own nodes take it.
//!
//! An edit may wait for the person: [`review`] holds what the editor has and what the agent proposes beside each other
//! ([`merge`] keeps the two together while the person types), [`hunk`] is one difference of the two, [`decide`] carries out what the
//! person decides, [`turns`] remembers what each turn did so that it can be taken back.
//!
//! [`apply`] walks them for whoever holds the document, a [`DocumentHost`]: TipTap's editor, or a value of ours ([`cell`]).

pub mod align;
pub mod apply;
pub mod cell;
pub mod change;
pub mod content;
pub mod decide;
pub mod echo;
pub mod hunk;
pub mod merge;
pub mod plan;
pub mod retext;
pub mod review;
pub mod section;
pub mod seen;
pub mod turns;
pub mod update;
pub mod words;

pub use apply::{Applied, DocumentHost, EditContext, Origin, apply};
pub use change::Change;
pub use hunk::{Hunk, Verdict, Which};
pub use review::{Mode, Review};
pub use update::DocUpdate;
