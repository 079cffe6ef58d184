//! Values and errors on their way in and out.

use crate::error::Error;
use crate::locale::Locale;
use js_sys::Reflect;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

/// A value as plain JavaScript objects.
pub fn encode(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(JsValue::from)
}

/// A setting out of JavaScript objects; `name` is what the error calls it.
pub fn decode<T: DeserializeOwned>(name: &'static str, value: JsValue) -> Result<T, Error> {
    serde_wasm_bindgen::from_value(value).map_err(|error| Error::Config { name, expected: error.to_string() })
}

/// An error as JavaScript throws it: an `Error` with `code` and `details`, from which the skin makes its own class.
pub fn throw(error: &Error, locale: Locale) -> JsValue {
    let thrown = js_sys::Error::new(&error.message(locale));
    let details = encode(&error.details()).unwrap_or(JsValue::UNDEFINED);
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&thrown, &"code".into(), &error.code().into());
    let _ = Reflect::set(&thrown, &"details".into(), &details);
    thrown.into()
}

/// What JavaScript threw, in words.
pub fn reason(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown".into())
}
