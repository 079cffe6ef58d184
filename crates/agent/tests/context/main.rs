//! The context of a model: compaction, summaries, paging.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod compacting;
mod conversations;
mod paging;
use copydesk_test_support::random;
mod summaries;
