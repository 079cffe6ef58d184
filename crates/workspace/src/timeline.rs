//! The check of days and dates: `第3天`, `Day 3`, `[TIME:2024-01-15]`.
//!
//! The chapters of a folder are read in the order of their numbers; other files only count where a workspace has no
//! chapters.
//!
//! - A day after the next one is a jump, an earlier day a step back. After a step back the story may go on from
//!   there, or return to the day that it left: a look back is one finding.
//! - A date must be in the form `YYYY-MM-DD`, exist, and not be before the last one.
//! - A number of a day that cannot be read is a warning.

use crate::finding::{CheckKind, CheckReport, CheckedFile, Fact, StoryPosition};
use crate::marks::{MarkKind, StoryMark, StoryMarks};
use crate::order::ordered;
use crate::paths::{chapter_number, is_story, parent};
use std::collections::BTreeMap;

/// Checks the texts of a story, given with their paths and in the order of these.
pub fn check<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> CheckReport {
    let stories = files.into_iter().filter(|(path, _)| is_story(path));
    let files: Vec<_> = stories.map(|(path, text)| (path, text, StoryMarks::of(text))).collect();
    check_marks(files.iter().map(|(path, text, marks)| CheckedFile { path, text, marks }))
}

/// Checks a story whose marks were read.
pub(crate) fn check_marks<'a>(sources: impl Iterator<Item = CheckedFile<'a>>) -> CheckReport {
    let mut chapters: Vec<(Option<u32>, CheckedFile<'a>)> =
        sources.map(|source| (chapter_number(source.path), source)).collect();
    if chapters.iter().any(|(number, _)| number.is_some()) {
        chapters.retain(|(number, _)| number.is_some());
    }
    let mut folders: BTreeMap<&str, Vec<(Option<u32>, CheckedFile<'a>)>> = BTreeMap::new();
    for (number, source) in chapters {
        folders.entry(parent(source.path)).or_default().push((number, source));
    }
    let mut report = CheckReport::default();
    for chapters in folders.into_values() {
        let mut story = Story::default();
        for at in ordered(chapters.iter().map(|(number, _)| number.unwrap_or(0).into())) {
            let (number, source) = &chapters[at];
            story.read(source, *number, &mut report);
        }
    }
    report
}

/// The path and the line of a mark.
type Mention<'a> = (&'a str, usize);

/// The state of a story up to a mark.
#[derive(Default)]
struct Story<'a> {
    day: Option<(u32, Mention<'a>)>,
    /// The day before a step back.
    left: Option<u32>,
    date: Option<(&'a str, Mention<'a>)>,
}

impl<'a> Story<'a> {
    /// Reads a chapter.
    fn read(&mut self, source: &CheckedFile<'a>, chapter: Option<u32>, report: &mut CheckReport) {
        for mark in &source.marks.marks {
            let mention = (source.path, mark.line);
            let fact = match mark.kind {
                MarkKind::Day(Some(day)) => self.on_day(day, mention, chapter),
                MarkKind::Day(None) => Some(Fact::UnreadableDay { chapter, mark: source.mark(mark).to_owned() }),
                MarkKind::Date => self.on_date(source, mark, mention, chapter),
                MarkKind::Setup | MarkKind::Reference => None,
            };
            if let Some(fact) = fact {
                report.add(source, CheckKind::Timeline, mark, fact);
            }
        }
    }

    fn on_day(&mut self, to: u32, mention: Mention<'a>, chapter: Option<u32>) -> Option<Fact> {
        let (from, since) = self.day.replace((to, mention))?;
        let follows = |day: u32| to == day || to == day + 1;
        let is_expected = follows(from) || self.left.is_some_and(follows);
        // The story has caught up with the day that it left.
        self.left = self.left.filter(|left| to < *left);
        if is_expected {
            return None;
        }
        let since = StoryPosition::of(since);
        if to > from {
            return Some(Fact::DayJump { chapter, from, to, since });
        }
        self.left = self.left.max(Some(from));
        Some(Fact::DayBack { chapter, from, to, since })
    }

    fn on_date(
        &mut self,
        source: &CheckedFile<'a>,
        mark: &StoryMark,
        mention: Mention<'a>,
        chapter: Option<u32>,
    ) -> Option<Fact> {
        let written = || source.mark(mark).to_owned();
        let Some(date) = source.value(mark).filter(|value| is_written_as_date(value)) else {
            return Some(Fact::TimeFormat { chapter, mark: written() });
        };
        if !exists(date) {
            return Some(Fact::TimeImpossible { chapter, mark: written() });
        }
        let (from, since) = self.date.replace((date, mention))?;
        // Dates in this form are in the order of their texts.
        let is_back = date < from;
        is_back.then(|| Fact::TimeOrder {
            chapter,
            from: from.into(),
            to: date.into(),
            since: StoryPosition::of(since),
        })
    }
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
