//! Errors of providers: statuses other than 2xx, and `error` objects in bodies and streams.

use super::error_kind::{ErrorKind, error_kind};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::Secrets;
use serde_json::Value;

/// Returns the error for a status other than 2xx, with the provider's own message if its body has one. `model` is the
/// model that was asked.
///
/// Keys in the message and in the URL are redacted.
pub fn status_error(status: u16, url: &str, content_type: &str, body: &str, model: &str, secrets: &Secrets) -> Error {
    let (words, said) = match serde_json::from_str::<Value>(body) {
        Ok(value) => (message_in(&value).unwrap_or_default(), all_said(&value)),
        Err(_) => {
            let words = plain_words(content_type, body);
            let said = words.to_ascii_lowercase();
            (words, said)
        }
    };
    let message = excerpt(&secrets.redact(&words));
    named(status, &said, model, message).unwrap_or_else(|message| match status {
        // A web server without the endpoint responds with 405 to a POST.
        404 | 405 => Error::NotFound { url: secrets.redact(&shown(url)), message },
        // 408 is the server's own timeout, 409 and 425 ask for a retry: as with 5xx, the same request may succeed
        // later.
        408 | 409 | 425 | 500.. => Error::ServerError { status, message },
        _ => Error::BadRequest { status, message },
    })
}

/// Returns the delay in milliseconds after which an error's body asks for a retry. Google states it there,
/// `"retryDelay": "34.5s"`, and in no header.
pub fn retry_delay(body: &str) -> Option<u64> {
    let (_, rest) = body.split_once("\"retryDelay\"")?;
    let given = rest.trim_start_matches([':', ' ', '\n', '"']);
    // Parsed by serde_json, because the standard library's parser of floats would add its own tables.
    let seconds = serde_json::from_str::<Value>(&given[..given.find("s\"")?]).ok()?.as_f64()?;
    (0.0..86_400.0).contains(&seconds).then_some((seconds * 1000.0) as u64)
}

/// Returns the error that was reported inside a 2xx answer: as JSON, or as text.
pub(super) fn reported_error(value: &Value, secrets: &Secrets) -> Error {
    let message = excerpt(&secrets.redact(&message_in(value).unwrap_or_default()));
    // OpenRouter and Google state the original status.
    let code = [value, &value["error"], &value["error"]["error"]].iter().find_map(|holder| holder["code"].as_u64());
    let status = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)).unwrap_or(0);
    let said = all_said(value);
    named(status, &said, "", message).unwrap_or_else(|message| match status {
        408 | 409 | 425 | 500.. => Error::ServerError { status, message },
        400.. => Error::BadRequest { status, message },
        _ if said.contains("invalid_request") => Error::BadRequest { status: 400, message },
        _ => Error::Provider { message },
    })
}

/// Returns the error if its text or the status identifies it, else the message.
fn named(status: u16, said: &str, model: &str, message: String) -> Result<Error, String> {
    match error_kind(status, said) {
        ErrorKind::Overflow => Ok(Error::ContextOverflow { message }),
        ErrorKind::Quota => Ok(Error::QuotaExceeded { message }),
        ErrorKind::Key => Ok(Error::Unauthorized { status: if status == 0 { 401 } else { status }, message }),
        ErrorKind::Model => Ok(Error::ModelNotFound { model: model.to_owned(), message }),
        ErrorKind::Filter => Ok(Error::ContentFilter),
        ErrorKind::Overloaded => Ok(Error::Overloaded { message }),
        ErrorKind::Rate => Ok(Error::RateLimited { message }),
        ErrorKind::Other => Err(message),
    }
}

/// Returns all text of an error in lower case: messages, codes, types, details. Omits the input and the generation,
/// which FastAPI and Groq quote.
fn all_said(value: &Value) -> String {
    const LONGEST: usize = 8 << 10;
    fn collect(value: &Value, said: &mut String) {
        match value {
            _ if said.len() > LONGEST => {}
            Value::String(text) => {
                let text: String = text.chars().take(LONGEST).collect();
                said.push_str(&text.to_ascii_lowercase());
                said.push('\n');
            }
            Value::Array(values) => values.iter().for_each(|value| collect(value, said)),
            Value::Object(fields) => {
                let quoted = ["input", "failed_generation"];
                let own = fields.iter().filter(|(name, _)| !quoted.contains(&name.as_str()));
                own.for_each(|(_, value)| collect(value, said));
            }
            _ => {}
        }
    }
    let mut said = String::new();
    collect(value, &mut said);
    said
}

/// Returns whether a field that reports an error reports one.
pub(super) fn says(error: Option<&Value>) -> bool {
    match error {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Object(object)) => !object.is_empty(),
        Some(_) => true,
    }
}

/// Returns the text of an error body that is not JSON: the title of a page, or the text itself.
fn plain_words(content_type: &str, body: &str) -> String {
    if content_type.contains("html") || body.trim_start().starts_with('<') {
        return title(body).unwrap_or_default().to_owned();
    }
    body.trim().to_owned()
}

/// Returns the message in an error body or event, in the forms that providers use: `{"error": {"message"}}`,
/// `{"error": "…"}`, `{"message"}`, `{"detail": "…"}`, `{"detail": [{"msg"}]}`, `{"errors": […]}`, and any of them in
/// an array. `None` if there is none.
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
            // OpenRouter: `{"message": "Provider returned error", "metadata": {"raw": "the original error"}}`.
            match (said, object.get("metadata").and_then(|metadata| metadata.get("raw")).and_then(Value::as_str)) {
                (Some(said), Some(raw)) if !raw.trim().is_empty() => Some(format!("{said}: {}", inner(raw))),
                (None, _) => object.get("code").and_then(Value::as_str).map(str::to_owned),
                (said, _) => said,
            }
        }
        _ => None,
    }
}

/// Returns the message of an error that is quoted as a whole in another.
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

/// Returns a URL without its parts that may be secret: user, password and query.
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
