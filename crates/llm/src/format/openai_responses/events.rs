//! Reader of the events of an answer. It tolerates deviations of real servers.

use super::items::{Of, ResponseItems, output_index, text};
use crate::Error;
use crate::http_error::says;
use crate::partial_answer::{EventReader, PartialAnswer};
use crate::{Ending, Usage};
use copydesk_base::decode::count;
use serde_json::Value;

/// Reads events, or one response of a server that did not stream.
#[derive(Default)]
pub(super) struct Events {
    items: ResponseItems,
}

impl EventReader for Events {
    fn read(&mut self, value: &Value, event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        let name = value.get("type").and_then(Value::as_str).unwrap_or(event);
        partial.answered |= name.starts_with("response.");
        let response = value.get("response").unwrap_or(&Value::Null);
        let item = value.get("item").unwrap_or(&Value::Null);
        match name {
            "response.created" | "response.in_progress" => {
                partial.set_id(response.get("id"));
                Ok(())
            }
            "response.output_item.added" => self.items.begin(item, output_index(value), partial),
            "response.output_item.done" => self.items.settle(item, output_index(value), partial),
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled"
            | "response.done" => self.take_response(response, name.trim_start_matches("response."), partial),
            name => match spoken(name) {
                Some((of, true)) => self.items.say(of, value, text(value.get("delta")), partial),
                Some((of, false)) => self.items.say_whole(of, value, partial),
                None if value.get("output").is_some_and(Value::is_array) => {
                    partial.answered = true;
                    self.take_response(value, "", partial)
                }
                None => Ok(()),
            },
        }
    }

    fn is_json(&self, event: &str) -> bool {
        event.is_empty() || event == "message" || event.starts_with("response.")
    }

    /// The response states its end in an event of its own; without it, the stream was cut.
    fn requires_finish(&self) -> bool {
        true
    }
}

/// Returns the text that an event adds to, and whether the event has a delta or the whole text.
fn spoken(event: &str) -> Option<(Of, bool)> {
    let (what, how) = event.strip_prefix("response.")?.rsplit_once('.')?;
    let of = match what {
        "output_text" => Of::Text,
        "refusal" => Of::Refusal,
        "reasoning_summary_text" => Of::Summary,
        "reasoning_text" => Of::Thought,
        "function_call_arguments" => Of::Arguments,
        _ => return None,
    };
    match how {
        "delta" => Some((of, true)),
        "done" => Some((of, false)),
        _ => None,
    }
}

impl Events {
    /// Reads the response at its end, with its items if the server repeats them.
    fn take_response(&mut self, response: &Value, event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.set_id(response.get("id"));
        if let Some(usage) = response.get("usage").and_then(usage) {
            partial.set_usage(usage);
        }
        // If the response still has the status in progress, the name of its event is correct.
        let status = match response.get("status").and_then(Value::as_str) {
            None | Some("in_progress" | "queued") => event,
            Some(status) => status,
        };
        if matches!(status, "failed" | "cancelled") || says(response.get("error")) {
            let words = if says(response.get("error")) { response } else { &Value::from(status) };
            return Err(partial.server_error(words));
        }
        if status.is_empty() {
            return Ok(());
        }
        self.items.settle_all(response.get("output"), partial)?;
        let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
        match (status, reason.unwrap_or_default()) {
            ("incomplete", "content_filter") => partial.set_finish("content_filter", Ending::Filtered),
            // `max_output_tokens`; other reasons mean an incomplete answer as well.
            ("incomplete", "") => partial.set_finish(status, Ending::Length),
            ("incomplete", reason) => partial.set_finish(reason, Ending::Length),
            _ => partial.set_finish("completed", Ending::Done),
        }
        partial.done = true;
        Ok(())
    }
}

/// Returns the token counts; `None` if there are none.
fn usage(value: &Value) -> Option<Usage> {
    let at = |path: &str| value.pointer(path).and_then(count);
    let (input, output) = (at("/input_tokens"), at("/output_tokens"));
    let total = at("/total_tokens");
    if input.is_none() && output.is_none() && total.is_none() {
        return None;
    }
    let (input_tokens, output_tokens) = (input.unwrap_or(0), output.unwrap_or(0));
    Some(Usage {
        input_tokens,
        output_tokens,
        cached_tokens: at("/input_tokens_details/cached_tokens").unwrap_or(0),
        cache_write_tokens: at("/input_tokens_details/cache_write_tokens").unwrap_or(0),
        reasoning_tokens: at("/output_tokens_details/reasoning_tokens").unwrap_or(0),
        total_tokens: total.unwrap_or(input_tokens.saturating_add(output_tokens)),
    })
}
