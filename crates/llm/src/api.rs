//! The names of the wire formats.

use copydesk_base::decode::one_of;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A wire format. As JSON it is its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `POST {base}/chat/completions` with server-sent events, as OpenAI and many others speak it.
    OpenaiCompletions,
    /// `POST {base}/v1/messages` with server-sent events, as Anthropic speaks it.
    AnthropicMessages,
    /// `POST {base}/responses` with server-sent events: OpenAI's newer format.
    OpenaiResponses,
    /// `POST {base}/models/{model}:streamGenerateContent` with server-sent events, as Google's Gemini speaks it.
    GoogleGenerativeAi,
}

impl Api {
    /// All formats.
    pub const ALL: &[Api] =
        &[Api::OpenaiCompletions, Api::AnthropicMessages, Api::OpenaiResponses, Api::GoogleGenerativeAi];

    /// Returns the name in settings and messages, such as `openai-completions`.
    pub fn name(self) -> &'static str {
        match self {
            Api::OpenaiCompletions => "openai-completions",
            Api::AnthropicMessages => "anthropic-messages",
            Api::OpenaiResponses => "openai-responses",
            Api::GoogleGenerativeAi => "google-generative-ai",
        }
    }

    /// Returns the format of this name.
    pub fn named(name: &str) -> Option<Api> {
        Api::ALL.iter().copied().find(|api| api.name() == name)
    }
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Api {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Api {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Api, D::Error> {
        let name = String::deserialize(deserializer)?;
        let names: Vec<&str> = Api::ALL.iter().map(|api| api.name()).collect();
        let wrong = || D::Error::invalid_value(Unexpected::Str(&name), &one_of(&names).as_str());
        Api::named(&name).ok_or_else(wrong)
    }
}
