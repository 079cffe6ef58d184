//! The built-in tools, for loops other than the agent's.

use super::value::encode;
use copydesk_agent::tools::{Subject, built_in_on};
use copydesk_base::locale::Locale;
use serde_json::json;
use wasm_bindgen::prelude::*;

/// Returns the built-in tools that need no workspace as a model is told them: `{name, description, parameters}`, in this language.
#[wasm_bindgen(js_name = toolSpecs)]
pub fn tool_specs(locale: &str) -> Result<JsValue, JsValue> {
    let tools = built_in_on(Subject::WITHOUT_WORKSPACE, Locale::from_tag(locale)).into_iter();
    let spec = tools.map(|tool| {
        let spec = tool.spec;
        json!({ "name": spec.name, "description": spec.description, "parameters": spec.parameters })
    });
    encode(&spec.collect())
}
