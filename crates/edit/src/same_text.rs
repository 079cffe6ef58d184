//! Marks of inline content that has the same text as other inline content.

use super::runs::{InlineRuns, flat_text};
use copydesk_document::{Mark, Marks, Node, Schema, join_texts, push_inline};
use std::ops::Range;

/// Returns inline content with the marks of other inline content with the same text added to its own; of two that
/// exclude each other the added one stays. Where the texts differ it is the other content.
pub fn with_marks(schema: &Schema, content: Vec<Node>, marked: &[Node]) -> Vec<Node> {
    if flat_text(schema, &content) != flat_text(schema, marked) {
        return marked.to_vec();
    }
    let whole = InlineRuns::new(schema, &content);
    let (mut out, mut at) = (Vec::new(), 0);
    for node in marked {
        let mut text = String::new();
        push_inline(schema, node, &mut text);
        let add = |old: Node| {
            let excludes = |a: &Mark, b: &Mark| schema.mark(a.kind).is_some_and(|kind| kind.excludes(b.kind));
            let stays = |mark: &&Mark| !node.marks().iter().any(|new| excludes(new, mark) || excludes(mark, new));
            let marks = old.marks().iter().filter(stays).chain(node.marks());
            old.with_marks(marks.fold(Marks::NONE, |marks, mark| marks.with(mark, schema)))
        };
        // A leaf that only the other content has, such as a new formula, is not changed.
        let range = at..at + text.len();
        let is_new = node.is_atom() && !whole.runs.iter().any(|(run, old)| *run == range && old.is_atom());
        match is_new {
            true => out.push(node.clone()),
            false => out.extend(whole.begun_in(range).into_iter().map(add)),
        }
        at += text.len();
    }
    join_texts(out)
}

/// Returns inline content with the marks that HTML does not state of `old` content with the same text.
pub fn with_hidden(schema: &Schema, content: Vec<Node>, old: &[Node]) -> Vec<Node> {
    let hidden =
        |node: &Node| node.marks().iter().filter(|mark| mark.is_hidden(schema)).cloned().collect::<Vec<Mark>>();
    if old.iter().all(|node| hidden(node).is_empty()) || flat_text(schema, &content) != flat_text(schema, old) {
        return content;
    }
    let only: Vec<Node> = old.iter().map(|node| node.with_marks(hidden(node).into())).collect();
    let whole = InlineRuns::new(schema, &only);
    let (mut out, mut at) = (Vec::new(), 0);
    for node in content {
        let from = at;
        at += flat_text(schema, std::slice::from_ref(&node)).len();
        let add = |old: Node| {
            old.with_marks(old.marks().iter().fold(node.mark_set().clone(), |marks, mark| marks.with(mark, schema)))
        };
        match node.is_text() {
            true => out.extend(whole.cut(from..at).into_iter().map(add)),
            false => out.push(node),
        }
    }
    join_texts(out)
}

/// Returns inline content in which a mark has the attributes that it does not state of the mark of its kind that `old`
/// content with the same text has there: a color that is not repeated, the title of a link with a new address.
pub fn with_attributes(schema: &Schema, marked: Vec<Node>, old: &[Node]) -> Vec<Node> {
    if !marked.iter().any(|node| node.is_text() && !node.marks().is_empty()) {
        return marked;
    }
    let whole = InlineRuns::new(schema, old);
    if whole.text != flat_text(schema, &marked) {
        return marked;
    }
    let mut at = 0;
    let with = |node: Node| {
        let mut text = String::new();
        push_inline(schema, &node, &mut text);
        let range = at..at + text.len();
        at = range.end;
        let there = whole.cut(range.clone());
        let parts = if node.marks().is_empty() { vec![node] } else { parts(&whole, node, &range) };
        let mut from = range.start;
        let with = |part: Node| {
            let to = from + part.text().map_or(range.len(), str::len);
            let here = whole.cut(from..to);
            from = to;
            let marks: Vec<Mark> = part.marks().iter().map(|mark| with_unstated(schema, mark, &here, &there)).collect();
            part.with_marks(marks.into())
        };
        parts.into_iter().map(with).collect::<Vec<_>>()
    };
    join_texts(marked.into_iter().flat_map(with).collect())
}

/// Returns the parts of a text that are in different nodes of `old`: two links side by side may have the same URL.
fn parts(old: &InlineRuns<'_>, node: Node, range: &Range<usize>) -> Vec<Node> {
    let Some(text) = node.text() else { return vec![node] };
    let ends = old.runs.iter().map(|(run, _)| run.end).filter(|end| range.start < *end && *end < range.end);
    let ends: Vec<usize> = ends.chain([range.end]).collect();
    let starts = std::iter::once(range.start).chain(ends.iter().copied());
    let part = |(start, end): (usize, &usize)| node.with_text(&text[start - range.start..end - range.start]);
    starts.zip(&ends).map(part).collect()
}

/// Returns a mark with the attributes that it does not state of the old mark of its kind `here`, or else of the one
/// `there`.
fn with_unstated(schema: &Schema, mark: &Mark, here: &[Node], there: &[Node]) -> Mark {
    let defaults = schema.default_mark_attrs(mark.kind);
    let is_unstated = |name: &str| {
        let value = mark.attrs.get(name);
        value.is_none_or(|value| value.is_null() || *value == "") || defaults.get(name) == value
    };
    let mut marks = here.iter().chain(there).flat_map(|node| node.marks()).filter(|old| old.kind == mark.kind);
    let attrs = marks.next().map_or(mark.attrs.clone(), |old| {
        let unstated = old.attrs.iter().filter(|(name, _)| is_unstated(name));
        unstated.fold(mark.attrs.clone(), |attrs, (name, value)| attrs.with(name, value.clone()))
    });
    Mark { kind: mark.kind, attrs }
}
