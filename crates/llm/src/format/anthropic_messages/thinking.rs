//! Thinking, maximum tokens and temperature of a request. Which settings Claude accepts depends on its version.
//!
//! Up to version 4.5, thinking has a budget in tokens; from 4.6 on it is adaptive, with an effort, and from 4.7 on
//! nothing else is accepted. Versions before 5 do not think by default; later ones do, and most of them cannot turn
//! it off. Sources: <https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking>,
//! <https://platform.claude.com/docs/en/build-with-claude/effort>,
//! <https://platform.claude.com/docs/en/models/opus-5/migration-guide>.

use crate::{LlmConfig, ThinkingLevel};
use serde_json::{Value, json};

/// The settings of a request that depend on thinking.
pub(super) struct ThinkingPlan {
    /// `thinking`, if it is sent.
    pub thinking: Option<Value>,
    /// `output_config.effort`, if it is sent.
    pub effort: Option<&'static str>,
    /// The maximum tokens of the answer, thinking included.
    pub max_tokens: u64,
    /// The temperature, if it is accepted.
    pub temperature: Option<f64>,
    /// Value of the `anthropic-beta` header, if needed.
    pub beta: Option<&'static str>,
}

/// The least budget for thinking that the API accepts, beside the text of the answer.
const LEAST_BUDGET: u64 = 1024;

/// Returns the settings. `open_call` states that the last answer called tools without thinking: with a budget,
/// thinking cannot begin between a call and its result.
pub(super) fn plan(config: &LlmConfig, open_call: bool) -> ThinkingPlan {
    let options = &config.stream_options;
    let model = config.model.model_id.to_ascii_lowercase();
    let claude = model.contains("claude");
    let version = version(&model);
    // The newest models have names without numbers.
    let from = |least: (u32, u32)| claude && version.is_none_or(|version| version >= least);
    let mut plan = ThinkingPlan {
        thinking: None,
        effort: None,
        max_tokens: 0,
        temperature: options.temperature.filter(|_| !from((4, 7))),
        beta: None,
    };
    let level = config.thinking_level;
    if from((4, 6)) {
        plan.max_tokens = options.max_tokens.unwrap_or(32_000);
        let off = level == Some(ThinkingLevel::Off);
        let off_by_default = !from((5, 0));
        let can_be_off = version == Some((5, 0)) && model.contains("opus");
        // Before version 5 off is the default, and may be said.
        if off && (can_be_off || off_by_default) {
            plan.thinking = Some(json!({ "type": "disabled" }));
        } else if level.is_some() {
            plan.thinking = Some(json!({ "type": "adaptive", "display": "summarized" }));
            plan.effort = level.map(|level| effort(level, from((4, 7)), model.contains("opus")));
        }
        if version.is_some_and(|version| version > (5, 0)) {
            // A thinking block depends on everything before it, which a summary of old messages changes. This option
            // drops such blocks instead of failing the request:
            // https://platform.claude.com/docs/en/build-with-claude/preserved-thinking
            let adaptive = || json!({ "type": "adaptive", "display": "summarized" });
            let thinking = plan.thinking.get_or_insert_with(adaptive);
            thinking["block_binding"] = json!({ "prefix_mismatch_behavior": "drop_block" });
            plan.beta = Some("thinking-binding-controls-2026-08-01");
        }
    } else {
        let thinks = !claude || version.is_some_and(|version| version >= (3, 7));
        let budget = match level {
            Some(ThinkingLevel::Minimal) => LEAST_BUDGET,
            Some(ThinkingLevel::Low) => 4096,
            Some(ThinkingLevel::Medium) => 8192,
            Some(ThinkingLevel::High) => 12_288,
            Some(ThinkingLevel::Xhigh) => 16_000,
            Some(ThinkingLevel::Off) | None => 0,
        };
        let budget = if thinks && !(claude && open_call) { budget } else { 0 };
        // Claude 3 allows no more, Claude Opus 4 twice 16,000.
        let usual = if thinks { 16_000 } else { 4096 };
        plan.max_tokens = options.max_tokens.unwrap_or(usual + budget);
        let budget = budget.min(plan.max_tokens.saturating_sub(LEAST_BUDGET));
        if budget >= LEAST_BUDGET {
            plan.thinking = Some(json!({ "type": "enabled", "budget_tokens": budget }));
        } else if level == Some(ThinkingLevel::Off) && thinks {
            plan.thinking = Some(json!({ "type": "disabled" }));
        }
    }
    if plan.thinking.is_some() && level != Some(ThinkingLevel::Off) {
        plan.temperature = None;
    }
    plan
}

fn effort(level: ThinkingLevel, knows_xhigh: bool, opus: bool) -> &'static str {
    match level {
        ThinkingLevel::Off | ThinkingLevel::Minimal | ThinkingLevel::Low => "low",
        ThinkingLevel::Xhigh if !knows_xhigh => {
            if opus {
                "max"
            } else {
                "high"
            }
        }
        level => level.name(),
    }
}

/// Returns the version in a name such as `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet-latest` or
/// `anthropic/claude-opus-4.6`; `None` if it contains no number.
fn version(model: &str) -> Option<(u32, u32)> {
    let name = &model[model.find("claude")?..];
    let numbers = name.split(|c: char| !c.is_ascii_digit()).filter(|number| matches!(number.len(), 1 | 2));
    let mut numbers = numbers.filter_map(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}
