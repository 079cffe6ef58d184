//! The `anthropic-messages` wire format: `POST {base}/v1/messages`, answered by server-sent events that all have names.
//!
//! What is sent is in `request`, how much a model thinks in `thinking`, what comes back in `events`. The
//! [reference](https://platform.claude.com/docs/en/api/messages) is Anthropic's; others speak the format too
//! (DeepSeek, Kimi, MiniMax, Z.ai), mostly without looking at signatures.

mod events;
mod request;
mod thinking;

pub(super) use events::Events;
pub(super) use request::request;
