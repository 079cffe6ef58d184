//! How an agent works.

use super::repeats::MAX_REPEATS;
use super::retry::MAX_RETRIES;
use crate::search::Services;
use copydesk_base::decode;
use copydesk_base::locale::Locale;
use copydesk_llm::LlmConfig;
use serde::Deserialize;
use std::rc::Rc;

/// The most turns of a run, where nothing else is set.
pub const MAX_TURNS: usize = 40;
/// The longest that a run may take, in milliseconds, where nothing else is set.
pub const RUN_TIMEOUT_MS: u64 = 5 * 60_000;

/// How an agent works. Keys are in here: never print it.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentOptions {
    /// Which model is asked, and how.
    pub llm_config: LlmConfig,
    /// Which services the search tools ask.
    #[serde(default)]
    pub services: Rc<Services>,
    /// The language of prompts, results and errors.
    #[serde(default)]
    pub locale: Locale,
    /// What the model is told before the conversation; copydesk's own prompt where none is given.
    pub system_prompt: Option<String>,
    /// The most turns of a run.
    #[serde(default = "max_turns", deserialize_with = "decode::at_least_one")]
    pub max_turns: usize,
    /// The longest that a run may take, in milliseconds. Waiting for the person's yes does not count.
    #[serde(default = "run_timeout", deserialize_with = "decode::milliseconds")]
    pub run_timeout: u64,
    /// The longest that a call may take, in milliseconds, where its tool does not say.
    #[serde(default, deserialize_with = "decode::milliseconds")]
    pub tool_timeout: Option<u64>,
    /// How often a request that failed is sent again.
    #[serde(default = "max_retries")]
    pub max_retries: usize,
    /// How often a call may give the same result before it is refused.
    #[serde(default = "max_repeats", deserialize_with = "decode::at_least_one")]
    pub max_repeats: usize,
    /// True if calls of one answer may run side by side.
    #[serde(default)]
    pub tool_execution: ExecutionMode,
    /// How many queued messages a turn takes.
    #[serde(default)]
    pub steering_mode: QueueMode,
    /// How many queued messages the end of a run takes.
    #[serde(default)]
    pub follow_up_mode: QueueMode,
    /// The tools whose calls need the person's yes; `*` is all.
    #[serde(default)]
    pub needs_approval: Vec<String>,
    /// True if requests show the document as it is, with the selection.
    #[serde(default = "document_in_prompt")]
    pub document_in_prompt: bool,
    /// The most tokens of a message that shows it; a tenth of the context window where nothing is set. Of a longer document
    /// the outline is shown, and the lines around the selection.
    pub document_tokens: Option<usize>,
    /// The longest result that the model is shown at once, in bytes; see [`Budget::of_window`](crate::tools::paging::Budget::of_window).
    pub result_bytes: Option<usize>,
}

/// True if calls may run side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExecutionMode {
    /// They may.
    #[default]
    Parallel,
    /// They run one after another.
    Sequential,
}

/// How many queued messages are taken at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueMode {
    /// The oldest.
    #[default]
    OneAtATime,
    /// All.
    All,
}

impl AgentOptions {
    /// Returns whether a tool's calls need the person's yes.
    pub fn asks_before(&self, tool: &str) -> bool {
        self.needs_approval.iter().any(|name| name == "*" || name == tool)
    }
}

fn max_turns() -> usize {
    MAX_TURNS
}

fn document_in_prompt() -> bool {
    true
}

fn run_timeout() -> u64 {
    RUN_TIMEOUT_MS
}

fn max_retries() -> usize {
    MAX_RETRIES
}

fn max_repeats() -> usize {
    MAX_REPEATS
}
