//! What an answer cost: in tokens, as the provider counted them, and in money, at the prices that the app gives.

use copydesk_base::fields::{count, object, optional, required};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Token counts as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct Usage {
    /// What was sent, all of it: also what was read from a cache or written into one.
    pub input_tokens: u64,
    /// What came back.
    pub output_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    pub cached_tokens: u64,
    /// The part of `input_tokens` that was written into a cache.
    pub cache_write_tokens: u64,
    /// What was spent on thinking; mostly a part of `output_tokens`.
    pub reasoning_tokens: u64,
    /// As reported, or input and output together.
    pub total_tokens: u64,
}

impl Usage {
    /// Adds the counts of a further answer.
    pub fn add(&mut self, other: &Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.cache_write_tokens = self.cache_write_tokens.saturating_add(other.cache_write_tokens);
        self.reasoning_tokens = self.reasoning_tokens.saturating_add(other.reasoning_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
    }
}

impl From<Usage> for Value {
    fn from(usage: Usage) -> Value {
        object(&mut [
            ("inputTokens", usage.input_tokens.into()),
            ("outputTokens", usage.output_tokens.into()),
            ("cachedTokens", usage.cached_tokens.into()),
            ("cacheWriteTokens", usage.cache_write_tokens.into()),
            ("reasoningTokens", usage.reasoning_tokens.into()),
            ("totalTokens", usage.total_tokens.into()),
        ])
    }
}

/// Counts that are missing or no counts are 0.
impl From<Value> for Usage {
    fn from(value: Value) -> Usage {
        let count = |field| value.get(field).and_then(count).unwrap_or(0);
        Usage {
            input_tokens: count("inputTokens"),
            output_tokens: count("outputTokens"),
            cached_tokens: count("cachedTokens"),
            cache_write_tokens: count("cacheWriteTokens"),
            reasoning_tokens: count("reasoningTokens"),
            total_tokens: count("totalTokens"),
        }
    }
}

/// Prices of a million tokens, in whatever money the app counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// What is sent.
    pub input: f64,
    /// What comes back.
    pub output: f64,
    /// What is read from a cache; as `input` where it is not given.
    pub cache_read: f64,
    /// What is written into a cache; as `input` where it is not given.
    pub cache_write: f64,
}

impl Cost {
    /// What an answer cost.
    pub fn of(&self, usage: &Usage) -> f64 {
        let plain = usage.input_tokens.saturating_sub(usage.cached_tokens).saturating_sub(usage.cache_write_tokens);
        let priced = |tokens: u64, price: f64| tokens as f64 * price;
        (priced(plain, self.input)
            + priced(usage.output_tokens, self.output)
            + priced(usage.cached_tokens, self.cache_read)
            + priced(usage.cache_write_tokens, self.cache_write))
            / 1e6
    }
}

impl TryFrom<Value> for Cost {
    type Error = String;

    fn try_from(mut value: Value) -> Result<Cost, String> {
        let input = required(&mut value, "input")?;
        Ok(Cost {
            input,
            output: required(&mut value, "output")?,
            cache_read: optional(&mut value, "cacheRead")?.unwrap_or(input),
            cache_write: optional(&mut value, "cacheWrite")?.unwrap_or(input),
        })
    }
}
