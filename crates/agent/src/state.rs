//! The state of an agent.

use crate::Event;
use crate::approvals::Approvals;
use crate::call_state::Call;
use crate::hooks::Hooks;
use crate::ledger::Ledger;
use crate::listing::Listing;
use crate::log::Log;
use crate::options::AgentOptions;
use crate::prompt::Rule;
use crate::tools::paging::Pages;
use crate::tools::{ResultEvidence, Tool};
use crate::workspace::Workspace;
use copydesk_base::host::{AbortSignal, Clock, Fetch};
use copydesk_edit::Provenance;
use copydesk_edit::guard::RunScope;
use copydesk_edit::relocate::Shown;
use copydesk_llm::{Cost, Message, Usage};
use copydesk_review::ReviewHost;
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A call of the answer under way, or of the last one, with the arguments that have arrived.
pub(crate) struct PartialCall {
    pub(crate) tool_id: String,
    pub(crate) tool_name: String,
    pub(crate) arguments: Map<String, Value>,
}

/// The smallest request that a model has refused as too long.
#[derive(Clone)]
pub(crate) struct Overflow {
    pub(crate) model: String,
    pub(crate) base_url: String,
    /// Its estimated tokens.
    pub(crate) tokens: usize,
    /// Those of its messages, without the system prompt and the tools.
    pub(crate) message_tokens: usize,
}

/// A message that shows something of the document and was not sent yet.
pub(crate) struct Undelivered {
    pub(crate) carrier: Carrier,
    pub(crate) shows: ResultEvidence,
}

/// The message that shows something of the document.
#[derive(PartialEq)]
pub(crate) enum Carrier {
    /// The result of a call.
    Result { call: String },
    /// A document message.
    Document { content: Value },
}

/// The state of an agent, which its clones share.
pub(crate) struct AgentState {
    pub(crate) options: RefCell<Rc<AgentOptions>>,
    /// The tools of the app.
    pub(crate) tools: RefCell<Rc<[Tool]>>,
    /// The rules of the last request.
    pub(crate) rules_told: RefCell<Vec<Rule>>,
    /// The number of skills at the last notice about it.
    pub(crate) skills_told: Cell<usize>,
    pub(crate) document: Rc<dyn ReviewHost>,
    pub(crate) fetch: Rc<dyn Fetch>,
    pub(crate) clock: Rc<dyn Clock>,
    pub(crate) hooks: Rc<dyn Hooks>,
    pub(crate) workspace: Option<Workspace>,
    pub(crate) log: Log,
    pub(crate) listener: Rc<dyn Fn(Event)>,
    pub(crate) messages: RefCell<Vec<Message>>,
    /// Messages for the model after the turn under way.
    pub(crate) steering: RefCell<Vec<Message>>,
    /// Messages for the model when it has finished.
    pub(crate) follow_up: RefCell<Vec<Message>>,
    pub(crate) approvals: Approvals,
    /// The parts of the document that the model was shown.
    pub(crate) shown: Rc<RefCell<Shown>>,
    /// The content of the document as far as messages of the conversation have shown it.
    pub(crate) listing: Rc<RefCell<Option<Listing>>>,
    /// The smallest request that the model has refused as too long.
    pub(crate) overflow: RefCell<Option<Overflow>>,
    /// The messages that show parts of the document and were not sent yet.
    pub(crate) undelivered: RefCell<Vec<Undelivered>>,
    /// The ids of the agent's turns.
    pub(crate) turns: RefCell<Vec<String>>,
    /// The calls of the run under way that have no result yet.
    pub(crate) calls: RefCell<Vec<Rc<Call>>>,
    /// The text of the answer under way.
    pub(crate) streaming: RefCell<Option<String>>,
    /// The calls of the answer under way, for previews.
    pub(crate) partial_calls: RefCell<Vec<PartialCall>>,
    /// The message of the last run's error.
    pub(crate) error: RefCell<Option<String>>,
    pub(crate) usage: Cell<Usage>,
    /// The prices of the last run's model.
    pub(crate) prices: Cell<Option<Cost>>,
    pub(crate) ledger: RefCell<Ledger>,
    /// The URLs of the conversation, by origin; `None` if the conversation was replaced and not read yet.
    pub(crate) provenance: RefCell<Option<Rc<Provenance>>>,
    /// The results that are too long to be shown at once.
    pub(crate) pages: Rc<RefCell<Pages>>,
    /// The number of messages to which reported token counts no longer apply.
    pub(crate) since: Cell<usize>,
    pub(crate) seq: Cell<u64>,
    /// The scope of the last prompt.
    pub(crate) scope: RefCell<Option<Rc<RunScope>>>,
    /// The abort signal of the run under way.
    pub(crate) running: RefCell<Option<AbortSignal>>,
}
