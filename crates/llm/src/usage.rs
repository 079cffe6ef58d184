//! What an answer cost: in tokens, as the provider counted them, and in money, at the prices that the app gives.

use copydesk_base::decode::count;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Token counts as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// What was sent, all of it: also what was read from a cache or written into one.
    #[serde(deserialize_with = "count_or_zero")]
    pub input_tokens: u64,
    /// What came back.
    #[serde(deserialize_with = "count_or_zero")]
    pub output_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    #[serde(deserialize_with = "count_or_zero")]
    pub cached_tokens: u64,
    /// The part of `input_tokens` that was written into a cache.
    #[serde(deserialize_with = "count_or_zero")]
    pub cache_write_tokens: u64,
    /// What was spent on thinking; mostly a part of `output_tokens`.
    #[serde(deserialize_with = "count_or_zero")]
    pub reasoning_tokens: u64,
    /// As reported, or input and output together.
    #[serde(deserialize_with = "count_or_zero")]
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

/// Prices of a million tokens, in whatever money the app counts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "GivenCost")]
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

/// Prices as an app gives them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GivenCost {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

impl From<GivenCost> for Cost {
    fn from(given: GivenCost) -> Cost {
        Cost {
            input: given.input,
            output: given.output,
            cache_read: given.cache_read.unwrap_or(given.input),
            cache_write: given.cache_write.unwrap_or(given.input),
        }
    }
}

/// Reads a count; what is no count is 0.
fn count_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Value::deserialize(deserializer).map(|value| count(&value).unwrap_or(0))
}
