//! The arguments of a call, read by the JSON Schema of their struct.
//!
//! One struct is the only source of a call's parameters: schemars derives the schema that models are shown,
//! and [`read`] holds what they send against that same schema. Models get some things almost right (a number
//! as text, `null` for what they leave out): those are taken. Everything else that does not fit is an error
//! that names the parameter and what is accepted.

use crate::error::{Error, excerpt};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The JSON Schema of a params struct: one flat object, without references, titles or `null` types.
pub fn schema<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<P>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.remove("description");
        object.insert("additionalProperties".into(), Value::Bool(false));
        // Some servers refuse a function whose object has no properties at all.
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    for property in properties_mut(&mut schema).into_iter().flat_map(Map::values_mut) {
        tidy(property);
    }
    schema
}

/// Gives each property of a schema its description.
pub fn describe(schema: &mut Value, descriptions: &[(&str, &str)]) {
    let Some(properties) = properties_mut(schema) else { return };
    for (name, description) in descriptions {
        if let Some(Value::Object(property)) = properties.get_mut(*name) {
            property.insert("description".into(), Value::String((*description).to_owned()));
        }
    }
}

/// Reads the arguments of `call` into its params struct.
pub fn read<P: JsonSchema + DeserializeOwned>(call: &str, arguments: &Value) -> Result<P, Error> {
    let Value::Object(given) = arguments else {
        return Err(Error::InvalidArguments { reason: format!("{} was given", excerpt(&arguments.to_string())) });
    };
    let schema = schema::<P>();
    let fitted = fit(call, &schema, given)?;
    serde_json::from_value(Value::Object(fitted))
        .map_err(|error| Error::InvalidArguments { reason: excerpt(&error.to_string()) })
}

/// The arguments as the schema wants them: numbers out of texts, `null`s and unknown names left out.
fn fit(call: &str, schema: &Value, given: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let mut fitted = Map::new();
    let Some(properties) = schema["properties"].as_object() else { return Ok(fitted) };
    for (name, property) in properties {
        match given.get(name).filter(|value| !value.is_null()) {
            Some(value) => {
                fitted.insert(name.clone(), fit_value(name, property, value)?);
            }
            None if is_required(schema, name) => {
                return Err(Error::MissingParameter { call: call.to_owned(), name: name.clone() });
            }
            None => {}
        }
    }
    Ok(fitted)
}

fn fit_value(name: &str, property: &Value, given: &Value) -> Result<Value, Error> {
    let kind = property["type"].as_str().unwrap_or_default();
    let value = match (kind, given) {
        ("integer", _) => whole_number(given).map(Value::from),
        ("number", Value::String(text)) => crate::number::parse(text.trim()).map(Value::from),
        ("boolean", Value::String(text)) => text.trim().parse::<bool>().ok().map(Value::from),
        ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) | ("string", Value::String(_)) => {
            Some(given.clone())
        }
        ("array", Value::Array(_) | Value::Object(_)) => return fit_items(name, property, given),
        // Some models write what is inside as text.
        ("array", Value::String(text)) => {
            let inside = serde_json::from_str::<Value>(text).ok().filter(|value| value.is_array() || value.is_object());
            return inside
                .map(|inside| fit_items(name, property, &inside))
                .unwrap_or_else(|| Err(invalid(name, property, given)));
        }
        ("number" | "boolean" | "string" | "array", _) => None,
        _ => Some(given.clone()),
    };
    value
        .filter(|value| in_range(property, value) && in_enum(property, value))
        .ok_or_else(|| invalid(name, property, given))
}

/// A list of objects; one object alone is a list of one.
fn fit_items(name: &str, property: &Value, given: &Value) -> Result<Value, Error> {
    let items = given.as_array().map_or_else(|| std::slice::from_ref(given), Vec::as_slice);
    let fitted = items.iter().map(|item| match item {
        Value::Object(item) => fit(name, &property["items"], item).map(Value::Object),
        _ => Err(invalid(name, property, given)),
    });
    fitted.collect::<Result<Vec<Value>, Error>>().map(Value::Array)
}

fn invalid(name: &str, property: &Value, given: &Value) -> Error {
    Error::InvalidParameter { name: name.to_owned(), given: excerpt(&given.to_string()), expected: expected(property) }
}

fn whole_number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_i64().map(|whole| whole as f64).or(number.as_f64())?,
        Value::String(text) => crate::number::parse(text.trim())?,
        _ => return None,
    };
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

fn in_range(property: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return true };
    property["minimum"].as_f64().is_none_or(|minimum| number >= minimum)
        && property["maximum"].as_f64().is_none_or(|maximum| number <= maximum)
}

fn in_enum(property: &Value, value: &Value) -> bool {
    property["enum"].as_array().is_none_or(|accepted| accepted.contains(value))
}

/// What a property accepts, in the words of JSON Schema: they read the same in every language.
fn expected(property: &Value) -> String {
    if let Some(accepted) = property["enum"].as_array() {
        return accepted.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    let kind = property["type"].as_str().unwrap_or("value");
    if let Some(inside) = property["items"]["properties"].as_object() {
        let names: Vec<&str> = inside.keys().map(String::as_str).collect();
        return format!("array of {{{}}}", names.join(", "));
    }
    match (property["minimum"].as_i64(), property["maximum"].as_i64()) {
        (Some(minimum), Some(maximum)) => format!("{kind} {minimum}–{maximum}"),
        (Some(minimum), None) => format!("{kind} ≥ {minimum}"),
        _ => kind.to_owned(),
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|entry| entry == name))
}

fn properties_mut(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    schema.get_mut("properties")?.as_object_mut()
}

/// `Option<T>` is `["T", "null"]` to schemars; models understand "not required" better.
fn tidy(property: &mut Value) {
    let Some(object) = property.as_object_mut() else { return };
    if let Some(items) = object.get_mut("items") {
        tidy(items);
        items.as_object_mut().map(|items| items.remove("description"));
        properties_mut(items).into_iter().flat_map(Map::values_mut).for_each(tidy);
    }
    object.remove("format");
    object.remove("default");
    if let Some(Value::Array(variants)) = object.get("anyOf").cloned()
        && let Some(Value::Object(inner)) = variants.into_iter().find(|variant| variant["type"] != "null")
    {
        object.remove("anyOf");
        object.extend(inner);
    }
    // A documented enum is a list of constants to schemars.
    if let Some(Value::Array(variants)) = object.get("oneOf")
        && let Some(accepted) = variants.iter().map(|variant| variant.get("const").cloned()).collect::<Option<Value>>()
    {
        object.remove("oneOf");
        object.insert("type".into(), "string".into());
        object.insert("enum".into(), accepted);
    }
    if let Some(Value::Array(kinds)) = object.get("type")
        && let Some(kind) = kinds.iter().find(|kind| *kind != "null").cloned()
    {
        object.insert("type".into(), kind);
    }
    if let Some(Value::Array(accepted)) = object.get_mut("enum") {
        accepted.retain(|value| !value.is_null());
    }
}
