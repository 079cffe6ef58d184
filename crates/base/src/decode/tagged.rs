//! Enums whose variant is named by a field of their object, such as `{role: "user", …}`.
//!
//! The code that serde derives for `#[serde(tag = "…")]` copies an object before it reads the variant, and so loses the
//! path of a wrong field. Here the derived code of an untagged-by-default enum reads the object itself:
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! #[serde(remote = "Self", rename_all = "camelCase")]
//! enum Part { Text { text: String }, Image { data: String } }
//! copydesk_base::tagged_by!(Part, "type");
//!
//! let part = copydesk_base::decode::from_value::<Part>(&serde_json::json!({ "type": "image" }));
//! assert_eq!(part.err().unwrap().to_string(), "data must be a string");
//! ```
//!
//! A newtype variant reads and writes the whole object, tag included. If its name ends in `…`, it takes every tag that
//! begins with the rest of the name.

use super::value::ValueDeserializer;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, IntoDeserializer, MapAccess, VariantAccess,
    Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::fmt;

/// The name of the field that names the variant, as the only item.
pub type Tag = &'static [&'static str; 1];

/// Implements `Serialize` and `Deserialize` for an enum that derives both with `#[serde(remote = "Self")]`: its objects
/// name their variant by this field. `tagged_by!(Deserialize, …)` implements `Deserialize` alone. A function as the
/// last argument is given each value that was read, and returns the one to use.
#[macro_export]
macro_rules! tagged_by {
    ($name:ty, $tag:literal) => {
        $crate::tagged_by!($name, $tag, ::std::convert::identity);
    };
    ($name:ty, $tag:literal, $after:path) => {
        $crate::tagged_by!(Deserialize, $name, $tag, $after);

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let outer = <$name>::serialize(self, ::serde_json::value::Serializer);
                let outer = outer.map_err(::serde::ser::Error::custom)?;
                ::serde::Serialize::serialize(&$crate::decode::with_tag($tag, outer), serializer)
            }
        }
    };
    (Deserialize, $name:ty, $tag:literal) => {
        $crate::tagged_by!(Deserialize, $name, $tag, ::std::convert::identity);
    };
    (Deserialize, $name:ty, $tag:literal, $after:path) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$name>::deserialize($crate::decode::TagDeserializer { tag: &[$tag], deserializer }).map($after)
            }
        }
    };
}

/// Returns `{tag: name, …fields}` of the `{name: fields}` that serde derives.
pub fn with_tag(tag: &str, outer: Value) -> Value {
    let (name, fields) = match outer {
        Value::Object(outer) => outer.into_iter().next().unwrap_or_default(),
        name => (name.as_str().unwrap_or_default().to_owned(), Value::Null),
    };
    match fields {
        Value::Object(fields) if fields.contains_key(tag) => fields.into(),
        Value::Object(fields) => Map::from_iter([(tag.to_owned(), name.into())].into_iter().chain(fields)).into(),
        _ => Map::from_iter([(tag.to_owned(), name.into())]).into(),
    }
}

/// Reads `{tag: name, …fields}` as the enum that serde derives.
pub struct TagDeserializer<D> {
    /// The name of the field that names the variant.
    pub tag: Tag,
    /// The deserializer of the object.
    pub deserializer: D,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for TagDeserializer<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.deserializer.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        // The name of the field asks for it first.
        self.deserializer.deserialize_struct("", self.tag, EnumVisitor { tag: self.tag, variants, visitor })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct EnumVisitor<V> {
    tag: Tag,
    variants: &'static [&'static str],
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for EnumVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        let [tag] = *self.tag;
        let first = map.next_key::<String>()?.ok_or_else(|| A::Error::missing_field(tag))?;
        if first == tag {
            let name = String::new();
            return self.visitor.visit_enum(TaggedObject { tag, variants: self.variants, name, map });
        }
        // A format that does not know the names of fields gives them in their own order.
        let mut others = Map::from_iter([(first, map.next_value()?)]);
        while let Some((name, value)) = map.next_entry()? {
            others.insert(name, value);
        }
        let name = others.shift_remove(tag).ok_or_else(|| A::Error::missing_field(tag))?;
        let object = Value::Object(Map::from_iter([(tag.to_owned(), name)].into_iter().chain(others)));
        ValueDeserializer { value: &object, missing: None }
            .deserialize_struct("", self.tag, self)
            .map_err(A::Error::custom)
    }
}

/// An object whose tag comes first.
struct TaggedObject<A> {
    tag: &'static str,
    variants: &'static [&'static str],
    name: String,
    map: A,
}

impl<'de, A: MapAccess<'de>> EnumAccess<'de> for TaggedObject<A> {
    type Error = A::Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(mut self, seed: S) -> Result<(S::Value, Self), A::Error> {
        let (name, variants) = (&mut self.name, self.variants);
        let variant = self.map.next_value_seed(NameSeed { seed, name, variants })?;
        Ok((variant, self))
    }
}

/// Reads the name of a variant, and keeps it.
struct NameSeed<'n, S> {
    seed: S,
    name: &'n mut String,
    variants: &'static [&'static str],
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for NameSeed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let name: String = de::Deserialize::deserialize(deserializer)?;
        let begins = |variant: &&&str| variant.strip_suffix('…').is_some_and(|stem| name.starts_with(stem));
        let variant = self.variants.iter().find(begins).copied();
        let read = self.seed.deserialize(variant.unwrap_or(&name).into_deserializer());
        *self.name = name;
        read
    }
}

impl<'de, A: MapAccess<'de>> VariantAccess<'de> for TaggedObject<A> {
    type Error = A::Error;

    fn unit_variant(mut self) -> Result<(), A::Error> {
        while self.map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let (tag, name) = (Some(self.tag), Some(self.name));
        seed.deserialize(MapAccessDeserializer::new(WholeObject { tag, name, map: self.map }))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, A::Error> {
        Err(A::Error::custom("an object"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self.map)
    }
}

/// An object with its tag, which was read already.
struct WholeObject<A> {
    tag: Option<&'static str>,
    name: Option<String>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WholeObject<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.tag.take() {
            Some(tag) => seed.deserialize(tag.into_deserializer()).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        match self.name.take() {
            Some(name) => seed.deserialize(name.into_deserializer()),
            None => self.map.next_value_seed(seed),
        }
    }
}
