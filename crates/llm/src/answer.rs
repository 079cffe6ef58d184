//! A model's answer: as it arrives, and when it is whole.

use super::{AnsweredBy, AssistantPart, Message, Model, Usage};
use crate::Error;
use serde_json::{Map, Value};

/// What a piece of the stream brought, in the order in which it came.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// More of the text.
    Text(String),
    /// More of the thinking.
    Thinking(String),
    /// More of a refusal: what the model says instead of an answer.
    Refusal(String),
    /// A call has begun; it has a name.
    ToolCallStart {
        /// Its place in [`Answer::tool_calls`].
        call: usize,
        /// By which its result will be told.
        id: String,
        /// The tool.
        name: String,
    },
    /// The arguments of a call as far as they can be read. At most one for a call and push, and only when the
    /// arguments have grown by a 64th since the last one: so all of them together cost no more than 65 times the
    /// length of the arguments, in however many pieces those come.
    ToolCallArguments {
        /// Its place in [`Answer::tool_calls`].
        call: usize,
        /// What can be read. Strings may be unfinished; nothing that is here is taken back later.
        partial: Map<String, Value>,
    },
}

/// A finished answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What the model said, thought and called, in the order in which that began.
    pub content: Vec<Part>,
    /// The calls among it.
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended, as the provider said it. It may be `stop` although there are calls, `eos`, or empty where
    /// the provider only said that it was done.
    pub finish: String,
    /// What that means.
    pub ending: Ending,
    /// What it cost, where the provider said so.
    pub usage: Option<Usage>,
}

/// One part of a finished answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// What the person reads.
    Text {
        /// Mostly Markdown.
        text: String,
        /// The provider's token, see [`AssistantPart`].
        signature: Option<String>,
    },
    /// What the model thought.
    Thinking {
        /// As far as the provider shows it.
        thinking: String,
        /// The provider's token.
        signature: Option<String>,
        /// Whether the token is all that there is.
        redacted: bool,
    },
    /// What the model said instead of an answer.
    Refusal {
        /// In its words.
        refusal: String,
    },
    /// A call.
    ToolCall {
        /// Its place in [`Answer::tool_calls`].
        call: usize,
    },
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The model was done, or calls something.
    #[default]
    Done,
    /// The answer reached its greatest length.
    Length,
    /// The provider stopped for a while in the middle of its own work, and goes on when it is asked again.
    Paused,
    /// The provider's filter stopped it.
    Filtered,
    /// The provider failed.
    Failed,
}

impl Answer {
    /// What the person reads.
    pub fn text(&self) -> String {
        self.collect(|part| if let Part::Text { text, .. } = part { Some(text) } else { None })
    }

    /// What the model thought, as far as the provider shows it.
    pub fn thinking(&self) -> String {
        self.collect(|part| if let Part::Thinking { thinking, .. } = part { Some(thinking) } else { None })
    }

    /// What the model said instead of an answer; mostly empty.
    pub fn refusal(&self) -> String {
        self.collect(|part| if let Part::Refusal { refusal } = part { Some(refusal) } else { None })
    }

    fn collect(&self, of: impl Fn(&Part) -> Option<&String>) -> String {
        self.content.iter().filter_map(of).map(String::as_str).collect()
    }

    /// The message to keep in the conversation; `model` is who was asked. A call that must not run keeps its place
    /// with empty arguments, so that its error result has a call to belong to.
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
            stop_reason: self.finish.clone(),
            usage: self.usage,
            model: Some(AnsweredBy { api: model.api, model_id: model.model_id.clone() }),
        }
    }
}

/// A tool call of a finished answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Unique in its answer; made up where the provider gave none.
    pub id: String,
    /// The tool; empty where the provider never named it.
    pub name: String,
    /// What it is to be called with.
    pub arguments: Arguments,
    /// The provider's token, see [`AssistantPart`].
    pub signature: Option<String>,
}

/// The arguments of a call. Only whole ones may run.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// A whole JSON object.
    Whole(Map<String, Value>),
    /// The text ended before the object did.
    CutOff {
        /// What there was.
        raw: String,
    },
    /// Not a JSON object.
    Invalid {
        /// What there was.
        raw: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Arguments {
    /// The arguments to run with; none where the call must not run.
    pub fn whole(&self) -> Option<&Map<String, Value>> {
        match self {
            Arguments::Whole(arguments) => Some(arguments),
            _ => None,
        }
    }

    /// The arguments to run with, or what to tell the model instead.
    pub fn runnable(&self) -> Result<&Map<String, Value>, Error> {
        match self {
            Arguments::Whole(arguments) => Ok(arguments),
            Arguments::CutOff { .. } => Err(Error::ArgumentsCutOff),
            Arguments::Invalid { reason, .. } => {
                Err(copydesk_base::Error::InvalidArguments { reason: reason.clone() }.into())
            }
        }
    }
}
