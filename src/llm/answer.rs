//! A model's answer: as it arrives, and when it is whole.

use super::message::{AssistantPart, Message, Usage};
use crate::error::Error;
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
    /// What the person reads.
    pub text: String,
    /// What the model thought, as far as the provider shows it.
    pub thinking: String,
    /// What the model said instead of an answer; mostly empty.
    pub refusal: String,
    /// In the order in which they began.
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended, as the provider said it. It may be `stop` although there are calls, `eos`, or empty where
    /// the provider only said that it was done.
    pub finish: String,
    /// What it cost, where the provider said so.
    pub usage: Option<Usage>,
}

impl Answer {
    /// The message to keep in the conversation. A call that must not run keeps its place with empty arguments,
    /// so that its error result has a call to belong to.
    pub fn message(&self) -> Message {
        let mut content = Vec::new();
        if !self.thinking.is_empty() {
            content.push(AssistantPart::Thinking { thinking: self.thinking.clone() });
        }
        for text in [&self.text, &self.refusal] {
            if !text.is_empty() {
                content.push(AssistantPart::Text { text: text.clone() });
            }
        }
        content.extend(self.tool_calls.iter().map(|call| AssistantPart::ToolCall {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.whole().cloned().unwrap_or_default(),
        }));
        Message::Assistant { content, stop_reason: self.finish.clone(), usage: self.usage }
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
            Arguments::Invalid { reason, .. } => Err(Error::InvalidArguments { reason: reason.clone() }),
        }
    }
}
