//! Calls in Python: `[edit(line=1, text="Tea"), undo()]`.

use super::words::{TextCall, identifier, json_at, tool_name};
use crate::Arguments;
use copydesk_base::lenient_json;
use serde_json::{Map, Value};

/// Reads a list of calls of known tools. Returns `None` if it is another list.
pub(super) fn list<'t>(text: &'t str, is_known: &dyn Fn(&str) -> bool) -> Option<(Vec<TextCall>, &'t str)> {
    let (mut calls, mut rest) = (Vec::new(), text.strip_prefix('[')?.trim_start());
    loop {
        let name = identifier(rest);
        if !is_known(tool_name(name)) {
            return None;
        }
        let (arguments, after) = arguments(rest[name.len()..].trim_start().strip_prefix('(')?)?;
        calls.push(TextCall { name: tool_name(name).to_owned(), arguments });
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return Some((calls, after.strip_prefix(']').unwrap_or(after))),
        }
    }
}

/// Reads the arguments after an opening parenthesis, to the closing one. Positional arguments are invalid, except one
/// object.
pub(super) fn arguments(text: &str) -> Option<(Arguments, &str)> {
    let text = text.trim_start();
    if text.starts_with('{') {
        let (json, rest) = json_at(text);
        return Some((super::arguments::read(json.to_owned(), 0), rest.trim_start().strip_prefix(')').unwrap_or(rest)));
    }
    let (mut values, mut rest) = (Map::new(), text);
    loop {
        if let Some(after) = rest.strip_prefix(')') {
            return Some((Arguments::Whole(values), after));
        }
        let name = identifier(rest);
        let Some(after) = rest[name.len()..].trim_start().strip_prefix('=').filter(|_| !name.is_empty()) else {
            return Some(unread(text, rest));
        };
        let after = after.trim_start();
        let end = value_end(after);
        let Some(value) = value(after[..end].trim_end()) else { return Some(unread(text, rest)) };
        values.insert(name.to_owned(), value);
        rest = after[end..].strip_prefix(',').unwrap_or(&after[end..]).trim_start();
    }
}

/// Returns arguments that are not read: cut off if the text ends in them.
fn unread<'t>(text: &str, rest: &'t str) -> (Arguments, &'t str) {
    let (before, after) = rest.split_once(')').unwrap_or((rest, ""));
    let raw = text.to_owned();
    match before.len() == rest.len() {
        true => (Arguments::CutOff { raw }, after),
        false => (Arguments::Invalid { raw, reason: "expected name=value in parentheses".to_owned() }, after),
    }
}

/// Returns the length of the value at the beginning of a text, which a comma or a parenthesis ends.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ')' | ',') if depth == 0 => return at,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

/// Returns the value of a literal.
fn value(text: &str) -> Option<Value> {
    match text {
        "True" => Some(true.into()),
        "False" => Some(false.into()),
        "None" => Some(Value::Null),
        _ => {
            let quoted = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
            let json = quoted.map(|text| format!("\"{}\"", text.replace("\\'", "'").replace('"', "\\\"")));
            lenient_json::read(json.as_deref().unwrap_or(text)).ok()
        }
    }
}
