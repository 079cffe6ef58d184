//! Structs read from JSON values: null, floats, tags, and the path of a wrong value.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use copydesk_base::decode::{self, FieldError};
use copydesk_base::tagged_by;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    base_url: String,
    #[serde(default)]
    strict: bool,
    count: Option<u64>,
    #[serde(default, deserialize_with = "decode::milliseconds")]
    timeout: Option<u64>,
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
enum Part {
    Text {
        text: String,
    },
    Nothing,
    Nested {
        parts: Vec<Part>,
    },
    #[serde(rename = "custom…")]
    Custom(Map<String, Value>),
}

tagged_by!(Part, "type");

fn read(value: Value) -> Result<Settings, FieldError> {
    decode::from_value(&value)
}

#[test]
fn null_and_a_missing_field_are_the_same_and_whole_numbers_may_be_floats() {
    let given =
        json!({ "baseUrl": "x", "strict": null, "count": 3.0, "timeout": null, "parts": null, "unknown": null });
    let expected = Settings { base_url: "x".into(), strict: false, count: Some(3), timeout: None, parts: vec![] };
    assert_eq!(read(given), Ok(expected));
}

#[test]
fn an_error_names_the_field_by_its_full_path_and_what_it_must_be() {
    for (given, error) in [
        (json!([]), "it must be an object"),
        (json!({}), "baseUrl must be a string"),
        (json!({ "baseUrl": null }), "baseUrl must be a string"),
        (json!({ "baseUrl": 1 }), "baseUrl must be a string"),
        (json!({ "baseUrl": "x", "strict": "yes" }), "strict must be true or false"),
        (json!({ "baseUrl": "x", "count": -1 }), "count must be a whole number"),
        (json!({ "baseUrl": "x", "timeout": "1" }), "timeout must be a number of milliseconds"),
        (json!({ "baseUrl": "x", "parts": {} }), "parts must be an array"),
        (json!({ "baseUrl": "x", "parts": [{}] }), "parts[0].type must be a string"),
        (
            json!({ "baseUrl": "x", "parts": [{ "type": "x" }] }),
            "parts[0].type must be text, nothing, nested or custom…",
        ),
        (json!({ "baseUrl": "x", "parts": [{ "type": "text" }] }), "parts[0].text must be a string"),
        (
            json!({ "baseUrl": "x", "parts": [{ "type": "nested", "parts": [{ "type": "nothing" }, { "text": 1, "type": "text" }] }] }),
            "parts[0].parts[1].text must be a string",
        ),
    ] {
        assert_eq!(read(given.clone()).unwrap_err().to_string(), error, "{given}");
    }
}

#[test]
fn an_error_is_named_from_an_outer_value_on() {
    let error = FieldError::new("cost.output", "a number");
    assert_eq!(error.clone().within("options").path, "options.cost.output");
    assert_eq!(error.within("[2]").within("tools").path, "tools[2].cost.output");
    assert_eq!(FieldError::new("", "an array").within("tools").path, "tools");
}

#[test]
fn tagged_enums_are_the_same_json_on_both_sides_whatever_reads_them() {
    let json = json!([
        { "type": "text", "text": "x" },
        { "type": "nothing" },
        { "type": "nested", "parts": [{ "type": "nothing" }] },
        { "page": null, "type": "customBookmark" },
    ]);
    let parts: Vec<Part> = decode::from_value(&json).unwrap();
    assert_eq!(serde_json::to_value(&parts).unwrap(), json);
    // The tag need not come first.
    let text = json.to_string().replace("\"type\":\"text\",\"text\":\"x\"", "\"text\":\"x\",\"type\":\"text\"");
    assert_eq!(serde_json::from_str::<Vec<Part>>(&text).unwrap(), parts);
}

#[test]
fn an_unknown_member_is_named_by_its_path() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[serde(default)]
        inner: Option<Box<Strict>>,
    }
    let error = decode::from_value::<Strict>(&json!({ "inner": { "lock": [1] } })).unwrap_err();
    assert_eq!(error.path, "inner.lock");
    assert_eq!(error.expected, "left out: valid are inner");
    assert!(decode::from_value::<Strict>(&json!({ "inner": {} })).unwrap().inner.unwrap().inner.is_none());
}
