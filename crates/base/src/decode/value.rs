//! The deserializer that reads `serde_json::Value` as JavaScript means it.

use super::{count, one_of};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::fmt;
use std::iter::Enumerate;
use std::ptr;
use std::slice::Iter;

/// A value that does not fit, and where it is.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The reason.
    pub reason: MisfitReason,
    /// The way to the value, the innermost step first: each container adds its own as the error passes through it.
    pub path: Vec<Step>,
}

/// The reason why a value does not fit.
#[derive(Debug)]
pub(super) enum MisfitReason {
    /// Description of a valid value.
    Expected(String),
    /// Name of a missing field.
    Missing(&'static str),
}

/// One step of the way to a value.
#[derive(Debug)]
pub(super) enum Step {
    /// The item of an array.
    Item(usize),
    /// The member of an object.
    Member(String),
}

impl Wrong {
    fn expected(expected: impl Into<String>) -> Wrong {
        Wrong { reason: MisfitReason::Expected(expected.into()), path: Vec::new() }
    }

    fn within(mut self, step: Step) -> Wrong {
        self.path.push(step);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            MisfitReason::Expected(expected) => write!(f, "it must be {expected}"),
            MisfitReason::Missing(field) => write!(f, "{field} is missing"),
        }
    }
}

impl std::error::Error for Wrong {}

/// The message of a custom error describes a valid value, as `expecting` does.
impl de::Error for Wrong {
    fn custom<T: fmt::Display>(expected: T) -> Wrong {
        Wrong::expected(expected.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Wrong {
        Wrong::expected(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Wrong {
        Wrong::expected(expected.to_string())
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Wrong {
        Wrong::expected(expected.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::expected(one_of(expected))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::expected(format!("left out: valid are {}", one_of(expected)))
    }

    fn missing_field(field: &'static str) -> Wrong {
        Wrong { reason: MisfitReason::Missing(field), path: Vec::new() }
    }
}

/// A field that is read as null although its object does not have it.
#[derive(Clone, Copy)]
pub(super) struct Missing<'a> {
    pub object: &'a Map<String, Value>,
    pub field: &'static str,
}

static NULL: Value = Value::Null;

/// Reads a value.
#[derive(Clone, Copy)]
pub(super) struct ValueDeserializer<'a> {
    pub value: &'a Value,
    pub missing: Option<Missing<'a>>,
}

fn wrong<T>(expected: &str) -> Result<T, Wrong> {
    Err(Wrong::expected(expected))
}

impl<'a> ValueDeserializer<'a> {
    fn at(self, value: &'a Value) -> ValueDeserializer<'a> {
        ValueDeserializer { value, ..self }
    }

    /// The members of an object: first those of these names without nulls, then the others.
    fn members(self, object: &'a Map<String, Value>, fields: &[&str]) -> Members<'a> {
        let known = fields.iter().filter_map(|field| object.get_key_value(*field));
        let mut members: Vec<(&str, &Value)> =
            known.filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.as_str(), value)).collect();
        if let Some(missing) = self.missing.filter(|missing| ptr::eq(missing.object, object)) {
            members.push((missing.field, &NULL));
        }
        let others = object.iter().filter(|(name, _)| !fields.contains(&name.as_str()));
        members.extend(others.map(|(name, value)| (name.as_str(), value)));
        Members { members: members.into_iter(), current: ("", &NULL), deserializer: self }
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(given) => visitor.visit_bool(*given),
            Value::Number(given) => match (given.as_u64(), given.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(given.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(items) => visitor.visit_seq(ListItems { items: items.iter().enumerate(), deserializer: self }),
            Value::Object(object) => visitor.visit_map(self.members(object, &[])),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.value.as_bool().map_or_else(|| wrong("true or false"), |given| visitor.visit_bool(given))
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        count(self.value).map_or_else(|| wrong("a whole number"), |given| visitor.visit_u64(given))
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_u64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.value.as_f64().map_or_else(|| wrong("a number"), |given| visitor.visit_f64(given))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.value.as_str().map_or_else(|| wrong("a string"), |given| visitor.visit_str(given))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.value.is_array() { self.deserialize_any(visitor) } else { wrong("an array") }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.value.is_object() { self.deserialize_any(visitor) } else { wrong("an object") }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self.value {
            Value::Object(object) => visitor.visit_map(self.members(object, fields)),
            _ => wrong("an object"),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match self.value.as_str() {
            Some(name) => visitor.visit_enum(IntoDeserializer::<Wrong>::into_deserializer(name)),
            None => Err(Wrong::expected(one_of(variants))),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_str(visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct
    }
}

struct ListItems<'a> {
    items: Enumerate<Iter<'a, Value>>,
    deserializer: ValueDeserializer<'a>,
}

impl<'de> SeqAccess<'de> for ListItems<'_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        let Some((index, item)) = self.items.next() else { return Ok(None) };
        seed.deserialize(self.deserializer.at(item)).map(Some).map_err(|wrong| wrong.within(Step::Item(index)))
    }
}

struct Members<'a> {
    members: std::vec::IntoIter<(&'a str, &'a Value)>,
    current: (&'a str, &'a Value),
    deserializer: ValueDeserializer<'a>,
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((name, value)) = self.members.next() else { return Ok(None) };
        self.current = (name, value);
        let key: StrDeserializer<'_, Wrong> = name.into_deserializer();
        seed.deserialize(key).map(Some).map_err(|wrong| wrong.within(Step::Member(name.to_owned())))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Wrong> {
        let (name, value) = self.current;
        let read = seed.deserialize(self.deserializer.at(value));
        read.map_err(|wrong| wrong.within(Step::Member(name.to_owned())))
    }
}
