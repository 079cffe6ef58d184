//! Reader of the chunks of an answer. Each has the next parts. It tolerates deviations of real servers.

use crate::Error;
use crate::partial_answer::{EventReader, Kind, PartialAnswer, TextId};
use crate::tool_calls::CallDelta;
use crate::{Ending, Usage};
use copydesk_base::decode::count;
use serde_json::Value;

/// Reads responses. A text may be split over many of them; a call is always complete.
#[derive(Default)]
pub(super) struct Chunks {
    /// The number of calls so far: they have no index, and usually no id.
    calls: u64,
}

impl EventReader for Chunks {
    fn read(&mut self, value: &Value, _event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.set_id(value.get("responseId"));
        if let Some(usage) = value.get("usageMetadata").and_then(usage) {
            partial.answered = true;
            partial.set_usage(usage);
        }
        // The prompt was blocked: there are no candidates.
        let blocked = value.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
        if let Some(reason) = blocked.filter(|reason| *reason != "BLOCK_REASON_UNSPECIFIED") {
            partial.answered = true;
            partial.set_finish(reason, Ending::Filtered);
        }
        for candidate in value.get("candidates").and_then(Value::as_array).into_iter().flatten() {
            partial.answered = true;
            self.take_candidate(candidate, partial)?;
        }
        Ok(())
    }

    /// Each answer ends with a finish reason; without one, the stream was cut.
    fn requires_finish(&self) -> bool {
        true
    }
}

impl Chunks {
    // Only one candidate is requested.
    fn take_candidate(&mut self, candidate: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            self.take_part(part, partial)?;
        }
        let text = |field| candidate.get(field).and_then(Value::as_str).unwrap_or_default();
        let reason = text("finishReason");
        let ending = match reason {
            "" | "FINISH_REASON_UNSPECIFIED" => return Ok(()),
            "STOP" => Ending::Done,
            "MAX_TOKENS" => Ending::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => Ending::Filtered,
            // `MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`, `OTHER` and future reasons: a retry may succeed.
            _ => Ending::Failed,
        };
        let message = text("finishMessage");
        if ending == Ending::Failed && !message.is_empty() {
            partial.set_finish(&format!("{reason}: {message}"), ending);
        } else {
            partial.set_finish(reason, ending);
        }
        Ok(())
    }

    /// Parts of other kinds belong to tools that Google runs itself, which are not requested.
    fn take_part(&mut self, part: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let signature = text(part.get("thoughtSignature"));
        if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
            let arguments = match call.get("args") {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(value) => value.to_string(),
            };
            let (id, name, index) = (text(call.get("id")), text(call.get("name")), Some(self.calls));
            self.calls += 1;
            let (id, name, arguments, signature) = (&id, &name, &arguments, &signature);
            return partial.push_call(&CallDelta { id, index, name, arguments, signature, ..CallDelta::default() });
        }
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            let thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
            let kind = if thought { Kind::Thinking } else { Kind::Text };
            partial.push_text(kind, TextId::Last, text)?;
            // Usually in an empty part after the text that it belongs to.
            partial.push_signature(kind, TextId::Last, &signature)?;
        }
        Ok(())
    }
}

/// Returns the token counts, which grow from response to response; `None` if there are none. Google counts thinking
/// separately from the answer, and input of its own tools separately from the prompt.
fn usage(value: &Value) -> Option<Usage> {
    let at = |field: &str| value.get(field).and_then(count);
    let sum = |a: &str, b: &str| at(a).unwrap_or(0).saturating_add(at(b).unwrap_or(0));
    let fields = ["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"];
    if fields.iter().all(|field| at(field).is_none()) {
        return None;
    }
    let input_tokens = sum("promptTokenCount", "toolUsePromptTokenCount");
    let output_tokens = sum("candidatesTokenCount", "thoughtsTokenCount");
    Some(Usage {
        input_tokens,
        output_tokens,
        cached_tokens: at("cachedContentTokenCount").unwrap_or(0),
        cache_write_tokens: 0,
        reasoning_tokens: at("thoughtsTokenCount").unwrap_or(0),
        total_tokens: at("totalTokenCount").unwrap_or(input_tokens.saturating_add(output_tokens)),
    })
}
