//! Fields of a tool's result that hold URLs: `"url"`, `"photos[].url"`, `"[].src"`, `"links[]"`.
//!
//! A path consists of the names of fields, separated by dots. `[]` states that there is a list; lists are searched
//! without it as well. `"."` is the result itself. A result that is a text of JSON is parsed.

use serde::Deserialize;
use serde_json::Value;

/// Number of levels of a result that are searched.
const DEEPEST: usize = 64;

/// A path to a field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Value")]
pub struct UrlField {
    names: Vec<String>,
    /// True for URLs of pages, which may be links but not images.
    is_page: bool,
}

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
            return Some(UrlField { names: Vec::new(), is_page: false });
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
        Some(UrlField { names, is_page: false })
    }

    /// Parses paths that are written in the code: of fields with URLs of images, and of pages.
    pub fn all(images: &[&str], pages: &[&str]) -> Vec<UrlField> {
        let parse = |paths: &[&str], is_page| -> Vec<UrlField> {
            let fields = paths.iter().filter_map(|path| UrlField::parse(path));
            fields.map(|field| UrlField { is_page, ..field }).collect()
        };
        [parse(images, false), parse(pages, true)].concat()
    }
}

/// Shows the texts in some fields of a result, each with whether it is the URL of a page.
pub fn each(content: &Value, fields: &[UrlField], see: &mut dyn FnMut(&str, bool)) {
    let json = content.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let content = json.as_ref().filter(|json| json.is_object() || json.is_array()).unwrap_or(content);
    for UrlField { names, is_page } in fields {
        in_field(content, names, DEEPEST, &mut |text| see(text, *is_page));
    }
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
