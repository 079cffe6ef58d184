//! A seeded generator of random values and documents for the tests of several crates.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![allow(clippy::new_without_default, clippy::should_implement_trait)]

pub mod documents;
pub mod random;
