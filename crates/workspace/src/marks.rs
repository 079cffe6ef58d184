//! Marks such as `[TIME:2024-01-15]` in texts.

use memchr::memmem::Finder;

/// The longest mark, in bytes.
const LONGEST: usize = 200;

/// A mark.
pub(crate) struct Mark<'a> {
    /// The whole mark, cut if it has no end.
    pub(crate) text: &'a str,
    /// The part after the colon, without white space around it; `None` without an end in its line.
    pub(crate) value: Option<&'a str>,
}

/// Returns the positions of the marks that begin with `start`, such as `[TIME:`.
pub(crate) fn starts(text: &str, start: &str) -> Vec<usize> {
    Finder::new(start).find_iter(text.as_bytes()).collect()
}

/// Returns the mark at a position. Its beginning has `start` bytes.
pub(crate) fn mark_at(text: &str, at: usize, start: usize) -> Mark<'_> {
    let mut longest = (at + LONGEST).min(text.len());
    while !text.is_char_boundary(longest) {
        longest -= 1;
    }
    let rest = &text[at + start..longest.max(at + start)];
    match rest.find([']', '\n', '\r', '[']) {
        Some(end) if rest[end..].starts_with(']') => {
            Mark { text: &text[at..at + start + end + 1], value: Some(rest[..end].trim()) }
        }
        end => Mark { text: text[at..at + start + end.unwrap_or(rest.len())].trim_end(), value: None },
    }
}
