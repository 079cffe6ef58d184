//! Lines: how a model points into a document.

use super::node::Node;
use super::schema::Schema;
use serde::Serialize;

/// Stands in a line's text for each position that is not text: an inline leaf, or the boundary of an inline node
/// that has content. So an offset into the text is an offset from the line's position.
pub const OBJECT: char = '\u{FFFC}';

/// The content of a textblock between two hard breaks (newlines in code), or a block that is a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Number of the line, from 1.
    pub line: usize,
    /// The position where it begins.
    pub from: usize,
    /// The position where it ends. For a textblock `to - from` is the length of `text` in UTF-16 code units.
    pub to: usize,
    /// The name of the type of the textblock or leaf.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text, with [`OBJECT`] for each inline node that is not text; empty for a leaf block.
    pub text: String,
    /// The way to the textblock or leaf: an index into the children at each level, the top-level block first.
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
    pub path: &'a [usize],
}

impl From<LineRef<'_>> for Line {
    fn from(seen: LineRef<'_>) -> Line {
        let LineRef { line, from, to, kind, text, path } = seen;
        Line { line, from, to, kind: kind.to_owned(), text: text.to_owned(), path: path.to_vec(), block: path[0] }
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
}

/// Returns the number of lines of a node.
pub fn count(schema: &Schema, node: &Node) -> usize {
    if schema.is_textblock(node.kind()) {
        1 + breaks(schema, node)
    } else if node.is_leaf() {
        1
    } else {
        node.children().iter().map(|child| count(schema, child)).sum()
    }
}

fn breaks(schema: &Schema, textblock: &Node) -> usize {
    let code = schema.node_type(textblock.kind()).code;
    let in_child = |child: &Node| match child.text() {
        Some(text) if code => text.bytes().filter(|byte| *byte == b'\n').count(),
        Some(_) => 0,
        None => usize::from(schema.is_hard_break(child.kind())),
    };
    textblock.children().iter().map(in_child).sum()
}

/// Calls `see` with every line of a top-level block that begins at position `from` and has `first` as the number
/// of its first line.
pub(super) fn each(
    schema: &Schema,
    block: &Node,
    index: usize,
    from: usize,
    first: usize,
    see: &mut dyn FnMut(LineRef<'_>),
) {
    let mut walk = Walk { schema, line: first, path: vec![index], see };
    walk.node(block, from);
}

struct Walk<'a> {
    schema: &'a Schema,
    line: usize,
    path: Vec<usize>,
    see: &'a mut dyn FnMut(LineRef<'_>),
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, from: usize) {
        if self.schema.is_textblock(node.kind()) {
            self.textblock(node, from + 1);
        } else if node.is_leaf() {
            self.emit(node, from, from + node.size(), "");
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
        let code = self.schema.node_type(node.kind()).code;
        if let ([only], false) = (node.children(), code)
            && let Some(text) = only.text()
        {
            return self.emit(node, from, from + only.size(), text);
        }
        let mut text = String::new();
        let mut at = from;
        for child in node.children() {
            match child.text() {
                Some(whole) if code && whole.contains('\n') => {
                    let mut pieces = whole.split('\n');
                    text.push_str(pieces.next().unwrap_or(""));
                    for piece in pieces {
                        let to = from + super::utf16::len(&text);
                        self.emit(node, from, to, &text);
                        text.clear();
                        from = to + 1;
                        text.push_str(piece);
                    }
                }
                Some(whole) => text.push_str(whole),
                None if self.schema.is_hard_break(child.kind()) => {
                    self.emit(node, from, at, &text);
                    text.clear();
                    from = at + child.size();
                }
                None => push_inline(child, &mut text),
            }
            at += child.size();
        }
        self.emit(node, from, at, &text);
    }

    fn emit(&mut self, node: &Node, from: usize, to: usize, text: &str) {
        let kind = node.name(self.schema);
        (self.see)(LineRef { line: self.line, from, to, kind, text, path: &self.path });
        self.line += 1;
    }
}

/// The text of inline content that is not plain text, as wide as its positions.
pub fn push_inline(node: &Node, out: &mut String) {
    match node.text() {
        Some(text) => out.push_str(text),
        None if node.is_leaf() => out.push(OBJECT),
        None => {
            out.push(OBJECT);
            node.children().iter().for_each(|child| push_inline(child, out));
            out.push(OBJECT);
        }
    }
}
