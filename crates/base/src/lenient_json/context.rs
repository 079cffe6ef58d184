//! The evidence in the text before and after an escape.

use super::latex::{is_command, is_short, is_unmistakable};
use super::word::Before;

/// The longest text in which the end of a formula or a path is looked for, in bytes.
pub(super) const LOOKAHEAD: usize = 4_000;

/// The way in which the backslashes of a formula or a path are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathEvidence {
    /// One of them is single and can be nothing else than a backslash.
    pub(super) single: bool,
    /// One of them is doubled.
    pub(super) doubled: bool,
}

impl PathEvidence {
    pub(super) fn and(self, other: PathEvidence) -> PathEvidence {
        PathEvidence { single: self.single || other.single, doubled: self.doubled || other.doubled }
    }

    /// Returns whether all backslashes are single; `None` if the evidence is missing or contradictory.
    pub(super) fn is_single(self) -> Option<bool> {
        (self.single != self.doubled).then_some(self.single)
    }
}

/// The delimiters of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// `$…$`
    Dollar,
    /// `$$…$$`
    Dollars,
    /// `\(…\)`
    Parenthesis,
    /// `\[…\]`
    Bracket,
    /// `\begin{align}…\end{align}`
    Environment,
}

impl Delimiter {
    /// Returns whether the formula is part of one line.
    pub(super) fn is_inline(self) -> bool {
        matches!(self, Delimiter::Dollar | Delimiter::Parenthesis)
    }

    fn closing(self) -> u8 {
        match self {
            Delimiter::Dollar | Delimiter::Dollars => b'$',
            Delimiter::Parenthesis => b')',
            Delimiter::Bracket => b']',
            // Found by its name.
            Delimiter::Environment => b'$',
        }
    }
}

/// A formula that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formula {
    pub(super) delimiter: Delimiter,
    pub(super) evidence: PathEvidence,
    /// True if its end was found.
    pub(super) is_closed: bool,
    /// True if the delimiter follows a letter or digit directly, as in an amount of money.
    pub(super) after_word: bool,
}

impl Formula {
    pub(super) fn new(delimiter: Delimiter, after_word: bool) -> Formula {
        Formula { delimiter, evidence: PathEvidence::default(), is_closed: false, after_word }
    }
}

/// A Windows path that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowsPath {
    /// The letter of its drive.
    pub(super) drive: char,
    pub(super) evidence: PathEvidence,
}

/// The end of a formula or a path in the rest of a string.
#[derive(Debug)]
pub(super) enum End {
    /// The formula or path ends here; the evidence is that of the text before its end.
    Found(PathEvidence),
    /// There is no end, so it is not a formula or path.
    Missing,
    /// More text is needed.
    Unknown,
}

/// Context of the next character of a string.
#[derive(Clone, Debug)]
pub(super) struct Context {
    /// The last three characters, the latest first; line breaks before the string.
    last: [char; 3],
    /// True if the line has no text yet.
    pub(super) at_line_start: bool,
    pub(super) formula: Option<Formula>,
    pub(super) path: Option<WindowsPath>,
    /// The number of backticks that opened a code span; 0 outside.
    ticks: usize,
    fenced: bool,
    /// The word before the next character.
    pub(super) word: Before,
    /// The way in which the commands of this line are written.
    pub(super) commands: PathEvidence,
}

impl Default for Context {
    fn default() -> Context {
        Context {
            last: ['\n'; 3],
            at_line_start: true,
            formula: None,
            path: None,
            ticks: 0,
            fenced: false,
            word: Before::default(),
            commands: PathEvidence::default(),
        }
    }
}

impl Context {
    pub(super) fn last(&self) -> char {
        self.last[0]
    }

    pub(super) fn is_code(&self) -> bool {
        self.fenced || self.ticks > 0
    }

    /// Reads text without escapes, dollars and backticks.
    pub(super) fn text(&mut self, text: &str) {
        let mut end = text.chars().rev();
        match (end.next(), end.next(), end.next()) {
            (Some(one), Some(two), Some(three)) => self.last = [one, two, three],
            (Some(one), Some(two), None) => self.last = [one, two, self.last[0]],
            (Some(one), ..) => self.last = [one, self.last[0], self.last[1]],
            _ => return,
        }
        self.word.text(text);
        self.at_line_start &= text.trim().is_empty();
        if self.path.is_some() && text.contains(char::is_whitespace) {
            self.path = None;
        }
    }

    /// Reads a line break.
    pub(super) fn line_break(&mut self) {
        self.text("\n");
        self.word.line_break();
        self.commands = PathEvidence::default();
        self.at_line_start = true;
        self.ticks = 0;
        if self.formula.is_some_and(|formula| formula.delimiter == Delimiter::Dollar) {
            self.formula = None;
        }
    }

    /// Reads a run of backticks.
    pub(super) fn backticks(&mut self, run: &str) {
        let mut ends_code = false;
        if run.len() >= 3 && self.at_line_start {
            self.fenced = !self.fenced;
            self.formula = None;
        } else if !self.fenced {
            ends_code = self.ticks == run.len();
            self.ticks = match self.ticks {
                0 => run.len(),
                open if open == run.len() => 0,
                open => open,
            };
        }
        self.text(run);
        if ends_code {
            self.word.code_ended();
        }
    }

    /// Begins or ends the formula of `$`; `next` is the character after it.
    pub(super) fn dollar(&mut self, next: Option<char>) {
        let open = self.formula.map(|formula| formula.delimiter);
        let closes = open == Some(Delimiter::Dollar) && !self.last().is_whitespace();
        if self.is_code() || open.is_some_and(|open| open != Delimiter::Dollar) {
        } else if closes || next.is_none_or(|next| next.is_whitespace() || next == '"') {
            self.formula = None;
        } else {
            self.formula = Some(Formula::new(Delimiter::Dollar, self.last().is_alphanumeric()));
        }
        self.text("$");
    }

    /// Begins or ends the formula of `$$`.
    pub(super) fn dollars(&mut self) {
        if !self.is_code() {
            let closes = self.formula.is_some_and(|formula| formula.delimiter == Delimiter::Dollars);
            self.formula = (!closes).then(|| Formula::new(Delimiter::Dollars, false));
        }
        self.text("$$");
    }

    /// Notes a backslash; `is_single` states how it is written, and `next` is the character after it.
    pub(super) fn backslash(&mut self, is_single: bool, next: Option<char>) {
        if self.path.is_none() {
            self.path = self.drive().map(|drive| WindowsPath { drive, evidence: PathEvidence::default() });
        }
        let says = PathEvidence { single: is_single, doubled: !is_single };
        if next.is_some_and(|next| next.is_ascii_alphabetic()) && !self.last().is_alphanumeric() && !self.is_code() {
            self.commands = self.commands.and(says);
        }
        self.word.backslash(is_single, next);
        if let Some(path) = &mut self.path {
            path.evidence = path.evidence.and(says);
        }
        if let Some(formula) = &mut self.formula
            && (is_single || next.is_some_and(|next| next.is_ascii_alphabetic()))
        {
            formula.evidence = formula.evidence.and(says);
        }
        match (next, self.formula) {
            _ if self.is_code() => {}
            (Some('['), None) => self.formula = Some(Formula::new(Delimiter::Bracket, false)),
            (Some('('), None) => self.formula = Some(Formula::new(Delimiter::Parenthesis, false)),
            (Some(']'), Some(Formula { delimiter: Delimiter::Bracket, .. }))
            | (Some(')'), Some(Formula { delimiter: Delimiter::Parenthesis, .. })) => self.formula = None,
            _ => {}
        }
        self.last = ['\\', self.last[0], self.last[1]];
        self.at_line_start = false;
    }

    /// Begins or ends the formula of an environment for formulas.
    pub(super) fn environment(&mut self, begins: bool) {
        let is_open = self.formula.is_some_and(|formula| formula.delimiter == Delimiter::Environment);
        if begins && self.formula.is_none() && !self.is_code() {
            self.formula = Some(Formula::new(Delimiter::Environment, false));
        } else if !begins && is_open {
            self.formula = None;
        }
    }

    /// Returns the letter of a drive that the text ends with: `C` of `C:`.
    pub(super) fn drive(&self) -> Option<char> {
        let [colon, letter, before] = self.last;
        (colon == ':' && letter.is_ascii_alphabetic() && !before.is_alphanumeric()).then_some(letter)
    }
}

/// Returns the letters at the beginning of a text.
pub(super) fn letters(text: &str) -> &str {
    let end = text.bytes().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(text.len());
    &text[..end]
}

/// Returns whether `\u` and four digits begin here.
pub(super) fn is_unicode_escape(rest: &[u8]) -> bool {
    rest.get(2..6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Looks for the end of a path in the rest of its string, `ended` states that no more text follows.
pub(super) fn end_of_path(rest: &str, ended: bool) -> End {
    let (bytes, mut at, mut evidence) = (rest.as_bytes(), 0, PathEvidence::default());
    while let Some(&byte) = bytes.get(at).filter(|_| at < LOOKAHEAD) {
        if byte == b'"' || byte.is_ascii_whitespace() {
            return End::Found(evidence);
        }
        if byte != b'\\' {
            at += 1;
            continue;
        }
        match bytes.get(at + 1) {
            None => break,
            Some(b'"') => return End::Found(evidence),
            Some(b'\\') => evidence.doubled = true,
            Some(b'r') if bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic) => evidence.single = true,
            Some(b'r') if bytes.len() == at + 2 && !ended => break,
            Some(b'n' | b'r' | b't' | b'/') => {}
            Some(b'u') if !ended && bytes.len() < at + 6 => break,
            Some(b'u') if is_unicode_escape(&bytes[at..]) => {}
            Some(_) => evidence.single = true,
        }
        at += 2;
    }
    if ended || at >= LOOKAHEAD { End::Found(evidence) } else { End::Unknown }
}

/// Looks for the end of a formula in the rest of its string, after one of its commands; `is_sure` states that the
/// command is nothing else.
pub(super) fn end_of_formula(rest: &str, delimiter: Delimiter, is_sure: bool, ended: bool) -> End {
    let (bytes, mut at, mut evidence) = (rest.as_bytes(), 0, PathEvidence::default());
    let mut after_space = false;
    let missing = |_| if ended { End::Missing } else { End::Unknown };
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        match byte {
            _ if at >= LOOKAHEAD => return End::Missing,
            b'"' => return End::Missing,
            b'\n' | b'\r' if delimiter == Delimiter::Dollar => return End::Missing,
            b'$' => match (delimiter, next) {
                (Delimiter::Dollar | Delimiter::Dollars, None) => return missing(()),
                (Delimiter::Dollars, Some(b'$')) => return End::Found(evidence),
                // `$HOME` is a variable, and `$5` an amount.
                (Delimiter::Dollar, Some(next)) => {
                    let is_amount = next.is_ascii_digit() && !is_sure;
                    let begins_word = is_amount || next.is_ascii_alphabetic() || matches!(next, b'_' | b'{' | b'$');
                    return if after_space || begins_word { End::Missing } else { End::Found(evidence) };
                }
                _ => {}
            },
            b'\\' => {
                let Some(&escaped) = next else { return missing(()) };
                if delimiter == Delimiter::Environment {
                    let name = rest[at..].trim_start_matches('\\');
                    if name.starts_with("end{") {
                        return End::Found(evidence);
                    } else if "end{".starts_with(name) {
                        return missing(());
                    }
                }
                at += match escaped {
                    b'\\' => match bytes.get(at + 2) {
                        None => return missing(()),
                        Some(&closing) if closing == delimiter.closing() && closing != b'$' => {
                            return End::Found(evidence);
                        }
                        Some(after) => {
                            evidence.doubled |= after.is_ascii_alphabetic();
                            2
                        }
                    },
                    b'n' | b'r' | b't' => {
                        let name = letters(&rest[at + 1..]);
                        if at + 1 + name.len() == bytes.len() && !ended {
                            return End::Unknown;
                        }
                        let is_command = is_command(name);
                        if !is_command && escaped != b't' && delimiter == Delimiter::Dollar {
                            return End::Missing;
                        }
                        evidence.single |= is_command && (escaped != b'n' || !is_short(name));
                        after_space = !is_command;
                        2
                    }
                    b'u' if !ended && bytes.len() < at + 6 => return End::Unknown,
                    b'u' if is_unicode_escape(&bytes[at..]) => 6,
                    b'"' | b'/' | b'\'' => 2,
                    _ if escaped == delimiter.closing() && escaped != b'$' => return End::Found(evidence),
                    _ => {
                        evidence.single = true;
                        // The character itself, unless it is a dollar that begins nothing.
                        1 + usize::from(escaped == b'$')
                    }
                };
                after_space &= matches!(escaped, b'n' | b'r' | b't');
                continue;
            }
            _ => {}
        }
        after_space = byte.is_ascii_whitespace();
        at += 1;
    }
    missing(())
}

/// Looks for commands with single backslashes in the rest of a line. Returns `None` if more text is needed.
pub(super) fn commands_ahead(rest: &str, ended: bool) -> Option<PathEvidence> {
    let (bytes, mut at, mut evidence) = (rest.as_bytes(), 0, PathEvidence::default());
    while at < LOOKAHEAD {
        let Some(&byte) = bytes.get(at) else { return ended.then_some(evidence) };
        if byte == b'"' || byte == b'\n' {
            break;
        }
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let name = letters(&rest[at + 1..]);
        if at + 1 + name.len() == bytes.len() && !ended {
            return None;
        }
        let follows_word = at > 0 && bytes[at - 1].is_ascii_alphanumeric();
        match bytes.get(at + 1) {
            Some(b'n') if !is_command(name) => break,
            Some(b'n' | b'"' | b'/' | b'u') | None => {}
            Some(b'r' | b't') => evidence.single |= is_unmistakable(name),
            Some(b'\\') => evidence.doubled |= bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic),
            Some(letter) => evidence.single |= letter.is_ascii_alphabetic() && !follows_word,
        }
        at += if name.is_empty() { 2 } else { 1 };
    }
    Some(evidence)
}

/// Returns whether the environment of a name is one for formulas.
pub(super) fn is_for_formulas(name: &str) -> bool {
    const NAMES: [&str; 18] = [
        "align",
        "alignat",
        "aligned",
        "array",
        "bmatrix",
        "cases",
        "displaymath",
        "eqnarray",
        "equation",
        "gather",
        "gathered",
        "math",
        "matrix",
        "multline",
        "pmatrix",
        "smallmatrix",
        "split",
        "vmatrix",
    ];
    NAMES.contains(&name)
}
