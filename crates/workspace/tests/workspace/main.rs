//! The text logic of a workspace, against naive versions and planted faults.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod bad_input;
mod errors;
mod long_lines;
mod numbered_lines;
mod numerals;
mod paths;
mod planted_faults;
mod references;
mod replacing;
mod searching;
mod timeline;
