//! The replacement of a text that occurs exactly once.

use crate::Error;
use crate::lines::{LineCounter, NumberedLines, without_mark};
use crate::messages;
use crate::order::ordered;
use copydesk_base::catalog::Text;
use copydesk_base::characters;
use copydesk_base::error::excerpt;
use copydesk_document::align::diff;
use memchr::{memchr, memmem::Finder};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The most lines with matches that an error lists.
pub(crate) const MOST_LISTED: usize = 10;
/// The number of similar lines that an error shows.
const NEAREST: usize = 3;
/// The length in characters up to which a text is compared by single characters.
const SHORT: usize = 8;
/// The most characters of a line that are compared.
const MOST_COMPARED: usize = 2_000;

/// A text after a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedText {
    /// The whole text.
    pub text: String,
    /// The line in which the new text begins.
    pub first_line: usize,
    /// The line in which it ends.
    pub last_line: usize,
}

/// Replaces the only occurrence of `old`. In `old` a `\n` also matches `\r\n`. The lines of `new` that `old` has keep
/// their ends, also where these are mixed; a line instead of another one ends like it, and an added one like the line
/// before it.
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
/// [`Error::InvalidValue`] if `old` is empty or equals `new`, [`copydesk_base::Error::UnwritableCharacter`] if `new`
/// has a character that is never written more often than the replaced text.
pub fn replace_once(path: &str, text: &str, old: &str, new: &str) -> Result<ReplacedText, Error> {
    let refused = |name, expected: Text| Error::InvalidValue {
        name,
        given: format!("\"{}\"", excerpt(if name == "old_text" { old } else { new })),
        expected: expected.into(),
    };
    if old.is_empty() {
        return Err(refused("old_text", messages::TEXT_TO_REPLACE));
    }
    characters::check_added("new_text", old, new)?;
    if old == new {
        return Err(refused("new_text", messages::ANOTHER_TEXT));
    }
    let (searched, wanted) = (with_newlines(text), with_newlines(old));
    let (places, count) = occurrences(searched.as_bytes(), wanted.as_bytes());
    let mut counter = LineCounter::new(&searched);
    let (Some(&at), 1) = (places.first(), count) else {
        let path = path.to_owned();
        let old = excerpt(old);
        if count == 0 {
            return Err(Error::TextNotFound { path, nearest: nearest(text, &old), old });
        }
        let lines: Vec<usize> = places.iter().take(MOST_LISTED).map(|at| counter.line_at(*at)).collect();
        return Err(Error::TextAmbiguous { path, old, count, lines, is_cut: places.len() > MOST_LISTED });
    };
    let first_line = counter.line_at(at);
    let last_line = first_line + with_newlines(new).trim_end_matches('\n').matches('\n').count();
    let start = place_in(text, at);
    let end = start + place_in(&text[start..], wanted.len());
    let new = with_ends_of([&text[..start], &text[start..end], &text[end..]], new);
    let text = [&text[..start], &new, &text[end..]].concat();
    Ok(ReplacedText { text, first_line, last_line })
}

/// Returns the first position of a text in each line, for one line more than [`MOST_LISTED`] at most, and the number of
/// all positions. Overlapping ones count.
fn occurrences(text: &[u8], wanted: &[u8]) -> (Vec<usize>, usize) {
    let finder = Finder::new(wanted);
    let Some(first) = finder.find(text) else { return (Vec::new(), 0) };
    if finder.find(&text[first + 1..]).is_none() {
        return (vec![first], 1);
    }
    // Knuth, Morris and Pratt: the time does not grow with the overlaps, as in a line of 10 MB of one character.
    let borders = borders(wanted);
    let (mut places, mut count, mut matched, mut searched) = (Vec::<usize>::new(), 0, 0, 0);
    for (at, byte) in text.iter().enumerate().skip(first) {
        while matched > 0 && wanted.get(matched) != Some(byte) {
            matched = borders[matched - 1];
        }
        matched += usize::from(wanted.get(matched) == Some(byte));
        if matched == wanted.len() {
            count += 1;
            let start = at + 1 - matched;
            if places.len() <= MOST_LISTED {
                if places.is_empty() || memchr(b'\n', &text[searched..start]).is_some() {
                    places.push(start);
                }
                searched = start;
            }
        }
    }
    (places, count)
}

/// Returns for each beginning of a text the length of its longest end, other than itself, that is also its beginning.
fn borders(wanted: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; wanted.len()];
    let mut length = 0;
    for at in 1..wanted.len() {
        while length > 0 && wanted[length] != wanted[at] {
            length = borders[length - 1];
        }
        length += usize::from(wanted[length] == wanted[at]);
        borders[at] = length;
    }
    borders
}

/// Returns a text whose lines end with `\n`.
fn with_newlines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// Returns the place in a text for one in [`with_newlines`] of it.
fn place_in(text: &str, mut place: usize) -> usize {
    for (at, end) in text.match_indices("\r\n").map(|(at, end)| (at, end.len())) {
        if at >= place {
            break;
        }
        place += end - 1;
    }
    place
}

/// Returns a text instead of the middle one of three; its lines end like those of the middle that they replace.
fn with_ends_of<'a>([before, replaced, after]: [&str; 3], text: &'a str) -> Cow<'a, str> {
    if !text.contains('\n') {
        return text.into();
    }
    let before = before.rfind('\n').map(|at| line_end(before, at));
    let after = after.find('\n').map(|at| line_end(after, at));
    let Some(last) = after.or_else(|| replaced.rfind('\n').map(|at| line_end(replaced, at))).or(before) else {
        return text.into();
    };
    let text = with_newlines(text);
    let (old, new): (Vec<&str>, Vec<&str>) = (replaced.split('\n').collect(), text.split('\n').collect());
    // The last line ends behind the text.
    let (contents, ends): (Vec<&str>, Vec<&str>) = old
        .iter()
        .enumerate()
        .map(|(at, line)| match line.strip_suffix('\r') {
            Some(line) if at + 1 < old.len() => (line, "\r\n"),
            _ => (*line, if at + 1 < old.len() { "\n" } else { last }),
        })
        .unzip();
    let (mut made, mut last) = (String::with_capacity(text.len()), ends[0]);
    for chunk in diff(&contents, &new) {
        for at in chunk.new.clone() {
            last = ends[chunk.old.clone()].get(at - chunk.new.start).unwrap_or(&last);
            made += new[at];
            if at + 1 < new.len() {
                made += last;
            }
        }
    }
    made.into()
}

/// Returns the end of the line whose `\n` is at this place.
fn line_end(text: &str, at: usize) -> &'static str {
    if text[..at].ends_with('\r') { "\r\n" } else { "\n" }
}

/// Returns the lines that resemble the first line of a text most, in their order.
fn nearest(text: &str, old: &str) -> Vec<(usize, String)> {
    let wanted = without_mark(old).lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let lines = NumberedLines::of(text);
    let found = like(wanted, &lines, LineDifference::Pairs);
    // A short text in Chinese may have no pair in common with the line that was meant.
    let is_short = wanted.chars().filter(|c| !c.is_whitespace()).count() <= SHORT;
    let found = if found.is_empty() && is_short && !wanted.is_ascii() {
        like(wanted, &lines, LineDifference::Characters)
    } else {
        found
    };
    found.into_iter().map(|number| (number, excerpt(lines.line(number)))).collect()
}

/// The measure of the likeness of two lines.
#[derive(Clone, Copy)]
enum LineDifference {
    /// Pairs of neighbouring characters, at least a quarter of them.
    Pairs,
    /// Single characters, at least half of them.
    Characters,
}

/// Returns the numbers of the lines that resemble one most.
fn like(wanted: &str, lines: &NumberedLines<'_>, compared: LineDifference) -> Vec<usize> {
    let (wanted, total) = parts(wanted, compared);
    let least = match compared {
        LineDifference::Pairs => 4,
        LineDifference::Characters => 2,
    };
    // Of two lines with as much of it, the shorter one is nearer.
    let distance = |number: usize| {
        let (there, length) = parts(lines.line(number), compared);
        let common: usize = wanted.iter().map(|(part, count)| *there.get(part).unwrap_or(&0).min(count)).sum();
        let missing = (total - common) * 1_000 + length.min(999);
        if common > 0 && common * least >= total { missing as u64 } else { u64::MAX }
    };
    let distances: Vec<u64> = (1..=lines.count()).map(distance).collect();
    let nearest = ordered(distances.iter().copied()).into_iter().filter(|at| distances[*at] < u64::MAX);
    let nearest: Vec<usize> = nearest.take(NEAREST).collect();
    // In the order of the file.
    (1..=lines.count()).filter(|number| nearest.contains(&(number - 1))).collect()
}

/// Returns the parts of a line without white space that are compared, and their number.
fn parts(line: &str, compared: LineDifference) -> (FxHashMap<(char, char), usize>, usize) {
    let mut parts: FxHashMap<(char, char), usize> = FxHashMap::default();
    let mut signs = line.chars().take(MOST_COMPARED).filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase());
    let mut last = match compared {
        LineDifference::Pairs => signs.next(),
        LineDifference::Characters => None,
    };
    let mut count = 0;
    for sign in signs {
        *parts.entry((last.unwrap_or(sign), sign)).or_default() += 1;
        count += 1;
        last = last.map(|_| sign);
    }
    (parts, count)
}
