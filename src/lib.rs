#![doc = "copydesk: a document agent for TipTap."]

pub mod document;
pub mod error;
pub mod llm;
pub mod locale;

pub use error::Error;
pub use locale::Locale;
