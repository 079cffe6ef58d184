//! Text in which a server has left what belongs elsewhere: thinking in tags, and calls.
//!
//! Servers that do not know the format of their model pass on its marks as text. Marks are held back until they are
//! complete, so the result does not depend on how the text is split. In code, and in the middle of a sentence, they are
//! text.

use super::text_calls::{self, Begins, TextCall};

/// Part of a text.
#[derive(Debug, PartialEq)]
pub(super) enum TextPiece {
    Text(String),
    Thinking(String),
    /// All text so far was thinking: only its end was marked.
    TextWasThinking,
    Calls(Vec<TextCall>),
}

/// Marks around thinking.
const MARKS: [(&str, &str); 10] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<reasoning>", "</reasoning>"),
    ("<|think|>", "<|/think|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"),
];

/// Tokens around the text for the user.
const SILENT: [&str; 6] = [
    "<|start|>assistant<|channel|>final<|message|>",
    "<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>commentary<|message|>",
    "<|channel|>commentary<|message|>",
    "<|end|>",
    "<|return|>",
];

/// The longest text that is held back outside of calls, in bytes. Only white space is longer.
const HELD_BYTES: usize = 4_096;

/// A text that arrives in pieces.
#[derive(Debug)]
pub(super) struct TaggedText {
    /// The names of the tools, whose calls are recognized.
    tools: Vec<String>,
    mode: TextMode,
    /// Text that is held back.
    held: String,
    line: LineSoFar,
    /// True if the end of thinking without a marked beginning may follow.
    may_end_thinking: bool,
}

#[derive(Clone, Copy, Debug)]
enum TextMode {
    /// At the beginning of an answer.
    Start,
    /// In thinking with this end; true if some of it was returned.
    Thinking(&'static str, bool),
    /// After thinking.
    Thought,
    Text,
    /// In a call; the end of the text ends it.
    Call,
}

/// The line before the next character.
#[derive(Debug)]
struct LineSoFar {
    /// The last character other than white space.
    last: Option<char>,
    /// The length of the backticks that opened a code span; 0 outside.
    ticks: usize,
    is_fenced: bool,
    /// True if the answer has text before it.
    has_text_before: bool,
}

impl LineSoFar {
    fn is_code(&self) -> bool {
        self.is_fenced || self.ticks > 0
    }

    /// Returns whether the next text is in the middle of a sentence.
    fn is_in_sentence(&self) -> bool {
        self.last.is_some_and(|last| !ends_sentence(last))
    }

    fn follow(&mut self, character: char) {
        if character == '\n' {
            self.last = None;
            self.ticks = 0;
        } else if !character.is_whitespace() {
            self.last = Some(character);
            self.has_text_before = true;
        }
    }

    fn backticks(&mut self, count: usize) {
        if count >= 3 && self.last.is_none() {
            self.is_fenced = !self.is_fenced;
        } else if !self.is_fenced {
            self.ticks = match self.ticks {
                0 => count,
                open if open == count => 0,
                open => open,
            };
        }
        self.last = Some('`');
        self.has_text_before = true;
    }
}

/// Returns whether a text begins with a mark, in any capitals.
fn begins_with(text: &str, mark: &str) -> bool {
    text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark))
}

/// Returns whether a text ends with a part of a mark, in any capitals.
fn ends_with(text: &str, part: &str) -> bool {
    let start = text.len().checked_sub(part.len());
    start.and_then(|start| text.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(part))
}

fn ends_sentence(character: char) -> bool {
    ".!?:;…。！？：；)]}\"'”’」』）】*_>".contains(character)
}

impl TaggedText {
    /// Creates a text of an answer that may call these tools.
    pub(super) fn new(tools: Vec<String>) -> TaggedText {
        let line = LineSoFar { last: None, ticks: 0, is_fenced: false, has_text_before: false };
        TaggedText { tools, mode: TextMode::Start, held: String::new(), line, may_end_thinking: true }
    }

    /// Returns whether text is held back.
    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Appends text. Returns the pieces that are certain now.
    pub(super) fn push(&mut self, text: &str) -> Vec<TextPiece> {
        self.held.push_str(text);
        let mut pieces = Vec::new();
        while self.step(false, &mut pieces) {}
        if self.held.len() > HELD_BYTES && !matches!(self.mode, TextMode::Call) {
            while self.step(true, &mut pieces) {}
        }
        pieces
    }

    /// Returns the pieces that were held back, because something other than text follows, or nothing.
    pub(super) fn flush(&mut self) -> Vec<TextPiece> {
        let mut pieces = Vec::new();
        while self.step(true, &mut pieces) {}
        pieces
    }

    /// Begins another part of the answer. Nothing is held back.
    pub(super) fn next_part(&mut self) {
        if matches!(self.mode, TextMode::Text) {
            self.line = LineSoFar { has_text_before: self.line.has_text_before, ..TaggedText::new(Vec::new()).line };
        }
    }

    /// Processes the text that is held back as long as the mode is the same. Returns whether the mode has changed.
    fn step(&mut self, ended: bool, pieces: &mut Vec<TextPiece>) -> bool {
        if self.held.is_empty() {
            return false;
        }
        match self.mode {
            TextMode::Start | TextMode::Thought => self.start(ended, pieces),
            TextMode::Thinking(end, has_begun) => self.thinking(end, has_begun, ended, pieces),
            TextMode::Text => self.text(ended, pieces),
            TextMode::Call if !ended => false,
            TextMode::Call => {
                let held = std::mem::take(&mut self.held);
                self.mode = TextMode::Text;
                match text_calls::split(&held, &self.tools) {
                    Some((calls, rest)) => {
                        pieces.push(TextPiece::Calls(calls));
                        self.held = rest;
                        true
                    }
                    None => {
                        pieces.push(TextPiece::Text(held));
                        false
                    }
                }
            }
        }
    }

    fn start(&mut self, ended: bool, pieces: &mut Vec<TextPiece>) -> bool {
        let text = self.held.trim_start();
        for (begin, end) in MARKS {
            if begins_with(text, begin) {
                self.held = text[begin.len()..].to_owned();
                self.mode = TextMode::Thinking(end, false);
                return true;
            }
        }
        let is_after_thinking = matches!(self.mode, TextMode::Thought);
        if !ended && MARKS.iter().any(|(begin, _)| begins_with(begin, text)) {
            return false;
        }
        if text.is_empty() {
            // White space alone, before something else.
            let held = std::mem::take(&mut self.held);
            if !is_after_thinking {
                pieces.push(TextPiece::Text(held));
            }
            return false;
        }
        if is_after_thinking {
            self.held = text.to_owned();
        }
        self.mode = TextMode::Text;
        true
    }

    fn thinking(&mut self, end: &'static str, has_begun: bool, ended: bool, pieces: &mut Vec<TextPiece>) -> bool {
        let text = if has_begun { self.held.as_str() } else { self.held.trim_start() };
        // A mark in backticks is talked about.
        let is_quoted = |at: usize| text[..at].ends_with('`') && text[at + end.len()..].starts_with('`');
        let lower = text.to_ascii_lowercase();
        let ends = lower.match_indices(&end.to_ascii_lowercase()).map(|(at, _)| at).find(|at| !is_quoted(*at));
        if let Some(at) = ends {
            let after = &text[at + end.len()..];
            if text[..at].ends_with('`') && after.is_empty() && !ended {
                return false;
            }
            let thought = text[..at].trim_end();
            if !thought.is_empty() {
                pieces.push(TextPiece::Thinking(thought.to_owned()));
            }
            self.held = after.to_owned();
            self.mode = TextMode::Thought;
            return true;
        }
        let partial =
            (1..end.len()).rev().find(|length| end.is_char_boundary(*length) && ends_with(text, &end[..*length]));
        let whole = &text[..text.len() - partial.unwrap_or(0)];
        let shown = if ended { text } else { whole.trim_end_matches(|c: char| c.is_whitespace() || c == '`') };
        if !shown.is_empty() {
            pieces.push(TextPiece::Thinking(shown.to_owned()));
            self.mode = TextMode::Thinking(end, true);
        }
        self.held = text[shown.len()..].to_owned();
        false
    }

    fn text(&mut self, ended: bool, pieces: &mut Vec<TextPiece>) -> bool {
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        let mut next = None;
        while let Some(character) = held[at..].chars().next() {
            let rest = &held[at..];
            if character == '`' {
                let count = rest.len() - rest.trim_start_matches('`').len();
                let opens = count >= 3 && self.line.last.is_none() && !self.line.is_code();
                let begins = if opens { text_calls::json_begins(rest, &self.tools, ended) } else { Begins::No };
                if begins == Begins::Yes {
                    next = Some((TextMode::Call, at, at));
                    break;
                }
                if begins == Begins::Unknown || (count == rest.len() && !ended) {
                    break;
                }
                self.line.backticks(count);
                at += count;
                continue;
            }
            let begins_line = self.line.last.is_none();
            let may_be_mark =
                matches!(character, '<' | '[' | '{' | '◁') || begins_line && character.is_ascii_alphabetic();
            if !self.line.is_code() && may_be_mark {
                let thinks = MARKS.iter().any(|(begin, _)| begins_with(rest, begin));
                if begins_line && thinks {
                    next = Some((TextMode::Start, at, at));
                    break;
                }
                if begins_line && !ended && MARKS.iter().any(|(begin, _)| begins_with(begin, rest)) {
                    break;
                }
                if let Some(end) = self.end_of_thinking(rest, ended) {
                    next = end.map(|length| (TextMode::Thought, at, at + length));
                    break;
                }
                let silent = SILENT.iter().find(|mark| rest.starts_with(**mark));
                match self.call_begins(rest, ended) {
                    Begins::Yes => next = Some((TextMode::Call, at, at)),
                    Begins::Unknown => {}
                    Begins::No if silent.is_some() => {
                        next = silent.map(|mark| (TextMode::Text, at, at + mark.len()));
                        self.line.last = None;
                    }
                    Begins::No if !ended && SILENT.iter().any(|mark| mark.starts_with(rest)) => {}
                    Begins::No => {
                        self.line.follow(character);
                        at += character.len_utf8();
                        continue;
                    }
                }
                break;
            }
            self.line.follow(character);
            at += character.len_utf8();
        }
        let has_moved = next.is_some();
        let (mode, end, from) = next.unwrap_or((TextMode::Text, at, at));
        if end > 0 {
            pieces.push(TextPiece::Text(held[..end].to_owned()));
        }
        self.held = held[from..].to_owned();
        self.mode = mode;
        if matches!(mode, TextMode::Thought) {
            pieces.push(TextPiece::TextWasThinking);
            self.may_end_thinking = false;
            self.line = TaggedText::new(Vec::new()).line;
        }
        has_moved
    }

    fn call_begins(&self, rest: &str, ended: bool) -> Begins {
        if self.tools.is_empty() {
            return Begins::No;
        }
        let json = if self.line.has_text_before || !rest.starts_with(['{', '[']) {
            Begins::No
        } else {
            text_calls::json_begins(rest, &self.tools, ended)
        };
        match text_calls::marks_begin(rest, self.line.is_in_sentence(), &self.tools, ended) {
            Begins::No => json,
            begins => begins,
        }
    }

    /// Returns the length of the end of thinking at the beginning of `rest`, `Some(None)` if more text is needed, and
    /// `None` if there is none.
    fn end_of_thinking(&mut self, rest: &str, ended: bool) -> Option<Option<usize>> {
        if !self.may_end_thinking {
            return None;
        }
        let Some((_, end)) = MARKS.iter().find(|(_, end)| begins_with(rest, end)) else {
            // Where the beginning is talked about, so is the end.
            self.may_end_thinking &= !MARKS.iter().any(|(begin, _)| begins_with(rest, begin));
            let is_partial =
                !ended && MARKS.iter().any(|(begin, end)| begins_with(end, rest) || begins_with(begin, rest));
            return is_partial.then_some(None);
        };
        let after = &rest[end.len()..];
        // White space and a character after it decide.
        let needed = after.chars().next().is_none_or(|next| next == '\r' || (next == '\n' && after.len() < 2));
        if needed && after.len() < 4 && !ended {
            return Some(None);
        }
        let next = after.chars().next();
        let is_end = match self.line.last {
            None => true,
            Some(last) if ends_sentence(last) => next.is_none_or(|next| !".,;:!?)".contains(next)),
            Some(_) => {
                next.is_some_and(char::is_alphanumeric) || after.starts_with("\n\n") || after.starts_with("\r\n\r\n")
            }
        };
        if !is_end {
            self.may_end_thinking = false;
            return None;
        }
        Some(Some(end.len()))
    }
}
