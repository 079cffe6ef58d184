//! The part of a document that a run may change, as errors say it.

use crate::messages;
use copydesk_base::locale::Locale;

/// The part of the lines that may be changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// All of them.
    Whole,
    /// This text in them.
    Text(String),
    /// Nothing; text may be added after this one.
    After(String),
}

impl Part {
    /// Returns the sentence that says what may be changed.
    pub fn in_words(&self, (first, last): (usize, usize), locale: Locale) -> String {
        let lines = match first == last {
            true => messages::LineNamed { first: &first }.text(locale),
            false => messages::LinesNamed { first: &first, last: &last }.text(locale),
        };
        match self {
            Part::Whole => messages::OnlyLines { lines: &lines }.text(locale),
            Part::Text(text) => messages::OnlyText { lines: &lines, text: &text }.text(locale),
            Part::After(text) if text.is_empty() => messages::OnlyAtBeginning { lines: &lines }.text(locale),
            Part::After(text) => messages::OnlyAfter { lines: &lines, text: &text }.text(locale),
        }
    }
}
