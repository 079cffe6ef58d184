//! Event streams, at every split.

use crate::answers::split;
use copydesk_llm::sse::{ServerEvent, SseParser};

/// Panics unless the events of a stream are the same at every split as for a reader that gets it at once.
pub fn sse(bytes: &[u8]) {
    let expected = naive(bytes);
    for pieces in [vec![bytes], bytes.chunks(1).collect(), bytes.chunks(3).collect(), split(bytes)] {
        let mut parser = SseParser::default();
        let mut events = Vec::new();
        for piece in pieces {
            parser.push(piece, &mut events).expect("it is short");
        }
        parser.end(&mut events).expect("it is short");
        assert_eq!(events, expected);
    }
}

/// Parses line by line as in
/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>, but includes a last
/// event without its blank line.
fn naive(bytes: &[u8]) -> Vec<ServerEvent> {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).into_owned();
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut events = Vec::new();
    let mut name = String::new();
    let mut data: Vec<&str> = Vec::new();
    for line in text.split('\n').chain([""]) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() => {
                let name = std::mem::take(&mut name);
                if !data.is_empty() {
                    events.push(ServerEvent { name, data: std::mem::take(&mut data).join("\n") });
                }
            }
            "data" => data.push(value),
            "event" => name = value.to_owned(),
            _ => {}
        }
    }
    events
}
