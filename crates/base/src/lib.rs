//! The parts that every copydesk crate needs: errors, locales, and the traits of the host.
#![forbid(unsafe_code)]

pub mod decode;
pub mod error;
pub mod host;
pub mod locale;
pub mod parameters;
pub mod secrets;

pub use error::{Error, ErrorInfo};
pub use locale::Locale;
