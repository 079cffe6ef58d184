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
    /// A node that is no text.
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

/// Cuts a text into words, spaces and single signs. A sign keeps what is joined to it (accents, emoji parts), so
/// that no cut goes through what a reader sees as one character.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    cut(text, |last, next| is_word(last) && is_word(next) || last == ' ' && next == ' ')
}

/// Cuts a text into signs: what a reader sees as one character.
pub fn signs(text: &str) -> impl Iterator<Item = &str> {
    cut(text, |_, _| false)
}

fn cut(text: &str, together: impl Fn(char, char) -> bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices().peekable();
        let (_, mut last) = chars.next()?;
        let mut flags = usize::from(is_regional(last));
        while let Some((_, next)) = chars.peek() {
            let goes_on = together(last, *next) || joins(last, *next);
            // Two regional indicators make a flag; a third begins the next one.
            let completes_flag = flags == 1 && is_regional(*next);
            if !goes_on && !completes_flag {
                break;
            }
            flags += usize::from(completes_flag);
            last = *next;
            chars.next();
        }
        let end = chars.peek().map_or(rest.len(), |(at, _)| *at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
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
    c.is_alphanumeric()
        && !matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns whether a sign belongs to the one before it.
fn joins(last: char, next: char) -> bool {
    const ZERO_WIDTH_JOINER: char = '\u{200D}';
    // Most text is below all of them.
    const FIRST: char = '\u{0300}';
    last == ZERO_WIDTH_JOINER
        || next >= FIRST
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
