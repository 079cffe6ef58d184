#![doc = "copydesk: a document agent for TipTap."]
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

pub mod agent;
pub mod arguments;
pub mod document;
pub mod edit;
pub mod error;
pub mod host;
pub mod llm;
pub mod locale;
pub mod search;
pub mod tools;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::Error;
pub use locale::Locale;
