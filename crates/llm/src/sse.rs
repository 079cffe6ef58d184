//! Server-sent events, framed as the [WHATWG rules] say.
//!
//! Lines end with LF, CRLF or CR; a byte order mark at the beginning is skipped; lines that begin with a colon are
//! comments; several `data:` lines of one event are joined by newlines; a blank line ends an event; an event without
//! data is ignored. `id` and `retry` serve reconnection, which does not apply here, and are ignored. Bytes that are
//! not UTF-8 become U+FFFD.
//!
//! One rule is not followed: an event without a blank line at the end of input should be dropped. Some servers and
//! proxies omit the last blank line, after the event with the finish reason and the usage, so it is kept. If it is
//! incomplete, its JSON does not parse, which is an error.
//!
//! [WHATWG rules]: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

use super::limits;
use crate::Error;
use std::borrow::Cow;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerEvent {
    /// The `event:` field; empty if there was none.
    pub name: String,
    /// The `data:` lines, joined by newlines.
    pub data: String,
}

/// Finds events in bytes that are split anywhere. Holds at most the current event.
#[derive(Debug, Default)]
pub struct SseParser {
    /// The beginning of an incomplete line.
    line: Vec<u8>,
    event: ServerEvent,
    has_data: bool,
    /// True if the last byte was a CR: a LF right after it belongs to the same line end.
    after_cr: bool,
    past_first_line: bool,
}

impl SseParser {
    /// Parses the next bytes and adds the events that end in them to `events`, also those before an error.
    ///
    /// Fails with [`Error::MalformedStream`] if an event or a line is longer than [`limits::EVENT_BYTES`]; the parser
    /// must not be used afterwards.
    pub fn push(&mut self, mut bytes: &[u8], events: &mut Vec<ServerEvent>) -> Result<(), Error> {
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

    /// Ends the input and adds the current event.
    pub fn end(&mut self, events: &mut Vec<ServerEvent>) -> Result<(), Error> {
        if !self.line.is_empty() {
            self.end_line(&[], events)?;
        }
        self.dispatch(events);
        Ok(())
    }

    fn end_line(&mut self, rest: &[u8], events: &mut Vec<ServerEvent>) -> Result<(), Error> {
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

    fn take_line(&mut self, mut line: &[u8], events: &mut Vec<ServerEvent>) -> Result<(), Error> {
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

    fn dispatch(&mut self, events: &mut Vec<ServerEvent>) {
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

// Every byte of an answer is read here. Compiled for size, this loop is several times as fast as `position`.
fn line_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while !matches!(bytes.get(at)?, b'\n' | b'\r') {
        at += 1;
    }
    Some(at)
}

// A line ends at an ASCII byte, so decoding by line equals decoding the whole stream.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    // Validation is much faster than lossy conversion.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}
