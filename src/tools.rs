//! The built-in tools, for loops other than the agent's.

use super::document::DocumentHandle;
use super::parts::later;
use super::value::encode;
use copydesk_agent::tools::{Subject, built_in_on, with_confirm_drop};
use copydesk_base::locale::Locale;
use copydesk_edit::guard::Lossless;
use serde_json::json;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_class = DocumentHandle)]
impl DocumentHandle {
    /// Returns the built-in tools that need no workspace as a model is told them, in this language: `{spec: {name,
    /// description, parameters}, edits, external}`. `edits` states that a tool may change the document, `external` that
    /// its results come from outside of it.
    #[wasm_bindgen(js_name = toolSpecs)]
    pub fn tool_specs(&self, locale: &str) -> Result<JsValue, JsValue> {
        specs_of_tools(self, locale)
    }
}

later! {
    "06"
    /// See [`DocumentHandle::tool_specs`].
    fn specs_of_tools(this: &DocumentHandle, locale: &str) -> Result<JsValue, JsValue> {
        let locale = Locale::from_tag(locale);
        let mut tools = built_in_on(Subject::WITHOUT_WORKSPACE, locale);
        if this.host().guards().lossless == Lossless::Reject {
            tools = with_confirm_drop(tools, locale);
        }
        let specs = tools.into_iter().map(|tool| {
            let spec = tool.spec;
            json!({
                "spec": { "name": spec.name, "description": spec.description, "parameters": spec.parameters },
                "edits": tool.policy.edits,
                "external": tool.policy.external,
            })
        });
        encode(&specs.collect())
    }
}
