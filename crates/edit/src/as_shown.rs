//! Content in the notation in which a document was shown: a model that read numbered lines with their signs, fences
//! around code and long lines cut short may write them back like this. None of it is content.
//!
//! [`notation`](copydesk_document::notation) defines what is written and how it is read.

use copydesk_base::locale::Locale;
use copydesk_document::notation::{Headline, LineNumber, Prefix};
use copydesk_document::{Document, Line, MARK_START, OBJECT, cut_line};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Returns the lines of a content. A newline at its end ends the last line and begins none.
pub fn lines(content: &str) -> Vec<String> {
    let content = content.strip_suffix('\n').unwrap_or(content);
    content.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()).collect()
}

/// The ends of the lines that a document shows truncated, by the marks that stand in their place.
#[derive(Default)]
pub struct LineEnds(FxHashMap<String, String>);

impl LineEnds {
    /// Returns the ends of the document's long lines; none where no content has the beginning of a mark.
    pub fn of<'c>(document: &Document, mut contents: impl Iterator<Item = &'c str>) -> LineEnds {
        let mut ends = LineEnds::default();
        if contents.any(|content| content.contains(MARK_START)) {
            document.each_line(0..document.blocks().len(), &mut |line| {
                if let Some(cut) = cut_line(line.line, line.text) {
                    let marks = [Locale::En, Locale::ZhCn].map(|locale| cut.mark_in(locale));
                    ends.0.extend(marks.map(|mark| (mark, cut.rest.to_owned())));
                }
            });
        }
        ends
    }

    /// Restores the ends of the lines of a content that were shown truncated.
    pub fn restored<'c>(&self, content: &'c str) -> Cow<'c, str> {
        let whole = |line: &str| -> Option<String> {
            let start = line.rfind(MARK_START).filter(|_| !self.0.is_empty())?;
            let rest = self.0.get(line[start..].trim_end())?;
            Some(line[..start].to_owned() + rest)
        };
        if !content.split('\n').any(|line| whole(line).is_some()) {
            return Cow::Borrowed(content);
        }
        let lines = content.split('\n').map(|line| whole(line).map_or(Cow::Borrowed(line), Cow::Owned));
        Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
    }
}

/// Removes numbers that count the lines from the first of the old ones on, and the headline above them. The content is
/// left as it is if one of its lines is not numbered so, or if an old line itself begins with its number and the new
/// line would lose it.
pub fn without_numbers(mut lines: Vec<String>, old: &[Line]) -> Vec<String> {
    let first = old.first().map_or(1, |line| line.line);
    if lines.len() > 1 && Headline::read(&lines[0]).is_some() {
        lines.remove(0);
    }
    let bare = unnumbered(&lines, first);
    let begins = |text: &str, number: usize| LineNumber(number).read(text).is_some();
    let loses = |bare: &Vec<&str>| {
        let numbered = bare.iter().filter(|line| !is_fence(line));
        old.iter().zip(numbered).any(|(old, new)| begins(&old.text, old.line) && !begins(new, old.line))
    };
    let bare = bare.filter(|bare| !loses(bare)).map(|bare| bare.into_iter().map(str::to_owned).collect());
    bare.unwrap_or(lines)
}

/// Returns lines without their numbers, which count from `first` on. Fences are shown without one. None where another
/// line has none, or no line has one.
pub(super) fn unnumbered(lines: &[String], first: usize) -> Option<Vec<&str>> {
    let mut number = first;
    let mut bare = Vec::with_capacity(lines.len());
    for line in lines {
        match LineNumber(number).read(line) {
            Some(text) => {
                bare.push(text);
                number += 1;
            }
            None if is_fence(line) => bare.push(line),
            None => return None,
        }
    }
    (number > first).then_some(bare)
}

fn is_fence(line: &str) -> bool {
    line.trim_start_matches(['>', ' ', '|']).starts_with("```")
}

/// The prefixes of the lines of a document. A block is looked at once if its lines are asked for in sequence.
pub struct Prefixes<'d> {
    document: &'d Document,
    /// The block visited last, and the prefixes of its lines.
    open: (Option<usize>, Vec<Prefix>),
}

impl<'d> Prefixes<'d> {
    /// Prepares for the lines of a document.
    pub fn new(document: &'d Document) -> Prefixes<'d> {
        Prefixes { document, open: (None, Vec::new()) }
    }

    /// Returns the prefix of a line.
    pub fn of(&mut self, line: &Line) -> Prefix {
        if self.open.0 != Some(line.block) {
            self.open = (Some(line.block), self.document.prefixes(line.block));
        }
        let first = self.document.line_numbers_of(line.block).start;
        let prefix = line.line.checked_sub(first).and_then(|at| self.open.1.get(at));
        prefix.cloned().unwrap_or_default()
    }
}

/// Returns a line's text as it is compared with what a model writes: without the characters that stand for objects.
pub fn comparable(text: &str) -> String {
    text.replace(OBJECT, "").trim_end().to_owned()
}
