#![doc = "copydesk: a document agent for TipTap."]

pub mod arguments;
pub mod document;
pub mod error;
pub mod host;
pub mod llm;
pub mod locale;
pub mod search;

pub use error::Error;
pub use locale::Locale;
