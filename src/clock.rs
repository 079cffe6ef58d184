//! The page's clock.

use copydesk_base::host::{Clock, LocalFuture};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

/// `performance.now`, `setTimeout` and `Math.random`.
pub struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> f64 {
        performance_now()
    }

    fn sleep(&self, ms: u64) -> LocalFuture<'static, ()> {
        // setTimeout takes a signed 32-bit number: 24 days.
        Box::pin(TimeoutFuture::new(u32::try_from(ms.min(i32::MAX as u64)).unwrap_or(u32::MAX)))
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }
}
