//! What a model is given to read: how much there is, how much fits, and what becomes of what does not.
//!
//! Everything here is a function of values. A run calls, before it asks a model:
//!
//! 1. [`estimate`] says how full the context is, [`context_window`] how much there may be.
//!
//! And with each result of a tool: [`Pages::page`] shows no more of it than its budget, and keeps the rest for
//! `read_more`.

pub mod paging;
pub mod tokens;
pub mod windows;

pub use paging::{Budget, Pages};
pub use tokens::{Estimate, estimate, since_of};
pub use windows::context_window;
