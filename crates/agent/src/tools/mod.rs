//! The tools that a model may call.
//!
//! Each built-in tool is one file with one [`ToolDefinition`], implemented by the struct of its parameters: name,
//! descriptions in both languages, [`ExecutionPolicy`] and `run`. The list [`BUILT_IN`] is the only other place that
//! knows of it. Tools of the app are made by [`app::tool`].

pub mod activate_skill;
pub mod app;
pub mod files;
pub mod paging;
pub mod policy;
pub mod read_more;

mod edit;
mod edit_current_editor_document;
mod edit_file;
mod get_document;
mod insert_image;
mod list_files;
mod move_section;
mod read_file;
mod read_lines;
mod replace_text;
mod search;
mod search_content;
mod search_files;
mod search_image;
mod search_web;
mod set_attributes;
mod update_section;
mod verify_strict_references;
mod verify_strict_timeline;
mod write_chapter;
mod write_file;

pub use policy::ExecutionPolicy;

/// The name of the tool that loads skills.
pub(crate) const ACTIVATE_SKILL: &str = "activate_skill";

use crate::Error;
use crate::listing::Listing;
use crate::search::Services;
use crate::skills::Skill;
use crate::tools::paging::{Budget, PageRange, Pages};
use crate::workspace::Workspace;
use activate_skill::ActivateSkill;
use copydesk_base::host::{Clock, Fetch, LocalFuture};
use copydesk_base::locale::Locale;
use copydesk_base::parameters::{self, Parameters};
use copydesk_edit::guard::RunScope;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::provenance::field::UrlField;
use copydesk_edit::{DocUpdate, DocumentHost, Origin, Provenance, evidence::Evidence, relocate::Shown};
use copydesk_llm::{Image, ToolSpec};
use edit_current_editor_document::EditDocument;
use edit_file::EditFile;
use get_document::GetDocument;
use insert_image::InsertImageCall;
use list_files::ListFiles;
use move_section::MoveSectionCall;
use read_file::ReadFile;
use read_lines::ReadLines;
use read_more::ReadMore;
use replace_text::ReplaceTextCall;
use search_content::SearchContent;
use search_files::SearchFiles;
use search_image::SearchImage;
use search_web::SearchWeb;
use serde_json::{Map, Value};
use set_attributes::SetAttributesCall;
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;
use update_section::UpdateSection;
use verify_strict_references::VerifyStrictReferences;
use verify_strict_timeline::VerifyStrictTimeline;
use write_chapter::WriteChapter;
use write_file::WriteFile;

/// The context that a call runs in.
#[derive(Clone)]
pub struct ToolContext {
    /// The document that the agent works on.
    pub document: Rc<dyn DocumentHost>,
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
pub type Run = Rc<dyn Fn(Value, ToolContext) -> ToolFuture>;

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
    pub run: Run,
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

/// The definition of a built-in tool, implemented by the struct of its parameters, whose comments describe them to the
/// model.
pub trait ToolDefinition: Parameters + 'static {
    /// The name by which a model calls it.
    const NAME: &'static str;
    /// The part of the agent that it works on; an agent without it does not have the tool.
    const SUBJECT: Subject = Subject::Document;

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

    /// Fails if the parameters do not go together.
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Runs a call.
    fn run(self, context: ToolContext) -> ToolFuture;
}

/// Returns the doc update that the arguments of an unfinished call state.
type ArrivingUpdate = fn(&Map<String, Value>) -> Option<Map<String, Value>>;

/// A built-in tool before it is made for a language.
struct BuiltIn {
    name: &'static str,
    subject: Subject,
    tool: fn(Locale) -> Tool,
    arriving_update: ArrivingUpdate,
}

impl BuiltIn {
    const fn of<T: ToolDefinition>() -> BuiltIn {
        BuiltIn { name: T::NAME, subject: T::SUBJECT, tool: built_in::<T>, arriving_update: T::arriving_update }
    }
}

/// The built-in tools, in the order in which the model is told them.
const BUILT_IN: [BuiltIn; 21] = [
    BuiltIn::of::<GetDocument>(),
    BuiltIn::of::<ReadLines>(),
    BuiltIn::of::<EditDocument>(),
    BuiltIn::of::<ReplaceTextCall>(),
    BuiltIn::of::<SetAttributesCall>(),
    BuiltIn::of::<UpdateSection>(),
    BuiltIn::of::<InsertImageCall>(),
    BuiltIn::of::<MoveSectionCall>(),
    BuiltIn::of::<ReadFile>(),
    BuiltIn::of::<WriteFile>(),
    BuiltIn::of::<ListFiles>(),
    BuiltIn::of::<WriteChapter>(),
    BuiltIn::of::<EditFile>(),
    BuiltIn::of::<SearchFiles>(),
    BuiltIn::of::<SearchContent>(),
    BuiltIn::of::<VerifyStrictTimeline>(),
    BuiltIn::of::<VerifyStrictReferences>(),
    BuiltIn::of::<SearchWeb>(),
    BuiltIn::of::<SearchImage>(),
    BuiltIn::of::<ActivateSkill>(),
    BuiltIn::of::<ReadMore>(),
];

/// Returns all built-in tools.
pub fn all_built_in(locale: Locale) -> Vec<Tool> {
    BUILT_IN.iter().map(|built_in| (built_in.tool)(locale)).collect()
}

/// Returns the built-in tools that work on one of these subjects.
pub fn built_in_on(subjects: &[Subject], locale: Locale) -> Vec<Tool> {
    let built_in = BUILT_IN.iter().filter(|built_in| subjects.contains(&built_in.subject));
    built_in.map(|built_in| (built_in.tool)(locale)).collect()
}

/// Returns the doc update `{operation, …}` that a call states whose arguments are still arriving.
pub fn arriving_update(tool: &str, arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
    let built_in = BUILT_IN.iter().find(|built_in| built_in.name == tool)?;
    (built_in.arriving_update)(arguments)
}

/// Returns the tools of an agent: the built-in ones that work on these subjects and the app's, which replace built-in
/// ones of the same name. A tool that reads pages comes last.
pub fn all(subjects: &[Subject], locale: Locale, app: &[Tool]) -> Vec<Tool> {
    let mut tools = built_in_on(subjects, locale);
    tools.retain(|tool| app.iter().all(|app| app.spec.name != tool.spec.name));
    // Providers refuse two tools of one name: the last one counts.
    let is_last = |(at, tool): &(usize, &Tool)| app[at + 1..].iter().all(|later| later.spec.name != tool.spec.name);
    let app = app.iter().enumerate().filter(is_last).map(|(_, tool)| tool.clone());
    let at = tools.iter().position(|tool| tool.policy.reads_pages).unwrap_or(tools.len());
    tools.splice(at..at, app);
    tools
}

/// Returns whether results of the tool with this name come from outside the document. An unknown tool's do.
pub fn is_external(name: &str) -> bool {
    let tool = all_built_in(Locale::En).into_iter().find(|tool| tool.spec.name == name);
    tool.is_none_or(|tool| tool.policy.external)
}

/// Adds the parameter `confirmDrop` to the tools that edit, so that the model can confirm what `lossless` refuses.
pub fn with_confirm_drop(mut tools: Vec<Tool>, locale: Locale) -> Vec<Tool> {
    let options = parameters::schema_offering::<EditOptions>(locale, &["confirmDrop"]);
    for tool in tools.iter_mut().filter(|tool| tool.policy.edits) {
        if let Some(properties) = tool.spec.parameters["properties"].as_object_mut() {
            properties.insert("confirmDrop".into(), options["properties"]["confirmDrop"].clone());
        }
    }
    tools
}

/// Makes a tool of its definition.
pub fn built_in<T: ToolDefinition>(locale: Locale) -> Tool {
    let parameters = parameters::schema::<T>(locale);
    let spec = ToolSpec { name: T::NAME.to_owned(), description: T::description(locale).to_owned(), parameters };
    let run = |given: Value, context: ToolContext| -> ToolFuture {
        match parameters::read::<T>(T::NAME, &given) {
            Ok(given) => given.run(context),
            Err(error) => Box::pin(ready(Err(error.into()))),
        }
    };
    Tool {
        spec,
        accepts: Rc::new(|given| parameters::read::<T>(T::NAME, given)?.check()),
        run: Rc::new(run),
        policy: T::policy(),
        needs_approval: None,
        url_fields: UrlField::all(T::url_fields(), T::page_fields()).into(),
        doc_update: |given| parameters::read::<T>(T::NAME, given).ok()?.doc_update(),
    }
}

/// Returns a text argument without white space around it. Fails with [`copydesk_base::Error::MissingParameter`] where
/// nothing is left.
fn required_text<'a>(call: &str, name: &str, text: &'a str) -> Result<&'a str, Error> {
    Some(text.trim())
        .filter(|text| !text.is_empty())
        .ok_or_else(|| Error::Base(copydesk_base::Error::MissingParameter { call: call.into(), name: name.into() }))
}
