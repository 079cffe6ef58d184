//! White space in HTML: the part that collapses, the part that is kept, and the part that TipTap removes beforehand.

use super::dom::{Dom, DomId};
use super::javascript::is_space;
use std::borrow::Cow;

/// Returns whether HTML takes a byte for white space.
pub(super) fn is_collapsible(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

/// Text with every run of white space as one space.
pub(super) fn collapse(text: &str) -> Cow<'_, str> {
    if has_single_spaces(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut in_run = false;
    for piece in text.split_inclusive(|char: char| char.is_ascii() && is_collapsible(char as u8)) {
        let word = piece.trim_end_matches(|char: char| char.is_ascii() && is_collapsible(char as u8));
        if !word.is_empty() {
            out.push_str(word);
            in_run = false;
        }
        if word.len() < piece.len() && !in_run {
            out.push(' ');
            in_run = true;
        }
    }
    Cow::Owned(out)
}

/// Returns whether each white space in a text is one space between other characters.
fn has_single_spaces(text: &str) -> bool {
    const EACH: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = 0x80 * EACH;
    // Eight bytes at a time. `before` has the high bit of the first byte if a space is before it.
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut before = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let low = word & !HIGH;
        let is_control = !(low + 0x60 * EACH) & !word & HIGH;
        let spaces = !(((low ^ (0x20 * EACH)) + !HIGH) | word) & HIGH;
        if is_control | spaces & (spaces << 8 | before) != 0 {
            return are_single_spaces(text.as_bytes(), false);
        }
        before = spaces >> 56;
    }
    are_single_spaces(rest, before != 0)
}

fn are_single_spaces(bytes: &[u8], mut after_space: bool) -> bool {
    bytes.iter().all(|byte| {
        let is_space = is_collapsible(*byte);
        let is_single = !is_space || *byte == b' ' && !after_space;
        after_space = is_space;
        is_single
    })
}

/// Text with every kind of newline as `newline`.
pub(super) fn without_returns<'t>(text: &'t str, newline: &str) -> Cow<'t, str> {
    if !text.contains(['\r', '\n']) || (newline == "\n" && !text.contains('\r')) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace(['\r', '\n'], newline))
}

/// Takes out the texts that are only a line break, or a line break and two spaces, wherever they are: TipTap does
/// so before it parses.
pub(super) fn remove_line_breaks(dom: &mut Dom, body: DomId) {
    let is_break = |text: &str| {
        let mut rest = text.strip_prefix('\n')?.chars();
        let spaces = [rest.next(), rest.next()];
        let matches = match spaces {
            [None, _] => true,
            [Some(a), Some(b)] => is_space(a) && is_space(b) && rest.next().is_none(),
            _ => false,
        };
        matches.then_some(())
    };
    let breaks: Vec<DomId> = dom.descendants(body).filter(|id| dom.text(*id).and_then(is_break).is_some()).collect();
    breaks.into_iter().for_each(|id| dom.detach(id));
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_test_support::random::Random;

    #[test]
    fn text_is_borrowed_if_all_of_its_bytes_are_single_spaces_or_no_white_space() {
        const PARTS: [&str; 13] =
            ["a", " ", "bc", "中", "!", "xyz ", "é", "\u{7F}", "\u{A0}", "\u{1}", "\t", "\n", "\u{C}"];
        let mut random = Random::new();
        for _ in 0..50_000 {
            let kinds = *random.pick(&[4, 8, PARTS.len()]);
            let text: String = (0..random.below(30)).map(|_| PARTS[random.below(kinds)]).collect();
            let is_single = are_single_spaces(text.as_bytes(), false);
            assert_eq!(matches!(collapse(&text), Cow::Borrowed(_)), is_single, "{text:?}");
        }
    }
}
