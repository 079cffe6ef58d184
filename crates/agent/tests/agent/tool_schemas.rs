//! The schemas of the built-in tools, recorded in `tests/fixtures/tools.json`.

use copydesk_agent::tools::{Tool, all_built_in, with_confirm_drop};
use copydesk_base::Locale;
use serde_json::{Value, json};

fn described(tools: &[Tool]) -> Value {
    tools.iter().map(|tool| json!({ "name": tool.spec.name, "parameters": tool.spec.parameters })).collect()
}

/// The names of a schema's properties in their order: models write arguments in it.
fn order(parameters: &Value) -> Vec<&String> {
    parameters["properties"].as_object().unwrap().keys().collect()
}

/// All descriptions in a schema, at any depth, each with where it is.
fn descriptions<'s>(schema: &'s Value, path: &str, found: &mut Vec<(String, &'s str)>) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                let path = format!("{path}/{name}");
                match value {
                    // A parameter may be called so as well.
                    Value::String(text) if name == "description" => found.push((path, text)),
                    _ => descriptions(value, &path, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, path, found)),
        _ => {}
    }
}

#[test]
fn every_description_of_the_chinese_schemas_is_chinese() {
    let locale = Locale::ZhCn;
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4E00}'..='\u{9FFF}').contains(&c));
    for tool in all_built_in(locale).into_iter().chain(with_confirm_drop(all_built_in(locale), locale)) {
        assert!(is_chinese(&tool.spec.description), "{}", tool.spec.name);
        let mut found = Vec::new();
        descriptions(&tool.spec.parameters, "", &mut found);
        let count = tool.spec.parameters["properties"].as_object().unwrap().len();
        assert!(found.len() >= count, "{}: {} of {count} are described", tool.spec.name, found.len());
        for (path, text) in found {
            assert!(is_chinese(text), "{}{path}: {text}", tool.spec.name);
        }
    }
}

#[test]
fn every_editing_tool_says_what_numbers_mean_within_one_answer() {
    for (locale, said) in [(Locale::En, "of one answer"), (Locale::ZhCn, "回答之前")] {
        for tool in all_built_in(locale).into_iter().filter(|tool| tool.policy.edits) {
            assert!(tool.spec.description.contains(said), "{}: {}", tool.spec.name, tool.spec.description);
        }
    }
}

#[test]
fn the_schemas_of_tools_are_the_recorded_ones() {
    let told = |locale: Locale| {
        let mut confirmable = with_confirm_drop(all_built_in(locale), locale);
        confirmable.retain(|tool| tool.spec.name != "read_more");
        json!({ "tools": described(&all_built_in(locale)), "confirmable": described(&confirmable) })
    };
    let told = json!({ "en": told(Locale::En), "zh-CN": told(Locale::ZhCn) });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/tools.json");
    if std::env::var_os("COPYDESK_UPDATE").is_some() {
        std::fs::write(path, serde_json::to_string_pretty(&told).unwrap() + "\n").unwrap();
    }
    let recorded: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(told, recorded);
    for locale in ["en", "zh-CN"] {
        for list in ["tools", "confirmable"] {
            let pairs = told[locale][list].as_array().unwrap().iter().zip(recorded[locale][list].as_array().unwrap());
            for (told, recorded) in pairs {
                let [told, recorded] = [told, recorded].map(|tool| &tool["parameters"]);
                assert_eq!(order(told), order(recorded));
                if told["properties"].get("edits").is_some() {
                    let items = |parameters: &Value| parameters["properties"]["edits"]["items"].clone();
                    assert_eq!(order(&items(told)), order(&items(recorded)));
                }
            }
        }
    }
}
