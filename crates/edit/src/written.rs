//! Determines how content for lines is written, without the numbers and signs that the model was shown.

use super::apply::DocumentHost;
use super::as_shown;
use super::atoms::{Atoms, Shield, ShieldedEdit};
use super::content::{self, Format};
use super::operation::LineEdit;
use super::pair::{Fate, pair};
use super::{guard, markdown, wrapping};
use crate::Error;
use copydesk_document::notation::Prefix;
use copydesk_document::{Document, Line};
use std::ops::Range;

/// Content on its way to lines.
pub struct Written {
    /// The content.
    pub content: ContentKind,
    /// True if it was Markdown.
    pub from_markdown: bool,
}

/// The kind of the content.
pub enum ContentKind {
    /// Nothing: the lines go.
    Empty,
    /// Plain lines.
    Text(Vec<String>),
    /// Lines of inline HTML.
    Inline(Vec<String>),
    /// Lines of inline HTML that came of Markdown: what stays of the text keeps its own marks as well.
    Marked(Vec<String>),
    /// HTML with blocks in it.
    Blocks(String),
}

impl ContentKind {
    /// Puts text forms back where single letters stood for them.
    fn unshielded(self, shield: &Shield) -> ContentKind {
        let html = |lines: Vec<String>| lines.into_iter().map(|line| shield.html(line)).collect();
        match self {
            ContentKind::Empty => ContentKind::Empty,
            ContentKind::Text(lines) => ContentKind::Text(lines.into_iter().map(|line| shield.text(line)).collect()),
            ContentKind::Inline(lines) => ContentKind::Inline(html(lines)),
            ContentKind::Marked(lines) => ContentKind::Marked(html(lines)),
            ContentKind::Blocks(text) => ContentKind::Blocks(shield.html(text)),
        }
    }
}

/// Reads the content of an edit as [`written`] does. The text forms of `atoms` in it mean nothing else.
///
/// # Errors
/// As [`written`].
pub fn written_with(
    host: &dyn DocumentHost,
    document: &Document,
    lines: &[Line],
    edit: &LineEdit,
    atoms: &Atoms,
) -> Result<Written, Error> {
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(lines, edit);
    let Written { content, from_markdown } = written(host, document, &lines, &edit)?;
    Ok(Written { content: content.unshielded(&shield), from_markdown })
}

fn range_format(text: &str, tidied: &[String]) -> Format {
    match Format::of(text) {
        Format::Html => Format::Html,
        _ if markdown::looks_like(&tidied.join("\n")) => Format::Markdown,
        _ => Format::Text,
    }
}

/// Returns the format of a whole new document; `tidied` is its content without signs.
pub fn whole_format(text: &str, tidied: &[String], said: Option<Format>) -> Format {
    said.unwrap_or_else(|| range_format(text, tidied))
}

/// HTML that came of Markdown, if no address in it is one that is never written.
pub fn checked(document: &Document, html: String) -> Result<String, Error> {
    guard::check_html(&[&html], document)?;
    Ok(html)
}

/// HTML that is nothing but paragraphs, as their lines.
pub(super) fn paragraphs(html: &str) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut rest = html.trim();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix("<p>")?.split_once("</p>")?;
        if !content::is_inline(inside) {
            return None;
        }
        lines.extend(inside.split('\n').map(str::to_owned));
        rest = after.trim_start();
    }
    Some(lines)
}

/// Reads the content of an edit. Its format depends on the lines that it replaces: code may look like HTML, and the
/// sign of an item is no Markdown in a list.
///
/// `lines` are those that it takes the place of.
///
/// # Errors
/// [`Error::MarkdownNotLoaded`], [`Error::UnsafeUrl`].
fn written(host: &dyn DocumentHost, document: &Document, lines: &[Line], edit: &LineEdit) -> Result<Written, Error> {
    let text = edit.content.as_str();
    let plain = |content: ContentKind| Ok(Written { content, from_markdown: false });
    if text.is_empty() {
        return plain(ContentKind::Empty);
    }
    let schema = document.schema();
    let is_code = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| schema.node_type(kind).code);
    let code = lines.iter().all(is_code);
    let bare = as_shown::without_numbers(as_shown::lines(text), lines);
    if code && edit.format.is_none() && !is_html_for_code(text, lines) {
        return plain(ContentKind::Text(as_shown::without_fence(bare)));
    }
    let new = tidy(document, lines, bare.clone());
    match edit.format.unwrap_or_else(|| range_format(text, &new)) {
        Format::Html if content::is_inline(text) && !code => plain(ContentKind::Inline(bare)),
        Format::Html => plain(ContentKind::Blocks(content::to_html(text))),
        // A host without any parser takes what only looks like Markdown for the text that it is as well.
        Format::Markdown if edit.format.is_some() || host.markdown().is_some() => {
            let stated = edit.format.is_some();
            let source = if stated { text.to_owned() } else { new.join("\n") };
            let html = checked(document, markdown::to_html(host, &source)?)?;
            let content = paragraphs(&html).map_or(ContentKind::Blocks(html), ContentKind::Marked);
            Ok(Written { content, from_markdown: true })
        }
        Format::Markdown | Format::Text if edit.format.is_some() => plain(ContentKind::Text(bare)),
        Format::Markdown | Format::Text => plain(ContentKind::Text(wrapping::without_blank_lines(new, lines))),
    }
}

/// Returns whether content for lines of code is HTML: a block of code, or blocks where the code has no tags.
fn is_html_for_code(text: &str, lines: &[Line]) -> bool {
    const BLOCKS: [&str; 12] = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "pre"];
    let tag = content::outer_tag(text).filter(|tag| BLOCKS.contains(&tag.as_str()));
    let is_block = tag.is_some_and(|tag| {
        tag == "pre" || text.trim_end().ends_with(&format!("</{tag}>")) || text.trim_end().ends_with('>')
    });
    is_block && (text.trim_start().starts_with("<pre") || !lines.iter().any(|line| line.text.contains('<')))
}

/// Returns content lines without the prefixes of the lines that they are to become.
pub fn tidy(document: &Document, lines: &[Line], new: Vec<String>) -> Vec<String> {
    if !new.iter().any(|text| Prefix::may_begin(text)) {
        return new;
    }
    let fates = fates(document, lines, &new, 0..lines.len());
    let mut tidied = new;
    let mut prefixes = as_shown::Prefixes::new(document);
    for (line, fate) in lines.iter().zip(&fates) {
        let all: Vec<usize> = fate.lines().collect();
        if !all.iter().any(|index| Prefix::may_begin(&tidied[*index])) {
            continue;
        }
        let prefix = prefixes.of(line);
        // A line whose text begins like its prefix keeps it: it cannot be known which of the two is meant.
        let is_ambiguous = !prefix.is_empty() && prefix.read(&line.text).is_some_and(|(given, _)| given == prefix);
        for index in all {
            let is_own = fate.own == Some(index);
            if is_own && (is_ambiguous || tidied[index] == line.text) {
                continue;
            }
            // What is added beside a heading is a paragraph, and has no sign.
            if (is_own || !prefix.is_heading())
                && let Some((_, text)) = prefix.read(&tidied[index])
            {
                tidied[index] = text.to_owned();
            }
        }
    }
    tidied
}

/// Pairs the lines of a document with new lines.
pub fn fates(document: &Document, lines: &[Line], new: &[String], preferred: Range<usize>) -> Vec<Fate> {
    let old: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    pair(document.schema(), &old, &new, preferred)
}
