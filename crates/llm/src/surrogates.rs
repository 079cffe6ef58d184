//! Lone UTF-16 surrogates, which JSON can escape and Rust strings cannot hold.
//!
//! Servers written in JavaScript split text between two code units and send `"\ud83d"` in one event and `"\ude00"` in
//! the next. serde_json refuses both. [`replace_lone_surrogates`] makes such JSON readable, and a [`Joiner`] joins
//! the halves again; a half that stays alone becomes U+FFFD.

// A lone surrogate is represented by a character of the last private-use plane while it passes through serde_json.
// Only texts that `replace_lone_surrogates` has changed are searched for them.
const STAND_INS: u32 = 0x10_F800;

fn stand_in(unit: u16) -> char {
    char::from_u32(STAND_INS + u32::from(unit) - 0xD800).unwrap_or('\u{FFFD}')
}

fn stood_for(character: char) -> Option<u16> {
    let offset = (character as u32).checked_sub(STAND_INS)?;
    u16::try_from(offset + 0xD800).ok()
}

/// Replaces each escape of a lone surrogate by a placeholder for a [`Joiner`], or by U+FFFD if `joinable` is false.
/// `None` if there are none.
pub fn replace_lone_surrogates(json: &str, joinable: bool) -> Option<String> {
    let bytes = json.as_bytes();
    let mut replaced = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let Some(unit) = escaped_unit(bytes, at).filter(|unit| is_half(*unit)) else {
            at += 2;
            continue;
        };
        let low = escaped_unit(bytes, at + 6).filter(|low| is_low(*low));
        if is_high(unit) && low.is_some() {
            at += 12;
            continue;
        }
        replaced.push_str(&json[copied..at]);
        replaced.push(if joinable { stand_in(unit) } else { '\u{FFFD}' });
        at += 6;
        copied = at;
    }
    if copied == 0 {
        return None;
    }
    replaced.push_str(&json[copied..]);
    Some(replaced)
}

/// Returns the code unit of the escape `\uXXXX` at `at`.
pub(super) fn escaped_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

pub(super) fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

pub(super) fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

fn is_half(unit: u16) -> bool {
    is_high(unit) || is_low(unit)
}

/// Returns the character of a surrogate pair.
pub(super) fn paired(high: u16, low: u16) -> char {
    char::decode_utf16([high, low]).next().and_then(Result::ok).unwrap_or('\u{FFFD}')
}

/// Joins surrogates over the chunks of one text.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    waiting: Option<u16>,
}

impl Joiner {
    /// Returns the text of the next chunk. `has_lone_surrogates` states whether it may contain placeholders.
    pub(super) fn join(&mut self, piece: &str, has_lone_surrogates: bool) -> String {
        if piece.is_empty() || (!has_lone_surrogates && self.waiting.is_none()) {
            return piece.to_owned();
        }
        let mut text = String::with_capacity(piece.len() + 4);
        for character in piece.chars() {
            let unit = if has_lone_surrogates { stood_for(character) } else { None };
            match (self.waiting.take(), unit) {
                (Some(high), Some(low)) if is_low(low) => text.push(paired(high, low)),
                (before, unit) => {
                    if before.is_some() {
                        text.push('\u{FFFD}');
                    }
                    match unit {
                        Some(high) if is_high(high) => self.waiting = Some(high),
                        Some(_) => text.push('\u{FFFD}'),
                        None => text.push(character),
                    }
                }
            }
        }
        text
    }

    /// Returns the replacement of a lone surrogate at the end of the text.
    pub(super) fn end(&mut self) -> &'static str {
        if self.waiting.take().is_some() { "\u{FFFD}" } else { "" }
    }
}
