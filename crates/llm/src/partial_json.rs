//! Reader of incomplete JSON.

use super::surrogates::{escaped_unit, is_high, is_low, paired};
use copydesk_base::secrets::{Redactor, Secrets};
use serde_json::{Map, Value};

/// The maximum number of values that are read from unfinished arguments, which are for display only.
const VALUES: usize = 10_000;

/// The maximum depth of values, as in serde_json. Reading stops at deeper ones.
const DEPTH: usize = 128;

/// Returns the object at the beginning of `text`, as [`PartialObject`] reads it.
pub fn parse_object(text: &str) -> Map<String, Value> {
    let mut partial = PartialObject::default();
    partial.read(text);
    partial.object().clone()
}

/// The object at the beginning of a JSON text that grows; empty if there is none.
///
/// Its content is final: when the text grows, strings may become longer, and arrays and objects may get more members,
/// but nothing else changes (unless a key is repeated). So a number is omitted until something follows it, and a
/// character until its escapes are complete. A key without a value is omitted. Reading stops at the first invalid
/// token, and after 10,000 values.
///
/// Secrets are redacted. An unfinished string ends before a possible beginning of one.
///
/// Each byte is read once, however often the text grows.
#[derive(Clone, Debug, Default)]
pub struct PartialObject {
    object: Map<String, Value>,
    secrets: Secrets,
    /// The position of the next byte to read.
    at: usize,
    state: JsonState,
    /// The open containers, from the object itself to the innermost.
    open: Vec<Container>,
    /// The key of the next value; not redacted until it is complete.
    key: String,
    /// Redacts the current string.
    redactor: Redactor,
    /// The number of values read.
    values: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum JsonState {
    /// Before the object.
    #[default]
    Start,
    /// After an opening bracket.
    Opened,
    /// After a comma.
    Comma,
    /// In a key.
    Key,
    /// After a key.
    Colon,
    /// Before a value.
    Value,
    /// In a string that is a value.
    Text,
    /// In a number that begins at this position.
    Number(usize),
    /// After a value.
    After,
    /// After the object, or at text that is not JSON.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Container {
    Object,
    Array,
}

impl PartialObject {
    /// Creates an empty object; `secrets` are redacted in its strings.
    pub fn new(secrets: &Secrets) -> PartialObject {
        PartialObject { secrets: secrets.clone(), ..PartialObject::default() }
    }

    /// Continues with `text`, which begins with the text of the last call.
    pub fn read(&mut self, text: &str) {
        while self.step(text) {}
    }

    /// Returns the members read so far.
    pub fn object(&self) -> &Map<String, Value> {
        &self.object
    }

    /// Reads the next token, or as much of a string as there is. Returns false if more text is needed.
    fn step(&mut self, text: &str) -> bool {
        match self.state {
            JsonState::Key | JsonState::Text => return self.string(text),
            JsonState::Number(start) => return self.number(text, start),
            JsonState::End => return false,
            _ => {}
        }
        let bytes = text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let Some(&byte) = bytes.get(self.at) else { return false };
        self.state = match (self.state, self.open.last()) {
            (JsonState::Start, _) if byte == b'{' => self.begin(Container::Object),
            (JsonState::Opened | JsonState::After, Some(Container::Object)) if byte == b'}' => self.close(),
            (JsonState::Opened | JsonState::After, Some(Container::Array)) if byte == b']' => self.close(),
            (JsonState::After, _) if byte == b',' => self.eat(JsonState::Comma),
            (JsonState::Opened | JsonState::Comma, Some(Container::Array)) => JsonState::Value,
            (JsonState::Opened | JsonState::Comma, Some(Container::Object)) if byte == b'"' => {
                self.key.clear();
                self.eat(JsonState::Key)
            }
            (JsonState::Colon, _) if byte == b':' => self.eat(JsonState::Value),
            (JsonState::Value, _) => return self.value(byte, bytes),
            _ => JsonState::End,
        };
        true
    }

    fn eat(&mut self, next: JsonState) -> JsonState {
        self.at += 1;
        next
    }

    fn begin(&mut self, container: Container) -> JsonState {
        self.open.push(container);
        self.eat(JsonState::Opened)
    }

    fn close(&mut self) -> JsonState {
        self.open.pop();
        self.eat(if self.open.is_empty() { JsonState::End } else { JsonState::After })
    }

    fn value(&mut self, byte: u8, bytes: &[u8]) -> bool {
        let (word, value) = match byte {
            _ if self.values == VALUES => {
                self.state = JsonState::End;
                return true;
            }
            b'"' => {
                self.put(String::new().into());
                self.redactor = Redactor::strict(&self.secrets);
                self.state = self.eat(JsonState::Text);
                return true;
            }
            b'{' | b'[' if self.open.len() == DEPTH => {
                self.state = JsonState::End;
                return true;
            }
            b'{' => {
                self.put(Map::new().into());
                self.state = self.begin(Container::Object);
                return true;
            }
            b'[' => {
                self.put(Vec::<Value>::new().into());
                self.state = self.begin(Container::Array);
                return true;
            }
            b't' => ("true", true.into()),
            b'f' => ("false", false.into()),
            b'n' => ("null", Value::Null),
            _ => {
                self.state = JsonState::Number(self.at);
                return true;
            }
        };
        let is_whole = bytes[self.at..].starts_with(word.as_bytes());
        if is_whole {
            self.put(value);
            self.at += word.len();
            self.state = JsonState::After;
        }
        is_whole
    }

    fn number(&mut self, text: &str, start: usize) -> bool {
        let bytes = text.as_bytes();
        while matches!(bytes.get(self.at), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        if self.at == bytes.len() {
            return false;
        }
        let number = text.get(start..self.at).and_then(|number| serde_json::from_str(number).ok());
        self.state = match number {
            Some(number) => {
                self.put(number);
                JsonState::After
            }
            None => JsonState::End,
        };
        true
    }

    fn string(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let start = self.at;
        while bytes.get(self.at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
            self.at += 1;
        }
        self.extend(text.get(start..self.at).unwrap_or_default());
        match bytes.get(self.at) {
            Some(b'"') => {
                self.at += 1;
                if self.state == JsonState::Key {
                    self.key = self.secrets.redact(&self.key);
                    self.state = JsonState::Colon;
                } else {
                    let rest = self.redactor.finish();
                    self.extend_value(&rest);
                    self.state = JsonState::After;
                }
                true
            }
            Some(b'\\') => match escape(bytes, self.at) {
                Some((character, end)) => {
                    self.extend(character.encode_utf8(&mut [0; 4]));
                    self.at = end;
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Appends to the current string.
    fn extend(&mut self, text: &str) {
        if self.state == JsonState::Key {
            self.key.push_str(text);
        } else {
            let text = self.redactor.push(text);
            self.extend_value(&text);
        }
    }

    fn extend_value(&mut self, text: &str) {
        if let Some(Value::String(string)) = self.value_at(self.open.len()) {
            string.push_str(text);
        }
    }

    /// Adds a value to the innermost container.
    fn put(&mut self, value: Value) {
        self.values += 1;
        let key = std::mem::take(&mut self.key);
        let depth = self.open.len();
        if depth <= 1 {
            return put(&mut self.object, key, value);
        }
        match self.value_at(depth - 1) {
            Some(Value::Object(object)) => put(object, key, value),
            Some(Value::Array(array)) => array.push(value),
            _ => {}
        }
    }

    /// Returns the last value at a depth.
    fn value_at(&mut self, depth: usize) -> Option<&mut Value> {
        let mut last = self.object.values_mut().next_back()?;
        for _ in 1..depth {
            last = match last {
                Value::Object(object) => object.values_mut().next_back()?,
                Value::Array(array) => array.last_mut()?,
                _ => return None,
            };
        }
        Some(last)
    }
}

/// Adds a member at the end, also if its key exists already.
fn put(object: &mut Map<String, Value>, key: String, value: Value) {
    object.shift_remove(&key);
    object.insert(key, value);
}

/// Returns the character of the escape at this position and its end; `None` if it is incomplete or invalid.
fn escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let simple = match bytes.get(at + 1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = escaped_unit(bytes, at)?;
            let end = at + 6;
            if !is_high(unit) {
                return Some((char::from_u32(u32::from(unit)).unwrap_or('\u{FFFD}'), end));
            }
            // The other half may still arrive: `\ud83d`, `\ud83d\`, `\ud83d\ude`.
            let next = bytes.get(end..)?;
            if next.len() < 6 && (next.is_empty() || b"\\u".starts_with(&next[..next.len().min(2)])) {
                return None;
            }
            return Some(match escaped_unit(bytes, end).filter(|low| is_low(*low)) {
                Some(low) => (paired(unit, low), end + 6),
                None => ('\u{FFFD}', end),
            });
        }
        _ => return None,
    };
    Some((simple, at + 2))
}
