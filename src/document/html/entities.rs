//! Character references: `&amp;`, `&#8212;`, `&#x2014;`.
//!
//! `entities.txt` has the names of <https://html.spec.whatwg.org/entities.json> in the order of their bytes, each with
//! the code points that it stands for: `name;2242 338`, or `name C1` where the name also counts without a
//! semicolon.

use html5ever::data::C1_REPLACEMENTS;
use html5ever::tendril::StrTendril;

static NAMES: &[u8] = include_bytes!("entities.txt");

/// The longest name, and the longest that counts without a semicolon.
const LONGEST: usize = 31;
const LONGEST_BARE: usize = 6;

/// What the reference that begins `text`, which is what follows a `&`, stands for, and its length. In an attribute
/// `&copy=` and `&copying` are no references.
pub(super) fn reference(text: &[u8], in_attribute: bool) -> Option<(StrTendril, usize)> {
    match text {
        [b'#', b'x' | b'X', digits @ ..] => numeric(digits, 16).map(|(text, length)| (text, length + 2)),
        [b'#', digits @ ..] => numeric(digits, 10).map(|(text, length)| (text, length + 1)),
        _ => named(text, in_attribute),
    }
}

fn numeric(text: &[u8], radix: u32) -> Option<(StrTendril, usize)> {
    let digits = text.iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (length, code) =
        digits.fold((0, 0_u32), |(length, code), digit| (length + 1, code.saturating_mul(radix).saturating_add(digit)));
    if length == 0 {
        return None;
    }
    let character = match code {
        0 => None,
        0x80..=0x9F => C1_REPLACEMENTS[code as usize - 0x80].or(char::from_u32(code)),
        _ => char::from_u32(code),
    };
    let semicolon = usize::from(text.get(length) == Some(&b';'));
    Some((StrTendril::from_char(character.unwrap_or(char::REPLACEMENT_CHARACTER)), length + semicolon))
}

fn named(text: &[u8], in_attribute: bool) -> Option<(StrTendril, usize)> {
    let length = text.iter().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if text.get(length) == Some(&b';')
        && let Some((_, codes)) = find(&text[..length])
    {
        return Some((characters(codes), length + 1));
    }
    let (codes, length) = (1..=length.min(LONGEST_BARE)).rev().find_map(|length| match find(&text[..length]) {
        Some((b' ', codes)) => Some((codes, length)),
        _ => None,
    })?;
    let goes_on = text.get(length).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    (!in_attribute || !goes_on).then(|| (characters(codes), length))
}

/// The line of a name: what follows the name, and the code points.
fn find(name: &[u8]) -> Option<(u8, &'static [u8])> {
    let (mut low, mut high) = (0, NAMES.len());
    while low < high {
        let middle = (low + high) / 2;
        let start = NAMES[..middle].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let length = NAMES[start..].iter().position(|byte| *byte == b'\n')?;
        let line = &NAMES[start..start + length];
        let end = line.iter().position(|byte| matches!(byte, b' ' | b';'))?;
        match name.cmp(&line[..end]) {
            std::cmp::Ordering::Less => high = start,
            std::cmp::Ordering::Equal => return Some((line[end], &line[end + 1..])),
            std::cmp::Ordering::Greater => low = start + length + 1,
        }
    }
    None
}

fn characters(codes: &[u8]) -> StrTendril {
    let mut characters = StrTendril::new();
    for code in codes.split(|byte| *byte == b' ') {
        let code =
            code.iter().filter_map(|byte| char::from(*byte).to_digit(16)).fold(0, |code, digit| code * 16 + digit);
        characters.push_char(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::{NAMES, reference};
    use html5ever::data::NAMED_ENTITIES;

    /// html5ever's table has every prefix of a name too: those stand for 0.
    #[test]
    fn every_name_means_what_html5ever_says() {
        let mut bare = 0;
        for (name, (first, second)) in NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0) {
            let expected: String =
                [*first, *second].iter().filter(|code| **code != 0).filter_map(|code| char::from_u32(*code)).collect();
            let (characters, length) = reference(name.as_bytes(), false).unwrap_or_else(|| panic!("{name} is missing"));
            assert_eq!((&*characters, length), (&*expected, name.len()), "{name}");
            bare += usize::from(!name.ends_with(';'));
        }
        let lines = NAMES.iter().filter(|byte| **byte == b'\n').count();
        let named = NAMED_ENTITIES.entries().filter(|(_, (first, _))| *first != 0).count();
        assert_eq!((lines + bare, bare), (named, 106));
    }
}
