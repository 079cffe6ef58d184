//! The errors of runs and tools.

use copydesk_base::error::{quoted, seconds};

copydesk_base::errors! {
    /// A failure of a run or of a tool call.
    pub enum Error {
        // A tool call.
        /// The model called a tool that does not exist.
        UnknownTool {
            /// The given name.
            name: String,
            /// The tools there are.
            valid: Vec<String>,
        } = "unknown_tool" {
            shorten: name,
            en: format!("There is no tool \"{name}\". The tools are {}.", valid.join(", ")),
            zh: format!("没有名为“{name}”的工具，可用的工具：{}。", valid.join("、")),
            details: { "name": name, "valid": valid },
        }
        /// The model activated a skill that does not exist.
        UnknownSkill {
            /// The given name.
            name: String,
            /// The skills there are.
            valid: Vec<String>,
        } = "unknown_skill" {
            shorten: name,
            en: format!("There is no skill \"{name}\". The skills are {}.", valid.join(", ")),
            zh: format!("没有名为“{name}”的技能，可用的技能：{}。", valid.join("、")),
            details: { "name": name, "valid": valid },
        }
        /// The rest of a long result is no longer stored, or never was.
        PageGone {
            /// The given page.
            given: String,
            /// The stored pages.
            valid: Vec<String>,
        } = "page_gone" {
            shorten: given,
            en: format!(
                "\"{given}\" is no longer stored: only the newest long results are. {}Call the original tool again.",
                if valid.is_empty() { String::new() } else { format!("The stored ones are {}. ", valid.join(", ")) }
            ),
            zh: format!(
                "“{given}”已不再保留：只保留最近的长结果。{}请重新调用产生该结果的工具。",
                if valid.is_empty() { String::new() } else { format!("现有：{}。", valid.join("、")) }
            ),
            details: { "given": given, "valid": valid },
        }
        /// A tool of the app threw.
        ToolFailed {
            /// The tool.
            tool: String,
            /// The message of the failure.
            message: String,
        } = "tool_failed" {
            en: format!("{tool} failed: {message}. Call it in another way, or continue without it."),
            zh: format!("{tool} 出错：{message}。请换一种方式调用，或说明情况后继续。"),
        }
        /// The app did not let a call run.
        ToolBlocked {
            /// The tool.
            tool: String,
            /// The app's reason; may be empty.
            reason: String,
        } = "tool_blocked" {
            en: format!(
                "The app blocked {tool}{}. Do not repeat this call; continue without it and say so.",
                quoted(": ", reason)
            ),
            zh: format!(
                "应用不允许运行 {tool}{}。不要再以同样方式调用；说明情况后继续。",
                quoted("：", reason)
            ),
        }
        /// The user rejected a call.
        Rejected {
            /// The tool.
            tool: String,
            /// The user's reason; may be empty.
            reason: String,
        } = "rejected" {
            en: format!(
                "The user rejected {tool}{}. Do not repeat the call; ask the user what to do instead.",
                quoted(": ", reason)
            ),
            zh: format!("用户拒绝运行 {tool}{}。不要重试，请询问用户希望怎么做。", quoted("：", reason)),
        }
        /// The run was stopped before the call began.
        NotRun = "not_run" {
            en: "This call did not run because the user stopped the agent first. Repeat it if it is still needed.",
            zh: "这次调用没有运行：用户在此之前停止了智能体。如仍需要，请重新调用。",
        }
        /// The run was stopped during the call: whether it took effect is unknown.
        MaybeRan {
            /// The tool.
            tool: String,
        } = "maybe_ran" {
            en: format!(
                "The user stopped the agent while {tool} was running. It may or may not have taken effect. Check before you call it again."
            ),
            zh: format!("用户停止智能体时 {tool} 正在运行，它可能已经生效，也可能没有。再次调用前请先检查。"),
        }
        /// The same call returned the same result several times in a row.
        RepeatedCall {
            /// The tool.
            tool: String,
            /// The number of the calls.
            count: usize,
        } = "repeated_call" {
            en: format!(
                "{tool} was called {count} times with the same arguments and returned the same result each time. Do something else, or say what is missing."
            ),
            zh: format!("{tool} 已用相同参数调用 {count} 次，每次结果都相同。请换一种做法，或说明缺少什么。"),
        }

        /// A tool for files was called by an agent without a workspace.
        NoWorkspace = "no_workspace" {
            en: "This agent has no workspace, so there are no files. Continue without them and say so.",
            zh: "此智能体没有工作区，因此没有文件。请在不使用文件的情况下继续，并说明情况。",
        }

        // A search service.
        /// A configured service has no key.
        MissingKey {
            /// The name of the service.
            service: &'static str,
            /// The setting of its key.
            setting: &'static str,
        } = "missing_key" {
            en: format!(
                "{service} is configured but has no key. Set {setting}, or remove {service} to use the free default."
            ),
            zh: format!("已配置 {service}，但缺少密钥。请设置 {setting}，或移除 {service} 改用免费的默认服务。"),
            details: { "service": service, "setting": setting },
        }
        /// A service responded with an error.
        Service {
            /// The name of the service.
            service: &'static str,
            /// The HTTP status.
            status: u16,
            /// The service's message, cut to a readable length.
            message: String,
        } = "service_error" {
            en: format!(
                "{service} responded with status {status}{}. {}",
                quoted(": ", message),
                if matches!(status, 401 | 403) { "Check its key." } else { "Try again later or continue without it." }
            ),
            zh: format!(
                "{service} 返回状态 {status}{}。{}",
                quoted("：", message),
                if matches!(status, 401 | 403) {
                    "请检查它的密钥。"
                } else {
                    "请稍后再试，或不用它继续。"
                }
            ),
            details: { "service": service, "status": status },
        }
        /// A service's response could not be read.
        ServiceAnswer {
            /// The name of the service.
            service: &'static str,
            /// The problem.
            reason: String,
        } = "service_answer" {
            en: format!(
                "The response of {service} cannot be read: {reason}. Check its baseUrl, or continue without it."
            ),
            zh: format!("无法读取 {service} 的响应：{reason}。请检查它的 baseUrl，或不用它继续。"),
        }

        // The run.
        /// A prompt was sent while another run was under way.
        Busy = "busy" {
            en: "The agent is still working. Wait until it has finished, or stop it first.",
            zh: "智能体仍在工作，请等它完成，或先停止。",
        }
        /// The conversation ends with an answer of the model and no call waits.
        NothingToContinue = "nothing_to_continue" {
            en: "There is nothing to continue: the conversation ends with an answer. Send a prompt instead.",
            zh: "没有可以继续的内容：对话以回答结束。请改用新的提示。",
        }
        /// No call with this id waits for approval.
        NotWaiting {
            /// The given id.
            given: String,
            /// The calls that wait.
            valid: Vec<String>,
        } = "not_waiting" {
            shorten: given,
            en: format!(
                "No call \"{given}\" waits for approval. {}",
                if valid.is_empty() { "No call waits.".into() } else { format!("The waiting calls are {}.", valid.join(", ")) }
            ),
            zh: format!(
                "没有等待批准的调用“{given}”。{}",
                if valid.is_empty() {
                    "目前没有等待批准的调用。".into()
                } else {
                    format!("等待批准的有：{}。", valid.join("、"))
                }
            ),
            details: { "given": given, "valid": valid },
        }
        /// A hook of the app threw, or returned a value that is not allowed.
        HookFailed {
            /// The hook.
            hook: &'static str,
            /// The message of the failure.
            message: String,
        } = "hook_failed" {
            en: format!("The app's hook {hook} failed: {message}. Check this function of the app."),
            zh: format!("应用的钩子 {hook} 出错：{message}。请检查该函数。"),
        }
        /// The time limit of the run was reached.
        RunTimeout {
            /// The name of the request, tool or hook that was waited for; empty if there was none.
            what: String,
            /// The limit, in milliseconds.
            ms: u64,
        } = "timeout" {
            shorten: what,
            en: format!(
                "The run has reached its time limit (runTimeout) of {} s{}. What was already written is kept. Continue the run, or raise runTimeout.",
                seconds(*ms),
                quoted(" while it waited for ", &what)
            ),
            zh: format!(
                "本次运行已达到时间上限（runTimeout，{} 秒）{}。已写入的内容会保留；请继续运行，或调大 runTimeout。",
                seconds(*ms),
                quoted("，当时正在等待 ", &what)
            ),
            details: { "what": what, "ms": ms, "limit": "runTimeout" },
        }
        /// The system prompt, the tools and the smallest excerpt of the document exceed the context window.
        WindowTooSmall {
            /// The estimated tokens of the smallest request.
            tokens: usize,
            /// The size of the context window, in tokens.
            window: usize,
            /// The name of the model.
            model: String,
        } = "context_overflow" {
            shorten: model,
            en: format!(
                "The smallest request takes about {tokens} tokens, but the context window of {model} has {window}: \
                 the system prompt, the tools and your request do not fit. Use a model with a larger context window, \
                 set model.contextWindow if {window} is not its size, or leave out tools, rules and skills."
            ),
            zh: format!(
                "最小的请求约需 {tokens} 个词元，而 {model} 的上下文长度只有 {window}：系统提示、工具和你的要求放不下。\
                 请换用上下文更长的模型；如果 {window} 不是它的实际长度，请设置 model.contextWindow；也可以减少工具、规则或技能。"
            ),
            details: { "tokens": tokens, "window": window, "model": model },
        }
        /// The run reached its limit of turns.
        TooManyTurns {
            /// The limit.
            limit: usize,
        } = "too_many_turns" {
            en: format!("Stopped after {limit} turns. The edits so far are kept; send another prompt to continue."),
            zh: format!("已达到 {limit} 轮上限而停止，已作的修改会保留，可再次提问以继续。"),
            details: { "limit": limit },
        }
    }
    wraps {
        /// A wrong parameter or setting, or a failure of the host.
        Base(copydesk_base),
        /// A document that cannot be read.
        Document(copydesk_document: Base),
        /// An edit that cannot be made.
        Edit(copydesk_edit: Base, Document),
        /// A failure to get an answer from the model.
        Llm(copydesk_llm: Base),
        /// A failure of the workspace.
        Workspace(copydesk_workspace: Base),
    }
}
