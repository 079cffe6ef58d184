//! JSON that is still being written, read as far as it goes.

use super::surrogates::{escaped_unit, is_high, is_low, paired};
use copydesk_base::secrets::Secrets;
use serde_json::{Map, Value};

/// How many values are read of arguments under way: they are only shown, again and again.
const VALUES: usize = 10_000;

/// How deep values may nest, as in serde_json. What is deeper is not read.
const DEPTH: usize = 128;

/// The object at the beginning of `text`, as far as it can be read; empty where there is none.
///
/// What is given holds: of a longer text with the same beginning, strings may have become longer, arrays and
/// objects may have more, and nothing else is different (unless a key is written twice). So a number is left out
/// until something follows it, and a character until its escapes are whole. A key without a value is left out.
/// Reading stops at the first thing that is not JSON, and after 10,000 values.
pub fn parse_object(text: &str) -> Map<String, Value> {
    parse_redacted(text, &Secrets::default())
}

/// The same without keys. A string that is not finished ends before what may be the beginning of one.
pub fn parse_redacted(text: &str, secrets: &Secrets) -> Map<String, Value> {
    let mut reader = Reader { text, at: 0, depth: 0, left: VALUES, secrets };
    reader.space();
    match reader.peek() {
        Some(b'{') => reader.object().0,
        _ => Map::new(),
    }
}

/// A value, and whether it is whole. After one that is not, nothing more is read.
type Read<T> = (T, bool);

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// How many values may still be read.
    left: usize,
    secrets: &'a Secrets,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<Read<Value>> {
        self.space();
        self.left = self.left.checked_sub(1)?;
        match self.peek()? {
            b'"' => {
                let (text, whole) = self.string();
                Some((Value::String(text), whole))
            }
            b'{' | b'[' if self.depth == DEPTH => None,
            b'{' => {
                let (object, whole) = self.object();
                Some((Value::Object(object), whole))
            }
            b'[' => {
                let (array, whole) = self.array();
                Some((Value::Array(array), whole))
            }
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Read<Map<String, Value>> {
        let mut object = Map::new();
        self.depth += 1;
        let whole = self.members(b'}', |reader| {
            let (key, whole) = if reader.peek() == Some(b'"') { reader.string() } else { return false };
            if !whole {
                return false;
            }
            reader.space();
            if !reader.eat(b':') {
                return false;
            }
            let Some((value, whole)) = reader.value() else { return false };
            object.insert(key, value);
            whole
        });
        self.depth -= 1;
        (object, whole)
    }

    fn array(&mut self) -> Read<Vec<Value>> {
        let mut array = Vec::new();
        self.depth += 1;
        let whole = self.members(b']', |reader| {
            let Some((value, whole)) = reader.value() else { return false };
            array.push(value);
            whole
        });
        self.depth -= 1;
        (array, whole)
    }

    /// Reads the opening bracket, what is between the commas, and the closing one; whether it came so far.
    fn members(&mut self, close: u8, mut member: impl FnMut(&mut Self) -> bool) -> bool {
        self.at += 1;
        self.space();
        if self.eat(close) {
            return true;
        }
        loop {
            self.space();
            if !member(self) {
                return false;
            }
            self.space();
            if self.eat(close) {
                return true;
            }
            if !self.eat(b',') {
                return false;
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Option<Read<Value>> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            (value, true)
        })
    }

    fn number(&mut self) -> Option<Read<Value>> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        self.peek()?;
        Some((serde_json::from_str(self.text.get(start..self.at)?).ok()?, true))
    }

    fn string(&mut self) -> Read<String> {
        let (text, whole) = self.raw_string();
        let text = match whole {
            _ if self.secrets.is_empty() => text,
            true => self.secrets.redact(&text),
            false => self.secrets.redact_unfinished(&text),
        };
        (text, whole)
    }

    fn raw_string(&mut self) -> Read<String> {
        let bytes = self.text.as_bytes();
        let mut text = String::new();
        self.at += 1;
        loop {
            let start = self.at;
            while bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
                self.at += 1;
            }
            text.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return (text, true);
                }
                Some(b'\\') => match self.escape() {
                    Some(character) => text.push(character),
                    None => return (text, false),
                },
                _ => return (text, false),
            }
        }
    }

    /// The character of the escape here; none while it is not certain, or where it is no escape.
    fn escape(&mut self) -> Option<char> {
        let bytes = self.text.as_bytes();
        let simple = match bytes.get(self.at + 1)? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = escaped_unit(bytes, self.at)?;
                self.at += 6;
                if !is_high(unit) {
                    return Some(char::from_u32(u32::from(unit)).unwrap_or('\u{FFFD}'));
                }
                // The other half may be still to come: `\ud83d`, `\ud83d\`, `\ud83d\ude`.
                let next = bytes.get(self.at..)?;
                let pending = next.len() < 6 && (next.is_empty() || b"\\u".starts_with(&next[..next.len().min(2)]));
                if pending {
                    return None;
                }
                return Some(match escaped_unit(bytes, self.at).filter(|low| is_low(*low)) {
                    Some(low) => {
                        self.at += 6;
                        paired(unit, low)
                    }
                    None => '\u{FFFD}',
                });
            }
            _ => return None,
        };
        self.at += 2;
        Some(simple)
    }
}
