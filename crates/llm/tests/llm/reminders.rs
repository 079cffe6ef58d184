//! The reminder at the end of a request, and messages of copydesk in a conversation.

use copydesk_llm::{Api, LlmConfig, Message, Prompt};
use serde_json::{Value, json};

const REMINDER: &str = "Keep to the rules.";

fn messages(list: Value) -> Vec<Message> {
    list.as_array().unwrap().iter().map(|one| Message::try_from(one.clone()).unwrap()).collect()
}

/// Returns the messages of a request in the format's own form.
fn sent(api: Api, messages: &[Message], reminder: &str) -> Vec<Value> {
    let config: LlmConfig = serde_json::from_value(json!({
        "model": { "api": api.name(), "modelId": "any" },
        "streamOptions": { "baseUrl": "https://llm.example/v1" },
    }))
    .unwrap();
    let request = copydesk_llm::request(&config, Prompt { messages, reminder, ..Prompt::default() }).unwrap();
    let body: Value = serde_json::from_str(&request.body.unwrap()).unwrap();
    let name = ["messages", "input", "contents"].into_iter().find(|name| body[*name].is_array()).unwrap();
    body[name].as_array().unwrap().clone()
}

/// Conversations that end with a result, with a message of the user, and with a document message.
fn conversations() -> Vec<Vec<Message>> {
    let user = json!({ "role": "user", "content": "Go" });
    let call = json!([{ "type": "toolCall", "id": "c1", "name": "read", "arguments": {} }]);
    let answer = json!({ "role": "assistant", "content": call, "stopReason": "tool_calls" });
    let result = json!({
        "role": "toolResult", "toolCallId": "c1", "toolName": "read", "content": "text", "isError": false,
    });
    let document = json!({ "role": "document", "content": "<document>\n1: a\n</document>", "version": "v1" });
    [json!([user, answer, result]), json!([user]), json!([user, answer, result, document])].map(messages).into()
}

#[test]
fn the_reminder_is_the_last_text_in_every_format_and_roles_still_alternate() {
    for api in Api::ALL {
        for conversation in conversations() {
            let (with, without) = (sent(*api, &conversation, REMINDER), sent(*api, &conversation, ""));
            let text = with.last().unwrap().to_string();
            assert_eq!(text.matches(REMINDER).count(), 1, "{api:?} {with:?}");
            assert!(!json!(without).to_string().contains(REMINDER));
            // Everything before the last message is the same as without the reminder.
            let same = without.len() - 1;
            assert_eq!(with[..same], without[..same], "{api:?}");
            let roles: Vec<&Value> = with.iter().map(|one| &one["role"]).collect();
            assert!(roles.windows(2).all(|pair| pair[0] != "user" || pair[1] != "user"), "{api:?} {roles:?}");
        }
    }
}

#[test]
fn anthropic_is_not_told_to_cache_the_reminder() {
    for conversation in conversations() {
        let blocks = |reminder: &str| {
            let sent = sent(Api::AnthropicMessages, &conversation, reminder);
            sent.last().unwrap()["content"].as_array().unwrap().clone()
        };
        let (with, without) = (blocks(REMINDER), blocks(""));
        assert_eq!(with[..with.len() - 1], without[..], "the cached part is the same");
        assert_eq!(with[with.len() - 2]["cache_control"]["type"], "ephemeral");
        assert_eq!(with.last().unwrap(), &json!({ "type": "text", "text": REMINDER }));
    }
}

#[test]
fn a_note_is_sent_as_text_of_the_user_and_is_the_same_as_json() {
    let note = json!({ "role": "note", "content": "[Settings] Changed." });
    let conversation = messages(json!([{ "role": "user", "content": "Go" }, note]));
    assert_eq!(Value::from(conversation[1].clone()), note);
    for api in Api::ALL {
        assert!(json!(sent(*api, &conversation, "")).to_string().contains("[Settings] Changed."), "{api:?}");
    }
}

#[test]
fn a_summary_keeps_the_names_of_skills() {
    for summary in
        [json!({ "role": "summary", "content": "s" }), json!({ "role": "summary", "content": "s", "skills": ["tea"] })]
    {
        assert_eq!(Value::from(Message::try_from(summary.clone()).unwrap()), summary);
    }
}
