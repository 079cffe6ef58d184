//! Replaces lines by blocks, in the blocks that contain the lines.
//!
//! A line is a range of a textblock, so a change of lines is a change of the tree around them. The tree is walked once:
//! each node returns its replacement, and its parent fits that to the schema. Two rules apply: **a block that lost all
//! its lines is removed, and with it every node that contained only it** (a table cell stays, empty), and **the new
//! blocks are where all those lines were**: among the children of the node that contains them all or, if that does not
//! allow them, as deep in it as the schema does. A list or a table whose lines all become a list or a table is replaced
//! by it.

use super::fit::Placement;
use super::parent::{
    Around, Emptied, Parent, Piece, Row, gives_way, is_item, is_row, no_place, spans_rows, with_pieces,
};
use super::segments::{self, Segment};
use crate::Error;
use copydesk_document::{Document, Marks, Node, NodeTypeId, Schema, count_lines};
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

/// Returns the top-level blocks in which lines are replaced by blocks, and their replacements.
///
/// # Errors
/// [`Error::NotInSchema`] if there is no place for the blocks.
pub fn rewrite(document: &Document, placement: &Placement) -> Result<(Range<usize>, Vec<Node>), Error> {
    let Placement { lines, depth, blocks: new, .. } = placement;
    let range = document.block_of_line(*lines.start())..document.block_of_line(*lines.end()) + 1;
    let schema = document.schema();
    let line = document.line_numbers_of(range.start).start;
    let mut rewriter = Rewriter { schema, lines, stated: *depth, new, line, is_placed: false, depth: 0 };
    let blocks = document.blocks();
    let kinds = |blocks: &[Node]| blocks.iter().map(Node::kind).collect::<Vec<_>>();
    let around = Around { before: kinds(&blocks[..range.start]), after: kinds(&blocks[range.end..]) };
    let top = Parent { kind: schema.top_type(), around };
    let (children, emptied) = rewriter.children(&top, &blocks[range.clone()])?;
    Ok((range, top.settle_top(schema, children, emptied)?))
}

/// The replacement of a node.
#[derive(Default)]
struct Rewritten {
    pieces: Vec<Piece>,
    /// The textblock that was removed, without its content: for a parent that must have one there.
    emptied: Option<Node>,
}

struct Rewriter<'a> {
    schema: &'a Schema,
    /// The lines that go.
    lines: &'a RangeInclusive<usize>,
    /// The number of ancestors below the document of the new blocks. `None` if the schema decides.
    stated: Option<usize>,
    /// The new blocks.
    new: &'a [Node],
    /// The number of the next line.
    line: usize,
    /// True if the new blocks have their place.
    is_placed: bool,
    /// Number of ancestors below the document of the current nodes.
    depth: usize,
}

impl<'a> Rewriter<'a> {
    /// Rewrites a node. `end` is the number of the line after it.
    fn block(&mut self, parent: &Parent, node: &Node, end: usize) -> Result<Rewritten, Error> {
        if end <= *self.lines.start() || *self.lines.end() < self.line {
            self.line = end;
            return Ok(Rewritten { pieces: vec![Piece::Node(node.clone())], emptied: None });
        }
        if self.schema.is_textblock(node.kind()) {
            Ok(self.textblock(node))
        } else if node.is_leaf() {
            self.line += 1;
            Ok(Rewritten { pieces: self.placed(), emptied: None })
        } else {
            self.depth += 1;
            let rewritten = self.children(&Parent::of(node), node.children());
            self.depth -= 1;
            let (children, emptied) = rewritten?;
            Ok(Rewritten { pieces: self.settle(parent, node, children, emptied)?, emptied: None })
        }
    }

    /// Returns the new blocks, unless they have their place.
    fn placed(&mut self) -> Vec<Piece> {
        match std::mem::replace(&mut self.is_placed, true) {
            true => Vec::new(),
            false => self.new.iter().cloned().map(Piece::Placed).collect(),
        }
    }

    fn textblock(&mut self, node: &Node) -> Rewritten {
        let mut rewritten = Rewritten::default();
        let mut open: Vec<Segment> = Vec::new();
        for segment in segments::split(self.schema, node) {
            self.line += 1;
            if !self.lines.contains(&(self.line - 1)) {
                open.push(segment);
                continue;
            }
            let placed = self.placed();
            if !placed.is_empty() {
                self.close(node, &mut open, &mut rewritten.pieces);
                rewritten.pieces.extend(placed);
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

    /// The children of a node.
    fn children(&mut self, parent: &Parent, old: &[Node]) -> Result<(Vec<Piece>, Emptied), Error> {
        let schema = self.schema;
        let (mut row, mut emptied) = (Row::of(schema, parent), Emptied::new());
        let mut covered = 0;
        let spans = OnceCell::new();
        for child in old {
            let last = self.line + count_lines(schema, child) - 1;
            let mut placed: Vec<Piece> = Vec::new();
            if self.is_here(&row, child, last + 1) {
                covered = *self.lines.end();
                // They follow the rest of the child in which their lines begin.
                match *self.lines.start() > self.line {
                    true => placed = self.placed(),
                    false => row.extend(schema, self.placed()),
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
            emptied.extend(rewritten.emptied.map(|block| (row.pieces.len(), block)));
            row.extend(schema, rewritten.pieces);
            row.join(schema, &mut placed, child.children().last());
            row.extend(schema, placed);
        }
        Ok((row.pieces, emptied))
    }

    /// Returns whether a row, a table or another isolating node is removed with its lines. `last` is the number of its
    /// last line. A cell is removed only with its row, and a row only if no cell spans several rows.
    fn goes_whole(&self, parent: &Parent, child: &Node, last: usize, spans_rows: impl Fn() -> bool) -> bool {
        let is_removed = |line: usize| self.lines.contains(&line) && (line != *self.lines.start() || self.is_placed);
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

    /// Returns whether the new blocks belong to this level: their lines begin in `child`, and no child of the parent
    /// holds them all or they replace the child. `end` is the number of the line after the child.
    fn is_here(&self, row: &Row, child: &Node, end: usize) -> bool {
        let (first, last) = (*self.lines.start(), *self.lines.end());
        if self.is_placed || !(self.line..end).contains(&first) {
            return false;
        }
        let is_here = match self.stated {
            Some(depth) => depth == self.depth && first == self.line,
            None => last >= end || last == end - 1 && first == self.line && gives_way(self.schema, child, self.new),
        };
        let partly = (first > self.line).then_some(child);
        is_here && row.takes(self.schema, partly.into_iter().chain(self.new).map(Node::kind))
    }

    /// Returns a node with other children, or its replacement if its schema does not allow them.
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

    /// Splits a node around blocks that are not allowed in it.
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
                children.insert(0, empty(self.schema, kind));
            }
            if !own.takes(self.schema, &children) {
                return Err(Error::NotInSchema { what: children[0].name(self.schema).to_owned() });
            }
            let count = children.len();
            let start = node.first_number().filter(|_| before > 0);
            let part = node.with_children(children);
            // The numbers of a list continue behind the parts before.
            let part = start.map(|start| part.with_first_number(start.saturating_add(before))).unwrap_or(part);
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

/// Returns a textblock without content.
fn empty(schema: &Schema, kind: NodeTypeId) -> Node {
    Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE)
}
