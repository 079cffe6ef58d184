//! The tree that an HTML parser builds: an arena of nodes linked by index.
//!
//! Links instead of ownership, so that moving a subtree is a few writes and dropping the deepest tree is no
//! recursion.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::rc::Rc;

/// A node, as an index into the arena, counted from 1: so that having none takes no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DomId(NonZeroU32);

impl DomId {
    /// Which piece of the arena it is in, and where in that.
    #[inline(always)]
    fn place(self) -> (usize, usize) {
        let index = self.0.get() as usize - 1;
        (index / PIECE, index % PIECE)
    }
}

/// An attribute as it is written, its name in lower case. What needs no change is shared with the page.
#[derive(PartialEq)]
pub(super) struct Attr<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) value: Cow<'a, str>,
}

/// What a node is. Comments and the like are kept without their text: nothing reads it.
pub(super) enum DomData<'a> {
    Element {
        name: Cow<'a, str>,
        /// Shared by the copies that are made of a formatting element.
        attrs: Option<Rc<[Attr<'a>]>>,
        template: Option<DomId>,
        /// Whether it is one of SVG or MathML.
        foreign: bool,
    },
    Text(Cow<'a, str>),
    Other,
}

pub(super) struct DomNode<'a> {
    pub(super) data: DomData<'a>,
    parent: Option<DomId>,
    first: Option<DomId>,
    last: Option<DomId>,
    previous: Option<DomId>,
    next: Option<DomId>,
    /// How many elements were open when it was added, itself included.
    pub(super) depth: u32,
}

/// The arena. The first node is the document.
///
/// In pieces: one row that doubles when it is full would hold, for a moment, three times what it has.
pub(super) struct Dom<'a> {
    pieces: Vec<Vec<DomNode<'a>>>,
    /// The attributes that tags give to `html` and `body`, wherever they stand.
    pub(super) around: Vec<Rc<[Attr<'a>]>>,
}

/// How many nodes a piece has; a power of two. Only the first one grows to it.
const PIECE: usize = 4096;

impl<'a> Dom<'a> {
    pub(super) const DOCUMENT: DomId = DomId(NonZeroU32::MIN);

    pub(super) fn new() -> Dom<'a> {
        let mut dom = Dom { pieces: vec![Vec::new()], around: Vec::new() };
        dom.create(DomData::Other);
        dom
    }

    pub(super) fn create(&mut self, data: DomData<'a>) -> DomId {
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

    pub(super) fn len(&self) -> usize {
        let full = self.pieces.len() - 1;
        full * PIECE + self.pieces[full].len()
    }

    #[inline(always)]
    pub(super) fn node(&self, id: DomId) -> &DomNode<'a> {
        let (piece, at) = id.place();
        &self.pieces[piece][at]
    }

    #[inline(always)]
    pub(super) fn node_mut(&mut self, id: DomId) -> &mut DomNode<'a> {
        let (piece, at) = id.place();
        &mut self.pieces[piece][at]
    }

    pub(super) fn parent(&self, id: DomId) -> Option<DomId> {
        self.node(id).parent
    }

    pub(super) fn first_child(&self, id: DomId) -> Option<DomId> {
        self.node(id).first
    }

    pub(super) fn last_child(&self, id: DomId) -> Option<DomId> {
        self.node(id).last
    }

    pub(super) fn next_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).next
    }

    pub(super) fn previous_sibling(&self, id: DomId) -> Option<DomId> {
        self.node(id).previous
    }

    pub(super) fn children(&self, id: DomId) -> impl Iterator<Item = DomId> {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The local name of an element; none for anything else.
    pub(super) fn name(&self, id: DomId) -> Option<&str> {
        match &self.node(id).data {
            DomData::Element { name, .. } => Some(name),
            _ => None,
        }
    }

    pub(super) fn is_element(&self, id: DomId) -> bool {
        matches!(self.node(id).data, DomData::Element { .. })
    }

    /// Whether this is an element of HTML itself with a name, not one of SVG or MathML.
    pub(super) fn is_html(&self, id: DomId, local: &str) -> bool {
        matches!(&self.node(id).data, DomData::Element { name, foreign, .. } if !foreign && name == local)
    }

    pub(super) fn text(&self, id: DomId) -> Option<&str> {
        match &self.node(id).data {
            DomData::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Takes a text out of its node, which stays where it is.
    pub(super) fn take_text(&mut self, id: DomId) -> Cow<'a, str> {
        match &mut self.node_mut(id).data {
            DomData::Text(text) => std::mem::take(text),
            _ => Cow::Borrowed(""),
        }
    }

    /// The value of an attribute of an element.
    pub(super) fn attribute(&self, id: DomId, name: &str) -> Option<&str> {
        let DomData::Element { attrs: Some(attrs), foreign, .. } = &self.node(id).data else { return None };
        let found = attrs.iter().find(|attr| attr.name == name)?;
        (!foreign || without_namespace(name).is_none()).then_some(&*found.value)
    }

    /// Whether an element has any attribute.
    pub(super) fn has_attributes(&self, id: DomId) -> bool {
        matches!(&self.node(id).data, DomData::Element { attrs: Some(_), .. })
    }

    /// Whether an element has these attributes, in whatever order; in the same order where they are very many, which
    /// nobody writes: to look for each of them would take too long.
    pub(super) fn has_same_attributes(&self, id: DomId, others: &[Attr]) -> bool {
        let DomData::Element { attrs, .. } = &self.node(id).data else { return false };
        let attrs = attrs.as_deref().unwrap_or_default();
        let same_in_any_order = || attrs.len() <= 64 && others.iter().all(|attr| attrs.contains(attr));
        attrs.len() == others.len() && (attrs == others || same_in_any_order())
    }

    /// Shows the element's name, the name and the value of every attribute. The text in a script or a style sheet
    /// is shown as an attribute without a name.
    pub(super) fn each_attribute(&self, see: &mut dyn FnMut(&str, &str, &str)) {
        let mut roots = vec![Dom::DOCUMENT];
        while let Some(root) = roots.pop() {
            for id in self.descendants(root) {
                let DomData::Element { name: element, attrs, foreign, template } = &self.node(id).data else {
                    continue;
                };
                roots.extend(*template);
                for Attr { name, value } in attrs.iter().flat_map(|attrs| attrs.iter()) {
                    see(element, without_namespace(name).filter(|_| *foreign).unwrap_or(name), value);
                }
                if element == "script" || element == "style" {
                    let text: String = self.children(id).filter_map(|child| self.text(child)).collect();
                    see(element, "", &text);
                }
            }
        }
        self.around.iter().flat_map(|attrs| attrs.iter()).for_each(|attr| see("body", &attr.name, &attr.value));
    }

    /// Says how deep a node is. What is in a template is deeper than the template.
    pub(super) fn set_depth(&mut self, id: DomId, depth: u32) {
        let node = self.node_mut(id);
        node.depth = depth;
        if let DomData::Element { template: Some(contents), .. } = node.data {
            self.node_mut(contents).depth = depth;
        }
    }

    pub(super) fn append(&mut self, parent: DomId, child: DomId) {
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

    pub(super) fn insert_before(&mut self, sibling: DomId, child: DomId) {
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

    pub(super) fn detach(&mut self, id: DomId) {
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

    pub(super) fn move_children(&mut self, from: DomId, to: DomId) {
        while let Some(child) = self.first_child(from) {
            self.append(to, child);
        }
    }

    /// The nodes under an element in document order, itself not included.
    pub(super) fn descendants(&self, root: DomId) -> impl Iterator<Item = DomId> {
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
    pub(super) fn body(&self) -> Option<DomId> {
        let is = |id: &DomId, local: &str| self.is_html(*id, local);
        let html = self.children(Dom::DOCUMENT).find(|id| is(id, "html"))?;
        self.children(html).find(|id| is(id, "body"))
    }
}

/// The name of an attribute without its namespace, for those that have one where they stand in SVG or MathML.
pub(super) fn without_namespace(name: &str) -> Option<&str> {
    const LINK: [&str; 7] = ["actuate", "arcrole", "href", "role", "show", "title", "type"];
    match name.split_once(':') {
        None => (name == "xmlns").then_some(name),
        Some(("xlink", local)) => LINK.contains(&local).then_some(local),
        Some(("xml", local @ ("lang" | "space")) | ("xmlns", local @ "xlink")) => Some(local),
        _ => None,
    }
}
