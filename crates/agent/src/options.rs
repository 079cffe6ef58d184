//! Options of an agent.

use super::repeats::MAX_REPEATS;
use super::retry::MAX_RETRIES;
use crate::prompt::Rule;
use crate::search::Services;
use crate::skills::Skill;
use copydesk_base::decode;
use copydesk_base::locale::Locale;
use copydesk_edit::guard::ScopeRange;
use copydesk_llm::LlmConfig;
use serde::Deserialize;
use std::rc::Rc;

/// The default of `maxTurns`.
pub const MAX_TURNS: usize = 40;
/// The default of `runTimeout`, in milliseconds.
pub const RUN_TIMEOUT_MS: u64 = 5 * 60_000;

/// Options of an agent. Contains keys: never print it.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentOptions {
    /// The model, and the server that it is requested from.
    pub llm_config: LlmConfig,
    /// The services that the search tools use.
    #[serde(default)]
    pub services: Rc<Services>,
    /// The language of prompts, results and errors.
    #[serde(default)]
    pub locale: Locale,
    /// The system prompt; copydesk's own by default.
    pub system_prompt: Option<String>,
    /// The most turns of a run.
    #[serde(default = "max_turns", deserialize_with = "decode::at_least_one")]
    pub max_turns: usize,
    /// The longest that a run may take, in milliseconds. Waiting for the user does not count.
    #[serde(default = "run_timeout", deserialize_with = "decode::milliseconds")]
    pub run_timeout: u64,
    /// The default time limit of a call, in milliseconds.
    #[serde(default, deserialize_with = "decode::milliseconds")]
    pub tool_timeout: Option<u64>,
    /// The most retries of a failed request.
    #[serde(default = "max_retries")]
    pub max_retries: usize,
    /// The number of times that a call may return the same result before it is refused.
    #[serde(default = "max_repeats", deserialize_with = "decode::at_least_one")]
    pub max_repeats: usize,
    /// The order in which calls of one answer run.
    #[serde(default)]
    pub tool_execution: ExecutionMode,
    /// The form of arguments that are still arriving, in events.
    #[serde(default)]
    pub tool_args: ToolArgsForm,
    /// The number of steering messages taken per turn.
    #[serde(default)]
    pub steering_mode: QueueMode,
    /// The number of follow-up messages taken at the end of a run.
    #[serde(default)]
    pub follow_up_mode: QueueMode,
    /// The tools whose calls need the user's approval; `*` means all.
    #[serde(default)]
    pub needs_approval: Vec<String>,
    /// False if the agent works on its workspace only: it has no tools for the document, which is empty.
    #[serde(default = "has_document")]
    pub has_document: bool,
    /// False for an agent with no other tools than the app's.
    #[serde(default = "built_in_tools")]
    pub built_in_tools: bool,
    /// True if requests show the document as it is, with the selection.
    #[serde(default = "document_in_prompt")]
    pub document_in_prompt: bool,
    /// The path of the file of the workspace that is open as the document.
    pub document_path: Option<String>,
    /// The most tokens of a message that shows it; by default a tenth of the context window. If the document is longer,
    /// the outline is shown, and the lines around the selection.
    pub document_tokens: Option<usize>,
    /// False if the host of the workspace has the files of skills only.
    #[serde(default = "has_workspace")]
    pub has_workspace: bool,
    /// The rules of the app and the user, in the order in which the enabled ones are numbered.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// The number of rounds of tool calls after which the model is reminded of the rules; 0 for never.
    #[serde(default = "reminder_interval")]
    pub reminder_interval: usize,
    /// The skills that are enabled.
    #[serde(default = "no_skills")]
    pub skills: Rc<[Skill]>,
    /// The most tokens of the skills whose text is in the system prompt; see [`budget`](crate::skills::budget).
    pub skill_tokens: Option<usize>,
    /// The longest result that the model is shown at once, in bytes; see
    /// [`Budget::of_window`](crate::tools::paging::Budget::of_window).
    pub result_bytes: Option<usize>,
}

/// Options of one run.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// The range that the run may change; the whole document by default.
    pub scope: Option<ScopeRange>,
}

/// The order in which calls run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExecutionMode {
    /// In parallel.
    #[default]
    Parallel,
    /// One after another.
    Sequential,
}

/// The form of arguments that are still arriving, in `tool_args` events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolArgsForm {
    /// The text that was added since the last event.
    #[default]
    Delta,
    /// Everything that has arrived. The events of a call grow with its arguments.
    Partial,
}

/// The number of queued messages that are taken at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueMode {
    /// Only the oldest.
    #[default]
    OneAtATime,
    /// All.
    All,
}

impl AgentOptions {
    /// Returns whether calls of a tool need the user's approval.
    pub fn asks_before(&self, tool: &str) -> bool {
        self.needs_approval.iter().any(|name| name == "*" || name == tool)
    }
}

fn max_turns() -> usize {
    MAX_TURNS
}

fn has_document() -> bool {
    true
}

fn has_workspace() -> bool {
    true
}

fn reminder_interval() -> usize {
    1
}

fn no_skills() -> Rc<[Skill]> {
    Rc::default()
}

fn built_in_tools() -> bool {
    true
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
