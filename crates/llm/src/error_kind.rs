//! The kind of a provider's error, derived from its status and its text.
//!
//! A status says little: 400 is a conversation that is too long, a wrong key (Google), a used-up balance (Anthropic)
//! or an unknown model (OpenRouter); 429 is too many requests, or an unpaid bill. So the text is examined first. Each
//! list contains phrases of real responses and names their providers.

/// The kind of a provider's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorKind {
    /// The conversation exceeds the model's context window.
    Overflow,
    /// The balance or a long-term quota is used up.
    Quota,
    /// The key was rejected.
    Key,
    /// The model does not exist, or not for this key.
    Model,
    /// The provider's filter blocked the request or the answer.
    Filter,
    /// The provider is overloaded.
    Overloaded,
    /// Too many requests.
    Rate,
    /// The text does not tell.
    Other,
}

/// Returns the kind for a status (0 if there is none) and the error's text in lower case.
pub(super) fn error_kind(status: u16, said: &str) -> ErrorKind {
    let any = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let too_fast = any(&["rate limit", "rate_limit", "too many requests", "per minute", "per min ", "throttl"]);
    // Includes limits per minute that a single request exceeds: waiting does not make it shorter.
    if any(TOO_LARGE) || (!too_fast && any(TOO_LONG)) || status == 413 {
        return ErrorKind::Overflow;
    }
    if any(FILTERED) {
        return ErrorKind::Filter;
    }
    // Google uses the same text for limits per minute and per day; only the details, or a limit of 0, tell them
    // apart.
    let google = any(&["resource_exhausted", "resource has been exhausted"]);
    let spent = any(SPENT) || (!google && any(&["exceeded your current quota"]));
    if status == 402 || spent || (google && any(&["perday", "limit: 0,"])) {
        return ErrorKind::Quota;
    }
    if google {
        return ErrorKind::Rate;
    }
    if any(BUSY) || status == 529 {
        return ErrorKind::Overloaded;
    }
    if matches!(status, 0 | 400 | 403 | 404 | 422) && any(&["model", "模型"]) && any(UNKNOWN) {
        return ErrorKind::Model;
    }
    if status == 401 || any(REFUSED_KEY) {
        return ErrorKind::Key;
    }
    match status {
        403 => ErrorKind::Key,
        429 => ErrorKind::Rate,
        503 => ErrorKind::Overloaded,
        0 if too_fast => ErrorKind::Rate,
        _ => ErrorKind::Other,
    }
}

/// A single request that exceeds the limit per minute.
const TOO_LARGE: &[&str] = &[
    "request too large for", // Groq, OpenAI
    "request_too_large",     // Anthropic
];

const TOO_LONG: &[&str] = &[
    "context_length_exceeded",           // OpenAI, Azure
    "maximum context length",            // OpenAI, OpenRouter, DeepSeek, vLLM, Mistral, Fireworks
    "exceeds the context window",        // OpenAI Responses
    "exceed context window",             // llama-cpp-python
    "context window limit",              // Cloudflare
    "context window exceeds limit",      // MiniMax
    "the model context window",          // others that host models
    "model_context_window_exceeded",     // Z.ai
    "prompt is too long",                // Anthropic, Fireworks
    "prompt too long",                   // Ollama
    "input is too long",                 // Bedrock
    "exceed context limit",              // Anthropic, with max_tokens
    "input token count",                 // Google: "The input token count (…) exceeds the maximum number of tokens"
    "maximum number of tokens allowed",  // Google
    "maximum prompt length",             // xAI
    "reduce the length of the messages", // Groq, Cerebras, OpenAI
    "available context size",            // llama.cpp
    "exceed_context_size_error",         // llama.cpp
    "than the context length",           // LM Studio: "… tokens to keep … is greater than the context length"
    "when context the overflows",        // LM Studio
    "longer than the model's context",   // Together, SGLang
    "exceeded model token limit",        // Kimi
    "too large for model with",          // Mistral
    "range of input length should be",   // DashScope
    "prompt exceeds max length",         // Zhipu
    "prompt token count of",             // GitHub Copilot
    "inputs must have less than",        // text-generation-inference
    "too many tokens",                   // Cohere
    "string_above_max_length",           // OpenAI, for one message
];

const FILTERED: &[&str] = &[
    "content_filter",            // Azure, OpenAI
    "content management policy", // Azure
    "responsibleaipolicyviolation",
    "content filtering policy",   // Anthropic
    "violating our usage policy", // OpenAI
    "input was flagged",          // OpenRouter
    "requires moderation",        // OpenRouter
    "data_inspection_failed",     // DashScope
    "datainspectionfailed",
    "content exists risk",  // DeepSeek
    "considered high risk", // Kimi
    "prohibited_content",   // Google
    "敏感内容",             // Zhipu
];

const SPENT: &[&str] = &[
    "insufficient_quota",   // OpenAI
    "insufficient balance", // DeepSeek, SiliconFlow
    "insufficient_balance",
    "insufficient credit", // OpenRouter
    "insufficient_credit",
    "insufficient funds",
    "credit balance",     // Anthropic
    "billing_error",      // Anthropic
    "billing hard limit", // OpenAI
    "billing_hard_limit",
    "specified api usage limits",   // Anthropic
    "exceeded_current_quota_error", // Kimi
    "used all available credits",   // xAI
    "spending limit",               // xAI
    "free-models-per-day",          // OpenRouter
    "arrearage",                    // DashScope
    "余额不足",                     // Zhipu
    "欠费",
];

const BUSY: &[&str] = &[
    "overloaded",    // Anthropic, Google, Kimi
    "over capacity", // Groq
    "over_capacity",
    "at capacity",
    "server is busy", // DeepSeek, Kimi
    "server_busy",
    "high demand", // Google
    "slow_down",   // OpenAI
];

const UNKNOWN: &[&str] = &[
    "model_not_found",
    "does not exist",  // OpenAI, vLLM, xAI
    "not found",       // Ollama, Kimi: "Not found the model"
    "not exist",       // DeepSeek
    "not_found_error", // Anthropic
    "no such model",
    "not a valid model", // OpenRouter
    "invalid model",     // Mistral
    "invalid_model",
    "unknown model",
    "unknown_model",
    "decommissioned",  // Groq
    "access to model", // OpenAI
    "access the model",
    "no endpoints found", // OpenRouter
    "no models loaded",   // LM Studio
    "模型不存在",         // Zhipu
];

const REFUSED_KEY: &[&str] = &[
    "invalid_api_key",
    "api_key_invalid",   // Google
    "api key not valid", // Google
    "invalid api key",
    "incorrect api key",    // OpenAI, xAI
    "authentication_error", // Anthropic, DeepSeek
    "invalid x-api-key",    // Anthropic
    "api key expired",      // Google
    "unregistered callers", // Google, without a key
    "no auth credentials",  // OpenRouter
    "missing authentication",
];
