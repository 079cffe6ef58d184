//! The text logic of a writer's project: a tree of text files with chapters.
//!
//! Everything here is pure: texts in, values out. The host reads and writes the files; a worker holds an [`Index`] of
//! them, so that nothing long runs on a page's main thread.
//!
//! | to | use |
//! |---|---|
//! | show lines with their numbers | [`numbered`] |
//! | replace a text that occurs once | [`replace_once`] |
//! | search many files | [`Index::search`]; [`Needle`] for one text |
//! | select files | [`Filter`], [`paths`] |
//! | check the days and dates of a story | [`timeline::check`] |
//! | check its setups and references | [`references::check`] |
//!
//! ```
//! use copydesk_base::Locale;
//! use copydesk_workspace::{CheckKind, Index, TextQuery};
//!
//! let mut index = Index::default();
//! index.set("chapters/ch001.md", "# One\n\n第一天，下雨。[SETUP:umbrella]\n");
//! index.set("chapters/ch002.md", "# Two\n\n第3天，晴。[REF:mystery-box]\n");
//!
//! let found = index.search(&TextQuery::literal("下雨"))?;
//! assert_eq!((found.matches[0].path.as_str(), found.matches[0].line), ("chapters/ch001.md", 3));
//!
//! let timeline = index.check(CheckKind::Timeline);
//! assert_eq!(timeline.errors[0].message(Locale::ZhCn), "第2章时间线跳跃：第1天 → 第3天");
//! let references = index.check(CheckKind::References);
//! assert_eq!(references.errors[0].message(Locale::ZhCn), "第2章引用 [REF:mystery-box] 不存在");
//! assert_eq!(references.warnings[0].message(Locale::ZhCn), "伏笔 [SETUP:umbrella] 未被引用");
//! # Ok::<(), copydesk_workspace::Error>(())
//! ```
//!
//! # Lines
//!
//! A line ends with `\n` or `\r\n`; the end of the last line is optional and begins no further line. Lines are
//! numbered from 1. A byte order mark is not part of the first line. The tools, the search and the checks count alike.
//!
//! # Waivers
//!
//! A comment accepts the findings of a check in the rest of its line or, if it is alone in its line, in the next line
//! that is not blank. They stay in the report, marked as waived.
//!
//! ```
//! use copydesk_workspace::{CheckKind, Index};
//!
//! let mut index = Index::default();
//! index.set("ch001.md", "Day 1.\n<!-- copydesk-ignore timeline: he slept for a week -->\nDay 9.\n");
//! assert!(index.check(CheckKind::Timeline).errors[0].waived);
//! ```
#![forbid(unsafe_code)]

mod error;
mod finding;
mod fold;
mod headroom;
mod index;
mod lines;
mod marks;
mod numbered;
mod order;
mod replace;
mod search;
mod trigrams;
mod waiver;

pub mod numeral;
pub mod paths;
pub mod references;
pub mod timeline;

mod messages;

pub use error::Error;
pub use finding::{CheckKind, CheckReport, Fact, Finding, MOST_FINDINGS, StoryPosition};
pub use index::{FileMatch, FoundInFiles, Index, TextQuery};
pub use numbered::{LONGEST_RESULT, WantedLines, numbered};
pub use paths::Filter;
pub use replace::{ReplacedText, replace_once};
pub use search::{LineMatch, MOST_MATCHES, Needle};
