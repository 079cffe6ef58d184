//! Old lines and new lines held against each other: what became of each line.

use crate::fit;
use copydesk_document::align::{align, matches};
use copydesk_document::{Document, Line, Marks, Node, Schema};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
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

/// The fate of each old line. Equal lines are the same; of the rest as many old as new ones are the same in their
/// order, otherwise the likest. A new line between two old ones goes to one of those in `preferred`, if it can.
pub fn pair(schema: &Schema, old: &[&str], new: &[&str], preferred: Range<usize>) -> Vec<Fate> {
    let mut fates = vec![Fate::default(); old.len()];
    let (mut old_at, mut new_at) = (0, 0);
    for run in matches(old, new) {
        gap(schema, old, new, old_at..run.old, new_at..run.new, &preferred, &mut fates);
        for index in 0..run.len {
            fates[run.old + index].own = Some(run.new + index);
        }
        (old_at, new_at) = (run.old + run.len, run.new + run.len);
    }
    gap(schema, old, new, old_at..old.len(), new_at..new.len(), &preferred, &mut fates);
    fates
}

fn gap(
    schema: &Schema,
    old: &[&str],
    new: &[&str],
    old_range: Range<usize>,
    new_range: Range<usize>,
    preferred: &Range<usize>,
    fates: &mut [Fate],
) {
    let paired: Vec<(usize, usize)> =
        if old_range.len() == new_range.len() || old_range.is_empty() || new_range.is_empty() {
            old_range.clone().zip(new_range.clone()).collect()
        } else {
            likest(schema, &old[old_range.clone()], &new[new_range.clone()])
                .into_iter()
                .map(|(old, new)| (old_range.start + old, new_range.start + new))
                .collect()
        };
    let mut next = new_range.start;
    for (old, own) in &paired {
        add_lines(next..*own, *old, preferred, fates);
        fates[*old].own = Some(*own);
        next = own + 1;
    }
    add_lines(next..new_range.end, old_range.end, preferred, fates);
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

/// Returns for each new text the old one that it is, wherever that was: the one that it is paired with if that is equal,
/// else an equal one that is no longer at its own place. None where there is no such.
pub fn sources(old: &[&str], new: &[&str], paired: &[Option<usize>]) -> Vec<Option<usize>> {
    let stays = |at: usize| paired[at].filter(|own| old[*own] == new[at]);
    let mut is_used = vec![false; old.len()];
    (0..new.len()).filter_map(stays).for_each(|own| is_used[own] = true);
    let mut left: FxHashMap<&str, VecDeque<usize>> = FxHashMap::default();
    for (at, text) in old.iter().enumerate().filter(|(at, text)| !is_used[*at] && !text.is_empty()) {
        left.entry(text).or_default().push_back(at);
    }
    (0..new.len()).map(|at| stays(at).or_else(|| left.get_mut(new[at])?.pop_front())).collect()
}

fn likest(schema: &Schema, old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let nodes =
        |lines: &[&str]| lines.iter().map(|line| Node::text_node(schema, *line, Marks::NONE)).collect::<Vec<_>>();
    align(&nodes(old), &nodes(new)).into_iter().flat_map(|chunk| chunk.old.zip(chunk.new)).collect()
}

/// Pairs the lines of a document with new lines.
pub fn fates(document: &Document, lines: &[Line], new: &[String], preferred: Range<usize>) -> Vec<Fate> {
    let old: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    // A line for each of several cells is the text of that cell, even where it was the text of another one.
    if old.len() == new.len()
        && let [first, .., last] = lines
        && fit::are_cells_apart(document, first, last)
    {
        return (0..old.len()).map(|at| Fate { own: Some(at), ..Fate::default() }).collect();
    }
    pair(document.schema(), &old, &new, preferred)
}
