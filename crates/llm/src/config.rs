//! Which model is asked, where, with what; and the request that comes of it.

use super::{Api, Compat, Cost};
use copydesk_base::decode;
use copydesk_base::error::{Error, excerpt};
use copydesk_base::secrets::Secrets;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The model to ask.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// The format its server speaks.
    pub api: Api,
    /// The name the server knows it by.
    pub model_id: String,
    /// What its server does otherwise than others; what is not said is guessed.
    #[serde(default)]
    pub compat: Compat,
    /// How many tokens it can take in and give together.
    pub context_window: Option<u64>,
    /// What it costs.
    pub cost: Option<Cost>,
}

/// How much a model is to think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
#[serde(rename_all = "camelCase")]
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
    #[serde(default, deserialize_with = "decode::milliseconds")]
    pub timeout: Option<u64>,
    /// Further headers. One that copydesk sends as well goes in its place. A browser asks the server for leave first,
    /// and most refuse headers that they do not know.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
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
#[serde(rename_all = "camelCase")]
pub struct LlmConfig {
    /// The model to ask.
    pub model: Model,
    /// How it is reached.
    pub stream_options: StreamOptions,
    /// How much it is to think; left to the server where it is none.
    pub thinking_level: Option<ThinkingLevel>,
}

impl LlmConfig {
    /// Finds what would fail later and less plainly: a missing model or address, an address that is not http(s),
    /// a key that no header can carry (`fetch` throws the same `TypeError` for it as for a dead network).
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |name: &str, expected: &str| Err(Error::Config { name: name.into(), expected: expected.into() });
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
