//! The tree that html5ever's tree builder makes, with limits.

use super::dom::{Dom, DomData, DomId};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Chromium nests elements no deeper than this: elements that are opened further in become siblings.
const DEEPEST_ELEMENT: u32 = 512;

/// The most elements that may be open at once. The parsing algorithm looks through the open elements for many
/// a tag, so without a limit its time grows with the square of the input.
pub(super) const MOST_OPEN: u32 = 1024;

/// A node, with the name of an element: the tree builder asks for it all the time.
#[derive(Clone)]
pub(super) struct Handle {
    id: DomId,
    name: Rc<QualName>,
}

/// Fills a [`Dom`].
pub(super) struct Sink {
    dom: RefCell<Dom>,
    no_name: Rc<QualName>,
    /// Number of nodes and attributes that may still be made.
    left: Cell<usize>,
    /// The depth of the element that was added last.
    depth: Cell<u32>,
    exceeded: Cell<bool>,
}

impl Sink {
    /// Returns a sink that gives up above a number of nodes and attributes.
    pub(super) fn new(most: usize) -> Sink {
        Sink {
            dom: RefCell::new(Dom::new()),
            no_name: Rc::new(QualName::new(None, ns!(), "".into())),
            left: Cell::new(most),
            depth: Cell::new(0),
            exceeded: Cell::new(false),
        }
    }

    /// Returns whether more elements are open, or more was made, than is accepted.
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.get()
    }

    /// Returns how deep the element is that was added last.
    pub(super) fn depth(&self) -> usize {
        self.depth.get() as usize
    }

    fn create(&self, data: DomData, cost: usize) -> DomId {
        match self.left.get().checked_sub(cost) {
            Some(left) => self.left.set(left),
            None => self.exceeded.set(true),
        }
        self.dom.borrow_mut().create(data)
    }

    fn other(&self) -> Handle {
        Handle { id: self.create(DomData::Other, 1), name: self.no_name.clone() }
    }

    fn set_depth(&self, id: DomId, depth: u32) {
        self.depth.set(depth);
        self.dom.borrow_mut().set_depth(id, depth);
    }

    /// Adds text to the text `before`; returns it if that is not a text.
    fn extend_text(&self, before: Option<DomId>, text: StrTendril) -> Option<StrTendril> {
        let mut dom = self.dom.borrow_mut();
        match before.map(|before| &mut dom.node_mut(before).data) {
            Some(DomData::Text(known)) => {
                known.push_tendril(&text);
                None
            }
            _ => Some(text),
        }
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    /// The tree; `None` if a limit was exceeded.
    type Output = Option<Dom>;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Option<Dom> {
        (!self.exceeded.get()).then(|| self.dom.into_inner())
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: Dom::DOCUMENT, name: self.no_name.clone() }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        &target.name
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let name = Rc::new(name);
        let template = flags.template.then(|| self.create(DomData::Other, 1));
        let cost = 1 + attrs.len();
        let id = self.create(DomData::Element { name: name.clone(), attrs, template }, cost);
        Handle { id, name }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle {
        self.other()
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Handle {
        self.other()
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendNode(node) => {
                let depth = self.dom.borrow().node(parent.id).depth;
                self.set_depth(node.id, depth + 1);
                if depth >= MOST_OPEN {
                    self.exceeded.set(true);
                }
                let dom = &mut *self.dom.borrow_mut();
                let above = dom.parent(parent.id).filter(|_| depth > DEEPEST_ELEMENT);
                dom.append(above.unwrap_or(parent.id), node.id);
            }
            NodeOrText::AppendText(text) => {
                let before = self.dom.borrow().last_child(parent.id);
                if let Some(text) = self.extend_text(before, text) {
                    let id = self.create(DomData::Text(text), 1);
                    self.dom.borrow_mut().append(parent.id, id);
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.dom.borrow().parent(element.id).is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.dom.borrow().node(target.id).data {
            DomData::Element { template: Some(content), .. } => Handle { id: content, name: self.no_name.clone() },
            _ => target.clone(),
        }
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        a.id == b.id
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        match child {
            NodeOrText::AppendNode(node) => {
                let parent = self.dom.borrow().parent(sibling.id);
                let depth = parent.map_or(0, |parent| self.dom.borrow().node(parent).depth);
                self.set_depth(node.id, depth + 1);
                self.dom.borrow_mut().insert_before(sibling.id, node.id);
            }
            NodeOrText::AppendText(text) => {
                let before = self.dom.borrow().previous_sibling(sibling.id);
                if let Some(text) = self.extend_text(before, text) {
                    let id = self.create(DomData::Text(text), 1);
                    self.dom.borrow_mut().insert_before(sibling.id, id);
                }
            }
        }
    }

    /// Called for further `html` and `body` tags. Their attributes are only visible to those who look for attributes,
    /// so existing ones need not be found.
    fn add_attrs_if_missing(&self, _target: &Handle, attrs: Vec<Attribute>) {
        self.dom.borrow_mut().around.extend(attrs);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.borrow_mut().move_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, element: &Handle) -> bool {
        let dom = self.dom.borrow();
        let encoding = dom.attribute(element.id, "encoding").unwrap_or_default();
        *element.name.ns == *ns!(mathml)
            && &*element.name.local == "annotation-xml"
            && ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
    }

    fn allow_declarative_shadow_roots(&self, _parent: &Handle) -> bool {
        false
    }
}
