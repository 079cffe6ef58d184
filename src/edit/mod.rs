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
//! Before them [`markdown`] turns what models slip into into HTML. Between the plan and the change [`guard`] says whether the edit may be made; [`provenance`] tells addresses that came from
//! outside from those that a model made up.
//!
//! [`apply`] walks them for whoever holds the document, a [`DocumentHost`]: TipTap's editor, or a value of ours.

pub mod align;
pub mod apply;
pub mod change;
pub mod content;
pub mod echo;
pub mod guard;
pub mod markdown;
pub mod plan;
pub mod provenance;
pub mod retext;
pub mod section;
pub mod seen;
pub mod update;
pub mod words;

pub use apply::{Applied, DocumentHost, EditContext, Origin, apply};
pub use change::Change;
pub use guard::Guards;
pub use provenance::Provenance;
pub use update::DocUpdate;
