//! Guards that hold on to blocks of a document, because sections move.
//!
//! A locked section is known by the lasting id of its heading, or by its title where that block is gone. A scope is
//! known by what was around it: it is whatever stands between the blocks that were before it and those that were after.
//! So it holds while everything in it is rewritten, and what is added in it belongs to it.

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
        let sections = document.sections();
        let scope = match &self.scope {
            None => None,
            Some(Scope::Sections(named)) => {
                let named = find(&sections, "guards.scope.sections", named)?;
                let spans = rows(&sections, &named).into_iter().map(|blocks| Span::new(document, blocks)).collect();
                Some(Place { spans, of_sections: true, of_first: named.contains(&0) })
            }
            Some(Scope::Range { from, to }) => {
                let last = document.blocks().len().saturating_sub(1);
                let first = document.block_at(*from).min(last);
                // A range that ends where a block begins does not touch it.
                let end = document.block_at((*to).saturating_sub(1).max(*from)).min(last) + 1;
                Some(Place { spans: vec![Span::new(document, first..end)], of_sections: false, of_first: false })
            }
        };
        let locked = find(&sections, "guards.locked", &self.locked)?;
        let anchor = |index: usize| Anchor {
            heading: sections[index].heading.filter(|_| index > 0).map(|at| document.block_ids()[at]),
            title: sections[index].title.clone(),
        };
        let locked = locked.into_iter().map(anchor).collect();
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
            let spans: Vec<_> = place.spans.iter().map(|span| span.find(before)).collect();
            let inside = |change: &Change| {
                let holds = |blocks: &Range<usize>| {
                    before.block_start(blocks.start) <= change.from && change.to <= before.block_start(blocks.end)
                };
                spans.iter().any(holds)
            };
            let outside = |section: &&Section| !place.covers(&spans, section);
            let beside: Vec<_> = sections.iter().filter(|_| place.of_sections).filter(outside).collect();
            if !changes.iter().all(inside) || first_changed(before, &beside, after).is_some() {
                return Err(place.error(before, &sections, &spans));
            }
        }
        let locked: Vec<_> = sections.iter().filter(|section| self.is_locked(before, section)).collect();
        match first_changed(before, &locked, after) {
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
        let named = |section: &Section| (section.index, section.title.clone());
        let span = spans.iter().find(|span| !span.is_empty());
        let lines = span
            .filter(|_| !self.of_sections)
            .map(|span| (document.line_numbers_of(span.start).start, document.line_numbers_of(span.end - 1).end - 1));
        let sections = if self.of_sections {
            sections.iter().filter(|section| self.covers(spans, section)).map(named).collect()
        } else {
            Vec::new()
        };
        Error::OutOfScope { sections, lines }
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
    let mut found = Vec::new();
    for section in named {
        let matches = |one: &&Section| match section {
            SectionRef::Index(index) => one.index == *index,
            SectionRef::Title(title) => same_title(title, &one.title),
        };
        let before = found.len();
        found.extend(sections.iter().filter(matches).map(|section| section.index));
        if found.len() == before {
            let titles = sections.iter().map(|section| format!("{} '{}'", section.index, section.title));
            let there = titles.collect::<Vec<_>>().join(", ");
            let expected = format!("indexes or titles of sections that are there ({there})");
            return Err(Error::Config { name: name.to_owned(), expected });
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// The blocks of some sections; neighbours are one row.
fn rows(sections: &[Section], indexes: &[usize]) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    for index in indexes {
        let blocks = sections[*index].blocks.clone();
        match rows.last_mut() {
            Some(last) if last.end == blocks.start => last.end = blocks.end,
            _ => rows.push(blocks),
        }
    }
    rows
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The first of some sections, given in their order, that is no longer there as it was.
fn first_changed<'s>(before: &Document, kept: &[&'s Section], after: &Document) -> Option<&'s Section> {
    let now = after.sections();
    let mut next = 0;
    kept.iter().copied().find(|section| {
        let blocks = content_of(before, section);
        let same = |one: &Section| (one.index == 0) == (section.index == 0) && content_of(after, one) == blocks;
        match now[next..].iter().position(same) {
            Some(at) => {
                next += at + 1;
                false
            }
            // A document that has become empty has no section 0 any more.
            None => !(blocks.is_empty() && now.is_empty()),
        }
    })
}

/// The blocks of a section without the empty paragraphs at its end: editors keep one there, in place of which a new
/// section comes.
fn content_of<'d>(document: &'d Document, section: &Section) -> &'d [Node] {
    let blocks = &document.blocks()[section.blocks.clone()];
    let empty = |block: &&Node| block.children().is_empty() && block.name(document.schema()) == "paragraph";
    &blocks[..blocks.len() - blocks.iter().rev().take_while(empty).count()]
}
