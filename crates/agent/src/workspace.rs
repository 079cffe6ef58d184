//! The files of the user: the trait of their host, and the rules by which the tools write them.
//!
//! **A file is written only over the version that the model knows**: the one that it last read, or that it wrote. A
//! file that it does not know is not replaced. So a change by the user meanwhile makes the call fail, and is not lost.
//! In a restored conversation it is unknown which versions the model has seen.

use crate::log::Log;
use copydesk_base::decode;
use copydesk_base::host::LocalFuture;
use copydesk_base::locale::Locale;
use copydesk_workspace::{CheckKind, Error, paths};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The methods of a workspace's host, with their arguments and results as JSON.
///
/// | method | arguments | result |
/// |---|---|---|
/// | `read` | path | `{path, text, version, size}` |
/// | `write` | path, text, `{expected?, note?}` | `{path, version, created}` |
/// | `list` | | `[{path, size}]` |
/// | `search` | `{pattern, regex, caseSensitive, paths, limit}` | `{matches: [{path, line, text, before, after}], isCut, skipped?: {count, files: [{path, code}]}}` |
/// | `check` | `timeline` or `references`, the locale | `{errors, warnings}` |
///
/// `expected` is the version that the file must have, or null if it must not exist. A failure is the error of
/// [`Error::of_host`].
pub trait WorkspaceHost {
    /// Calls a method. Dropping the future does not undo a write.
    fn call(&self, method: &'static str, arguments: Vec<Value>) -> LocalFuture<'static, Result<Value, Error>>;
}

/// A file as its host returns it.
#[derive(Clone, Debug, Deserialize)]
pub struct FileText {
    /// Its path in the form of the host.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Identifies the text.
    pub version: String,
}

/// The result of a write.
#[derive(Clone, Debug, Deserialize)]
pub struct WrittenFile {
    /// Its path in the form of the host.
    pub path: String,
    /// The version after the write.
    pub version: String,
    /// True if there was no such file before.
    pub created: bool,
}

/// A file in the list of a workspace.
#[derive(Clone, Debug, Deserialize)]
pub struct ListedFile {
    /// Its path.
    pub path: String,
    /// Its size in bytes.
    pub size: f64,
}

/// A search through the files.
pub struct FileSearch<'a> {
    /// A literal text, or a regular expression.
    pub pattern: &'a str,
    /// True for a regular expression.
    pub regex: bool,
    /// False if characters that differ in case only are equal.
    pub case_sensitive: bool,
    /// The files to search; all by default.
    pub paths: Option<Vec<String>>,
    /// The most matches.
    pub limit: usize,
}

/// The result of a search.
pub struct FoundText {
    /// The matches, as the host returns them.
    pub matches: Vec<Value>,
    /// True if there are more.
    pub is_cut: bool,
    /// The files that could not be searched.
    pub skipped: SkippedFiles,
}

/// The most skipped files that a result names.
const MOST_NAMED: usize = 10;

/// The files that a search or a check has left out.
#[derive(Debug, Default, Deserialize)]
pub struct SkippedFiles {
    /// Their number.
    pub count: f64,
    /// Some of them.
    pub files: Vec<SkippedFile>,
}

impl SkippedFiles {
    /// Returns their number and the first of them; `None` if there are none.
    // A host gives a JavaScript number.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn for_model(&self) -> Option<Value> {
        let first = self.files.iter().take(MOST_NAMED);
        let files: Vec<Value> = first.map(|file| json!({ "path": file.path, "code": file.code })).collect();
        (!files.is_empty()).then(|| json!({ "count": self.count as u64, "files": files }))
    }
}

/// A file that could not be read.
#[derive(Debug, Deserialize)]
pub struct SkippedFile {
    /// Its path, or its name if no path leads to it.
    pub path: String,
    /// The code of the error.
    pub code: String,
}

/// The workspace of an agent. Clones refer to the same one.
#[derive(Clone)]
pub struct Workspace {
    host: Rc<dyn WorkspaceHost>,
    /// The versions that the model knows, by path.
    known: Rc<RefCell<FxHashMap<String, KnownVersion>>>,
    log: Log,
}

/// The version of a file that the model knows.
#[derive(Clone)]
enum KnownVersion {
    Version(String),
    /// The one of an earlier session.
    Earlier,
}

impl Workspace {
    /// Creates a workspace with no files known to the model.
    pub fn new(host: Rc<dyn WorkspaceHost>, log: Log) -> Workspace {
        Workspace { host, known: Rc::default(), log }
    }

    /// Reads a file without showing it to the model.
    ///
    /// # Errors
    /// Those of the host, as all methods here.
    pub async fn read(&self, path: &str) -> Result<FileText, Error> {
        let read = self.call("read", vec![path.into()]).await;
        if matches!(read, Err(Error::FileNotFound { .. })) {
            // It may be created again.
            self.known.borrow_mut().remove(&normalized(path));
        }
        read.map_err(|error| located(error, path))
    }

    /// Notes that the model is shown a file.
    pub fn know(&self, path: &str, version: &str) {
        self.known.borrow_mut().insert(normalized(path), KnownVersion::Version(version.to_owned()));
    }

    /// Returns the version of a file that the model knows.
    pub fn known(&self, path: &str) -> Option<String> {
        match self.known.borrow().get(&normalized(path)) {
            Some(KnownVersion::Version(version)) => Some(version.clone()),
            _ => None,
        }
    }

    /// Returns true if the model knows a file from an earlier session.
    pub fn is_known_from_before(&self, path: &str) -> bool {
        matches!(self.known.borrow().get(&normalized(path)), Some(KnownVersion::Earlier))
    }

    /// Forgets the versions that the model knows; these files it knows from an earlier session.
    pub fn forget(&self, earlier: impl IntoIterator<Item = String>) {
        *self.known.borrow_mut() = earlier.into_iter().map(|path| (normalized(&path), KnownVersion::Earlier)).collect();
    }

    /// Writes a file for a call. `expected` is the version that is replaced; `None` if there must be no such file.
    pub async fn write(
        &self,
        tool_id: &str,
        path: &str,
        text: String,
        expected: Option<String>,
    ) -> Result<WrittenFile, Error> {
        let options = json!({ "expected": expected });
        let written = self.call("write", vec![path.into(), text.into(), options]).await;
        let written: WrittenFile = written.map_err(|error| located(error, path))?;
        self.know(&written.path, &written.version);
        self.log.file_written(tool_id, &written.path, &written.version, written.created);
        Ok(written)
    }

    /// Lists all files.
    pub async fn list(&self) -> Result<Vec<ListedFile>, Error> {
        self.call("list", Vec::new()).await
    }

    /// Searches files. Fails with [`Error::InvalidPattern`] for an empty pattern.
    pub async fn search(&self, search: FileSearch<'_>) -> Result<FoundText, Error> {
        let FileSearch { pattern, regex, case_sensitive, paths, limit } = search;
        if pattern.is_empty() {
            return Err(Error::InvalidPattern { pattern: String::new(), reason: String::new() });
        }
        let mut query = json!({
            "pattern": pattern,
            "regex": regex,
            "caseSensitive": case_sensitive,
            "limit": limit,
        });
        if let Some(paths) = paths {
            query["paths"] = paths.into();
        }
        let mut found = self.host.call("search", vec![query]).await?;
        let Value::Array(matches) = found["matches"].take() else {
            return Err(wrong("search", "matches must be an array"));
        };
        // A host that names none has read everything.
        let skipped = decode::from_value(&found["skipped"]).unwrap_or_default();
        Ok(FoundText { matches, is_cut: found["isCut"] == true, skipped })
    }

    /// Checks the story in the files. Returns `{errors, warnings}` with messages in this language.
    pub async fn check(&self, kind: CheckKind, locale: Locale) -> Result<Value, Error> {
        let given = vec![kind.name().into(), locale.tag().into()];
        let mut report = self.host.call("check", given).await?;
        if report["errors"].is_array() && report["warnings"].is_array() {
            let skipped: SkippedFiles = decode::from_value(&report["skipped"]).unwrap_or_default();
            if let Some(report) = report.as_object_mut() {
                report.remove("skipped");
                report.extend(skipped.for_model().map(|skipped| ("skipped".to_owned(), skipped)));
            }
            return Ok(report);
        }
        Err(wrong("check", "errors and warnings must be arrays"))
    }

    async fn call<T: DeserializeOwned>(&self, method: &'static str, arguments: Vec<Value>) -> Result<T, Error> {
        let value = self.host.call(method, arguments).await?;
        decode::from_value(&value).map_err(|error| wrong(method, &error.to_string()))
    }
}

/// Returns the error of a host that returns something else than it must.
fn wrong(method: &str, reason: &str) -> Error {
    let reason = format!("its {method} returned something else than it must: {reason}");
    Error::StorageFailed { path: String::new(), reason }
}

/// Returns the form of a path under which its version is kept. Hosts return further forms (NFC) themselves.
fn normalized(path: &str) -> String {
    paths::folder(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns an error of a host, with the path of the call if it names none.
fn located(mut error: Error, called: &str) -> Error {
    match &mut error {
        Error::FileNotFound { path }
        | Error::InvalidPath { path, .. }
        | Error::PermissionDenied { path }
        | Error::FileProtected { path }
        | Error::NotText { path }
        | Error::FileTooLarge { path }
        | Error::FileExists { path, .. }
        | Error::FileChanged { path }
        | Error::NotEncodable { path, .. }
        | Error::StorageFull { path }
        | Error::StorageFailed { path, .. }
            if path.is_empty() =>
        {
            *path = called.to_owned();
        }
        _ => {}
    }
    error
}
