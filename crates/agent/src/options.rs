//! How an agent works.

use super::repeats::MAX_REPEATS;
use super::retry::MAX_RETRIES;
use crate::search::Services;
use copydesk_base::fields::{Object, Reading, inside, must_be, required};
use copydesk_base::locale::Locale;
use copydesk_llm::LlmConfig;
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// The most turns of a run, where nothing else is set.
pub const MAX_TURNS: usize = 40;
/// The longest that a run may take, in milliseconds, where nothing else is set.
pub const RUN_TIMEOUT_MS: u64 = 5 * 60_000;

/// How an agent works. Keys are in here: never print it.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct AgentOptions {
    /// Which model is asked, and how.
    pub llm_config: LlmConfig,
    /// Which services the search tools ask.
    pub services: Rc<Services>,
    /// The language of prompts, results and errors.
    pub locale: Locale,
    /// What the model is told before the conversation; copydesk's own prompt where none is given.
    pub system_prompt: Option<String>,
    /// The most turns of a run.
    pub max_turns: usize,
    /// The longest that a run may take, in milliseconds. Waiting for the person's yes does not count.
    pub run_timeout: u64,
    /// The longest that a call may take, in milliseconds, where its tool does not say.
    pub tool_timeout: Option<u64>,
    /// How often a request that failed is sent again.
    pub max_retries: usize,
    /// How often a call may give the same result before it is refused.
    pub max_repeats: usize,
    /// Whether calls of one answer run one after another, also those that could run side by side.
    pub sequential: bool,
    /// How many queued messages a turn takes.
    pub steering_mode: QueueMode,
    /// How many queued messages the end of a run takes.
    pub follow_up_mode: QueueMode,
    /// The tools whose calls need the person's yes; `*` is all.
    pub needs_approval: Vec<String>,
    /// The longest result that the model is shown at once, in bytes; see [`Budget::of_window`](crate::tools::paging::Budget::of_window).
    pub result_bytes: Option<usize>,
}

/// How many queued messages are taken at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueMode {
    /// The oldest.
    #[default]
    OneAtATime,
    /// All.
    All,
}

impl AgentOptions {
    /// Whether a tool's calls need the person's yes.
    pub fn asks_before(&self, tool: &str) -> bool {
        self.needs_approval.iter().any(|name| name == "*" || name == tool)
    }
}

impl TryFrom<Value> for AgentOptions {
    type Error = String;

    fn try_from(mut value: Value) -> Result<AgentOptions, String> {
        let Object(llm_config) = required(&mut value, "llmConfig")?;
        let llm_config = llm_config.try_into().map_err(inside("llmConfig"))?;
        let mut fields = Reading::of(value);
        let options = AgentOptions {
            llm_config,
            services: fields.nested("services").map(Rc::new).unwrap_or_default(),
            locale: fields.optional("locale").map(|tag: String| Locale::from_tag(&tag)).unwrap_or_default(),
            system_prompt: fields.optional("systemPrompt"),
            max_turns: fields.optional("maxTurns").unwrap_or(MAX_TURNS).max(1),
            run_timeout: fields.optional("runTimeout").unwrap_or(RUN_TIMEOUT_MS),
            tool_timeout: fields.optional("toolTimeout"),
            max_retries: fields.optional("maxRetries").unwrap_or(MAX_RETRIES),
            max_repeats: fields.optional("maxRepeats").unwrap_or(MAX_REPEATS).max(1),
            sequential: fields.word("toolExecution", "parallel or sequential", is_sequential).unwrap_or_default(),
            steering_mode: fields.word("steeringMode", QueueMode::NAMES, QueueMode::named).unwrap_or_default(),
            follow_up_mode: fields.word("followUpMode", QueueMode::NAMES, QueueMode::named).unwrap_or_default(),
            needs_approval: names(&mut fields, "needsApproval"),
            result_bytes: fields.optional("resultBytes"),
        };
        fields.end(options)
    }
}

fn is_sequential(word: &str) -> Option<bool> {
    match word {
        "parallel" => Some(false),
        "sequential" => Some(true),
        _ => None,
    }
}

impl QueueMode {
    const NAMES: &str = "one-at-a-time or all";

    fn named(word: &str) -> Option<QueueMode> {
        match word {
            "one-at-a-time" => Some(QueueMode::OneAtATime),
            "all" => Some(QueueMode::All),
            _ => None,
        }
    }
}

fn names(fields: &mut Reading, name: &str) -> Vec<String> {
    let given: Vec<Value> = fields.optional(name).unwrap_or_default();
    let mut names = Vec::new();
    for value in given {
        match value {
            Value::String(text) => names.push(text),
            _ => fields.fail(must_be(name, "an array of tool names")),
        }
    }
    names
}
