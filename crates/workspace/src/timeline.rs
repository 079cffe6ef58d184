//! The check of days and dates: `第3天`, `Day 3`, `[TIME:2024-01-15]`.
//!
//! The chapters of a folder are read in the order of their numbers; other files only count where a workspace has no
//! chapters.
//!
//! - A day after the next one is a jump, an earlier day a step back. After a step back the story may go on from
//!   there, or return to the day that it left: a look back is one finding.
//! - A date must be in the form `YYYY-MM-DD`, exist, and not be before the last one.
//! - A number of a day that cannot be read is a warning.

use crate::anchors::Anchor;
use crate::finding::{CheckKind, Fact, Finding, Place, Report, Searched, Source, searched};
use crate::marks::{Mark, mark_at};
use crate::numeral;
use crate::order::ordered;
use crate::paths::{chapter_number, is_story, parent};
use memchr::memmem::Finder;
use std::collections::BTreeMap;

pub(crate) const TIME: &str = "[TIME:";
const ORDINAL: &str = "第";
/// The most characters of the number of a day.
const LONGEST_NUMBER: usize = 16;
/// The spaces around a number.
const SPACES: [char; 3] = [' ', '\u{a0}', '\u{3000}'];

/// Checks the texts of a story, given with their paths and in the order of these.
pub fn check<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Report {
    searched(files, check_searched)
}

/// Does the same with files that have been searched.
pub(crate) fn check_searched(mut files: Vec<Searched<'_>>) -> Report {
    files.retain(|(path, ..)| is_story(path));
    if files.iter().any(|(path, ..)| chapter_number(path).is_some()) {
        files.retain(|(path, ..)| chapter_number(path).is_some());
    }
    let mut folders: BTreeMap<&str, Vec<(Option<u32>, Searched<'_>)>> = BTreeMap::new();
    for file in files {
        folders.entry(parent(file.0)).or_default().push((chapter_number(file.0), file));
    }
    let mut report = Report::default();
    for chapters in folders.into_values() {
        let mut story = Story::default();
        for at in ordered(chapters.iter().map(|(number, ..)| number.unwrap_or(0).into())) {
            let (number, file) = chapters[at];
            story.read(&Source::new(file, CheckKind::Timeline), number, &mut report);
        }
    }
    report
}

/// A mention of a day, or the mark of a date.
enum Moment<'a> {
    Day { mark: &'a str, number: Option<u32> },
    Date(Mark<'a>),
}

/// The state of a story up to a moment.
#[derive(Default)]
struct Story {
    day: Option<(u32, Place)>,
    /// The day before a step back.
    left: Option<u32>,
    date: Option<(String, Place)>,
}

impl Story {
    /// Reads a chapter.
    fn read(&mut self, source: &Source<'_>, chapter: Option<u32>, report: &mut Report) {
        let Source { text, anchors, .. } = source;
        let days = anchors.days.iter().filter_map(|anchor| Some((*anchor, day_at(text, anchor.at)?)));
        let dates = anchors.dates.iter().map(|anchor| (*anchor, Moment::Date(mark_at(text, anchor.at, TIME.len()))));
        let moments: Vec<_> = days.chain(dates).collect();
        for next in ordered(moments.iter().map(|(anchor, _)| anchor.at as u64)) {
            let (Anchor { at, line }, moment) = &moments[next];
            let (at, line) = (*at, *line);
            if source.waivers.contain(at) {
                continue;
            }
            let place = Place { file: source.path.to_owned(), line };
            let fact = match moment {
                Moment::Day { number: Some(day), .. } => self.on_day(*day, place, chapter),
                Moment::Day { mark, number: None } => Some(Fact::UnreadableDay { chapter, mark: (*mark).to_owned() }),
                Moment::Date(mark) => self.on_date(mark, place, chapter),
            };
            if let Some(fact) = fact {
                report.add(Finding::at(source, at, line, fact));
            }
        }
    }

    fn on_day(&mut self, to: u32, place: Place, chapter: Option<u32>) -> Option<Fact> {
        let (from, since) = self.day.replace((to, place))?;
        let follows = |day: u32| to == day || to == day + 1;
        let is_expected = follows(from) || self.left.is_some_and(follows);
        // The story has caught up with the day that it left.
        self.left = self.left.filter(|left| to < *left);
        if is_expected {
            return None;
        }
        if to > from {
            return Some(Fact::DayJump { chapter, from, to, since });
        }
        self.left = self.left.max(Some(from));
        Some(Fact::DayBack { chapter, from, to, since })
    }

    fn on_date(&mut self, mark: &Mark<'_>, place: Place, chapter: Option<u32>) -> Option<Fact> {
        let written = || mark.text.to_owned();
        let Some(date) = mark.value.filter(|value| is_written_as_date(value)) else {
            return Some(Fact::TimeFormat { chapter, mark: written() });
        };
        if !exists(date) {
            return Some(Fact::TimeImpossible { chapter, mark: written() });
        }
        let (from, since) = self.date.replace((date.to_owned(), place))?;
        // Dates in this form are in the order of their texts.
        (date < from.as_str()).then(|| Fact::TimeOrder { chapter, from, to: date.to_owned(), since })
    }
}

/// Returns the positions of the days that a text mentions.
pub(crate) fn days(text: &str) -> Vec<usize> {
    let of = |word: &str| Finder::new(word).find_iter(text.as_bytes()).collect::<Vec<_>>();
    [ORDINAL, "Day", "DAY"].into_iter().flat_map(of).filter(|at| day_at(text, *at).is_some()).collect()
}

/// Returns the day that is mentioned at a position, which begins with `第` or `Day`.
fn day_at(text: &str, at: usize) -> Option<Moment<'_>> {
    let rest = &text[at..];
    if let Some(rest) = rest.strip_prefix(ORDINAL) {
        let (number, after) = number_at(rest, numeral::is_part);
        let after = after.trim_start_matches(SPACES).strip_prefix('天').filter(|_| !number.is_empty())?;
        return Some(Moment::Day { mark: &text[at..text.len() - after.len()], number: numeral::parse(number) });
    }
    let rest = &rest["Day".len()..];
    let (number, after) = number_at(rest, |c| c.is_ascii_digit());
    let is_word = !text[..at].ends_with(char::is_alphanumeric)
        && rest.starts_with(SPACES)
        && !after.starts_with(char::is_alphanumeric);
    let mark = &text[at..text.len() - after.len()];
    (is_word && !number.is_empty()).then(|| Moment::Day { mark, number: numeral::parse(number) })
}

/// Returns the number at the beginning of a text, without spaces before it, and the text after it.
fn number_at(text: &str, is_part: fn(char) -> bool) -> (&str, &str) {
    let start = text.trim_start_matches(SPACES);
    let number: usize = start.chars().take(LONGEST_NUMBER).take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    start.split_at(number)
}

fn is_written_as_date(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// Returns whether the Gregorian calendar has a date in the form `YYYY-MM-DD`.
fn exists(date: &str) -> bool {
    let part = |range: std::ops::Range<usize>| date[range].parse::<u32>().unwrap_or(0);
    let (year, month, day) = (part(0..4), part(5..7), part(8..10));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => 0,
    };
    year > 0 && (1..=length).contains(&day)
}
