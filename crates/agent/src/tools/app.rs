//! Tools that the app brings along.
//!
//! As JSON: `{name, description, parameters, executionMode?, timeout?, trusted?, urlFields?}`, with the function beside it. What
//! such a tool gives may be any JSON value, or `{content: [{type: "text", text}, {type: "image", data, mimeType}], details,
//! isError}` as in pi-agent-core: then the model reads the content, and the details are for programs.
//!
//! Its results are fenced as data unless the app says that it trusts them: a tool that reads mail or pages gives what
//! strangers wrote.

use super::{ExecutionPolicy, Tool, ToolContext, ToolFuture, ToolOutput};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::fields::{must_be, optional, required, take};
use copydesk_edit::provenance::field::{self, UrlField};
use copydesk_llm::{Image, ToolSpec};
use serde_json::{Map, Value};
use std::future::ready;
use std::rc::Rc;

/// The kinds of pictures that all providers take; Gemini takes no GIF.
const KINDS: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];
/// The most pictures of a result.
const MOST_PICTURES: usize = 10;
/// The longest picture, in characters of base64: providers take 5 MB.
const LONGEST_PICTURE: usize = 5 << 20;

/// Runs a call of an app's tool: its arguments and what it may use.
pub type Execute = Rc<dyn Fn(Map<String, Value>, ToolContext) -> ToolFuture>;

/// A tool out of its JSON and its function; an error names the field that is wrong.
pub fn tool(mut given: Value, execute: Execute) -> Result<Tool, String> {
    let name: String = required(&mut given, "name")?;
    let valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(valid) {
        return Err(must_be("name", "1–64 letters, digits, _ or -"));
    }
    let sequential = match optional::<String>(&mut given, "executionMode")?.as_deref() {
        None | Some("parallel") => false,
        Some("sequential") => true,
        Some(_) => return Err(must_be("executionMode", "parallel or sequential")),
    };
    let parameters: Option<Map<String, Value>> = optional(&mut given, "parameters")?;
    let parameters = Rc::new(Value::Object(parameters.unwrap_or_default()));
    let spec = ToolSpec {
        name: name.clone(),
        description: optional(&mut given, "description")?.unwrap_or_default(),
        parameters: parameters.as_ref().clone(),
    };
    let url_fields = optional::<Vec<Value>>(&mut given, "urlFields")?.unwrap_or_default();
    let url_field = |(at, path): (usize, &Value)| {
        let parsed = path.as_str().and_then(UrlField::parse);
        parsed.ok_or_else(|| must_be(&format!("urlFields[{at}]"), field::EXPECTED))
    };
    let url_fields = url_fields.iter().enumerate().map(url_field).collect::<Result<_, _>>()?;
    // Parallel unless the app says otherwise, and for as long as `toolTimeout` allows.
    let policy = ExecutionPolicy {
        sequential,
        timeout: optional(&mut given, "timeout")?,
        untrusted: !optional(&mut given, "trusted")?.unwrap_or(false),
        edits: false,
        ..ExecutionPolicy::default()
    };
    let run = move |arguments: Value, context: ToolContext| -> ToolFuture {
        let Value::Object(arguments) = arguments else {
            return Box::pin(ready(Err(copydesk_base::Error::InvalidArguments { reason: "no object".into() }.into())));
        };
        match fits(&name, &arguments, &parameters) {
            Ok(()) => execute(arguments, context),
            Err(error) => Box::pin(ready(Err(error))),
        }
    };
    Ok(Tool { spec, run: Rc::new(run), policy, needs_approval: None, url_fields, doc_update: |_| None })
}

/// What a tool gave, as the model reads it.
pub fn output(mut given: Value) -> ToolOutput {
    // A node of a document has `content` too, and is to be read as it is.
    if given.get("type").is_some() || !given.get("content").is_some_and(is_parts) {
        return ToolOutput { content: given, ..ToolOutput::default() };
    }
    let (content, images) = read_parts(take(&mut given, "content"));
    let details = Some(take(&mut given, "details")).filter(|details| !details.is_null());
    ToolOutput { content, images, details, is_error: given["isError"] == true, ..ToolOutput::default() }
}

fn is_parts(content: &Value) -> bool {
    let is_part = |part: &Value| match part.get("type").and_then(Value::as_str) {
        Some("text") => part.get("text").is_some_and(Value::is_string),
        kind => matches!(kind, Some("image" | "audio" | "resource" | "resource_link")),
    };
    content.as_array().is_some_and(|parts| parts.iter().all(is_part))
}

/// The text of content in parts, with a word for each that is no text, and its pictures. Other content is as it is.
pub fn read_parts(mut content: Value) -> (Value, Vec<Image>) {
    if !is_parts(&content) {
        return (content, Vec::new());
    }
    let (mut said, mut images): (Vec<String>, Vec<Image>) = (Vec::new(), Vec::new());
    for part in content.as_array_mut().into_iter().flatten() {
        let kind = part["type"].as_str().unwrap_or_default().to_owned();
        said.push(match (kind.as_str(), take(part, "text")) {
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

/// A picture that every provider takes: one that it does not would stay in the conversation, and have each request refused.
fn picture(part: &mut Value) -> Option<Image> {
    let image = Image::try_from(part.take()).ok()?;
    let digits = image.data.trim_end_matches('=');
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let fits = !digits.is_empty()
        && image.data.len() <= LONGEST_PICTURE
        && image.data.len() % 4 == 0
        && image.data.len() - digits.len() <= 2
        && digits.bytes().all(is_base64);
    (fits && KINDS.contains(&image.mime_type.as_str())).then_some(image)
}

/// Whether arguments have what the schema asks for: the parameters that must be there, each of its type, and one of
/// its values where these are listed. What is deeper in them is the tool's own matter.
fn fits(tool: &str, arguments: &Map<String, Value>, schema: &Value) -> Result<(), Error> {
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            return Err(copydesk_base::Error::MissingParameter { call: tool.to_owned(), name: name.to_owned() }.into());
        }
    }
    for (name, value) in arguments {
        let Some(parameter) = schema.get("properties").and_then(|properties| properties.get(name)) else { continue };
        let wrong = |expected: String| {
            let given = excerpt(&value.to_string());
            Err(copydesk_base::Error::InvalidParameter { name: name.clone(), given, expected }.into())
        };
        let kind = parameter.get("type").unwrap_or(&Value::Null);
        let kinds = kind.as_array().map_or(std::slice::from_ref(kind), Vec::as_slice);
        if !kinds.iter().any(|kind| kind.as_str().is_none_or(|kind| is(value, kind))) {
            let names: Vec<_> = kinds.iter().filter_map(Value::as_str).collect();
            return wrong(format!("of type {}", names.join(" or ")));
        }
        if let Some(values) = parameter.get("enum").and_then(Value::as_array)
            && !values.contains(value)
        {
            let listed: Vec<_> = values.iter().map(Value::to_string).collect();
            return wrong(format!("one of {}", listed.join(", ")));
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}
