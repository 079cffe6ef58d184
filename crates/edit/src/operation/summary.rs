//! Words that the summaries of operations share.

use crate::apply::Resolved;
use crate::content;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::phrases;
use copydesk_document::{Document, Section};
use std::ops::RangeInclusive;

/// The result of an applied edit, for its summary.
pub struct Outcome<'a> {
    /// The resolved edit.
    pub resolved: &'a Resolved,
    /// The document before it.
    pub before: &'a Document,
    /// The sections after it.
    pub after: &'a [Section],
    /// True if the document is another one.
    pub is_changed: bool,
    /// The language.
    pub locale: Locale,
}

impl Outcome<'_> {
    /// Returns the index of the section that the edit was about.
    pub fn index(&self) -> usize {
        self.resolved.section.unwrap_or_default()
    }

    /// Returns the name of that section, with its title after the edit.
    pub fn section(&self) -> String {
        named(self.index(), self.after)
    }

    /// Returns the name of that section, with its title before the edit.
    pub fn section_before(&self) -> String {
        named(self.index(), &self.before.sections())
    }

    /// Returns the sentence for an edit that changed nothing.
    pub fn unchanged(&self) -> String {
        messages::NOTHING_CHANGED.text(self.locale).into()
    }

    /// Returns the numbers of the lines that the edit was about.
    pub fn lines(&self) -> String {
        let mut ranges = self.resolved.lines.clone();
        ranges.dedup();
        let range = |range: &RangeInclusive<usize>| match (range.start(), range.end()) {
            (start, end) if start == end => start.to_string(),
            (start, end) => format!("{start}–{end}"),
        };
        ranges.iter().map(range).collect::<Vec<_>>().join(phrases::comma(self.locale))
    }
}

fn named(index: usize, sections: &[Section]) -> String {
    match sections.get(index).map(|section| content::one_line(&section.title)).unwrap_or_default() {
        title if title.is_empty() => format!("Section {index}"),
        title => format!("Section {index} '{title}'"),
    }
}
