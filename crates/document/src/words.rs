//! Text cut into words.

use crate::{Marks, Node, Schema, utf16};

/// A word of a text, or another inline node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InlinePiece<'a> {
    /// A word, a space or a sign.
    Word {
        /// Its text.
        text: &'a str,
        /// The marks of the text that it is in.
        marks: &'a Marks,
    },
    /// A node other than text.
    Node(&'a Node),
}

impl InlinePiece<'_> {
    /// The width in UTF-16 code units.
    pub fn size(&self) -> usize {
        match self {
            InlinePiece::Word { text, .. } => utf16::len(text),
            InlinePiece::Node(node) => node.size(),
        }
    }

    /// Returns it as a node.
    pub fn to_node(&self, schema: &Schema) -> Node {
        match *self {
            InlinePiece::Word { text, marks } => Node::text_node(schema, text, marks.clone()),
            InlinePiece::Node(node) => node.clone(),
        }
    }
}

/// The inline content of a textblock, its text cut into words.
pub fn pieces(block: &Node) -> Vec<InlinePiece<'_>> {
    let mut pieces = Vec::new();
    for child in block.children() {
        match child.text() {
            Some(text) => pieces.extend(split(text).map(|text| InlinePiece::Word { text, marks: child.mark_set() })),
            None => pieces.push(InlinePiece::Node(child)),
        }
    }
    pieces
}

/// Splits a text into words, spaces and single characters. A character includes what is joined to it (accents, emoji
/// parts), so that nothing that a reader sees as one character is split.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    let together = |last, next| is_word(last) && is_word(next) || last == ' ' && next == ' ';
    cut(text, move |rest| end_in_ascii(rest).unwrap_or_else(|| end_of_first(rest, together)))
}

/// Splits a text into graphemes: the characters that a reader sees.
pub fn signs(text: &str) -> impl Iterator<Item = &str> {
    cut(text, |rest| end_of_first(rest, |_, _| false))
}

/// Cuts a text into pieces. `end` returns where the first piece of a text ends.
fn cut(text: &str, end: impl Fn(&str) -> usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(end(rest));
        rest = after;
        Some(piece)
    })
}

/// Returns where the first piece of a text ends if that is an ASCII character, and one is behind the piece.
fn end_in_ascii(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let goes_on: fn(&u8) -> bool = match bytes.first()? {
        b' ' => |byte| *byte == b' ',
        byte if byte.is_ascii_alphanumeric() => u8::is_ascii_alphanumeric,
        byte if byte.is_ascii() => |_| false,
        _ => return None,
    };
    let end = 1 + bytes[1..].iter().take_while(|byte| goes_on(byte)).count();
    bytes.get(end).is_none_or(u8::is_ascii).then_some(end)
}

/// Returns where the first piece of a text ends if two characters that are `together` are in one.
fn end_of_first(text: &str, together: impl Fn(char, char) -> bool) -> usize {
    let mut chars = text.chars();
    let Some(mut last) = chars.next() else { return 0 };
    let mut flags = usize::from(is_regional(last));
    let mut behind = chars.as_str();
    for next in chars.by_ref() {
        let goes_on = together(last, next) || joins(last, next);
        // Two regional indicators make a flag; a third begins the next one.
        let completes_flag = flags == 1 && is_regional(next);
        if !goes_on && !completes_flag {
            break;
        }
        flags += usize::from(completes_flag);
        last = next;
        behind = &behind[next.len_utf8()..];
    }
    text.len() - behind.len()
}

/// Returns whether the end of a text and the beginning of another would be read as one word, or as one character.
pub fn is_one_word(last: &str, next: &str) -> bool {
    let (Some(last), Some(next)) = (last.chars().next_back(), next.chars().next()) else { return false };
    is_word(last) && is_word(next) || joins(last, next)
}

/// Letters and digits of scripts that write words with spaces between them.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    !matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}

/// Returns whether a sign belongs to the one before it.
fn joins(last: char, next: char) -> bool {
    const ZERO_WIDTH_JOINER: char = '\u{200D}';
    // Most text is below all of them, or in this gap.
    const FIRST: char = '\u{0300}';
    let is_in_gap = ('\u{309B}'..'\u{FE00}').contains(&next);
    last == ZERO_WIDTH_JOINER
        || next >= FIRST
            && !is_in_gap
            && (next == ZERO_WIDTH_JOINER
                || matches!(next,
            FIRST..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}'
            | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{0E31}' | '\u{0E34}'..='\u{0E3A}'
            | '\u{0E47}'..='\u{0E4E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}'
            | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}' | '\u{1F3FB}'..='\u{1F3FF}'
            | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}'))
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Returns the byte offset at which each word ends in the text that the words were cut from, preceded by 0.
pub fn ends(words: &[&str]) -> Vec<usize> {
    let mut ends = vec![0];
    for word in words {
        ends.push(ends[ends.len() - 1] + word.len());
    }
    ends
}

/// Shortens a text to about `longest` characters: its beginning, the number of omitted characters, and its end.
pub fn shorten(text: &str, longest: usize) -> String {
    // A text has at most as many characters as bytes.
    if text.len() <= longest || text.char_indices().nth(longest).is_none() {
        return text.to_owned();
    }
    let all = text.chars().count();
    let end_length = longest / 3;
    let begin = until(text, longest - end_length);
    let rest = &text[begin.len()..];
    let skipped = until(rest, all - longest);
    let end = &rest[skipped.len()..];
    format!("{begin} […{}…] {end}", skipped.chars().count())
}

/// Returns the shortest beginning of a text with at least `characters` characters that ends at a grapheme boundary.
fn until(text: &str, characters: usize) -> &str {
    let (mut count, mut bytes) = (0, 0);
    for sign in signs(text) {
        if count >= characters {
            break;
        }
        count += sign.chars().count();
        bytes += sign.len();
    }
    &text[..bytes]
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_test_support::random::Random;

    #[test]
    fn ascii_is_cut_as_all_text_is() {
        const PARTS: [&str; 16] = [
            "a", "Z", "7", " ", "\t", ".", "_", "é", "中", "ก", "\u{301}", "\u{200D}", "\u{FE0F}", "🇩", "👍",
            "\u{3099}",
        ];
        let mut random = Random::new();
        for _ in 0..50_000 {
            let kinds = *random.pick(&[4, 8, PARTS.len()]);
            let text: String = (0..random.below(12)).map(|_| PARTS[random.below(kinds)]).collect();
            let together = |last, next| is_word(last) && is_word(next) || last == ' ' && next == ' ';
            let slowly: Vec<&str> = cut(&text, |rest| end_of_first(rest, together)).collect();
            assert_eq!(split(&text).collect::<Vec<_>>(), slowly, "{text:?}");
        }
    }
}
