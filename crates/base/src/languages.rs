//! Languages that a host adds to those that are compiled in.

use crate::catalog;
use crate::error::Error;
use serde_json::{Map, Value};

/// Adds a language of this thread, or replaces it. `catalogs` is a JSON object from the names of crates to their
/// messages, in the order of the English catalogs of the same build. Of a crate that it lacks, the messages are
/// English.
///
/// ```
/// use copydesk_base::{Error, Locale, languages};
///
/// languages::load("xx", r#"{ "base": [] }"#)?;
/// assert_eq!(Locale::from_tag("xx-YY").tag(), "xx");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::Config`] if it is not such an object.
pub fn load(tag: &str, catalogs: &str) -> Result<(), Error> {
    let value: Value = serde_json::from_str(catalogs).unwrap_or_default();
    let Some(catalogs) = value.as_object().and_then(read) else {
        let expected = "lists of messages by crate".into();
        return Err(Error::Config { name: format!("catalog of {tag}"), expected });
    };
    catalog::add(tag, catalogs);
    Ok(())
}

/// Reads the messages of each crate. Returns `None` if something else is in the object.
fn read(object: &Map<String, Value>) -> Option<Vec<(String, Vec<&str>)>> {
    let mut all = Vec::new();
    for (name, list) in object {
        let texts: Option<Vec<&str>> = list.as_array()?.iter().map(Value::as_str).collect();
        all.push((name.clone(), texts?));
    }
    Some(all)
}
