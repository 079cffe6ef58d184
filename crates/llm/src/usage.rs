//! Usage of an answer in tokens, as the provider counted them, and its cost at the prices that the app sets.

use copydesk_base::decode::count;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Token counts as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens of the whole input, including those read from or written into a cache.
    #[serde(deserialize_with = "count_or_zero")]
    pub input_tokens: u64,
    /// Tokens of the output.
    #[serde(deserialize_with = "count_or_zero")]
    pub output_tokens: u64,
    /// The part of `input_tokens` that was read from a cache.
    #[serde(deserialize_with = "count_or_zero")]
    pub cached_tokens: u64,
    /// The part of `input_tokens` that was written into a cache.
    #[serde(deserialize_with = "count_or_zero")]
    pub cache_write_tokens: u64,
    /// Tokens of thinking; usually part of `output_tokens`.
    #[serde(deserialize_with = "count_or_zero")]
    pub reasoning_tokens: u64,
    /// Total as reported, or the sum of input and output.
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

/// Prices of a million tokens, in the app's currency.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(from = "GivenCost")]
pub struct Cost {
    /// Price of input.
    pub input: f64,
    /// Price of output.
    pub output: f64,
    /// Price of input read from a cache; `input` by default.
    pub cache_read: f64,
    /// Price of input written into a cache; `input` by default.
    pub cache_write: f64,
}

impl Cost {
    /// Returns the cost of an answer.
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

/// Reads a count; an invalid one is 0.
fn count_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Value::deserialize(deserializer).map(|value| count(&value).unwrap_or(0))
}
