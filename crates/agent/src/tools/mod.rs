//! The tools that a model may call.
//!
//! Each built-in tool is one file with one [`ToolDefinition`], implemented by the struct of its parameters: name,
//! descriptions, [`ExecutionPolicy`] and `run`. The list [`BUILT_IN`] is the only other place that
//! knows of it. Tools of the app are made by [`app::tool`].

pub mod activate_skill;
pub mod app;
pub mod files;
pub mod paging;
pub mod policy;
pub mod read_more;

mod definition;
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

pub(crate) use definition::ACTIVATE_SKILL;
pub use definition::{
    Accepts, NeedsApproval, ResultEvidence, RunCall, Subject, Tool, ToolContext, ToolDefinition, ToolFuture, ToolKind,
    ToolOutput,
};
use definition::{path_argument, required_text};
pub use policy::ExecutionPolicy;

use activate_skill::ActivateSkill;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_edit::operation::EditOptions;
use copydesk_edit::provenance::field::UrlField;
use copydesk_llm::ToolSpec;
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
use std::future::ready;
use std::rc::Rc;
use update_section::UpdateSection;
use verify_strict_references::VerifyStrictReferences;
use verify_strict_timeline::VerifyStrictTimeline;
use write_chapter::WriteChapter;
use write_file::WriteFile;

/// Returns the doc update that the arguments of an unfinished call state.
type ArrivingUpdate = fn(&Map<String, Value>) -> Option<Map<String, Value>>;
/// Returns the path of the file that a call with these arguments reads or writes.
type PathOf = fn(&Map<String, Value>) -> Option<String>;

/// A built-in tool before it is made for a language.
struct BuiltIn {
    name: &'static str,
    subject: Subject,
    kind: ToolKind,
    tool: fn(Locale) -> Tool,
    arriving_update: ArrivingUpdate,
    path_in: PathOf,
}

impl BuiltIn {
    const fn of<T: ToolDefinition>() -> BuiltIn {
        BuiltIn {
            name: T::NAME,
            subject: T::SUBJECT,
            kind: T::KIND,
            tool: built_in::<T>,
            arriving_update: T::arriving_update,
            path_in: T::path_in,
        }
    }
}

/// The built-in tools, in the order in which the model is told them.
const BUILT_IN: &[BuiltIn] = &[
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

/// Returns the names of the built-in tools with their subjects and kinds, in their order.
pub fn built_in_kinds() -> impl Iterator<Item = (&'static str, Subject, ToolKind)> {
    BUILT_IN.iter().map(|built_in| (built_in.name, built_in.subject, built_in.kind))
}

/// Returns the path of the file that a call of a built-in tool reads or writes.
fn path_of(tool: &str, arguments: &Map<String, Value>) -> Option<String> {
    let built_in = BUILT_IN.iter().find(|built_in| built_in.name == tool)?;
    (built_in.path_in)(arguments)
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
