//! What a model is given to read: counting, cutting, summing up, paging.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod compacting;
mod conversations;
mod paging;
use copydesk_test_support::random;
mod summaries;
mod tokens;
mod windows;
