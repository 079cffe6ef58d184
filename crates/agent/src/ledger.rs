//! Accounts of tokens and money per turn, per tool and per applied edit.
//!
//! A provider reports one sum for a turn. The share of the arguments of each call in its output, and of earlier
//! results in its input, is estimated. The estimates only divide what was reported, so **the shares of a turn add up
//! to the turn exactly**. Money is counted in whole millionths of a millionth, because sums of floats are not exact.
//!
//! A [`Ledger`] is fed by [`record_event`](Ledger::record_event) with every event, or by hand: `turn_started`,
//! `call_finished` for each call of the turn, `turn_ended`. A result is input of every later turn until the
//! conversation is shortened: [`keep_results`](Ledger::keep_results) states which results remain.

mod entries;

pub use entries::{Amount, Edit, FinishedCall, Share, ToolCosts, Totals, TurnCosts};

use super::event::EventKind;
use copydesk_llm::tokens::IMAGE_TOKENS;
use copydesk_llm::{Cost, Usage};
use serde::Serialize;
use serde_json::Value;

/// The most turns, and the most edits, that are listed one by one; the totals count all.
const REMEMBERED: usize = 1_000;
/// The most results that are counted as part of the context.
const MOST_RESULTS: usize = 10_000;
/// The most tools that are counted separately. Models can invent names of tools.
const MOST_TOOLS: usize = 200;
/// The name under which all further tools are counted.
const OTHERS: &str = "…";

/// Usage and cost of an agent's runs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// The last 1,000 turns.
    pub turns: Vec<TurnCosts>,
    /// The tools in the order of their first call.
    pub tools: Vec<ToolCosts>,
    /// The last 1,000 edits.
    pub edits: Vec<Edit>,
    /// The totals of all turns.
    pub totals: Totals,
    /// The turn under way.
    #[serde(skip)]
    open: Option<(String, Vec<FinishedCall>)>,
    /// The calls under way, each with its start time.
    #[serde(skip)]
    running: Vec<(f64, FinishedCall)>,
    /// The results in the context: the call, the index of its tool in `tools`, the tokens.
    #[serde(skip)]
    results: Vec<(String, usize, u64)>,
}

impl Ledger {
    /// Accounts for an event. `now` is the time in milliseconds, `estimate` returns the tokens of a text.
    pub fn record_event(
        &mut self,
        event: &EventKind,
        now: f64,
        prices: Option<&Cost>,
        estimate: &dyn Fn(&str) -> usize,
    ) {
        match event {
            EventKind::TurnStart { turn_id } => self.turn_started(turn_id),
            EventKind::ToolUse { tool_id, tool_name, tool_input } => {
                let argument_tokens = estimate(&Value::from(tool_input.clone()).to_string()) as u64;
                let (tool_id, tool_name) = (tool_id.clone(), tool_name.clone());
                self.running
                    .push((now, FinishedCall { tool_id, tool_name, argument_tokens, ..FinishedCall::default() }));
            }
            EventKind::DocUpdate { tool_id, update } => {
                let running = self.running.iter_mut().find(|(_, call)| call.tool_id == *tool_id);
                if let Some((_, call)) = running {
                    call.version =
                        update.get("version").and_then(Value::as_str).map(str::to_owned).or(Some(String::new()));
                }
            }
            EventKind::ToolResult { tool_id, tool_name, content, images, is_error, .. } => {
                let at = self.running.iter().position(|(_, call)| call.tool_id == *tool_id);
                // A call whose arguments were cut off never ran, but has a result.
                let (began, call) = at.map(|at| self.running.swap_remove(at)).unwrap_or((now, FinishedCall::default()));
                let said = match content {
                    Value::String(text) => estimate(text),
                    content => estimate(&content.to_string()),
                };
                let result_tokens = said + images.len() * IMAGE_TOKENS;
                self.call_finished(FinishedCall {
                    tool_id: tool_id.clone(),
                    tool_name: tool_name.clone(),
                    ms: (now - began).max(0.0),
                    is_error: *is_error,
                    result_tokens: result_tokens as u64,
                    ..call
                });
            }
            EventKind::TurnEnd { usage } => self.turn_ended(*usage, prices),
            _ => {}
        }
    }

    /// Starts a turn. If the last one is still open, it failed: its calls are counted, its usage is unknown.
    pub fn turn_started(&mut self, turn_id: &str) {
        self.turn_ended(Usage::default(), None);
        self.running.clear();
        self.open = Some((turn_id.to_owned(), Vec::new()));
    }

    /// Ends a call of the turn.
    pub fn call_finished(&mut self, call: FinishedCall) {
        let at = self.tool(&call.tool_name);
        let tool = &mut self.tools[at];
        tool.calls += 1;
        tool.errors += u64::from(call.is_error);
        tool.ms += call.ms;
        tool.result_tokens = tool.result_tokens.saturating_add(call.result_tokens);
        self.totals.calls += 1;
        self.totals.errors += u64::from(call.is_error);
        if let Some((_, calls)) = &mut self.open {
            calls.push(call);
        }
    }

    /// Ends the turn and divides its usage and cost.
    pub fn turn_ended(&mut self, usage: Usage, prices: Option<&Cost>) {
        let Some((turn_id, calls)) = self.open.take() else { return };
        let mut turn = TurnCosts { turn_id, usage, ..TurnCosts::default() };
        if usage.input_tokens == 0 && usage.output_tokens == 0 {
            turn.estimated = true;
            turn.usage.output_tokens = calls.iter().map(|call| call.argument_tokens).fold(0, u64::saturating_add);
            turn.usage.total_tokens = turn.usage.output_tokens;
        }
        self.share_out(&mut turn, &calls, prices);
        self.totals.turns += 1;
        self.totals.unpriced_turns += u64::from(turn.cost.is_none());
        self.totals.usage.add(&turn.usage);
        self.totals.cost.add(turn.cost.unwrap_or_default());
        for (share, call) in turn.shares.iter().zip(&calls) {
            if let Some(version) = &call.version {
                self.totals.edits += 1;
                push_bounded(
                    &mut self.edits,
                    Edit {
                        tool_id: call.tool_id.clone(),
                        turn_id: turn.turn_id.clone(),
                        version: version.clone(),
                        output_tokens: share.output_tokens,
                        cost: share.cost,
                    },
                );
            }
        }
        push_bounded(&mut self.turns, turn);
        for call in calls {
            let at = self.tool(&call.tool_name);
            if self.results.len() < MOST_RESULTS {
                self.results.push((call.tool_id, at, call.result_tokens));
            }
        }
    }

    /// Counts usage outside of turns, such as that of a summary, in the totals only.
    pub fn add_usage(&mut self, usage: &Usage, prices: Option<&Cost>) {
        self.totals.usage.add(usage);
        if let Some(prices) = prices {
            let (input, output) = costs(usage, prices);
            self.totals.cost.add(input);
            self.totals.cost.add(output);
        }
    }

    /// Drops results that are no longer in the conversation, after it was shortened.
    pub fn keep_results(&mut self, is_kept: &dyn Fn(&str) -> bool) {
        self.results.retain(|(id, _, _)| is_kept(id));
    }

    /// Computes the shares of a turn: those of its calls in their order, those of the results in the context, one for
    /// each tool, and the rest.
    fn share_out(&mut self, turn: &mut TurnCosts, calls: &[FinishedCall], prices: Option<&Cost>) {
        let (output, input) = (turn.usage.output_tokens, turn.usage.input_tokens);
        let written = scaled_to(calls.iter().map(|call| call.argument_tokens).collect(), output);
        let mut sent = vec![0_u64; self.tools.len()];
        for (_, tool, tokens) in &self.results {
            sent[*tool] = sent[*tool].saturating_add(*tokens);
        }
        let sent = scaled_to(sent, input);
        let (cost_in, cost_out) = prices.map_or((Amount(0), Amount(0)), |prices| costs(&turn.usage, prices));
        turn.cost = prices.map(|_| Amount(cost_in.0.saturating_add(cost_out.0)));
        let (mut out_of, mut in_of) = (Divider::new(cost_out, output), Divider::new(cost_in, input));
        for (call, output_tokens) in calls.iter().zip(written) {
            let (tool_id, tool_name) = (Some(call.tool_id.clone()), Some(call.tool_name.clone()));
            turn.shares.push(Share {
                tool_id,
                tool_name,
                input_tokens: 0,
                output_tokens,
                cost: prices.map(|_| out_of.take(output_tokens)),
            });
            let at = self.tool(&call.tool_name);
            self.tools[at].spend(turn.shares.last());
        }
        for (tool, input_tokens) in self.tools.iter_mut().zip(sent) {
            if input_tokens > 0 {
                let tool_name = Some(tool.name.clone());
                let cost = prices.map(|_| in_of.take(input_tokens));
                turn.shares.push(Share { tool_id: None, tool_name, input_tokens, output_tokens: 0, cost });
                tool.spend(turn.shares.last());
            }
        }
        let (input_tokens, output_tokens) = (in_of.left, out_of.left);
        let rest = Amount(in_of.rest().0.saturating_add(out_of.rest().0));
        let cost = prices.map(|_| rest);
        turn.shares.push(Share { input_tokens, output_tokens, cost, ..Share::default() });
    }

    /// Returns the index of a tool, which is added if it is new.
    fn tool(&mut self, name: &str) -> usize {
        let find = |tools: &[ToolCosts], name: &str| tools.iter().position(|tool| tool.name == name);
        let known = find(&self.tools, name);
        let name = if known.is_some() || self.tools.len() < MOST_TOOLS { name } else { OTHERS };
        known.or_else(|| find(&self.tools, name)).unwrap_or_else(|| {
            self.tools.push(ToolCosts { name: name.to_owned(), ..ToolCosts::default() });
            self.tools.len() - 1
        })
    }

    /// Returns `{turns, tools, edits, totals}`; a cost is a number in the currency of the prices, or null.
    pub fn to_value(&self) -> Value {
        // Serialization fails only for map keys that are not strings; a ledger has none.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Returns the cost of the input and of the output of a turn.
fn costs(usage: &Usage, prices: &Cost) -> (Amount, Amount) {
    let cached = usage.cached_tokens.min(usage.input_tokens);
    let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
    let mut input = Amount::of(usage.input_tokens - cached - written, prices.input);
    input.add(Amount::of(cached, prices.cache_read));
    input.add(Amount::of(written, prices.cache_write));
    (input, Amount::of(usage.output_tokens, prices.output))
}

/// Scales estimates down in proportion if their sum exceeds `most`.
fn scaled_to(estimates: Vec<u64>, most: u64) -> Vec<u64> {
    let sum = estimates.iter().map(|tokens| u128::from(*tokens)).sum::<u128>();
    if sum <= u128::from(most) {
        return estimates;
    }
    let mut seen = 0;
    let mut given = 0;
    let mut next = |tokens: u64| {
        seen += u128::from(tokens);
        // Never more than `most`, which is 64 bits wide.
        let until = (seen * u128::from(most) / sum) as u64;
        until - std::mem::replace(&mut given, until)
    };
    estimates.into_iter().map(&mut next).collect()
}

/// Divides an amount in proportion to tokens, without a remainder.
struct Divider {
    amount: Amount,
    left: u64,
}

impl Divider {
    fn new(amount: Amount, tokens: u64) -> Divider {
        Divider { amount, left: tokens }
    }

    /// Returns the cost of `tokens` of the tokens that are left.
    fn take(&mut self, tokens: u64) -> Amount {
        let part = u128::from(self.amount.0) * u128::from(tokens) / u128::from(self.left.max(1));
        let part = Amount(part.min(u128::from(self.amount.0)) as u64);
        self.amount.0 -= part.0;
        self.left = self.left.saturating_sub(tokens);
        part
    }

    fn rest(self) -> Amount {
        self.amount
    }
}

fn push_bounded<T>(row: &mut Vec<T>, item: T) {
    if row.len() >= REMEMBERED {
        row.remove(0);
    }
    row.push(item);
}
