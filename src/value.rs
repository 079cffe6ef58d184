//! Values and errors on their way in and out.

use copydesk_agent::Event;
use copydesk_base::{Error, ErrorInfo, Locale};
use copydesk_llm::surrogates::mend;
use js_sys::{Function, JSON, Reflect};
use serde_json::Value;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A value as plain JavaScript objects.
pub fn encode(value: &Value) -> Result<JsValue, JsValue> {
    let json = serde_json::to_string(value).map_err(JsError::from)?;
    JSON::parse(&json)
}

/// A setting out of JavaScript objects; `name` is what the error calls it.
pub fn decode<T: TryFrom<Value, Error = String>>(name: &str, value: JsValue) -> Result<T, Error> {
    T::try_from(plain(name, &value)?).map_err(|said| wrong(name, said))
}

/// The same for an array of them.
pub fn decode_all<T: TryFrom<Value, Error = String>>(name: &str, value: JsValue) -> Result<Vec<T>, Error> {
    match plain(name, &value)? {
        Value::Array(items) => {
            items.into_iter().map(|item| T::try_from(item).map_err(|said| wrong(name, said))).collect()
        }
        _ => Err(Error::Config { name: name.to_owned(), expected: "an array".to_owned() }),
    }
}

/// JavaScript objects as a value.
pub fn plain(name: &str, value: &JsValue) -> Result<Value, Error> {
    // A function and the like give nothing, a circle and a bigint throw.
    let json = JSON::stringify(value).ok().and_then(|json| json.as_string());
    let plain = || wrong(name, "plain data, as JSON.stringify takes it".to_owned());
    let json = json.ok_or_else(plain)?;
    serde_json::from_str(mend(&json, false).as_deref().unwrap_or(&json)).map_err(|error| wrong(name, error.to_string()))
}

/// A field that is wrong names itself: "temperature must be a number".
pub(super) fn wrong(name: &str, said: String) -> Error {
    match said.split_once(" must be ") {
        Some((field, expected)) => Error::Config { name: format!("{name}.{field}"), expected: expected.to_owned() },
        None => Error::Config { name: name.to_owned(), expected: said },
    }
}

/// An error as JavaScript throws it: an `Error` with `code` and `details`, from which the skin makes its own class.
pub fn throw(error: &dyn ErrorInfo, locale: Locale) -> JsValue {
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
