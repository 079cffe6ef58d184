//! The door through which html5ever builds the tree from the tokenizer's tags and texts.

use super::dom::{Dom, DomData, DomId};
use super::tokenizer::Tokenizer;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// Chromium nests elements no deeper than this: what is opened further in becomes a sibling.
const DEEPEST_ELEMENT: u32 = 512;

/// The most elements that may be open at once. The parsing algorithm looks through the open elements for many
/// a tag, so without a limit its time grows with the square of the input.
pub(super) const MOST_OPEN: usize = 1024;

/// Parses HTML as a page's `DOMParser` does. None where more elements are open, or more nodes come out, than is
/// accepted. A text that is given away is dropped as soon as it has been copied.
pub(super) fn parse(html: impl AsRef<str>) -> Option<Dom> {
    let page = page(html.as_ref());
    drop(html);
    // Unclosed formatting elements come again in every paragraph, so few bytes can make many nodes.
    let builder = tree_builder(page.len().max(1_000_000));
    let mut tokenizer = Tokenizer::new(&page, &builder);
    while tokenizer.step() {
        if builder.sink.exceeded.get() {
            return None;
        }
    }
    builder.sink.finish()
}

/// What is parsed: TipTap wraps what it is given so that white space at its beginning is in the body, and the
/// standard makes every line end a line feed.
fn page(html: &str) -> StrTendril {
    let mut page = StrTendril::with_capacity(html.len() as u32 + 16);
    page.push_slice("<body>");
    let mut lines = html.split('\r');
    page.push_slice(lines.next().unwrap_or_default());
    for line in lines {
        page.push_slice("\n");
        page.push_slice(line.strip_prefix('\n').unwrap_or(line));
    }
    page.push_slice("</body>");
    page
}

/// The one that turns tokens into calls of a [`Sink`].
pub(super) fn tree_builder(most_nodes: usize) -> TreeBuilder<DomId, Sink> {
    let sink = Sink { dom: RefCell::new(Dom::new()), most_nodes, exceeded: Cell::new(false) };
    TreeBuilder::new(sink, TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() })
}

/// Keeps the tree while it is built.
pub(super) struct Sink {
    dom: RefCell<Dom>,
    most_nodes: usize,
    exceeded: Cell<bool>,
}

/// An element's name, copied: the parser may change the tree while it holds one.
#[derive(Debug)]
pub(super) struct Name {
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

    /// Whether an element of MathML holds HTML, which decides what an HTML tag in it closes.
    fn is_mathml_annotation_xml_integration_point(&self, element: &DomId) -> bool {
        let dom = self.dom.borrow();
        let DomData::Element { name, .. } = &dom.node(*element).data else { return false };
        let encoding = dom.attribute(*element, "encoding").unwrap_or_default();
        name.ns == ns!(mathml)
            && name.local == local_name!("annotation-xml")
            && ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
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
