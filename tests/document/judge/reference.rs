//! The tree as html5ever builds it, with the limits that hold here.

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

const DEEPEST_ELEMENT: usize = 512;
const MOST_OPEN: usize = 1024;

pub enum Data {
    Document,
    Element { name: QualName, attrs: Vec<Attribute>, template: Option<usize> },
    Text(String),
    Comment,
}

pub struct Node {
    pub data: Data,
    pub children: Vec<usize>,
    parent: Option<usize>,
    depth: usize,
}

/// The nodes, the document first.
pub struct Sink {
    nodes: RefCell<Vec<Node>>,
    exceeded: Cell<bool>,
}

pub fn tree_builder() -> TreeBuilder<usize, Sink> {
    let sink = Sink { nodes: RefCell::default(), exceeded: Cell::new(false) };
    sink.create(Data::Document);
    TreeBuilder::new(sink, TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() })
}

impl Sink {
    fn create(&self, data: Data) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, children: vec![], parent: None, depth: 0 });
        nodes.len() - 1
    }

    /// Puts a node or a text into a node, at the place of one of its children.
    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let text = match child {
            NodeOrText::AppendNode(node) => {
                let nodes = &mut *self.nodes.borrow_mut();
                nodes[parent].children.insert(at, node);
                nodes[node].parent = Some(parent);
                return;
            }
            NodeOrText::AppendText(text) => text,
        };
        let before = self.nodes.borrow()[parent].children[..at].last().copied();
        if let Some(before) = before
            && let Data::Text(known) = &mut self.nodes.borrow_mut()[before].data
        {
            known.push_str(&text);
            return;
        }
        let node = self.create(Data::Text(text.to_string()));
        self.insert(parent, at, NodeOrText::AppendNode(node));
    }

    fn set_depth(&self, id: usize, depth: usize) {
        let nodes = &mut *self.nodes.borrow_mut();
        nodes[id].depth = depth;
        if let Data::Element { template: Some(content), .. } = nodes[id].data {
            nodes[content].depth = depth;
        }
    }

    fn length(&self, id: usize) -> usize {
        self.nodes.borrow()[id].children.len()
    }

    fn place(&self, id: usize) -> Option<(usize, usize)> {
        let nodes = self.nodes.borrow();
        let parent = nodes[id].parent?;
        Some((parent, nodes[parent].children.iter().position(|child| *child == id)?))
    }
}

#[derive(Debug)]
pub struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Option<Vec<Node>>;
    type ElemName<'a> = Name;

    fn finish(self) -> Option<Vec<Node>> {
        (!self.exceeded.get()).then(|| self.nodes.into_inner())
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        match &self.nodes.borrow()[*target].data {
            Data::Element { name, .. } => Name(name.clone()),
            _ => Name(QualName::new(None, ns!(), LocalName::default())),
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> usize {
        let template = flags.template.then(|| self.create(Data::Document));
        self.create(Data::Element { name, attrs, template })
    }

    fn is_mathml_annotation_xml_integration_point(&self, element: &usize) -> bool {
        let Data::Element { name, attrs, .. } = &self.nodes.borrow()[*element].data else { return false };
        let encoding = attrs.iter().find(|attr| attr.name.ns == ns!() && &*attr.name.local == "encoding");
        let is_html = |attr: &Attribute| {
            ["text/html", "application/xhtml+xml"].iter().any(|html| attr.value.eq_ignore_ascii_case(html))
        };
        name.ns == ns!(mathml) && name.local == local_name!("annotation-xml") && encoding.is_some_and(is_html)
    }

    fn create_comment(&self, _text: StrTendril) -> usize {
        self.create(Data::Comment)
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> usize {
        self.create(Data::Comment)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        let mut parent = *parent;
        if let NodeOrText::AppendNode(node) = child {
            let depth = self.nodes.borrow()[parent].depth;
            self.set_depth(node, depth + 1);
            if depth >= MOST_OPEN {
                self.exceeded.set(true);
            }
            if depth > DEEPEST_ELEMENT {
                parent = self.nodes.borrow()[parent].parent.unwrap_or(parent);
            }
        }
        self.insert(parent, self.length(parent), child);
    }

    fn append_based_on_parent_node(&self, element: &usize, previous: &usize, child: NodeOrText<usize>) {
        let has_parent = self.nodes.borrow()[*element].parent.is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        match self.nodes.borrow()[*target].data {
            Data::Element { template: Some(content), .. } => content,
            _ => *target,
        }
    }

    fn same_node(&self, a: &usize, b: &usize) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendNode(node) = child {
            self.remove_from_parent(&node);
        }
        let (parent, at) = self.place(*sibling).unwrap();
        if let NodeOrText::AppendNode(node) = child {
            let depth = self.nodes.borrow()[parent].depth;
            self.set_depth(node, depth + 1);
        }
        self.insert(parent, at, child);
    }

    fn add_attrs_if_missing(&self, target: &usize, attrs: Vec<Attribute>) {
        if let Data::Element { attrs: known, .. } = &mut self.nodes.borrow_mut()[*target].data {
            for attr in attrs {
                if !known.iter().any(|known| known.name == attr.name) {
                    known.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &usize) {
        if let Some((parent, at)) = self.place(*target) {
            let nodes = &mut *self.nodes.borrow_mut();
            nodes[parent].children.remove(at);
            nodes[*target].parent = None;
        }
    }

    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let nodes = &mut *self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        children.iter().for_each(|child| nodes[*child].parent = Some(*new_parent));
        nodes[*new_parent].children.extend(children);
    }

    fn allow_declarative_shadow_roots(&self, _parent: &usize) -> bool {
        false
    }
}
