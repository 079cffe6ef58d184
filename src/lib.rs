//! The wasm crate: the JavaScript interface. It decodes, calls the core, and encodes.
//!
//! - Exported classes: [`agent`] with [`page_agent`], [`document`] with [`document_edits`]; for an agent in a worker,
//!   [`document_source`] in the page and `document_mirror` in the worker, with the messages of [`mirror`]; the built-in
//!   tools by themselves: [`tools`]; the files of a workspace in memory: [`file_index`]; the URL of a model:
//!   [`model_url`]; what users attach to messages: [`attachment`]; languages beside those that are compiled in:
//!   [`catalogs`].
//! - Functions of JavaScript: the app's ([`callbacks`], [`workspace_host`]), an editor's ([`page_document`]), the
//!   network ([`fetch`]: [`request`], [`response`], [`redirect`]), time ([`clock`]), parsers of Markdown ([`markdown`])
//!   and URLs ([`url`]).
//! - The parts of the page build: [`parts`].
//! - Conversion of values: [`value`], [`promise`].
//!
//! Nothing here is borrowed while JavaScript runs: calls out are made on clones, and may call in again (an editor
//! that applies a change calls `sync` before it returns).

pub mod agent;
pub mod attachment;
pub mod callbacks;
pub mod catalogs;
pub mod clock;
pub mod document;
pub mod document_edits;
#[cfg(feature = "full")]
pub mod document_mirror;
pub mod document_source;
pub mod error;
pub mod fetch;
pub mod file_index;
pub mod guarded_document;
pub mod html;
pub mod markdown;
pub mod mirror;
pub mod model_url;
pub mod network_failure;
pub mod page_agent;
pub mod page_document;
pub mod parts;
pub mod promise;
pub mod recorder;
#[cfg(feature = "full")]
pub mod recording;
pub mod redirect;
pub mod request;
pub mod response;
pub mod tools;
pub mod url;
pub mod value;
pub mod workspace_host;

mod messages;

use js_sys::Function;
use std::panic;
use wasm_bindgen::prelude::*;

/// Installs the platform's parsers of URLs and, in the page build, of HTML. Called when the module starts.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen(start)]
pub fn start() {
    copydesk_base::host::url::install(url::parse);
    #[cfg(not(feature = "full"))]
    copydesk_base::host::html::install(html::attributes);
}

/// Calls `report` with the message of a panic, which is always a fault of copydesk. After a panic the module does not
/// settle its promises, so the JS package must reject them.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(report: Function) {
    panic::set_hook(Box::new(move |info| {
        // The module stops; a failure of the report cannot be reported.
        let _ = report.call1(&JsValue::UNDEFINED, &info.to_string().into());
    }));
}
