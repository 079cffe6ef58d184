//! Requests in the format `openai-responses`.

use crate::openai_responses_streams::{completed, done, function_call, message, read};
use crate::requests::{assistant, call, config, messages, request, result, sent};
use copydesk_llm::{Api, LlmConfig, ThinkingLevel, ToolSpec};
use serde_json::{Value, json};

fn responses(base_url: &str, model: &str) -> LlmConfig {
    let mut config = config(base_url);
    config.model.api = Api::OpenaiResponses;
    config.model.model_id = model.into();
    config
}

fn own(mut answer: Value) -> Value {
    answer["api"] = json!("openai-responses");
    answer["modelId"] = json!("gpt-5");
    answer
}

fn input(conversation: Value) -> Value {
    sent(&request(&responses("https://api.openai.com/v1", "gpt-5"), "", &messages(conversation), &[]))["input"].clone()
}

#[test]
fn a_request_asks_the_server_to_store_nothing() {
    let tool = ToolSpec { name: "read".into(), description: "Reads.".into(), parameters: json!({ "type": "object" }) };
    let conversation = messages(json!([{ "role": "user", "content": "Hi" }]));
    let mut config = responses("https://api.openai.com/v1", "gpt-5");
    config.stream_options.max_tokens = Some(1000);
    config.thinking_level = Some(ThinkingLevel::Low);
    let request = request(&config, "Be brief.", &conversation, &[tool]);
    assert_eq!(request.url, "https://api.openai.com/v1/responses");
    assert!(request.headers.contains(&("authorization".into(), "Bearer sk-secret".into())));
    assert_eq!(
        sent(&request),
        json!({
            "model": "gpt-5",
            "input": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": [{ "type": "input_text", "text": "Hi" }] },
            ],
            "stream": true,
            "store": false,
            "max_output_tokens": 1000,
            "temperature": 0.5,
            "reasoning": { "effort": "low", "summary": "auto" },
            "include": ["reasoning.encrypted_content"],
            "tools": [{
                "type": "function", "name": "read", "description": "Reads.", "parameters": { "type": "object" },
                "strict": false,
            }],
        })
    );
}

#[test]
fn the_base_url_may_end_in_several_ways() {
    for (base, url) in [
        ("https://a.b/v1/", "https://a.b/v1/responses"),
        ("http://localhost:1234", "http://localhost:1234/responses"),
        ("https://a.b/v1/responses", "https://a.b/v1/responses"),
        (
            "https://a.openai.azure.com/openai/v1?api-version=preview",
            "https://a.openai.azure.com/openai/v1/responses?api-version=preview",
        ),
    ] {
        assert_eq!(request(&responses(base, "m"), "", &[], &[]).url, url);
    }
}

#[test]
fn the_thinking_level_is_sent_in_a_supported_value() {
    use ThinkingLevel::{High, Minimal, Off, Xhigh};
    for (model, level, effort) in [
        ("gpt-5", Minimal, json!({ "effort": "minimal", "summary": "auto" })),
        ("gpt-5.2", Minimal, json!({ "effort": "low", "summary": "auto" })),
        ("gpt-5.2", Off, json!({ "effort": "none" })),
        ("gpt-5.2-codex", Off, Value::Null),
        ("gpt-5", Off, Value::Null),
        ("gpt-4o", Off, Value::Null),
        ("gpt-5.4", Xhigh, json!({ "effort": "xhigh", "summary": "auto" })),
        ("gpt-5.1-codex-max", Xhigh, json!({ "effort": "xhigh", "summary": "auto" })),
        ("gpt-5.1", Xhigh, json!({ "effort": "high", "summary": "auto" })),
        ("o4-mini", High, json!({ "effort": "high", "summary": "auto" })),
    ] {
        let mut config = responses("https://api.openai.com/v1", model);
        config.thinking_level = Some(level);
        let sent = sent(&request(&config, "", &[], &[]));
        assert_eq!(sent["reasoning"], effort, "{model} {level:?}");
        assert_eq!(sent.get("include").is_some(), effort.get("summary").is_some(), "{model} {level:?}");
    }
}

/// A decoded answer is sent back unchanged: its items in order, each with its id, the reasoning complete.
#[test]
fn an_answer_is_sent_back_item_by_item() {
    let reasoning = json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e30=" });
    let mut said = message("msg_1", "I read.");
    said["phase"] = json!("commentary");
    let answer = read(&[
        done(0, reasoning.clone()),
        done(1, said),
        done(2, function_call("fc_1", "call_1", "{\"n\":1}")),
        done(3, function_call("fc_2", "call_2", "{}")),
        completed(json!([])),
    ])
    .unwrap();
    let config = responses("https://api.openai.com/v1", "gpt-5");
    let mut conversation = vec![answer.message(&config.model)];
    // As an app keeps it.
    let kept = serde_json::to_string(&conversation).unwrap();
    assert_eq!(serde_json::from_str::<Vec<copydesk_llm::Message>>(&kept).unwrap(), conversation);
    conversation.extend(messages(json!([result("call_2", json!("two")), result("call_1", json!("one"))])));
    let back = |id: &str, call_id: &str, arguments: &str| {
        json!({
            "type": "function_call",
            "id": id,
            "call_id": call_id,
            "name": "read",
            "arguments": arguments,
        })
    };
    let output =
        |call_id: &str, output: &str| json!({ "type": "function_call_output", "call_id": call_id, "output": output });
    assert_eq!(
        sent(&request(&config, "", &conversation, &[]))["input"],
        json!([
            reasoning,
            {
                "type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "phase": "commentary",
                "content": [{ "type": "output_text", "text": "I read.", "annotations": [] }],
            },
            back("fc_1", "call_1", "{\"n\":1}"),
            back("fc_2", "call_2", "{}"),
            output("call_1", "one"),
            output("call_2", "two"),
        ])
    );
}

#[test]
fn ids_are_sent_back_only_with_their_complete_reasoning() {
    let thinking = |signature: Value| {
        json!({
            "type": "thinking",
            "thinking": "",
            "redacted": true,
            "signature": signature.to_string(),
        })
    };
    let text = json!({ "type": "text", "text": "Tea.", "signature": "{\"id\":\"msg_1\"}" });
    let mut tool = call("call_1");
    tool["signature"] = json!("fc_1");
    let whole = json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e30=" });
    let open = json!({ "type": "reasoning", "id": "rs_1", "content": [{ "type": "reasoning_text", "text": "hm" }] });
    let kept_there =
        json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text", "text": "hm" }] });
    for (signature, back) in [(whole.clone(), true), (open, true), (kept_there, false), (json!("no item"), false)] {
        let input = input(json!([own(assistant(json!([thinking(signature.clone()), text, tool])))]));
        let items: Vec<&Value> = input.as_array().unwrap().iter().collect();
        assert_eq!(items[0] == &signature, back, "{signature}");
        let [.., text, call, _] = &items[..] else { panic!() };
        assert_eq!((text.get("id").is_some(), call.get("id").is_some()), (back, back), "{signature}");
        assert_eq!(call["call_id"], "call_1");
    }
    // Nothing followed the reasoning.
    let input = input(json!([own(assistant(json!([text, thinking(whole)])))]));
    assert_eq!(input.as_array().unwrap().len(), 1);
}

#[test]
fn answers_of_another_model_are_sent_without_signatures() {
    let mut tool = call(&format!("functions.read:0{}", "x".repeat(60)));
    tool["signature"] = json!("sig");
    let content = json!([
        { "type": "thinking", "thinking": "hm", "signature": "{\"type\":\"reasoning\",\"encrypted_content\":\"e\"}" },
        { "type": "text", "text": "Tea.", "signature": "{\"id\":\"msg_1\"}" },
        tool,
    ]);
    let mut answer = own(assistant(content));
    answer["modelId"] = json!("gpt-4");
    let input = input(json!([answer, result(tool["id"].as_str().unwrap(), json!(1))]));
    assert_eq!(input[0], json!({ "role": "assistant", "content": "Tea." }));
    assert_eq!(input[1].get("id"), None);
    let id = input[1]["call_id"].as_str().unwrap();
    assert!(id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "{id}");
    assert_eq!(input[2]["call_id"], id);
}

#[test]
fn images_are_sent_as_data_and_those_of_tools_in_their_results() {
    let image = |data: &str| json!({ "type": "image", "data": data, "mimeType": "image/png" });
    let wire = |data: &str| {
        json!({
            "type": "input_image",
            "detail": "auto",
            "image_url": format!("data:image/png;base64,{data}"),
        })
    };
    let mut with_image = result("a", json!("Here."));
    with_image["images"] = json!([image("bbbb")]);
    let input = input(json!([
        { "role": "user", "content": [{ "type": "text", "text": "What?" }, image("aaaa")] },
        assistant(json!([call("a")])),
        with_image,
    ]));
    assert_eq!(input[0]["content"], json!([{ "type": "input_text", "text": "What?" }, wire("aaaa")]));
    let output = json!([{ "type": "input_text", "text": "Here." }, wire("bbbb")]);
    assert_eq!(input[2], json!({ "type": "function_call_output", "call_id": "a", "output": output }));
    assert_eq!(input.as_array().unwrap().len(), 3);
}
