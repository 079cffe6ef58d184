//! The few rules of JavaScript that decide what becomes of an attribute's text and numbers.

use crate::number::parse;
use serde_json::Value;

/// White space, as `\s` in a JavaScript regular expression and `trim` see it.
pub(super) fn is_space(char: char) -> bool {
    matches!(char, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}')
        || matches!(char, '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// What TipTap makes of an attribute that has no rule of its own: a number or a truth value where the text is
/// one, the text otherwise.
pub(super) fn from_string(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if is_plain_number(text) => number(parse(text).unwrap_or(f64::NAN)),
        _ => Value::String(text.to_owned()),
    }
}

/// Digits, with a point among or before them and a sign before them, but no point at the end.
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = digits.split_once('.').unwrap_or(("", digits));
    !rest.is_empty() && all(whole) && all(rest)
}

/// `parseInt(text, 10)`; null where that is not a number, as JSON has it.
pub(super) fn parse_int(text: &str) -> Value {
    let text = text.trim_start_matches(is_space);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    let value = parse(&digits[..end]).unwrap_or(f64::NAN);
    number(if text.starts_with('-') { -value } else { value })
}

/// A number as JSON has it: whole where it is whole, null where it is none.
pub(super) fn number(value: f64) -> Value {
    crate::document::json::plain_number(Value::from(value))
}

/// `Number(value)`: what a comparison with a number makes of an attribute.
pub(super) fn to_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Null => 0.0,
        Value::String(text) => match text.trim_matches(is_space) {
            "" => 0.0,
            "Infinity" | "+Infinity" => f64::INFINITY,
            text => parse(text).unwrap_or(f64::NAN),
        },
        Value::Array(_) | Value::Object(_) => f64::NAN,
    }
}

/// `Boolean(value)`.
pub(super) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// `String(value)`, as `setAttribute` writes it. A null inside an array was `NaN` before it was JSON.
pub(super) fn to_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float_text(float),
            _ => number.to_string(),
        },
        Value::Array(items) => {
            let items = items.iter().map(|item| if item.is_null() { "NaN".to_owned() } else { to_text(item) });
            items.collect::<Vec<_>>().join(",")
        }
        Value::Object(_) => "[object Object]".to_owned(),
        Value::Bool(_) | Value::Null => value.to_string(),
    }
}

/// JavaScript writes great and small numbers with an exponent, the others in full.
pub(super) fn float_text(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-6..1e21).contains(&size) {
        format!("{value}")
    } else {
        let text = format!("{value:e}");
        text.replace('e', "e+").replace("e+-", "e-")
    }
}
