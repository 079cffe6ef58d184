//! The placement of blocks that replace lines: the level of the tree at which they are, and the old nodes that stay
//! around them.
//!
//! A model names lines, and gives rows of a table, items of a list, or blocks. [`place`] decides which nodes these
//! replace. Its invariant: **what is outside the lines stays**. If the lines are a part of a node that is replaced,
//! such as an item without the list in it, the rest of that node is moved into the new one.

mod rows;

use crate::Error;
use crate::content;
use crate::parent::{Parent, is_item, is_row};
use crate::segments;
use copydesk_document::{Document, Line, Marks, Node, NodeRole, Schema, count_lines, heading_level};
pub use rows::{are_cells_apart, cells_in, is_table_rule, markdown_cells, row_span, span, width};
use serde_json::Value;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Blocks in place of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The lines that go.
    pub lines: RangeInclusive<usize>,
    /// The level of the blocks: the number of their ancestors below the document. `None`: as deep as the schema allows
    /// them.
    pub depth: Option<usize>,
    /// The blocks.
    pub blocks: Vec<Node>,
    /// The nodes that they replace.
    pub old: Vec<Node>,
}

/// Returns HTML in which rows, cells and items have a table or a list around them, without which no parser reads them.
pub fn wrapped(html: &str) -> Cow<'_, str> {
    let first = html.split('>').next().unwrap_or_default();
    match content::outer_tag(html).as_deref() {
        Some("tr" | "tbody" | "thead" | "tfoot") => format!("<table>{html}</table>").into(),
        Some("td" | "th") => format!("<table><tr>{html}</tr></table>").into(),
        Some("li") if first.contains("taskItem") => format!("<ul data-type=\"taskList\">{html}</ul>").into(),
        Some("li") => format!("<ul>{html}</ul>").into(),
        _ => html.into(),
    }
}

/// Finds the place of blocks that were parsed from [`wrapped`] HTML, given for a range of lines. `lines` are those of
/// the top-level blocks that the range touches.
///
/// # Errors
/// [`Error::ColumnCount`] and [`Error::PartOfRow`] if rows do not fit their table.
pub fn place(
    document: &Document,
    lines: &[Line],
    range: RangeInclusive<usize>,
    html: &str,
    blocks: Vec<Node>,
) -> Result<Placement, Error> {
    let region = Region { document, lines, range };
    let tag = content::outer_tag(html);
    let schema = document.schema();
    if let [table] = &blocks[..]
        && is_table(schema, table)
        && let Some(depth) = region.depth_of(|_, node| is_row(schema, node.kind()))
        && !(tag.as_deref() == Some("table") && region.covers(depth - 1))
    {
        return match tag.as_deref() {
            Some("td" | "th") => region.cells(depth, table.children()),
            // Rows for all lines of a table may have other columns.
            _ if region.covers(depth - 1) && !region.has_columns_of(depth, table) => {
                let old = region.siblings(depth - 1);
                let table = old[0].with_children(table.children().to_vec());
                Ok(Placement { lines: region.range, depth: Some(depth - 1), blocks: vec![table], old })
            }
            _ => region.rows(depth, table.children().to_vec()),
        };
    }
    if blocks.iter().all(|block| is_list(schema, block))
        && let Some(depth) =
            region.depth_of(|parent, node| parent.is_some_and(|list| is_item(schema, list.kind(), node)))
        && tag.as_deref() != Some("li")
        && region.gives_list(depth, &blocks)
        && region.covers(depth - 1)
    {
        let old = region.siblings(depth - 1);
        return Ok(Placement { lines: region.range, depth: Some(depth - 1), blocks, old });
    }
    if blocks.iter().all(|block| is_list(schema, block))
        && let Some(depth) =
            region.depth_of(|parent, node| parent.is_some_and(|list| is_item(schema, list.kind(), node)))
        && (tag.as_deref() == Some("li") || !region.gives_list(depth, &blocks))
    {
        let items: Vec<Node> = blocks.iter().flat_map(Node::children).cloned().collect();
        let placement = region.items(depth, items, html);
        let is_valid = |item: &Node| Parent::of(item).takes(schema, item.children());
        // If the items of this list do not allow the new blocks, the list is split around them.
        if placement.blocks.iter().all(is_valid) {
            return Ok(placement);
        }
    }
    Ok(region.blocks(blocks))
}

/// Returns blocks as the content of lines that keep their kind: paragraphs for some lines of one paragraph, and one
/// block for each of several cells. `None` if they are neither.
pub fn as_lines(
    document: &Document,
    lines: &[Line],
    range: &RangeInclusive<usize>,
    blocks: &[Node],
) -> Option<Vec<Vec<Node>>> {
    let region = Region { document, lines, range: range.clone() };
    let schema = document.schema();
    let (first, last) = (&region.first().path, &region.last().path);
    if !blocks.iter().all(|block| schema.is_textblock(block.kind())) {
        return None;
    }
    let contents = || blocks.iter().map(|block| block.children().to_vec()).collect();
    if first == last {
        let depth = first.len() - 1;
        let holder = &region.siblings(depth)[0];
        let is_part =
            schema.is_textblock(holder.kind()) && !schema.node_type(holder.kind()).code && !region.covers(depth);
        // A block that has its place only there, such as a summary, is the content of that one.
        let is_bound = |block: &Node| {
            let top = schema.edges(schema.node_type(schema.top_type()).content_match);
            !top.iter().any(|(kind, _)| *kind == block.kind())
        };
        let is_meant = is_part || matches!(blocks, [block] if is_bound(block));
        return (is_meant && blocks.iter().all(|block| block.kind() == holder.kind())).then(contents);
    }
    let cells = region.depth_of(|_, node| is_row(schema, node.kind()))?;
    let in_one_cell = first.get(..=cells + 1) == last.get(..=cells + 1);
    (!in_one_cell && blocks.len() == range.end() + 1 - range.start()).then(contents)
}

/// Returns whether a node holds rows.
pub fn is_table(schema: &Schema, node: &Node) -> bool {
    node.children().first().is_some_and(|row| is_row(schema, row.kind()))
}

/// Returns whether a node holds items.
pub(super) fn is_list(schema: &Schema, node: &Node) -> bool {
    node.children().first().is_some_and(|item| is_item(schema, node.kind(), item))
}

/// Lines of a document, in its tree.
struct Region<'a> {
    document: &'a Document,
    /// The lines of the top-level blocks that the range touches.
    lines: &'a [Line],
    range: RangeInclusive<usize>,
}

impl Region<'_> {
    fn schema(&self) -> &Schema {
        self.document.schema()
    }

    /// Returns a line by its number.
    fn line(&self, number: usize) -> &Line {
        &self.lines[self.index(number)]
    }

    fn index(&self, number: usize) -> usize {
        number - self.lines[0].line
    }

    fn first(&self) -> &Line {
        self.line(*self.range.start())
    }

    fn last(&self) -> &Line {
        self.line(*self.range.end())
    }

    /// Returns the children of the node at a path.
    fn children(&self, path: &[usize]) -> &[Node] {
        path.iter().fold(self.document.blocks(), |siblings, index| siblings[*index].children())
    }

    /// Returns the innermost level at which one parent holds all lines and the node of the first line satisfies a
    /// condition. The condition is called with the parent, `None` for a top-level block, and the node.
    fn depth_of(&self, is_meant: impl Fn(Option<&Node>, &Node) -> bool) -> Option<usize> {
        let (first, last) = (&self.first().path, &self.last().path);
        let shared = first.iter().zip(last).take_while(|(a, b)| a == b).count();
        let deepest = shared.min(first.len() - 1).min(last.len() - 1);
        (0..=deepest).rev().find(|depth| {
            let parent = depth.checked_sub(1).map(|above| &self.children(&first[..above])[first[above]]);
            is_meant(parent, &self.children(&first[..*depth])[first[*depth]])
        })
    }

    /// Returns the nodes of a level that hold the lines.
    fn siblings(&self, depth: usize) -> Vec<Node> {
        let (first, last) = (&self.first().path, &self.last().path);
        self.children(&first[..depth])[first[depth]..=last[depth]].to_vec()
    }

    /// Returns the numbers of all lines of those nodes.
    fn whole(&self, depth: usize) -> RangeInclusive<usize> {
        let (first, last) = (self.index(*self.range.start()), self.index(*self.range.end()));
        let before = self.lines[..first].iter().rev().take_while(|line| is_within(self.first(), line, depth));
        let behind = self.lines[last + 1..].iter().take_while(|line| is_within(self.last(), line, depth));
        self.range.start() - before.count()..=self.range.end() + behind.count()
    }

    /// Returns whether the lines are all lines of the nodes of a level that hold them.
    fn covers(&self, depth: usize) -> bool {
        let (first, last) = (self.index(*self.range.start()), self.index(*self.range.end()));
        let before = first.checked_sub(1).map(|before| &self.lines[before]);
        !before.is_some_and(|line| is_within(self.first(), line, depth))
            && !self.lines.get(last + 1).is_some_and(|line| is_within(self.last(), line, depth))
    }

    /// Returns whether the rows of a table are as wide as those at a level.
    fn has_columns_of(&self, depth: usize, table: &Node) -> bool {
        let widest = |rows: &[Node]| rows.iter().map(rows::width).max();
        widest(&self.siblings(depth)) == widest(table.children())
    }

    /// Returns whether lists replace the whole list whose items are at a level.
    fn gives_list(&self, depth: usize, blocks: &[Node]) -> bool {
        let Some(above) = depth.checked_sub(1).filter(|above| self.covers(*above)) else { return false };
        let list = &self.siblings(above)[0];
        // A bullet list is how HTML without attributes states a task list.
        let is_tasks = |node: &Node| node.children().first().is_some_and(|item| item.attrs().get("checked").is_some());
        !(is_tasks(list) && blocks.iter().all(|block| !is_tasks(block) && block.first_number().is_none()))
    }

    /// Returns a placement of items in place of the items at a level. The part of the first item before the lines stays
    /// before them, and the part of the last item behind them is moved into the last new item.
    fn items(&self, depth: usize, mut items: Vec<Node>, html: &str) -> Placement {
        let schema = self.schema();
        let old = self.siblings(depth);
        let states = content::task_states(html);
        let kept = if items.len() == old.len() { &old[..] } else { &[] };
        for (at, item) in items.iter_mut().enumerate() {
            let like = kept.get(at).unwrap_or(&old[0]);
            if item.kind() != like.kind() {
                *item = Node::new(
                    schema,
                    like.kind(),
                    schema.default_attrs(like.kind()),
                    item.children().to_vec(),
                    Marks::NONE,
                );
            }
            let said = states.get(at).copied().flatten().map(Value::from);
            let is_task = item.attrs().get("checked").is_some();
            let stays = kept.get(at).and_then(|old| old.attrs().get("checked")).cloned();
            if let Some(state) = said.or(stays).filter(|_| is_task) {
                *item = item.with_attrs(item.attrs().with("checked", state));
            }
        }
        let lines = self.whole(depth);
        let (first, last) = (&old[0], &old[old.len() - 1]);
        let from = *lines.start();
        let before = part(schema, first, from, &|line| line < *self.range.start());
        let last_from = lines.end() + 1 - count_lines(schema, last);
        let rest = part(schema, last, last_from, &|line| line > *self.range.end());
        if let (Some(rest), Some(item)) = (rest, items.last_mut()) {
            *item = with_rest(schema, item, rest.children());
        }
        items.splice(0..0, before);
        Placement { lines, depth: Some(depth), blocks: items, old }
    }

    /// Blocks that are neither rows nor items of what holds the lines.
    fn blocks(&self, mut blocks: Vec<Node>) -> Placement {
        let schema = self.schema();
        let is_container = |node: &Node| {
            !node.is_leaf() && !schema.is_textblock(node.kind()) && !schema.node_type(node.kind()).isolating
        };
        let outside_items = |depth: usize| {
            let path = &self.first().path;
            (1..=depth).all(|at| {
                let parent = &self.children(&path[..at - 1])[path[at - 1]];
                !is_item(schema, parent.kind(), &self.children(&path[..at])[path[at]])
            })
        };
        let (first, last) = (&self.first().path, &self.last().path);
        let shared = first.iter().zip(last).take_while(|(a, b)| a == b).count();
        // All lines of a list or a quote, given as blocks, are these blocks: unless they are its items, or one
        // paragraph for the only one.
        let is_left = |container: &Node| {
            let is_list = is_list(schema, container);
            let gives_items = blocks.iter().all(|block| is_item(schema, container.kind(), block));
            let is_one = self.range.start() == self.range.end()
                && blocks.len() == 1
                && schema.is_textblock(blocks[0].kind())
                && heading_level(schema, &blocks[0]).is_none();
            (is_list && !gives_items || container.role(schema) == Some(NodeRole::Quote)) && !is_one
        };
        let container = (0..shared.min(first.len() - 1))
            .find(|depth| is_left(&self.siblings(*depth)[0]) && self.covers(*depth) && outside_items(*depth));
        if let Some(depth) = container {
            return Placement { lines: self.range.clone(), depth: Some(depth), blocks, old: self.siblings(depth) };
        }
        // A table whose lines all become a list or something else with lines of its own is that.
        let table = self.depth_of(|_, node| is_row(schema, node.kind())).and_then(|row| row.checked_sub(1));
        if let Some(depth) = table.filter(|depth| self.covers(*depth))
            && blocks.iter().any(|block| !block.is_leaf() && !schema.is_textblock(block.kind()))
        {
            return Placement { lines: self.range.clone(), depth: Some(depth), blocks, old: self.siblings(depth) };
        }
        // A quote for a part of a quote is more of it.
        let holder = self.depth_of(|parent, _| {
            parent.is_some_and(|parent| blocks.iter().all(|block| block.kind() == parent.kind() && is_container(block)))
        });
        let repeats = || {
            let given: String = blocks.iter().map(Node::text_content).collect();
            let named = self.lines.iter().filter(|line| self.range.contains(&line.line));
            given == named.map(|line| line.text.as_str()).collect::<String>()
        };
        // Where nothing else changes, the quote itself is meant.
        let holder = holder.filter(|_| !blocks.iter().any(|block| is_list(schema, block)) && !repeats());
        if holder.is_some() {
            blocks = blocks.iter().flat_map(Node::children).cloned().collect();
        }
        let deepest = shared.min(first.len() - 1).min(last.len() - 1);
        let old = if self.covers(deepest) { self.siblings(deepest) } else { Vec::new() };
        Placement { lines: self.range.clone(), depth: None, blocks, old }
    }
}

/// Returns whether a line is in the same node of a level as another one.
fn is_within(of: &Line, line: &Line, depth: usize) -> bool {
    line.path.get(..=depth) == of.path.get(..=depth)
}

/// Returns a node with only some of its lines. `first` is the number of its first line. `None` if no line is left.
pub(super) fn part(schema: &Schema, node: &Node, first: usize, stays: &dyn Fn(usize) -> bool) -> Option<Node> {
    let count = count_lines(schema, node);
    let there = (first..first + count).filter(|line| stays(*line)).count();
    if there == 0 || there == count {
        return (there > 0).then(|| node.clone());
    }
    if schema.is_textblock(node.kind()) {
        let segments = segments::split(schema, node).into_iter().enumerate();
        let left = segments.filter(|(at, _)| stays(first + at)).map(|(_, segment)| segment).collect();
        return Some(segments::join(schema, node, left));
    }
    let (mut line, mut children) = (first, Vec::new());
    for child in node.children() {
        children.extend(part(schema, child, line, stays).map(|left| with_required(schema, child, left)));
        line += count_lines(schema, child);
    }
    Some(node.with_children(children))
}

/// The rest of a node, with an empty textblock before it where the node begins with one and nothing else may.
fn with_required(schema: &Schema, node: &Node, left: Node) -> Node {
    let first = node.children().first().filter(|first| schema.is_textblock(first.kind()));
    let Some(first) = first.filter(|_| !Parent::of(&left).takes(schema, left.children())) else { return left };
    let children = std::iter::once(first.with_children(Vec::new())).chain(left.children().iter().cloned());
    left.with_children(children.collect())
}

/// Returns an item with more children. A list that it repeats is not doubled; a list behind a list of its kind
/// continues it.
fn with_rest(schema: &Schema, item: &Node, rest: &[Node]) -> Node {
    let mut children = item.children().to_vec();
    let text = |nodes: &[Node]| nodes.iter().map(Node::text_content).collect::<Vec<_>>();
    if children.len() > rest.len() && text(&children[children.len() - rest.len()..]) == text(rest) {
        children.truncate(children.len() - rest.len());
    }
    let mut rest = rest.iter();
    let joins = |list: &Node, next: &Node| list.kind() == next.kind() && is_list(schema, list);
    if let (Some(list), Some(next)) = (children.last_mut(), rest.as_slice().first())
        && joins(list, next)
    {
        let all = list.children().iter().chain(next.children()).cloned().collect();
        *list = list.with_children(all);
        rest.next();
    }
    children.extend(rest.cloned());
    item.with_children(children)
}
