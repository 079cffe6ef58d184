//! The parts of the document that the model was shown, so that its edits refer to what it saw and not to later text.
//!
//! **A model changes only what it was shown or wrote itself, and what has not changed since.** A part counts as shown
//! if a result that was really sent contains it ([`evidence`](crate::evidence)), from the answer to that request on; it
//! still counts when its message is removed to make room for others. Sections are named by their index in the outline
//! that was shown, and found again by the stable id of their heading. A section that no longer exists, or that reads
//! differently now, is *stale*; one whose content was not shown is refused as well. Both errors contain the section as
//! it is, so that the model can continue at once.
//!
//! Lines are numbers of a *snapshot*, the document as it was when they were shown, which its version names. Each edit
//! of lines is mapped from there to the current document ([`locate`](super::locate)).
//!
//! All calls of an answer count in the document that was shown before it. A call that plainly counts in the document as
//! its earlier calls have left it is read so ([`counting`](super::counting)).

use super::counting::{self, Counting};
use super::outline::{Outline, headed, section_blocks};
use super::persist::line_hash;
use super::{Snapshots, place, relocate, relocate_update};
use crate::Error;
use crate::apply::{DocumentHost, outline};
use crate::error::Now;
use crate::evidence::{Evidence, Excerpts};
use crate::operation::DocUpdate;
use crate::record::Stated;
use crate::section;
use crate::target::{SectionTarget, SectionUse, Target, line_ranges};
use copydesk_document::{BlockId, Document, Line, Node, Section, is_cut};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::RangeInclusive;

/// Identifies a line in its block: the hash of its kind and text, and its number among those that are equal to it.
type LineKey = (u64, usize);

/// Returns the keys of lines, which are all those of their blocks.
fn keys(lines: &[Line]) -> Vec<LineKey> {
    let mut counts: FxHashMap<(usize, u64), usize> = FxHashMap::default();
    let key = |line: &Line| {
        let hash = line_hash(line);
        let count = counts.entry((line.block, hash)).or_default();
        *count += 1;
        (hash, *count)
    };
    lines.iter().map(key).collect()
}

/// The document as a model was shown it.
#[derive(Clone, Default)]
pub struct Shown {
    /// Number of times that the document was read or written.
    readings: u64,
    /// The newest outline that was sent.
    shown: Outline,
    /// The outline that the present answer of the model was written with, as its calls so far have changed it.
    meant: Outline,
    /// Each block as it was last shown, or as the model itself wrote it, and when.
    blocks: FxHashMap<BlockId, (u64, Node)>,
    /// The last documents that were shown, the newest last.
    snapshots: Snapshots,
    /// When the newest of them was read.
    snapshot_at: u64,
    /// The snapshot with which the current answer was written.
    meant_snapshot: Option<Document>,
    /// The number of readings when the current answer began.
    answer_at: u64,
    /// The document after the newest edit of the current answer; `None` before the first.
    edited: Option<Document>,
    /// The lines of each block that were shown with their numbers.
    lines: FxHashMap<BlockId, FxHashSet<LineKey>>,
}

/// An update that is restated for the current document.
#[derive(Clone, Debug)]
pub struct Relocated {
    /// The update.
    pub update: DocUpdate,
    /// The lines that it names, as the model gave them and as they were found; `None` for an edit of sections.
    pub stated: Option<Vec<Stated>>,
    /// True if its numbers were read as those after the earlier edits of the same answer.
    pub counts_own_edits: bool,
}

impl Shown {
    /// Returns evidence of the document as it is now, for a result that shows nothing of it yet.
    pub fn evidence(&mut self, document: &Document) -> Evidence {
        Evidence::new(document, self.tick())
    }

    fn tick(&mut self) -> u64 {
        self.readings += 1;
        self.readings
    }

    /// Records that the model was sent what was found of this evidence.
    pub fn show(&mut self, evidence: &Evidence) {
        let shown = evidence.shown();
        if shown.is_empty() {
            return;
        }
        let (document, at) = (evidence.document(), evidence.at());
        for block in &shown.blocks {
            self.know(document, *block, at);
        }
        self.show_lines(document, &shown.lines, evidence.is_uncut(), at);
        self.show_outline(evidence, &shown);
        if at >= self.snapshot_at {
            self.snapshot_at = at;
            self.snapshots.remember(document);
        }
    }

    fn show_lines(&mut self, document: &Document, numbers: &[usize], uncut: bool, at: u64) {
        let (Some(first), Some(last)) = (numbers.iter().min(), numbers.iter().max()) else { return };
        let shown: FxHashSet<usize> = numbers.iter().copied().collect();
        let mut blocks = Vec::new();
        let lines = document.lines_at([*first..=*last]).0;
        for (line, key) in lines.iter().zip(keys(&lines)).filter(|(line, _)| shown.contains(&line.line)) {
            let id = document.block_ids()[line.block];
            // Of a cut line the end was not shown, unless the model knows the block already.
            if !uncut && is_cut(&line.text) && !self.knows_block(id, &document.blocks()[line.block]) {
                continue;
            }
            self.lines.entry(id).or_default().insert(key);
            if blocks.last() != Some(&line.block) {
                blocks.push(line.block);
            }
        }
        // A block counts as shown if all of its lines do.
        for block in blocks {
            let id = document.block_ids()[block];
            let lines = document.lines_of_blocks(block..block + 1);
            if self.lines.get(&id).is_some_and(|shown| keys(&lines).iter().all(|key| shown.contains(key))) {
                self.know(document, block, at);
            }
        }
    }

    fn show_outline(&mut self, evidence: &Evidence, shown: &Excerpts) {
        let at = evidence.at();
        if at < self.shown.at || (shown.entries.is_empty() && !shown.blank) {
            return;
        }
        if at > self.shown.at {
            self.shown = Outline { at, ..Outline::default() };
        }
        self.shown.blank |= shown.blank;
        self.shown.total = evidence.section_count();
        shown.entries.iter().for_each(|index| self.shown.put(*index, evidence.section(*index)));
    }

    fn know(&mut self, document: &Document, block: usize, at: u64) {
        let (id, node) = (document.block_ids()[block], &document.blocks()[block]);
        let known = self.blocks.entry(id).or_insert_with(|| (at, node.clone()));
        // A further page of an old result is older than what was shown or written since.
        if known.0 <= at {
            *known = (at, node.clone());
        }
    }

    /// The model was shown these lines, and all of each, before the page was loaded again.
    pub(super) fn showed(&mut self, document: &Document, lines: RangeInclusive<usize>) {
        let at = self.tick();
        self.show_lines(document, &lines.collect::<Vec<_>>(), true, at);
        self.snapshot_at = at;
        self.snapshots.remember(document);
        self.meant_snapshot = Some(document.clone());
    }

    /// Records that an index means this section. All of its content was shown if `whole` is true.
    pub(super) fn showed_section(&mut self, document: &Document, section: &Section, whole: bool) {
        let at = self.tick();
        section.blocks.clone().filter(|_| whole).for_each(|block| self.know(document, block, at));
        self.meant.put(section.index, document.block_ids()[section.blocks.clone()].to_vec());
    }

    /// An answer of the model begins, to a request with all that was shown: from now on indexes are those of the newest
    /// outline. Within one answer they all mean the same one, because the model had not seen the results of its first
    /// calls when it wrote the next.
    pub fn answers(&mut self) {
        self.meant.clone_from(&self.shown);
        self.meant_snapshot = self.snapshots.last().cloned();
        self.answer_at = self.readings;
        self.edited = None;
    }

    /// Restates an update for the current document.
    ///
    /// # Errors
    /// [`Error::Stale`], [`Error::SectionNotShown`], [`Error::StaleLines`], [`Error::LinesNotShown`],
    /// [`Error::UnknownVersion`].
    pub fn relocate(&self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<Relocated, Error> {
        match update.target() {
            Target::Lines(_) | Target::Document => self.relocate_lines(host, update),
            target @ Target::Text(_) => {
                let Some((then, counting)) = self.basis(update)? else {
                    return Ok(Relocated {
                        update: retargeted(update, &target),
                        stated: None,
                        counts_own_edits: false,
                    });
                };
                let (target, stated) = relocate(&then, &host.document()?, target)?;
                let counts_own_edits = counting == Counting::AsEdited;
                Ok(Relocated { update: retargeted(update, &target), stated, counts_own_edits })
            }
            Target::Sections(sections) => {
                let now = host.document()?;
                let mut counts_own_edits = false;
                let mut found = Vec::with_capacity(sections.len());
                for section in sections {
                    let edited = self.edited_section(&now, update, &section);
                    counts_own_edits |= edited.is_some();
                    found.push(self.relocate_section(host, &now, section, edited.as_ref())?);
                }
                let update = retargeted(update, &Target::Sections(found));
                Ok(Relocated { update, stated: None, counts_own_edits })
            }
            Target::End => Ok(Relocated { update: update.clone(), stated: None, counts_own_edits: false }),
        }
    }

    /// Returns the evidence of an error: stale parts and parts that were not shown may be edited once the error was
    /// sent.
    ///
    /// # Errors
    /// Those of the holder of the document.
    pub fn evidence_of(
        &mut self,
        host: &dyn DocumentHost,
        update: &DocUpdate,
        error: &Error,
    ) -> Result<Option<Evidence>, Error> {
        let document = host.document()?;
        match error {
            Error::StaleLines { first, last, .. } => {
                let Some((then, _)) = self.basis(update)? else { return Ok(None) };
                let mut evidence = self.evidence(&document);
                evidence.with_lines(place(&then, &(*first..=*last), &document))?;
                Ok(Some(evidence))
            }
            Error::Stale { now, .. } | Error::SectionNotShown { now, .. } => {
                let mut evidence = self.evidence(&document);
                evidence.with_outline();
                if let Some((index, ..)) = now.section {
                    evidence.with_content(host, index)?;
                }
                Ok(Some(evidence))
            }
            _ => Ok(None),
        }
    }

    fn relocate_lines(&self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<Relocated, Error> {
        let now = host.document()?;
        let Some((then, counting)) = self.basis(update)? else {
            return Err(Error::LinesNotShown { first: 1, last: now.line_count() });
        };
        let counts_own_edits = counting == Counting::AsEdited;
        let target = update.target();
        if counting == Counting::Mixed {
            let Target::Lines(ranges) = target else { return Err(super::stale(&then, 1..=then.line_count(), &now)) };
            let ranges = line_ranges(&ranges, then.line_count())?;
            let first = ranges.iter().map(|range| *range.start()).min().unwrap_or(1);
            let last = ranges.iter().map(|range| *range.end()).max().unwrap_or(first);
            return Err(super::stale(&then, first..=last, &now));
        }
        let is_whole = target == Target::Document;
        let knows = |(block, id): (&Node, &BlockId)| self.knows_block(*id, block);
        if is_whole && then == now && now.blocks().iter().zip(now.block_ids()).all(knows) {
            let update = retargeted(update, &target);
            return Ok(Relocated { update, stated: Some(Vec::new()), counts_own_edits });
        }
        let (update, stated) = match (relocate_update(&then, &now, update), self.unknown_lines(&then)) {
            // A block that is not known cannot be split into lines that are.
            (Err(Error::StaleLines { .. }), Some((first, last))) if is_whole => {
                return Err(Error::LinesNotShown { first, last });
            }
            (relocated, _) => relocated?,
        };
        let stated = stated.unwrap_or_default();
        let unseen = self.not_shown(&then, stated.iter().map(|stated| stated.given.clone()), counts_own_edits);
        for Stated { given, .. } in &stated {
            let start = unseen.partition_point(|line| line < given.start());
            let count = unseen[start..].partition_point(|line| line <= given.end());
            let unseen = &unseen[start..start + count];
            if let (Some(first), Some(last)) = (unseen.first(), unseen.last()) {
                return Err(Error::LinesNotShown { first: *first, last: *last });
            }
        }
        Ok(Relocated { update, stated: Some(stated), counts_own_edits })
    }

    /// Returns the document that the lines of an update count in: its snapshot, or the one after the edits of this
    /// answer.
    fn basis(&self, update: &DocUpdate) -> Result<Option<(Document, Counting)>, Error> {
        let Some(then) = self.snapshot(update.version())? else { return Ok(None) };
        let is_of_answer = self.meant_snapshot.as_ref().is_some_and(|meant| meant.version() == then.version());
        let Some(edited) = self.edited.as_ref().filter(|_| is_of_answer) else {
            return Ok(Some((then, Counting::AsShown)));
        };
        let counting = match update.target() {
            Target::Lines(ranges) => counting::of_lines(update, &ranges, &then, edited),
            Target::Text(text) => counting::of_text(&text, &then, edited),
            Target::Sections(_) | Target::Document | Target::End => Counting::AsShown,
        };
        Ok(Some((if counting == Counting::AsEdited { edited.clone() } else { then }, counting)))
    }

    /// Returns the blocks of the section that an index means after the edits of this answer, if the update is about
    /// that one and not about the one that was shown with the index.
    fn edited_section(&self, now: &Document, update: &DocUpdate, stated: &SectionTarget) -> Option<Vec<BlockId>> {
        let edited = self.edited.as_ref().filter(|_| stated.usage == SectionUse::Replaced)?;
        let index = usize::try_from(stated.index).ok().filter(|index| *index > 0)?;
        let meant = edited.sections().get(index)?.clone();
        let meant = edited.block_ids()[meant.blocks].to_vec();
        let there = headed(now, *meant.first()?)?;
        let was_shown = index < self.meant.total;
        let shown = if was_shown { self.section(now, index) } else { None };
        if shown.as_ref().is_some_and(|shown| shown.index == there.index) {
            return None;
        }
        // No other section ever had that index, and nothing of this one is of somebody else.
        let is_own = |id: &BlockId| self.blocks.get(id).is_some_and(|(at, _)| *at > self.answer_at);
        let is_only_one = !was_shown && self.meant.total > 0 && meant.iter().all(is_own);
        (is_only_one || counting::is_about_edited(update, now, &there, shown.as_ref())).then_some(meant)
    }

    /// Returns the snapshot with a version, or the one with which this answer was written.
    fn snapshot(&self, version: Option<&str>) -> Result<Option<Document>, Error> {
        match version.map(str::trim).filter(|version| !version.is_empty()) {
            Some(version) => self.snapshots.get(version).cloned().map(Some),
            None => Ok(self.meant_snapshot.clone()),
        }
    }

    /// Returns the numbers of the lines that were not shown, in their order, in the blocks that the ranges touch. With
    /// `counts_own_edits` no number was shown: then it is enough that the model was shown or wrote the text.
    fn not_shown(
        &self,
        then: &Document,
        ranges: impl Iterator<Item = RangeInclusive<usize>>,
        counts_own_edits: bool,
    ) -> Vec<usize> {
        let lines = then.lines_at(ranges).0;
        let shown = |line: &Line, key: &LineKey| {
            let id = then.block_ids()[line.block];
            self.lines.get(&id).is_some_and(|lines| lines.contains(key))
                || (counts_own_edits && self.knows_block(id, &then.blocks()[line.block]))
        };
        let unseen = lines.iter().zip(keys(&lines)).filter(|(line, key)| !shown(line, key));
        unseen.map(|(line, _)| line.line).collect()
    }

    /// The first and the last line of the blocks that are not known.
    fn unknown_lines(&self, then: &Document) -> Option<(usize, usize)> {
        let known = |at: &usize| self.knows_block(then.block_ids()[*at], &then.blocks()[*at]);
        let mut unknown = (0..then.blocks().len()).filter(|at| !known(at));
        let first = unknown.next()?;
        let last = unknown.next_back().unwrap_or(first);
        Some((then.line_numbers_of(first).start, then.line_numbers_of(last).end - 1))
    }

    fn knows_block(&self, id: BlockId, block: &Node) -> bool {
        self.blocks.get(&id).is_some_and(|(_, known)| known == block)
    }

    fn relocate_section(
        &self,
        host: &dyn DocumentHost,
        document: &Document,
        stated: SectionTarget,
        edited: Option<&Vec<BlockId>>,
    ) -> Result<SectionTarget, Error> {
        let Ok(index) = usize::try_from(stated.index) else { return Ok(stated) };
        let (meant, section) = match edited {
            Some(edited) => (Some(edited), edited.first().and_then(|heading| headed(document, *heading))),
            None => (self.meant.section(index), self.section(document, index)),
        };
        let Some(section) = section else {
            // There is no such section, or no section at all, so nothing can be lost.
            return if meant.is_some() { Err(stale(index, None, document)) } else { Ok(stated) };
        };
        let is_known = meant.is_some_and(|meant| self.knows(document, &section, meant));
        if is_known || !stated.usage.overwrites() {
            // An index that was not shown can only mean the present outline.
            return Ok(SectionTarget { index: section.index as i64, ..stated });
        }
        let was_shown = match meant {
            Some(meant) => meant.iter().all(|id| self.blocks.contains_key(id)),
            None => self.meant.blank && index == 0,
        };
        let content = section::html(host, document, &section)?;
        let section = Some((section.index, section.title, content));
        let now = Box::new(Now { section, outline: outline(document) });
        Err(if was_shown { Error::Stale { index, now } } else { Error::SectionNotShown { index, now } })
    }

    /// Records an applied update of the model: the model knows the text that it wrote.
    pub fn wrote(&mut self, update: &DocUpdate, before: &Document, after: &Document) {
        let at = self.tick();
        let old: FxHashMap<_, _> = before.block_ids().iter().zip(before.blocks()).collect();
        let now: FxHashMap<_, _> = after.block_ids().iter().zip(after.blocks()).collect();
        // An edit of lines carries on the other lines of their blocks, and of those the model may know nothing.
        let target = update.target();
        let by_lines = target.is_by_lines();
        let touched = old.iter().filter(|(id, block)| by_lines && now.get(*id) != Some(*block));
        let unseen: FxHashSet<BlockId> =
            touched.filter(|(id, block)| !self.knows_block(***id, block)).map(|(id, _)| **id).collect();
        for gone in before.block_ids().iter().filter(|id| !now.contains_key(id)) {
            self.blocks.remove(gone);
            self.lines.remove(gone);
        }
        for (block, id) in after.block_ids().iter().enumerate() {
            let is_known = if old.contains_key(id) { !unseen.contains(id) } else { unseen.is_empty() };
            if is_known && old.get(id) != Some(&&after.blocks()[block]) {
                self.know(after, block, at);
            }
        }
        self.follow(&target, before, after);
        self.edited = Some(after.clone());
    }

    /// Updates the outline to which the answer refers after an edit of its own: the calls still to come count as it
    /// did, and a section that the edit changed was not changed by somebody else.
    fn follow(&mut self, target: &Target, before: &Document, after: &Document) {
        let (old, new) = (section_blocks(before), section_blocks(after));
        let adds = old.is_empty() || *target == Target::End;
        let counts_on = adds && self.meant.sections.len() == old.len();
        for replaced in target.sections().iter().filter(|section| section.usage == SectionUse::Replaced) {
            // A section with another heading is the same section.
            let of = |sections: &[Vec<BlockId>]| {
                usize::try_from(replaced.index).ok().and_then(|at| sections.get(at).cloned())
            };
            if let (Some(old), Some(new)) = (of(&old), of(&new)) {
                let same = self.meant.sections.iter_mut().flatten().filter(|meant| meant.first() == old.first());
                same.for_each(|meant| meant.clone_from(&new));
            }
        }
        let was: FxHashSet<BlockId> = before.block_ids().iter().copied().collect();
        let begins = new.iter().enumerate().skip(1).filter_map(|(at, blocks)| Some((*blocks.first()?, at)));
        let begins: FxHashMap<BlockId, usize> = begins.collect();
        for (index, meant) in self.meant.sections.iter_mut().enumerate() {
            let Some(meant) = meant else { continue };
            let at = if index == 0 { Some(0) } else { meant.first().and_then(|heading| begins.get(heading)).copied() };
            if let Some(now) = at.and_then(|at| new.get(at)) {
                let own: FxHashSet<BlockId> = meant.iter().copied().collect();
                *meant = now.iter().filter(|id| own.contains(id) || !was.contains(id)).copied().collect();
            }
        }
        if counts_on {
            let more = new.into_iter().skip(self.meant.sections.len());
            self.meant.sections.extend(more.map(Some));
            self.meant.total = self.meant.sections.len();
        }
    }

    /// The snapshot that the model's present answer is written with.
    pub fn meant_snapshot(&self) -> Option<&Document> {
        self.meant_snapshot.as_ref()
    }

    /// Returns the section that an index means, as it is now; `None` if it no longer exists.
    pub fn section(&self, now: &Document, index: usize) -> Option<Section> {
        let sections = now.sections();
        let Some(meant) = self.meant.section(index) else { return sections.get(index).cloned() };
        match meant.first().filter(|_| index > 0) {
            Some(heading) => headed(now, *heading),
            None => sections.first().cloned(),
        }
    }

    /// Returns whether a section has the blocks that were meant, each as the model was shown or wrote it.
    fn knows(&self, document: &Document, section: &Section, meant: &[BlockId]) -> bool {
        document.block_ids()[section.blocks.clone()] == *meant
            && section.blocks.clone().all(|at| self.knows_block(document.block_ids()[at], &document.blocks()[at]))
    }
}

fn retargeted(update: &DocUpdate, target: &Target) -> DocUpdate {
    let mut update = update.clone();
    update.retarget(target);
    update
}

pub(super) fn stale(index: usize, section: Option<(usize, String, String)>, document: &Document) -> Error {
    Error::Stale { index, now: Box::new(Now { section, outline: outline(document) }) }
}
