//! What the person did, by name, and doing it again with an agent and a document of its own.
//!
//! | name | value |
//! |---|---|
//! | `prompt`, `steer`, `followUp`, `setMessages` | the messages |
//! | `continue`, `abort`, `clearQueues` | – |
//! | `approve` | `{toolId, approved, reason}` |
//! | `configure` | the options |
//! | `setTools` | the app's tools: `{name, description, parameters, …}`, and `needsApproval` where they have such a function |
//! | `sync` | `{stretches, blocks}`: the person changed the document; the blocks as JSON |
//! | `accept`, `reject` | which hunks, as `Which` is written |
//! | `undoTurn` | the turn's name |
//! | `setMode` | `auto` or `review` |
//! | `setGuards` | the guards |

use super::{Input, Recording, Stage, Tape};
use crate::agent::approvals::Verdict;
use crate::agent::{Agent, AgentOptions};
use crate::document::{Document, Schema};
use crate::edit::decide::{self, Reviewed};
use crate::edit::{DocumentCell, Guards, Mode, Which};
use crate::error::Error;
use crate::fields::{optional, required, take};
use crate::host::LocalFuture;
use crate::llm::Message;
use crate::tools::Tool;
use crate::tools::own::own;
use serde_json::Value;
use std::future::pending;
use std::rc::Rc;

/// An agent and its document, without an editor.
pub struct AgentStage {
    /// The agent; its outside is that of the replay.
    pub agent: Agent,
    /// Its document: as it was before.
    pub document: DocumentCell,
    /// Of the replay: what the app's tools said is in it.
    pub tape: Tape,
}

impl Recording {
    /// The document as it was before.
    ///
    /// # Errors
    /// Where it, or its schema, cannot be read.
    pub fn document_before(&self) -> Result<DocumentCell, Error> {
        let schema = match &self.schema {
            Value::Null => Schema::tiptap(),
            schema => Schema::from_json(&schema.to_string())?,
        };
        Ok(DocumentCell::new(Document::from_editor(&self.before, schema)?))
    }

    /// The options of the agent, with a word in place of each key.
    ///
    /// # Errors
    /// [`Error::InvalidRecording`] where they are no options.
    pub fn options(&self) -> Result<AgentOptions, Error> {
        let invalid = |reason| Error::InvalidRecording { reason: format!("settings: {reason}") };
        AgentOptions::try_from(self.settings.clone()).map_err(invalid)
    }
}

impl Stage for AgentStage {
    fn play(&self, input: &Input) -> Option<LocalFuture<'static, ()>> {
        // What was refused then is refused again, and nobody is there to hear of it.
        self.act(&input.name, input.value.clone()).unwrap_or_default()
    }
}

impl AgentStage {
    fn act(&self, name: &str, mut value: Value) -> Result<Option<LocalFuture<'static, ()>>, String> {
        let AgentStage { agent, document, .. } = self;
        let wrong = |error: Error| error.to_string();
        match name {
            "prompt" => {
                let run = agent.prompt_with(messages(value)?).map_err(wrong)?;
                return Ok(Some(Box::pin(async move { drop(run.await) })));
            }
            "continue" => {
                let run = agent.continue_run().map_err(wrong)?;
                return Ok(Some(Box::pin(async move { drop(run.await) })));
            }
            "steer" => messages(value)?.into_iter().for_each(|message| agent.steer(message)),
            "followUp" => messages(value)?.into_iter().for_each(|message| agent.follow_up(message)),
            "setMessages" => agent.set_messages(messages(value)?).map_err(wrong)?,
            "clearQueues" => agent.clear_queues(),
            "abort" => agent.abort(),
            "approve" => {
                let id: String = required(&mut value, "toolId")?;
                let approved = required(&mut value, "approved")?;
                let reason = optional(&mut value, "reason")?.unwrap_or_default();
                agent.approve(&id, Verdict { approved, reason }).map_err(wrong)?;
            }
            "configure" => agent.configure(AgentOptions::try_from(value)?),
            "setTools" => {
                let tools = value.as_array_mut().into_iter().flatten().map(|tool| self.tool(tool.take()));
                agent.set_tools(tools.collect::<Result<_, _>>()?);
            }
            "sync" => {
                let stretches = stretches(take(&mut value, "stretches"));
                let blocks = take(&mut value, "blocks").to_string();
                document.review().borrow_mut().sync(&stretches, &blocks).map_err(wrong)?;
            }
            "accept" => drop(decide::accept(document, &Which::from_value(&value).map_err(wrong)?)),
            "reject" => drop(decide::reject(document, &Which::from_value(&value).map_err(wrong)?)),
            "undoTurn" => drop(decide::undo_turn(document, value.as_str().unwrap_or_default())),
            "setMode" => decide::set_mode(document, if value == "review" { Mode::Review } else { Mode::Auto }),
            "setGuards" => document.set_guards(&Guards::try_from(value)?).map_err(wrong)?,
            _ => {}
        }
        Ok(None)
    }
}

impl AgentStage {
    /// A tool of the app, without its function.
    fn tool(&self, given: Value) -> Result<Tool, String> {
        let asks = given["needsApproval"].as_bool().unwrap_or(false);
        let mut tool = own(given, self.tape.execute(Rc::new(|_, _| Box::pin(pending()))))?;
        if asks {
            tool.manner.needs_approval = Some(self.tape.needs_approval(&tool.spec.name, Rc::new(|_| true)));
        }
        Ok(tool)
    }
}

fn messages(value: Value) -> Result<Vec<Message>, String> {
    match value {
        Value::Array(messages) => messages.into_iter().map(Message::try_from).collect(),
        _ => Err("no messages".into()),
    }
}

fn stretches(value: Value) -> Vec<[usize; 3]> {
    let number = |value: &Value| value.as_u64().and_then(|number| number.try_into().ok());
    let three = |three: &Value| Some([number(&three[0])?, number(&three[1])?, number(&three[2])?]);
    value.as_array().into_iter().flatten().filter_map(three).collect()
}
