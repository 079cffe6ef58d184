//! Resolves an edit of lines: which top-level blocks become which.
//!
//! Content is plain text or HTML. Plain text leaves every line what it is and changes what it says. HTML with blocks in
//! it is taken as given; HTML of one line (`a <strong>b</strong>`) is the content of a line that stays what it is.

mod range_edit;

use crate::Error;
use crate::apply::DocumentHost;
use crate::as_shown;
use crate::atoms::{Atoms, ShieldedEdit};
use crate::content::{self, Format};
use crate::fit::{self, Placement};
use crate::operation::LineEdit;
use crate::pair::Fate;
use crate::restated::{self, Signs};
use crate::rewrite::{Content, LineChange, NewLine, rewrite};
use crate::target::line_ranges;
use crate::tidied::Tidied;
use crate::written::{checked, fates, tidy, whole_format, written_with};
use crate::{echo, guard, kept_marks, levels, line_blocks, markdown, moved_text, neighbours, wrapping};
use copydesk_document::{Document, Line, Node};
use range_edit::RangeEdit;
use serde::Serialize;
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

/// From this share of the lines outside the range on, content that repeats them is the whole document.
pub(super) const WHOLE_FROM: f64 = 0.6;
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
    /// As the whole document, of which the range was taken.
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

/// A difference outside the stated range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotApplied {
    /// The line.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The text that the content has instead, or `None` if it has no such line.
    pub content: Option<String>,
}

/// Finds what edits of lines come to.
///
/// # Errors
/// [`Error::LineOutOfRange`], [`Error::OverlappingEdits`], [`Error::NotInSchema`].
pub fn resolve(host: &dyn DocumentHost, document: &Document, edits: &[LineEdit]) -> Result<LinesResolved, Error> {
    let edits = &uncut(document, edits)[..];
    if let [LineEdit { start_line: None, end_line: None, content, format }] = edits {
        return whole(host, document, content, *format);
    }
    let ranges: Vec<_> = edits.iter().map(LineEdit::range).collect();
    let ranges = line_ranges(&ranges, document.line_count())?;
    let mut resolved = LinesResolved::default();
    let mut changes = Changes::new();
    let all = document.lines_at(ranges.iter().cloned());
    let known = OnceCell::new();
    if let Some((blocks, with)) = by_rows(host, document, edits, &ranges, &all)? {
        (resolved.blocks, resolved.with) = (blocks, with);
        resolved.reading = Some(Interpretation::Range);
        return Ok(resolved);
    }
    for (edit, range) in edits.iter().zip(&ranges) {
        let lines = all.between(*range.start(), *range.end());
        let stated = &edit.content;
        let atoms = Atoms::of_lines(document, &all.0, lines);
        let edit = unwrapped(host, document, lines, edit, &atoms)?;
        if edit.content != *stated {
            // The guards saw it escaped.
            guard::check_html(&[&edit.content], document)?;
        }
        let is_compared = edits.len() <= MOST_COMPARED;
        let edit = if is_compared { neighbours::trimmed(document, range, &edit) } else { edit };
        if is_compared {
            neighbours::check_line(document, lines, &edit)?;
        }
        let (edit, has_marked_rows) = &with_rows_as_html(host, document, range, lines, &edit)?;
        let are_text = !has_marked_rows || edit.format == Some(Format::Html);
        if are_text && let Some(mut placement) = rows_of_text(document, range, lines, edit)? {
            placement.blocks = atoms.restored(document.schema(), placement.blocks);
            resolved.reading = Some(Interpretation::Range);
            put(placement, range, &ranges, &mut changes)?;
            continue;
        }
        let moved = levels::items_of_text(document, range, lines, edit);
        let has_marks = host.markdown().is_some() && edit.content.lines().any(markdown::has_inline_mark);
        let nested;
        let (moved, edit) = if has_marks && moved.is_some() {
            // Items with marks are read as Markdown, which knows their levels as well.
            let content = as_shown::without_numbers(as_shown::lines(&edit.content), lines).join("\n");
            nested = LineEdit { content, format: Some(Format::Markdown), ..edit.clone() };
            (None, &nested)
        } else {
            (moved, edit)
        };
        if let Some(mut placement) = moved {
            placement.blocks = atoms.restored(document.schema(), placement.blocks);
            resolved.reading = Some(Interpretation::Range);
            put(placement, range, &ranges, &mut changes)?;
            continue;
        }
        let range = range.clone();
        let range_edit = RangeEdit {
            host,
            document,
            range,
            ranges: &ranges,
            all: &all,
            known: &known,
            lines,
            atoms: &atoms,
            is_compared,
        };
        let is_whole = edits.len() == 1 && range_edit.is_whole_text(edit);
        let mut written = written_with(host, document, lines, edit, &atoms, is_whole)?;
        written.from_markdown |= has_marked_rows;
        resolved.from_markdown |= written.from_markdown;
        if let Some(reading) =
            range_edit.edit(edit, &written, edits.len() == 1, &mut changes, &mut resolved.not_applied)?
        {
            resolved.reading = Some(reading);
        }
    }
    resolved.not_applied.truncate(MOST_LISTED);
    moved_text::carry(document, &mut changes);
    (resolved.blocks, resolved.with) = rewrite(document, &changes.into_iter().collect())?;
    Ok(resolved)
}

/// Reads content row by row, where all of it can be read so.
fn by_rows(
    host: &dyn DocumentHost,
    document: &Document,
    edits: &[LineEdit],
    ranges: &[RangeInclusive<usize>],
    all: &copydesk_document::Lines,
) -> Result<Option<crate::rows::Replaced>, Error> {
    let is_plain = |edit: &LineEdit| {
        edit.format.is_none()
            && !edit.content.is_empty()
            && (!content::has_tag(&edit.content) || content::is_inline(&edit.content))
    };
    if !edits.iter().all(is_plain) {
        return Ok(None);
    }
    let mut contents = Vec::with_capacity(edits.len());
    for (edit, range) in edits.iter().zip(ranges) {
        let lines = all.between(*range.start(), *range.end());
        let atoms = Atoms::of_lines(document, &all.0, lines);
        let edit = unwrapped(host, document, lines, edit, &atoms)?;
        let is_compared = edits.len() <= MOST_COMPARED;
        let edit = if is_compared { neighbours::trimmed(document, range, &edit) } else { edit };
        if is_compared {
            neighbours::check_line(document, lines, &edit)?;
        }
        let known = OnceCell::new();
        let (range_of, atoms) = (range.clone(), &atoms);
        let range_edit =
            RangeEdit { host, document, range: range_of, ranges, all, known: &known, lines, atoms, is_compared };
        if edits.len() == 1 && range_edit.is_whole_text(&edit) {
            return Ok(None);
        }
        let rows = as_shown::without_numbers(as_shown::lines(&edit.content), lines);
        contents.push(crate::rows::LinesContent { lines: range.clone(), rows });
    }
    Ok(crate::rows::of_lines(host, document, &contents))
}

/// Returns an edit without what is written around its content, as [`wrapping::unwrapped`] does. The text forms of
/// `atoms` mean nothing else.
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

/// Returns an edit with rows of Markdown as rows of HTML where there are marks in them, or where a whole row is given
/// for some of its cells; and whether there are marks of Markdown in them.
fn with_rows_as_html(
    host: &dyn DocumentHost,
    document: &Document,
    range: &RangeInclusive<usize>,
    lines: &[Line],
    edit: &LineEdit,
) -> Result<(LineEdit, bool), Error> {
    let unchanged = || Ok((edit.clone(), false));
    let has_tags = content::has_tag(&edit.content);
    if edit.format == Some(Format::Text)
        || has_tags && !content::is_inline(&edit.content) && !edit.content.contains('|')
    {
        return unchanged();
    }
    let text = as_shown::lines(&edit.content);
    let text_has_head = text.get(1).is_some_and(|line| fit::is_table_rule(line));
    let around = lines_around(document, range);
    let is_in_row = || lines.iter().any(|line| fit::is_in_row(document, line));
    let rows = fit::markdown_rows(&text).filter(|_| !has_tags || is_in_row());
    let rows = rows.or_else(|| {
        let is_text = !has_tags || content::is_inline(&edit.content);
        let text = is_text.then(|| as_shown::without_numbers(text, lines))?;
        fit::rows_of_cells(document, &around, range, &text)
    });
    let Some(rows) = rows else { return unchanged() };
    // Markdown has no sign for a break in a cell.
    let may_have_marks = !has_tags || content::is_inline(&edit.content);
    let has_marks = may_have_marks
        && host.markdown().is_some()
        && rows.iter().flatten().any(|cell| Format::of(cell) == Format::Markdown);
    let columns = fit::columns_of(document, lines);
    if has_marks && edit.format.is_none() && fit::is_whole_table(document, lines) && columns[..] != [rows[0].len()] {
        let content =
            restated::as_markdown(document, lines, &as_shown::without_numbers(as_shown::lines(&edit.content), lines));
        return Ok((LineEdit { content, format: Some(Format::Markdown), ..edit.clone() }, true));
    }
    let has_long_cells = || {
        is_in_row()
            && fit::has_long_cells(document, &around, range)
            && rows.iter().all(|row| columns[..] == [row.len()])
    };
    let is_part = || match &rows[..] {
        [row] => fit::is_part_of_row(document, &around, range, row.len()),
        _ => false,
    };
    if !has_tags && !has_marks && !is_part() && !has_long_cells() {
        return unchanged();
    }
    let mut html = String::new();
    let is_head = text_has_head && lines.first().is_some_and(|line| fit::is_first_row(document, line));
    for (at, row) in rows.into_iter().enumerate() {
        let name = if at == 0 && is_head { "th" } else { "td" };
        html += "<tr>";
        for cell in row {
            let cell = match has_marks {
                true => checked(document, markdown::to_html(host, &cell)?)?,
                false if has_tags => cell,
                false => content::escape(&cell),
            };
            html += &format!("<{name}>{cell}</{name}>");
        }
        html += "</tr>";
    }
    Ok((LineEdit { content: html, format: Some(Format::Html), ..edit.clone() }, has_marks))
}

/// Returns the rows of a table that plain text for whole rows comes to.
fn rows_of_text(
    document: &Document,
    range: &RangeInclusive<usize>,
    lines: &[Line],
    edit: &LineEdit,
) -> Result<Option<Placement>, Error> {
    if edit.content.trim().is_empty() || edit.format == Some(Format::Html) || content::has_tag(&edit.content) {
        return Ok(None);
    }
    let text = as_shown::without_numbers(as_shown::lines(&edit.content), lines);
    // One line for each line is what these become, row by row or not.
    let count = text.iter().filter(|line| !line.trim().is_empty()).count();
    if count == lines.len() && (edit.format == Some(Format::Text) || !edit.content.contains('|')) {
        return Ok(None);
    }
    fit::text_rows(document, &lines_around(document, range), range.clone(), &text)
}

/// Returns the lines of the top-level blocks that a range touches.
fn lines_around(document: &Document, range: &RangeInclusive<usize>) -> Vec<Line> {
    document.lines_of_blocks(document.block_of_line(*range.start())..document.block_of_line(*range.end()) + 1)
}

/// Puts blocks where they have their place. Fails where that is also the place of another edit.
fn put(
    placement: Placement,
    range: &RangeInclusive<usize>,
    ranges: &[RangeInclusive<usize>],
    changes: &mut Changes,
) -> Result<(), Error> {
    let Placement { lines, depth, blocks, .. } = placement;
    let others = ranges.iter().filter(|other| *other != range);
    let mut overlapping = others.filter(|other| other.start() <= lines.end() && lines.start() <= other.end());
    if let Some(other) = overlapping.next() {
        let (first, second) = ((*range.start(), *range.end()), (*other.start(), *other.end()));
        return Err(Error::OverlappingEdits { first, second });
    }
    changes.extend(lines.clone().map(|line| (line, LineChange::Remove)));
    changes.push((*lines.start(), LineChange::Blocks { blocks, last: *lines.end(), depth }));
    Ok(())
}

/// Line changes in any order. The last change of a line wins.
type Changes = Vec<(usize, LineChange)>;

/// Returns the edits with the full text of lines that were shown truncated.
pub fn uncut(document: &Document, edits: &[LineEdit]) -> Vec<LineEdit> {
    let ends = as_shown::LineEnds::of(document, edits.iter().map(|edit| edit.content.as_str()));
    let whole = |edit: &LineEdit| ends.restored(&edit.content).into_owned();
    edits.iter().map(|edit| LineEdit { content: whole(edit), ..edit.clone() }).collect()
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
    if format.is_none()
        && let Some(with) = crate::rows::as_shown(host, document, all.clone(), text)
    {
        return Ok(LinesResolved { blocks: all, with, ..LinesResolved::default() });
    }
    let atoms = Atoms::of_document(document);
    let stated = LineEdit { content: text.to_owned(), ..LineEdit::default() };
    let all_lines = document.lines();
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(&all_lines, &stated);
    let unfenced = match format {
        Some(Format::Text) => edit.content.clone(),
        _ => wrapping::without_fence_around(edit.content.clone(), &lines, document, format),
    };
    let text = unfenced.as_str();
    if format != Some(Format::Text) {
        crate::elision::check(text, || lines.iter().map(|line| line.text.as_str()).collect(), false)?;
    }
    let bare = as_shown::without_numbers(as_shown::lines(text), &lines);
    let new = tidy(document, &lines, bare.clone()).without_separators(document, &lines);
    let stated = format.is_some();
    let states_blocks = !stated
        && host.markdown().is_some()
        && (!content::has_tag(text) || content::is_inline(text))
        && restated::signs(document, &lines, &bare) == Signs::OtherBlocks;
    let (new, format) = match states_blocks {
        true => (new, Format::Markdown),
        false => whole_text(document, &lines, text, new, format),
    };
    let from_markdown = format == Format::Markdown && (stated || host.markdown().is_some());
    if from_markdown || format == Format::Html {
        let html = match from_markdown {
            true => {
                let source =
                    if states_blocks { restated::as_markdown(document, &lines, &bare) } else { bare.join("\n") };
                let source = if stated { source } else { line_blocks::lines_apart(&source) };
                checked(document, markdown::to_html(host, &source)?)?
            }
            false => content::to_html(text),
        };
        let html = shield.html(html);
        let with = echo::restore(host, document, all.clone(), host.parse(&html, 0)?, &html)?;
        let with = if from_markdown { kept_marks::keep(document, &all_lines, &all_lines, with) } else { with };
        let with = atoms.restored(document.schema(), with);
        return Ok(LinesResolved { blocks: all, with, from_markdown, ..LinesResolved::default() });
    }
    let fates = fates(document, &lines, &new.lines, 0..lines.len());
    let new = Tidied { lines: new.lines.into_iter().map(|line| shield.text(line)).collect(), ..new };
    let mut changes: Changes = text_changes(&all_lines, &fates, &new).collect();
    moved_text::carry(document, &mut changes);
    let (blocks, with) = rewrite(document, &changes.into_iter().collect())?;
    Ok(LinesResolved { blocks, with, ..LinesResolved::default() })
}

/// Returns the lines of a whole new document, and its format: what looks like Markdown only because of the signs with
/// which the document is shown is text.
fn whole_text(document: &Document, old: &[Line], text: &str, new: Tidied, stated: Option<Format>) -> (Tidied, Format) {
    match whole_format(text, &new.lines, old, stated) {
        Format::Markdown if stated.is_none() => match new.clone().given_as_shown(document, old) {
            Some(shown) => (shown, Format::Text),
            None => (new, Format::Markdown),
        },
        Format::Text if stated.is_none() && new.moves_leaves(document, old) => (new, Format::Markdown),
        format => (new, format),
    }
}

/// A whole new document in plain text as edits of single ranges; none where it is HTML.
pub fn as_edits(document: &Document, text: &str, format: Option<Format>) -> Option<Vec<LineEdit>> {
    let lines = document.lines();
    let new = tidy(document, &lines, as_shown::without_numbers(as_shown::lines(text), &lines));
    let new = new.without_separators(document, &lines);
    let states_tasks = new.states.iter().any(Option::is_some);
    let (new, format) = whole_text(document, &lines, text, new, format);
    if format != Format::Text || text.trim().is_empty() || states_tasks {
        return None;
    }
    let fates = fates(document, &lines, &new.lines, 0..lines.len());
    let mut edits: Vec<LineEdit> = Vec::new();
    for (line, fate) in lines.iter().zip(&fates).filter(|(line, fate)| text_change(line, fate, &new).is_some()) {
        let mut content = fate.text(&new.lines);
        // No content deletes a line; an empty one is a newline, and one at the end needs its own.
        if fate.own.is_some() && (content.is_empty() || content.ends_with('\n')) {
            content.push('\n');
        }
        let number = Some(line.line as i64);
        edits.push(LineEdit { start_line: number, end_line: number, content, format: Some(Format::Text) });
    }
    Some(edits)
}

/// Returns the changes of lines in plain text.
fn text_changes<'a>(
    lines: &'a [Line],
    fates: &'a [Fate],
    new: &'a Tidied,
) -> impl Iterator<Item = (usize, LineChange)> + 'a {
    let pairs = lines.iter().zip(fates);
    pairs.filter_map(move |(line, fate)| Some((line.line, text_change(line, fate, new)?)))
}

/// Returns the change of a line in plain text, or `None` if it stays as it is.
fn text_change(line: &Line, fate: &Fate, new: &Tidied) -> Option<LineChange> {
    let same = fate.own.is_some_and(|own| new.lines[own] == line.text);
    let states_task = fate.own.is_some_and(|own| new.states[own].is_some());
    if same && !states_task && fate.before.is_empty() && fate.after.is_empty() {
        return None;
    }
    Some(change_of(fate, |index| NewLine {
        content: match fate.own {
            Some(own) if own == index && same => Content::Same,
            _ => Content::Text(new.lines[index].clone()),
        },
        checked: new.states[index],
    }))
}

pub(super) fn change_of(fate: &Fate, new: impl Fn(usize) -> NewLine) -> LineChange {
    match fate.own {
        Some(own) => LineChange::Lines {
            before: fate.before.iter().map(|index| new(*index)).collect(),
            own: new(own),
            after: fate.after.iter().map(|index| new(*index)).collect(),
        },
        None => LineChange::Remove,
    }
}
