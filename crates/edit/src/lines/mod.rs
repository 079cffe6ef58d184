//! Resolves an edit of lines: which top-level blocks become which.
//!
//! Content is read row by row ([`rows`]), each row beside the line that it is; HTML with blocks is placed as blocks.

mod range_edit;

pub use crate::frames::without_document_type;
use crate::frames::without_elements;
use crate::unplaced::unplaced;

use crate::Error;
use crate::apply::DocumentHost;
use crate::as_shown;
use crate::atoms::{self, Atoms, ShieldedEdit};
use crate::content::Format;
use crate::guard::extent;
use crate::not_applied::NotApplied;
use crate::numbers::Old;
use crate::operation::LineEdit;
use crate::rows::InlineLine;
use crate::target::line_ranges;
use crate::{
    content, definitions, details, echo, elision, fence, guard, introduction, kept_marks, markdown, mixed, neighbours,
    numbers, repeated_code, rows, wrapping,
};
use copydesk_document::{Document, Line, Lines, Node};
use range_edit::RangeEdit;
use std::ops::{Range, RangeInclusive};

/// From this share of the lines outside the range on, content that repeats them is the whole document.
const WHOLE_FROM: f64 = 0.6;
/// The most edits of one call whose content is compared with the lines beside their ranges.
const MOST_COMPARED: usize = 20;
/// The most differences outside the range that are listed.
const MOST_LISTED: usize = 20;

/// Resolved edits of lines.
#[derive(Debug, Default)]
pub struct LinesResolved {
    /// The top-level blocks that change.
    pub blocks: Range<usize>,
    /// Their replacements.
    pub with: Vec<Node>,
    /// The interpretation of content that came with a range.
    pub reading: Option<Interpretation>,
    /// True if some of the content was Markdown.
    pub from_markdown: bool,
    /// Differences outside the range, which were not made.
    pub not_applied: Vec<NotApplied>,
}

/// The interpretation of content that came with a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpretation {
    /// As the whole document that contains the range.
    Document,
    /// As the new text of the range.
    Range,
}

impl Interpretation {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Interpretation::Document => "document",
            Interpretation::Range => "range",
        }
    }
}

/// Finds what edits of lines come to.
///
/// # Errors
/// [`Error::LineOutOfRange`], [`Error::OverlappingEdits`], [`Error::NotInSchema`].
pub fn resolve(host: &dyn DocumentHost, document: &Document, edits: &[LineEdit]) -> Result<LinesResolved, Error> {
    resolve_beside(host, document, edits, &[])
}

/// Does the same as [`resolve`] for a call that also changes the lines whose inline contents are `beside`: their leaves
/// may move here.
fn resolve_beside(
    host: &dyn DocumentHost,
    document: &Document,
    edits: &[LineEdit],
    beside: &[Vec<Node>],
) -> Result<LinesResolved, Error> {
    let edits = &restored(document, edits)[..];
    if let [LineEdit { start_line: None, end_line: None, content, format }] = edits {
        return whole(host, document, content, *format);
    }
    let ranges: Vec<_> = edits.iter().map(LineEdit::range).collect();
    let ranges = match (&line_ranges(&ranges, document.line_count())?[..], edits) {
        // Another edit may be about a line beside these.
        ([range], [edit]) => vec![neighbours::with_ticked(document, range, edit)],
        (ranges, _) => ranges.to_vec(),
    };
    let all = document.lines_at(ranges.iter().cloned());
    let lines = |range: &RangeInclusive<usize>| all.between(*range.start(), *range.end());
    let with_rows: Vec<LineEdit> = edits
        .iter()
        .zip(&ranges)
        .map(|(edit, range)| with_rows(document, lines(range), &unframed(document, lines(range), edit)))
        .collect();
    let edits = &with_rows[..];
    let are_rows = edits.iter().zip(&ranges).all(|(edit, range)| is_rows(document, lines(range), edit));
    match edits {
        _ if are_rows => by_rows(host, document, edits, &ranges, &all, beside),
        [edit] => by_blocks(host, document, edit, &ranges[0], &all, beside),
        _ => {
            let contents = |range| atoms::contents(document, &all.0, lines(range));
            one_by_one(host, document, edits, &ranges, &ranges.iter().map(contents).collect::<Vec<_>>())
        }
    }
}

/// Returns an edit without the elements that no HTML knows around its content, unless its lines are code.
fn unframed(document: &Document, lines: &[Line], edit: &LineEdit) -> LineEdit {
    let is_code = lines.iter().all(|line| line.is_code(document.schema()));
    // The fence is a wrapper: the code block is the HTML inside it.
    let html = fence::unfenced(&edit.content, fence::HTML);
    if is_code
        && edit.format != Some(Format::Text)
        && html.len() < edit.content.len()
        && mixed::is_html_for_code(html, lines)
    {
        return LineEdit { content: html.to_owned(), ..edit.clone() };
    }
    match edit.format == Some(Format::Text) || is_code || !edit.content.trim_start().starts_with('<') {
        true => edit.clone(),
        false => LineEdit { content: without_elements(edit.content.replace("\r\n", "\n"), lines), ..edit.clone() },
    }
}

/// Returns an edit with `<details>` between rows as rows, and with what it repeats from a Markdown file as it is shown,
/// unless its lines are code.
fn with_rows(document: &Document, lines: &[Line], edit: &LineEdit) -> LineEdit {
    let schema = document.schema();
    let is_read =
        edit.format.is_none_or(|format| format == Format::Markdown) && !lines.iter().all(|line| line.is_code(schema));
    let block = |line: Option<&Line>| line.and_then(|line| line.path.first().copied());
    let (true, Some(first), Some(last)) = (is_read, block(lines.first()), block(lines.last())) else {
        return edit.clone();
    };
    let content = definitions::resolved(&edit.content, edit.format, || lines.to_vec());
    let content = repeated_code::fenced(schema, &document.blocks()[first..last + 1], &content);
    let rows = details::as_rows(schema, &content);
    LineEdit { content: rows.unwrap_or_else(|| content.into_owned()), ..edit.clone() }
}

/// Returns whether content is read row by row. Code may look like HTML.
fn is_rows(document: &Document, lines: &[Line], edit: &LineEdit) -> bool {
    let is_code = || lines.iter().all(|line| line.is_code(document.schema()));
    match edit.format {
        Some(Format::Text) => true,
        Some(Format::Html) => edit.content.is_empty(),
        Some(Format::Markdown) => !content::is_html(&edit.content) && !markdown::is_blank(lines),
        None => !content::is_html(&edit.content) || is_code() && !mixed::is_html_for_code(&edit.content, lines),
    }
}

/// Resolves edits, including HTML, from the last to the first, so that each finds its lines.
fn one_by_one(
    host: &dyn DocumentHost,
    document: &Document,
    edits: &[LineEdit],
    ranges: &[RangeInclusive<usize>],
    contents: &[Vec<Vec<Node>>],
) -> Result<LinesResolved, Error> {
    let mut order: Vec<usize> = (0..edits.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(*ranges[*at].start()));
    let mut after = document.clone();
    let mut all = LinesResolved::default();
    let mut touched: Option<Range<usize>> = None;
    for at in order {
        let beside = [&contents[..at], &contents[at + 1..]].concat().concat();
        let resolved = resolve_beside(host, &after, &edits[at..=at], &beside)?;
        let blocks = resolved.blocks.clone();
        touched = Some(match touched {
            Some(touched) => blocks.start.min(touched.start)..touched.end.max(blocks.end),
            None => blocks.clone(),
        });
        all.reading = all.reading.or(resolved.reading);
        all.from_markdown |= resolved.from_markdown;
        after.splice(blocks, resolved.with);
    }
    all.blocks = touched.unwrap_or(0..0);
    let behind = document.blocks().len() - all.blocks.end;
    all.with = after.blocks()[all.blocks.start..after.blocks().len() - behind].to_vec();
    Ok(all)
}

/// Reads content row by row.
fn by_rows(
    host: &dyn DocumentHost,
    document: &Document,
    edits: &[LineEdit],
    ranges: &[RangeInclusive<usize>],
    all: &Lines,
    beside: &[Vec<Node>],
) -> Result<LinesResolved, Error> {
    if edits.is_empty() {
        return Ok(LinesResolved::default());
    }
    let mut contents = Vec::with_capacity(edits.len());
    let mut is_whole = false;
    for (edit, range) in edits.iter().zip(ranges) {
        let lines = all.between(*range.start(), *range.end());
        let atoms = Atoms::of_lines(document, &all.0, lines, beside);
        let edit = unwrapped(host, document, lines, edit, &atoms)?;
        let range_edit = RangeEdit { host, document, range: range.clone(), all, lines, atoms: &atoms };
        is_whole = edits.len() == 1 && range_edit.is_whole_text(&edit);
        let is_compared = !is_whole && edits.len() <= MOST_COMPARED;
        let edit = if is_compared { neighbours::trimmed(document, range, &edit) } else { edit };
        if is_compared {
            match neighbours::check_line(document, lines, &edit) {
                // Another edit changes that line.
                Err(Error::WrongLine { line, .. }) if ranges.iter().any(|range| range.contains(&line)) => {}
                checked => checked?,
            }
        }
        let is_text = edit.format == Some(Format::Text);
        let given = if is_whole { &document.lines()[..] } else { lines };
        let rows = match edit.content.is_empty() {
            true => Vec::new(),
            false if is_text => as_shown::lines(&edit.content),
            false => numbers::without_numbers(as_shown::lines(&edit.content), Old::These(given)),
        };
        // The end of the last line may be that of a blank one.
        let schema = document.schema();
        let is_blank = |line: &Line| {
            line.text.is_empty() && schema.find_node(&line.kind).is_some_and(|kind| schema.is_textblock(kind))
        };
        let is_code = || lines.iter().all(|line| line.is_code(schema));
        let ends_blank = edit.content.ends_with('\n') && (!is_text || is_code());
        let rows = match ends_blank && lines.last().is_some_and(is_blank) {
            true => [rows, vec![String::new()]].concat(),
            false => rows,
        };
        contents.push(rows::LinesContent { lines: range.clone(), rows: rows::Given::Lines(rows), format: edit.format });
    }
    let made =
        rows::of_lines(host, document, &contents, is_whole, beside)?.ok_or_else(|| unplaced(&edits[0].content))?;
    let lines = document.lines();
    let not_applied = made.not_applied.into_iter().map(|(line, content)| NotApplied {
        line,
        text: lines[line - 1].text.clone(),
        content,
    });
    let (blocks, with) = not_empty(host, document, made.replaced)?;
    let reading = if is_whole { Interpretation::Document } else { Interpretation::Range };
    let is_empty = edits.iter().all(|edit| edit.content.is_empty());
    let reading = (!is_empty).then_some(reading);
    let from_markdown = made.is_markdown && host.markdown().is_some();
    let not_applied = not_applied.take(MOST_LISTED).collect();
    Ok(LinesResolved { blocks, with, reading, from_markdown, not_applied })
}

/// Places HTML with blocks.
fn by_blocks(
    host: &dyn DocumentHost,
    document: &Document,
    edit: &LineEdit,
    range: &RangeInclusive<usize>,
    all: &Lines,
    beside: &[Vec<Node>],
) -> Result<LinesResolved, Error> {
    let lines = all.between(*range.start(), *range.end());
    let atoms = Atoms::of_lines(document, &all.0, lines, beside);
    let stated = &edit.content;
    let edit = unwrapped(host, document, lines, edit, &atoms)?;
    if edit.content != *stated {
        // The guards saw it escaped.
        guard::check_html(&[&edit.content], document)?;
    }
    neighbours::check_line(document, lines, &edit)?;
    let range_edit = RangeEdit { host, document, range: range.clone(), all, lines, atoms: &atoms };
    let mut resolved = range_edit.blocks(&edit)?;
    resolved.not_applied.truncate(MOST_LISTED);
    Ok(resolved)
}

/// Returns an edit without the wrapping of its content, as [`wrapping::unwrapped`] does. The text forms of `atoms` are
/// not read as anything else.
fn unwrapped(
    host: &dyn DocumentHost,
    document: &Document,
    lines: &[Line],
    edit: &LineEdit,
    atoms: &Atoms,
) -> Result<LineEdit, Error> {
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(lines, edit);
    let edit = wrapping::unwrapped(host, document, &lines, &edit)?;
    Ok(LineEdit { content: shield.text(edit.content), ..edit })
}

/// Returns the top-level blocks that contain some lines, and the blocks that replace them if the lines have other
/// inline content.
///
/// # Errors
/// [`Error::NotInSchema`] if there is no place for the content.
pub(super) fn with_contents(
    host: &dyn DocumentHost,
    document: &Document,
    contents: Vec<(RangeInclusive<usize>, Vec<InlineLine>)>,
) -> Result<rows::Replaced, Error> {
    let content = |(lines, contents): (RangeInclusive<usize>, Vec<InlineLine>)| rows::LinesContent {
        lines,
        rows: rows::Given::Inline(contents),
        format: Some(Format::Text),
    };
    let contents: Vec<rows::LinesContent> = contents.into_iter().map(content).collect();
    let made = rows::of_lines(host, document, &contents, false, &[])?;
    not_empty(host, document, made.ok_or_else(|| unplaced(""))?.replaced)
}

/// Returns replaced blocks, or an empty paragraph if none are left: a document is never empty.
fn not_empty(
    host: &dyn DocumentHost,
    document: &Document,
    (blocks, with): rows::Replaced,
) -> Result<rows::Replaced, Error> {
    match with.is_empty() && blocks.len() == document.blocks().len() {
        true => Ok((blocks, host.parse("<p></p>", 0)?)),
        false => Ok((blocks, with)),
    }
}

/// Returns the edits with shown forms replaced by the text of their lines, and with truncated lines completed.
pub fn restored(document: &Document, edits: &[LineEdit]) -> Vec<LineEdit> {
    let is_read = |edit: &&LineEdit| edit.format != Some(Format::Text);
    let is_named = |line: usize| {
        edits.iter().any(|LineEdit { start_line, end_line, .. }| match (start_line, end_line) {
            (None, None) => true,
            (start, end) => {
                let line = line as i64;
                start.or(*end).is_some_and(|start| start <= line) && end.or(*start).is_some_and(|end| line <= end)
            }
        })
    };
    let contents = edits.iter().filter(is_read).map(|edit| edit.content.as_str());
    let shown = as_shown::ShownLines::of(document, is_named, contents);
    let whole = |edit: &LineEdit| match is_read(&edit) {
        true => LineEdit { content: shown.restored(&edit.content), ..edit.clone() },
        false => edit.clone(),
    };
    edits.iter().map(whole).collect()
}

/// Content that is the whole new document.
fn whole(
    host: &dyn DocumentHost,
    document: &Document,
    text: &str,
    format: Option<Format>,
) -> Result<LinesResolved, Error> {
    let all = 0..document.blocks().len();
    if text.trim().is_empty() {
        let expected = "the whole new document; to delete lines, name them with start_line and end_line".into();
        return Err(copydesk_base::Error::InvalidParameter {
            name: "content".into(),
            given: "nothing".into(),
            expected,
        }
        .into());
    }
    if format == Some(Format::Text) {
        return whole_rows(host, document, text, format);
    }
    let lines = document.lines();
    let stated = LineEdit { content: text.to_owned(), format, ..LineEdit::default() };
    let text = &with_rows(document, &lines, &stated).content[..];
    let text = without_document_type(text.replace("\r\n", "\n"));
    let text = introduction::without_sentences(text, document, &lines);
    let text = &numbers::text_without_numbers(text, Old::These(&lines))[..];
    let is_html = format == Some(Format::Html)
        || content::is_html(text)
        || format == Some(Format::Markdown) && markdown::is_blank(&lines);
    let text = if is_html { text.to_owned() } else { wrapping::document_content(document, text, format) };
    elision::check(&text, document, &lines, false)?;
    let text = wrapping::without_comments(text, &lines);
    if !is_html {
        return whole_rows(host, document, &text, format);
    }
    let is_mixed = format != Some(Format::Html);
    let unfenced = wrapping::without_fence_around(text.clone(), &lines, document, format);
    if is_mixed && let Some(with) = mixed::blocks(host, document, all.clone(), &unfenced, format, false)? {
        return Ok(LinesResolved { blocks: all, with, from_markdown: true, ..LinesResolved::default() });
    }
    let atoms = Atoms::of_document(document);
    let stated = LineEdit { content: text, ..LineEdit::default() };
    let ShieldedEdit { lines: shielded, edit, shield } = atoms.shielded_edit(&lines, &stated);
    let text = wrapping::without_fence_around(edit.content, &shielded, document, format);
    let (html, from_markdown) = mixed::to_html(host, document, &text, format)?;
    let html = shield.html(html);
    let with = echo::restore(host, document, all.clone(), host.parse(&html, 0)?, &html)?;
    let with = if from_markdown { kept_marks::keep(document, &lines, &lines, with) } else { with };
    let with = atoms.restored(document.schema(), with);
    Ok(LinesResolved { blocks: all, with, from_markdown, ..LinesResolved::default() })
}

/// Rows that are the whole new document.
fn whole_rows(
    host: &dyn DocumentHost,
    document: &Document,
    text: &str,
    format: Option<Format>,
) -> Result<LinesResolved, Error> {
    let all = 0..document.blocks().len();
    let made = rows::of_blocks(host, document, all.clone(), text, format, false)?;
    let Some((with, from_markdown)) = made else {
        extent::check_text(document, &as_shown::lines(text))?;
        return Err(unplaced(text));
    };
    let from_markdown = from_markdown && host.markdown().is_some();
    Ok(LinesResolved { blocks: all, with, from_markdown, ..LinesResolved::default() })
}

/// A whole new document as edits of single ranges. `None` if it is HTML.
pub fn as_edits(document: &Document, text: &str, format: Option<Format>) -> Option<Vec<LineEdit>> {
    let is_text = format == Some(Format::Text);
    let is_html = format == Some(Format::Html) || format != Some(Format::Text) && content::is_html(text);
    if text.trim().is_empty() || is_html {
        return None;
    }
    let edit = |(lines, content): (RangeInclusive<usize>, String)| LineEdit {
        start_line: Some(*lines.start() as i64),
        end_line: Some(*lines.end() as i64),
        content,
        format,
    };
    Some(rows::as_edits(document, text, is_text)?.into_iter().map(edit).collect())
}
