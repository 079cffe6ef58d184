//! What a model may call.
//!
//! A tool is its specification and a function; the built-in ones are a params struct and a function each.
//! Schemas come from the structs' parameters (see [`copydesk_base::arguments`]), descriptions in two languages stand beside
//! them.

pub mod document;
pub mod own;
pub mod pages;
pub mod paging;
pub mod search;

use crate::Error;
use crate::search::{self as services, Services};
use crate::tools::paging::{PagePiece, READ_MORE};
use copydesk_base::arguments::{self, Params};
use copydesk_base::fields::form;
use copydesk_base::host::{Clock, Fetch, LocalFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::provenance::field::UrlField;
use copydesk_edit::{DocumentHost, Origin, Provenance, evidence::Evidence, seen::Seen};
use copydesk_llm::{Image, ToolSpec};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::future::ready;
use std::rc::Rc;

/// What a tool may use.
#[derive(Clone)]
pub struct ToolContext {
    /// The document that the agent works on.
    pub document: Rc<dyn DocumentHost>,
    /// What the model was shown of it.
    pub seen: Rc<RefCell<Seen>>,
    /// What the result of this call shows of it, also where it is an error. The tool says so; what of that is shown is
    /// known when the result is sent.
    pub shows: Rc<RefCell<Option<Shows>>>,
    /// The way to the network.
    pub fetch: Rc<dyn Fetch>,
    /// The time.
    pub clock: Rc<dyn Clock>,
    /// Which services the search tools ask.
    pub services: Rc<Services>,
    /// The language of results and errors.
    pub locale: Locale,
    /// Whose calls these are.
    pub origin: Origin,
    /// The URLs that tools returned and the user wrote.
    pub provenance: Rc<Provenance>,
    /// The arguments as they came: `format` and `confirmDrop` are no parameters of their own.
    pub arguments: Rc<Value>,
    /// Tells how far a call has come, in whatever shape: a `tool_update` event.
    pub progress: Rc<dyn Fn(Value)>,
}

/// What a call came to.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    /// The result, as the model reads it.
    pub content: Value,
    /// What happened to the document, where something did: the payload of a `doc_update` event.
    pub doc_update: Option<Map<String, Value>>,
    /// Pictures for the model to look at.
    pub images: Vec<Image>,
    /// What is for programs and not for the model.
    pub details: Option<Value>,
    /// The content says what went wrong.
    pub is_error: bool,
}

/// What a result shows of the document.
#[derive(Clone)]
pub struct Shows {
    /// The texts by which it does.
    pub evidence: Rc<Evidence>,
    /// The pieces of longer texts that are in the result.
    pub pieces: Vec<PagePiece>,
}

impl From<Evidence> for Shows {
    fn from(evidence: Evidence) -> Shows {
        Shows { evidence: Rc::new(evidence), pieces: Vec::new() }
    }
}

/// A call under way. Dropping it cancels it.
pub type ToolFuture = LocalFuture<'static, Result<ToolOutput, Error>>;

/// A tool.
#[derive(Clone)]
pub struct Tool {
    /// What the model is told.
    pub spec: ToolSpec,
    /// Runs a call with these arguments: a JSON object.
    pub run: Rc<dyn Fn(Value, ToolContext) -> ToolFuture>,
    /// How its calls are run.
    pub manner: Manner,
}

/// How the calls of a tool are run.
#[derive(Clone, Default)]
pub struct Manner {
    /// One after another, in the order of the answer, with those of all other such tools; else beside them.
    pub sequential: bool,
    /// A call that was stopped before it gave a result has done nothing.
    pub atomic: bool,
    /// The longest that a call may take, in milliseconds; none for as long as the run may take.
    pub timeout: Option<u64>,
    /// Whether a call with these arguments needs the person's yes.
    pub needs_approval: Option<NeedsApproval>,
    /// What it gives was written by strangers: the model gets it as data between marks.
    pub untrusted: bool,
    /// The fields of its results whose URLs the model may use as images.
    pub url_fields: Rc<[UrlField]>,
}

/// Whether a call with these arguments needs the person's yes.
pub type NeedsApproval = Rc<dyn Fn(&Map<String, Value>) -> bool>;

/// The tools of an agent: the built-in ones, and the app's own, which replace those of the same name.
pub fn all(locale: Locale, own: &[Tool]) -> Vec<Tool> {
    let mut tools = builtin(locale);
    tools.retain(|tool| own.iter().all(|own| own.spec.name != tool.spec.name));
    // Providers refuse two tools of one name: the last one counts.
    let is_last = |(at, tool): &(usize, &Tool)| own[at + 1..].iter().all(|later| later.spec.name != tool.spec.name);
    tools.extend(own.iter().enumerate().filter(is_last).map(|(_, tool)| tool.clone()));
    tools
}

/// The built-in tools.
pub fn builtin(locale: Locale) -> Vec<Tool> {
    vec![
        document::get_document(locale),
        document::read_lines(locale),
        document::edit_document(locale),
        document::replace_text(locale),
        document::update_section(locale),
        document::insert_image(locale),
        search::search_web(locale),
        search::search_image(locale),
    ]
}

/// The tools that work on the document.
const DOCUMENT_TOOLS: [&str; 6] =
    ["get_document", "read_lines", "edit_current_editor_document", "replace_text", "update_section", "insert_image"];

/// Whether what a tool says comes from outside of the document.
pub fn is_source(name: &str) -> bool {
    // What is read on may be the document's text.
    !DOCUMENT_TOOLS.contains(&name) && name != READ_MORE
}

/// Lets a model confirm what `lossless` refuses: tools that edit take `confirmDrop`.
pub fn with_confirm_drop(mut tools: Vec<Tool>, locale: Locale) -> Vec<Tool> {
    let description = locale.pick(
        "Only after an error would_drop: true lets go of what it names.",
        "仅在出现 would_drop 错误之后使用：true 表示确认去掉其中列出的内容。",
    );
    for tool in tools.iter_mut().filter(|tool| DOCUMENT_TOOLS[2..].contains(&tool.spec.name.as_str())) {
        if let Some(properties) = tool.spec.parameters["properties"].as_object_mut() {
            properties.insert("confirmDrop".into(), form("type=boolean description", [description.into()]));
        }
    }
    tools
}

/// A tool from its params struct `P` and a function of it.
fn tool<P: Params + 'static>(
    name: &'static str,
    description: &str,
    descriptions: &[(&str, &str)],
    run: fn(P, ToolContext) -> ToolFuture,
) -> Tool {
    let on_document = DOCUMENT_TOOLS.contains(&name);
    let manner = match on_document {
        true => Manner { sequential: true, atomic: true, ..Manner::default() },
        false => Manner { timeout: Some(services::SEARCH_TIMEOUT_MS), untrusted: true, ..Manner::default() },
    };
    let mut parameters = arguments::schema(P::PARAMS);
    arguments::describe(&mut parameters, descriptions);
    let spec = ToolSpec { name: name.to_owned(), description: description.to_owned(), parameters };
    let run = move |given: Value, mut context: ToolContext| -> ToolFuture {
        context.arguments = Rc::new(given);
        match arguments::read(name, &context.arguments) {
            Ok(given) => run(given, context),
            Err(error) => Box::pin(ready(Err(error.into()))),
        }
    };
    Tool { spec, run: Rc::new(run), manner }
}

impl Tool {
    /// The tool, with the fields of its results that hold URLs.
    fn with_urls(mut self, fields: &[&str]) -> Tool {
        self.manner.url_fields = UrlField::all(fields).into();
        self
    }
}
