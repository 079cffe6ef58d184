//! Places the rows of content in the tree.

use super::builder::Builder;
use super::given::{Given, indented, is_blank, is_leaf, is_signed, trimmed, unindented, with_base};
use super::in_place::in_place;
use super::inline_line::InlineLine;
use super::nodes::is_item;
use super::shown::{self, Kind, ShownRow, Vocabulary};
use super::shown_row::literal;
use super::standard;
use super::{Link, Row, assemble, without_id};
use crate::Error;
use crate::apply::DocumentHost;
use crate::content::Format;
use crate::grid::Grid;
use crate::{as_shown, content, fence, fit, markdown, runs};
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Node, NodeRole, Schema};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

/// Returns the blocks that content states for some top-level blocks, all of whose lines it replaces: unchanged, changed
/// and new ones; and whether it was Markdown. In a section, a row without a sign is a paragraph. `None` if the content
/// cannot be read row by row.
///
/// # Errors
/// [`Error::ColumnCount`], [`Error::MarkdownNotLoaded`] and other errors of the content of the rows.
pub fn of_blocks(
    host: &dyn DocumentHost,
    document: &Document,
    blocks: Range<usize>,
    content: &str,
    format: Option<Format>,
    is_section: bool,
) -> Result<Option<(Vec<Node>, bool)>, Error> {
    let is_whole_text = format == Some(Format::Text) && !is_section && blocks == (0..document.blocks().len());
    if is_whole_text && let Some(made) = in_place(host, document, content) {
        return Ok(Some((made, false)));
    }
    of_paired_rows(host, document, blocks, content, format, is_section)
}

/// Returns what [`of_blocks`] returns, with each row of the content paired with an old one.
pub(super) fn of_paired_rows(
    host: &dyn DocumentHost,
    document: &Document,
    blocks: Range<usize>,
    content: &str,
    format: Option<Format>,
    is_section: bool,
) -> Result<Option<(Vec<Node>, bool)>, Error> {
    let Some(mut builder) = Builder::new(Some(host), document, blocks) else { return Ok(None) };
    builder.set_format(format);
    let made = builder.blocks(content, is_section);
    let states = builder.states;
    match builder.error.take() {
        Some(error) => Err(error),
        None => Ok(made.and_then(|()| builder.finish()).map(|made| (made, states))),
    }
}

/// Returns a whole new document as content for the lines in which it differs. `None` if it has nothing in common with
/// the document.
pub fn as_edits(document: &Document, content: &str, is_text: bool) -> Option<Vec<(RangeInclusive<usize>, String)>> {
    let builder = Builder::new(None, document, 0..document.blocks().len())?;
    let given = match is_text {
        true => as_shown::lines(content).iter().map(|line| literal(line)).collect(),
        false => builder.read(content)?,
    };
    Some(builder.differences(&given))
}

/// Returns the texts of content in the notation in which a document is shown.
pub fn texts(document: &Document, lines: &[String]) -> Vec<String> {
    let schema = document.schema();
    let old = shown::of_lines(document, &document.lines());
    let rows = shown::read(lines, &Vocabulary::of(schema, &old), false);
    rows.into_iter()
        .flat_map(|row| match row.kind {
            Kind::Cells { cells, .. } => cells,
            _ => vec![row.text],
        })
        .collect()
}

/// A range of top-level blocks, and what replaces them.
pub type Replaced = (Range<usize>, Vec<Node>);

/// Rows of content.
pub enum Content {
    /// Lines, without line numbers.
    Lines(Vec<String>),
    /// Inline content for lines that keep their kind.
    Inline(Vec<InlineLine>),
}

/// The content of some lines.
pub struct LinesContent {
    /// The numbers of the lines.
    pub lines: RangeInclusive<usize>,
    /// The rows of the content.
    pub rows: Content,
    /// The format, if that is stated.
    pub format: Option<Format>,
}

/// Replaced blocks, and the differences of the content outside of the lines for which it is meant.
pub struct Made {
    /// The top-level blocks that change, and their replacements.
    pub replaced: Replaced,
    /// The old lines outside that the content has otherwise, each with the text in the content.
    pub not_applied: Vec<(usize, Option<String>)>,
    /// True if the content was Markdown.
    pub is_markdown: bool,
}

/// Returns the top-level blocks that contain some lines, and the blocks that replace them when the lines have other
/// content. `None` if the content cannot be read row by row. `is_whole` states that the content of the only edit is the
/// whole document. `beside` has the inline contents of other lines, whose leaves may move into these.
///
/// # Errors
/// [`Error::ColumnCount`] and [`Error::PartOfRow`] if rows do not fit their table.
pub fn of_lines(
    host: &dyn DocumentHost,
    document: &Document,
    edits: &[LinesContent],
    is_whole: bool,
    beside: &[Vec<Node>],
) -> Result<Option<Made>, Error> {
    let mut sorted: Vec<&LinesContent> = edits.iter().collect();
    sorted.sort_by_key(|edit| *edit.lines.start());
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return Ok(None) };
    let blocks = match is_whole {
        true => 0..document.blocks().len(),
        false => document.block_of_line(*first.lines.start())..document.block_of_line(*last.lines.end()) + 1,
    };
    let blocks = with_containers_beside(document, blocks, first, last);
    let made = |is_indented: bool| -> Result<Option<Made>, Error> {
        let Some(mut builder) = Builder::new(Some(host), document, blocks.clone()) else { return Ok(None) };
        (builder.is_whole, builder.beside, builder.is_indented) = (is_whole, beside, is_indented);
        let made = builder.edits(&sorted, document.line_numbers_of(blocks.start).start);
        let (not_applied, is_markdown) = (std::mem::take(&mut builder.not_applied), builder.states);
        match builder.error.take() {
            Some(error) => Err(error),
            None => Ok(made.and_then(|()| builder.finish()).map(|made| Made {
                replaced: (blocks.clone(), with_own_ids(document.schema(), &document.blocks()[blocks.clone()], made)),
                not_applied,
                is_markdown,
            })),
        }
    };
    // Content that is not allowed outside of the containers of the lines, such as that of details, is put into them.
    match made(false)? {
        None => made(true),
        made => Ok(made),
    }
}

/// Returns a range of blocks with the list or quotation beside it that the signs of the first or the last row go on
/// with.
fn with_containers_beside(
    document: &Document,
    blocks: Range<usize>,
    first: &LinesContent,
    last: &LinesContent,
) -> Range<usize> {
    let schema = document.schema();
    let role = |at: usize| document.blocks().get(at)?.role(schema);
    // The list at the end of a container without a sign is beside the lines behind that.
    let role_before = |at: usize| {
        let mut block = document.blocks().get(at)?;
        while let (None, Some(last)) = (block.role(schema), block.children().last()) {
            block = last;
        }
        block.role(schema)
    };
    let start_of = |at: usize| document.blocks().get(at)?.first_number();
    let goes_on = |row: Option<&String>, beside: Option<NodeRole>, inside: Option<NodeRole>| {
        let containers = row.map_or(&[][..], |row| containers_stated(row));
        let is_stated = |role: Option<NodeRole>| role.is_some_and(|role| containers.contains(&role));
        is_stated(beside) && !is_stated(inside)
    };
    let (head, tail) = match (&first.rows, &last.rows) {
        (Content::Lines(first), Content::Lines(last)) => (first.first(), last.last()),
        _ => return blocks,
    };
    let is_joined = blocks.start > 0 && goes_on(head, role_before(blocks.start - 1), role(blocks.start));
    let start = if is_joined { blocks.start - 1 } else { blocks.start };
    let joins = blocks.end > 0
        && match role(blocks.end) {
            // A numbered list begins where its numbers do.
            Some(NodeRole::OrderedList) => {
                role(blocks.end - 1) != Some(NodeRole::OrderedList)
                    && tail.and_then(|row| number_of(row)) == start_of(blocks.end)
            }
            _ => goes_on(tail, role(blocks.end), role(blocks.end - 1)),
        };
    start..if joins { blocks.end + 1 } else { blocks.end }
}

/// Returns the number of an item.
fn number_of(row: &str) -> Option<i64> {
    match Sign::Number(1).read(row) {
        Some((Sign::Number(number), _)) => Some(number),
        _ => None,
    }
}

/// Returns the containers that the first sign of a row can state.
fn containers_stated(row: &str) -> &'static [NodeRole] {
    if row.starts_with("  ") {
        return &[NodeRole::BulletList, NodeRole::OrderedList, NodeRole::TaskList];
    }
    let is = |sign: Sign| sign.read(row).is_some();
    match Sign::Number(1).read(row) {
        Some((Sign::Number(number), _)) if number > 1 => &[NodeRole::OrderedList],
        _ if is(Sign::Quote) => &[NodeRole::Quote],
        _ if is(Sign::Task { checked: false }) => &[NodeRole::TaskList],
        _ if is(Sign::Bullet) => &[NodeRole::BulletList],
        _ => &[],
    }
}

impl<'a> Builder<'a> {
    /// Places content for all old rows.
    fn blocks(&mut self, content: &str, is_section: bool) -> Option<()> {
        let all = 0..self.old.len();
        self.named = all.clone().collect();
        let given = match self.is_text {
            true => as_shown::lines(content).iter().map(|line| literal(line)).collect(),
            false => self.read(content)?,
        };
        self.has_references = has_references(&given);
        self.writes_markdown = are_of_markdown(&given);
        // A leaf has no other form than its own.
        let is_stated = |row: &ShownRow| is_signed(row) && !(is_leaf(row) && row.signs.is_empty());
        let stated = is_section || all.is_empty() || given.iter().any(is_stated);
        let given = if stated { given } else { given.into_iter().map(unindented).collect() };
        self.is_section = is_section;
        let mut rows = self.given(all.clone(), given, stated);
        rows.keep_leaves(&self.old);
        self.range(&mut rows, all, None)
    }

    /// Places the content of edits in the order of their lines. `first` is the number of the first line.
    fn edits(&mut self, sorted: &[&LinesContent], first: usize) -> Option<()> {
        let vocabulary = Vocabulary::of(self.schema, &self.old);
        let rows_of = |edit: &LinesContent| edit.lines.start() - first..edit.lines.end() + 1 - first;
        self.named = sorted.iter().flat_map(|edit| rows_of(edit)).collect();
        let mut at = 0;
        for edit in sorted {
            let range = rows_of(edit);
            (at..range.start).try_for_each(|at| self.same(at))?;
            self.set_format(edit.format);
            let given: Vec<ShownRow> = match &edit.rows {
                Content::Inline(contents) => {
                    self.contents = contents.clone();
                    let text = |line: &InlineLine| literal(&runs::flat_text(self.schema, &line.nodes));
                    contents.iter().map(text).collect()
                }
                Content::Lines(lines) => {
                    self.contents = Vec::new();
                    self.given_rows(&range, lines, sorted.len() == 1, &vocabulary)
                }
            };
            self.has_references = has_references(&given);
            self.writes_markdown = are_of_markdown(&given);
            let old = &self.old[range.clone()];
            let takes_out = sorted.len() == 1 && self.takes_out(&range, &given);
            let stated = takes_out || given.iter().any(is_signed);
            let given = match stated {
                true if takes_out => out_of(old, given),
                true if self.is_indented => indented(old, given),
                true => with_base(old, given),
                false if self.is_text || old.iter().all(ShownRow::is_code) => given,
                // In a paragraph spaces are text, but for those that write a break.
                false if old.iter().all(|row| row.raw == row.text && !row.text.is_empty()) => {
                    // A row alone has no break.
                    let is_single = given.len() == 1;
                    let end = |line: &str| if is_single { line.to_owned() } else { without_break(line).to_owned() };
                    let as_given = |row: ShownRow| match row.kind == Kind::Text && !row.breaks {
                        true => ShownRow { signs: Vec::new(), text: end(&row.raw), ..row },
                        false => row,
                    };
                    given.into_iter().map(as_given).collect()
                }
                false => given.into_iter().map(trimmed).collect(),
            };
            let mut rows = self.given(range.clone(), given, stated);
            self.range(&mut rows, range.clone(), Some(range.end))?;
            at = range.end;
        }
        (at..self.old.len()).try_for_each(|at| self.same(at))
    }

    /// Returns whether content repeats all rows of a list or a quotation without their signs: an edit means a change, so
    /// that it takes the rows out.
    fn takes_out(&self, range: &Range<usize>, given: &[ShownRow]) -> bool {
        let old = &self.old[range.clone()];
        let filled: Vec<&ShownRow> = given.iter().filter(|row| !is_blank(row)).collect();
        let is_repeated = |(row, old): (&&ShownRow, &ShownRow)| {
            row.kind == Kind::Text
                && old.kind == Kind::Text
                && !is_signed(row)
                && is_signed(old)
                && row.text == old.text
        };
        if self.is_text || filled.len() != old.len() || !filled.iter().zip(old).all(is_repeated) {
            return false;
        }
        let paths = || self.old_rows[range.clone()].iter().map(|row| &row.path);
        let Some(first) = paths().next() else { return false };
        let is_shared =
            |depth: &usize| paths().all(|path| path.get(*depth).is_some_and(|link| link.id == first[*depth].id));
        (0..first.len()).take_while(is_shared).any(|depth| {
            let Link { id, node } = &first[depth];
            let is_list = node.children().first().is_some_and(|child| is_item(self.schema, child));
            let is_quote = self.schema.find_role(NodeRole::Quote) == Some(node.kind());
            (is_list || is_quote) && self.rows_of[id] == *range
        })
    }

    /// Reads the rows of an edit.
    fn given_rows(
        &mut self,
        range: &Range<usize>,
        lines: &[String],
        is_only: bool,
        vocabulary: &Vocabulary,
    ) -> Vec<ShownRow> {
        let old = &self.old[range.clone()];
        let lines = with_opening_fence(old, lines.to_vec());
        let is_fence = |row: &String| {
            row.contains("```") || row.starts_with("~~~") && !old.iter().any(|old| old.text.starts_with("~~~"))
        };
        let is_code = old.iter().all(ShownRow::is_code) && !lines.iter().any(is_fence);
        if self.is_text || is_code {
            return self.code_rows(range, &lines);
        }
        let lines = standard::in_place_of(old, lines);
        let given = shown::read(&with_shown_indents(old, &lines), vocabulary, false);
        let given = self.literals(range.clone(), given);
        let given = if is_only { self.window(range, given) } else { given };
        self.as_cells(range.clone(), self.without_head(range, self.reachable(range, given)))
    }

    fn set_format(&mut self, format: Option<Format>) {
        self.is_text = format == Some(Format::Text);
        self.is_markdown = format == Some(Format::Markdown);
        self.states |= self.is_markdown;
    }

    pub(super) fn finish(mut self) -> Option<Vec<Node>> {
        self.fill();
        for link in self.out.iter_mut().flat_map(|row| &mut row.path) {
            if let Some(cell) = self.spans.get(&link.id) {
                link.node = cell.clone();
            }
        }
        let made = assemble(self.schema, &self.out)?;
        has_even_tables(self.schema, &made, &self.old_rows).then_some(made)
    }

    /// Adds an old row that the content does not name.
    pub(super) fn same(&mut self, at: usize) -> Option<()> {
        let row = Row { path: self.path_of(at), ..self.old_rows[at].clone() };
        self.push(row);
        Some(())
    }

    /// Returns the path of an old row, with the containers that have another place now.
    pub(super) fn path_of(&self, at: usize) -> Vec<Link> {
        let path = &self.old_rows[at].path;
        let moved = path.iter().enumerate().rev().find_map(|(at, link)| Some((at, self.moved.get(&link.id)?)));
        match moved {
            Some((at, moved)) => moved.iter().chain(&path[at + 1..]).cloned().collect(),
            None => path.clone(),
        }
    }

    /// Lines of code before old ones of one block are lines of the old block.
    fn code_before_its_lines(&mut self, given: &Given, at: usize) {
        let Kind::Code { block, language } = &given.rows[at].kind else { return };
        let is_in = |at: &usize| matches!(&given.rows[*at].kind, Kind::Code { block: other, .. } if other == block);
        let old = (at..given.rows.len()).take_while(is_in).find_map(|at| given.old(at));
        let is_same = |old: &ShownRow| matches!(&old.kind, Kind::Code { language: old, .. } if language.is_empty() || old == language);
        if let Some(old) = old.filter(|old| is_same(&self.old[*old]) && !self.code.contains_key(block)) {
            let path = self.path_of(old);
            self.code.insert(*block, path);
        }
    }

    /// Returns a row without the signs that the content has added to a line of code before it.
    fn behind_code<'g>(&self, given: &'g Given, at: usize) -> Cow<'g, ShownRow> {
        let row = &given.rows[at];
        let before = (0..at).rev().find_map(|at| Some((at, given.old(at)?)));
        let Some((before, old)) = before.map(|(at, old)| (&given.rows[at], &self.old[old])) else {
            return Cow::Borrowed(row);
        };
        let signs = &old.raw[..old.raw.len() - old.text.len()];
        match row.raw.strip_prefix(signs).filter(|_| old.is_code() && before.raw == old.raw) {
            Some(inside) => Cow::Owned(ShownRow { raw: inside.to_owned(), ..row.clone() }),
            None => Cow::Borrowed(row),
        }
    }

    /// Adds the rows of content that takes the place of the old rows `old`. `behind` is the index of the old row behind
    /// them.
    pub(super) fn range(&mut self, given: &mut Given, old: Range<usize>, behind: Option<usize>) -> Option<()> {
        let (begin, start) = (self.out.len(), old.start);
        self.begin = begin;
        self.blanks_separate = !given.rows.iter().all(|row| row.is_apart);
        let mut rows = self.old[old.clone()].iter().chain(&given.rows);
        self.changes_words = rows.any(|row| !row.text.is_ascii()) && given.changes_words(&self.old, &old);
        if given.stated {
            self.with_signs_of_lists(given, &old);
        }
        let behind = behind.filter(|behind| *behind < self.old.len());
        self.lay_out_tables(given, &old, behind)?;
        if given.rows.is_empty() {
            return self.emptied(old);
        }
        for at in 0..given.rows.len() {
            let next = given.next_old(at + 1).or(behind);
            let row = &given.rows[at];
            self.code_before_its_lines(given, at);
            let goes_on = at > 0 && given.rows[at - 1].breaks && self.continues(row, given.stated);
            match given.old(at) {
                _ if row.has_cells() => self.table_row(at, row, given.pairs[at].clone(), next)?,
                _ if goes_on => self.go_on(row, given.old(at))?,
                Some(from) => self.kept(row, from, next, given.stated)?,
                // Only those in code are left of blank rows.
                None if given.stated && !row.raw.trim().is_empty() || row.kind != Kind::Text => {
                    self.added(row, next)?
                }
                None => {
                    let row = &self.behind_code(given, at);
                    self.sibling(row, given.next_old(at + 1).unwrap_or(start), begin)?;
                }
            }
        }
        self.keep_cells(old);
        Some(())
    }

    pub(super) fn push(&mut self, row: Row) {
        self.live.extend(row.path.iter().map(|link| link.id));
        self.out.push(row);
    }
}

/// Returns rows that begin in code and close its fence with the fence that opens it.
fn with_opening_fence(old: &[ShownRow], rows: Vec<String>) -> Vec<String> {
    let Some(ShownRow { signs, kind: Kind::Code { language, .. }, .. }) = old.first() else { return rows };
    let is_fence = |row: &&String| matches!(fence::of_line(row), Some(('`', ..)));
    let closes = |row: &String| matches!(fence::of_line(row), Some(('`', 3, "")));
    let first = rows.iter().position(|row| is_fence(&row));
    let closes_first = first.is_some_and(|first| first > 0 && closes(&rows[first]));
    if !closes_first || rows.iter().filter(is_fence).count() % 2 == 0 {
        return rows;
    }
    let inside = |sign: &Sign| match sign {
        Sign::Quote | Sign::Cell => sign.to_string(),
        sign => " ".repeat(sign.to_string().len()),
    };
    let signs: String = signs.iter().map(inside).collect();
    [vec![format!("{signs}```{language}")], rows].concat()
}

/// Returns rows that indent each level by four columns with the two that are shown. A first row with other text is
/// where the first old row is; with the same one its level is all that changes.
fn with_shown_indents<'r>(old: &[ShownRow], rows: &'r [String]) -> Cow<'r, [String]> {
    let columns = |row: &str| row.len() - row.trim_start_matches(' ').len();
    let filled = || rows.iter().filter(|row| !row.trim().is_empty());
    let level = old.first().map_or(0, |row| row.signs.iter().take_while(|sign| **sign == Sign::Indent).count());
    let is_wide = level > 0
        && filled().next().is_some_and(|row| columns(row) == 4 * level)
        && filled().all(|row| columns(row) % 4 == 0 && !row.contains("```"))
        && !old.iter().any(ShownRow::is_code)
        && !filled().map(|row| row.trim()).eq(old.iter().map(|row| row.raw.trim()));
    match is_wide {
        true => rows.iter().map(|row| row[columns(row) / 2..].to_owned()).collect::<Vec<_>>().into(),
        false => Cow::Borrowed(rows),
    }
}

/// Returns whether rows have tags, or references that encode some: otherwise content has no references left.
fn has_references(given: &[ShownRow]) -> bool {
    let has = |row: &ShownRow| content::has_tag(&row.raw) || content::has_tag(&row.raw.replace("&lt;", "<"));
    given.iter().any(has)
}

/// Returns rows without signs, indented as far as all old rows are.
fn out_of(old: &[ShownRow], given: Vec<ShownRow>) -> Vec<ShownRow> {
    let depth = |row: &ShownRow| row.signs.iter().take_while(|sign| **sign == Sign::Indent).count();
    let around = vec![Sign::Indent; old.iter().map(depth).min().unwrap_or(0)];
    given.into_iter().map(|row| ShownRow { signs: around.clone(), ..row }).collect()
}

/// Returns whether rows have marks of Markdown, and no tags for marks that it has signs for, as shown lines have.
/// Images are shown as in Markdown.
fn are_of_markdown(given: &[ShownRow]) -> bool {
    const SHOWN: [&str; 8] = ["a", "b", "code", "del", "em", "i", "s", "strong"];
    let has_mark =
        |row: &ShownRow| !row.raw.contains("![") && markdown::has_inline_mark(&content::without_tags(&row.raw));
    let is_shown = |row: &ShownRow| content::start_tags(&row.raw).any(|tag| SHOWN.contains(&tag));
    given.iter().any(has_mark) && !given.iter().any(is_shown)
}

/// Returns whether each table has a cell for each slot, or rows like those of an old one.
fn has_even_tables(schema: &Schema, nodes: &[Node], old: &[Row]) -> bool {
    nodes.iter().all(|node| {
        if node.role(schema) != Some(NodeRole::Table) {
            return has_even_tables(schema, node.children(), old);
        }
        let spans = |table: &Node| -> Vec<Vec<(usize, usize)>> {
            let row = |row: &Node| row.children().iter().map(|cell| (fit::span(cell), fit::row_span(cell))).collect();
            table.children().iter().map(row).collect()
        };
        let tables =
            || old.iter().flat_map(|row| &row.path).filter(|link| link.node.role(schema) == Some(NodeRole::Table));
        Grid::of(node.children()).is_full() || tables().any(|link| spans(&link.node) == spans(node))
    })
}

/// Returns a line without the two spaces at its end that write a break in Markdown.
fn without_break(line: &str) -> &str {
    match line.ends_with("  ") {
        true => line.trim_end_matches(' '),
        false => line,
    }
}

/// Returns blocks that do not share an id of an old one: of the parts of a block that was split, the first keeps it.
fn with_own_ids(schema: &Schema, old: &[Node], blocks: Vec<Node>) -> Vec<Node> {
    fn each(schema: &Schema, node: &Node, see: &mut impl FnMut(&Node) -> bool) -> Node {
        let is_taken = !node.is_text() && !schema.is_inline(node.kind()) && see(node);
        let children: Vec<Node> = node.children().iter().map(|child| each(schema, child, see)).collect();
        let node = if children == node.children() { node.clone() } else { node.with_children(children) };
        if is_taken { without_id(schema, &node) } else { node }
    }
    let mut left: FxHashMap<String, usize> = FxHashMap::default();
    let id = |node: &Node| node.attrs().get("id").filter(|id| !id.is_null()).map(ToString::to_string);
    let mut count = |node: &Node| {
        if let Some(id) = id(node) {
            *left.entry(id).or_default() += 1;
        }
        false
    };
    old.iter().for_each(|node| drop(each(schema, node, &mut count)));
    if left.is_empty() {
        return blocks;
    }
    let mut is_taken = |node: &Node| match id(node).and_then(|id| left.get_mut(&id)) {
        Some(0) => true,
        Some(count) => {
            *count -= 1;
            false
        }
        None => false,
    };
    blocks.iter().map(|node| each(schema, node, &mut is_taken)).collect()
}
