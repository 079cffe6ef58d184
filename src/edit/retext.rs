//! Inline content with another text, and as many of its marks as the new text has a place for.
//!
//! What stays keeps its marks. Text in the place of other text takes the marks of what it replaces, as typing over a
//! selection does in ProseMirror. Text that is merely added takes those of its left neighbour, and at the beginning
//! those of what follows, again as ProseMirror has it; but a link does not grow at its edges. What is no text (an
//! image, a mention) is [`OBJECT`] in the text; where a text has none of these signs, the objects stay where they were.

use super::align::{Stretch, align_words, matches};
use super::words;
use crate::document::{Mark, Marks, Node, OBJECT, Schema, join_texts, push_inline};
use std::ops::Range;

/// A stretch of differing text with different marks is compared sign by sign up to this many signs on each side.
const MOST_SIGNS: usize = 400;

/// A textblock with `text` as its only line.
pub fn with_text(schema: &Schema, block: &Node, text: &str) -> Node {
    block.with_children(inline(schema, block.children(), text))
}

/// Inline content with another text.
pub fn inline(schema: &Schema, old: &[Node], text: &str) -> Vec<Node> {
    Inline::new(schema, old, text.contains(OBJECT)).with_text(text)
}

/// Inline content with `text` in place of a range of its text, given in bytes of [`flat_text`]. Objects in the range
/// that the text does not name go.
pub fn replace(schema: &Schema, old: &[Node], range: Range<usize>, text: &str) -> Vec<Node> {
    let whole = Inline::new(schema, old, true);
    if let Some((at, inside)) = whole.holder(&range) {
        let mut content = old.to_vec();
        // No line can begin in it.
        let text = text.replace('\n', " ");
        content[at] = old[at].with_children(replace(schema, old[at].children(), inside, &text));
        return content;
    }
    let within = whole.cut(range.clone());
    let mut content = whole.cut(0..range.start);
    if within.is_empty() {
        content.extend(whole.added(range.start, text));
    } else {
        content.extend(Inline::new(schema, &within, true).with_text(text));
    }
    content.extend(whole.cut(range.end..whole.text.len()));
    join_texts(content)
}

/// Whether a range of the text of inline content begins or ends in a node that has content, and is not all in it.
pub fn cuts_object(schema: &Schema, old: &[Node], range: &Range<usize>) -> bool {
    let whole = Inline::new(schema, old, true);
    if let Some((at, inside)) = whole.holder(range) {
        return cuts_object(schema, old[at].children(), &inside);
    }
    let is_cut = |(run, node): &(Range<usize>, &Node)| {
        let inside = |end: usize| run.start < end && end < run.end;
        !node.is_text() && (inside(range.start) || inside(range.end))
    };
    whole.runs.iter().any(is_cut)
}

/// The text of inline content as it stands in a line.
pub fn flat_text(old: &[Node]) -> String {
    let mut text = String::new();
    old.iter().for_each(|node| push_inline(node, &mut text));
    text
}

/// Inline content, and where each of its nodes stands in its text.
struct Inline<'a> {
    schema: &'a Schema,
    text: String,
    runs: Vec<(Range<usize>, &'a Node)>,
    /// Whether the new text says which objects stay.
    names_objects: bool,
}

impl<'a> Inline<'a> {
    fn new(schema: &'a Schema, old: &'a [Node], names_objects: bool) -> Inline<'a> {
        let (mut text, mut runs) = (String::new(), Vec::new());
        for node in old {
            let start = text.len();
            push_inline(node, &mut text);
            runs.push((start..text.len(), node));
        }
        Inline { schema, text, runs, names_objects }
    }

    /// The node with content that holds a range of the text, and that range in the text of its content.
    fn holder(&self, range: &Range<usize>) -> Option<(usize, Range<usize>)> {
        const EDGE: usize = OBJECT.len_utf8();
        let holds = |(run, node): &(Range<usize>, &Node)| {
            !node.is_leaf() && !node.is_text() && run.start + EDGE <= range.start && range.end + EDGE <= run.end
        };
        let at = self.runs.iter().position(holds)?;
        let start = self.runs[at].0.start + EDGE;
        Some((at, range.start - start..range.end - start))
    }

    fn with_text(&self, text: &str) -> Vec<Node> {
        if text == self.text {
            return self.runs.iter().map(|(_, node)| (*node).clone()).collect();
        }
        let (old, new) = (self.words(&self.text), self.words(text));
        let (old_nodes, new_nodes) = (self.plain(&old), self.plain(&new));
        let mut content = Vec::new();
        let mut unused: Vec<&Node> = self.objects(0..self.text.len());
        let stretches = align_words(&old_nodes, &new_nodes);
        for (stretch, old_range, _) in &stretches {
            if matches!(stretch, Stretch::Equal) {
                let kept = self.objects(bytes(&old, old_range.clone(), &self.text));
                unused.retain(|object| !kept.iter().any(|kept| kept.ptr_eq(object)));
            }
        }
        for (stretch, old_range, new_range) in stretches {
            let at = bytes(&old, old_range, &self.text);
            if let Stretch::Equal = stretch {
                content.extend(self.cut(at));
                continue;
            }
            let new = new[new_range].concat();
            let replacement = if at.is_empty() { self.added(at.start, &new) } else { self.replaced(at.clone(), &new) };
            content.extend(self.with_objects(replacement, &mut unused));
            if !self.names_objects {
                content.extend(self.objects(at).into_iter().cloned());
            }
        }
        join_texts(content)
    }

    /// A text cut into words; an object with content in it is one word.
    fn words<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let objects: Vec<&str> =
            self.runs.iter().filter(|run| !run.1.is_text()).map(|run| &self.text[run.0.clone()]).collect();
        let mut words = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let object = rest
                .starts_with(OBJECT)
                .then(|| objects.iter().filter(|object| rest.starts_with(**object)).max_by_key(|object| object.len()));
            let end = match object.flatten() {
                Some(object) => object.len(),
                None if rest.starts_with(OBJECT) => OBJECT.len_utf8(),
                None => {
                    let end = rest.find(OBJECT).unwrap_or(rest.len());
                    words.extend(words::split(&rest[..end]));
                    rest = &rest[end..];
                    continue;
                }
            };
            words.push(&rest[..end]);
            rest = &rest[end..];
        }
        words
    }

    fn plain(&self, words: &[&str]) -> Vec<Node> {
        words.iter().map(|word| Node::text_node(self.schema, *word, Marks::NONE)).collect()
    }

    /// The nodes in a range of bytes. What is no text is in it whole or not at all.
    fn cut(&self, range: Range<usize>) -> Vec<Node> {
        let overlaps = |run: &&(Range<usize>, &Node)| run.0.start < range.end && run.0.end > range.start;
        let part = |(run, node): &(Range<usize>, &Node)| match node.text() {
            Some(text) if run.start < range.start || run.end > range.end => {
                let (from, to) = (range.start.max(run.start) - run.start, range.end.min(run.end) - run.start);
                node.with_text(&text[from..to])
            }
            _ => (*node).clone(),
        };
        self.runs.iter().filter(overlaps).map(part).collect()
    }

    fn objects(&self, range: Range<usize>) -> Vec<&'a Node> {
        let within = |run: &&(Range<usize>, &Node)| run.0.start >= range.start && run.0.end <= range.end;
        self.runs.iter().filter(within).map(|run| run.1).filter(|node| !node.is_text()).collect()
    }

    /// A text added at a place, with the marks that ProseMirror gives to what is typed there.
    fn added(&self, at: usize, text: &str) -> Vec<Node> {
        let left = self.runs.iter().rev().find(|run| run.0.start < at).map(|run| run.1);
        let right = self.runs.iter().find(|run| run.0.end > at).map(|run| run.1);
        let (main, other) = if left.is_some() { (left, right) } else { (right, left) };
        let stays = |mark: &&Mark| !self.is_link(mark) || other.is_some_and(|other| other.marks().contains(mark));
        let marks: Vec<Mark> = main.map_or(&[][..], Node::marks).iter().filter(stays).cloned().collect();
        self.text_with(text, marks.into())
    }

    /// A text in place of another.
    fn replaced(&self, range: Range<usize>, text: &str) -> Vec<Node> {
        let runs = self.cut(range.clone());
        let texts: Vec<&Node> = runs.iter().filter(|node| node.is_text()).collect();
        let Some(first) = texts.first() else { return self.added(range.start, text) };
        if texts.iter().all(|node| node.mark_set() == first.mark_set()) {
            return self.text_with(text, first.mark_set().clone());
        }
        if texts.len() == runs.len()
            && let Some(content) = self.by_signs(range, text)
        {
            return content;
        }
        self.across(&texts, text)
    }

    /// The same where the old text has different marks: what stays of each word keeps its own. None where little stays.
    fn by_signs(&self, range: Range<usize>, text: &str) -> Option<Vec<Node>> {
        let old: Vec<&str> = words::signs(&self.text[range.clone()]).collect();
        let new: Vec<&str> = words::signs(text).collect();
        let most = old.len().max(new.len());
        let common = if most > MOST_SIGNS { Vec::new() } else { matches(&old, &new) };
        if 2 * common.iter().map(|(.., length)| length).sum::<usize>() < most {
            return None;
        }
        let mut content = Vec::new();
        let (mut old_at, mut new_at) = (0, 0);
        for (old_start, new_start, length) in common.into_iter().chain([(old.len(), new.len(), 0)]) {
            let within = |signs: Range<usize>| {
                let bytes = bytes(&old, signs, &self.text[range.clone()]);
                range.start + bytes.start..range.start + bytes.end
            };
            let (gone, came) = (within(old_at..old_start), new[new_at..new_start].concat());
            let texts = self.cut(gone.clone());
            content.extend(match gone.is_empty() {
                true => self.added(gone.start, &came),
                false => self.across(&texts.iter().collect::<Vec<_>>(), &came),
            });
            content.extend(self.cut(within(old_start..old_start + length)));
            (old_at, new_at) = (old_start + length, new_start + length);
        }
        Some(content)
    }

    /// A text in place of texts with different marks: those of the first, as typing over a selection gives; a link only
    /// where it was on all of them.
    fn across(&self, texts: &[&Node], text: &str) -> Vec<Node> {
        let stays = |mark: &&Mark| !self.is_link(mark) || texts.iter().all(|node| node.marks().contains(mark));
        let marks: Vec<Mark> = texts[0].marks().iter().filter(stays).cloned().collect();
        self.text_with(text, marks.into())
    }

    fn text_with(&self, text: &str, marks: Marks) -> Vec<Node> {
        if text.is_empty() { Vec::new() } else { vec![Node::text_node(self.schema, text, marks)] }
    }

    /// New text in which each [`OBJECT`] is the next object that has no other place; one too many goes.
    fn with_objects(&self, nodes: Vec<Node>, unused: &mut Vec<&'a Node>) -> Vec<Node> {
        if !nodes.iter().any(|node| node.text().is_some_and(|text| text.contains(OBJECT))) {
            return nodes;
        }
        let mut content = Vec::new();
        for node in nodes {
            let text = node.text().unwrap_or("");
            for (index, piece) in text.split(OBJECT).enumerate() {
                if index > 0 && !unused.is_empty() {
                    content.push(unused.remove(0).clone());
                }
                if !piece.is_empty() {
                    content.push(node.with_text(piece));
                }
            }
        }
        content
    }

    fn is_link(&self, mark: &Mark) -> bool {
        self.schema.mark(mark.kind).is_some_and(|kind| kind.name == "link" || !kind.inclusive)
    }
}

/// A range of words as a range of bytes in the text they were cut from.
fn bytes(words: &[&str], range: Range<usize>, text: &str) -> Range<usize> {
    let start: usize = words[..range.start].iter().map(|word| word.len()).sum();
    let length: usize = words[range].iter().map(|word| word.len()).sum();
    debug_assert!(start + length <= text.len());
    start..start + length
}
