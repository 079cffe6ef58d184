//! Keeps keys out of recordings: those that are known, and what stands where keys stand.

use super::Chunk;
use crate::error::is_key;
use crate::host::{names_key, percent_decoded, percent_encode};
use crate::llm::is_header;
use serde_json::Value;

/// What stands in place of a key: the same as in errors and events, where [`crate::llm`] has blotted it out already.
pub const BLOT: &str = "…";
/// What stands in the settings in place of a key: a replay sends it, and it must be one that a header can carry.
pub const LEFT_OUT: &str = "key-left-out";
/// What stands there in place of one that no header can carry, so that it is refused again. As a name of a header as well.
pub const REFUSED: &str = "key left out";

/// The headers whose values are never secret.
const HARMLESS: [&str; 7] = [
    "content-type",
    "accept",
    "anthropic-version",
    "anthropic-beta",
    "anthropic-dangerous-direct-browser-access",
    "openai-beta",
    "x-stainless-lang",
];

/// What stands in the settings in place of this key: where it says nothing, nothing.
pub fn left_out(key: &str) -> &'static str {
    let key = key.trim();
    match key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true if key.is_empty() => "",
        true => LEFT_OUT,
        false => REFUSED,
    }
}

/// Whether the value of a header may be written down.
pub fn is_harmless(header: &str) -> bool {
    HARMLESS.iter().any(|name| header.eq_ignore_ascii_case(name))
}

/// The keys that are known, in all forms in which they may stand in a text; the longest first.
#[derive(Clone, Default)]
pub struct Keys(Vec<String>);

impl Keys {
    /// Remembers a key.
    pub fn add(&mut self, key: &str) {
        let key = key.trim();
        if !is_key(key) {
            return;
        }
        let escaped = |text: &str| {
            let json = Value::from(text).to_string();
            json[1..json.len() - 1].to_owned()
        };
        // Arguments of calls are JSON inside of JSON.
        let (once, twice) = (escaped(key), escaped(&escaped(key)));
        for form in [key.to_owned(), percent_encode(key), once, twice] {
            if !self.0.contains(&form) {
                let at = self.0.partition_point(|known| known.len() >= form.len());
                self.0.insert(at, form);
            }
        }
    }

    /// Remembers what a header holds that is not known to be harmless: all of it, and what comes after `Bearer`.
    pub fn add_header(&mut self, name: &str, value: &str) {
        if !is_harmless(name) {
            self.add(value);
            value.split_once(' ').into_iter().for_each(|(_, key)| self.add(key));
        }
    }

    /// Remembers the keys in settings, by the names of their fields.
    pub fn add_settings(&mut self, settings: &Value) {
        match settings {
            Value::Array(items) => items.iter().for_each(|item| self.add_settings(item)),
            Value::Object(members) => members.iter().for_each(|(name, value)| match value {
                Value::String(key) if names_key(name) => self.add(key),
                Value::String(url) if url.contains("://") => self.add_url(url),
                // Whatever headers an app sends along may be secret.
                Value::Object(headers) if name.eq_ignore_ascii_case("headers") => {
                    let headers = headers.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
                    headers.for_each(|(name, value)| self.add_header(name, value));
                }
                value => self.add_settings(value),
            }),
            _ => {}
        }
    }

    /// Remembers the keys in an address: parameters with such names, a password.
    pub fn add_url(&mut self, url: &str) {
        let mut found = Vec::new();
        split_url(url, &mut |part, is_secret| {
            if is_secret {
                found.push(part.to_owned());
            }
        });
        for secret in &found {
            // As it stands there, and as it is; of a user and a password both, and each by itself.
            for key in secret.split(':').chain([secret.as_str()]) {
                self.add(key);
                self.add(&percent_decoded(key));
            }
        }
    }

    /// A text without keys.
    pub fn blot(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for key in &self.0 {
            if text.contains(key) {
                text = text.replace(key, BLOT);
            }
        }
        text
    }

    /// Takes the keys out of all texts of a value, names of members too.
    pub fn blot_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.is_in(text) => *text = self.blot(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.blot_value(item)),
            Value::Object(members) => {
                members.values_mut().for_each(|value| self.blot_value(value));
                if members.keys().any(|name| self.is_in(name)) {
                    let renamed = std::mem::take(members).into_iter();
                    *members = renamed.map(|(name, value)| (self.blot(&name), value)).collect();
                }
            }
            _ => {}
        }
    }

    fn is_in(&self, text: &str) -> bool {
        self.0.iter().any(|key| text.contains(key))
    }

    /// Takes the keys out of settings, also those too short to be looked for elsewhere.
    pub fn blot_settings(&self, settings: &mut Value) {
        match settings {
            Value::Array(items) => items.iter_mut().for_each(|item| self.blot_settings(item)),
            Value::Object(members) => {
                for (name, value) in members.iter_mut() {
                    let are_headers = name.eq_ignore_ascii_case("headers");
                    match value {
                        Value::String(key) if names_key(name) => *key = left_out(key).to_owned(),
                        Value::String(url) if url.contains("://") => *url = self.blot_url(url),
                        Value::Object(headers) if are_headers => {
                            let refused = headers.iter().any(|(name, value)| {
                                !is_harmless(name) && value.as_str().is_some_and(|value| !is_header(name, value))
                            });
                            headers.retain(|name, _| is_harmless(name));
                            if refused {
                                headers.insert(REFUSED.to_owned(), "".into());
                            }
                        }
                        value => self.blot_settings(value),
                    }
                }
            }
            value => self.blot_value(value),
        }
    }

    /// An address without keys: the known ones, what stands in a parameter with such a name, user and password.
    pub fn blot_url(&self, url: &str) -> String {
        let mut blotted = String::with_capacity(url.len());
        split_url(url, &mut |part, is_secret| blotted.push_str(if is_secret { BLOT } else { part }));
        self.blot(&blotted)
    }

    /// Takes the keys out of a body that came in pieces, also where a piece ends within one. The blot stands in the piece
    /// where the key began.
    pub fn blot_chunks(&self, chunks: &mut [Chunk]) {
        for key in &self.0 {
            let whole = chunks.iter().flat_map(|chunk| &chunk.bytes).copied().collect::<Vec<u8>>();
            let places = places(&whole, key.as_bytes());
            if places.is_empty() {
                continue;
            }
            let mut start = 0;
            for chunk in chunks.iter_mut() {
                let end = start + chunk.bytes.len();
                chunk.bytes = without(&whole, start, end, &places, key.len());
                start = end;
            }
        }
    }
}

/// What is left of `whole[from..to]` when so many bytes at each of the places are blotted out.
fn without(whole: &[u8], from: usize, to: usize, places: &[usize], length: usize) -> Vec<u8> {
    let mut left = Vec::new();
    let mut at = from;
    for place in places.iter().copied().filter(|place| place + length > from && *place < to) {
        if place >= from {
            left.extend_from_slice(&whole[at..place]);
            left.extend_from_slice(BLOT.as_bytes());
        }
        at = (place + length).min(to);
    }
    left.extend_from_slice(&whole[at..to]);
    left
}

/// Where a key stands, from left to right, without overlaps.
fn places(bytes: &[u8], key: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| Some(byte) == key.first()) {
        at += found;
        if bytes[at..].starts_with(key) {
            places.push(at);
            at += key.len();
        } else {
            at += 1;
        }
    }
    places
}

/// An address in pieces, each with whether it is secret. Together they are the address.
fn split_url(url: &str, piece: &mut dyn FnMut(&str, bool)) {
    let (place, query) = url.find(['?', '#']).map_or((url, ""), |at| url.split_at(at));
    let authority = place.find("://").map_or(0, |at| at + 3);
    let host_end = place[authority..].find('/').map_or(place.len(), |at| authority + at);
    match place[authority..host_end].rfind('@') {
        Some(at) if authority > 0 => {
            piece(&place[..authority], false);
            piece(&place[authority..authority + at], true);
            piece(&place[authority + at..], false);
        }
        _ => piece(place, false),
    }
    let mut rest = query;
    while !rest.is_empty() {
        // The sign before it, the parameter, and on to the next sign.
        let end = rest[1..].find(['?', '&', '#', ';']).map_or(rest.len(), |at| at + 1);
        let (parameter, further) = rest.split_at(end);
        match parameter.find('=') {
            Some(at) if names_key(&parameter[1..at]) && at + 1 < parameter.len() => {
                piece(&parameter[..=at], false);
                piece(&parameter[at + 1..], true);
            }
            _ => piece(parameter, false),
        }
        rest = further;
    }
}
