//! Items of lists whose level changes: lines of a list that come back with another indent.
//!
//! The indent of a line is read as it is shown: two spaces for each item around it; a tab, or more spaces than the line
//! before has, is one level more. Where no level changes, the lines are not looked at here.

use super::as_shown;
use super::content::{self, Format};
use super::fit::{self, Placement};
use super::markdown::item;
use super::operation::LineEdit;
use super::pair::{Fate, pair};
use super::parent::Parent;
use super::retext;
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, Marks, Node, Schema, count_lines};
use std::ops::RangeInclusive;

/// A line of content that begins an item.
struct Row<'t> {
    /// The width of its indent; a tab is two.
    indent: usize,
    checked: Option<bool>,
    /// True if it has a number instead of a bullet.
    is_numbered: bool,
    text: &'t str,
}

/// An item of a list, without the lists in it.
#[derive(Clone)]
struct Entry {
    /// The number of items around it.
    level: usize,
    /// The list and the item that it is in, without their content.
    list: Node,
    item: Node,
    /// Its content without lists.
    body: Vec<Node>,
    /// The number of its first line.
    line: usize,
}

/// Returns plain text for items of a list, of which some are to stand at another level, as the whole list. None where
/// the content is not that.
pub fn items_of_text(
    document: &Document,
    range: &RangeInclusive<usize>,
    lines: &[Line],
    edit: &LineEdit,
) -> Option<Placement> {
    if edit.format.is_some_and(|format| format != Format::Markdown) || content::has_tag(&edit.content) {
        return None;
    }
    let text = as_shown::without_numbers(as_shown::lines(&edit.content), lines);
    let mut rows: Vec<Row> =
        text.iter().filter(|line| !line.trim().is_empty()).map(|line| row(line)).collect::<Option<_>>()?;
    let depth = list_depth(document, lines)?;
    // What the list is in, such as details, is an indent too.
    let prefix = as_shown::Prefixes::new(document).of(&lines[0]);
    let indents = prefix.signs().iter().filter(|sign| **sign == Sign::Indent).count();
    let outer = 2 * indents.saturating_sub(items_around(document, &lines[0], depth));
    if rows.iter().all(|row| row.indent >= outer) {
        rows.iter_mut().for_each(|row| row.indent -= outer);
    }
    let levels = levels(&rows, items_around(document, &lines[0], depth));
    let old: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let new: Vec<&str> = rows.iter().map(|row| row.text).collect();
    let fates = pair(document.schema(), &old, &new, 0..old.len());
    let moves = |(line, fate): (&Line, &Fate)| {
        let level = items_around(document, line, depth);
        fate.lines().any(|at| levels[at] != level)
    };
    if !lines.iter().zip(&fates).any(moves) {
        return None;
    }
    // One line with another text and without an indent says nothing about its level.
    if let ([line], [row]) = (lines, &rows[..])
        && row.indent == 0
        && row.text != line.text
    {
        return None;
    }
    let path = &lines[0].path[..=depth];
    let list = document.node_at(path)?;
    let around = document.lines_of_blocks(lines[0].block..lines[0].block + 1);
    let first = around.iter().find(|line| line.path.starts_with(path))?.line;
    let schema = document.schema();
    let mut entries = Vec::new();
    flatten(schema, list, 0, &mut first.clone(), &mut entries)?;
    let entries = changed(schema, entries, range, &fates, &rows, &levels)?;
    let blocks = nested(schema, &entries)?;
    let lines = first..=first + count_lines(schema, list) - 1;
    Some(Placement { lines, depth: Some(depth), blocks, old: vec![list.clone()] })
}

impl Row<'_> {
    /// Returns an empty list and an empty item as the sign of the line says; none where the schema has no such.
    fn list(&self, schema: &Schema) -> Option<(Node, Node)> {
        let (list, item) = match (self.checked, self.is_numbered) {
            (Some(_), _) => ("taskList", "taskItem"),
            (None, true) => ("orderedList", "listItem"),
            (None, false) => ("bulletList", "listItem"),
        };
        let empty = |name: &str| {
            let kind = schema.find_node(name)?;
            Some(Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE))
        };
        let (list, item) = (empty(list)?, empty(item)?);
        let item = match self.checked {
            Some(checked) => item.with_attrs(item.attrs().clone().with("checked", checked.into())),
            None => item,
        };
        Some((list, item))
    }
}

/// Returns whether content gives all lines of a list with the signs of another kind of list. Bullets are how
/// tasks are written where nobody ticks them: they make bullets of tasks only if no text changes, and so do other signs
/// where paragraphs stand beside the list.
pub fn states_other_list(document: &Document, lines: &[Line], new: &[String]) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let filled: Vec<&str> = new.iter().map(String::as_str).filter(|line| !line.trim().is_empty()).collect();
    if first.block == last.block {
        return is_other_list(document, lines, &filled, false);
    }
    let mut prefixes = as_shown::Prefixes::new(document);
    let mut is_paragraph = |line: &Line| prefixes.of(line).is_empty();
    let mut states = false;
    for block in lines.chunk_by(|a, b| a.block == b.block) {
        let Some(from) = lines.iter().position(|line| line.line == block[0].line) else { return false };
        let Some(given) = filled.get(from..from + block.len()).filter(|_| filled.len() == lines.len()) else {
            return false;
        };
        match fit::is_list(document.schema(), &document.blocks()[block[0].block]) {
            true => states |= is_other_list(document, block, given, true),
            false if !block.iter().all(&mut is_paragraph) => return false,
            false => {}
        }
    }
    states
}

/// Returns whether rows for all lines of an outermost list are those of another kind of list.
fn is_other_list(document: &Document, lines: &[Line], filled: &[&str], only_kind: bool) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let schema = document.schema();
    let path = list_depth(document, lines).map(|depth| &first.path[..=depth]);
    let Some((path, block)) = path.and_then(|path| Some((path, document.node_at(path)?))) else { return false };
    let is_whole = last.path.starts_with(path) && count_lines(schema, block) == lines.len();
    let rows: Option<Vec<Row>> = filled.iter().map(|line| row(line)).collect();
    let Some(rows) = rows.filter(|rows| is_whole && !rows.is_empty()) else { return false };
    let kind = |row: &Row| row.list(schema).map(|(list, _)| list.kind());
    let outer = rows.iter().map(|row| row.indent).min().unwrap_or(0);
    let mut kinds = rows.iter().filter(|row| row.indent == outer).map(kind);
    let Some(stated) = kinds.next().flatten() else { return false };
    let has_sign = lines.iter().any(|line| row(&line.text).is_some());
    // Where no text changes, each sign says what list its line is in.
    let is_in_other = |(row, line): (&Row, &Line)| {
        let lists = line.path.iter().enumerate().filter_map(|(depth, _)| document.node_at(&line.path[..=depth]));
        let innermost = lists.rev().find(|node| fit::is_list(schema, node));
        innermost.map(Node::kind) != kind(row)
    };
    let is_same_text = rows.len() == lines.len() && rows.iter().zip(lines).all(|(row, line)| row.text == line.text);
    let is_task = block.children().iter().any(|item| item.attrs().get("checked").is_some());
    kinds.all(|kind| kind == Some(stated))
        && !has_sign
        && (is_same_text && rows.iter().zip(lines).any(is_in_other)
            || stated != block.kind() && !only_kind && !is_task && (rows.len() > 1 || lines.len() > 1))
}

/// Returns whether each line of content is an item of a list, and none of the old lines begins so.
pub fn are_items(new: &[String], lines: &[Line]) -> bool {
    let mut filled = new.iter().filter(|line| !line.trim().is_empty()).peekable();
    filled.peek().is_some()
        && filled.all(|line| row(line).is_some())
        && !lines.iter().any(|line| row(&line.text).is_some())
}

/// Reads a line that begins an item.
fn row(line: &str) -> Option<Row<'_>> {
    let mut rest = line;
    while let Some((_, inside)) = Sign::Quote.read(rest) {
        rest = inside;
    }
    let text = rest.trim_start_matches([' ', '\t']);
    let indent = rest[..rest.len() - text.len()].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum();
    let task = Sign::Task { checked: false }.read(text).filter(|_| !text.starts_with('['));
    // Markdown knows no other numbers.
    let numbered = Sign::Number(1).read(text).filter(|_| item(text).is_some());
    let (sign, text) = task.or_else(|| Sign::Bullet.read(text)).or(numbered)?;
    let checked = if let Sign::Task { checked } = sign { Some(checked) } else { None };
    Some(Row { indent, checked, is_numbered: matches!(sign, Sign::Number(_)), text })
}

/// Returns the level of the outermost list that holds all lines, among their ancestors.
fn list_depth(document: &Document, lines: &[Line]) -> Option<usize> {
    let (first, last) = (lines.first()?, lines.last()?);
    let shared = first.path.iter().zip(&last.path).take_while(|(a, b)| a == b).count();
    let is_list =
        |depth: &usize| document.node_at(&first.path[..=*depth]).is_some_and(|n| fit::is_list(document.schema(), n));
    (0..shared.min(first.path.len())).find(is_list)
}

/// Returns how many items are around the item of a line, below the list at a level.
fn items_around(document: &Document, line: &Line, depth: usize) -> usize {
    let lists = (depth..line.path.len())
        .filter(|at| document.node_at(&line.path[..=*at]).is_some_and(|node| fit::is_list(document.schema(), node)));
    lists.count().saturating_sub(1)
}

/// Indents items that follow each other by two spaces for each level, as they are shown.
pub fn indent_as_shown(lines: &mut [String]) {
    for run in lines.chunk_by_mut(|a, b| row(a).is_some() && row(b).is_some()) {
        let rows: Option<Vec<Row>> = run.iter().map(|line| row(line).filter(|_| !line.starts_with('>'))).collect();
        let Some(rows) = rows.filter(|rows| rows.len() > 1) else { continue };
        let levels = levels(&rows, usize::MAX - 1);
        for (line, level) in run.iter_mut().zip(levels) {
            *line = Sign::Indent.to_string().repeat(level) + line.trim_start_matches([' ', '\t']);
        }
    }
}

/// Returns the levels of lines that are items of one list; none where one of them is no item.
pub fn of_items(lines: &[String]) -> Option<Vec<usize>> {
    let rows: Vec<Row> = lines.iter().map(|line| row(line)).collect::<Option<_>>()?;
    Some(levels(&rows, 0))
}

/// Returns the level of each row. `first` is that of the first line that they replace.
fn levels(rows: &[Row], first: usize) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut levels = Vec::with_capacity(rows.len());
    for row in rows {
        while open.last().is_some_and(|(indent, _)| *indent > row.indent) {
            open.pop();
        }
        let level = match open.last() {
            Some((indent, level)) if *indent == row.indent => *level,
            Some((_, level)) => level + 1,
            // The indent of a first line is its level, at most one deeper than the line was.
            None => (row.indent / 2).min(first + 1),
        };
        if open.last().is_none_or(|(indent, _)| *indent < row.indent) {
            open.push((row.indent, level));
        }
        levels.push(level);
    }
    levels
}

/// Collects the items of a list, each before those in it. None where an item has something behind a list in it.
fn flatten(schema: &Schema, list: &Node, level: usize, line: &mut usize, entries: &mut Vec<Entry>) -> Option<()> {
    for item in list.children() {
        let inner = item.children().iter().position(|child| fit::is_list(schema, child));
        let (body, lists) = item.children().split_at(inner.unwrap_or(item.children().len()));
        let empty = |node: &Node| node.with_children(Vec::new());
        entries.push(Entry { level, list: empty(list), item: empty(item), body: body.to_vec(), line: *line });
        *line += body.iter().map(|child| count_lines(schema, child)).sum::<usize>();
        match lists {
            [] => {}
            [list] => flatten(schema, list, level + 1, line, entries)?,
            _ => return None,
        }
    }
    Some(())
}

/// Returns the items with those of a range as the rows say. None where the range is not the first lines of items.
fn changed(
    schema: &Schema,
    entries: Vec<Entry>,
    range: &RangeInclusive<usize>,
    fates: &[Fate],
    rows: &[Row],
    levels: &[usize],
) -> Option<Vec<Entry>> {
    let meant = entries.iter().filter(|entry| range.contains(&entry.line));
    let is_one_line = |entry: &Entry| entry.body.len() == 1 && count_lines(schema, &entry.body[0]) == 1;
    if meant.clone().count() != fates.len() || !meant.clone().all(is_one_line) {
        return None;
    }
    let mut fates = fates.iter();
    let mut all = Vec::with_capacity(entries.len() + rows.len());
    for entry in entries {
        if !range.contains(&entry.line) {
            all.push(entry);
            continue;
        }
        let fate = fates.next()?;
        let with = |at: usize, is_own: bool| {
            let block = &entry.body[0];
            let empty = || Node::new(schema, block.kind(), schema.default_attrs(block.kind()), Vec::new(), Marks::NONE);
            let like = if is_own { block.clone() } else { empty() };
            let body = vec![retext::with_text(schema, &like, rows[at].text)];
            let attrs = if is_own { entry.item.attrs().clone() } else { schema.default_attrs(entry.item.kind()) };
            let attrs = match (rows[at].checked, attrs.get("checked").is_some()) {
                (Some(checked), true) => attrs.with("checked", checked.into()),
                _ => attrs,
            };
            let new = Entry { level: levels[at], item: entry.item.with_attrs(attrs), body, ..entry.clone() };
            // The sign of an item below this one says what list it begins.
            match !is_own && levels[at] > entry.level {
                true => rows[at].list(schema).map_or(new.clone(), |(list, item)| Entry { list, item, ..new }),
                false => new,
            }
        };
        all.extend(fate.before.iter().map(|at| with(*at, false)));
        all.extend(fate.own.map(|at| with(at, true)));
        all.extend(fate.after.iter().map(|at| with(*at, false)));
    }
    // No item is more than one level below the one before it.
    let mut deepest = 0;
    for entry in &mut all {
        entry.level = entry.level.min(deepest);
        deepest = entry.level + 1;
    }
    Some(all)
}

/// Returns items as lists in each other. None where an item takes no list, or where items of lists of several types
/// would stand in one.
fn nested(schema: &Schema, entries: &[Entry]) -> Option<Vec<Node>> {
    let Some(first) = entries.first() else { return Some(Vec::new()) };
    let mut items = Vec::new();
    let mut at = 0;
    while at < entries.len() {
        let entry = &entries[at];
        if entry.list.kind() != first.list.kind() {
            return None;
        }
        let inner = entries[at + 1..].iter().take_while(|other| other.level > entry.level).count();
        let lists = nested(schema, &entries[at + 1..at + 1 + inner])?;
        let children: Vec<Node> = entry.body.iter().cloned().chain(lists).collect();
        if !Parent::of(&entry.item).takes(schema, &children) {
            return None;
        }
        items.push(entry.item.with_children(children));
        at += inner + 1;
    }
    Some(vec![first.list.with_children(items)])
}
