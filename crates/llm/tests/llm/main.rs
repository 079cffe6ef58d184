//! Requests to models and their answers. Random tests print their seed; `COPYDESK_SEED` sets it.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod anthropic_requests;
mod anthropic_streams;
mod coercion;
mod decoding;
mod google_generative_ai;
mod hostile;
mod http_errors;
mod lenient_json;
mod messages;
mod odd_calls;
mod odd_streams;
mod openai_responses_requests;
mod openai_responses_streams;
mod partial_json;
use copydesk_test_support::random;
mod plain_chunks;
mod provider_errors;
mod recorded;
mod redaction;
mod reminders;
mod requests;
mod settings;
mod sse;
mod tagged_text;
mod tokens;
mod windows;
