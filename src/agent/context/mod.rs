//! What a model is given to read: how much there is, how much fits, and what becomes of what does not.
//!
//! Everything here is a function of values. A run calls, before it asks a model:
//!
//! 1. [`estimate`] says how full the context is, [`context_window`] how much there may be.
//! 2. [`plan`] says whether the oldest messages have to go, and which; no call is parted from its result.
//! 3. [`summary_request`] is what a model is asked to sum them up; where it fails, [`digest`] is the summary.
//! 4. [`apply`] puts the summary in their place, and from there on counts again.
//!
//! And with each result of a tool: [`Pages::page`] shows no more of it than its budget, and keeps the rest for
//! `read_more`.

pub mod compaction;
pub mod paging;
pub mod summary;
pub mod tokens;
pub mod windows;

pub use compaction::{Cut, Plan, apply, plan};
pub use paging::{Budget, Pages};
pub use summary::{SummaryRequest, digest, summary_request};
pub use tokens::{Estimate, estimate, since_of};
pub use windows::context_window;
