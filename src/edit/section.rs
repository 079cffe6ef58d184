//! What a doc update means: which top-level blocks become which.
//!
//! HTML is parsed by whoever holds the document, with the schema that stands there, so this file sees blocks
//! only. Two habits of models are taken for what they mean. They repeat the heading at the beginning of the
//! content: it is not doubled. And they rewrite it there: a leading heading of the section's own rank becomes
//! the section's heading, because nobody means an empty section followed by a new one.

use super::apply::DocumentHost;
use super::content;
use super::update::{DocUpdate, ImagePosition};
use crate::document::{Document, Node, Section, heading_level};
use crate::error::{Error, excerpt};
use crate::host::is_http_url;
use std::ops::Range;

/// A range of top-level blocks and what takes its place.
#[derive(Debug)]
pub struct Replacement {
    /// The blocks that go, by index.
    pub blocks: Range<usize>,
    /// The blocks that come.
    pub with: Vec<Node>,
    /// The section that the update is about, as the outline counts after it; after a delete, the index that is gone.
    pub section_index: usize,
}

/// Finds what a doc update comes to. `parse` turns HTML into top-level blocks.
pub fn resolve(
    document: &Document,
    update: &DocUpdate,
    parse: &dyn Fn(&str) -> Result<Vec<Node>, Error>,
) -> Result<Replacement, Error> {
    let blocks_of = |text: &str| match content::to_html(text) {
        html if html.trim().is_empty() => Ok(Vec::new()),
        html => parse(&html),
    };
    let sections = document.sections();
    let in_range = |index: i64, first: usize| in_range(&sections, index, first, update.operation());
    match update {
        DocUpdate::Replace { section_index: 0, title, content } if sections.is_empty() => {
            let mut with = blocks_of(content)?;
            if let Some(title) = title {
                without_doubled_heading(document, &mut with, title);
                with.splice(0..0, parse(&content::heading(1, title))?);
            }
            Ok(Replacement { blocks: 0..document.blocks().len(), with, section_index: 0 })
        }
        DocUpdate::Replace { section_index, title, content } => {
            let section = in_range(*section_index, 0)?;
            let with = replaced(document, section, title.as_deref(), blocks_of(content)?, parse)?;
            Ok(Replacement { blocks: section.blocks.clone(), with, section_index: section.index })
        }
        DocUpdate::Append { title, content } => {
            let with = new_section(document, title, blocks_of(content)?, parse)?;
            Ok(Replacement { blocks: end_of(document), with, section_index: sections.len().max(1) })
        }
        DocUpdate::Insert { section_index, title, content } => {
            let section = in_range(*section_index, 1)?;
            let with = new_section(document, title, blocks_of(content)?, parse)?;
            let at = section.blocks.start;
            Ok(Replacement { blocks: at..at, with, section_index: section.index })
        }
        DocUpdate::Delete { section_index } => {
            let section = in_range(*section_index, 1)?;
            let whole = section.blocks.len() == document.blocks().len();
            // A document is never without a block.
            let with = if whole { parse("<p></p>")? } else { Vec::new() };
            Ok(Replacement { blocks: section.blocks.clone(), with, section_index: section.index })
        }
        DocUpdate::InsertImage { section_index, image_url, image_description, position } => {
            let section = in_range(*section_index, 0)?;
            if !is_http_url(image_url) {
                return Err(Error::InvalidUrl { name: "imageUrl", given: excerpt(image_url) });
            }
            let with = parse(&content::image(image_url, image_description))?;
            if !with.iter().any(|block| holds_image(block, image_url)) {
                return Err(Error::NotInSchema { what: "<img>".into() });
            }
            let at = match position {
                ImagePosition::BeforeSection => section.blocks.start,
                ImagePosition::AfterSection => section.blocks.end.min(end_of(document).start),
            };
            Ok(Replacement { blocks: at..at, with, section_index: section.index })
        }
    }
}

/// A section as HTML, without its heading.
pub fn html(host: &dyn DocumentHost, section: &Section) -> Result<String, Error> {
    let heading = section.heading.unwrap_or(section.blocks.start);
    let after = section.heading.map_or(heading, |heading| heading + 1);
    Ok(host.html(section.blocks.start..heading)? + &host.html(after..section.blocks.end)?)
}

fn in_range<'a>(
    sections: &'a [Section],
    index: i64,
    first: usize,
    operation: &'static str,
) -> Result<&'a Section, Error> {
    let valid = sections.last().map(|last| (first, last.index)).filter(|(first, last)| first <= last);
    let found = usize::try_from(index).ok().filter(|index| *index >= first).and_then(|index| sections.get(index));
    found.ok_or(Error::SectionOutOfRange { index, valid, operation })
}

/// A section's blocks with new content and perhaps a new heading.
fn replaced(
    document: &Document,
    section: &Section,
    title: Option<&str>,
    mut content: Vec<Node>,
    parse: &dyn Fn(&str) -> Result<Vec<Node>, Error>,
) -> Result<Vec<Node>, Error> {
    let old = section.heading.map(|index| &document.blocks()[index]);
    let own_level: u8 = if section.index == 0 { 1 } else { 2 };
    let heading = match (old, title) {
        (Some(old), Some(title)) => {
            without_doubled_heading(document, &mut content, title);
            Some(retitled(old, title, parse)?)
        }
        (Some(old), None) => match content.first() {
            Some(lead) if is_titled(document, lead, &section.title) => {
                content.remove(0);
                Some(old.clone())
            }
            Some(lead) if level_of(document, lead) == Some(own_level.into()) => {
                let heading = old.with_children(lead.children().to_vec());
                content.remove(0);
                Some(heading)
            }
            _ => Some(old.clone()),
        },
        (None, Some(title)) => {
            without_doubled_heading(document, &mut content, title);
            parse(&content::heading(own_level, title))?.into_iter().next()
        }
        (None, None) => None,
    };
    let Some(heading) = heading else { return Ok(content) };
    // What stands before the h1 is content too: where the new content begins with it, it stays there.
    let before = section.heading.map_or(&[][..], |index| &document.blocks()[section.blocks.start..index]);
    let at = if content.starts_with(before) { before.len() } else { 0 };
    content.insert(at, heading);
    Ok(content)
}

/// The blocks of a section that was not there before.
fn new_section(
    document: &Document,
    title: &str,
    mut content: Vec<Node>,
    parse: &dyn Fn(&str) -> Result<Vec<Node>, Error>,
) -> Result<Vec<Node>, Error> {
    without_doubled_heading(document, &mut content, title);
    content.splice(0..0, parse(&content::heading(2, title))?);
    Ok(content)
}

/// A heading with another text. Where the text is the same, the node is: its marks stay.
fn retitled(old: &Node, title: &str, parse: &dyn Fn(&str) -> Result<Vec<Node>, Error>) -> Result<Node, Error> {
    if content::one_line(&old.text_content()) == content::one_line(title) {
        return Ok(old.clone());
    }
    let fresh = parse(&content::heading(2, title))?;
    Ok(old.with_children(fresh.first().map(|heading| heading.children().to_vec()).unwrap_or_default()))
}

fn without_doubled_heading(document: &Document, content: &mut Vec<Node>, title: &str) {
    if content.first().is_some_and(|lead| is_titled(document, lead, title)) {
        content.remove(0);
    }
}

fn is_titled(document: &Document, block: &Node, title: &str) -> bool {
    level_of(document, block).is_some() && content::one_line(&block.text_content()) == content::one_line(title)
}

fn level_of(document: &Document, block: &Node) -> Option<u64> {
    heading_level(document.schema(), block)
}

fn holds_image(node: &Node, url: &str) -> bool {
    node.attrs().get("src").is_some_and(|src| src == url) || node.children().iter().any(|child| holds_image(child, url))
}

/// Where content is appended: after the last block, or in place of the empty paragraph that editors keep there.
fn end_of(document: &Document) -> Range<usize> {
    let blocks = document.blocks();
    match blocks.last() {
        Some(last) if is_empty_paragraph(document, last) => blocks.len() - 1..blocks.len(),
        _ => blocks.len()..blocks.len(),
    }
}

fn is_empty_paragraph(document: &Document, block: &Node) -> bool {
    block.name(document.schema()) == "paragraph" && block.children().is_empty()
}
