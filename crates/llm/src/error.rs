//! The errors of models' answers.

use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::phrases::after_colon;

copydesk_base::errors! {
    /// A failure to get an answer from a model.
    pub enum Error {
        /// The key was refused (401, 403).
        Unauthorized {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "unauthorized" {
            message: |locale| messages::Unauthorized { status, message: &after_colon(message, locale) }.text(locale),
            details: { "status": status },
        }
        /// The model does not exist, or not for this key.
        ModelNotFound {
            /// The id of the model; empty if only the stream named it.
            model: String,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "model_not_found" {
            message: |locale| {
                let reason = after_colon(message, locale);
                match model.as_str() {
                    "" => messages::NoModel { reason: &reason }.text(locale),
                    model => messages::ModelNotFound { model: &model, reason: &reason }.text(locale),
                }
            },
            details: { "model": model },
        }
        /// The endpoint does not exist (404).
        NotFound {
            /// The URL of the request.
            url: String,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "not_found" {
            message: |locale| messages::NotFound { url, message: &after_colon(message, locale) }.text(locale),
        }
        /// Too many requests (429).
        RateLimited {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "rate_limited" {
            message: |locale| messages::RateLimited { message: &after_colon(message, locale) }.text(locale),
            retryable: true,
        }
        /// The balance or the quota is used up (402, and some 429 and 400).
        QuotaExceeded {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "quota_exceeded" {
            message: |locale| messages::QuotaExceeded { message: &after_colon(message, locale) }.text(locale),
        }
        /// The provider has too many requests at the moment (503, 529).
        Overloaded {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "overloaded" {
            message: |locale| messages::Overloaded { message: &after_colon(message, locale) }.text(locale),
            retryable: true,
        }
        /// The conversation exceeds the model's context window (413, most 400).
        ContextOverflow {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "context_overflow" {
            message: |locale| messages::ContextOverflow { message: &after_colon(message, locale) }.text(locale),
        }
        /// The provider refused the request (other 4xx).
        BadRequest {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "bad_request" {
            message: |locale| messages::BadRequest { status, message: &after_colon(message, locale) }.text(locale),
            details: { "status": status },
        }
        /// The provider failed (5xx).
        ServerError {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "server_error" {
            message: |locale| messages::ServerError { status, message: &after_colon(message, locale) }.text(locale),
            details: { "status": status },
            retryable: true,
        }
        /// The response is not an event stream: most often it is a web page.
        NotAStream {
            /// The content type of the response.
            content_type: String,
            /// The beginning of the response.
            excerpt: String,
        } = "not_a_stream" {
            message: |locale| messages::NotAStream { responded: &responded(content_type, excerpt, locale) }.text(locale),
            details: { "contentType": content_type, "excerpt": excerpt },
        }
        /// The stream ended before the answer was complete.
        StreamCut = "stream_cut" {
            message: |locale| messages::STREAM_CUT.text(locale),
            retryable: true,
        }
        /// The stream contains data that is not of the format.
        MalformedStream {
            /// The problem.
            reason: String,
        } = "malformed_stream" {
            message: |locale| messages::MalformedStream { reason }.text(locale),
        }
        /// The provider reported an error inside the stream.
        Provider {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "provider_error" {
            message: |locale| messages::Provider { message: &after_colon(message, locale) }.text(locale),
            retryable: true,
        }
        /// The provider withheld the answer.
        ContentFilter = "content_filter" {
            message: |locale| messages::CONTENT_FILTER.text(locale),
        }
        /// The provider says that the model calls a tool, and there is no call.
        CallMissing = "call_missing" {
            message: |locale| messages::CALL_MISSING.text(locale),
            retryable: true,
        }
        /// The arguments of a call, or the answer that it is in, were cut off, so the call did not run.
        ArgumentsCutOff = "arguments_cut_off" {
            message: |locale| messages::ARGUMENTS_CUT_OFF.text(locale),
        }
    }
    wraps {
        /// A wrong setting, invalid arguments, or a failure of the network.
        Base(copydesk_base),
    }
}

/// Returns the kind of a response other than a stream, by its content type, or by its beginning if that claims a
/// stream.
fn responded(content_type: &str, excerpt: &str, locale: Locale) -> String {
    let claims_stream = content_type.to_ascii_lowercase().contains("event-stream");
    match content_type {
        _ if claims_stream && excerpt.trim_start().starts_with('<') => messages::WEB_PAGE.text(locale).to_owned(),
        _ if claims_stream || content_type.is_empty() => messages::SOMETHING_ELSE.text(locale).to_owned(),
        _ => messages::OfType { content_type: &content_type }.text(locale),
    }
}
