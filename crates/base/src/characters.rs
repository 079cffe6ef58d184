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

/// Returns the byte offset of the first character of a text that is never written, and the character.
pub fn find_unwritable(text: &str) -> Option<(usize, char)> {
    for (at, byte) in text.bytes().enumerate() {
        // Only these bytes begin one in UTF-8.
        if matches!(byte, 0..=8 | 0xB | 0xC | 0xE..=0x1F | 0x7F | 0xC2 | 0xEF..=0xF4) {
            let found = text[at..].chars().next().filter(|character| is_unwritable(*character));
            if let Some(character) = found {
                return Some((at, character));
            }
        }
    }
    None
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
}
