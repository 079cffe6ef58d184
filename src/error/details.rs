//! The numbers and names in an error, for programs.

use super::{Dropped, Error};
use crate::fields::object;
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
        match self {
            Error::TooDeep { limit } | Error::TooManyTurns { limit } => object(&mut [("limit", (*limit).into())]),
            Error::TooLarge { length, limit } => {
                object(&mut [("length", (*length).into()), ("limit", (*limit).into())])
            }
            Error::MissingParameter { call, name } => object(&mut [("call", text(call)), ("name", text(name))]),
            Error::InvalidParameter { name, given, expected } => {
                object(&mut [("name", text(name)), ("given", text(given)), ("expected", text(expected))])
            }
            Error::UnknownOperation { given, valid } => {
                object(&mut [("given", text(given)), ("valid", list(valid.iter().map(|name| text(name))))])
            }
            Error::SectionOutOfRange { index, valid, operation } => {
                object(&mut [("index", (*index).into()), ("valid", range(*valid)), ("operation", text(operation))])
            }
            Error::Stale { index, now } => object(&mut [("index", (*index).into()), ("sections", now.outline.clone())]),
            Error::UnsafeUrl { name, given, .. } => object(&mut [("name", text(name)), ("given", text(given))]),
            Error::UrlNotAllowed { given, hosts, .. } => {
                object(&mut [("given", text(given)), ("hosts", list(hosts.iter().map(|host| text(host))))])
            }
            Error::StaleLines { first, last, now } => {
                object(&mut [("lines", range(Some((*first, *last)))), ("now", text(now))])
            }
            Error::LineOutOfRange { start, end, total } => {
                let given = list([*start, *end].into_iter().map(Value::from));
                object(&mut [("given", given), ("valid", range(Some((1, *total))))])
            }
            Error::OverlappingEdits { first, second } => {
                object(&mut [("first", range(Some(*first))), ("second", range(Some(*second)))])
            }
            Error::LinesNotShown { first, last } => object(&mut [("lines", range(Some((*first, *last))))]),
            Error::TextNotFound { old, nearest } => object(&mut [("old", text(old)), ("nearest", listed(nearest))]),
            Error::TextAmbiguous { old, count, places } => {
                object(&mut [("old", text(old)), ("count", (*count).into()), ("places", listed(places))])
            }
            Error::UnknownHunk { given, valid }
            | Error::UnknownTurn { given, valid }
            | Error::NotWaiting { given, valid }
            | Error::UnknownVersion { given, valid }
            | Error::PageGone { given, valid } => {
                object(&mut [("given", text(given)), ("valid", list(valid.iter().map(|name| text(name))))])
            }
            Error::OutOfScope { sections, lines } => {
                let sections = list(sections.iter().map(|(index, _)| (*index).into()));
                object(&mut [("sections", sections), ("lines", range(*lines))])
            }
            Error::Locked { index, title } => object(&mut [("index", (*index).into()), ("title", text(title))]),
            Error::WouldDrop { dropped } => object(&mut [("dropped", list(dropped.iter().map(Dropped::to_value)))]),
            Error::UnknownTool { name, valid } => {
                object(&mut [("name", text(name)), ("valid", list(valid.iter().map(|name| text(name))))])
            }
            Error::Service { service, status, .. } => {
                object(&mut [("service", text(service)), ("status", (*status).into())])
            }
            Error::MissingKey { service, setting } => {
                object(&mut [("service", text(service)), ("setting", text(setting))])
            }
            Error::Blocked { origin } | Error::Unreachable { origin } => object(&mut [("origin", text(origin))]),
            Error::Timeout { what, ms } => object(&mut [("what", text(what)), ("ms", (*ms).into())]),
            Error::ModelNotFound { model, .. } => object(&mut [("model", text(model))]),
            Error::Unauthorized { status, .. }
            | Error::BadRequest { status, .. }
            | Error::ServerError { status, .. } => object(&mut [("status", (*status).into())]),
            Error::NotAStream { content_type, excerpt } => {
                object(&mut [("contentType", text(content_type)), ("excerpt", text(excerpt))])
            }
            Error::ReplayDiffers { request, what, at, recorded, given } => object(&mut [
                ("request", (*request).into()),
                ("what", text(what)),
                ("at", (*at).into()),
                ("recorded", text(recorded)),
                ("given", text(given)),
            ]),
            _ => object(&mut []),
        }
    }
}

/// Lines with their numbers.
fn listed(lines: &[(usize, String)]) -> Value {
    list(lines.iter().map(|(line, said)| object(&mut [("line", (*line).into()), ("text", text(said))])))
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
