//! Body of a request.

use crate::compat::{Dialect, MaxTokensField, ThinkingFormat, dialect};
use crate::format::openai_effort;
use crate::history::{self, Call, Entry, Failures, Part};
use crate::{Image, LlmConfig, Prompt, ThinkingLevel, ToolSpec};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Returns the body of the request that asks a model to continue a conversation.
pub(super) fn body(config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
    let tools = prompt.tools;
    let options = &config.stream_options;
    let dialect = dialect(config);
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("model", config.model.model_id.as_str().into());
    set("messages", wire_messages(config, &dialect, prompt));
    set("stream", true.into());
    if dialect.usage_in_streaming {
        set("stream_options", json!({ "include_usage": true }));
    }
    if dialect.store {
        set("store", false.into());
    }
    if let Some(most) = options.max_tokens {
        let name = match dialect.max_tokens_field {
            MaxTokensField::MaxTokens => "max_tokens",
            MaxTokensField::MaxCompletionTokens => "max_completion_tokens",
        };
        set(name, most.into());
    }
    if let Some(temperature) = options.temperature {
        set("temperature", temperature.into());
    }
    if let Some(level) = config.thinking_level {
        for (name, value) in thinking(level, dialect.thinking_format, &config.model.model_id) {
            set(name, value);
        }
    }
    if !tools.is_empty() {
        set("tools", tools.iter().map(wire_tool).collect());
    }
    body
}

/// Returns the fields that state the thinking level, as the server expects them.
fn thinking(level: ThinkingLevel, format: ThinkingFormat, model: &str) -> Vec<(&'static str, Value)> {
    let off = level == ThinkingLevel::Off;
    let switch = || ("thinking", json!({ "type": if off { "disabled" } else { "enabled" } }));
    let effort = || Value::from(effort(level, format, model));
    match format {
        ThinkingFormat::None => vec![],
        // OpenAI has no value for off in models that think by default; the others do not think without the field.
        ThinkingFormat::Openai if off => {
            openai_effort::effort(level, model).map(|word| ("reasoning_effort", word.into())).into_iter().collect()
        }
        ThinkingFormat::Openai => vec![("reasoning_effort", effort())],
        ThinkingFormat::Openrouter => {
            vec![("reasoning", json!({ "effort": if off { "none".into() } else { effort() } }))]
        }
        ThinkingFormat::Deepseek if off => vec![switch()],
        ThinkingFormat::Deepseek => vec![switch(), ("reasoning_effort", effort())],
        ThinkingFormat::Zai => vec![switch()],
        ThinkingFormat::Qwen => vec![("enable_thinking", (!off).into())],
    }
}

/// Returns the name of a level. Few servers know the lowest and the highest one; for the others the next best is
/// used.
fn effort(level: ThinkingLevel, format: ThinkingFormat, model: &str) -> &'static str {
    let gpt_5 = model.contains("gpt-5");
    match level {
        ThinkingLevel::Minimal if format == ThinkingFormat::Openrouter || gpt_5 => "minimal",
        ThinkingLevel::Off | ThinkingLevel::Minimal => "low",
        ThinkingLevel::Xhigh if format == ThinkingFormat::Openai && !gpt_5 => "high",
        level => level.name(),
    }
}

fn wire_tool(tool: &ToolSpec) -> Value {
    let ToolSpec { name, description, parameters } = tool;
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
}

fn said(role: &str, content: Value) -> Value {
    json!({ "role": role, "content": content })
}

fn wire_messages(config: &LlmConfig, dialect: &Dialect, prompt: Prompt<'_>) -> Value {
    let system = prompt.system;
    let mut wire: Vec<Value> = Vec::new();
    if !system.is_empty() {
        wire.push(said(if dialect.developer_role { "developer" } else { "system" }, system.into()));
    }
    // Tool results cannot contain images, so they follow in a message of the user.
    let mut shown: Vec<&Image> = Vec::new();
    for entry in history::entries(prompt, &config.model, Failures::InWords) {
        match entry {
            Entry::User { text, images } => {
                wire.push(wire_user(&text, &std::mem::take(&mut shown), &images));
            }
            Entry::Assistant { content, own } => {
                if !shown.is_empty() {
                    wire.push(wire_user("", &std::mem::take(&mut shown), &[]));
                }
                wire.push(wire_answer(dialect, &content, own));
                for part in &content {
                    if let Part::Call(call) = part {
                        wire.push(wire_result(dialect, call, own));
                        shown.extend(call.images);
                    }
                }
            }
        }
    }
    if !shown.is_empty() {
        wire.push(wire_user("", &shown, &[]));
    }
    wire.into()
}

fn wire_user(text: &str, shown: &[&Image], images: &[&Image]) -> Value {
    if shown.is_empty() && images.is_empty() {
        return said("user", text.into());
    }
    let text_part = |text: &str| json!({ "type": "text", "text": text });
    let mut parts = Vec::new();
    if !shown.is_empty() {
        parts.push(text_part(history::TOOL_IMAGES));
        parts.extend(shown.iter().map(|image| wire_image(image)));
    }
    if !text.is_empty() {
        parts.push(text_part(text));
    }
    parts.extend(images.iter().map(|image| wire_image(image)));
    said("user", parts.into())
}

fn wire_image(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.mime_type, image.data);
    json!({ "type": "image_url", "image_url": { "url": url } })
}

fn wire_answer(dialect: &Dialect, content: &[Part], own: bool) -> Value {
    let (mut text, mut thought, mut calls) = (String::new(), String::new(), Vec::new());
    for part in content {
        match part {
            Part::Text { text: more, .. } => text.push_str(more),
            Part::Thinking { thinking, .. } => thought.push_str(thinking),
            Part::Call(call) => calls.push(wire_call(dialect, call, own)),
        }
    }
    let mut message = said("assistant", if text.trim().is_empty() { Value::Null } else { text.into() });
    let field = dialect.thinking_field.as_str();
    // DeepSeek requires the field even if the model did not think.
    if !field.is_empty() && (!thought.is_empty() || (field == "reasoning_content" && !calls.is_empty())) {
        message[field] = thought.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn wire_call(dialect: &Dialect, call: &Call, own: bool) -> Value {
    let arguments = serde_json::to_string(call.arguments).unwrap_or_else(|_| "{}".to_owned());
    let mut wire = json!({
        "id": wire_id(dialect, call, own),
        "type": "function",
        "function": { "name": history::wire_name(call.name), "arguments": arguments },
    });
    if let Some(signature) = call.signature {
        // A token is not JSON.
        wire["extra_content"] = match serde_json::from_str::<Map<String, Value>>(signature) {
            Ok(content) => content.into(),
            Err(_) => json!({ "google": { "thought_signature": signature } }),
        };
    }
    wire
}

fn wire_result(dialect: &Dialect, call: &Call, own: bool) -> Value {
    let mut result = said("tool", call.result.as_ref().into());
    result["tool_call_id"] = wire_id(dialect, call, own);
    if dialect.tool_result_name {
        result["name"] = history::wire_name(call.name).into();
    }
    result
}

/// Returns the id of a call. A server accepts its own ids, whatever they contain. Of others OpenAI accepts 40
/// characters, Mistral nine letters and digits.
fn wire_id(dialect: &Dialect, call: &Call, own: bool) -> Value {
    let short = call.id.len() == 9 && call.id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let id: Cow<'_, str> = if dialect.short_tool_ids && !short {
        history::hashed(call.id).chars().take(9).collect()
    } else if own {
        call.id.into()
    } else {
        history::wire_id(call.id, 40)
    };
    id.as_ref().into()
}
