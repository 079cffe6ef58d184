//! URL, headers and body of a request.

use super::thinking::plan;
use crate::history::{self, Call, Entry, Failures, Part};
use crate::{Image, LlmConfig, Prompt, ToolSpec};
use serde_json::{Map, Value, json};

/// Returns the body of the request that asks a model to continue a conversation.
pub(super) fn body(config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
    let Prompt { system, tools, .. } = prompt;
    let options = &config.stream_options;
    let entries = history::valid(prompt.messages, &config.model, Failures::InField);
    let plan = plan(config, has_open_call(&entries));
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("model", config.model.model_id.as_str().into());
    set("max_tokens", plan.max_tokens.into());
    set("stream", true.into());
    if !system.is_empty() {
        set("system", vec![cached(wire_text(system))].into());
    }
    set("messages", wire_messages(config, &entries, prompt.reminder));
    if let Some(temperature) = plan.temperature {
        set("temperature", temperature.into());
    }
    if let Some(thinking) = plan.thinking {
        set("thinking", thinking);
    }
    if let Some(effort) = plan.effort {
        set("output_config", json!({ "effort": effort }));
    }
    if !tools.is_empty() {
        // Other servers do not know the option, and some refuse it.
        let eager = options.base_url.contains("anthropic.com");
        set("tools", tools.iter().map(|tool| wire_tool(tool, eager)).collect());
    }
    body
}

/// Returns the headers: the version of the API, and those that pages and newer features require.
pub(super) fn headers(config: &LlmConfig) -> Vec<(&'static str, String)> {
    let mut headers = vec![
        ("anthropic-version", "2023-06-01".to_owned()),
        // Required by Anthropic for requests from pages.
        ("anthropic-dangerous-direct-browser-access", "true".to_owned()),
    ];
    // The header does not depend on whether a call is open.
    headers.extend(plan(config, false).beta.map(|beta| ("anthropic-beta", beta.to_owned())));
    headers.extend(config.stream_options.key().map(|key| ("x-api-key", key.to_owned())));
    headers
}

/// Returns the URL to post to. The base may end before `/v1`, after it, or with the whole path.
pub(super) fn endpoint(base_url: &str) -> String {
    let base = base_url.trim();
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix("/messages").unwrap_or(path).trim_end_matches('/');
    let path = path.strip_suffix("/v1").unwrap_or(path).trim_end_matches('/');
    format!("{path}/v1/messages{query}")
}

/// Returns whether the last answer called tools, and neither it nor those right before it had thinking: their results
/// continue one turn, in which thinking cannot begin.
fn has_open_call(entries: &[Entry]) -> bool {
    let answers = entries.iter().rev().skip_while(|entry| matches!(entry, Entry::User { .. }));
    let mut parts = answers.map_while(|entry| match entry {
        Entry::Assistant { content, .. } => Some(content),
        Entry::User { .. } => None,
    });
    let Some(last) = parts.next() else { return false };
    let thought = |part: &Part| matches!(part, Part::Thinking { signature: Some(_), .. });
    let calls = last.iter().any(|part| matches!(part, Part::Call(_)));
    calls && !last.iter().chain(parts.flatten()).any(thought)
}

fn wire_tool(tool: &ToolSpec, eager: bool) -> Value {
    let mut wire =
        json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters.clone() });
    if eager {
        // Streams arguments character by character instead of value by value, so that the user sees the text grow.
        // https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming
        wire["eager_input_streaming"] = true.into();
    }
    wire
}

/// Marks the end of the part that the next request repeats.
fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({ "type": "ephemeral" });
    block
}

fn wire_messages(config: &LlmConfig, entries: &[Entry], reminder: &str) -> Value {
    let mut wire: Vec<(&str, Vec<Value>)> = Vec::new();
    if !matches!(entries.first(), Some(Entry::User { .. })) {
        wire.push(("user", vec![wire_text(history::NOT_SHOWN)]));
    }
    for entry in entries {
        match entry {
            Entry::User { text, images } => {
                let mut blocks: Vec<Value> = images.iter().map(|image| wire_image(image)).collect();
                if !text.trim().is_empty() {
                    blocks.push(wire_text(text));
                }
                match wire.last_mut() {
                    // The results of calls and the next text are one message, the results first.
                    Some(("user", said)) => said.append(&mut blocks),
                    _ => wire.push(("user", blocks)),
                }
            }
            Entry::Assistant { content, own } => {
                let blocks = content.iter().filter_map(|part| wire_part(config, part, *own)).collect();
                wire.push(("assistant", blocks));
                let results: Vec<Value> = content.iter().filter_map(wire_result).collect();
                if !results.is_empty() {
                    wire.push(("user", results));
                }
            }
        }
    }
    if let Some(("user", blocks)) = wire.last_mut()
        && let Some(last) = blocks.last_mut()
    {
        *last = cached(last.take());
    }
    if !reminder.is_empty() {
        // After the mark: what is cached must be repeated by the next request.
        match wire.last_mut() {
            Some(("user", blocks)) => blocks.push(wire_text(reminder)),
            _ => wire.push(("user", vec![wire_text(reminder)])),
        }
    }
    let message = |(role, blocks): (&str, Vec<Value>)| json!({ "role": role, "content": blocks });
    wire.into_iter().map(message).collect()
}

fn wire_text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn wire_image(image: &Image) -> Value {
    let source = json!({ "type": "base64", "media_type": image.mime_type, "data": image.data });
    json!({ "type": "image", "source": source })
}

/// Thinking is sent back unchanged. Claude refuses it without a signature; other servers give no signature and
/// require it.
fn wire_part(config: &LlmConfig, part: &Part, own: bool) -> Option<Value> {
    match part {
        // A text of only white space is refused.
        Part::Text { text, .. } => (!text.trim().is_empty()).then(|| wire_text(text)),
        Part::Thinking { signature: Some(data), redacted: true, .. } => {
            Some(json!({ "type": "redacted_thinking", "data": data }))
        }
        Part::Thinking { thinking, signature, .. } => {
            let unsigned = own && !config.model.model_id.to_ascii_lowercase().contains("claude");
            let signature = signature.or(unsigned.then_some(""))?;
            Some(json!({ "type": "thinking", "thinking": thinking, "signature": signature }))
        }
        Part::Call(call) => Some(json!({
            "type": "tool_use",
            "id": wire_id(call),
            "name": history::wire_name(call.name),
            "input": call.arguments.clone(),
        })),
    }
}

fn wire_result(part: &Part) -> Option<Value> {
    let Part::Call(call) = part else { return None };
    let content: Value = if call.images.is_empty() {
        call.result.as_ref().into()
    } else {
        let text = Some(wire_text(&call.result)).filter(|_| !call.result.trim().is_empty());
        text.into_iter().chain(call.images.iter().map(wire_image)).collect()
    };
    let mut result = json!({ "type": "tool_result", "tool_use_id": wire_id(call), "content": content });
    if call.is_error {
        result["is_error"] = true.into();
    }
    Some(result)
}

/// Returns an id of up to 64 letters, digits, `_` and `-`.
fn wire_id(call: &Call) -> Value {
    history::wire_id(call.id, 64).as_ref().into()
}
