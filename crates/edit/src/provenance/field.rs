//! Fields of a tool's result that hold URLs: `"url"`, `"photos[].url"`, `"[].src"`, `"links[]"`.
//!
//! A path has the names of fields, parted by dots. `[]` says that there is a list; lists are looked into without it
//! as well. `"."` is the result itself. A result that is a text of JSON is read as that.

use serde::Deserialize;
use serde_json::Value;

/// Number of levels of a result that are searched.
const DEEPEST: usize = 64;

/// A path to a field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct UrlField(Vec<String>);

/// Description of a valid path.
const EXPECTED: &str = "a path to a field of the result, such as \"url\" or \"photos[].url\"";

impl TryFrom<Value> for UrlField {
    type Error = &'static str;

    fn try_from(path: Value) -> Result<UrlField, &'static str> {
        path.as_str().and_then(UrlField::parse).ok_or(EXPECTED)
    }
}

impl UrlField {
    /// Parses a path.
    pub fn parse(path: &str) -> Option<UrlField> {
        if path == "." {
            return Some(UrlField(Vec::new()));
        }
        let mut names = Vec::new();
        for (at, part) in path.split('.').enumerate() {
            let name = part.trim_end_matches("[]");
            let is_list_of_all = at == 0 && name.is_empty() && !part.is_empty();
            if name.contains(['[', ']']) || name.is_empty() && !is_list_of_all || name.trim() != name {
                return None;
            }
            names.extend(Some(name.to_owned()).filter(|name| !name.is_empty()));
        }
        Some(UrlField(names))
    }

    /// Parses paths that are written in the code.
    pub fn all(paths: &[&str]) -> Vec<UrlField> {
        paths.iter().filter_map(|path| UrlField::parse(path)).collect()
    }
}

/// Shows the texts in some fields of a result.
pub fn each(content: &Value, fields: &[UrlField], see: &mut dyn FnMut(&str)) {
    let json = content.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let content = json.as_ref().filter(|json| json.is_object() || json.is_array()).unwrap_or(content);
    fields.iter().for_each(|UrlField(names)| in_field(content, names, DEEPEST, see));
}

fn in_field(value: &Value, names: &[String], depth: usize, see: &mut dyn FnMut(&str)) {
    match (value, names) {
        _ if depth == 0 => {}
        (Value::Array(items), _) => items.iter().for_each(|item| in_field(item, names, depth - 1, see)),
        (Value::String(text), []) => see(text),
        (Value::Object(fields), [name, rest @ ..]) => {
            fields.get(name).into_iter().for_each(|field| in_field(field, rest, depth - 1, see));
        }
        _ => {}
    }
}
