//! Finds the text that an edit names.
//!
//! A text is searched for across marks, and over the ends of lines if it has newlines. It is read in several ways, each
//! only if those before it find nothing ([`Reading`]): literally; without the differences that models do not see
//! ([`typography`](super::typography)); and without the notation of lines and marks. If there are several places, the
//! first is never taken silently.

use super::as_shown;
use super::inlines::Inlines;
use super::marks_in_text;
use super::runs;
use super::target::TextMatch;
use super::typography::{normalised, plain};
use crate::Error;
use crate::messages;
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Line, OBJECT, html};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::slice;

/// Number of lines that are shown if the text is not found.
const NEAREST: usize = 3;
/// Number of matches that are listed if there are several.
const MOST_PLACES: usize = 20;

/// A place of a text.
#[derive(Clone)]
pub struct Place<'l> {
    /// The lines that it is in.
    pub lines: &'l [Line],
    /// The byte of the first line at which it begins.
    pub start: usize,
    /// The byte of the last line at which it ends.
    pub end: usize,
}

impl Place<'_> {
    /// Returns the number of the line in which it begins.
    pub fn first(&self) -> usize {
        self.lines.first().map_or(1, |line| line.line)
    }

    /// Returns the number of the line in which it ends.
    pub fn last(&self) -> usize {
        self.lines.last().map_or(1, |line| line.line)
    }

    /// Returns the range in its line, in bytes, for a place in one line.
    pub fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Returns whether two places are in one and the same line.
pub fn in_one_line(a: &Place, b: &Place) -> bool {
    a.lines.len() == 1 && b.lines.len() == 1 && a.first() == b.first()
}

/// A way of reading the text that an edit names, and the new text in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The text to find.
    pub old: String,
    /// The text in its place.
    pub new: String,
    /// The text to find with the marks that were stated for it; `None` if none were.
    pub marked: Option<String>,
}

/// The places that are meant.
pub struct Found<'l> {
    /// At least one.
    pub places: Vec<Place<'l>>,
    /// The texts that were found there and are to be there.
    pub reading: Reading,
    /// True if the document contains the text exactly as it was given.
    pub exact: bool,
}

/// Returns the lines in which an edit of text would replace something: for each place all its lines.
///
/// # Errors
/// As [`find`].
pub fn lines_of(document: &Document, asked: &TextMatch) -> Result<Vec<usize>, Error> {
    let lines = document.lines();
    let found = find(document, &lines, asked, "", &mut |_, _| true)?;
    Ok(found.places.iter().flat_map(|place| place.lines).map(|line| line.line).collect())
}

/// Finds the places that are meant. `lines` are all lines of the document. If a text that was given with marks occurs
/// at several places, those that have these marks are meant; `has_marks` returns whether a place has them.
///
/// # Errors
/// [`Error::TextNotFound`] with the nearest lines, [`Error::TextAmbiguous`] with all places, and an invalid parameter.
pub fn find<'l>(
    document: &Document,
    lines: &'l [Line],
    asked: &TextMatch,
    new: &str,
    has_marks: &mut dyn FnMut(&Place, &str) -> bool,
) -> Result<Found<'l>, Error> {
    if asked.old.trim().is_empty() {
        return Err(Error::InvalidValue {
            name: "old",
            given: format!("\"{}\"", excerpt(&asked.old)),
            expected: messages::EXPECTED_OLD.into(),
        });
    }
    let total = document.line_count();
    let near = match asked.near_line {
        None => None,
        Some(line) => match usize::try_from(line) {
            Ok(near) if (1..=total).contains(&near) => Some(near),
            _ => return Err(Error::LineOutOfRange { start: line, end: line, total }),
        },
    };
    for (reading, exact) in readings(&asked.old, new) {
        let mut places = whole(document, lines, places(lines, &reading.old, exact));
        if places.is_empty() {
            continue;
        }
        if let Some(marked) = reading.marked.as_deref().filter(|_| places.len() > 1) {
            let with: Vec<Place> = places.iter().filter(|place| has_marks(place, marked)).cloned().collect();
            places = if with.is_empty() { places } else { with };
        }
        if places.len() > 1 && !asked.all {
            places = match near {
                Some(near) => nearest_place(places, near, &reading.old)?,
                None => return Err(ambiguous(&reading.old, &places)),
            };
        }
        return Ok(Found { places, reading, exact });
    }
    let old = asked.old.trim_matches('\n');
    Err(Error::TextNotFound { old: excerpt(old), nearest: nearest(lines, old) })
}

/// Returns the ways of reading a text, each with whether it is to be found to the letter.
fn readings(old: &str, new: &str) -> Vec<(Reading, bool)> {
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let literal = Reading { old: old.clone(), new, marked: None }.without_newlines_at_ends();
    let mut all = vec![(literal.clone(), true), (literal.trimmed(), false)];
    let mut add = |reading: Reading| {
        if reading.old != literal.old && !reading.old.trim().is_empty() {
            let reading = reading.without_newlines_at_ends();
            all.extend([(reading.clone(), true), (reading.trimmed(), false)]);
        }
    };
    let with_breaks = literal.with(&breaks_as_newlines);
    add(with_breaks.clone());
    let bare = with_breaks.without_signs();
    add(bare.clone());
    // Lines with text that looks like a tag are shown with character references.
    let resolved = |text: &str| html::unescape(text).into_owned();
    add(with_breaks.with(&resolved));
    add(bare.with(&resolved));
    for reading in [with_breaks, bare] {
        // The new text keeps its marks: they are read where it is put in.
        let old = resolved(&marks_in_text::without_marks(&reading.old));
        add(Reading { old, new: reading.new, marked: Some(reading.old) });
    }
    all
}

impl Reading {
    fn with(&self, change: &dyn Fn(&str) -> String) -> Reading {
        Reading { old: change(&self.old), new: change(&self.new), marked: None }
    }

    /// Returns the texts without newlines at the ends of the text to find, and at the same ends of the new text.
    fn without_newlines_at_ends(&self) -> Reading {
        let (mut old, mut new) = (self.old.as_str(), self.new.as_str());
        if old.ends_with('\n') {
            (old, new) = (old.trim_end_matches('\n'), new.trim_end_matches('\n'));
        }
        if old.starts_with('\n') {
            (old, new) = (old.trim_start_matches('\n'), new.trim_start_matches('\n'));
        }
        Reading { old: old.to_owned(), new: new.to_owned(), marked: self.marked.clone() }
    }

    /// The texts without spaces at the ends at which the text to find has some.
    fn trimmed(&self) -> Reading {
        let (mut old, mut new) = (self.old.as_str(), self.new.as_str());
        if old.ends_with(char::is_whitespace) {
            (old, new) = (old.trim_end(), new.trim_end());
        }
        if old.starts_with(char::is_whitespace) {
            (old, new) = (old.trim_start(), new.trim_start());
        }
        Reading { old: old.to_owned(), new: new.to_owned(), marked: self.marked.clone() }
    }

    /// Returns the texts without the signs of lines, such as `- ` and `## `: if a line of the text to find has one, the
    /// same sign is removed from that line of the new text.
    fn without_signs(&self) -> Reading {
        let signs: Vec<&str> = self.old.split('\n').map(sign_of).collect();
        let old: Vec<&str> = self.old.split('\n').zip(&signs).map(|(line, sign)| &line[sign.len()..]).collect();
        let new = self.new.split('\n').enumerate().map(|(at, line)| {
            let sign = signs.get(at).or(signs.last()).copied().unwrap_or_default();
            line.strip_prefix(sign).unwrap_or(line)
        });
        Reading { old: old.join("\n"), new: new.collect::<Vec<_>>().join("\n"), marked: None }
    }
}

/// Returns the sign with which a line is shown: `12: `, `## `, `- `, `- [x] `, `1. `, `> `, `| `.
pub(super) fn sign_of(line: &str) -> &str {
    let mut rest = line.trim_start_matches([' ', '\t']);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let number = digits(rest);
    if number > 0
        && let Some(after) = rest[number..].strip_prefix(": ")
    {
        rest = after;
    }
    loop {
        let start = rest.trim_start_matches(' ');
        let marks = start.bytes().take_while(|byte| *byte == b'#').count();
        let number = digits(start);
        let after = if (1..=6).contains(&marks) {
            start[marks..].strip_prefix(' ')
        } else if (1..=3).contains(&number) {
            start[number..].strip_prefix(". ")
        } else {
            let signs = ["- [ ] ", "- [x] ", "- [X] ", "- ", "* ", "> ", "| "];
            signs.iter().find_map(|sign| start.strip_prefix(sign))
        };
        match after {
            Some(after) => rest = after,
            None => return &line[..line.len() - rest.len()],
        }
    }
}

fn breaks_as_newlines(text: &str) -> String {
    ["<br>", "<br/>", "<br />"].iter().fold(text.to_owned(), |text, tag| text.replace(tag, "\n"))
}

/// Returns the places of a text, be it to the letter or nearly.
fn places<'l>(lines: &'l [Line], old: &str, exact: bool) -> Vec<Place<'l>> {
    let wanted: Vec<&str> = old.split('\n').filter(|line| !line.trim().is_empty()).collect();
    match &wanted[..] {
        [] => Vec::new(),
        [_] => {
            let old = if old.contains('\n') { wanted[0] } else { old };
            let ranges = |text: &str| if exact { exactly(text, old) } else { nearly(text, old) };
            let place = |(at, bytes): (usize, Range<usize>)| Place {
                lines: &lines[at..at + 1],
                start: bytes.start,
                end: bytes.end,
            };
            let all = lines.iter().enumerate();
            all.flat_map(|(at, line)| ranges(&line.text).into_iter().map(move |bytes| (at, bytes))).map(place).collect()
        }
        wanted => over_lines(lines, wanted, exact),
    }
}

/// Returns the places of a text that is in several lines. Empty lines between them make no difference.
fn over_lines<'l>(lines: &'l [Line], wanted: &[&str], exact: bool) -> Vec<Place<'l>> {
    let texts: Vec<(usize, Comparable)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.text.trim().is_empty())
        .map(|(at, line)| (at, Comparable::of(&line.text, exact)))
        .collect();
    let wanted: Vec<String> = wanted.iter().map(|line| Comparable::of(line, exact).text).collect();
    let [first, between @ .., last] = &wanted[..] else { return Vec::new() };
    let place = |window: &[(usize, Comparable)]| {
        let [(from, begins), middle @ .., (to, ends)] = window else { return None };
        let is_there = begins.text.ends_with(first.as_str())
            && ends.text.starts_with(last.as_str())
            && middle.iter().map(|(_, line)| &line.text).eq(between);
        if !is_there {
            return None;
        }
        let (start, end) = (begins.start(begins.text.len() - first.len())?, ends.end(last.len())?);
        Some(Place { lines: &lines[*from..=*to], start, end })
    };
    texts.windows(wanted.len()).filter_map(place).collect()
}

/// The text of a line for comparison, without spaces at its ends.
struct Comparable {
    text: String,
    /// For each byte of `text`, the bytes of the line that it represents.
    sources: Vec<Range<usize>>,
}

impl Comparable {
    fn of(line: &str, exact: bool) -> Comparable {
        let (text, sources) = if exact {
            let starts =
                line.char_indices().flat_map(|(at, c)| std::iter::repeat_n(at..at + c.len_utf8(), c.len_utf8()));
            (line.to_owned(), starts.collect())
        } else {
            normalised(line)
        };
        let start = text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        Comparable { text: text[start..end].to_owned(), sources: sources[start..end].to_vec() }
    }

    /// Returns the byte of the line at which a byte of the text begins; `None` if this would cut a character.
    fn start(&self, at: usize) -> Option<usize> {
        (!self.is_cut(at)).then(|| self.sources.get(at).map(|source| source.start))?
    }

    /// Returns the byte of the line at which the text up to a byte ends; `None` if this would cut a character.
    fn end(&self, at: usize) -> Option<usize> {
        (!self.is_cut(at)).then(|| self.sources.get(at.checked_sub(1)?).map(|source| source.end))?
    }

    fn is_cut(&self, at: usize) -> bool {
        at > 0 && at < self.sources.len() && self.sources[at - 1] == self.sources[at]
    }
}

/// Returns the places that cut no inline node: none begins or ends in a text form, or begins inside a node with
/// content, such as a footnote, and ends outside of it.
fn whole<'l>(document: &Document, lines: &'l [Line], places: Vec<Place<'l>>) -> Vec<Place<'l>> {
    let has_nodes = |line: &Line| !line.atoms.is_empty() || line.text.contains(OBJECT);
    if !places.iter().flat_map(|place| place.lines).any(has_nodes) {
        return places;
    }
    let mut inlines = Inlines::new(document, lines);
    let mut cuts = |line: &Line, ranges: &[Range<usize>]| match has_nodes(line) {
        true => runs::cut_objects(document.schema(), inlines.of(line.line - 1), ranges),
        false => vec![false; ranges.len()],
    };
    let mut kept = Vec::with_capacity(places.len());
    for group in places.chunk_by(in_one_line) {
        match group {
            [place] if place.lines.len() > 1 => {
                let (first, last) = (&place.lines[0], &place.lines[place.lines.len() - 1]);
                let (begin, end) = (place.start..first.text.len(), 0..place.end);
                if !cuts(first, slice::from_ref(&begin))[0] && !cuts(last, slice::from_ref(&end))[0] {
                    kept.push(place.clone());
                }
            }
            group => {
                let ranges: Vec<Range<usize>> = group.iter().map(Place::bytes).collect();
                let cut = cuts(&group[0].lines[0], &ranges);
                kept.extend(group.iter().zip(cut).filter(|(_, cut)| !cut).map(|(place, _)| place.clone()));
            }
        }
    }
    kept
}

fn exactly(text: &str, old: &str) -> Vec<Range<usize>> {
    text.match_indices(old).map(|(at, found)| at..at + found.len()).collect()
}

fn nearly(text: &str, old: &str) -> Vec<Range<usize>> {
    let wanted = plain(old);
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Vec::new();
    }
    let (folded, sources) = normalised(text);
    let found = folded.match_indices(wanted).filter_map(|(at, found)| {
        let (last, next) = (at + found.len() - 1, at + found.len());
        // One character may be compared as several, as "…" is as "...": it is found whole or not at all.
        let cuts = |end: usize| end > 0 && end < sources.len() && sources[end - 1] == sources[end];
        (!cuts(at) && !cuts(next)).then(|| sources[at].start..sources[last].end)
    });
    found.collect()
}

fn nearest_place<'l>(places: Vec<Place<'l>>, near: usize, old: &str) -> Result<Vec<Place<'l>>, Error> {
    let distance = |place: &Place| match near {
        near if near < place.first() => place.first() - near,
        near => near.saturating_sub(place.last()),
    };
    let least = places.iter().map(distance).min().unwrap_or(0);
    let mut nearest: Vec<Place> = places.into_iter().filter(|place| distance(place) == least).collect();
    if nearest.len() > 1 {
        return Err(ambiguous(old, &nearest));
    }
    nearest.truncate(1);
    Ok(nearest)
}

fn ambiguous(old: &str, places: &[Place]) -> Error {
    let shown = places.iter().take(MOST_PLACES).map(|place| (place.first(), around(place)));
    Error::TextAmbiguous { old: excerpt(old), count: places.len(), places: shown.collect() }
}

/// Returns a place with some of the text around it.
fn around(place: &Place) -> String {
    const AROUND: usize = 40;
    let text = place.lines.first().map_or("", |line| &line.text);
    let last = if place.lines.len() == 1 { place.end } else { text.len() };
    let start = text[..place.start].char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let end = text[last..].char_indices().nth(AROUND).map_or(text.len(), |(at, _)| last + at);
    let (left, right) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{left}{}{right}", &text[start..end])
}

/// Returns the lines that resemble a text most.
fn nearest(lines: &[Line], old: &str) -> Vec<(usize, String)> {
    let pairs_of = |text: &str| {
        let text: Vec<char> = plain(text).to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        let mut pairs: FxHashMap<(char, char), usize> = FxHashMap::default();
        text.windows(2).for_each(|pair| *pairs.entry((pair[0], pair[1])).or_default() += 1);
        pairs
    };
    let wanted = pairs_of(old);
    let total: usize = wanted.values().sum::<usize>().max(1);
    let mut best = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if as_shown::comparable(&line.text).is_empty() {
            continue;
        }
        let there = pairs_of(&line.text);
        let common: usize =
            wanted.iter().map(|(pair, count)| there.get(pair).map_or(0, |found| *count.min(found))).sum();
        // Of two lines that have as much of it, the shorter one is nearer.
        let distance = 100_000 - common * 100_000 / total + there.values().sum::<usize>().min(999);
        best.push((distance, at));
    }
    best.sort_unstable();
    best.truncate(NEAREST);
    let mut best: Vec<usize> = best.into_iter().map(|(_, at)| at).collect();
    best.sort_unstable();
    best.into_iter().map(|at| (lines[at].line, excerpt(&lines[at].text))).collect()
}
