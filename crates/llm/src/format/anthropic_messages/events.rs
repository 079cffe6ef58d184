//! Reader of the events of an answer, which consists of blocks.

use crate::Error;
use crate::partial_answer::{EventReader, Kind, PartialAnswer, TextId};
use crate::tool_calls::CallDelta;
use crate::{Ending, Usage, limits};
use copydesk_base::decode::count;
use serde_json::{Value, json};

/// Reads events, and complete messages of servers that do not stream.
#[derive(Default)]
pub(super) struct Events {
    /// The open blocks, usually one.
    open: Vec<ContentBlock>,
    /// The number of blocks that have begun. Gateways reuse an index for several blocks, so each gets a number of its
    /// own.
    begun: u64,
    /// The ids of calls so far.
    ids: Vec<String>,
    counts: TokenCounts,
}

struct ContentBlock {
    /// The provider's index.
    index: Option<u64>,
    number: u64,
    kind: BlockKind,
    /// The input that a call had when its block began. Used if no deltas of it arrive.
    input: String,
}

#[derive(Clone, Copy, PartialEq)]
enum BlockKind {
    Text,
    Thinking,
    Redacted,
    Call,
    /// Activity of the provider's own tools.
    Other,
}

/// The largest counts so far: they are reported at the beginning and at the end, and each report may omit some or
/// state 0.
#[derive(Default)]
struct TokenCounts {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    thinking: u64,
}

impl EventReader for Events {
    fn read(&mut self, value: &Value, event: &str, partial: &mut PartialAnswer) -> Result<(), Error> {
        let index = value.get("index").and_then(Value::as_u64);
        match text(value, "type").unwrap_or(event) {
            "message_start" => {
                partial.answered = true;
                self.take_message(&value["message"], partial)
            }
            "message" => {
                partial.answered = true;
                self.take_message(value, partial)
            }
            "content_block_start" => self.begin(index, &value["content_block"], partial),
            "content_block_delta" => self.grow(index, &value["delta"], partial),
            "content_block_stop" => self.end(index, partial),
            "message_delta" => {
                self.end_all(partial)?;
                self.counts.take(value, partial);
                take_stop(&value["delta"], partial);
                Ok(())
            }
            "message_stop" => {
                self.end_all(partial)?;
                partial.done = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_json(&self, event: &str) -> bool {
        matches!(event, "" | "message") || event.starts_with("message_") || event.starts_with("content_block_")
    }
}

impl Events {
    /// Reads a message: empty at the start of a stream, complete without streaming.
    fn take_message(&mut self, message: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.set_id(message.get("id"));
        self.counts.take(message, partial);
        for block in message.get("content").and_then(Value::as_array).into_iter().flatten() {
            self.begin(None, block, partial)?;
            self.end(None, partial)?;
        }
        take_stop(message, partial);
        Ok(())
    }

    fn begin(&mut self, index: Option<u64>, block: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        if self.open.len() == limits::CALLS {
            let most = limits::CALLS;
            return Err(Error::MalformedStream { reason: format!("more than {most} blocks are open") });
        }
        partial.answered = true;
        self.begun += 1;
        let number = self.begun;
        let place = TextId::Block(number);
        let mut input = String::new();
        let kind = match text(block, "type").unwrap_or_default() {
            "text" => {
                partial.push_text(Kind::Text, place, text(block, "text").unwrap_or_default())?;
                BlockKind::Text
            }
            "thinking" => {
                partial.push_text(Kind::Thinking, place, text(block, "thinking").unwrap_or_default())?;
                partial.push_signature(Kind::Thinking, place, text(block, "signature").unwrap_or_default())?;
                BlockKind::Thinking
            }
            "redacted_thinking" => {
                partial.push_signature(Kind::Redacted, place, text(block, "data").unwrap_or_default())?;
                BlockKind::Redacted
            }
            "tool_use" => {
                let (mut id, name) = (text(block, "id").unwrap_or_default(), text(block, "name").unwrap_or_default());
                // Each block is a separate call, even if a gateway gives two of them one id.
                if self.ids.iter().any(|known| known == id) {
                    id = "";
                } else if self.ids.len() == limits::CALLS {
                    // Includes calls without a name, which are dropped at the end.
                    let most = limits::CALLS;
                    return Err(Error::MalformedStream {
                        reason: format!("an answer has more than {most} tool calls"),
                    });
                } else {
                    self.ids.push(id.to_owned());
                }
                partial.push_call(&CallDelta { id, name, index: Some(number), ..CallDelta::default() })?;
                input = match block.get("input") {
                    Some(Value::String(json)) => json.clone(),
                    Some(Value::Object(given)) if given.is_empty() => String::new(),
                    Some(Value::Null) | None => String::new(),
                    Some(given) => given.to_string(),
                };
                partial.count_bytes(input.len())?;
                BlockKind::Call
            }
            _ => BlockKind::Other,
        };
        self.open.push(ContentBlock { index, number, kind, input });
        Ok(())
    }

    fn grow(&mut self, index: Option<u64>, delta: &Value, partial: &mut PartialAnswer) -> Result<(), Error> {
        partial.answered = true;
        let kind = match text(delta, "type").unwrap_or_default() {
            "text_delta" => BlockKind::Text,
            "thinking_delta" | "signature_delta" => BlockKind::Thinking,
            "input_json_delta" => BlockKind::Call,
            _ => return Ok(()),
        };
        // The start of a block may have been omitted, or may have announced another type.
        let found = self.find(index);
        let is = found.map(|at| self.open[at].kind);
        let texts = [BlockKind::Text, BlockKind::Thinking];
        if is != Some(kind) {
            if !texts.contains(&kind) || is.is_some_and(|is| !texts.contains(&is)) {
                return Ok(());
            }
            if let Some(at) = found {
                self.open.remove(at);
            }
            let named = if kind == BlockKind::Text { "text" } else { "thinking" };
            self.begin(index, &json!({ "type": named }), partial)?;
        }
        let Some(block) = self.find(index).and_then(|at| self.open.get_mut(at)) else { return Ok(()) };
        let (number, place) = (block.number, TextId::Block(block.number));
        if let Some(more) = text(delta, "partial_json").filter(|_| kind == BlockKind::Call) {
            if !more.is_empty() {
                block.input.clear();
            }
            return partial.push_call(&CallDelta { index: Some(number), arguments: more, ..CallDelta::default() });
        }
        partial.push_text(Kind::Text, place, text(delta, "text").unwrap_or_default())?;
        partial.push_text(Kind::Thinking, place, text(delta, "thinking").unwrap_or_default())?;
        partial.push_signature(Kind::Thinking, place, text(delta, "signature").unwrap_or_default())
    }

    fn end(&mut self, index: Option<u64>, partial: &mut PartialAnswer) -> Result<(), Error> {
        match self.find(index) {
            Some(at) => close(&self.open.remove(at), partial),
            None => Ok(()),
        }
    }

    fn end_all(&mut self, partial: &mut PartialAnswer) -> Result<(), Error> {
        self.open.drain(..).try_for_each(|block| close(&block, partial))
    }

    /// Returns the latest open block with an index, or the latest of all if there is no index.
    fn find(&self, index: Option<u64>) -> Option<usize> {
        self.open.iter().rposition(|block| index.is_none() || block.index == index)
    }
}

fn close(block: &ContentBlock, partial: &mut PartialAnswer) -> Result<(), Error> {
    if block.input.is_empty() {
        return Ok(());
    }
    partial.push_call(&CallDelta { index: Some(block.number), arguments: &block.input, ..CallDelta::default() })
}

impl TokenCounts {
    fn take(&mut self, holder: &Value, partial: &mut PartialAnswer) {
        let Some(usage) = holder.get("usage").filter(|usage| usage.is_object()) else { return };
        for (path, most) in [
            ("/input_tokens", &mut self.input),
            ("/cache_read_input_tokens", &mut self.cache_read),
            ("/cache_creation_input_tokens", &mut self.cache_write),
            ("/output_tokens", &mut self.output),
            ("/output_tokens_details/thinking_tokens", &mut self.thinking),
        ] {
            *most = usage.pointer(path).and_then(count).unwrap_or(0).max(*most);
        }
        // Anthropic's input count excludes tokens of the cache.
        let input_tokens = self.input.saturating_add(self.cache_read).saturating_add(self.cache_write);
        partial.set_usage(Usage {
            input_tokens,
            output_tokens: self.output,
            cached_tokens: self.cache_read,
            cache_write_tokens: self.cache_write,
            reasoning_tokens: self.thinking,
            total_tokens: input_tokens.saturating_add(self.output),
        });
    }
}

/// <https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons>
fn take_stop(holder: &Value, partial: &mut PartialAnswer) {
    let reason = text(holder, "stop_reason").unwrap_or_default();
    partial.set_finish(
        reason,
        match reason {
            "max_tokens" | "model_context_window_exceeded" => Ending::Length,
            "pause_turn" => Ending::Paused,
            // Gateways use the second one.
            "refusal" | "sensitive" => Ending::Filtered,
            _ => Ending::Done,
        },
    );
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}
