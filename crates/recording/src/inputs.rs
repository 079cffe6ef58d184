//! The inputs of the user and the app, by name, and an agent with a document of its own that takes recorded ones.
//!
//! | name | value |
//! |---|---|
//! | `prompt`, `steer`, `followUp`, `setMessages` | the messages; of a prompt with a scope `{messages, scope}` |
//! | `continue`, `abort`, `clearQueues` | –; of a run that is continued with a scope `{scope}` |
//! | `approve` | `{toolId, approved, reason}` |
//! | `configure` | the options |
//! | `notice` | `{code, message}` of a plugin |
//! | `setTools` | the app's tools: `{name, description, parameters, …}`, and `needsApproval` if they have such a function |
//! | `sync` | `{stretches, blocks}`: the user changed the document; the blocks as JSON |
//! | `history` | –: the next `sync` undoes or redoes something in the editor's history |
//! | `propose` | the same for a proposal of somebody else than the agent, and `{turn, toolId}` |
//! | `versions` | `{base, proposed}`: the versions of the documents after the last input |
//! | `accept`, `reject` | the selection of hunks |
//! | `resolve` | `{hunk, version}` |
//! | `undoDecision` | the selection of hunks; null for the last decision |
//! | `undoTurn` | the turn's name |
//! | `setMode` | `auto` or `review` |
//! | `setGuards` | the guards |
//! | `wait` | –: a listener took long, and did nothing else |

use super::difference;
use super::{Input, InputPlayer, Recording, Replay, ReplayedDocument};
use crate::Error;
use crate::answer::{HAS_FILES, HAS_WORKSPACE};
use copydesk_agent::approvals::ApprovalResponse;
use copydesk_agent::log::Log;
use copydesk_agent::tools::app::{ToolFunctions, tools};
use copydesk_agent::workspace::WorkspaceHost;
use copydesk_agent::{Agent, AgentHost, AgentOptions, Event, RunOptions};
use copydesk_base::decode::{self, FieldError};
use copydesk_base::host::LocalFuture;
use copydesk_document::{Document, Schema};
use copydesk_edit::Guards;
use copydesk_llm::Message;
use copydesk_review::decide::{self, Reviewed};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{HistoryMove, Mode, ReviewCell, Version, Which};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// The value of the input `approve`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Approval {
    tool_id: String,
    approved: bool,
    #[serde(default)]
    reason: String,
}

/// An agent and its document, without an editor.
pub struct ReplayAgent {
    /// The agent; its host is the replay.
    pub agent: Agent,
    /// Its document, at first as it was before the recording.
    pub document: ReviewCell,
    /// The functions of the app's tools: those of the replay.
    pub functions: Rc<dyn ToolFunctions>,
}

impl Recording {
    /// Returns the document before.
    ///
    /// # Errors
    /// Fails if the document or its schema cannot be read.
    pub fn document_before(&self) -> Result<ReviewCell, Error> {
        let schema = match &self.schema {
            Value::Null => Schema::tiptap(),
            schema => Schema::from_json(&schema.to_string())?,
        };
        Ok(ReviewCell::new(Document::from_editor(&self.before, schema)?))
    }

    /// Returns the options of the agent, with a placeholder for each key.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`] if they are not options.
    pub fn options(&self) -> Result<AgentOptions, Error> {
        let invalid = |error| Error::InvalidRecording { reason: format!("settings: {error}") };
        decode::from_value(&with_default(self.settings.clone(), false)).map_err(invalid)
    }
}

/// Returns options with `documentInPrompt` as given where it is not set. Recordings that were made before there was
/// such an option do not have it, and their requests do not show the document; a recorder writes it down.
pub(crate) fn with_default(mut options: Value, document_in_prompt: bool) -> Value {
    if let Some(options) = options.as_object_mut() {
        options.entry("documentInPrompt").or_insert(document_in_prompt.into());
    }
    options
}

impl InputPlayer for ReplayAgent {
    fn play(&self, input: &Input) -> Option<LocalFuture<'static, ()>> {
        // A call that was refused then is refused again; there is nobody to report it to.
        self.act(&input.name, input.value.clone())
    }
}

impl ReplayAgent {
    /// Returns the agent that a recording is played on; `listener` hears the events.
    ///
    /// # Errors
    /// Fails if its document or its conversation cannot be read.
    pub fn new(replay: &Replay, options: AgentOptions, listener: Rc<dyn Fn(Event)>) -> Result<ReplayAgent, Error> {
        let recording = replay.recording();
        let document = recording.document_before()?;
        let has_files = [HAS_FILES, HAS_WORKSPACE].iter().any(|name| recording.settings[name] == true);
        let host = AgentHost {
            fetch: replay.fetch(),
            clock: replay.clock(),
            hooks: Rc::new(replay.clone()),
            workspace: has_files.then(|| Rc::new(replay.clone()) as Rc<dyn WorkspaceHost>),
            log: Log::silent(),
            listener: replay.listener(listener),
        };
        let agent = Agent::new(options, Rc::new(ReplayedDocument::new(document.clone(), replay.clone())), host);
        if !recording.messages.is_null() {
            let invalid = |error: FieldError| Error::InvalidRecording { reason: error.to_string() };
            agent.set_messages(messages(recording.messages.clone()).map_err(invalid)?)?;
        }
        Ok(ReplayAgent { agent, document, functions: Rc::new(replay.clone()) })
    }

    fn act(&self, name: &str, value: Value) -> Option<LocalFuture<'static, ()>> {
        let ReplayAgent { agent, document, .. } = self;
        match name {
            "prompt" => {
                let (value, options) = of_run(value)?;
                let run = agent.prompt_with(messages(value).ok()?, options).ok()?;
                return Some(Box::pin(async move { drop(run.await) }));
            }
            "continue" => {
                let run = agent.continue_with(of_run(value)?.1).ok()?;
                return Some(Box::pin(async move { drop(run.await) }));
            }
            "steer" => messages(value).ok()?.into_iter().for_each(|message| agent.steer(message)),
            "followUp" => messages(value).ok()?.into_iter().for_each(|message| agent.follow_up(message)),
            "setMessages" => agent.set_messages(messages(value).ok()?).ok()?,
            "clearQueues" => agent.clear_queues(),
            "abort" => agent.abort(),
            "approve" => {
                let Approval { tool_id, approved, reason } = decode::from_value(&value).ok()?;
                agent.approve(&tool_id, ApprovalResponse { approved, reason }).ok()?;
            }
            "notice" => {
                let text = |name| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
                agent.notice(text("code"), text("message"));
            }
            "configure" => agent.configure(decode::from_value(&with_default(value, false)).ok()?),
            "setTools" => {
                agent.set_tools(tools(&value, &self.functions).ok()?);
            }
            "history" => {
                // Earlier recordings do not say the direction.
                let direction = HistoryMove::from_name(value.as_str().unwrap_or_default());
                document.review().borrow_mut().expect_history(direction);
            }
            "sync" => difference::sync(document, value).ok()?,
            "versions" => {
                let tag = |name| value.get(name).and_then(Value::as_str).unwrap_or_default();
                document.review().borrow_mut().go_on_from(tag("base"), tag("proposed"));
            }
            "propose" => difference::propose(document, value).ok()?,
            "accept" => drop(decide::accept(document, &Which::from_value(&value).ok()?)),
            "reject" => drop(decide::reject(document, &Which::from_value(&value).ok()?)),
            "resolve" => {
                let text = |name| value.get(name).and_then(Value::as_str).unwrap_or_default();
                let version = Version::from_name(text("version")).ok()?;
                drop(decide::resolve(document, text("hunk"), version));
            }
            "undoDecision" => {
                let which = if value.is_null() { None } else { Some(Which::from_value(&value).ok()?) };
                drop(undo_decision(document, which.as_ref()));
            }
            "undoTurn" => drop(decide::undo_turn(document, value.as_str().unwrap_or_default())),
            "setMode" => decide::set_mode(document, if value == "review" { Mode::Review } else { Mode::Auto }),
            // Null removes them.
            "setGuards" => document.set_guards(&decode::from_value::<Guards>(&value).ok()?).ok()?,
            _ => {}
        }
        None
    }
}

/// Returns the messages of a run and its options: `{messages, scope}`, or the messages alone.
fn of_run(mut value: Value) -> Option<(Value, RunOptions)> {
    let Some(fields) = value.as_object_mut() else { return Some((value, RunOptions::default())) };
    let messages = fields.remove("messages").unwrap_or_default();
    Some((messages, decode::from_value(&value).ok()?))
}

fn messages(value: Value) -> Result<Vec<Message>, FieldError> {
    decode::from_value(&value).map_err(|error| error.within("messages"))
}
