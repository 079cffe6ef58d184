//! URL and body of a request.

use crate::compat::ThinkingFormat;
use crate::format::definition::without_nulls;
use crate::history::{self, Call, Entry, Failures, Part};
use crate::{Image, LlmConfig, Prompt, ThinkingLevel, ToolSpec};
use copydesk_base::host::percent_encode;
use serde_json::{Map, Value, json};

/// Returns the body of the request that asks a model to continue a conversation.
pub(super) fn body(config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value> {
    let Prompt { system, tools, .. } = prompt;
    let options = &config.stream_options;
    let model = config.model.model_id.trim();
    let mut body = Map::new();
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("contents", wire_turns(config, prompt));
    if !system.is_empty() {
        set("systemInstruction", json!({ "parts": vec![wire_text(system)] }));
    }
    if !tools.is_empty() {
        let declarations: Value = tools.iter().map(wire_tool).collect();
        set("tools", vec![json!({ "functionDeclarations": declarations })].into());
    }
    let level = config.thinking_level.filter(|_| config.model.compat.thinking_format != Some(ThinkingFormat::None));
    let generation = without_nulls(json!({
        "temperature": options.temperature,
        "maxOutputTokens": options.max_tokens,
        "thinkingConfig": level.and_then(|level| thinking(level, model)),
    }));
    if generation.as_object().is_some_and(|fields| !fields.is_empty()) {
        set("generationConfig", generation);
    }
    body
}

/// Returns the URL to post to. The base may end before the version, after it, or later.
pub(super) fn endpoint(base_url: &str, model: &str) -> String {
    let base = base_url.trim();
    let (path, query) = base.split_once('?').unwrap_or((base, ""));
    let path = path.find("/models/").map_or(path, |at| &path[..at]).trim_end_matches('/');
    let path = path.strip_suffix("/models").unwrap_or(path);
    let is_version = |segment: &str| {
        let number = segment.strip_prefix('v').unwrap_or_default();
        number.starts_with(|c: char| c.is_ascii_digit()) && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let version = if path.split('/').any(is_version) { "" } else { "/v1beta" };
    // Tuned models are in another folder.
    let folder = if model.contains('/') { "" } else { "models/" };
    let model = model.split('/').map(percent_encode).collect::<Vec<_>>().join("/");
    let mut url = format!("{path}{version}/{folder}{model}:streamGenerateContent?alt=sse");
    for more in query.split('&').filter(|more| !more.is_empty() && !more.starts_with("alt=")) {
        url.push('&');
        url += more;
    }
    url
}

/// Returns the number after `gemini-` or `gemma-`; 0 if there is none.
fn generation(model: &str) -> u32 {
    let after = ["gemini-", "gemma-"].iter().find_map(|family| model.split_once(family));
    let digits = after.map_or("", |(_, after)| after);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(0)
}

/// Returns the amount of [thinking](https://ai.google.dev/gemini-api/docs/thinking): a level from Gemini 3 on, before
/// that a number of tokens. Pro models always think. `None` if the model does not think.
fn thinking(level: ThinkingLevel, model: &str) -> Option<Value> {
    let (number, pro) = (generation(model), model.contains("pro"));
    let off = level == ThinkingLevel::Off;
    let thoughts: Value = if off { Value::Null } else { true.into() };
    if number >= 3 && !model.contains("gemma-3") {
        // Gemma accepts the least and the highest level; Gemini 3 Pro low and high.
        let few = model.contains("gemma");
        let word = match level {
            ThinkingLevel::Off | ThinkingLevel::Minimal if pro => "LOW",
            ThinkingLevel::Off | ThinkingLevel::Minimal => "MINIMAL",
            ThinkingLevel::Low if few => "MINIMAL",
            ThinkingLevel::Low => "LOW",
            ThinkingLevel::Medium if !few && !model.contains("gemini-3-pro") => "MEDIUM",
            _ => "HIGH",
        };
        return Some(without_nulls(json!({ "thinkingLevel": word, "includeThoughts": thoughts })));
    }
    // Gemini 1.5, 2.0 and older Gemma models do not think, and refuse the setting.
    if model.contains("gemini-1") || model.contains("gemini-2.0") || model.contains("gemma") {
        return None;
    }
    let budget = match level {
        ThinkingLevel::Off if pro => 128,
        ThinkingLevel::Off => 0,
        // The least that Flash-Lite accepts.
        ThinkingLevel::Minimal => 512,
        ThinkingLevel::Low => 2048,
        ThinkingLevel::Medium => 8192,
        ThinkingLevel::High | ThinkingLevel::Xhigh if pro => 32_768,
        ThinkingLevel::High | ThinkingLevel::Xhigh => 24_576,
    };
    Some(without_nulls(json!({ "thinkingBudget": budget, "includeThoughts": thoughts })))
}

fn wire_tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters.clone() })
}

/// Returns the turns; adjacent turns have different roles. Results belong to a turn of the user, together with the
/// text after them.
fn wire_turns(config: &LlmConfig, prompt: Prompt<'_>) -> Value {
    let entries = history::entries(prompt, &config.model, Failures::InField);
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    // A call is refused without a user turn before it.
    if matches!(entries.first(), Some(Entry::Assistant { .. })) {
        turns.push(("user", vec![wire_text(history::NOT_SHOWN)]));
    }
    let mut add = |role: &'static str, mut parts: Vec<Value>| match turns.last_mut() {
        Some((last, before)) if *last == role => before.append(&mut parts),
        _ => turns.push((role, parts)),
    };
    let checks_signatures = config.model.model_id.contains("gemini-") && generation(&config.model.model_id) >= 3;
    for entry in entries {
        match entry {
            Entry::User { text, images } => {
                let text = Some(wire_text(&text)).filter(|_| !text.is_empty());
                add("user", text.into_iter().chain(images.into_iter().map(wire_image)).collect());
            }
            Entry::Assistant { content, own } => {
                add("model", wire_answer(&content, own, checks_signatures));
                let calls =
                    || content.iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None });
                let mut results: Vec<Value> = calls().map(|call| wire_result(call, own)).collect();
                if results.is_empty() {
                    continue;
                }
                // Only Gemini 3 accepts images inside a result.
                let pictures: Vec<Value> = calls().flat_map(|call| call.images).map(wire_image).collect();
                if !pictures.is_empty() {
                    results.push(wire_text(history::TOOL_IMAGES));
                    results.extend(pictures);
                }
                add("user", results);
            }
        }
    }
    let turn = |(role, parts): (&str, Vec<Value>)| json!({ "role": role, "parts": parts });
    turns.into_iter().map(turn).collect()
}

fn wire_text(text: &str) -> Value {
    json!({ "text": text })
}

fn wire_image(image: &Image) -> Value {
    let data = json!({ "mimeType": image.mime_type, "data": image.data });
    json!({ "inlineData": data })
}

/// Returns the parts of an answer. Thoughts are sent back only with a signature; without one the model ignores them.
fn wire_answer(content: &[Part], own: bool, checks_signatures: bool) -> Vec<Value> {
    let mut parts = Vec::new();
    let mut first_call = true;
    for part in content {
        match part {
            Part::Thinking { thinking, signature: Some(signature), .. } if !thinking.is_empty() => {
                parts.push(json!({ "text": thinking, "thought": true, "thoughtSignature": signature }));
            }
            Part::Text { text, signature } if !text.is_empty() => {
                parts.push(without_nulls(json!({ "text": text, "thoughtSignature": signature })));
            }
            Part::Thinking { .. } | Part::Text { .. } => {}
            Part::Call(call) => {
                // Gemini 3 refuses an answer whose first call has no signature. For calls of other models, Google's
                // documentation of signatures defines a placeholder.
                let foreign = std::mem::take(&mut first_call) && checks_signatures;
                let signature = call.signature.or(foreign.then_some("skip_thought_signature_validator"));
                let wire = without_nulls(json!({
                    "id": wire_id(call, own),
                    "name": history::wire_name(call.name),
                    "args": call.arguments.clone(),
                }));
                parts.push(without_nulls(json!({ "functionCall": wire, "thoughtSignature": signature })));
            }
        }
    }
    parts
}

fn wire_result(call: &Call, own: bool) -> Value {
    let field = if call.is_error { "error" } else { "output" };
    let response = json!({ field: call.result });
    let result =
        without_nulls(json!({ "id": wire_id(call, own), "name": history::wire_name(call.name), "response": response }));
    json!({ "functionResponse": result })
}

/// Returns an id that Google assigned. Usually there is none, and the order of calls and results identifies them; ids
/// generated here (`call_…`) are not sent.
fn wire_id<'a>(call: &Call<'a>, own: bool) -> Option<&'a str> {
    (own && !call.id.starts_with("call_")).then_some(call.id)
}
