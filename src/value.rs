//! Conversion of values and errors.
//!
//! serde-wasm-bindgen converts settings to Rust, and events and results to JavaScript. Its input must be plain data:
//! a getter that throws, or a cycle, would cause an exception inside the core. The JS package copies settings and
//! refuses other values by name (`plain` in `base/json.ts`). Results of the app's functions, and messages, are passed
//! through `JSON.stringify`. Documents and large results are transferred as JSON text, which is faster.

use copydesk_agent::Event;
use copydesk_base::decode::from_value;
use copydesk_base::{Error, ErrorInfo, Locale};
use copydesk_llm::surrogates::replace_lone_surrogates;
use js_sys::{Function, JSON};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A value that JavaScript threw.
    type Thrown;
    #[wasm_bindgen(method, getter, catch)]
    fn message(this: &Thrown) -> Result<JsValue, JsValue>;

    /// An error as JavaScript gets it.
    #[wasm_bindgen(extends = js_sys::Error)]
    type CodedError;
    #[wasm_bindgen(method, setter)]
    fn set_code(this: &CodedError, code: &str);
    #[wasm_bindgen(method, setter)]
    fn set_details(this: &CodedError, details: &JsValue);
}

/// The greatest integer up to which JavaScript represents all integers.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The most values for which one call into JavaScript per value is as fast as JSON text.
const MOST_VALUES: usize = 128;

/// Returns a value as plain JavaScript objects.
pub fn encode(value: &Value) -> Result<JsValue, JsValue> {
    if is_ordinary(value, &mut MOST_VALUES.clone()) {
        Ok(value.serialize(&Serializer::json_compatible())?)
    } else {
        encode_many(value)
    }
}

/// Returns a value of more than a few members as plain JavaScript objects.
pub fn encode_many(value: &impl Serialize) -> Result<JsValue, JsValue> {
    let text = serde_json::to_string(value).map_err(|error| JsValue::from_str(&error.to_string()))?;
    JSON::parse(&text)
}

/// Returns whether a value is small and can be built by assignments: a member named `__proto__` would become the
/// object's prototype, and serde-wasm-bindgen refuses integers that have to be rounded.
fn is_ordinary(value: &Value, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    match value {
        Value::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            size.is_none_or(|size| size <= MAX_SAFE_INTEGER)
        }
        Value::Array(items) => items.iter().all(|item| is_ordinary(item, left)),
        Value::Object(members) => members.iter().all(|(name, value)| name != "__proto__" && is_ordinary(value, left)),
        _ => true,
    }
}

/// Reads settings as JSON; `name` is their name in errors. The JS package has refused everything else than plain data,
/// with its path.
pub fn settings(name: &str, value: JsValue) -> Result<Value, Error> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|_| Error::Config { name: name.to_owned(), expected: "plain data".to_owned() })
}

/// Reads a struct from JSON; `name` is its name in errors.
pub fn decode<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, Error> {
    from_value(value).map_err(|error| error.within(name).into())
}

/// Reads a value as `JSON.stringify` does.
pub fn json(name: &str, value: &JsValue) -> Result<Value, Error> {
    // A function has no JSON; a cycle or a BigInt throws.
    let json = JSON::stringify(value).ok().and_then(|json| json.as_string());
    let wrong = |expected: String| Error::Config { name: name.to_owned(), expected };
    let json = json.ok_or_else(|| wrong("plain data, as JSON.stringify takes it".to_owned()))?;
    serde_json::from_str(replace_lone_surrogates(&json, false).as_deref().unwrap_or(&json))
        .map_err(|error| wrong(error.to_string()))
}

/// Puts a text into JSON that has U+0000 in its place. A text that begins with U+0000 has another one before it
/// (`jsonWithText` of the JS package).
pub fn with_text(value: &mut Value, text: &mut String) {
    match value {
        Value::String(member) => match member.strip_prefix('\0') {
            Some("") => *member = std::mem::take(text),
            Some(rest) => *member = rest.to_owned(),
            None => {}
        },
        Value::Array(items) => items.iter_mut().for_each(|item| with_text(item, text)),
        Value::Object(members) => members.values_mut().for_each(|member| with_text(member, text)),
        _ => {}
    }
}

/// Returns an error as JavaScript gets it: an `Error` with `code` and `details`, which the JS package converts to its
/// own class.
pub fn throw(error: &dyn ErrorInfo, locale: Locale) -> JsValue {
    let thrown: CodedError = js_sys::Error::new(&error.message(locale)).unchecked_into();
    thrown.set_code(error.code());
    thrown.set_details(&encode(&error.details()).unwrap_or(JsValue::UNDEFINED));
    thrown.into()
}

/// Returns a listener that passes events to a function of the JS package, which catches exceptions of the app's
/// listeners.
pub fn report(listener: Function) -> Rc<dyn Fn(Event)> {
    Rc::new(move |event: Event| {
        if let Ok(event) = encode(&event.into()) {
            let _ = listener.call1(&JsValue::UNDEFINED, &event);
        }
    })
}

/// Returns the message of a value that JavaScript threw.
pub fn reason(thrown: &JsValue) -> String {
    let message = thrown.unchecked_ref::<Thrown>().message().ok().and_then(|message| message.as_string());
    message.or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown".into())
}
