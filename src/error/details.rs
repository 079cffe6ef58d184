//! The numbers and names in an error, for programs.

use super::{Dropped, Error};
use serde_json::{Value, json};

impl Error {
    /// The numbers and names in the error, for programs.
    pub fn details(&self) -> Value {
        match self {
            Error::TooDeep { limit } => json!({ "limit": limit }),
            Error::TooLarge { length, limit } => json!({ "length": length, "limit": limit }),
            Error::MissingParameter { call, name } => json!({ "call": call, "name": name }),
            Error::InvalidParameter { name, given, expected } => {
                json!({ "name": name, "given": given, "expected": expected })
            }
            Error::UnknownOperation { given, valid } => json!({ "given": given, "valid": valid }),
            Error::SectionOutOfRange { index, valid, operation } => {
                json!({ "index": index, "valid": valid.map(|(first, last)| [first, last]), "operation": operation })
            }
            Error::Stale { index, now } => json!({ "index": index, "sections": now.outline }),
            Error::StaleLines { first, last, now } => json!({ "lines": [first, last], "now": now }),
            Error::LineOutOfRange { start, end, total } => json!({ "given": [start, end], "valid": [1, total] }),
            Error::OverlappingEdits { first, second } => json!({ "first": first, "second": second }),
            Error::LinesNotShown { first, last } => json!({ "lines": [first, last] }),
            Error::UnknownVersion { given, valid } => json!({ "given": given, "valid": valid }),
            Error::TextNotFound { old, nearest } => json!({ "old": old, "nearest": listed(nearest) }),
            Error::TextAmbiguous { old, count, places } => {
                json!({ "old": old, "count": count, "places": listed(places) })
            }
            Error::UnknownHunk { given, valid } | Error::UnknownTurn { given, valid } => {
                json!({ "given": given, "valid": valid })
            }
            Error::UnsafeUrl { name, given, .. } => json!({ "name": name, "given": given }),
            Error::UrlNotAllowed { given, hosts, .. } => json!({ "given": given, "hosts": hosts }),
            Error::OutOfScope { sections, lines } => {
                let indexes: Vec<_> = sections.iter().map(|(index, _)| index).collect();
                json!({ "sections": indexes, "lines": lines.map(|(first, last)| [first, last]) })
            }
            Error::Locked { index, title } => json!({ "index": index, "title": title }),
            Error::WouldDrop { dropped } => {
                json!({ "dropped": dropped.iter().map(Dropped::to_value).collect::<Vec<_>>() })
            }
            Error::UnknownTool { name, valid } => json!({ "name": name, "valid": valid }),
            Error::Service { service, status, .. } => json!({ "service": service, "status": status }),
            Error::MissingKey { service, setting } => json!({ "service": service, "setting": setting }),
            Error::Blocked { origin } | Error::Unreachable { origin } => json!({ "origin": origin }),
            Error::Timeout { what, ms } => json!({ "what": what, "ms": ms }),
            Error::Unauthorized { status, .. }
            | Error::BadRequest { status, .. }
            | Error::ServerError { status, .. } => {
                json!({ "status": status })
            }
            Error::NotAStream { content_type, excerpt } => json!({ "contentType": content_type, "excerpt": excerpt }),
            Error::TooManyTurns { limit } => json!({ "limit": limit }),
            _ => json!({}),
        }
    }
}

fn listed(lines: &[(usize, String)]) -> Value {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}
