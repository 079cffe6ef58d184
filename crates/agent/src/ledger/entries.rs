//! What a ledger has in it, and how that is written as JSON.

use copydesk_llm::Usage;
use serde::{Serialize, Serializer};

/// A sum of money, in millionths of a millionth of the currency that the prices are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(pub u64);

impl Amount {
    /// In the currency itself.
    pub fn in_currency(self) -> f64 {
        self.0 as f64 / 1e12
    }

    pub(super) fn of(tokens: u64, per_million: f64) -> Amount {
        // What is no price (negative, not a number) counts as nothing.
        Amount((tokens as f64 * per_million * 1e6).round() as u64)
    }

    pub(super) fn add(&mut self, other: Amount) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// A call that is over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FinishedCall {
    /// The call.
    pub tool_id: String,
    /// The tool.
    pub tool_name: String,
    /// How long it ran, in milliseconds.
    pub ms: f64,
    /// True if it failed.
    pub is_error: bool,
    /// The estimate of the text of its arguments.
    pub argument_tokens: u64,
    /// The estimate of its result, as the model is sent it.
    pub result_tokens: u64,
    /// The document's version after it, where it changed the document.
    pub version: Option<String>,
}

/// What part of a turn went where.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// The call whose arguments these are; none for results and for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    /// The tool; none for the rest: prompts, the conversation, text and thinking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// Of the turn's input.
    pub input_tokens: u64,
    /// Of the turn's output.
    pub output_tokens: u64,
    /// Of the turn's cost; none where no prices were known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Amount>,
}

/// One turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// Its name.
    pub turn_id: String,
    /// What the provider reported, or what was estimated.
    pub usage: Usage,
    /// True if the provider reported nothing, so that only the calls are counted, by their estimates.
    pub estimated: bool,
    /// What it cost; none where no prices were known.
    pub cost: Option<Amount>,
    /// They add up to `usage` and `cost`.
    pub shares: Vec<Share>,
}

/// One tool, over all turns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// How often it failed.
    pub errors: u64,
    /// How long its calls ran together, in milliseconds.
    pub ms: f64,
    /// Output spent on its arguments.
    pub output_tokens: u64,
    /// The length of its results, each counted once.
    pub result_tokens: u64,
    /// Input that its results were, in all turns that were sent them.
    pub input_tokens: u64,
    /// What both cost.
    pub cost: Amount,
}

/// One edit that was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// The call.
    pub tool_id: String,
    /// Its turn.
    pub turn_id: String,
    /// The document's version after it.
    pub version: String,
    /// Output spent on it.
    pub output_tokens: u64,
    /// Its share of the turn's cost: of writing it, not of reading what led to it. None where no prices were known.
    pub cost: Option<Amount>,
}

/// Everything together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// The number of turns.
    pub turns: u64,
    /// How many of them are not in `cost`, because no prices were known.
    pub unpriced_turns: u64,
    /// How many calls.
    pub calls: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many edits were made.
    pub edits: u64,
    /// What was reported.
    pub usage: Usage,
    /// What it cost.
    pub cost: Amount,
}

impl Tool {
    pub(super) fn spend(&mut self, share: Option<&Share>) {
        if let Some(share) = share {
            self.output_tokens = self.output_tokens.saturating_add(share.output_tokens);
            self.input_tokens = self.input_tokens.saturating_add(share.input_tokens);
            self.cost.add(share.cost.unwrap_or_default());
        }
    }
}

/// In the currency itself.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.in_currency())
    }
}
