//! Tool calls that a model wrote as text, because its server does not read the model's own format.
//!
//! Each family of models has a format. All of them are marks around either JSON with the name of the tool, or the name
//! and JSON, or tags for each argument. Text is a call only if the tool exists.

use super::arguments::{self, Bracket};
use super::partial_json::parse_object;
use super::{Arguments, limits};
use copydesk_base::lenient_json::{self, ReadError};
use serde_json::{Map, Value};

/// A call that was written as text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextCall {
    /// The tool.
    pub name: String,
    /// Arguments; values from tags are strings.
    pub arguments: Arguments,
}

/// Whether a call begins at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    No,
    Yes,
    /// More text is needed.
    Unknown,
}

/// Tags around calls. In the middle of a sentence they are text.
const TAGS: [&str; 8] = [
    "<tool_call>",
    "<tool_calls>",
    "<function_call>",
    "<function_calls>",
    "<minimax:tool_call>",
    "<seed:tool_call>",
    "<invoke name=\"",
    "<function=",
];
/// Tokens before calls, which are nothing else.
const TOKENS: [&str; 9] = [
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<|tool_call_start|>",
    "<|tool_call|>",
    "<|python_tag|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "[TOOL_CALLS]",
    "[TOOL_CALL]",
];
/// Tokens between the name of a tool and its arguments.
const SEPARATORS: [&str; 4] = ["[ARGS]", "<|tool_call_argument_begin|>", "<｜tool▁sep｜>", "<|message|>"];
/// Names of the member that has the name of the tool.
const NAMES: [&str; 4] = ["name", "tool", "tool_name", "function"];
/// Names of the member that has the arguments.
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "tool_input"];
/// Languages of code blocks that models put around calls.
const LANGUAGES: [&str; 5] = ["", "json", "tool_call", "tool_calls", "tool_code"];
/// The longest name that is read, in bytes.
const NAME_BYTES: usize = 100;

/// Returns whether marks of a call begin here; `in_sentence` states that text is before them on their line.
pub(super) fn marks_begin(text: &str, in_sentence: bool, tools: &[String], ended: bool) -> Begins {
    let tags = if in_sentence { &[][..] } else { &TAGS[..] };
    let marks = || tags.iter().chain(&TOKENS);
    let Some(mark) = marks().find(|mark| text.starts_with(**mark)) else {
        let may_begin = !ended && marks().any(|mark| mark.starts_with(text));
        return if may_begin { Begins::Unknown } else { Begins::No };
    };
    let is_name_next = mark.ends_with(['"', '=']);
    let after = if is_name_next { &text[mark.len()..] } else { text[mark.len()..].trim_start() };
    match after.chars().next() {
        None if ended => Begins::No,
        None => Begins::Unknown,
        Some('{' | '[') if !is_name_next => Begins::Yes,
        Some('<') if !is_name_next => marks_begin(after, false, tools, ended),
        _ => {
            let name = identifier(after);
            if name.len() == after.len() && !ended && name.len() < NAME_BYTES {
                return Begins::Unknown;
            }
            let is_known = name == "function" || tools.iter().any(|tool| tool == tool_name(name));
            if is_known { Begins::Yes } else { Begins::No }
        }
    }
}

/// Returns whether JSON that names a tool begins here, alone or in a code block.
pub(super) fn json_begins(text: &str, tools: &[String], ended: bool) -> Begins {
    let mut json = text;
    if let Some(fence) = text.strip_prefix("```") {
        let Some((language, rest)) = fence.split_once('\n') else {
            let may_be = LANGUAGES.iter().any(|language| language.starts_with(fence.trim()));
            return if may_be && !ended { Begins::Unknown } else { Begins::No };
        };
        if !LANGUAGES.contains(&language.trim()) {
            return Begins::No;
        }
        json = rest;
    }
    let head: String = json.chars().take(4 * NAME_BYTES).filter(|c| !c.is_whitespace()).collect();
    let mut begins = Begins::No;
    for list in ["", "["] {
        for outer in ["{", "{\"type\":\"function\",", "{\"function\":{", "{\"type\":\"function\",\"function\":{"] {
            for (name, tool) in NAMES.iter().flat_map(|name| tools.iter().map(move |tool| (name, tool))) {
                let beginning = format!("{list}{outer}\"{name}\":\"{tool}\"");
                if head.starts_with(&beginning) {
                    return Begins::Yes;
                }
                if beginning.starts_with(&head) && !ended {
                    begins = Begins::Unknown;
                }
            }
        }
    }
    begins
}

/// Splits text that begins with a call into its calls and the text after them. `None` if it has no call.
pub(super) fn split<'t>(text: &'t str, tools: &[String]) -> Option<(Vec<TextCall>, &'t str)> {
    let mut calls: Vec<TextCall> = Vec::new();
    let (mut rest, mut end) = (text, text);
    loop {
        rest = rest.trim_start();
        if let Some(after) = without_mark(rest) {
            rest = after;
        } else if let Some((found, after)) = calls_at(rest, tools) {
            calls.extend(found);
            rest = after;
        } else {
            break;
        }
        if !calls.is_empty() {
            end = rest;
        }
    }
    let is_known = calls.iter().any(|call| tools.contains(&call.name)) && calls.len() <= limits::CALLS;
    // JSON alone is an example, unless the answer ends with it.
    let is_marked = !text.starts_with(['`', '{', '[']) || text.starts_with("[TOOL");
    (is_known && (is_marked || end.trim().is_empty())).then_some((calls, end.trim_start()))
}

/// Returns the text after a mark around calls.
fn without_mark(text: &str) -> Option<&str> {
    let tags = ["tool_call", "tool_calls", "function_call", "function_calls", "minimax:tool_call", "seed:tool_call"];
    if let Some(after) = text.strip_prefix("```") {
        let (language, rest) = after.split_once('\n').unwrap_or((after, ""));
        return LANGUAGES.contains(&language.trim()).then_some(rest);
    }
    for mark in ["[TOOL_CALLS]", "[/TOOL_CALLS]", "[TOOL_CALL]", "[/TOOL_CALL]"] {
        if let Some(after) = text.strip_prefix(mark) {
            return Some(after);
        }
    }
    let (inside, after) = text.strip_prefix('<')?.split_once('>')?;
    let is_token = inside.starts_with(['|', '｜']) && inside.ends_with(['|', '｜']) && inside.len() < NAME_BYTES;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    (is_token || tags.contains(&name) || matches!(inside, "/invoke" | "/function")).then_some(after)
}

/// Reads a call in one of the formats, or a list of calls in JSON.
fn calls_at<'t>(text: &'t str, tools: &[String]) -> Option<(Vec<TextCall>, &'t str)> {
    if text.starts_with(['{', '[']) {
        let (json, rest) = json_at(text);
        return in_json(json).map(|calls| (calls, rest));
    }
    let tagged = [("<function=", ">", "<parameter="), ("<invoke name=\"", "\">", "<parameter name=\"")];
    for (begins, ends, parameter) in tagged {
        let Some(after) = text.strip_prefix(begins) else { continue };
        let name = identifier(after);
        let body = after[name.len()..].trim_start_matches(ends);
        let (arguments, rest) = tagged_arguments(body, parameter, ends);
        return Some((vec![TextCall { name: name.to_owned(), arguments }], rest));
    }
    let name = identifier(text);
    if name.is_empty() {
        return None;
    }
    let mut after = text[name.len()..].trim_start();
    if let Some(rest) = SEPARATORS.iter().find_map(|mark| after.strip_prefix(mark)) {
        // DeepSeek states the kind of the tool first.
        if name == "function" {
            return calls_at(rest, tools);
        }
        after = rest.trim_start();
    }
    if !tools.iter().any(|tool| tool == tool_name(name)) {
        return None;
    }
    let call = |arguments| vec![TextCall { name: tool_name(name).to_owned(), arguments }];
    let unfenced = without_mark(after).filter(|_| after.starts_with("```")).unwrap_or(after).trim_start();
    if unfenced.starts_with('{') {
        let (json, rest) = json_at(unfenced);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("```").filter(|_| after.starts_with("```")).unwrap_or(rest);
        return Some((call(arguments::read(json.to_owned(), 0)), rest));
    }
    if after.starts_with("<arg_key>") {
        let (arguments, rest) = pairs(after);
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
        Ok(Value::Array(items)) if !items.is_empty() => items.iter().map(in_object).collect(),
        Ok(value) => in_object(&value).map(|call| vec![call]),
        Err(ReadError::Ambiguous(escape)) => named(Arguments::Ambiguous { raw: json.to_owned(), escape }),
        Err(ReadError::Json(error)) if error.is_eof() => named(Arguments::CutOff { raw: json.to_owned() }),
        Err(ReadError::Json(error)) => named(Arguments::Invalid { raw: json.to_owned(), reason: error.to_string() }),
    }
}

fn in_object(value: &Value) -> Option<TextCall> {
    let object = value.as_object()?;
    if let Some(inner @ Value::Object(_)) = object.get("function") {
        return in_object(inner);
    }
    let name = NAMES.iter().find_map(|name| object.get(*name)?.as_str())?.to_owned();
    let given = ARGUMENTS.iter().find_map(|name| object.get(*name));
    let arguments = match given {
        Some(Value::Object(arguments)) => Arguments::Whole(arguments.clone()),
        Some(Value::String(text)) => arguments::read(text.clone(), 0),
        Some(Value::Null) => Arguments::Whole(Map::new()),
        Some(_) => return None,
        // Other members are no call.
        None if object.keys().all(|key| NAMES.contains(&key.as_str()) || matches!(key.as_str(), "type" | "id")) => {
            Arguments::Whole(Map::new())
        }
        None => return None,
    };
    Some(TextCall { name, arguments })
}

/// Reads arguments in tags, or JSON in their place.
fn tagged_arguments<'t>(body: &'t str, parameter: &str, ends: &str) -> (Arguments, &'t str) {
    let trimmed = body.trim_start();
    if trimmed.starts_with('{') {
        let (json, rest) = json_at(trimmed);
        return (arguments::read(json.to_owned(), 0), rest);
    }
    let cut = |rest| (Arguments::CutOff { raw: body.to_owned() }, rest);
    let (mut values, mut rest) = (Map::new(), trimmed);
    while let Some(after) = rest.strip_prefix(parameter) {
        let Some((name, after)) = after.split_once(ends) else { return cut("") };
        let Some((value, after)) = after.split_once("</parameter>") else { return cut("") };
        values.insert(name.to_owned(), without_line_ends(value).into());
        rest = after.trim_start();
    }
    // Without its end, the last arguments may be missing.
    if rest.starts_with("</") { (Arguments::Whole(values), rest) } else { cut(rest) }
}

/// Reads arguments in pairs of tags.
fn pairs(text: &str) -> (Arguments, &str) {
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

/// Splits text after the JSON at its beginning; all of it if the JSON does not end.
fn json_at(text: &str) -> (&str, &str) {
    let mut bracket = Bracket::default();
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        bracket.follow(&text[at..end]);
        if bracket.closed {
            return text.split_at(end);
        }
    }
    (text, "")
}

/// Returns the name at the beginning of a text.
fn identifier(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let end = text.char_indices().find(|(at, c)| !is_part(*c) || *at >= NAME_BYTES).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Returns the name of the tool: `read` of `functions.read:0`.
fn tool_name(name: &str) -> &str {
    let name = name.strip_prefix("functions.").unwrap_or(name);
    match name.rsplit_once(':') {
        Some((tool, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => tool,
        _ => name,
    }
}
