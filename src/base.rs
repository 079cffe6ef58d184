//! What every room needs: errors, languages, settings, numbers. A crate of its own, so that `document` can be one.
#![forbid(unsafe_code)]

pub mod error;
pub mod fields;
pub mod locale;
pub mod map;
pub mod number;
