//! The messages of a conversation, as the app keeps them.
//!
//! Empty or false `images`, `signature`, `redacted` and `untrusted` are omitted from the JSON.

use super::{Api, Usage};
use copydesk_base::decode::{self, FieldError, or_default};
use copydesk_base::tagged_by;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::ops::Not;

/// One message of the conversation. Its JSON is tagged by `role`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// A message of the user.
    User {
        /// Text and images.
        content: UserContent,
    },
    /// An answer of the model.
    Assistant {
        /// Parts in the order in which they arrived. A string is read as one part of text.
        #[serde(deserialize_with = "assistant_content")]
        content: Vec<AssistantPart>,
        /// Calls that are given beside the content. They are read into it, so this is empty.
        #[serde(default, skip_serializing)]
        tool_calls: Vec<GivenCall>,
        /// The provider's reason (`stop`, `tool_calls`, `length` …), or `error` or `aborted` for an unfinished answer,
        /// which is never sent back.
        #[serde(default = "stop")]
        stop_reason: String,
        /// Token counts, if the provider reported them.
        #[serde(default, deserialize_with = "usage", skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The model that answered, if known. Signatures are sent back only to it.
        #[serde(flatten)]
        model: Option<AnsweredBy>,
    },
    /// The result of one tool call.
    ToolResult {
        /// The `id` of the call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// The tool's value, or `{error}` if `is_error`.
        #[serde(default)]
        content: Value,
        /// True if the call failed.
        is_error: bool,
        /// True if third parties wrote it (a web page, a caption, a file): it is sent fenced, as data.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Not::not")]
        untrusted: bool,
        /// Images in the result.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// Summary of older messages that were too many to keep. It is sent as a message of the user.
    Summary {
        /// Text of the summary.
        content: String,
        /// The names of the skills whose text was among the messages.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
        skills: Vec<String>,
    },
    /// A message of copydesk: the user's decisions, the scope of a run, changed settings, attachments. It is sent as a
    /// message of the user, but these are not the user's own words.
    Note {
        /// The text.
        content: String,
    },
    /// The document before a request, as far as the conversation does not have it. It is sent as a message of the user,
    /// and never changes afterwards, so that providers' caches stay valid.
    Document {
        /// The text for the model: numbered lines, sections, the selection.
        content: String,
        /// The version of the document.
        version: String,
    },
    /// Approval of a call that needs one. It is never sent to the model.
    Approval {
        /// The `id` of the call.
        tool_call_id: String,
        /// Name of the tool.
        tool_name: String,
        /// The user's decision.
        decision: Decision,
        /// The user's reason, if given.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// For this call and those after it: the lines that the model was shown and to which the call refers, for a
        /// page that is reloaded.
        #[serde(skip_serializing_if = "Option::is_none")]
        shown: Option<Map<String, Value>>,
    },
    /// An object of the app with a `role` that begins with `custom`. It is stored, and never sent to the model.
    #[serde(rename = "custom…")]
    Custom(Map<String, Value>),
}

/// One part of a model's answer. Its JSON is tagged by `type`.
///
/// A `signature` is a token of the provider that has to be sent back unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AssistantPart {
    /// Text for the user.
    Text {
        /// Usually Markdown.
        text: String,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// Thinking of the model.
    Thinking {
        /// Text as far as the provider shows it.
        thinking: String,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        /// True if the provider shows no text, only the token.
        #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Not::not")]
        redacted: bool,
    },
    /// A tool call.
    ToolCall {
        /// Id that its result refers to.
        id: String,
        /// Name of the tool.
        name: String,
        /// Arguments; empty if they were never complete.
        arguments: Map<String, Value>,
        /// The provider's token.
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
}

/// An image.
#[derive(Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename = "image", rename_all = "camelCase")]
pub struct Image {
    /// Bytes in base64.
    pub data: String,
    /// MIME type, such as `image/png`.
    pub mime_type: String,
}

/// The model that gave an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnsweredBy {
    /// Format of the request.
    pub api: Api,
    /// Name of the model on its server.
    pub model_id: String,
}

/// Decision about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Not decided yet.
    Pending,
    /// The call may run.
    Approved,
    /// The call must not run.
    Rejected,
}

/// A call beside the content of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GivenCall {
    id: String,
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl Message {
    /// Moves the calls that were given beside the content of an answer to its end.
    fn with_calls_in_content(mut self) -> Message {
        if let Message::Assistant { content, tool_calls, .. } = &mut self {
            let call =
                |GivenCall { id, name, arguments }| AssistantPart::ToolCall { id, name, arguments, signature: None };
            content.extend(std::mem::take(tool_calls).into_iter().map(call));
        }
        self
    }

    /// Returns the name of the tool that the call of this id is to.
    pub fn called(&self, tool_id: &str) -> Option<&str> {
        let Message::Assistant { content, .. } = self else { return None };
        content.iter().find_map(|part| match part {
            AssistantPart::ToolCall { id, name, .. } if id == tool_id => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns a message of the user without images.
    pub fn user(content: impl Into<String>) -> Message {
        Message::User { content: content.into().into() }
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Value {
        // Serialization fails only for map keys that are not strings; a message has none.
        serde_json::to_value(message).unwrap_or_default()
    }
}

impl TryFrom<Value> for Message {
    type Error = FieldError;

    fn try_from(value: Value) -> Result<Message, FieldError> {
        decode::from_value(&value)
    }
}

/// A message of the user. As JSON it is a string, or with images an array of parts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenContent", into = "GivenContent")]
pub struct UserContent {
    /// Plain text.
    pub text: String,
    /// Images.
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

tagged_by!(Message, "role", Message::with_calls_in_content);
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

// The derived implementation for untagged enums copies the array before it reads it, and loses the path of a wrong
// field.
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

fn stop() -> String {
    "stop".to_owned()
}

/// Reads the parts of an answer; a string is one part.
fn assistant_content<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<AssistantPart>, D::Error> {
    struct ContentVisitor;

    impl<'de> Visitor<'de> for ContentVisitor {
        type Value = Vec<AssistantPart>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string, or an array of parts")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            let part = AssistantPart::Text { text: text.to_owned(), signature: None };
            Ok(Some(part).filter(|_| !text.is_empty()).into_iter().collect())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(parts))
        }
    }

    deserializer.deserialize_any(ContentVisitor)
}

/// Reads token counts; a value that is not an object counts as absent.
fn usage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Usage>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(Some(value).filter(Value::is_object).and_then(|value| decode::from_value(&value).ok()))
}
