//! The pieces of one chunk, read leniently.

use crate::fields::count;
use crate::llm::Usage;
use crate::llm::surrogates::mend;
use serde_json::Value;

/// The JSON values in the data of an event, mostly one; and whether halves of surrogate pairs were mended in it.
pub(super) fn parse(data: &str) -> Result<(Vec<Value>, bool), serde_json::Error> {
    if let Ok(value) = serde_json::from_str(data) {
        return Ok((vec![value], false));
    }
    let mended = mend(data, true);
    // Several, where the blank lines between events are missing.
    let values = serde_json::Deserializer::from_str(mended.as_deref().unwrap_or(data)).into_iter();
    Ok((values.collect::<Result<_, _>>()?, mended.is_some()))
}

/// Whether a field that reports an error reports one.
pub(super) fn says(error: Option<&Value>) -> bool {
    match error {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Object(object)) => !object.is_empty(),
        Some(_) => true,
    }
}

/// Content in parts: `{type: "text", text}`, and Mistral's `{type: "thinking", thinking: [{type: "text", text}]}`.
pub(super) fn split_parts(parts: &Value, text: &mut String, thinking: &mut String) {
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

/// The text in a part, or in a list of parts: under `text`, `thinking` or `summary`.
pub(super) fn collect_text(part: Option<&Value>, to: &mut String) {
    match part {
        Some(Value::String(text)) => to.push_str(text),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| collect_text(Some(part), to)),
        Some(Value::Object(part)) => {
            collect_text(["text", "thinking", "summary"].iter().find_map(|field| part.get(*field)), to);
        }
        _ => {}
    }
}

/// Token counts, by their several names; none where there are none.
pub(super) fn usage(value: &Value) -> Option<Usage> {
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
        // The second is DeepSeek's.
        cached_tokens: first(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]).unwrap_or(0),
        reasoning_tokens: first(&["/completion_tokens_details/reasoning_tokens", "/reasoning_tokens"]).unwrap_or(0),
        total_tokens: total.unwrap_or(input_tokens.saturating_add(output_tokens)),
    })
}
