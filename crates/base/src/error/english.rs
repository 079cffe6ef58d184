//! What each error says in English: what was wrong, what is valid, and the way out.

use super::words::{allowed_part, allowed_sources, cors_help, dropped_in_words, rows, seconds};
use super::{Error, MarkdownLimit, excerpt};
use crate::locale::Locale;

impl Error {
    pub(super) fn english(&self) -> String {
        match self {
            Error::TooDeep { limit } => {
                format!("The content nests deeper than {limit} levels. Flatten it and try again.")
            }
            Error::TooLarge { length, limit } => {
                format!("The input has {length} bytes; at most {limit} are accepted. Split it and try again.")
            }
            Error::TooManyAttributes { limit } => {
                format!("A tag in the HTML has more than {limit} attributes. Give it fewer and try again.")
            }
            Error::FullBuildNeeded => {
                "This needs the full build: call init(undefined, full) with full from \"copydesk/full\".".into()
            }
            Error::InvalidDocument { reason } => format!("This is not a document of the schema: {reason}."),
            Error::UnknownType { name } => {
                format!(
                    "The schema has no node or mark named \"{name}\". Pass the editor's schema along with the document."
                )
            }
            Error::InvalidSchema { reason } => format!("The schema cannot be read: {reason}."),
            Error::MissingParameter { call, name } => format!("{call} needs the parameter {name}. Call again with it."),
            Error::InvalidParameter { name, given, expected } => {
                format!("{name} is {given}; it must be {expected}. Call again with a valid value.")
            }
            Error::UnknownOperation { given, valid } => {
                format!("There is no operation \"{given}\". The operations are {}.", valid.join(", "))
            }
            Error::SectionOutOfRange { parameter, index, valid: None, operation } => format!(
                "{parameter} {index} is out of range: the document has no section that {operation} takes. Write one first with update_section append."
            ),
            Error::SectionOutOfRange { parameter, index, valid: Some((first, last)), operation } => format!(
                "{parameter} {index} is out of range: {operation} takes sections {first}–{last}. Call get_document for the present outline."
            ),
            Error::Stale { index, now } => match &now.section {
                None => format!(
                    "Section {index} is gone: the person changed the document meanwhile. The outline of now comes with this error; call again with an index of it."
                ),
                Some((now, title, content)) => format!(
                    "Section {index} was changed by the person since you read it, so nothing was done. It is now Section {now} '{title}': {content} — Keep what they wrote and call again."
                ),
            },
            Error::SectionNotShown { index, now } => {
                let (at, title) = now.section.as_ref().map_or((*index, ""), |(at, title, _)| (*at, title));
                format!(
                    "The content of section {at} '{title}' was not shown to you, so nothing was done. Its current content and the current outline are attached; call again with what should become of it."
                )
            }
            Error::StaleLines { first, last, now } => format!(
                "Lines {first}–{last} were changed since you read them, by the person or by an earlier call, so nothing was done. They are now:\n{now}\nKeep what was written and call again with these numbers."
            ),
            Error::LineOutOfRange { start, end, total } => match total {
                0 => format!("Lines {start}–{end} are out of range: the document has no lines."),
                _ => format!(
                    "Lines {start}–{end} are out of range: the document has lines 1–{total}, and start_line is not after end_line."
                ),
            },
            Error::OverlappingEdits { first, second } => format!(
                "The edits of lines {}–{} and {}–{} overlap, so nothing was done. Make one edit of them.",
                first.0, first.1, second.0, second.1
            ),
            Error::LinesNotShown { first, last } => format!(
                "Lines {first}–{last} were not shown to you with their numbers. Read them with read_lines, then edit them."
            ),
            Error::UnknownVersion { given, valid } => format!(
                "Version {given} is not known any more. Known: {}. Read the lines again with read_lines and use their numbers.",
                if valid.is_empty() { "none".to_owned() } else { valid.join(", ") }
            ),
            Error::TextNotFound { old, nearest } => format!(
                "\"{old}\" does not stand in any line. The nearest lines are:{}\nGive the text exactly as it stands in one line.",
                rows(nearest)
            ),
            Error::TextAmbiguous { old, count, places } => format!(
                "\"{old}\" stands in {count} places, so nothing was done:{}\nGive near_line, more of the text, or all: true.",
                rows(places)
            ),
            Error::UnknownHunk { given, valid } => format!(
                "No hunk \"{given}\" waits for a decision. {}",
                if valid.is_empty() { "None does.".into() } else { format!("Those that do are {}.", valid.join(", ")) }
            ),
            Error::UnknownTurn { given, valid } => format!(
                "There is no turn \"{given}\" to take back. {}",
                if valid.is_empty() { "There is none.".into() } else { format!("There are {}.", valid.join(", ")) }
            ),
            Error::InvalidUrl { name, given } => format!(
                "{name} \"{given}\" is not an http(s) address. Search for an image first with search_image and use a url from its results."
            ),
            Error::UnsafeUrl { name, given, fault } => format!(
                "{name} holds \"{given}\", and an address with {fault} is never written, so nothing was changed. Use an http(s) address, or leave it out."
            ),
            Error::UrlNotAllowed { picture, given, hosts, agent } => format!(
                "The {} \"{given}\" leads where it is not allowed to, so nothing was changed. {}",
                if *picture { "picture" } else { "link" },
                allowed_sources(*picture, hosts, *agent, Locale::En)
            ),
            Error::OutOfScope { sections, lines } => format!(
                "The edit reaches out of what may be changed, so nothing was done. {} Edit only there, or say that the task needs more.",
                allowed_part(sections, *lines, Locale::En)
            ),
            Error::Locked { index, title } => format!(
                "Section {index} '{title}' is locked, so nothing was done: it keeps its text and its heading, and no section begins inside it. Edit another section, or put a new one before or after it."
            ),
            Error::WouldDrop { dropped } => format!(
                "The edit would drop {}, so nothing was done. Write it again with these in it; where they are to go, call again with confirmDrop: true.",
                dropped_in_words(dropped, Locale::En)
            ),
            Error::MarkdownNotLoaded { reason: None } => {
                "The content is Markdown, and the parser for it is not loaded. Await loadMarkdown() once, or give HTML; format: \"text\" takes every sign as it is.".into()
            }
            Error::MarkdownNotLoaded { reason: Some(reason) } => {
                format!("The content is Markdown, and the parser for it could not be loaded: {reason}. Write HTML instead.")
            }
            Error::MarkdownTooLarge { length, limit } => {
                let limit = match limit {
                    MarkdownLimit::Time(ms) => format!("would take more than {} s to read", seconds(*ms as u64)),
                    MarkdownLimit::Html(limit) => format!("would become more than {limit} characters of HTML"),
                };
                format!("The {length} bytes of Markdown {limit}. Write HTML instead, or split the content.")
            }
            Error::MarkdownFailed { reason } => {
                format!("The parser of Markdown failed at the content: {}. Write HTML instead.", excerpt(reason))
            }
            Error::NotInSchema { what } => {
                format!("The editor's schema has no place for {what}, so nothing was changed. Use other content.")
            }
            Error::EditorRefused { reason } => {
                format!(
                    "The editor did not take the change ({reason}); the document is as it was. Read it again and retry."
                )
            }
            Error::EditorDestroyed => {
                "The editor has been closed, and its document with it: nothing can be read or written any more.".into()
            }
            Error::UnknownTool { name, valid } => {
                format!("There is no tool \"{name}\". The tools are {}.", valid.join(", "))
            }
            Error::PageGone { given, valid } => format!(
                "\"{given}\" is not kept: only the newest long results are. {}Call the tool again whose result it was.",
                if valid.is_empty() { String::new() } else { format!("Kept are {}. ", valid.join(", ")) }
            ),
            Error::InvalidArguments { reason } => {
                format!(
                    "The arguments are not a JSON object: {reason}. The call did not run; send it again with valid JSON."
                )
            }
            Error::ArgumentsCutOff => {
                "The arguments were cut off, so the call did not run. Send it again, in smaller pieces if it was long."
                    .into()
            }
            Error::MissingKey { service, setting } => {
                format!(
                    "{service} is configured but has no key. Set {setting}, or remove {service} to use the free default."
                )
            }
            Error::Service { service, status, message } => format!(
                "{service} answered with status {status}{}. {}",
                quoted(message),
                if matches!(status, 401 | 403) { "Check its key." } else { "Try again later or go on without it." }
            ),
            Error::ServiceAnswer { service, reason } => {
                format!(
                    "{service} gave an answer that cannot be read: {reason}. Check its baseUrl, or go on without it."
                )
            }
            Error::Offline => "You are offline. Reconnect and try again.".into(),
            Error::Blocked { origin } => format!(
                "{origin} is there, but this browser may not read its answer (CORS). {}",
                cors_help(origin, Locale::En)
            ),
            Error::Unreachable { origin } => {
                format!("{origin} cannot be reached. Check the address, and that the server is running.")
            }
            Error::Redirected { origin, target } => {
                let target = target.as_deref().unwrap_or("an address that the browser does not show");
                format!(
                    "{origin} redirects to {target}. Neither the key nor the document was sent there. If the server has moved, set its new address as the base URL."
                )
            }
            Error::FetchFailed { reason } => {
                format!("The request failed: {reason}. Check the fetch function of this app.")
            }
            Error::Timeout { what, ms } => {
                format!("No answer from {what} within {} s. Try again; what was already written is kept.", seconds(*ms))
            }
            Error::Aborted => "Stopped. What was already written is kept.".into(),
            Error::Unauthorized { status, message } => {
                format!(
                    "The provider refused the key (status {status}{}). Check the API key in the settings.",
                    quoted(message)
                )
            }
            Error::ModelNotFound { model, message } => format!(
                "The provider has no model {}for this key{}. Check the model's name in the settings.",
                if model.is_empty() { String::new() } else { format!("\"{model}\" ") },
                quoted(message)
            ),
            Error::NotFound { url, message } => format!(
                "Nothing answers at {url}{}. Check the base URL (it mostly ends in /v1) and the model's name.",
                quoted(message)
            ),
            Error::RateLimited { message } => {
                format!("The provider limits how often it is asked{}. Wait a little, then try again.", quoted(message))
            }
            Error::QuotaExceeded { message } => format!(
                "The balance or quota at the provider is used up{}. Top it up there, or use another key.",
                quoted(message)
            ),
            Error::Overloaded { message } => format!(
                "The provider has too much to do at the moment{}. Try again soon, or use another model.",
                quoted(message)
            ),
            Error::ContextOverflow { message } => format!(
                "The conversation is longer than this model takes{}. Begin a new one, or use a model with a larger window.",
                quoted(message)
            ),
            Error::BadRequest { status, message } => {
                format!(
                    "The provider refused the request (status {status}{}). Check the model's name and settings.",
                    quoted(message)
                )
            }
            Error::ServerError { status, message } => {
                format!("The provider failed (status {status}{}). Try again in a moment.", quoted(message))
            }
            Error::NotAStream { content_type, .. } => format!(
                "The address answered with {} instead of a stream. Check the base URL (it mostly ends in /v1).",
                if content_type.is_empty() { "something else" } else { content_type }
            ),
            Error::StreamCut => {
                "The answer broke off before it was done. What was already written is kept; try again.".into()
            }
            Error::MalformedStream { reason } => {
                format!("The provider's stream cannot be read: {reason}. Try again, or use another endpoint.")
            }
            Error::Provider { message } => {
                format!("The provider reported an error{}. Try again, or use another model.", quoted(message))
            }
            Error::ContentFilter => "The provider withheld the answer (content filter). Ask in other words.".into(),
            Error::Config { name, expected } => {
                format!("The setting {name} is missing or wrong: it must be {expected}.")
            }
            Error::Busy => "The agent is still working. Wait until it is done, or stop it first.".into(),
            Error::NothingToContinue => {
                "There is nothing to go on with: the conversation ends with an answer. Prompt the agent instead.".into()
            }
            Error::NotWaiting { given, valid } => format!(
                "No call \"{given}\" waits for a yes. {}",
                if valid.is_empty() { "None does.".into() } else { format!("Those that do are {}.", valid.join(", ")) }
            ),
            Error::HookFailed { hook, message } => {
                format!("The app's {hook} failed: {message}. Check that function of this app.")
            }
            Error::ToolFailed { tool, message } => {
                format!("{tool} failed: {message}. Call it again in another way, or go on without it.")
            }
            Error::ToolBlocked { tool, reason } => format!(
                "This app did not let {tool} run{}. Do not call it again in this way; go on without it and say so.",
                quoted(reason)
            ),
            Error::Rejected { tool, reason } => format!(
                "The person did not let {tool} run{}. Do not try it again; ask what they want instead.",
                quoted(reason)
            ),
            Error::NotRun => {
                "This call did not run: the person stopped before. Make it again if it is still needed.".into()
            }
            Error::MaybeRan { tool } => format!(
                "The person stopped while {tool} was running: it may or may not have done its work. Look before you call it again."
            ),
            Error::RepeatedCall { tool, count } => format!(
                "{tool} was called {count} times with the same arguments and gave the same each time. Do something else, or say what is missing."
            ),
            Error::TooManyTurns { limit } => {
                format!("Stopped after {limit} turns. What was written is kept; ask again to go on.")
            }
            Error::InvalidRecording { reason } => {
                format!("This recording cannot be played: {reason}. Open a file that copydesk has saved.")
            }
            Error::NotRecording => "This agent records nothing. Make it with `record: true`.".into(),
            Error::ReplayDiffers { request, what, at, recorded, given } => format!(
                "The run went another way than it was recorded, at request {request} ({what}, from byte {at} on): then \"{recorded}\", now \"{given}\". Play it with the version of copydesk that recorded it."
            ),
            Error::Internal { reason } => {
                format!("copydesk failed: {reason}. The document is kept; please report this.")
            }
        }
    }
}

fn quoted(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}
