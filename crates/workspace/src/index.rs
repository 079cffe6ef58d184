//! The files of a workspace in memory.

use crate::finding::{CheckKind, CheckReport, CheckedFile};
use crate::fold::folded;
use crate::headroom::Headroom;
use crate::marks::StoryMarks;
use crate::paths::is_story;
use crate::search::{LineMatch, MOST_MATCHES, Needle};
use crate::trigrams::Trigrams;
use crate::{Error, references, timeline};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// The texts of files by path.
#[derive(Default)]
pub struct Index {
    files: BTreeMap<String, IndexedFile>,
    memory: Headroom,
}

struct IndexedFile {
    text: String,
    /// The folded text after the first search; `None` inside if that is the text itself.
    folded: OnceCell<Option<String>>,
    /// The trigrams of the folded text.
    trigrams: OnceCell<Trigrams>,
    /// The marks after the first check.
    marks: OnceCell<StoryMarks>,
}

/// A search for a literal text.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextQuery {
    /// The text.
    pub pattern: String,
    /// False if characters that differ in case only are equal.
    #[serde(default)]
    pub case_sensitive: bool,
    /// The files to search, in this order; all by default.
    pub paths: Option<Vec<String>>,
    /// The most matches.
    #[serde(default = "most_matches")]
    pub limit: usize,
}

impl TextQuery {
    /// Creates a search of all files for a text in any case.
    pub fn literal(pattern: &str) -> TextQuery {
        TextQuery { pattern: pattern.to_owned(), case_sensitive: false, paths: None, limit: MOST_MATCHES }
    }
}

/// The matches of a search.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundInFiles {
    /// The lines in which matches begin.
    pub matches: Vec<FileMatch>,
    /// True if there are more.
    pub is_cut: bool,
}

/// A line of a file in which a match begins. As JSON: `{path, line, text, before, after}`.
#[derive(Clone, Debug, Serialize)]
pub struct FileMatch {
    /// The path of the file.
    pub path: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The line; of a long one the part around the match.
    pub text: String,
    /// The two lines before it.
    pub before: Vec<String>,
    /// The two lines after it.
    pub after: Vec<String>,
}

impl Index {
    /// Adds a file, or replaces its text.
    pub fn set(&mut self, path: &str, text: &str) {
        self.memory.provide(text.len());
        let text = text.to_owned();
        let file = IndexedFile { text, folded: OnceCell::new(), trigrams: OnceCell::new(), marks: OnceCell::new() };
        self.files.insert(path.to_owned(), file);
    }

    /// Removes a file; a path without one is ignored.
    pub fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Searches the files. A path without a file is ignored.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] for an empty text.
    pub fn search(&self, query: &TextQuery) -> Result<FoundInFiles, Error> {
        let needle = Needle::new(&query.pattern, query.case_sensitive)?;
        let mut matches = Vec::new();
        let mut search = |path: &str, file: &IndexedFile| {
            // One more than the limit tells that there are more.
            let left = query.limit.saturating_add(1) - matches.len();
            if !file.trigrams(&self.memory).may_contain(needle.folded()) {
                return false;
            }
            let searched = if needle.is_folded() { file.folded(&self.memory) } else { &file.text };
            let found = needle.find_in(&file.text, searched, left).into_iter();
            matches.extend(found.map(|LineMatch { line, text, before, after }| FileMatch {
                path: path.to_owned(),
                line,
                text,
                before,
                after,
            }));
            matches.len() > query.limit
        };
        match &query.paths {
            Some(paths) => {
                let mut files = paths.iter().filter_map(|path| Some((path, self.files.get(path)?)));
                files.any(|(path, file)| search(path, file));
            }
            None => {
                self.files.iter().any(|(path, file)| search(path, file));
            }
        }
        let is_cut = matches.len() > query.limit;
        matches.truncate(query.limit);
        Ok(FoundInFiles { matches, is_cut })
    }

    /// Runs a check over the files.
    pub fn check(&self, kind: CheckKind) -> CheckReport {
        let stories = self.files.iter().filter(|(path, _)| is_story(path));
        let sources = stories.map(|(path, file)| CheckedFile { path, text: &file.text, marks: file.marks() });
        match kind {
            CheckKind::Timeline => timeline::check_marks(sources),
            CheckKind::References => references::check_marks(sources),
        }
    }
}

impl IndexedFile {
    fn folded(&self, memory: &Headroom) -> &str {
        let fold = || {
            memory.provide(self.text.len());
            folded(&self.text)
        };
        self.folded.get_or_init(fold).as_deref().unwrap_or(&self.text)
    }

    fn trigrams(&self, memory: &Headroom) -> &Trigrams {
        self.trigrams.get_or_init(|| {
            let text = self.folded(memory);
            memory.provide(Trigrams::bytes_for(text));
            Trigrams::of(text)
        })
    }

    fn marks(&self) -> &StoryMarks {
        self.marks.get_or_init(|| StoryMarks::of(&self.text))
    }
}

fn most_matches() -> usize {
    MOST_MATCHES
}
