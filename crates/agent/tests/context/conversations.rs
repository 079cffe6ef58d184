//! Short builders of messages, and random conversations.

use crate::random::Random;
use copydesk_llm::{AssistantPart, Message, Usage};
use serde_json::{Map, Value, json};

/// A message out of the JSON that an app keeps.
pub fn message(value: Value) -> Message {
    serde_json::from_value(value).unwrap()
}

pub fn person(text: &str) -> Message {
    message(json!({ "role": "user", "content": text }))
}

pub fn answer(text: &str) -> Message {
    message(json!({ "role": "assistant", "content": [{ "type": "text", "text": text }], "stopReason": "stop" }))
}

/// The same with this number of images.
pub fn showing(text: &str, pictures: usize) -> Message {
    let image = |at| json!({ "type": "image", "data": format!("aGk{at}"), "mimeType": "image/png" });
    let mut content = vec![json!({ "type": "text", "text": text })];
    content.extend((0..pictures).map(image));
    message(json!({ "role": "user", "content": content }))
}

/// An answer that calls tools: `(id, name)`.
pub fn calling(calls: &[(&str, &str)]) -> Message {
    let calls =
        calls.iter().map(|(id, name)| json!({ "type": "toolCall", "id": id, "name": name, "arguments": { "of": id } }));
    message(json!({ "role": "assistant", "content": calls.collect::<Vec<_>>(), "stopReason": "tool_calls" }))
}

pub fn result(id: &str, name: &str, content: Value) -> Message {
    message(json!({ "role": "toolResult", "toolCallId": id, "toolName": name, "content": content, "isError": false }))
}

/// The answer with what the provider counted.
pub fn counted(mut message: Message, input: u64, output: u64) -> Message {
    if let Message::Assistant { usage, .. } = &mut message {
        *usage = Some(Usage { input_tokens: input, output_tokens: output, ..Usage::default() });
    }
    message
}

pub fn calls_of(message: &Message) -> Vec<&str> {
    let Message::Assistant { content, .. } = message else { return Vec::new() };
    let mut ids = Vec::new();
    for part in content {
        if let AssistantPart::ToolCall { id, .. } = part {
            ids.push(id.as_str());
        }
    }
    ids
}

pub fn words(random: &mut Random, most: usize) -> String {
    const WORDS: [&str; 12] = [
        "tea",
        "茶的历史",
        "harbour",
        "and",
        "第二章",
        "lighthouse",
        "🍵",
        "1610",
        "\n\n",
        "<p>",
        "https://a.example/b",
        "é",
    ];
    let words: Vec<&str> = (0..1 + random.below(most)).map(|_| *random.pick(&WORDS)).collect();
    words.join(" ")
}

/// A conversation as runs leave it, now and then broken: calls without a result, results without a call, things said
/// between a call and its result, failed answers.
pub fn conversation(random: &mut Random, most: usize, longest: usize) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut call = 0;
    for _ in 0..1 + random.below(most) {
        let said = words(random, longest);
        let pictures = if random.below(4) == 0 { random.below(4) } else { 0 };
        messages.push(showing(&said, pictures));
        for _ in 0..random.below(6) {
            let ids: Vec<String> = (0..1 + random.below(3)).map(|at| format!("c{}", call + at)).collect();
            call += ids.len();
            let mut parts = vec![json!({ "type": "text", "text": words(random, longest / 2 + 1) })];
            parts.extend(ids.iter().map(
                |id| json!({ "type": "toolCall", "id": id, "name": "read_lines", "arguments": { "start_line": 1 } }),
            ));
            messages.push(message(json!({ "role": "assistant", "content": parts, "stopReason": "tool_calls" })));
            for id in &ids {
                if random.below(12) == 0 {
                    messages.push(person("quick, please"));
                }
                if random.below(15) > 0 {
                    let content = match random.below(3) {
                        0 => json!(words(random, longest * 3)),
                        1 => {
                            json!({ "success": true, "operation": "replace", "message": words(random, 5), "version": format!("v{call}") })
                        }
                        _ => Value::Object(Map::from_iter([("lines".to_owned(), json!(words(random, longest)))])),
                    };
                    messages.push(result(id, "read_lines", content));
                }
            }
            if random.below(20) == 0 {
                messages.push(result("nobody", "read_lines", json!("lost")));
            }
        }
        if random.below(8) > 0 {
            messages.push(answer(&words(random, longest)));
        }
    }
    messages
}
