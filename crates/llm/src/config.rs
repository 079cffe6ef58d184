//! Settings of a request: the model, its server, and limits.

use super::{Api, Compat, Cost};
use crate::Error;
use copydesk_base::decode;
use copydesk_base::error::excerpt;
use copydesk_base::host::percent_decoded;
use copydesk_base::secrets::{Secrets, names_key};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// A model and its server's format.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// Wire format of the server.
    pub api: Api,
    /// Name of the model on its server.
    pub model_id: String,
    /// Differences of the server; guessed if not set.
    #[serde(default)]
    pub compat: Compat,
    /// Size of the context window in tokens, input and output together.
    pub context_window: Option<u64>,
    /// Prices.
    pub cost: Option<Cost>,
}

/// Amount of thinking before an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThinkingLevel {
    /// No thinking, if the model allows that.
    Off,
    /// The least thinking.
    Minimal,
    /// Little thinking.
    Low,
    /// Medium thinking.
    Medium,
    /// Much thinking.
    High,
    /// The most thinking.
    Xhigh,
}

impl ThinkingLevel {
    /// All levels, from the least to the most.
    pub const ALL: [ThinkingLevel; 6] = [
        ThinkingLevel::Off,
        ThinkingLevel::Minimal,
        ThinkingLevel::Low,
        ThinkingLevel::Medium,
        ThinkingLevel::High,
        ThinkingLevel::Xhigh,
    ];

    /// Returns the name in settings.
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

    /// Returns the level of this name.
    pub fn named(name: &str) -> Option<ThinkingLevel> {
        ThinkingLevel::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// Connection to the server, and limits of an answer. `Debug` omits the key and the headers.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamOptions {
    /// Key, sent in the format's own header; some servers need none.
    pub api_key: Option<String>,
    /// URL before the path that the format adds (`/chat/completions`), such as `https://api.openai.com/v1`. It may also
    /// be the whole URL, or relative to the page.
    pub base_url: String,
    /// Sampling temperature; the server's default if `None`.
    pub temperature: Option<f64>,
    /// Maximum number of tokens in an answer. If `None`, the server's default, or the format's if it requires a number.
    pub max_tokens: Option<u64>,
    /// Timeout in milliseconds for the first byte of an answer, and between two of its bytes.
    #[serde(default, deserialize_with = "decode::milliseconds")]
    pub timeout: Option<u64>,
    /// Timeout in milliseconds for a whole answer, from the request to the last byte; that of the run if `None`.
    #[serde(default, deserialize_with = "decode::milliseconds")]
    pub total_timeout: Option<u64>,
    /// Further headers; they override headers of the format. A browser sends a preflight request for them, and most
    /// servers refuse headers that they do not know.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// Further fields of the request's body.
    #[serde(default)]
    pub body: ExtraFields,
}

/// Fields that are merged into the body of a request, as RFC 7396 (JSON Merge Patch) defines it: objects are merged,
/// other values replace, `null` removes. Fields that copydesk computes from the conversation are refused.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct ExtraFields(Map<String, Value>);

impl ExtraFields {
    /// The fields of all wire formats that state the model, the conversation, the tools and the stream.
    const COMPUTED: [&str; 10] = [
        "model",
        "messages",
        "input",
        "contents",
        "system",
        "instructions",
        "systemInstruction",
        "system_instruction",
        "tools",
        "stream",
    ];

    /// Adds the texts of fields whose names are those of keys, as for headers.
    fn add_secrets(&self, secrets: &Secrets) {
        let texts = self.0.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
        texts.filter(|(name, _)| names_key(name)).for_each(|(name, value)| secrets.add_header(name, value));
    }

    /// Merges the fields into the body of a request.
    pub(crate) fn merge_into(&self, body: &mut Map<String, Value>) {
        merge(body, &self.0);
    }
}

impl TryFrom<Map<String, Value>> for ExtraFields {
    type Error = String;

    fn try_from(fields: Map<String, Value>) -> Result<ExtraFields, String> {
        match fields.keys().find(|name| ExtraFields::COMPUTED.contains(&name.as_str())) {
            None => Ok(ExtraFields(fields)),
            Some(name) => {
                let [rest @ .., last] = ExtraFields::COMPUTED;
                let computed = rest.join(", ");
                Err(format!("fields other than {computed} and {last}, which copydesk sets itself, not \"{name}\""))
            }
        }
    }
}

fn merge(into: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (name, value) in patch {
        match value {
            Value::Null => {
                into.remove(name);
            }
            Value::Object(patch) => {
                let field = into.entry(name.as_str()).or_insert_with(|| Map::new().into());
                if !field.is_object() {
                    *field = Map::new().into();
                }
                field.as_object_mut().into_iter().for_each(|field| merge(field, patch));
            }
            value => {
                into.insert(name.clone(), value.clone());
            }
        }
    }
}

impl StreamOptions {
    /// Default timeout in milliseconds.
    pub const DEFAULT_TIMEOUT: u64 = 60_000;

    /// Returns the timeout in milliseconds for the first byte and between two bytes.
    pub fn timeout(&self) -> u64 {
        self.timeout.unwrap_or(Self::DEFAULT_TIMEOUT)
    }

    /// Adds the key, and the keys in the headers and in the URL.
    pub fn add_secrets(&self, secrets: &Secrets) {
        self.key().into_iter().for_each(|key| secrets.add(key));
        self.headers.iter().for_each(|(name, value)| secrets.add_header(name, value));
        self.body.add_secrets(secrets);
        secrets.add_url(&self.base_url);
    }

    /// Returns the key, if there is one to send.
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

/// A model, and the connection to its server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmConfig {
    /// A model and its server's format.
    pub model: Model,
    /// Connection to the server.
    pub stream_options: StreamOptions,
    /// Amount of thinking; the server's default if `None`.
    pub thinking_level: Option<ThinkingLevel>,
}

impl LlmConfig {
    /// Fails with [`copydesk_base::Error::Config`] for settings that would fail later with a less clear error: a
    /// missing model or URL, a URL that is not http(s), a key that no header can carry (`fetch` throws the same
    /// `TypeError` as for a dead network). Also for an id of a model that would lead to another path of the server.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |name: &str, expected: &str| {
            Err(copydesk_base::Error::Config { name: name.into(), expected: expected.into() }.into())
        };
        let options = &self.stream_options;
        let base = options.base_url.trim();
        if self.model.model_id.trim().is_empty() {
            return wrong("model.modelId", "the name of a model of this server");
        }
        if leads_out(&self.model.model_id) {
            return wrong("model.modelId", "the name of a model, without \"..\" as a part of a path");
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

/// Number of encodings in one another that are decoded.
const ENCODINGS: usize = 6;

/// Returns whether an id has a path segment that URL parsers resolve, literally or encoded: proxies and servers may
/// each decode it once.
fn leads_out(id: &str) -> bool {
    let mut id = id.to_owned();
    (0..=ENCODINGS).any(|_| {
        // Servlet containers remove the text behind a semicolon.
        let bare = |segment: &str| matches!(segment.split(';').next().unwrap_or_default().trim(), "." | "..");
        let found = id.split(['/', '\\']).any(bare);
        id = percent_decoded(&id);
        found
    })
}

/// Returns whether `fetch` accepts a header. For others it throws the same error as for a dead network.
pub fn is_header(name: &str, value: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && name.bytes().all(token) && value.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Description of a tool for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Name that the model calls.
    pub name: String,
    /// Purpose of the tool, and when to use it.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}
