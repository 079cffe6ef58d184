//! The entries of a ledger and their JSON form.

use copydesk_llm::Usage;
use serde::{Serialize, Serializer};

/// A sum of money, in millionths of a millionth of the currency that the prices are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub u64);

impl Amount {
    /// Returns the amount in the currency itself.
    pub fn in_currency(self) -> f64 {
        self.0 as f64 / 1e12
    }

    pub(super) fn of(tokens: u64, per_million: f64) -> Amount {
        // An invalid price (negative, not a number) counts as zero.
        Amount((tokens as f64 * per_million * 1e6).round() as u64)
    }

    pub(super) fn add(&mut self, other: Amount) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// A call that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinishedCall {
    /// The call.
    pub tool_id: String,
    /// The tool.
    pub tool_name: String,
    /// Its duration, in milliseconds.
    pub ms: f64,
    /// True if it failed.
    pub is_error: bool,
    /// The estimated tokens of its arguments.
    pub argument_tokens: u64,
    /// The estimated tokens of its result, as the model gets it.
    pub result_tokens: u64,
    /// The document's version after the call, if it changed the document.
    pub version: Option<String>,
}

/// A share of a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// The call whose arguments these are; `None` for results and for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// The tool; `None` for the rest: prompts, the conversation, text and thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Its part of the turn's input.
    pub input_tokens: u64,
    /// Its part of the turn's output.
    pub output_tokens: u64,
    /// Its part of the turn's cost; `None` if the prices are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Amount>,
}

/// One turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnCosts {
    /// Its id.
    pub turn_id: String,
    /// The usage that the provider reported, or an estimate.
    pub usage: Usage,
    /// True if the provider reported nothing, so that only the calls are counted, by their estimates.
    pub estimated: bool,
    /// Its cost; `None` if the prices are unknown.
    pub cost: Option<Amount>,
    /// The shares, which add up to `usage` and `cost`.
    pub shares: Vec<Share>,
}

/// A tool, over all turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCosts {
    /// Its name.
    pub name: String,
    /// The number of calls.
    pub calls: u64,
    /// The number of failed calls.
    pub errors: u64,
    /// The total duration of its calls, in milliseconds.
    pub ms: f64,
    /// The output tokens of its arguments.
    pub output_tokens: u64,
    /// The tokens of its results, each counted once.
    pub result_tokens: u64,
    /// The input tokens of its results, counted in each turn that sent them.
    pub input_tokens: u64,
    /// The cost of both.
    pub cost: Amount,
}

/// An applied edit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// The call.
    pub tool_id: String,
    /// Its turn.
    pub turn_id: String,
    /// The document's version after it.
    pub version: String,
    /// The output tokens of the call.
    pub output_tokens: u64,
    /// The call's share of the turn's cost: for writing it, not for reading before it. `None` if the prices are
    /// unknown.
    pub cost: Option<Amount>,
}

/// The totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// The number of turns.
    pub turns: u64,
    /// The number of turns missing in `cost`, because the prices were unknown.
    pub unpriced_turns: u64,
    /// The number of calls.
    pub calls: u64,
    /// The number of failed calls.
    pub errors: u64,
    /// The number of applied edits.
    pub edits: u64,
    /// The total usage.
    pub usage: Usage,
    /// The total cost.
    pub cost: Amount,
}

impl ToolCosts {
    pub(super) fn spend(&mut self, share: Option<&Share>) {
        if let Some(share) = share {
            self.output_tokens = self.output_tokens.saturating_add(share.output_tokens);
            self.input_tokens = self.input_tokens.saturating_add(share.input_tokens);
            self.cost.add(share.cost.unwrap_or_default());
        }
    }
}

/// Serializes the amount in the currency itself.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.in_currency())
    }
}
