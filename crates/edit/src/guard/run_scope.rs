//! The scope of a run: a range of positions that its edits cannot leave.
//!
//! An edit is in the scope if all that is outside of it is the same afterwards, node by node and character by
//! character. So it does not matter into which changes an edit was planned, and a sentence can be the scope as well
//! as a list item or several blocks.
//!
//! The range follows the document: an edit in it makes it larger or smaller; what the user writes moves it. Text that
//! the user writes at its borders does not belong to it.

use super::bind::Bound;
pub use super::part::Part;
use crate::Error;
use crate::change::{self, Change, content_between};
use crate::tokens;
use copydesk_base::locale::Locale;
use copydesk_document::align::{Chunk, Relation, align_documents};
use copydesk_document::{Document, Node, text_of, words};
use serde::Deserialize;
use std::cell::RefCell;
use std::ops::Range;

/// Number of characters of a text's beginning and end in messages.
const MOST_CHARACTERS: usize = 60;

/// A range of positions in the document that an editor holds, which a run may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "GivenRange")]
pub struct ScopeRange {
    /// The beginning of the range.
    pub from: usize,
    /// The end of the range; the same for a cursor.
    pub to: usize,
}

/// A range as an app gives it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenRange {
    from: usize,
    to: usize,
}

impl TryFrom<GivenRange> for ScopeRange {
    type Error = &'static str;

    fn try_from(given: GivenRange) -> Result<ScopeRange, &'static str> {
        let GivenRange { from, to } = given;
        (from <= to).then_some(ScopeRange { from, to }).ok_or("{from, to}, where from is not above to")
    }
}

/// The scope of a run.
#[derive(Debug)]
pub struct RunScope(RefCell<TrackedRange>);

/// A range and the document that its positions are in.
#[derive(Clone, Debug)]
pub struct TrackedRange {
    document: Document,
    from: usize,
    to: usize,
}

impl RunScope {
    /// Binds a range to the current document. A range that has all of a node's content includes the node, and an empty
    /// one at the end of a node extends behind it, so that blocks can follow.
    ///
    /// # Errors
    /// [`Error::Locked`] if all of it is locked; [`Error::OutOfScope`] if all of it is outside the app's scope.
    pub fn bind(guards: &Bound, document: &Document, range: Range<usize>) -> Result<RunScope, Error> {
        let end = range.end.min(document.size());
        let Range { start: from, end: to } = widened(document, range.start.min(end)..end);
        let last = document.blocks().len().saturating_sub(1);
        let first = document.block_at(from).min(last);
        let end = document.block_at(to.saturating_sub(1).max(from)).min(last) + 1;
        guards.check_blocks(document, first..end)?;
        Ok(RunScope(RefCell::new(TrackedRange { document: document.clone(), from, to })))
    }

    /// Returns the range in a later state of the document.
    pub fn range(&self, now: &Document) -> Range<usize> {
        self.0.borrow_mut().range(now)
    }

    /// Returns one sentence for the model that describes the part that may be changed.
    pub fn describe(&self, now: &Document, locale: Locale) -> String {
        let (lines, part) = self.part(now);
        part.in_words(lines, locale)
    }

    /// Fails with [`Error::OutOfScope`] if the two states of the document differ outside of the range.
    pub(super) fn check(&self, before: &Document, after: &Document) -> Result<(), Error> {
        let Range { start, end } = self.range(before);
        let (old, new) = (before.blocks(), after.blocks());
        let Some(first) = first_difference(old, new, 0) else { return Ok(()) };
        let last = last_difference(old, new, before.size());
        // The text before the range and the text after it must not be the same one.
        let has_both = start + (before.size() - end) <= after.size();
        if start <= first && last <= end && has_both {
            return Ok(());
        }
        let (lines, part) = self.part(before);
        Err(Error::OutOfScope { sections: Vec::new(), lines: Some(lines), part })
    }

    /// Takes over an edit that was checked; `after` is the document that it led to.
    pub(crate) fn edited(&self, before: &Document, changes: &[Change], after: &Document) {
        let mut tracked = self.0.borrow_mut();
        tracked.follow(before);
        let growth: isize =
            changes.iter().map(|change| change.new_size() as isize - (change.to - change.from) as isize).sum();
        if let Ok(document) = change::replace(before, changes) {
            tracked.to = tracked.to.saturating_add_signed(growth).max(tracked.from);
            tracked.document = document;
        }
        // A plugin of the editor may have changed more.
        tracked.follow(after);
    }

    /// Returns the first and the last line that may be changed, and the part of them.
    fn part(&self, now: &Document) -> ((usize, usize), Part) {
        let Range { start, end } = self.range(now);
        let (first, last) = (now.block_at(start), now.block_at(end.saturating_sub(1).max(start)));
        let count = now.blocks().len();
        let blocks = first.min(count.saturating_sub(1))..(last + 1).min(count);
        let before = now.line_numbers_of(blocks.start).start;
        let all = now.lines_of_blocks(blocks);
        let touched: Vec<_> = all.iter().enumerate().filter(|(_, line)| line.from <= end && start <= line.to).collect();
        // A line that only ends where the range begins is not in it, unless the range is a cursor there.
        let inside = touched.iter().filter(|(_, line)| line.from < end && start < line.to || line.from == line.to);
        let inside: Vec<_> = inside.copied().collect();
        let lines = if inside.is_empty() || start == end { &touched } else { &inside };
        let (Some((first, one)), Some((last, other))) = (lines.first(), lines.last()) else {
            return ((before, before), Part::Whole);
        };
        let numbers = (before + first, before + last);
        let text = |from: usize, to: usize| text_of(now.schema(), &content_between(now, from, to));
        let part = if start <= one.from && other.to <= end {
            Part::Whole
        } else if lines.len() == 1 && start >= one.to.min(end) {
            Part::After(tail(&text(one.from, start)))
        } else if lines.len() == 1 {
            Part::Text(shortened(&text(start.max(one.from), end.min(one.to))))
        } else {
            let (from, to) = (text(start.max(one.from), one.to), text(other.from, end.min(other.to)));
            Part::Text(format!("{} … {}", head(&from), tail(&to)))
        };
        (numbers, part)
    }
}

impl TrackedRange {
    /// Binds a range to a document.
    pub fn new(document: &Document, range: Range<usize>) -> TrackedRange {
        TrackedRange { document: document.clone(), from: range.start, to: range.end }
    }

    /// Returns the range in a later state of the document.
    pub fn range(&mut self, now: &Document) -> Range<usize> {
        self.follow(now);
        self.from..self.to
    }

    /// Finds the range in a later state of the document.
    fn follow(&mut self, now: &Document) {
        let is_empty = self.from == self.to;
        let from = self.found(now, self.from, false);
        let to = if is_empty { from } else { self.found(now, self.to, true) };
        // If the whole range was overwritten, the new text is the user's and the range is empty.
        *self = TrackedRange { document: now.clone(), from: from.min(to), to };
    }

    /// Returns a position of the range in a later state. Text around it that was replaced is outside.
    fn found(&self, now: &Document, position: usize, is_end: bool) -> usize {
        let old = &self.document;
        // The end of the range is in the block before it.
        let block = old.block_at(if is_end { position.saturating_sub(1) } else { position });
        if block >= old.blocks().len() {
            return now.size();
        }
        let (in_old, in_new) = counterpart(old, now, block);
        let (start, new_start) = (old.block_start(in_old.start), now.block_start(in_new.start));
        let splices = tokens::diff(now.schema(), &old.blocks()[in_old], &now.blocks()[in_new], start);
        let mut grown = new_start as isize - start as isize;
        for splice in splices {
            if is_end && splice.from >= position || !is_end && splice.from > position {
                break;
            }
            if position < splice.to {
                let new = if is_end { 0 } else { splice.new_size() };
                return splice.from.saturating_add_signed(grown) + new;
            }
            grown += splice.growth();
        }
        position.saturating_add_signed(grown)
    }
}

/// Returns the blocks around a block that were changed together, and the blocks that replaced them. A block that was
/// moved is a group of its own.
fn counterpart(old: &Document, now: &Document, block: usize) -> (Range<usize>, Range<usize>) {
    let chunks = align_documents(old, now);
    let Some(at) = chunks.iter().position(|chunk| chunk.old.contains(&block)) else {
        return (0..old.blocks().len(), 0..now.blocks().len());
    };
    let chunk = &chunks[at];
    if chunk.relation == Relation::Equal {
        let new = chunk.new.start + (block - chunk.old.start);
        return (block..block + 1, new..new + 1);
    }
    if chunk.relation == Relation::Replaced
        && let Some(new) = now.block_with_id(old.block_ids()[block])
    {
        return (block..block + 1, new..new + 1);
    }
    let differs = |chunk: &&Chunk| chunk.relation != Relation::Equal;
    let before = chunks[..at].iter().rev().take_while(differs).count();
    let after = chunks[at..].iter().take_while(differs).count();
    let joined = &chunks[at - before..at + after];
    let (first, last) = (&joined[0], &joined[joined.len() - 1]);
    (first.old.start..last.old.end, first.new.start..last.new.end)
}

/// Returns a range without the borders of nodes that it has nothing of, and with those that it has all of.
fn widened(document: &Document, Range { start: mut from, end: mut to }: Range<usize>) -> Range<usize> {
    let is_cursor = from == to;
    while from < to && content_around(document, from).is_some_and(|content| content.end == from) {
        from += 1;
    }
    while from < to && content_around(document, to).is_some_and(|content| content.start == to) {
        to -= 1;
    }
    loop {
        let (outer, inner) = (content_around(document, from), content_around(document, to));
        let opens = outer.filter(|content| content.start == from && content.end <= to);
        let closes = inner.filter(|content| content.end == to && (from <= content.start || is_cursor));
        if opens.is_none() && closes.is_none() {
            return from..to;
        }
        from -= usize::from(opens.is_some());
        to += usize::from(closes.is_some());
    }
}

/// Returns the content of the innermost node around a position; `None` at the top level.
fn content_around(document: &Document, position: usize) -> Option<Range<usize>> {
    let first = document.block_at(position);
    let mut start = document.block_start(first);
    let mut next = document.blocks().get(first);
    let mut found = None;
    while let Some(node) = next.filter(|node| !node.is_leaf() && start < position && position < start + node.size()) {
        found = Some(start + 1..start + node.size() - 1);
        start += 1;
        next = node.children().iter().find(|child| {
            let is_around = start + child.size() > position;
            start += if is_around { 0 } else { child.size() };
            is_around
        });
    }
    found
}

/// Returns the first position, in both, at which two lists of nodes differ.
fn first_difference(old: &[Node], new: &[Node], mut at: usize) -> Option<usize> {
    let mut pairs = old.iter().zip(new);
    for (a, b) in &mut pairs {
        if a != b {
            return Some(match (a.text(), b.text()) {
                _ if !same_but_content(a, b) => at,
                (Some(a), Some(b)) => at + common(a.chars().zip(b.chars())),
                _ => first_difference(a.children(), b.children(), at + 1).unwrap_or(at),
            });
        }
        at += a.size();
    }
    (old.len() != new.len()).then_some(at)
}

/// Returns the position behind the last difference in `old`, which ends at `end`.
fn last_difference(old: &[Node], new: &[Node], mut end: usize) -> usize {
    for (a, b) in old.iter().rev().zip(new.iter().rev()) {
        if a != b {
            return match (a.text(), b.text()) {
                _ if !same_but_content(a, b) => end,
                (Some(a), Some(b)) => end - common(a.chars().rev().zip(b.chars().rev())),
                _ => last_difference(a.children(), b.children(), end - 1),
            };
        }
        end -= a.size();
    }
    end
}

fn same_but_content(a: &Node, b: &Node) -> bool {
    a.is_text() == b.is_text() && a.is_leaf() == b.is_leaf() && a.same_markup(b)
}

fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf16()).sum()
}

fn shortened(text: &str) -> String {
    words::shorten(&text.replace('\n', " "), 2 * MOST_CHARACTERS).trim().to_owned()
}

fn head(text: &str) -> String {
    text.chars().take(MOST_CHARACTERS).collect::<String>().replace('\n', " ").trim().to_owned()
}

fn tail(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(MOST_CHARACTERS);
    text.chars().skip(skipped).collect::<String>().replace('\n', " ").trim().to_owned()
}
