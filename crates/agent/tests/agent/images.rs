//! Images and errors that the app's own tools return.

use super::harness::{Answer, Harness, calls, chunks, page, says, stream, tool};
use copydesk_agent::tools::app::output;
use copydesk_agent::{Hook, Outcome};
use copydesk_llm::Message;
use serde_json::{Value, json};
use std::future::ready;

const TEA: &str = "<h1>Tea</h1>";

fn image(data: &str) -> Value {
    json!({ "type": "image", "data": data, "mimeType": "image/png" })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// An agent whose tool `look` returns this.
fn looking(given: Value, answers: Vec<Answer>, more: Value) -> Harness {
    let harness = Harness::with(TEA, answers, more, |_, _| {});
    let spec = json!({ "name": "look", "trusted": true });
    harness.agent.set_tools(vec![tool(spec, move |_, _| Box::pin(ready(Ok(output(given.clone())))))]);
    harness
}

fn looked(given: Value) -> Harness {
    let harness = looking(given, vec![calls(&[("a", "look", json!({}))]), says("Nice.")], json!({}));
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
    harness
}

fn with(api: &str) -> Value {
    let base = json!({ "apiKey": "k", "baseUrl": "https://llm.example/v1" });
    json!({ "llmConfig": { "model": { "api": api, "modelId": "test-model" }, "streamOptions": base } })
}

/// Returns the second request after a call in this format returned this.
fn sent(api: &str, answer: &str, given: Value) -> Value {
    // The second request is enough, whatever its outcome is.
    let harness = looking(given, vec![stream(answer), page(400, "text/plain", "no")], with(api));
    harness.prompt("x");
    harness.requests().remove(1)
}

const CLAUDE: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":2}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
const RESPONSES: &str = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"id\":\"f\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{}\",\"status\":\"completed\"}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1,\"total_tokens\":2}}}\n\n";
const GEMINI: &str = "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"functionCall\":{\"name\":\"look\",\"args\":{}}}]},\"finishReason\":\"STOP\"}]}\n\n";

fn chat() -> String {
    let call = json!({ "index": 0, "id": "a", "type": "function", "function": { "name": "look", "arguments": "{}" } });
    chunks(&[json!({ "tool_calls": [call] })], "tool_calls")
}

#[test]
fn an_image_reaches_the_model_in_each_format() {
    let given = || json!({ "content": [text("Here:"), image("aGk=")] });
    let claude = sent("anthropic-messages", CLAUDE, given());
    let result = &claude["messages"][2]["content"][0];
    assert_eq!((&result["type"], &result["content"][0]["text"]), (&json!("tool_result"), &json!("Here:\n[image]")));
    assert_eq!(result["content"][1]["source"]["data"], "aGk=");
    let responses = sent("openai-responses", RESPONSES, given());
    let result = responses["input"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&result["type"], &result["output"][0]["text"]),
        (&json!("function_call_output"), &json!("Here:\n[image]"))
    );
    assert_eq!(result["output"][1]["image_url"], "data:image/png;base64,aGk=");
    let gemini = sent("google-generative-ai", GEMINI, given());
    let parts = &gemini["contents"][2]["parts"];
    assert_eq!(parts[0]["functionResponse"]["response"]["output"], "Here:\n[image]");
    assert_eq!(parts[2]["inlineData"], json!({ "mimeType": "image/png", "data": "aGk=" }));
    let chat = sent("openai-completions", &chat(), given());
    assert_eq!(chat["messages"][3]["content"], "Here:\n[image]");
    assert_eq!(chat["messages"][4]["content"][1]["image_url"]["url"], "data:image/png;base64,aGk=");
}

#[test]
fn a_failed_tool_result_is_an_error_in_each_format() {
    let given = || json!({ "content": [text("No such tea.")], "isError": true });
    let claude = sent("anthropic-messages", CLAUDE, given());
    assert_eq!(claude["messages"][2]["content"][0]["is_error"], true);
    let gemini = sent("google-generative-ai", GEMINI, given());
    let response = &gemini["contents"][2]["parts"][0]["functionResponse"]["response"];
    assert!(response["error"].as_str().unwrap().contains("No such tea."), "{response}");
    let error = json!({ "error": "No such tea." }).to_string();
    let responses = sent("openai-responses", RESPONSES, given());
    assert_eq!(responses["input"].as_array().unwrap().last().unwrap()["output"], error);
    assert_eq!(sent("openai-completions", &chat(), given())["messages"][3]["content"], error);
    let harness = looked(given());
    let result = harness.event("tool_result");
    assert_eq!((&result["isError"], &result["content"]), (&json!(true), &json!("No such tea.")));
    assert_eq!(harness.agent.ledger()["tools"][0]["errors"], 1);
}

#[test]
fn images_are_in_events_and_stored_messages() {
    let harness = looked(json!({ "content": [image("aGk=")], "details": 1 }));
    let result = harness.event("tool_result");
    assert_eq!((&result["images"], &result["content"]), (&json!([image("aGk=")]), &json!("[image]")));
    let kept = serde_json::to_string(&harness.agent.messages()).unwrap();
    let after = looking(json!(null), vec![says("Still nice.")], json!({}));
    let messages: Vec<Message> = serde_json::from_str(&kept).unwrap();
    after.agent.set_messages(messages).unwrap();
    after.prompt("Again?");
    assert!(after.requests()[0].to_string().contains("data:image/png;base64,aGk="));
}

#[test]
fn an_image_that_providers_refuse_is_omitted_with_a_notice() {
    let svg = json!({ "type": "image", "data": "aGk=", "mimeType": "image/svg+xml" });
    let gif = json!({ "type": "image", "data": "aGk=", "mimeType": "image/gif" });
    let long = image(&"A".repeat((5 << 20) + 4));
    let undecodable = ["", "<svg/>", "A", "====", "AAAA=AAA", "AAAAA==="].map(image);
    let others = [svg, gif, json!({ "type": "image", "data": 3 }), json!({ "type": "image" }), long];
    for odd in undecodable.into_iter().chain(others) {
        let harness = looked(json!({ "content": [odd, text("Look")] }));
        let result = harness.event("tool_result");
        assert_eq!(result["content"], "[image that cannot be shown]\nLook");
        assert!(result.get("images").is_none());
    }
    let many: Vec<Value> = (0..12).map(|_| image("aGk=")).collect();
    let result = looked(json!({ "content": many })).event("tool_result");
    assert_eq!(result["images"].as_array().unwrap().len(), 10);
    assert_eq!(result["content"].as_str().unwrap().matches("cannot be shown").count(), 2);
}

#[test]
fn a_result_replaced_by_a_hook_loses_its_images() {
    for (content, left) in [(json!("none"), 0), (json!([text("another"), image("eWVz")]), 1)] {
        let given = json!({ "content": [image("aGk=")] });
        let harness = looking(given, vec![calls(&[("a", "look", json!({}))]), says("Ok.")], json!({}));
        harness.hook(Hook::AfterToolCall, move |_| Ok(json!({ "content": content })));
        harness.prompt("x");
        let sent = harness.requests()[1].to_string();
        assert!(!sent.contains("aGk="), "{sent}");
        assert_eq!(sent.matches("base64,eWVz").count(), left);
    }
    // A result equal to the arguments is a repetition.
    let given = json!({ "content": [text("see"), image("aGk=")] });
    let harness = looking(given, vec![calls(&[("a", "look", json!({}))]), says("Ok.")], json!({}));
    harness.hook(Hook::AfterToolCall, move |given| Ok(json!({ "content": given["result"] })));
    harness.prompt("x");
    assert_eq!(harness.requests()[1].to_string().matches("base64,aGk=").count(), 1);
}

#[test]
fn different_images_are_not_a_repetition() {
    let mut answers: Vec<Answer> = (0..6).map(|turn| calls(&[(&format!("c{turn}"), "look", json!({}))])).collect();
    answers.push(says("Done."));
    let harness = Harness::new(TEA, answers);
    let count = std::cell::Cell::new(0);
    harness.agent.set_tools(vec![tool(json!({ "name": "look" }), move |_, _| {
        count.set(count.get() + 1);
        Box::pin(ready(Ok(output(json!({ "content": [image(&format!("aGk{}", count.get()))] })))))
    })]);
    assert_eq!(harness.prompt("x").status, Outcome::Complete);
}

#[test]
fn images_count_in_the_estimate_and_long_text_beside_them_is_paged() {
    let long = "tea ".repeat(1_000);
    let content = json!({ "content": [image("aGk="), text(&long)] });
    let answers = vec![calls(&[("a", "look", json!({}))]), says("Nice.")];
    let harness = looking(content, answers, json!({ "resultBytes": 1_000 }));
    harness.prompt("x");
    let result = harness.event("tool_result");
    assert!(result["content"].as_str().unwrap().contains("read_more"));
    assert_eq!(result["images"].as_array().unwrap().len(), 1);
    let tokens = |images: Value| {
        let mut message =
            json!({ "role": "toolResult", "toolCallId": "a", "toolName": "look", "content": "", "isError": false });
        message["images"] = images;
        copydesk_llm::tokens::estimate_message(&serde_json::from_value(message).unwrap())
    };
    assert_eq!(tokens(json!([image("aGk="), image("aGk=")])) - tokens(json!([])), 2_400);
}
