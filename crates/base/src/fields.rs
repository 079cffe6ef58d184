//! Structs out of JSON objects, field by field, with errors that name the field, and JSON objects out of structs.
//!
//! serde would derive as much, but with a visitor for every struct and every form in which it may come or go.

use serde_json::{Map, Value};

/// What a field may hold.
pub trait Field: Sized {
    /// It in words, after "must be".
    const EXPECTED: &'static str;

    /// It out of a value, where the value is one.
    fn read(value: Value) -> Option<Self>;
}

/// Takes a field out of an object; none where it is missing or null.
#[inline(never)]
pub fn optional<T: Field>(object: &mut Value, name: &str) -> Result<Option<T>, String> {
    match take(object, name) {
        Value::Null => Ok(None),
        value => T::read(value).map(Some).ok_or_else(|| must_be(name, T::EXPECTED)),
    }
}

/// Takes a field that must be there.
#[inline(never)]
pub fn required<T: Field>(object: &mut Value, name: &str) -> Result<T, String> {
    optional(object, name)?.ok_or_else(|| must_be(name, T::EXPECTED))
}

/// Takes a field as it is; null where it is missing.
#[inline(never)]
pub fn take(object: &mut Value, name: &str) -> Value {
    object.get_mut(name).map(Value::take).unwrap_or_default()
}

/// The error of a field.
#[inline(never)]
pub fn must_be(name: &str, expected: &str) -> String {
    format!("{name} must be {expected}")
}

/// What is wrong in a field of an object that is itself a field: named from the outer one on.
pub fn inside(name: &'static str) -> impl Fn(String) -> String {
    move |wrong| [name, ".", &wrong].concat()
}

/// Reads an object field by field. The first field that is not as it must be is the fault of the whole; what is read
/// after it is thrown away at the end.
///
/// To go back at each field would be code that drops all that was read before it, anew for each.
pub struct Reading {
    object: Value,
    fault: Option<String>,
}

impl Reading {
    /// Begins to read.
    pub fn of(object: Value) -> Reading {
        Reading { object, fault: None }
    }

    /// Takes a field; none where it is missing, null or wrong.
    #[inline(never)]
    pub fn optional<T: Field>(&mut self, name: &str) -> Option<T> {
        optional(&mut self.object, name).unwrap_or_else(|fault| self.fail(fault))
    }

    /// Takes a field that must be there.
    #[inline(never)]
    pub fn required<T: Field + Default>(&mut self, name: &str) -> T {
        required(&mut self.object, name).unwrap_or_else(|fault| self.fail(fault))
    }

    /// Takes an object with fields of its own.
    pub fn nested<T: TryFrom<Value, Error = String>>(&mut self, name: &'static str) -> Option<T> {
        let Object(value) = self.optional(name)?;
        value.try_into().map_or_else(|fault| self.fail(inside(name)(fault)), Some)
    }

    /// Takes a field that is one of a few words. `expected` is what they are.
    pub fn word<T>(&mut self, name: &str, expected: &str, named: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let given: String = self.optional(name)?;
        let found = named(&given);
        if found.is_none() {
            self.fail::<()>(must_be(name, expected));
        }
        found
    }

    /// Keeps a fault, unless there was one before it; what is returned stands in for what could not be read.
    pub fn fail<T: Default>(&mut self, fault: String) -> T {
        self.fault.get_or_insert(fault);
        T::default()
    }

    /// What was read, unless there was a fault.
    pub fn end<T>(self, read: T) -> Result<T, String> {
        self.fault.map_or(Ok(read), Err)
    }
}

/// An object of these members. `json!` would be code of its own wherever it stands.
#[inline(never)]
pub fn object(members: &mut [(&str, Value)]) -> Value {
    Value::Object(members.iter_mut().map(|(name, value)| ((*name).to_owned(), value.take())).collect())
}

/// The same without those that are null.
#[inline(never)]
pub fn object_of_given(members: &mut [(&str, Value)]) -> Value {
    let given = members.iter_mut().filter(|(_, value)| !value.is_null());
    Value::Object(given.map(|(name, value)| ((*name).to_owned(), value.take())).collect())
}

/// An object of these names and, in the same order, these values: `form("type=text text", [text])`. Names are separated
/// by a space; one with a `=` has its value there, a text without spaces.
///
/// A list of pairs would be code for each name wherever it stands, and most of what is sent is names.
pub fn form<const N: usize>(names: &str, mut values: [Value; N]) -> Value {
    fill(names, &mut values, true)
}

/// The same without the values that are null.
pub fn form_of_given<const N: usize>(names: &str, mut values: [Value; N]) -> Value {
    fill(names, &mut values, false)
}

#[inline(never)]
fn fill(names: &str, values: &mut [Value], with_null: bool) -> Value {
    let mut values = values.iter_mut();
    let mut object = Map::new();
    for name in names.split(' ').filter(|name| !name.is_empty()) {
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, value.into()),
            None => (name, values.next().map(Value::take).unwrap_or_default()),
        };
        if with_null || !value.is_null() {
            object.insert(name.to_owned(), value);
        }
    }
    Value::Object(object)
}

/// A count; JavaScript may hand whole numbers over as floats.
pub fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64))
}

impl Field for String {
    const EXPECTED: &'static str = "a string";

    fn read(value: Value) -> Option<String> {
        if let Value::String(text) = value { Some(text) } else { None }
    }
}

impl Field for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(value: Value) -> Option<bool> {
        value.as_bool()
    }
}

impl Field for f64 {
    const EXPECTED: &'static str = "a number";

    fn read(value: Value) -> Option<f64> {
        value.as_f64()
    }
}

/// Settings of this type are times.
impl Field for u64 {
    const EXPECTED: &'static str = "a number of milliseconds";

    fn read(value: Value) -> Option<u64> {
        count(&value)
    }
}

impl Field for usize {
    const EXPECTED: &'static str = "a whole number";

    fn read(value: Value) -> Option<usize> {
        count(&value)?.try_into().ok()
    }
}

impl Field for Vec<Value> {
    const EXPECTED: &'static str = "an array";

    fn read(value: Value) -> Option<Vec<Value>> {
        if let Value::Array(items) = value { Some(items) } else { None }
    }
}

impl Field for Map<String, Value> {
    const EXPECTED: &'static str = "an object";

    fn read(value: Value) -> Option<Map<String, Value>> {
        if let Value::Object(fields) = value { Some(fields) } else { None }
    }
}

/// An object whose own fields are read next.
pub struct Object(pub Value);

impl Field for Object {
    const EXPECTED: &'static str = "an object";

    fn read(value: Value) -> Option<Object> {
        value.is_object().then_some(Object(value))
    }
}
