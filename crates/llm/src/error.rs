//! The errors of models' answers.

use copydesk_base::error::quoted;
use copydesk_base::locale::Locale;

copydesk_base::errors! {
    /// A failure to get an answer from a model.
    pub enum Error {
        /// The key was refused (401, 403).
        Unauthorized {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "unauthorized" {
            en: format!(
                "The provider rejected the API key (status {status}{}). Check the API key in the settings.",
                quoted(": ", message)
            ),
            zh: format!("服务商拒绝了 API 密钥（状态 {status}{}），请在设置中检查。", quoted("：", message)),
            details: { "status": status },
        }
        /// The model does not exist, or not for this key.
        ModelNotFound {
            /// The id of the model; empty if only the stream named it.
            model: String,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "model_not_found" {
            en: format!(
                "The provider has no model {}for this key{}. Check the model's name in the settings.",
                if model.is_empty() { String::new() } else { format!("\"{model}\" ") },
                quoted(": ", message)
            ),
            zh: format!(
                "服务商没有此密钥可用的模型{}{}，请在设置中检查模型名称。",
                if model.is_empty() { String::new() } else { format!("“{model}”") },
                quoted("：", message)
            ),
            details: { "model": model },
        }
        /// The endpoint does not exist (404).
        NotFound {
            /// The URL of the request.
            url: String,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "not_found" {
            en: format!(
                "There is no endpoint at {url}{}. Check the base URL (it usually ends in /v1) and the model's name.",
                quoted(": ", message)
            ),
            zh: format!(
                "{url} 没有可用的接口{}，请检查 Base URL（通常以 /v1 结尾）和模型名称。",
                quoted("：", message)
            ),
        }
        /// Too many requests (429).
        RateLimited {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "rate_limited" {
            en: format!(
                "The provider's rate limit is exceeded{}. Wait a moment and try again.",
                quoted(": ", message)
            ),
            zh: format!("请求过于频繁{}，请稍候再试。", quoted("：", message)),
            retryable: true,
        }
        /// The balance or the quota is used up (402, and some 429 and 400).
        QuotaExceeded {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "quota_exceeded" {
            en: format!(
                "The balance or quota at the provider is used up{}. Top it up there, or use another key.",
                quoted(": ", message)
            ),
            zh: format!("服务商处的余额或额度已用完{}，请前往充值，或换用其他密钥。", quoted("：", message)),
        }
        /// The provider has too many requests at the moment (503, 529).
        Overloaded {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "overloaded" {
            en: format!(
                "The provider is overloaded{}. Try again later, or use another model.",
                quoted(": ", message)
            ),
            zh: format!("服务商目前过于繁忙{}，请稍后重试，或换用其他模型。", quoted("：", message)),
            retryable: true,
        }
        /// The conversation exceeds the model's context window (413, most 400).
        ContextOverflow {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "context_overflow" {
            en: format!(
                "The conversation exceeds the model's context window{}. Shorten the request, start a new conversation, or use a model with a larger context window.",
                quoted(": ", message)
            ),
            zh: format!(
                "对话超出了模型的上下文长度{}，请缩短要求、开始新的对话，或换用上下文更长的模型。",
                quoted("：", message)
            ),
        }
        /// The provider refused the request (other 4xx).
        BadRequest {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "bad_request" {
            en: format!(
                "The provider refused the request (status {status}{}). Check the model's name and settings.",
                quoted(": ", message)
            ),
            zh: format!("服务商拒绝了请求（状态 {status}{}），请检查模型名称和设置。", quoted("：", message)),
            details: { "status": status },
        }
        /// The provider failed (5xx).
        ServerError {
            /// The HTTP status.
            status: u16,
            /// The provider's message, cut to a readable length.
            message: String,
        } = "server_error" {
            en: format!("The provider failed (status {status}{}). Try again in a moment.", quoted(": ", message)),
            zh: format!("服务商出错（状态 {status}{}），请稍后重试。", quoted("：", message)),
            details: { "status": status },
            retryable: true,
        }
        /// The response is not an event stream: most often it is a web page.
        NotAStream {
            /// The content type of the response.
            content_type: String,
            /// The beginning of the response.
            excerpt: String,
        } = "not_a_stream" {
            en: format!(
                "The server responded with {} instead of a stream. Check the base URL (it usually ends in /v1).",
                responded(content_type, excerpt, Locale::En)
            ),
            zh: format!(
                "服务器返回的是{}，而不是数据流，请检查 Base URL（通常以 /v1 结尾）。",
                responded(content_type, excerpt, Locale::ZhCn)
            ),
            details: { "contentType": content_type, "excerpt": excerpt },
        }
        /// The stream ended before the answer was complete.
        StreamCut = "stream_cut" {
            en: "The answer ended before it was complete. Applied edits are kept; try again.",
            zh: "回答在完成前中断了，已作的修改会保留，请重试。",
            retryable: true,
        }
        /// The stream contains data that is not of the format.
        MalformedStream {
            /// The problem.
            reason: String,
        } = "malformed_stream" {
            en: format!("The provider's stream cannot be read: {reason}. Try again, or use another endpoint."),
            zh: format!("无法读取服务商的数据流：{reason}。请重试，或换用其他接口。"),
        }
        /// The provider reported an error inside the stream.
        Provider {
            /// The provider's message, cut to a readable length.
            message: String,
        } = "provider_error" {
            en: format!("The provider reported an error{}. Try again, or use another model.", quoted(": ", message)),
            zh: format!("服务商报告错误{}，请重试，或换用其他模型。", quoted("：", message)),
            retryable: true,
        }
        /// The provider withheld the answer.
        ContentFilter = "content_filter" {
            en: "The provider's content filter blocked the answer. Rephrase the request.",
            zh: "服务商的内容过滤拦截了回答，请换一种说法。",
        }
        /// The provider says that the model calls a tool, and there is no call.
        CallMissing = "call_missing" {
            en: "The provider says that the model calls a tool, but sent no call. Try again, or check that the server reads the calls of this model.",
            zh: "服务商表示模型调用了工具，却没有发来调用。请重试，或检查服务器能否解析该模型的工具调用。",
            retryable: true,
        }
        /// The arguments of a call, or the answer that it is in, were cut off, so the call did not run.
        ArgumentsCutOff = "arguments_cut_off" {
            en: "The call was cut off, or the answer that it is in, so it did not run. Send it again, split into several calls or answers if it was long.",
            zh: "该调用或其所在的回答被截断，因此没有执行。请重新发送；内容较长时请分几次调用或回答。",
        }
    }
    wraps {
        /// A wrong setting, invalid arguments, or a failure of the network.
        Base(copydesk_base),
    }
}

/// Returns the kind of a response that is no stream, by its content type, or by its beginning if that claims a stream.
fn responded(content_type: &str, excerpt: &str, locale: Locale) -> String {
    let claims_stream = content_type.to_ascii_lowercase().contains("event-stream");
    match locale {
        _ if claims_stream && excerpt.trim_start().starts_with('<') => locale.pick("a web page", "网页").to_owned(),
        _ if claims_stream || content_type.is_empty() => locale.pick("something else", "其他内容").to_owned(),
        Locale::En => content_type.to_owned(),
        Locale::ZhCn => format!(" {content_type}"),
    }
}
