//! What was spent, and on what: tokens and money per turn, per tool, per applied edit.
//!
//! A provider reports one sum for a turn. What of its output were the arguments of a call, and what of its input the
//! results of earlier ones, is estimated; the estimates only share out what was reported, so that **the shares of a turn
//! add up to the turn exactly**. Money is counted in whole millionths of a millionth, because floats would not add up.
//!
//! A [`Ledger`] is fed by [`hear`](Ledger::hear) with every event, or by hand: `turn_started`, `call_finished` for each
//! call of the turn, `turn_ended`. A result is input of every later turn until the conversation is shortened:
//! [`keep_results`](Ledger::keep_results) says what is left of it then.

mod entries;

pub use entries::{Amount, Edit, FinishedCall, Share, Tool, Totals, Turn};

use super::event::EventKind;
use copydesk_llm::tokens::IMAGE_TOKENS;
use copydesk_llm::{Cost, Usage};
use serde::Serialize;
use serde_json::Value;

/// The most turns, and the most edits, that are remembered one by one; the sums count all.
const REMEMBERED: usize = 1_000;
/// The most results that are taken to be in the context.
const MOST_RESULTS: usize = 10_000;
/// How many tools are told apart. Names come from the model, and it may make them up.
const MOST_TOOLS: usize = 200;
/// What all further ones are counted as.
const OTHERS: &str = "…";

/// What was spent, and on what.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Ledger {
    /// The last thousand.
    pub turns: Vec<Turn>,
    /// In the order of their first call.
    pub tools: Vec<Tool>,
    /// The last thousand.
    pub edits: Vec<Edit>,
    /// All of them.
    pub totals: Totals,
    /// The turn that is under way.
    #[serde(skip)]
    open: Option<(String, Vec<FinishedCall>)>,
    /// The calls that are under way: when they began, what is known of them.
    #[serde(skip)]
    running: Vec<(f64, FinishedCall)>,
    /// What is in the context: the call, the place of its tool in `tools`, the tokens.
    #[serde(skip)]
    results: Vec<(String, usize, u64)>,
}

impl Ledger {
    /// Takes in an event. `now` is the time in milliseconds, `estimate` gives the tokens of a text.
    pub fn hear(&mut self, event: &EventKind, now: f64, prices: Option<&Cost>, estimate: &dyn Fn(&str) -> usize) {
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
                // A call that never ran, because its arguments were cut off, has a result all the same.
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

    /// A turn begins. One that was still open failed before its end: what its calls were is counted, its usage is not known.
    pub fn turn_started(&mut self, turn_id: &str) {
        self.turn_ended(Usage::default(), None);
        self.running.clear();
        self.open = Some((turn_id.to_owned(), Vec::new()));
    }

    /// A call of the turn is over.
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

    /// The turn is over: what it cost is shared out.
    pub fn turn_ended(&mut self, usage: Usage, prices: Option<&Cost>) {
        let Some((turn_id, calls)) = self.open.take() else { return };
        let mut turn = Turn { turn_id, usage, ..Turn::default() };
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
                remember(
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
        remember(&mut self.turns, turn);
        for call in calls {
            let at = self.tool(&call.tool_name);
            if self.results.len() < MOST_RESULTS {
                self.results.push((call.tool_id, at, call.result_tokens));
            }
        }
    }

    /// Something was spent beside the turns: a summary was written. It is in the sums alone.
    pub fn spent(&mut self, usage: &Usage, prices: Option<&Cost>) {
        self.totals.usage.add(usage);
        if let Some(prices) = prices {
            let (input, output) = costs(usage, prices);
            self.totals.cost.add(input);
            self.totals.cost.add(output);
        }
    }

    /// The conversation was shortened: only the results of these calls are still in it.
    pub fn keep_results(&mut self, is_kept: &dyn Fn(&str) -> bool) {
        self.results.retain(|(id, _, _)| is_kept(id));
    }

    /// The shares of a turn: first those of its calls, in their order; then those of the results in the context, one for
    /// each tool; then the rest.
    fn share_out(&mut self, turn: &mut Turn, calls: &[FinishedCall], prices: Option<&Cost>) {
        let (output, input) = (turn.usage.output_tokens, turn.usage.input_tokens);
        let written = up_to(calls.iter().map(|call| call.argument_tokens).collect(), output);
        let mut sent = vec![0_u64; self.tools.len()];
        for (_, tool, tokens) in &self.results {
            sent[*tool] = sent[*tool].saturating_add(*tokens);
        }
        let sent = up_to(sent, input);
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

    /// The place of a tool.
    fn tool(&mut self, name: &str) -> usize {
        let find = |tools: &[Tool], name: &str| tools.iter().position(|tool| tool.name == name);
        let known = find(&self.tools, name);
        let name = if known.is_some() || self.tools.len() < MOST_TOOLS { name } else { OTHERS };
        known.or_else(|| find(&self.tools, name)).unwrap_or_else(|| {
            self.tools.push(Tool { name: name.to_owned(), ..Tool::default() });
            self.tools.len() - 1
        })
    }

    /// As JSON: `{turns, tools, edits, totals}`; a cost is a number in the currency of the prices, or null.
    pub fn to_value(&self) -> Value {
        // Nothing in a ledger has keys that are no strings, so it is always JSON.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What the input and the output of a turn cost.
fn costs(usage: &Usage, prices: &Cost) -> (Amount, Amount) {
    let cached = usage.cached_tokens.min(usage.input_tokens);
    let written = usage.cache_write_tokens.min(usage.input_tokens - cached);
    let mut input = Amount::of(usage.input_tokens - cached - written, prices.input);
    input.add(Amount::of(cached, prices.cache_read));
    input.add(Amount::of(written, prices.cache_write));
    (input, Amount::of(usage.output_tokens, prices.output))
}

/// Estimates, made smaller in proportion where they come to more than there is.
fn up_to(estimates: Vec<u64>, most: u64) -> Vec<u64> {
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

/// Divides an amount by tokens, so that nothing is left over at the end.
struct Divider {
    amount: Amount,
    left: u64,
}

impl Divider {
    fn new(amount: Amount, tokens: u64) -> Divider {
        Divider { amount, left: tokens }
    }

    /// What so many of the tokens that are left cost.
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

fn remember<T>(row: &mut Vec<T>, item: T) {
    if row.len() >= REMEMBERED {
        row.remove(0);
    }
    row.push(item);
}
