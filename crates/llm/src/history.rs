//! A valid form of the conversation for every provider.
//!
//! Providers refuse a conversation in which a tool call has no result or a result has no call, and a stopped run
//! leaves one. Here each call is paired with its result, so that no wire format can separate them. Text of third
//! parties is fenced here, so that no format can omit that.

use super::{AssistantPart, Image, Message, Model, Prompt};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Result sent for a call that has none: the app has removed it, so the call may have run.
pub const NO_RESULT: &str = r#"{"error":{"code":"no_result","message":"The result of this call is no longer available; the call may have run. Check the current state before you repeat it."}}"#;

/// Text before the images of tool results, for formats whose results cannot carry them.
pub const TOOL_IMAGES: &str = "Images returned by the tools:";

/// Text before a summary of older messages.
pub const SUMMARY: &str = "Summary of the conversation before this point, whose messages are no longer shown:";

/// First user message for a conversation that begins with an answer, if a provider refuses that.
pub const NOT_SHOWN: &str = "(Earlier messages are not shown.)";

/// One entry of a valid conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<'a> {
    /// Text of the user, images, or both.
    User {
        /// The text.
        text: Cow<'a, str>,
        /// The images.
        images: Vec<&'a Image>,
    },
    /// An answer with text or calls.
    Assistant {
        /// In the order of the answer.
        content: Vec<Part<'a>>,
        /// True if the requested model gave the answer.
        own: bool,
    },
}

/// One part of an answer. Has signatures only if the requested model gave the answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<'a> {
    /// Text; may be empty if it has a signature.
    Text {
        /// The text.
        text: &'a str,
        /// The provider's token.
        signature: Option<&'a str>,
    },
    /// Thinking of this or another model; redacted only with a signature.
    Thinking {
        /// The text.
        thinking: &'a str,
        /// The provider's token.
        signature: Option<&'a str>,
        /// True if there is no text, only the token.
        redacted: bool,
    },
    /// A call with its result.
    Call(Call<'a>),
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'a> {
    /// As in the answer; see [`wire_id`].
    pub id: &'a str,
    /// The tool; see [`wire_name`].
    pub name: &'a str,
    /// Arguments.
    pub arguments: &'a Map<String, Value>,
    /// The provider's token.
    pub signature: Option<&'a str>,
    /// The result as the model reads it: text as it is, other values as JSON, [`fenced`] if third parties wrote it;
    /// [`NO_RESULT`] if there is none.
    pub result: Cow<'a, str>,
    /// True if the result is an error.
    pub is_error: bool,
    /// The images of the result.
    pub images: &'a [Image],
}

/// The way in which a request states that a tool has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failures {
    /// In a field.
    InField,
    /// In the text of the result: OpenAI's formats have no field for it.
    InWords,
}

/// Returns the conversation in a form that `model` accepts. Omits answers that ended in `error` or `aborted`, answers
/// that Claude refused to continue (it would refuse everything after them), empty answers, results without a call,
/// and messages that are not for models. The result of a call is the first one before the next answer, also if user
/// messages are between them.
pub fn valid<'a>(messages: &'a [Message], model: &Model, failures: Failures) -> Vec<Entry<'a>> {
    let mut entries = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        match message {
            Message::User { content } => say(&mut entries, content.text.as_str().into(), &content.images),
            Message::Summary { content, .. } => say(&mut entries, format!("{SUMMARY}\n\n{content}").into(), &[]),
            Message::Document { content, .. } | Message::Note { content } => {
                say(&mut entries, content.as_str().into(), &[]);
            }
            Message::Assistant { content, stop_reason, model: by, .. } => {
                let own = by.as_ref().is_some_and(|by| by.api == model.api && by.model_id == model.model_id);
                if !is_left_out(stop_reason) {
                    entries.extend(answer(content, own, &messages[at + 1..], failures));
                }
            }
            Message::ToolResult { .. } | Message::Approval { .. } | Message::Custom(_) => {}
        }
    }
    entries
}

/// Returns the conversation of a prompt as [`valid`] does, with the reminder at its end.
pub fn entries<'a>(prompt: Prompt<'a>, model: &Model, failures: Failures) -> Vec<Entry<'a>> {
    let mut entries = valid(prompt.messages, model, failures);
    say(&mut entries, prompt.reminder.into(), &[]);
    entries
}

/// Returns whether an answer with this stop reason is never sent back, and none of its calls may run.
pub fn is_left_out(stop_reason: &str) -> bool {
    matches!(stop_reason, "error" | "aborted" | "refusal")
}

/// Adds text of the user. After a failed run two user messages are adjacent, which some servers refuse.
fn say<'a>(entries: &mut Vec<Entry<'a>>, more: Cow<'a, str>, pictures: &'a [Image]) {
    if more.trim().is_empty() && pictures.is_empty() {
        return;
    }
    match entries.last_mut() {
        Some(Entry::User { text, images }) => {
            if text.is_empty() {
                *text = more;
            } else if !more.is_empty() {
                *text = format!("{text}\n\n{more}").into();
            }
            images.extend(pictures);
        }
        _ => entries.push(Entry::User { text: more, images: pictures.iter().collect() }),
    }
}

/// Adds an answer; `own` states that the requested model gave it.
fn answer<'a>(content: &'a [AssistantPart], own: bool, after: &'a [Message], failures: Failures) -> Option<Entry<'a>> {
    let mut parts = Vec::new();
    let mut says_something = false;
    for part in content {
        match part {
            AssistantPart::Text { text, signature } => {
                let signature = signature.as_deref().filter(|_| own);
                says_something |= !text.trim().is_empty();
                if !text.is_empty() || signature.is_some() {
                    parts.push(Part::Text { text, signature });
                }
            }
            AssistantPart::Thinking { thinking, signature, redacted } => {
                let signature = signature.as_deref().filter(|_| own);
                // Other models cannot use thinking without text.
                let useful = !redacted && !thinking.is_empty();
                if useful || signature.is_some() {
                    parts.push(Part::Thinking { thinking, signature, redacted: *redacted });
                }
            }
            AssistantPart::ToolCall { id, name, arguments, signature } => {
                says_something = true;
                let signature = signature.as_deref().filter(|_| own);
                let (result, is_error, images) =
                    result_of(id, after, failures).unwrap_or((NO_RESULT.into(), true, &[]));
                parts.push(Part::Call(Call { id, name, arguments, signature, result, is_error, images }));
            }
        }
    }
    says_something.then_some(Entry::Assistant { content: parts, own })
}

/// Returns the result of the last call with this id, if [`valid`] includes it.
pub fn result_sent<'a>(id: &str, messages: &'a [Message]) -> Option<&'a Value> {
    let calls = |message: &Message| match message {
        Message::Assistant { content, stop_reason, .. } if !is_left_out(stop_reason) => {
            content.iter().any(|part| matches!(part, AssistantPart::ToolCall { id: called, .. } if called == id))
        }
        _ => false,
    };
    let answer = messages.iter().rposition(calls)?;
    let until_next = messages[answer + 1..].iter().take_while(|message| !matches!(message, Message::Assistant { .. }));
    until_next.into_iter().find_map(|message| match message {
        Message::ToolResult { tool_call_id, content, .. } if tool_call_id == id => Some(content),
        _ => None,
    })
}

fn result_of<'a>(id: &str, after: &'a [Message], failures: Failures) -> Option<(Cow<'a, str>, bool, &'a [Image])> {
    let until_next = after.iter().take_while(|message| !matches!(message, Message::Assistant { .. }));
    until_next.into_iter().find_map(|message| match message {
        Message::ToolResult { tool_call_id, tool_name, content, is_error, untrusted, images } if tool_call_id == id => {
            let says_so = !is_error || failures != Failures::InWords || content.get("error").is_some();
            let content = if says_so { Cow::Borrowed(content) } else { Cow::Owned(json!({ "error": content })) };
            let text = match content {
                content if *untrusted => fenced(tool_name, &content).into(),
                Cow::Borrowed(Value::String(text)) => text.into(),
                content => content.to_string().into(),
            };
            Some((text, *is_error, images.as_slice()))
        }
        _ => None,
    })
}

/// Returns text of third parties as data with its source. Nothing in it can end the fence, or begin another one: a text
/// with a tag like those of the fence is shown as JSON, as other values are, and that JSON contains no `<`. Any other
/// text is shown unchanged, so that a model can copy the text that an edit has to find.
pub fn fenced(source: &str, content: &Value) -> String {
    let inside: Cow<'_, str> = match content {
        Value::String(text) if !has_fence_tag(text) => text.into(),
        content => content.to_string().replace('<', "\\u003c").into(),
    };
    format!("<data source=\"{}\">\n{inside}\n</data>", wire_name(source))
}

/// Returns whether a text has a tag that a model may take for one of the fence: `<data …>`, `</data>`, `< / DATA`.
fn has_fence_tag(text: &str) -> bool {
    text.split('<').skip(1).any(|rest| {
        let name = rest.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
        name.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("data"))
    })
}

/// Returns the name of a tool in a form that every provider accepts; a model may have invented an invalid one.
pub fn wire_name(name: &str) -> String {
    let name: String = name.chars().take(64).map(|c| if is_plain(c) { c } else { '_' }).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// Returns the id of a call in a form that a provider accepts which may not have assigned it: letters, digits, `_`
/// and `-`, at most `longest` characters. Distinct ids stay distinct.
pub fn wire_id(id: &str, longest: usize) -> Cow<'_, str> {
    if !id.is_empty() && id.len() <= longest && id.chars().all(is_plain) {
        return id.into();
    }
    let hash = hashed(id);
    let mut made: String = id.chars().filter(|c| is_plain(*c)).take(longest.saturating_sub(hash.len())).collect();
    made += &hash;
    made.truncate(longest);
    made.into()
}

/// Returns 16 hexadecimal digits that identify a text:
/// [FNV-1a](https://datatracker.ietf.org/doc/html/draft-eastlake-fnv).
pub fn hashed(text: &str) -> String {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fold))
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}
