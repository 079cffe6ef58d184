//! Attributes that content does not repeat.
//!
//! A model that repeats a table leaves out the widths of its columns, and one that repeats a link leaves out its
//! `target`. If a new node or mark is plainly an old one, [`keep`] restores the attributes that the content does not
//! state. A stated attribute takes precedence, also if its value is empty.

mod tables;

use crate::fit::is_table;
use crate::{retext, rows, runs, same_text};
use copydesk_document::align::{Chunk, Relation, align};
use copydesk_document::{Attrs, Mark, MarkTypeId, Marks, Node, NodeTypeId, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::hash_map::Entry;

/// Attributes that identify what a node or a mark represents. Nodes and marks that differ in them are different ones.
const IDENTITIES: [&str; 5] = ["src", "href", "id", "latex", "url"];
/// Attributes that the element states by its name or by its content.
const IN_ELEMENT: [&str; 2] = ["level", "checked"];

/// Returns `new`, the nodes that replace `old`, with those attributes of the old nodes that `html` does not state.
/// `html` is the source of `new`.
pub fn keep(schema: &Schema, old: &[Node], new: Vec<Node>, html: &str) -> Vec<Node> {
    if old.is_empty() {
        return new;
    }
    keep_known(schema, old, &Known::of(old), new, html)
}

/// Does the same as [`keep`], with `known` nodes and marks instead of those in `old`.
pub fn keep_known(schema: &Schema, old: &[Node], known: &Known, new: Vec<Node>, html: &str) -> Vec<Node> {
    let mut keeper = Keeper::new(schema, known, html);
    keeper.of_markdown = keeper.tables_of_markdown(&new);
    keeper.repeated = keeper.repeated_styles(old, &new);
    keeper.all(old, new)
}

/// The nodes without content and the marks of old nodes, by what identifies them.
#[derive(Default)]
pub struct Known {
    leaves: FxHashMap<(NodeTypeId, String), Node>,
    /// `None` if marks with the same identity differ.
    marks: FxHashMap<(MarkTypeId, String), Option<Mark>>,
    /// Marks by their text; `None` if marks of the same text differ. A link keeps its `target` when its URL changes.
    marks_of_texts: FxHashMap<(MarkTypeId, String), Option<Mark>>,
}

impl Known {
    /// Collects the nodes and marks in some nodes, including these.
    pub fn of<'n>(nodes: impl IntoIterator<Item = &'n Node>) -> Known {
        let mut known = Known::default();
        nodes.into_iter().for_each(|node| known.add(node));
        known
    }

    /// Adds the nodes without content of other nodes.
    pub fn with_leaves_of(mut self, nodes: &[Node]) -> Known {
        let others = Known::of(nodes);
        for (key, leaf) in others.leaves {
            self.leaves.entry(key).or_insert(leaf);
        }
        self
    }

    /// Does the same as [`keep`] for the inline content of one line.
    pub fn keep_inline(&self, schema: &Schema, new: Vec<Node>, html: &str) -> Vec<Node> {
        Keeper::new(schema, self, html).all(&[], new)
    }

    fn add(&mut self, node: &Node) {
        if let Some(text) = node.text() {
            for mark in node.marks() {
                let add = |known: Entry<'_, (MarkTypeId, String), Option<Mark>>| {
                    known
                        .and_modify(|known| *known = known.take_if(|known| known == mark))
                        .or_insert(Some(mark.clone()));
                };
                if let Some(identity) = identity(&mark.attrs) {
                    add(self.marks.entry((mark.kind, identity)));
                }
                add(self.marks_of_texts.entry((mark.kind, text.to_owned())));
            }
        } else if let Some(identity) = identity(node.attrs()).filter(|_| node.is_leaf()) {
            self.leaves.entry((node.kind(), identity)).or_insert_with(|| node.clone());
        }
        node.children().iter().for_each(|child| self.add(child));
    }
}

/// Blocks by the key that `Keeper::key` returns.
type Left = FxHashMap<(Option<NodeTypeId>, String), Vec<Node>>;

struct Keeper<'a> {
    schema: &'a Schema,
    html: String,
    known: &'a Known,
    /// The addresses of the new tables that were Markdown.
    of_markdown: FxHashSet<usize>,
    /// The attributes that the content repeats where they were, with the kinds of their nodes: the content also states
    /// these by leaving them out.
    repeated: FxHashSet<(NodeTypeId, String)>,
    /// The old blocks that no new node is so far, the last one first.
    left: RefCell<Left>,
}

impl<'a> Keeper<'a> {
    fn new(schema: &'a Schema, known: &'a Known, html: &str) -> Keeper<'a> {
        let (of_markdown, repeated) = Default::default();
        Keeper { schema, html: html.to_ascii_lowercase(), known, of_markdown, repeated, left: RefCell::default() }
    }

    /// Returns the attributes that a style states of nodes with the text and the value that an old node has, with their
    /// kinds.
    fn repeated_styles(&self, old: &[Node], new: &[Node]) -> FxHashSet<(NodeTypeId, String)> {
        if !self.html.contains("style=") {
            return FxHashSet::default();
        }
        let mut known = FxHashSet::default();
        self.each_style(old, &mut |node, name, value| {
            known.insert((node.kind(), name.to_owned(), value.to_string(), node.text_content()));
        });
        let mut repeated = FxHashSet::default();
        self.each_style(new, &mut |node, name, value| {
            let key = (node.kind(), name.to_owned(), value.to_string(), node.text_content());
            if known.contains(&key) {
                repeated.insert((key.0, key.1));
            }
        });
        repeated
    }

    /// Calls `each` with the attributes of nodes that are not the default and that a style states.
    fn each_style(&self, nodes: &[Node], each: &mut impl FnMut(&Node, &str, &Value)) {
        for node in nodes {
            let defaults = self.schema.default_attrs(node.kind());
            let stated = node.attrs().iter().filter(|(name, value)| defaults.get(name) != Some(*value));
            stated.filter(|(name, _)| property_of(name).is_some()).for_each(|(name, value)| each(node, name, value));
            if !self.schema.is_textblock(node.kind()) {
                self.each_style(node.children(), each);
            }
        }
    }

    fn all(&self, old: &[Node], new: Vec<Node>) -> Vec<Node> {
        if self.are_rows(old, &new) {
            return self.rows(old, new);
        }
        let mut pairs: Vec<Option<&Node>> = vec![None; new.len()];
        let mut beside: Vec<(usize, usize)> = Vec::new();
        // A block that is now inside another one, such as a paragraph in a list, is not that other block.
        let is_one = |(from, to): &(usize, usize)| {
            old[*from].kind() == new[*to].kind() || self.is_text(&old[*from]) && self.is_text(&new[*to])
        };
        for Chunk { relation, old: in_old, new: in_new } in align(old, &new) {
            match relation {
                Relation::Replaced if in_old.len() == in_new.len() => beside.extend(in_old.zip(in_new).filter(is_one)),
                Relation::Replaced => {}
                _ => in_old.zip(in_new).filter(is_one).for_each(|(from, to)| pairs[to] = Some(&old[from])),
            }
        }
        beside.iter().for_each(|(from, to)| pairs[*to] = Some(&old[*from]));
        self.pair_first_parts(&new, &mut pairs);
        let used: FxHashSet<usize> = pairs.iter().flatten().map(|old| old.address()).collect();
        let mut left = self.left.borrow_mut();
        old.iter().rev().filter(|old| !used.contains(&old.address())).for_each(|old| self.add_texts(&mut left, old));
        drop(left);
        new.into_iter().zip(pairs).map(|(node, old)| self.one(old, node)).collect()
    }

    /// Pairs the first part of a text that was split with the old block.
    fn pair_first_parts(&self, new: &[Node], pairs: &mut [Option<&Node>]) {
        for at in (1..new.len()).rev() {
            let Some(old) = pairs[at].filter(|old| pairs[at - 1].is_none() && self.is_text(old)) else { continue };
            let is_part = self.is_text(&new[at - 1]) && new[at - 1].kind() == old.kind();
            if is_part && rows::is_first_part(&old.text_content(), &new[at - 1].text_content()) {
                pairs.swap(at - 1, at);
            }
        }
    }

    /// Adds the blocks of an old node to those that are left, the last one first.
    fn add_texts(&self, left: &mut Left, old: &Node) {
        if !old.is_leaf() {
            left.entry(self.key(old)).or_default().push(old.clone());
        }
        if !self.schema.is_textblock(old.kind()) {
            old.children().iter().rev().for_each(|child| self.add_texts(left, child));
        }
    }

    /// Returns the old block that one of another container is: it was put into a quotation, or taken out.
    fn rewrapped(&self, node: &Node) -> Option<Node> {
        if node.is_leaf() {
            return None;
        }
        self.left.borrow_mut().get_mut(&self.key(node))?.pop()
    }

    /// Returns the key by which a block is recognized: its text, and its kind unless it is a textblock, whose kind may
    /// have changed.
    fn key(&self, node: &Node) -> (Option<NodeTypeId>, String) {
        ((!self.schema.is_textblock(node.kind())).then_some(node.kind()), node.text_content())
    }

    fn is_text(&self, node: &Node) -> bool {
        self.schema.is_textblock(node.kind()) && !self.schema.node_type(node.kind()).code
    }

    /// Returns a textblock with the attributes of an old one of another kind that both kinds have.
    fn of_other_kind(&self, old: &Node, node: Node) -> Node {
        if !self.is_text(old) || !self.is_text(&node) {
            return node;
        }
        let defaults = self.schema.default_attrs(node.kind());
        let shared = old.attrs().iter().filter(|(name, _)| defaults.get(name).is_some());
        let shared = shared.fold(defaults.clone(), |attrs, (name, value)| attrs.with(name, value.clone()));
        node.with_attrs(self.merged(Some(node.kind()), &shared, node.attrs(), &defaults))
    }

    fn one(&self, old: Option<&Node>, node: Node) -> Node {
        let left = if old.is_none() { self.rewrapped(&node) } else { None };
        let old = old.or(left.as_ref());
        let node = match old.filter(|old| old.kind() != node.kind()) {
            Some(old) => self.of_other_kind(old, node),
            None => node,
        };
        let old = old.filter(|old| old.kind() == node.kind());
        if old == Some(&node) {
            return node;
        }
        let defaults = self.schema.default_attrs(node.kind());
        if node.is_text() {
            let text = node.text().unwrap_or_default();
            let marks: Vec<Mark> = node.marks().iter().map(|mark| self.mark(mark, text)).collect();
            return node.with_marks(Marks::from(marks));
        }
        if node.is_leaf() {
            let is_same = |old: &&Node| old.kind() == node.kind() && is_same(old.attrs(), node.attrs(), &defaults);
            let known = || self.known.leaves.get(&(node.kind(), identity(node.attrs())?));
            let same = old.filter(|old| is_same(old)).or_else(|| known().filter(|old| is_same(old)));
            return same.map_or(node.clone(), |old| {
                node.with_attrs(self.merged(Some(node.kind()), old.attrs(), node.attrs(), &defaults))
            });
        }
        let children = match old.filter(|old| is_table(self.schema, old)) {
            Some(old) if self.of_markdown.contains(&node.address()) => {
                self.rows_of_markdown(old.children(), node.children())
            }
            _ => self.all(old.map_or(&[][..], Node::children), node.children().to_vec()),
        };
        let children = match old.filter(|old| self.is_text(old)) {
            Some(old) => self.with_attributes_of_marks(old, children),
            None => children,
        };
        let node = if children == node.children() { node } else { node.with_children(children) };
        match old {
            Some(old) => node.with_attrs(self.merged(Some(node.kind()), old.attrs(), node.attrs(), &defaults)),
            None => node,
        }
    }

    /// Returns the content of a textblock. Attributes that its marks do not state are those of the marks of `old` at
    /// the same place. If the content states an attribute of any mark, such as a color, it states those of all.
    fn with_attributes_of_marks(&self, old: &Node, children: Vec<Node>) -> Vec<Node> {
        let is_hidden = |node: &Node| node.marks().iter().any(|mark| mark.is_hidden(self.schema));
        let children = match old.children().iter().any(is_hidden) {
            true => {
                let text = runs::flat_text(self.schema, &children);
                same_text::with_hidden(self.schema, children, &retext::inline(self.schema, old.children(), &text))
            }
            false => children,
        };
        let marks = || children.iter().flat_map(|child| child.marks()).filter(|mark| !mark.attrs.is_empty());
        let attrs = || marks().filter(|mark| identity(&mark.attrs).is_none()).flat_map(|mark| mark.attrs.iter());
        if marks().next().is_none() || attrs().any(|(name, value)| self.states(None, name, Some(value))) {
            return children;
        }
        let text = runs::flat_text(self.schema, &children);
        same_text::with_attributes(self.schema, children, &retext::inline(self.schema, old.children(), &text))
    }

    fn mark(&self, mark: &Mark, text: &str) -> Mark {
        let defaults = self.schema.default_mark_attrs(mark.kind);
        let own = identity(&mark.attrs);
        let known = own.clone().and_then(|own| self.known.marks.get(&(mark.kind, own)));
        let of_text = || self.known.marks_of_texts.get(&(mark.kind, text.to_owned()))?.as_ref();
        let old = match known {
            Some(Some(known)) => Some(known),
            // Of several links to one URL it is the one with this text.
            Some(None) => of_text().filter(|old| identity(&old.attrs) == own),
            None => of_text(),
        };
        let old = old.map(|old| &old.attrs);
        let attrs = old.map_or(mark.attrs.clone(), |old| self.merged(None, old, &mark.attrs, &defaults));
        Mark { kind: mark.kind, attrs }
    }

    fn merged(&self, kind: Option<NodeTypeId>, old: &Attrs, new: &Attrs, defaults: &Attrs) -> Attrs {
        // Where an element has no color, TipTap's rule for highlights reads the empty style as one.
        let is_default = |name: &str| match (defaults.get(name), new.get(name)) {
            (Some(Value::Null) | None, Some(Value::String(text))) => text.is_empty(),
            (default, value) => default == value,
        };
        let mut merged = new.clone();
        for (name, value) in old.iter().filter(|(name, _)| !IN_ELEMENT.contains(name)) {
            if is_default(name) && new.get(name) != Some(value) && !self.states(kind, name, new.get(name)) {
                merged = merged.with(name, value.clone());
            }
        }
        merged
    }

    /// Returns whether the HTML states an attribute with its default value: it has the value, or it has the attribute
    /// where it was and leaves it out here. `kind` is that of a node.
    fn states(&self, kind: Option<NodeTypeId>, name: &str, value: Option<&Value>) -> bool {
        let property = property_of(name);
        let of_property = |property: &String| self.html.contains(&format!("{property}:"));
        let is_repeated = || kind.is_none_or(|kind| self.repeated.contains(&(kind, name.to_owned())));
        if property.as_ref().is_some_and(of_property) && is_repeated() {
            return true;
        }
        let value = match value {
            Some(Value::String(text)) => text.to_ascii_lowercase(),
            Some(Value::Null) | None => return false,
            Some(value) => value.to_string(),
        };
        let is_style = |property: String| {
            let name = format!("{property}:");
            let mut stated = self.html.split(&name).skip(1);
            stated.any(|rest| rest.split([';', '"', '\'']).next().is_some_and(|stated| stated.trim() == value))
        };
        let name = name.to_ascii_lowercase();
        property.is_some_and(is_style)
            || ["\"", "'"].iter().any(|quote| self.html.contains(&format!("{name}={quote}{value}{quote}")))
    }
}

/// Returns the property of a style that states an attribute: `text-align` states `textAlign`.
fn property_of(name: &str) -> Option<String> {
    let parts =
        name.chars().flat_map(|c| c.is_ascii_uppercase().then_some('-').into_iter().chain([c.to_ascii_lowercase()]));
    Some(parts.collect::<String>()).filter(|property| property != name)
}

/// Returns the attributes that identify a node or a mark, as a text. `None` if it has none.
fn identity(attrs: &Attrs) -> Option<String> {
    let stated = attrs.iter().filter(|(name, value)| IDENTITIES.contains(name) && !value.is_null());
    let text = stated.map(|(name, value)| format!("{name}={value}\n")).collect::<String>();
    (!text.is_empty()).then_some(text)
}

/// Returns whether new attributes are those of the same thing: what identifies it does not differ, and something that
/// is stated is equal.
fn is_same(old: &Attrs, new: &Attrs, defaults: &Attrs) -> bool {
    let stated = || new.iter().filter(|(name, value)| defaults.get(name) != Some(value));
    let differs = |(name, value): (&str, &Value)| IDENTITIES.contains(&name) && old.get(name) != Some(value);
    !stated().any(differs) && stated().any(|(name, value)| old.get(name) == Some(value))
}
