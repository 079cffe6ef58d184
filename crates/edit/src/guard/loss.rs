//! Losses of an edit: links, images, custom nodes and marks that it removes, and plain marks of text that stays.
//!
//! Both measures count multisets, so that nothing is lost that only moves within the edit. Links, images, tables,
//! mentions, comments and everything specific to a schema are counted in the blocks that the edit touches. Bold and
//! similar marks may be removed together with their text: they are lost only if the words stay without the mark, which
//! is counted in the changed ranges, by word.

use crate::change::Change;
use crate::guard::dropped::Dropped;
use copydesk_base::error::excerpt;
use copydesk_document::{Attrs, Document, Mark, MarkType, Node, Schema, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// The attributes by which one thing is told from another of its type, the first that is there.
const NAMING: [&str; 7] = ["id", "src", "href", "url", "threadId", "commentId", "label"];
/// The most that is reported.
const MOST: usize = 100;

/// Returns the content that changes drop.
pub fn dropped(before: &Document, changes: &[Change], after: &Document) -> Vec<Dropped> {
    let (old, new) = touched(before, after);
    let schema = before.schema();
    let mut dropped = missing(&things(schema, old), &things(schema, new));
    dropped.extend(unmarked(before, changes));
    dropped.truncate(MOST);
    dropped
}

/// Returns the blocks in which two documents differ, without the equal ones at both ends.
fn touched<'d>(before: &'d Document, after: &'d Document) -> (&'d [Node], &'d [Node]) {
    let (old, new) = (before.blocks(), after.blocks());
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    (&old[..old.len() - end], &new[..new.len() - end])
}

/// A node or mark whose removal is reported, and the key that identifies it.
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
    if !schema.node_type(node.kind()).is_plain() {
        node_things(schema, node, name, things);
    }
    // The marks that the last child had, and the text under each so far: one link may reach over several pieces.
    let mut open: Vec<(&Mark, String)> = Vec::new();
    for child in node.children() {
        let mut now: Vec<(&Mark, String)> = Vec::new();
        for mark in child.marks() {
            if !is_plain(schema, mark) {
                let before = open.iter().position(|(one, _)| *one == mark).map(|at| open.swap_remove(at).1);
                now.push((mark, before.unwrap_or_default() + &child.text_content()));
            }
        }
        close(schema, &open, things);
        open = now;
        gather(schema, child, things);
    }
    close(schema, &open, things);
}

fn node_things(schema: &Schema, node: &Node, name: &str, things: &mut Vec<Thing>) {
    let attr = |name: &str| node.attrs().text(name).filter(|text| !text.is_empty());
    let (src, alt) = (attr("src"), attr("alt"));
    // The content of a custom block may be rewritten; a leaf is identified by its attributes.
    let is_whole = node.is_leaf() || schema.node_type(node.kind()).atom;
    let by = if is_whole { identity(node.attrs()) } else { String::new() };
    let text = match alt.or_else(|| attr("label")).or_else(|| attr("title")).or_else(|| attr("id")) {
        Some(text) => text.to_owned(),
        None => node.text_content().chars().take(60).collect(),
    };
    let is_image = name == "image" && src.is_some();
    let kind = if is_image { "image" } else { "node" };
    things.push(Thing { key: format!("node {name} {by}"), shown: shown(kind, name, &text, src) });
    if let Some(alt) = alt.filter(|_| is_image) {
        things.push(Thing { key: format!("alt {by}"), shown: shown(kind, "alt", alt, src) });
    }
}

/// The marks that have come to their end.
fn close(schema: &Schema, marks: &[(&Mark, String)], things: &mut Vec<Thing>) {
    for (mark, text) in marks {
        let Some(kind) = schema.mark(mark.kind) else { continue };
        let href = mark.attrs.text("href");
        let shown = shown(if href.is_some() { "link" } else { "mark" }, &kind.name, text, href);
        things.push(Thing { key: format!("mark {} {}", kind.name, identity(&mark.attrs)), shown });
    }
}

fn shown(kind: &'static str, name: &str, text: &str, url: Option<&str>) -> Dropped {
    Dropped { kind, name: name.to_owned(), text: excerpt(text), url: url.map(excerpt) }
}

fn is_plain(schema: &Schema, mark: &Mark) -> bool {
    schema.mark(mark.kind).is_none_or(MarkType::is_plain)
}

fn identity(attrs: &Attrs) -> String {
    for name in NAMING {
        if let Some(value) = attrs.get(name).filter(|value| !value.is_null()) {
            return value.to_string();
        }
    }
    let mut all = String::new();
    for (name, value) in attrs.iter() {
        all += &format!("{name}={value} ");
    }
    all
}

/// The number of occurrences of each key.
#[derive(Default)]
struct Counts(FxHashMap<String, usize>);

impl Counts {
    fn add(&mut self, key: String) {
        *self.0.entry(key).or_default() += 1;
    }

    fn get(&self, key: &str) -> usize {
        self.0.get(key).copied().unwrap_or(0)
    }

    /// Removes one, if there is one. Returns whether there was.
    fn take(&mut self, key: &str) -> bool {
        match self.0.get_mut(key) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Returns the things that occur less often than before. Of equal ones, those whose text was removed too are named.
fn missing(old: &[Thing], new: &[Thing]) -> Vec<Dropped> {
    let with_text = |thing: &Thing| format!("{}\n{}", thing.key, thing.shown.text);
    let mut left = Counts::default();
    for thing in new {
        left.add(thing.key.clone());
        left.add(with_text(thing));
    }
    let mut unmatched = Vec::new();
    for thing in old {
        if left.take(&with_text(thing)) {
            left.take(&thing.key);
        } else {
            unmatched.push(thing);
        }
    }
    // A link with another text is the same link.
    unmatched.retain(|thing| !left.take(&thing.key));
    // A removed image takes its alternative text along.
    let gone: FxHashSet<&str> = unmatched.iter().map(|thing| thing.key.as_str()).collect();
    let said = |alt: &Thing| {
        let picture = alt.key.strip_prefix("alt ").map(|by| format!("node image {by}"));
        picture.is_some_and(|picture| gone.contains(picture.as_str()))
    };
    unmatched.iter().filter(|thing| !said(thing)).map(|thing| thing.shown.clone()).collect()
}

/// Text in words.
#[derive(Default)]
struct Texts {
    /// The number of occurrences of each word, and of each word under a mark: `mark word`.
    words: Counts,
    /// The runs of text under one plain mark: mark, text.
    runs: Vec<(String, String)>,
}

/// The plain marks that text loses although it stays.
fn unmarked(before: &Document, changes: &[Change]) -> Vec<Dropped> {
    let schema = before.schema();
    let (mut old, mut new) = (Texts::default(), Texts::default());
    if let (Some(first), Some(last)) = (changes.first(), changes.last()) {
        let blocks = before.block_at(first.from)..(before.block_at(last.to) + 1).min(before.blocks().len());
        for at in blocks {
            within(&before.blocks()[at], before.block_start(at), changes, &mut |piece| old.add(schema, piece));
        }
    }
    for change in changes {
        change.content.iter().for_each(|node| every_text(node, &mut |piece| new.add(schema, piece)));
    }
    let mut dropped = Vec::new();
    for (mark, text) in &old.runs {
        let (mut lost, mut length) = (0, 0);
        for word in tokens(text) {
            let marked = format!("{mark} {word}");
            let missing = old.words.get(&marked).saturating_sub(new.words.get(&marked));
            if missing > old.words.get(&word).saturating_sub(new.words.get(&word)) {
                lost += word.len();
            }
            length += word.len();
        }
        // Small words come and go with any text: most of the run must have stayed.
        if lost * 2 > length {
            let name = mark.split('.').next().unwrap_or_default();
            dropped.push(shown("mark", name, text, None));
        }
    }
    dropped
}

impl Texts {
    fn add(&mut self, schema: &Schema, piece: &Node) {
        let text = piece.text().unwrap_or_default();
        let words = tokens(text);
        for mark in piece.marks().iter().filter(|mark| is_plain(schema, mark)) {
            for name in names(schema, mark) {
                words.iter().for_each(|word| self.words.add(format!("{name} {word}")));
                self.runs.push((name, text.to_owned()));
            }
        }
        words.into_iter().for_each(|word| self.words.add(word));
    }
}

/// Returns the name of a mark, or one name for each attribute that is set, as in `textStyle.color`.
fn names(schema: &Schema, mark: &Mark) -> Vec<String> {
    let name = schema.mark(mark.kind).map_or("", |kind| &kind.name);
    let mut names = Vec::new();
    for (attr, value) in mark.attrs.iter() {
        if !value.is_null() {
            names.push(format!("{name}.{attr}"));
        }
    }
    if names.is_empty() {
        names.push(name.to_owned());
    }
    names
}

/// Returns the words of a text. Scripts without spaces are split into pairs of characters: a single one says little.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut sign = "";
    for word in words::split(text) {
        let Some(first) = word.chars().next().filter(|first| first.is_alphanumeric()) else { continue };
        let is_sign = first.len_utf8() == word.len() && !first.is_ascii();
        if is_sign && !sign.is_empty() {
            tokens.push(format!("{sign}{word}"));
        } else if !is_sign {
            tokens.push(word.to_owned());
        }
        sign = if is_sign { word } else { "" };
    }
    // A text of a single character has no pair.
    if tokens.is_empty() && !sign.is_empty() {
        tokens.push(sign.to_owned());
    }
    tokens
}

/// Visits the texts that changes remove from a node that starts at `start`. The changes are in ascending order.
fn within(node: &Node, start: usize, changes: &[Change], see: &mut dyn FnMut(&Node)) {
    let end = start + node.size();
    let first = changes.partition_point(|change| change.to <= start);
    let meets = changes[first..].partition_point(|change| change.from < end);
    let changes = &changes[first..first + meets];
    if changes.is_empty() {
        return;
    }
    if node.is_text() {
        for change in changes {
            see(&node.cut_text(change.from.saturating_sub(start), change.to.min(end) - start));
        }
        return;
    }
    let mut at = start + 1;
    for child in node.children() {
        within(child, at, changes, see);
        at += child.size();
    }
}

fn every_text(node: &Node, see: &mut dyn FnMut(&Node)) {
    if node.is_text() {
        see(node);
    }
    node.children().iter().for_each(|child| every_text(child, see));
}
