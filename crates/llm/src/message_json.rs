//! Messages as JSON, there and back.
//!
//! What is mostly not there is left out: `images`, `signature`, `redacted`, `untrusted`.

use super::{AnsweredBy, Api, AssistantPart, Decision, Image, Message, Usage};
use copydesk_base::error::excerpt;
use copydesk_base::fields::{Reading, form, form_of_given, must_be, required, take};
use serde_json::Value;

impl TryFrom<Value> for Message {
    type Error = String;

    fn try_from(mut value: Value) -> Result<Message, String> {
        let role: String = required(&mut value, "role")?;
        match role.as_str() {
            "user" => {
                let (content, images) = said(take(&mut value, "content"))?;
                Ok(Message::User { content, images })
            }
            "assistant" => {
                let parts: Vec<Value> = required(&mut value, "content")?;
                let api = value.get("api").and_then(Value::as_str).and_then(Api::named);
                let model_id = value.get("modelId").and_then(Value::as_str).map(str::to_owned);
                Ok(Message::Assistant {
                    content: parts.into_iter().map(AssistantPart::try_from).collect::<Result<_, _>>()?,
                    stop_reason: required(&mut value, "stopReason")?,
                    usage: Some(take(&mut value, "usage")).filter(Value::is_object).map(Usage::from),
                    model: api.zip(model_id).map(|(api, model_id)| AnsweredBy { api, model_id }),
                })
            }
            "toolResult" => {
                let content = take(&mut value, "content");
                let mut fields = Reading::of(value);
                let result = Message::ToolResult {
                    tool_call_id: fields.required("toolCallId"),
                    tool_name: fields.required("toolName"),
                    content,
                    is_error: fields.required("isError"),
                    untrusted: fields.optional("untrusted").unwrap_or_default(),
                    images: images(fields.optional("images").unwrap_or_default())
                        .unwrap_or_else(|fault| fields.fail(fault)),
                };
                fields.end(result)
            }
            "summary" => Ok(Message::Summary { content: required(&mut value, "content")? }),
            "approval" => {
                let mut fields = Reading::of(value);
                let (tool_call_id, tool_name) = (fields.required("toolCallId"), fields.required("toolName"));
                let decision = match fields.required::<String>("decision").as_str() {
                    "pending" => Decision::Pending,
                    "approved" => Decision::Approved,
                    "rejected" => Decision::Rejected,
                    _ => {
                        fields.fail::<()>(must_be("decision", "pending, approved or rejected"));
                        Decision::Rejected
                    }
                };
                let (reason, shown) = (fields.optional("reason"), fields.optional("shown"));
                fields.end(Message::Approval { tool_call_id, tool_name, decision, reason, shown })
            }
            role if !role.starts_with("custom") => {
                Err(must_be("role", "user, assistant, toolResult, summary, approval or custom…"))
            }
            role => {
                value["role"] = role.into();
                if let Value::Object(fields) = value { Ok(Message::Custom(fields)) } else { Err(String::new()) }
            }
        }
    }
}

/// What the person said: a string, or parts of text and pictures.
fn said(content: Value) -> Result<(String, Vec<Image>), String> {
    let parts = match content {
        Value::String(text) => return Ok((text, Vec::new())),
        Value::Array(parts) => parts,
        _ => return Err(must_be("content", "a string, or an array of text and image parts")),
    };
    let (mut said, mut images) = (String::new(), Vec::new());
    for mut part in parts {
        match required::<String>(&mut part, "type")?.as_str() {
            "text" => {
                if !said.is_empty() {
                    said.push('\n');
                }
                said += &required::<String>(&mut part, "text")?;
            }
            "image" => images.push(part.try_into()?),
            kind => return Err(format!("type \"{}\" is none of text, image", excerpt(kind))),
        }
    }
    Ok((said, images))
}

/// Pictures out of an array.
pub fn images(values: Vec<Value>) -> Result<Vec<Image>, String> {
    values.into_iter().map(Image::try_from).collect()
}

impl TryFrom<Value> for Image {
    type Error = String;

    fn try_from(value: Value) -> Result<Image, String> {
        let mut fields = Reading::of(value);
        let image = Image { data: fields.required("data"), mime_type: fields.required("mimeType") };
        fields.end(image)
    }
}

impl TryFrom<Value> for AssistantPart {
    type Error = String;

    fn try_from(value: Value) -> Result<AssistantPart, String> {
        let mut fields = Reading::of(value);
        let kind: String = fields.required("type");
        let signature = fields.optional("signature");
        let part = match kind.as_str() {
            "text" => AssistantPart::Text { text: fields.required("text"), signature },
            "thinking" => AssistantPart::Thinking {
                thinking: fields.required("thinking"),
                signature,
                redacted: fields.optional("redacted").unwrap_or_default(),
            },
            "toolCall" => AssistantPart::ToolCall {
                id: fields.required("id"),
                name: fields.required("name"),
                arguments: fields.required("arguments"),
                signature,
            },
            kind => {
                fields.fail::<()>(format!("type \"{}\" is none of text, thinking, toolCall", excerpt(kind)));
                AssistantPart::Text { text: String::new(), signature }
            }
        };
        fields.end(part)
    }
}

impl From<Message> for Value {
    fn from(message: Message) -> Value {
        match message {
            Message::User { content, images } => {
                let content = if images.is_empty() {
                    content.into()
                } else {
                    let text = Some(content).filter(|text| !text.is_empty());
                    let text = text.map(|text| form("type=text text", [text.into()]));
                    text.into_iter().chain(images.into_iter().map(Value::from)).collect()
                };
                form("role=user content", [content])
            }
            Message::Assistant { content, stop_reason, usage, model } => {
                let (api, model_id) = model.map(|model| (model.api.name(), model.model_id)).unzip();
                form_of_given(
                    "role=assistant content stopReason usage api modelId",
                    [
                        content.into_iter().map(Value::from).collect(),
                        stop_reason.into(),
                        usage.into(),
                        api.into(),
                        model_id.into(),
                    ],
                )
            }
            // Null content is content, so it is no `object_of_given`.
            Message::ToolResult { tool_call_id, tool_name, content, is_error, untrusted, images } => {
                let mut result = form(
                    "role=toolResult toolCallId toolName content isError",
                    [tool_call_id.into(), tool_name.into(), content, is_error.into()],
                );
                if untrusted {
                    result["untrusted"] = true.into();
                }
                if !images.is_empty() {
                    result["images"] = images.into_iter().map(Value::from).collect();
                }
                result
            }
            Message::Summary { content } => form("role=summary content", [content.into()]),
            Message::Approval { tool_call_id, tool_name, decision, reason, shown } => {
                let decision = match decision {
                    Decision::Pending => "pending",
                    Decision::Approved => "approved",
                    Decision::Rejected => "rejected",
                };
                form_of_given(
                    "role=approval toolCallId toolName decision reason shown",
                    [tool_call_id.into(), tool_name.into(), decision.into(), reason.into(), shown.into()],
                )
            }
            Message::Custom(fields) => fields.into(),
        }
    }
}

impl From<AssistantPart> for Value {
    fn from(part: AssistantPart) -> Value {
        match part {
            AssistantPart::Text { text, signature } => {
                form_of_given("type=text text signature", [text.into(), signature.into()])
            }
            AssistantPart::Thinking { thinking, signature, redacted } => form_of_given(
                "type=thinking thinking signature redacted",
                [thinking.into(), signature.into(), redacted.then_some(true).into()],
            ),
            AssistantPart::ToolCall { id, name, arguments, signature } => form_of_given(
                "type=toolCall id name arguments signature",
                [id.into(), name.into(), arguments.into(), signature.into()],
            ),
        }
    }
}

impl From<Image> for Value {
    fn from(image: Image) -> Value {
        form("type=image data mimeType", [image.data.into(), image.mime_type.into()])
    }
}
