//! Models give back what they were shown: numbers before the lines, the signs of their kind, fences around code.
//! None of that is content. And what a long line was cut off with is no end of it.

use copydesk_document::{CutLine, Document, Line, MARK_START, OBJECT, cut_line};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The lines of a content. One newline at its end ends the last line and begins none.
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
                if let Some(CutLine { mark, rest, .. }) = cut_line(line.line, line.text) {
                    ends.0.insert(mark, rest.to_owned());
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

/// Takes away numbers that count the lines from the first of the old ones on, and the headline above them. Where one line is
/// not numbered so, all are content, and so they are where an old line begins with its number by itself and no new one does after its.
pub fn without_numbers(mut lines: Vec<String>, old: &[Line]) -> Vec<String> {
    let first = old.first().map_or(1, |line| line.line);
    let is_headline = |line: &String| {
        let (count, rest) = line.split_once(' ').unwrap_or((line, ""));
        count.parse::<usize>().is_ok() && (rest.starts_with("lines, version v") || rest.starts_with("line, version v"))
    };
    if lines.len() > 1 && is_headline(&lines[0]) {
        lines.remove(0);
    }
    let bare: Option<Vec<String>> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let rest = line.strip_prefix(&(first + index).to_string())?.strip_prefix(':')?;
            Some(rest.strip_prefix(' ').unwrap_or(rest).to_owned())
        })
        .collect();
    let begins =
        |text: &str, number: usize| text.strip_prefix(&number.to_string()).is_some_and(|rest| rest.starts_with(':'));
    let loses = |bare: &Vec<String>| {
        old.iter().zip(bare).any(|(old, new)| begins(&old.text, old.line) && !begins(new, old.line))
    };
    bare.filter(|bare| !loses(bare)).unwrap_or(lines)
}

/// Takes away the fence around code, where lines of code are what is replaced.
pub fn without_fence(mut lines: Vec<String>) -> Vec<String> {
    if lines.len() >= 2 && lines[0].starts_with("```") && lines[lines.len() - 1].trim() == "```" {
        lines.pop();
        lines.remove(0);
    }
    lines
}

/// What stands before the text of each line where its kind is shown: `## `, `- `, `| `. A block is looked at once, where
/// its lines are asked for one after the other.
pub struct Prefixes<'d> {
    document: &'d Document,
    /// The block visited last, and the prefixes of its lines.
    open: Option<(usize, Vec<String>)>,
}

impl<'d> Prefixes<'d> {
    /// For the lines of a document.
    pub fn new(document: &'d Document) -> Prefixes<'d> {
        Prefixes { document, open: None }
    }

    /// The signs before a line.
    pub fn of(&mut self, line: &Line) -> &str {
        if self.open.as_ref().is_none_or(|(block, _)| *block != line.block) {
            self.open = Some((line.block, self.document.prefixes(line.block)));
        }
        let first = self.document.line_numbers_of(line.block).start;
        let prefix = self.open.as_ref().and_then(|(_, prefixes)| prefixes.get(line.line.checked_sub(first)?));
        prefix.map_or("", String::as_str)
    }
}

/// A line without the signs of its kind. Any number serves where the line is numbered.
pub fn without_prefix<'t>(text: &'t str, prefix: &str) -> &'t str {
    if prefix.is_empty() {
        return text;
    }
    if let Some(rest) = text.strip_prefix(prefix) {
        return rest;
    }
    // A task is the same task, done or not.
    let other = match prefix.strip_suffix("[ ] ") {
        Some(start) => Some(format!("{start}[x] ")),
        None => prefix.strip_suffix("[x] ").map(|start| format!("{start}[ ] ")),
    };
    if let Some(rest) = other.and_then(|other| text.strip_prefix(&other)) {
        return rest;
    }
    let indent = prefix.len() - prefix.trim_start().len();
    let is_numbered = |sign: &str| sign.trim_start_matches(|c: char| c.is_ascii_digit()) == ". " && sign.len() > 2;
    let rest = text.get(indent..).filter(|_| text.starts_with(&prefix[..indent]));
    match rest.filter(|_| is_numbered(&prefix[indent..])) {
        Some(rest) => {
            let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            after.strip_prefix(". ").filter(|_| after.len() < rest.len()).unwrap_or(text)
        }
        None => text,
    }
}

/// A line's text as it can be compared with what a model writes: without the signs for what is no text.
pub fn comparable(text: &str) -> String {
    text.replace(OBJECT, "").trim_end().to_owned()
}
