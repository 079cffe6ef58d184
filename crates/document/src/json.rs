//! Documents from JSON, the way ProseMirror writes them: `{type, attrs?, content?, marks?, text?}`.

use super::mark::{Mark, Marks};
use super::node::Node;
use super::schema::{NodeTypeId, Schema};
use crate::Error;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt;

/// The deepest nesting of nodes that is accepted.
pub const MAX_DEPTH: usize = 256;

/// The greatest accepted length of a document's JSON, in bytes.
pub const MAX_JSON_BYTES: usize = 200_000_000;

/// The deepest nesting of brackets in a document's JSON: an object and an array for each node, and what attributes
/// may add.
const MAX_BRACKETS: usize = 2 * MAX_DEPTH + 64;

/// True if nodes must obey the content expressions of their schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Every node is checked.
    Strict,
    /// Only the shape is: an editor can hold what its schema forbids, and it is the truth.
    Lenient,
}

/// Reads one node.
pub(super) fn read_node(schema: &Schema, json: &str, rules: Rules) -> Result<Node, Error> {
    let read = |reader: &JsonReader<'_>, json: &mut serde_json::Deserializer<_>| {
        At(NodeSeed { reader, depth: 0 }).deserialize(json)
    };
    read_with(schema, json, rules, read)
}

/// Reads an array of nodes, as blocks of the document: its own node is their parent.
pub(super) fn read_nodes(schema: &Schema, json: &str, rules: Rules) -> Result<Vec<Node>, Error> {
    let read = |reader: &JsonReader<'_>, json: &mut serde_json::Deserializer<_>| {
        At(ContentSeed { reader, depth: 0 }).deserialize(json)
    };
    read_with(schema, json, rules, read)
}

/// Reads one node out of a JSON value.
pub(super) fn read_value(schema: &Schema, value: &Value) -> Result<Node, Error> {
    let reader = JsonReader::new(schema, Rules::Strict);
    At(NodeSeed { reader: &reader, depth: 0 }).deserialize(value).map_err(|error| reader.error(error))
}

fn read_with<'a, T>(
    schema: &Schema,
    json: &'a str,
    rules: Rules,
    read: impl FnOnce(&JsonReader<'_>, &mut serde_json::Deserializer<serde_json::de::StrRead<'a>>) -> serde_json::Result<T>,
) -> Result<T, Error> {
    if json.len() > MAX_JSON_BYTES {
        return Err(copydesk_base::Error::TooLarge { length: json.len(), limit: MAX_JSON_BYTES }.into());
    }
    if brackets(json) > MAX_BRACKETS {
        return Err(Error::TooDeep { limit: MAX_DEPTH });
    }
    let reader = JsonReader::new(schema, rules);
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let value = read(&reader, &mut deserializer).map_err(|error| reader.error(error))?;
    deserializer.end().map_err(|error| reader.error(error))?;
    Ok(value)
}

/// Returns how deep brackets nest in a JSON text. Checked before reading, so that no input can exhaust the stack.
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

/// The context of reading: the schema, and the current place in the document for errors.
struct JsonReader<'s> {
    schema: &'s Schema,
    rules: Rules,
    path: RefCell<Vec<usize>>,
    failure: RefCell<Option<Error>>,
}

impl<'s> JsonReader<'s> {
    fn new(schema: &'s Schema, rules: Rules) -> JsonReader<'s> {
        JsonReader { schema, rules, path: RefCell::default(), failure: RefCell::default() }
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

/// A place for a value. Each method returns `None` if a value of that kind is not allowed there.
trait JsonPosition<'de>: Sized {
    type Value;
    /// A description of the allowed values, as it follows "expected".
    const EXPECTED: &'static str;

    fn null(self) -> Option<Self::Value> {
        None
    }

    fn text<E: serde::de::Error>(self, _text: &str) -> Read<Self::Value, E> {
        Ok(None)
    }

    fn list<A: SeqAccess<'de>>(self, _list: A) -> Read<Self::Value, A::Error> {
        Ok(None)
    }

    fn object<A: MapAccess<'de>>(self, _object: A) -> Read<Self::Value, A::Error> {
        Ok(None)
    }
}

type Read<T, E> = Result<Option<T>, E>;

/// Reads a value at a position. Values that are not allowed there are refused here for every kind of value: serde's own
/// messages for wrong types include the standard library's formatting of floats, which is 6 kB of compressed wasm.
struct At<P>(P);

impl<'de, P: JsonPosition<'de>> DeserializeSeed<'de> for At<P> {
    type Value = P::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<P::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, P: JsonPosition<'de>> Visitor<'de> for At<P> {
    type Value = P::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::EXPECTED)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<P::Value, E> {
        Err(wrong(value.into(), P::EXPECTED))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<P::Value, E> {
        Err(wrong(value.into(), P::EXPECTED))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<P::Value, E> {
        Err(wrong(value.into(), P::EXPECTED))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<P::Value, E> {
        Err(wrong(value.into(), P::EXPECTED))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<P::Value, E> {
        self.0.text(value)?.ok_or_else(|| wrong(value.into(), P::EXPECTED))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<P::Value, E> {
        self.0.null().ok_or_else(|| wrong(Value::Null, P::EXPECTED))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<P::Value, A::Error> {
        self.0.list(seq)?.ok_or_else(|| wrong(Value::Array(vec![]), P::EXPECTED))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<P::Value, A::Error> {
        self.0.object(map)?.ok_or_else(|| wrong(Value::Object(Map::new()), P::EXPECTED))
    }
}

/// Returns the error for an unexpected value. For lists and objects it has only the kind.
#[inline(never)]
fn wrong<E: serde::de::Error>(given: Value, expected: &str) -> E {
    let kind = match &given {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("boolean `{given}`"),
        Value::Number(number) if number.is_f64() => format!("floating point `{given}`"),
        Value::Number(_) => format!("integer `{given}`"),
        Value::String(text) => format!("string {text:?}"),
        Value::Array(_) => "sequence".to_owned(),
        Value::Object(_) => "map".to_owned(),
    };
    E::custom(format_args!("invalid type: {kind}, expected {expected}"))
}

struct NodeSeed<'r, 's> {
    reader: &'r JsonReader<'s>,
    depth: usize,
}

impl<'de> JsonPosition<'de> for NodeSeed<'_, '_> {
    type Value = Node;
    const EXPECTED: &'static str = "a node, {type, attrs?, content?, marks?, text?}";

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Read<Node, A::Error> {
        let reader = self.reader;
        if self.depth > MAX_DEPTH {
            return Err(reader.fail(Error::TooDeep { limit: MAX_DEPTH }));
        }
        let mut parts = Parts::default();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key {
                Key::Type => parts.kind = Some(map.next_value_seed(At(TypeSeed { reader }))?),
                Key::Attrs => parts.attrs = map.next_value_seed(At(AttrsSeed))?,
                Key::Content => {
                    parts.content = map.next_value_seed(At(ContentSeed { reader, depth: self.depth + 1 }))?
                }
                Key::Marks => parts.marks = map.next_value_seed(At(MarksSeed { reader }))?,
                Key::Text => parts.text = map.next_value_seed(At(TextSeed))?,
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        parts.build(reader).map(Some)
    }
}

/// A node's members, in any order.
#[derive(Default)]
struct Parts {
    kind: Option<NodeTypeId>,
    attrs: Vec<(String, Value)>,
    content: Vec<Node>,
    marks: Vec<Mark>,
    text: Option<Box<str>>,
}

impl Parts {
    fn build<E: serde::de::Error>(self, reader: &JsonReader<'_>) -> Result<Node, E> {
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
    fn marks<E: serde::de::Error>(&self, reader: &JsonReader<'_>) -> Result<Marks, E> {
        let mut marks = self.marks.clone();
        marks.sort_by_key(|mark| mark.kind);
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
    reader: &'r JsonReader<'s>,
}

impl<'de> JsonPosition<'de> for TypeSeed<'_, '_> {
    type Value = NodeTypeId;
    const EXPECTED: &'static str = "the name of a node type";

    fn text<E: serde::de::Error>(self, name: &str) -> Read<NodeTypeId, E> {
        let found = self.reader.schema.find_node(name);
        found
            .ok_or_else(|| self.reader.fail(Error::UnknownType { name: copydesk_base::error::excerpt(name) }))
            .map(Some)
    }
}

struct ContentSeed<'r, 's> {
    reader: &'r JsonReader<'s>,
    depth: usize,
}

impl<'de> JsonPosition<'de> for ContentSeed<'_, '_> {
    type Value = Vec<Node>;
    const EXPECTED: &'static str = "an array of nodes";

    fn null(self) -> Option<Vec<Node>> {
        Some(vec![])
    }

    fn list<A: SeqAccess<'de>>(self, mut seq: A) -> Read<Vec<Node>, A::Error> {
        let mut nodes = Vec::new();
        loop {
            self.reader.path.borrow_mut().push(nodes.len());
            let next = seq.next_element_seed(At(NodeSeed { reader: self.reader, depth: self.depth }))?;
            // After an error the path is kept: it is the place of the error.
            self.reader.path.borrow_mut().pop();
            match next {
                Some(node) => nodes.push(node),
                None => return Ok(Some(nodes)),
            }
        }
    }
}

struct AttrsSeed;

impl<'de> JsonPosition<'de> for AttrsSeed {
    type Value = Vec<(String, Value)>;
    const EXPECTED: &'static str = "an object of attributes";

    fn null(self) -> Option<Self::Value> {
        Some(vec![])
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Read<Self::Value, A::Error> {
        let mut attrs = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            attrs.push((name, plain_number(value)));
        }
        Ok(Some(attrs))
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
    reader: &'r JsonReader<'s>,
}

impl<'de> JsonPosition<'de> for MarksSeed<'_, '_> {
    type Value = Vec<Mark>;
    const EXPECTED: &'static str = "an array of marks";

    fn null(self) -> Option<Vec<Mark>> {
        Some(vec![])
    }

    fn list<A: SeqAccess<'de>>(self, mut seq: A) -> Read<Vec<Mark>, A::Error> {
        let mut marks = Vec::new();
        while let Some(mark) = seq.next_element_seed(At(MarkSeed { reader: self.reader }))? {
            marks.push(mark);
        }
        Ok(Some(marks))
    }
}

struct MarkSeed<'r, 's> {
    reader: &'r JsonReader<'s>,
}

impl<'de> JsonPosition<'de> for MarkSeed<'_, '_> {
    type Value = Mark;
    const EXPECTED: &'static str = "a mark, {type, attrs?}";

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Read<Mark, A::Error> {
        let (mut name, mut attrs) = (None, Vec::new());
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key {
                Key::Type => name = map.next_value_seed(At(TextSeed))?,
                Key::Attrs => attrs = map.next_value_seed(At(AttrsSeed))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let schema = self.reader.schema;
        let name = name.ok_or_else(|| self.reader.invalid("a mark without a type"))?;
        let kind = schema.find_mark(&name);
        let kind =
            kind.ok_or_else(|| self.reader.fail(Error::UnknownType { name: copydesk_base::error::excerpt(&name) }))?;
        let required =
            |attr| self.reader.invalid(format!("the mark {name} has no attribute \"{attr}\", which it requires"));
        schema.create_mark(kind, attrs).map_err(required).map(Some)
    }
}

struct TextSeed;

impl<'de> JsonPosition<'de> for TextSeed {
    type Value = Option<Box<str>>;
    const EXPECTED: &'static str = "a string";

    fn null(self) -> Option<Self::Value> {
        Some(None)
    }

    fn text<E>(self, text: &str) -> Read<Self::Value, E> {
        Ok(Some(Some(text.into())))
    }
}
