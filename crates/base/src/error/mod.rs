//! Everything that can go wrong, in one enum.
//!
//! Each variant has a stable [`code`](Error::code) for programs and a [`message`](Error::message) in the
//! reader's language that says what was wrong, what is valid, and the way out. A tool hands the message to
//! the model; an `error` event hands it to the person. No message ever contains a key.

mod chinese;
mod codes;
mod details;
mod english;
mod words;

pub use details::Now;
pub use words::{Dropped, dropped_in_words};

use crate::locale::Locale;
use std::fmt;

/// A failure of copydesk. The document is as it was before the call that returned it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    // The document.
    /// HTML or JSON nests deeper than is accepted.
    TooDeep {
        /// The greatest accepted depth, in nodes.
        limit: usize,
    },
    /// An input is longer than is accepted.
    TooLarge {
        /// The length given, in bytes.
        length: usize,
        /// The greatest accepted length, in bytes.
        limit: usize,
    },
    /// A tag in HTML that has more attributes than are accepted.
    TooManyAttributes {
        /// The most attributes a tag may have.
        limit: usize,
    },
    /// HTML was to be parsed, or a run to be recorded, by the page build, which has no parser and no recorder.
    FullBuildNeeded,
    /// JSON that is not a document of the schema.
    InvalidDocument {
        /// What is wrong, and where.
        reason: String,
    },
    /// A node or mark type that the schema does not have.
    UnknownType {
        /// The name that was asked for.
        name: String,
    },
    /// Schema data that cannot be read.
    InvalidSchema {
        /// What is wrong, and where.
        reason: String,
    },

    // An edit.
    /// A parameter that the call needs is missing.
    MissingParameter {
        /// What was called: a tool or an operation.
        call: String,
        /// The parameter.
        name: String,
    },
    /// A parameter outside its range or of the wrong type.
    InvalidParameter {
        /// The parameter.
        name: String,
        /// What was given, as JSON, cut to a readable length.
        given: String,
        /// What is accepted.
        expected: String,
    },
    /// An operation that does not exist.
    UnknownOperation {
        /// What was given.
        given: String,
        /// The operations there are.
        valid: &'static [&'static str],
    },
    /// A section index that the document does not have, or that the operation does not take.
    SectionOutOfRange {
        /// The parameter that states it.
        parameter: &'static str,
        /// The index given.
        index: i64,
        /// The first and last index that would have been accepted; none where no index is.
        valid: Option<(usize, usize)>,
        /// The operation.
        operation: &'static str,
    },
    /// The person changed what the edit is about since the model read it.
    Stale {
        /// The section that was meant, as the model counts.
        index: usize,
        /// What there is now.
        now: Box<Now>,
    },
    /// A section whose content the model was never shown.
    SectionNotShown {
        /// The section that was meant, as the model counts.
        index: usize,
        /// What there is now.
        now: Box<Now>,
    },
    /// Lines that the person changed since the model read them.
    StaleLines {
        /// The first line that was meant, as the model counts.
        first: usize,
        /// The last one.
        last: usize,
        /// What stands there now, numbered.
        now: String,
    },
    /// Lines that the document does not have.
    LineOutOfRange {
        /// The first line given.
        start: i64,
        /// The last line given.
        end: i64,
        /// How many lines there are.
        total: usize,
    },
    /// Two edits of one call that change the same lines.
    OverlappingEdits {
        /// The lines of the one.
        first: (usize, usize),
        /// The lines of the other.
        second: (usize, usize),
    },
    /// Lines that the model was never shown.
    LinesNotShown {
        /// The first of them.
        first: usize,
        /// The last.
        last: usize,
    },
    /// A version that is not remembered.
    UnknownVersion {
        /// What was given.
        given: String,
        /// The versions that are.
        valid: Vec<String>,
    },
    /// A text that stands nowhere in the document.
    TextNotFound {
        /// The text.
        old: String,
        /// The lines most like it.
        nearest: Vec<(usize, String)>,
    },
    /// A text that stands in several places.
    TextAmbiguous {
        /// The text.
        old: String,
        /// In how many.
        count: usize,
        /// The places: the line, and what stands around it.
        places: Vec<(usize, String)>,
    },
    /// No pending hunk has this id.
    UnknownHunk {
        /// The id.
        given: String,
        /// The ids there are.
        valid: Vec<String>,
    },
    /// No turn that can be taken back has this id.
    UnknownTurn {
        /// The id.
        given: String,
        /// The ids there are.
        valid: Vec<String>,
    },
    /// An address that is not http(s).
    InvalidUrl {
        /// The parameter that held it.
        name: &'static str,
        /// What was given, cut to a readable length.
        given: String,
    },
    /// An address of a kind that is never written, such as `javascript:`.
    UnsafeUrl {
        /// The attribute that held it.
        name: String,
        /// What was given, cut to a readable length.
        given: String,
        /// What is wrong with it.
        fault: String,
    },
    /// An address that leads where the app does not allow, or that a model made up.
    UrlNotAllowed {
        /// Whether the page would ask for it by itself, as for a picture; else it is a link.
        picture: bool,
        /// What was given, cut to a readable length.
        given: String,
        /// The hosts that are allowed.
        hosts: Vec<String>,
        /// Whether a model wrote it.
        agent: bool,
    },
    /// The edit reaches out of what may be changed.
    OutOfScope {
        /// The sections that may be changed: index and title.
        sections: Vec<(usize, String)>,
        /// The first and the last line that may be changed, where the scope is no sections.
        lines: Option<(usize, usize)>,
    },
    /// The edit would change a section that the app has locked.
    Locked {
        /// The section, in the document before the edit.
        index: usize,
        /// Its title.
        title: String,
    },
    /// The edit would drop something that its author may not have meant to.
    WouldDrop {
        /// What it would drop.
        dropped: Vec<Dropped>,
    },
    /// The content is Markdown, and the parser for it is not there.
    MarkdownNotLoaded {
        /// Why it could not be loaded, where that was tried.
        reason: Option<String>,
    },
    /// The content is Markdown that would take too long to read, or become too much.
    MarkdownTooLarge {
        /// The length given, in bytes.
        length: usize,
        /// What is accepted.
        limit: MarkdownLimit,
    },
    /// The parser of Markdown failed at the content.
    MarkdownFailed {
        /// What it said.
        reason: String,
    },
    /// The editor's schema has no place for what the edit brings.
    NotInSchema {
        /// What found no place, as HTML tag or node name.
        what: String,
    },
    /// The editor did not take the change.
    EditorRefused {
        /// Why, in the editor's own words.
        reason: String,
    },
    /// The editor that held the document has been destroyed.
    EditorDestroyed,

    // A tool call.
    /// The model called a tool that does not exist.
    UnknownTool {
        /// The name it used.
        name: String,
        /// The tools there are.
        valid: Vec<String>,
    },
    /// The rest of a long result is not kept any more, or never was.
    PageGone {
        /// The page that was asked for.
        given: String,
        /// The pages that are kept.
        valid: Vec<String>,
    },
    /// The arguments of a call are not a JSON object.
    InvalidArguments {
        /// What is wrong.
        reason: String,
    },
    /// The arguments of a call were cut off before they were whole, so the call did not run.
    ArgumentsCutOff,
    /// A tool of the app threw.
    ToolFailed {
        /// The tool.
        tool: String,
        /// What it said.
        message: String,
    },
    /// The app did not let a call run.
    ToolBlocked {
        /// The tool.
        tool: String,
        /// The app's own words; may be empty.
        reason: String,
    },
    /// The person did not let a call run.
    Rejected {
        /// The tool.
        tool: String,
        /// The person's own words; may be empty.
        reason: String,
    },
    /// The run was stopped before a call began.
    NotRun,
    /// The run was stopped while a call was under way: it may have done its work.
    MaybeRan {
        /// The tool.
        tool: String,
    },
    /// The same call gave the same result again and again.
    RepeatedCall {
        /// The tool.
        tool: String,
        /// How often it was called.
        count: usize,
    },
    /// A configured service has no key.
    MissingKey {
        /// The service, by its own name.
        service: &'static str,
        /// The setting that holds its key.
        setting: &'static str,
    },
    /// A service answered with an error.
    Service {
        /// The service, by its own name.
        service: &'static str,
        /// The HTTP status.
        status: u16,
        /// The service's own words, cut to a readable length.
        message: String,
    },
    /// A service's answer could not be understood.
    ServiceAnswer {
        /// The service, by its own name.
        service: &'static str,
        /// What is wrong.
        reason: String,
    },

    // The network.
    /// The browser says that it is offline.
    Offline,
    /// The server is there, but the browser may not read its answer (CORS).
    Blocked {
        /// The origin that was asked.
        origin: String,
    },
    /// No answer at all from the server.
    Unreachable {
        /// The origin that was asked.
        origin: String,
    },
    /// A server redirects a request that carries a key or the document to another origin, where it was not sent.
    Redirected {
        /// The origin that was asked.
        origin: String,
        /// The origin that it leads to; none where the browser does not tell.
        target: Option<String>,
    },
    /// The app's own way to the network failed, or gave something that is no answer.
    FetchFailed {
        /// What it said.
        reason: String,
    },
    /// No answer within the time allowed.
    Timeout {
        /// What was waited for.
        what: String,
        /// The time allowed, in milliseconds.
        ms: u64,
    },
    /// Stopped by the person.
    Aborted,

    // The model's answer.
    /// The key was refused (401, 403).
    Unauthorized {
        /// The HTTP status.
        status: u16,
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// There is no such model, or not for this key.
    ModelNotFound {
        /// Who was asked; empty where only the stream said so.
        model: String,
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// No such endpoint (404).
    NotFound {
        /// The address that was asked.
        url: String,
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// Too many requests (429).
    RateLimited {
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The balance or the quota is used up (402, and some 429 and 400).
    QuotaExceeded {
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The provider has too much to do (503, 529).
    Overloaded {
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The conversation is longer than the model takes (413, most 400).
    ContextOverflow {
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The provider refused the request (other 4xx).
    BadRequest {
        /// The HTTP status.
        status: u16,
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The provider failed (5xx).
    ServerError {
        /// The HTTP status.
        status: u16,
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The answer is not an event stream: a web page, most often.
    NotAStream {
        /// The content type of the answer.
        content_type: String,
        /// Its beginning.
        excerpt: String,
    },
    /// The stream ended before the model was done.
    StreamCut,
    /// The stream holds something that is not of the format.
    MalformedStream {
        /// What is wrong.
        reason: String,
    },
    /// The provider reported an error inside the stream.
    Provider {
        /// The provider's own words, cut to a readable length.
        message: String,
    },
    /// The provider withheld the answer.
    ContentFilter,

    // The run.
    /// A setting is missing or wrong.
    Config {
        /// The setting.
        name: String,
        /// What is accepted.
        expected: String,
    },
    /// A prompt came while another run was under way.
    Busy,
    /// There is nothing in the conversation that a model could answer.
    NothingToContinue,
    /// No call with this id waits for a yes.
    NotWaiting {
        /// The id.
        given: String,
        /// The calls that wait.
        valid: Vec<String>,
    },
    /// A hook of the app threw, or gave what it must not give.
    HookFailed {
        /// The hook.
        hook: &'static str,
        /// What it said.
        message: String,
    },
    /// The run reached its limit of turns.
    TooManyTurns {
        /// The limit.
        limit: usize,
    },
    /// A file that is no recording, or one that cannot be read.
    InvalidRecording {
        /// What is wrong, and where.
        reason: String,
    },
    /// The agent does not record its runs.
    NotRecording,
    /// A run that is played from a recording went another way than it did then.
    ReplayDiffers {
        /// At which request, counted from 1.
        request: usize,
        /// In what: `method`, `url`, `body`; `count` where nothing more was asked then, `answer` where this tool or hook was
        /// not, `end` where more came then.
        what: &'static str,
        /// From which byte on.
        at: usize,
        /// What was there, cut to a readable length.
        recorded: String,
        /// What is there now, cut to a readable length.
        given: String,
    },
    /// A fault of copydesk itself.
    Internal {
        /// What happened.
        reason: String,
    },
}

/// How much Markdown is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownLimit {
    /// As much as is read in so many milliseconds.
    Time(usize),
    /// As much as becomes so many characters of HTML.
    Html(usize),
}

impl Error {
    /// What went wrong, what is valid, and the way out, in the reader's language.
    pub fn message(&self, locale: Locale) -> String {
        let error = self.shortened();
        match locale {
            Locale::En => error.english(),
            Locale::ZhCn => error.chinese(),
        }
    }

    /// The error with what others wrote cut to a length that can be shown.
    fn shortened(&self) -> Error {
        let mut error = self.clone();
        match &mut error {
            Error::UnknownOperation { given: text, .. }
            | Error::UnknownVersion { given: text, .. }
            | Error::UnknownHunk { given: text, .. }
            | Error::UnknownTurn { given: text, .. }
            | Error::NotWaiting { given: text, .. }
            | Error::PageGone { given: text, .. }
            | Error::UnknownType { name: text }
            | Error::UnknownTool { name: text, .. }
            | Error::TextNotFound { old: text, .. }
            | Error::TextAmbiguous { old: text, .. }
            | Error::InvalidDocument { reason: text }
            | Error::InvalidSchema { reason: text }
            | Error::InvalidArguments { reason: text } => *text = ends_of(text),
            _ => {}
        }
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Locale::En))
    }
}

impl std::error::Error for Error {}

/// Whether an origin is on this machine.
pub fn is_local(origin: &str) -> bool {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| host.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
}

/// The beginning and the end of a text that is too long to be shown: in an error the one says where, the other what.
fn ends_of(text: &str) -> String {
    const SHOWN: usize = 300;
    let first = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    let last = text.char_indices().rev().nth(SHOWN).map(|(at, _)| at);
    match first.zip(last).filter(|(first, last)| first < last) {
        Some((first, last)) => format!("{}…{}", &text[..first], &text[last..]),
        None => text.to_owned(),
    }
}

/// Cuts outside text to a length that can be shown, at a character boundary.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 200;
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
