//! A model's answer: its deltas, and the finished message.

use super::{AnsweredBy, AssistantPart, Message, Model, Usage};
use crate::Error;
use serde_json::{Map, Value};

/// One change of an answer that is arriving, in the order of the stream.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More of the text.
    Text(String),
    /// More of the thinking.
    Thinking(String),
    /// All text so far was thinking: its end is marked in the text, and its beginning was not.
    TextWasThinking,
    /// More of a refusal, which is text instead of an answer.
    Refusal(String),
    /// A call has begun, and its name is known.
    ToolCallStart {
        /// Index in [`AssistantMessage::tool_calls`].
        call: usize,
        /// Id that its result will refer to.
        id: String,
        /// The tool.
        name: String,
    },
    /// The readable part of a call's arguments. Reported at most once per call and push, and only when the arguments
    /// have grown by a 64th since the last report. So all reports together are at most 65 times as long as the
    /// arguments, however they are split.
    ToolCallArguments {
        /// Index in [`AssistantMessage::tool_calls`].
        call: usize,
        /// Members read so far. Strings may be unfinished; members are never removed later.
        partial: Map<String, Value>,
    },
}

/// A finished answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AssistantMessage {
    /// Parts in the order in which they began.
    pub content: Vec<Part>,
    /// Tool calls.
    pub tool_calls: Vec<ToolCall>,
    /// The tools of calls that were written as text, because the server does not read them. They are not part of the
    /// content, and must not run.
    pub text_calls: Vec<String>,
    /// The provider's finish reason. It may be `stop` although there are calls, `eos`, or empty if the provider only
    /// closed the stream.
    pub finish: String,
    /// Meaning of the reason.
    pub ending: Ending,
    /// Token counts, if the provider reported them.
    pub usage: Option<Usage>,
}

/// One part of a finished answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text for the user.
    Text {
        /// Usually Markdown.
        text: String,
        /// The provider's token, see [`AssistantPart`].
        signature: Option<String>,
    },
    /// Thinking of the model.
    Thinking {
        /// Text as far as the provider shows it.
        thinking: String,
        /// The provider's token.
        signature: Option<String>,
        /// True if the provider shows no text, only the token.
        redacted: bool,
    },
    /// Text instead of an answer.
    Refusal {
        /// The model's text.
        refusal: String,
    },
    /// A call.
    ToolCall {
        /// Index in [`AssistantMessage::tool_calls`].
        call: usize,
    },
}

/// Meaning of a finish reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The model has finished, or calls tools.
    #[default]
    Done,
    /// The answer reached the length limit.
    Length,
    /// The provider paused its own work, and continues with the next request.
    Paused,
    /// The provider's filter stopped it.
    Filtered,
    /// The provider failed.
    Failed,
}

impl AssistantMessage {
    /// Returns the text for the user.
    pub fn text(&self) -> String {
        self.collect(|part| if let Part::Text { text, .. } = part { Some(text) } else { None })
    }

    /// Returns the thinking, as far as the provider shows it.
    pub fn thinking(&self) -> String {
        self.collect(|part| if let Part::Thinking { thinking, .. } = part { Some(thinking) } else { None })
    }

    /// Returns the refusal; usually empty.
    pub fn refusal(&self) -> String {
        self.collect(|part| if let Part::Refusal { refusal } = part { Some(refusal) } else { None })
    }

    /// Returns whether the provider says that the model calls a tool, and there is no call.
    pub fn lacks_call(&self) -> bool {
        let says_so = matches!(self.finish.as_str(), "tool_calls" | "tool_use" | "function_call");
        says_so && self.ending == Ending::Done && self.tool_calls.is_empty() && self.text_calls.is_empty()
    }

    fn collect(&self, of: impl Fn(&Part) -> Option<&String>) -> String {
        self.content.iter().filter_map(of).map(String::as_str).collect()
    }

    /// Returns the message for the conversation; `model` is the model that was requested. A call that must not run
    /// keeps its position with empty arguments, so that its error result has a call to refer to.
    pub fn message(&self, model: &Model) -> Message {
        let mut content = Vec::new();
        for part in &self.content {
            content.push(match part {
                Part::Text { text, signature } => {
                    AssistantPart::Text { text: text.clone(), signature: signature.clone() }
                }
                Part::Thinking { thinking, signature, redacted } => AssistantPart::Thinking {
                    thinking: thinking.clone(),
                    signature: signature.clone(),
                    redacted: *redacted,
                },
                Part::Refusal { refusal } => AssistantPart::Text { text: refusal.clone(), signature: None },
                Part::ToolCall { call } => match self.tool_calls.get(*call) {
                    Some(call) => AssistantPart::ToolCall {
                        id: call.id.clone(),
                        name: call.name.clone(),
                        arguments: call.arguments.whole().cloned().unwrap_or_default(),
                        signature: call.signature.clone(),
                    },
                    None => continue,
                },
            });
        }
        Message::Assistant {
            content,
            tool_calls: Vec::new(),
            stop_reason: self.finish.clone(),
            usage: self.usage,
            model: Some(AnsweredBy { api: model.api, model_id: model.model_id.clone() }),
        }
    }
}

/// A tool call of a finished answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Unique in its answer; generated if the provider gave none.
    pub id: String,
    /// The tool; empty if the provider never named it.
    pub name: String,
    /// Arguments.
    pub arguments: Arguments,
    /// The provider's token, see [`AssistantPart`].
    pub signature: Option<String>,
}

/// The arguments of a call. Only complete ones may run.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// A complete JSON object.
    Whole(Map<String, Value>),
    /// Text that ended before the object did.
    CutOff {
        /// The text received.
        raw: String,
    },
    /// Text other than a JSON object.
    Invalid {
        /// The text received.
        raw: String,
        /// Reason for the model.
        reason: String,
    },
    /// Text with an escape that may be a control character or a backslash.
    Ambiguous {
        /// The text received.
        raw: String,
        /// The escape with the letters after it, such as `\new`.
        escape: String,
    },
}

impl Arguments {
    /// Returns the arguments to run with, or `None` if the call must not run.
    pub fn whole(&self) -> Option<&Map<String, Value>> {
        match self {
            Arguments::Whole(arguments) => Some(arguments),
            _ => None,
        }
    }

    /// Returns the arguments as JSON. Arguments that must not run are invalid in this form too.
    pub(super) fn written(&self) -> String {
        match self {
            Arguments::Whole(arguments) => Value::Object(arguments.clone()).to_string(),
            Arguments::CutOff { .. } => "{".to_owned(),
            Arguments::Invalid { raw, .. } | Arguments::Ambiguous { raw, .. } => raw.clone(),
        }
    }

    /// Returns the arguments to run with, or the error for the model.
    pub fn runnable(&self) -> Result<&Map<String, Value>, Error> {
        match self {
            Arguments::Whole(arguments) => Ok(arguments),
            Arguments::CutOff { .. } => Err(Error::ArgumentsCutOff),
            Arguments::Invalid { reason, .. } => {
                Err(copydesk_base::Error::InvalidArguments { reason: reason.clone() }.into())
            }
            Arguments::Ambiguous { escape, .. } => {
                Err(copydesk_base::Error::AmbiguousEscape { escape: escape.clone() }.into())
            }
        }
    }
}
