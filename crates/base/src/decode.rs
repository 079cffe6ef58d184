//! Structs from JSON values, with errors that name the wrong field by its full path.
//!
//! [`from_value`] reads settings, messages and results of an app. Types derive `Deserialize`; this module adds what
//! JavaScript needs: `null` and a missing field are the same, whole numbers may arrive as floats, and an error states
//! which field is wrong and what it must be.
//!
//! ```
//! use copydesk_base::decode;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Debug, Deserialize)]
//! #[serde(rename_all = "camelCase")]
//! struct Prices { input: f64, cache_read: Option<f64> }
//! #[derive(Debug, Deserialize)]
//! struct Settings { prices: Vec<Prices> }
//!
//! let settings: Settings = decode::from_value(&json!({ "prices": [{ "input": 3, "cacheRead": null }] }))?;
//! assert_eq!(settings.prices[0].cache_read, None);
//! let error = decode::from_value::<Settings>(&json!({ "prices": [{ "input": "3" }] })).unwrap_err();
//! assert_eq!(error.to_string(), "prices[0].input must be a number");
//! # Ok::<(), decode::FieldError>(())
//! ```

mod tagged;
mod value;

pub use tagged::{Tag, TagDeserializer, with_tag};

use crate::error::{Error, excerpt};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Unexpected};
use serde_json::Value;
use std::fmt;
use value::{MisfitReason, Missing, Step, ValueDeserializer, Wrong};

/// A field that has the wrong type or value, or that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Path from the outermost object, such as `model.cost.output` or `content[0].text`. Empty for the value itself.
    pub path: String,
    /// Description of a valid value: `a number`.
    pub expected: String,
}

impl FieldError {
    /// Returns the error of a field.
    pub fn new(path: impl Into<String>, expected: impl Into<String>) -> FieldError {
        FieldError { path: path.into(), expected: expected.into() }
    }

    /// Returns the error with its path starting at an outer value called `name`.
    pub fn within(self, name: &str) -> FieldError {
        let path = match self.path.as_str() {
            "" => name.to_owned(),
            path if path.starts_with('[') => format!("{name}{path}"),
            path => format!("{name}.{path}"),
        };
        FieldError { path, ..self }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "it" } else { &self.path };
        write!(f, "{path} must be {}", self.expected)
    }
}

impl std::error::Error for FieldError {}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Error {
        Error::Config { name: error.path, expected: error.expected }
    }
}

/// Reads a value. Fails with the first field, in the order of the type's declaration, that is wrong.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, FieldError> {
    T::deserialize(ValueDeserializer { value, missing: None }).map_err(|wrong| match wrong.reason {
        MisfitReason::Expected(expected) => FieldError { path: written(&wrong.path), expected },
        // The error does not contain the type of the field. Reading the field as null returns it.
        MisfitReason::Missing(field) => {
            let object = find(value, &wrong.path).and_then(|value| value.as_object());
            let missing = object.map(|object| Missing { object, field });
            match T::deserialize(ValueDeserializer { value, missing }) {
                Err(Wrong { reason: MisfitReason::Expected(expected), path }) => {
                    FieldError { path: written(&path), expected }
                }
                _ => FieldError::new(field, "given").within(&written(&wrong.path)),
            }
        }
    })
}

/// Returns the value at a path.
fn find<'a>(value: &'a Value, path: &[Step]) -> Option<&'a Value> {
    path.iter().rev().try_fold(value, |value, step| match step {
        Step::Item(index) => value.get(index),
        Step::Member(name) => value.get(name),
    })
}

fn written(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path.iter().rev() {
        match step {
            Step::Item(index) => text += &format!("[{index}]"),
            Step::Member(name) if text.is_empty() => text = excerpt(name),
            Step::Member(name) => text += &format!(".{}", excerpt(name)),
        }
    }
    text
}

/// Returns names as a list: `a, b or c`.
pub fn one_of<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Returns a count; JavaScript may give whole numbers as floats.
pub fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64))
}

/// Reads a duration, for `deserialize_with`.
pub fn milliseconds<'de, D: Deserializer<'de>, T: From<u64>>(deserializer: D) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let wrong = || D::Error::invalid_value(Unexpected::Other("value"), &"a number of milliseconds");
    count(&value).map(T::from).ok_or_else(wrong)
}

/// Reads a count of at least one, for `deserialize_with`: 0 becomes 1.
pub fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    usize::deserialize(deserializer).map(|count| count.max(1))
}

/// Reads a value or, from `null`, its default, for `deserialize_with`.
pub fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Returns the members of a serialized struct; `None` if it is not an object.
pub fn members<T: serde::Serialize>(value: &T) -> Option<serde_json::Map<String, Value>> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    }
}
