//! Sections as operations rewrite them.
//!
//! The holder of the document parses HTML with its own schema, so this file handles blocks only. Two habits of models
//! are understood as they are meant. They repeat the heading at the beginning of the content: it is not doubled. And
//! they rewrite it there: a leading heading of the section's own rank becomes the section's heading, because nobody
//! means an empty section followed by a new one.

use super::apply::{DocumentHost, Resolved};
use super::atoms::Atoms;
use super::content::{Format, is_html};
use super::{
    attributes, content, definitions, echo, kept_marks, markdown, mixed, repeated_code, retext, rows, wrapping,
};
use crate::Error;
use copydesk_document::align::{Chunk, Relation, align};
use copydesk_document::{Document, Node, NodeRole, Section, heading_level};
use std::ops::Range;
use std::sync::Arc;

/// A section as HTML, without its heading.
pub fn html(host: &dyn DocumentHost, document: &Document, section: &Section) -> Result<String, Error> {
    Ok(html_parts(host, document, section)?.concat())
}

/// Returns the HTML of a section, in two parts if its heading is not at the beginning.
pub fn html_parts(host: &dyn DocumentHost, document: &Document, section: &Section) -> Result<Vec<String>, Error> {
    match heading_of(document, section) {
        Some(heading) => {
            Ok(vec![host.html(section.blocks.start..heading)?, host.html(heading + 1..section.blocks.end)?])
        }
        None => Ok(vec![host.html(section.blocks.clone())?]),
    }
}

/// The block that holds a section's title. Where a schema demands one certain block at the beginning (a title), it
/// is section 0's.
pub fn heading_of(document: &Document, section: &Section) -> Option<usize> {
    let schema = document.schema();
    let first_is_demanded = || schema.edges(schema.node_type(schema.top_type()).content_match).len() == 1;
    section.heading.or((section.index == 0 && !section.blocks.is_empty() && first_is_demanded()).then_some(0))
}

/// The sections of a document, and what operations make of them.
pub struct Sections<'a> {
    host: &'a dyn DocumentHost,
    document: &'a Document,
    sections: Arc<[Section]>,
}

impl<'a> Sections<'a> {
    /// Returns the sections of the holder's document.
    pub fn of(host: &'a dyn DocumentHost, document: &'a Document) -> Sections<'a> {
        Sections { host, document, sections: document.sections() }
    }

    /// Returns how many sections there are.
    pub fn count(&self) -> usize {
        self.sections.len()
    }

    /// Returns whether the document has no sections: it is blank.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Returns the resolved update that replaces top-level blocks, and is about the section with this index.
    pub fn replaced(&self, blocks: Range<usize>, mut with: Vec<Node>, section: usize) -> Result<Resolved, Error> {
        // A document is never without a block.
        if with.is_empty() && blocks.len() == self.document.blocks().len() {
            with = self.host.parse("<p></p>", 0)?;
        }
        Ok(Resolved { section: Some(section), ..Resolved::of(blocks, with) })
    }

    /// Returns the blocks of a blank document that is written on.
    pub fn opening(&self, title: Option<&str>, content: &str, format: Option<Format>) -> Result<Vec<Node>, Error> {
        let title = title.map(|title| self.title(title)).transpose()?;
        let title = title.as_deref();
        let (mut with, _) = self.blocks(content, format, 0, 0..0)?;
        if let Some(title) = title {
            self.drop_doubled_heading(&mut with, title);
            with.insert(0, self.heading(1, title, 0)?);
        }
        Ok(with)
    }

    /// Returns the section with this index. Fails with [`Error::SectionOutOfRange`] if it is less than `first` or there
    /// is none.
    pub fn section(&self, index: i64, first: usize, operation: &'static str) -> Result<&Section, Error> {
        self.section_of("sectionIndex", index, first, operation)
    }

    /// Returns the section that a parameter states, as [`Sections::section`] does.
    pub fn section_of(
        &self,
        parameter: &'static str,
        index: i64,
        first: usize,
        operation: &'static str,
    ) -> Result<&Section, Error> {
        let valid = self.sections.last().map(|last| (first, last.index)).filter(|(first, last)| first <= last);
        let found = usize::try_from(index).ok().filter(|index| *index >= first);
        found.and_then(|index| self.sections.get(index)).ok_or(Error::SectionOutOfRange {
            parameter,
            index,
            valid,
            operation,
        })
    }

    /// Returns the text of a title as a model writes it.
    fn title(&self, title: &str) -> Result<String, Error> {
        wrapping::decoded(self.host, content::title_text(title).to_owned(), &[])
    }

    /// Returns content as a model writes it as blocks that replace `old` ones: HTML for a place among the top-level
    /// blocks, else rows. The flag is true if attributes that the content does not state are restored already.
    fn blocks(
        &self,
        text: &str,
        format: Option<Format>,
        at: usize,
        old: Range<usize>,
    ) -> Result<(Vec<Node>, bool), Error> {
        if text.trim().is_empty() {
            return Ok((Vec::new(), true));
        }
        let lines = || self.document.lines_of_blocks(old.clone());
        let text = &*definitions::resolved(text, format, lines);
        let text = &*match format.is_none_or(|format| format == Format::Markdown) {
            true => repeated_code::fenced(self.document.schema(), &self.document.blocks()[old.clone()], text),
            false => text.into(),
        };
        if !is_html(text) || format == Some(Format::Text) && !markdown::is_blank(&lines()) {
            let rows = |old| rows::of_blocks(self.host, self.document, old, text, format, true);
            if let Some((made, _)) = rows(old.clone())? {
                return Ok((made, true));
            }
            // With no place among the old blocks it is new.
            let (made, _) = rows(old.start..old.start)?.ok_or_else(|| crate::unplaced::unplaced(text))?;
            let lines = lines();
            return Ok((kept_marks::keep(self.document, &lines, &lines, made), false));
        }
        if !mixed::has_rows(text) {
            return Ok((self.host.parse(&content::to_html(text), at)?, false));
        }
        if let Some(made) = mixed::blocks(self.host, self.document, old.clone(), text, format, true)? {
            return Ok((made, true));
        }
        let atoms = Atoms::of_document(self.document);
        let (shield, shielded) = atoms.shielded(&[text]);
        let (html, _) = mixed::to_html(self.host, self.document, &shielded[0], format)?;
        let made = self.host.parse(&shield.html(html), at)?;
        let lines = lines();
        Ok((kept_marks::keep(self.document, &lines, &lines, made), false))
    }

    /// Returns a section's blocks with new content and perhaps a new heading.
    pub fn rewritten(
        &self,
        section: &Section,
        title: Option<&str>,
        text: &str,
        format: Option<Format>,
    ) -> Result<Vec<Node>, Error> {
        let title = title.map(|title| self.title(title)).transpose()?;
        let title = title.as_deref();
        let old = &self.document.blocks()[section.blocks.clone()];
        let at = heading_of(self.document, section).map(|heading| heading - section.blocks.start);
        let (before, after) = old.split_at(at.unwrap_or(0));
        let (heading, after) = match at {
            Some(_) => (after.first(), &after[1..]),
            None => (None, after),
        };
        let kept = heading_of(self.document, section).map_or(section.blocks.clone(), |at| at + 1..section.blocks.end);
        let text = match heading {
            Some(heading) if !is_html(text) => {
                let title = self.document.title_of(heading);
                let begins_so =
                    before.iter().chain(after).next().is_some_and(|old| self.document.title_of(old) == title);
                if begins_so { text } else { without_title(text, &title) }
            }
            _ => text,
        };
        let place = section.blocks.start + before.len() + usize::from(heading.is_some());
        let (mut content, is_made) = self.blocks(text, format, place, kept.clone())?;
        let own_level: u8 = if section.index == 0 { 1 } else { 2 };
        // A heading with which the present content begins as well is content, and no repetition.
        let begins_as_before = match (before.iter().chain(after).next(), content.first()) {
            (Some(old), Some(new)) => {
                old.same_markup(new) && self.document.title_of(old) == self.document.title_of(new)
            }
            _ => false,
        };
        let heading = match (heading, title) {
            (Some(old), Some(title)) => {
                self.drop_doubled_heading(&mut content, title);
                if !begins_as_before {
                    self.drop_doubled_heading(&mut content, &self.document.title_of(old));
                }
                Some(self.retitled(old, title))
            }
            (Some(old), None) => match content.first() {
                Some(lead) if !begins_as_before && self.repeats_title(lead, &self.document.title_of(old)) => {
                    content.remove(0);
                    Some(old.clone())
                }
                Some(lead) if !begins_as_before && self.level(lead) == Some(own_level.into()) => {
                    let heading = old.with_children(lead.children().to_vec());
                    content.remove(0);
                    Some(heading)
                }
                _ => Some(old.clone()),
            },
            (None, Some(title)) => {
                self.drop_doubled_heading(&mut content, title);
                Some(self.heading(own_level, title, section.blocks.start)?)
            }
            (None, None) => None,
        };
        self.drop_next_section(&mut content, section);
        if !is_made {
            content = echo::restore(self.host, self.document, kept, content, text)?;
        }
        let schema = self.document.schema();
        // What is before the h1 is content too.
        if let Some(heading) = heading {
            let at = length_before(before, after, &content);
            let mut lead: Vec<Node> = content.drain(..at).collect();
            lead = attributes::keep(schema, before, lead, text);
            let is_repeated = |block: &Node| at > 0 && is_same_block(block, &heading);
            if content.first().is_some_and(is_repeated) {
                content.remove(0);
            }
            content.splice(0..0, lead.into_iter().chain([heading]));
        }
        Ok(Atoms::of(schema, [old]).restored(schema, content))
    }

    /// Removes the beginning of the next section that the content of a section repeats: its heading, and after it its
    /// first blocks.
    fn drop_next_section(&self, content: &mut Vec<Node>, section: &Section) {
        let rest = &self.document.blocks()[section.blocks.end..];
        let Some(next) = rest.first() else { return };
        let is_next = |block: &Node| is_same_block(block, next) && self.level(block) == self.level(next);
        let Some(at) = content.iter().position(is_next).filter(|at| *at > 0) else { return };
        let repeated = content[at..].iter().zip(rest).all(|(new, old)| is_same_block(new, old));
        if repeated && content.len() - at <= rest.len() {
            content.truncate(at);
        }
    }

    /// Returns the blocks of a section that was not there before.
    pub fn new_section(&self, title: &str, text: &str, at: usize) -> Result<Vec<Node>, Error> {
        let title = &*self.title(title)?;
        let heading = self.heading(2, title, at)?;
        // The heading will precede the content; what may follow it is what may follow most blocks.
        let (mut content, _) = self.blocks(text, None, self.document.blocks().len().min(at.max(1)), 0..0)?;
        self.drop_doubled_heading(&mut content, title);
        content.insert(0, heading);
        Ok(content)
    }

    fn heading(&self, level: u8, title: &str, at: usize) -> Result<Node, Error> {
        let heading = self.host.parse(&content::heading(level, title), at)?.into_iter().next();
        heading
            .filter(|heading| self.level(heading) == Some(level.into()))
            .ok_or_else(|| Error::NotInSchema { what: format!("<h{level}>") })
    }

    /// A heading with another text. The words that stay keep their marks; where the whole text stays, so does the node.
    fn retitled(&self, old: &Node, title: &str) -> Node {
        if content::one_line(&self.document.title_of(old)) == content::one_line(title) {
            return old.clone();
        }
        retext::with_text(self.document.schema(), old, &content::one_line(title))
    }

    fn drop_doubled_heading(&self, content: &mut Vec<Node>, title: &str) {
        if content.first().is_some_and(|lead| self.is_titled(lead, title)) {
            content.remove(0);
        }
    }

    /// Returns whether a block is a heading with this title; its number may be left out.
    fn is_titled(&self, block: &Node, title: &str) -> bool {
        self.level(block).is_some() && content::same_title(&self.document.title_of(block), title)
    }

    /// Returns whether a block before the content of a section is its title, as a heading or a line of text.
    fn repeats_title(&self, block: &Node, title: &str) -> bool {
        let is_line = block.role(self.document.schema()) == Some(NodeRole::Paragraph) && !title.trim().is_empty();
        self.is_titled(block, title) || is_line && content::one_line(&block.text_content()) == content::one_line(title)
    }

    fn level(&self, block: &Node) -> Option<u64> {
        heading_level(self.document.schema(), block)
    }

    /// Returns the blocks that appended content replaces: an empty range after the last block, or the empty paragraph
    /// that editors keep there.
    pub fn end(&self) -> Range<usize> {
        let blocks = self.document.blocks();
        match blocks.last() {
            Some(last) if self.is_empty_paragraph(last) => blocks.len() - 1..blocks.len(),
            _ => blocks.len()..blocks.len(),
        }
    }

    fn is_empty_paragraph(&self, block: &Node) -> bool {
        block.role(self.document.schema()) == Some(NodeRole::Paragraph) && block.children().is_empty()
    }
}

/// Returns how many blocks of new content are those before the heading of a section: what `before` became, if a block of
/// `after` stays behind it.
fn length_before(before: &[Node], after: &[Node], content: &[Node]) -> usize {
    if content.starts_with(before) {
        return before.len();
    }
    let chunks = align(&[before, after].concat(), content);
    let stays = |chunk: &Chunk| chunk.relation != Relation::Replaced;
    let has_anchor = chunks.iter().any(|chunk| stays(chunk) && chunk.old.end > before.len());
    let is_before = |chunk: &&Chunk| {
        let is_edited = has_anchor && !chunk.old.is_empty() && chunk.old.len() == chunk.new.len();
        chunk.old.end <= before.len() && (stays(chunk) || is_edited)
    };
    chunks.iter().filter(is_before).map(|chunk| chunk.new.end).max().unwrap_or(0)
}

/// Returns content without a first line that repeats a title, as a heading or a line of text.
fn without_title<'t>(text: &'t str, title: &str) -> &'t str {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text, ""));
    let first = rows::without_closing(first);
    let repeats = content::one_line(content::title_text(first.trim_start_matches('#'))) == content::one_line(title);
    // An underline belongs to the heading; a rule may follow one that has its signs.
    let is_underlined = |(row, _): &(&str, &str)| !first.starts_with('#') && rows::is_underline(row);
    let rest = rest.split_once('\n').filter(is_underlined).map_or(rest, |(_, rest)| rest);
    if repeats && !title.trim().is_empty() && !rest.trim().is_empty() { rest } else { text }
}

/// Returns whether a block that was written again is an old one: it has its type and its text.
fn is_same_block(new: &Node, old: &Node) -> bool {
    new.kind() == old.kind() && new.text_content() == old.text_content() && (!new.is_leaf() || new == old)
}
