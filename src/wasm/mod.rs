//! The only room that knows JavaScript: it decodes, calls the core, and encodes.
//!
//! One small file for each thing that JavaScript holds ([`document`], [`agent`]) or lends ([`fetch`], [`clock`]).
//! Nothing here is borrowed while JavaScript runs: calls out are made on clones, and what comes of them comes in
//! by the front door (an editor that takes a change calls `sync` before it returns).

pub mod agent;
pub mod clock;
pub mod document;
pub mod fetch;
pub mod value;

use std::panic;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(message: &str);
}

/// Runs once when the module starts: a panic, which is always a fault of copydesk, is named in the console.
#[wasm_bindgen(start)]
pub fn start() {
    panic::set_hook(Box::new(|info| console_error(&format!("copydesk: {info}"))));
}
