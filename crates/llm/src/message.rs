//! The messages of a conversation, as the app keeps them.
//!
//! What is mostly not there is left out of the JSON: `images`, `signature`, `redacted`, `untrusted`.

use super::{Api, Usage};
use copydesk_base::decode::{self, FieldError, or_default};
use copydesk_base::tagged_by;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::ops::Not;

/// One message of the conversation. As JSON it is told by its `role`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// What the person said.
    User {
        /// Text and pictures.
        content: UserContent,
    },
    /// What the model answered.
    Assistant {
        /// In the order in which it came.
        content: Vec<AssistantPart>,
        /// As the provider said it (`stop`, `tool_calls`, `length` …), or `error` or `aborted` where the answer
        /// did not come to its end; such an answer is never sent back.
        stop_reason: String,
        /// What it cost, where the provider said so.
        #[serde(default, deserialize_with = "usage", skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// Who answered, where that is known: signatures go back to no one else.
        #[serde(flatten)]
        model: Option<AnsweredBy>,
    },
    /// What a tool gave for one call.
    ToolResult {
        /// The `id` of the call.
        tool_call_id: String,
        /// The tool that was called.
        tool_name: String,
        /// The tool's value, or `{error}` where `is_error`.
        #[serde(default)]
        content: Value,
        /// Whether the call failed.
        is_error: bool,
        /// Whether others wrote it (a web page, a caption, a file): the model is given it fenced, as data.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Not::not")]
        untrusted: bool,
        /// Pictures that the tool gave.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// What stands for older messages that were too many to keep; to the model it is said as a message of the person.
    Summary {
        /// What was in them.
        content: String,
    },
    /// Whether a call may run that needs a yes. The model never sees it.
    Approval {
        /// The `id` of the call.
        tool_call_id: String,
        /// The tool.
        tool_name: String,
        /// What was decided.
        decision: Decision,
        /// In the person's words, where they gave any.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Of this call and those behind it: what they need to know of what the model was shown, when the page is loaded
        /// anew. See [`kept`](copydesk_edit::kept).
        #[serde(skip_serializing_if = "Option::is_none")]
        shown: Option<Map<String, Value>>,
    },
    /// An object of the app's own, with a `role` that begins with `custom`. It is kept, and the model never sees it.
    #[serde(rename = "custom…")]
    Custom(Map<String, Value>),
}

/// One part of a model's answer. As JSON it is told by its `type`.
///
/// A `signature` is a token that only its provider understands and wants back as it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AssistantPart {
    /// What the person reads.
    Text {
        /// Mostly Markdown.
        text: String,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// What the model thought before.
    Thinking {
        /// As far as the provider shows it.
        thinking: String,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        /// Whether the provider shows none of it: all that there is, is the token.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Not::not")]
        redacted: bool,
    },
    /// A tool call.
    ToolCall {
        /// By which its result is told.
        id: String,
        /// The tool.
        name: String,
        /// What it is called with; empty where the arguments never became whole.
        arguments: Map<String, Value>,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename = "image", rename_all = "camelCase")]
pub struct Image {
    /// Its bytes in base64.
    pub data: String,
    /// Such as `image/png`.
    pub mime_type: String,
}

/// The model that gave an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredBy {
    /// The format in which it was asked.
    pub api: Api,
    /// The name that its server knows it by.
    pub model_id: String,
}

/// What was decided about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Nothing yet.
    Pending,
    /// It may run.
    Approved,
    /// It may not.
    Rejected,
}

impl Message {
    /// The name of the tool that a call of this message, by its id, is to.
    pub fn called(&self, tool_id: &str) -> Option<&str> {
        let Message::Assistant { content, .. } = self else { return None };
        content.iter().find_map(|part| match part {
            AssistantPart::ToolCall { id, name, .. } if id == tool_id => Some(name.as_str()),
            _ => None,
        })
    }

    /// What the person said, in words alone.
    pub fn user(content: impl Into<String>) -> Message {
        Message::User { content: content.into().into() }
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Value {
        // Nothing in a message has keys that are no strings, so it is always JSON.
        serde_json::to_value(message).unwrap_or_default()
    }
}

impl TryFrom<Value> for Message {
    type Error = FieldError;

    fn try_from(value: Value) -> Result<Message, FieldError> {
        decode::from_value(&value)
    }
}

/// What the person said. As JSON it is a string, or with pictures an array of parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenContent", into = "GivenContent")]
pub struct UserContent {
    /// Plain text.
    pub text: String,
    /// Pictures to look at.
    pub images: Vec<Image>,
}

impl From<String> for UserContent {
    fn from(text: String) -> UserContent {
        UserContent { text, images: Vec::new() }
    }
}

/// The content of a user message as JSON has it.
#[derive(Clone, Serialize)]
#[serde(untagged)]
enum GivenContent {
    Text(String),
    Parts(Vec<UserPart>),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase")]
enum UserPart {
    Text { text: String },
    Image(Image),
}

tagged_by!(Message, "role");
tagged_by!(AssistantPart, "type");
tagged_by!(UserPart, "type");

impl From<GivenContent> for UserContent {
    fn from(given: GivenContent) -> UserContent {
        let parts = match given {
            GivenContent::Text(text) => return text.into(),
            GivenContent::Parts(parts) => parts,
        };
        let mut content = UserContent::default();
        for part in parts {
            match part {
                UserPart::Text { text } => {
                    if !content.text.is_empty() {
                        content.text.push('\n');
                    }
                    content.text.push_str(&text);
                }
                UserPart::Image(image) => content.images.push(image),
            }
        }
        content
    }
}

impl From<UserContent> for GivenContent {
    fn from(content: UserContent) -> GivenContent {
        if content.images.is_empty() {
            return GivenContent::Text(content.text);
        }
        let text = Some(content.text).filter(|text| !text.is_empty()).map(|text| UserPart::Text { text });
        GivenContent::Parts(text.into_iter().chain(content.images.into_iter().map(UserPart::Image)).collect())
    }
}

// What serde derives for untagged enums copies the array before it reads it, and loses the path of a wrong field.
impl<'de> Deserialize<'de> for GivenContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenContent, D::Error> {
        struct ContentVisitor;

        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = GivenContent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an array of text and image parts")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<GivenContent, E> {
                Ok(GivenContent::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<GivenContent, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(parts)).map(GivenContent::Parts)
            }
        }

        deserializer.deserialize_any(ContentVisitor)
    }
}

/// Reads counts; what is no object is none.
fn usage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usage>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(Some(value).filter(Value::is_object).and_then(|value| serde_json::from_value(value).ok()))
}
