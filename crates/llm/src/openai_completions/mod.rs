//! The `openai-completions` wire format: `POST {base}/chat/completions`, answered by server-sent events.
//!
//! The [request](https://platform.openai.com/docs/api-reference/chat/create) keeps to what every server takes;
//! where servers differ, [`compat`](super::compat) knows. The reader takes what servers really send, which is a
//! good deal more than the reference says; each tolerance is named where it stands, and has its test.

mod chunks;
mod pieces;
mod request;

pub(super) use chunks::Chunks;
pub(super) use request::request;
