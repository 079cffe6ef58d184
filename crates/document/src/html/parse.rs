//! Builds nodes from elements, by the rules of ProseMirror's `DOMParser`.
//!
//! The parser keeps the list of open nodes, the document first. Each has a state in its type's content expression,
//! which determines what fits. A node that does not fit is wrapped, or closes nodes until it fits, or is dropped. The
//! walk over the elements is a loop with its own stack, so nesting does not use the machine stack.

use super::context::{OpenElement, Whitespace};
use super::dom::{Dom, DomId};
use super::javascript::is_space;
use super::rules::{Content, Meaning, ParseRules};
use super::style::InlineStyle;
use super::whitespace::{collapse, is_collapsible, without_returns};
use crate::attrs::Attrs;
use crate::json::MAX_DEPTH;
use crate::mark::{Mark, Marks};
use crate::node::Node;
use crate::nodes::Tables;
use crate::schema::{NodeTypeId, Schema};
use std::borrow::Cow;
use std::rc::Rc;

/// The action behind the content of an element.
enum After {
    Nothing,
    /// Close the nodes that were opened since, so that this context is the innermost again.
    Sync(u32),
    /// Close this context and what is in it.
    Close(u32),
}

/// An element whose content is being walked over.
struct Frame {
    next: Option<DomId>,
    marks: MarkList,
    after: After,
    outer_preserves: bool,
}

/// The marks of further content, in the order in which they were opened; a list, not yet a set.
pub(super) type MarkList = Rc<[Mark]>;

/// Returns the top-level blocks for a body's content. `None` if nodes nest too deep.
pub(super) fn parse(schema: &Schema, rules: &ParseRules, dom: &mut Dom, body: DomId) -> Option<Vec<Node>> {
    let top = schema.top_type();
    let document = OpenElement {
        id: 0,
        kind: top,
        attrs: schema.default_attrs(top),
        marks: Marks::NONE,
        solid: true,
        state: Some(schema.node_type(top).content_match),
        content: vec![],
        whitespace: Whitespace::Collapse,
    };
    let tables = Tables::default();
    let mut parser = Parser {
        schema,
        rules,
        dom,
        tables,
        contexts: vec![document],
        spare: vec![],
        open: 0,
        preserves: false,
        latest_id: 0,
        too_deep: false,
    };
    parser.walk(body);
    parser.finish()
}

struct Parser<'a> {
    schema: &'a Schema,
    rules: &'a ParseRules,
    dom: &'a mut Dom,
    tables: Tables,
    /// The open nodes; those after `open` are closed as soon as something is added.
    contexts: Vec<OpenElement>,
    /// Empty rows for the content of the next.
    spare: Vec<Vec<Node>>,
    open: usize,
    /// True if an element around keeps its white space.
    preserves: bool,
    latest_id: u32,
    too_deep: bool,
}

impl Parser<'_> {
    fn walk(&mut self, root: DomId) {
        let first = self.dom.first_child(root);
        let mut frames = vec![Frame { next: first, marks: Rc::new([]), after: After::Nothing, outer_preserves: false }];
        while let Some(frame) = frames.last_mut() {
            if self.too_deep {
                return;
            }
            let Some(id) = frame.next else {
                self.leave(&frame.after);
                self.preserves = frame.outer_preserves;
                frames.pop();
                continue;
            };
            frame.next = self.dom.next_sibling(id);
            if self.dom.is_element(id) {
                let marks = frame.marks.clone();
                frames.extend(self.element(id, marks));
            } else if self.dom.text(id).is_some() {
                let marks = frame.marks.clone();
                self.text(id, &marks);
            }
        }
    }

    fn leave(&mut self, after: &After) {
        match *after {
            After::Nothing => {}
            After::Sync(id) => drop(self.sync(id)),
            After::Close(id) => {
                if self.sync(id) {
                    self.open = self.open.saturating_sub(1);
                }
            }
        }
    }

    /// Adds an element. Returns the frame of its content, if that is still to be read.
    fn element(&mut self, id: DomId, mut marks: MarkList) -> Option<Frame> {
        let outer_preserves = self.preserves;
        let style = self.dom.attribute(id, "style").map(InlineStyle::parse);
        if self.dom.is_html(id, "pre") || style.as_ref().is_some_and(InlineStyle::preserves_whitespace) {
            self.preserves = true;
        }
        if self.rules.normalizes_lists && self.is_named(id, is_list) {
            normalize_list(self.dom, id);
        }
        if let Some(style) = &style {
            let mut list = marks.to_vec();
            self.rules.style_marks(self.schema, style, &mut list);
            marks = list.into();
        }
        let meaning = self.rules.meaning(self.schema, self.dom, &mut self.tables, id, &mut marks);
        let (content, marks, after) = match meaning {
            Some(Meaning::Mark(mark)) => (id, marks.iter().cloned().chain([mark]).collect(), After::Nothing),
            Some(Meaning::Node { kind, given, content }) => {
                let attrs = self.schema.attrs_with_nulls(kind, given);
                match self.node(id, kind, attrs, content, marks) {
                    Some(found) => found,
                    None => {
                        self.preserves = outer_preserves;
                        return None;
                    }
                }
            }
            None if self.is_named(id, is_ignored) => {
                self.preserves = outer_preserves;
                return None;
            }
            None if self.is_named(id, is_block) => {
                if self.open > 0 && self.top().content.first().is_some_and(|first| self.schema.is_inline(first.kind()))
                {
                    self.open -= 1;
                }
                (id, marks, After::Sync(self.top().id))
            }
            None => {
                if self.dom.first_child(id).is_none() {
                    self.leaf_fallback(id, &marks);
                }
                (id, marks, After::Nothing)
            }
        };
        let next = self.dom.first_child(content);
        Some(Frame { next, marks, after, outer_preserves })
    }

    fn is_named(&self, id: DomId, test: fn(&str) -> bool) -> bool {
        self.dom.name(id).is_some_and(test)
    }

    /// Adds an element that is a node. Its content, with the marks that apply to it, is still to be read.
    fn node(
        &mut self,
        id: DomId,
        kind: NodeTypeId,
        attrs: Attrs,
        content: Content,
        mut marks: MarkList,
    ) -> Option<(DomId, MarkList, After)> {
        if self.schema.is_leaf(kind) {
            let cautious = self.dom.is_html(id, "br");
            let schema = self.schema;
            if !self.insert(kind, &marks, cautious, |set| Node::new(schema, kind, attrs, vec![], set)) {
                self.leaf_fallback(id, &marks);
            }
            return None;
        }
        let whitespace = matches!(content, Content::Verbatim(_)).then_some(Whitespace::Verbatim);
        let mut after = After::Nothing;
        if self.find_place(kind, &marks, false).is_some() {
            marks = self.enter(kind, Some(attrs), &marks, true, whitespace);
            after = After::Close(self.top().id);
        }
        match content {
            Content::Of(element) | Content::Verbatim(element) => Some((element, marks, after)),
            Content::Filled(nodes) => {
                for node in nodes {
                    self.insert(node.kind(), &marks, false, |set| node.with_marks(set));
                }
                self.leave(&after);
                None
            }
        }
    }

    fn text(&mut self, id: DomId, marks: &MarkList) {
        // Every text is come by once, so it can be taken out of the tree instead of being copied.
        let text = self.dom.take_text(id);
        let follows_break = self.dom.previous_sibling(id).is_some_and(|previous| self.dom.is_html(previous, "br"));
        self.insert_text(&text, follows_break, marks);
    }

    fn insert_text(&mut self, text: &str, follows_break: bool, marks: &MarkList) {
        let top = self.top();
        let whitespace = match top.whitespace {
            Whitespace::Collapse if self.preserves => Whitespace::Preserve,
            whitespace => whitespace,
        };
        let inline = self.schema.node_type(top.kind).inline_content;
        if whitespace != Whitespace::Verbatim && !inline && text.bytes().all(is_collapsible) {
            return;
        }
        let text: Cow<'_, str> = match whitespace {
            Whitespace::Collapse => {
                let text = collapse(text);
                let starts_blank = text.starts_with(' ') && self.open + 1 == self.contexts.len();
                let drops = || match self.top().content.last() {
                    None => true,
                    Some(before) => {
                        follows_break
                            || before.text().is_some_and(|text| text.bytes().last().is_some_and(is_collapsible))
                    }
                };
                if starts_blank && drops() { Cow::Owned(text[1..].to_owned()) } else { text }
            }
            Whitespace::Verbatim => without_returns(text, "\n"),
            Whitespace::Preserve => match self.schema.linebreak_type() {
                Some(linebreak) if text.contains(['\r', '\n']) && self.fits_here(linebreak) => {
                    self.insert_lines(&without_returns(text, "\n"), linebreak, marks);
                    return;
                }
                _ => without_returns(text, " "),
            },
        };
        self.insert_plain(&text, marks);
    }

    /// Adds text whose newlines are line breaks of the document.
    fn insert_lines(&mut self, text: &str, linebreak: NodeTypeId, marks: &MarkList) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                let schema = self.schema;
                let attrs = schema.default_attrs(linebreak);
                self.insert(linebreak, marks, true, |set| Node::new(schema, linebreak, attrs, vec![], set));
            }
            self.insert_plain(line, marks);
        }
    }

    fn insert_plain(&mut self, text: &str, marks: &MarkList) {
        if !text.is_empty() {
            let cautious = text.chars().all(is_space);
            let schema = self.schema;
            self.insert(schema.text_type(), marks, cautious, |set| Node::text_node(schema, text, set));
        }
    }

    /// A line break that finds no place as such still separates words.
    fn leaf_fallback(&mut self, id: DomId, marks: &MarkList) {
        if self.dom.is_html(id, "br") && self.schema.node_type(self.top().kind).inline_content {
            self.insert_text("\n", false, marks);
        }
    }

    /// Adds a node where it fits, made with the marks that it gets there; false where it fits nowhere.
    fn insert(&mut self, kind: NodeTypeId, marks: &MarkList, cautious: bool, make: impl FnOnce(Marks) -> Node) -> bool {
        let Some(marks) = self.find_place(kind, marks, cautious) else { return false };
        self.close_extra();
        let schema = self.schema;
        let top = self.top_mut();
        top.state = top.state.and_then(|state| schema.match_type(state, kind));
        let allowed = schema.node_type(top.kind);
        let held = marks.iter().filter(|mark| allowed.allows_mark(mark.kind));
        top.content.push(make(held.fold(Marks::NONE, |set, mark| set.with(mark, schema))));
        true
    }

    /// Finds a place for a node of a type, closing and opening nodes where that is needed. Returns the marks that are
    /// left for the node itself; `None` if there is no place.
    fn find_place(&mut self, kind: NodeTypeId, marks: &MarkList, cautious: bool) -> Option<MarkList> {
        let mut best: Option<(usize, Vec<NodeTypeId>)> = None;
        let mut penalty = 0;
        for depth in (0..=self.open).rev() {
            let shorter = |found: &Vec<_>| best.as_ref().is_none_or(|(_, route)| route.len() > found.len() + penalty);
            if let Some(found) = self.wrapping(depth, kind).filter(shorter) {
                let fits = found.is_empty();
                best = Some((depth, found));
                if fits {
                    break;
                }
            }
            if self.contexts[depth].solid {
                if cautious {
                    break;
                }
                penalty += 2;
            }
        }
        let (depth, route) = best?;
        self.sync(self.contexts[depth].id);
        let mut marks = marks.clone();
        for around in route {
            marks = self.enter(around, None, &marks, false, None);
        }
        Some(marks)
    }

    /// Returns the nodes that must be put around a node of a type so that it fits into an open node.
    fn wrapping(&mut self, depth: usize, kind: NodeTypeId) -> Option<Vec<NodeTypeId>> {
        let schema = self.schema;
        let context = &mut self.contexts[depth];
        if context.state.is_none() {
            let start = schema.node_type(context.kind).content_match;
            match schema.fill_before(start, &[kind], false) {
                Some(missing) => context.state = schema.match_types(start, missing),
                None => {
                    let wrapping = schema.find_wrapping(start, kind)?;
                    context.state = Some(start);
                    return Some(wrapping.to_vec());
                }
            }
        }
        context.state.and_then(|state| schema.find_wrapping(state, kind)).map(<[_]>::to_vec)
    }

    fn fits_here(&mut self, kind: NodeTypeId) -> bool {
        self.wrapping(self.open, kind).is_some()
    }

    /// Opens a node. The marks that its parent's content may carry go onto it, the others are left for its own.
    fn enter(
        &mut self,
        kind: NodeTypeId,
        attrs: Option<Attrs>,
        marks: &MarkList,
        solid: bool,
        whitespace: Option<Whitespace>,
    ) -> MarkList {
        self.close_extra();
        let schema = self.schema;
        let top = self.top_mut();
        top.state = top.state.and_then(|state| schema.match_type(state, kind));
        let inherited = if schema.node_type(kind).preserves_whitespace { Whitespace::Verbatim } else { top.whitespace };
        let parent = schema.node_type(top.kind);
        let applies = |mark: &&Mark| parent.allows_mark(mark.kind);
        let applied = marks.iter().filter(applies).fold(Marks::NONE, |set, mark| set.with(mark, schema));
        let left = if applied.is_empty() {
            marks.clone()
        } else {
            marks.iter().filter(|mark| !applies(mark)).cloned().collect()
        };
        if self.contexts.len() > MAX_DEPTH {
            self.too_deep = true;
            return left;
        }
        self.latest_id += 1;
        self.contexts.push(OpenElement {
            id: self.latest_id,
            kind,
            attrs: attrs.unwrap_or_else(|| schema.default_attrs(kind)),
            marks: applied,
            solid,
            state: Some(schema.node_type(kind).content_match),
            content: self.spare.pop().unwrap_or_default(),
            whitespace: whitespace.unwrap_or(inherited),
        });
        self.open += 1;
        left
    }

    /// Returns to an open node; false if it is no longer open.
    fn sync(&mut self, id: u32) -> bool {
        for depth in (0..=self.open).rev() {
            if self.contexts[depth].id == id {
                self.open = depth;
                return true;
            }
            if self.preserves {
                let context = &mut self.contexts[depth];
                context.whitespace = context.whitespace.max(Whitespace::Preserve);
            }
        }
        false
    }

    /// Finishes the nodes that were left but not yet closed.
    fn close_extra(&mut self) {
        while self.contexts.len() > self.open + 1 {
            let Some(context) = self.contexts.pop() else { return };
            let node = context.finish(self.schema, &mut self.spare);
            if let Some(parent) = self.contexts.last_mut() {
                parent.content.push(node);
            }
        }
    }

    fn finish(mut self) -> Option<Vec<Node>> {
        self.open = 0;
        self.close_extra();
        let document = self.contexts.pop()?.finish(self.schema, &mut self.spare);
        (!self.too_deep).then(|| document.children().to_vec())
    }

    fn top(&self) -> &OpenElement {
        &self.contexts[self.open]
    }

    fn top_mut(&mut self) -> &mut OpenElement {
        &mut self.contexts[self.open]
    }
}

fn is_list(name: &str) -> bool {
    matches!(name, "ul" | "ol")
}

fn is_ignored(name: &str) -> bool {
    matches!(name, "head" | "noscript" | "object" | "script" | "style" | "title")
}

fn is_block(name: &str) -> bool {
    const NAMES: [&str; 33] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "canvas",
        "dd",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "li",
        "noscript",
        "ol",
        "output",
        "p",
        "pre",
        "section",
        "table",
        "tfoot",
        "ul",
    ];
    NAMES.contains(&name)
}

/// A list directly in a list belongs to the item before it.
fn normalize_list(dom: &mut Dom, list: DomId) {
    let mut item = None;
    let mut next = dom.first_child(list);
    while let Some(child) = next {
        next = dom.next_sibling(child);
        match (dom.name(child), item) {
            (Some("ul" | "ol"), Some(item)) => dom.append(item, child),
            (Some("li"), _) => item = Some(child),
            (Some(_), _) => item = None,
            (None, _) => {}
        }
    }
}
