//! Marks such as `[TIME:2024-01-15]` in texts.

use memchr::memmem::Finder;

/// The longest mark, in bytes.
const LONGEST: usize = 200;

/// A mark.
pub(crate) struct Mark<'a> {
    /// Its start in the text, in bytes.
    pub(crate) at: usize,
    /// The whole mark, cut if it has no end.
    pub(crate) text: &'a str,
    /// The part after the colon, without white space around it; `None` without an end in its line.
    pub(crate) value: Option<&'a str>,
}

/// Returns the marks that begin with `start`, such as `[TIME:`.
pub(crate) fn marks<'a>(text: &'a str, start: &str) -> Vec<Mark<'a>> {
    let finder = Finder::new(start);
    finder.find_iter(text.as_bytes()).map(|at| mark_at(text, at, start.len())).collect()
}

fn mark_at(text: &str, at: usize, start: usize) -> Mark<'_> {
    let mut longest = (at + LONGEST).min(text.len());
    while !text.is_char_boundary(longest) {
        longest -= 1;
    }
    let rest = &text[at + start..longest.max(at + start)];
    match rest.find([']', '\n', '\r', '[']) {
        Some(end) if rest[end..].starts_with(']') => {
            Mark { at, text: &text[at..at + start + end + 1], value: Some(rest[..end].trim()) }
        }
        end => Mark { at, text: text[at..at + start + end.unwrap_or(rest.len())].trim_end(), value: None },
    }
}
