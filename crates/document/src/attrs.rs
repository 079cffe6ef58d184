//! Attributes: the values that a node or a mark carries beside its content.

use serde_json::Value;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An ordered map from attribute name to value, in the order of the schema.
///
/// A value, and shared: a clone copies a pointer, and the nodes of a type that carry only defaults all share
/// one map. Two maps are equal when they hold the same names and values.
#[derive(Clone, Default)]
pub struct Attrs(Option<Arc<Entries>>);

struct Entries {
    names: Arc<[Arc<str>]>,
    values: Box<[Value]>,
}

impl Attrs {
    /// No attributes.
    pub const NONE: Attrs = Attrs(None);

    /// Pairs names with values. Those without a partner are left out.
    pub(crate) fn new(names: &Arc<[Arc<str>]>, mut values: Vec<Value>) -> Attrs {
        if names.is_empty() {
            return Attrs::NONE;
        }
        values.resize(names.len(), Value::Null);
        Attrs(Some(Arc::new(Entries { names: names.clone(), values: values.into() })))
    }

    /// The value of an attribute; `None` if the type has no such attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The value of an attribute that holds text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// Every name with its value, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let entries = self.0.as_deref();
        entries.into_iter().flat_map(|entries| entries.names.iter().map(|name| &**name).zip(entries.values.iter()))
    }

    /// Returns the number of attributes.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |entries| entries.values.len())
    }

    /// Returns whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These attributes with one value changed. A name that is not among them changes nothing.
    pub fn with(&self, name: &str, value: Value) -> Attrs {
        let Some(entries) = &self.0 else { return Attrs::NONE };
        let values = self.iter().map(|(key, old)| if key == name { value.clone() } else { old.clone() });
        Attrs(Some(Arc::new(Entries { names: entries.names.clone(), values: values.collect() })))
    }
}

impl PartialEq for Attrs {
    fn eq(&self, other: &Attrs) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || (a.names == b.names && a.values == b.values),
            _ => false,
        }
    }
}

impl Eq for Attrs {}

impl Hash for Attrs {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.iter().for_each(|(_, value)| value.hash(state));
    }
}

impl fmt::Debug for Attrs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
