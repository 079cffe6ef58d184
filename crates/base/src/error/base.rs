//! The errors of parameters, settings and the host.

use super::{HostError, is_local, quoted, seconds};
use crate::locale::Locale;

crate::errors! {
    /// A wrong parameter or setting, or a failure of the host.
    pub enum Error {
        // Input.
        /// A parameter that the call needs is missing.
        MissingParameter {
            /// The tool or operation that was called.
            call: String,
            /// The parameter.
            name: String,
        } = "missing_parameter" {
            en: format!("{call} needs the parameter {name}. Call again with it."),
            zh: format!("{call} 缺少参数 {name}，请补上后重试。"),
            details: { "call": call, "name": name },
        }
        /// A parameter outside its range or of the wrong type.
        InvalidParameter {
            /// The parameter.
            name: String,
            /// The given value, as JSON, cut to a readable length.
            given: String,
            /// The accepted values.
            expected: String,
        } = "invalid_parameter" {
            en: format!("{name} is {given}; it must be {expected}. Call again with a valid value."),
            zh: format!("{name} 的值 {given} 无效，应为 {expected}，请改正后重试。"),
            details: { "name": name, "given": given, "expected": expected },
        }
        /// A text that is to be written has a control character or a noncharacter.
        UnwritableCharacter {
            /// The parameter.
            name: String,
            /// The character, as `U+000C`.
            character: String,
            /// The text around it, such characters escaped.
            near: String,
        } = "unwritable_character" {
            en: format!(
                "{name} has the character {character} in \"{near}\", which is never written, so nothing was done. If a backslash was meant (a LaTeX command such as \\frac, a path such as C:\\new), write it doubled in JSON: \"\\\\frac\"; otherwise leave the character out."
            ),
            zh: format!(
                "{name} 的“{near}”中含有字符 {character}，这种字符一律不写入，因此没有执行。如果要写的是反斜杠（LaTeX 命令如 \\frac，路径如 C:\\new），请在 JSON 中写成两个反斜杠：\"\\\\frac\"；否则请去掉该字符。"
            ),
            details: { "name": name, "character": character, "near": near },
        }
        /// The arguments of a call are not a JSON object.
        InvalidArguments {
            /// The reason.
            reason: String,
        } = "invalid_arguments" {
            shorten: reason,
            en: format!(
                "The arguments are not a JSON object: {reason}. The call did not run; send it again with valid JSON."
            ),
            zh: format!("参数不是 JSON 对象：{reason}。调用未执行，请用有效的 JSON 重新发送。"),
        }
        /// An escape in the arguments of a call has two plausible meanings.
        AmbiguousEscape {
            /// The escape with the letters after it, such as `\new`.
            escape: String,
        } = "ambiguous_escape" {
            en: format!(
                "{escape} in the arguments can be {} or a backslash. The call did not run. Send it again, with \\{escape} \
                 for the backslash or {} for {}.",
                control_character(escape, Locale::En), unicode_escape(escape), control_character(escape, Locale::En)
            ),
            zh: format!(
                "参数中的 {escape} 既可能是{}，也可能是反斜杠。调用未执行，请重新发送：反斜杠写成 \\{escape}，{}写成 {}。",
                control_character(escape, Locale::ZhCn), control_character(escape, Locale::ZhCn), unicode_escape(escape)
            ),
            details: { "escape": escape },
        }
        /// A setting is missing or wrong.
        Config {
            /// The setting.
            name: String,
            /// The accepted values.
            expected: String,
        } = "config" {
            en: format!("The setting {name} is missing or wrong: it must be {expected}."),
            zh: format!("设置 {name} 缺失或有误：应为 {expected}。"),
        }
        /// An input is longer than is accepted.
        TooLarge {
            /// The given length, in bytes.
            length: usize,
            /// The greatest accepted length, in bytes.
            limit: usize,
        } = "too_large" {
            en: format!("The input has {length} bytes; at most {limit} are accepted. Split it and try again."),
            zh: format!("输入有 {length} 字节，最多接受 {limit} 字节，请拆分后重试。"),
            details: { "length": length, "limit": limit },
        }

        // The network.
        /// The browser says that it is offline.
        Offline = "offline" {
            en: "You are offline. Reconnect and try again.",
            zh: "当前处于离线状态，请联网后重试。",
            retryable: true,
        }
        /// The server can be reached, but the browser may not read its response (CORS).
        Blocked {
            /// The origin of the request's URL.
            origin: String,
        } = "blocked_by_cors" {
            en: format!(
                "{origin} is there, but this browser may not read its answer (CORS). {}",
                cors_help(origin, Locale::En)
            ),
            zh: format!("{origin} 可以连通，但浏览器无权读取它的回答（CORS）。{}", cors_help(origin, Locale::ZhCn)),
            details: { "origin": origin },
        }
        /// The server gave no response.
        Unreachable {
            /// The origin of the request's URL.
            origin: String,
            /// The reason that the host states; empty if it states none.
            reason: String,
        } = "unreachable" {
            en: format!(
                "{origin} cannot be reached{}. Check the address, and that the server is running.",
                quoted(": ", reason)
            ),
            zh: format!("无法连接 {origin}{}，请检查地址以及服务是否已启动。", quoted("：", reason)),
            details: { "origin": origin },
            retryable: true,
        }
        /// A server redirects a request that carries a key or the document to another origin; it was not sent there.
        Redirected {
            /// The origin of the request's URL.
            origin: String,
            /// The origin that it redirects to; none where the browser does not tell.
            target: Option<String>,
        } = "redirected" {
            en: format!(
                "{origin} redirects to {}. Neither the key nor the document was sent there. If the server has moved, set its new address as the base URL.",
                target.as_deref().unwrap_or("an address that the browser does not show")
            ),
            zh: format!(
                "{origin} 重定向到 {}，密钥和文档都没有发送过去。如果服务已迁移，请把新地址设为 base URL。",
                target.as_deref().unwrap_or("浏览器未透露的地址")
            ),
            details: { "origin": origin, "target": target },
        }
        /// The app's own fetch function failed, or returned something that is not a response.
        FetchFailed {
            /// The message of the failure.
            reason: String,
        } = "fetch_failed" {
            en: format!("The request failed: {reason}. Check the fetch function of this app."),
            zh: format!("请求失败：{reason}。请检查本应用提供的 fetch 函数。"),
        }
        /// No result came within the time allowed.
        Timeout {
            /// The name of the request, tool or hook that was waited for.
            what: String,
            /// The time allowed, in milliseconds.
            ms: u64,
        } = "timeout" {
            en: format!(
                "No answer from {what} within {} s. Try again; what was already written is kept.",
                seconds(*ms)
            ),
            zh: format!("{what} 在 {} 秒内没有回应，请重试；已写入的内容会保留。", seconds(*ms)),
            details: { "what": what, "ms": ms },
            retryable: true,
        }
        /// The user stopped the run.
        Aborted = "aborted" {
            en: "Stopped. What was already written is kept.",
            zh: "已停止，已写入的内容会保留。",
        }
        /// An error that only the host knows.
        Host {
            /// The error.
            error: HostError,
        } = { error.code() } {
            en: error.message(Locale::En),
            zh: error.message(Locale::ZhCn),
            details: (error.details()),
            retryable: error.is_retryable(),
        }
    }
}

/// Returns the name of the control character that an escape states in JSON.
fn control_character(escape: &str, locale: Locale) -> &'static str {
    match escape.as_bytes().get(1) {
        Some(b't') => locale.pick("a tab", "制表符"),
        Some(b'r') => locale.pick("a carriage return", "回车"),
        _ => locale.pick("a line break", "换行"),
    }
}

/// Returns the other form of the control character that an escape states in JSON.
fn unicode_escape(escape: &str) -> &'static str {
    match escape.as_bytes().get(1) {
        Some(b't') => "\\u0009",
        Some(b'r') => "\\u000d",
        _ => "\\u000a",
    }
}

/// Returns what to set so that a page may read the responses of an origin.
fn cors_help(origin: &str, locale: Locale) -> &'static str {
    let local = is_local(origin);
    let on = |port: &str| origin.trim_end_matches('/').ends_with(port);
    // https://docs.ollama.com/faq, https://lmstudio.ai/docs/cli/server-start, https://docs.vllm.ai/en/stable/cli/serve
    if on(":11434") {
        locale.pick(
            "Start Ollama with OLLAMA_ORIGINS set to this page's origin (or to \"*\").",
            "请在启动 Ollama 时把 OLLAMA_ORIGINS 设为本页面的来源（或“*”）。",
        )
    } else if on(":1234") {
        locale.pick(
            "Switch CORS on in LM Studio's server settings, or start it with lms server start --cors.",
            "请在 LM Studio 的服务器设置中打开 CORS，或用 lms server start --cors 启动。",
        )
    } else if on(":8000") && local {
        locale.pick(
            "Start vLLM with --allowed-origins and this page's origin; other servers have a setting for CORS too.",
            "请在启动 vLLM 时用 --allowed-origins 允许本页面的来源；其他服务器也有相应的 CORS 设置。",
        )
    } else if local {
        locale.pick(
            "Allow this page's origin there: OLLAMA_ORIGINS for Ollama, the CORS switch for LM Studio, --cors-origins for llama.cpp.",
            "请在该服务器上允许本页面的来源：Ollama 用 OLLAMA_ORIGINS，LM Studio 用 CORS 开关，llama.cpp 用 --cors-origins。",
        )
    } else if ["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "openrouter.ai"]
        .iter()
        .any(|host| origin.ends_with(host))
    {
        // They answer pages, but not with headers that they do not know, nor under every path.
        locale.pick(
            "This provider does answer pages: check the base URL, and remove streamOptions.headers. If your organisation does not allow it, use a proxy of your own as baseUrl.",
            "该服务商允许网页访问：请检查 Base URL，并去掉 streamOptions.headers；如果所在组织不允许，请把 baseUrl 设为自己的代理。",
        )
    } else {
        locale.pick(
            "Use an endpoint that allows browsers, or a proxy of your own as baseUrl.",
            "请换用允许浏览器访问的接口，或把 baseUrl 设为自己的代理。",
        )
    }
}
