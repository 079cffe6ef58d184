//! The faults, and the outcome of each by rule: a function of where the fault occurs, not of observed behavior.
//! `cases` builds those that take more than a line.

use crate::cases::*;
use crate::shape::{MARK, Shape};
use crate::wire::{Event, Format, Stream};
use crate::world::{BodyEnd, KEY, ScriptedResponse};
use copydesk_base::Error;

/// A row of the table.
pub struct Fault {
    pub group: &'static str,
    pub name: &'static str,
    /// Returns all cases for a shape; none if the fault cannot occur in it.
    pub cases: fn(&Format, &Shape, &Stream) -> Vec<Case>,
}

/// A single run.
pub struct Case {
    /// The position of the fault in the table, if its outcome depends on it.
    pub when: &'static str,
    /// The exact position, for error messages.
    pub at: String,
    pub response: ScriptedResponse,
    pub outcome: FaultOutcome,
    /// The time that the run must take on its clock, in milliseconds.
    pub waits: f64,
    /// The additional time if the request is repeated.
    pub waits_for_retry: f64,
    /// True if the usage is checked too.
    pub with_usage: bool,
    /// True if the second prompt is omitted.
    pub only_first_prompt: bool,
    /// True if a persistent fault is tested as well.
    pub also_persistent: bool,
}

/// The outcome of a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultOutcome {
    /// The shape's outcome without the fault.
    Answer,
    /// The same with U+FFFD for each [`MARK`].
    Corrupted,
    /// The same, but its calls do not run.
    CallsFail(&'static str),
    /// The request is repeated, then the shape's outcome. With a persistent fault the run fails with this code.
    Retried(&'static str),
    /// The run fails with this code without a retry.
    Fails(&'static str),
    /// An answer, or any typed error.
    Anything,
}

use FaultOutcome::{Answer, CallsFail, Corrupted, Fails, Retried};

impl Case {
    pub fn new(when: &'static str, response: ScriptedResponse, outcome: FaultOutcome) -> Case {
        Case {
            when,
            at: String::new(),
            response,
            outcome,
            waits: 0.0,
            waits_for_retry: 1000.0,
            with_usage: false,
            only_first_prompt: false,
            also_persistent: true,
        }
    }

    pub fn at(self, at: impl ToString) -> Case {
        Case { at: at.to_string(), ..self }
    }

    pub fn waits(self, ms: f64) -> Case {
        Case { waits: ms, ..self }
    }

    pub fn with_usage(self) -> Case {
        Case { with_usage: true, ..self }
    }

    pub fn once(self) -> Case {
        Case { only_first_prompt: true, also_persistent: false, ..self }
    }
}

const FRAMING: &str = "Framing";
const ENDING: &str = "End of the answer";
const CONNECTION: &str = "Connection";
const REPORTED: &str = "Errors with status 200";
const STATUS: &str = "Other statuses";
const INVALID: &str = "Invalid data";

/// All faults, in the order of the table's rows.
pub const ALL: &[Fault] = &[
    Fault {
        group: FRAMING,
        name: "event by event, or all at once",
        cases: |_, _, stream| {
            let whole = stream.chunks().concat();
            vec![
                Case::new("", stream_of(stream.chunks()), Answer).with_usage().at("events"),
                Case::new("", in_chunks(&whole, whole.len()), Answer).with_usage().at("whole"),
            ]
        },
    },
    Fault {
        group: FRAMING,
        name: "split in two at every byte, and in chunks of 1 to 9 bytes",
        cases: |_, shape, stream| {
            let whole = stream.chunks().concat();
            // The decoder tests split all recorded streams everywhere; here one shape is enough.
            let step = if shape.name == "a text" { 1 } else { 301 };
            let in_two = |at: usize| {
                Case::new("", stream_of(vec![whole[..at].to_vec(), whole[at..].to_vec()]), Answer)
                    .with_usage()
                    .once()
                    .at(at)
            };
            let by =
                |every: usize| Case::new("", in_chunks(&whole, every), Answer).with_usage().at(format!("by {every}"));
            (1..whole.len()).step_by(step).map(in_two).chain((1..10).map(by)).collect()
        },
    },
    Fault {
        group: FRAMING,
        name: "lines end with CRLF",
        cases: |_, _, stream| rewritten(stream, |body| body.replace('\n', "\r\n")),
    },
    Fault {
        group: FRAMING,
        name: "lines end with CR",
        cases: |_, _, stream| rewritten(stream, |body| body.replace('\n', "\r")),
    },
    Fault {
        group: FRAMING,
        name: "a byte order mark",
        cases: |_, _, stream| rewritten(stream, |body| format!("\u{FEFF}{body}")),
    },
    Fault {
        group: FRAMING,
        name: "comments, pings, unknown events and fields",
        cases: |_, _, stream| {
            let noise = concat!(
                ": keep-alive\n\n",
                "event: ping\ndata: {\"type\":\"ping\"}\n\n",
                "event: ping\ndata\n\n",
                "event: heartbeat\ndata: not json\n\n",
                "id: 7\nretry: 10\nother: x\n\n",
                "event: custom\ndata: {\"type\":\"custom\",\"x\":[1]}\n\n",
            );
            let with_noise = |body: &str| format!("{noise}{}", body.replace("\n\n", &format!("\n\n{noise}")));
            rewritten(stream, with_noise)
        },
    },
    Fault {
        group: FRAMING,
        name: "no space after the colons",
        cases: |_, _, stream| {
            rewritten(stream, |body| body.replace("\ndata: ", "\ndata:").replace("event: ", "event:"))
        },
    },
    Fault {
        group: ENDING,
        name: "without the last blank line",
        cases: |_, _, stream| {
            let whole = stream.chunks().concat();
            let shorter = |count: usize| {
                Case::new("", in_chunks(&whole[..whole.len() - count], 50), Answer).with_usage().at(count)
            };
            vec![shorter(1), shorter(2)]
        },
    },
    Fault {
        group: ENDING,
        name: "without the terminator",
        cases: |_, _, stream| match stream.terminator {
            Some(terminator) if terminator != stream.finish => {
                vec![Case::new("", without(stream, &[terminator]), Answer).with_usage()]
            }
            _ => Vec::new(),
        },
    },
    Fault {
        group: ENDING,
        name: "without the finish reason",
        cases: |_, shape, stream| {
            let has_content = !(shape.thinking.is_empty() && shape.text.is_empty() && shape.calls.is_empty());
            let has_terminator = stream.terminator.is_some_and(|terminator| terminator != stream.finish);
            let outcome = if has_terminator && has_content { Answer } else { Retried("stream_cut") };
            vec![Case::new("", without(stream, &[stream.finish]), outcome)]
        },
    },
    Fault {
        group: ENDING,
        name: "without both",
        cases: |_, _, stream| match stream.terminator {
            Some(terminator) if terminator != stream.finish => {
                vec![Case::new("", without(stream, &[stream.finish, terminator]), Retried("stream_cut"))]
            }
            _ => Vec::new(),
        },
    },
    Fault {
        group: ENDING,
        name: "the finish event twice, the terminator twice",
        cases: |_, _, stream| {
            let twice = |at: usize| {
                Case::new("", stream_of(inserted(stream, at, stream.events[at].bytes())), Answer).with_usage().at(at)
            };
            [Some(stream.finish), stream.terminator].into_iter().flatten().map(twice).collect()
        },
    },
    Fault {
        group: CONNECTION,
        name: "breaks at or within any event",
        cases: |_, _, stream| {
            disconnected(
                stream,
                &BodyEnd::Breaks(Error::Unreachable {
                    origin: "https://llm.example".to_owned(),
                    reason: String::new(),
                }),
            )
        },
    },
    Fault {
        group: CONNECTION,
        name: "closes at or within any event",
        cases: |_, _, stream| disconnected(stream, &BodyEnd::Closes),
    },
    Fault { group: CONNECTION, name: "stalls at any event, and stays open", cases: |_, _, stream| stalled(stream) },
    Fault { group: CONNECTION, name: "offline", cases: |_, _, _| failed_request(Error::Offline, Retried("offline")) },
    Fault {
        group: CONNECTION,
        name: "no such server",
        cases: |_, _, _| {
            failed_request(Error::Unreachable { origin: origin(), reason: String::new() }, Retried("unreachable"))
        },
    },
    Fault {
        group: CONNECTION,
        name: "blocked by CORS",
        cases: |_, _, _| failed_request(Error::Blocked { origin: origin() }, Fails("blocked_by_cors")),
    },
    Fault {
        group: REPORTED,
        name: "an error event, anywhere",
        cases: |format, _, stream| {
            error_events(stream, &(format.error_event)(&format!("Broken, {KEY}.")), "provider_error")
        },
    },
    Fault {
        group: REPORTED,
        name: "an error event of an overloaded server, anywhere",
        cases: |format, _, stream| error_events(stream, &format.overloaded_event, "overloaded"),
    },
    Fault {
        group: REPORTED,
        name: "an error as JSON",
        cases: |format, _, _| {
            let body = (format.error_body)(500, &format!("Broken, {KEY}."));
            vec![Case::new("", plain_response(200, "application/json", None, &body), Retried("provider_error"))]
        },
    },
    Fault {
        group: REPORTED,
        name: "a web page",
        cases: |_, _, _| {
            let body = format!("<!doctype html>\n<html><title>Welcome</title><p>{KEY}</p></html>");
            vec![Case::new("", plain_response(200, "text/html", None, &body), Fails("not_a_stream"))]
        },
    },
    Fault {
        group: STATUS,
        name: "400, the conversation is too long",
        cases: |format, _, _| {
            vec![Case::new(
                "",
                plain_response(400, "application/json", None, format.overflow_body),
                Fails("context_overflow"),
            )]
        },
    },
    Fault {
        group: STATUS,
        name: "400, another reason",
        cases: |format, shape, _| error_responses(format, shape, 400, Fails("bad_request")),
    },
    Fault {
        group: STATUS,
        name: "401",
        cases: |format, shape, _| error_responses(format, shape, 401, Fails("unauthorized")),
    },
    Fault {
        group: STATUS,
        name: "402",
        cases: |format, shape, _| error_responses(format, shape, 402, Fails("quota_exceeded")),
    },
    Fault {
        group: STATUS,
        name: "403",
        cases: |format, shape, _| error_responses(format, shape, 403, Fails("unauthorized")),
    },
    Fault {
        group: STATUS,
        name: "404",
        cases: |format, shape, _| error_responses(format, shape, 404, Fails("not_found")),
    },
    Fault {
        group: STATUS,
        name: "408",
        cases: |format, shape, _| error_responses(format, shape, 408, Retried("server_error")),
    },
    Fault {
        group: STATUS,
        name: "413",
        cases: |format, shape, _| error_responses(format, shape, 413, Fails("context_overflow")),
    },
    Fault {
        group: STATUS,
        name: "429",
        cases: |format, shape, _| error_responses(format, shape, 429, Retried("rate_limited")),
    },
    Fault {
        group: STATUS,
        name: "429 with `retry-after`",
        cases: |format, _, _| {
            let later = |when, ms: u64, outcome| {
                let case = Case::new(
                    when,
                    plain_response(429, "application/json", Some(ms), &(format.error_body)(429, "Later.")),
                    outcome,
                );
                // The agent waits even if the server allows a retry at once.
                Case { waits_for_retry: if ms == 0 { case.waits_for_retry } else { ms as f64 }, ..case }
            };
            vec![
                later("0", 0, Retried("rate_limited")),
                later("12 seconds", 12_000, Retried("rate_limited")),
                later("a day", 86_400_000, Fails("rate_limited")),
            ]
        },
    },
    Fault {
        group: STATUS,
        name: "500",
        cases: |format, shape, _| error_responses(format, shape, 500, Retried("server_error")),
    },
    Fault {
        group: STATUS,
        name: "503",
        cases: |format, shape, _| error_responses(format, shape, 503, Retried("overloaded")),
    },
    Fault {
        group: STATUS,
        name: "529",
        cases: |format, shape, _| error_responses(format, shape, 529, Retried("overloaded")),
    },
    Fault {
        group: INVALID,
        name: "bytes that are not UTF-8",
        cases: |_, _, stream| {
            let mark = MARK.to_string();
            let bad = |to: &[u8]| stream_of(replaced(stream.chunks(), mark.as_bytes(), to));
            vec![
                Case::new("in texts", bad(b"\xFF"), Corrupted).at("FF"),
                Case::new("in texts", bad(b"\xC2"), Corrupted).at("half of the character"),
                Case::new("in a comment", stream_of(inserted(stream, 1, b": \xFF\xFE\x80\n\n".to_vec())), Answer),
            ]
        },
    },
    Fault {
        group: INVALID,
        name: "NUL bytes",
        cases: |_, _, stream| {
            let finish = &stream.events[stream.finish];
            let corrupted = Event { name: finish.name.clone(), data: finish.data.replacen('{', "{\0", 1) };
            let mut inside = stream.clone();
            inside.events[stream.finish] = corrupted;
            vec![
                Case::new("between events", stream_of(inserted(stream, 1, b"\0\0\n\0: x\n\n".to_vec())), Answer),
                Case::new("in an event", stream_of(inside.chunks()), Fails("malformed_stream")),
            ]
        },
    },
    Fault {
        group: INVALID,
        name: "5 MiB in one event or comment",
        cases: |_, shape, stream| {
            if shape.name != "a text" && shape.name != "one call" {
                return Vec::new();
            }
            let long = "x".repeat(5 << 20);
            let case = |bytes: String| {
                let chunks = inserted(stream, 1, bytes.into_bytes()).concat();
                Case::new("", in_chunks(&chunks, 64 << 10), Fails("malformed_stream"))
            };
            vec![case(format!("data: {{\"x\":\"{long}\"}}\n\n")), case(format!(": {long}\n\n"))]
        },
    },
    Fault { group: INVALID, name: "endless data", cases: endless },
    Fault {
        group: INVALID,
        name: "3 MiB of values of two bytes each",
        cases: |format, shape, stream| {
            if shape.name != "one call" {
                return Vec::new();
            }
            let many = format!("{{\"a\":[{}0]}}", "0,".repeat(3 << 19));
            let event = format!("data: {many}\n\n").into_bytes();
            let mut shape = shape.clone();
            shape.calls[0].arguments = vec![many];
            vec![
                Case::new("in an event", stream_of(inserted(stream, 1, event)), Fails("malformed_stream")).once(),
                Case::new("in arguments", stream_of((format.write)(&shape).chunks()), CallsFail("invalid_arguments"))
                    .once(),
            ]
        },
    },
    Fault {
        group: INVALID,
        name: "JSON nested 10,000 deep",
        cases: |format, shape, stream| {
            let (open, close) = ("{\"a\":".repeat(10_000), "}".repeat(10_000));
            let event = format!("data: {{\"x\":{open}1{close}}}\n\n").into_bytes();
            let body = format!("{{\"error\":{open}1{close}}}");
            let mut cases = vec![
                Case::new("in an event", stream_of(inserted(stream, 1, event)), Fails("malformed_stream")),
                Case::new(
                    "in the body of status 400",
                    plain_response(400, "application/json", None, &body),
                    Fails("bad_request"),
                ),
            ];
            if shape.name == "one call" {
                let mut shape = shape.clone();
                shape.calls[0].arguments = vec![open, "1".to_owned(), close];
                let response = stream_of((format.write)(&shape).chunks());
                cases.push(Case::new("in arguments", response, CallsFail("invalid_arguments")));
            }
            cases
        },
    },
    Fault {
        group: INVALID,
        name: "a value of another type in each field",
        cases: |_, shape, stream| {
            // Arguments are tested by other faults as well.
            let is_tested = ["thinking, a text and a call", "a refusal"].contains(&shape.name);
            if is_tested { wrong_types(stream) } else { Vec::new() }
        },
    },
    Fault {
        group: INVALID,
        name: "compressed bytes, truncated and not decompressed",
        cases: |_, _, _| {
            let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
            bytes.extend((0..3000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8));
            vec![
                Case::new("", in_chunks(&bytes, bytes.len()), Fails("not_a_stream")),
                Case::new("", in_chunks(&bytes, 100), Fails("not_a_stream")),
            ]
        },
    },
];
