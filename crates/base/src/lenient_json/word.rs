//! Backslashes inside of a word, as in paths: `src\routes\table.ts`, `\\server\new`, `%APPDATA%\npm\node_modules`.
//!
//! A word is text without white space, quotes and the like, in which `\n`, `\r` and `\t` before a letter may be
//! backslashes.

use super::context::{LOOKAHEAD, PathEvidence, is_unicode_escape};

/// The longest word that is looked at, in bytes.
const LONGEST: usize = 1_000;
/// The first character of the scripts of Chinese and Japanese.
const CJK: char = '\u{2E80}';

/// Variables of Windows that have a directory or a drive.
const DIRECTORIES: [&str; 16] = [
    "ALLUSERSPROFILE",
    "APPDATA",
    "COMMONPROGRAMFILES",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "ONEDRIVE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PUBLIC",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "WINDIR",
];

/// The reading of `\n`, `\r` and `\t` in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EscapeReading {
    /// They are control characters.
    Plain,
    /// They are backslashes, except that a line may end at `\n`.
    Path,
    /// They may be either.
    Unclear,
}

/// A word that has been looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// The number of bytes from the first escape to its end.
    pub(super) length: usize,
    pub(super) reading: EscapeReading,
}

/// The word before an escape.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    text: String,
    evidence: PathEvidence,
    /// The tabs of the line before, and of this line.
    tabs: [usize; 2],
    /// True if it follows a quotation, code, a closing tag or the like without a space.
    follows_text: bool,
    angle: Angle,
}

/// The text after the last `<` of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Angle {
    #[default]
    Closed,
    /// Nothing but a word follows it.
    Begun,
    /// An opening tag.
    Tag,
}

impl Before {
    pub(super) fn text(&mut self, text: &str) {
        self.tabs[1] += text.matches('\t').count();
        let mut rest = text;
        while let Some(at) = rest.find(ends) {
            self.push(&rest[..at]);
            let mut after = rest[at..].chars();
            self.end_at(after.next().unwrap_or(' '));
            rest = after.as_str();
        }
        self.push(rest);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(tail(text));
        if self.text.len() > 2 * LONGEST {
            self.text = tail(&self.text).to_owned();
        }
    }

    /// Ends the word at a character.
    fn end_at(&mut self, end: char) {
        let is_name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if self.angle == Angle::Begun {
            self.angle = if is_name(&self.text) { Angle::Tag } else { Angle::Closed };
        }
        self.follows_text = match (end, self.text.chars().next_back()) {
            // Behind an opening tag a path may begin, behind a closing one and an autolink a sentence ends.
            ('>', _) => self.angle != Angle::Tag,
            // A quotation begins after a space; in Chinese and Japanese without one.
            ('"' | '\'' | '`', Some(last)) => last < CJK,
            ('"' | '\'' | '`', None) => self.follows_text,
            (';', _) => self.text.contains('&'),
            _ => false,
        };
        match end {
            '<' => self.angle = Angle::Begun,
            '>' => self.angle = Angle::Closed,
            _ => {}
        }
        self.text.clear();
        self.evidence = PathEvidence::default();
    }

    /// Notes that the text before is a code span.
    pub(super) fn code_ended(&mut self) {
        self.follows_text = true;
    }

    pub(super) fn line_break(&mut self) {
        self.angle = Angle::Closed;
        self.tabs = [self.tabs[1], 0];
    }

    /// Notes a backslash between the word and `next`.
    pub(super) fn backslash(&mut self, is_single: bool, next: Option<char>) {
        if next.is_some_and(|next| next.is_ascii_alphabetic()) {
            self.evidence.single |= is_single && self.may_go_on();
            self.evidence.doubled |= !is_single;
        }
        self.text.push('\\');
    }

    /// Returns whether the word can go on with a backslash.
    pub(super) fn may_go_on(&self) -> bool {
        joins(self.text.chars().next_back()) || self.is_relative()
    }

    /// Returns whether the word is the beginning of a relative path. Directly behind text it is the end of a sentence.
    fn is_relative(&self) -> bool {
        !self.follows_text && matches!(self.text.as_str(), "." | "..")
    }

    /// Returns whether the word is the home directory, or a variable of Windows that has a directory.
    fn is_directory(&self) -> bool {
        let name = self.text.strip_prefix('%').and_then(|text| text.strip_suffix('%')).map(str::to_ascii_uppercase);
        self.text == "~" || name.is_some_and(|name| DIRECTORIES.contains(&name.as_str()))
    }

    /// Reads the rest of the word, which begins with an escape. Returns `None` if more text is needed; `ended` states
    /// that none follows.
    pub(super) fn read(&self, rest: &str, ended: bool) -> Option<Word> {
        let escapes = Escapes::of(rest, self, ended)?;
        let evidence = self.evidence.and(escapes.evidence);
        let steps = escapes.breaks + escapes.tabs;
        let is_mixed = escapes.breaks > 0 && escapes.tabs > 0;
        let reading = match evidence {
            PathEvidence { single: true, doubled: true } => EscapeReading::Unclear,
            PathEvidence { single: true, .. } if steps + escapes.returns > 1 || self.evidence.single => {
                EscapeReading::Path
            }
            PathEvidence { single: true, .. } => EscapeReading::Unclear,
            _ if self.is_relative() => EscapeReading::Unclear,
            // Rows of a table have as many tabs as their neighbours.
            _ if (is_mixed || self.is_directory() && steps > 1)
                && !self.is_in_table(rest, escapes.breaks, ended)? =>
            {
                EscapeReading::Unclear
            }
            _ => EscapeReading::Plain,
        };
        Some(Word { length: escapes.length, reading })
    }

    /// Returns whether the two backslashes that `rest` begins with are those of a share, as in `\\nas\files`: the
    /// others of the word are single. Returns `None` if more text is needed.
    pub(super) fn begins_share(&self, rest: &str, ended: bool) -> Option<bool> {
        if !self.text.is_empty() || !rest[2..].starts_with(|next: char| next.is_ascii_alphanumeric()) {
            return Some(false);
        }
        let evidence = Escapes::of(&rest[2..], self, ended)?.evidence;
        Some(evidence.single && !evidence.doubled)
    }

    /// Returns whether two neighbours of the lines that `rest` begins with have the same number of tabs.
    fn is_in_table(&self, rest: &str, breaks: usize, ended: bool) -> Option<bool> {
        let mut lines = self.tabs.to_vec();
        let (bytes, mut at) = (rest.as_bytes(), 0);
        while lines.len() <= breaks + 3 && at < LOOKAHEAD {
            let ends_line = match (bytes.get(at), bytes.get(at + 1)) {
                (None, _) | (Some(b'\\'), None) if ended => break,
                (None, _) | (Some(b'\\'), None) => return None,
                (Some(b'"'), _) => break,
                (Some(b'\n'), _) | (Some(b'\\'), Some(b'n')) => true,
                (Some(b'\t'), _) | (Some(b'\\'), Some(b't')) => {
                    *lines.last_mut()? += 1;
                    false
                }
                _ => false,
            };
            if ends_line {
                lines.push(0);
            }
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        Some(lines.windows(2).any(|two| two[0] > 0 && two[0] == two[1]))
    }
}

/// The escapes of a word.
#[derive(Default)]
struct Escapes {
    length: usize,
    breaks: usize,
    returns: usize,
    tabs: usize,
    evidence: PathEvidence,
}

impl Escapes {
    fn of(rest: &str, before: &Before, ended: bool) -> Option<Escapes> {
        let mut found = Escapes::default();
        let mut last = before.text.chars().next_back().filter(|_| !before.is_relative());
        last = last.or_else(|| before.is_relative().then_some('_'));
        loop {
            let rest = &rest[found.length..];
            let Some(character) = rest.chars().next() else { return ended.then_some(found) };
            if found.length >= LONGEST || ends(character) {
                return Some(found);
            }
            if character != '\\' {
                last = Some(character);
                found.length += character.len_utf8();
                continue;
            }
            let mut after = rest[1..].chars();
            let (next, following) = (after.next(), after.next());
            if rest.len() < 6 && !ended && !rest.contains('"') {
                return None;
            }
            let goes_on = joins(last) && following.is_some_and(|following| following.is_ascii_lowercase());
            found.length += match next {
                None | Some('"' | '\'') => return Some(found),
                Some('\\') => {
                    found.evidence.doubled |= following.is_some_and(char::is_alphanumeric);
                    2
                }
                Some('n' | 'r' | 't') if !goes_on => return Some(found),
                Some('n') => found.counted(|found| found.breaks += 1),
                Some('t') => found.counted(|found| found.tabs += 1),
                Some('r') => found.counted(|found| {
                    found.returns += 1;
                    found.evidence.single = true;
                }),
                Some('u') if is_unicode_escape(rest.as_bytes()) => 6,
                Some(next) if next.is_ascii_alphabetic() => {
                    found.evidence.single |= joins(last);
                    found.returns += usize::from(joins(last));
                    1
                }
                Some(next) => 1 + next.len_utf8(),
            };
            last = Some('\\');
        }
    }

    /// Counts an escape. Returns the length of its backslash and letter.
    fn counted(&mut self, count: impl FnOnce(&mut Escapes)) -> usize {
        count(self);
        2
    }
}

/// Returns whether a backslash after this character may be one inside of a word.
fn joins(last: Option<char>) -> bool {
    last.is_some_and(|last| last.is_alphanumeric() || matches!(last, '_' | '-' | '%' | ')' | '~'))
}

/// Returns whether a character ends a word.
fn ends(character: char) -> bool {
    character.is_whitespace() || character.is_control() || "\"'`<>|,;([{=".contains(character)
}

/// Returns the end of a text, at most [`LONGEST`] bytes.
fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(LONGEST);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
