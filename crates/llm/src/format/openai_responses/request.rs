//! Body of a request.

use super::items::{ID_BYTES, text};
use crate::compat::{ThinkingFormat, dialect};
use crate::format::definition::without_nulls;
use crate::format::openai_effort::effort;
use crate::history::{self, Call, Entry, Failures, Part};
use crate::{Image, LlmConfig, Prompt, ToolSpec};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Returns the body of the request that asks a model to continue a conversation.
pub(super) fn body(config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
    let Prompt { system, tools, .. } = prompt;
    let options = &config.stream_options;
    let dialect = dialect(config);
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("model", config.model.model_id.as_str().into());
    let mut input = Vec::new();
    if !system.is_empty() {
        let role = if dialect.developer_role { "developer" } else { "system" };
        input.push(json!({ "role": role, "content": system }));
    }
    wire_history(config, prompt, &mut input);
    set("input", input.into());
    set("stream", true.into());
    if config.model.compat.supports_store != Some(false) {
        set("store", false.into());
    }
    if let Some(most) = options.max_tokens {
        set("max_output_tokens", most.into());
    }
    if let Some(temperature) = options.temperature {
        set("temperature", temperature.into());
    }
    if let Some(level) = config.thinking_level.filter(|_| dialect.thinking_format != ThinkingFormat::None)
        && let Some(effort) = effort(level, &config.model.model_id)
    {
        let thinks = effort != "none";
        let summary = if thinks { "auto".into() } else { Value::Null };
        set("reasoning", without_nulls(json!({ "effort": effort, "summary": summary })));
        if thinks {
            // Reasoning is sent back encrypted, because the server stores nothing.
            set("include", vec![Value::from("reasoning.encrypted_content")].into());
        }
    }
    if !tools.is_empty() {
        set("tools", tools.iter().map(wire_tool).collect());
    }
    body
}

fn wire_tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        // By default OpenAI treats schemas as strict, and refuses optional fields.
        "strict": false,
    })
}

fn wire_history(config: &LlmConfig, prompt: Prompt<'_>, input: &mut Vec<Value>) {
    for entry in history::entries(prompt, &config.model, Failures::InWords) {
        match entry {
            Entry::User { text, images } => {
                input.push(wire_user(&text, &images));
            }
            Entry::Assistant { content, own } => {
                wire_answer(&content, own, input);
                for part in &content {
                    if let Part::Call(call) = part {
                        input.push(json!({
                            "type": "function_call_output",
                            "call_id": wire_id(call, own).as_ref(),
                            "output": wire_output(call),
                        }));
                    }
                }
            }
        }
    }
}

fn wire_output(call: &Call) -> Value {
    match call.images {
        [] => call.result.as_ref().into(),
        images => wire_parts(&call.result, &mut images.iter()),
    }
}

fn wire_user(text: &str, images: &[&Image]) -> Value {
    json!({ "role": "user", "content": wire_parts(text, &mut images.iter().copied()) })
}

fn wire_parts(text: &str, images: &mut dyn Iterator<Item = &Image>) -> Value {
    let said = (!text.is_empty()).then(|| json!({ "type": "input_text", "text": text }));
    said.into_iter().chain(images.map(wire_image)).collect()
}

fn wire_image(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.mime_type, image.data);
    json!({ "type": "input_image", "detail": "auto", "image_url": url })
}

/// Adds the items of an answer. A reasoning item comes right before the item that followed it; without one it is
/// refused.
///
/// OpenAI knows by id which items followed which reasoning, and refuses an item that has lost it. So ids are sent
/// back only with all of the reasoning.
fn wire_answer(content: &[Part], own: bool, input: &mut Vec<Value>) {
    let mut with_ids = own;
    let mut thoughts: Vec<Option<Value>> = Vec::new();
    for part in content {
        if let Part::Thinking { signature, .. } = part {
            let item = signature.and_then(reasoning);
            with_ids &= item.is_some();
            thoughts.push(item);
        }
    }
    let mut thoughts = thoughts.into_iter();
    let mut waiting = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut id = |id: &str| {
        let fits = with_ids && (1..=ID_BYTES).contains(&id.len()) && !used.iter().any(|used| used == id);
        fits.then(|| {
            used.push(id.to_owned());
            Value::from(id)
        })
    };
    for part in content {
        match part {
            Part::Thinking { .. } => waiting.extend(thoughts.next().flatten()),
            Part::Text { text, .. } if text.trim().is_empty() => {}
            Part::Text { text: said, signature } => {
                let kept: Value = signature.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
                let phase = kept.get("phase").cloned().unwrap_or_default();
                input.append(&mut waiting);
                input.push(match id(text(kept.get("id"))) {
                    Some(id) => {
                        let annotations = Value::Array(Vec::new());
                        let part = json!({ "type": "output_text", "text": said, "annotations": annotations });
                        without_nulls(json!({
                            "type": "message",
                            "role": "assistant",
                            "id": id,
                            "status": "completed",
                            "phase": phase,
                            "content": vec![part],
                        }))
                    }
                    None => without_nulls(json!({ "role": "assistant", "phase": phase, "content": said })),
                });
            }
            Part::Call(call) => {
                input.append(&mut waiting);
                let arguments = serde_json::to_string(call.arguments).unwrap_or_else(|_| "{}".to_owned());
                input.push(without_nulls(json!({
                    "type": "function_call",
                    "id": id(call.signature.unwrap_or_default()),
                    "call_id": wire_id(call, own).as_ref(),
                    "name": history::wire_name(call.name),
                    "arguments": arguments,
                })));
            }
        }
    }
}

/// Returns a reasoning item that can be sent back: with encrypted content, or with the thinking itself. Other items
/// depend on data that the server stores, which `store: false` prevents.
fn reasoning(signature: &str) -> Option<Value> {
    let item: Value = serde_json::from_str(signature).ok()?;
    let encrypted = !text(item.get("encrypted_content")).is_empty();
    let content = item.get("content").and_then(Value::as_array).is_some_and(|content| !content.is_empty());
    (text(item.get("type")) == "reasoning" && (encrypted || content)).then_some(item)
}

/// A server accepts the ids that it gave, whatever they contain.
fn wire_id<'a>(call: &Call<'a>, own: bool) -> Cow<'a, str> {
    if own { call.id.into() } else { history::wire_id(call.id, ID_BYTES) }
}
