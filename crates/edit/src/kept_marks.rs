//! Marks that Markdown does not repeat.
//!
//! A model is shown lines without their marks, and writes them so when it makes a heading of a paragraph or adds a list
//! below it. Where the text of a new block is that of an old line, or nearly, [`keep`] puts the old content into it: what
//! stays of the text keeps its marks.

use super::as_shown::Prefixes;
use super::inlines::Inlines;
use super::pair::{pair, sources};
use super::phrases::only_place;
use super::retext;
use super::word_diff::are_unlike;
use copydesk_document::{Document, Line, Marks, Node, Schema, join_texts};

/// Returns blocks that came of Markdown and take the place of `old` lines, with the marks of the text that stays. `all`
/// has every line of the blocks that the lines are in. A block with marks of its own, or with more than text, is taken
/// as it is written.
pub fn keep(document: &Document, all: &[Line], old: &[Line], mut blocks: Vec<Node>) -> Vec<Node> {
    let schema = document.schema();
    with_leaves(document, old, &mut blocks);
    let mut texts = Vec::new();
    blocks.iter().for_each(|block| collect(schema, block, &mut texts));
    let Some(first) = old.first() else { return blocks };
    let before = all.partition_point(|line| line.line < first.line);
    let old_texts: Vec<&str> = old.iter().map(|line| line.text.as_str()).collect();
    let new_texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut inlines = Inlines::new(document, all);
    let mut contents: Vec<Option<Vec<Node>>> = vec![None; texts.len()];
    let mut paired = vec![None; texts.len()];
    for (at, fate) in pair(schema, &old_texts, &new_texts, 0..old.len()).iter().enumerate() {
        fate.own.into_iter().for_each(|own| paired[own] = Some(at));
    }
    // What moved keeps its marks too, such as a row that is sorted.
    let sources = sources(&old_texts, &new_texts, &paired);
    for own in (0..texts.len()).filter(|own| !texts[*own].is_empty()) {
        let Some(at) = sources[own].or(paired[own]) else { continue };
        let inline = inlines.of(before + at);
        let has_marks = inline.iter().any(|node| !node.marks().is_empty());
        let is_other = || old[at].text != texts[own] && are_unlike(&old[at].text, &texts[own]);
        if has_marks && inline.iter().all(Node::is_text) && !old[at].is_code(schema) && !is_other() {
            contents[own] = Some(retext::inline(schema, inline, &texts[own]));
        }
    }
    move_phrases(schema, &mut inlines, before, &old_texts, &new_texts, &mut contents);
    if contents.iter().any(Option::is_some) {
        let mut contents = contents.into_iter();
        blocks = blocks.iter().map(|block| with_contents(schema, block, &mut contents)).collect();
    }
    blocks
}

/// Gives the phrases with marks of old lines their marks in other new lines, where they come once in all of them.
fn move_phrases(
    schema: &Schema,
    inlines: &mut Inlines,
    before: usize,
    old: &[&str],
    new: &[&str],
    contents: &mut [Option<Vec<Node>>],
) {
    let all = old.join("\n");
    for (at, text) in old.iter().enumerate() {
        let inline = inlines.of(before + at);
        if !inline.iter().all(Node::is_text) || inline.iter().all(|node| node.marks().is_empty()) {
            continue;
        }
        for phrase in retext::phrases_of(schema, inline) {
            let words = &text[phrase.clone()];
            if only_place(&all, words).is_none() {
                continue;
            }
            let mut places = new.iter().enumerate().filter(|(_, new)| new.contains(words));
            let (Some((own, _)), None) = (places.next(), places.next()) else { continue };
            let Some(place) = only_place(new[own], words).filter(|_| new[own] != words) else { continue };
            let plain = || vec![Node::text_node(schema, new[own], Marks::NONE)];
            let content = contents[own].take().unwrap_or_else(plain);
            let cut = |range| retext::cut(schema, &content, range);
            let is_plain = cut(place.clone()).iter().all(|node| node.marks().is_empty());
            let phrase = if is_plain { retext::cut(schema, inline, phrase) } else { cut(place.clone()) };
            let (start, end) = (cut(0..place.start), cut(place.end..new[own].len()));
            contents[own] = Some(join_texts([start, phrase, end].concat()));
        }
    }
}

/// Puts leaves, such as formulas, in the place of paragraphs that are the signs by which they were shown.
fn with_leaves(document: &Document, old: &[Line], blocks: &mut [Node]) {
    let schema = document.schema();
    let is_leaf = |line: &&Line| schema.find_node(&line.kind).is_some_and(|kind| !schema.is_textblock(kind));
    let mut prefixes = Prefixes::new(document);
    // Markdown reads some of the characters as marks.
    let comparable = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '*' | '_' | '\\' | '`' | '~')).collect()
    };
    for line in old.iter().filter(is_leaf) {
        let prefix = prefixes.of(line);
        let sign = prefix.signs().last().map(|sign| comparable(&sign.to_string())).filter(|sign| !sign.is_empty());
        let (Some(sign), Some(leaf)) = (sign, document.node_at(&line.path)) else { continue };
        let is_sign =
            |block: &&mut Node| schema.is_textblock(block.kind()) && comparable(&block.text_content()) == sign;
        if let Some(block) = blocks.iter_mut().find(is_sign) {
            *block = leaf.clone();
        }
    }
}

/// Returns whether a textblock is plain text.
fn is_plain(schema: &Schema, block: &Node) -> bool {
    let plain = |node: &Node| node.is_text() && node.marks().is_empty();
    !schema.node_type(block.kind()).code && block.children().iter().all(plain)
}

/// Collects the texts of the textblocks, in order; those that are not plain have an empty one.
fn collect(schema: &Schema, node: &Node, texts: &mut Vec<String>) {
    if schema.is_textblock(node.kind()) {
        texts.push(if is_plain(schema, node) { node.text_content() } else { String::new() });
    } else {
        node.children().iter().for_each(|child| collect(schema, child, texts));
    }
}

/// Returns a node with the next content in each of its textblocks, where there is one.
fn with_contents(schema: &Schema, node: &Node, contents: &mut impl Iterator<Item = Option<Vec<Node>>>) -> Node {
    if schema.is_textblock(node.kind()) {
        return contents.next().flatten().map_or_else(|| node.clone(), |content| node.with_children(content));
    }
    if node.is_leaf() {
        return node.clone();
    }
    let children = node.children().iter().map(|child| with_contents(schema, child, contents));
    node.with_children(children.collect())
}
