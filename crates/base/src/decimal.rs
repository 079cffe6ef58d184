//! Decimal numbers in text.
//!
//! Read by the parser of JSON: that of `f64::from_str` does the same with other tables, which take 10 kB of the module.

use serde_json::Value;

/// Returns the number that a text states in digits, with a sign, a point and an exponent as in `f64::from_str`; `None`
/// for any other text, and for a number that is too great.
pub fn read(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, exponent) = unsigned.split_at(unsigned.find(['e', 'E']).unwrap_or(unsigned.len()));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = !(whole.is_empty() && fraction.is_empty()) && are_digits(whole) && are_digits(fraction);
    // The parser of JSON would skip spaces behind the exponent.
    if !is_number || !exponent.is_empty() && !exponent.ends_with(|last: char| last.is_ascii_digit()) {
        return None;
    }
    // JSON has neither `+3`, `03`, `.5` nor `3.`.
    let point = if fraction.is_empty() { "" } else { "." };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let number = serde_json::from_str::<Value>(&[whole, point, fraction, exponent].concat()).ok()?.as_f64()?;
    Some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let parts =
            ["", "+", "-", "0", "00", "7", "120", ".", "e", "E", "5", "99", " ", "x", "1797693134862315", "400"];
        let mut state = 0x9e37_79b9_u32;
        let mut numbers = 0;
        for _ in 0..200_000 {
            let mut text = String::new();
            for _ in 0..6 {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                text.push_str(parts[state as usize % parts.len()]);
            }
            let expected = text.parse::<f64>().ok().filter(|number| number.is_finite());
            assert_eq!(read(&text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
            numbers += usize::from(expected.is_some());
        }
        assert!(numbers > 1_000, "{numbers}");
        for text in ["", "inf", "nan", "Infinity", "1_000", "0x10", "１", "1e400", "-1e400"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
