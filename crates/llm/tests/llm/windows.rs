//! The windows of models.

use copydesk_llm::windows::{DEFAULT_WINDOW, context_window};

#[test]
fn common_models_are_recognized_by_name() {
    for (id, window) in [
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("gpt-4", 8_192),
        ("openai/gpt-4.1-mini", 1_047_576),
        ("gpt-5-mini", 272_000),
        ("gpt-5-chat-latest", 128_000),
        ("o3-mini", 200_000),
        ("openai/o4-mini-high", 200_000),
        ("gpt-oss-120b", 128_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("us.anthropic.claude-opus-4-6-v1", 1_000_000),
        ("google/gemini-2.5-flash", 1_000_000),
        ("deepseek-chat", 128_000),
        ("Qwen/Qwen3-235B-A22B", 131_072),
        ("moonshotai/Kimi-K2-Thinking", 256_000),
        ("zai-org/GLM-4.6", 200_000),
        ("meta-llama/Llama-3.3-70B-Instruct-Turbo", 128_000),
        ("mistral-small-latest", 128_000),
        ("grok-4.20-0309-reasoning", 2_000_000),
    ] {
        assert_eq!(context_window(id, None), window, "{id}");
    }
}

#[test]
fn a_name_within_a_word_is_not_a_model() {
    for id in ["pro1", "foo3-large", "superglm", "", "my-model"] {
        assert_eq!(context_window(id, None), DEFAULT_WINDOW, "{id}");
    }
}

#[test]
fn the_configured_window_takes_precedence() {
    assert_eq!(context_window("gpt-4o", Some(32_000)), 32_000);
    assert_eq!(context_window("gpt-4o", Some(0)), 128_000);
    assert_eq!(context_window("no-such-model", Some(u64::MAX)), usize::MAX);
}
