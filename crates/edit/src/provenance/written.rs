//! Text that a model wrote, so that a URL of its own does not become known by coming back from a tool.
//!
//! Texts are compared by their letters and digits, in lower case, after percent-encoding, character references and
//! escapes of JSON are undone as often as they are nested. A URL that a tool returns counts as the model's own where
//!
//! - it is in what the model wrote before, as a URL or as any part of a text, however it is encoded;
//! - a URL that the model made up is within it (a proxy that is told the URL), or the two share a path with query of
//!   at least [`SHORTEST`] letters (a tool that puts another host before it);
//! - the model named the host in the arguments of that very call, and the path, query or subdomain has a part from
//!   them.
//!
//! A value that a tool computes from arguments, such as a hash or base64, cannot be recognized; a tool that does so and
//! lets the model name the host must not declare the field. By declaring a field, the app states that a host of the
//! tool's own with a path that the model chose (an id, a search term) is safe.

use super::Provenance;
use crate::guard::url::{self, Address, Kind, Role};
use copydesk_base::host::percent_decoded;
use copydesk_document::html::unescape;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

/// The least number of letters of a path and query that two URLs share if one was made from the other.
const SHORTEST: usize = 12;
/// The least number of letters of a part that came from an argument.
const SHORTEST_PART: usize = 3;
/// Number of encodings in one another that are decoded.
const ENCODINGS: usize = 6;
/// Number of levels of arguments that are read value by value.
const DEEPEST: usize = 64;

/// The text that a model wrote in one answer, or in the arguments of one call.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The letters of all texts, each in a line.
    letters: String,
    /// The URLs that were not known.
    urls: FxHashSet<String>,
    /// Their letters: path and query, and all with the host.
    parts: Vec<(String, String)>,
    /// The words that may be hosts.
    hosts: FxHashSet<String>,
}

impl Written {
    /// Takes in a text.
    pub fn text(&mut self, text: &str, known: &Provenance) {
        let text = decoded(text);
        self.letters.push('\n');
        self.letters.push_str(&letters(&text));
        for (_, url) in url::in_text(&text) {
            let read = Address::parse(url);
            self.hosts.extend(read.host().map(str::to_owned));
            if !known.knows_address(&read, Role::Link) && self.urls.insert(read.normal().to_owned()) {
                self.parts.push((letters(&decoded(read.payload())), whole(&read)));
            }
        }
        let ends = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '_'));
        for word in text.split(ends).map(|word| word.trim_matches('.')).filter(|word| word.contains('.')) {
            let host = Address::parse(&["https://", word].concat());
            self.hosts.extend(host.host().map(str::to_owned));
        }
    }

    /// Takes in the arguments of a call.
    pub fn arguments(&mut self, arguments: &Map<String, Value>, known: &Provenance) {
        for (name, value) in arguments {
            self.text(name, known);
            self.value(value, DEEPEST, known);
        }
    }

    fn value(&mut self, value: &Value, depth: usize, known: &Provenance) {
        match value {
            // Deeper values are read as JSON text.
            Value::Array(_) | Value::Object(_) if depth == 0 => self.text(&value.to_string(), known),
            Value::String(text) => self.text(text, known),
            Value::Array(items) => items.iter().for_each(|item| self.value(item, depth - 1, known)),
            Value::Object(fields) => fields.iter().for_each(|(name, field)| {
                self.text(name, known);
                self.value(field, depth - 1, known);
            }),
            Value::Number(number) => self.text(&number.to_string(), known),
            _ => {}
        }
    }

    /// Returns whether a URL is in what was written, or made from a URL in it.
    pub fn has(&self, url: &Address) -> bool {
        let payload = letters(&decoded(url.payload()));
        let whole = whole(url);
        let shares = |(own, own_whole): &(String, String)| {
            let is_in = |part: &str, long: &str| part.len() >= SHORTEST && long.contains(part);
            is_in(own, &payload)
                || is_in(&payload, own)
                || !own_whole.is_empty() && payload.contains(own_whole.as_str())
        };
        self.urls.contains(url.normal())
            || !whole.is_empty() && self.letters.contains(&whole)
            || self.parts.iter().any(shares)
    }

    /// Returns whether a URL that a call returned was put together from its arguments.
    pub fn composes(&self, url: &Address) -> bool {
        let Some(host) = url.host() else {
            return url.kind() == Kind::Relative && self.has(url);
        };
        let labels = host.match_indices('.').map(|(at, _)| at + 1);
        let named = std::iter::once(0).chain(labels).find(|at| self.hosts.contains(&host[*at..]));
        let Some(named) = named else { return false };
        let text = [&host[..named], " ", url.payload()].concat();
        let text = decoded(&text);
        let all = letters(&text);
        let is_part = |part: &str| part.chars().count() >= SHORTEST_PART;
        let parts = text.split(|c: char| "/?&=#;,. ".contains(c)).map(letters);
        parts.filter(|part| is_part(part)).any(|part| self.letters.contains(&part))
            || self.letters.lines().any(|line| is_part(line) && all.contains(line))
    }
}

/// The letters of a URL from its host on.
fn whole(url: &Address) -> String {
    letters(&decoded(&[url.host().unwrap_or_default(), url.payload()].concat()))
}

/// A text with its encodings undone.
fn decoded(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..ENCODINGS {
        let mut next = text.clone();
        if next.contains('%') {
            next = percent_decoded(&next);
        }
        if next.contains('&') {
            next = unescape(&next).into_owned();
        }
        if next.contains('\\') {
            next = without_escapes(&next);
        }
        if next == text {
            break;
        }
        text = next;
    }
    text
}

/// Returns a text with the escapes of JSON strings decoded; invalid ones stay.
fn without_escapes(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("\\u") {
        let code = rest.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        out.push_str(&rest[..at]);
        match code.and_then(char::from_u32) {
            Some(letter) => {
                out.push(letter);
                rest = &rest[at + 6..];
            }
            None => {
                out.push('u');
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    out.replace("\\/", "/")
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
