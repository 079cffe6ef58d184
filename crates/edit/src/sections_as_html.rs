//! Content of sections, and of insertions, as HTML, whatever its notation is.

use super::apply::DocumentHost;
use super::as_shown::ShownLines;
use super::atoms::{Atoms, Shield};
use super::content::{Format, escape};
use super::operation::DocUpdate;
use super::section::heading_of;
use super::{content, details, elision, markdown, mixed, wrapping};
use crate::Error;
use copydesk_document::Document;
use std::borrow::Cow;

/// Returns the update with HTML in place of Markdown, and in place of content with the stated format text; and whether
/// there was Markdown. Content of lines and texts is converted when its lines are known (`lines/`, `text_edit.rs`).
///
/// # Errors
/// [`Error::MarkdownNotLoaded`] if the parser is not there.
pub fn converted<'u>(
    host: &dyn DocumentHost,
    document: &Document,
    update: &'u DocUpdate,
    stated: Option<Format>,
) -> Result<(Cow<'u, DocUpdate>, bool), Error> {
    let mut converted = update.clone();
    if let Some(stated) = stated {
        converted.set_format(stated);
    }
    let is_stated = stated == Some(Format::Markdown);
    if is_stated && host.markdown().is_none() {
        return Err(Error::MarkdownNotLoaded { reason: None });
    }
    let Some(content) = converted.blocks_mut() else { return Ok((Cow::Owned(converted), false)) };
    // The text forms of inline leaves are not read as anything else.
    let shield = shield(document, content);
    if stated != Some(Format::Text) {
        let replaced = update.replaced_lines(document);
        *content = wrapping::section_content(document, content, &replaced, stated)?;
        if stated != Some(Format::Html) {
            let is_replaced = |number| replaced.binary_search_by_key(&number, |line| line.line).is_ok();
            *content = ShownLines::of(document, is_replaced, std::iter::once(content.as_str())).restored(content);
        }
        if let Some(rows) = details::as_rows(document.schema(), content).filter(|_| stated != Some(Format::Html)) {
            *content = rows;
        }
        elision::check(content, document, &replaced, false)?;
        *content = wrapping::without_comments(std::mem::take(content), &replaced);
    }
    let is_html = content::is_html(content);
    let is_new = is_new(document, update);
    let (text, is_markdown) = match stated {
        Some(Format::Text) if is_new => (shield.html(paragraphs(content)), false),
        Some(Format::Text) => (shield.text(texts(content).collect::<Vec<_>>().join("\n")), false),
        Some(Format::Html) => (shield.html(content::to_html(content)), false),
        // Read row by row when its section is known.
        _ if is_html && !is_new && host.markdown().is_some() && mixed::has_rows(content) => {
            (shield.text(std::mem::take(content)), true)
        }
        _ if is_html || is_stated && is_new => {
            let (html, is_markdown) = mixed::to_html(host, document, content, stated)?;
            (shield.html(html), is_markdown)
        }
        _ => {
            let is_markdown = is_stated || Format::of(content) == Format::Markdown;
            (shield.text(std::mem::take(content)), is_markdown)
        }
    };
    *content = text;
    Ok((Cow::Owned(converted), is_stated || is_markdown && host.markdown().is_some()))
}

/// Returns whether the content of sections has no rows to compare with: those of a section without text, or of a new
/// one.
fn is_new(document: &Document, update: &DocUpdate) -> bool {
    let DocUpdate::Replace(replace) = update else { return true };
    let sections = document.sections();
    let Some(section) = usize::try_from(replace.section_index).ok().and_then(|at| sections.get(at)) else {
        return true;
    };
    let start = heading_of(document, section).map_or(section.blocks.start, |at| at + 1);
    markdown::is_blank(&document.lines_of_blocks(start..section.blocks.end))
}

/// Puts single letters in the place of the text forms of a document's inline leaves.
fn shield(document: &Document, content: &mut String) -> Shield {
    let atoms = Atoms::of_document(document);
    let (shield, shielded) = atoms.shielded(&[content]);
    if let [Cow::Owned(text)] = &shielded[..] {
        let text = text.clone();
        *content = text;
    }
    shield
}

/// Returns text as HTML: each line is a paragraph, with its special characters escaped.
fn paragraphs(text: &str) -> String {
    texts(text).map(|line| format!("<p>{}</p>", escape(line))).collect()
}

/// The texts of paragraphs.
fn texts(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
