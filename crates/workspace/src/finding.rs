//! The findings of a check.

use crate::lines::shown_at;
use crate::marks::{Mark, Marks};
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
pub struct Report {
    /// What contradicts the rules of the check.
    pub errors: Vec<Finding>,
    /// What may be meant.
    pub warnings: Vec<Finding>,
    /// True if there are more than [`MOST_FINDINGS`] in a list.
    pub is_cut: bool,
}

impl Report {
    /// Adds a finding at a mark to the list that it belongs to, if that is not full.
    pub(crate) fn add(&mut self, source: &Source<'_>, kind: CheckKind, mark: &Mark, fact: Fact) {
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

    /// As JSON, with the message of each finding: `{errors, warnings, cut?}`.
    pub fn to_value(&self, locale: Locale) -> Value {
        let all = |findings: &[Finding]| findings.iter().map(|finding| finding.to_value(locale)).collect::<Value>();
        let mut value = json!({ "errors": all(&self.errors), "warnings": all(&self.warnings) });
        if self.is_cut {
            value["cut"] = match locale {
                Locale::En => format!("Only the first {MOST_FINDINGS} findings are listed. Correct these first."),
                Locale::ZhCn => format!("只列出前 {MOST_FINDINGS} 个发现，请先处理这些。"),
            }
            .into();
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
pub struct Place {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// A fact that a check reports. `chapter` is the number of the chapter that it is in; none in other files.
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
        since: Place,
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
        since: Place,
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
        since: Place,
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
        first: Place,
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

    /// As JSON: `{file, line, text, message, code, details, waived?}`.
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
pub(crate) struct Source<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
    pub(crate) marks: &'a Marks,
}

impl<'a> Source<'a> {
    /// Returns the text of a mark.
    pub(crate) fn mark(&self, mark: &Mark) -> &'a str {
        &self.text[mark.range.clone()]
    }

    /// Returns the value of a mark, if it has an end.
    pub(crate) fn value(&self, mark: &Mark) -> Option<&'a str> {
        mark.value.clone().map(|value| &self.text[value])
    }

    /// Creates a finding at a mark.
    fn finding(&self, kind: CheckKind, mark: &Mark, fact: Fact) -> Finding {
        let text = shown_at(self.text, mark.range.start).trim().to_owned();
        let waived = self.marks.accept(kind, mark.line);
        Finding { file: self.path.to_owned(), line: mark.line, text, fact, waived }
    }
}

impl Place {
    pub(crate) fn of((file, line): (&str, usize)) -> Place {
        Place { file: file.to_owned(), line }
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

    /// Returns the fact in words; `file` names the place where there is no chapter.
    fn message(&self, file: &str, locale: Locale) -> String {
        use Fact::*;
        let place = |chapter: &Option<u32>| match (chapter, locale) {
            (Some(chapter), Locale::En) => format!("Chapter {chapter}"),
            (Some(chapter), Locale::ZhCn) => format!("第{chapter}章"),
            (None, Locale::En) => file.to_owned(),
            (None, Locale::ZhCn) => format!("{file} "),
        };
        match (self, locale) {
            (DayJump { chapter, from, to, .. }, Locale::ZhCn) => {
                format!("{}时间线跳跃：第{from}天 → 第{to}天", place(chapter))
            }
            (DayJump { chapter, from, to, .. }, Locale::En) => {
                format!("{}: the timeline jumps: day {from} → day {to}", place(chapter))
            }
            (DayBack { chapter, from, to, .. }, Locale::ZhCn) => {
                format!("{}时间线倒退：第{from}天 → 第{to}天", place(chapter))
            }
            (DayBack { chapter, from, to, .. }, Locale::En) => {
                format!("{}: the timeline goes back: day {from} → day {to}", place(chapter))
            }
            (UnreadableDay { chapter, mark }, Locale::ZhCn) => format!("{}无法识别的天数：{mark}", place(chapter)),
            (UnreadableDay { chapter, mark }, Locale::En) => {
                format!("{}: the number of the day cannot be read: {mark}", place(chapter))
            }
            (TimeFormat { chapter, mark }, Locale::ZhCn) => {
                format!("{}时间标记格式错误：{mark}，应为 [TIME:YYYY-MM-DD]", place(chapter))
            }
            (TimeFormat { chapter, mark }, Locale::En) => {
                format!("{}: {mark} is not in the form [TIME:YYYY-MM-DD]", place(chapter))
            }
            (TimeImpossible { chapter, mark }, Locale::ZhCn) => format!("{}日期不存在：{mark}", place(chapter)),
            (TimeImpossible { chapter, mark }, Locale::En) => {
                format!("{}: there is no such date: {mark}", place(chapter))
            }
            (TimeOrder { chapter, from, to, .. }, Locale::ZhCn) => {
                format!("{}时间顺序错误：{from} → {to}", place(chapter))
            }
            (TimeOrder { chapter, from, to, .. }, Locale::En) => {
                format!("{}: the dates go back: {from} → {to}", place(chapter))
            }
            (MissingSetup { chapter, id }, Locale::ZhCn) => format!("{}引用 [REF:{id}] 不存在", place(chapter)),
            (MissingSetup { chapter, id }, Locale::En) => {
                format!("{}: [REF:{id}] has no [SETUP:{id}]", place(chapter))
            }
            (DuplicateSetup { id, first: Place { file, line } }, Locale::ZhCn) => {
                format!("伏笔 [SETUP:{id}] 重复：已在 {file} 第 {line} 行设置")
            }
            (DuplicateSetup { id, first: Place { file, line } }, Locale::En) => {
                format!("[SETUP:{id}] is already in {file}, line {line}")
            }
            (UnusedSetup { id }, Locale::ZhCn) => format!("伏笔 [SETUP:{id}] 未被引用"),
            (UnusedSetup { id }, Locale::En) => format!("[SETUP:{id}] is never referred to"),
            (UnreadableMark { mark }, Locale::ZhCn) => format!("标记 {mark} 无法识别，应为 [SETUP:编号] 或 [REF:编号]"),
            (UnreadableMark { mark }, Locale::En) => format!("{mark} is not in the form [SETUP:id] or [REF:id]"),
        }
    }
}
