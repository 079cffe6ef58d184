//! The definition of a wire format, and the parts that several formats share.

use crate::partial_answer::EventReader;
use crate::{LlmConfig, Prompt};
use serde_json::{Map, Value};

/// The definition of a wire format.
pub(super) trait Format: Sync {
    /// Returns the URL to post to. The base URL may be the whole of it.
    fn endpoint(&self, config: &LlmConfig) -> String;

    /// Returns the headers except `content-type`, including the key.
    fn headers(&self, config: &LlmConfig) -> Vec<(&'static str, String)>;

    /// Returns the body of the request that asks a model to continue a conversation.
    fn body(&self, config: &LlmConfig, prompt: Prompt<'_>) -> Map<String, Value>;

    /// Creates the reader of an answer.
    fn reader(&self) -> Box<dyn EventReader>;
}

/// Returns the URL to post to: the base with this path, unless it ends with it. A query, as in Azure's URLs, stays at
/// the end.
pub(super) fn endpoint(base_url: &str, end: &str) -> String {
    let base = base_url.trim();
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(end).unwrap_or(path).trim_end_matches('/');
    format!("{path}{end}{query}")
}

/// Returns the header in which most servers expect the key.
pub(super) fn bearer(config: &LlmConfig) -> Vec<(&'static str, String)> {
    config.stream_options.key().map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}

/// Returns an object without its members that are null.
pub(super) fn without_nulls(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, value| !value.is_null());
    }
    object
}
