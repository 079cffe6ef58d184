//! Which model is asked, where, with what; and the request that comes of it.

use crate::error::{Error, excerpt};
use crate::fields::{Object, must_be, optional, required};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// `POST {base}/chat/completions` with server-sent events, as OpenAI and very many others speak it.
    OpenaiCompletions,
}

/// The model to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The format its server speaks.
    pub api: Api,
    /// The name the server knows it by.
    pub model_id: String,
}

/// How the model is reached. `Debug` leaves the key out.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(try_from = "Value")]
pub struct StreamOptions {
    /// Sent as `Authorization: Bearer …`; some servers need none.
    pub api_key: Option<String>,
    /// The address before `/chat/completions`, such as `https://api.openai.com/v1`; it may also be the whole
    /// address, or relative to the page.
    pub base_url: String,
    /// Left to the server where it is none.
    pub temperature: Option<f64>,
    /// For the first byte of an answer, and between two of its bytes, in milliseconds.
    pub timeout: Option<u64>,
}

impl StreamOptions {
    /// The time allowed where none is set, in milliseconds.
    pub const DEFAULT_TIMEOUT: u64 = 60_000;

    /// The time allowed for the first byte and between two bytes, in milliseconds.
    pub fn timeout(&self) -> u64 {
        self.timeout.unwrap_or(Self::DEFAULT_TIMEOUT)
    }

    /// The key, where there is one to send.
    pub fn key(&self) -> Option<&str> {
        self.api_key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    }
}

impl TryFrom<Value> for StreamOptions {
    type Error = String;

    fn try_from(mut value: Value) -> Result<StreamOptions, String> {
        Ok(StreamOptions {
            api_key: optional(&mut value, "apiKey")?,
            base_url: required(&mut value, "baseUrl")?,
            temperature: optional(&mut value, "temperature")?,
            timeout: optional(&mut value, "timeout")?,
        })
    }
}

impl fmt::Debug for StreamOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamOptions")
            .field("api_key", &self.api_key.as_ref().map(|_| "…"))
            .field("base_url", &self.base_url)
            .field("temperature", &self.temperature)
            .field("timeout", &self.timeout)
            .finish()
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
}

impl TryFrom<Value> for LlmConfig {
    type Error = String;

    fn try_from(mut value: Value) -> Result<LlmConfig, String> {
        let Object(model) = required(&mut value, "model")?;
        let Object(stream_options) = required(&mut value, "streamOptions")?;
        Ok(LlmConfig { model: model.try_into()?, stream_options: stream_options.try_into()? })
    }
}

impl TryFrom<Value> for Model {
    type Error = String;

    fn try_from(mut value: Value) -> Result<Model, String> {
        let api = match required::<String>(&mut value, "api")?.as_str() {
            "openai-completions" => Api::OpenaiCompletions,
            _ => return Err(must_be("api", "openai-completions")),
        };
        Ok(Model { api, model_id: required(&mut value, "modelId")? })
    }
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
        if options.temperature.is_some_and(|temperature| !temperature.is_finite() || temperature < 0.0) {
            return wrong("streamOptions.temperature", "a number from 0 on, mostly up to 2");
        }
        Ok(())
    }
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
