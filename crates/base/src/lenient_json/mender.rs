//! Rewrites text to JSON, as it arrives.

use super::context::{
    Context, Delimiter, End, PathEvidence, commands_ahead, end_of_formula, end_of_path, is_for_formulas,
    is_unicode_escape, letters,
};
use super::latex::{LONGEST, is_command, is_short, is_unmistakable};
use super::word::{EscapeReading, Word};

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
    /// The word that was looked at last, and the position of its first escape.
    word: Option<(usize, Word)>,
    ambiguous: Option<String>,
}

/// The meaning of a backslash before `n`, `r` or `t`.
#[derive(Debug, PartialEq)]
enum BackslashMeaning {
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
                    "0009" => self.context.text("\t"),
                    "0020" | "000d" | "000D" => self.context.text(" "),
                    _ => self.context.text("x"),
                }
                self.copy(&rest[..6])
            }
            'u' if !ended && rest.len() < 6 && rest[2..].bytes().all(|byte| byte.is_ascii_hexdigit()) => false,
            'b' | 'e' if is_partial_environment(&rest[1..]) && !ended => false,
            _ => {
                let environment = environment(&rest[1..]);
                self.single(escaped);
                self.enter(environment)
            }
        }
    }

    /// Begins or ends a formula if `environment` does. Returns true.
    fn enter(&mut self, environment: Option<bool>) -> bool {
        if let Some(begins) = environment {
            self.context.environment(begins);
        }
        true
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
        if is_partial_environment(&rest[2..]) && !ended {
            return false;
        }
        if self.context.formula.is_none() {
            let Some(is_share) = self.context.word.begins_share(rest, ended) else { return false };
            if is_share {
                self.context.text("\\\\");
                return self.replace(2, "\\\\\\\\");
            }
        }
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
        self.copy("\\\\");
        self.enter(environment(&rest[2..]))
    }

    /// Reads a backslash before `n`, `r` or `t`.
    fn control_or_command(&mut self, rest: &str, ended: bool) -> bool {
        let name = letters(&rest[1..]);
        let is_whole = ended || name.len() > LONGEST || rest.len() > 1 + name.len();
        let meaning = if is_whole { self.meaning(rest, name, ended) } else { BackslashMeaning::Unknown };
        match meaning {
            BackslashMeaning::Unknown => return false,
            BackslashMeaning::Backslash => return self.single(name.chars().next().unwrap_or_default()),
            BackslashMeaning::Ambiguous => {
                let shown: String = name.chars().take(LONGEST).collect();
                self.ambiguous.get_or_insert(format!("\\{shown}"));
            }
            BackslashMeaning::ControlCharacter => {}
        }
        match &name[..1] {
            "n" => self.context.line_break(),
            "t" => self.context.text("\t"),
            _ => self.context.text(" "),
        }
        self.copy(&rest[..2])
    }

    fn meaning(&mut self, rest: &str, name: &str, ended: bool) -> BackslashMeaning {
        let (letter, after) = (&name[..1], &rest[1 + name.len()..]);
        if name.len() == 1 {
            return if letter == "r" { carriage_return(after, ended) } else { BackslashMeaning::ControlCharacter };
        }
        if self.context.path.is_some() || self.context.drive().is_some() {
            return self.in_path(rest, name, ended);
        }
        let is_command = is_command(name);
        // A line of code may begin with a short name and a brace.
        let shortest = if letter == "n" { 4 } else { 3 };
        if is_command && name.len() >= shortest && after.starts_with('{') {
            return BackslashMeaning::Backslash;
        }
        if is_unmistakable(name) {
            match self.word_reading(rest, ended) {
                None => return BackslashMeaning::Unknown,
                Some(EscapeReading::Unclear) => {}
                Some(_) => return BackslashMeaning::Backslash,
            }
        }
        if self.context.formula.is_some() && is_command {
            let meaning = self.in_formula(name, after, ended);
            if self.context.formula.is_some() {
                return meaning;
            }
        }
        let follows_space = !self.context.at_line_start && !self.context.last().is_alphanumeric();
        if is_command && follows_space && !self.context.is_code() {
            let Some(ahead) = commands_ahead(after, ended) else { return BackslashMeaning::Unknown };
            if self.context.commands.and(ahead).single {
                return BackslashMeaning::Ambiguous;
            }
        }
        self.in_word(rest, name, ended)
    }

    /// Returns the meaning inside of a word.
    fn in_word(&mut self, rest: &str, name: &str, ended: bool) -> BackslashMeaning {
        let is_return = name.starts_with('r');
        let may_go_on = name[1..].starts_with(|next: char| next.is_ascii_lowercase()) && self.context.word.may_go_on();
        if !may_go_on {
            return if is_return { BackslashMeaning::Ambiguous } else { BackslashMeaning::ControlCharacter };
        }
        match self.word_reading(rest, ended) {
            None => BackslashMeaning::Unknown,
            // A line may end in the middle of a path, but no tab is in it.
            Some(EscapeReading::Path) if !name.starts_with('n') => BackslashMeaning::Backslash,
            Some(EscapeReading::Plain) if !is_return => BackslashMeaning::ControlCharacter,
            Some(_) => BackslashMeaning::Ambiguous,
        }
    }

    /// Returns the reading of the word with the next escape; `None` if more text is needed.
    fn word_reading(&mut self, rest: &str, ended: bool) -> Option<EscapeReading> {
        let known = self.word.filter(|(start, word)| self.at < start + word.length);
        let (start, word) = match known {
            Some(known) => known,
            None => (self.at, self.context.word.read(rest, ended)?),
        };
        self.word = Some((start, word));
        Some(word.reading)
    }

    /// Returns the meaning of a command's letters in a formula. Text in which the formula does not end is not a
    /// formula.
    fn in_formula(&mut self, name: &str, after: &str, ended: bool) -> BackslashMeaning {
        let Some(formula) = self.context.formula.as_mut() else { return BackslashMeaning::ControlCharacter };
        let mut evidence = formula.evidence;
        let is_sure = !name.starts_with('n') || !is_short(name);
        if !formula.is_closed || !(is_sure || formula.delimiter.is_inline()) {
            match end_of_formula(after, formula.delimiter, is_sure, ended) {
                End::Unknown => return BackslashMeaning::Unknown,
                End::Missing => {
                    self.context.formula = None;
                    return BackslashMeaning::ControlCharacter;
                }
                End::Found(ahead) => {
                    formula.is_closed = true;
                    evidence = evidence.and(ahead);
                }
            }
        }
        match evidence.is_single() {
            _ if is_sure => BackslashMeaning::Backslash,
            // `5$\nu pay 6$`
            _ if formula.delimiter == Delimiter::Dollar && formula.after_word => BackslashMeaning::Ambiguous,
            _ if formula.delimiter.is_inline() => BackslashMeaning::Backslash,
            Some(true) => BackslashMeaning::Backslash,
            Some(false) => BackslashMeaning::ControlCharacter,
            None => BackslashMeaning::Ambiguous,
        }
    }

    /// Returns the meaning in a path, or after what may be the drive of one.
    fn in_path(&self, rest: &str, name: &str, ended: bool) -> BackslashMeaning {
        // Names that begin with a small and then a capital letter are rare, and lines begin with a capital letter.
        if !name[1..].starts_with(|next: char| next.is_ascii_lowercase()) {
            let is_return = name.starts_with('r');
            return if is_return { BackslashMeaning::Ambiguous } else { BackslashMeaning::ControlCharacter };
        }
        let End::Found(ahead) = end_of_path(&rest[1..], ended) else { return BackslashMeaning::Unknown };
        // A carriage return is before a line feed.
        let ahead = PathEvidence { single: ahead.single || name.starts_with('r'), ..ahead };
        let (evidence, drive) = match self.context.path {
            Some(path) => (path.evidence.and(ahead), path.drive),
            None => (ahead, self.context.drive().unwrap_or_default()),
        };
        match evidence.is_single() {
            Some(true) => BackslashMeaning::Backslash,
            Some(false) => BackslashMeaning::ControlCharacter,
            // Labels of lines, as in questions and answers, and in code.
            None if matches!(drive, 'A' | 'B' | 'Q') || drive.is_ascii_lowercase() => {
                BackslashMeaning::ControlCharacter
            }
            None => BackslashMeaning::Ambiguous,
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

/// Returns the meaning of `\r` before text that does not begin with a letter: a line ends with it alone, or with
/// `\r\n`.
fn carriage_return(after: &str, ended: bool) -> BackslashMeaning {
    let line_ends = ["\n", "\r", "\\n", "\\r", "\""];
    if line_ends.iter().any(|end| after.starts_with(end)) {
        return BackslashMeaning::ControlCharacter;
    }
    match !ended && (after.is_empty() || after == "\\") {
        true => BackslashMeaning::Unknown,
        false => BackslashMeaning::Ambiguous,
    }
}

/// Returns whether an environment for formulas begins (true) or ends (false) with this text.
fn environment(text: &str) -> Option<bool> {
    let (begins, rest) = match text.strip_prefix("begin{") {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix("end{")?),
    };
    let name = letters(rest);
    let is_closed = rest[name.len()..].trim_start_matches('*').starts_with('}');
    (is_closed && is_for_formulas(name)).then_some(begins)
}

/// Returns whether more text decides if an environment begins or ends with this.
fn is_partial_environment(text: &str) -> bool {
    ["begin{", "end{"].iter().any(|mark| match text.strip_prefix(mark) {
        Some(rest) => rest.len() < LONGEST && rest.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'*'),
        None => mark.starts_with(text),
    })
}
