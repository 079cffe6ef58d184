//! The agent: what a run does, what it reports, and how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod failing;
mod guards;
mod ledger;
mod limit;
mod line_edits;
mod log;
mod markdown;
#[path = "../support/random.rs"]
mod random;
mod running;
mod searching;
mod stale;
mod world;
