//! Resolves an edit of lines: which top-level blocks become which.
//!
//! Content is plain text or HTML. Plain text leaves every line what it is and changes what it says. HTML with blocks in
//! it is taken as given; HTML of one line (`a <strong>b</strong>`) is the content of a line that stays what it is.

use super::apply::DocumentHost;
use super::as_shown;
use super::atoms::{Atoms, ShieldedEdit};
use super::content::{self, Format};
use super::fit::{self, Placement};
use super::guard::extent::{self, Extent};
use super::operation::LineEdit;
use super::pair::Fate;
use super::rewrite::{Content, LineChange, NewLine, rewrite};
use super::target::line_ranges;
use super::written::{ContentKind, Tidied, Written, checked, fates, tidy, whole_format, written_with};
use super::{attributes, echo, guard, levels, markdown, moved_text, neighbours, retext, segments, wrapping};
use crate::Error;
use copydesk_document::align::matches;
use copydesk_document::{Document, Line, Node};
use serde::Serialize;
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
        let edit = &with_rows_as_html(host, document, range, &edit)?;
        if let Some(mut placement) = rows_of_text(document, range, lines, edit)? {
            placement.blocks = atoms.restored(document.schema(), placement.blocks);
            resolved.reading = Some(Interpretation::Range);
            put(placement, range, &ranges, &mut changes)?;
            continue;
        }
        if let Some(mut placement) = levels::items_of_text(document, range, lines, edit) {
            placement.blocks = atoms.restored(document.schema(), placement.blocks);
            resolved.reading = Some(Interpretation::Range);
            put(placement, range, &ranges, &mut changes)?;
            continue;
        }
        let range = range.clone();
        let range_edit = RangeEdit { host, document, range, ranges: &ranges, lines, atoms: &atoms, is_compared };
        let written = written_with(host, document, lines, edit, &atoms)?;
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
/// for some of its cells.
fn with_rows_as_html(
    host: &dyn DocumentHost,
    document: &Document,
    range: &RangeInclusive<usize>,
    edit: &LineEdit,
) -> Result<LineEdit, Error> {
    let is_text = edit.format == Some(Format::Text) || content::has_tag(&edit.content);
    let rows = (!is_text).then(|| fit::markdown_rows(&as_shown::lines(&edit.content))).flatten();
    let Some(rows) = rows else { return Ok(edit.clone()) };
    let has_marks = host.markdown().is_some() && rows.iter().flatten().any(|cell| markdown::looks_like(cell));
    let is_part = || match &rows[..] {
        [row] => fit::is_part_of_row(document, &lines_around(document, range), range, row.len()),
        _ => false,
    };
    if !has_marks && !is_part() {
        return Ok(edit.clone());
    }
    let mut html = String::new();
    for row in rows {
        html += "<tr>";
        for cell in row {
            let cell = match has_marks {
                true => checked(document, markdown::to_html(host, &cell)?)?,
                false => content::escape(&cell),
            };
            html += &format!("<td>{cell}</td>");
        }
        html += "</tr>";
    }
    Ok(LineEdit { content: html, format: Some(Format::Html), ..edit.clone() })
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
        extent::check(document, all, Extent::default(), None)?;
        let expected = "the whole new document; to delete lines, name them with start_line and end_line".into();
        return Err(copydesk_base::Error::InvalidParameter {
            name: "content".into(),
            given: "nothing".into(),
            expected,
        }
        .into());
    }
    let atoms = Atoms::of_document(document);
    let stated = LineEdit { content: text.to_owned(), ..LineEdit::default() };
    let all_lines = document.lines();
    let ShieldedEdit { lines, edit, shield } = atoms.shielded_edit(&all_lines, &stated);
    let text = edit.content.as_str();
    if format != Some(Format::Text) {
        wrapping::check_complete(text, || lines.iter().map(|line| line.text.as_str()))?;
    }
    let bare = as_shown::without_numbers(as_shown::lines(text), &lines);
    let new = tidy(document, &lines, bare.clone());
    let (stated, format) = (format.is_some(), whole_format(text, &new.lines, format));
    let from_markdown = format == Format::Markdown && (stated || host.markdown().is_some());
    if from_markdown || format == Format::Html {
        let html = match from_markdown {
            true => checked(document, markdown::to_html(host, &bare.join("\n"))?)?,
            false => content::to_html(text),
        };
        let html = shield.html(html);
        let with = echo::restore(host, document, all.clone(), host.parse(&html, 0)?, &html)?;
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

/// A whole new document in plain text as edits of single ranges; none where it is HTML.
pub fn as_edits(document: &Document, text: &str, format: Option<Format>) -> Option<Vec<LineEdit>> {
    let lines = document.lines();
    let new = tidy(document, &lines, as_shown::without_numbers(as_shown::lines(text), &lines));
    let states_tasks = new.states.iter().any(Option::is_some);
    if whole_format(text, &new.lines, format) != Format::Text || text.trim().is_empty() || states_tasks {
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

struct RangeEdit<'a> {
    host: &'a dyn DocumentHost,
    document: &'a Document,
    range: RangeInclusive<usize>,
    /// The ranges of all edits of the call.
    ranges: &'a [RangeInclusive<usize>],
    /// The lines of the range.
    lines: &'a [Line],
    /// Their inline leaves.
    atoms: &'a Atoms,
    /// True if the content is compared with the lines around the range.
    is_compared: bool,
}

impl RangeEdit<'_> {
    fn edit(
        &self,
        edit: &LineEdit,
        written: &Written,
        may_be_whole: bool,
        changes: &mut Changes,
        not_applied: &mut Vec<NotApplied>,
    ) -> Result<Option<Interpretation>, Error> {
        let new = match &written.content {
            ContentKind::Empty => {
                self.remove(changes);
                return Ok(None);
            }
            ContentKind::Blocks(html) => return self.blocks(html, may_be_whole, changes, not_applied).map(Some),
            ContentKind::Inline(lines) if self.inline(lines, &[], Content::Inline, changes)? => {
                return Ok(Some(Interpretation::Range));
            }
            ContentKind::Marked(new) if self.inline(&new.lines, &new.states, Content::Marked, changes)? => {
                return Ok(Some(Interpretation::Range));
            }
            ContentKind::Inline(lines) | ContentKind::Marked(Tidied { lines, .. }) => {
                return self.blocks(&lines.join("\n"), may_be_whole, changes, not_applied).map(Some);
            }
            ContentKind::Text(new) => new,
        };
        let given = as_shown::lines(&edit.content);
        if may_be_whole && edit.format.is_none() && self.may_reappear(given.len()) {
            let lines = self.document.lines();
            let whole = tidy(self.document, &lines, as_shown::without_numbers(given, &lines));
            if self.reappears(&lines, &whole.lines) {
                self.of_whole_text(&lines, &whole, changes, not_applied);
                return Ok(Some(Interpretation::Document));
            }
        }
        let fates = fates(self.document, self.lines, &new.lines, 0..self.lines.len());
        changes.extend(text_changes(self.lines, &fates, new));
        Ok(Some(Interpretation::Range))
    }

    fn remove(&self, changes: &mut Changes) {
        changes.extend(self.range.clone().map(|line| (line, LineChange::Remove)));
    }

    /// Lines of inline HTML, with what they say of tasks; false where they are blocks after all, as tags of the app's
    /// own may be.
    fn inline(
        &self,
        new: &[String],
        states: &[Option<bool>],
        content: fn(Vec<Node>) -> Content,
        changes: &mut Changes,
    ) -> Result<bool, Error> {
        let mut blocks: Vec<Node> = Vec::with_capacity(new.len());
        for line in new {
            let at = self.lines.first().map_or(0, |line| line.block);
            match <[Node; 1]>::try_from(self.host.parse(&format!("<p>{line}</p>"), at)?) {
                Ok([block]) if self.document.schema().is_textblock(block.kind()) => blocks.push(block),
                _ => return Ok(false),
            }
        }
        // Of text that keeps its marks the forms are read where it is put beside the old text.
        if matches!(content(Vec::new()), Content::Inline(_)) {
            blocks = self.atoms.restored(self.document.schema(), blocks);
        }
        let contents = blocks.iter().map(|block| block.children().to_vec()).collect();
        self.put_inline(contents, states, content, &new.join("\n"), changes);
        Ok(true)
    }

    /// Inline content for the lines of the range, which stay what they are.
    fn put_inline(
        &self,
        contents: Vec<Vec<Node>>,
        states: &[Option<bool>],
        content: fn(Vec<Node>) -> Content,
        html: &str,
        changes: &mut Changes,
    ) {
        let blocks = |line: &Line| self.document.blocks()[line.block].clone();
        let mut old: Vec<Node> = self.lines.iter().map(blocks).collect();
        old.dedup_by(|a, b| a.ptr_eq(b));
        let schema = self.document.schema();
        let contents: Vec<Vec<Node>> =
            contents.into_iter().map(|nodes| attributes::keep(schema, &old, nodes, html)).collect();
        let texts: Vec<String> = contents.iter().map(|nodes| retext::flat_text(schema, nodes)).collect();
        let fates = fates(self.document, self.lines, &texts, 0..self.lines.len());
        for (line, fate) in self.lines.iter().zip(&fates) {
            let new = |index: usize| NewLine {
                content: content(contents[index].clone()),
                checked: states.get(index).copied().flatten(),
            };
            changes.push((line.line, change_of(fate, new)));
        }
    }

    /// HTML with blocks in it.
    fn blocks(
        &self,
        text: &str,
        may_be_whole: bool,
        changes: &mut Changes,
        not_applied: &mut Vec<NotApplied>,
    ) -> Result<Interpretation, Error> {
        let first = self.lines.first().map_or(0, |line| line.block);
        let last = self.lines.last().map_or(0, |line| line.block);
        let html = content::to_html(text);
        let mut blocks = self.host.parse(&fit::wrapped(&html), first)?;
        let mut reading = Interpretation::Range;
        if may_be_whole {
            let whole = Document::from_blocks(self.document.schema().clone(), blocks.clone());
            let new_lines = whole.lines();
            let texts: Vec<String> = new_lines.iter().map(|line| line.text.clone()).collect();
            let lines = if self.may_reappear(texts.len()) { self.document.lines() } else { Vec::new() };
            if self.reappears(&lines, &texts) {
                let fates = fates(self.document, &lines, &texts, self.range.start() - 1..*self.range.end());
                list_outside(&self.range, &lines, &fates, &texts, not_applied);
                blocks = self.taken_from(&whole, &new_lines, &fates);
                reading = Interpretation::Document;
            }
        }
        if self.is_compared && reading == Interpretation::Range {
            blocks = neighbours::trimmed_blocks(self.document, &self.range, blocks);
        }
        // Whole blocks keep what HTML cannot carry.
        let covered = self.document.line_numbers_of(first).start == *self.range.start()
            && self.document.line_numbers_of(last).end == *self.range.end() + 1;
        if covered {
            blocks = echo::restore(self.host, self.document, first..last + 1, blocks, &html)?;
        }
        blocks = self.atoms.restored(self.document.schema(), blocks);
        let lines = self.document.lines_of_blocks(first..last + 1);
        if let Some(contents) = fit::as_lines(self.document, &lines, &self.range, &blocks) {
            self.put_inline(contents, &[], Content::Inline, &html, changes);
            return Ok(reading);
        }
        let mut placement = fit::place(self.document, &lines, self.range.clone(), &html, blocks)?;
        placement.blocks = attributes::keep(self.document.schema(), &placement.old, placement.blocks, &html);
        put(placement, &self.range, self.ranges, changes)?;
        Ok(reading)
    }

    /// Of a whole new document what the lines of the range became: the nodes that hold them, as deep as one parent
    /// holds them all.
    fn taken_from(&self, whole: &Document, lines: &[Line], fates: &[Fate]) -> Vec<Node> {
        let own = &fates[self.range.start() - 1..*self.range.end()];
        let new: Vec<usize> = own.iter().flat_map(Fate::lines).collect();
        let (Some(first), Some(last)) = (new.iter().min(), new.iter().max()) else { return Vec::new() };
        let paths: Vec<&[usize]> = lines[*first..=*last].iter().map(|line| &line.path[..]).collect();
        let (from, to) = (paths[0], paths[paths.len() - 1]);
        let most = paths.iter().map(|path| path.len() - 1).min().unwrap_or(0);
        let shared = from.iter().zip(to).take(most).take_while(|(a, b)| a == b).count();
        let parent = from[..shared].iter().fold(whole.blocks(), |siblings, index| siblings[*index].children());
        let mut nodes = parent[from[shared]..=to[shared]].to_vec();
        // A textblock of which only some lines are meant gives only those.
        let schema = whole.schema();
        let cut = |node: &mut Node, first: usize, behind: usize| {
            if schema.is_textblock(node.kind()) {
                let segments = segments::split(schema, node);
                let kept = first..segments.len() - behind;
                *node = segments::join(schema, node, segments[kept].to_vec());
            }
        };
        let before = lines[..*first].iter().rev().take_while(|line| line.path == from).count();
        let behind = lines[last + 1..].iter().take_while(|line| line.path == to).count();
        if behind > 0
            && let Some(node) = nodes.last_mut()
        {
            cut(node, 0, behind);
        }
        if before > 0
            && let Some(node) = nodes.first_mut()
        {
            cut(node, before, 0);
        }
        nodes
    }

    /// Returns whether so many lines are enough for most of what stands outside the range. Looks at no more of the
    /// document than it takes to say that they are not.
    fn may_reappear(&self, count: usize) -> bool {
        let mut outside = 0;
        (0..self.document.blocks().len()).all(|block| {
            self.document.each_line(block..block + 1, &mut |line| {
                outside += usize::from(self.is_outside(line.line, line.text));
            });
            count as f64 >= WHOLE_FROM * outside as f64
        })
    }

    fn is_outside(&self, line: usize, text: &str) -> bool {
        !self.range.contains(&line) && !as_shown::comparable(text).is_empty()
    }

    /// Returns whether most of what stands outside the range reappears in order.
    fn reappears(&self, lines: &[Line], new: &[String]) -> bool {
        let outside: Vec<String> = lines
            .iter()
            .filter(|line| self.is_outside(line.line, &line.text))
            .map(|line| as_shown::comparable(&line.text))
            .collect();
        let new: Vec<String> = new.iter().map(|line| as_shown::comparable(line)).collect();
        let found: usize = matches(&outside, &new).iter().map(|run| run.len).sum();
        !outside.is_empty() && found as f64 >= WHOLE_FROM * outside.len() as f64
    }

    fn of_whole_text(&self, lines: &[Line], new: &Tidied, changes: &mut Changes, not_applied: &mut Vec<NotApplied>) {
        let fates = fates(self.document, lines, &new.lines, self.range.start() - 1..*self.range.end());
        changes.extend(text_changes(lines, &fates, new).filter(|(line, _)| self.range.contains(line)));
        list_outside(&self.range, lines, &fates, &new.lines, not_applied);
    }
}

fn list_outside(
    range: &RangeInclusive<usize>,
    lines: &[Line],
    fates: &[Fate],
    new: &[String],
    list: &mut Vec<NotApplied>,
) {
    for (line, fate) in lines.iter().zip(fates).filter(|(line, _)| !range.contains(&line.line)) {
        let content = fate.text(new);
        if fate.own.is_none() || as_shown::comparable(&content) != as_shown::comparable(&line.text) {
            let content = (!content.is_empty()).then_some(content);
            list.push(NotApplied { line: line.line, text: line.text.clone(), content });
        }
    }
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
