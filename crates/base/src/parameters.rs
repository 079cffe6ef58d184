//! Parameters of calls, described by structs.
//!
//! A struct with derived `Deserialize` and `JsonSchema` is the only definition of a call's parameters: [`schema`] is
//! the JSON Schema that models are given, and [`read`] checks and reads what they send. Models get some things almost
//! right (a number as text, `null` for what they leave out, `startLine` for `start_line`): these are accepted.
//! Everything else that does not match is an error that names the parameter and the accepted form. Unknown names are
//! ignored beside the parameters of a call, and are an error in the objects of a list, where they are misspelt ones.
//!
//! A doc comment of a field is its English description. Two attributes of schemars add what JSON Schema has no word
//! for: `extend("zh-CN" = "…")` is the Chinese description, `extend("hidden" = true)` makes a parameter that is
//! accepted but not offered.
//!
//! ```
//! use copydesk_base::{Locale, parameters};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Search {
//!     /// The words to search for.
//!     query: String,
//!     /// The number of results.
//!     #[schemars(range(min = 1, max = 10), extend("zh-CN" = "结果数量"))]
//!     count: Option<i64>,
//! }
//!
//! let search: Search = parameters::read("search", &json!({ "query": "tea", "count": "3" }))?;
//! assert_eq!(search.count, Some(3));
//! let schema = parameters::schema::<Search>(Locale::ZhCn);
//! assert_eq!(schema["properties"]["count"]["description"], "结果数量");
//! # Ok::<(), copydesk_base::Error>(())
//! ```

use crate::decode;
use crate::error::{Error, excerpt};
use crate::locale::Locale;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The Chinese description of a parameter.
const CHINESE: &str = "zh-CN";
/// The mark of a parameter that is accepted but not offered.
const HIDDEN: &str = "hidden";

/// The parameters of a call: any struct that derives both traits.
pub trait Parameters: DeserializeOwned + JsonSchema {}

impl<P: DeserializeOwned + JsonSchema> Parameters for P {}

/// Returns the JSON Schema that models are given: one flat object, without references or `null` types, with the
/// properties in the order of the struct's fields.
pub fn schema<P: JsonSchema>(locale: Locale) -> Value {
    offer(&definition::<P>(), locale, &[])
}

/// Returns the same schema with these hidden parameters offered.
pub fn schema_offering<P: JsonSchema>(locale: Locale, hidden: &[&str]) -> Value {
    offer(&definition::<P>(), locale, hidden)
}

/// Reads the arguments of `call`.
///
/// # Errors
/// [`Error::InvalidArguments`] where they are not an object; [`Error::MissingParameter`] and
/// [`Error::InvalidParameter`] name the first parameter that is missing or does not match.
pub fn read<P: Parameters>(call: &str, arguments: &Value) -> Result<P, Error> {
    let Value::Object(given) = arguments else {
        return Err(Error::InvalidArguments { reason: format!("{} was given", excerpt(&arguments.to_string())) });
    };
    let coerced = coerce_object(call, &definition::<P>(), given)?;
    decode::from_value(&coerced.into()).map_err(|error| Error::InvalidArguments { reason: error.to_string() })
}

/// Returns the schema of a struct in a plain form: `type`, limits, `enum`, `items`, `properties`, `required`, the
/// descriptions and marks.
fn definition<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    plain(settings.into_generator().into_root_schema_for::<P>().as_value())
}

/// Reduces a derived schema to the plain form.
fn plain(derived: &Value) -> Value {
    let mut plain = Map::new();
    let is_null = |schema: &&Value| schema["type"] == "null";
    let variants: Vec<&Value> = ["anyOf", "oneOf"]
        .iter()
        .filter_map(|key| derived[key].as_array())
        .flatten()
        .filter(|of| !is_null(of))
        .collect();
    let names: Vec<Value> = variants.iter().filter_map(|variant| variant.get("const")).cloned().collect();
    if !names.is_empty() {
        plain.insert("type".into(), "string".into());
        plain.insert("enum".into(), names.into());
    } else if let [only] = variants[..]
        && let Value::Object(only) = self::plain(only)
    {
        plain = only;
    }
    if let Some(kind) = derived.get("type") {
        let kind = kind.as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")).unwrap_or(kind);
        plain.insert("type".into(), kind.clone());
    }
    if let Some(Value::Object(properties)) = derived.get("properties") {
        let properties = properties.iter().map(|(name, property)| (name.clone(), self::plain(property)));
        plain.insert("properties".into(), Value::Object(properties.collect()));
    } else if plain.get("type").is_some_and(|kind| kind == "object") {
        // Some servers refuse a function whose object has no properties at all.
        plain.insert("properties".into(), Map::new().into());
    }
    if let Some(items) = derived.get("items") {
        plain.insert("items".into(), self::plain(items));
    }
    if let Some(Value::Array(values)) = derived.get("enum") {
        plain.insert("enum".into(), values.iter().filter(|value| !value.is_null()).cloned().collect());
    }
    for key in ["required", "minimum", "maximum", "description", CHINESE, HIDDEN] {
        if let Some(value) = derived.get(key) {
            plain.insert(key.into(), value.clone());
        }
    }
    plain.into()
}

/// Returns the schema of an object as models are given it.
fn offer(object: &Value, locale: Locale, offered: &[&str]) -> Value {
    let mut schema = offered_object(object, locale, offered);
    schema.insert("additionalProperties".into(), false.into());
    schema.into()
}

fn offered_object(object: &Value, locale: Locale, offered: &[&str]) -> Map<String, Value> {
    let is_offered =
        |(name, property): &(&String, &Value)| property.get(HIDDEN).is_none() || offered.contains(&name.as_str());
    let properties = properties(object).filter(is_offered);
    let properties = properties.map(|(name, property)| (name.clone(), offered_property(property, locale)));
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties.collect()));
    if let Some(required) = object.get("required") {
        schema.insert("required".into(), required.clone());
    }
    schema
}

fn offered_property(property: &Value, locale: Locale) -> Value {
    let mut schema = Map::new();
    for key in ["type", "minimum", "maximum", "enum"] {
        if let Some(value) = property.get(key) {
            schema.insert(key.into(), value.clone());
        }
    }
    if let Some(items) = property.get("items") {
        schema.insert("items".into(), offered_object(items, locale, &[]).into());
    }
    let english = property["description"].as_str().map(|text| text.replace('\n', " "));
    let chinese = property[CHINESE].as_str().map(str::to_owned);
    let description = match locale {
        Locale::En => english,
        Locale::ZhCn => chinese.or(english),
    };
    if let Some(description) = description {
        schema.insert("description".into(), description.into());
    }
    schema.into()
}

fn properties(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object["properties"].as_object().into_iter().flatten()
}

/// Returns the arguments in the form that the schema of an object states: numbers in place of texts, `null`s and
/// unknown names left out.
fn coerce_object(call: &str, object: &Value, given: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let is_required = |name: &str| object["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let mut coerced = Map::new();
    for (name, property) in properties(object) {
        match lookup(given, name).filter(|value| !value.is_null()) {
            Some(value) => {
                coerced.insert(name.clone(), coerce(name, property, value)?);
            }
            None if is_required(name) => {
                return Err(Error::MissingParameter { call: call.to_owned(), name: name.clone() });
            }
            None => {}
        }
    }
    Ok(coerced)
}

/// Returns the value of a parameter, under its name or else under one that differs in capitals and `_` only.
fn lookup<'a>(given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    given.get(name).or_else(|| given.iter().find(|(other, _)| is_same_name(other, name)).map(|(_, value)| value))
}

fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
    letters(one) == letters(other)
}

/// Returns a value in the form that its schema states.
fn coerce(name: &str, property: &Value, given: &Value) -> Result<Value, Error> {
    let coerced = match (property["type"].as_str().unwrap_or_default(), given) {
        ("string", Value::String(_)) => {
            property["enum"].as_array().is_none_or(|accepted| accepted.contains(given)).then(|| given.clone())
        }
        ("boolean", Value::Bool(_)) => Some(given.clone()),
        ("boolean", Value::String(text)) => text.trim().parse::<bool>().ok().map(Value::from),
        ("integer", _) => {
            let limit = |key: &str, default: i64| property[key].as_i64().unwrap_or(default);
            let range = limit("minimum", i64::MIN)..=limit("maximum", i64::MAX);
            whole_number(given).filter(|number| range.contains(number)).map(Value::from)
        }
        ("array", Value::Array(items)) => return coerce_items(name, property, items, given),
        // One object alone is a list of one.
        ("array", Value::Object(_)) => return coerce_items(name, property, std::slice::from_ref(given), given),
        // Some models write the list as text.
        ("array", Value::String(text)) => match serde_json::from_str::<Value>(text) {
            Ok(inside @ (Value::Array(_) | Value::Object(_))) => return coerce(name, property, &inside),
            _ => None,
        },
        _ => None,
    };
    coerced.ok_or_else(|| invalid(name, property, given))
}

fn coerce_items(name: &str, property: &Value, items: &[Value], given: &Value) -> Result<Value, Error> {
    let is_known = |given: &String| properties(&property["items"]).any(|(name, _)| is_same_name(given, name));
    let item = |item: &Value| match item {
        Value::Object(item) if item.keys().all(is_known) => {
            coerce_object(name, &property["items"], item).map(Value::Object)
        }
        // An unknown name is a misspelt one: without it, an edit of one line would be one of the whole document.
        _ => Err(invalid(name, property, given)),
    };
    items.iter().map(item).collect()
}

fn invalid(name: &str, property: &Value, given: &Value) -> Error {
    Error::InvalidParameter { name: name.to_owned(), given: excerpt(&given.to_string()), expected: expected(property) }
}

/// Returns the accepted form in the terms of JSON Schema, which are the same in every language.
fn expected(property: &Value) -> String {
    let kind = property["type"].as_str().unwrap_or_default();
    match (property["enum"].as_array(), property["minimum"].as_i64().zip(property["maximum"].as_i64())) {
        (Some(accepted), _) => accepted.iter().map(Value::to_string).collect::<Vec<_>>().join(" | "),
        (_, Some((minimum, maximum))) => format!("{kind} {minimum}–{maximum}"),
        _ if kind == "array" => {
            let names: Vec<&str> = properties(&property["items"]).map(|(name, _)| name.as_str()).collect();
            format!("array of {{{}}}", names.join(", "))
        }
        _ => kind.to_owned(),
    }
}

fn whole_number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse::<f64>().ok()?,
        _ => return None,
    };
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}
