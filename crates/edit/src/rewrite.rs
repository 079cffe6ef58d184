//! Lines given other content: what becomes of the blocks they are in.
//!
//! A line is a stretch of a textblock, so a change of lines is a change of the tree around them. The tree is walked
//! once; each node says what stands in its place ([`Rewritten`]), and its parent makes of that what the schema
//! allows. Three rules decide: **a line that is added is what its neighbour is** (an item in a list, a line in code,
//! otherwise a paragraph), **a block that lost all its lines goes, and with it whatever held only it** (a table cell
//! stays, empty), and **blocks that are put in the place of lines stand where all those lines stood**: among the
//! children of the node that holds them all, and where it does not take them as deep in it as the schema has a place
//! for them. A list or a table whose lines all become a list or a table gives way to that.

use super::parent::{
    Around, Emptied, Parent, Piece, Row, gives_way, is_item, is_row, no_place, spans_rows, with_pieces,
};
use super::{retext, segments};
use crate::Error;
use copydesk_document::{Document, Marks, Node, NodeTypeId, Schema, count_lines, join_texts, text_form};
use rustc_hash::FxHashSet;
use segments::Segment;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{BTreeMap, btree_map};
use std::ops::Range;

/// A change of a line.
#[derive(Clone, Debug)]
pub enum LineChange {
    /// Another content, and new lines around it.
    Lines {
        /// Lines inserted before it.
        before: Vec<NewLine>,
        /// The line itself.
        own: NewLine,
        /// Lines inserted after it.
        after: Vec<NewLine>,
    },
    /// The line is deleted.
    Remove,
    /// Blocks replace it and the lines behind it up to `last`.
    Blocks {
        /// The blocks.
        blocks: Vec<Node>,
        /// The last of those lines.
        last: usize,
        /// Number of their ancestors below the document; none where the schema decides.
        depth: Option<usize>,
    },
}

/// A line of an edit.
#[derive(Clone, Debug)]
pub struct NewLine {
    /// The content.
    pub content: Content,
    /// True if the task that the line begins is done; none where that stays, or the line begins none.
    pub checked: Option<bool>,
}

impl From<Content> for NewLine {
    /// A line that says nothing of a task.
    fn from(content: Content) -> NewLine {
        NewLine { content, checked: None }
    }
}

/// The content of a line.
#[derive(Clone, Debug)]
pub enum Content {
    /// Plain text: what stays of the old text keeps its marks.
    Text(String),
    /// Text with marks: what stays of the old text keeps its own as well.
    Marked(Vec<Node>),
    /// Inline content as it is.
    Inline(Vec<Node>),
    /// The content stays as it is.
    Same,
}

/// Changes of lines, by number.
pub type LineChanges = BTreeMap<usize, LineChange>;

/// The top-level blocks in which lines change, and what they become.
///
/// # Errors
/// [`Error::NotInSchema`] where blocks find no place.
pub fn rewrite(document: &Document, changes: &LineChanges) -> Result<(Range<usize>, Vec<Node>), Error> {
    let (Some((first, _)), Some((last, _))) = (changes.first_key_value(), changes.last_key_value()) else {
        return Ok((0..0, Vec::new()));
    };
    let block_of = |line: usize| document.block_of_line(line);
    let range = block_of(*first)..block_of(*last) + 1;
    let schema = document.schema();
    let line = document.line_numbers_of(range.start).start;
    let mut rewriter = Rewriter { schema, changes, line, placed: FxHashSet::default(), depth: 0 };
    let blocks = document.blocks();
    let kinds = |blocks: &[Node]| blocks.iter().map(Node::kind).collect::<Vec<_>>();
    let around = Around { before: kinds(&blocks[..range.start]), after: kinds(&blocks[range.end..]) };
    let top = Parent { kind: schema.top_type(), around };
    let (children, emptied) = rewriter.children(&top, &blocks[range.clone()], None)?;
    Ok((range, top.settle_top(schema, children, emptied)?))
}

/// The replacement of a node.
#[derive(Default)]
struct Rewritten {
    pieces: Vec<Piece>,
    /// Lines that come before the node, as its siblings.
    before: Vec<NewLine>,
    /// Lines that follow it.
    after: Vec<NewLine>,
    /// The textblock that went, without its content: for a parent that must have one there.
    emptied: Option<Node>,
}

/// Lines around the first line of an item, which are items too.
#[derive(Default)]
struct Items {
    before: Vec<NewLine>,
    after: Vec<NewLine>,
    /// Number of the item's children before its first line ends.
    at: usize,
}

struct Rewriter<'a> {
    schema: &'a Schema,
    changes: &'a LineChanges,
    /// The number of the next line.
    line: usize,
    /// Lines whose blocks stand further up already.
    placed: FxHashSet<usize>,
    /// Number of ancestors below the document of the current nodes.
    depth: usize,
}

impl<'a> Rewriter<'a> {
    /// Returns the changes from the current line up to the line `end`.
    fn changes_before(&self, end: usize) -> btree_map::Range<'a, usize, LineChange> {
        self.changes.range(self.line..end.max(self.line))
    }

    /// Rewrites a node. `end` is the number of the line after it.
    fn block(&mut self, parent: &Parent, node: &Node, end: usize) -> Result<Rewritten, Error> {
        if self.changes_before(end).next().is_none() {
            self.line = end;
            return Ok(Rewritten { pieces: vec![Piece::Node(node.clone())], ..Rewritten::default() });
        }
        if self.schema.is_textblock(node.kind()) {
            Ok(self.textblock(node))
        } else if node.is_leaf() {
            Ok(self.leaf(node))
        } else {
            let pieces = self.container(parent, node)?;
            Ok(Rewritten { pieces, ..Rewritten::default() })
        }
    }

    fn textblock(&mut self, node: &Node) -> Rewritten {
        let code = self.schema.node_type(node.kind()).code;
        let old = segments::split(self.schema, node);
        let count = old.len();
        let mut rewritten = Rewritten::default();
        let mut open: Vec<Segment> = Vec::new();
        for segment in old {
            let change = self.changes.get(&self.line);
            self.line += 1;
            match change {
                None => open.push(segment),
                Some(LineChange::Remove) => {}
                Some(LineChange::Blocks { .. }) if self.placed.contains(&(self.line - 1)) => {}
                Some(LineChange::Blocks { blocks, .. }) => {
                    self.close(node, &mut open, &mut rewritten.pieces);
                    rewritten.pieces.extend(blocks.iter().cloned().map(Piece::Placed));
                }
                Some(LineChange::Lines { before, own, after }) => {
                    let added =
                        |line: &NewLine| Segment { opened_by: None, inline: self.inline(node, &[], &line.content) };
                    // Lines that are added in code, or beside a hard break, are lines of the same block.
                    if code || count > 1 {
                        open.extend(before.iter().map(added));
                    } else {
                        rewritten.before.extend_from_slice(before);
                    }
                    open.push(Segment {
                        opened_by: segment.opened_by,
                        inline: self.inline(node, &segment.inline, &own.content),
                    });
                    if code || count > 1 {
                        open.extend(after.iter().map(added));
                    } else {
                        rewritten.after.extend_from_slice(after);
                    }
                }
            }
        }
        self.close(node, &mut open, &mut rewritten.pieces);
        if rewritten.pieces.is_empty() {
            rewritten.emptied = Some(node.with_children(Vec::new()));
        }
        rewritten
    }

    fn close(&self, node: &Node, open: &mut Vec<Segment>, pieces: &mut Vec<Piece>) {
        if !open.is_empty() {
            pieces.push(Piece::Node(segments::join(self.schema, node, std::mem::take(open))));
        }
    }

    /// A block that is one line and no text, such as an image. An empty text leaves it: that is how it reads.
    fn leaf(&mut self, node: &Node) -> Rewritten {
        let change = self.changes.get(&self.line);
        self.line += 1;
        let kept = || vec![Piece::Node(node.clone())];
        match change {
            None => Rewritten { pieces: kept(), ..Rewritten::default() },
            Some(LineChange::Remove) => Rewritten::default(),
            Some(LineChange::Blocks { .. }) if self.placed.contains(&(self.line - 1)) => Rewritten::default(),
            Some(LineChange::Blocks { blocks, .. }) => {
                Rewritten { pieces: blocks.iter().cloned().map(Piece::Placed).collect(), ..Rewritten::default() }
            }
            Some(LineChange::Lines { before, own, after }) => {
                let stays = match &own.content {
                    Content::Text(text) => text.is_empty(),
                    Content::Inline(nodes) | Content::Marked(nodes) => nodes.is_empty(),
                    Content::Same => true,
                };
                let (before, mut after) = (before.clone(), after.clone());
                if !stays {
                    after.insert(0, own.clone());
                }
                Rewritten { pieces: if stays { kept() } else { Vec::new() }, before, after, emptied: None }
            }
        }
    }

    /// The children of a node, with new lines as siblings of those that they stand beside. Where `items` is given, the
    /// lines around the first child are left to the caller.
    fn children(
        &mut self,
        parent: &Parent,
        old: &[Node],
        mut items: Option<&mut Items>,
    ) -> Result<(Vec<Piece>, Emptied), Error> {
        let schema = self.schema;
        let (mut row, mut emptied) = (Row::of(schema, parent), Emptied::new());
        let mut covered = 0;
        let spans = OnceCell::new();
        for (index, child) in old.iter().enumerate() {
            let last = self.line + count_lines(schema, child) - 1;
            let mut placed: &[Node] = &[];
            if let Some((line, blocks, last_line)) = self.blocks_here(&row, child, last + 1) {
                covered = last_line;
                self.placed.insert(line);
                // They come behind what stays of the child that their lines begin in.
                match line > self.line {
                    true => placed = blocks,
                    false => row.extend(schema, blocks.iter().cloned().map(Piece::Placed)),
                }
            }
            if last <= covered && placed.is_empty()
                || self.goes_whole(parent, child, last, || *spans.get_or_init(|| old.iter().any(spans_rows)))
            {
                self.line = last + 1;
                continue;
            }
            let is_cut = covered >= self.line;
            let mut rewritten = self.block(parent, child, last + 1)?;
            if is_cut {
                row.join(schema, &mut rewritten.pieces, None);
            }
            let around = (rewritten.before, rewritten.after);
            match &mut items {
                Some(items) if index == 0 && !rewritten.pieces.is_empty() => {
                    (items.before, items.after) = around;
                    row.extend(schema, rewritten.pieces);
                    items.at = row.pieces.len();
                }
                _ => {
                    self.add_siblings(&mut row, child, around.0);
                    emptied.extend(rewritten.emptied.map(|block| (row.pieces.len(), block)));
                    row.extend(schema, rewritten.pieces);
                    self.add_siblings(&mut row, child, around.1);
                }
            }
            let mut placed = placed.iter().cloned().map(Piece::Placed).collect();
            row.join(schema, &mut placed, child.children().last());
            row.extend(schema, placed);
        }
        Ok((row.pieces, emptied))
    }

    /// Returns whether a row, a table or another isolating node goes with its lines, of which the last one is `last`. A
    /// cell goes only with its row, and a row only where no cell reaches over several rows.
    fn goes_whole(&self, parent: &Parent, child: &Node, last: usize, spans_rows: impl Fn() -> bool) -> bool {
        let is_removed = |line: usize| match self.changes.get(&line) {
            Some(LineChange::Remove) => true,
            Some(LineChange::Blocks { .. }) => self.placed.contains(&line),
            _ => false,
        };
        if !(self.line..last + 1).all(is_removed) {
            return false;
        }
        let schema = self.schema;
        match (is_row(schema, child.kind()), is_row(schema, parent.kind)) {
            (true, _) => !spans_rows(),
            (false, true) => false,
            (false, false) => schema.node_type(child.kind()).isolating && !schema.is_textblock(child.kind()),
        }
    }

    /// Blocks in place of lines that begin in `child` and that no child of the parent holds all, or of all lines of a
    /// child that gives way to them: the first line, the blocks and the last line. None where the parent does not
    /// take them. `end` is the number of the line after the child.
    fn blocks_here(&self, row: &Row, child: &Node, end: usize) -> Option<(usize, &'a [Node], usize)> {
        let mut there = self.changes_before(end).filter_map(|(line, change)| match change {
            LineChange::Blocks { blocks, last, depth } if !self.placed.contains(line) => {
                let is_here = match depth {
                    Some(depth) => *depth == self.depth && *line == self.line,
                    None => {
                        *last >= end || *last == end - 1 && *line == self.line && gives_way(self.schema, child, blocks)
                    }
                };
                is_here.then_some((*line, &blocks[..], *last))
            }
            _ => None,
        });
        let found = there.next()?;
        let partly = (found.0 > self.line).then_some(child);
        row.takes(self.schema, partly.into_iter().chain(found.1).map(Node::kind)).then_some(found)
    }

    fn add_siblings(&self, row: &mut Row, of: &Node, lines: Vec<NewLine>) {
        let mut lines = lines.into_iter().map(|line| line.content);
        while let Some(content) = lines.next() {
            match (row.sibling(self.schema, of), row.pieces.last_mut()) {
                (Some(kind), _) => row.push(self.schema, Piece::Node(self.sibling(kind, of, &content))),
                // No block may follow: this line and the remaining ones are appended to the last block.
                (None, Some(Piece::Node(last))) if self.schema.is_textblock(last.kind()) => {
                    let mut all = segments::split(self.schema, last);
                    let added = std::iter::once(content).chain(lines.by_ref());
                    all.extend(added.map(|line| Segment { opened_by: None, inline: self.inline(last, &[], &line) }));
                    *last = segments::join(self.schema, last, all);
                }
                (None, _) => {
                    if let Some(kind) = self.schema.default_textblock(self.schema.top_type()) {
                        row.push(self.schema, Piece::Placed(self.sibling(kind, of, &content)));
                    }
                }
            }
        }
    }

    /// A textblock like another, as pressing enter in that one makes it.
    fn sibling(&self, kind: NodeTypeId, of: &Node, content: &Content) -> Node {
        let defaults = self.schema.default_attrs(kind);
        let attrs = match (kind == of.kind(), defaults.get("id")) {
            (false, _) => defaults,
            // Two blocks never share a name.
            (true, Some(id)) => of.attrs().with("id", id.clone()),
            (true, None) => of.attrs().clone(),
        };
        let empty = Node::new(self.schema, kind, attrs, Vec::new(), Marks::NONE);
        let inline = self.inline(&empty, &[], content);
        empty.with_children(inline)
    }

    fn inline(&self, block: &Node, old: &[Node], content: &Content) -> Vec<Node> {
        match content {
            Content::Same => old.to_vec(),
            Content::Text(text) => retext::inline(self.schema, old, text),
            Content::Marked(nodes) => {
                let text = retext::flat_text(self.schema, nodes);
                // Where the new text says what has marks, what is new in it has no others.
                let text = match nodes.iter().any(|node| !node.marks().is_empty()) {
                    true => retext::kept(self.schema, old, &text),
                    false => retext::inline(self.schema, old, &text),
                };
                self.inline(block, old, &Content::Inline(retext::with_marks(self.schema, text, nodes)))
            }
            Content::Inline(nodes) => {
                let kind = self.schema.node_type(block.kind());
                let allowed = |node: &Node| -> Node {
                    let marks = node.marks().iter().filter(|mark| kind.allows_mark(mark.kind)).cloned();
                    node.with_marks(marks.collect::<Vec<_>>().into())
                };
                let nodes: Vec<Node> = nodes.iter().map(allowed).collect();
                if Parent::of(block).takes(self.schema, &nodes) {
                    return nodes;
                }
                // A block of text only keeps the text of what it does not take.
                let text = |node: &Node| Node::text_node(self.schema, text_form(self.schema, node), Marks::NONE);
                let as_text = |node: Node| match node.is_text() {
                    true => Some(node),
                    false => node.is_atom().then(|| text(&node)),
                };
                join_texts(nodes.into_iter().filter_map(as_text).collect())
            }
        }
    }

    fn container(&mut self, parent: &Parent, node: &Node) -> Result<Vec<Piece>, Error> {
        let mut items = Items::default();
        let is_item = is_item(self.schema, parent.kind, node);
        let node = &match self.changes.get(&self.line) {
            Some(LineChange::Lines { own, .. }) if is_item => with_state(node, own.checked),
            _ => node.clone(),
        };
        let takes_items = is_item.then_some(&mut items);
        self.depth += 1;
        let rewritten = self.children(&Parent::of(node), node.children(), takes_items);
        self.depth -= 1;
        let (mut children, emptied) = rewritten?;
        let mut pieces = Vec::new();
        for line in items.before {
            let first = self.first_of_item(node, &line.content);
            pieces.extend(self.settle(parent, &self.empty_item(node, line.checked), vec![first], Vec::new())?);
        }
        if items.after.is_empty() {
            pieces.extend(self.settle(parent, node, children, emptied)?);
            return Ok(pieces);
        }
        // What else was in the item stands behind the new lines, as it did before: in the last one.
        let mut rest = children.split_off(items.at);
        pieces.extend(self.settle(parent, node, children, emptied)?);
        let last = items.after.len() - 1;
        for (index, line) in items.after.iter().enumerate() {
            let mut children = vec![self.first_of_item(node, &line.content)];
            if index == last {
                children.append(&mut rest);
            }
            pieces.extend(self.settle(parent, &self.empty_item(node, line.checked), children, Vec::new())?);
        }
        Ok(pieces)
    }

    fn empty_item(&self, like: &Node, checked: Option<bool>) -> Node {
        let attrs = self.schema.default_attrs(like.kind());
        with_state(&Node::new(self.schema, like.kind(), attrs, Vec::new(), Marks::NONE), checked)
    }

    fn first_of_item(&self, item: &Node, content: &Content) -> Piece {
        let first = &item.children()[0];
        let kind = Row::of(self.schema, &Parent::of(item)).sibling(self.schema, first).unwrap_or(first.kind());
        Piece::Node(self.sibling(kind, first, content))
    }

    /// A node with other children, or what stands in its place where its schema does not take them.
    fn settle(
        &self,
        parent: &Parent,
        node: &Node,
        mut children: Vec<Piece>,
        emptied: Emptied,
    ) -> Result<Vec<Piece>, Error> {
        let schema = self.schema;
        let own = Parent::of(node);
        let isolating = schema.node_type(node.kind()).isolating;
        if children.is_empty() {
            if !isolating {
                return Ok(Vec::new());
            }
            let mut one: Vec<Piece> = emptied.into_iter().take(1).map(|(_, block)| Piece::Node(block)).collect();
            if !own.takes(schema, one.iter().map(Piece::node)) {
                let filled = schema.create_and_fill(node.kind(), node.attrs().clone());
                one = filled.iter().flat_map(Node::children).cloned().map(Piece::Node).collect();
            }
            return Ok(vec![Piece::Node(with_pieces(node, one))]);
        }
        // A list put among the items of a list is its items.
        if !own.takes(schema, children.iter().map(Piece::node)) {
            let fits = |block: &Node| !block.children().is_empty() && own.takes(schema, block.children());
            children = children
                .into_iter()
                .flat_map(|piece| match piece {
                    Piece::Placed(block) if fits(&block) => block.children().iter().cloned().map(Piece::Node).collect(),
                    other => vec![other],
                })
                .collect();
        }
        if own.takes(schema, children.iter().map(Piece::node)) {
            return Ok(vec![Piece::Node(with_pieces(node, children))]);
        }
        // An item that lost its own text gives its place to the items in it.
        if is_item(schema, parent.kind, node) && children.iter().all(|piece| matches!(piece, Piece::Node(_))) {
            let inner = children[0].node();
            if !inner.children().is_empty() && inner.children().iter().all(|item| item.kind() == node.kind()) {
                let mut lifted: Vec<Node> = inner.children().to_vec();
                if let Some(last) = lifted.last_mut() {
                    let more = children[1..].iter().map(|piece| piece.node().clone());
                    *last = last.with_children(last.children().iter().cloned().chain(more).collect());
                }
                return Ok(lifted.into_iter().map(Piece::Node).collect());
            }
        }
        let has_placed = children.iter().any(|piece| matches!(piece, Piece::Placed(_)));
        if !has_placed {
            own.put_back(schema, &mut children, emptied);
            if own.takes(schema, children.iter().map(Piece::node)) {
                return Ok(vec![Piece::Node(with_pieces(node, children))]);
            }
        }
        if !has_placed || isolating {
            return Err(no_place(schema, &children));
        }
        self.dissolve(node, children)
    }

    /// A node cut where blocks stand that have no place in it.
    fn dissolve(&self, node: &Node, children: Vec<Piece>) -> Result<Vec<Piece>, Error> {
        let own = Parent::of(node);
        let (mut pieces, mut run, mut before) = (Vec::new(), Vec::new(), 0);
        let mut close = |run: &mut Vec<Node>, pieces: &mut Vec<Piece>| -> Result<(), Error> {
            if run.is_empty() {
                return Ok(());
            }
            let mut children = std::mem::take(run);
            if !own.takes(self.schema, &children)
                && let Some(kind) = self.schema.default_textblock(node.kind())
            {
                children
                    .insert(0, Node::new(self.schema, kind, self.schema.default_attrs(kind), Vec::new(), Marks::NONE));
            }
            if !own.takes(self.schema, &children) {
                return Err(Error::NotInSchema { what: children[0].name(self.schema).to_owned() });
            }
            let count = children.len();
            let start = node.attrs().get("start").and_then(Value::as_i64).filter(|_| before > 0);
            let part = node.with_children(children);
            // The numbers of a list go on behind what stands in it.
            let part =
                start.map(|start| part.with_attrs(part.attrs().with("start", (start + before).into()))).unwrap_or(part);
            before += count as i64;
            pieces.push(Piece::Node(part));
            Ok(())
        };
        for piece in children {
            match piece {
                Piece::Node(child) => run.push(child),
                Piece::Placed(block) => {
                    close(&mut run, &mut pieces)?;
                    pieces.push(Piece::Placed(block));
                }
            }
        }
        close(&mut run, &mut pieces)?;
        Ok(pieces)
    }
}

/// Returns a task in a state; any other node as it is.
fn with_state(node: &Node, checked: Option<bool>) -> Node {
    match (checked, node.attrs().get("checked")) {
        (Some(checked), Some(_)) => node.with_attrs(node.attrs().with("checked", checked.into())),
        _ => node.clone(),
    }
}
