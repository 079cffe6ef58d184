//! Tool calls that a model wrote as text, because its server does not read the model's own format.
//!
//! Each family of models has a format. All of them are the name of the tool beside its arguments, alone or in marks:
//! JSON with both, the name and JSON, Python, or tags. So a call is recognized by this shape, and is one only if the
//! tool exists. Arguments of another shape are [`Arguments::Invalid`].

mod head;
mod marks;
mod markup;
mod python;
mod words;

use super::arguments;
use super::partial_json::parse_object;
use super::{Arguments, limits};
use copydesk_base::lenient_json::{self, ReadError};
use serde_json::{Map, Value};
use words::{ARGUMENTS, NAMES, identifier, json_at, tool_name};

pub(super) use head::{json_begins, marks_begin};
pub(super) use words::Begins;
pub use words::TextCall;

/// Splits text that begins with a call into its calls and the text after them. `None` if it has no call.
pub(super) fn split(text: &str, tools: &[String]) -> Option<(Vec<TextCall>, String)> {
    let text = head::without_namespace(text);
    let mut calls: Vec<TextCall> = Vec::new();
    let (mut rest, mut end) = (&*text, &*text);
    loop {
        rest = rest.trim_start();
        if let Some((found, after)) = calls_at(rest, tools) {
            calls.extend(found);
            rest = after;
        } else if let Some(after) = marks::without_mark(rest, !calls.is_empty()) {
            rest = after;
        } else {
            break;
        }
        if !calls.is_empty() {
            end = rest;
        }
    }
    let is_known = calls.iter().any(|call| tools.contains(&call.name)) && calls.len() <= limits::CALLS;
    // A call without marks is an example, unless the answer ends with it.
    let is_marked = marks::without_mark(&text, false).is_some_and(|_| !text.starts_with('`'));
    let is_marked = is_marked || text.starts_with('<') || text.starts_with("Action:");
    (is_known && (is_marked || end.trim().is_empty())).then(|| (calls, end.trim_start().to_owned()))
}

/// Reads a call in one of the formats, or a list of calls in JSON or in Python.
fn calls_at<'t>(text: &'t str, tools: &[String]) -> Option<(Vec<TextCall>, &'t str)> {
    let is_known = |name: &str| tools.iter().any(|tool| tool == name);
    if text.starts_with(['{', '[']) {
        let (json, rest) = json_at(text);
        return in_json(json).map(|calls| (calls, rest)).or_else(|| python::list(text, &is_known));
    }
    if let Some((tag, after)) = marks::tag(text) {
        let (name, after) = match marks::name_in(tag) {
            Some(name) => (name, after),
            None if NAMES.contains(&tag) => {
                let name = identifier(after.trim_start());
                (name, marks::after_tag(after.trim_start()[name.len()..].trim_start()))
            }
            None if is_known(tag) => (tag, after),
            None => return None,
        };
        let (arguments, rest) = markup::arguments(after);
        return Some((vec![TextCall { name: tool_name(name).to_owned(), arguments }], rest));
    }
    let name = identifier(text);
    if !is_known(tool_name(name)) {
        return None;
    }
    let call = |arguments| vec![TextCall { name: tool_name(name).to_owned(), arguments }];
    let after = marks::to_arguments(&text[name.len()..]);
    if let Some((arguments, rest)) = after.strip_prefix('(').and_then(python::arguments) {
        return Some((call(arguments), rest));
    }
    let unfenced = marks::without_mark(after, false).filter(|_| after.starts_with("```")).unwrap_or(after).trim_start();
    if unfenced.starts_with('{') {
        let (json, rest) = json_at(unfenced);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("```").filter(|_| after.starts_with("```")).unwrap_or(rest);
        return Some((call(arguments::read(json.to_owned(), 0)), rest));
    }
    if after.starts_with("<arg_key>") {
        let (arguments, rest) = markup::pairs(after);
        return Some((call(arguments), rest));
    }
    after.starts_with("</").then(|| (call(Arguments::Whole(Map::new())), after))
}

/// Reads the calls in JSON.
fn in_json(json: &str) -> Option<Vec<TextCall>> {
    let named = |arguments| {
        let partial = parse_object(json.trim_start_matches('['));
        let name = NAMES.iter().find_map(|name| partial.get(*name)?.as_str())?.to_owned();
        Some(vec![TextCall { name, arguments }])
    };
    match lenient_json::read(json) {
        Ok(value) => in_value(&value),
        Err(ReadError::Ambiguous(escape)) => named(Arguments::Ambiguous { raw: json.to_owned(), escape }),
        Err(ReadError::Json(error)) if error.is_eof() => named(Arguments::CutOff { raw: json.to_owned() }),
        Err(ReadError::Json(error)) => named(Arguments::Invalid { raw: json.to_owned(), reason: error.to_string() }),
    }
}

/// Reads the calls of a value: a call, a list of calls, or an object whose only list or object has them.
fn in_value(value: &Value) -> Option<Vec<TextCall>> {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let calls: Option<Vec<_>> = items.iter().map(in_value).collect();
            Some(calls?.into_iter().flatten().collect())
        }
        Value::Object(object) => in_object(value).map(|call| vec![call]).or_else(|| {
            let mut inner = object.values().filter(|value| value.is_object() || value.is_array());
            let calls = in_value(inner.next()?)?;
            inner.next().is_none().then_some(calls)
        }),
        _ => None,
    }
}

fn in_object(value: &Value) -> Option<TextCall> {
    let object = value.as_object()?;
    let name = NAMES.iter().find_map(|name| object.get(*name)?.as_str())?.to_owned();
    let name = tool_name(&name).to_owned();
    let given = ARGUMENTS.iter().find_map(|name| object.get(*name));
    let arguments = match given {
        Some(Value::Object(arguments)) => Arguments::Whole(arguments.clone()),
        Some(Value::String(text)) => arguments::read(text.clone(), 0),
        Some(Value::Null) => Arguments::Whole(Map::new()),
        Some(_) => return None,
        // An object with other members is not a call.
        None if object.keys().all(|key| NAMES.contains(&key.as_str()) || is_about_call(key)) => {
            Arguments::Whole(Map::new())
        }
        None => return None,
    };
    Some(TextCall { name, arguments })
}

/// Returns whether a member states something about a call, and none of its arguments.
fn is_about_call(key: &str) -> bool {
    matches!(key, "type" | "id" | "tool_call_id" | "call_id" | "thought")
}
