//! The marks of a text that the checks read: days, dates, setups and references.

use crate::finding::CheckKind;
use crate::lines::LineCounter;
use crate::numeral;
use crate::order::ordered;
use crate::waiver::Waivers;
use memchr::memchr_iter;
use memchr::memmem::Finder;
use std::ops::Range;

/// The longest mark in brackets, in bytes.
const LONGEST: usize = 200;
/// The most characters of the number of a day.
const LONGEST_NUMBER: usize = 16;
/// The separators of thousands.
const SEPARATORS: [char; 2] = [',', '，'];
/// The spaces around a number.
const SPACES: [char; 3] = [' ', '\u{a0}', '\u{3000}'];

/// A kind of mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// `第3天`, `Day 3`; without a number if that cannot be read.
    Day(Option<u32>),
    /// `[TIME:2024-01-15]`
    Date,
    /// `[SETUP:id]`
    Setup,
    /// `[REF:id]`
    Reference,
}

/// The marks in brackets, with their names.
const IN_BRACKETS: [(&str, MarkKind); 3] =
    [("TIME", MarkKind::Date), ("SETUP", MarkKind::Setup), ("REF", MarkKind::Reference)];

/// A mark in a text. Positions are in bytes.
pub(crate) struct StoryMark {
    pub(crate) kind: MarkKind,
    /// The whole mark; without its end if it has none.
    pub(crate) range: Range<usize>,
    /// The value after the colon, without white space around it; `None` without an end in its line, and after a
    /// full-width colon.
    pub(crate) value: Option<Range<usize>>,
    /// The line in which it begins.
    pub(crate) line: usize,
}

/// The marks of a text in their order, and the comments that accept findings.
pub(crate) struct StoryMarks {
    pub(crate) marks: Vec<StoryMark>,
    timeline: Waivers,
    references: Waivers,
}

impl StoryMarks {
    /// Reads the marks of a text.
    pub(crate) fn of(text: &str) -> StoryMarks {
        let mut found = Vec::new();
        in_brackets(text, &mut found);
        chinese_days(text, &mut found);
        english_days(text, &mut found);
        let timeline = Waivers::of(text, CheckKind::Timeline);
        let mut counter = LineCounter::new(text);
        let mut marks = Vec::with_capacity(found.len());
        for at in ordered(found.iter().map(|mark: &StoryMark| mark.range.start as u64)) {
            let StoryMark { kind, range, value, .. } = &found[at];
            // The reason of a waiver may name a mark.
            if !timeline.contain(range.start) {
                let line = counter.line_at(range.start);
                marks.push(StoryMark { kind: *kind, range: range.clone(), value: value.clone(), line });
            }
        }
        StoryMarks { marks, timeline, references: Waivers::of(text, CheckKind::References) }
    }

    /// Returns whether findings of a check in a line are accepted.
    pub(crate) fn accept(&self, kind: CheckKind, line: usize) -> bool {
        match kind {
            CheckKind::Timeline => self.timeline.accept(line),
            CheckKind::References => self.references.accept(line),
        }
    }
}

fn in_brackets(text: &str, found: &mut Vec<StoryMark>) {
    for at in memchr_iter(b'[', text.as_bytes()) {
        let is_named = |(name, _): &&(&str, MarkKind)| text[at + 1..].starts_with(name);
        let Some((name, kind)) = IN_BRACKETS.iter().find(is_named) else { continue };
        let after = &text[at + 1 + name.len()..];
        // A mark with the colon of a Chinese keyboard is meant as one: it must not be overlooked.
        let Some(colon) = [':', '：'].into_iter().find(|colon| after.starts_with(*colon)) else { continue };
        let inside = at + 1 + name.len() + colon.len_utf8();
        let mut longest = (at + LONGEST).min(text.len());
        while !text.is_char_boundary(longest) {
            longest -= 1;
        }
        let rest = &text[inside..longest.max(inside)];
        let end = rest.find([']', '\n', '\r', '[']);
        let (range, value) = match end {
            Some(end) if rest[end..].starts_with(']') => {
                let value = rest[..end].trim();
                let from = inside + (rest[..end].len() - rest[..end].trim_start().len());
                (at..inside + end + 1, (colon == ':').then_some(from..from + value.len()))
            }
            end => {
                let whole = text[at..inside + end.unwrap_or(rest.len())].trim_end();
                (at..at + whole.len(), None)
            }
        };
        found.push(StoryMark { kind: *kind, range, value, line: 0 });
    }
}

fn chinese_days(text: &str, found: &mut Vec<StoryMark>) {
    for at in Finder::new("第").find_iter(text.as_bytes()) {
        let (number, after) = number_at(&text[at + '第'.len_utf8()..], numeral::is_part);
        let after = after.trim_start_matches(SPACES);
        if !number.is_empty() && after.starts_with('天') {
            let range = at..text.len() - after.len() + '天'.len_utf8();
            found.push(StoryMark { kind: day(number), range, value: None, line: 0 });
        }
    }
}

fn english_days(text: &str, found: &mut Vec<StoryMark>) {
    for word in ["Day", "DAY"] {
        for at in Finder::new(word).find_iter(text.as_bytes()) {
            let rest = &text[at + word.len()..];
            let (number, after) = number_at(rest, is_digit);
            let is_word = !text[..at].ends_with(char::is_alphanumeric)
                && rest.starts_with(SPACES)
                && !after.starts_with(char::is_alphanumeric);
            if !number.is_empty() && is_word {
                let range = at..text.len() - after.len();
                found.push(StoryMark { kind: day(number), range, value: None, line: 0 });
            }
        }
    }
}

fn day(number: &str) -> MarkKind {
    let digits: String = number.chars().filter(|c| !SEPARATORS.contains(c)).collect();
    MarkKind::Day(numeral::parse(&digits))
}

/// Returns the number at the beginning of a text, without spaces before it, and the text after it. Separators of
/// thousands are part of it: `1,200`.
fn number_at(text: &str, is_part: fn(char) -> bool) -> (&str, &str) {
    let start = text.trim_start_matches(SPACES);
    let mut number: usize = start.chars().take(LONGEST_NUMBER).take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    if number > 0 && start[..number].chars().all(is_digit) {
        while let Some(group) = thousands(&start[number..]) {
            number += group;
        }
    }
    start.split_at(number)
}

/// Returns the length of the separator and the three digits that a text begins with, if there are no more digits.
fn thousands(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(SEPARATORS)?;
    let digits = rest.chars().take_while(|c| is_digit(*c)).take(4).map(char::len_utf8);
    let (count, length) = digits.fold((0, 0), |(count, length), digit| (count + 1, length + digit));
    (count == 3).then_some(text.len() - rest.len() + length)
}

fn is_digit(c: char) -> bool {
    numeral::arabic(c).is_some()
}
