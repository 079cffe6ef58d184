//! Search for a literal text.

use crate::Error;
use crate::fold::{folded, is_uncased};
use crate::lines::{NumberedLines, shown_around, without_mark};
use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter, memrchr};

/// The most matches of a search.
pub const MOST_MATCHES: usize = 50;
/// The number of lines shown before and after a match.
const AROUND: usize = 2;

/// A text that is searched for.
pub struct Needle {
    finder: Finder<'static>,
    /// The text, folded.
    folded: Box<str>,
    /// True if texts must be folded.
    is_folded: bool,
}

/// A line in which a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMatch {
    /// Its number, from 1.
    pub line: usize,
    /// The line; of a long one the part around the match.
    pub text: String,
    /// The two lines before it.
    pub before: Vec<String>,
    /// The two lines after it.
    pub after: Vec<String>,
}

impl Needle {
    /// Creates a search for a text. Without `case_sensitive` characters that differ in case only are equal, in any
    /// script.
    ///
    /// ```
    /// use copydesk_workspace::Needle;
    ///
    /// let needle = Needle::new("ΤΣΆΙ", false)?;
    /// let found = needle.find("κρύο\nτσάι, Τσάι\n", 50);
    /// assert_eq!((found.len(), found[0].line, found[0].before[0].as_str()), (1, 2, "κρύο"));
    /// # Ok::<(), copydesk_workspace::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] for an empty text.
    pub fn new(pattern: &str, case_sensitive: bool) -> Result<Needle, Error> {
        if pattern.is_empty() {
            return Err(Error::InvalidPattern { pattern: String::new(), reason: String::new() });
        }
        let is_folded = !case_sensitive && !pattern.chars().all(is_uncased);
        let folded: Box<str> = folded(pattern).unwrap_or_else(|| pattern.to_owned()).into();
        let wanted = if is_folded { &*folded } else { pattern };
        Ok(Needle { finder: Finder::new(wanted).into_owned(), folded, is_folded })
    }

    /// Returns the folded text, which is in every folded text that contains the text in any case.
    pub(crate) fn folded(&self) -> &[u8] {
        self.folded.as_bytes()
    }

    /// Returns whether texts are folded for this search.
    pub(crate) fn is_folded(&self) -> bool {
        self.is_folded
    }

    /// Returns the first lines in which a match begins, at most `most`.
    pub fn find(&self, text: &str, most: usize) -> Vec<LineMatch> {
        let folded = if self.is_folded { folded(text) } else { None };
        self.find_in(text, folded.as_deref().unwrap_or(text), most)
    }

    /// Does the same with `searched`, which is the text, folded if that is needed.
    pub(crate) fn find_in(&self, text: &str, searched: &str, most: usize) -> Vec<LineMatch> {
        let found = self.places(searched, most);
        if found.is_empty() {
            return Vec::new();
        }
        let lines = NumberedLines::of(text);
        let shown = |number: usize| shown_around(lines.line(number), 0);
        let of_place = |(line, at): (usize, usize)| LineMatch {
            line,
            text: shown_around(lines.line(line), at),
            before: (line.saturating_sub(AROUND).max(1)..line).map(shown).collect(),
            after: (line + 1..=(line + AROUND).min(lines.count())).map(shown).collect(),
        };
        found.into_iter().map(of_place).collect()
    }

    /// Returns the lines in which matches begin, and the character in the line at which the first one does.
    fn places(&self, searched: &str, most: usize) -> Vec<(usize, usize)> {
        let searched = without_mark(searched);
        let bytes = searched.as_bytes();
        let mut places = Vec::new();
        // The start of a line, and its number.
        let (mut from, mut line) = (0, 1);
        while places.len() < most
            && let Some(at) = self.finder.find(&bytes[from..]).map(|at| from + at)
        {
            line += memchr_iter(b'\n', &bytes[from..at]).count();
            let start = memrchr(b'\n', &bytes[from..at]).map_or(from, |end| from + end + 1);
            places.push((line, searched[start..at].chars().count()));
            let Some(end) = memchr(b'\n', &bytes[at..]) else { break };
            (from, line) = (at + end + 1, line + 1);
        }
        places
    }
}
