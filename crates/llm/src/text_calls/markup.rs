//! Arguments in tags.

use super::marks::{after_tag, tag};
use super::words::{ARGUMENTS, identifier, json_at};
use crate::Arguments;
use crate::arguments;
use serde_json::Map;

/// Reads arguments in tags, or JSON in their place.
pub(super) fn arguments(body: &str) -> (Arguments, &str) {
    let trimmed = body.trim_start();
    if trimmed.starts_with('{') {
        let (json, rest) = json_at(trimmed);
        return (arguments::read(json.to_owned(), 0), rest);
    }
    // An element around all arguments.
    if let Some((inside, after)) = tag(trimmed)
        && ARGUMENTS.contains(&inside)
    {
        let is_empty = after.trim_start().starts_with("</");
        let (arguments, rest) = if is_empty { (Arguments::Whole(Map::new()), after) } else { self::arguments(after) };
        return (arguments, after_tag(rest.trim_start()));
    }
    let cut = |rest| (Arguments::CutOff { raw: body.to_owned() }, rest);
    let (mut values, mut rest) = (Map::new(), trimmed);
    while let Some((inside, after)) = tag(rest).filter(|(inside, _)| !inside.starts_with('/')) {
        let element = identifier(inside).split('=').next().unwrap_or_default();
        let Some((value, after)) = after.split_once(&format!("</{element}>")) else { return cut("") };
        values.insert(name(inside).to_owned(), without_line_ends(value).into());
        rest = after.trim_start();
    }
    // Without its end, the last arguments may be missing.
    if rest.starts_with("</") { (Arguments::Whole(values), rest) } else { cut(rest) }
}

/// Returns the parameter of a tag: `old` of `old`, `parameter=old` and `parameter name="old"`.
fn name(inside: &str) -> &str {
    match inside.split_once('=') {
        None => inside,
        Some((_, value)) => {
            let value = value.trim_start();
            match value.strip_prefix(['"', '\'']) {
                Some(quoted) => quoted.split(['"', '\'']).next().unwrap_or_default(),
                None => value.split_whitespace().next().unwrap_or_default(),
            }
        }
    }
}

/// Reads arguments in pairs of tags.
pub(super) fn pairs(text: &str) -> (Arguments, &str) {
    let cut = |rest| (Arguments::CutOff { raw: text.to_owned() }, rest);
    let (mut values, mut rest) = (Map::new(), text);
    while let Some(after) = rest.strip_prefix("<arg_key>") {
        let Some((name, after)) = after.split_once("</arg_key>") else { return cut("") };
        let Some(after) = after.trim_start().strip_prefix("<arg_value>") else { return cut("") };
        let Some((value, after)) = after.split_once("</arg_value>") else { return cut("") };
        values.insert(name.trim().to_owned(), without_line_ends(value).into());
        rest = after.trim_start();
    }
    if rest.starts_with("</") { (Arguments::Whole(values), rest) } else { cut(rest) }
}

/// Returns a value without the line breaks that the format puts around it.
fn without_line_ends(value: &str) -> &str {
    let value = value.strip_prefix('\n').unwrap_or(value);
    value.strip_suffix('\n').unwrap_or(value)
}
