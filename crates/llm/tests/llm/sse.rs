//! Framing.

use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_llm::limits;
use copydesk_llm::sse::{ServerEvent, SseParser};

fn events<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ServerEvent> {
    let (mut parser, mut events) = (SseParser::default(), Vec::new());
    for piece in pieces {
        parser.push(piece, &mut events).unwrap();
    }
    parser.end(&mut events).unwrap();
    events
}

/// The data of the events, with `name=` before it where an event has a name.
fn data(stream: &str) -> Vec<String> {
    let show =
        |event: ServerEvent| if event.name.is_empty() { event.data } else { format!("{}={}", event.name, event.data) };
    events([stream.as_bytes()]).into_iter().map(show).collect()
}

#[test]
fn lines_end_with_lf_crlf_or_cr() {
    for end in ["\n", "\r\n", "\r"] {
        let stream = ["event: a", "data: 1", "", "data: 2", "data: 3", "", ""].join(end);
        assert_eq!(data(&stream), ["a=1", "2\n3"], "{end:?}");
    }
}

#[test]
fn the_examples_of_the_standard_hold() {
    assert_eq!(data("data: YHOO\ndata: +2\ndata: 10\n\n"), ["YHOO\n+2\n10"]);
    assert_eq!(
        data(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
        ["first event", "second event", " third event"]
    );
    assert_eq!(data("data\n\ndata\ndata\n\n"), ["", "\n"]);
    assert_eq!(data("data:test\n\ndata: test\n\n"), ["test", "test"]);
}

#[test]
fn a_byte_order_mark_is_skipped_once() {
    assert_eq!(data("\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\n"), ["1"]);
}

#[test]
fn an_event_without_data_is_dropped_with_its_name() {
    assert_eq!(data("event: ping\n\ndata: 1\n\n"), ["1"]);
}

#[test]
fn the_last_event_is_kept_without_its_blank_line() {
    assert_eq!(data("data: 1\n\ndata: 2"), ["1", "2"]);
    assert_eq!(data("data: 1\n\ndata: 2\n"), ["1", "2"]);
    assert_eq!(data("data: 1\n\ndata: 2\r"), ["1", "2"]);
}

#[test]
fn invalid_utf_8_becomes_replacement_characters() {
    assert_eq!(events([&b"data: a\xFF\xE4\xB8\n\n"[..]])[0].data, "a\u{FFFD}\u{FFFD}");
}

#[test]
fn a_cr_at_the_end_of_a_chunk_joins_only_an_lf_right_after_it() {
    // The third piece is a blank line of its own.
    let pieces = [&b"event: a\r"[..], b"x\r\n", b"\n", b"data: 1\n\n"];
    assert_eq!(events(pieces), [ServerEvent { name: String::new(), data: "1".to_owned() }]);
}

#[test]
fn every_split_gives_the_same_events() {
    let mut random = Random::new();
    let parts = [
        "data",
        "event",
        ":",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\r\r",
        "\r\n\r\n",
        "茶",
        "🫖",
        "\u{FEFF}",
        "x",
        ": comment",
        "id: 1",
    ];
    for _ in 0..2000 {
        let stream: String = (0..random.below(40)).map(|_| *random.pick(&parts)).collect();
        let bytes = stream.as_bytes();
        let whole = events([bytes]);
        assert_eq!(events(bytes.chunks(1)), whole, "{stream:?}");
        assert_eq!(events(random.split(bytes, 6)), whole, "{stream:?}");
        for cut in 0..bytes.len() {
            assert_eq!(events([&bytes[..cut], &bytes[cut..]]), whole, "{stream:?} cut at {cut}");
        }
        // All three line ends are one; only a CRLF must not become two.
        let plain = stream.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(events([plain.as_bytes()]), whole, "{stream:?}");
    }
}

#[test]
fn an_endless_event_is_an_error() {
    for (start, piece) in [("data: ", "x"), (":", "x"), ("", "data: x\n"), ("data", "x")] {
        let piece = piece.repeat(64 << 10);
        let (mut parser, mut events) = (SseParser::default(), Vec::new());
        parser.push(start.as_bytes(), &mut events).unwrap();
        let mut fed = 0;
        let error = loop {
            fed += piece.len();
            assert!(fed < 1 << 30, "1 GB was taken in");
            if let Err(error) = parser.push(piece.as_bytes(), &mut events) {
                break error;
            }
        };
        assert_eq!(error.code(), "malformed_stream");
        assert!(fed < 9 * limits::EVENT_BYTES, "{fed} bytes were taken in");
        assert!(events.is_empty());
    }
}
