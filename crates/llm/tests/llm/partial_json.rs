//! Arguments that are still being written.

use crate::random::Random;
use copydesk_base::secrets::Secrets;
use copydesk_llm::partial_json::{PartialObject, parse_object};
use serde_json::{Map, Value, json};

/// Panics unless `later` is what `earlier` can have become: longer strings, more entries at the end, else the same.
pub fn assert_prefix(earlier: &Value, later: &Value) {
    assert!(is_prefix(earlier, later), "{earlier} was taken back for {later}");
}

fn is_prefix(earlier: &Value, later: &Value) -> bool {
    match (earlier, later) {
        (Value::String(earlier), Value::String(later)) => later.starts_with(earlier.as_str()),
        (Value::Array(earlier), Value::Array(later)) => {
            earlier.len() <= later.len() && earlier.iter().zip(later).all(|(earlier, later)| is_prefix(earlier, later))
        }
        (Value::Object(earlier), Value::Object(later)) => {
            earlier.len() <= later.len()
                && earlier
                    .iter()
                    .zip(later)
                    .all(|((key, earlier), (same, later))| key == same && is_prefix(earlier, later))
        }
        _ => earlier == later,
    }
}

fn read(text: &str) -> Value {
    Value::Object(parse_object(text))
}

#[test]
fn incomplete_values_are_read_as_far_as_they_are_certain() {
    for (text, value) in [
        ("", json!({})),
        ("  {", json!({})),
        (r#"["a": 1}"#, json!({})),
        (r#"x"a": 1}"#, json!({})),
        (r#"{"a"#, json!({})),
        (r#"{"a":"#, json!({})),
        (r#"{"a": ""#, json!({"a": ""})),
        (r#"{"a": "x"#, json!({"a": "x"})),
        (r#"{"a": "x\"#, json!({"a": "x"})),
        (r#"{"a": "x\n"#, json!({"a": "x\n"})),
        (r#"{"a": "x\u00e"#, json!({"a": "x"})),
        (r#"{"a": "x\u00e9"#, json!({"a": "xé"})),
        (r#"{"a": "\ud83e"#, json!({"a": ""})),
        (r#"{"a": "\ud83e\ude"#, json!({"a": ""})),
        (r#"{"a": "\ud83e\uded6"#, json!({"a": "🫖"})),
        (r#"{"a": "\ud83ex"#, json!({"a": "\u{FFFD}x"})),
        (r#"{"a": "\ud83e""#, json!({"a": "\u{FFFD}"})),
        (r#"{"a": "\ude00"#, json!({"a": "\u{FFFD}"})),
        (r#"{"a": 1"#, json!({})),
        (r#"{"a": 1,"#, json!({"a": 1})),
        (r#"{"a": -1.5e3}"#, json!({"a": -1500.0})),
        (r#"{"a": tru"#, json!({})),
        (r#"{"a": true"#, json!({"a": true})),
        (r#"{"a": [1, {"b": "c"#, json!({"a": [1, {"b": "c"}]})),
        (r#"{"a": [], "b": {}, "#, json!({"a": [], "b": {}})),
        (r#"{"a": 1} trailing"#, json!({"a": 1})),
        (r#"{"a": 1, b: 2}"#, json!({"a": 1})),
        (r#"{"a": 01, "b": 2}"#, json!({})),
        ("[1]", json!({})),
        ("null", json!({})),
    ] {
        assert_eq!(read(text), value, "{text}");
    }
}

#[test]
fn every_prefix_of_a_document_is_a_prefix_of_its_value() {
    let mut random = Random::new();
    for _ in 0..400 {
        let mut object = Map::new();
        for _ in 0..random.below(5) {
            object.insert(string(&mut random), value(&mut random, 4));
        }
        let whole = Value::Object(object);
        let pretty = serde_json::to_string_pretty(&whole).unwrap();
        for text in [whole.to_string(), pretty, escaped(&whole.to_string())] {
            assert_eq!(read(&text), whole, "{text}");
            let mut before = json!({});
            for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
                let now = read(&text[..cut]);
                assert_prefix(&before, &now);
                assert_prefix(&now, &whole);
                before = now;
            }
        }
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.next() as i64 >> random.below(64)),
        3 => json!(random.below(1000) as f64 / 8.0),
        4 => json!(string(random)),
        5 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => Value::Object((0..random.below(4)).map(|_| (string(random), value(random, depth - 1))).collect()),
    }
}

fn string(random: &mut Random) -> String {
    let parts = ["a", "茶", "🫖", "\"", "\\", "\n", "\u{1}", "é", "{", "]", ",", ":", " ", "u", "/"];
    (0..random.below(8)).map(|_| *random.pick(&parts)).collect()
}

/// The same JSON with everything beyond ASCII as escapes.
fn escaped(json: &str) -> String {
    let escape = |c: char| match c {
        ' '..='~' => c.to_string(),
        _ => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    json.chars().map(escape).collect()
}

#[test]
fn what_is_not_json_never_panics() {
    let mut random = Random::new();
    let parts = [
        "{", "}", "[", "]", "\"", "\\", "u", "d83d", "\\ud83d", "\\ude00", ":", ",", "1", "-", "e", "tru", "null", " ",
        "茶", "\u{0}",
    ];
    for _ in 0..20_000 {
        let text: String = (0..random.below(20)).map(|_| *random.pick(&parts)).collect();
        let object = read(&format!("{{\"a\":{text}"));
        assert!(object.is_object());
        // Where serde_json reads it, we read the same.
        if let Ok(whole) = serde_json::from_str::<Map<String, Value>>(&text) {
            assert_eq!(read(&text), Value::Object(whole), "{text}");
        }
    }
}

#[test]
fn nesting_is_read_to_a_bounded_depth() {
    for open in ["[", "{\"a\":"] {
        let object = parse_object(&format!("{{\"a\":{}", open.repeat(100_000)));
        let mut depth = 1;
        let mut inner = object.get("a");
        while let Some(value) = inner {
            depth += 1;
            inner = value.get(0).or_else(|| value.get("a"));
        }
        assert_eq!(depth, 128);
    }
}

#[test]
fn only_the_first_values_of_a_long_input_are_read() {
    let many = format!("{{\"a\":[{}", "0,".repeat(100_000));
    assert_eq!(parse_object(&many)["a"].as_array().unwrap().len(), 9_999);
}

#[test]
fn a_growing_text_is_read_like_a_complete_one() {
    let mut random = Random::new();
    let secrets = Secrets::of("sk-a{茶🫖12345");
    let parts = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "\\u",
        "d83d",
        "\\ud83d",
        "\\ude00",
        ":",
        ",",
        "1",
        "-",
        "e",
        "tru",
        "e",
        "null",
        " ",
        "茶",
        "sk-a{",
        "茶🫖12345",
        "sk-",
        "\"a\":",
        "\"b\": \"",
        "\u{0}",
    ];
    for _ in 0..20_000 {
        let mut text = String::from("{\"a\":");
        let mut growing = PartialObject::new(&secrets);
        for _ in 0..random.below(20) {
            let part: &&str = random.pick(&parts);
            text.push_str(part);
            growing.read(&text);
            let mut anew = PartialObject::new(&secrets);
            anew.read(&text);
            assert_eq!(growing.object(), anew.object(), "{text}");
            let shown = Value::Object(growing.object().clone()).to_string();
            assert!(!shown.contains("sk-a{茶🫖12345"), "{text}");
        }
    }
}
