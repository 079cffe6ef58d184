//! Characters with no meaning in a document or a text file: control characters and noncharacters.
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
use std::collections::HashMap;
use std::ops::Range;

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
    // Eight bytes at a time: texts of a megabyte are checked with each edit.
    let (words, _) = text.as_bytes().as_chunks::<8>();
    for (at, eight) in words.iter().enumerate().filter(|(_, eight)| may_begin_one(u64::from_le_bytes(**eight))) {
        let found = find_unwritable_in(text, 8 * at..8 * at + eight.len());
        if found.is_some() {
            return found;
        }
    }
    find_unwritable_in(text, 8 * words.len()..text.len())
}

/// Returns the first of these characters that begins in a range of bytes.
fn find_unwritable_in(text: &str, range: Range<usize>) -> Option<(usize, char)> {
    // Only these bytes begin one in UTF-8.
    let begins = |byte: u8| matches!(byte, 0..=8 | 0xB | 0xC | 0xE..=0x1F | 0x7F | 0xC2 | 0xEF..=0xF4);
    let mut starts = range.filter(|at| begins(text.as_bytes()[*at]));
    starts.find_map(|at| Some((at, text[at..].chars().next().filter(|character| is_unwritable(*character))?)))
}

/// Returns whether one of eight bytes is less than 0x20, 0x7F, 0xC2, or at least 0xEF.
fn may_begin_one(eight: u64) -> bool {
    const EACH: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = 0x80 * EACH;
    // A sum of seven bits never reaches the next byte.
    let low = eight & !HIGH;
    let is_control = !(low + 0x60 * EACH) | (low + EACH);
    let is_from_ef = low + 0x11 * EACH;
    let without_c2 = eight ^ (0xC2 * EACH);
    let has_c2 = without_c2.wrapping_sub(EACH) & !without_c2;
    ((is_control & !eight) | (is_from_ef & eight) | has_c2) & HIGH != 0
}

/// Fails with [`Error::UnwritableCharacter`] if a text has a character that is never written. `name` is the parameter
/// that has the text.
pub fn check(name: &str, text: &str) -> Result<(), Error> {
    check_added(name, "", text)
}

/// Fails in the same way if `new` has such a character more often than `old`, which it replaces.
pub fn check_added(name: &str, old: &str, new: &str) -> Result<(), Error> {
    let mut standing = HashMap::<char, usize>::new();
    for (_, character) in unwritable_in(old) {
        *standing.entry(character).or_default() += 1;
    }
    let mut is_added = |character: char| match standing.get_mut(&character) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    match unwritable_in(new).find(|(_, character)| is_added(*character)) {
        Some((at, character)) => Err(error(name, new, at, character)),
        None => Ok(()),
    }
}

/// Returns the characters of a text that are never written.
fn unwritable_in(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let (at, character) = find_unwritable(&text[from..])?;
        let at = from + at;
        from = at + character.len_utf8();
        Some((at, character))
    })
}

fn error(name: &str, text: &str, at: usize, character: char) -> Error {
    let start = text[..at].char_indices().rev().nth(AROUND - 1).map_or(0, |(start, _)| start);
    let around: String = text[start..].chars().take(text[start..at].chars().count() + 1 + AROUND).collect();
    let escaped = |character: char| match is_unwritable(character) {
        true => format!("\\u{:04x}", u32::from(character)),
        false => character.to_string(),
    };
    Error::UnwritableCharacter {
        name: name.to_owned(),
        character: format!("U+{:04X}", u32::from(character)),
        near: around.chars().map(escaped).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::{AROUND, check, find_unwritable, is_unwritable};
    use crate::Error;

    #[test]
    fn each_character_is_found_in_a_text_if_it_is_unwritable() {
        for character in '\0'..=char::MAX {
            let (before, at) = [("aé中", 6), ("tea aé中 ", 11), ("abc", 3)][character as usize % 3];
            let text = format!("{before}{character}b and more");
            assert_eq!(find_unwritable(&text), is_unwritable(character).then_some((at, character)), "{character:?}");
        }
    }

    #[test]
    fn an_error_shows_as_much_text_before_the_character_as_behind_it() {
        for (before, behind) in [(0, 0), (3, 1), (AROUND, AROUND), (AROUND + 1, 2), (2, AROUND + 1), (99, 99)] {
            let text = format!("{}\u{1}{}", "中".repeat(before), "b".repeat(behind));
            let Err(Error::UnwritableCharacter { near, .. }) = check("content", &text) else {
                unreachable!("{text}");
            };
            let expected = format!("{}\\u0001{}", "中".repeat(before.min(AROUND)), "b".repeat(behind.min(AROUND)));
            assert_eq!(near, expected);
        }
    }
}
