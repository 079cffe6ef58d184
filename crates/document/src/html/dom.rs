//! The tree that an HTML parser builds: an arena of nodes linked by index.
//!
//! Links instead of ownership, so that moving a subtree takes a few writes and dropping the deepest tree needs no
//! recursion.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};
use std::num::NonZeroU32;
use std::rc::Rc;

/// A node, as an index into the arena, counted from 1, so that `Option<DomId>` takes no more room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DomId(NonZeroU32);

impl DomId {
    /// Returns the index of its chunk of the arena, and the index in that.
    #[inline(always)]
    fn place(self) -> (usize, usize) {
        let index = self.0.get() as usize - 1;
        (index / PIECE, index % PIECE)
    }
}

/// The data of a node. Comments and the like are kept without their text: nothing reads it.
pub(crate) enum DomData {
    Element { name: Rc<QualName>, attrs: Vec<Attribute>, template: Option<DomId> },
    Text(StrTendril),
    Other,
}

pub(crate) struct DomNode {
    pub(crate) data: DomData,
    parent: Option<DomId>,
    first: Option<DomId>,
    last: Option<DomId>,
    previous: Option<DomId>,
    next: Option<DomId>,
    /// Number of elements that were open when it was added, itself included.
    pub(crate) depth: u32,
}

/// The arena. The first node is the document.
///
/// In pieces: a single vector that doubles when it is full would need, for a moment, three times its size.
pub(crate) struct Dom {
    pieces: Vec<Vec<DomNode>>,
    /// The attributes that later tags give to `html` and `body`, the same name perhaps several times.
    pub(crate) around: Vec<Attribute>,
}

/// Number of nodes of a chunk, a power of two. Only the first chunk grows to it.
const PIECE: usize = 4096;

impl Dom {
    pub(crate) const DOCUMENT: DomId = DomId(NonZeroU32::MIN);

    pub(crate) fn new() -> Dom {
        let mut dom = Dom { pieces: vec![Vec::new()], around: Vec::new() };
        dom.create(DomData::Other);
        dom
    }

    pub(crate) fn create(&mut self, data: DomData) -> DomId {
        let id = DomId(NonZeroU32::MIN.saturating_add(self.len() as u32));
        if self.pieces[self.pieces.len() - 1].len() == PIECE {
            self.pieces.push(Vec::with_capacity(PIECE));
        }
        let node = DomNode { data, parent: None, first: None, last: None, previous: None, next: None, depth: 0 };
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(node);
        }
        id
    }

    pub(crate) fn len(&self) -> usize {
        let full = self.pieces.len() - 1;
        full * PIECE + self.pieces[full].len()
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: DomId) -> &DomNode {
        let (piece, at) = id.place();
        &self.pieces[piece][at]
    }

    #[inline(always)]
    pub(crate) fn node_mut(&mut self, id: DomId) -> &mut DomNode {
        let (piece, at) = id.place();
        &mut self.pieces[piece][at]
    }

    pub(crate) fn parent(&self, id: DomId) -> Option<DomId> {
        self.node(id).parent
    }

    pub(crate) fn first_child(&self, id: DomId) -> Option<DomId> {
        self.node(id).first
    }

    pub(crate) fn last_child(&self, id: DomId) -> Option<DomId> {
        self.node(id).last
    }

    pub(crate) fn next_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).next
    }

    pub(crate) fn previous_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).previous
    }

    pub(crate) fn children(&self, id: DomId) -> impl Iterator<Item = DomId> {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// Returns the local name of an element; `None` for any other node.
    pub(crate) fn name(&self, id: DomId) -> Option<&str> {
        match &self.node(id).data {
            DomData::Element { name, .. } => Some(&name.local),
            _ => None,
        }
    }

    pub(crate) fn is_element(&self, id: DomId) -> bool {
        matches!(self.node(id).data, DomData::Element { .. })
    }

    /// Returns whether this is an element of HTML itself with a name, not one of SVG or MathML.
    pub(crate) fn is_html(&self, id: DomId, local: &str) -> bool {
        matches!(&self.node(id).data, DomData::Element { name, .. } if name.ns == ns!(html) && &*name.local == local)
    }

    pub(crate) fn text(&self, id: DomId) -> Option<&str> {
        match &self.node(id).data {
            DomData::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Takes a text out of its node, which stays where it is.
    pub(crate) fn take_text(&mut self, id: DomId) -> StrTendril {
        match &mut self.node_mut(id).data {
            DomData::Text(text) => std::mem::take(text),
            _ => StrTendril::new(),
        }
    }

    fn attributes(&self, id: DomId) -> &[Attribute] {
        match &self.node(id).data {
            DomData::Element { attrs, .. } => attrs,
            _ => &[],
        }
    }

    /// Returns the value of an attribute that is in no namespace.
    pub(crate) fn attribute(&self, id: DomId, name: &str) -> Option<&str> {
        let is_named = |attr: &&Attribute| attr.name.ns == ns!() && &*attr.name.local == name;
        self.attributes(id).iter().find(is_named).map(|attr| &*attr.value)
    }

    /// Returns whether an element has any attribute.
    pub(crate) fn has_attributes(&self, id: DomId) -> bool {
        !self.attributes(id).is_empty()
    }

    /// Calls `see` with the element's name and the local name and value of every attribute, also inside of templates.
    /// The text in a script or a style sheet is shown as an attribute without a name.
    pub(crate) fn each_attribute(&self, see: &mut dyn FnMut(&str, &str, &str)) {
        let mut roots = vec![Dom::DOCUMENT];
        while let Some(root) = roots.pop() {
            for id in self.descendants(root) {
                let DomData::Element { name, attrs, template } = &self.node(id).data else { continue };
                let element = &*name.local;
                roots.extend(*template);
                attrs.iter().for_each(|attr| see(element, &attr.name.local, &attr.value));
                if element == "script" || element == "style" {
                    let text: String = self.children(id).filter_map(|child| self.text(child)).collect();
                    see(element, "", &text);
                }
            }
        }
        self.around.iter().for_each(|attr| see("body", &attr.name.local, &attr.value));
    }

    /// Sets the depth of a node. The content of a template is deeper than the template.
    pub(crate) fn set_depth(&mut self, id: DomId, depth: u32) {
        let node = self.node_mut(id);
        node.depth = depth;
        if let DomData::Element { template: Some(contents), .. } = node.data {
            self.node_mut(contents).depth = depth;
        }
    }

    pub(crate) fn append(&mut self, parent: DomId, child: DomId) {
        self.detach(child);
        let last = self.node_mut(parent).last.replace(child);
        match last {
            Some(last) => self.node_mut(last).next = Some(child),
            None => self.node_mut(parent).first = Some(child),
        }
        let node = self.node_mut(child);
        node.parent = Some(parent);
        node.previous = last;
    }

    pub(crate) fn insert_before(&mut self, sibling: DomId, child: DomId) {
        self.detach(child);
        let (parent, previous) = (self.node(sibling).parent, self.node(sibling).previous);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.next) = (parent, previous, Some(sibling));
        self.node_mut(sibling).previous = Some(child);
        match (previous, parent) {
            (Some(previous), _) => self.node_mut(previous).next = Some(child),
            (None, Some(parent)) => self.node_mut(parent).first = Some(child),
            (None, None) => {}
        }
    }

    pub(crate) fn detach(&mut self, id: DomId) {
        let node = self.node_mut(id);
        let (parent, previous, next) = (node.parent.take(), node.previous.take(), node.next.take());
        match (previous, parent) {
            (Some(previous), _) => self.node_mut(previous).next = next,
            (None, Some(parent)) => self.node_mut(parent).first = next,
            (None, None) => {}
        }
        match (next, parent) {
            (Some(next), _) => self.node_mut(next).previous = previous,
            (None, Some(parent)) => self.node_mut(parent).last = previous,
            (None, None) => {}
        }
    }

    pub(crate) fn move_children(&mut self, from: DomId, to: DomId) {
        while let Some(child) = self.first_child(from) {
            self.append(to, child);
        }
    }

    /// The nodes under an element in document order, itself not included.
    pub(crate) fn descendants(&self, root: DomId) -> impl Iterator<Item = DomId> {
        let mut next = self.first_child(root);
        std::iter::from_fn(move || {
            let current = next?;
            next = self.first_child(current).or_else(|| {
                let mut up = Some(current);
                while let Some(node) = up.filter(|node| *node != root) {
                    if let Some(sibling) = self.next_sibling(node) {
                        return Some(sibling);
                    }
                    up = self.parent(node);
                }
                None
            });
            Some(current)
        })
    }

    /// The `body` of the document.
    pub(crate) fn body(&self) -> Option<DomId> {
        let is = |id: &DomId, local: &str| self.is_html(*id, local);
        let html = self.children(Dom::DOCUMENT).find(|id| is(id, "html"))?;
        self.children(html).find(|id| is(id, "body"))
    }
}
