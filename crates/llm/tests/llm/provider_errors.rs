//! Error bodies as providers send them, and what each is.

use crate::http_errors::error;
use copydesk_base::ErrorInfo;

/// Bodies as providers send them, with ids left out; and what each is.
const BODIES: &[(u16, &str, &str)] = &[
    // OpenAI, https://platform.openai.com/docs/guides/error-codes
    (
        401,
        "unauthorized",
        r#"{"error":{"message":"Incorrect API key provided: sk-x. You can find your API key at https://platform.openai.com/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}"#,
    ),
    (
        404,
        "model_not_found",
        r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
    ),
    (
        403,
        "model_not_found",
        r#"{"error":{"message":"Project `proj_x` does not have access to model `gpt-5`","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
    ),
    (
        429,
        "quota_exceeded",
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
    ),
    (
        429,
        "rate_limited",
        r#"{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        429,
        "context_overflow",
        r#"{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 8202 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}"#,
    ),
    (
        400,
        "content_filter",
        r#"{"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage policy.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}"#,
    ),
    (
        400,
        "bad_request",
        r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
    ),
    (
        500,
        "server_error",
        r#"{"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}"#,
    ),
    (
        503,
        "overloaded",
        r#"{"error":{"message":"The engine is currently overloaded, please try again later","type":"server_error"}}"#,
    ),
    // Azure
    (
        400,
        "content_filter",
        r#"{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
    ),
    (404, "not_found", r#"{"error":{"code":"404","message":"Resource not found"}}"#),
    // Anthropic, https://platform.claude.com/docs/en/api/errors
    (401, "unauthorized", r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#),
    (404, "model_not_found", r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}"#),
    (
        400,
        "quota_exceeded",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}"#,
    ),
    (
        400,
        "quota_exceeded",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2026-01-01 at 00:00 UTC."}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length or `max_tokens` and try again"}}"#,
    ),
    (
        413,
        "context_overflow",
        r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
    ),
    (
        429,
        "rate_limited",
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 50,000 input tokens per minute."}}"#,
    ),
    (529, "overloaded", r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
    (500, "server_error", r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#),
    (
        400,
        "content_filter",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}"#,
    ),
    (
        400,
        "bad_request",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}"#,
    ),
    // Google, https://ai.google.dev/gemini-api/docs/troubleshooting
    (
        400,
        "unauthorized",
        r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}"#,
    ),
    (
        403,
        "unauthorized",
        r#"{"error":{"code":403,"message":"Method doesn't allow unregistered callers (callers without established identity).","status":"PERMISSION_DENIED"}}"#,
    ),
    (
        404,
        "model_not_found",
        r#"{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.","status":"NOT_FOUND"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}"#,
    ),
    (
        429,
        "rate_limited",
        r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}"#,
    ),
    (
        429,
        "quota_exceeded",
        r#"{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}]}}"#,
    ),
    (
        503,
        "overloaded",
        r#"[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]"#,
    ),
    (
        400,
        "bad_request",
        r#"{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts.","status":"INVALID_ARGUMENT"}}"#,
    ),
    // OpenRouter
    (401, "unauthorized", r#"{"error":{"message":"No auth credentials found","code":401}}"#),
    (
        402,
        "quota_exceeded",
        r#"{"error":{"message":"Insufficient credits. Add more using https://openrouter.ai/credits","code":402}}"#,
    ),
    (400, "model_not_found", r#"{"error":{"message":"x/y is not a valid model ID","code":400}}"#),
    (404, "model_not_found", r#"{"error":{"message":"No endpoints found for x/y. The model is gone.","code":404}}"#),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one.","code":400}}"#,
    ),
    (
        429,
        "quota_exceeded",
        r#"{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429}}"#,
    ),
    (
        429,
        "rate_limited",
        r#"{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"x/y:free is temporarily rate-limited upstream. Please retry shortly.","provider_name":"X"}}}"#,
    ),
    (
        403,
        "content_filter",
        r#"{"error":{"message":"openai/gpt-4o requires moderation on X. Your input was flagged for \"violence\".","code":403,"metadata":{"reasons":["violence"]}}}"#,
    ),
    // Groq
    (
        413,
        "context_overflow",
        r#"{"error":{"message":"Request too large for model `x` in organization `org` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.","type":"tokens","code":"rate_limit_exceeded"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    ),
    (
        400,
        "model_not_found",
        r#"{"error":{"message":"The model `x` has been decommissioned and is no longer supported.","type":"invalid_request_error","code":"model_decommissioned"}}"#,
    ),
    (
        400,
        "bad_request",
        r#"{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"the model was not found; credit balance"}}"#,
    ),
    // xAI
    (
        400,
        "context_overflow",
        r#"{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}"#,
    ),
    (
        403,
        "quota_exceeded",
        r#"{"code":"The caller does not have permission","error":"Your team has either used all available credits or reached its monthly spending limit."}"#,
    ),
    (
        404,
        "model_not_found",
        r#"{"code":"Some requested entity was not found","error":"The model grok-9 does not exist or your team does not have access to it."}"#,
    ),
    // DeepSeek, Kimi, Zhipu, DashScope, MiniMax
    (
        402,
        "quota_exceeded",
        r#"{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        400,
        "model_not_found",
        r#"{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        401,
        "unauthorized",
        r#"{"error":{"message":"Authentication Fails, Your api key: ****x is invalid","type":"authentication_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        400,
        "content_filter",
        r#"{"error":{"message":"Content Exists Risk","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)","type":"invalid_request_error"}}"#,
    ),
    (
        404,
        "model_not_found",
        r#"{"error":{"message":"Not found the model kimi-9 or Permission denied","type":"resource_not_found_error"}}"#,
    ),
    (
        429,
        "quota_exceeded",
        r#"{"error":{"message":"Your account is suspended, please check your plan and billing details","type":"exceeded_current_quota_error"}}"#,
    ),
    (
        429,
        "overloaded",
        r#"{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}"#,
    ),
    (
        400,
        "content_filter",
        r#"{"error":{"message":"The request was rejected because it was considered high risk","type":"content_filter"}}"#,
    ),
    (429, "quota_exceeded", r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#),
    (400, "model_not_found", r#"{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}"#),
    (
        400,
        "content_filter",
        r#"{"contentFilter":[{"level":1,"role":"user"}],"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语。"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]","type":"invalid_request_error","code":"invalid_parameter_error"}}"#,
    ),
    (
        400,
        "quota_exceeded",
        r#"{"error":{"code":"Arrearage","message":"Access denied, please make sure your account is in good standing.","type":"Arrearage"}}"#,
    ),
    (
        400,
        "content_filter",
        r#"{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content.","type":"data_inspection_failed"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)"}}"#,
    ),
    // Mistral, Together, Cerebras, Cohere, Cloudflare
    (
        400,
        "model_not_found",
        r#"{"object":"error","message":"Invalid model: mistral-9","type":"invalid_model","param":null,"code":"1500"}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}"#,
    ),
    (401, "unauthorized", r#"{"detail":"Unauthorized"}"#),
    (
        422,
        "bad_request",
        r#"{"detail":[{"type":"extra_forbidden","loc":["body","reasoning_content"],"msg":"Extra inputs are not permitted","input":"my credit balance; the model does not exist"}]}"#,
    ),
    (
        422,
        "context_overflow",
        r#"{"error":{"message":"The input (40000 tokens) is longer than the model's context length (32768 tokens).","type":"invalid_request_error"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081"}"#,
    ),
    (
        413,
        "context_overflow",
        r#"{"errors":[{"message":"The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192)","code":5021}]}"#,
    ),
    // Bedrock behind a gateway: with the message of an overflow, and without.
    (429, "rate_limited", r#"{"message":"ThrottlingException: Too many tokens, please wait before trying again."}"#),
    // On this machine: Ollama, llama.cpp, LM Studio, vLLM
    (
        404,
        "model_not_found",
        r#"{"error":{"message":"model \"llama9\" not found, try pulling it first","type":"api_error","param":null,"code":null}}"#,
    ),
    (400, "context_overflow", r#"{"error":"prompt too long; exceeded max context length by 4 tokens"}"#),
    (
        400,
        "bad_request",
        r#"{"error":{"message":"registry.ollama.ai/library/gemma does not support tools","type":"api_error"}}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}"#,
    ),
    (503, "overloaded", r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#),
    (
        400,
        "context_overflow",
        r#"{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}"#,
    ),
    (
        404,
        "model_not_found",
        r#"{"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404}"#,
    ),
    (
        400,
        "context_overflow",
        r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.","type":"BadRequestError","code":400}"#,
    ),
    (404, "not_found", r#"{"detail":"Not Found"}"#),
    (404, "not_found", "404 page not found"),
    (403, "unauthorized", "<html><head><title>Attention Required! | Cloudflare</title></head></html>"),
    (502, "server_error", "<html><head><title>502 Bad Gateway</title></head></html>"),
];

#[test]
fn errors_of_providers_are_classified() {
    for (status, code, body) in BODIES {
        let error = error(*status, body);
        assert_eq!(error.code(), *code, "{status} {body}");
        let retryable = matches!(*code, "rate_limited" | "overloaded" | "server_error");
        assert_eq!(error.is_retryable(), retryable, "{body}");
    }
}

/// The same bodies inside an answer with status 200: as an event, as an event called `error`, and as the whole body.
#[test]
fn errors_of_providers_within_an_answer_are_classified() {
    for (status, code, body) in BODIES {
        // Where only the status tells, an answer that has another one cannot.
        let says = serde_json::from_str::<serde_json::Value>(body).is_ok_and(|body| body.get("error").is_some());
        let only_status =
            matches!(*code, "bad_request" | "server_error" | "not_found") || body.contains("Loading model");
        if !says || only_status || body.contains("rate-limited upstream") {
            continue;
        }
        for &api in copydesk_llm::Api::ALL {
            for stream in [format!("data: {body}\n\n"), format!("event: error\ndata: {body}\n\n"), (*body).to_owned()] {
                let (result, _) = crate::decoding::decode_as(api, [stream.as_bytes()]);
                assert_eq!(result.unwrap_err().code(), *code, "{status} {} {stream}", api.name());
            }
        }
    }
}
