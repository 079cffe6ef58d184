use copydesk_base::parameters::{read, schema};
use copydesk_base::{Error, ErrorInfo, Locale};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Search {
    query: String,
    #[schemars(range(min = 1, max = 10))]
    max_results: Option<i64>,
    deep: Option<bool>,
}

fn error(arguments: Value) -> Error {
    read::<Search>("search_web", &arguments).unwrap_err()
}

#[test]
fn the_schema_is_one_flat_object_without_null_types() {
    assert_eq!(
        schema::<Search>(Locale::En),
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string" },
                "maxResults": { "type": "integer", "minimum": 1, "maximum": 10 },
                "deep": { "type": "boolean" }
            },
            "required": ["query"],
            "additionalProperties": false
        })
    );
}

#[test]
fn what_models_get_almost_right_is_taken() {
    let wanted = Search { query: "tea".into(), max_results: Some(3), deep: Some(true) };
    for arguments in [
        json!({ "query": "tea", "maxResults": 3, "deep": true }),
        json!({ "query": "tea", "maxResults": "3", "deep": "true" }),
        json!({ "query": "tea", "maxResults": 3.0, "deep": true, "unknown": [1] }),
        json!({ "Query": "tea", "max_results": 3, "deep": true }),
    ] {
        assert_eq!(read::<Search>("search_web", &arguments).unwrap(), wanted);
    }
    let left_out = Search { query: "tea".into(), max_results: None, deep: None };
    assert_eq!(read::<Search>("search_web", &json!({ "query": "tea", "maxResults": null })).unwrap(), left_out);
}

#[test]
fn what_is_missing_or_out_of_range_is_named_with_what_is_accepted() {
    assert_eq!(error(json!({})), Error::MissingParameter { call: "search_web".into(), name: "query".into() });
    assert_eq!(
        error(json!({ "query": null })),
        Error::MissingParameter { call: "search_web".into(), name: "query".into() }
    );
    for (given, shown) in [
        (json!(0), "0"),
        (json!(11), "11"),
        (json!("many"), "\"many\""),
        (json!(2.5), "2.5"),
        (json!([]), "[]"),
        (json!(1e300), "1e+300"),
    ] {
        let error = error(json!({ "query": "tea", "maxResults": given }));
        assert_eq!(error.code(), "invalid_parameter");
        let said = error.message(Locale::En);
        assert!(said.starts_with(&format!("maxResults is {shown}; it must be integer 1–10")), "{said}");
    }
    assert_eq!(error(json!([1])).code(), "invalid_arguments");
    assert_eq!(error(json!("{}")).code(), "invalid_arguments");
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Edits {
    edits: Vec<Edit>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Edit {
    start_line: Option<i64>,
    content: String,
}

#[test]
fn a_misspelt_name_in_a_list_is_refused_and_another_case_of_it_accepted() {
    let edit = |name: &str| json!({ "edits": [{ name: 2, "content": "New." }] });
    let wanted = Edits { edits: vec![Edit { start_line: Some(2), content: "New.".into() }] };
    for name in ["start_line", "startLine", "StartLine", "start-line"] {
        assert_eq!(read::<Edits>("replace_lines", &edit(name)).unwrap(), wanted, "{name}");
    }
    for name in ["line", "first", "lineNumber", "from"] {
        let message = read::<Edits>("replace_lines", &edit(name)).unwrap_err().message(Locale::En);
        assert!(message.contains(name) && message.contains("array of {start_line, content}"), "{message}");
    }
}
