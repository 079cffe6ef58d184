//! Where lines of a snapshot are now: four ways, in this order.
//!
//! The model means lines of a document that it saw; the person has gone on writing. First the lines as the model counts
//! them, followed by the lasting names of their blocks; then as a diff of the two documents counts them; then by what
//! stands before and behind them; then by their text. Whichever finds them, **they must read as they did**: text that
//! was changed meanwhile is not found, and nothing is guessed between places that are alike.

use super::align;
use crate::document::{BlockId, Document, Line};
use crate::map::HashMap;
use std::ops::RangeInclusive;

/// How a place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundBy {
    /// By the lines that the model gave.
    Lines,
    /// By the lines of a diff between then and now.
    Diff,
    /// By what stands before and behind.
    Context,
    /// By the text alone.
    Text,
}

impl FoundBy {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            FoundBy::Lines => "lines",
            FoundBy::Diff => "diff",
            FoundBy::Context => "context",
            FoundBy::Text => "text",
        }
    }
}

/// The lines of `then` as lines of `now`; none where they are not there as they were.
pub fn locate(
    then: &Document,
    lines: &RangeInclusive<usize>,
    now: &Document,
) -> Option<(RangeInclusive<usize>, FoundBy)> {
    let meant = then.lines_between(*lines.start(), *lines.end());
    let (Some(first), Some(last)) = (meant.first(), meant.last()) else { return None };
    // Almost always the blocks are untouched.
    if let Some(found) = by_blocks(then, &meant, now) {
        return Some((found, FoundBy::Lines));
    }
    // A block that is still there and reads differently was changed: what is like it elsewhere is something else.
    let ids = &then.block_ids()[first.block..=last.block];
    if ids.iter().any(|id| now.block_with_id(*id).is_some()) {
        return None;
    }
    let (then_lines, now_lines) = (then.lines(), now.lines());
    let meant = (lines.start() - 1)..*lines.end();
    let found = |start: usize| start + 1..=start + meant.len();
    if let Some(start) = by_diff(&then_lines, meant.clone(), &now_lines) {
        return Some((found(start), FoundBy::Diff));
    }
    let texts: Vec<&str> = then_lines[meant.clone()].iter().map(|line| line.text.as_str()).collect();
    if texts.iter().all(|text| text.trim().is_empty()) {
        return None;
    }
    let places = |lines: &[Line]| -> Vec<usize> {
        let reads = |start: &usize| texts.iter().zip(&lines[*start..]).all(|(text, line)| *text == line.text);
        (0..(lines.len() + 1).saturating_sub(texts.len())).filter(reads).collect()
    };
    let there = places(&now_lines);
    let around = |lines: &[Line], start: usize| {
        let text = |line: Option<&Line>| line.map(|line| line.text.clone());
        (start.checked_sub(1).map(|at| text(lines.get(at))), text(lines.get(start + texts.len())))
    };
    let context = around(&then_lines, meant.start);
    let alike: Vec<&usize> = there.iter().filter(|start| around(&now_lines, **start) == context).collect();
    if let [only] = alike[..] {
        return Some((found(*only), FoundBy::Context));
    }
    match (&there[..], &places(&then_lines)[..]) {
        ([only], [_]) => Some((found(*only), FoundBy::Text)),
        _ => None,
    }
}

/// By the lasting names of blocks; inside a block that changed, by a diff of its lines.
fn by_blocks(then: &Document, meant: &[Line], now: &Document) -> Option<RangeInclusive<usize>> {
    let mut at: HashMap<usize, Vec<Option<usize>>> = HashMap::default();
    let mut numbers = Vec::with_capacity(meant.len());
    for line in meant {
        let fates = match at.entry(line.block) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => new.insert(carried(then, line.block, now)?),
        };
        numbers.push(fates[line.line - then.line_numbers_of(line.block).start]?);
    }
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    // Something new between them was never meant.
    (last + 1 - first == numbers.len() && numbers.is_sorted()).then_some(first..=last)
}

/// The lines of a block as lines of now.
fn carried(then: &Document, block: usize, now: &Document) -> Option<Vec<Option<usize>>> {
    let id: BlockId = then.block_ids()[block];
    // Blocks mostly stay near where they were.
    let index = (now.block_ids().get(block) == Some(&id)).then_some(block).or_else(|| now.block_with_id(id))?;
    let first = now.line_numbers_of(index).start;
    let count = then.line_numbers_of(block).len();
    if then.blocks()[block] == now.blocks()[index] {
        return Some((0..count).map(|line| Some(first + line)).collect());
    }
    let (old, new) = (then.lines_of_blocks(block..block + 1), now.lines_of_blocks(index..index + 1));
    let mut carried = vec![None; count];
    for (old, new, length) in same_lines(&old, &new) {
        for line in 0..length {
            carried[old + line] = Some(first + new + line);
        }
    }
    Some(carried)
}

fn by_diff(then: &[Line], meant: std::ops::Range<usize>, now: &[Line]) -> Option<usize> {
    let runs = same_lines(then, now);
    let run = runs.iter().find(|(start, _, length)| *start <= meant.start && meant.end <= start + length)?;
    Some(run.1 + meant.start - run.0)
}

fn same_lines(old: &[Line], new: &[Line]) -> Vec<(usize, usize, usize)> {
    let texts = |lines: &[Line]| lines.iter().map(|line| format!("{}\n{}", line.kind, line.text)).collect::<Vec<_>>();
    let (old, new) = (texts(old), texts(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    align::matches(&old, &new)
}
