//! Which model is asked, where, with what; and the request that comes of it.

use super::{Compat, Cost};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::fields::{Object, Reading, inside, must_be, required};
use copydesk_base::secrets::Secrets;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `POST {base}/chat/completions` with server-sent events, as OpenAI and very many others speak it.
    OpenaiCompletions,
    /// `POST {base}/v1/messages` with server-sent events, as Anthropic speaks it.
    AnthropicMessages,
    /// `POST {base}/responses` with server-sent events: OpenAI's newer one.
    OpenaiResponses,
    /// `POST {base}/models/{model}:streamGenerateContent` with server-sent events, as Google's Gemini speaks it.
    GoogleGenerativeAi,
}

impl Api {
    /// All there are.
    pub const ALL: &[Api] =
        &[Api::OpenaiCompletions, Api::AnthropicMessages, Api::OpenaiResponses, Api::GoogleGenerativeAi];

    /// As it is written in settings and messages.
    pub fn name(self) -> &'static str {
        match self {
            Api::OpenaiCompletions => "openai-completions",
            Api::AnthropicMessages => "anthropic-messages",
            Api::OpenaiResponses => "openai-responses",
            Api::GoogleGenerativeAi => "google-generative-ai",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Api> {
        Api::ALL.iter().copied().find(|api| api.name() == name)
    }
}

/// The model to ask.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The format its server speaks.
    pub api: Api,
    /// The name the server knows it by.
    pub model_id: String,
    /// What its server does otherwise than others; what is not said is guessed.
    pub compat: Compat,
    /// How many tokens it can take in and give together.
    pub context_window: Option<u64>,
    /// What it costs.
    pub cost: Option<Cost>,
}

/// How much a model is to think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThinkingLevel {
    /// Not at all, where that can be had.
    Off,
    /// As little as can be had.
    Minimal,
    /// Little.
    Low,
    /// Neither little nor much.
    Medium,
    /// Much.
    High,
    /// As much as can be had.
    Xhigh,
}

impl ThinkingLevel {
    /// All there are, from the least to the most.
    pub const ALL: [ThinkingLevel; 6] = [
        ThinkingLevel::Off,
        ThinkingLevel::Minimal,
        ThinkingLevel::Low,
        ThinkingLevel::Medium,
        ThinkingLevel::High,
        ThinkingLevel::Xhigh,
    ];

    /// As it is written in settings.
    pub fn name(self) -> &'static str {
        match self {
            ThinkingLevel::Off => "off",
            ThinkingLevel::Minimal => "minimal",
            ThinkingLevel::Low => "low",
            ThinkingLevel::Medium => "medium",
            ThinkingLevel::High => "high",
            ThinkingLevel::Xhigh => "xhigh",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<ThinkingLevel> {
        ThinkingLevel::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// How the model is reached. `Debug` leaves the key and the headers out.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct StreamOptions {
    /// Sent in the header that the format has for it; some servers need none.
    pub api_key: Option<String>,
    /// The address before what the format adds (`/chat/completions`), such as `https://api.openai.com/v1`; it may also
    /// be the whole address, or relative to the page.
    pub base_url: String,
    /// Left to the server where it is none.
    pub temperature: Option<f64>,
    /// The most tokens that an answer may have. Left to the server where it is none; a format that must say a number
    /// has one of its own.
    pub max_tokens: Option<u64>,
    /// For the first byte of an answer, and between two of its bytes, in milliseconds.
    pub timeout: Option<u64>,
    /// Further headers. One that copydesk sends as well goes in its place. A browser asks the server for leave first,
    /// and most refuse headers that they do not know.
    pub headers: Vec<(String, String)>,
}

impl StreamOptions {
    /// The time allowed where none is set, in milliseconds.
    pub const DEFAULT_TIMEOUT: u64 = 60_000;

    /// The time allowed for the first byte and between two bytes, in milliseconds.
    pub fn timeout(&self) -> u64 {
        self.timeout.unwrap_or(Self::DEFAULT_TIMEOUT)
    }

    /// Adds the key, and those in the headers and in the address.
    pub fn add_secrets(&self, secrets: &Secrets) {
        self.key().into_iter().for_each(|key| secrets.add(key));
        self.headers.iter().for_each(|(name, value)| secrets.add_header(name, value));
        secrets.add_url(&self.base_url);
    }

    /// The key, where there is one to send.
    pub fn key(&self) -> Option<&str> {
        self.api_key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    }
}

impl TryFrom<Value> for StreamOptions {
    type Error = String;

    fn try_from(value: Value) -> Result<StreamOptions, String> {
        let mut fields = Reading::of(value);
        let options = StreamOptions {
            api_key: fields.optional("apiKey"),
            base_url: fields.required("baseUrl"),
            temperature: fields.optional("temperature"),
            max_tokens: fields.optional("maxTokens").map(|count: usize| count as u64),
            timeout: fields.optional("timeout"),
            headers: headers(&mut fields),
        };
        fields.end(options)
    }
}

fn headers(fields: &mut Reading) -> Vec<(String, String)> {
    let given: Map<String, Value> = fields.optional("headers").unwrap_or_default();
    let mut headers = Vec::new();
    for (name, value) in given {
        match value {
            Value::String(value) => headers.push((name, value)),
            _ => fields.fail(must_be(&format!("headers.{}", excerpt(&name)), "a string")),
        }
    }
    headers
}

impl fmt::Debug for StreamOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamOptions")
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("base_url", &self.base_url)
            .field("temperature", &self.temperature)
            .field("max_tokens", &self.max_tokens)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// A model and how it is reached.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct LlmConfig {
    /// The model to ask.
    pub model: Model,
    /// How it is reached.
    pub stream_options: StreamOptions,
    /// How much it is to think; left to the server where it is none.
    pub thinking_level: Option<ThinkingLevel>,
}

impl TryFrom<Value> for LlmConfig {
    type Error = String;

    fn try_from(mut value: Value) -> Result<LlmConfig, String> {
        let Object(model) = required(&mut value, "model")?;
        let Object(stream_options) = required(&mut value, "streamOptions")?;
        let mut fields = Reading::of(value);
        let levels = "off, minimal, low, medium, high or xhigh";
        let config = LlmConfig {
            model: model.try_into().map_err(inside("model"))?,
            stream_options: stream_options.try_into().map_err(inside("streamOptions"))?,
            thinking_level: fields.word("thinkingLevel", levels, ThinkingLevel::named),
        };
        fields.end(config)
    }
}

impl TryFrom<Value> for Model {
    type Error = String;

    fn try_from(value: Value) -> Result<Model, String> {
        let mut fields = Reading::of(value);
        let api: String = fields.required("api");
        let api = Api::named(&api).unwrap_or_else(|| {
            let names: Vec<&str> = Api::ALL.iter().map(|api| api.name()).collect();
            fields.fail::<()>(must_be("api", &names.join(" or ")));
            Api::ALL[0]
        });
        let model = Model {
            api,
            model_id: fields.required("modelId"),
            compat: fields.nested("compat").unwrap_or_default(),
            context_window: fields.optional("contextWindow").map(|count: usize| count as u64),
            cost: fields.nested("cost"),
        };
        fields.end(model)
    }
}

impl LlmConfig {
    /// Finds what would fail later and less plainly: a missing model or address, an address that is not http(s),
    /// a key that no header can carry (`fetch` throws the same `TypeError` for it as for a dead network).
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |name: &str, expected: &str| {
            Err(copydesk_base::Error::Config { name: name.into(), expected: expected.into() }.into())
        };
        let options = &self.stream_options;
        let base = options.base_url.trim();
        if self.model.model_id.trim().is_empty() {
            return wrong("model.modelId", "the name of a model of this server");
        }
        if base.is_empty() {
            return wrong("streamOptions.baseUrl", "an address such as https://api.openai.com/v1");
        }
        if let Some((scheme, _)) = base.split_once("://")
            && !["http", "https"].iter().any(|valid| scheme.eq_ignore_ascii_case(valid))
        {
            let expected = format!("an http(s) address, not \"{}\"", excerpt(scheme));
            return wrong("streamOptions.baseUrl", &expected);
        }
        if options.key().is_some_and(|key| !key.bytes().all(|byte| byte.is_ascii_graphic())) {
            return wrong("streamOptions.apiKey", "printable ASCII without spaces");
        }
        if options.max_tokens == Some(0) {
            return wrong("streamOptions.maxTokens", "a number from 1 on");
        }
        if !options.headers.iter().all(|(name, value)| is_header(name, value)) {
            return wrong("streamOptions.headers", "names of letters, digits, - and _, with values of printable ASCII");
        }
        if options.temperature.is_some_and(|temperature| !temperature.is_finite() || temperature < 0.0) {
            return wrong("streamOptions.temperature", "a number from 0 on, mostly up to 2");
        }
        Ok(())
    }
}

/// Whether a header may be sent. As the key: `fetch` throws for others what it throws for a dead network.
pub fn is_header(name: &str, value: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && name.bytes().all(token) && value.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// By which the model calls it.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// A JSON Schema of its arguments.
    pub parameters: Value,
}
