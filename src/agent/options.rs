//! How an agent works.

use super::repeats::MAX_REPEATS;
use super::retry::MAX_RETRIES;
use crate::fields::{Object, inside, must_be, optional, required};
use crate::llm::LlmConfig;
use crate::locale::Locale;
use crate::search::Services;
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
        let services: Option<Object> = optional(&mut value, "services")?;
        let locale: Option<String> = optional(&mut value, "locale")?;
        let execution: Option<String> = optional(&mut value, "toolExecution")?;
        Ok(AgentOptions {
            llm_config: llm_config.try_into().map_err(inside("llmConfig"))?,
            services: services
                .map(|Object(services)| services.try_into())
                .transpose()
                .map_err(inside("services"))?
                .map(Rc::new)
                .unwrap_or_default(),
            locale: locale.map(|tag| Locale::from_tag(&tag)).unwrap_or_default(),
            system_prompt: optional(&mut value, "systemPrompt")?,
            max_turns: optional(&mut value, "maxTurns")?.unwrap_or(MAX_TURNS).max(1),
            run_timeout: optional(&mut value, "runTimeout")?.unwrap_or(RUN_TIMEOUT_MS),
            tool_timeout: optional(&mut value, "toolTimeout")?,
            max_retries: optional(&mut value, "maxRetries")?.unwrap_or(MAX_RETRIES),
            max_repeats: optional(&mut value, "maxRepeats")?.unwrap_or(MAX_REPEATS).max(1),
            sequential: match execution.as_deref() {
                None | Some("parallel") => false,
                Some("sequential") => true,
                Some(_) => return Err(must_be("toolExecution", "parallel or sequential")),
            },
            steering_mode: queue_mode(&mut value, "steeringMode")?,
            follow_up_mode: queue_mode(&mut value, "followUpMode")?,
            needs_approval: names(&mut value, "needsApproval")?,
            result_bytes: optional(&mut value, "resultBytes")?,
        })
    }
}

fn queue_mode(value: &mut Value, name: &str) -> Result<QueueMode, String> {
    match optional::<String>(value, name)?.as_deref() {
        None | Some("one-at-a-time") => Ok(QueueMode::OneAtATime),
        Some("all") => Ok(QueueMode::All),
        Some(_) => Err(must_be(name, "one-at-a-time or all")),
    }
}

fn names(value: &mut Value, name: &str) -> Result<Vec<String>, String> {
    let given: Vec<Value> = optional(value, name)?.unwrap_or_default();
    let text = |value: Value| match value {
        Value::String(text) => Ok(text),
        _ => Err(must_be(name, "an array of tool names")),
    };
    given.into_iter().map(text).collect()
}
