//! The findings of a check.

use crate::lines::shown_at;
use crate::marks::{StoryMark, StoryMarks};
use crate::messages;
use copydesk_base::{Error, Locale};
use serde_json::{Value, json};

/// A check of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// Days and dates.
    Timeline,
    /// Setups and references.
    References,
}

impl CheckKind {
    /// Returns its name, which waivers use too.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Timeline => "timeline",
            CheckKind::References => "references",
        }
    }

    /// Returns the check with a name.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`] for another name.
    pub fn of_name(name: &str) -> Result<CheckKind, Error> {
        [CheckKind::Timeline, CheckKind::References].into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let expected = "\"timeline\" or \"references\"".to_owned();
            Error::InvalidParameter { name: "kind".to_owned(), given: copydesk_base::error::excerpt(name), expected }
        })
    }
}

/// The most findings in each list of a report.
pub const MOST_FINDINGS: usize = 10_000;

/// The findings of a check, in the order of the story.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckReport {
    /// Findings that contradict the rules of the check.
    pub errors: Vec<Finding>,
    /// Findings that may be intended.
    pub warnings: Vec<Finding>,
    /// True if there are more than [`MOST_FINDINGS`] in a list.
    pub is_cut: bool,
}

impl CheckReport {
    /// Adds a finding at a mark to the list that it belongs to, if that is not full.
    pub(crate) fn add(&mut self, source: &CheckedFile<'_>, kind: CheckKind, mark: &StoryMark, fact: Fact) {
        let list = match fact {
            Fact::UnusedSetup { .. } | Fact::UnreadableDay { .. } | Fact::UnreadableMark { .. } => &mut self.warnings,
            _ => &mut self.errors,
        };
        if list.len() < MOST_FINDINGS {
            list.push(source.finding(kind, mark, fact));
        } else {
            self.is_cut = true;
        }
    }

    /// Returns it as JSON, with the message of each finding: `{errors, warnings, cut?}`.
    pub fn to_value(&self, locale: Locale) -> Value {
        let all = |findings: &[Finding]| findings.iter().map(|finding| finding.to_value(locale)).collect::<Value>();
        let mut value = json!({ "errors": all(&self.errors), "warnings": all(&self.warnings) });
        if self.is_cut {
            value["cut"] = messages::OnlyFirstFindings { most: &MOST_FINDINGS }.text(locale).into();
        }
        value
    }
}

/// One finding with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The fact that was found.
    pub fact: Fact,
    /// True if a comment in the file accepts it.
    pub waived: bool,
}

/// A position in a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryPosition {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// A fact that a check reports. `chapter` is the number of the chapter that it is in; `None` in other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Days are missing between two that are mentioned one after the other.
    DayJump {
        /// The chapter.
        chapter: Option<u32>,
        /// The day before.
        from: u32,
        /// The day.
        to: u32,
        /// The mention of the day before.
        since: StoryPosition,
    },
    /// A day before the one that is mentioned before it.
    DayBack {
        /// The chapter.
        chapter: Option<u32>,
        /// The day before.
        from: u32,
        /// The day.
        to: u32,
        /// The mention of the day before.
        since: StoryPosition,
    },
    /// A number of a day that cannot be read, or is over 9999.
    UnreadableDay {
        /// The chapter.
        chapter: Option<u32>,
        /// The mention.
        mark: String,
    },
    /// A date that is not written as `[TIME:2024-01-15]`.
    TimeFormat {
        /// The chapter.
        chapter: Option<u32>,
        /// The mark.
        mark: String,
    },
    /// A date that no calendar has.
    TimeImpossible {
        /// The chapter.
        chapter: Option<u32>,
        /// The mark.
        mark: String,
    },
    /// A date before the one that is given before it.
    TimeOrder {
        /// The chapter.
        chapter: Option<u32>,
        /// The date before.
        from: String,
        /// The date.
        to: String,
        /// The mark with the date before.
        since: StoryPosition,
    },
    /// A reference to a setup that does not exist.
    MissingSetup {
        /// The chapter.
        chapter: Option<u32>,
        /// The id.
        id: String,
    },
    /// A setup that exists already.
    DuplicateSetup {
        /// The id.
        id: String,
        /// The first one.
        first: StoryPosition,
    },
    /// A setup without a reference to it.
    UnusedSetup {
        /// The id.
        id: String,
    },
    /// A mark of a setup or reference without an id, or without its end.
    UnreadableMark {
        /// The mark.
        mark: String,
    },
}

impl Finding {
    /// Returns the finding in words.
    pub fn message(&self, locale: Locale) -> String {
        self.fact.message(&self.file, locale)
    }

    /// Returns it as JSON: `{file, line, text, message, code, details, waived?}`.
    pub fn to_value(&self, locale: Locale) -> Value {
        let (message, code, details) = (self.message(locale), self.fact.code(), self.fact.details());
        let Finding { file, line, text, waived, .. } = self;
        let mut value = json!({
            "file": file,
            "line": line,
            "text": text,
            "message": message,
            "code": code,
            "details": details,
        });
        if *waived {
            value["waived"] = true.into();
        }
        value
    }
}

/// A file under a check.
pub(crate) struct CheckedFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) marks: &'a StoryMarks,
}

impl<'a> CheckedFile<'a> {
    /// Returns the text of a mark.
    pub(crate) fn mark(&self, mark: &StoryMark) -> &'a str {
        &self.text[mark.range.clone()]
    }

    /// Returns the value of a mark, if it has an end.
    pub(crate) fn value(&self, mark: &StoryMark) -> Option<&'a str> {
        mark.value.clone().map(|value| &self.text[value])
    }

    /// Creates a finding at a mark.
    fn finding(&self, kind: CheckKind, mark: &StoryMark, fact: Fact) -> Finding {
        let text = shown_at(self.text, mark.range.start).trim().to_owned();
        let waived = self.marks.accept(kind, mark.line);
        Finding { file: self.path.to_owned(), line: mark.line, text, fact, waived }
    }
}

impl StoryPosition {
    pub(crate) fn of((file, line): (&str, usize)) -> StoryPosition {
        StoryPosition { file: file.to_owned(), line }
    }

    fn to_value(&self) -> Value {
        json!({ "file": self.file, "line": self.line })
    }
}

// Derived conversions of this enum take 25 kB of the module in place of 2.
impl Fact {
    /// Returns its stable name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Fact::DayJump { .. } => "day_jump",
            Fact::DayBack { .. } => "day_back",
            Fact::UnreadableDay { .. } => "unreadable_day",
            Fact::TimeFormat { .. } => "time_format",
            Fact::TimeImpossible { .. } => "time_impossible",
            Fact::TimeOrder { .. } => "time_order",
            Fact::MissingSetup { .. } => "missing_setup",
            Fact::DuplicateSetup { .. } => "duplicate_setup",
            Fact::UnusedSetup { .. } => "unused_setup",
            Fact::UnreadableMark { .. } => "unreadable_mark",
        }
    }

    /// Returns the values in the message, by the names of the fields.
    pub fn details(&self) -> Value {
        match self {
            Fact::DayJump { chapter, from, to, since } | Fact::DayBack { chapter, from, to, since } => {
                json!({ "chapter": chapter, "from": from, "to": to, "since": since.to_value() })
            }
            Fact::TimeOrder { chapter, from, to, since } => {
                json!({ "chapter": chapter, "from": from, "to": to, "since": since.to_value() })
            }
            Fact::UnreadableDay { chapter, mark }
            | Fact::TimeFormat { chapter, mark }
            | Fact::TimeImpossible { chapter, mark } => json!({ "chapter": chapter, "mark": mark }),
            Fact::MissingSetup { chapter, id } => json!({ "chapter": chapter, "id": id }),
            Fact::DuplicateSetup { id, first } => json!({ "id": id, "first": first.to_value() }),
            Fact::UnusedSetup { id } => json!({ "id": id }),
            Fact::UnreadableMark { mark } => json!({ "mark": mark }),
        }
    }

    /// Returns the fact in words; `file` names the place if there is no chapter.
    fn message(&self, file: &str, locale: Locale) -> String {
        use Fact::*;
        let place = |chapter: &Option<u32>| match chapter {
            Some(number) => messages::Chapter { number }.text(locale),
            None => messages::InFile { file: &file }.text(locale),
        };
        match self {
            DayJump { chapter, from, to, .. } => messages::DayJump { place: &place(chapter), from, to }.text(locale),
            DayBack { chapter, from, to, .. } => messages::DayBack { place: &place(chapter), from, to }.text(locale),
            UnreadableDay { chapter, mark } => messages::UnreadableDay { place: &place(chapter), mark }.text(locale),
            TimeFormat { chapter, mark } => messages::TimeFormat { place: &place(chapter), mark }.text(locale),
            TimeImpossible { chapter, mark } => messages::TimeImpossible { place: &place(chapter), mark }.text(locale),
            TimeOrder { chapter, from, to, .. } => {
                messages::TimeOrder { place: &place(chapter), from, to }.text(locale)
            }
            MissingSetup { chapter, id } => messages::MissingSetup { place: &place(chapter), id }.text(locale),
            DuplicateSetup { id, first: StoryPosition { file, line } } => {
                messages::DuplicateSetup { id, file, line }.text(locale)
            }
            UnusedSetup { id } => messages::UnusedSetup { id }.text(locale),
            UnreadableMark { mark } => messages::UnreadableMark { mark }.text(locale),
        }
    }
}
