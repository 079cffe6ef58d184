//! Promises of any origin.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Waits for a value that may be a promise of any realm or implementation. An exception of its `then` is a rejection.
pub async fn settled(value: JsValue) -> Result<JsValue, JsValue> {
    // `Promise.resolve` may throw, because it reads `constructor`.
    let promise = Promise::new(&mut |resolve, _| {
        // The resolving function does not throw: exceptions of the value reject the promise.
        let _ = resolve.call1(&JsValue::UNDEFINED, &value);
    });
    JsFuture::from(promise).await
}
