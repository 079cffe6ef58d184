//! Reader of the chunks of an answer. It tolerates deviations of real servers.

use super::plain_chunks;
use crate::Error;
use crate::http_error::says;
use crate::partial_answer::{EventReader, Kind, PartialAnswer, TextId};
use crate::tool_calls::CallDelta;
use crate::{Ending, Usage};
use copydesk_base::decode::count;
use serde_json::{Value, json};

/// Reads chunks. Texts have no numbers: an answer has one of each kind.
pub(super) struct Chunks;

pub(super) const TEXT: TextId = TextId::Block(0);

impl EventReader for Chunks {
    fn read_plain(&mut self, data: &str, partial: &mut PartialAnswer) -> Result<bool, Error> {
        plain_chunks::read(data, partial)
    }

    fn read(&mut self, value: &Value, _event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.set_id(value.get("id"));
        let groq = value.get("x_groq");
        if says(groq.and_then(|groq| groq.get("error"))) {
            return Err(partial.server_error(&value["x_groq"]));
        }
        // Groq uses a field of its own.
        for holder in [groq, Some(value)].into_iter().flatten() {
            take_usage(holder, partial);
        }
        for choice in value.get("choices").and_then(Value::as_array).into_iter().flatten() {
            partial.answered = true;
            take_choice(choice, partial)?;
        }
        Ok(())
    }
}

// Only one choice is requested. If a server sends several, their deltas form one answer.
fn take_choice(choice: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
    if says(choice.get("error")) {
        return Err(partial.server_error(choice));
    }
    take_usage(choice, partial);
    let delta = choice.get("delta").filter(|delta| delta.is_object());
    // A complete message is an answer without streaming; after deltas, it only repeats them.
    let message = choice.get("message").filter(|_| partial.is_empty());
    if let Some(delta) = delta.or(message) {
        take_delta(delta, partial)?;
    }
    let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    partial.set_finish(
        finish,
        match finish {
            "length" | "model_length" | "max_tokens" => Ending::Length,
            // Zhipu uses `sensitive`.
            "content_filter" | "sensitive" => Ending::Filtered,
            // OpenRouter and Mistral; Zhipu; DeepSeek.
            "error" | "network_error" | "insufficient_system_resource" => Ending::Failed,
            _ => Ending::Done,
        },
    );
    Ok(())
}

fn take_delta(delta: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
    // Some servers send the same thinking in two fields.
    let plain = ["reasoning_content", "reasoning", "reasoning_text"].iter();
    let plain = plain.filter_map(|field| delta.get(*field)?.as_str()).find(|text| !text.is_empty());
    let mut thinking = String::new();
    match plain {
        Some(text) => thinking.push_str(text),
        None => collect_text(delta.get("reasoning_details"), &mut thinking),
    }
    let mut text = String::new();
    match delta.get("content") {
        Some(Value::String(content)) => text.push_str(content),
        Some(parts) => split_parts(parts, &mut text, &mut thinking),
        None => {}
    }
    partial.push_text(Kind::Thinking, TEXT, &thinking)?;
    partial.push_text(Kind::Text, TEXT, &text)?;
    partial.push_text(Kind::Refusal, TEXT, delta.get("refusal").and_then(Value::as_str).unwrap_or_default())?;
    match delta.get("tool_calls") {
        Some(Value::Array(calls)) => calls.iter().try_for_each(|call| take_call(call, partial)),
        Some(call @ Value::Object(_)) => take_call(call, partial),
        // The only call, in the format before `tool_calls`.
        _ => match delta.get("function_call") {
            Some(function @ Value::Object(_)) => take_call(&json!({ "index": 0, "function": function }), partial),
            _ => Ok(()),
        },
    }
}

fn take_call(call: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
    let function = call.get("function").unwrap_or(&Value::Null);
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let (id, name) = (text(call.get("id")), text(function.get("name")));
    let arguments = match function.get("arguments") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        // An object instead of JSON text.
        Some(value) => value.to_string(),
    };
    let signature = call.get("extra_content").map(signature).unwrap_or_default();
    let index = call.get("index").and_then(Value::as_u64);
    let (name, arguments, signature) = (&name, &arguments, &signature);
    partial.push_call(&CallDelta { id: &id, index, name, arguments, signature, ..CallDelta::default() })
}

/// Returns what a call carries in `extra_content`, as JSON; of Gemini's
/// [signature](https://ai.google.dev/gemini-api/docs/thought-signatures) alone, which its models require, only the
/// token.
fn signature(extra_content: &Value) -> String {
    let Some(content) = extra_content.as_object().filter(|content| !content.is_empty()) else { return String::new() };
    let token = extra_content.pointer("/google/thought_signature").and_then(Value::as_str);
    match token {
        Some(token) if content.len() == 1 && extra_content["google"].as_object().is_some_and(|of| of.len() == 1) => {
            token.to_owned()
        }
        _ => extra_content.to_string(),
    }
}

/// The last count applies: it may come with the finish reason, after it without choices, inside a choice, or in every
/// chunk.
fn take_usage(holder: &Value, partial: &mut PartialAnswer) {
    if let Some(usage) = holder.get("usage").filter(|usage| usage.is_object()).and_then(usage) {
        partial.set_usage(usage);
    }
}

/// Reads content in parts: `{type: "text", text}`, and Mistral's `{type: "thinking", thinking: [{type: "text",
/// text}]}`.
fn split_parts(parts: &Value, text: &mut String, thinking: &mut String) {
    let parts = match parts {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    for part in parts {
        match part.get("type").and_then(Value::as_str) {
            Some("thinking" | "reasoning") => collect_text(Some(part), thinking),
            Some("text" | "output_text") | None => collect_text(Some(part), text),
            Some(_) => {}
        }
    }
}

/// Appends the text in a part or a list of parts: under `text`, `thinking` or `summary`.
fn collect_text(part: Option<&Value>, to: &mut String) {
    match part {
        Some(Value::String(text)) => to.push_str(text),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| collect_text(Some(part), to)),
        Some(Value::Object(part)) => {
            collect_text(["text", "thinking", "summary"].iter().find_map(|field| part.get(*field)), to);
        }
        _ => {}
    }
}

/// Returns the token counts, which have several names; `None` if there are none.
fn usage(value: &Value) -> Option<Usage> {
    let at = |path: &str| value.pointer(path).and_then(count);
    let first = |paths: &[&str]| paths.iter().find_map(|path| at(path));
    let input = first(&["/prompt_tokens", "/input_tokens"]);
    let output = first(&["/completion_tokens", "/output_tokens"]);
    let total = at("/total_tokens");
    if input.is_none() && output.is_none() && total.is_none() {
        return None;
    }
    let (input_tokens, output_tokens) = (input.unwrap_or(0), output.unwrap_or(0));
    Some(Usage {
        input_tokens,
        output_tokens,
        // The second name is DeepSeek's.
        cached_tokens: first(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]).unwrap_or(0),
        // OpenRouter's name.
        cache_write_tokens: at("/prompt_tokens_details/cache_write_tokens").unwrap_or(0),
        reasoning_tokens: first(&["/completion_tokens_details/reasoning_tokens", "/reasoning_tokens"]).unwrap_or(0),
        total_tokens: total.unwrap_or(input_tokens.saturating_add(output_tokens)),
    })
}
