//! Differences between servers that speak `openai-completions`.
//!
//! Settings that an app omits are guessed from the URL and the model's name. An unknown server is treated like most
//! servers.

use super::LlmConfig;
use serde::{Deserialize, Serialize};

/// Settings for a server that differs from others; `None` to guess.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compat {
    /// Name of the field that limits the tokens of an answer.
    pub max_tokens_field: Option<MaxTokensField>,
    /// Send instructions as role `developer` instead of `system`.
    pub supports_developer_role: Option<bool>,
    /// Format in which the thinking level is sent.
    pub thinking_format: Option<ThinkingFormat>,
    /// Field of an answer in which its thinking is sent back; empty if it must not be.
    pub thinking_field: Option<String>,
    /// Request usage with a stream.
    pub supports_usage_in_streaming: Option<bool>,
    /// The server accepts `store: false`.
    pub supports_store: Option<bool>,
    /// A tool result must name its tool.
    pub requires_tool_result_name: Option<bool>,
    /// Ids of calls must have nine letters and digits.
    pub requires_short_tool_ids: Option<bool>,
    /// Run calls that the model writes as text, because the server does not read them. Of every format.
    pub text_tool_calls: Option<bool>,
}

/// Name of the field that limits the tokens of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// `max_tokens`, which nearly all servers accept.
    MaxTokens,
    /// `max_completion_tokens`, which OpenAI's thinking models require.
    MaxCompletionTokens,
}

/// Format in which the thinking level is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThinkingFormat {
    /// `reasoning_effort`.
    Openai,
    /// `reasoning: {effort}`.
    Openrouter,
    /// `thinking: {type}` and `reasoning_effort`.
    Deepseek,
    /// `thinking: {type}`.
    Zai,
    /// `enable_thinking`.
    Qwen,
    /// The level is not sent.
    None,
}

/// Settings in effect for a server: as the app set them, or guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// See [`Compat::max_tokens_field`].
    pub max_tokens_field: MaxTokensField,
    /// See [`Compat::supports_developer_role`].
    pub developer_role: bool,
    /// See [`Compat::thinking_format`].
    pub thinking_format: ThinkingFormat,
    /// See [`Compat::thinking_field`].
    pub thinking_field: String,
    /// See [`Compat::supports_usage_in_streaming`].
    pub usage_in_streaming: bool,
    /// See [`Compat::supports_store`].
    pub store: bool,
    /// See [`Compat::requires_tool_result_name`].
    pub tool_result_name: bool,
    /// See [`Compat::requires_short_tool_ids`].
    pub short_tool_ids: bool,
}

/// Returns the settings in effect for the server of a configuration.
pub fn dialect(config: &LlmConfig) -> Dialect {
    let server = config.stream_options.base_url.to_ascii_lowercase();
    let model = config.model.model_id.to_ascii_lowercase();
    let at = |hosts: &[&str]| hosts.iter().any(|host| server.contains(host));
    let openai = at(&["api.openai.com", "openai.azure.com"]);
    let openrouter = at(&["openrouter.ai"]);
    let mistral = at(&["mistral.ai"]);
    let compat = &config.model.compat;
    let thinking_format = || {
        if openrouter {
            ThinkingFormat::Openrouter
        } else if at(&["deepseek.com"]) {
            ThinkingFormat::Deepseek
        } else if at(&["api.z.ai", "bigmodel.cn", "moonshot."]) {
            ThinkingFormat::Zai
        } else if at(&["dashscope", "aliyuncs.com"]) {
            ThinkingFormat::Qwen
        } else if mistral || at(&["api.x.ai", "together.ai", "together.xyz"]) {
            // These servers refuse the field, or most of their models do.
            ThinkingFormat::None
        } else {
            ThinkingFormat::Openai
        }
    };
    // DeepSeek and Kimi respond with 400 to a conversation whose tool calls have lost their thinking, on any host.
    // OpenRouter passes it on under its own name. OpenAI and Groq respond with 400 to an unknown field.
    let thinking_field = || {
        let wants = ["deepseek", "moonshot", "kimi"].iter().any(|name| server.contains(name) || model.contains(name));
        match () {
            () if openrouter => "reasoning",
            () if wants && !at(&["groq.com"]) => "reasoning_content",
            () => "",
        }
        .to_owned()
    };
    let max_tokens_field = if openai { MaxTokensField::MaxCompletionTokens } else { MaxTokensField::MaxTokens };
    Dialect {
        max_tokens_field: compat.max_tokens_field.unwrap_or(max_tokens_field),
        // OpenAI accepts `system` as well.
        developer_role: compat.supports_developer_role.unwrap_or(false),
        thinking_format: compat.thinking_format.unwrap_or_else(thinking_format),
        thinking_field: compat.thinking_field.clone().unwrap_or_else(thinking_field),
        usage_in_streaming: compat.supports_usage_in_streaming.unwrap_or(true),
        store: compat.supports_store.unwrap_or(at(&["api.openai.com"])),
        tool_result_name: compat.requires_tool_result_name.unwrap_or(mistral),
        short_tool_ids: compat.requires_short_tool_ids.unwrap_or(mistral),
    }
}
