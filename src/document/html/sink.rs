//! The door through which html5ever builds the tree.

use super::dom::{Dom, DomData, DomId};
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TokenizerResult, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Chromium nests elements no deeper than this: what is opened further in becomes a sibling.
const DEEPEST_ELEMENT: u32 = 512;

/// The most elements that may be open at once. The parsing algorithm looks through the open elements for many
/// a tag, so without a limit its time grows with the square of the input.
pub(super) const MOST_OPEN: usize = 1024;

/// How much is given to the parser before looking whether a limit is reached, in bytes.
const CHUNK: usize = 32 * 1024;

/// Parses HTML as a page's `DOMParser` does. None where more elements are open, or more nodes come out, than is
/// accepted.
pub(super) fn parse(html: &str) -> Option<Dom> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    // A byte order mark at the beginning is a character like any other: it stands after the body's tag.
    let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    // Unclosed formatting elements come again in every paragraph, so few bytes can make many nodes.
    let most_nodes = html.len().max(1_000_000);
    let sink = Sink { dom: RefCell::new(Dom::new()), most_nodes, exceeded: Cell::new(false) };
    let tokens = Tokens { builder: TreeBuilder::new(sink, tree_builder), after_pre: Cell::new(false) };
    let tokenizer = Tokenizer::new(tokens, tokenizer);
    let input = BufferQueue::default();
    let feed = |text: &str| {
        input.push_back(StrTendril::from_slice(text));
        // The tokenizer stops after each script, which nobody runs here.
        while let TokenizerResult::Script(_) = tokenizer.feed(&input) {}
    };
    // TipTap wraps what it is given so that white space at its beginning is in the body.
    feed("<body>");
    let mut rest = html;
    while !rest.is_empty() {
        let mut end = CHUNK.min(rest.len());
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (chunk, after) = rest.split_at(end);
        feed(chunk);
        if tokenizer.sink.builder.sink.exceeded.get() {
            return None;
        }
        rest = after;
    }
    feed("</body>");
    tokenizer.end();
    tokenizer.sink.builder.sink.finish()
}

/// What stands between tokenizer and tree: it lets through what makes a tree.
///
/// html5ever's tree builder forgets on any token, a parse error too, that a line break right after `<pre>` is to be
/// dropped. A browser does not.
struct Tokens {
    builder: TreeBuilder<DomId, Sink>,
    after_pre: Cell<bool>,
}

impl TokenSink for Tokens {
    type Handle = DomId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<DomId> {
        match &token {
            Token::ParseError(_) => return TokenSinkResult::Continue,
            // Chromium drops it without taking note.
            Token::NullCharacterToken if self.after_pre.get() => return TokenSinkResult::Continue,
            Token::TagToken(tag) => {
                let keeps_space = matches!(tag.name, local_name!("pre") | local_name!("listing"));
                self.after_pre.set(tag.kind == TagKind::StartTag && keeps_space);
            }
            _ => self.after_pre.set(false),
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

struct Sink {
    dom: RefCell<Dom>,
    most_nodes: usize,
    exceeded: Cell<bool>,
}

/// An element's name, copied: the parser may change the tree while it holds one.
#[derive(Debug)]
struct Name {
    ns: Namespace,
    local: LocalName,
}

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

impl Sink {
    fn create(&self, data: DomData) -> DomId {
        let mut dom = self.dom.borrow_mut();
        if dom.len() >= self.most_nodes {
            self.exceeded.set(true);
        }
        dom.create(data)
    }

    /// Adds text at the end of a text node; false where there is none.
    fn joins(&self, previous: Option<DomId>, text: &str) -> bool {
        let mut dom = self.dom.borrow_mut();
        match previous.map(|previous| &mut dom.node_mut(previous).data) {
            Some(DomData::Text(existing)) => {
                existing.push_slice(text);
                true
            }
            _ => false,
        }
    }
}

impl TreeSink for Sink {
    type Handle = DomId;
    type Output = Option<Dom>;
    type ElemName<'a> = Name;

    fn finish(self) -> Option<Dom> {
        (!self.exceeded.get()).then(|| self.dom.into_inner())
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> DomId {
        Dom::DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a DomId) -> Name {
        match &self.dom.borrow().node(*target).data {
            DomData::Element { name, .. } => Name { ns: name.ns.clone(), local: name.local.clone() },
            _ => Name { ns: Namespace::default(), local: LocalName::default() },
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> DomId {
        let template = flags.template.then(|| self.create(DomData::Other));
        self.create(DomData::Element { name, attrs, template })
    }

    fn create_comment(&self, _text: StrTendril) -> DomId {
        self.create(DomData::Other)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> DomId {
        self.create(DomData::Other)
    }

    fn append(&self, parent: &DomId, child: NodeOrText<DomId>) {
        match child {
            NodeOrText::AppendText(text) => {
                let last = self.dom.borrow().last_child(*parent);
                if !self.joins(last, &text) {
                    let node = self.create(DomData::Text(text));
                    self.dom.borrow_mut().append(*parent, node);
                }
            }
            NodeOrText::AppendNode(node) => {
                let mut dom = self.dom.borrow_mut();
                let depth = dom.node(*parent).depth;
                dom.set_depth(node, depth + 1);
                if depth as usize >= MOST_OPEN {
                    self.exceeded.set(true);
                }
                let above = dom.parent(*parent).filter(|_| depth > DEEPEST_ELEMENT);
                dom.append(above.unwrap_or(*parent), node);
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &DomId, previous: &DomId, child: NodeOrText<DomId>) {
        let has_parent = self.dom.borrow().parent(*element).is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &DomId) -> DomId {
        match &self.dom.borrow().node(*target).data {
            DomData::Element { template: Some(contents), .. } => *contents,
            _ => *target,
        }
    }

    fn same_node(&self, a: &DomId, b: &DomId) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &DomId, child: NodeOrText<DomId>) {
        match child {
            NodeOrText::AppendText(text) => {
                let previous = self.dom.borrow().previous_sibling(*sibling);
                if !self.joins(previous, &text) {
                    let node = self.create(DomData::Text(text));
                    self.dom.borrow_mut().insert_before(*sibling, node);
                }
            }
            NodeOrText::AppendNode(node) => {
                let mut dom = self.dom.borrow_mut();
                let depth = dom.parent(*sibling).map_or(0, |parent| dom.node(parent).depth);
                dom.set_depth(node, depth + 1);
                dom.insert_before(*sibling, node);
            }
        }
    }

    fn add_attrs_if_missing(&self, target: &DomId, attrs: Vec<Attribute>) {
        if let DomData::Element { attrs: existing, .. } = &mut self.dom.borrow_mut().node_mut(*target).data {
            for attr in attrs {
                if !existing.iter().any(|known| known.name == attr.name) {
                    existing.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &DomId) {
        self.dom.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &DomId, new_parent: &DomId) {
        self.dom.borrow_mut().move_children(*node, *new_parent);
    }

    fn allow_declarative_shadow_roots(&self, _parent: &DomId) -> bool {
        false
    }
}
