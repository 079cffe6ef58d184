//! The checks of the targets of `fuzz/`, one function per target. Each panics if an input violates an invariant.

#![allow(clippy::expect_used, reason = "a panic is how a target fails")]

mod answers;
mod documents;
mod events;

use answers::{hold, hold_skimmed};
use copydesk_llm::Api;
pub use documents::{html, json};
pub use events::sse;

/// A target: its name, and what it checks.
pub type Target = (&'static str, fn(&[u8]));

/// All targets: the files of `fuzz/fuzz_targets`.
pub const TARGETS: [Target; 7] = [
    ("anthropic_messages", anthropic_messages),
    ("google_generative_ai", google_generative_ai),
    ("html", html),
    ("json", json),
    ("openai_completions", openai_completions),
    ("openai_responses", openai_responses),
    ("sse", sse),
];

/// Panics unless any response in `anthropic-messages` is an answer or a typed error, and the same at every split.
pub fn anthropic_messages(bytes: &[u8]) {
    hold(Api::AnthropicMessages, bytes);
}

/// Panics unless any response in `google-generative-ai` is an answer or a typed error, and the same at every split.
pub fn google_generative_ai(bytes: &[u8]) {
    hold(Api::GoogleGenerativeAi, bytes);
}

/// Panics unless any response in `openai-completions` is an answer or a typed error, the same at every split, and the
/// same scanned and parsed.
pub fn openai_completions(bytes: &[u8]) {
    hold(Api::OpenaiCompletions, bytes);
    hold_skimmed(bytes);
}

/// Panics unless any response in `openai-responses` is an answer or a typed error, and the same at every split.
pub fn openai_responses(bytes: &[u8]) {
    hold(Api::OpenaiResponses, bytes);
}
