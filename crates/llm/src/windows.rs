//! Context windows of models.
//!
//! The numbers are facts from the model list of the npm package `@earendil-works/pi-ai` 0.74.2 (MIT). If hosts of a
//! model differ, the table has the smaller of the usual numbers: too small costs a summary, too large a failed
//! request. GPT-5's 400,000 and more include the answer; 272,000 is the limit of the input.

/// The context window of an unknown model, in tokens.
pub const DEFAULT_WINDOW: usize = 128_000;

/// The first entry whose name begins a word of the model's id applies.
const WINDOWS: &[(&str, usize)] = &[
    ("gpt-3.5", 16_385),
    ("gpt-4-turbo", 128_000),
    ("gpt-4-1106", 128_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4.5", 128_000),
    ("gpt-4o", 128_000),
    ("gpt-4", 8_192),
    ("gpt-5-chat", 128_000),
    ("gpt-5.1-chat", 128_000),
    ("gpt-5.2-chat", 128_000),
    ("gpt-5.3-chat", 128_000),
    ("gpt-5.3-codex-spark", 128_000),
    ("gpt-5", 272_000),
    ("o1-mini", 128_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude-opus-4-6", 1_000_000),
    ("claude-opus-4.6", 1_000_000),
    ("claude-opus-4-7", 1_000_000),
    ("claude-opus-4.7", 1_000_000),
    ("claude-sonnet-4-6", 1_000_000),
    ("claude-sonnet-4.6", 1_000_000),
    ("claude", 200_000),
    ("gemini", 1_000_000),
    ("gemma2", 8_192),
    ("gemma", 128_000),
    ("deepseek-v4", 1_000_000),
    ("deepseek", 128_000),
    ("qwen3-coder-plus", 1_000_000),
    ("qwen3-coder-flash", 1_000_000),
    ("qwen3-coder", 262_144),
    ("qwen3-max", 262_144),
    ("qwen3-next", 262_144),
    ("qwen3.5", 262_144),
    ("qwen3.6", 262_144),
    ("qwen3.7", 991_000),
    ("qwen-plus", 1_000_000),
    ("qwen", 131_072),
    ("kimi-k2-0711", 131_072),
    ("kimi-k2-instruct", 128_000),
    ("kimi", 256_000),
    ("glm-4.5v", 65_536),
    ("glm-4.6v", 128_000),
    ("glm-4.6", 200_000),
    ("glm-5", 200_000),
    ("glm", 128_000),
    ("minimax-m2", 196_608),
    ("minimax-m1", 1_000_000),
    ("llama3-", 8_192),
    ("llama", 128_000),
    ("mixtral-8x22b", 64_000),
    ("mixtral", 32_000),
    ("mistral-large-2512", 262_144),
    ("mistral-large-latest", 262_144),
    ("mistral-medium-latest", 262_144),
    ("mistral-saba", 32_768),
    ("mistral", 128_000),
    ("codestral", 128_000),
    ("grok-4.1-fast", 1_000_000),
    ("grok-4.20", 2_000_000),
    ("grok-4.3", 1_000_000),
    ("grok", 128_000),
    ("nova-micro", 128_000),
    ("nova", 300_000),
];

/// Returns the context window of a model in tokens: the configured one, the one in the table, or [`DEFAULT_WINDOW`].
pub fn context_window(model_id: &str, given: Option<u64>) -> usize {
    if let Some(given) = given.filter(|given| *given > 0) {
        return usize::try_from(given).unwrap_or(usize::MAX);
    }
    let id = model_id.to_ascii_lowercase();
    WINDOWS.iter().find(|(name, _)| begins_word(&id, name)).map_or(DEFAULT_WINDOW, |(_, window)| *window)
}

/// Returns whether a name occurs in an id at the beginning of a word: `o1` in `openai/o1-pro`, but not in `pro1`.
fn begins_word(id: &str, name: &str) -> bool {
    id.match_indices(name).any(|(at, _)| !id[..at].ends_with(|c: char| c.is_ascii_alphanumeric()))
}
