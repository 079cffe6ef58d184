//! Wire formats: one folder for each, and the list of all of them.
//!
//! A folder defines its [`Format`]: name, endpoint, headers, body, and the reader of the answer's events. To add a format,
//! write its folder and add its constant to [`Api::ALL`]; nothing else matches on formats.

mod anthropic_messages;
mod google_generative_ai;
mod openai_completions;
mod openai_responses;

use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use copydesk_base::decode::one_of;
use copydesk_base::host::Request;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// The definition of a wire format.
trait Format: Sync {
    /// Returns the name in settings and messages.
    fn name(&self) -> &'static str;

    /// Returns the URL to post to. The base URL may be the whole of it.
    fn endpoint(&self, config: &LlmConfig) -> String;

    /// Returns the headers except `content-type`, including the key.
    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)>;

    /// Returns the body of the request that asks a model to continue a conversation.
    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value>;

    /// Creates the reader of an answer.
    fn reader(&self) -> Box<dyn EventReader>;

    /// Returns whether tool results have a field for failure. Otherwise the text of the result states it.
    fn marks_failed_results(&self) -> bool;
}

/// A wire format. As JSON it is its name.
#[derive(Clone, Copy)]
pub struct Api(&'static dyn Format);

impl Api {
    /// All formats.
    pub const ALL: &[Api] =
        &[Api::OPENAI_COMPLETIONS, Api::ANTHROPIC_MESSAGES, Api::OPENAI_RESPONSES, Api::GOOGLE_GENERATIVE_AI];

    /// Returns the name in settings and messages, such as `openai-completions`.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the format of this name.
    pub fn named(name: &str) -> Option<Api> {
        Api::ALL.iter().copied().find(|api| api.name() == name)
    }

    /// Returns the URL to post to.
    pub(crate) fn url(self, config: &LlmConfig) -> String {
        self.0.endpoint(config)
    }

    /// Returns the request that asks a model to continue a conversation.
    pub(crate) fn request(self, config: &LlmConfig, prompt: Prompt<'_>) -> Request {
        let mut body = self.0.body(config, prompt);
        config.stream_options.body.merge_into(&mut body);
        let request = Request::post_json(self.url(config), &body.into());
        self.0.headers(config).into_iter().fold(request, |request, (name, value)| request.with_header(name, value))
    }

    pub(crate) fn reader(self) -> Box<dyn EventReader> {
        self.0.reader()
    }

    pub(crate) fn marks_failed_results(self) -> bool {
        self.0.marks_failed_results()
    }
}

impl PartialEq for Api {
    fn eq(&self, other: &Api) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Api {}

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

/// Returns the URL to post to: the base with this path, unless it ends with it. A query, as in Azure's URLs, stays at
/// the end.
fn endpoint(base_url: &str, end: &str) -> String {
    let base = base_url.trim();
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(end).unwrap_or(path).trim_end_matches('/');
    format!("{path}{end}{query}")
}

/// Returns the header in which most servers expect the key.
fn bearer(config: &LlmConfig) -> Vec<(&'static str, String)> {
    config.stream_options.key().map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}

/// Returns an object without its members that are null.
fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}
