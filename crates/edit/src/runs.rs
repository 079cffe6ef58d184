//! Inline content with the place of each of its nodes in its text.
//!
//! Inline nodes that are not text are *objects*. A leaf (an image, a mention) is its text form in the text. A node with
//! content has [`OBJECT`] at both of its boundaries.

use super::phrases::phrases;
use copydesk_document::{Mark, Marks, Node, OBJECT, Schema, push_inline};
use std::ops::Range;

/// The width in bytes of [`OBJECT`], the boundary of a node with content.
pub const EDGE: usize = OBJECT.len_utf8();

/// Inline content, and the range of each node in its text.
pub struct InlineRuns<'a> {
    /// Its schema.
    pub schema: &'a Schema,
    /// Its text.
    pub text: String,
    /// The nodes, each with its bytes of the text.
    pub runs: Vec<(Range<usize>, &'a Node)>,
}

impl<'a> InlineRuns<'a> {
    /// Reads inline content.
    pub fn new(schema: &'a Schema, content: &'a [Node]) -> InlineRuns<'a> {
        let (mut text, mut runs) = (String::new(), Vec::new());
        for node in content {
            let start = text.len();
            push_inline(schema, node, &mut text);
            runs.push((start..text.len(), node));
        }
        InlineRuns { schema, text, runs }
    }

    /// Returns the index of the node with content that contains a range of the text.
    pub fn holder(&self, range: &Range<usize>) -> Option<usize> {
        let at = self.runs.partition_point(|(run, _)| run.start < range.start).checked_sub(1)?;
        let (run, node) = &self.runs[at];
        let holds = run.start + EDGE <= range.start && range.end + EDGE <= run.end;
        (holds && !node.is_leaf() && !node.is_text()).then_some(at)
    }

    /// Groups consecutive ranges by [`InlineRuns::holder`].
    pub fn by_holder<'r>(&self, ranges: &'r [Range<usize>]) -> Vec<(Option<usize>, &'r [Range<usize>])> {
        let runs = ranges.chunk_by(|a, b| self.holder(a) == self.holder(b));
        runs.map(|ranges| (self.holder(&ranges[0]), ranges)).collect()
    }

    /// Maps ranges inside a node to the text of its content.
    pub fn inside(&self, at: usize, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        let start = self.runs[at].0.start + EDGE;
        ranges.iter().map(|range| range.start - start..range.end - start).collect()
    }

    /// Returns whether an offset is strictly inside a node that is not text.
    pub fn is_inside(&self, offset: usize) -> bool {
        let at = self.runs.partition_point(|(run, _)| run.end <= offset);
        self.runs.get(at).is_some_and(|(run, node)| run.start < offset && !node.is_text())
    }

    /// Returns the marks of the nodes before and behind a range.
    pub fn marks_around(&self, range: &Range<usize>) -> [Marks; 2] {
        let before = self.runs.partition_point(|(run, _)| run.start < range.start).checked_sub(1);
        let behind = self.runs.partition_point(|(run, _)| run.end <= range.end);
        let marks = |at: usize| self.runs.get(at).map(|(_, node)| node.mark_set().clone());
        [before, Some(behind)].map(|at| at.and_then(marks).unwrap_or(Marks::NONE))
    }

    /// Returns the nodes in a range of bytes. A node other than text is included whole or not at all.
    pub fn cut(&self, range: Range<usize>) -> Vec<Node> {
        if range.is_empty() {
            return Vec::new();
        }
        let first = self.runs.partition_point(|(run, _)| run.end <= range.start);
        let overlaps = |(run, _): &&(Range<usize>, &Node)| run.start < range.end;
        let part = |(run, node): &(Range<usize>, &Node)| match node.text() {
            Some(text) if run.start < range.start || run.end > range.end => {
                let (from, to) = (range.start.max(run.start) - run.start, range.end.min(run.end) - run.start);
                node.with_text(&text[from..to])
            }
            _ => (*node).clone(),
        };
        self.runs[first..].iter().take_while(overlaps).map(part).collect()
    }

    /// Returns the nodes in a range of bytes. A node other than text is included if it begins there.
    pub fn begun_in(&self, range: Range<usize>) -> Vec<Node> {
        let is_before = |(run, node): &&(Range<usize>, &Node)| run.start < range.start && !node.is_text();
        let first = self.runs.partition_point(|(run, _)| run.end <= range.start);
        let skipped = usize::from(self.runs.get(first).as_ref().is_some_and(is_before));
        self.cut(range).split_off(skipped)
    }

    /// Returns the nodes other than text that lie in a range of bytes, each with its own range.
    pub fn objects(&self, range: Range<usize>) -> Vec<(Range<usize>, &'a Node)> {
        let first = self.runs.partition_point(|(run, _)| run.start < range.start);
        let within = self.runs[first..].iter().take_while(|(run, _)| run.end <= range.end);
        within.filter(|(_, node)| !node.is_text()).cloned().collect()
    }

    /// Returns the marks that all words of the text have.
    pub fn marks_of_all(&self) -> Vec<Mark> {
        let has_words = |node: &&Node| node.text().is_some_and(|text| text.contains(char::is_alphanumeric));
        let mut words = self.runs.iter().map(|(_, node)| *node).filter(has_words);
        let Some(first) = words.next() else {
            return self.runs.first().map_or_else(Vec::new, |(_, node)| node.marks().to_vec());
        };
        let mut all = first.marks().to_vec();
        words.for_each(|node| all.retain(|mark| node.marks().contains(mark)));
        all
    }
}

/// Returns the nodes in a range of the text of inline content, in bytes. A node other than text is included whole or
/// not at all.
pub fn cut(schema: &Schema, inline: &[Node], range: Range<usize>) -> Vec<Node> {
    InlineRuns::new(schema, inline).cut(range)
}

/// Returns for each range whether it starts or ends inside a node with content without lying inside that node as a
/// whole. The ranges are in bytes of [`flat_text`], ascending and disjoint.
pub fn cut_objects(schema: &Schema, old: &[Node], ranges: &[Range<usize>]) -> Vec<bool> {
    let whole = InlineRuns::new(schema, old);
    let mut cut = Vec::with_capacity(ranges.len());
    for (holder, ranges) in whole.by_holder(ranges) {
        match holder {
            Some(at) => cut.extend(cut_objects(schema, old[at].children(), &whole.inside(at, ranges))),
            None => cut.extend(ranges.iter().map(|range| whole.is_inside(range.start) || whole.is_inside(range.end))),
        }
    }
    cut
}

/// Returns the bytes of the phrases of inline content that have marks of their own.
pub fn phrases_of(schema: &Schema, old: &[Node]) -> Vec<Range<usize>> {
    let whole = InlineRuns::new(schema, old);
    phrases(&whole.text, &whole.runs)
}

/// Returns the text of inline content in a line.
pub fn flat_text(schema: &Schema, old: &[Node]) -> String {
    let mut text = String::new();
    old.iter().for_each(|node| push_inline(schema, node, &mut text));
    text
}
