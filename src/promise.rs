//! Promises of others.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Waits for a value that may be a promise, of any realm or of an app's own making. An exception of its `then` is a
/// rejection.
pub async fn settled(value: JsValue) -> Result<JsValue, JsValue> {
    // `Promise.resolve` may throw: it reads the `constructor` of a promise.
    let promise = Promise::new(&mut |resolve, _| {
        // A resolving function throws nothing: what the value throws rejects the promise.
        let _ = resolve.call1(&JsValue::UNDEFINED, &value);
    });
    JsFuture::from(promise).await
}
