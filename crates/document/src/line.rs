//! Lines: how a model points into a document.

use super::node::Node;
use super::schema::Schema;
use super::text_form::text_form;
use super::utf16;
use serde::Serialize;
use std::ops::Range;

/// Represents each boundary of an inline node with content in a line's text.
pub const OBJECT: char = '\u{FFFC}';

/// The content of a textblock between two hard breaks or newlines, or a block that is a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Number of the line, from 1.
    pub line: usize,
    /// The position where it begins.
    pub from: usize,
    /// The position where it ends.
    pub to: usize,
    /// The name of the type of the textblock or leaf.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text, with the [text form](text_form) of each inline leaf; empty for a leaf block.
    pub text: String,
    /// The bytes of `text` that are text forms, in order. Each form represents one position; everything else in the
    /// text is as wide as its UTF-16 code units.
    #[serde(skip)]
    pub atoms: Vec<Range<usize>>,
    /// The path to the textblock or leaf: an index into the children at each level, the top-level block first.
    pub path: Vec<usize>,
    /// The top-level block it is in.
    #[serde(skip)]
    pub block: usize,
}

/// A [`Line`] while it is looked at.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "as in Line")]
pub struct LineRef<'a> {
    pub line: usize,
    pub from: usize,
    pub to: usize,
    pub kind: &'a str,
    pub text: &'a str,
    pub atoms: &'a [Range<usize>],
    pub path: &'a [usize],
    /// The textblock or leaf.
    pub node: &'a Node,
    /// The position in the content of the textblock where the line begins.
    pub start: usize,
}

impl LineRef<'_> {
    /// Returns what of the textblock's content is between two positions of the line.
    pub fn content(&self, from: usize, to: usize) -> Vec<Node> {
        let inside = from + self.start - self.from..to + self.start - self.from;
        let mut at = 0;
        let mut nodes = Vec::new();
        for child in self.node.children() {
            let here = at.max(inside.start)..(at + child.size()).min(inside.end);
            if here.start < here.end {
                let is_cut = here.len() < child.size() && child.is_text();
                nodes.push(if is_cut { child.cut_text(here.start - at, here.end - at) } else { child.clone() });
            }
            at += child.size();
        }
        nodes
    }
}

impl From<LineRef<'_>> for Line {
    fn from(seen: LineRef<'_>) -> Line {
        let LineRef { line, from, to, kind, text, atoms, path, .. } = seen;
        let (kind, text, atoms, path, block) =
            (kind.to_owned(), text.to_owned(), atoms.to_vec(), path.to_vec(), path[0]);
        Line { line, from, to, kind, text, atoms, path, block }
    }
}

impl Line {
    /// Returns whether it is in a block of code.
    pub fn is_code(&self, schema: &Schema) -> bool {
        schema.find_node(&self.kind).is_some_and(|kind| schema.node_type(kind).code)
    }

    /// Returns the position of a byte offset into the text. An offset inside a text form is the position before the
    /// leaf, one behind the end is the end.
    pub fn position(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let (mut position, mut done) = (self.from, 0);
        for atom in &self.atoms {
            if offset < atom.end {
                break;
            }
            position += utf16::len(&self.text[done..atom.start]) + 1;
            done = atom.end;
        }
        let end = self.atoms.iter().find(|atom| atom.start >= done).map_or(offset, |atom| offset.min(atom.start));
        position + utf16::len(&self.text[done..end])
    }

    /// Returns the byte offset into the text of a position of the line: the inverse of [`Line::position`]. A position
    /// outside the line is its nearest end.
    pub fn offset(&self, position: usize) -> usize {
        let (mut left, mut done) = (position.saturating_sub(self.from), 0);
        for atom in &self.atoms {
            let width = utf16::len(&self.text[done..atom.start]);
            if left <= width {
                break;
            }
            left -= width + 1;
            done = atom.end;
        }
        done + utf16::byte_offset(&self.text[done..], left)
    }
}

/// Lines of some top-level blocks, in document order.
#[derive(Clone, Debug, Default)]
pub struct Lines(pub Vec<Line>);

impl Lines {
    /// Returns the lines with the numbers `first` to `last`, both included.
    pub fn between(&self, first: usize, last: usize) -> &[Line] {
        let start = self.0.partition_point(|line| line.line < first);
        let length = self.0[start..].partition_point(|line| line.line <= last);
        &self.0[start..start + length]
    }

    /// Returns the lines of a range of top-level blocks.
    pub fn of_blocks(&self, blocks: Range<usize>) -> &[Line] {
        let start = self.0.partition_point(|line| line.block < blocks.start);
        let length = self.0[start..].partition_point(|line| line.block < blocks.end);
        &self.0[start..start + length]
    }
}

/// Returns the number of lines of a node.
pub fn count(schema: &Schema, node: &Node) -> usize {
    if schema.is_textblock(node.kind()) {
        if node.may_have_breaks() { 1 + breaks(schema, node) } else { 1 }
    } else if node.is_leaf() {
        1
    } else {
        node.children().iter().map(|child| count(schema, child)).sum()
    }
}

fn breaks(schema: &Schema, textblock: &Node) -> usize {
    let in_child = |child: &Node| match child.text() {
        Some(text) => memchr::memchr_iter(b'\n', text.as_bytes()).count(),
        None => usize::from(schema.is_hard_break(child.kind())),
    };
    textblock.children().iter().map(in_child).sum()
}

/// A walk over the lines of blocks.
pub(super) struct LineWalk<'a> {
    schema: &'a Schema,
    line: usize,
    path: Vec<usize>,
    /// The text of the line so far. It is one buffer for all lines.
    text: LineText,
    see: &'a mut dyn FnMut(LineRef<'_>),
}

impl LineWalk<'_> {
    /// Returns a walk that calls `see` with every line. The first one has the number `line`.
    pub(super) fn new<'a>(schema: &'a Schema, line: usize, see: &'a mut dyn FnMut(LineRef<'_>)) -> LineWalk<'a> {
        LineWalk { schema, line, path: Vec::new(), text: LineText::default(), see }
    }

    /// Walks over the next top-level block, which begins at position `from`.
    pub(super) fn block(&mut self, block: &Node, index: usize, from: usize) {
        self.path.push(index);
        self.node(block, from);
        self.path.pop();
    }

    fn node(&mut self, node: &Node, from: usize) {
        if self.schema.is_textblock(node.kind()) {
            self.textblock(node, from + 1);
        } else if node.is_leaf() {
            self.emit(node, 0, from..from + node.size(), "", &[]);
        } else {
            let mut from = from + 1;
            for (index, child) in node.children().iter().enumerate() {
                self.path.push(index);
                self.node(child, from);
                self.path.pop();
                from += child.size();
            }
        }
    }

    fn textblock(&mut self, node: &Node, mut from: usize) {
        if let [only] = node.children()
            && let Some(text) = only.text().filter(|_| !only.may_have_breaks())
        {
            return self.emit(node, 0, from..from + only.size(), text, &[]);
        }
        let content = from;
        let mut at = from;
        for child in node.children() {
            match child.text() {
                Some(whole) if child.may_have_breaks() => {
                    let mut pieces = whole.split('\n');
                    let first = pieces.next().unwrap_or("");
                    self.text.all.push_str(first);
                    let mut to = at + utf16::len(first);
                    for piece in pieces {
                        self.end_line(node, content, from..to);
                        from = to + 1;
                        to = from + utf16::len(piece);
                        self.text.all.push_str(piece);
                    }
                }
                Some(whole) => self.text.all.push_str(whole),
                None if self.schema.is_hard_break(child.kind()) => {
                    self.end_line(node, content, from..at);
                    from = at + child.size();
                }
                None => self.text.push(self.schema, child),
            }
            at += child.size();
        }
        self.end_line(node, content, from..at);
    }

    fn end_line(&mut self, node: &Node, content: usize, range: Range<usize>) {
        let mut text = std::mem::take(&mut self.text);
        self.emit(node, range.start - content, range, &text.all, &text.atoms);
        text.all.clear();
        text.atoms.clear();
        self.text = text;
    }

    fn emit(&mut self, node: &Node, start: usize, range: Range<usize>, text: &str, atoms: &[Range<usize>]) {
        let (kind, Range { start: from, end: to }) = (node.name(self.schema), range);
        (self.see)(LineRef { line: self.line, from, to, kind, text, atoms, path: &self.path, node, start });
        self.line += 1;
    }
}

/// The text of inline content, and where in it the text forms are.
#[derive(Default)]
struct LineText {
    all: String,
    atoms: Vec<Range<usize>>,
}

impl LineText {
    fn push(&mut self, schema: &Schema, node: &Node) {
        match node.text() {
            Some(text) => self.all.push_str(text),
            None if node.is_leaf() => {
                let start = self.all.len();
                self.all.push_str(&text_form(schema, node));
                self.atoms.push(start..self.all.len());
            }
            None => {
                self.all.push(OBJECT);
                node.children().iter().for_each(|child| self.push(schema, child));
                self.all.push(OBJECT);
            }
        }
    }
}

/// Appends the text of inline content as a line shows it.
pub fn push_inline(schema: &Schema, node: &Node, out: &mut String) {
    let mut text = LineText { all: std::mem::take(out), atoms: Vec::new() };
    text.push(schema, node);
    *out = text.all;
}

/// Nodes as text: a line each textblock, break and rule.
pub fn text_of(schema: &Schema, nodes: &[Node]) -> String {
    fn write(schema: &Schema, node: &Node, out: &mut String) {
        match node.text() {
            Some(text) => out.push_str(text),
            None if schema.is_hard_break(node.kind()) => out.push('\n'),
            // An image is described to people by what shows it.
            None if node.is_atom() && node.name(schema) != "image" => push_inline(schema, node, out),
            None => {
                if !schema.is_inline(node.kind()) && !out.is_empty() && !out.ends_with('\n') {
                    out.push('\n');
                }
                node.children().iter().for_each(|child| write(schema, child, out));
            }
        }
    }
    let mut text = String::new();
    nodes.iter().for_each(|node| write(schema, node, &mut text));
    text
}
