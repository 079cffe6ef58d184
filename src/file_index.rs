//! The files of a workspace in memory, for the worker that searches and checks them.

use super::parts::later;
use super::value::throw;
use copydesk_base::{Error, Locale};
use copydesk_workspace::{CheckKind, Filter, Index, TextQuery};
use wasm_bindgen::prelude::*;

/// The texts of files by path. Queries and results are JSON text.
#[wasm_bindgen(js_name = FileIndex)]
#[derive(Default)]
pub struct FileIndex(Index);

#[wasm_bindgen(js_class = FileIndex)]
impl FileIndex {
    /// Creates an index without files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> FileIndex {
        FileIndex::default()
    }

    /// Adds a file, or replaces its text.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), JsValue> {
        set_file(self, path, text)
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) -> Result<(), JsValue> {
        remove_file(self, path)
    }

    /// Searches for a literal text: `{pattern, caseSensitive?, paths?, limit?}` →
    /// `{matches: [{path, line, text, before, after}], isCut}`.
    pub fn search(&self, query: &str) -> Result<String, JsValue> {
        search_files(self, query)
    }

    /// Runs a check, `timeline` or `references`: `{errors, warnings}`, each finding
    /// `{file, line, text, message, code, details, waived?}`. Messages are in the given language, English by default.
    pub fn check(&self, kind: &str, locale: Option<String>) -> Result<String, JsValue> {
        check_files(self, kind, locale)
    }
}

/// Returns the paths, of a JSON array, that a glob selects, by the rules of the tools for files. Fails with
/// `invalid_pattern`; the message is in the given language.
#[wasm_bindgen(js_name = selectPaths)]
pub fn select_paths(paths: &str, glob: &str, locale: &str) -> Result<String, JsValue> {
    selected_paths(paths, glob, locale)
}

later! {
    "07"
    /// See [`FileIndex::set`].
    fn set_file(this: &mut FileIndex, path: &str, text: &str) -> Result<(), JsValue> {
        this.0.set(path, text);
        Ok(())
    }
}

later! {
    "08"
    /// See [`FileIndex::remove`].
    fn remove_file(this: &mut FileIndex, path: &str) -> Result<(), JsValue> {
        this.0.remove(path);
        Ok(())
    }
}

later! {
    "09"
    /// See [`FileIndex::search`].
    fn search_files(this: &FileIndex, query: &str) -> Result<String, JsValue> {
        let query: TextQuery = serde_json::from_str(query).map_err(|error| refused("query", &error.to_string()))?;
        let found = this.0.search(&query).map_err(|error| throw(&error, Locale::En))?;
        serde_json::to_string(&found).map_err(|error| refused("query", &error.to_string()))
    }
}

later! {
    "10"
    /// See [`FileIndex::check`].
    fn check_files(this: &FileIndex, kind: &str, locale: Option<String>) -> Result<String, JsValue> {
        let locale = locale.map_or(Locale::En, |tag| Locale::from_tag(&tag));
        let kind = CheckKind::of_name(kind).map_err(|error| throw(&error, locale))?;
        Ok(this.0.check(kind).to_value(locale).to_string())
    }
}

later! {
    "11"
    /// See [`select_paths`].
    fn selected_paths(paths: &str, glob: &str, locale: &str) -> Result<String, JsValue> {
        let filter = Filter::new(None, Some(glob)).map_err(|error| throw(&error, Locale::from_tag(locale)))?;
        let paths: Vec<&str> = serde_json::from_str(paths).map_err(|error| refused("paths", &error.to_string()))?;
        let selected: Vec<&str> = paths.into_iter().filter(|path| filter.accepts(path)).collect();
        serde_json::to_string(&selected).map_err(|error| refused("paths", &error.to_string()))
    }
}

fn refused(name: &str, reason: &str) -> JsValue {
    throw(&Error::Config { name: name.to_owned(), expected: format!("a query as JSON ({reason})") }, Locale::En)
}
