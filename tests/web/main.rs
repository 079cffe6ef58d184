//! The wasm in a browser. One program: each one is compiled, bound and loaded in every browser by itself.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(target_arch = "wasm32")]

mod agent;
mod document;
mod html;
mod page;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
