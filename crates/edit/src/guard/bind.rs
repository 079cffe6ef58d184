//! Guards that follow blocks of a document, because sections move.
//!
//! A locked section is identified by the stable id of its heading, or by its title if that block no longer exists. A
//! scope is identified by its surroundings: it is everything between the blocks that were before it and those that were
//! behind it. So it still applies when everything in it is rewritten, and what is added in it belongs to it.
//!
//! A lock keeps a section's heading, its content and its borders, and the order of the locked sections, but not its
//! number: other sections may be added, deleted and moved around it. It cannot be moved itself. A section moves within
//! a scope only past what is in the scope too.

use super::run_scope::Part;
use super::settings::{Guards, Lossless, Scope, SectionRef, Sources, UrlPolicy};
use crate::Error;
use crate::change::Change;
use crate::content::Titles;
use crate::target::{SectionUse, Target};
use copydesk_document::{BlockId, Document, Node, NodeRole, Section};
use rustc_hash::{FxHashMap, FxHashSet};
use std::iter::successors;
use std::ops::Range;
use std::rc::Rc;

/// Guards that are bound to a document.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    scope: Option<Place>,
    locked: Vec<Anchor>,
    /// The policy for edits that would drop something: the strictest of these and the further guards.
    pub lossless: Lossless,
    /// The URLs that edits may add.
    pub urls: UrlPolicy,
    /// Further guards that an edit has to hold as well.
    also: Option<Rc<Bound>>,
}

/// The place in which edits may change anything.
#[derive(Clone, Debug)]
struct Place {
    /// The ids of all blocks when the guards were set.
    then: Vec<BlockId>,
    /// Ranges of `then`, ascending. Each is found again by the blocks before and after it.
    spans: Vec<Range<usize>>,
    /// True if it was given as sections. Then it does not extend into an adjacent section.
    of_sections: bool,
    /// True if section 0 is among them, which its blocks do not show if it is empty.
    of_first: bool,
}

/// A section that is found again.
#[derive(Clone, Debug)]
struct Anchor {
    /// The block of its heading; `None` for section 0, which is always the first.
    heading: Option<BlockId>,
    title: String,
}

impl Guards {
    /// Binds the guards to the current document.
    ///
    /// # Errors
    /// [`copydesk_base::Error::Config`] if a section is named that the document does not have.
    pub fn bind(&self, document: &Document) -> Result<Bound, Error> {
        self.bind_at(document, |position| position)
    }

    /// Does the same as [`Guards::bind`] for a range that was given in other positions, which `place` maps to those in
    /// the document.
    ///
    /// # Errors
    /// As [`Guards::bind`].
    pub fn bind_at(&self, document: &Document, place: impl Fn(usize) -> usize) -> Result<Bound, Error> {
        let sections = document.sections();
        let scope = match &self.scope {
            None => None,
            Some(Scope::Sections(named)) => {
                let named = find(&sections, "guards.scope.sections", named)?;
                let of_first = named.first() == Some(&0);
                let then = document.block_ids().to_vec();
                Some(Place { then, spans: spans(&sections, &named), of_sections: true, of_first })
            }
            Some(Scope::Range { from, to }) => {
                let (from, to) = (place(*from), place(*to));
                let last = document.blocks().len().saturating_sub(1);
                let first = document.block_at(from).min(last);
                // A range that ends where a block begins does not touch it.
                let end = document.block_at(to.saturating_sub(1).max(from)).min(last) + 1;
                let then = document.block_ids().to_vec();
                let end = end.min(then.len());
                let spans = std::iter::once(first..end).collect();
                Some(Place { then, spans, of_sections: false, of_first: false })
            }
        };
        let mut locked = Vec::new();
        for index in find(&sections, "guards.locked", &self.locked)? {
            let heading = sections[index].heading.filter(|_| index > 0).map(|at| document.block_ids()[at]);
            locked.push(Anchor { heading, title: sections[index].title.clone() });
        }
        Ok(Bound { scope, locked, lossless: self.lossless, urls: self.urls.clone(), also: None })
    }
}

impl Bound {
    /// Returns guards that allow only what both allow. If `other` states nothing about URLs that load, it does not
    /// limit them.
    pub fn and(&self, other: &Bound) -> Bound {
        let also = match &self.also {
            Some(also) => also.and(other),
            None => {
                let images = other.urls.images.clone().or(Some(Sources::Any));
                Bound { urls: UrlPolicy { images, ..other.urls.clone() }, ..other.clone() }
            }
        };
        Bound { lossless: self.lossless.max(other.lossless), also: Some(Rc::new(also)), ..self.clone() }
    }

    /// Returns these guards and all further ones, each to be checked by itself.
    pub(super) fn all(&self) -> impl Iterator<Item = &Bound> {
        successors(Some(self), |guards| guards.also.as_deref())
    }

    /// Returns whether more than the changes themselves must be looked at.
    pub(super) fn looks_at_outcome(&self) -> bool {
        self.scope.is_some() || !self.locked.is_empty() || self.lossless != Lossless::Off
    }

    /// Holds a section that is to be moved, and all that it is moved past, against scope and locks. The changes do not
    /// say which of two sections changed places with the other.
    pub(crate) fn check_target(&self, document: &Document, target: &Target) -> Result<(), Error> {
        self.all().try_for_each(|guards| guards.check_moved(document, target))
    }

    fn check_moved(&self, document: &Document, target: &Target) -> Result<(), Error> {
        let is_moved = |index: usize| {
            let mut moved = target.sections().iter().filter(|section| section.usage == SectionUse::Moved);
            moved.any(|section| usize::try_from(section.index) == Ok(index))
        };
        let sections = document.sections();
        let Some(moved) = sections.iter().find(|section| is_moved(section.index)) else { return Ok(()) };
        let places = places(document);
        if let Some(place) = &self.scope {
            let stated =
                target.sections().iter().filter_map(|stated| sections.get(usize::try_from(stated.index).ok()?));
            let passed = stated.map(|section| section.blocks.clone());
            let passed = passed.fold(moved.blocks.clone(), |a, b| a.start.min(b.start)..a.end.max(b.end));
            let found = place.find(&places, document.blocks().len());
            if !found.iter().any(|range| range.start <= passed.start && passed.end <= range.end) {
                return Err(place.error(document, &sections, &found));
            }
        }
        match Locked::of(&self.locked, &places).has(document, moved) {
            true => Err(Error::Locked { index: moved.index, title: moved.title.clone() }),
            false => Ok(()),
        }
    }

    /// Fails with [`Error::Locked`] if all of some blocks are locked, and with [`Error::OutOfScope`] if all of them are
    /// outside of the scope.
    pub(super) fn check_blocks(&self, document: &Document, blocks: Range<usize>) -> Result<(), Error> {
        self.all().try_for_each(|guards| guards.check_own_blocks(document, blocks.clone()))
    }

    fn check_own_blocks(&self, document: &Document, blocks: Range<usize>) -> Result<(), Error> {
        if self.scope.is_none() && self.locked.is_empty() {
            return Ok(());
        }
        let sections = document.sections();
        let places = places(document);
        if let Some(place) = &self.scope {
            let found = place.find(&places, document.blocks().len());
            if !Cover::of(&found).meets(&blocks) {
                return Err(place.error(document, &sections, &found));
            }
        }
        let locked = Locked::of(&self.locked, &places);
        let mut touched =
            sections.iter().filter(|section| section.blocks.start < blocks.end && blocks.start < section.blocks.end);
        match touched.next() {
            Some(first) if locked.has(document, first) && touched.all(|section| locked.has(document, section)) => {
                Err(Error::Locked { index: first.index, title: first.title.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Holds the place of the changes against scope and locks.
    pub(super) fn check_place(&self, before: &Document, changes: &[Change], after: &Document) -> Result<(), Error> {
        let sections = before.sections();
        let places = places(before);
        if let Some(place) = &self.scope {
            let found = place.find(&places, before.blocks().len());
            let cover = Cover::of(&found);
            let holds = changes.iter().all(|change| cover.holds(before, change));
            let is_beside = |section: &Section| place.of_sections && !place.covers(&cover, section);
            if !holds || first_changed(before, &sections, &is_beside, after).is_some() {
                return Err(place.error(before, &sections, &found));
            }
        }
        let locked = Locked::of(&self.locked, &places);
        match first_changed(before, &sections, &|section| locked.has(before, section), after) {
            Some(section) => Err(Error::Locked { index: section.index, title: section.title.clone() }),
            None => Ok(()),
        }
    }
}

/// Returns the index of each block by its id.
fn places(document: &Document) -> FxHashMap<BlockId, usize> {
    document.block_ids().iter().copied().zip(0..).collect()
}

/// The locked sections of a document.
struct Locked {
    /// True if section 0 is locked.
    first: bool,
    headings: FxHashSet<BlockId>,
    /// Titles of locked sections whose heading block no longer exists.
    titles: Titles,
}

impl Locked {
    fn of(anchors: &[Anchor], places: &FxHashMap<BlockId, usize>) -> Locked {
        let is_gone = |anchor: &&Anchor| anchor.heading.is_some_and(|id| !places.contains_key(&id));
        Locked {
            first: anchors.iter().any(|anchor| anchor.heading.is_none()),
            headings: anchors.iter().filter_map(|anchor| anchor.heading).collect(),
            titles: Titles::of(anchors.iter().filter(is_gone).map(|anchor| anchor.title.as_str())),
        }
    }

    fn has(&self, document: &Document, section: &Section) -> bool {
        let heading = section.heading.map(|at| document.block_ids()[at]);
        match section.index {
            0 => self.first,
            _ => heading.is_some_and(|id| self.headings.contains(&id)) || self.titles.have(&section.title),
        }
    }
}

impl Place {
    /// Returns the current block range of each span: from the nearest block that was before it to the nearest block
    /// that was after it. `places` has the index of each of the `count` blocks of the document.
    fn find(&self, places: &FxHashMap<BlockId, usize>, count: usize) -> Vec<Range<usize>> {
        let now: Vec<Option<usize>> = self.then.iter().map(|id| places.get(id).copied()).collect();
        // The current index of the first block from here on that still exists.
        let mut next = vec![count; now.len() + 1];
        for at in (0..now.len()).rev() {
            next[at] = now[at].unwrap_or(next[at + 1]);
        }
        // The current indexes of the blocks before the span, without those that a later block precedes: a monotonic
        // stack. The last one below the span's end is the nearest.
        let (mut before, mut at): (Vec<usize>, usize) = (Vec::new(), 0);
        let find = |span: &Range<usize>| {
            for place in now[at..span.start].iter().flatten() {
                before.truncate(before.partition_point(|other| other < place));
                before.push(*place);
            }
            at = span.start;
            let end = next[span.end];
            let nearest = before.partition_point(|place| *place < end).checked_sub(1);
            nearest.map_or(0, |nearest| before[nearest] + 1)..end
        };
        self.spans.iter().map(find).collect()
    }

    fn covers(&self, cover: &Cover, section: &Section) -> bool {
        cover.meets(&section.blocks) || self.of_first && section.index == 0
    }

    fn error(&self, document: &Document, sections: &[Section], spans: &[Range<usize>]) -> Error {
        let (mut named, mut lines) = (Vec::new(), None);
        if self.of_sections {
            let cover = Cover::of(spans);
            for section in sections {
                if self.covers(&cover, section) {
                    named.push((section.index, section.title.clone()));
                }
            }
        } else if let Some(span) = spans.iter().find(|span| !span.is_empty()) {
            let (first, last) = (document.line_numbers_of(span.start), document.line_numbers_of(span.end - 1));
            lines = Some((first.start, last.end - 1));
        }
        Error::OutOfScope { sections: named, lines, part: Part::Whole }
    }
}

/// A set of block ranges that answers whether one of them contains or overlaps another range.
struct Cover {
    /// The starts in ascending order, each with the greatest end so far.
    rows: Vec<(usize, usize)>,
}

impl Cover {
    fn of(spans: &[Range<usize>]) -> Cover {
        let mut rows: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
        rows.sort_unstable();
        let mut greatest = 0;
        for (_, end) in &mut rows {
            greatest = greatest.max(*end);
            *end = greatest;
        }
        Cover { rows }
    }

    /// Returns whether one range contains a change.
    fn holds(&self, document: &Document, change: &Change) -> bool {
        let begun = self.rows.partition_point(|(start, _)| document.block_start(*start) <= change.from);
        begun > 0 && change.to <= document.block_start(self.rows[begun - 1].1)
    }

    /// Returns whether one range overlaps these blocks.
    fn meets(&self, blocks: &Range<usize>) -> bool {
        let begun = self.rows.partition_point(|(start, _)| *start < blocks.end);
        begun > 0 && blocks.start < self.rows[begun - 1].1
    }
}

/// The sections that are named, in their order.
fn find(sections: &[Section], name: &str, named: &[SectionRef]) -> Result<Vec<usize>, Error> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let there = Titles::of(sections.iter().map(|section| section.title.as_str()));
    let is_there = |named: &SectionRef| match named {
        SectionRef::Index(index) => *index < sections.len(),
        SectionRef::Title(title) => there.have(title),
    };
    if !named.iter().all(is_there) {
        let mut expected = String::from("indexes or titles of sections that are there:");
        for section in sections {
            expected += &format!(" {} '{}'", section.index, section.title);
        }
        return Err(copydesk_base::Error::Config { name: name.to_owned(), expected }.into());
    }
    let (mut indexes, mut titles) = (FxHashSet::default(), Vec::new());
    for named in named {
        match named {
            SectionRef::Index(index) => drop(indexes.insert(*index)),
            SectionRef::Title(title) => titles.push(title.as_str()),
        }
    }
    let titles = Titles::of(titles);
    let is_named = |section: &&Section| indexes.contains(&section.index) || titles.have(&section.title);
    Ok(sections.iter().filter(is_named).map(|section| section.index).collect())
}

/// Returns the block ranges of sections; adjacent ones are joined.
fn spans(sections: &[Section], indexes: &[usize]) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for index in indexes {
        let next = sections[*index].blocks.clone();
        match spans.last_mut() {
            Some(row) if row.end == next.start => row.end = next.end,
            _ => spans.push(next),
        }
    }
    spans
}

/// Returns the first of some sections that has changed or no longer exists.
fn first_changed<'s>(
    before: &Document,
    sections: &'s [Section],
    is_kept: &dyn Fn(&Section) -> bool,
    after: &Document,
) -> Option<&'s Section> {
    let now = after.sections();
    let mut next = 0;
    for section in sections {
        if !is_kept(section) {
            continue;
        }
        let blocks = content_of(before, section);
        let same = |one: &Section| (one.index == 0) == (section.index == 0) && content_of(after, one) == blocks;
        match now[next..].iter().position(same) {
            Some(at) => next += at + 1,
            // A document that has become empty has no section 0 any more.
            None if blocks.is_empty() && now.is_empty() => {}
            None => return Some(section),
        }
    }
    None
}

/// Returns the blocks of a section without the empty paragraphs at its end: editors keep one there, which a new section
/// replaces.
fn content_of<'d>(document: &'d Document, section: &Section) -> &'d [Node] {
    let blocks = &document.blocks()[section.blocks.clone()];
    let empty =
        |block: &&Node| block.children().is_empty() && block.role(document.schema()) == Some(NodeRole::Paragraph);
    &blocks[..blocks.len() - blocks.iter().rev().take_while(empty).count()]
}
