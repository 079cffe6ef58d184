//! JSON looked at in passing: what is not wanted is only stepped over, and nothing is built.
//!
//! Most of a stream is one event over and over, of which a few characters are news. Taken apart into values that costs
//! more than all else that is done with it. Who skims names what it expects; whatever is otherwise, or needs more than a
//! look, is `None`, and then the text is to be parsed. So what is skimmed is always good JSON.

use serde_json::Value;
use std::borrow::Cow;

/// A place in a JSON text. After a `None` it is of no more use.
pub(super) struct Skim<'a> {
    text: &'a str,
    at: usize,
}

/// Looks at a value: of the member of this name, or of an item.
pub(super) type Look<'l, 'a> = dyn FnMut(&'a str, &mut Skim<'a>) -> Option<()> + 'l;

impl<'a> Skim<'a> {
    /// Looks at an object that is all of the text.
    pub(super) fn object(text: &'a str, look: &mut Look<'_, 'a>) -> Option<()> {
        let mut skim = Skim { text, at: 0 };
        skim.members(look)?;
        skim.peek().is_none().then_some(())
    }

    /// Looks at each member of an object.
    pub(super) fn members(&mut self, look: &mut Look<'_, 'a>) -> Option<()> {
        self.row(b'{', b'}', &mut |skim| {
            let name = skim.plain()?;
            skim.eat(b':')?;
            look(name, skim)
        })
    }

    /// Looks at each item of an array.
    pub(super) fn items(&mut self, look: &mut Look<'_, 'a>) -> Option<()> {
        self.row(b'[', b']', &mut |skim| look("", skim))
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

    /// A string.
    pub(super) fn string(&mut self) -> Option<Cow<'a, str>> {
        let from = self.at;
        if let Some(plain) = self.plain() {
            return Some(plain.into());
        }
        // Escapes are serde_json's.
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

    /// A string without escapes.
    pub(super) fn plain(&mut self) -> Option<&'a str> {
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

    /// `null`, or a string that says nothing.
    pub(super) fn nothing(&mut self) -> Option<()> {
        if self.peek()? == b'"' { self.plain()?.is_empty().then_some(()) } else { self.word("null") }
    }

    /// A whole number of at most fifteen digits.
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

    /// Steps over what is neither an object nor an array.
    pub(super) fn over(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.plain().map(drop),
            b'n' => self.word("null"),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => self.number().map(drop),
        }
    }

    /// Whether a value of this beginning comes next.
    pub(super) fn is_next(&mut self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.peek()?;
        let found = self.text.get(self.at..)?.starts_with(word);
        self.at += word.len();
        found.then_some(())
    }

    /// The next byte that is not space.
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
        // Mostly there is no space before it.
        let found = self.text.as_bytes().get(self.at) == Some(&byte) || self.peek()? == byte;
        self.at += 1;
        found.then_some(())
    }

    fn next(&mut self) -> Option<u8> {
        self.at += 1;
        self.text.as_bytes().get(self.at - 1).copied()
    }
}
