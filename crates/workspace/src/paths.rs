//! Paths of files: folders, glob patterns and chapters.

use crate::Error;
use crate::error::Reason;
use crate::messages;
use crate::numeral;
use glob::{MatchOptions, Pattern};

/// The greatest number of a chapter.
pub const LAST_CHAPTER: u32 = 999;

/// The rules of glob patterns: `*` does not match a `/`.
const RULES: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };
/// The most patterns to which the alternatives in one expand.
const MOST_PATTERNS: usize = 64;

/// Selects files by a folder and a glob pattern.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The folder, or a file; empty for all.
    folder: String,
    glob: Option<Glob>,
}

/// A glob pattern: one pattern for each of its alternatives.
#[derive(Clone, Debug)]
struct Glob {
    patterns: Vec<Pattern>,
    /// True if it is compared with paths.
    has_folders: bool,
}

impl Filter {
    /// Creates a filter. `path` is a folder or a file; `.` and nothing mean all. A glob pattern without `/` is compared
    /// with the name of a file, any other with its path.
    ///
    /// ```
    /// use copydesk_workspace::Filter;
    ///
    /// let filter = Filter::new(Some("./chapters/"), Some("ch0*.{md,txt}"))?;
    /// assert!(filter.accepts("chapters/part1/ch001.md"));
    /// assert!(!filter.accepts("notes/ch001.md") && !filter.accepts("chapters/ch100.md"));
    /// # Ok::<(), copydesk_workspace::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidPath`] for a path that leaves the workspace, [`Error::InvalidPattern`] for the pattern.
    pub fn new(path: Option<&str>, glob: Option<&str>) -> Result<Filter, Error> {
        let glob = glob.map(|glob| glob.trim().trim_start_matches("./")).filter(|glob| !glob.is_empty());
        Ok(Filter { folder: folder(path.unwrap_or_default())?, glob: glob.map(Glob::new).transpose()? })
    }

    /// Returns true if all files are selected.
    pub fn is_all(&self) -> bool {
        self.folder.is_empty() && self.glob.is_none()
    }

    /// Returns the folder, or the file; empty for all.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns whether a file is in the folder.
    pub fn is_inside(&self, path: &str) -> bool {
        self.within(path).is_some()
    }

    /// Returns whether a file is selected.
    pub fn accepts(&self, path: &str) -> bool {
        let Some(within) = self.within(path) else { return false };
        match &self.glob {
            None => true,
            Some(glob) if glob.has_folders => glob.accepts(path) || glob.accepts(within),
            Some(glob) => glob.accepts(name(path)),
        }
    }

    /// Returns the path inside the folder.
    fn within<'a>(&self, path: &'a str) -> Option<&'a str> {
        if self.folder.is_empty() {
            return Some(path);
        }
        match path.strip_prefix(self.folder.as_str())? {
            "" => Some(name(path)),
            rest => rest.strip_prefix('/'),
        }
    }
}

impl Glob {
    fn new(glob: &str) -> Result<Glob, Error> {
        let invalid = |reason: String| Error::InvalidPattern { pattern: glob.to_owned(), reason };
        let mut expanded = vec![glob.to_owned()];
        while let Some(at) = expanded.iter().position(|pattern| alternatives(pattern).is_some()) {
            let pattern = expanded.swap_remove(at);
            expanded.extend(alternatives(&pattern).unwrap_or_default());
            if expanded.len() > MOST_PATTERNS {
                return Err(invalid(format!("more than {MOST_PATTERNS} alternatives")));
            }
        }
        let patterns = expanded.iter().map(|pattern| Pattern::new(pattern));
        let patterns = patterns.collect::<Result<_, _>>().map_err(|error| invalid(error.msg.to_owned()))?;
        Ok(Glob { patterns, has_folders: glob.contains('/') })
    }

    fn accepts(&self, path: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches_with(path, RULES))
    }
}

/// Returns the patterns to which the innermost first `{a,b}` of a pattern expands; `None` without one.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let end = pattern.find('}')?;
    let start = pattern[..end].rfind('{')?;
    let each = pattern[start + 1..end].split(',');
    Some(each.map(|each| [&pattern[..start], each, &pattern[end + 1..]].concat()).collect())
}

/// Returns a folder without `./` and `/` around it; the root is empty.
///
/// # Errors
/// [`Error::InvalidPath`] for an absolute path, and for `..`.
pub fn folder(path: &str) -> Result<String, Error> {
    let path = path.trim();
    let reason = if path.starts_with('/') && path.len() > 1 {
        Some(messages::PATH_ABSOLUTE)
    } else if path.split('/').any(|part| part == "..") {
        Some(messages::PATH_LEAVES)
    } else if path.contains(['\\', '\0', ':']) {
        Some(messages::PATH_CHARACTER)
    } else {
        None
    };
    if let Some(reason) = reason {
        return Err(Error::InvalidPath { path: path.to_owned(), reason: Reason::Own(reason) });
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    Ok(parts.join("/"))
}

/// Returns the path of a chapter.
///
/// ```
/// use copydesk_workspace::paths;
///
/// assert_eq!(paths::of_chapter("chapters", 7)?, "chapters/ch007.md");
/// # Ok::<(), copydesk_workspace::Error>(())
/// ```
///
/// # Errors
/// [`Error::InvalidValue`] for a number outside 1–999, [`Error::InvalidPath`] for the folder.
pub fn of_chapter(base: &str, number: i64) -> Result<String, Error> {
    if !(1..=i64::from(LAST_CHAPTER)).contains(&number) {
        return Err(Error::InvalidValue {
            name: "number",
            given: number.to_string(),
            expected: messages::ChapterRange { last: &LAST_CHAPTER }.message(),
        });
    }
    let folder = folder(base)?;
    let name = format!("ch{number:03}.md");
    Ok(if folder.is_empty() { name } else { format!("{folder}/{name}") })
}

/// Returns the number of a chapter: of a text file whose name is `ch001`, `chapter-1` or `第1章…`.
///
/// ```
/// use copydesk_workspace::paths::chapter_number;
///
/// assert_eq!(chapter_number("chapters/ch012.md"), Some(12));
/// assert_eq!(chapter_number("第十二章 雨.md"), Some(12));
/// assert_eq!(chapter_number("chapters/notes.md"), None);
/// ```
pub fn chapter_number(path: &str) -> Option<u32> {
    if !is_story(path) {
        return None;
    }
    let stem = name(path).rsplit_once('.')?.0;
    let number = match stem.strip_prefix('第') {
        Some(rest) => numeral::parse(rest.split_once('章')?.0.trim()),
        None => {
            let stem = stem.to_ascii_lowercase();
            let rest = stem.strip_prefix("chapter").or_else(|| stem.strip_prefix("ch"))?;
            let digits = rest.trim_start_matches(['-', '_', ' ']);
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        }
    };
    number.filter(|number| (1..=LAST_CHAPTER).contains(number))
}

/// Returns whether a file is text of a story: `.md`, `.markdown` or `.txt`.
pub fn is_story(path: &str) -> bool {
    let end = name(path).rsplit_once('.').map_or("", |(_, end)| end);
    ["md", "markdown", "txt"].iter().any(|kind| end.eq_ignore_ascii_case(kind))
}

/// Returns the last part of a path.
pub fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns a path without its last part.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
