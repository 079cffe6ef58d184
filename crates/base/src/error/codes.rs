//! What programs ask of an error: its stable name, and whether the same request may do better later.

use super::Error;

impl Error {
    /// The stable name of this kind of error, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::TooDeep { .. } => "too_deep",
            Error::TooLarge { .. } | Error::MarkdownTooLarge { .. } => "too_large",
            Error::TooManyAttributes { .. } => "too_many_attributes",
            Error::FullBuildNeeded => "full_build_needed",
            Error::InvalidDocument { .. } => "invalid_document",
            Error::UnknownType { .. } => "unknown_type",
            Error::InvalidSchema { .. } => "invalid_schema",
            Error::MissingParameter { .. } => "missing_parameter",
            Error::InvalidParameter { .. } => "invalid_parameter",
            Error::UnknownOperation { .. } => "unknown_operation",
            Error::SectionOutOfRange { .. } => "section_out_of_range",
            Error::Stale { .. } => "stale",
            Error::SectionNotShown { .. } => "section_not_shown",
            Error::StaleLines { .. } => "stale",
            Error::LineOutOfRange { .. } => "line_out_of_range",
            Error::OverlappingEdits { .. } => "overlapping_edits",
            Error::LinesNotShown { .. } => "lines_not_shown",
            Error::UnknownVersion { .. } => "unknown_version",
            Error::TextNotFound { .. } => "text_not_found",
            Error::TextAmbiguous { .. } => "text_ambiguous",
            Error::InvalidUrl { .. } | Error::UnsafeUrl { .. } => "invalid_url",
            Error::UrlNotAllowed { .. } => "url_not_allowed",
            Error::OutOfScope { .. } => "out_of_scope",
            Error::Locked { .. } => "locked",
            Error::WouldDrop { .. } => "would_drop",
            Error::UnknownHunk { .. } => "unknown_hunk",
            Error::UnknownTurn { .. } => "unknown_turn",
            Error::MarkdownNotLoaded { .. } => "markdown_not_loaded",
            Error::MarkdownFailed { .. } => "markdown_failed",
            Error::NotInSchema { .. } => "not_in_schema",
            Error::EditorRefused { .. } => "editor_refused",
            Error::EditorDestroyed => "editor_destroyed",
            Error::UnknownTool { .. } => "unknown_tool",
            Error::PageGone { .. } => "page_gone",
            Error::InvalidArguments { .. } => "invalid_arguments",
            Error::ArgumentsCutOff => "arguments_cut_off",
            Error::MissingKey { .. } => "missing_key",
            Error::Service { .. } => "service_error",
            Error::ServiceAnswer { .. } => "service_answer",
            Error::Offline => "offline",
            Error::Blocked { .. } => "blocked_by_cors",
            Error::Unreachable { .. } => "unreachable",
            Error::Redirected { .. } => "redirected",
            Error::FetchFailed { .. } => "fetch_failed",
            Error::Timeout { .. } => "timeout",
            Error::Aborted => "aborted",
            Error::Unauthorized { .. } => "unauthorized",
            Error::ModelNotFound { .. } => "model_not_found",
            Error::NotFound { .. } => "not_found",
            Error::RateLimited { .. } => "rate_limited",
            Error::QuotaExceeded { .. } => "quota_exceeded",
            Error::Overloaded { .. } => "overloaded",
            Error::ContextOverflow { .. } => "context_overflow",
            Error::BadRequest { .. } => "bad_request",
            Error::ServerError { .. } => "server_error",
            Error::NotAStream { .. } => "not_a_stream",
            Error::StreamCut => "stream_cut",
            Error::MalformedStream { .. } => "malformed_stream",
            Error::Provider { .. } => "provider_error",
            Error::ContentFilter => "content_filter",
            Error::Config { .. } => "config",
            Error::Busy => "busy",
            Error::NothingToContinue => "nothing_to_continue",
            Error::NotWaiting { .. } => "not_waiting",
            Error::HookFailed { .. } => "hook_failed",
            Error::ToolFailed { .. } => "tool_failed",
            Error::ToolBlocked { .. } => "tool_blocked",
            Error::Rejected { .. } => "rejected",
            Error::NotRun => "not_run",
            Error::MaybeRan { .. } => "maybe_ran",
            Error::RepeatedCall { .. } => "repeated_call",
            Error::TooManyTurns { .. } => "too_many_turns",
            Error::InvalidRecording { .. } => "invalid_recording",
            Error::NotRecording => "not_recording",
            Error::ReplayDiffers { .. } => "replay_differs",
            Error::Internal { .. } => "internal",
        }
    }

    /// Whether the same request may do better a moment later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Error::Offline
                | Error::Unreachable { .. }
                | Error::Timeout { .. }
                | Error::RateLimited { .. }
                | Error::Overloaded { .. }
                | Error::ServerError { .. }
                | Error::StreamCut
                | Error::Provider { .. }
        )
    }
}
