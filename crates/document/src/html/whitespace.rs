//! White space in HTML: what collapses, what is kept, what TipTap takes out beforehand.

use super::dom::{Dom, DomId};
use super::javascript::is_space;
use std::borrow::Cow;

/// Returns whether HTML takes a byte for white space.
pub(super) fn is_collapsible(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c)
}

/// Text with every run of white space as one space.
pub(super) fn collapse(text: &str) -> Cow<'_, str> {
    let mut after_space = false;
    let is_collapsed = |byte: u8| {
        let space = is_collapsible(byte);
        let fits = !space || (byte == b' ' && !after_space);
        after_space = space;
        fits
    };
    if text.bytes().all(is_collapsed) {
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
