//! Tools of the app.
//!
//! As JSON: `{name, description, parameters, executionMode?, timeout?, trusted?, urlFields?}`, and a function. It may
//! return any JSON value, or `{content: [{type: "text", text}, {type: "image", data, mimeType}], details, isError}`
//! as in pi-agent-core: then the model gets the content, and the details are for programs.
//!
//! Results are fenced as data unless the app declares the tool `trusted`: a tool that reads mail or pages returns
//! text of strangers.

use super::{ExecutionPolicy, Tool, ToolContext, ToolFuture, ToolOutput};
use crate::Error;
use crate::options::ExecutionMode;
use copydesk_base::decode::{self, FieldError};
use copydesk_base::parameters;
use copydesk_edit::provenance::field::UrlField;
use copydesk_llm::{Image, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::future::ready;
use std::rc::Rc;

/// The image types that all providers accept; Gemini accepts no GIF.
const KINDS: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];
/// The most images of a result.
const MOST_PICTURES: usize = 10;
/// The longest image, in characters of base64: providers accept 5 MB.
const LONGEST_PICTURE: usize = 5 << 20;

/// Runs a call of an app's tool.
pub type Execute = Rc<dyn Fn(Map<String, Value>, ToolContext) -> ToolFuture>;

/// The functions of an app's tools.
pub trait ToolFunctions {
    /// Runs a call of a tool. Dropping the future stops it.
    fn run(&self, tool: &str, arguments: Map<String, Value>, context: ToolContext) -> ToolFuture;

    /// Returns whether a call of a tool needs the user's approval.
    fn needs_approval(&self, tool: &str, arguments: &Map<String, Value>) -> bool;
}

/// Reads a list of tools. Calls of a tool with `needsApproval: true` need the approval that its function asks for.
///
/// # Errors
/// Fails with the first field that is wrong, such as `tools[1].name`.
pub fn tools(list: &Value, functions: &Rc<dyn ToolFunctions>) -> Result<Vec<Tool>, FieldError> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate();
    list.map(|(at, given)| with_functions(given, functions).map_err(|error| error.within(&format!("tools[{at}]"))))
        .collect()
}

fn with_functions(given: &Value, functions: &Rc<dyn ToolFunctions>) -> Result<Tool, FieldError> {
    let name = given["name"].as_str().unwrap_or_default().to_owned();
    let (own, called) = (functions.clone(), name.clone());
    let mut made = tool(given, Rc::new(move |arguments, context| own.run(&called, arguments, context)))?;
    if given["needsApproval"].as_bool().unwrap_or(false) {
        let own = functions.clone();
        made.needs_approval = Some(Rc::new(move |arguments: &Map<String, Value>| own.needs_approval(&name, arguments)));
    }
    Ok(made)
}

/// A tool as an app describes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Definition {
    name: ToolName,
    #[serde(default)]
    execution_mode: ExecutionMode,
    #[serde(default)]
    parameters: Map<String, Value>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    url_fields: Vec<UrlField>,
    #[serde(default, deserialize_with = "decode::milliseconds")]
    timeout: Option<u64>,
    #[serde(default)]
    trusted: bool,
}

/// A name that every provider accepts.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ToolName(String);

impl TryFrom<String> for ToolName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<ToolName, &'static str> {
        let valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let fits = !name.is_empty() && name.len() <= 64 && name.chars().all(valid);
        if fits { Ok(ToolName(name)) } else { Err("1–64 letters, digits, _ or -") }
    }
}

/// Returns the tool of a definition and its function. Fails with the field that is wrong.
pub fn tool(given: &Value, execute: Execute) -> Result<Tool, FieldError> {
    let given: Definition = decode::from_value(given)?;
    let ToolName(name) = given.name;
    let url_fields = given.url_fields.into();
    let schema = Rc::new(Value::Object(given.parameters));
    let spec = ToolSpec { name: name.clone(), description: given.description, parameters: schema.as_ref().clone() };
    // Parallel unless the app states otherwise, with the time limit `toolTimeout` by default.
    let policy = ExecutionPolicy {
        sequential: given.execution_mode == ExecutionMode::Sequential,
        timeout: given.timeout,
        untrusted: !given.trusted,
        edits: false,
        ..ExecutionPolicy::default()
    };
    // Returns the arguments as the function gets them.
    let read = Rc::new(move |arguments: Value| -> Result<Map<String, Value>, Error> {
        let Value::Object(arguments) = arguments else {
            return Err(copydesk_base::Error::InvalidArguments { reason: "no object".into() }.into());
        };
        Ok(parameters::coerce(&name, &schema, &arguments)?)
    });
    let accepted = read.clone();
    let run = move |arguments: Value, context: ToolContext| -> ToolFuture {
        match read(arguments) {
            Ok(arguments) => execute(arguments, context),
            Err(error) => Box::pin(ready(Err(error))),
        }
    };
    Ok(Tool {
        spec,
        accepts: Rc::new(move |arguments| accepted(arguments.clone()).map(drop)),
        run: Rc::new(run),
        policy,
        needs_approval: None,
        url_fields,
        doc_update: |_| None,
    })
}

/// Decodes the value that a tool returned.
pub fn output(mut given: Value) -> ToolOutput {
    // A node of a document has `content` too, and is not changed.
    if given.get("type").is_some() || !given.get("content").is_some_and(is_parts) {
        return ToolOutput { content: given, ..ToolOutput::default() };
    }
    let (content, images) = read_parts(given["content"].take());
    let details = given.get_mut("details").map(Value::take).filter(|details| !details.is_null());
    ToolOutput { content, images, details, is_error: given["isError"] == true, ..ToolOutput::default() }
}

fn is_parts(content: &Value) -> bool {
    let is_part = |part: &Value| match part.get("type").and_then(Value::as_str) {
        Some("text") => part.get("text").is_some_and(Value::is_string),
        kind => matches!(kind, Some("image" | "audio" | "resource" | "resource_link")),
    };
    content.as_array().is_some_and(|parts| parts.iter().all(is_part))
}

/// Splits content in parts into its text, with a placeholder for each part other than text, and its images. Returns
/// other content unchanged.
pub fn read_parts(mut content: Value) -> (Value, Vec<Image>) {
    if !is_parts(&content) {
        return (content, Vec::new());
    }
    let (mut said, mut images): (Vec<String>, Vec<Image>) = (Vec::new(), Vec::new());
    for part in content.as_array_mut().into_iter().flatten() {
        let kind = part["type"].as_str().unwrap_or_default().to_owned();
        said.push(match (kind.as_str(), part.get_mut("text").map(Value::take).unwrap_or_default()) {
            (_, Value::String(text)) => text,
            ("image", _) => match picture(part).filter(|_| images.len() < MOST_PICTURES) {
                Some(image) => {
                    images.push(image);
                    "[image]".to_owned()
                }
                None => "[image that cannot be shown]".to_owned(),
            },
            _ => format!("[{kind}]"),
        });
    }
    (said.join("\n").into(), images)
}

/// Decodes an image that every provider accepts. An invalid one would stay in the conversation and make each request
/// fail.
fn picture(part: &Value) -> Option<Image> {
    let image: Image = decode::from_value(part).ok()?;
    let digits = image.data.trim_end_matches('=');
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let fits = !digits.is_empty()
        && image.data.len() <= LONGEST_PICTURE
        && image.data.len().is_multiple_of(4)
        && image.data.len() - digits.len() <= 2
        && digits.bytes().all(is_base64);
    (fits && KINDS.contains(&image.mime_type.as_str())).then_some(image)
}
