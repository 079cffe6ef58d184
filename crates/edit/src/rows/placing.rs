//! Places the rows of content in the tree.

use super::pairing::pair;
use super::shown::{self, Kind, ShownRow, Vocabulary};
use super::{Ids, Link, Row, assemble, flatten};
use crate::apply::DocumentHost;
use crate::atoms::Atoms;
use crate::phrases::only_place;
use crate::{as_shown, content, formulas, guard, markdown, retext};
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, Marks, Node, Schema, join_texts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{Range, RangeInclusive};

/// The share of rows that must be those of the document, out of 100, for content to be in its notation.
const LEAST_EQUAL: usize = 50;

/// Returns blocks that replace some top-level blocks whose lines were given again as they are shown. `None` if the content
/// is not in that notation, or states what the schema does not allow.
pub fn as_shown(
    host: &dyn DocumentHost,
    document: &Document,
    blocks: Range<usize>,
    content: &str,
) -> Option<Vec<Node>> {
    let mut builder = Builder::new(host, document, blocks)?;
    let bare = as_shown::without_numbers(as_shown::lines(content), &builder.lines.clone());
    let given = shown::read(&bare, &Vocabulary::of(builder.schema, &builder.old));
    let stated = given.iter().any(is_signed);
    let given = if stated { given } else { given.into_iter().map(unindented).collect() };
    let mut rows = Given::new(&builder.old, 0, given, stated);
    let filled = |row: &&ShownRow| !row.text.is_empty();
    let equal = rows.rows.iter().zip(&rows.pairs).filter(|(row, pair)| {
        filled(row)
            && pair.is_some_and(|at| builder.old[at].key(true) == row.key(true) || builder.old[at].text == row.text)
    });
    let equal = equal.count();
    if 100 * equal < LEAST_EQUAL * rows.rows.iter().filter(filled).count() || equal == 0 {
        return None;
    }
    let old = 0..builder.old.len();
    builder.range(&mut rows, old, None)?;
    builder.finish()
}

/// A range of top-level blocks, and what replaces them.
pub type Replaced = (Range<usize>, Vec<Node>);

/// The content of some lines.
pub struct LinesContent {
    /// The numbers of the lines.
    pub lines: RangeInclusive<usize>,
    /// The rows of the content, without line numbers.
    pub rows: Vec<String>,
}

impl LinesContent {
    /// Returns the texts of cells, if the lines are whole rows of a table and each row of the content has one of them in
    /// columns: between tabs, or between commas where no cell has one.
    fn columns(&self, old: &[Row], schema: &Schema) -> Option<Vec<String>> {
        let row_of = |row: &Row| row.path.iter().find(|link| link.node.name(schema) == "tableRow").cloned();
        let rows: Vec<Link> = old.iter().map(row_of).collect::<Option<_>>()?;
        let groups: Vec<&[Link]> = rows.chunk_by(|a, b| a.id == b.id).collect();
        if groups.len() != self.rows.len() || groups.iter().any(|group| group.len() != group[0].node.children().len()) {
            return None;
        }
        let has_comma = |row: &Row| retext::flat_text(schema, &row.inline).contains([',', '，']);
        let split = |text: &str, count: usize| -> Option<Vec<String>> {
            let by = |sign: &[&str]| {
                let sign = sign.iter().find(|sign| text.contains(**sign))?;
                let parts: Vec<String> = text.split(*sign).map(|part| part.trim().to_owned()).collect();
                (parts.len() == count && count > 1).then_some(parts)
            };
            by(&["\t"]).or_else(|| (!old.iter().any(has_comma)).then(|| by(&[", ", "，"])).flatten())
        };
        let cells = self.rows.iter().zip(&groups).map(|(text, group)| split(text, group.len()));
        Some(cells.collect::<Option<Vec<_>>>()?.concat())
    }
}

/// Returns the top-level blocks that some lines are in, and what they become with other lines in their places. `None` if
/// the content cannot be read row by row.
pub fn of_lines(host: &dyn DocumentHost, document: &Document, edits: &[LinesContent]) -> Option<Replaced> {
    let mut sorted: Vec<&LinesContent> = edits.iter().collect();
    sorted.sort_by_key(|edit| *edit.lines.start());
    let first = document.block_of_line(*sorted.first()?.lines.start());
    let last = document.block_of_line(*sorted.last()?.lines.end());
    let blocks = first..last + 1;
    let before = document.line_numbers_of(first).start;
    let mut builder = Builder::new(host, document, blocks.clone())?;
    let vocabulary = Vocabulary::of(builder.schema, &builder.old);
    let mut at = 0;
    let mut is_stated = false;
    for edit in sorted {
        let range = edit.lines.start() - before..edit.lines.end() + 1 - before;
        (at..range.start).try_for_each(|at| builder.same(at))?;
        let old = &builder.old[range.clone()];
        let is_code = old.iter().all(|row| row.is_code());
        if edit.rows.iter().any(|row| shown::has_cells(row))
            || is_code && !edit.rows.iter().any(|row| row.contains("```"))
        {
            return None;
        }
        let columns = edit.columns(&builder.old_rows[range.clone()], builder.schema);
        let given = match &columns {
            Some(cells) => cells
                .iter()
                .zip(old)
                .map(|(cell, old)| ShownRow { text: cell.clone(), raw: cell.clone(), ..old.clone() })
                .collect(),
            None => shown::read(&edit.rows, &vocabulary),
        };
        let stated = statement(old, &given)?;
        is_stated |= stated || given.iter().any(|row| row.kind != Kind::Text);
        let given = if stated { with_base(old, given) } else { given };
        let mut rows = Given::new(old, range.start, given, stated);
        if stated && !all_signed(&builder.old, &rows) {
            return None;
        }
        builder.range(&mut rows, range.clone(), Some(range.end))?;
        at = range.end;
    }
    (at..builder.old.len()).try_for_each(|at| builder.same(at))?;
    is_stated.then(|| builder.finish()).flatten().map(|made| (blocks, made))
}

/// Returns whether a row states what it is in. Spaces alone may be its text.
fn is_signed(row: &ShownRow) -> bool {
    row.signs.iter().any(|sign| *sign != Sign::Indent) || row.is_code()
}

/// Returns a row whose spaces are its text.
fn unindented(row: ShownRow) -> ShownRow {
    if row.signs.is_empty() { row } else { ShownRow { signs: Vec::new(), text: row.raw.clone(), ..row } }
}

/// Returns whether the rows of content state containers by their signs. `None` if that cannot be known.
fn statement(old: &[ShownRow], new: &[ShownRow]) -> Option<bool> {
    // A text that begins like a sign cannot be told from one.
    let begins = |row: &ShownRow| !row.is_code() && shown::begins(&row.text);
    if old.iter().any(begins) {
        return None;
    }
    Some(new.iter().any(is_signed))
}

/// Returns rows with the signs of the containers that all old rows are in and that content for a few lines leaves out: those
/// of quotations if no row has one, and the indent of the first old row if the first row has its other signs. Without
/// its indent the same text has another place, which is what is meant if nothing else changes.
fn with_base(old: &[ShownRow], new: Vec<ShownRow>) -> Vec<ShownRow> {
    let quotes = |row: &ShownRow| row.signs.iter().take_while(|sign| **sign == Sign::Quote).count();
    let around = old.iter().map(quotes).min().unwrap_or(0);
    let missing = around.saturating_sub(new.iter().map(quotes).min().unwrap_or(0));
    let with = |base: &[Sign], row: &ShownRow| ShownRow { signs: [base, &row.signs].concat(), ..row.clone() };
    let new: Vec<ShownRow> = new.iter().map(|row| with(&vec![Sign::Quote; missing], row)).collect();
    let (Some(first), Some(given)) = (old.first(), new.first()) else { return new };
    let base = vec![Sign::Indent; first.signs.len().saturating_sub(given.signs.len())];
    let indented: Vec<ShownRow> = new
        .iter()
        .map(|row| {
            let (quotes, rest) = row.signs.split_at(quotes(row));
            ShownRow { signs: [quotes, &base, rest].concat(), ..row.clone() }
        })
        .collect();
    let is_same =
        indented.len() == old.len() && indented.iter().zip(old).all(|(new, old)| new.key(true) == old.key(true));
    if base.is_empty() || is_same || !indented[0].has_signs_of(first) { new } else { indented }
}

/// Returns whether each row that is paired with one that is shown with signs has signs.
fn all_signed(old: &[ShownRow], given: &Given) -> bool {
    given.rows.iter().zip(&given.pairs).all(|(row, pair)| {
        let was = pair.map(|at| &old[at]);
        was.is_none_or(|was| was.signs.is_empty() || !row.signs.is_empty() || row.is_code())
    })
}

/// Rows of content, with the old rows that they are.
struct Given {
    rows: Vec<ShownRow>,
    pairs: Vec<Option<usize>>,
    /// True if their signs state the containers.
    stated: bool,
}

impl Given {
    /// Pairs rows with the old ones, the first of which has the index `from`. Blank rows that no old row is separate others.
    fn new(old: &[ShownRow], from: usize, rows: Vec<ShownRow>, stated: bool) -> Given {
        let pairs = pair(old, &rows);
        let is_outer = |sign: &Sign| matches!(sign, Sign::Indent | Sign::Quote);
        let is_blank = |row: &ShownRow| row.kind == Kind::Text && row.text.is_empty() && row.signs.iter().all(is_outer);
        let code_at = |at: Option<usize>| at.map(|at| &old[at].kind).filter(|kind| matches!(kind, Kind::Code { .. }));
        // Between two lines of one block of code a blank row is one of its lines.
        let is_in_code = |at: usize| {
            let before = code_at(pairs[..at].iter().rev().find_map(|pair| *pair));
            before.is_some() && before == code_at(pairs[at + 1..].iter().find_map(|pair| *pair))
        };
        let stays: Vec<bool> =
            (0..rows.len()).map(|at| pairs[at].is_some() || !is_blank(&rows[at]) || is_in_code(at)).collect();
        let kept = rows.into_iter().zip(pairs).zip(stays).filter(|(_, stays)| *stays).map(|(row, _)| row);
        let (rows, pairs) = kept.map(|(row, pair)| (row, pair.map(|at| at + from))).unzip();
        Given { rows, pairs, stated }
    }
}

struct Builder<'a> {
    host: &'a dyn DocumentHost,
    document: &'a Document,
    schema: &'a Schema,
    ids: Ids,
    lines: Vec<Line>,
    old: Vec<ShownRow>,
    old_rows: Vec<Row>,
    /// The first row of each old node.
    first_rows: FxHashMap<u32, usize>,
    out: Vec<Row>,
    /// The nodes that the rows so far are in.
    live: FxHashSet<u32>,
    /// The paths of old containers that have another place now.
    moved: FxHashMap<u32, Vec<Link>>,
    /// The paths of blocks of code of the content.
    code: FxHashMap<usize, Vec<Link>>,
}

impl<'a> Builder<'a> {
    fn new(host: &'a dyn DocumentHost, document: &'a Document, blocks: Range<usize>) -> Option<Builder<'a>> {
        let schema = document.schema();
        let lines = document.lines_of_blocks(blocks.clone());
        let mut ids = Ids::default();
        let old_rows = flatten(schema, &document.blocks()[blocks], &mut ids);
        if lines.len() != old_rows.len() {
            return None;
        }
        let mut first_rows: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, row) in old_rows.iter().enumerate() {
            row.path.iter().for_each(|link| {
                first_rows.entry(link.id).or_insert(at);
            });
        }
        let old = shown::of_lines(document, &lines);
        Some(Builder {
            host,
            document,
            schema,
            ids,
            lines,
            old,
            old_rows,
            first_rows,
            out: Vec::new(),
            live: FxHashSet::default(),
            moved: FxHashMap::default(),
            code: FxHashMap::default(),
        })
    }

    fn finish(self) -> Option<Vec<Node>> {
        let made = assemble(self.schema, &self.out)?;
        has_even_tables(self.schema, &made, &self.old_rows).then_some(made)
    }

    /// Adds an old row that the content does not name.
    fn same(&mut self, at: usize) -> Option<()> {
        let row = &self.old_rows[at];
        let moved = row.path.iter().enumerate().rev().find_map(|(at, link)| Some((at, self.moved.get(&link.id)?)));
        let path = match moved {
            Some((at, path)) => path.iter().chain(&row.path[at + 1..]).cloned().collect(),
            None => row.path.clone(),
        };
        let row = Row { path, ..row.clone() };
        self.push(row);
        Some(())
    }

    /// Gives items that come back with another sign than their list has the sign of the list, unless all of its items do.
    fn with_signs_of_lists(&self, given: &mut Given) {
        let is_marker = |sign: &Sign| matches!(sign, Sign::Bullet | Sign::Number(_) | Sign::Task { .. });
        let kind = |sign: &Sign| std::mem::discriminant(sign);
        let list_of = |at: usize| {
            let path = &self.old_rows[at].path;
            let item = path.iter().rposition(|link| is_item(self.schema, &link.node))?;
            (self.first_rows[&path[item].id] == at).then(|| path[item - 1].id)
        };
        let mut others: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, (row, from)) in given.rows.iter().zip(&given.pairs).enumerate() {
            let Some((from, old)) = from.map(|from| (from, &self.old[from])) else { continue };
            let (Some(new), Some(was), Some(list)) = (row.signs.last(), old.signs.last(), list_of(from)) else {
                continue;
            };
            if row.signs.len() == old.signs.len() && is_marker(new) && is_marker(was) && kind(new) != kind(was) {
                others.entry(list).or_default().push(at);
            }
        }
        for (list, rows) in others {
            let count = (0..self.old_rows.len()).filter(|at| list_of(*at) == Some(list)).count();
            let is_same = |at: &usize| given.pairs[*at].is_some_and(|from| self.old[from].text == given.rows[*at].text);
            let was_task =
                given.pairs[rows[0]].is_some_and(|from| matches!(self.old[from].signs.last(), Some(Sign::Task { .. })));
            let same_signs = rows
                .iter()
                .all(|at| given.rows[*at].signs.last().map(kind) == given.rows[rows[0]].signs.last().map(kind));
            if rows.len() == count
                && same_signs
                && (count > 1 || rows.iter().all(is_same))
                && (!was_task || rows.iter().all(is_same))
            {
                continue;
            }
            for at in rows {
                if let (Some(from), Some(sign)) = (given.pairs[at], given.rows[at].signs.last_mut()) {
                    *sign = self.old[from].signs.last().cloned().unwrap_or(Sign::Bullet);
                }
            }
        }
    }

    /// Gives phrases with marks that now are in another row their marks there, if they are there once.
    fn carry_phrases(&mut self, old: Range<usize>, begin: usize) {
        let schema = self.schema;
        let text_of = |inline: &[Node]| retext::flat_text(schema, inline);
        let all: String = old.clone().map(|at| text_of(&self.old_rows[at].inline) + "\n").collect();
        for at in old {
            let inline = &self.old_rows[at].inline;
            if !inline.iter().all(Node::is_text) || inline.iter().all(|node| node.marks().is_empty()) {
                continue;
            }
            let text = text_of(inline);
            for phrase in retext::phrases_of(schema, inline) {
                let words = &text[phrase.clone()];
                if only_place(&all, words).is_none() {
                    continue;
                }
                let mut rows = (begin..self.out.len()).filter(|row| text_of(&self.out[*row].inline).contains(words));
                let (Some(row), None) = (rows.next(), rows.next()) else { continue };
                let content = &self.out[row].inline;
                let new = text_of(content);
                let Some(place) = only_place(&new, words) else { continue };
                let cut = |range| retext::cut(schema, content, range);
                if cut(place.clone()).iter().any(|node| !node.marks().is_empty()) {
                    continue;
                }
                let parts = [cut(0..place.start), retext::cut(schema, inline, phrase), cut(place.end..new.len())];
                self.out[row].inline = join_texts(parts.concat());
            }
        }
    }

    /// Adds the rows of content that takes the place of the old rows `old`. `behind` is the index of the old row behind
    /// them.
    fn range(&mut self, given: &mut Given, old: Range<usize>, behind: Option<usize>) -> Option<()> {
        let begin = self.out.len();
        if given.stated {
            self.with_signs_of_lists(given);
        }
        self.rows(given, behind, begin)?;
        self.carry_phrases(old, begin);
        Some(())
    }

    fn rows(&mut self, given: &Given, behind: Option<usize>, begin: usize) -> Option<()> {
        let mut at = 0;
        while at < given.rows.len() {
            let next = given.pairs[at + 1..].iter().find_map(|pair| *pair);
            let next = next.or(behind.filter(|behind| *behind < self.old.len()));
            let row = &given.rows[at];
            let is_cell = |at: usize| given.pairs[at].is_none() && given.rows[at].signs.last() == Some(&Sign::Cell);
            match given.pairs[at] {
                Some(from) => {
                    let kept = self.kept(row, from, next, given.stated)?;
                    self.push(kept);
                    at += 1;
                }
                None if is_cell(at) => {
                    let end = (at..given.rows.len()).find(|at| !is_cell(*at)).unwrap_or(given.rows.len());
                    self.cells(&given.rows[at..end], next)?;
                    at = end;
                }
                None => {
                    // Only those in code are left of blank rows.
                    let added = match given.stated && !row.raw.trim().is_empty() {
                        true => self.added(row, next)?,
                        false => self.sibling(row, given.pairs[at + 1..].iter().find_map(|pair| *pair), begin)?,
                    };
                    self.push(added);
                    at += 1;
                }
            }
        }
        Some(())
    }

    fn push(&mut self, row: Row) {
        self.live.extend(row.path.iter().map(|link| link.id));
        self.out.push(row);
    }

    /// Returns the inline content of a row that was `old` before.
    fn inline(&self, old: &[Node], text: &str) -> Option<Vec<Node>> {
        let schema = self.schema;
        let is_formula = || schema.find_node("inlineMath").is_some() && formulas::has_inline(text);
        let is_marked = content::has_tag(text) || markdown::has_inline_mark(text) || text.contains('`') || is_formula();
        if !is_marked || retext::flat_text(schema, old) == text {
            return Some(retext::inline(schema, old, text));
        }
        let atoms = Atoms::of(schema, [old]);
        let (shield, texts) = atoms.shielded(&[text]);
        let html = shield.html(markdown::to_html(self.host, &texts[0]).ok()?);
        guard::check_html(&[&html], self.document).ok()?;
        let [block] = <[Node; 1]>::try_from(self.host.parse(&html, 0).ok()?).ok()?;
        if !schema.is_textblock(block.kind()) {
            return None;
        }
        let nodes = block.children();
        let flat = retext::flat_text(schema, nodes);
        let base = match nodes.iter().any(|node| !node.marks().is_empty()) {
            true => retext::kept(schema, old, &flat),
            false => retext::inline(schema, old, &flat),
        };
        Some(retext::with_marks(schema, base, nodes))
    }

    /// Returns an old row as the content has it.
    fn kept(&mut self, row: &ShownRow, from: usize, next: Option<usize>, stated: bool) -> Option<Row> {
        let (old, old_row) = (self.old[from].clone(), self.old_rows[from].clone());
        // A text that begins like a sign is no sign.
        let prefix = &old.raw[..old.raw.len() - old.text.len()];
        let literal = row.raw.strip_prefix(prefix).filter(|text| *text == old.text && !row.is_code());
        let text = literal.unwrap_or(&row.text);
        let is_there = |link: &Link| {
            !is_item(self.schema, &link.node) || self.first_rows[&link.id] == from || self.live.contains(&link.id)
        };
        let (own, around) = old_row.path.split_last()?;
        // Without a fence a line of code is what it was.
        let is_code = old.is_code() && !row.is_code();
        let text = if is_code { row.raw.strip_prefix(prefix).unwrap_or(&row.raw) } else { text };
        let inline = match text == old.text {
            true => old_row.inline.clone(),
            false if old.is_code() => retext::inline(self.schema, &old_row.inline, text),
            false => self.inline(&old_row.inline, text)?,
        };
        let stays = literal.is_some() || is_code || !stated || row.has_signs_of(&old) && around.iter().all(is_there);
        let mut path = match stays {
            true => {
                let moved =
                    around.iter().enumerate().rev().find_map(|(at, link)| Some((at, self.moved.get(&link.id)?)));
                match moved {
                    Some((at, path)) => path.iter().chain(&around[at + 1..]).cloned().collect(),
                    None => around.to_vec(),
                }
            }
            false => self.containers(row, next, Some(from))?,
        };
        if let (Some(Sign::Task { checked }), Some(item)) = (row.signs.last(), path.last_mut())
            && item.node.attrs().get("checked").is_some()
        {
            item.node = item.node.with_attrs(item.node.attrs().with("checked", (*checked).into()));
        }
        let keeps_block = literal.is_some() || is_code || !stated && row.kind == Kind::Text;
        let own = if keeps_block { own.clone() } else { self.block(row, Some((&old, own)))? };
        path.push(own);
        if let Kind::Code { block, .. } = &row.kind {
            path = self.code.entry(*block).or_insert(path).clone();
        }
        Some(Row { path, opened_by: old_row.opened_by.clone(), inline })
    }

    /// Returns a row that the document does not have.
    fn added(&mut self, row: &ShownRow, next: Option<usize>) -> Option<Row> {
        if let Kind::Code { block, .. } = &row.kind {
            let text = (!row.text.is_empty()).then(|| Node::text_node(self.schema, row.text.as_str(), Marks::NONE));
            let inline = text.into_iter().collect();
            if let Some(path) = self.code.get(block) {
                return Some(Row { path: path.clone(), opened_by: None, inline });
            }
            let mut path = self.containers(row, next, None)?;
            path.push(self.block(row, None)?);
            self.code.insert(*block, path.clone());
            return Some(Row { path, opened_by: None, inline });
        }
        let inline = self.inline(&[], &row.text)?;
        let mut path = self.containers(row, next, None)?;
        // Beside a hard break a line is one of the same block.
        let beside = self.out.last().filter(|last| {
            row.kind == Kind::Text
                && last.path.len() == path.len() + 1
                && last.path.iter().zip(&path).all(|(a, b)| a.id == b.id)
        });
        let like = beside.and_then(|last| last.path.last()).cloned();
        path.push(match like {
            Some(link) if self.is_broken(&link) => link,
            Some(link) if row.kind == Kind::Text => self.like(&link, &path)?,
            _ => self.block(row, None)?,
        });
        Some(Row { path, opened_by: None, inline })
    }

    fn is_broken(&self, link: &Link) -> bool {
        let breaks = |child: &Node| {
            self.schema.is_hard_break(child.kind()) || child.text().is_some_and(|text| text.contains('\n'))
        };
        !self.schema.node_type(link.node.kind()).code && link.node.children().iter().any(breaks)
    }

    /// Returns a textblock as pressing enter in another one makes it.
    fn like(&mut self, link: &Link, around: &[Link]) -> Option<Link> {
        let schema = self.schema;
        let parent = around.last().map_or(schema.top_type(), |parent| parent.node.kind());
        let is_code = schema.node_type(link.node.kind()).code;
        let is_text = schema.is_textblock(link.node.kind()) && !is_code && link.node.attrs().get("level").is_none();
        let kind = if is_text { link.node.kind() } else { schema.default_textblock(parent)? };
        let defaults = schema.default_attrs(kind);
        let attrs = match (is_text, defaults.get("id")) {
            (false, _) => defaults,
            (true, Some(id)) => link.node.attrs().with("id", id.clone()),
            (true, None) => link.node.attrs().clone(),
        };
        Some(self.ids.link(Node::new(schema, kind, attrs, Vec::new(), Marks::NONE)))
    }

    /// Returns a row of content whose signs state nothing: it is what its neighbour is. `next` is the next row of the
    /// content that the document has; `begin` the number of rows before the content.
    fn sibling(&mut self, row: &ShownRow, next: Option<usize>, begin: usize) -> Option<Row> {
        let schema = self.schema;
        let (like, is_behind) = match self.out[begin..].last() {
            Some(last) => (last.clone(), true),
            None => (self.old_rows[next?].clone(), false),
        };
        let (own, around) = like.path.split_last()?;
        if row.kind != Kind::Text {
            return None;
        }
        if schema.node_type(own.node.kind()).code {
            let text = (!row.text.is_empty()).then(|| Node::text_node(schema, row.text.as_str(), Marks::NONE));
            return Some(Row { path: like.path.clone(), opened_by: None, inline: text.into_iter().collect() });
        }
        let inline = self.inline(&[], &row.text)?;
        if self.is_broken(own) {
            return Some(Row { path: like.path.clone(), opened_by: None, inline });
        }
        let mut path = around.to_vec();
        if let Some(item) = around.last().filter(|link| is_item(schema, &link.node)) {
            let starts = self
                .first_rows
                .get(&item.id)
                .is_none_or(|first| self.old_rows[*first].path.last().map(|link| link.id) == Some(own.id));
            if starts {
                let mut fresh = self.ids.link(Node::new(
                    schema,
                    item.node.kind(),
                    schema.default_attrs(item.node.kind()),
                    Vec::new(),
                    Marks::NONE,
                ));
                if let Some(Sign::Task { checked }) = row.signs.last() {
                    fresh.node = fresh.node.with_attrs(fresh.node.attrs().with("checked", (*checked).into()));
                }
                path.pop();
                path.push(fresh);
                if is_behind {
                    let old = self
                        .moved
                        .iter()
                        .find(|(_, to)| to.last().map(|link| link.id) == Some(item.id))
                        .map_or(item.id, |(old, _)| *old);
                    self.moved.insert(old, path.clone());
                }
            }
        }
        let own = self.like(own, &path)?;
        path.push(own);
        Some(Row { path, opened_by: None, inline })
    }

    /// Returns the textblock or leaf of a row. `old` is that of the row that it was.
    fn block(&mut self, row: &ShownRow, old: Option<(&ShownRow, &Link)>) -> Option<Link> {
        let (name, attribute) = match &row.kind {
            Kind::Text => ("paragraph", None),
            Kind::Heading(level) => ("heading", Some(("level", (*level).into()))),
            Kind::Code { language, .. } => {
                let language = if language.is_empty() { serde_json::Value::Null } else { language.as_str().into() };
                ("codeBlock", Some(("language", language)))
            }
            Kind::Own(own) if own.starts_with("$$") && old.is_none_or(|(shown, _)| shown.kind != row.kind) => {
                let mut link = self.ids.fresh(self.schema, "blockMath")?;
                link.node = link.node.with_attrs(link.node.attrs().with("latex", row.raw.as_str().into()));
                return Some(link);
            }
            Kind::Own(_) => return old.map(|(_, link)| link.clone()),
        };
        if let Some((shown, link)) = old {
            if shown.kind == row.kind
                || matches!((&shown.kind, &row.kind), (Kind::Code { language: a, .. }, Kind::Code { language: b, .. }) if a == b || b.is_empty())
            {
                return Some(link.clone());
            }
            let kind = self.schema.find_node(name)?;
            let defaults = self.schema.default_attrs(kind);
            let attrs = link.node.attrs().iter().filter(|(name, _)| defaults.get(name).is_some());
            let attrs = attrs.fold(defaults.clone(), |attrs, (name, value)| attrs.with(name, value.clone()));
            let attrs = attribute.into_iter().fold(attrs, |attrs, (name, value)| attrs.with(name, value));
            let node = Node::new(self.schema, kind, attrs, link.node.children().to_vec(), Marks::NONE);
            return Some(Link { id: link.id, node });
        }
        let mut link = self.ids.fresh(self.schema, name)?;
        if let Some((name, value)) = attribute {
            link.node = link.node.with_attrs(link.node.attrs().with(name, value));
        }
        Some(link)
    }

    /// Returns the containers that the signs of a row state, beside the row before it. `from` is the row that it was, whose
    /// item it keeps.
    fn containers(&mut self, row: &ShownRow, next: Option<usize>, from: Option<usize>) -> Option<Vec<Link>> {
        let schema = self.schema;
        let base: Vec<Link> = self.out.last().map(|last| last.path.clone()).unwrap_or_default();
        let next: Vec<Link> = next.map_or_else(Vec::new, |next| self.old_rows[next].path.clone());
        let (mut base, mut next) = (&base[..], &next[..]);
        let mut path: Vec<Link> = Vec::new();
        let is = |links: &[Link], at: usize, names: &[&str]| {
            links.get(at).is_some_and(|link| names.contains(&link.node.name(schema)))
        };
        for sign in &row.signs {
            // What has no sign goes on as long as both neighbours are in it.
            while let (Some(a), Some(b)) = (base.first(), next.first())
                && a.id == b.id
                && !has_sign(schema, &a.node)
            {
                path.push(a.clone());
                (base, next) = (&base[1..], &next[1..]);
            }
            match sign {
                Sign::Quote => {
                    if is(base, 0, &["blockquote"]) {
                        path.push(base[0].clone());
                        let same = next.first().is_some_and(|link| link.id == base[0].id);
                        (base, next) = (&base[1..], if same { &next[1..] } else { &[] });
                    } else if is(next, 0, &["blockquote"]) {
                        path.push(next[0].clone());
                        (base, next) = (&[], &next[1..]);
                    } else {
                        path.push(self.ids.fresh(schema, "blockquote")?);
                        (base, next) = (&[], &[]);
                    }
                }
                Sign::Indent => {
                    let inside = base
                        .get(..2)
                        .filter(|pair| is_item(schema, &pair[1].node) || pair[1].node.name(schema) == "detailsContent");
                    if let Some(pair) = inside {
                        path.extend_from_slice(pair);
                        let same = next.get(1).is_some_and(|link| link.id == pair[1].id);
                        (base, next) = (&base[2..], if same { &next[2..] } else { &[] });
                    }
                }
                Sign::Bullet | Sign::Number(_) | Sign::Task { .. } => {
                    let (list, item) = match sign {
                        Sign::Bullet => ("bulletList", "listItem"),
                        Sign::Number(_) => ("orderedList", "listItem"),
                        _ => ("taskList", "taskItem"),
                    };
                    // In an item a list follows what the item begins with.
                    let before = base
                        .iter()
                        .find(|link| !is_textblock(schema, &link.node))
                        .filter(|link| link.node.name(schema) == list);
                    let behind = next.first().filter(|link| link.node.name(schema) == list);
                    let list = match before.or(behind) {
                        Some(link) => link.clone(),
                        None => {
                            let mut link = self.ids.fresh(schema, list)?;
                            if let (Sign::Number(number), Some(_)) = (sign, link.node.attrs().get("start")) {
                                link.node = link.node.with_attrs(link.node.attrs().with("start", (*number).into()));
                            }
                            link
                        }
                    };
                    path.push(list);
                    let old = from.and_then(|from| {
                        let mut items =
                            self.old_rows[from].path.iter().rev().filter(|link| is_item(schema, &link.node));
                        items.next().filter(|link| self.first_rows[&link.id] == from).cloned()
                    });
                    let mut link = match &old {
                        Some(link) if link.node.name(schema) == item => link.clone(),
                        _ => self.ids.fresh(schema, item)?,
                    };
                    if let Sign::Task { checked } = sign {
                        link.node = link.node.with_attrs(link.node.attrs().with("checked", (*checked).into()));
                    }
                    path.push(link);
                    if let Some(old) = old {
                        self.moved.insert(old.id, path.clone());
                    }
                    (base, next) = (&[], &[]);
                }
                Sign::Cell | Sign::Heading(_) | Sign::Own(_) => return None,
            }
        }
        // A container without a sign goes on behind its last line as well.
        while let Some(link) = base
            .first()
            .filter(|link| !has_sign(schema, &link.node) && !link.node.is_leaf() && !is_textblock(schema, &link.node))
        {
            path.push(link.clone());
            base = &base[1..];
        }
        Some(path)
    }

    /// Adds rows of a table: as many cells as a row has, behind the last cell of a row or before the first.
    fn cells(&mut self, run: &[ShownRow], next: Option<usize>) -> Option<()> {
        let schema = self.schema;
        let table_of = |path: &[Link]| {
            let at = path.iter().position(|link| link.node.name(schema) == "tableRow")?;
            Some(path[..=at].to_vec())
        };
        let before = self.out.last().and_then(|last| table_of(&last.path));
        let behind = next.and_then(|next| table_of(&self.old_rows[next].path));
        let like = before.or(behind)?;
        let (row, table) = like.split_last()?;
        let columns = row.node.children().len();
        if columns == 0 || !run.len().is_multiple_of(columns) {
            return None;
        }
        for cells in run.chunks(columns) {
            let row = self.ids.fresh(schema, "tableRow")?;
            for cell in cells {
                let mut path = table.to_vec();
                path.push(row.clone());
                path.push(self.ids.fresh(schema, "tableCell")?);
                path.push(self.ids.fresh(schema, "paragraph")?);
                let inline = self.inline(&[], &cell.text)?;
                self.push(Row { path, opened_by: None, inline });
            }
        }
        Some(())
    }
}

fn is_item(schema: &Schema, node: &Node) -> bool {
    matches!(node.name(schema), "listItem" | "taskItem")
}

fn is_textblock(schema: &Schema, node: &Node) -> bool {
    schema.is_textblock(node.kind())
}

/// Returns whether a container shows itself by a sign, alone or with its content.
fn has_sign(schema: &Schema, node: &Node) -> bool {
    const SHOWN: [&str; 12] = [
        "blockquote",
        "bulletList",
        "orderedList",
        "taskList",
        "listItem",
        "taskItem",
        "table",
        "tableRow",
        "tableCell",
        "tableHeader",
        "details",
        "detailsContent",
    ];
    SHOWN.contains(&node.name(schema))
}

/// Returns whether each table has rows of one width, or is one of the old ones.
fn has_even_tables(schema: &Schema, nodes: &[Node], old: &[Row]) -> bool {
    nodes.iter().all(|node| {
        if node.name(schema) != "table" {
            return has_even_tables(schema, node.children(), old);
        }
        let width = |row: &Node| {
            row.children()
                .iter()
                .map(|cell| cell.attrs().get("colspan").and_then(serde_json::Value::as_u64).unwrap_or(1))
                .sum::<u64>()
        };
        let mut widths = node.children().iter().map(width);
        let first = widths.next();
        widths.all(|width| Some(width) == first) || old.iter().any(|row| row.path.iter().any(|link| link.node == *node))
    })
}
