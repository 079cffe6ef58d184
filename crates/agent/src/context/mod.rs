//! What becomes of a conversation that outgrows the model's window.
//!
//! Functions of values: [`plan`] says whether the oldest messages have to go, and which; no call is parted from its result.
//! [`summary_request`] is what a model is asked to sum them up; where it fails, [`digest`] is the summary. [`apply`] puts it in
//! their place. How much there is, and how much fits, is told by [`copydesk_llm::tokens`] and [`copydesk_llm::windows`].

pub mod compaction;
pub mod provenance;
pub mod summary;

pub use compaction::{Cut, Plan, apply, plan};
pub use summary::{SummaryRequest, digest, summary_request};
