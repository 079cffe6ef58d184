//! Decoding at every chunking.

use crate::random::Random;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, Arguments, AssistantMessage, Decoder, Delta};
use serde_json::{Value, json};

/// The answer in a format, and its deltas.
pub fn decode_as<'a>(
    api: Api,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Result<AssistantMessage, Error>, Vec<Delta>) {
    let mut decoder = Decoder::new(api, "text/event-stream", &Secrets::of("sk-secret"));
    let mut deltas = Vec::new();
    for piece in pieces {
        match decoder.push(piece) {
            Ok(more) => deltas.extend(more),
            Err(error) => return (Err(error), deltas),
        }
    }
    match decoder.end() {
        Ok(more) => deltas.extend(more),
        Err(error) => return (Err(error), deltas),
    }
    (decoder.finish(), deltas)
}

/// The answer to chat completions, and its deltas.
pub fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Result<AssistantMessage, Error>, Vec<Delta>) {
    decode_as(Api::OpenaiCompletions, pieces)
}

pub fn answer(body: &str, random: &mut Random) -> Result<AssistantMessage, Error> {
    answer_as(Api::OpenaiCompletions, body, random)
}

/// Returns the answer to a body, after checking that it is the same whole, byte by byte, in halves and split at random,
/// and that the deltas have the content of the answer.
pub fn answer_as(api: Api, body: &str, random: &mut Random) -> Result<AssistantMessage, Error> {
    let bytes = body.as_bytes();
    let (whole, deltas) = decode_as(api, [bytes]);
    check(&whole, &deltas);
    let same = |pieces: Vec<&[u8]>| {
        let (answer, deltas) = decode_as(api, pieces);
        assert_eq!(answer, whole, "another answer when split\n{body}");
        check(&answer, &deltas);
    };
    same(bytes.chunks(1).collect());
    same(vec![&bytes[..bytes.len() / 2], &bytes[bytes.len() / 2..]]);
    for longest in [3, 40, 1500] {
        same(random.split(bytes, longest));
    }
    whole
}

pub fn answer_of(body: &str) -> Result<AssistantMessage, Error> {
    answer(body, &mut Random::new())
}

fn check(answer: &Result<AssistantMessage, Error>, deltas: &[Delta]) {
    let Ok(answer) = answer else { return };
    let (mut text, mut thinking, mut refusal) = (String::new(), String::new(), String::new());
    let mut started = Vec::new();
    let mut partials = vec![json!({}); answer.tool_calls.len()];
    for delta in deltas {
        match delta {
            Delta::Text(more) => text.push_str(more),
            Delta::Thinking(more) => thinking.push_str(more),
            Delta::TextWasThinking => thinking.push_str(&std::mem::take(&mut text)),
            Delta::Refusal(more) => refusal.push_str(more),
            Delta::ToolCallStart { call, id, name } => {
                assert_eq!(*call, started.len(), "calls start in their order");
                started.push((id.clone(), name.clone()));
            }
            Delta::ToolCallArguments { call, partial } => {
                assert!(*call < started.len(), "arguments before their call");
                let partial = json!(partial);
                crate::partial_json::assert_prefix(&partials[*call], &partial);
                partials[*call] = partial;
            }
        }
    }
    assert_eq!((text, thinking, refusal), (answer.text(), answer.thinking(), answer.refusal()));
    let called: Vec<_> = answer.tool_calls.iter().map(|call| (call.id.clone(), call.name.clone())).collect();
    assert_eq!(started, called);
    for (call, partial) in answer.tool_calls.iter().zip(&partials) {
        if let Arguments::Whole(whole) = &call.arguments {
            crate::partial_json::assert_prefix(partial, &json!(whole));
        }
    }
}

/// The calls as `[id, name, arguments]`; null for arguments that must not run.
pub fn calls(answer: &AssistantMessage) -> Value {
    answer.tool_calls.iter().map(|call| json!([call.id, call.name, call.arguments.whole()])).collect()
}

/// An event stream of chunks with these choices' deltas; the last one has the finish.
pub fn stream(deltas: &[Value], finish: &str) -> String {
    let mut body: String = deltas.iter().map(|delta| event(&json!({ "choices": [{ "delta": delta }] }))).collect();
    body += &event(&json!({ "choices": [{ "delta": {}, "finish_reason": finish }] }));
    body + "data: [DONE]\n\n"
}

pub fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

#[test]
fn an_event_of_the_format_that_is_no_json_fails_and_one_of_a_gateway_is_ignored() {
    let decoded = |api: Api, name: &str| {
        let body = format!("event: {name}\ndata: {{\"half\n\n");
        decode_as(api, [body.as_bytes()]).0
    };
    for api in Api::ALL.iter().copied() {
        let of_format: &[&str] = match api {
            Api::OpenaiResponses => &["response.created", "response.output_text.delta"],
            Api::AnthropicMessages => &["message_start", "content_block_delta"],
            _ => &[],
        };
        for name in ["", "message"].iter().chain(of_format) {
            assert!(matches!(decoded(api, name), Err(Error::MalformedStream { .. })), "{api:?} {name}");
        }
        for name in ["ping", "keepalive", "gateway.response"] {
            assert!(!matches!(decoded(api, name), Err(Error::MalformedStream { .. })), "{api:?} {name}");
        }
    }
}
