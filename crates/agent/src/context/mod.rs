//! Compaction of a conversation that exceeds the context window.
//!
//! Pure functions: [`plan`] decides whether the oldest messages have to go, and which. [`summary_request`] is the
//! request for their summary; if it fails, [`digest`] is the summary. [`apply`] puts it in their place.
//! [`copydesk_llm::tokens`] and [`copydesk_llm::windows`] measure the conversation and the window.

pub mod compaction;
pub mod provenance;
pub mod summary;

pub use compaction::{Cut, Plan, apply, plan};
pub use summary::{SummaryRequest, digest, summary_request};
