//! Invariants of every answer of a server, for any bytes.

use copydesk_base::ErrorInfo;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, Arguments, AssistantMessage, Decoder, Delta};
use serde_json::Value;
use std::collections::BTreeMap;

/// The key that a server must not have repeated in an error.
const KEY: &str = "sk-secret";

/// Decodes an answer at once, byte by byte, in chunks of several sizes, and cut off. Panics if the results differ, if
/// the deltas differ from the message, if an incomplete call counts as complete, or if memory grows out of
/// proportion.
pub fn hold(api: Api, bytes: &[u8]) {
    let (whole, deltas) = decode(api, &[bytes]);
    check(&whole, &deltas, bytes.len());
    let mut pieces: Vec<Vec<&[u8]>> = vec![bytes.chunks(1).collect(), bytes.chunks(7).collect()];
    pieces.push(split(bytes));
    for pieces in pieces {
        let (answer, deltas) = decode(api, &pieces);
        assert_eq!(answer, whole, "another answer when split");
        check(&answer, &deltas, bytes.len());
    }
    let cut = &bytes[..bytes.len() - bytes.len() / 3];
    let (answer, deltas) = decode(api, &[cut]);
    check(&answer, &deltas, cut.len());
}

/// Panics if scanning a chunk gives another result than parsing it. With an unknown member no chunk is scanned.
pub fn hold_skimmed(bytes: &[u8]) {
    let begins = b"data: {";
    let mut strange = Vec::new();
    for line in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        match line.strip_prefix(begins) {
            Some(rest) if rest.trim_ascii_start().first() != Some(&b'}') => {
                strange.extend_from_slice(b"data: {\"strange\":{},");
                strange.extend_from_slice(rest);
            }
            _ => strange.extend_from_slice(line),
        }
    }
    // Messages contain the column; codes do not.
    let read = |bytes| decode(Api::OpenaiCompletions, &[bytes]).0.map_err(|error| error.code());
    assert_eq!(read(bytes), read(&strange), "skimmed, and parsed");
}

/// Returns chunks whose sizes the bytes determine.
pub fn split(bytes: &[u8]) -> Vec<&[u8]> {
    let mut state = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (piece, after) = rest.split_at(((state >> 33) as usize % 40 + 1).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn decode(api: Api, pieces: &[&[u8]]) -> (Result<AssistantMessage, Error>, Vec<Delta>) {
    let mut decoder = Decoder::new(api, "text/event-stream", &Secrets::of(KEY));
    let mut deltas = Vec::new();
    for piece in pieces {
        match decoder.push(piece) {
            Ok(more) => deltas.extend(more),
            Err(error) => {
                assert_eq!(decoder.finish().as_ref(), Err(&error), "an error that did not stay");
                return (Err(error), deltas);
            }
        }
    }
    match decoder.end() {
        Ok(more) => deltas.extend(more),
        Err(error) => return (Err(error), deltas),
    }
    (decoder.finish(), deltas)
}

fn check(answer: &Result<AssistantMessage, Error>, deltas: &[Delta], length: usize) {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            assert!(!error.to_string().contains(KEY) && !format!("{error:?}").contains(KEY), "{error:?}");
            assert_ne!(error.code(), "internal");
            return;
        }
    };
    let (mut text, mut thinking, mut refusal) = (String::new(), String::new(), String::new());
    let mut started = BTreeMap::new();
    let mut shown = 0;
    for delta in deltas {
        match delta {
            Delta::Text(more) => text.push_str(more),
            Delta::Thinking(more) => thinking.push_str(more),
            Delta::TextWasThinking => thinking.push_str(&std::mem::take(&mut text)),
            Delta::Refusal(more) => refusal.push_str(more),
            Delta::ToolCallStart { call, id, name } => {
                let before = started.insert(*call, (id, name));
                assert_eq!(before, None, "a call began twice");
            }
            Delta::ToolCallArguments { call, partial } => {
                assert!(started.contains_key(call), "arguments before their call");
                shown += partial.len();
            }
        }
    }
    assert_eq!((&text, &thinking, &refusal), (&answer.text(), &answer.thinking(), &answer.refusal()));
    // A call without a name is not announced.
    let named = answer.tool_calls.iter().enumerate().filter(|(_, call)| !call.name.is_empty());
    let named: BTreeMap<_, _> = named.map(|(at, call)| (at, (&call.id, &call.name))).collect();
    assert_eq!(started, named);
    let mut kept = text.len() + thinking.len() + refusal.len() + answer.finish.len();
    for (at, call) in answer.tool_calls.iter().enumerate() {
        assert!(answer.tool_calls[..at].iter().all(|other| other.id != call.id), "two calls have one id");
        kept += call.name.len() + call.signature.as_ref().map_or(0, String::len);
        kept += match &call.arguments {
            Arguments::Whole(arguments) => {
                let written = Value::Object(arguments.clone()).to_string();
                assert!(serde_json::from_str::<Value>(&written).is_ok_and(|read| read.is_object()));
                written.len()
            }
            Arguments::CutOff { raw } | Arguments::Invalid { raw, .. } | Arguments::Ambiguous { raw, .. } => raw.len(),
        };
    }
    // One byte may become the three of U+FFFD, and each of those is written into JSON as it is.
    assert!(kept <= 8 * length + 1024, "{kept} bytes were kept of {length}");
    assert!(shown <= 66 * (length + 64), "{shown} values were shown of {length} bytes");
}
