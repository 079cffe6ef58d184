//! Rewrites text to JSON, as it arrives.

use super::context::{Context, Delimiter, End, end_of_formula, end_of_path, is_unicode_escape, letters};
use super::latex::{LONGEST, is_command, is_short};

/// A JSON text that grows, as a model writes it, and the JSON that was meant.
///
/// Text whose meaning depends on what follows is held back until that is known. So the result does not depend on how
/// the text is split. Each byte is read once, except for a limited text after an escape that needs a decision.
#[derive(Clone, Debug, Default)]
pub struct Mender {
    text: String,
    /// The position of the next byte to read.
    at: usize,
    in_string: bool,
    context: Context,
    ambiguous: Option<String>,
}

/// The meaning of a backslash before `n`, `r` or `t`.
#[derive(Debug, PartialEq)]
enum Meaning {
    ControlCharacter,
    Backslash,
    Ambiguous,
    /// More text is needed.
    Unknown,
}

impl Mender {
    /// Continues with `raw`, which begins with the text of the last call; `ended` states that it is complete.
    pub fn read(&mut self, raw: &str, ended: bool) {
        while let Some(rest) = raw.get(self.at..).filter(|rest| !rest.is_empty()) {
            let goes_on = if self.in_string {
                self.string(rest, ended)
            } else {
                let end = rest.find('"').map_or(rest.len(), |quote| quote + 1);
                self.in_string = rest[..end].ends_with('"');
                self.context = Context::default();
                self.copy(&rest[..end])
            };
            if !goes_on {
                return;
            }
        }
    }

    /// Returns the JSON so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first escape, with the letters after it, that may be a control character or a backslash. The text is
    /// not to be used then.
    pub fn ambiguous(&self) -> Option<&str> {
        self.ambiguous.as_deref()
    }

    /// Reads the next part of a string. Returns false if more text is needed.
    fn string(&mut self, rest: &str, ended: bool) -> bool {
        let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | b'$' | b'`' | 0..0x20);
        let plain = rest.bytes().position(is_special).unwrap_or(rest.len());
        if plain > 0 {
            self.context.text(&rest[..plain]);
            return self.copy(&rest[..plain]);
        }
        let next = rest[1..].chars().next();
        match rest.as_bytes()[0] {
            b'"' => {
                self.in_string = false;
                self.copy("\"")
            }
            b'\\' => self.escape(rest, ended),
            b'$' if next.is_none() && !ended => false,
            b'$' if next == Some('$') => {
                self.context.dollars();
                self.copy("$$")
            }
            b'$' => {
                self.context.dollar(next);
                self.copy("$")
            }
            b'`' => {
                let run = &rest[..rest.len() - rest.trim_start_matches('`').len()];
                if run.len() == rest.len() && run.len() < LONGEST && !ended {
                    return false;
                }
                self.context.backticks(run);
                self.copy(run)
            }
            byte => {
                if byte == b'\n' {
                    self.context.line_break();
                } else {
                    self.context.text(&rest[..1]);
                }
                self.replace(1, &format!("\\u{byte:04x}"))
            }
        }
    }

    /// Reads an escape.
    fn escape(&mut self, rest: &str, ended: bool) -> bool {
        let Some(escaped) = rest[1..].chars().next() else { return ended && self.copy("\\") };
        match escaped {
            '"' | '/' => {
                self.context.text(&rest[1..2]);
                self.copy(&rest[..2])
            }
            '\\' => self.doubled(rest, ended),
            'n' | 'r' | 't' => self.control_or_command(rest, ended),
            // Models escape apostrophes as JavaScript does.
            '\'' => {
                self.context.text("'");
                self.replace(2, "'")
            }
            'u' if is_unicode_escape(rest.as_bytes()) => {
                match &rest[2..6] {
                    "000a" | "000A" => self.context.line_break(),
                    "0009" | "0020" | "000d" | "000D" => self.context.text(" "),
                    _ => self.context.text("x"),
                }
                self.copy(&rest[..6])
            }
            'u' if !ended && rest.len() < 6 && rest[2..].bytes().all(|byte| byte.is_ascii_hexdigit()) => false,
            _ => self.single(escaped),
        }
    }

    /// Takes a single backslash as one; `next` is the character after it.
    fn single(&mut self, next: char) -> bool {
        self.context.backslash(true, Some(next));
        if next == '$' {
            // An escaped dollar begins no formula.
            self.context.text("$");
            return self.replace(2, "\\\\$");
        }
        self.replace(1, "\\\\")
    }

    /// Reads a doubled backslash.
    fn doubled(&mut self, rest: &str, ended: bool) -> bool {
        let Some(next) = rest[2..].chars().next() else {
            if ended {
                self.copy("\\\\");
            }
            return ended;
        };
        // Where all backslashes are single, two are the line break of LaTeX.
        let is_row_end = next.is_whitespace() || rest[2..].starts_with("\\n");
        let is_single = self.context.formula.and_then(|formula| formula.evidence.is_single()) == Some(true);
        if is_row_end && is_single {
            self.context.text("\\");
            return self.replace(2, "\\\\\\\\");
        }
        self.context.backslash(false, Some(next));
        if next == '$' {
            self.context.text("$");
            return self.copy("\\\\$");
        }
        self.copy("\\\\")
    }

    /// Reads a backslash before `n`, `r` or `t`.
    fn control_or_command(&mut self, rest: &str, ended: bool) -> bool {
        let name = letters(&rest[1..]);
        let is_whole = ended || name.len() > LONGEST || rest.len() > 1 + name.len();
        let meaning = if is_whole { self.meaning(rest, name, ended) } else { Meaning::Unknown };
        match meaning {
            Meaning::Unknown => return false,
            Meaning::Backslash => return self.single(name.chars().next().unwrap_or_default()),
            Meaning::Ambiguous => {
                let shown: String = name.chars().take(LONGEST).collect();
                self.ambiguous.get_or_insert(format!("\\{shown}"));
            }
            Meaning::ControlCharacter => {}
        }
        if name.starts_with('n') {
            self.context.line_break();
        } else {
            self.context.text("\t");
        }
        self.copy(&rest[..2])
    }

    fn meaning(&mut self, rest: &str, name: &str, ended: bool) -> Meaning {
        let (letter, after) = (&name[..1], &rest[1 + name.len()..]);
        if name.len() == 1 {
            return Meaning::ControlCharacter;
        }
        if self.context.path.is_some() || self.context.drive().is_some() {
            return self.in_path(rest, name, ended);
        }
        let is_command = is_command(name);
        // A line of code may begin with a short name and a brace.
        let shortest = if letter == "n" { 4 } else { 3 };
        if is_command && name.len() >= shortest && after.starts_with('{') {
            return Meaning::Backslash;
        }
        let Some(formula) = self.context.formula.as_mut().filter(|_| is_command) else {
            return Meaning::ControlCharacter;
        };
        let mut evidence = formula.evidence;
        let is_sure = letter != "n" || !is_short(name);
        if !formula.is_closed || !(is_sure || formula.delimiter.is_inline()) {
            match end_of_formula(after, formula.delimiter, is_sure, ended) {
                End::Unknown => return Meaning::Unknown,
                End::Missing => {
                    self.context.formula = None;
                    return Meaning::ControlCharacter;
                }
                End::Found(ahead) => {
                    formula.is_closed = true;
                    evidence = evidence.and(ahead);
                }
            }
        }
        match evidence.is_single() {
            _ if is_sure => Meaning::Backslash,
            // `5$\nu pay 6$`
            _ if formula.delimiter == Delimiter::Dollar && formula.after_word => Meaning::Ambiguous,
            _ if formula.delimiter.is_inline() => Meaning::Backslash,
            Some(true) => Meaning::Backslash,
            Some(false) => Meaning::ControlCharacter,
            None => Meaning::Ambiguous,
        }
    }

    /// Returns the meaning in a path, or after what may be the drive of one.
    fn in_path(&self, rest: &str, name: &str, ended: bool) -> Meaning {
        // Names that begin with a small and then a capital letter are rare, and lines begin with a capital letter.
        if !name[1..].starts_with(|next: char| next.is_ascii_lowercase()) {
            return Meaning::ControlCharacter;
        }
        let End::Found(ahead) = end_of_path(&rest[1..], ended) else { return Meaning::Unknown };
        let (evidence, drive) = match self.context.path {
            Some(path) => (path.evidence.and(ahead), path.drive),
            None => (ahead, self.context.drive().unwrap_or_default()),
        };
        match evidence.is_single() {
            Some(true) => Meaning::Backslash,
            Some(false) => Meaning::ControlCharacter,
            // Labels of lines, as in questions and answers, and in code.
            None if matches!(drive, 'A' | 'B' | 'Q') || drive.is_ascii_lowercase() => Meaning::ControlCharacter,
            None => Meaning::Ambiguous,
        }
    }

    fn copy(&mut self, raw: &str) -> bool {
        self.replace(raw.len(), raw)
    }

    /// Adds `text` for the next `length` bytes.
    fn replace(&mut self, length: usize, text: &str) -> bool {
        self.at += length;
        self.text.push_str(text);
        true
    }
}
