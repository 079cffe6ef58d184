//! The notation in which lines are shown to a model: one definition for writing and for reading it back.
//!
//! ````text
//! 4 lines, version v3        headline
//! 1: ## Tea                  number, prefix, text
//! 2: - [x] buy it
//! 3:   3. brew it
//! ```js                      fence, without a number
//! 4: drink()
//! ```
//! ````
//!
//! A [`Prefix`] is a list of [`Sign`]s: one for each container with a sign and one for the line's own block. Everything
//! here is written by `Display` and read by the function next to it; reading returns the value that was written.
//!
//! ```
//! use copydesk_document::{Document, notation::Sign};
//!
//! let document = Document::from_html("<ol start='3'><li>Brew</li></ol>")?;
//! let prefix = &document.prefixes(0)[0];
//! assert_eq!(prefix.to_string(), "3. ");
//! // A model may write another number, and another state of a task.
//! let (given, text) = prefix.read("4. Brew it").expect("it has the same signs");
//! assert_eq!((given.signs(), text), (&[Sign::Number(4)][..], "Brew it"));
//! assert!(prefix.read("Brew it").is_none());
//! # Ok::<(), copydesk_document::Error>(())
//! ```

use crate::messages;
use copydesk_base::catalog;
use copydesk_base::locale::Locale;
use std::borrow::Cow;
use std::fmt;

/// The mark at the beginning and at the end of code.
const FENCE: &str = "```";

/// The sign of a summary. The content of its details node is indented behind it.
pub const SUMMARY: &str = "▸ ";

/// A mark before the text of a line that shows what kind of line it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A line inside an item or a container, not its first.
    Indent,
    /// A line in a quotation.
    Quote,
    /// The first line of an item of a bullet list.
    Bullet,
    /// The first line of an item of an ordered list, with its number.
    Number(i64),
    /// The first line of a task.
    Task {
        /// True if the task is done.
        checked: bool,
    },
    /// A line in a cell of a table.
    Cell,
    /// A heading of a level from 1 to 6.
    Heading(u8),
    /// The first line of a block with a sign of its own, or all that is shown of a leaf.
    Own(String),
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sign::Indent => f.write_str("  "),
            Sign::Quote => f.write_str("> "),
            Sign::Bullet => f.write_str("- "),
            Sign::Number(number) => write!(f, "{number}. "),
            Sign::Task { checked: true } => f.write_str("- [x] "),
            Sign::Task { checked: false } => f.write_str("- [ ] "),
            Sign::Cell => f.write_str("| "),
            Sign::Heading(level) => write!(f, "{} ", "#".repeat(usize::from(*level))),
            Sign::Own(sign) => f.write_str(sign),
        }
    }
}

impl Sign {
    /// Reads a sign of the same form at the beginning of a text: any number for a number, a task in any state for a
    /// task, any other sign for itself. What Markdown writes for the same is read too: `* ` and `+ ` for a bullet,
    /// `1) ` and `1、` for a number, `[X] ` for a task, with a bullet or without. Returns the sign and the rest of the
    /// text.
    pub fn read<'t>(&self, text: &'t str) -> Option<(Sign, &'t str)> {
        match self {
            Sign::Number(_) => {
                let number = text.strip_prefix('-').unwrap_or(text);
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                let end = text.len() - number.len() + digits;
                let rest = [". ", ") ", "、"].iter().find_map(|sign| text[end..].strip_prefix(sign))?;
                (digits > 0).then(|| (Sign::Number(text[..end].parse().unwrap_or(i64::MAX)), rest))
            }
            Sign::Task { .. } => {
                let rest = bulleted(text).unwrap_or(text);
                let rest = |sign| rest.strip_prefix(sign);
                let is_done = rest("[x] ").or_else(|| rest("[X] ")).map(|rest| (Sign::Task { checked: true }, rest));
                is_done.or_else(|| rest("[ ] ").map(|rest| (Sign::Task { checked: false }, rest)))
            }
            Sign::Bullet => bulleted(text).map(|rest| (Sign::Bullet, rest)),
            _ => self.read_exact(text),
        }
    }

    fn read_exact<'t>(&self, text: &'t str) -> Option<(Sign, &'t str)> {
        Some((self.clone(), text.strip_prefix(&*self.to_string())?))
    }
}

/// Returns the text behind the sign of a bullet.
fn bulleted(text: &str) -> Option<&str> {
    ["- ", "* ", "+ "].iter().find_map(|sign| text.strip_prefix(sign))
}

/// The prefix of a line: everything before its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(Vec<Sign>);

impl Prefix {
    /// The signs, that of the outermost container first.
    pub fn signs(&self) -> &[Sign] {
        &self.0
    }

    /// Returns whether the prefix is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the line is that of a heading.
    pub fn is_heading(&self) -> bool {
        matches!(self.0.last(), Some(Sign::Heading(_)))
    }

    /// Returns whether the task is done, of the first line of a task.
    pub fn checked(&self) -> Option<bool> {
        match self.0.last() {
            Some(Sign::Task { checked }) => Some(*checked),
            _ => None,
        }
    }

    /// Returns the prefix of an item whose kind is not stated: with a bullet.
    pub fn with_bullet(&self) -> Option<Prefix> {
        let (last, before) = self.0.split_last()?;
        let is_item = matches!(last, Sign::Task { .. } | Sign::Number(_));
        is_item.then(|| before.iter().cloned().chain([Sign::Bullet]).collect())
    }

    /// Returns the prefix without indents: a single line is often written without them.
    pub fn without_indents(&self) -> Prefix {
        self.signs().iter().filter(|sign| **sign != Sign::Indent).cloned().collect()
    }

    /// Returns the prefix without the signs of the quotations around the line.
    pub fn unquoted(&self) -> Prefix {
        self.0.iter().skip_while(|sign| **sign == Sign::Quote).cloned().collect()
    }

    /// Returns the prefix, and then without the signs of one quotation around the line after the other.
    pub fn less_quoted(&self) -> impl Iterator<Item = Prefix> {
        let quotes = self.0.iter().take_while(|sign| **sign == Sign::Quote).count();
        (0..=quotes).map(|from| self.0[from..].iter().cloned().collect())
    }

    /// Reads signs of the same forms (see [`Sign::read`]) at the beginning of a text. Returns them and the rest of the
    /// text; `None` if any is missing.
    pub fn read<'t>(&self, text: &'t str) -> Option<(Prefix, &'t str)> {
        let mut rest = text;
        let mut given = Vec::with_capacity(self.0.len());
        for sign in &self.0 {
            let (sign, behind) = sign.read(rest)?;
            given.push(sign);
            rest = behind;
        }
        Some((Prefix(given), rest))
    }

    /// Returns whether a text may begin with a prefix. For most texts it does not, and nothing need be read.
    pub fn may_begin(text: &str) -> bool {
        const FIRST: &[char] = &['#', '-', '*', '+', '>', '|', '!', '[', '`', ' ', '▸', '$'];
        text.starts_with(FIRST) || text.starts_with(|first: char| first.is_ascii_digit())
    }
}

impl FromIterator<Sign> for Prefix {
    fn from_iter<I: IntoIterator<Item = Sign>>(signs: I) -> Prefix {
        Prefix(signs.into_iter().collect())
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|sign| sign.fmt(f))
    }
}

/// The row above the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline<'v> {
    /// Number of lines of the document.
    pub lines: usize,
    /// Version of the document.
    pub version: &'v str,
}

impl fmt::Display for Headline<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written_in(Locale::En))
    }
}

impl<'t> Headline<'t> {
    /// Writes it in a language. [`Display`](fmt::Display) is the English form.
    pub fn written_in(&self, locale: Locale) -> String {
        messages::Headline { lines: &self.lines, version: &self.version }.text(locale)
    }

    /// Returns lines with their headline in a language.
    pub fn translated(lines: &str, locale: Locale) -> Cow<'_, str> {
        let (first, rest) = lines.find('\n').map_or((lines, ""), |end| lines.split_at(end));
        match Headline::read(first) {
            Some(headline) if locale != Locale::En => (headline.written_in(locale) + rest).into(),
            _ => lines.into(),
        }
    }

    /// Reads a headline in any language.
    pub fn read(row: &'t str) -> Option<Headline<'t>> {
        // Every headline has the number of lines and the version, which ends it.
        let version = row.rsplit(' ').next().filter(|version| version.starts_with('v'))?;
        let digits = row.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = digits.split(|c: char| !c.is_ascii_digit()).next()?;
        let headline = Headline { lines: digits.parse().ok()?, version };
        catalog::locales().into_iter().any(|locale| headline.written_in(locale) == row).then_some(headline)
    }
}

/// The number before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber(pub usize);

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.0)
    }
}

impl LineNumber {
    /// Reads this number at the beginning of a row, where the space behind it may be missing unless a digit follows:
    /// `5:30` is a time. Returns the rest.
    pub fn read(self, row: &str) -> Option<&str> {
        let rest = row.strip_prefix(&*self.0.to_string())?.strip_prefix(':')?;
        match rest.strip_prefix(' ') {
            Some(rest) => Some(rest),
            None => (!rest.starts_with(|c: char| c.is_ascii_digit())).then_some(rest),
        }
    }
}

/// The rows around the lines of a code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fence<'l> {
    /// The row before the code, with its language, which may be empty.
    Opening(&'l str),
    /// The row behind the code.
    Closing,
}

impl fmt::Display for Fence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fence::Opening(language) => write!(f, "{FENCE}{language}"),
            Fence::Closing => f.write_str(FENCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let own = ["---", "![a](/b.png)", "▸ ", "[video]", "$$x$$"].map(|sign| Sign::Own(sign.to_owned()));
        let tasks = [true, false].map(|checked| Sign::Task { checked });
        let numbers = [-4, 0, 3, 120].map(Sign::Number);
        let headings = [1, 2, 6].map(Sign::Heading);
        let all: Vec<Sign> = [Sign::Indent, Sign::Quote, Sign::Bullet, Sign::Cell].into_iter().collect();
        let all: Vec<Sign> = all.into_iter().chain(own).chain(tasks).chain(numbers).chain(headings).collect();
        for (first, second) in all.iter().flat_map(|first| all.iter().map(move |second| (first, second))) {
            let prefix: Prefix = [first.clone(), second.clone()].into_iter().collect();
            assert_eq!(prefix.read(&format!("{prefix}1. text")), Some((prefix.clone(), "1. text")));
            assert!(Prefix::may_begin(&prefix.to_string()));
        }
        let headline = Headline { lines: 12, version: "v3" };
        for locale in [Locale::En, Locale::ZhCn] {
            assert_eq!(Headline::read(&headline.written_in(locale)), Some(headline.clone()));
        }
        assert_eq!(LineNumber(7).read(&format!("{}text", LineNumber(7))), Some("text"));
    }

    #[test]
    fn another_number_and_another_state_have_the_same_form() {
        assert_eq!(Sign::Number(1).read("12. a"), Some((Sign::Number(12), "a")));
        assert_eq!(Sign::Task { checked: false }.read("- [x] a"), Some((Sign::Task { checked: true }, "a")));
        assert_eq!(Sign::Number(1).read("2) a"), Some((Sign::Number(2), "a")));
        assert_eq!(Sign::Task { checked: false }.read("* [X] a"), Some((Sign::Task { checked: true }, "a")));
        assert_eq!(Sign::Task { checked: true }.read("[ ] a"), Some((Sign::Task { checked: false }, "a")));
        assert_eq!(Sign::Bullet.read("* a"), Some((Sign::Bullet, "a")));
        assert_eq!(Sign::Heading(1).read("## a"), None);
        assert_eq!(Sign::Bullet.read("-a"), None);
        assert_eq!(Sign::Number(1).read("1.a. b"), None);
    }
}
