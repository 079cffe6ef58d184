//! The wasm crate: what JavaScript sees. It decodes, calls the core, and encodes.
//!
//! - Exported classes: [`agent`], [`document`].
//! - What JavaScript lends: the app's functions ([`callbacks`]), an editor ([`page_document`]), the network ([`fetch`]:
//!   [`request`], [`response`], [`redirect`]), time ([`clock`]), a parser of Markdown ([`markdown`]) and of URLs ([`url`]).
//! - How values cross: [`value`], [`promise`].
//!
//! Nothing here is borrowed while JavaScript runs: calls out are made on clones, and what comes of them comes in
//! as a call of its own (an editor that takes a change calls `sync` before it returns).

pub mod agent;
pub mod callbacks;
pub mod clock;
pub mod document;
pub mod error;
pub mod fetch;
pub mod html;
pub mod markdown;
pub mod page_document;
pub mod promise;
pub mod recorder;
#[cfg(feature = "full")]
pub mod recording;
pub mod redirect;
pub mod request;
pub mod response;
pub mod url;
pub mod value;

use js_sys::Function;
use std::panic;
use wasm_bindgen::prelude::*;

/// Gives the core the platform's parsers of URLs and, in the page build, of HTML, when the module starts.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen(start)]
pub fn start() {
    copydesk_base::host::url::install(url::parse);
    #[cfg(not(feature = "full"))]
    copydesk_base::host::html::install(html::attributes);
}

/// Calls `report` with what happened should the module panic, which is always a fault of copydesk. After that nothing
/// in it answers any more: promises that were given out stay pending, so the JS package must settle them.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(report: Function) {
    panic::set_hook(Box::new(move |info| {
        // The module is about to stop; there is nobody to tell that the report itself failed.
        let _ = report.call1(&JsValue::UNDEFINED, &info.to_string().into());
    }));
}
