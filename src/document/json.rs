//! Documents from JSON, the way ProseMirror writes them: `{type, attrs?, content?, marks?, text?}`.

use super::mark::{Mark, Marks};
use super::node::Node;
use super::schema::{NodeTypeId, Schema};
use crate::error::Error;
use crate::map::insert_by_key;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;

/// The deepest nesting of nodes that is accepted.
pub const MAX_DEPTH: usize = 256;

/// The greatest accepted length of a document's JSON, in bytes.
pub const MAX_JSON_BYTES: usize = 200_000_000;

/// The deepest nesting of brackets in a document's JSON: an object and an array for each node, and what attributes
/// may add.
const MAX_BRACKETS: usize = 2 * MAX_DEPTH + 64;

/// Whether nodes must obey the content expressions of their schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Every node is checked.
    Strict,
    /// Only the shape is: an editor can hold what its schema forbids, and it is the truth.
    Lenient,
}

/// Reads one node.
pub(super) fn read_node(schema: &Schema, json: &str, rules: Rules) -> Result<Node, Error> {
    let read =
        |reader: &Reader<'_>, json: &mut serde_json::Deserializer<_>| NodeSeed { reader, depth: 0 }.deserialize(json);
    read_with(schema, json, rules, read)
}

/// Reads an array of nodes, as blocks of the document: its own node is their parent.
pub(super) fn read_nodes(schema: &Schema, json: &str, rules: Rules) -> Result<Vec<Node>, Error> {
    let read = |reader: &Reader<'_>, json: &mut serde_json::Deserializer<_>| {
        ContentSeed { reader, depth: 0 }.deserialize(json)
    };
    read_with(schema, json, rules, read)
}

/// Reads one node out of a JSON value.
pub(super) fn read_value(schema: &Schema, value: &Value) -> Result<Node, Error> {
    let reader = Reader::new(schema, Rules::Strict);
    NodeSeed { reader: &reader, depth: 0 }.deserialize(value).map_err(|error| reader.error(error))
}

fn read_with<'a, T>(
    schema: &Schema,
    json: &'a str,
    rules: Rules,
    read: impl FnOnce(&Reader<'_>, &mut serde_json::Deserializer<serde_json::de::StrRead<'a>>) -> serde_json::Result<T>,
) -> Result<T, Error> {
    if json.len() > MAX_JSON_BYTES {
        return Err(Error::TooLarge { length: json.len(), limit: MAX_JSON_BYTES });
    }
    if brackets(json) > MAX_BRACKETS {
        return Err(Error::TooDeep { limit: MAX_DEPTH });
    }
    let reader = Reader::new(schema, rules);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = read(&reader, &mut deserializer).map_err(|error| reader.error(error))?;
    deserializer.end().map_err(|error| reader.error(error))?;
    Ok(value)
}

/// How deep brackets nest in a JSON text. Looked at before reading, so that no input can exhaust the stack.
fn brackets(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// What one reading shares: the schema, and where in the document it is, for errors.
struct Reader<'s> {
    schema: &'s Schema,
    rules: Rules,
    path: RefCell<Vec<usize>>,
    failure: RefCell<Option<Error>>,
}

impl<'s> Reader<'s> {
    fn new(schema: &'s Schema, rules: Rules) -> Reader<'s> {
        Reader { schema, rules, path: RefCell::default(), failure: RefCell::default() }
    }

    /// Keeps a typed error while serde carries its own out.
    fn fail<E: serde::de::Error>(&self, error: Error) -> E {
        self.failure.borrow_mut().get_or_insert(error);
        E::custom("")
    }

    fn invalid<E: serde::de::Error>(&self, reason: impl fmt::Display) -> E {
        self.fail(Error::InvalidDocument { reason: format!("{}: {reason}", self.place()) })
    }

    fn place(&self) -> String {
        let path = self.path.borrow();
        let steps: Vec<String> = path.iter().map(|index| format!("content[{index}]")).collect();
        if steps.is_empty() { "the document".to_owned() } else { steps.join(".") }
    }

    fn error(&self, error: serde_json::Error) -> Error {
        let failure = self.failure.borrow_mut().take();
        failure.unwrap_or_else(|| Error::InvalidDocument { reason: format!("{}: {error}", self.place()) })
    }
}

struct NodeSeed<'r, 's> {
    reader: &'r Reader<'s>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        if self.depth > MAX_DEPTH {
            return Err(self.reader.fail(Error::TooDeep { limit: MAX_DEPTH }));
        }
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node, {type, attrs?, content?, marks?, text?}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let reader = self.reader;
        let mut parts = Parts::default();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key {
                Key::Type => parts.kind = Some(map.next_value_seed(TypeSeed { reader })?),
                Key::Attrs => parts.attrs = map.next_value_seed(AttrsSeed)?,
                Key::Content => parts.content = map.next_value_seed(ContentSeed { reader, depth: self.depth + 1 })?,
                Key::Marks => parts.marks = map.next_value_seed(MarksSeed { reader })?,
                Key::Text => parts.text = map.next_value()?,
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        parts.build(reader)
    }
}

/// A node's members, in whatever order they come.
#[derive(Default)]
struct Parts {
    kind: Option<NodeTypeId>,
    attrs: Vec<(String, Value)>,
    content: Vec<Node>,
    marks: Vec<Mark>,
    text: Option<Box<str>>,
}

impl Parts {
    fn build<E: serde::de::Error>(self, reader: &Reader<'_>) -> Result<Node, E> {
        let schema = reader.schema;
        let kind = self.kind.ok_or_else(|| reader.invalid("a node without a type"))?;
        let marks = if self.marks.is_empty() { Marks::NONE } else { self.marks(reader)? };
        if kind == schema.text_type() {
            let text = self.text.filter(|text| !text.is_empty());
            let text = text.ok_or_else(|| reader.invalid("a text node without text"))?;
            return Ok(Node::text_node(schema, text, marks));
        }
        let attrs = schema.node_attrs(kind, self.attrs).map_err(|name| {
            reader.invalid(format!("the {} has no attribute \"{name}\", which it requires", schema.name(kind)))
        })?;
        if schema.is_leaf(kind) && !self.content.is_empty() {
            return Err(reader.invalid(format!("a {} takes no content", schema.name(kind))));
        }
        let node = Node::new(schema, kind, attrs, self.content, marks);
        if reader.rules == Rules::Strict {
            schema.check(&node).map_err(|reason| reader.invalid(reason))?;
        }
        Ok(node)
    }

    /// The marks in rank order. A set that the schema would not have made so is refused where rules are strict.
    fn marks<E: serde::de::Error>(&self, reader: &Reader<'_>) -> Result<Marks, E> {
        let mut marks = Vec::with_capacity(self.marks.len());
        self.marks.iter().for_each(|mark| insert_by_key(&mut marks, mark.clone(), |mark| mark.kind));
        let set = marks.iter().fold(Marks::NONE, |set, mark| set.with(mark, reader.schema));
        if reader.rules == Rules::Strict && *set != *marks {
            return Err(reader.invalid("marks that exclude one another"));
        }
        Ok(marks.into())
    }
}

enum Key {
    Type,
    Attrs,
    Content,
    Marks,
    Text,
    Other,
}

struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Key, E> {
        Ok(match name {
            "type" => Key::Type,
            "attrs" => Key::Attrs,
            "content" => Key::Content,
            "marks" => Key::Marks,
            "text" => Key::Text,
            _ => Key::Other,
        })
    }
}

struct TypeSeed<'r, 's> {
    reader: &'r Reader<'s>,
}

impl<'de> DeserializeSeed<'de> for TypeSeed<'_, '_> {
    type Value = NodeTypeId;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<NodeTypeId, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for TypeSeed<'_, '_> {
    type Value = NodeTypeId;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a node type")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<NodeTypeId, E> {
        let found = self.reader.schema.find_node(name);
        found.ok_or_else(|| self.reader.fail(Error::UnknownType { name: crate::error::excerpt(name) }))
    }
}

struct ContentSeed<'r, 's> {
    reader: &'r Reader<'s>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for ContentSeed<'_, '_> {
    type Value = Vec<Node>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Node>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ContentSeed<'_, '_> {
    type Value = Vec<Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of nodes")
    }

    fn visit_unit<E>(self) -> Result<Vec<Node>, E> {
        Ok(vec![])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Node>, A::Error> {
        let mut nodes = Vec::new();
        loop {
            self.reader.path.borrow_mut().push(nodes.len());
            let next = seq.next_element_seed(NodeSeed { reader: self.reader, depth: self.depth })?;
            // After an error the path stays as it is: it says where.
            self.reader.path.borrow_mut().pop();
            match next {
                Some(node) => nodes.push(node),
                None => return Ok(nodes),
            }
        }
    }
}

struct AttrsSeed;

impl<'de> DeserializeSeed<'de> for AttrsSeed {
    type Value = Vec<(String, Value)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AttrsSeed {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of attributes")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(vec![])
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut attrs = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            attrs.push((name, plain_number(value)));
        }
        Ok(attrs)
    }
}

/// JavaScript has one kind of number: `2.0` is `2`.
pub(super) fn plain_number(value: Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value.as_f64() {
        Some(number) if value.is_f64() && number.fract() == 0.0 && number.abs() < EXACT => Value::from(number as i64),
        _ => value,
    }
}

struct MarksSeed<'r, 's> {
    reader: &'r Reader<'s>,
}

impl<'de> DeserializeSeed<'de> for MarksSeed<'_, '_> {
    type Value = Vec<Mark>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Mark>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for MarksSeed<'_, '_> {
    type Value = Vec<Mark>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of marks")
    }

    fn visit_unit<E>(self) -> Result<Vec<Mark>, E> {
        Ok(vec![])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<Mark>, A::Error> {
        let mut marks = Vec::new();
        while let Some(mark) = seq.next_element_seed(MarkSeed { reader: self.reader })? {
            marks.push(mark);
        }
        Ok(marks)
    }
}

struct MarkSeed<'r, 's> {
    reader: &'r Reader<'s>,
}

impl<'de> DeserializeSeed<'de> for MarkSeed<'_, '_> {
    type Value = Mark;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Mark, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MarkSeed<'_, '_> {
    type Value = Mark;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mark, {type, attrs?}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Mark, A::Error> {
        let (mut name, mut attrs) = (None::<String>, Vec::new());
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key {
                Key::Type => name = Some(map.next_value()?),
                Key::Attrs => attrs = map.next_value_seed(AttrsSeed)?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let schema = self.reader.schema;
        let name = name.ok_or_else(|| self.reader.invalid("a mark without a type"))?;
        let kind = schema.find_mark(&name);
        let kind = kind.ok_or_else(|| self.reader.fail(Error::UnknownType { name: crate::error::excerpt(&name) }))?;
        let required =
            |attr| self.reader.invalid(format!("the mark {name} has no attribute \"{attr}\", which it requires"));
        schema.create_mark(kind, attrs).map_err(required)
    }
}
