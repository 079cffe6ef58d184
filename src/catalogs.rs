//! Languages that the package loads beside those that are compiled in.

use crate::value::throw;
use copydesk_base::languages;
use copydesk_base::locale::Locale;
use wasm_bindgen::prelude::*;

/// Adds a language: an object, as JSON, from the names of crates to their messages in the order of the English
/// catalogs. The messages of agents and documents with this language come from it.
#[wasm_bindgen(js_name = loadCatalogs)]
pub fn load_catalogs(tag: &str, catalogs: &str) -> Result<(), JsValue> {
    languages::load(tag, catalogs).map_err(|error| throw(&error, Locale::En))
}
