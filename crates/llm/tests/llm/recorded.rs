//! The recorded streams: `tests/fixtures/streams`.

use crate::decoding::{answer, answer_as, calls};
use crate::random::Random;
use copydesk_base::ErrorInfo;
use copydesk_llm::{Api, Ending, Usage};
use serde_json::{Value, json};

pub fn cases_of(api: Api) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/streams");
    let text = std::fs::read_to_string(format!("{folder}/{}.jsonl", api.name())).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn cases() -> Vec<Value> {
    cases_of(Api::OpenaiCompletions)
}

#[test]
fn recorded_streams_decode_to_the_same_answer_however_they_are_split() {
    let mut random = Random::new();
    for (api, count) in [
        (Api::OpenaiCompletions, 164),
        (Api::AnthropicMessages, 56),
        (Api::OpenaiResponses, 45),
        (Api::GoogleGenerativeAi, 42),
    ] {
        let cases = cases_of(api);
        assert_eq!(cases.len(), count, "{}", api.name());
        for case in &cases {
            let (id, expected) = (&case["id"], &case["expected"]);
            let body = case["body"].as_str().unwrap();
            let answer = answer_as(api, body, &mut random).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(answer.text(), expected["text"], "{id}");
            assert_eq!(answer.thinking(), expected["thinking"], "{id}");
            assert_eq!(answer.finish, expected["finish"], "{id}");
            let mut called = calls(&answer);
            let wanted = expected["toolCalls"].as_array().unwrap();
            // Google gives no ids: ours are in their place.
            for (call, wanted) in called.as_array_mut().unwrap().iter_mut().zip(wanted) {
                if wanted["id"].is_null() {
                    assert!(call[0].as_str().unwrap().starts_with("call_"), "{id}");
                    call[0] = Value::Null;
                }
            }
            // The calls of an answer that was cut off have no arguments to run with.
            let is_cut = answer.ending == Ending::Length;
            let arguments = |call: &Value| if is_cut { Value::Null } else { call["arguments"].clone() };
            let wanted: Value = wanted.iter().map(|call| json!([call["id"], call["name"], arguments(call)])).collect();
            assert_eq!(called, wanted, "{id}");
            assert_eq!(answer.usage, Some(usage(api, &expected["usage"])), "{id}");
        }
    }
}

/// Reads a provider's counts in another way than the decoder.
fn usage(api: Api, wire: &Value) -> Usage {
    let count = |path| wire.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    match api.name() {
        "openai-completions" => Usage {
            input_tokens: count("/prompt_tokens"),
            output_tokens: count("/completion_tokens"),
            cached_tokens: count("/prompt_tokens_details/cached_tokens"),
            cache_write_tokens: count("/prompt_tokens_details/cache_write_tokens"),
            reasoning_tokens: count("/completion_tokens_details/reasoning_tokens") + count("/reasoning_tokens"),
            total_tokens: count("/total_tokens"),
        },
        "anthropic-messages" => {
            let cached = [count("/cache_read_input_tokens"), count("/cache_creation_input_tokens")];
            let input = count("/input_tokens") + cached[0] + cached[1];
            Usage {
                input_tokens: input,
                output_tokens: count("/output_tokens"),
                cached_tokens: cached[0],
                cache_write_tokens: cached[1],
                reasoning_tokens: count("/output_tokens_details/thinking_tokens"),
                total_tokens: input + count("/output_tokens"),
            }
        }
        "google-generative-ai" => Usage {
            input_tokens: count("/promptTokenCount") + count("/toolUsePromptTokenCount"),
            output_tokens: count("/candidatesTokenCount") + count("/thoughtsTokenCount"),
            cached_tokens: count("/cachedContentTokenCount"),
            cache_write_tokens: 0,
            reasoning_tokens: count("/thoughtsTokenCount"),
            total_tokens: count("/totalTokenCount"),
        },
        "openai-responses" => Usage {
            input_tokens: count("/input_tokens"),
            output_tokens: count("/output_tokens"),
            cached_tokens: count("/input_tokens_details/cached_tokens"),
            cache_write_tokens: count("/input_tokens_details/cache_write_tokens"),
            reasoning_tokens: count("/output_tokens_details/reasoning_tokens"),
            total_tokens: count("/total_tokens"),
        },
        other => unreachable!("{other}"),
    }
}

#[test]
fn a_refusal_is_distinguished_from_text() {
    let body =
        cases().into_iter().find(|case| case["id"] == "openai/refusal_matrix/chat_streaming_agent_surfaces_refusal#0");
    let answer = answer(body.unwrap()["body"].as_str().unwrap(), &mut Random::new()).unwrap();
    assert!(answer.text().is_empty());
    assert!(answer.refusal().starts_with("I'm"), "{}", answer.refusal());
}

/// The last byte of a stream that still matters is in its finish: before that, nothing is an answer.
#[test]
fn a_recorded_stream_cut_before_its_finish_is_not_an_answer() {
    let mut random = Random::new();
    for (api, word) in [
        (Api::OpenaiCompletions, "\"finish_reason\":\""),
        (Api::AnthropicMessages, "\"stop_reason\":\""),
        (Api::OpenaiResponses, "event: response.completed"),
        (Api::GoogleGenerativeAi, "\"finishReason\""),
    ] {
        for case in cases_of(api).iter().step_by(5) {
            let body = case["body"].as_str().unwrap();
            let Some(finish) = body.find(word) else { continue };
            let mut cut = random.below(finish);
            while !body.is_char_boundary(cut) {
                cut -= 1;
            }
            let error = answer_as(api, &body[..cut], &mut random).expect_err("an answer out of half a stream");
            assert_eq!(error.code(), "stream_cut", "{} cut at {cut}", case["id"]);
        }
    }
}
