//! Marks: properties of inline content, such as that it is bold or a link.

use super::attrs::Attrs;
use super::marks::link;
use super::schema::{MarkTypeId, Schema};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// One mark: its type and its attributes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The type, an index into the schema's marks.
    pub kind: MarkTypeId,
    /// The attributes, every one that the type declares.
    pub attrs: Attrs,
}

impl Mark {
    /// Returns whether HTML does not state it: a link with a URL of a scheme that TipTap does not accept.
    pub fn is_hidden(&self, schema: &Schema) -> bool {
        schema.mark(self.kind).is_some_and(|kind| kind.name == "link") && link::is_hidden(self)
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.kind, self.attrs)
    }
}

/// The marks of a node, in rank order. Shared: a clone copies a pointer.
#[derive(Clone, Default)]
pub struct Marks(Option<Arc<[Mark]>>);

impl Marks {
    /// No marks.
    pub const NONE: Marks = Marks(None);

    /// Returns this set with a mark added at the place of its rank.
    ///
    /// A mark that is in the set already, or that one of the set excludes, changes nothing; marks that the new one
    /// excludes are removed.
    pub fn with(&self, mark: &Mark, schema: &Schema) -> Marks {
        if self.is_empty() {
            return Marks(Some(Arc::new([mark.clone()])));
        }
        let excludes = |a: MarkTypeId, b: MarkTypeId| schema.mark(a).is_some_and(|kind| kind.excludes(b));
        let mut marks = Vec::with_capacity(self.len() + 1);
        let mut placed = false;
        for other in self.iter() {
            if other == mark {
                return self.clone();
            }
            if excludes(mark.kind, other.kind) {
                continue;
            }
            if excludes(other.kind, mark.kind) {
                return self.clone();
            }
            if !placed && other.kind > mark.kind {
                marks.push(mark.clone());
                placed = true;
            }
            marks.push(other.clone());
        }
        if !placed {
            marks.push(mark.clone());
        }
        marks.into()
    }
}

impl From<Vec<Mark>> for Marks {
    /// Uses the marks unchanged: the caller is responsible for their order.
    fn from(marks: Vec<Mark>) -> Marks {
        if marks.is_empty() { Marks::NONE } else { Marks(Some(marks.into())) }
    }
}

impl Deref for Marks {
    type Target = [Mark];

    fn deref(&self) -> &[Mark] {
        self.0.as_deref().unwrap_or(&[])
    }
}

impl PartialEq for Marks {
    fn eq(&self, other: &Marks) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for Marks {}

impl Hash for Marks {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
