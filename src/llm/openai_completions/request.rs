//! What is sent.

use crate::host::Request;
use crate::llm::history::{self, Entry};
use crate::llm::{LlmConfig, Message, ToolSpec};
use serde_json::{Map, Value};

/// The request that asks a model to go on with a conversation.
pub fn request(config: &LlmConfig, system: &str, messages: &[Message], tools: &[ToolSpec]) -> Request {
    let options = &config.stream_options;
    let mut body = object(&[("model", &config.model.model_id)]);
    body.insert("messages".into(), wire_messages(config, system, messages));
    body.insert("stream".into(), true.into());
    body.insert("stream_options".into(), Map::from_iter([("include_usage".to_owned(), true.into())]).into());
    if let Some(temperature) = options.temperature {
        body.insert("temperature".into(), temperature.into());
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(wire_tool).collect());
    }
    let request = Request::post_json(endpoint(&options.base_url), &Value::Object(body));
    match options.key() {
        Some(key) => request.with_header("authorization", format!("Bearer {key}")),
        None => request,
    }
}

// Not `json!`, which unfolds at every place where it is used.
fn object(fields: &[(&str, &str)]) -> Map<String, Value> {
    fields.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect()
}

fn function(mut outer: Map<String, Value>, function: Map<String, Value>) -> Value {
    outer.insert("type".into(), "function".into());
    outer.insert("function".into(), function.into());
    outer.into()
}

/// The address to post to; a query, which Azure's addresses have, stays at the end.
fn endpoint(base_url: &str) -> String {
    const PATH: &str = "/chat/completions";
    let base = base_url.trim();
    let (path, query) = base.find('?').map_or((base, ""), |at| base.split_at(at));
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(PATH).unwrap_or(path).trim_end_matches('/');
    format!("{path}{PATH}{query}")
}

fn wire_tool(tool: &ToolSpec) -> Value {
    let mut spec = object(&[("name", &tool.name), ("description", &tool.description)]);
    spec.insert("parameters".into(), tool.parameters.clone());
    function(Map::new(), spec)
}

fn wire_messages(config: &LlmConfig, system: &str, messages: &[Message]) -> Value {
    let thinking_field = thinking_field(config);
    let mut wire: Vec<Value> = Vec::new();
    if !system.is_empty() {
        wire.push(object(&[("role", "system"), ("content", system)]).into());
    }
    for entry in history::valid(messages) {
        let (text, thinking, calls) = match entry {
            Entry::User(content) => {
                wire.push(object(&[("role", "user"), ("content", &content)]).into());
                continue;
            }
            Entry::Assistant { text, thinking, calls } => (text, thinking, calls),
        };
        let mut message = object(&[("role", "assistant")]);
        message.insert("content".into(), if text.is_empty() { Value::Null } else { text.into() });
        // DeepSeek misses the field even where the model did not think.
        if let Some(field) = thinking_field
            && (!thinking.is_empty() || (field == "reasoning_content" && !calls.is_empty()))
        {
            message.insert(field.into(), thinking.into());
        }
        if !calls.is_empty() {
            message.insert("tool_calls".into(), calls.iter().map(wire_call).collect());
        }
        wire.push(message.into());
        wire.extend(calls.iter().map(wire_result));
    }
    wire.into()
}

fn wire_call(call: &history::Call) -> Value {
    let arguments = serde_json::to_string(call.arguments).unwrap_or_else(|_| "{}".to_owned());
    function(object(&[("id", call.id)]), object(&[("name", &wire_name(call.name)), ("arguments", &arguments)]))
}

/// The name of a call in a form that the API takes back: a model may have made up one that it does not.
fn wire_name(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = name.chars().take(64).map(valid).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

fn wire_result(call: &history::Call) -> Value {
    let content = match call.result {
        None => history::DID_NOT_RUN.to_owned(),
        Some((Value::String(text), _)) => text.clone(),
        Some((value, _)) => value.to_string(),
    };
    object(&[("role", "tool"), ("tool_call_id", call.id), ("content", &content)]).into()
}

/// The field in which a server wants its thinking back, if it wants it at all. DeepSeek and Kimi answer 400 to a
/// conversation whose tool calls have lost it, by whomever their models are served; OpenRouter passes it on under
/// its own name; OpenAI and Groq answer 400 to a field they do not know.
fn thinking_field(config: &LlmConfig) -> Option<&'static str> {
    let server = config.stream_options.base_url.to_ascii_lowercase();
    let model = config.model.model_id.to_ascii_lowercase();
    if server.contains("openrouter.ai") {
        return Some("reasoning");
    }
    let wants = ["deepseek", "moonshot", "kimi"].iter().any(|name| server.contains(name) || model.contains(name));
    let refuses = server.contains("groq.com");
    (wants && !refuses).then_some("reasoning_content")
}
