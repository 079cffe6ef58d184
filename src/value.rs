//! Values and errors on their way in and out.

use copydesk_agent::Event;
use copydesk_base::decode::from_value;
use copydesk_base::error::Error;
use copydesk_base::locale::Locale;
use copydesk_llm::surrogates::replace_lone_surrogates;
use js_sys::{Function, JSON, Reflect};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A value as plain JavaScript objects.
pub fn encode(value: &Value) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value).map_err(JsError::from)?;
    JSON::parse(&json)
}

/// Reads a setting from JavaScript objects; `name` is what the error calls it.
pub fn decode<T: DeserializeOwned>(name: &str, value: JsValue) -> Result<T, Error> {
    from_value(&plain(name, &value)?).map_err(|error| error.within(name).into())
}

/// JavaScript objects as a value.
pub fn plain(name: &str, value: &JsValue) -> Result<Value, Error> {
    // A function and the like give nothing, a circle and a bigint throw.
    let json = JSON::stringify(value).ok().and_then(|json| json.as_string());
    let wrong = |expected: String| Error::Config { name: name.to_owned(), expected };
    let json = json.ok_or_else(|| wrong("plain data, as JSON.stringify takes it".to_owned()))?;
    serde_json::from_str(replace_lone_surrogates(&json, false).as_deref().unwrap_or(&json))
        .map_err(|error| wrong(error.to_string()))
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

/// Events to a function of the skin, which catches what the app's listeners throw.
pub fn report(listener: Function) -> Rc<dyn Fn(Event)> {
    Rc::new(move |event: Event| {
        if let Ok(event) = encode(&event.into()) {
            let _ = listener.call1(&JsValue::UNDEFINED, &event);
        }
    })
}

/// What JavaScript threw, in words.
pub fn reason(thrown: &JsValue) -> String {
    let message = Reflect::get(thrown, &"message".into()).ok().and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown".into())
}
