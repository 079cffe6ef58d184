//! Guards that hold on to blocks of a document, because sections move.
//!
//! A locked section is known by the lasting id of its heading, or by its title where that block is gone. A scope is
//! known by what was around it: it is whatever stands between the blocks that were before it and those that were after.
//! So it holds while everything in it is rewritten, and what is added in it belongs to it.

use super::super::review::Review;
use super::settings::{Guards, Lossless, Scope, SectionRef, UrlPolicy};
use crate::document::{BlockId, Document, Node, Section};
use crate::edit::change::Change;
use crate::edit::content::same_title;
use crate::error::Error;
use std::ops::Range;

/// Guards that are tied to a document.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    scope: Option<Place>,
    locked: Vec<Anchor>,
    /// What happens when an edit would drop something.
    pub lossless: Lossless,
    /// Which addresses edits may bring.
    pub urls: UrlPolicy,
}

/// Where edits may change anything.
#[derive(Clone, Debug)]
struct Place {
    spans: Vec<Span>,
    /// Whether it was given as sections. Then it does not reach into a section beside it.
    of_sections: bool,
    /// Whether section 0 is among them: where it is empty, its blocks do not say so.
    of_first: bool,
}

/// A row of top-level blocks, by the blocks around it: the nearest one last before it, first after it.
#[derive(Clone, Debug)]
struct Span {
    before: Vec<BlockId>,
    after: Vec<BlockId>,
}

/// A section that is found again.
#[derive(Clone, Debug)]
struct Anchor {
    /// Its heading; none for section 0, which is always the first.
    heading: Option<BlockId>,
    title: String,
}

impl Guards {
    /// Ties the guards to the document of this moment.
    ///
    /// # Errors
    /// [`Error::Config`] where a section is named that the document does not have.
    pub fn bind(&self, document: &Document) -> Result<Bound, Error> {
        self.bind_at(document, |position| position)
    }

    /// The same under review: a range is one of what the editor holds, sections are those that the agent sees.
    ///
    /// # Errors
    /// As there.
    pub fn bind_in(&self, review: &Review) -> Result<Bound, Error> {
        self.bind_at(review.proposed(), |position| review.in_proposed(position))
    }

    fn bind_at(&self, document: &Document, place: impl Fn(usize) -> usize) -> Result<Bound, Error> {
        let sections = document.sections();
        let scope = match &self.scope {
            None => None,
            Some(Scope::Sections(named)) => {
                let named = find(&sections, "guards.scope.sections", named)?;
                let of_first = named.first() == Some(&0);
                Some(Place { spans: spans(document, &sections, &named), of_sections: true, of_first })
            }
            Some(Scope::Range { from, to }) => {
                let (from, to) = (place(*from), place(*to));
                let last = document.blocks().len().saturating_sub(1);
                let first = document.block_at(from).min(last);
                // A range that ends where a block begins does not touch it.
                let end = document.block_at(to.saturating_sub(1).max(from)).min(last) + 1;
                Some(Place { spans: vec![Span::new(document, first..end)], of_sections: false, of_first: false })
            }
        };
        let mut locked = Vec::new();
        for index in find(&sections, "guards.locked", &self.locked)? {
            let heading = sections[index].heading.filter(|_| index > 0).map(|at| document.block_ids()[at]);
            locked.push(Anchor { heading, title: sections[index].title.clone() });
        }
        Ok(Bound { scope, locked, lossless: self.lossless, urls: self.urls.clone() })
    }
}

impl Bound {
    /// Whether more than the changes themselves must be looked at.
    pub(super) fn looks_at_outcome(&self) -> bool {
        self.scope.is_some() || !self.locked.is_empty() || self.lossless != Lossless::Off
    }

    /// Holds the place of the changes against scope and locks.
    pub(super) fn check_place(&self, before: &Document, changes: &[Change], after: &Document) -> Result<(), Error> {
        let sections = before.sections();
        if let Some(place) = &self.scope {
            let blocks: Vec<Range<usize>> = place.spans.iter().map(|span| span.find(before)).collect();
            let mut holds = true;
            for change in changes {
                holds &= blocks.iter().any(|blocks| {
                    before.block_start(blocks.start) <= change.from && change.to <= before.block_start(blocks.end)
                });
            }
            let is_beside = |section: &Section| place.of_sections && !place.covers(&blocks, section);
            if !holds || first_changed(before, &sections, &is_beside, after).is_some() {
                return Err(place.error(before, &sections, &blocks));
            }
        }
        match first_changed(before, &sections, &|section| self.is_locked(before, section), after) {
            Some(section) => Err(Error::Locked { index: section.index, title: section.title.clone() }),
            None => Ok(()),
        }
    }

    fn is_locked(&self, document: &Document, section: &Section) -> bool {
        let heading = section.heading.map(|at| document.block_ids()[at]);
        let is = |anchor: &Anchor| match anchor.heading {
            None => section.index == 0,
            _ if section.index == 0 => false,
            anchored if anchored == heading => true,
            // The heading was made anew: the title says which section it is.
            Some(id) => document.block_with_id(id).is_none() && same_title(&anchor.title, &section.title),
        };
        self.locked.iter().any(is)
    }
}

impl Place {
    fn covers(&self, spans: &[Range<usize>], section: &Section) -> bool {
        spans.iter().any(|span| overlap(span, &section.blocks)) || self.of_first && section.index == 0
    }

    fn error(&self, document: &Document, sections: &[Section], spans: &[Range<usize>]) -> Error {
        let (mut named, mut lines) = (Vec::new(), None);
        if self.of_sections {
            for section in sections {
                if self.covers(spans, section) {
                    named.push((section.index, section.title.clone()));
                }
            }
        } else if let Some(span) = spans.iter().find(|span| !span.is_empty()) {
            let (first, last) = (document.line_numbers_of(span.start), document.line_numbers_of(span.end - 1));
            lines = Some((first.start, last.end - 1));
        }
        Error::OutOfScope { sections: named, lines }
    }
}

impl Span {
    fn new(document: &Document, blocks: Range<usize>) -> Span {
        let ids = document.block_ids();
        Span { before: ids[..blocks.start].to_vec(), after: ids[blocks.end.min(ids.len())..].to_vec() }
    }

    fn find(&self, document: &Document) -> Range<usize> {
        let place = |id: &BlockId| document.block_with_id(*id);
        let end = self.after.iter().find_map(place).unwrap_or(document.blocks().len());
        let last_before = self.before.iter().rev().filter_map(place).find(|at| *at < end);
        last_before.map_or(0, |at| at + 1)..end
    }
}

/// The sections that are named, in their order.
fn find(sections: &[Section], name: &str, named: &[SectionRef]) -> Result<Vec<usize>, Error> {
    let names = |named: &SectionRef, section: &Section| match named {
        SectionRef::Index(index) => section.index == *index,
        SectionRef::Title(title) => same_title(title, &section.title),
    };
    for named in named {
        if !sections.iter().any(|section| names(named, section)) {
            let mut expected = String::from("indexes or titles of sections that are there:");
            for section in sections {
                expected += &format!(" {} '{}'", section.index, section.title);
            }
            return Err(Error::Config { name: name.to_owned(), expected });
        }
    }
    let mut found = Vec::new();
    for section in sections {
        if named.iter().any(|named| names(named, section)) {
            found.push(section.index);
        }
    }
    Ok(found)
}

/// The blocks of some sections; neighbours are one row.
fn spans(document: &Document, sections: &[Section], indexes: &[usize]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut row: Option<Range<usize>> = None;
    for index in indexes {
        let next = sections[*index].blocks.clone();
        match &mut row {
            Some(row) if row.end == next.start => row.end = next.end,
            _ => spans.extend(row.replace(next).map(|row| Span::new(document, row))),
        }
    }
    spans.extend(row.map(|row| Span::new(document, row)));
    spans
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The first section of some that is no longer there as it was.
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

/// The blocks of a section without the empty paragraphs at its end: editors keep one there, in place of which a new
/// section comes.
fn content_of<'d>(document: &'d Document, section: &Section) -> &'d [Node] {
    let blocks = &document.blocks()[section.blocks.clone()];
    let empty = |block: &&Node| block.children().is_empty() && block.name(document.schema()) == "paragraph";
    &blocks[..blocks.len() - blocks.iter().rev().take_while(empty).count()]
}
