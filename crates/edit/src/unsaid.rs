//! Checks a planned edit without regard to how its content was read: everything that the content does not mention must
//! be the same afterwards.
//!
//! The check uses the old blocks, the new ones, the named lines and the content as it was given. It cannot recognize
//! good edits, only harmful ones, and refuses them. Texts are compared by their characters without spaces and signs; a
//! text that occurs twice is not checked.

use crate::apply::Resolved;
use crate::content;
use crate::error::Error;
use crate::guard::dropped::Dropped;
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Node, NodeRole, Schema, text_form};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

/// Attributes that every notation states by the sign of a line.
const IN_SIGNS: [&str; 5] = ["level", "checked", "start", "type", "language"];
/// Marks that Markdown states.
pub(crate) const IN_MARKDOWN: [&str; 5] = ["bold", "italic", "strike", "code", "link"];
/// Attributes that tags of cells state by not having them.
const IN_TAGS: [&str; 2] = ["colspan", "rowspan"];
/// The least number of characters of a text outside cells that is recognized: a shorter one is often written again.
const LEAST: usize = 12;

/// Refuses an edit that changes something that its content does not mention.
///
/// # Errors
/// [`Error::WouldChangeUnsaid`].
pub fn check(before: &Document, resolved: &Resolved, contents: &[&str]) -> Result<(), Error> {
    if contents.is_empty() {
        return Ok(());
    }
    let (schema, content) = (before.schema(), Content::of(contents));
    let (old, new) = (&before.blocks()[resolved.replacement.blocks.clone()], &resolved.replacement.with);
    let (old, new) = (texts(schema, old, new), texts(schema, new, old));
    let mut dropped = beside_named(before, resolved, &old, &new, &content);
    let is = once(&new);
    for (letters, was) in once(&old) {
        if let Some(is) = is.get(letters) {
            push_unsaid(schema, was, is, &content, &mut dropped);
        }
    }
    match dropped.is_empty() {
        true => Ok(()),
        false => Err(Error::WouldChangeUnsaid { dropped }),
    }
}

/// The content of an edit as it was given. Its properties are computed when they are first needed: most edits need
/// none.
struct Content<'c> {
    contents: &'c [&'c str],
    raw: OnceCell<String>,
    letters: OnceCell<String>,
    lower: OnceCell<String>,
    has_tags: OnceCell<bool>,
    has_signs: OnceCell<bool>,
}

impl<'c> Content<'c> {
    fn of(contents: &'c [&'c str]) -> Content<'c> {
        Content {
            contents,
            raw: OnceCell::new(),
            letters: OnceCell::new(),
            lower: OnceCell::new(),
            has_tags: OnceCell::new(),
            has_signs: OnceCell::new(),
        }
    }

    fn raw(&self) -> &str {
        match self.contents {
            [only] => only,
            all => self.raw.get_or_init(|| all.join("\n")),
        }
    }

    /// Returns its letters without those of tags and addresses.
    fn letters(&self) -> &str {
        self.letters.get_or_init(|| letters(&without_addresses(&content::without_tags(self.raw()))))
    }

    /// Returns all of its letters in lower case, those of tags too.
    fn lower(&self) -> &str {
        self.lower.get_or_init(|| letters(self.raw()).to_lowercase())
    }

    fn has_tags(&self) -> bool {
        *self.has_tags.get_or_init(|| content::has_tag(self.raw()))
    }

    fn has_signs(&self) -> bool {
        let is_sign = |byte: u8| matches!(byte, b'*' | b'_' | b'~' | b'`' | b'[');
        *self.has_signs.get_or_init(|| self.raw().bytes().any(is_sign))
    }

    /// Returns whether the content could state a mark, so that content without it removes it.
    fn can_say(&self, mark: &str) -> bool {
        self.has_tags() || IN_MARKDOWN.contains(&mark) && self.has_signs()
    }

    /// Returns whether the content names an attribute, in the form of HTML or CSS too, or its old value.
    fn speaks_of(&self, attribute: &str, value: Option<&str>) -> bool {
        IN_SIGNS.contains(&attribute)
            || IN_TAGS.contains(&attribute) && self.has_tags()
            || self.lower().contains(&letters(attribute).to_lowercase())
            || value.is_some_and(|value| self.raw().contains(value))
    }
}

/// A textblock or a leaf block.
struct Text<'a> {
    node: &'a Node,
    /// The cell that it is in.
    cell: Option<&'a Node>,
    letters: String,
}

/// Returns the texts of blocks, except for those of unchanged blocks in `others`.
fn texts<'a>(schema: &Schema, blocks: &'a [Node], others: &[Node]) -> Vec<Text<'a>> {
    let same: FxHashSet<usize> = others.iter().map(Node::address).collect();
    let mut out = Vec::new();
    let changed = blocks.iter().filter(|block| !same.contains(&block.address()));
    changed.for_each(|block| push_texts(schema, block, None, &mut out));
    out
}

fn push_texts<'a>(schema: &Schema, node: &'a Node, cell: Option<&'a Node>, out: &mut Vec<Text<'a>>) {
    if schema.is_textblock(node.kind()) || node.is_leaf() {
        out.push(Text { node, cell, letters: letters(&visible(schema, node)) });
        return;
    }
    let cell = if node.role(schema).is_some_and(NodeRole::is_cell) { Some(node) } else { cell };
    node.children().iter().for_each(|child| push_texts(schema, child, cell, out));
}

/// Returns the text of a textblock with the forms of its leaves.
fn visible(schema: &Schema, node: &Node) -> String {
    let part = |child: &Node| match child.text() {
        Some(text) => text.to_owned(),
        None => text_form(schema, child),
    };
    node.children().iter().map(part).collect()
}

/// Returns a text without spaces and signs, which notations write otherwise.
fn letters(text: &str) -> String {
    let white_space = |at: usize| text[at..].chars().next().filter(|c| c.is_whitespace()).map_or(0, char::len_utf8);
    let mut letters = String::with_capacity(text.len());
    let (mut start, mut at) = (0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let left_out = match byte {
            b'\t'..=b'\r' | b' ' => 1,
            0..=0x7F => usize::from(byte.is_ascii_punctuation()),
            // Only these begin white space.
            0xC2 | 0xE1..=0xE3 => white_space(at),
            _ => 0,
        };
        if left_out > 0 {
            letters.push_str(&text[start..at]);
            start = at + left_out;
        }
        at += left_out.max(1);
    }
    letters + &text[start..]
}

/// Returns Markdown without the addresses of its links and images.
fn without_addresses(content: &str) -> String {
    let mut parts = content.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + "]" + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// Returns the texts that are there once, by their letters.
fn once<'t, 'a>(texts: &'t [Text<'a>]) -> FxHashMap<&'t str, &'t Text<'a>> {
    let mut found: FxHashMap<&str, Option<&Text>> = FxHashMap::default();
    for text in texts.iter().filter(|text| !text.letters.is_empty()) {
        found.entry(&text.letters).and_modify(|one| *one = None).or_insert(Some(text));
    }
    found.into_iter().filter_map(|(letters, one)| Some((letters, one?))).collect()
}

/// Returns the texts beside the named lines that have changed and that the content does not have.
fn beside_named(before: &Document, resolved: &Resolved, old: &[Text], new: &[Text], content: &Content) -> Vec<Dropped> {
    let named = named_texts(before, resolved);
    let mut left: FxHashMap<&str, Vec<&Node>> = FxHashMap::default();
    new.iter().for_each(|text| left.entry(&text.letters).or_default().push(text.node));
    let mut is_there = |text: &Text| {
        let Some(same) = left.get_mut(&*text.letters) else { return false };
        let at = same.iter().position(|node| *node == text.node);
        at.map(|at| same.swap_remove(at)).is_some()
    };
    let beside = old.iter().filter(|text| !text.letters.is_empty() && named.get(&text.node.address()) == Some(&false));
    let changed = beside.filter(|text| !is_there(text) && !content.letters().contains(&text.letters));
    changed.map(|text| dropped("node", text.node.name(before.schema()), text.node)).collect()
}

/// Returns for the address of each text with lines whether one of these was named.
fn named_texts(before: &Document, resolved: &Resolved) -> FxHashMap<usize, bool> {
    let mut named = FxHashMap::default();
    if resolved.lines.is_empty() {
        return named;
    }
    before.each_line(resolved.replacement.blocks.clone(), &mut |line| {
        let is_named = resolved.lines.iter().any(|range| range.contains(&line.line));
        *named.entry(text_at(before, line.path).address()).or_default() |= is_named;
    });
    named
}

fn text_at<'a>(document: &'a Document, path: &[usize]) -> &'a Node {
    let block = &document.blocks()[path[0]];
    path[1..].iter().fold(block, |node, at| node.children().get(*at).unwrap_or(node))
}

/// Adds the properties of a text that are missing although its content cannot have removed them.
fn push_unsaid(schema: &Schema, was: &Text, is: &Text, content: &Content, out: &mut Vec<Dropped>) {
    let is_known = was.cell.is_some() || was.letters.chars().count() >= LEAST;
    if is_known && was.node.kind() == is.node.kind() {
        out.extend(lost_attributes(was.node, is.node, content));
    }
    if is_known {
        out.extend(lost_marks(schema, was.node, is.node, content));
    }
    let (Some(old), Some(new)) = (was.cell, is.cell) else { return };
    let is_other = old.role(schema) == Some(NodeRole::HeaderCell) && new.role(schema) == Some(NodeRole::Cell);
    if is_other && !content.has_tags() {
        out.push(dropped("node", old.name(schema), old));
    }
    out.extend(lost_attributes(old, new, content));
}

fn lost_attributes(old: &Node, new: &Node, content: &Content) -> Vec<Dropped> {
    let is_lost = |(name, value): &(&str, &serde_json::Value)| {
        !value.is_null()
            && new.attrs().get(name).is_some_and(|now| now != *value)
            && !content.speaks_of(name, value.as_str())
    };
    old.attrs().iter().filter(is_lost).map(|(name, _)| dropped("attribute", name, old)).collect()
}

fn lost_marks(schema: &Schema, old: &Node, new: &Node, content: &Content) -> Vec<Dropped> {
    let marks = old.children().iter().flat_map(Node::marks).filter_map(|mark| schema.mark(mark.kind));
    let mut names: Vec<&str> = marks.map(|mark| &*mark.name).collect();
    names.sort_unstable();
    names.dedup();
    // The content is asked last: it may be the whole document.
    let is_lost = |name: &&str| marked(schema, old, name) != marked(schema, new, name) && !content.can_say(name);
    names.into_iter().filter(is_lost).map(|name| dropped("mark", name, old)).collect()
}

/// Returns the letters with a mark.
fn marked(schema: &Schema, node: &Node, name: &str) -> String {
    let has =
        |child: &&Node| child.marks().iter().any(|mark| schema.mark(mark.kind).is_some_and(|mark| &*mark.name == name));
    node.children().iter().filter(has).map(|child| letters(&child.text_content())).collect()
}

fn dropped(kind: &'static str, name: &str, node: &Node) -> Dropped {
    Dropped { kind, name: name.to_owned(), text: excerpt(&node.text_content()), url: None }
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn letters_are_all_characters_but_white_space_and_ascii_punctuation() {
        for character in '\0'..=char::MAX {
            let text = format!("é{character}a{character}中");
            let is_left_out = character.is_whitespace() || character.is_ascii_punctuation();
            let expected = if is_left_out { "éa中".to_owned() } else { text.clone() };
            assert_eq!(letters(&text), expected, "{character:?}");
        }
    }
}
