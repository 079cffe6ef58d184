//! Formatting elements that are closed in another order than they were opened in, or by something else than their
//! end tags: the list of active formatting elements.

use super::names::{Name, SCOPE, SPECIAL};
use super::{Builder, DomData, DomId, Open, Tag};

impl<'a> Builder<'a> {
    /// Opens again what something else closed.
    pub(super) fn reconstruct(&mut self) {
        let waits = |entry: &Option<(DomId, Name)>| entry.is_some_and(|(id, _)| !self.has_open(id));
        let waiting = self.formatting.iter().rev().take_while(|entry| waits(entry)).count();
        for at in self.formatting.len() - waiting..self.formatting.len() {
            if let Some(Some((id, name))) = self.formatting.get(at).copied() {
                let copy = self.copy_element(id, name);
                self.put(self.place(None), copy);
                self.open.push(Open { id: copy, name, flags: name.flags() });
                self.formatting[at] = Some((copy, name));
            }
        }
    }

    /// Opens a formatting element. Of those that are alike only the last three are kept in the list.
    pub(super) fn insert_formatting(&mut self, tag: &mut Tag<'a>) {
        let is_alike = |entry: &(usize, (DomId, Name))| {
            let (id, name) = entry.1;
            name == tag.name && self.dom.has_same_attributes(id, tag.attrs.as_deref().unwrap_or_default())
        };
        let first = self.to_marker().filter(is_alike).map(|(at, _)| at).enumerate().last();
        if let Some((2.., first)) = first {
            self.formatting.remove(first);
        }
        let id = self.insert(tag);
        self.formatting.push(Some((id, tag.name)));
    }

    /// The list from its end to the last marker, and where in it each is.
    fn to_marker(&self) -> impl Iterator<Item = (usize, (DomId, Name))> {
        self.formatting.iter().enumerate().rev().map_while(|(at, entry)| entry.map(|entry| (at, entry)))
    }

    /// The last one of a name in the list.
    fn last_formatting(&self, name: Name) -> Option<(usize, DomId)> {
        self.to_marker().find(|(_, (_, known))| *known == name).map(|(at, (id, _))| (at, id))
    }

    pub(super) fn clear_to_marker(&mut self) {
        while let Some(Some(_)) = self.formatting.pop() {}
    }

    /// A link ends one that is open.
    pub(super) fn end_link(&mut self) {
        if let Some((_, id)) = self.last_formatting(Name::A) {
            self.end_formatting(&mut Tag::named(Name::A));
            self.remove_formatting(id);
            self.remove_open(id);
        }
    }

    fn formatting_at(&self, id: DomId) -> Option<usize> {
        self.formatting.iter().position(|entry| entry.is_some_and(|(known, _)| known == id))
    }

    fn remove_formatting(&mut self, id: DomId) {
        if let Some(at) = self.formatting_at(id) {
            self.formatting.remove(at);
        }
    }

    /// An element like another, without its content.
    fn copy_element(&mut self, id: DomId, name: Name) -> DomId {
        let attrs = match &self.dom.node(id).data {
            DomData::Element { attrs, .. } => attrs.clone(),
            _ => None,
        };
        self.create_element(name, name.text().into(), attrs)
    }

    /// Takes the end tag of a formatting element: the standard's adoption agency algorithm.
    pub(super) fn end_formatting(&mut self, tag: &mut Tag<'a>) {
        let current = self.current();
        if current.name == tag.name && self.formatting_at(current.id).is_none() {
            self.pop();
            return;
        }
        for _ in 0..8 {
            let Some((entry, element)) = self.last_formatting(tag.name) else {
                self.end_any_other(tag);
                return;
            };
            let Some(at) = self.open.iter().rposition(|open| open.id == element) else {
                self.formatting.remove(entry);
                return;
            };
            if !self.has_in_scope(SCOPE, |open| open.id == element) {
                return;
            }
            let Some(block) = (at..self.open.len()).find(|index| self.open[*index].flags & SPECIAL != 0) else {
                self.open.truncate(at);
                self.formatting.remove(entry);
                return;
            };
            self.adopt(element, tag.name, at, block);
        }
    }

    /// One round of it: puts a copy of the formatting element, which is open at `at`, into the block that is open
    /// at `block`, around all that is in it, and the block beside the element.
    fn adopt(&mut self, element: DomId, name: Name, at: usize, block: usize) {
        let (Some(&around), Some(&furthest)) = (self.open.get(at.wrapping_sub(1)), self.open.get(block)) else {
            return;
        };
        // Behind which entry of the list the copy goes; none while it takes the element's place.
        let mut bookmark = None;
        let mut last = furthest.id;
        let mut steps = 0;
        for index in (at + 1..block).rev() {
            let open = self.open[index];
            steps += 1;
            let Some(entry) = self.formatting_at(open.id) else {
                self.open.remove(index);
                continue;
            };
            if steps > 3 {
                self.formatting.remove(entry);
                self.open.remove(index);
                continue;
            }
            let copy = self.copy_element(open.id, open.name);
            self.open[index].id = copy;
            self.formatting[entry] = Some((copy, open.name));
            if last == furthest.id {
                bookmark = Some(copy);
            }
            self.dom.detach(last);
            self.append(copy, last);
            last = copy;
        }
        self.dom.detach(last);
        self.put(self.place(Some(around)), last);
        let copy = self.copy_element(element, name);
        self.dom.move_children(furthest.id, copy);
        self.append(furthest.id, copy);
        match bookmark.and_then(|before| self.formatting_at(before)) {
            Some(before) => {
                self.formatting.insert(before + 1, Some((copy, name)));
                self.remove_formatting(element);
            }
            None => {
                if let Some(entry) = self.formatting_at(element) {
                    self.formatting[entry] = Some((copy, name));
                }
            }
        }
        self.remove_open(element);
        if let Some(block) = self.open.iter().position(|open| open.id == furthest.id) {
            self.open.insert(block + 1, Open { id: copy, name, flags: name.flags() });
        }
    }
}
