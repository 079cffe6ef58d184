//! The numbers and names in an error, for programs.

use super::{Dropped, Error, MarkdownLimit};
use crate::fields::form;
use serde_json::Value;

/// What an edit that came too late would have met.
#[derive(Clone, Debug, PartialEq)]
pub struct Now {
    /// The section that was meant: index, title and content; none where it is gone.
    pub section: Option<(usize, String, String)>,
    /// The outline.
    pub outline: Value,
}

impl Error {
    /// The numbers and names in the error, for programs.
    pub fn details(&self) -> Value {
        self.shortened().all_details()
    }

    fn all_details(&self) -> Value {
        match self {
            Error::TooDeep { limit } | Error::TooManyAttributes { limit } | Error::TooManyTurns { limit } => {
                form("limit", [(*limit).into()])
            }
            Error::TooLarge { length, limit } => form("length limit", [(*length).into(), (*limit).into()]),
            Error::MarkdownTooLarge { length, limit: MarkdownLimit::Time(ms) } => {
                form("length ms", [(*length).into(), (*ms).into()])
            }
            Error::MarkdownTooLarge { length, limit: MarkdownLimit::Html(limit) } => {
                form("length limit", [(*length).into(), (*limit).into()])
            }
            Error::MarkdownFailed { reason } => form("reason", [text(reason)]),
            Error::MissingParameter { call, name } => form("call name", [text(call), text(name)]),
            Error::InvalidParameter { name, given, expected } => {
                form("name given expected", [text(name), text(given), text(expected)])
            }
            Error::UnknownOperation { given, valid } => {
                form("given valid", [text(given), list(valid.iter().map(|name| text(name)))])
            }
            Error::SectionOutOfRange { index, valid, operation, .. } => {
                form("index valid operation", [(*index).into(), range(*valid), text(operation)])
            }
            Error::Stale { index, now } => form("index sections", [(*index).into(), now.outline.clone()]),
            Error::SectionNotShown { index, now } => {
                let (at, title, content) = now.section.clone().unwrap_or((*index, String::new(), String::new()));
                let sections = now.outline.clone();
                form("index title content sections", [at.into(), title.into(), content.into(), sections])
            }
            Error::UnsafeUrl { name, given, .. } => form("name given", [text(name), text(given)]),
            Error::UrlNotAllowed { given, hosts, .. } => {
                form("given hosts", [text(given), list(hosts.iter().map(|host| text(host)))])
            }
            Error::StaleLines { first, last, now } => form("lines now", [range(Some((*first, *last))), text(now)]),
            Error::LineOutOfRange { start, end, total } => {
                let given = list([*start, *end].into_iter().map(Value::from));
                form("given valid", [given, range(Some((1, *total)))])
            }
            Error::OverlappingEdits { first, second } => {
                form("first second", [range(Some(*first)), range(Some(*second))])
            }
            Error::LinesNotShown { first, last } => form("lines", [range(Some((*first, *last)))]),
            Error::TextNotFound { old, nearest } => form("old nearest", [text(old), listed(nearest)]),
            Error::TextAmbiguous { old, count, places } => {
                form("old count places", [text(old), (*count).into(), listed(places)])
            }
            Error::UnknownHunk { given, valid }
            | Error::UnknownTurn { given, valid }
            | Error::NotWaiting { given, valid }
            | Error::UnknownVersion { given, valid }
            | Error::PageGone { given, valid } => {
                form("given valid", [text(given), list(valid.iter().map(|name| text(name)))])
            }
            Error::OutOfScope { sections, lines } => {
                let sections = list(sections.iter().map(|(index, _)| (*index).into()));
                form("sections lines", [sections, range(*lines)])
            }
            Error::Locked { index, title } => form("index title", [(*index).into(), text(title)]),
            Error::WouldDrop { dropped } => form("dropped", [list(dropped.iter().map(Dropped::to_value))]),
            Error::UnknownTool { name, valid } => {
                form("name valid", [text(name), list(valid.iter().map(|name| text(name)))])
            }
            Error::Service { service, status, .. } => form("service status", [text(service), (*status).into()]),
            Error::MissingKey { service, setting } => form("service setting", [text(service), text(setting)]),
            Error::Blocked { origin } | Error::Unreachable { origin } => form("origin", [text(origin)]),
            Error::Redirected { origin, target } => form("origin target", [text(origin), target.as_deref().into()]),
            Error::Timeout { what, ms } => form("what ms", [text(what), (*ms).into()]),
            Error::ModelNotFound { model, .. } => form("model", [text(model)]),
            Error::Unauthorized { status, .. }
            | Error::BadRequest { status, .. }
            | Error::ServerError { status, .. } => form("status", [(*status).into()]),
            Error::NotAStream { content_type, excerpt } => {
                form("contentType excerpt", [text(content_type), text(excerpt)])
            }
            Error::ReplayDiffers { request, what, at, recorded, given } => form(
                "request what at recorded given",
                [(*request).into(), text(what), (*at).into(), text(recorded), text(given)],
            ),
            _ => form("", []),
        }
    }
}

/// Lines with their numbers.
fn listed(lines: &[(usize, String)]) -> Value {
    list(lines.iter().map(|(line, said)| form("line text", [(*line).into(), text(said)])))
}

fn text(text: &str) -> Value {
    text.into()
}

fn list(items: impl Iterator<Item = Value>) -> Value {
    Value::Array(items.collect())
}

fn range(ends: Option<(usize, usize)>) -> Value {
    ends.map_or(Value::Null, |(first, last)| Value::Array(vec![first.into(), last.into()]))
}
