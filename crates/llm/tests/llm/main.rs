//! How a model is asked and its answer read. Random tests print their seed; `COPYDESK_SEED` sets it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod anthropic;
mod decoding;
mod google_generative_ai;
mod hostile;
mod http_errors;
mod messages;
mod odd_streams;
mod openai_responses;
mod partial_json;
use copydesk_test_support::random;
mod plain_chunks;
mod recorded;
mod redaction;
mod requests;
mod settings;
mod sse;
