//! The few rules of JavaScript that determine the values of attributes from text and numbers.

use serde_json::Value;

/// White space, as `\s` in a JavaScript regular expression and `trim` see it.
pub(crate) fn is_space(char: char) -> bool {
    matches!(char, '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}')
        || matches!(char, '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}')
}

/// Reads an attribute without a rule of its own as TipTap does: a number or a truth value where the text is
/// one, the text otherwise.
#[cfg(feature = "html")]
pub(crate) fn from_string(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ if is_plain_number(text) => number(text.parse().unwrap_or(f64::NAN)),
        _ => Value::String(text.to_owned()),
    }
}

/// Digits, with a point among or before them and a sign before them, but no point at the end.
#[cfg(feature = "html")]
fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let all = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = digits.split_once('.').unwrap_or(("", digits));
    !rest.is_empty() && all(whole) && all(rest)
}

/// `parseInt(text, 10)`; null if that is not a number, as JSON has it.
#[cfg(feature = "html")]
pub(crate) fn parse_int(text: &str) -> Value {
    let text = text.trim_start_matches(is_space);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    let value: f64 = digits[..end].parse().unwrap_or(f64::NAN);
    number(if text.starts_with('-') { -value } else { value })
}

/// Returns a number as JSON has it: an integer if it is one, null if it is not finite.
#[cfg(feature = "html")]
pub(crate) fn number(value: f64) -> Value {
    crate::json::plain_number(Value::from(value))
}

/// `Number(value)`: the value of an attribute in a comparison with a number.
pub(crate) fn to_number(value: &Value) -> f64 {
    match value {
        Value::Number(number) => number.as_f64().unwrap_or(f64::NAN),
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Null => 0.0,
        Value::String(text) => match text.trim_matches(is_space) {
            "" => 0.0,
            "Infinity" | "+Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            // Other names of infinity, which Rust accepts, are not numbers.
            text if text.ends_with(|last: char| last.is_ascii_alphabetic()) => f64::NAN,
            text => text.parse().unwrap_or(f64::NAN),
        },
        Value::Array(_) | Value::Object(_) => f64::NAN,
    }
}

/// `Boolean(value)`.
pub(crate) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// `String(value)`, as `setAttribute` writes it. A null inside an array was `NaN` before it was JSON.
pub(crate) fn to_text(value: &Value) -> String {
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

/// JavaScript writes great and small numbers with an exponent, the others in full. The digits are those of JSON: the
/// standard library's way to find them would come on top of it, which is 6 kB of wasm.
pub(crate) fn float_text(value: f64) -> String {
    if !value.is_finite() {
        let text = if value.is_nan() { "NaN" } else { "Infinity" };
        return if value < 0.0 { format!("-{text}") } else { text.to_owned() };
    }
    let json = Value::from(value).to_string();
    let (sign, unsigned) = json.strip_prefix('-').map_or(("", &*json), |unsigned| ("-", unsigned));
    let (mantissa, exponent) = unsigned.split_once('e').unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let digits = all.trim_start_matches('0');
    // Where the point is, counted from the first digit.
    let point = whole.len() as i32 + exponent.parse::<i32>().unwrap_or(0) - (all.len() - digits.len()) as i32;
    let digits = digits.trim_end_matches('0');
    let count = digits.len() as i32;
    let zeros = |count: i32| "0".repeat(count.unsigned_abs() as usize);
    match digits.split_at_checked(point.max(0) as usize) {
        _ if digits.is_empty() => "0".to_owned(),
        _ if !(-5..=21).contains(&point) => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            let plus = if point > 0 { "+" } else { "" };
            format!("{sign}{first}{dot}{rest}e{plus}{}", point - 1)
        }
        None => format!("{sign}{digits}{}", zeros(point - count)),
        Some((whole, "")) => format!("{sign}{whole}"),
        Some(("", fraction)) => format!("{sign}0.{}{fraction}", zeros(point)),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{float_text, to_number};
    use serde_json::Value;

    fn by_the_standard_library(value: f64) -> String {
        if value == 0.0 {
            "0".to_owned()
        } else if (1e-6..1e21).contains(&value.abs()) {
            format!("{value}")
        } else {
            format!("{value:e}").replace('e', "e+").replace("e+-", "e-")
        }
    }

    #[test]
    fn writes_numbers_as_javascript_does() {
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..200_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let any = f64::from_bits(random);
            let common = (random >> 40) as f64 / f64::from(1 << (random % 20)) * 10_f64.powi((random % 60) as i32 - 30);
            for value in [any, common, -common, round as f64, f64::from(round) / 100.0]
                .into_iter()
                .filter(|value| value.is_finite())
            {
                let (text, other) = (float_text(value), by_the_standard_library(value));
                // Of two numbers that are equally short and near, JavaScript takes the even one.
                assert_eq!(text.len(), other.len(), "{value:e}");
                assert_eq!(text.parse(), Ok(value), "{value:e}");
            }
        }
        for (value, text) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity"), (-0.0, "0")]
        {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn reads_numbers_as_javascript_does() {
        for (text, number) in
            [(" 7 ", 7.0), ("+.5", 0.5), ("-1e3", -1000.0), ("5.", 5.0), ("", 0.0), ("1e400", f64::INFINITY)]
        {
            assert_eq!(to_number(&Value::from(text)), number, "{text}");
        }
        assert_eq!(to_number(&Value::from("-Infinity")), f64::NEG_INFINITY);
        for text in ["inf", "-inf", "infinity", "nan", "NaN", "1e", "1_000", "7px", "."] {
            assert!(to_number(&Value::from(text)).is_nan(), "{text}");
        }
    }
}
