//! What a provider says when it does not answer: statuses other than 2xx, and `error` objects in bodies and streams.

use crate::error::{Error, excerpt, without_key};
use serde_json::Value;

/// The error for a status other than 2xx, with the provider's own words where its body has some.
///
/// Occurrences of `key` in those words and in the address are blotted out.
pub fn status_error(status: u16, url: &str, content_type: &str, body: &str, key: Option<&str>) -> Error {
    let message = excerpt(&without_key(&words_of(content_type, body), key));
    match status {
        401 | 403 => Error::Unauthorized { status, message },
        // 405 is what a web server says to a POST where it only has pages.
        404 | 405 => Error::NotFound { url: without_key(&shown(url), key), message },
        // 402 is how DeepSeek and OpenRouter say that the balance is used up.
        402 | 429 => Error::RateLimited { message },
        // 408 is the server's own timeout: as with 5xx, the same request may do later.
        408 | 500.. => Error::ServerError { status, message },
        _ => Error::BadRequest { status, message },
    }
}

/// Whether a field that reports an error reports one.
pub(super) fn says(error: Option<&Value>) -> bool {
    match error {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Object(object)) => !object.is_empty(),
        Some(_) => true,
    }
}

/// The provider's words in an error body: the message of its JSON, the title of a page, or the text itself.
fn words_of(content_type: &str, body: &str) -> String {
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        return message_in(&value).unwrap_or_default();
    }
    if content_type.contains("html") || body.trim_start().starts_with('<') {
        return title(body).unwrap_or_default().to_owned();
    }
    body.trim().to_owned()
}

/// The message in an error body or event, in the shapes that providers use: `{"error": {"message"}}`,
/// `{"error": "…"}`, `{"message"}`, `{"detail": "…"}`, `{"detail": [{"msg"}]}`, `{"errors": […]}`, and any of
/// them in an array. None where there is none.
pub(super) fn message_in(value: &Value) -> Option<String> {
    message_within(value, 4)
}

fn message_within(value: &Value, levels: usize) -> Option<String> {
    let levels = levels.checked_sub(1)?;
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(values) => values.iter().find_map(|value| message_within(value, levels)),
        Value::Object(object) => {
            let said = ["error", "message", "detail", "errors", "msg"]
                .iter()
                .find_map(|key| message_within(object.get(*key)?, levels));
            // OpenRouter: `{"message": "Provider returned error", "metadata": {"raw": "what it really said"}}`.
            match (said, object.get("metadata").and_then(|metadata| metadata.get("raw")).and_then(Value::as_str)) {
                (Some(said), Some(raw)) if !raw.trim().is_empty() => Some(format!("{said}: {}", inner(raw))),
                (None, _) => object.get("code").and_then(Value::as_str).map(str::to_owned),
                (said, _) => said,
            }
        }
        _ => None,
    }
}

/// The message of an error that was quoted whole in another.
fn inner(raw: &str) -> String {
    let value = serde_json::from_str::<Value>(raw).ok();
    value.and_then(|value| message_within(&value, 3)).unwrap_or_else(|| raw.trim().to_owned())
}

fn title(page: &str) -> Option<&str> {
    let lower = page.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    page.get(start..end).map(str::trim)
}

/// An address without what may be secret in it: user, password and query.
fn shown(url: &str) -> String {
    let plain = url.split(['?', '#']).next().unwrap_or_default();
    match plain.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
            let host = host.rsplit('@').next().unwrap_or(host);
            format!("{scheme}://{host}{path}")
        }
        None => plain.to_owned(),
    }
}
