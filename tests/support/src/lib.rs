//! Shared by the tests of several crates: a seeded generator of random values and documents, and a host for agents.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![allow(clippy::new_without_default, clippy::should_implement_trait)]

pub mod documents;
pub mod host;
pub mod html;
pub mod random;
pub mod typescript;
