//! Restores what HTML cannot carry.
//!
//! A model is shown HTML and returns HTML. Some properties of an editor's document are lost in it: attributes that are
//! not rendered, spaces that collapse, images that the schema's rules do not read. So each old block is sent the same
//! way and compared with the result, its *echo*. New content that equals an echo is the old block.

use super::apply::DocumentHost;
use super::attributes;
use super::dictionary::Dictionary;
use crate::Error;
use copydesk_document::align::{Relation, align};
use copydesk_document::{Attrs, Document, Node};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// New content for a range of top-level blocks, in which everything that was only echoed is the old block again.
/// `text` is the content as the model wrote it.
pub fn restore(
    host: &dyn DocumentHost,
    document: &Document,
    range: Range<usize>,
    mut content: Vec<Node>,
    text: &str,
) -> Result<Vec<Node>, Error> {
    let old = &document.blocks()[range.clone()];
    let schema = document.schema();
    if content.is_empty() || old.is_empty() || host.parse(&host.html(range.clone())?, range.start)? == old {
        return Ok(attributes::keep(schema, old, content, text));
    }
    let (mut echoes, mut echoed, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for index in range.clone() {
        let html = host.html(index..index + 1)?;
        match <[Node; 1]>::try_from(host.parse(&html, index)?) {
            Ok([echo]) if echo.kind() == document.blocks()[index].kind() => {
                echoes.push(echo);
                echoed.push(index);
            }
            // The result is empty, or something else.
            _ => lost.push((index, html)),
        }
    }
    let mut places = Vec::new();
    for chunk in align(&echoes, &content).into_iter().filter(|chunk| chunk.relation != Relation::Replaced) {
        for (echo, new) in chunk.old.zip(chunk.new) {
            content[new] = merge(&document.blocks()[echoed[echo]], &echoes[echo], &content[new]);
            places.push((echoed[echo], new));
        }
    }
    // If the content still has the HTML of a lost block, that block is meant. It follows what preceded it.
    let mut restored = Vec::with_capacity(content.len() + lost.len());
    let (mut content, mut places) = (content.into_iter(), places.into_iter().peekable());
    let mut done = 0;
    for index in left_as_it_was(&lost, text) {
        while let Some((_, new)) = places.next_if(|(old, _)| *old < index) {
            restored.extend(content.by_ref().take(new + 1 - done));
            done = new + 1;
        }
        restored.push(document.blocks()[index].clone());
    }
    restored.extend(content);
    Ok(attributes::keep(schema, old, restored, text))
}

/// Returns the indexes of the blocks whose HTML occurs in a text.
fn left_as_it_was(blocks: &[(usize, String)], text: &str) -> Vec<usize> {
    if blocks.is_empty() {
        return Vec::new();
    }
    let all = Dictionary::of(blocks.iter().map(|(_, html)| html.as_str()));
    let places = text.char_indices().map(|(at, _)| &text[at..]).chain([""]);
    let found: FxHashSet<&str> = places.flat_map(|rest| all.prefixes_of(rest)).collect();
    blocks.iter().filter(|(_, html)| found.contains(html.as_str())).map(|(index, _)| *index).collect()
}

/// `new` with what `old` has and its `echo` has not.
fn merge(old: &Node, echo: &Node, new: &Node) -> Node {
    if new == echo {
        return old.clone();
    }
    if old.kind() != new.kind() || old.is_leaf() {
        return new.clone();
    }
    let merged = new.with_attrs(merge_attrs(old.attrs(), echo.attrs(), new.attrs()));
    if old.children().len() != echo.children().len() {
        return merged;
    }
    let mut children = new.children().to_vec();
    let chunks = align(echo.children(), new.children());
    for chunk in chunks.into_iter().filter(|chunk| chunk.relation != Relation::Replaced) {
        for (from, to) in chunk.old.zip(chunk.new) {
            children[to] = merge(&old.children()[from], &echo.children()[from], &children[to]);
        }
    }
    merged.with_children(children)
}

/// The new attributes; those that the model left as they came are the old ones.
fn merge_attrs(old: &Attrs, echo: &Attrs, new: &Attrs) -> Attrs {
    let mut merged = new.clone();
    for (name, value) in old.iter() {
        if echo.get(name) == new.get(name) && new.get(name) != Some(value) {
            merged = merged.with(name, value.clone());
        }
    }
    merged
}
