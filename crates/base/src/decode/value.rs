//! The deserializer that reads `serde_json::Value` as JavaScript means it.

use super::{count, one_of};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::fmt;
use std::ptr;

/// The error of one value; its path is added by `serde_path_to_error`.
#[derive(Debug)]
pub(super) enum Wrong {
    /// Description of a valid value.
    Expected(String),
    /// Name of a missing field.
    Missing(&'static str),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Expected(expected) => write!(f, "it must be {expected}"),
            Wrong::Missing(field) => write!(f, "{field} is missing"),
        }
    }
}

impl std::error::Error for Wrong {}

/// The message of a custom error describes a valid value, as `expecting` does.
impl de::Error for Wrong {
    fn custom<T: fmt::Display>(expected: T) -> Wrong {
        Wrong::Expected(expected.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Wrong {
        Wrong::Expected(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Wrong {
        Wrong::Expected(expected.to_string())
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Wrong {
        Wrong::Expected(expected.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::Expected(one_of(expected))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Wrong {
        Wrong::Expected(format!("left out: valid are {}", one_of(expected)))
    }

    fn missing_field(field: &'static str) -> Wrong {
        Wrong::Missing(field)
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
    Err(Wrong::Expected(expected.to_owned()))
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
        Members { members: members.into_iter(), value: None, deserializer: self }
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
            Value::Array(items) => visitor.visit_seq(Items { items: items.iter(), deserializer: self }),
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
            None => Err(Wrong::Expected(one_of(variants))),
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

struct Items<'a> {
    items: std::slice::Iter<'a, Value>,
    deserializer: ValueDeserializer<'a>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        self.items.next().map(|item| seed.deserialize(self.deserializer.at(item))).transpose()
    }
}

struct Members<'a> {
    members: std::vec::IntoIter<(&'a str, &'a Value)>,
    value: Option<&'a Value>,
    deserializer: ValueDeserializer<'a>,
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Wrong;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Wrong> {
        let Some((name, value)) = self.members.next() else { return Ok(None) };
        self.value = Some(value);
        let name: StrDeserializer<'_, Wrong> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Wrong> {
        seed.deserialize(self.deserializer.at(self.value.take().unwrap_or(&NULL)))
    }
}
