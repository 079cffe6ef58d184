//! The errors of parameters, settings and the host.

use super::{HostError, is_local, seconds};
use crate::locale::Locale;
use crate::messages;
use crate::phrases::after_colon;

crate::errors! {
    /// A wrong parameter or setting, or a failure of the host.
    pub enum Error {
        // Input.
        /// A parameter that the call needs is missing.
        MissingParameter {
            /// The tool or operation that was called.
            call: String,
            /// The parameter.
            name: String,
        } = "missing_parameter" {
            message: |locale| messages::MissingParameter { call, name }.text(locale),
            details: { "call": call, "name": name },
        }
        /// A parameter outside its range or of the wrong type.
        InvalidParameter {
            /// The parameter.
            name: String,
            /// The given value, as JSON, cut to a readable length.
            given: String,
            /// The accepted values.
            expected: String,
        } = "invalid_parameter" {
            message: |locale| messages::InvalidParameter { name, given, expected }.text(locale),
            details: { "name": name, "given": given, "expected": expected },
        }
        /// A text that is to be written has a control character or a noncharacter.
        UnwritableCharacter {
            /// The parameter.
            name: String,
            /// The character, as `U+000C`.
            character: String,
            /// The text around it, such characters escaped.
            near: String,
        } = "unwritable_character" {
            message: |locale| messages::UnwritableCharacter { name, character, near }.text(locale),
            details: { "name": name, "character": character, "near": near },
        }
        /// The arguments of a call are not a JSON object.
        InvalidArguments {
            /// The reason.
            reason: String,
        } = "invalid_arguments" {
            shorten: reason,
            message: |locale| messages::InvalidArguments { reason }.text(locale),
        }
        /// An escape in the arguments of a call has two plausible meanings.
        AmbiguousEscape {
            /// The escape with the letters after it, such as `\new`.
            escape: String,
        } = "ambiguous_escape" {
            message: |locale| messages::AmbiguousEscape { escape, control_character: &control_character(escape, locale), unicode_escape: &unicode_escape(escape) }.text(locale),
            details: { "escape": escape },
        }
        /// A setting is missing or wrong.
        Config {
            /// The setting.
            name: String,
            /// The accepted values.
            expected: String,
        } = "config" {
            message: |locale| messages::Config { name, expected }.text(locale),
        }
        /// An input is longer than is accepted.
        TooLarge {
            /// The given length, in bytes.
            length: usize,
            /// The greatest accepted length, in bytes.
            limit: usize,
        } = "too_large" {
            message: |locale| messages::TooLarge { length, limit }.text(locale),
            details: { "length": length, "limit": limit },
        }

        // The network.
        /// The browser reports that it is offline.
        Offline = "offline" {
            message: |locale| messages::OFFLINE.text(locale),
            retryable: true,
        }
        /// The server can be reached, but the browser may not read its response (CORS).
        Blocked {
            /// The origin of the request's URL.
            origin: String,
        } = "blocked_by_cors" {
            message: |locale| messages::Blocked { origin, cors_help: &cors_help(origin, locale) }.text(locale),
            details: { "origin": origin },
        }
        /// The server gave no response.
        Unreachable {
            /// The origin of the request's URL.
            origin: String,
            /// The reason that the host states; empty if it states none.
            reason: String,
        } = "unreachable" {
            message: |locale| messages::Unreachable { origin, reason: &after_colon(reason, locale) }.text(locale),
            details: { "origin": origin },
            retryable: true,
        }
        /// A server redirects a request that carries a key or the document to another origin; it was not sent there.
        Redirected {
            /// The origin of the request's URL.
            origin: String,
            /// The origin to which it redirects; `None` if the browser does not tell.
            target: Option<String>,
        } = "redirected" {
            message: |locale| {
                let target = target.as_deref().unwrap_or(messages::HIDDEN_ADDRESS.text(locale));
                messages::Redirected { origin, target: &target }.text(locale)
            },
            details: { "origin": origin, "target": target },
        }
        /// The app's own fetch function failed, or returned something that is not a response.
        FetchFailed {
            /// The message of the failure.
            reason: String,
        } = "fetch_failed" {
            message: |locale| messages::FetchFailed { reason }.text(locale),
        }
        /// No result came within the time allowed.
        Timeout {
            /// The name of the request, tool or hook that was waited for.
            what: String,
            /// The time allowed, in milliseconds.
            ms: u64,
        } = "timeout" {
            message: |locale| messages::Timeout { what, seconds: &seconds(*ms) }.text(locale),
            details: { "what": what, "ms": ms },
            retryable: true,
        }
        /// The user stopped the run.
        Aborted = "aborted" {
            message: |locale| messages::ABORTED.text(locale),
        }
        /// An error that only the host knows.
        Host {
            /// The error.
            error: HostError,
        } = { error.code() } {
            message: |locale| error.message(locale),
            details: (error.details()),
            retryable: error.is_retryable(),
        }
    }
}

/// Returns the name of the control character that an escape states in JSON.
fn control_character(escape: &str, locale: Locale) -> &'static str {
    match escape.as_bytes().get(1) {
        Some(b't') => messages::TAB.text(locale),
        Some(b'r') => messages::CARRIAGE_RETURN.text(locale),
        _ => messages::LINE_BREAK.text(locale),
    }
}

/// Returns the other form of the control character that an escape states in JSON.
fn unicode_escape(escape: &str) -> &'static str {
    match escape.as_bytes().get(1) {
        Some(b't') => "\\u0009",
        Some(b'r') => "\\u000d",
        _ => "\\u000a",
    }
}

/// Returns what to set so that a page may read the responses of an origin.
fn cors_help(origin: &str, locale: Locale) -> &'static str {
    let local = is_local(origin);
    let on = |port: &str| origin.trim_end_matches('/').ends_with(port);
    // https://docs.ollama.com/faq, https://lmstudio.ai/docs/cli/server-start, https://docs.vllm.ai/en/stable/cli/serve
    if on(":11434") {
        messages::CORS_OLLAMA.text(locale)
    } else if on(":1234") {
        messages::CORS_LM_STUDIO.text(locale)
    } else if on(":8000") && local {
        messages::CORS_VLLM.text(locale)
    } else if local {
        messages::CORS_LOCAL.text(locale)
    } else if ["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "openrouter.ai"]
        .iter()
        .any(|host| origin.ends_with(host))
    {
        // They answer pages, but not with headers that they do not know, nor under every path.
        messages::CORS_PROVIDER.text(locale)
    } else {
        messages::CORS_OTHER.text(locale)
    }
}
