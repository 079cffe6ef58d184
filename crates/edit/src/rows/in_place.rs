//! A whole document in `format: "text"` in which words change and all lines are at their places.
//!
//! Then each row is the old one at its place, and textblocks without a changed line are not changed: rows are made and
//! placed for the others only. The result is that of pairing all rows.

use super::builder::Builder;
use super::given::Given;
use super::shown_row::{bare, literal};
use crate::apply::DocumentHost;
use crate::as_shown;
use copydesk_document::{Document, Node, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ptr;

/// A line that the content has otherwise.
struct ChangedLine<'c> {
    line: usize,
    /// Its textblock, the way to it, and the index of its first line.
    block: Node,
    path: Vec<usize>,
    first: usize,
    old: String,
    new: &'c str,
}

/// Returns the blocks that result from text for a whole document. `None` if its rows have to be paired, or if the
/// document violates its schema.
pub(super) fn in_place(host: &dyn DocumentHost, document: &Document, content: &str) -> Option<Vec<Node>> {
    let (schema, blocks) = (document.schema(), document.blocks());
    let given: Vec<&str> = as_shown::each_line(content).collect();
    if given.len() != document.line_count() || !blocks.iter().all(|block| is_plain(schema, block)) {
        return None;
    }
    let mut changed: Vec<ChangedLine> = Vec::new();
    let (mut open, mut first) = (ptr::null(), 0);
    document.each_line(0..blocks.len(), &mut |line| {
        if !ptr::eq(open, line.node) {
            (open, first) = (ptr::from_ref(line.node), line.line - 1);
        }
        let new = given[line.line - 1];
        if new != line.text {
            let (block, path, old) = (line.node.clone(), line.path.to_vec(), line.text.to_owned());
            changed.push(ChangedLine { line: line.line - 1, block, path, first, old, new });
        }
    });
    let is_in_text = |changed: &ChangedLine| schema.is_textblock(changed.block.kind());
    if changed.len() > given.len() / 2 || !changed.iter().all(is_in_text) || !stays_in_place(&changed, &given) {
        return None;
    }
    let mut at: Vec<&ChangedLine> = changed.iter().collect();
    at.dedup_by(|a, b| a.path == b.path);
    let part = Document::from_blocks(schema.clone(), at.iter().map(|at| at.block.clone()).collect());
    let mut builder = Builder::new(Some(host), &part, 0..at.len())?;
    (builder.is_text, builder.whole) = (true, Some(document));
    let lines = at.iter().enumerate().flat_map(|(index, at)| at.first..at.first + part.line_numbers_of(index).len());
    let rows = lines.map(|line| literal(given[line])).collect();
    let all = 0..builder.old.len();
    builder.named = all.clone().collect();
    let mut given = Given { rows, pairs: all.clone().map(|at| Some(at..at + 1)).collect(), stated: false };
    builder.range(&mut given, all, None)?;
    let made = builder.finish()?;
    // Containers take another one of the same kind.
    let is_same_kind = |(at, made): (&&ChangedLine, &Node)| at.block.kind() == made.kind();
    if made.len() != at.len() || !at.iter().zip(&made).all(is_same_kind) {
        return None;
    }
    let made: Vec<(&[usize], Node)> = at.iter().map(|at| &at.path[..]).zip(made).collect();
    Some(with_made(blocks, &made))
}

/// Returns nodes with others in the places of some of their descendants. The paths to these ascend.
fn with_made(nodes: &[Node], made: &[(&[usize], Node)]) -> Vec<Node> {
    let mut with = nodes.to_vec();
    for group in made.chunk_by(|(a, _), (b, _)| a[0] == b[0]) {
        let at = group[0].0[0];
        with[at] = match group {
            [([_], made)] => made.clone(),
            _ => {
                let inside: Vec<(&[usize], Node)> =
                    group.iter().map(|(path, made)| (&path[1..], made.clone())).collect();
                nodes[at].with_children(with_made(nodes[at].children(), &inside))
            }
        };
    }
    with
}

/// Returns whether pairing all rows gives each its own old one.
///
/// No old line has the text of a changed one, so that at best all other lines are paired with old ones. There is one
/// way to do that if neither the first nor the last way is another: a line beside changed ones may not have an old text
/// of theirs.
fn stays_in_place(changed: &[ChangedLine], given: &[&str]) -> bool {
    let is_other = |changed: &&ChangedLine| changed.old.trim_end() != changed.new.trim_end();
    let others: Vec<&ChangedLine> = changed.iter().filter(is_other).collect();
    let new: FxHashSet<&str> = others.iter().map(|changed| changed.new.trim_end()).collect();
    let lengths: FxHashSet<usize> = new.iter().map(|text| text.len()).collect();
    let is_new = |text: &str| lengths.contains(&text.len()) && new.contains(text);
    let mut next = others.iter().map(|changed| changed.line).peekable();
    let mut stay = given.iter().enumerate().filter(|(at, _)| next.next_if_eq(at).is_none());
    if stay.any(|(_, text)| is_new(text.trim_end())) || others.iter().any(|changed| is_new(changed.old.trim_end())) {
        return false;
    }
    let has_text_beside = |run: &[&ChangedLine]| {
        let beside = [run[0].line.checked_sub(1), Some(run[run.len() - 1].line + 1)];
        let beside = beside.into_iter().flatten().filter_map(|at| Some(given.get(at)?.trim_end()));
        beside.into_iter().any(|text| run.iter().any(|changed| changed.old.trim_end() == text))
    };
    if others.chunk_by(|a, b| a.line + 1 == b.line).any(has_text_beside) {
        return false;
    }
    // A row that is repeated with other marks has moved as well.
    let text = |text: &str| {
        let bare = if text.trim().is_empty() { text.trim_end().to_owned() } else { bare(text) };
        bare.trim().to_owned()
    };
    let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    others.iter().for_each(|changed| places.entry(text(&changed.old)).or_default().push(changed.line));
    let is_own = |changed: &&ChangedLine| {
        let text = text(changed.new);
        text.is_empty() || places.get(&text).is_none_or(|lines| lines[..] == [changed.line])
    };
    others.iter().all(is_own)
}

/// Returns whether a block has no inline node but text and breaks, a line for each of its rows, and what its schema
/// allows.
fn is_plain(schema: &Schema, node: &Node) -> bool {
    if node.has_atoms() || schema.check(node).is_err() {
        return false;
    }
    let is_text = |child: &Node| child.is_text() || schema.is_hard_break(child.kind());
    match schema.is_textblock(node.kind()) {
        true => node.children().iter().all(is_text),
        false if node.children().is_empty() => node.is_leaf(),
        false => node.children().iter().all(|child| is_plain(schema, child)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::placing::of_paired_rows;
    use super::*;
    use crate::cell::DocumentCell;
    use crate::content::Format;
    use copydesk_test_support::documents::{blocks, document_of, for_seeds};
    use std::cell::Cell;

    #[test]
    fn lines_with_other_words_give_what_pairing_all_rows_gives() {
        let found = Cell::new(0);
        for_seeds(2_000, |random| {
            let document = document_of(&blocks(random, 2, 9));
            let mut lines: Vec<String> = document.lines().into_iter().map(|line| line.text).collect();
            for _ in 0..1 + random.below(3) {
                let at = random.below(lines.len());
                let words: Vec<String> = lines[random.below(lines.len())].split(' ').map(str::to_owned).collect();
                let text = &lines[at];
                lines[at] = match random.below(6) {
                    0 => text.replacen(' ', " changed ", 1),
                    1 => text.split(' ').skip(1).collect::<Vec<_>>().join(" "),
                    2 => format!("{} {text}", random.pick(&words)),
                    3 => format!("{text} "),
                    4 => format!("{text} and more"),
                    _ => text.split(' ').rev().collect::<Vec<_>>().join(" "),
                };
            }
            let content = lines.join("\n");
            let host = DocumentCell::new(document.clone());
            let Some(made) = in_place(&host, &document, &content) else { return };
            found.set(found.get() + 1);
            let all = 0..document.blocks().len();
            let paired = of_paired_rows(&host, &document, all, &content, Some(Format::Text), false);
            let (paired, _) = paired.unwrap().unwrap();
            assert_eq!(made, paired, "{}\n{content}", document.to_json());
            let kept = |blocks: &[Node]| -> Vec<bool> {
                blocks.iter().zip(document.blocks()).map(|(new, old)| new.ptr_eq(old)).collect()
            };
            assert_eq!(kept(&made), kept(&paired));
        });
        assert!(found.get() > 200, "{} edits were found to be in place", found.get());
    }
}
