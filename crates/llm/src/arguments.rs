//! The arguments of a call, read when the answer is complete.
//!
//! Servers write them in more than one way: twice, as a string with JSON in it, after an empty object, or followed by
//! the end mark of the model's own format. All of these state one object, and everything else is refused.

use super::surrogates::replace_lone_surrogates;
use super::{Arguments, limits};
use copydesk_base::error::excerpt;
use copydesk_base::lenient_json::Mender;
use serde_json::{Map, Value};

/// The number of times that arguments may be encoded as a string.
const ENCODINGS: usize = 3;

/// A text that states no object.
enum Unreadable {
    /// It ends too early.
    CutOff,
    /// An escape has two meanings.
    Ambiguous(String),
    /// It is something else.
    Invalid(String),
}

/// Reads the arguments of a finished answer. From `restart` on the server has repeated the arguments from their start.
pub(super) fn read(raw: String, restart: usize) -> Arguments {
    let repeated = raw.get(restart..).filter(|_| restart > 0);
    let stated = match (object(&raw, ENCODINGS), repeated) {
        // Not first: an object may begin like the one that contains it.
        (Err(error), Some(repeated)) => object(repeated, ENCODINGS).map_err(|_| error),
        (stated, _) => stated,
    };
    match stated {
        Ok(arguments) => Arguments::Whole(arguments),
        Err(Unreadable::Ambiguous(escape)) => Arguments::Ambiguous { raw, escape },
        Err(Unreadable::CutOff) => Arguments::CutOff { raw },
        Err(Unreadable::Invalid(reason)) => Arguments::Invalid { raw, reason },
    }
}

/// Returns whether two texts state the same object, which is not empty.
pub(super) fn are_equal(one: &str, other: &str) -> bool {
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    // Not more white space than this, so that a small delta costs little after long arguments.
    if long > short.saturating_mul(4) {
        return false;
    }
    match (object(one, ENCODINGS), object(other, ENCODINGS)) {
        (Ok(one), Ok(other)) => !one.is_empty() && one == other,
        _ => false,
    }
}

/// Returns the object that a text states.
fn object(text: &str, encodings: usize) -> Result<Map<String, Value>, Unreadable> {
    let text = without_fence(text.trim());
    if text.is_empty() || text == "null" {
        return Ok(Map::new());
    }
    if limits::has_too_many_values(text) {
        return Err(Unreadable::Invalid("they have too many values".to_owned()));
    }
    let mut mender = Mender::default();
    mender.read(text, true);
    let replaced = replace_lone_surrogates(mender.text(), false);
    let mended = replaced.as_deref().unwrap_or(mender.text());
    let mut bracket = Bracket::default();
    bracket.follow(mended);
    if bracket.deepest > limits::ARGUMENTS_DEPTH {
        return Err(Unreadable::Invalid("they nest more than 64 deep".to_owned()));
    }
    let value = value(mended).or_else(|error| value(&without_trailing_commas(mended)).map_err(|_| error))?;
    if let Some(escape) = mender.ambiguous() {
        return Err(Unreadable::Ambiguous(escape.to_owned()));
    }
    match value {
        Value::Object(arguments) => Ok(arguments),
        Value::Array(mut items) if items.len() == 1 && items[0].is_object() => match items.pop() {
            Some(Value::Object(arguments)) => Ok(arguments),
            _ => Err(Unreadable::Invalid("expected an object".to_owned())),
        },
        Value::String(inside) if encodings > 0 && inside.trim_start().starts_with(['{', '"']) => {
            object(&inside, encodings - 1)
        }
        _ => Err(Unreadable::Invalid("expected an object".to_owned())),
    }
}

/// Returns the text in a code block of Markdown around all of it.
fn without_fence(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let inside = inside.and_then(|inside| inside.split_once('\n'));
    inside.filter(|(language, _)| ["", "json"].contains(&language.trim())).map_or(text, |(_, json)| json.trim())
}

/// Returns JSON without commas before the end of an object or a list.
fn without_trailing_commas(text: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::with_capacity(text.len()), false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            ',' if !in_string
                && text[at + 1..].trim_start().starts_with(['}', ']'])
                && !out.trim_end().ends_with(['{', '[', ',', ':']) =>
            {
                continue;
            }
            _ => {}
        }
        out.push(character);
    }
    out
}

/// Returns the one value of a text, which may be repeated.
fn value(text: &str) -> Result<Value, Unreadable> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut stated: Option<Value> = None;
    loop {
        let start = values.byte_offset();
        let value = match values.next() {
            None => break,
            Some(Ok(value)) => value,
            Some(Err(_)) if stated.is_some() && is_end_mark(&text[start..]) => break,
            Some(Err(error)) if error.is_eof() => return Err(Unreadable::CutOff),
            Some(Err(error)) => return Err(Unreadable::Invalid(excerpt(&error.to_string()))),
        };
        stated = match stated {
            None => Some(value),
            Some(Value::Object(before)) if before.is_empty() => Some(value),
            Some(before) if before == value => Some(before),
            Some(_) => return Err(Unreadable::Invalid("they are more than one JSON value".to_owned())),
        };
    }
    stated.ok_or(Unreadable::CutOff)
}

/// Returns whether a text consists of end marks of models' own formats, such as `</tool_call>` and `<|im_end|>`.
fn is_end_mark(text: &str) -> bool {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some((mark, after)) = rest.split_once('>') else { return false };
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_:-▁".contains(c));
        let closing = mark.strip_prefix("</").is_some_and(is_name);
        let token = ['|', '｜'].iter().find_map(|bar| mark.strip_prefix('<')?.strip_prefix(*bar)?.strip_suffix(*bar));
        if !closing && !token.is_some_and(is_name) {
            return false;
        }
        rest = after.trim_start();
    }
    true
}

/// Tracks whether the outermost bracket of a JSON text has closed, and its depth. Reads each character once.
#[derive(Debug, Default)]
pub(super) struct Bracket {
    depth: usize,
    deepest: usize,
    in_string: bool,
    escaped: bool,
    pub(super) closed: bool,
}

impl Bracket {
    pub(super) fn follow(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.closed |= self.depth == 0;
                }
                _ => {}
            }
        }
    }
}
