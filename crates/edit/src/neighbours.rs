//! Content that repeats the lines beside those that are named, or is one of these.

use super::content::{self, Format};
use super::operation::LineEdit;
use super::{as_shown, fit, rows};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_document::align::matches;
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, Node, Schema};
use std::ops::RangeInclusive;

/// The most lines on each side that content may repeat.
const MOST_REPEATED: usize = 20;
/// The longest line that is compared with its neighbours, in characters.
const LONGEST: usize = 1_000;
/// The shortest, in bytes: of less, likeness says nothing.
const SHORTEST: usize = 15;
/// From this likeness on content is nearly a line.
const NEARLY: f32 = 0.75;
/// Up to this likeness content is another text than a line.
const ANOTHER: f32 = 0.5;

/// Returns an edit without the unchanged lines around its range that its plain text repeats.
pub fn trimmed(document: &Document, range: &RangeInclusive<usize>, edit: &LineEdit) -> LineEdit {
    let text = &edit.content;
    if edit.format == Some(Format::Text) || !content::is_inline(text) || !text.contains('\n') {
        return edit.clone();
    }
    let lines = as_shown::lines(text);
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (head, tail) = repeated(document, range, &texts);
    match head + tail {
        0 => edit.clone(),
        _ => LineEdit { content: lines[head..lines.len() - tail].join("\n"), ..edit.clone() },
    }
}

/// Returns blocks without the unchanged lines around a range that they repeat. Rows of a table are not looked at.
pub fn trimmed_blocks(document: &Document, range: &RangeInclusive<usize>, blocks: Vec<Node>) -> Vec<Node> {
    let schema = document.schema();
    if blocks.iter().any(|block| holds_table(schema, block)) {
        return blocks;
    }
    let whole = Document::from_blocks(schema.clone(), blocks.clone());
    let lines = whole.lines();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let (head, tail) = repeated(document, range, &texts);
    if head + tail == 0 {
        return blocks;
    }
    let stays = |line: usize| line > head && line <= lines.len() - tail;
    let part = |(at, block): (usize, &Node)| fit::part(schema, block, whole.line_numbers_of(at).start, &stays);
    blocks.iter().enumerate().filter_map(part).collect()
}

fn holds_table(schema: &Schema, node: &Node) -> bool {
    fit::is_table(schema, node) || node.children().iter().any(|child| holds_table(schema, child))
}

/// Returns how many lines at the beginning and at the end of content repeat those before and behind a range. As many
/// lines as the range has are left, or one of the range itself.
fn repeated(document: &Document, range: &RangeInclusive<usize>, lines: &[&str]) -> (usize, usize) {
    let (start, end) = (*range.start(), *range.end());
    let count = end + 1 - start;
    let around = |first: usize, last: usize| document.lines_between(first, last);
    let is_same = |(new, (raw, old)): (&&str, &(String, Line))| {
        let (new, old) = (new.trim(), old.text.trim());
        new == raw.trim() && !new.is_empty()
            || !old.is_empty() && (new == old || new.ends_with(old) && without_signs(new) == old)
    };
    let shown = |lines: Vec<Line>| rows::shown_as(document, &lines).into_iter().zip(lines).collect::<Vec<_>>();
    let before = shown(around(start.saturating_sub(MOST_REPEATED).max(1), start - 1));
    let after = shown(around(end + 1, end.saturating_add(MOST_REPEATED).min(document.line_count())));
    let own = shown(around(start, end));
    let is_own = |line: &&str| own.iter().any(|own| is_same((line, own)));
    // A line that is one of the range and one beside it is that of the range.
    let is_content = |rest: &[&str], repeated: &[&str]| {
        let has_own = rest.iter().any(is_own);
        repeated.iter().filter(|line| is_own(line)).all(|line| rest.contains(line)) && (has_own || rest.len() >= count)
    };
    // As many lines before the range as the content begins with.
    let repeats = |many: &usize| lines.iter().zip(&before[before.len() - many..]).take(*many).all(is_same);
    let head = most_repeated(before.len().min(lines.len()), repeats, |many| {
        let (repeated, rest) = lines.split_at(many);
        is_content(rest, repeated)
    });
    let lines = &lines[head..];
    let repeats = |many: &usize| lines[lines.len() - many..].iter().zip(&after).all(is_same);
    let tail = most_repeated(after.len().min(lines.len()), repeats, |many| {
        let (rest, repeated) = lines.split_at(lines.len() - many);
        is_content(rest, repeated)
    });
    (head, tail)
}

/// Returns the greatest number of lines, up to `most`, that repeat others and of which the rest is content.
fn most_repeated(most: usize, repeats: impl Fn(&usize) -> bool, leaves_content: impl Fn(usize) -> bool) -> usize {
    (1..=most).rev().find(|many| leaves_content(*many) && repeats(many)).unwrap_or(0)
}

/// Returns a line without the signs of quotations, items and headings before it.
pub(super) fn without_signs(line: &str) -> &str {
    let mut text = line.trim_start();
    let signs = [Sign::Quote, Sign::Task { checked: false }, Sign::Bullet, Sign::Number(1)];
    while let Some((_, rest)) = signs.iter().find_map(|sign| sign.read(text)) {
        text = rest.trim_start();
    }
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    text[level..].strip_prefix(' ').filter(|_| (1..=6).contains(&level)).unwrap_or(text)
}

/// Fails with [`Error::WrongLine`] where the content is nearly the line before or behind the named ones, and not at all
/// these. `lines` are the named lines.
pub fn check_line(document: &Document, lines: &[Line], edit: &LineEdit) -> Result<(), Error> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(()) };
    if edit.format == Some(Format::Text) {
        return Ok(());
    }
    let text = content::lines_without_tags(&edit.content);
    let new = content::written_lines(&text);
    if new.len() != lines.len() {
        return Ok(());
    }
    let named: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let shifted = |number: usize| {
        let there = document.lines_between(number, number + lines.len() - 1);
        (there.len() == lines.len()).then_some(there)
    };
    let neighbours = [first.line.checked_sub(1).filter(|line| *line > 0), Some(first.line + 1)];
    for there in neighbours.into_iter().flatten().filter_map(shifted) {
        let texts: Vec<&str> = there.iter().map(|line| line.text.as_str()).collect();
        // A short line, such as a heading, is like nothing.
        let is_short = |line: &&str| line.len() < SHORTEST;
        if is_nearly(&new, &texts) && (is_another(&new, &named) || named.iter().all(is_short)) {
            return Err(Error::WrongLine {
                given: (first.line, last.line),
                text: excerpt(named[0]),
                line: there[0].line,
                like: excerpt(texts[0]),
            });
        }
    }
    Ok(())
}

/// Returns whether each of some lines is nearly the one in the same place.
pub fn is_nearly<T: AsRef<str>>(new: &[&str], old: &[T]) -> bool {
    all_alike(new, old, &|likeness| likeness >= NEARLY)
}

/// Returns whether each of some lines is another text than the one in the same place.
pub fn is_another<T: AsRef<str>>(new: &[&str], old: &[T]) -> bool {
    all_alike(new, old, &|likeness| likeness <= ANOTHER)
}

fn all_alike<T: AsRef<str>>(new: &[&str], old: &[T], holds: &dyn Fn(f32) -> bool) -> bool {
    let alike = |(new, old): (&&str, &T)| likeness(new, old.as_ref()).is_some_and(holds);
    !new.is_empty() && new.len() == old.len() && new.iter().zip(old).all(alike)
}

/// Returns how like two lines are, from 0 to 1; none where that says nothing.
pub fn likeness(a: &str, b: &str) -> Option<f32> {
    let fits = |text: &str| text.len() >= SHORTEST && text.chars().nth(LONGEST).is_none();
    (fits(a) && fits(b)).then(|| {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let common: usize = matches(&a, &b).iter().map(|run| run.len).sum();
        2.0 * common as f32 / (a.len() + b.len()) as f32
    })
}
