//! The errors of runs and tools.

use crate::messages;
use copydesk_base::error::seconds;
use copydesk_base::phrases::after_colon;
use copydesk_base::phrases::listed;

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
            message: |locale| messages::UnknownTool { name, valid: &listed(valid, locale) }.text(locale),
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
            message: |locale| messages::UnknownSkill { name, valid: &listed(valid, locale) }.text(locale),
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
            message: |locale| match valid.as_slice() {
                [] => messages::PageGoneNoOther { given }.text(locale),
                valid => messages::PageGone { given, valid: &listed(valid, locale) }.text(locale),
            },
            details: { "given": given, "valid": valid },
        }
        /// A tool of the app threw.
        ToolFailed {
            /// The tool.
            tool: String,
            /// The message of the failure.
            message: String,
        } = "tool_failed" {
            message: |locale| messages::ToolFailed { tool, message }.text(locale),
        }
        /// The app did not let a call run.
        ToolBlocked {
            /// The tool.
            tool: String,
            /// The app's reason; may be empty.
            reason: String,
        } = "tool_blocked" {
            message: |locale| messages::ToolBlocked { tool, reason: &after_colon(reason, locale) }.text(locale),
        }
        /// The user rejected a call.
        Rejected {
            /// The tool.
            tool: String,
            /// The user's reason; may be empty.
            reason: String,
        } = "rejected" {
            message: |locale| messages::Rejected { tool, reason: &after_colon(reason, locale) }.text(locale),
        }
        /// The run was stopped before the call began.
        NotRun = "not_run" {
            message: |locale| messages::NOT_RUN.text(locale),
        }
        /// The run was stopped during the call: whether it took effect is unknown.
        MaybeRan {
            /// The tool.
            tool: String,
        } = "maybe_ran" {
            message: |locale| messages::MaybeRan { tool }.text(locale),
        }
        /// The same call returned the same result several times in a row.
        RepeatedCall {
            /// The tool.
            tool: String,
            /// The number of the calls.
            count: usize,
        } = "repeated_call" {
            message: |locale| messages::RepeatedCall { tool, count }.text(locale),
        }

        /// A tool for files was called by an agent without a workspace.
        NoWorkspace = "no_workspace" {
            message: |locale| messages::NO_WORKSPACE.text(locale),
        }

        // A search service.
        /// A configured service has no key.
        MissingKey {
            /// The name of the service.
            service: &'static str,
            /// The setting of its key.
            setting: &'static str,
        } = "missing_key" {
            message: |locale| messages::MissingKey { service, setting }.text(locale),
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
            message: |locale| {
                let message = &after_colon(message, locale);
                match status {
                    401 | 403 => messages::ServiceKey { service, status, message }.text(locale),
                    _ => messages::Service { service, status, message }.text(locale),
                }
            },
            details: { "service": service, "status": status },
        }
        /// A service's response could not be read.
        ServiceAnswer {
            /// The name of the service.
            service: &'static str,
            /// The problem.
            reason: String,
        } = "service_answer" {
            message: |locale| messages::ServiceAnswer { service, reason }.text(locale),
        }

        // The run.
        /// A prompt was sent while another run was under way.
        Busy = "busy" {
            message: |locale| messages::BUSY.text(locale),
        }
        /// The conversation ends with an answer of the model and no call waits.
        NothingToContinue = "nothing_to_continue" {
            message: |locale| messages::NOTHING_TO_CONTINUE.text(locale),
        }
        /// No call with this id waits for approval.
        NotWaiting {
            /// The given id.
            given: String,
            /// The calls that wait.
            valid: Vec<String>,
        } = "not_waiting" {
            shorten: given,
            message: |locale| match valid.as_slice() {
                [] => messages::NoCallWaits { given }.text(locale),
                valid => messages::NotWaiting { given, valid: &listed(valid, locale) }.text(locale),
            },
            details: { "given": given, "valid": valid },
        }
        /// A hook of the app threw, or returned a value that is not allowed.
        HookFailed {
            /// The hook.
            hook: &'static str,
            /// The message of the failure.
            message: String,
        } = "hook_failed" {
            message: |locale| messages::HookFailed { hook, message }.text(locale),
        }
        /// The time limit of the run was reached.
        RunTimeout {
            /// The name of the request, tool or hook that was waited for; empty if there was none.
            what: String,
            /// The limit, in milliseconds.
            ms: u64,
        } = "timeout" {
            shorten: what,
            message: |locale| {
                let seconds = &seconds(*ms);
                match what.as_str() {
                    "" => messages::RunTimeout { seconds }.text(locale),
                    what => messages::RunTimeoutAt { seconds, what: &what }.text(locale),
                }
            },
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
            message: |locale| messages::WindowTooSmall { tokens, model, window }.text(locale),
            details: { "tokens": tokens, "window": window, "model": model },
        }
        /// The run reached its limit of turns.
        TooManyTurns {
            /// The limit.
            limit: usize,
        } = "too_many_turns" {
            message: |locale| messages::TooManyTurns { limit }.text(locale),
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
