//! OpenAI's words for the amount of thinking.

use crate::ThinkingLevel;

/// Returns the effort in [OpenAI's values](https://platform.openai.com/docs/guides/reasoning): `none` exists from
/// GPT-5.1 on, `minimal` for GPT-5 only, `xhigh` from GPT-5.2 on. `None` for models that do not think and for those
/// that cannot turn it off.
pub(super) fn effort(level: ThinkingLevel, model: &str) -> Option<&'static str> {
    let codex = model.contains("codex");
    // The number after "gpt-5."; 0 for GPT-5 itself.
    let minor = model.split_once("gpt-5").map(|(_, after)| {
        let digits = after.strip_prefix('.').unwrap_or_default();
        digits.chars().next().and_then(|digit| digit.to_digit(10)).unwrap_or(0)
    });
    match (level, minor) {
        (ThinkingLevel::Off, Some(1..)) if !codex => Some("none"),
        (ThinkingLevel::Off, _) => None,
        (ThinkingLevel::Minimal, Some(0)) if !codex => Some("minimal"),
        (ThinkingLevel::Minimal, _) => Some("low"),
        (ThinkingLevel::Xhigh, Some(2..)) => Some("xhigh"),
        (ThinkingLevel::Xhigh, _) if model.contains("codex-max") => Some("xhigh"),
        (ThinkingLevel::Xhigh, _) => Some("high"),
        (level, _) => Some(level.name()),
    }
}
