//! Server-sent events, framed as the [WHATWG rules] say.
//!
//! Lines end with LF, CRLF or CR; a byte order mark at the beginning is skipped; lines that begin with a colon are
//! comments; several `data:` lines of one event are joined by newlines; a blank line ends an event, and an event
//! without data is none. `id` and `retry` serve reconnection, which a model's answer does not know, and are
//! ignored. Bytes that are not UTF-8 become U+FFFD.
//!
//! One rule is not kept: an event that the end of input finds without its blank line should be dropped. Servers
//! and proxies do leave the last blank line out, and then that event is the one with the finish and the usage. It
//! is kept; where it is really half an event, its JSON does not parse, and that is an error either way.
//!
//! [WHATWG rules]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

use super::limits;
use crate::Error;
use std::borrow::Cow;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The `event:` field; empty where there was none.
    pub name: String,
    /// The `data:` lines, joined by newlines.
    pub data: String,
}

/// Finds events in bytes that come split anywhere. Holds no more than the event under way.
#[derive(Debug, Default)]
pub struct Parser {
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    /// The last byte was a CR: a LF right after it belongs to the same line end.
    after_cr: bool,
    past_first_line: bool,
}

impl Parser {
    /// Takes the next bytes and adds the events that end in them to `events`, also those before an error.
    ///
    /// Errors with [`Error::MalformedStream`] when an event or a line is longer than
    /// [`limits::EVENT_BYTES`]; the parser is of no use afterwards.
    pub fn push(&mut self, mut bytes: &[u8], events: &mut Vec<Event>) -> Result<(), Error> {
        if let Some(first) = bytes.first()
            && std::mem::take(&mut self.after_cr)
            && *first == b'\n'
        {
            bytes = &bytes[1..];
        }
        while let Some(end) = line_end(bytes) {
            self.end_line(&bytes[..end], events)?;
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if cr && bytes.first() == Some(&b'\n') {
                bytes = &bytes[1..];
            } else {
                self.after_cr = cr && bytes.is_empty();
            }
        }
        if !bytes.is_empty() {
            self.bounded(self.line.len() + bytes.len())?;
            self.line.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Says that no more bytes come. Adds the event that was under way.
    pub fn end(&mut self, events: &mut Vec<Event>) -> Result<(), Error> {
        if !self.line.is_empty() {
            self.end_line(&[], events)?;
        }
        self.dispatch(events);
        Ok(())
    }

    fn end_line(&mut self, rest: &[u8], events: &mut Vec<Event>) -> Result<(), Error> {
        self.bounded(self.line.len() + rest.len())?;
        if self.line.is_empty() {
            return self.take_line(rest, events);
        }
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(rest);
        let taken = self.take_line(&line, events);
        line.clear();
        self.line = line;
        taken
    }

    fn take_line(&mut self, mut line: &[u8], events: &mut Vec<Event>) -> Result<(), Error> {
        if !self.past_first_line {
            self.past_first_line = true;
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(events);
            return Ok(());
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = lossy(value.strip_prefix(b" ").unwrap_or(value));
        match field {
            b"data" => {
                self.bounded(self.event.name.len() + self.event.data.len() + value.len() + 1)?;
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(&value);
            }
            b"event" => self.event.name = value.into_owned(),
            _ => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, events: &mut Vec<Event>) {
        let event = std::mem::take(&mut self.event);
        if std::mem::take(&mut self.has_data) {
            events.push(event);
        }
    }

    fn bounded(&self, length: usize) -> Result<(), Error> {
        if length <= limits::EVENT_BYTES {
            return Ok(());
        }
        Err(Error::MalformedStream { reason: format!("an event is longer than {} MiB", limits::EVENT_BYTES >> 20) })
    }
}

// Every byte of an answer goes through here. Compiled for size, a loop of its own is several times as fast as `position`.
fn line_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while !matches!(bytes.get(at)?, b'\n' | b'\r') {
        at += 1;
    }
    Some(at)
}

// A line ends at an ASCII byte, so decoding line by line gives what decoding the whole stream would.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // What is good is found to be so much faster than what is not is mended.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
