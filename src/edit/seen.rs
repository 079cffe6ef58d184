//! What the model last saw of the document, so that its edits mean that and not what has become of it since.
//!
//! A model points at sections by index. While it thinks, the person goes on typing: sections come, go and change. So
//! an index is looked up in the outline that the model was shown, and the section is found again by the lasting id of
//! its heading block. If it is gone, or if an edit would overwrite or delete text that the model never saw, the edit
//! is refused as *stale*, with the section as it is now, so that the model can try again. Nothing is guessed.
//!
//! Lines are numbers of a *snapshot*, the document as it was when they were shown, which its version names. Each edit of lines
//! is carried from there to the document of now ([`locate`]), and lines that were never shown are not edited.

use super::apply::{DocumentHost, outline};
use super::carry::{self, Snapshots};
use super::record::Stated;
use super::section;
use super::update::{DocUpdate, ReplaceLines, ReplaceText};
use crate::document::{BlockId, Document, Line, Node, Section, is_cut};
use crate::error::{Error, Now};
use crate::map::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;

/// The document as a model saw it.
#[derive(Clone, Default)]
pub struct Seen {
    /// The outline that this answer of the model was written with: the blocks of each section.
    meant: Vec<Vec<BlockId>>,
    /// The outline of the last result, which the next answer will be written with.
    shown: Vec<Vec<BlockId>>,
    /// Each block as it was last shown, or as the model itself wrote it.
    blocks: HashMap<BlockId, Node>,
    /// Blocks that were shown since this answer was written: the other calls in it know nothing of them.
    learnt: Vec<(BlockId, Node)>,
    /// Whether the model ever looked. One that never did means what is there, call after call.
    has_read: bool,
    /// The last documents that were shown, the newest last.
    snapshots: Snapshots,
    /// The one that this answer of the model was written with.
    meant_snapshot: Option<Document>,
    /// The lines of each block that were shown with their numbers, as hashes of their texts.
    lines: HashMap<BlockId, HashSet<u64>>,
}

/// An update as it must be stated for the document of this moment.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The update.
    pub update: DocUpdate,
    /// The lines it names, as the model gave them and as they were found; none for an edit of sections.
    pub stated: Option<Vec<Stated>>,
}

impl Seen {
    /// The model was shown the whole document.
    pub fn read(&mut self, document: &Document) {
        self.shown = sections(document);
        let blocks = document.block_ids().iter().copied().zip(document.blocks().iter().cloned());
        // Whoever never read the document edits what is there now.
        match std::mem::replace(&mut self.has_read, true) {
            false => self.blocks = blocks.collect(),
            true => self.learnt.extend(blocks),
        }
        self.remember(document);
    }

    /// The model was shown some lines with their numbers.
    pub fn read_lines(&mut self, document: &Document, lines: RangeInclusive<usize>) {
        self.remember(document);
        let alone = lines.start() == lines.end();
        for line in document.lines_between(*lines.start(), *lines.end()) {
            let (id, block) = (document.block_ids()[line.block], &document.blocks()[line.block]);
            // Of a cut line the end was not shown, unless the model knows the block already.
            if !alone && is_cut(&line.text) && self.blocks.get(&id) != Some(block) {
                continue;
            }
            self.lines.entry(id).or_default().insert(hash(&line));
        }
    }

    /// The model was shown these lines, and all of each, before the page was loaded anew.
    pub(super) fn showed(&mut self, document: &Document, lines: RangeInclusive<usize>) {
        self.remember(document);
        for line in document.lines_between(*lines.start(), *lines.end()) {
            self.lines.entry(document.block_ids()[line.block]).or_default().insert(hash(&line));
        }
    }

    /// It was shown this section then.
    pub(super) fn showed_section(&mut self, document: &Document, section: &Section) {
        self.shown = sections(document);
        self.has_read = true;
        self.learn(document, section);
    }

    /// A new answer begins: from now on indexes are those of the last outline that was shown. Within one answer they
    /// all mean the same outline, because the model had not seen the results of its first calls when it wrote the next.
    pub fn turn(&mut self) {
        self.meant.clone_from(&self.shown);
        self.blocks.extend(self.learnt.drain(..));
        self.meant_snapshot = self.snapshots.last().cloned();
    }

    /// The update as it must be stated for the document of this moment.
    ///
    /// # Errors
    /// [`Error::Stale`], after which the model has seen what the error shows.
    pub fn carry(&mut self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<Carried, Error> {
        let carried = self.carried(host, update);
        if let Err(error) = &carried {
            self.see_stale(&host.document()?, update, error);
        }
        carried
    }

    /// The same, where the model is not told what comes of it.
    pub(super) fn carried(&self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<Carried, Error> {
        match update {
            DocUpdate::ReplaceLines(asked) => self.carry_lines(host, asked),
            DocUpdate::ReplaceText(asked) => self.carry_text(host, asked),
            _ => Ok(Carried { update: self.carry_section(host, update)?, stated: None }),
        }
    }

    fn carry_lines(&self, host: &dyn DocumentHost, asked: &ReplaceLines) -> Result<Carried, Error> {
        let now = host.document()?;
        let Some(then) = self.snapshot(asked.version.as_deref())? else {
            return Err(Error::LinesNotShown { first: 1, last: now.line_count() });
        };
        let knows = |(block, id): (&Node, &BlockId)| self.knows_block(&now, *id, block);
        if asked.is_whole() && then == now && now.blocks().iter().zip(now.block_ids()).all(knows) {
            let update = DocUpdate::ReplaceLines(ReplaceLines { version: None, ..asked.clone() });
            return Ok(Carried { update, stated: Some(Vec::new()) });
        }
        let (update, stated) = carry::carry(&then, &now, asked)?;
        for Stated { given, .. } in &stated {
            if let Some((first, last)) = self.not_shown(&then, given) {
                return Err(Error::LinesNotShown { first, last });
            }
        }
        Ok(Carried { update: DocUpdate::ReplaceLines(update), stated: Some(stated) })
    }

    fn carry_text(&self, host: &dyn DocumentHost, asked: &ReplaceText) -> Result<Carried, Error> {
        let asked = match self.snapshot(asked.version.as_deref())? {
            None => ReplaceText { version: None, ..asked.clone() },
            Some(then) => carry::carry_text(&then, &host.document()?, asked)?,
        };
        Ok(Carried { update: DocUpdate::ReplaceText(asked), stated: None })
    }

    /// An error shows what is stale as it is now, so it may be edited next.
    fn see_stale(&mut self, now: &Document, update: &DocUpdate, error: &Error) {
        match error {
            Error::StaleLines { first, last, .. } => {
                if let Ok(Some(then)) = self.snapshot(update.version()) {
                    self.read_lines(now, carry::place(&then, &(*first..=*last), now));
                }
            }
            Error::Stale { index, .. } => {
                let section = self.section(now, *index);
                self.read_outline(now);
                if let Some(section) = section {
                    self.learn(now, &section);
                }
            }
            _ => {}
        }
    }

    /// The snapshot with a version, or the one that this answer was written with.
    fn snapshot(&self, version: Option<&str>) -> Result<Option<Document>, Error> {
        match version.map(str::trim).filter(|version| !version.is_empty()) {
            Some(version) => self.snapshots.get(version).cloned().map(Some),
            None => Ok(self.meant_snapshot.clone()),
        }
    }

    /// The first and the last line of a range that were not shown.
    fn not_shown(&self, then: &Document, range: &RangeInclusive<usize>) -> Option<(usize, usize)> {
        let lines = then.lines_between(*range.start(), *range.end());
        let shown = |line: &&Line| {
            self.lines.get(&then.block_ids()[line.block]).is_some_and(|lines| lines.contains(&hash(line)))
        };
        let mut unseen = lines.iter().filter(|line| !shown(line)).map(|line| line.line);
        let first = unseen.next()?;
        Some((first, unseen.next_back().unwrap_or(first)))
    }

    fn knows_block(&self, now: &Document, id: BlockId, block: &Node) -> bool {
        self.blocks.get(&id) == Some(block)
            || now.block_with_id(id).is_some_and(|index| {
                let numbers = now.line_numbers_of(index);
                self.not_shown(now, &(numbers.start..=numbers.end - 1)).is_none()
            })
    }

    fn remember(&mut self, document: &Document) {
        self.snapshots.remember(document);
        // Whoever never read the document edits what is there now.
        if self.meant_snapshot.is_none() {
            self.meant_snapshot = Some(document.clone());
        }
    }

    fn carry_section(&self, host: &dyn DocumentHost, update: &DocUpdate) -> Result<DocUpdate, Error> {
        let document = host.document()?;
        let Some(index) = update.section_index().and_then(|index| usize::try_from(index).ok()) else {
            return Ok(update.clone());
        };
        // An index that the model was never shown can only mean the outline of now.
        let Some(meant) = self.meant.get(index) else { return Ok(update.clone()) };
        let Some(section) = self.section(&document, index) else { return Err(stale(index, None, &document)) };
        if update.overwrites() && self.has_read && !self.knows(&document, &section, meant) {
            let content = section::html(host, &document, &section)?;
            let fresh = Some((section.index, section.title.clone(), content));
            return Err(stale(index, fresh, &document));
        }
        Ok(update.with_section_index(section.index))
    }

    /// An update of the model was applied: it has seen what it wrote, and the new outline.
    pub fn wrote(&mut self, update: &DocUpdate, before: &Document, after: &Document) {
        let left: HashSet<_> = after.block_ids().iter().copied().collect();
        let old: HashMap<_, _> = before.block_ids().iter().zip(before.blocks()).collect();
        let now: HashMap<_, _> = after.block_ids().iter().zip(after.blocks()).collect();
        // An edit of lines carries on the other lines of their blocks, and of those the model may know nothing.
        let by_lines = matches!(update, DocUpdate::ReplaceLines(_) | DocUpdate::ReplaceText(_));
        let touched = old.iter().filter(|(id, block)| by_lines && now.get(*id) != Some(*block));
        let unseen: HashSet<BlockId> =
            touched.filter(|(id, block)| !self.knows_block(before, ***id, block)).map(|(id, _)| **id).collect();
        for gone in before.block_ids().iter().filter(|id| !left.contains(id)) {
            self.blocks.remove(gone);
            self.lines.remove(gone);
        }
        if let (DocUpdate::Replace { .. }, Some(index)) = (update, update.section_index()) {
            // A section with another heading is the same section to the calls that are still to come.
            let ids =
                |document| usize::try_from(index).ok().and_then(|index| sections(document).into_iter().nth(index));
            if let (Some(old), Some(new)) = (ids(before), ids(after)) {
                self.meant
                    .iter_mut()
                    .filter(|meant| meant.first() == old.first())
                    .for_each(|meant| meant.clone_from(&new));
            }
        }
        for (id, block) in now.iter().filter(|(id, block)| old.get(*id) != Some(*block)) {
            let is_known = if old.contains_key(id) { !unseen.contains(id) } else { unseen.is_empty() };
            self.learnt.retain(|(learnt, _)| learnt != *id);
            if is_known {
                self.blocks.insert(**id, (*block).clone());
            }
        }
        self.read_outline(after);
        self.remember(after);
    }

    /// The snapshot that the model's present answer is written with.
    pub fn meant_snapshot(&self) -> Option<&Document> {
        self.meant_snapshot.as_ref()
    }

    /// The section that an index means, as it is now; none where it is gone.
    pub fn section(&self, now: &Document, index: usize) -> Option<Section> {
        let sections = now.sections();
        let Some(meant) = self.meant.get(index) else { return sections.into_iter().nth(index) };
        match meant.first().filter(|_| index > 0) {
            Some(heading) => {
                let begins = |section: &Section| section.blocks.clone().next().map(|first| now.block_ids()[first]);
                sections.into_iter().find(|section| begins(section) == Some(*heading))
            }
            None => sections.into_iter().next(),
        }
    }

    fn read_outline(&mut self, document: &Document) {
        self.shown = sections(document);
        // Whoever never read the document edits what is there now.
        if self.meant.is_empty() {
            self.meant.clone_from(&self.shown);
        }
    }

    fn learn(&mut self, document: &Document, section: &Section) {
        for index in section.blocks.clone() {
            self.learnt.push((document.block_ids()[index], document.blocks()[index].clone()));
        }
    }

    /// Whether everything in a section is as the model saw it, and nothing that it saw there is missing.
    fn knows(&self, document: &Document, section: &Section, meant: &[BlockId]) -> bool {
        let there: HashSet<_> = document.block_ids().iter().copied().collect();
        let mut now = section.blocks.clone();
        now.all(|index| self.blocks.get(&document.block_ids()[index]) == Some(&document.blocks()[index]))
            && meant.iter().all(|id| !self.blocks.contains_key(id) || there.contains(id))
    }
}

fn sections(document: &Document) -> Vec<Vec<BlockId>> {
    let ids = document.block_ids();
    document.sections().iter().map(|section| ids[section.blocks.clone()].to_vec()).collect()
}

pub(super) fn stale(index: usize, section: Option<(usize, String, String)>, document: &Document) -> Error {
    Error::Stale { index, now: Box::new(Now { section, outline: outline(document) }) }
}

fn hash(line: &Line) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&line.kind, &line.text).hash(&mut hasher);
    hasher.finish()
}
