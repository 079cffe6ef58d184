//! Coercion of a value to a JSON Schema: to the one value that fits and that the given one clearly means.
//!
//! A text is parsed if its type is not allowed and that of the JSON in it is; one value becomes a list of one; `null`
//! for an optional member is left out; names may differ in capitals and `_`. A value that fits is not changed, so a
//! text that may be a text is never parsed. If a schema has alternatives, exactly one result has to fit.
//!
//! Checked are `type`, `enum`, `const`, the limits of numbers, `properties`, `required`, `additionalProperties: false`
//! inside of the arguments, `items`, `anyOf`, `oneOf`, `allOf`, `nullable` and references inside of the schema. Other
//! keywords are left to the tool.

use crate::decimal;
use crate::lenient_json::{self, ReadError};
use serde_json::{Map, Number, Value, json};
use std::cell::Cell;

/// The deepest schema that is followed; deeper values are not changed.
const DEPTH: usize = 64;
/// The number of steps in which arguments are coerced; the rest is then not changed. Alternatives inside of
/// alternatives take exponentially many.
const STEPS: usize = 200_000;

/// The reason why a value cannot be made to fit.
#[derive(Clone, Debug)]
pub(super) enum Misfit {
    /// A required member is missing.
    Missing {
        /// The object: the name of the list or member that it is in, or empty.
        of: String,
        name: String,
    },
    /// A value does not fit.
    Invalid { name: String, given: Value, expected: String },
    /// The JSON in a text has an escape with two meanings.
    Ambiguous(String),
}

/// Coerces arguments to the schema of an object.
pub(super) fn coerce(schema: &Value, given: &Value) -> Result<Value, Misfit> {
    let coercion = Coercion { root: schema, steps: Cell::new(STEPS) };
    coercion.value("", schema, given, 0)
}

struct Coercion<'a> {
    root: &'a Value,
    steps: Cell<usize>,
}

impl Coercion<'_> {
    /// Returns the value of `name` in the form that its schema states.
    fn value(&self, name: &str, schema: &Value, given: &Value, depth: usize) -> Result<Value, Misfit> {
        let left = self.steps.get();
        if depth > DEPTH || left == 0 {
            return Ok(given.clone());
        }
        self.steps.set(left - 1);
        let Value::Object(keywords) = schema else {
            return if *schema == false { Err(invalid(name, schema, given)) } else { Ok(given.clone()) };
        };
        if given.is_null() && keywords.get("nullable") == Some(&Value::Bool(true)) {
            return Ok(Value::Null);
        }
        let mut value = given.clone();
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str).and_then(|path| self.target(path)) {
            value = self.value(name, target, &value, depth + 1)?;
        }
        for every in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            value = self.value(name, every, &value, depth + 1)?;
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(alternatives)) = keywords.get(key) {
                value = self.one_of(name, schema, alternatives, &value, depth)?;
            }
        }
        value = self.typed(name, schema, value, depth)?;
        if !is_listed(keywords, &value) || !is_in_range(keywords, &value) {
            return Err(invalid(name, schema, given));
        }
        Ok(value)
    }

    /// Returns the value itself if it fits one of several schemas, else the only result.
    fn one_of(
        &self,
        name: &str,
        schema: &Value,
        alternatives: &[Value],
        given: &Value,
        depth: usize,
    ) -> Result<Value, Misfit> {
        let mut results: Vec<Value> = Vec::new();
        let mut misfits = Vec::new();
        for alternative in alternatives {
            match self.value(name, alternative, given, depth + 1) {
                Ok(value) if value == *given => return Ok(value),
                Ok(value) if results.contains(&value) => {}
                Ok(value) => results.push(value),
                Err(misfit) => misfits.push((alternative, misfit)),
            }
        }
        if results.len() == 1 {
            return Ok(results.remove(0));
        }
        // If only one of them is of the given type, its own reason is more helpful.
        let mut of_type = misfits.into_iter().filter(|(alternative, _)| {
            kinds(self.followed(alternative)).iter().any(|kind| is(given, kind)) && !given.is_string()
        });
        match (of_type.next(), of_type.next()) {
            (Some((_, misfit)), None) if results.is_empty() => Err(misfit),
            _ => Err(invalid(name, schema, given)),
        }
    }

    /// Returns the value as one of the types of a schema.
    fn typed(&self, name: &str, schema: &Value, given: Value, depth: usize) -> Result<Value, Misfit> {
        let kinds = kinds(schema);
        let is_any = kinds.is_empty() || kinds.iter().any(|kind| !KINDS.contains(kind));
        if is_any || kinds.iter().any(|kind| is(&given, kind)) {
            return match &given {
                Value::Object(members) => self.members(name, schema, members, depth).map(Value::Object),
                Value::Array(items) => self.items(name, schema, items, depth),
                Value::Number(_) if kinds.contains(&"integer") && !kinds.contains(&"number") => {
                    Ok(whole_number(&given).unwrap_or(given))
                }
                Value::String(text) => Ok(listed_in_text(schema, text).unwrap_or(given)),
                _ => Ok(given),
            };
        }
        let mut results = Vec::new();
        let mut reason = None;
        let mut misfit = |misfit| {
            reason.get_or_insert(misfit);
        };
        if let Value::String(text) = &given {
            match parsed(text, &kinds) {
                Ok(Some(inside)) => match self.typed(name, schema, inside, depth + 1) {
                    Ok(value) => results.push(value),
                    Err(inner) => misfit(inner),
                },
                Ok(None) => {}
                Err(escape) => misfit(Misfit::Ambiguous(escape)),
            }
        }
        if kinds.contains(&"string") {
            if let Value::Number(number) = &given {
                results.push(number.to_string().into());
            } else if let Some([text @ Value::String(_)]) = given.as_array().map(Vec::as_slice) {
                results.push(text.clone());
            }
        }
        // A text with commas may be a list.
        let is_one = |given: &Value| match given {
            Value::String(text) => {
                !text.trim().is_empty() && !text.contains([',', ';', '\n', '[', '{', '，', '、', '；'])
            }
            Value::Null => false,
            _ => true,
        };
        if kinds.contains(&"array") && is_one(&given) {
            match self.items(name, schema, std::slice::from_ref(&given), depth) {
                Ok(value) => results.push(value),
                Err(inner) if given.is_object() => misfit(inner),
                Err(_) => {}
            }
        }
        match (results.len(), reason) {
            (1, _) => Ok(results.remove(0)),
            (0, Some(misfit)) => Err(misfit),
            _ => Err(invalid(name, schema, &given)),
        }
    }

    /// Returns the members of an object, each in the form that its schema states.
    fn members(
        &self,
        of: &str,
        schema: &Value,
        given: &Map<String, Value>,
        depth: usize,
    ) -> Result<Map<String, Value>, Misfit> {
        let empty = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&empty);
        let is_required =
            |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let is_inside = depth > 0;
        let mut members = Map::new();
        for (name, value) in given {
            let known = properties.get_key_value(name).map(|(name, _)| name).or_else(|| {
                let mut same =
                    properties.keys().filter(|known| is_same_name(known, name) && !given.contains_key(*known));
                same.next().filter(|_| same.next().is_none())
            });
            let Some(known) = known else {
                match &schema["additionalProperties"] {
                    // A name inside a list that is unknown is a misspelt one.
                    Value::Bool(false) if is_inside => {
                        return Err(invalid(of, schema, &Value::Object(given.clone())));
                    }
                    more @ Value::Object(_) => {
                        members.insert(name.clone(), self.value(name, more, value, depth + 1)?);
                    }
                    _ => drop(members.insert(name.clone(), value.clone())),
                }
                continue;
            };
            match self.value(known, &properties[known], value, depth + 1) {
                Ok(value) => drop(members.insert(known.clone(), value)),
                // Models write null for what they leave out.
                Err(_) if value.is_null() => {}
                Err(misfit) => return Err(misfit),
            }
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        match required.into_iter().find(|name| is_required(name) && !members.contains_key(*name)) {
            Some(name) => Err(Misfit::Missing { of: of.to_owned(), name: name.to_owned() }),
            None => Ok(members),
        }
    }

    fn items(&self, name: &str, schema: &Value, given: &[Value], depth: usize) -> Result<Value, Misfit> {
        let Some(each) = schema.get("items") else { return Ok(given.into()) };
        let first = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        let item = |(at, item): (usize, &Value)| {
            self.value(name, first.get(at).unwrap_or(each), item, depth + 1).map_err(|misfit| match misfit {
                // Of a list that is refused, the model is told the form of the whole list.
                Misfit::Invalid { name: inner, .. } if inner == name => invalid(name, schema, &given.into()),
                misfit => misfit,
            })
        };
        given.iter().enumerate().map(item).collect()
    }

    /// Returns the schema that a reference inside of the root refers to.
    fn target(&self, path: &str) -> Option<&Value> {
        self.root.pointer(path.strip_prefix('#')?)
    }

    fn followed<'s>(&'s self, schema: &'s Value) -> &'s Value {
        schema["$ref"].as_str().and_then(|path| self.target(path)).unwrap_or(schema)
    }
}

/// The types of JSON Schema.
const KINDS: [&str; 7] = ["string", "boolean", "number", "integer", "array", "object", "null"];

fn kinds(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => whole_number(value).is_some(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

/// Returns a whole number without a fraction of zero.
fn whole_number(value: &Value) -> Option<Value> {
    if value.is_i64() || value.is_u64() {
        return Some(value.clone());
    }
    let number = value.as_f64()?;
    (number.fract() == 0.0 && number.abs() < 9e15).then(|| Value::from(number as i64))
}

/// Returns the value that a text states in one of these types, which do not include texts. Fails with an escape that
/// has two meanings.
fn parsed(text: &str, kinds: &[&str]) -> Result<Option<Value>, String> {
    let text = text.trim();
    let value = match text {
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        "None" => Some(Value::Null),
        _ => match lenient_json::read(text) {
            Ok(value) => Some(value),
            Err(ReadError::Ambiguous(escape)) => return Err(escape),
            // JSON does not accept `+3` and `03`.
            Err(ReadError::Json(_))
                if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) =>
            {
                let number = decimal::read(text).and_then(Number::from_f64).map(Value::Number);
                number.map(|number| whole_number(&number).unwrap_or(number))
            }
            Err(ReadError::Json(_)) => None,
        },
    };
    // One object is a list of one.
    let fits =
        |value: &Value| kinds.iter().any(|kind| is(value, kind)) || (kinds.contains(&"array") && value.is_object());
    Ok(value.filter(|value| !value.is_string() && fits(value)))
}

/// Returns the listed value that is not a text and that a text states.
fn listed_in_text(schema: &Value, text: &str) -> Option<Value> {
    let listed = schema["enum"].as_array()?;
    if listed.iter().any(|listed| listed == text) {
        return None;
    }
    lenient_json::read(text.trim()).ok().filter(|value| listed.contains(value))
}

fn is_listed(keywords: &Map<String, Value>, value: &Value) -> bool {
    let is_one = keywords.get("enum").and_then(Value::as_array).is_none_or(|listed| listed.contains(value));
    is_one && keywords.get("const").is_none_or(|only| only == value)
}

fn is_in_range(keywords: &Map<String, Value>, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return true };
    let limit = |key: &str| keywords.get(key).and_then(Value::as_f64);
    limit("minimum").is_none_or(|least| number >= least)
        && limit("maximum").is_none_or(|most| number <= most)
        && limit("exclusiveMinimum").is_none_or(|least| number > least)
        && limit("exclusiveMaximum").is_none_or(|most| number < most)
}

fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    letters(one) == letters(other)
}

fn invalid(name: &str, schema: &Value, given: &Value) -> Misfit {
    Misfit::Invalid { name: name.to_owned(), given: given.clone(), expected: expected(schema) }
}

/// Returns the accepted form in the terms of JSON Schema, which are the same in every language.
fn expected(schema: &Value) -> String {
    let kinds = kinds(schema);
    let limits = schema["minimum"].as_i64().zip(schema["maximum"].as_i64());
    match (schema["enum"].as_array(), schema.get("const"), limits) {
        (Some(listed), ..) => listed.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "),
        (_, Some(only), _) => only.to_string(),
        (_, _, Some((least, most))) => format!("{} {least}–{most}", kinds.join(" or ")),
        _ if kinds == ["integer"] && schema["minimum"].is_i64() => format!("integer from {} on", schema["minimum"]),
        _ if kinds == ["array"] => match (members_of(&schema["items"]), &*self::kinds(&schema["items"])) {
            (Some(members), _) => format!("array of {{{members}}}"),
            (None, []) => "array".to_owned(),
            (None, kinds) => format!("array of {}", kinds.join(" or ")),
        },
        _ if kinds == ["object"] => members_of(schema).map_or("object".to_owned(), |members| format!("{{{members}}}")),
        _ if !kinds.is_empty() => kinds.join(" or "),
        _ => {
            let alternatives = ["anyOf", "oneOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
            let expected: Vec<String> = alternatives.map(expected).filter(|one| !one.is_empty()).collect();
            if expected.is_empty() { json!(schema).to_string() } else { expected.join(" or ") }
        }
    }
}

/// Returns the names of the members of an object's schema.
fn members_of(schema: &Value) -> Option<String> {
    let names: Vec<&str> = schema["properties"].as_object()?.keys().map(String::as_str).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
