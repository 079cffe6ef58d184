//! Old lines and new lines held against each other: what became of each line.

use crate::fit;
use crate::rows::pair_texts;
use copydesk_document::{Document, Line};
use std::ops::Range;

/// The new lines that an old line became, by their indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// New lines before it.
    pub before: Vec<usize>,
    /// The line itself; none where it went.
    pub own: Option<usize>,
    /// New lines behind it.
    pub after: Vec<usize>,
}

impl Fate {
    /// All new lines that came of it, in order.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.before.iter().chain(&self.own).chain(&self.after).copied()
    }

    /// The texts of those, as one.
    pub fn text(&self, new: &[String]) -> String {
        self.lines().map(|index| new[index].as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// Gives new lines that stand before the old line `before` to one of its neighbours.
fn add_lines(new: Range<usize>, before: usize, preferred: &Range<usize>, fates: &mut [Fate]) {
    if new.is_empty() {
        return;
    }
    // A line that went has no place to stand beside; the one before it that stayed has.
    let left = (0..before).rev().find(|index| fates[*index].own.is_some());
    let right = (before < fates.len()).then_some(before);
    let is_preferred = |index: &Option<usize>| index.is_some_and(|index| preferred.contains(&index));
    match (left, right) {
        (Some(left), Some(right)) if is_preferred(&Some(left)) || !is_preferred(&Some(right)) => {
            fates[left].after.extend(new)
        }
        (_, Some(right)) => fates[right].before.extend(new),
        (Some(left), None) => fates[left].after.extend(new),
        (None, None) => {}
    }
}

/// Pairs the lines of a document with new lines. A new line between two old ones goes to one of those in `preferred`, if it
/// can.
pub fn fates(document: &Document, lines: &[Line], new: &[String], preferred: Range<usize>) -> Vec<Fate> {
    let old: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    // A line for each of several cells is the text of that cell, even where it was the text of another one.
    let are_cells = old.len() == new.len()
        && matches!(lines, [first, .., last] if fit::are_cells_apart(document, first, last));
    let pairs = if are_cells { (0..old.len()).map(Some).collect() } else { pair_texts(&old, &new) };
    let mut fates = vec![Fate::default(); old.len()];
    let mut next = 0;
    let paired = pairs.iter().enumerate().filter_map(|(at, own)| Some((at, (*own)?)));
    for (at, own) in paired.chain([(new.len(), old.len())]) {
        add_lines(next..at, own, &preferred, &mut fates);
        if let Some(fate) = fates.get_mut(own) {
            fate.own = Some(at);
        }
        next = at + 1;
    }
    fates
}
