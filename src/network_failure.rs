//! Exceptions of a `fetch` that mean that the network failed.
//!
//! The Fetch standard reports each network error as a `TypeError`. Browsers throw a `NetworkError` for a broken
//! connection and a `TimeoutError` for the signal of `AbortSignal.timeout`. Node, Bun and HTTP clients state the code
//! of the system's error, in the exception or in its cause.

use super::value::reason;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A value that a `fetch` threw. A getter may throw or return anything.
    type Exception;
    #[wasm_bindgen(method, getter, catch)]
    fn name(this: &Exception) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn code(this: &Exception) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn cause(this: &Exception) -> Result<JsValue, JsValue>;
}

/// The names of exceptions of the network.
const NAMES: [&str; 3] = ["TypeError", "NetworkError", "TimeoutError"];

/// The beginnings of the codes of failed connections: of POSIX, undici, axios, and Bun.
const CODES: [&str; 14] = [
    "ECONN",
    "ENET",
    "EHOST",
    "ENOTFOUND",
    "EAI_",
    "ETIMEDOUT",
    "ESOCKET",
    "EPIPE",
    "EPROTO",
    "UND_ERR_",
    "ERR_NETWORK",
    "Connection",
    "FailedToOpenSocket",
    "Timeout",
];

/// Returns whether an exception of a `fetch` means that the network failed, and not the function.
pub fn is_network_failure(thrown: &JsValue) -> bool {
    let has_code = |thrown: &JsValue| {
        let code = code_of(thrown);
        CODES.iter().any(|known| code.starts_with(known))
    };
    let name = member(thrown, Exception::name).and_then(|name| name.as_string()).unwrap_or_default();
    NAMES.contains(&name.as_str()) || has_code(thrown) || cause_of(thrown).is_some_and(|cause| has_code(&cause))
}

/// Returns the reason of a failure: the cause, or else, unless the exception is a browser's own, its message.
pub fn reason_of(thrown: &JsValue, is_own: bool) -> String {
    match cause_of(thrown) {
        // Node reports the attempts of several addresses as one error without a message.
        Some(cause) => Some(reason(&cause)).filter(|reason| !reason.is_empty()).unwrap_or_else(|| code_of(&cause)),
        None if is_own => String::new(),
        None => reason(thrown),
    }
}

fn code_of(thrown: &JsValue) -> String {
    member(thrown, Exception::code).and_then(|code| code.as_string()).unwrap_or_default()
}

fn cause_of(thrown: &JsValue) -> Option<JsValue> {
    member(thrown, Exception::cause).filter(JsValue::is_object)
}

fn member(thrown: &JsValue, get: fn(&Exception) -> Result<JsValue, JsValue>) -> Option<JsValue> {
    // Reading a property of null or undefined throws in the binding.
    if !thrown.is_object() {
        return None;
    }
    get(thrown.unchecked_ref()).ok().filter(|value| !value.is_undefined())
}
