//! Parameters of calls, described by structs.
//!
//! A struct with derived `Deserialize` and `JsonSchema` is the only definition of a call's parameters: [`schema`] is
//! the JSON Schema that models are given, and [`read`] checks and reads what they send. Models get some things almost
//! right (a number or a list as text, `null` for what they leave out, `startLine` for `start_line`): these are
//! accepted, as they are for the schemas of an app's tools ([`coerce`]). Everything else that does not match is an
//! error that names the parameter and the accepted form. Unknown names are ignored beside the parameters of a call, and
//! are an error in the objects of a list, where they are misspelt ones.
//!
//! The description of a field is its doc comment, or the message that `description = …` gives in the language of the
//! schema ([`locale`]). `extend("hidden" = true)` makes a parameter that is accepted but not offered.
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
//!     #[schemars(range(min = 1, max = 10))]
//!     count: Option<i64>,
//! }
//!
//! let search: Search = parameters::read("search", &json!({ "query": "tea", "count": "3" }))?;
//! assert_eq!(search.count, Some(3));
//! let schema = parameters::schema::<Search>(Locale::ZhCn);
//! assert_eq!(schema["properties"]["count"]["description"], "The number of results.");
//! # Ok::<(), copydesk_base::Error>(())
//! ```

mod coercion;

use crate::decode;
use crate::error::{Error, excerpt};
use crate::lenient_json;
use crate::locale::Locale;
use coercion::Misfit;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The mark of a parameter that is accepted but not offered.
const HIDDEN: &str = "hidden";

/// The parameters of a call: any struct that derives both traits.
pub trait Parameters: DeserializeOwned + JsonSchema + 'static {}

impl<P: DeserializeOwned + JsonSchema + 'static> Parameters for P {}

/// Returns the JSON Schema that models are given: one flat object, without references or `null` types, with the
/// properties in the order of the struct's fields.
pub fn schema<P: JsonSchema>(locale: Locale) -> Value {
    schema_offering::<P>(locale, &[])
}

/// Returns the same schema with these hidden parameters offered.
pub fn schema_offering<P: JsonSchema>(locale: Locale, hidden: &[&str]) -> Value {
    let before = LOCALE.replace(locale);
    let schema = offer(&definition::<P>(), hidden);
    LOCALE.set(before);
    schema
}

thread_local! {
    /// The language of the schema that is being made: schemars passes nothing to the descriptions of fields.
    static LOCALE: Cell<Locale> = const { Cell::new(Locale::En) };
    /// The definitions that arguments were read by.
    static DEFINITIONS: RefCell<FxHashMap<TypeId, Rc<Value>>> = RefCell::default();
}

/// Returns the language of the schema that is being made.
pub fn locale() -> Locale {
    LOCALE.get()
}

/// Reads the arguments of `call`.
///
/// # Errors
/// [`Error::InvalidArguments`] if they are not an object; [`Error::MissingParameter`] and
/// [`Error::InvalidParameter`] name the first parameter that is missing or does not match.
pub fn read<P: Parameters>(call: &str, arguments: &Value) -> Result<P, Error> {
    let Value::Object(given) = arguments else {
        return Err(Error::InvalidArguments { reason: format!("{} was given", excerpt(&arguments.to_string())) });
    };
    let definition = known_definition(TypeId::of::<P>(), definition::<P>);
    let mut coerced = coerce(call, &definition, given)?;
    coerced.retain(|name, _| properties(&definition).any(|(known, _)| known == name));
    decode::from_value(&coerced.into()).map_err(|error| Error::InvalidArguments { reason: error.to_string() })
}

/// Returns the definition of a type, which is made once.
fn known_definition(of: TypeId, make: fn() -> Value) -> Rc<Value> {
    let known = DEFINITIONS.with_borrow(|known| known.get(&of).cloned());
    known.unwrap_or_else(|| {
        let made = Rc::new(make());
        DEFINITIONS.with_borrow_mut(|known| known.insert(of, made.clone()));
        made
    })
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
        let mut items = self::plain(items);
        if let Some(Value::Object(_)) = items.get("properties") {
            // Without a misspelt name, an edit of one line would be one of the whole document.
            items["additionalProperties"] = false.into();
        }
        plain.insert("items".into(), items);
    }
    if let Some(Value::Array(values)) = derived.get("enum") {
        plain.insert("enum".into(), values.iter().filter(|value| !value.is_null()).cloned().collect());
    }
    for key in ["required", "minimum", "maximum", "description", HIDDEN] {
        if let Some(value) = derived.get(key) {
            plain.insert(key.into(), value.clone());
        }
    }
    plain.into()
}

/// Returns the schema of an object as models are given it.
fn offer(object: &Value, offered: &[&str]) -> Value {
    let mut schema = offered_object(object, offered);
    schema.insert("additionalProperties".into(), false.into());
    schema.into()
}

fn offered_object(object: &Value, offered: &[&str]) -> Map<String, Value> {
    let is_offered =
        |(name, property): &(&String, &Value)| property.get(HIDDEN).is_none() || offered.contains(&name.as_str());
    let properties = properties(object).filter(is_offered);
    let properties = properties.map(|(name, property)| (name.clone(), offered_property(property)));
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties.collect()));
    if let Some(required) = object.get("required") {
        schema.insert("required".into(), required.clone());
    }
    schema
}

fn offered_property(property: &Value) -> Value {
    let mut schema = Map::new();
    for key in ["type", "minimum", "maximum", "enum"] {
        if let Some(value) = property.get(key) {
            schema.insert(key.into(), value.clone());
        }
    }
    if let Some(items) = property.get("items") {
        schema.insert("items".into(), offered_object(items, &[]).into());
    }
    if let Some(description) = property["description"].as_str() {
        schema.insert("description".into(), description.replace('\n', " ").into());
    }
    schema.into()
}

fn properties(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object["properties"].as_object().into_iter().flatten()
}

/// Returns the arguments of `call` in the form that a JSON Schema states, such as that of an app's tool.
///
/// # Errors
/// As those of [`read`]; [`Error::AmbiguousEscape`] if a text with JSON in it has an escape with two meanings.
pub fn coerce(call: &str, schema: &Value, given: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let given = &unwrapped(schema, given);
    match coercion::coerce(schema, &Value::Object(given.clone())) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        // The schema is not that of an object.
        Ok(_) => Ok(given.clone()),
        Err(Misfit::Missing { of, name }) => {
            Err(Error::MissingParameter { call: if of.is_empty() { call.to_owned() } else { of }, name })
        }
        Err(Misfit::Invalid { name, given, expected }) => {
            let name = if name.is_empty() { call.to_owned() } else { name };
            Err(Error::InvalidParameter { name, given: excerpt(&given.to_string()), expected })
        }
        Err(Misfit::Ambiguous(escape)) => Err(Error::AmbiguousEscape { escape }),
    }
}

/// Returns the arguments inside of the only member, if that is a wrapper such as `arguments` and no parameter.
fn unwrapped(schema: &Value, given: &Map<String, Value>) -> Map<String, Value> {
    const WRAPPERS: [&str; 5] = ["arguments", "parameters", "args", "input", "params"];
    let mut members = given.iter();
    let (Some((name, inner)), None) = (members.next(), members.next()) else { return given.clone() };
    let is_parameter = properties(schema).any(|(known, _)| known == name);
    let is_open =
        schema.get("additionalProperties").is_some_and(|more| *more != false) || schema["properties"].is_null();
    if is_parameter || is_open || !WRAPPERS.contains(&name.as_str()) {
        return given.clone();
    }
    match inner {
        Value::Object(inner) => inner.clone(),
        Value::String(text) => match lenient_json::read(text) {
            Ok(Value::Object(inner)) => inner,
            _ => given.clone(),
        },
        _ => given.clone(),
    }
}
