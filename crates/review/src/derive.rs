//! Makes hunks of the agent's edits.
//!
//! An edit outside of all hunks is a hunk of its own. If it changes the proposals of others, those hunks are found
//! again: base and the proposal are compared in their ranges, and each difference belongs to the edits that made it.
//! Adjacent texts of several edits stay one hunk for each edit, so that they are decided call by call.

use super::merge::{growth, map_range};
use super::pending::{Maker, Numbers, Pending, PendingHunk, UNNAMED, add_makers, overlap, parent, shifted};
use copydesk_document::{Document, Node};
use copydesk_edit::change::{self, Change};
use copydesk_edit::plan;
use std::ops::Range;

/// A range that edits have made, and the hunk that it was.
struct EditedRange {
    id: u64,
    base: Range<usize>,
    proposed: Range<usize>,
    makers: Vec<Maker>,
    links: Vec<u64>,
}

impl Pending {
    /// Makes changes that an edit has made to the proposal, which is `proposed` by them, a part of the hunks.
    pub fn propose(
        &mut self,
        base: &Document,
        changes: &[Change],
        proposed: Document,
        maker: &Maker,
        numbers: &mut Numbers,
    ) {
        let growths = self.growths();
        let first_new = self.proposed.next_id().0;
        let makers = self.makers_of(changes, &proposed, maker);
        let parts = self.parts(changes, &makers, &growths);
        let touched = self.touched(changes);
        self.proposed = proposed;
        let hunks = self.merged(changes, &growths, &makers, &touched);
        self.hunks = hunks.iter().map(|(hunk, _)| hunk.clone()).collect();
        let found: Vec<usize> = (0..hunks.len()).filter(|at| hunks[*at].1).collect();
        let mut done = usize::MAX;
        for at in found.into_iter().rev() {
            // One that is behind the last may have been taken in by it.
            if at >= done {
                continue;
            }
            done = self.close(base, at);
            if !self.hunks[done].conflict {
                let pieces = self.pieces(base, &self.hunks[done], &parts);
                self.hunks.splice(done..done + 1, pieces);
            }
        }
        self.join_dependent(base, 0..0, true);
        self.link(base, maker, numbers);
        self.name(numbers);
        self.adopt_names(base, first_new);
    }

    /// Runs of hunks and changes that are about the same range: indexes of both.
    fn touched(&self, changes: &[Change]) -> Vec<(Range<usize>, Range<usize>)> {
        let mut runs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        for (at, change) in changes.iter().enumerate() {
            let first = self.hunks.partition_point(|hunk| hunk.proposed.end < change.from);
            let near = self.hunks[first..].iter().take_while(|hunk| hunk.proposed.start <= change.to);
            for hunk in near.enumerate().filter(|(_, hunk)| meets(change, hunk)).map(|(by, _)| first + by) {
                match runs.last_mut() {
                    Some((hunks, changes)) if changes.end > at || hunks.end > hunk => {
                        hunks.end = hunks.end.max(hunk + 1);
                        changes.end = at + 1;
                    }
                    _ => runs.push((hunk..hunk + 1, at..at + 1)),
                }
            }
        }
        runs
    }

    /// Returns the hunks after the changes, in the order of the document. The hunks that a run of changes touches
    /// become one, which is marked.
    fn merged(
        &self,
        changes: &[Change],
        growths: &[isize],
        makers: &[Vec<Maker>],
        touched: &[(Range<usize>, Range<usize>)],
    ) -> Vec<(PendingHunk, bool)> {
        let (mut hunks, mut grown) = (Vec::new(), 0);
        let (mut at, mut next) = (0, 0);
        let mut touched = touched.iter().peekable();
        loop {
            if let Some((run, own)) = touched.next_if(|(hunks, changes)| hunks.start == at && changes.start == next) {
                let all = &self.hunks[run.clone()];
                let edits = &changes[own.clone()];
                let starts = all.iter().map(|hunk| hunk.proposed.start).chain(edits.iter().map(|edit| edit.from));
                let ends = all.iter().map(|hunk| hunk.proposed.end).chain(edits.iter().map(|edit| edit.to));
                let (start, end) = (starts.min().unwrap_or(0), ends.max().unwrap_or(0));
                let mut whole = all[0].clone();
                all.iter().for_each(|hunk| whole.join(hunk));
                makers[own.clone()].iter().for_each(|own| add_makers(&mut whole.makers, own));
                whole.id = if all.len() == 1 { whole.id } else { UNNAMED };
                whole.base = shifted(start, -growths[run.start])..shifted(end, -growths[run.end]);
                let from = shifted(start, grown);
                grown += edits.iter().map(growth).sum::<isize>();
                whole.proposed = from..shifted(end, grown);
                hunks.push((whole, true));
                (at, next) = (run.end, own.end);
                continue;
            }
            let is_before = |change: &Change, hunk: &PendingHunk| change.to <= hunk.proposed.start;
            match (changes.get(next), self.hunks.get(at)) {
                (Some(change), hunk) if hunk.is_none_or(|hunk| is_before(change, hunk)) => {
                    let from = shifted(change.from, grown);
                    let hunk = PendingHunk {
                        id: UNNAMED,
                        base: shifted(change.from, -growths[at])..shifted(change.to, -growths[at]),
                        proposed: from..from + change.new_size(),
                        makers: makers[next].clone(),
                        links: Vec::new(),
                        conflict: false,
                    };
                    hunks.push((hunk, false));
                    grown += growth(change);
                    next += 1;
                }
                (_, Some(hunk)) => {
                    let proposed = shifted(hunk.proposed.start, grown)..shifted(hunk.proposed.end, grown);
                    hunks.push((PendingHunk { proposed, ..hunk.clone() }, false));
                    at += 1;
                }
                (_, None) => return hunks,
            }
        }
    }

    /// Returns the parts that the hunks and the changes have made, at their positions after the changes.
    fn parts(&self, changes: &[Change], makers: &[Vec<Maker>], growths: &[isize]) -> Vec<EditedRange> {
        let hunks = self.hunks.iter().map(|hunk| EditedRange {
            id: hunk.id,
            base: hunk.base.clone(),
            proposed: map_range(&hunk.proposed, changes),
            makers: hunk.makers.clone(),
            links: hunk.links.clone(),
        });
        let in_base = |position: usize, at_end: bool| {
            let at = self.hunks.partition_point(|hunk| hunk.proposed.end <= position);
            match self.hunks.get(at).filter(|hunk| hunk.proposed.start < position) {
                Some(hunk) if at_end => hunk.base.end,
                Some(hunk) => hunk.base.start,
                None => shifted(position, -growths[at]),
            }
        };
        let own = changes.iter().zip(makers).scan(0, |grown, (change, makers)| {
            let from = shifted(change.from, *grown);
            *grown += growth(change);
            let base = in_base(change.from, false)..in_base(change.to, true).max(in_base(change.from, false));
            let proposed = from..from + change.new_size();
            Some(EditedRange { id: UNNAMED, base, proposed, makers: makers.clone(), links: Vec::new() })
        });
        hunks.chain(own).collect()
    }

    /// The differences in the range of a hunk.
    fn pieces(&self, base: &Document, hunk: &PendingHunk, parts: &[EditedRange]) -> Vec<PendingHunk> {
        let inside = |part: &&EditedRange| meet(&part.base, &hunk.base) && meet(&part.proposed, &hunk.proposed);
        let parts: Vec<&EditedRange> = parts.iter().filter(inside).collect();
        let content = |document, range: &Range<usize>| change::content_between(document, range.start, range.end);
        let (old, new) = (content(base, &hunk.base), content(&self.proposed, &hunk.proposed));
        let (_, around) = parent(base, &hunk.base);
        let changes = plan::between(base.schema(), around, &old, &new, hunk.base.start);
        let is_block = around.is_none_or(|node| !base.schema().is_textblock(node.kind()));
        let mut grown = hunk.proposed.start as isize - hunk.base.start as isize;
        let mut pieces = Vec::new();
        for change in changes {
            let from = shifted(change.from, grown);
            grown += growth(&change);
            let range = change.from..change.to;
            if is_block && change.content.iter().all(|node| !base.schema().is_inline(node.kind())) {
                pieces.extend(apart(&range, from, &change.content, &parts));
            } else {
                pieces.push(piece(range, from..from + change.new_size(), &parts));
            }
        }
        let mut taken: Vec<u64> = vec![UNNAMED];
        for piece in &mut pieces {
            piece.id = match taken.contains(&piece.id) {
                true => UNNAMED,
                false => piece.id,
            };
            taken.push(piece.id);
        }
        pieces
    }
}

/// Returns whether a change touches the proposal of a hunk.
fn meets(change: &Change, hunk: &PendingHunk) -> bool {
    let range = &hunk.proposed;
    // Text inserted where a deletion is proposed may be the deleted text.
    let replaces = range.is_empty() && change.from == change.to && change.from == range.start;
    replaces || change.to > range.start && change.from < range.end
}

/// Returns whether two ranges overlap or touch.
fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Returns a difference with the edits that made it, and with the id of the hunk that it continues, if there is one.
fn piece(base: Range<usize>, proposed: Range<usize>, parts: &[&EditedRange]) -> PendingHunk {
    let made = |part: &&&EditedRange| overlap(&part.base, &base) || overlap(&part.proposed, &proposed);
    let near = |part: &&&EditedRange| meet(&part.base, &base) && meet(&part.proposed, &proposed);
    let mut of: Vec<&&EditedRange> = parts.iter().filter(made).collect();
    // A difference may be found beside where it was made: "a a" from "a" has two explanations.
    if of.is_empty() {
        of = parts.iter().filter(near).collect();
    }
    if of.is_empty() {
        of = parts.iter().collect();
    }
    let mut makers = Vec::new();
    of.iter().for_each(|part| add_makers(&mut makers, &part.makers));
    let mut links: Vec<u64> = of.iter().flat_map(|part| &part.links).copied().collect();
    links.sort_unstable();
    links.dedup();
    let ids = of.iter().map(|part| part.id).filter(|id| *id != UNNAMED);
    let id = ids.fold(None, |known, id| Some(if known.is_none() { id } else { UNNAMED })).unwrap_or(UNNAMED);
    PendingHunk { id, base, proposed, makers, links, conflict: false }
}

/// A change of whole blocks as one hunk for each run of blocks that the same edits made. `at` is where it begins in the
/// proposal.
fn apart(base: &Range<usize>, at: usize, content: &[Node], parts: &[&EditedRange]) -> Vec<PendingHunk> {
    let numbers = |hunk: &PendingHunk| hunk.makers.iter().map(|maker| maker.number).collect::<Vec<_>>();
    let mut runs: Vec<PendingHunk> = Vec::new();
    let mut start = at;
    for block in content {
        let next = piece(base.start..base.start, start..start + block.size(), parts);
        start += block.size();
        match runs.last_mut() {
            Some(last) if numbers(last) == numbers(&next) => last.proposed.end = start,
            _ => runs.push(next),
        }
    }
    if base.is_empty() {
        return runs;
    }
    let gone = piece(base.clone(), at..at, parts);
    // Deleted text stays together with the text that replaced it.
    let with = runs.iter().position(|run| numbers(run) == numbers(&gone));
    match with {
        Some(with) => {
            runs[with].base = base.clone();
            runs[with + 1..].iter_mut().for_each(|run| run.base = base.end..base.end);
            if runs[with].id == UNNAMED {
                runs[with].id = gone.id;
            }
        }
        None => {
            runs.iter_mut().for_each(|run| run.base = base.end..base.end);
            runs.insert(0, gone);
        }
    }
    runs
}
