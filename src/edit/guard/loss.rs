//! What an edit drops: links, pictures, custom nodes and marks that are gone after it, and plain marks of text that stays.
//!
//! Two measures, both of multisets, so that what is only moved within the edit is not dropped. Links, pictures, tables,
//! mentions, comments and whatever else a schema has of its own are counted in the blocks that the edit touches. Bold
//! and the like may go together with their text: they are dropped only where the words stay and the mark does not, which
//! is counted in the changed ranges, by word.

use crate::document::{Attrs, Document, Mark, Node, Schema};
use crate::edit::change::Change;
use crate::edit::words;
use crate::error::{Dropped, excerpt};
use serde_json::Value;
use std::collections::HashMap;

/// The nodes that are no more than the text in them.
const PLAIN_NODES: [&str; 22] = [
    "paragraph",
    "heading",
    "text",
    "hardBreak",
    "hard_break",
    "horizontalRule",
    "horizontal_rule",
    "bulletList",
    "bullet_list",
    "orderedList",
    "ordered_list",
    "listItem",
    "list_item",
    "blockquote",
    "codeBlock",
    "code_block",
    "taskList",
    "taskItem",
    "tableRow",
    "tableCell",
    "tableHeader",
    "table_row",
];
/// The marks that may go with their text.
const PLAIN_MARKS: [&str; 13] = [
    "bold",
    "strong",
    "italic",
    "em",
    "strike",
    "s",
    "underline",
    "u",
    "code",
    "subscript",
    "superscript",
    "highlight",
    "textStyle",
];
/// The attributes by which one thing is told from another of its type, the first that is there.
const NAMING: [&str; 7] = ["id", "src", "href", "url", "threadId", "commentId", "label"];
/// The most that is reported.
const MOST: usize = 100;

/// What goes by these changes, from one document to the other.
pub fn dropped(before: &Document, changes: &[Change], after: &Document) -> Vec<Dropped> {
    let (old, new) = touched(before, after);
    let schema = before.schema();
    let mut dropped = missing(&things(schema, old), &things(schema, new));
    dropped.extend(unmarked(before, changes));
    dropped.truncate(MOST);
    dropped
}

/// The blocks in which two documents differ: what is equal at both ends is left out.
fn touched<'d>(before: &'d Document, after: &'d Document) -> (&'d [Node], &'d [Node]) {
    let (old, new) = (before.blocks(), after.blocks());
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (&old[..old.len() - end], &new[..new.len() - end])
}

/// Something that is dropped when it is gone, and what it is known by.
struct Thing {
    key: String,
    shown: Dropped,
}

fn things(schema: &Schema, blocks: &[Node]) -> Vec<Thing> {
    let mut things = Vec::new();
    blocks.iter().for_each(|block| gather(schema, block, &mut things));
    things
}

fn gather(schema: &Schema, node: &Node, things: &mut Vec<Thing>) {
    let name = node.name(schema);
    let src = node.attrs().text("src");
    if !PLAIN_NODES.contains(&name) {
        let is_image = name == "image" && src.is_some();
        // What is in a custom block may be rewritten; a leaf is what its attributes say.
        let by =
            if node.is_leaf() || schema.node_type(node.kind()).atom { identity(node.attrs()) } else { String::new() };
        let text = ["alt", "label", "title", "id"]
            .iter()
            .find_map(|name| node.attrs().text(name).filter(|text| !text.is_empty()));
        let text = text.map_or_else(|| node.text_content().chars().take(60).collect(), str::to_owned);
        let kind = if is_image { "image" } else { "node" };
        things.push(Thing { key: format!("node {name} {by}"), shown: shown(kind, name, &text, src) });
        if is_image && !text.is_empty() && node.attrs().text("alt") == Some(&text) {
            let shown = shown("image", "alt", &text, src);
            things.push(Thing { key: format!("alt {by}"), shown });
        }
    }
    let mut open: Vec<(&Mark, String)> = Vec::new();
    for child in node.children() {
        let marks = child.marks().iter().filter(|mark| !is_plain(schema, mark));
        let mut now: Vec<(&Mark, String)> = Vec::new();
        for mark in marks {
            // One link may reach over several pieces of text.
            let before = open.iter().position(|(one, _)| *one == mark).map(|at| open.swap_remove(at).1);
            now.push((mark, before.unwrap_or_default() + &child.text_content()));
        }
        close(schema, std::mem::replace(&mut open, now), things);
        gather(schema, child, things);
    }
    close(schema, open, things);
}

/// The marks that have come to their end.
fn close(schema: &Schema, marks: Vec<(&Mark, String)>, things: &mut Vec<Thing>) {
    for (mark, text) in marks {
        let Some(kind) = schema.mark(mark.kind) else { continue };
        let href = mark.attrs.text("href");
        let shown = shown(if href.is_some() { "link" } else { "mark" }, &kind.name, &text, href);
        things.push(Thing { key: format!("mark {} {}", kind.name, identity(&mark.attrs)), shown });
    }
}

fn shown(kind: &'static str, name: &str, text: &str, url: Option<&str>) -> Dropped {
    Dropped { kind, name: name.to_owned(), text: excerpt(text), url: url.map(excerpt) }
}

fn is_plain(schema: &Schema, mark: &Mark) -> bool {
    schema.mark(mark.kind).is_none_or(|kind| PLAIN_MARKS.contains(&kind.name.as_str()))
}

fn identity(attrs: &Attrs) -> String {
    let named = NAMING.iter().find_map(|name| attrs.get(name).filter(|value| !value.is_null()));
    match named {
        Some(value) => value.to_string(),
        None => attrs.iter().map(|(name, value)| format!("{name}={value} ")).collect(),
    }
}

/// The things of which there are fewer. Among equals those are named whose text is gone as well.
fn missing(old: &[Thing], new: &[Thing]) -> Vec<Dropped> {
    let mut left: HashMap<&str, Vec<&str>> = HashMap::new();
    for thing in new {
        left.entry(&thing.key).or_default().push(&thing.shown.text);
    }
    let mut unmatched = Vec::new();
    for thing in old {
        let texts = left.entry(&thing.key).or_default();
        match texts.iter().position(|text| *text == thing.shown.text) {
            Some(at) => drop(texts.swap_remove(at)),
            None => unmatched.push(thing),
        }
    }
    // A link with another text is the same link.
    unmatched.retain(|thing| left.get_mut(&*thing.key).and_then(Vec::pop).is_none());
    let gone: Vec<&str> = unmatched.iter().filter_map(|thing| thing.key.strip_prefix("node image ")).collect();
    // A picture that is gone takes its alternative text along.
    let said = |thing: &&&Thing| thing.key.strip_prefix("alt ").is_some_and(|by| gone.contains(&by));
    unmatched.iter().filter(|thing| !said(thing)).map(|thing| thing.shown.clone()).collect()
}

/// A run of text under one plain mark, and every text there is, in words.
#[derive(Default)]
struct Texts {
    /// How often each word is there.
    all: HashMap<String, usize>,
    /// How often it is there under a mark.
    marked: HashMap<(String, String), usize>,
    /// The runs: mark, text.
    runs: Vec<(String, String)>,
}

/// The plain marks that text loses although it stays.
fn unmarked(before: &Document, changes: &[Change]) -> Vec<Dropped> {
    let schema = before.schema();
    let (mut old, mut new) = (Texts::default(), Texts::default());
    for change in changes {
        let mut start = before.block_start(before.block_at(change.from));
        for block in &before.blocks()[before.block_at(change.from).min(before.blocks().len())..] {
            if start >= change.to {
                break;
            }
            within(block, start, change, &mut |piece| old.add(schema, piece));
            start += block.size();
        }
        change.content.iter().for_each(|node| every_text(node, &mut |piece| new.add(schema, piece)));
    }
    let mut dropped = Vec::new();
    for (mark, text) in std::mem::take(&mut old.runs) {
        let (mut lost, mut length) = (0, 0);
        for word in tokens(&text) {
            length += word.len();
            let key = (mark.clone(), word);
            let (had, has) = (old.marked.get(&key), new.marked.get(&key));
            let missing = had.copied().unwrap_or(0).saturating_sub(has.copied().unwrap_or(0));
            let there = |texts: &Texts| texts.all.get(&key.1).copied().unwrap_or(0);
            if missing > there(&old).saturating_sub(there(&new)) {
                lost += key.1.len();
            }
        }
        // Small words come and go with any text: most of the run must have stayed.
        if lost * 2 > length {
            let name = mark.split('.').next().unwrap_or_default();
            dropped.push(shown("mark", name, &text, None));
        }
    }
    dropped
}

impl Texts {
    fn add(&mut self, schema: &Schema, piece: &Node) {
        let text = piece.text().unwrap_or_default();
        let names: Vec<String> =
            piece.marks().iter().filter(|mark| is_plain(schema, mark)).flat_map(|mark| names(schema, mark)).collect();
        for word in tokens(text) {
            for name in &names {
                *self.marked.entry((name.clone(), word.clone())).or_default() += 1;
            }
            *self.all.entry(word).or_default() += 1;
        }
        self.runs.extend(names.into_iter().map(|name| (name, text.to_owned())));
    }
}

/// What a mark says: its name, or one name for each attribute that is set, as in `textStyle.color`.
fn names(schema: &Schema, mark: &Mark) -> Vec<String> {
    let name = schema.mark(mark.kind).map_or("", |kind| &kind.name);
    let set: Vec<String> = mark
        .attrs
        .iter()
        .filter(|(_, value)| **value != Value::Null)
        .map(|(attr, _)| format!("{name}.{attr}"))
        .collect();
    if set.is_empty() { vec![name.to_owned()] } else { set }
}

/// The words of a text. Scripts without spaces are taken by pairs of signs: a single one says little.
fn tokens(text: &str) -> Vec<String> {
    let words: Vec<&str> = words::split(text).filter(|word| word.contains(char::is_alphanumeric)).collect();
    let is_sign = |word: &str| word.chars().count() == 1 && !word.is_ascii();
    let mut tokens = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match words.get(at + 1) {
            Some(next) if is_sign(word) && is_sign(next) => tokens.push(format!("{word}{next}")),
            _ if is_sign(word) && at > 0 && is_sign(words[at - 1]) => {}
            _ => tokens.push((*word).to_owned()),
        }
    }
    tokens
}

/// The texts of a node, which begins at `start`, that a change takes away.
fn within(node: &Node, start: usize, change: &Change, see: &mut dyn FnMut(&Node)) {
    let end = start + node.size();
    if end <= change.from || start >= change.to {
        return;
    }
    if node.is_text() {
        see(&node.cut_text(change.from.saturating_sub(start), change.to.min(end) - start));
        return;
    }
    let mut at = start + 1;
    for child in node.children() {
        within(child, at, change, see);
        at += child.size();
    }
}

fn every_text(node: &Node, see: &mut dyn FnMut(&Node)) {
    if node.is_text() {
        see(node);
    }
    node.children().iter().for_each(|child| every_text(child, see));
}
