//! The agent: what a run does, what it reports, and how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod approving;
mod call_states;
mod compacting;
use copydesk_test_support::documents;
mod document_in_prompt;
mod edges;
mod failing;
mod guards;
mod ledger;
mod limit;
mod line_edits;
mod log;
mod markdown;
mod moving;
mod own_tools;
mod pictures;
mod policies;
mod provenance;
mod queueing;
use copydesk_test_support::random;
mod recording;
mod reloading;
mod repeating;
mod retrying;
mod running;
mod searching;
mod shown;
mod stale;
mod stopping;
mod time;
mod tool_schemas;
mod typed;
mod untrusted;
mod world;
