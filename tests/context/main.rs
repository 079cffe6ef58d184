//! What a model is given to read: counting, cutting, summing up, paging.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod compacting;
mod conversations;
mod paging;
#[path = "../support/random.rs"]
mod random;
mod summaries;
mod tokens;
mod windows;
