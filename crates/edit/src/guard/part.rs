//! The part of a document that a run may change, as errors say it.

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
            true => locale.pick(format!("line {first}"), format!("第 {first} 行")),
            false => locale.pick(format!("lines {first}–{last}"), format!("第 {first}–{last} 行")),
        };
        match self {
            Part::Whole => locale.pick(format!("Only {lines} may be changed."), format!("只能修改{lines}。")),
            Part::Text(text) => locale.pick(
                format!("Only this text of {lines} may be changed: \"{text}\"."),
                format!("只能修改{lines}中的这段文字：“{text}”。"),
            ),
            Part::After(text) if text.is_empty() => locale.pick(
                format!("Text may only be added at the beginning of {lines}."),
                format!("只能在{lines}的开头添加文字。"),
            ),
            Part::After(text) => locale.pick(
                format!("Text may only be added in {lines} after \"{text}\"."),
                format!("只能在{lines}的“{text}”之后添加文字。"),
            ),
        }
    }
}
