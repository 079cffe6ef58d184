//! Arguments of an app's tools in another form than their schema states.

use crate::random::Random;
use copydesk_base::parameters::coerce;
use copydesk_base::{ErrorInfo, Locale};
use serde_json::{Map, Value, json};

/// Coerces one argument `v` with this schema; the code of the error if it is refused.
fn coerced(schema: &Value, given: Value) -> Result<Value, &'static str> {
    let schema = json!({ "type": "object", "properties": { "v": schema }, "required": ["v"], "$defs": {
        "Range": { "type": "object", "properties": { "from": { "type": "integer" } }, "required": ["from"] },
        "Tree": { "type": "object", "properties": { "size": { "type": "integer" },
            "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } } },
    } });
    let Value::Object(given) = json!({ "v": given }) else { unreachable!() };
    coerce("tool", &schema, &given).map(|mut coerced| coerced.remove("v").unwrap()).map_err(|error| error.code())
}

#[test]
fn a_value_that_means_one_thing_is_taken() {
    let integers = json!({ "type": "array", "items": { "type": "integer" } });
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let or_null = json!({ "anyOf": [{ "type": "array", "items": { "type": "integer" } }, { "type": "null" }] });
    let edit =
        json!({ "type": "object", "properties": { "line": { "type": "integer" }, "text": { "type": "string" } } });
    let edits = json!({ "type": "array", "items": edit });
    for (schema, given, expected) in [
        (json!({ "type": "integer" }), json!("5"), json!(5)),
        (json!({ "type": "integer" }), json!(" 5.0 "), json!(5)),
        (json!({ "type": "integer" }), json!(5.0), json!(5)),
        (json!({ "type": "number" }), json!("2.5"), json!(2.5)),
        (json!({ "type": "boolean" }), json!("true"), json!(true)),
        (json!({ "type": "boolean" }), json!("False"), json!(false)),
        (json!({ "type": "null" }), json!("null"), Value::Null),
        (json!({ "type": ["integer", "null"] }), json!("null"), Value::Null),
        (json!({ "type": "integer", "nullable": true }), Value::Null, Value::Null),
        (json!({ "type": ["integer", "null"] }), json!("7"), json!(7)),
        (json!({ "enum": [1, 2, 3] }), json!("2"), json!(2)),
        (json!({ "type": "integer", "enum": [1, 2] }), json!("2"), json!(2)),
        (integers.clone(), json!(["1", 2]), json!([1, 2])),
        (integers.clone(), json!("[1, \"2\"]"), json!([1, 2])),
        (integers.clone(), json!(1), json!([1])),
        (integers, json!("1"), json!([1])),
        (strings.clone(), json!("[\"a\"]"), json!(["a"])),
        (strings.clone(), json!("black tea"), json!(["black tea"])),
        (or_null.clone(), json!("null"), Value::Null),
        (or_null, json!("[1]"), json!([1])),
        (edit.clone(), json!("{\"line\":\"2\",\"text\":\"$\\frac12$\"}"), json!({ "line": 2, "text": "$\\frac12$" })),
        (edits.clone(), json!({ "line": "2" }), json!([{ "line": 2 }])),
        (edits, json!("{\"Line\":2}"), json!([{ "line": 2 }])),
        (edit, json!({ "line": null, "more": "1" }), json!({ "more": "1" })),
        (json!({ "$ref": "#/$defs/Range" }), json!("{\"from\":\"1\"}"), json!({ "from": 1 })),
        (
            json!({ "$ref": "#/$defs/Tree" }),
            json!({ "children": [{ "size": "1" }] }),
            json!({ "children": [{ "size": 1 }] }),
        ),
        (
            json!({ "oneOf": [{ "type": "integer" }, { "$ref": "#/$defs/Range" }] }),
            json!("{\"from\":1}"),
            json!({ "from": 1 }),
        ),
        (json!({ "allOf": [{ "type": "integer" }, { "minimum": 1 }] }), json!("3"), json!(3)),
        (
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            json!({ "a": "1" }),
            json!({ "a": 1 }),
        ),
    ] {
        assert_eq!(coerced(&schema, given.clone()), Ok(expected), "{given} as {schema}");
    }
}

#[test]
fn a_value_that_fits_stays_as_it_is() {
    let any_of = json!({ "anyOf": [{ "type": "string" }, { "type": "array" }, { "type": "integer" }] });
    for (schema, given) in [
        (json!({ "type": "string" }), json!("[1]")),
        (json!({ "type": "string" }), json!("5")),
        (json!({ "type": ["string", "integer"] }), json!("5")),
        (any_of.clone(), json!("[1]")),
        (any_of, json!("null")),
        (json!({}), json!("5")),
        (json!(true), json!("5")),
        (json!({ "type": "date" }), json!("5")),
        (json!({ "enum": ["1", 1] }), json!("1")),
        (json!({ "$ref": "https://schemas.example/x" }), json!("5")),
        (json!({ "type": "object" }), json!({ "camelCase": "1", "null": null })),
    ] {
        assert_eq!(coerced(&schema, given.clone()), Ok(given.clone()), "{given} as {schema}");
    }
}

#[test]
fn what_does_not_fit_or_may_mean_two_things_is_refused() {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let lists = json!({ "oneOf": [{ "type": "integer" }, { "type": "array", "items": { "type": "integer" } }] });
    for (schema, given) in [
        (json!({ "type": "string" }), json!(true)),
        (json!({ "type": "string" }), json!(["green", "black"])),
        (json!({ "type": "string" }), json!([5])),
        (json!({ "type": "integer" }), json!("five")),
        (json!({ "type": "integer" }), json!("")),
        (json!({ "type": "integer" }), json!("1,000")),
        (json!({ "type": "integer" }), json!(2.5)),
        (json!({ "type": "boolean" }), json!(1)),
        (json!({ "type": "boolean" }), json!("yes")),
        (json!({ "type": "object" }), json!("{'a': 1}")),
        (strings.clone(), json!("green tea, black tea")),
        (strings.clone(), json!("[broken")),
        (strings, json!("")),
        // The number or a list of it.
        (lists, json!("5")),
        (json!({ "type": "integer", "minimum": 1 }), json!("0")),
        (json!({ "enum": ["a", "b"] }), json!("A")),
        (json!(false), json!(1)),
    ] {
        assert_eq!(coerced(&schema, given.clone()), Err("invalid_parameter"), "{given} as {schema}");
    }
    assert_eq!(coerced(&json!({ "type": "string" }), Value::Null), Err("missing_parameter"));
    assert_eq!(coerced(&json!({ "$ref": "#/$defs/Range" }), json!({})), Err("missing_parameter"));
    assert_eq!(coerced(&json!({ "type": "object" }), json!(r#"{"folder":"C:\new"}"#)), Err("ambiguous_escape"));
}

#[test]
fn an_error_names_the_parameter_and_the_accepted_form() {
    let schema = json!({ "type": "object", "properties": {
        "line": { "type": "integer", "minimum": 1 },
        "ranges": { "type": "array", "items": { "type": "object", "properties": { "from": { "type": "integer" } } } },
        "kind": { "anyOf": [{ "const": "a" }, { "type": "null" }] },
    } });
    let said = |given: Value| {
        let Value::Object(given) = given else { unreachable!() };
        coerce("tool", &schema, &given).unwrap_err().message(Locale::En)
    };
    assert!(said(json!({ "line": "0" })).starts_with("line is \"0\"; it must be integer from 1 on"));
    assert!(said(json!({ "ranges": [1] })).starts_with("ranges is [1]; it must be array of {from}"));
    assert!(said(json!({ "ranges": [{ "from": "x" }] })).starts_with("from is \"x\"; it must be integer"));
    assert!(said(json!({ "kind": "b" })).starts_with("kind is \"b\"; it must be \"a\" or null"));
}

/// Random schemas and values that fit them.
fn schema_and_value(random: &mut Random, depth: usize) -> (Value, Value) {
    let text = |random: &mut Random| json!(*random.pick(&["tea", "5", "null", "[1]", "", "a, b", "C:\\new"]));
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 => (json!({ "type": "string" }), text(random)),
        1 => (json!({ "type": "integer" }), json!(random.below(100))),
        2 => (json!({ "type": "boolean" }), json!(random.below(2) == 0)),
        3 => (json!({ "type": "number" }), json!(random.below(100) as f64 + 0.5)),
        4 => (json!({ "type": ["integer", "null"] }), Value::Null),
        5 => {
            let (items, value) = schema_and_value(random, depth - 1);
            (json!({ "type": "array", "items": items }), json!(vec![value; 1 + random.below(3)]))
        }
        6 => {
            let (schema, value) = schema_and_value(random, depth - 1);
            (json!({ "anyOf": [schema, { "type": "null" }] }), value)
        }
        _ => {
            let (mut properties, mut values) = (Map::new(), Map::new());
            for name in ["one", "two_words", "three"].into_iter().take(1 + random.below(3)) {
                let (schema, value) = schema_and_value(random, depth - 1);
                properties.insert(name.into(), schema);
                values.insert(name.into(), value);
            }
            (json!({ "type": "object", "properties": properties }), values.into())
        }
    }
}

/// Writes a value as models do: some of its values as text.
fn written(random: &mut Random, value: &Value) -> Value {
    let value = match value {
        Value::Array(items) => items.iter().map(|item| written(random, item)).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), written(random, value))).collect())
        }
        value => value.clone(),
    };
    if value.is_string() || random.below(2) == 0 { value } else { json!(value.to_string()) }
}

#[test]
fn random_arguments_are_the_same_however_they_are_written() {
    let mut random = Random::new();
    for _ in 0..3_000 {
        let (schema, value) = schema_and_value(&mut random, 3);
        assert_eq!(coerced(&schema, value.clone()), Ok(value.clone()), "unchanged as {schema}");
        let given = written(&mut random, &value);
        assert_eq!(coerced(&schema, given.clone()), Ok(value), "{given} as {schema}");
    }
}

#[test]
fn recursive_schemas_and_many_alternatives_end() {
    let alternatives: Vec<Value> = (0..8).map(|_| json!({ "$ref": "#" })).collect();
    let schema = json!({ "anyOf": alternatives, "properties": { "v": { "$ref": "#" } } });
    let Value::Object(given) = json!({ "v": { "v": { "v": "1" } } }) else { unreachable!() };
    assert_eq!(coerce("tool", &schema, &given).unwrap(), given);
}

#[test]
fn a_text_may_be_a_number_or_a_list_of_one_text() {
    let text = json!({ "type": "string" });
    for (given, expected) in [(json!(["Snow."]), "Snow."), (json!(5), "5"), (json!(2.5), "2.5"), (json!("5"), "5")] {
        assert_eq!(coerced(&text, given.clone()), Ok(json!(expected)), "{given}");
    }
    let either = json!({ "type": ["string", "integer"] });
    assert_eq!(coerced(&either, json!(5)), Ok(json!(5)));
}

#[test]
fn arguments_inside_of_a_wrapper_are_those_of_the_call() {
    let schema =
        |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let coerce = |schema: &Value, given: Value| {
        copydesk_base::parameters::coerce("call", schema, given.as_object().unwrap()).map(Value::Object)
    };
    for wrapper in ["arguments", "parameters", "args", "input", "params"] {
        for given in [json!({ wrapper: { "text": "Snow." } }), json!({ wrapper: "{\"text\":\"Snow.\"}" })] {
            assert_eq!(coerce(&schema("text"), given.clone()).unwrap(), json!({ "text": "Snow." }), "{given}");
        }
        // A parameter with the name of a wrapper is not a wrapper.
        assert_eq!(coerce(&schema(wrapper), json!({ wrapper: "Snow." })).unwrap(), json!({ wrapper: "Snow." }));
        let open = json!({ "type": "object", "properties": {}, "additionalProperties": true });
        assert_eq!(coerce(&open, json!({ wrapper: { "a": 1 } })).unwrap(), json!({ wrapper: { "a": 1 } }));
    }
}
