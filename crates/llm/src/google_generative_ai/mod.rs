//! The `google-generative-ai` wire format: `POST {base}/models/{model}:streamGenerateContent`, answered by
//! server-sent events.
//!
//! A conversation is turns of `user` and `model`, and a turn is parts: texts, thoughts, pictures, calls, results. The
//! [reference](https://ai.google.dev/api/generate-content) says what they are. A `thoughtSignature` may stand on any
//! part, and [goes back](https://ai.google.dev/gemini-api/docs/thought-signatures) on that same part.

mod chunks;
mod request;

pub(super) use chunks::Chunks;
pub(super) use request::request;
