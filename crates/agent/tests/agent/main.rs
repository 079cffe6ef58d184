//! The agent: what a run does, what it reports, and how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod approving;
mod call_states;
mod compacting;
use copydesk_test_support::documents;
mod edges;
mod failing;
mod guards;
mod images;
mod ledger;
mod limit;
mod line_edits;
mod log;
mod markdown;
mod moving;
mod own_tools;
mod policies;
mod provenance;
mod queueing;
use copydesk_test_support::random;
mod concurrent_typing;
mod harness;
mod recording;
mod reloading;
mod repeating;
mod retrying;
mod running;
mod scope;
mod searching;
mod shown;
mod stale;
mod stopping;
mod time;
mod tool_schemas;
mod untrusted;
