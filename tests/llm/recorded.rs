//! The recorded streams: `tests/fixtures/streams`.

use crate::decoding::{answer, calls};
use crate::random::Random;
use copydesk::llm::Usage;
use serde_json::{Value, json};

pub fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/streams/openai-completions.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_recorded_stream_gives_what_it_means_at_every_chunking() {
    let mut random = Random::new();
    let cases = cases();
    assert_eq!(cases.len(), 164);
    for case in &cases {
        let (id, expected) = (&case["id"], &case["expected"]);
        let answer =
            answer(case["body"].as_str().unwrap(), &mut random).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(answer.text(), expected["text"], "{id}");
        assert_eq!(answer.thinking(), expected["thinking"], "{id}");
        assert_eq!(answer.finish, expected["finish"], "{id}");
        let wanted = expected["toolCalls"].as_array().unwrap();
        let wanted: Value = wanted.iter().map(|call| json!([call["id"], call["name"], call["arguments"]])).collect();
        assert_eq!(calls(&answer), wanted, "{id}");
        assert_eq!(answer.usage, Some(usage(&expected["usage"])), "{id}");
    }
}

fn usage(wire: &Value) -> Usage {
    let count = |path| wire.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("/prompt_tokens"),
        output_tokens: count("/completion_tokens"),
        cached_tokens: count("/prompt_tokens_details/cached_tokens"),
        reasoning_tokens: count("/completion_tokens_details/reasoning_tokens") + count("/reasoning_tokens"),
        cache_write_tokens: count("/prompt_tokens_details/cache_write_tokens"),
        total_tokens: count("/total_tokens"),
    }
}

#[test]
fn a_refusal_is_told_apart_from_text() {
    let body =
        cases().into_iter().find(|case| case["id"] == "openai/refusal_matrix/chat_streaming_agent_surfaces_refusal#0");
    let answer = answer(body.unwrap()["body"].as_str().unwrap(), &mut Random::new()).unwrap();
    assert!(answer.text().is_empty());
    assert!(answer.refusal().starts_with("I'm"), "{}", answer.refusal());
}

/// The last byte of a stream that still matters is in its finish: before that, nothing is an answer.
#[test]
fn a_recorded_stream_cut_before_its_finish_is_no_answer() {
    let mut random = Random::new();
    for case in cases().iter().step_by(5) {
        let body = case["body"].as_str().unwrap();
        let Some(finish) = body.find("\"finish_reason\":\"") else { continue };
        let mut cut = random.below(finish);
        while !body.is_char_boundary(cut) {
            cut -= 1;
        }
        let error = answer(&body[..cut], &mut random).expect_err("an answer out of half a stream");
        assert_eq!(error.code(), "stream_cut", "{} cut at {cut}", case["id"]);
    }
}
