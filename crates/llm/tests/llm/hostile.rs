//! Servers that send anything: memory stays bounded, errors are typed, nothing panics.

use crate::decoding::{answer, decode_as, event, stream};
use crate::random::Random;
use crate::recorded::cases_of;
use copydesk_base::ErrorInfo;
use copydesk_base::secrets::Secrets;
use copydesk_llm::Error;
use copydesk_llm::{Api, Arguments, Decoder, Delta, limits};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// The error with which a decoder stops taking `piece` again and again, after `start`.
fn fed_for_ever(api: Api, start: &str, piece: &str) -> Error {
    let mut decoder = Decoder::new(api, "", &Secrets::default());
    decoder.push(start.as_bytes()).unwrap();
    let mut fed = 0;
    loop {
        fed += piece.len();
        assert!(fed < 1 << 30, "1 GB was taken in");
        if let Err(error) = decoder.push(piece.as_bytes()) {
            // And it stays so.
            assert_eq!(decoder.push(b"data: [DONE]\n\n"), Err(error.clone()));
            assert_eq!(decoder.end(), Err(error.clone()));
            assert_eq!(decoder.finish(), Err(error.clone()));
            return error;
        }
    }
}

fn assert_stops(api: Api, start: &str, piece: &str) {
    let error = fed_for_ever(api, start, piece);
    assert!(matches!(error, Error::MalformedStream { .. } | Error::NotAStream { .. }), "{error:?}");
}

#[test]
fn an_endless_body_is_an_error() {
    let long = "x".repeat(200_000);
    for &api in Api::ALL {
        for (start, piece) in [
            ("data: ", long.clone()),
            (": ", long.clone()),
            ("x", long.clone()),
            ("data: \n", "data: \n".repeat(10_000)),
            ("{", long.clone()),
            ("[", " ".repeat(200_000)),
            ("<", long.clone()),
        ] {
            assert_stops(api, start, &piece);
        }
    }
}

#[test]
fn an_endless_answer_is_an_error() {
    let long = "x".repeat(200_000);
    let chunk = |delta: Value| event(&json!({ "choices": [{ "delta": delta }] }));
    for delta in [
        json!({ "content": long }),
        json!({ "reasoning": long }),
        json!({ "refusal": long }),
        json!({ "tool_calls": [{ "index": 0, "function": { "name": "a", "arguments": long } }] }),
        json!({ "tool_calls": [{ "index": 0, "function": { "name": long } }] }),
        json!({ "tool_calls": [{ "id": long }] }),
        json!({
            "tool_calls": [{ "id": "a", "function": { "name": "a" }, "extra_content": { "google": { "thought_signature": long } } }],
        }),
    ] {
        assert_stops(Api::OpenaiCompletions, "", &chunk(delta));
    }
    let start = |block: Value| event(&json!({ "type": "content_block_start", "index": 0, "content_block": block }));
    let delta = |delta: Value| event(&json!({ "type": "content_block_delta", "index": 0, "delta": delta }));
    let stop = event(&json!({ "type": "content_block_stop", "index": 0 }));
    let text = start(json!({ "type": "text" }));
    let thinking = start(json!({ "type": "thinking" }));
    let call = start(json!({ "type": "tool_use", "id": "a", "name": "b" }));
    for (begin, piece) in [
        (&text, delta(json!({ "type": "text_delta", "text": long }))),
        (&thinking, delta(json!({ "type": "thinking_delta", "thinking": long }))),
        (&thinking, delta(json!({ "type": "signature_delta", "signature": long }))),
        (&call, delta(json!({ "type": "input_json_delta", "partial_json": long }))),
        (&text, start(json!({ "type": "redacted_thinking", "data": long })) + &stop),
        (&text, start(json!({ "type": "tool_use", "id": "a", "name": "b", "input": { "c": long } })) + &stop),
        // Blocks without an end, and blocks without number.
        (&text, text.repeat(50)),
        (&text, (call.clone() + &stop).repeat(50)),
        (&text, (start(json!({ "type": "thinking", "thinking": "x" })) + &stop).repeat(200)),
    ] {
        assert_stops(Api::AnthropicMessages, begin, &piece);
    }
}

#[test]
fn endless_calls_without_a_name_are_an_error() {
    let mut decoder = Decoder::new(Api::AnthropicMessages, "", &Secrets::default());
    for n in 0..=limits::CALLS {
        let block = json!({ "type": "tool_use", "id": n.to_string() });
        let start = event(&json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        let stop = event(&json!({ "type": "content_block_stop", "index": 0 }));
        assert_eq!(decoder.push((start + &stop).as_bytes()).is_err(), n == limits::CALLS);
    }
}

/// A value takes more than thirty times the memory that its text does.
#[test]
fn too_many_values_are_an_error_or_no_arguments() {
    let mut random = Random::new();
    for small in ["0,", "[],", "{\"\":0},", "\"\","] {
        let many = format!("[{}0]", small.repeat(limits::VALUES));
        let answer_to = |body: &str| decode_as(Api::OpenaiCompletions, [body.as_bytes()]).0;
        assert_eq!(answer_to(&format!("data: {{\"x\":{many}}}\n\n")).unwrap_err().code(), "malformed_stream");
        assert_eq!(answer_to(&format!("{{\"x\":{many}}}")).unwrap_err().code(), "not_a_stream");
        let call = json!({ "id": "a", "function": { "name": "write", "arguments": format!("{{\"a\":{many}}}") } });
        let call = stream(&[json!({ "tool_calls": [call] })], "tool_calls");
        let Arguments::Invalid { reason, .. } = &answer_to(&call).unwrap().tool_calls[0].arguments else {
            panic!("{small} ran");
        };
        assert_eq!(reason, "they have too many values");
    }
    // A long text with few values is read.
    let text = "a, [b] {c} ".repeat(100_000);
    let long = stream(&[json!({ "content": text })], "stop");
    assert_eq!(answer(&long, &mut random).unwrap().text(), text);
    for several in ["0 ", "0\n", "[]"] {
        let several = format!("data: {}\n\n", several.replace('\n', "\ndata: ").repeat(limits::VALUES + 2));
        assert!(decode_as(Api::OpenaiCompletions, [several.as_bytes()]).0.is_err());
    }
}

#[test]
fn arguments_nest_no_deeper_than_messages_allow() {
    let nested = |depth: usize| {
        (2..depth).fold(json!({}), |inner, at| if at % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) })
    };
    let body = |api: Api, depth: usize| {
        let arguments = json!({ "[{": nested(depth) });
        let text = arguments.to_string();
        match api.name() {
            "openai-completions" => {
                let call = json!({ "id": "a", "function": { "name": "write", "arguments": text } });
                stream(&[json!({ "tool_calls": [call] })], "tool_calls")
            }
            "anthropic-messages" => [
                json!({
                    "type": "content_block_start",
                    "index": 0,
                    "content_block": { "type": "tool_use", "id": "a", "name": "write", "input": arguments },
                }),
                json!({ "type": "content_block_stop", "index": 0 }),
                json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" } }),
                json!({ "type": "message_stop" }),
            ]
            .iter()
            .map(event)
            .collect(),
            "openai-responses" => [
                json!({
                    "type": "response.output_item.done",
                    "output_index": 0,
                    "item": { "type": "function_call", "id": "f", "call_id": "a", "name": "write", "arguments": text },
                }),
                json!({ "type": "response.completed", "response": { "id": "r", "status": "completed" } }),
            ]
            .iter()
            .map(event)
            .collect(),
            "google-generative-ai" => event(&json!({
                "candidates": [{ "content": { "parts": [{ "functionCall": { "name": "write", "args": arguments } }] }, "finishReason": "STOP" }],
            })),
            other => unreachable!("{other}"),
        }
    };
    for &api in Api::ALL {
        let answer_to = |depth| decode_as(api, [body(api, depth).as_bytes()]).0.unwrap();
        let answer = answer_to(limits::ARGUMENTS_DEPTH);
        assert!(answer.tool_calls[0].arguments.whole().is_some(), "{api:?}: {:?}", answer.tool_calls);
        for depth in [limits::ARGUMENTS_DEPTH + 1, 100] {
            let answer = answer_to(depth);
            let Arguments::Invalid { reason, .. } = &answer.tool_calls[0].arguments else {
                panic!("{api:?} ran {depth}")
            };
            assert_eq!(*reason, format!("they nest more than {} deep", limits::ARGUMENTS_DEPTH));
        }
    }
    // Stored messages can be read again, with room for the nesting in which they are stored.
    let deepest = decode_as(Api::OpenaiCompletions, [body(Api::OpenaiCompletions, 64).as_bytes()]).0.unwrap();
    let model = serde_json::from_value(json!({ "api": "openai-completions", "modelId": "m" })).unwrap();
    let mut kept = Value::from_iter([Value::from(deepest.message(&model))]);
    kept = (0..40).fold(kept, |kept, _| json!([kept]));
    assert_eq!(serde_json::from_str::<Value>(&kept.to_string()).unwrap(), kept);
}

#[test]
fn endless_calls_are_an_error() {
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::default());
    for n in 0..=limits::CALLS {
        let call = json!({ "id": n.to_string(), "index": n, "function": { "name": "a", "arguments": "{}" } });
        let pushed = decoder.push(event(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })).as_bytes());
        assert_eq!(pushed.is_err(), n == limits::CALLS);
    }
}

#[test]
fn endless_keep_alives_are_not_an_error() {
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::default());
    let comments = ": OPENROUTER PROCESSING\n\n\n\r\n".repeat(1000);
    for _ in 0..200 {
        assert_eq!(decoder.push(comments.as_bytes()), Ok(vec![]));
    }
    decoder.push(stream(&[json!({ "content": "Tea" })], "stop").as_bytes()).unwrap();
    assert_eq!(decoder.finish().unwrap().text(), "Tea");
}

#[test]
fn deep_json_is_an_error_or_no_arguments() {
    let mut random = Random::new();
    for open in ["[", "{\"a\":"] {
        let deep = open.repeat(100_000);
        assert!(answer(&format!("data: {deep}\n\n"), &mut random).is_err());
        assert!(answer(&format!("{{\"choices\":{deep}"), &mut random).is_err());
        let call = json!({ "id": "a", "function": { "name": "write", "arguments": format!("{{\"a\":{deep}") } });
        let answer = answer(&stream(&[json!({ "tool_calls": [call] })], "tool_calls"), &mut random).unwrap();
        assert_eq!(answer.tool_calls[0].arguments.whole(), None);
    }
}

#[test]
fn bytes_that_are_not_utf_8_cause_no_panic() {
    let mut random = Random::new();
    for &api in Api::ALL {
        for case in cases_of(api).iter().step_by(4) {
            let mut bytes = case["body"].as_str().unwrap().as_bytes().to_vec();
            bytes.truncate(60_000);
            for _ in 0..20 {
                for _ in 0..=random.below(8) {
                    let at = random.below(bytes.len());
                    bytes[at] = random.next() as u8;
                }
                let (whole, _) = decode_as(api, [&bytes[..]]);
                let (split, _) = decode_as(api, random.split(&bytes, 300));
                assert_eq!(whole, split, "{}", case["id"]);
            }
        }
    }
}

/// Any value in any place of any event.
#[test]
fn wrong_types_in_any_field_cause_no_panic() {
    let mut random = Random::new();
    for &api in Api::ALL {
        for case in cases_of(api) {
            let body = case["body"].as_str().unwrap();
            let events: Vec<Value> =
                body.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok()).collect();
            for _ in 0..12 {
                // Few events, so that a mutation is rarely lost among them.
                let mut mutated: Vec<Value> = (0..8).map(|_| random.pick(&events).clone()).collect();
                mutated.push(events.last().unwrap().clone());
                for _ in 0..=random.below(6) {
                    let at = random.below(mutated.len());
                    mutate(&mut mutated[at], &mut random);
                }
                let body: String = mutated.iter().map(event).collect::<String>() + "data: [DONE]\n\n";
                let (whole, _) = decode_as(api, [body.as_bytes()]);
                let (split, _) = decode_as(api, random.split(body.as_bytes(), 100));
                assert_eq!(whole, split);
                let message = mutated[0].to_string();
                let _ = decode_as(api, [message.as_bytes()]);
                let _ = decode_as(api, [message.replace("\"delta\"", "\"message\"").as_bytes()]);
            }
        }
    }
}

fn mutate(value: &mut Value, random: &mut Random) {
    let inner = match value {
        Value::Array(values) if !values.is_empty() => {
            let at = random.below(values.len());
            values.get_mut(at)
        }
        Value::Object(object) if !object.is_empty() => {
            let at = random.below(object.len());
            object.values_mut().nth(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) if random.below(8) > 0 => mutate(inner, random),
        _ => *value = anything(random),
    }
}

fn anything(random: &mut Random) -> Value {
    match random.below(15) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(1e300),
        5 => json!(""),
        6 => json!("text"),
        7 => json!([]),
        8 => json!({}),
        9 => json!([[{ "type": "text", "text": ["x", { "text": 1 }] }]]),
        10 => json!({ "id": "a", "index": 0, "function": { "name": "read", "arguments": "{\"n\":" } }),
        11 => {
            json!([{ "index": 1, "function": { "name": "read", "arguments": {} } }, { "function": { "arguments": "}" } }])
        }
        12 => json!({ "type": "tool_use", "index": 0, "id": 1, "name": "read", "input": [1], "text": "x", "data": {} }),
        13 => json!({ "message": { "content": "x", "tool_calls": {} }, "delta": 1 }),
        _ => Value::Object(Map::from_iter([("error".into(), json!(random.below(2)))])),
    }
}

/// 20,000 pieces of arguments: the number of shown values stays in proportion to their length.
#[test]
fn a_long_call_in_many_chunks_takes_linear_time() {
    let piece = |arguments: &str| {
        let call = json!({ "index": 0, "function": { "arguments": arguments } });
        event(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }))
    };
    let call = json!({ "index": 0, "id": "a", "function": { "name": "write", "arguments": "" } });
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "", &Secrets::default());
    decoder.push(event(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })).as_bytes()).unwrap();
    decoder.push(piece("{\"content\":\"").as_bytes()).unwrap();
    let started = Instant::now();
    let (mut shown, mut times) = (0, 0);
    let more = piece("more ");
    for _ in 0..20_000 {
        for delta in decoder.push(more.as_bytes()).unwrap() {
            let Delta::ToolCallArguments { partial, .. } = delta else { panic!("{delta:?}") };
            shown += partial["content"].as_str().unwrap().len();
            times += 1;
        }
    }
    println!("20,000 pieces in {:?}, {times} times shown", started.elapsed());
    assert!(shown <= 65 * 100_000, "{shown} bytes were shown");
    assert!(times > 200, "only {times} times shown");
    decoder.push(piece("\"}").as_bytes()).unwrap();
    decoder.push(stream(&[], "tool_calls").as_bytes()).unwrap();
    let answer = decoder.finish().unwrap();
    assert_eq!(answer.tool_calls[0].arguments.whole().unwrap()["content"].as_str().unwrap().len(), 100_000);
}
