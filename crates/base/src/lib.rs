//! Definitions that every copydesk crate needs.
//!
//! `llm` and `edit` are siblings: neither should depend on the other for an error, a language or a trait of the host.
//! They share these parts:
//!
//! - [`errors!`] defines the error enum of a crate, [`ErrorInfo`] is its interface, [`Error`] has the errors of
//!   parameters, settings and the host;
//! - [`Locale`] is a language, [`catalog`] has its messages;
//! - [`decode`] reads settings and messages, and names a wrong field by its full path;
//! - [`lenient_json`] reads JSON as models write it;
//! - [`decimal`] reads numbers in text;
//! - [`parameters`] describes calls by structs: JSON Schema for models, and a reader that accepts what they get almost
//!   right;
//! - [`secrets`] redacts keys;
//! - [`host`] has the traits through which requests and time come in. The crates contain no JavaScript.
//!
//! ```
//! use copydesk_base::{Error, ErrorInfo, Locale, decode};
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct Settings { locale: Locale, max_turns: usize }
//!
//! let settings: Settings = decode::from_value(&json!({ "locale": "zh-CN", "maxTurns": 40 }))?;
//! assert_eq!(settings.locale, Locale::ZhCn);
//!
//! let wrong = decode::from_value::<Settings>(&json!({ "locale": "en", "maxTurns": "many" })).unwrap_err();
//! let error = Error::from(wrong.within("options"));
//! assert_eq!(error.code(), "config");
//! assert!(error.message(Locale::En).starts_with("The setting options.maxTurns is missing or wrong"));
//! # Ok::<(), decode::FieldError>(())
//! ```
#![forbid(unsafe_code)]

pub mod catalog;
pub mod characters;
pub mod decimal;
pub mod decode;
pub mod error;
pub mod host;
pub mod languages;
pub mod lenient_json;
pub mod locale;
pub mod parameters;
pub mod phrases;
pub mod secrets;

mod messages;

pub use error::{Error, ErrorInfo};
pub use locale::Locale;
