//! Redacts keys in recordings: the known ones, and values of fields that hold keys.

use super::RecordedChunk;
use copydesk_base::error::excerpt;
use copydesk_base::secrets::{REDACTED, Redactor, Secrets, is_harmless, names_key, redacted_url};
use copydesk_llm::is_header;
use serde_json::{Map, Value};

/// Replaces a key in the settings. A replay sends it, so a header must be able to carry it.
pub const LEFT_OUT: &str = "key-left-out";
/// Replaces a key that no header can carry, so that it is refused again. Also used as the name of a header.
pub const REFUSED: &str = "key left out";

/// Returns the replacement of a key in the settings; empty for an empty key.
pub fn left_out(key: &str) -> &'static str {
    let key = key.trim();
    match key.bytes().all(|byte| byte.is_ascii_graphic()) {
        true if key.is_empty() => "",
        true => LEFT_OUT,
        false => REFUSED,
    }
}

/// Adds the keys in settings, by the names of their fields.
pub fn add_settings(secrets: &Secrets, settings: &Value) {
    match settings {
        Value::Array(items) => items.iter().for_each(|item| add_settings(secrets, item)),
        Value::Object(members) => members.iter().for_each(|(name, value)| match value {
            Value::String(key) if names_key(name) => secrets.add(key),
            Value::String(url) if url.contains("://") => secrets.add_url(url),
            // Any header of the app may be secret.
            Value::Object(headers) if name.eq_ignore_ascii_case("headers") => {
                let headers = headers.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
                headers.for_each(|(name, value)| secrets.add_header(name, value));
            }
            value => add_settings(secrets, value),
        }),
        _ => {}
    }
}

/// Replaces the keys in settings, also those too short to be looked for elsewhere.
pub fn redact_settings(secrets: &Secrets, settings: &mut Value) {
    match settings {
        Value::Array(items) => items.iter_mut().for_each(|item| redact_settings(secrets, item)),
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                let are_headers = name.eq_ignore_ascii_case("headers");
                match value {
                    Value::String(key) if names_key(name) => *key = left_out(key).to_owned(),
                    Value::String(url) if url.contains("://") => *url = redact_url(secrets, url),
                    Value::Object(headers) if are_headers => redact_headers(headers),
                    value => redact_settings(secrets, value),
                }
            }
        }
        value => secrets.redact_value(value),
    }
}

fn redact_headers(headers: &mut Map<String, Value>) {
    let refused = headers
        .iter()
        .any(|(name, value)| !is_harmless(name) && value.as_str().is_some_and(|value| !is_header(name, value)));
    headers.retain(|name, _| is_harmless(name));
    if refused {
        headers.insert(REFUSED.to_owned(), "".into());
    }
}

/// Returns a URL without keys: known ones, values of parameters that hold keys, user and password.
pub fn redact_url(secrets: &Secrets, url: &str) -> String {
    secrets.redact(&redacted_url(url))
}

/// Bytes of a body that are replaced: start, end, replacement.
type ReplacedBytes = (usize, usize, Vec<u8>);

/// Replaces the keys in a body that came in chunks, also where a key is split between chunks or between the events of a
/// stream.
///
/// The replacement is the text that the listeners of the run received, event by event, so that a replay, which does not
/// know the keys, reports the same events.
pub fn redact_chunks(secrets: &Secrets, chunks: &mut [RecordedChunk]) {
    if secrets.is_empty() {
        return;
    }
    let replaced = in_events(secrets, &whole(chunks));
    replace(chunks, &replaced);
    let bytes = whole(chunks);
    let places = secrets.places(&bytes).into_iter();
    let replaced: Vec<ReplacedBytes> = places.map(|(from, to)| (from, to, REDACTED.into())).collect();
    replace(chunks, &replaced);
}

fn whole(chunks: &[RecordedChunk]) -> Vec<u8> {
    chunks.iter().flat_map(|chunk| &chunk.bytes).copied().collect()
}

/// Returns replacements of the events whose texts hold keys. A text continues the one at the same place of the event
/// before.
fn in_events(secrets: &Secrets, body: &[u8]) -> Vec<ReplacedBytes> {
    let mut texts = EventTexts { joined: Vec::new(), secrets: secrets.clone() };
    let mut events: Vec<(usize, usize, Value, bool)> = Vec::new();
    let mut from = 0;
    for line in body.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        let at = from;
        from += line.len();
        let Some(data) = line.strip_prefix(b"data:") else { continue };
        let Ok(mut value) = serde_json::from_slice::<Value>(data) else { continue };
        let has_changed = texts.redact(&mut value, &mut EventPosition::default(), events.len());
        let length = line.trim_ascii_end().len();
        events.push((at, at + length, value, has_changed));
    }
    for Joined { mut redactor, last: (event, pointer), .. } in texts.joined {
        // The rest was no key.
        let rest = redactor.finish();
        if let Some((.., value, true)) = events.get_mut(event)
            && let Some(Value::String(text)) = value.pointer_mut(&pointer)
        {
            text.push_str(&rest);
        }
    }
    let replaced = events.into_iter().filter(|(.., has_changed)| *has_changed);
    replaced.map(|(from, to, value, _)| (from, to, format!("data: {value}").into_bytes())).collect()
}

/// The position of a text in an event.
#[derive(Default)]
struct EventPosition {
    /// A JSON pointer.
    pointer: String,
    /// The kinds of the objects around it: events of different kinds have texts under one name.
    kinds: String,
}

/// A text that is spread over events.
struct Joined {
    place: String,
    redactor: Redactor,
    /// The last event that has some of it, and the pointer to it.
    last: (usize, String),
}

struct EventTexts {
    joined: Vec<Joined>,
    secrets: Secrets,
}

impl EventTexts {
    /// Redacts the texts of an event, each as the continuation of the text at its place. Returns true if one was
    /// changed.
    fn redact(&mut self, value: &mut Value, place: &mut EventPosition, event: usize) -> bool {
        match value {
            Value::Array(items) => {
                let inside = |(at, item): (usize, &mut Value)| self.redact_in(&at.to_string(), item, place, event);
                items.iter_mut().enumerate().map(inside).fold(false, |any, changed| any | changed)
            }
            Value::Object(members) => {
                let length = place.kinds.len();
                for kind in ["type", "thought"].into_iter().filter_map(|name| members.get(name)) {
                    place.kinds.push_str(&excerpt(&kind.to_string()));
                }
                let inside = |(name, value): (&String, &mut Value)| self.redact_in(name, value, place, event);
                let has_changed = members.iter_mut().map(inside).fold(false, |any, changed| any | changed);
                place.kinds.truncate(length);
                has_changed
            }
            Value::String(text) => {
                let key = [&*place.pointer, &*place.kinds].join(" ");
                let at = self.joined.iter().position(|joined| joined.place == key).unwrap_or_else(|| {
                    // Arguments are redacted when they are complete, and texts as they arrive.
                    let is_whole = key.contains("arguments") || key.contains("partial_json");
                    let redactor = if is_whole { Redactor::strict } else { Redactor::new }(&self.secrets);
                    self.joined.push(Joined { place: key, redactor, last: Default::default() });
                    self.joined.len() - 1
                });
                self.joined[at].last = (event, place.pointer.clone());
                let redacted = self.joined[at].redactor.push(text);
                let has_changed = redacted != *text;
                *text = redacted;
                has_changed
            }
            _ => false,
        }
    }

    fn redact_in(&mut self, name: &str, value: &mut Value, place: &mut EventPosition, event: usize) -> bool {
        let length = place.pointer.len();
        place.pointer.push('/');
        place.pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        let has_changed = self.redact(value, place, event);
        place.pointer.truncate(length);
        has_changed
    }
}

/// Replaces bytes of a body that arrived in chunks. A replacement is put into the chunk in which the replaced bytes
/// begin.
fn replace(chunks: &mut [RecordedChunk], replaced: &[ReplacedBytes]) {
    if replaced.is_empty() {
        return;
    }
    let mut start = 0;
    for chunk in chunks {
        let end = start + chunk.bytes.len();
        let first = replaced.partition_point(|(_, to, _)| *to <= start);
        let mut left = Vec::new();
        let mut at = start;
        for (from, to, instead) in replaced[first..].iter().take_while(|(from, ..)| *from < end) {
            if *from >= start {
                left.extend_from_slice(&chunk.bytes[at - start..from - start]);
                left.extend_from_slice(instead);
            }
            at = (*to).min(end);
        }
        left.extend_from_slice(&chunk.bytes[at - start..]);
        chunk.bytes = left;
        start = end;
    }
}
