//! The two parts of the page build.
//!
//! With the feature `parts`, the functions that [`later`] declares, and everything that only they need, are in a file
//! of their own with the same memory and table. A call before that file is loaded fails with `not_loaded`. The other
//! builds are one file.

#[cfg(feature = "parts")]
use crate::error::Error;
#[cfg(feature = "parts")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "parts")]
use wasm_bindgen::prelude::*;

#[cfg(feature = "parts")]
static IS_COMPLETE: AtomicBool = AtomicBool::new(false);

/// Called once, after the later part has been instantiated.
#[cfg(feature = "parts")]
#[wasm_bindgen(js_name = partsAreComplete)]
pub fn parts_are_complete() {
    IS_COMPLETE.store(true, Ordering::Relaxed);
}

/// Fails with `not_loaded` until the later part is there.
#[cfg(feature = "parts")]
pub(crate) fn require_later_part() -> Result<(), JsValue> {
    if IS_COMPLETE.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(crate::value::throw(&Error::NotLoaded, copydesk_base::locale::Locale::En))
}

/// Declares a function of the later part, with a number of its own as text.
///
/// The names of the import and the export are those by which the tool that splits the file finds a place to split at:
/// it replaces calls of the import by calls of the export.
#[cfg(feature = "parts")]
macro_rules! later {
    (
        $number:literal
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> Result<$value:ty, JsValue> $body:block
    ) => {
        $(#[$meta])*
        #[allow(improper_ctypes, improper_ctypes_definitions)]
        $vis fn $name($($arg: $type),*) -> Result<$value, JsValue> {
            #[link(wasm_import_module = "__wasm_split_placeholder__")]
            unsafe extern "C" {
                #[link_name = concat!("__wasm_split_00later00_import_000000000000000000000000000000", $number)]
                safe fn imported($($arg: $type),*) -> Result<$value, JsValue>;
            }
            // SAFETY: the name is not one of the C library, and no other function has the number.
            #[unsafe(export_name = concat!("__wasm_split_00later00_export_000000000000000000000000000000", $number))]
            extern "C" fn exported($($arg: $type),*) -> Result<$value, JsValue> $body

            crate::parts::require_later_part()?;
            imported($($arg),*)
        }
    };
}

/// Declares a function that is in the later part if there are two.
#[cfg(not(feature = "parts"))]
macro_rules! later {
    (
        $number:literal
        $(#[$meta:meta])*
        $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> Result<$value:ty, JsValue> $body:block
    ) => {
        $(#[$meta])*
        $vis fn $name($($arg: $type),*) -> Result<$value, JsValue> $body
    };
}

pub(crate) use later;
