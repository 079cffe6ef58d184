//! A scanner that reads expected members of a JSON text without building values.
//!
//! Most events of a stream differ in a few characters only, and parsing them into values would cost more than all
//! other work on them. The caller names the members it expects. For anything else the result is `None`, and the text
//! has to be parsed. A text that is scanned to its end is valid JSON.

use serde_json::Value;
use std::borrow::Cow;

/// A position in a JSON text. After a `None` it must not be used.
pub(super) struct JsonScanner<'a> {
    text: &'a str,
    at: usize,
}

/// Reads a value: of the member of this name, or of an item.
pub(super) type ReadValue<'l, 'a> = dyn FnMut(&'a str, &mut JsonScanner<'a>) -> Option<()> + 'l;

impl<'a> JsonScanner<'a> {
    /// Reads an object that is the whole text.
    pub(super) fn object(text: &'a str, read_value: &mut ReadValue<'_, 'a>) -> Option<()> {
        let mut scanner = JsonScanner { text, at: 0 };
        scanner.members(read_value)?;
        scanner.peek().is_none().then_some(())
    }

    /// Reads each member of an object.
    pub(super) fn members(&mut self, read_value: &mut ReadValue<'_, 'a>) -> Option<()> {
        self.row(b'{', b'}', &mut |scanner| {
            let name = scanner.unescaped()?;
            scanner.eat(b':')?;
            read_value(name, scanner)
        })
    }

    /// Reads each item of an array.
    pub(super) fn items(&mut self, read_value: &mut ReadValue<'_, 'a>) -> Option<()> {
        self.row(b'[', b']', &mut |scanner| read_value("", scanner))
    }

    fn row(&mut self, open: u8, close: u8, each: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.eat(open)?;
        if self.peek()? == close {
            return self.eat(close);
        }
        loop {
            each(self)?;
            if self.peek()? == close {
                return self.eat(close);
            }
            self.eat(b',')?;
        }
    }

    /// Reads a string.
    pub(super) fn string(&mut self) -> Option<Cow<'a, str>> {
        let from = self.at;
        if let Some(plain) = self.unescaped() {
            return Some(plain.into());
        }
        // Strings with escapes are read by serde_json.
        self.at = from;
        self.eat(b'"')?;
        let start = self.at - 1;
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => drop(self.next()?),
                _ => {}
            }
        }
        match serde_json::from_str(self.text.get(start..self.at)?) {
            Ok(Value::String(string)) => Some(string.into()),
            _ => None,
        }
    }

    /// Reads a string without escapes.
    pub(super) fn unescaped(&mut self) -> Option<&'a str> {
        self.eat(b'"')?;
        let rest = self.text.get(self.at..)?;
        let bytes = rest.as_bytes();
        let mut end = 0;
        while !matches!(bytes.get(end)?, b'"' | b'\\' | 0..b' ') {
            end += 1;
        }
        self.at += end;
        self.eat(b'"')?;
        rest.get(..end)
    }

    /// Skips `null` or an empty string.
    pub(super) fn null_or_empty(&mut self) -> Option<()> {
        if self.peek()? == b'"' { self.unescaped()?.is_empty().then_some(()) } else { self.word("null") }
    }

    /// Reads a whole number of at most fifteen digits.
    pub(super) fn number(&mut self) -> Option<u64> {
        self.peek()?;
        let rest = self.text.get(self.at..)?;
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = rest.get(..length)?;
        let goes_on = rest.as_bytes().get(length).is_some_and(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if goes_on || length > 15 || (length > 1 && digits.starts_with('0')) {
            return None;
        }
        self.at += length;
        digits.parse().ok()
    }

    /// Skips a value that is neither an object nor an array.
    pub(super) fn skip_scalar(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.unescaped().map(drop),
            b'n' => self.word("null"),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => self.number().map(drop),
        }
    }

    /// Returns whether the next value begins with this byte.
    pub(super) fn is_next(&mut self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.peek()?;
        let found = self.text.get(self.at..)?.starts_with(word);
        self.at += word.len();
        found.then_some(())
    }

    /// Returns the next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        // Usually there is no space before it.
        let found = self.text.as_bytes().get(self.at) == Some(&byte) || self.peek()? == byte;
        self.at += 1;
        found.then_some(())
    }

    fn next(&mut self) -> Option<u8> {
        self.at += 1;
        self.text.as_bytes().get(self.at - 1).copied()
    }
}
