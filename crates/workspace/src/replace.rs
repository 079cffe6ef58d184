//! The replacement of a text that occurs exactly once.

use crate::Error;
use crate::lines::{LineCounter, Lines, without_mark};
use crate::order::ordered;
use copydesk_base::error::excerpt;
use memchr::memmem::Finder;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The most lines that an error lists.
const MOST_LISTED: usize = 10;
/// The number of similar lines that an error shows.
const NEAREST: usize = 3;
/// The most characters of a line that are compared.
const MOST_COMPARED: usize = 2_000;

/// A text after a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The whole text.
    pub text: String,
    /// The line in which the new text begins.
    pub first_line: usize,
    /// The line in which it ends.
    pub last_line: usize,
}

/// Replaces the only occurrence of `old`. In a text with `\r\n` a `\n` in `old` and `new` stands for that.
///
/// ```
/// use copydesk_workspace::replace_once;
///
/// let replaced = replace_once("tea.md", "Tea is hot.\r\nCoffee too.\r\n", "hot.\nCoffee", "hot.\nMilk")?;
/// assert_eq!(replaced.text, "Tea is hot.\r\nMilk too.\r\n");
/// assert_eq!((replaced.first_line, replaced.last_line), (1, 2));
/// # Ok::<(), copydesk_workspace::Error>(())
/// ```
///
/// # Errors
/// [`Error::TextNotFound`] with the nearest lines, [`Error::TextAmbiguous`] with the lines of the occurrences,
/// [`Error::InvalidValue`] if `old` is empty or equals `new`.
pub fn replace_once(path: &str, text: &str, old: &str, new: &str) -> Result<Replaced, Error> {
    let refused = |name, expected: (&str, &str)| Error::InvalidValue {
        name,
        given: format!("\"{}\"", excerpt(if name == "old_text" { old } else { new })),
        expected: (expected.0.to_owned(), expected.1.to_owned()),
    };
    if old.is_empty() {
        return Err(refused("old_text", ("the text that is to be replaced", "要替换的文字")));
    }
    if old == new {
        return Err(refused("new_text", ("another text than old_text", "与 old_text 不同的文字")));
    }
    let (mut wanted, mut places) = (Cow::Borrowed(old), occurrences(text, old));
    let ends = text.contains("\r\n");
    if places.is_empty() && ends {
        wanted = with_carriage_returns(old);
        places = occurrences(text, &wanted);
    }
    let [at] = places[..] else {
        if places.is_empty() {
            let old = excerpt(old);
            return Err(Error::TextNotFound { path: path.to_owned(), nearest: nearest(text, &old), old });
        }
        let mut counter = LineCounter::new(text);
        let mut lines: Vec<usize> = places.iter().take(MOST_LISTED).map(|at| counter.line_at(*at)).collect();
        let count = places.len();
        lines.dedup();
        return Err(Error::TextAmbiguous { path: path.to_owned(), old: excerpt(old), count, lines });
    };
    let new = if ends { with_carriage_returns(new) } else { new.into() };
    let first_line = LineCounter::new(text).line_at(at);
    let last_line = first_line + new.trim_end_matches('\n').matches('\n').count();
    let text = [&text[..at], &new, &text[at + wanted.len()..]].concat();
    Ok(Replaced { text, first_line, last_line })
}

/// Returns the places where a text occurs, also those that overlap.
fn occurrences(text: &str, wanted: &str) -> Vec<usize> {
    let finder = Finder::new(wanted);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = finder.find(&text.as_bytes()[from..]) {
        places.push(from + at);
        from += at + 1;
    }
    places
}

fn with_carriage_returns(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { text.replace("\r\n", "\n").replace('\n', "\r\n").into() } else { text.into() }
}

/// Returns the lines most like the first line of a text, in their order.
fn nearest(text: &str, old: &str) -> Vec<(usize, String)> {
    let wanted = without_mark(old).lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let (wanted, total) = pairs(wanted);
    let lines = Lines::of(text);
    // Of two lines with as much of it, the shorter one is nearer.
    let distance = |number: usize| {
        let (there, length) = pairs(lines.line(number));
        let common: usize = wanted.iter().map(|(pair, count)| *there.get(pair).unwrap_or(&0).min(count)).sum();
        let missing = (total - common) * 100_000 / total.max(1) + length.min(999);
        // At least a quarter of it.
        if common > 0 && common * 4 >= total { missing as u64 } else { u64::MAX }
    };
    let distances: Vec<u64> = (1..=lines.count()).map(distance).collect();
    let nearest = ordered(distances.iter().copied()).into_iter().filter(|at| distances[*at] < u64::MAX);
    let nearest: Vec<usize> = nearest.take(NEAREST).collect();
    // In the order of the file.
    let in_file = (1..=lines.count()).filter(|number| nearest.contains(&(number - 1)));
    in_file.map(|number| (number, excerpt(lines.line(number)))).collect()
}

/// Returns the pairs of neighbouring characters of a line without white space, and their number.
fn pairs(line: &str) -> (FxHashMap<(char, char), usize>, usize) {
    let mut pairs: FxHashMap<(char, char), usize> = FxHashMap::default();
    let mut signs = line.chars().take(MOST_COMPARED).filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase());
    let Some(mut last) = signs.next() else { return (pairs, 0) };
    let mut count = 0;
    for sign in signs {
        *pairs.entry((last, sign)).or_default() += 1;
        count += 1;
        last = sign;
    }
    (pairs, count)
}
