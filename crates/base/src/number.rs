//! Decimal numbers in texts, as JavaScript reads them.

use serde_json::Value;

/// The number that a text is: digits, perhaps with a sign, a point and an exponent.
///
/// serde_json reads it: its way is in the wasm already, and the standard library's brings a table of 10 kB.
pub fn parse(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent = exponent.parse::<i64>().ok()?.checked_add(whole.len() as i64)?;
    // The parts on their own: JSON takes no zeros in front and no point without digits. What it refuses is too great.
    let number =
        serde_json::from_str::<Value>(&format!("0.{digits}e{exponent}")).ok().and_then(|number| number.as_f64());
    let number = number.unwrap_or(f64::INFINITY);
    Some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn reads_what_the_standard_library_reads() {
        let texts = "0 -0 7 007 +7 -7 .5 -.5 5. 0.1 1e3 1E+3 1e-3 2.50 1e308 1e309 -1e400 1e-400 0.000001 123456789012345678901234567890 \
                     466.64285714285717 246.82142857142858 985.6906946328695 0.30000000000000004 9007199254740993";
        for text in texts.split_whitespace() {
            assert_eq!(parse(text), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "+", "--7", "1e", "e3", "1 2", "1_000", "0x10", "inf", "nan", "1e1e1", "1.2.3", "٣"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn reads_exactly_what_javascript_writes() {
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..100_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let number = (random >> 11) as f64 / f64::from(1 << (random % 31));
            assert_eq!(parse(&number.to_string()), Some(number));
        }
    }
}
