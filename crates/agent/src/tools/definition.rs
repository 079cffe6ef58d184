//! The definition of a tool, the context in which a call runs, and its outcome.

use super::paging::{Budget, PageRange, Pages};
use super::policy::ExecutionPolicy;
use crate::Error;
use crate::listing::Listing;
use crate::search::Services;
use crate::skills::Skill;
use crate::workspace::Workspace;
use copydesk_base::host::{Clock, Fetch, LocalFuture};
use copydesk_base::locale::Locale;
use copydesk_base::parameters::Parameters;
use copydesk_edit::evidence::Evidence;
use copydesk_edit::guard::RunScope;
use copydesk_edit::provenance::field::UrlField;
use copydesk_edit::relocate::Shown;
use copydesk_edit::{DocUpdate, Origin, Provenance};
use copydesk_llm::{Image, ToolSpec};
use copydesk_review::ReviewHost;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// The name of the tool that loads skills.
pub(crate) const ACTIVATE_SKILL: &str = "activate_skill";

/// The context that a call runs in.
#[derive(Clone)]
pub struct ToolContext {
    /// The document that the agent works on.
    pub document: Rc<dyn ReviewHost>,
    /// The files that the agent works on, if it has a workspace.
    pub workspace: Option<Workspace>,
    /// The parts of the document that the model was shown.
    pub shown: Rc<RefCell<Shown>>,
    /// The content of the document as far as messages of the conversation have shown it.
    pub(crate) listing: Rc<RefCell<Option<Listing>>>,
    /// The parts that the result of this call shows, also if it is an error. The tool states them; they count as
    /// shown when the result is sent.
    pub shows: Rc<RefCell<Option<ResultEvidence>>>,
    /// Sends requests.
    pub fetch: Rc<dyn Fetch>,
    /// Tells the time.
    pub clock: Rc<dyn Clock>,
    /// The services that the search tools use.
    pub services: Rc<Services>,
    /// The skills of the agent.
    pub skills: Rc<[Skill]>,
    /// The language of results and errors.
    pub locale: Locale,
    /// The turn and the call that edits are attributed to.
    pub origin: Origin,
    /// The URLs that tools returned and the user wrote.
    pub provenance: Rc<Provenance>,
    /// The scope of the run.
    pub scope: Option<Rc<RunScope>>,
    /// The results that were too long to be shown at once.
    pub pages: Rc<RefCell<Pages>>,
    /// The longest part of a result that is shown at once.
    pub budget: Budget,
    /// Reports progress in any form: a `tool_update` event.
    pub progress: Rc<dyn Fn(Value)>,
}

/// The outcome of a call.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    /// The result for the model.
    pub content: Value,
    /// The payload of the `doc_update` event, if the document was changed.
    pub doc_update: Option<Map<String, Value>>,
    /// Images for the model.
    pub images: Vec<Image>,
    /// Data for programs, which the model does not see.
    pub details: Option<Value>,
    /// True if the content describes an error.
    pub is_error: bool,
}

/// The parts of the document that a result shows.
#[derive(Clone)]
pub struct ResultEvidence {
    /// The texts that show them.
    pub evidence: Rc<Evidence>,
    /// The ranges of longer texts that are in the result.
    pub ranges: Vec<PageRange>,
}

impl From<Evidence> for ResultEvidence {
    fn from(evidence: Evidence) -> ResultEvidence {
        ResultEvidence { evidence: Rc::new(evidence), ranges: Vec::new() }
    }
}

/// A call under way. Dropping it cancels it.
pub type ToolFuture = LocalFuture<'static, Result<ToolOutput, Error>>;

/// Fails if arguments are not those that the tool takes.
pub type Accepts = Rc<dyn Fn(&Value) -> Result<(), Error>>;

/// Runs a call with its arguments, a JSON object.
pub type RunCall = Rc<dyn Fn(Value, ToolContext) -> ToolFuture>;

/// Returns whether a call with these arguments needs the user's approval.
pub type NeedsApproval = Rc<dyn Fn(&Map<String, Value>) -> bool>;

/// A tool.
#[derive(Clone)]
pub struct Tool {
    /// Name, description and schema, as the model is told them.
    pub spec: ToolSpec,
    /// Checks arguments, before the app and the user are asked about a call.
    pub accepts: Accepts,
    /// Runs a call.
    pub run: RunCall,
    /// The execution policy of its calls.
    pub policy: ExecutionPolicy,
    /// Decides whether a call needs the user's approval, beside the option `needsApproval`.
    pub needs_approval: Option<NeedsApproval>,
    /// The fields of its results whose URLs the model may use.
    pub url_fields: Rc<[UrlField]>,
    /// Reads the doc update that a call with these arguments makes, if it makes one.
    pub doc_update: fn(&Value) -> Option<DocUpdate>,
}

/// The part of an agent that a built-in tool works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The document.
    Document,
    /// The files of the workspace.
    Workspace,
    /// The files of the workspace, or else those of skills.
    Files,
    /// Skills whose text the system prompt does not have.
    Skills,
    /// Neither.
    Outside,
}

impl Subject {
    /// The subjects of an agent without a workspace.
    pub const WITHOUT_WORKSPACE: &'static [Subject] = &[Subject::Document, Subject::Outside];
}

/// The effect of a tool's calls, for the user interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolKind {
    /// They read the document or a file.
    Read,
    /// They write the document or a file.
    Write,
    /// They insert an image into the document.
    InsertImage,
    /// They list files.
    List,
    /// They search.
    Search,
    /// They check a story.
    Check,
    /// They load a skill.
    LoadSkill,
}

impl ToolKind {
    /// Returns whether calls change the document or files.
    pub fn writes(self) -> bool {
        matches!(self, ToolKind::Write | ToolKind::InsertImage)
    }
}

/// The definition of a built-in tool, implemented by the struct of its parameters, whose comments describe them to the
/// model.
pub trait ToolDefinition: Parameters + 'static {
    /// The name by which a model calls it.
    const NAME: &'static str;
    /// The part of the agent that it works on; an agent without it does not have the tool.
    const SUBJECT: Subject = Subject::Document;
    /// The effect of its calls.
    const KIND: ToolKind;

    /// Describes the tool to the model.
    fn description(locale: Locale) -> &'static str;

    /// States how its calls are run.
    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::default()
    }

    /// Names the fields of its results whose URLs the model may use as images.
    fn url_fields() -> &'static [&'static str] {
        &[]
    }

    /// Names the fields of its results whose URLs the model may use as links only.
    fn page_fields() -> &'static [&'static str] {
        &[]
    }

    /// Returns the doc update that a call makes, if it makes one.
    fn doc_update(self) -> Option<DocUpdate> {
        None
    }

    /// Returns the doc update `{operation, …}` that a call states whose arguments are still arriving.
    fn arriving_update(_arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        None
    }

    /// Returns the path of the file that a call with these arguments reads or writes.
    fn path_in(_arguments: &Map<String, Value>) -> Option<String> {
        None
    }

    /// Fails if the parameters do not go together.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Runs a call.
    fn run(self, context: ToolContext) -> ToolFuture;
}

/// Returns the argument `path`, as it is written.
pub(super) fn path_argument(arguments: &Map<String, Value>) -> Option<String> {
    arguments.get("path")?.as_str().map(str::to_owned)
}

/// Returns a text argument without white space around it. Fails with [`copydesk_base::Error::MissingParameter`] where
/// nothing is left.
pub(super) fn required_text<'a>(call: &str, name: &str, text: &'a str) -> Result<&'a str, Error> {
    Some(text.trim())
        .filter(|text| !text.is_empty())
        .ok_or_else(|| Error::Base(copydesk_base::Error::MissingParameter { call: call.into(), name: name.into() }))
}
