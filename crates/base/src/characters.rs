//! Characters that mean nothing in a document or a text file: control characters and noncharacters.
//!
//! Models write them when a backslash is not doubled in JSON: `"\frac"` is a form feed and `rac`.
//!
//! ```
//! use copydesk_base::{ErrorInfo, characters};
//!
//! assert_eq!(characters::find_unwritable("line one\n\tline two"), None);
//! let error = characters::check("content", "$\u{c}rac{1}{2}$").unwrap_err();
//! assert_eq!(error.code(), "unwritable_character");
//! ```

use crate::error::Error;

/// The most characters of a text that an error shows on each side.
const AROUND: usize = 12;

/// Returns whether a character is never written: a control character other than tab, line feed and carriage return, or
/// a noncharacter.
pub fn is_unwritable(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FDD0}'..='\u{FDEF}')
        || u32::from(character) & 0xFFFE == 0xFFFE
}

/// For each byte: true if a character that is never written may begin with it in UTF-8.
static BEGINS_UNWRITABLE: [bool; 256] = {
    let mut begins = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        begins[byte] = matches!(byte, 0..=8 | 0xB | 0xC | 0xE..=0x1F | 0x7F | 0xC2 | 0xEF..=0xF4);
        byte += 1;
    }
    begins
};

/// Returns the byte offset of the first character of a text that is never written, and the character.
pub fn find_unwritable(text: &str) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(word) = bytes[at..].first_chunk()
            && is_plain(u64::from_ne_bytes(*word))
        {
            at += 8;
            continue;
        }
        let end = bytes.len().min(at + 8);
        for at in at..end {
            if BEGINS_UNWRITABLE[usize::from(bytes[at])] {
                let found = text[at..].chars().next().filter(|character| is_unwritable(*character));
                if let Some(character) = found {
                    return Some((at, character));
                }
            }
        }
        at = end;
    }
    None
}

/// Returns true if eight bytes are printable ASCII characters.
fn is_plain(word: u64) -> bool {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = ONES << 7;
    // Without high bits a subtraction borrows from a high bit only where a byte is less, and from the next byte only then.
    let has_less = |word: u64, byte: u64| word.wrapping_sub(ONES * byte) & HIGH != 0;
    word & HIGH == 0 && !has_less(word, 0x20) && !has_less(word ^ (ONES * 0x7F), 1)
}

/// Fails with [`Error::UnwritableCharacter`] if a text has a character that is never written. `name` is the parameter
/// that has the text.
pub fn check(name: &str, text: &str) -> Result<(), Error> {
    let Some((at, character)) = find_unwritable(text) else { return Ok(()) };
    let start = text[..at].char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    let around: String = text[start..].chars().take(text[start..at].chars().count() + 1 + AROUND).collect();
    let escaped = |character: char| match is_unwritable(character) {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    };
    Err(Error::UnwritableCharacter {
        name: name.to_owned(),
        character: format!("U+{:04X}", u32::from(character)),
        near: around.chars().map(escaped).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::{find_unwritable, is_unwritable};

    #[test]
    fn each_character_is_found_in_a_text_if_it_is_unwritable() {
        for character in '\0'..=char::MAX {
            let text = format!("aé中{character}b");
            assert_eq!(find_unwritable(&text), is_unwritable(character).then_some((6, character)), "{character:?}");
        }
    }

    #[test]
    fn it_is_found_at_each_place_of_a_long_text() {
        for at in 0..20 {
            for character in ['\0', '\t', '\u{1F}', ' ', '~', '\u{7F}', '\u{9F}', '中', '\u{FFFF}'] {
                for around in ["a", "\n", "é"] {
                    let text = format!("{}{character}{}", around.repeat(at), around.repeat(9));
                    let found = is_unwritable(character).then_some((at * around.len(), character));
                    assert_eq!(find_unwritable(&text), found, "{text:?}");
                }
            }
        }
    }
}
