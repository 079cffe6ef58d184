//! The `openai-responses` wire format: `POST {base}/responses`, answered by server-sent events.
//!
//! An answer is a list of items: messages, reasoning, calls. Each goes back as an item of its own, and a reasoning
//! item whole, as it came. Nothing is kept at the server (`store: false`), so the conversation is sent each time.
//!
//! The reference is OpenAI's ([request](https://platform.openai.com/docs/api-reference/responses/create),
//! [events](https://platform.openai.com/docs/api-reference/responses-streaming)); what other servers do otherwise
//! is named where it is tolerated.

mod events;
mod items;
mod request;

pub(super) use events::Events;
pub(super) use request::request;
