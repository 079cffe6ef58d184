//! The workspace of the app: its methods are functions of the JS package.

use super::callbacks::Callbacks;
use super::promise::settled;
use super::value::{encode_many, json, reason};
use copydesk_agent::workspace::WorkspaceHost;
use copydesk_base::host::LocalFuture;
use copydesk_workspace::Error;
use serde_json::Value;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// An error of the workspace: a `CopydeskError`, or any other with a code.
    type WorkspaceFailure;
    #[wasm_bindgen(method, getter, catch)]
    fn code(this: &WorkspaceFailure) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn details(this: &WorkspaceFailure) -> Result<JsValue, JsValue>;
}

/// The workspace behind the object of the JS package.
pub struct AppWorkspace(pub Callbacks);

impl WorkspaceHost for AppWorkspace {
    fn call(&self, method: &'static str, arguments: Vec<Value>) -> LocalFuture<'static, Result<Value, Error>> {
        let begun = encode_many(&arguments).and_then(|given| self.0.workspace(method, &given));
        Box::pin(async move {
            let value = settled(begun.map_err(|thrown| failure(&thrown))?).await;
            let value = value.map_err(|thrown| failure(&thrown))?;
            json(method, &value).map_err(Error::Base)
        })
    }
}

/// Reads the exception of a method.
fn failure(thrown: &JsValue) -> Error {
    if !thrown.is_object() {
        return Error::of_host("", &reason(thrown), &Value::Null);
    }
    let thrown_error: &WorkspaceFailure = thrown.unchecked_ref();
    let code = thrown_error.code().ok().and_then(|code| code.as_string()).unwrap_or_default();
    let details = thrown_error.details().ok().and_then(|details| json("details", &details).ok());
    Error::of_host(&code, &reason(thrown), &details.unwrap_or_default())
}
