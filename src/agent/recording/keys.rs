//! Keeps keys out of recordings: those that are known, and what stands where keys stand.

use super::Chunk;
use crate::llm::is_header;
use crate::secrets::{REDACTED, Redactor, Secrets, is_harmless, names_key, redacted_url};
use serde_json::{Map, Value};

/// What stands in the settings in place of a key: a replay sends it, and it must be one that a header can carry.
pub const LEFT_OUT: &str = "key-left-out";
/// What stands there in place of one that no header can carry, so that it is refused again. As a name of a header as well.
pub const REFUSED: &str = "key left out";

/// What stands in the settings in place of this key: where it says nothing, nothing.
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
            // Whatever headers an app sends along may be secret.
            Value::Object(headers) if name.eq_ignore_ascii_case("headers") => {
                let headers = headers.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
                headers.for_each(|(name, value)| secrets.add_header(name, value));
            }
            value => add_settings(secrets, value),
        }),
        _ => {}
    }
}

/// Takes the keys out of settings, also those too short to be looked for elsewhere.
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
    let refused = headers.iter().any(|(name, value)| {
        !is_harmless(name) && value.as_str().is_some_and(|value| !is_header(name, value))
    });
    headers.retain(|name, _| is_harmless(name));
    if refused {
        headers.insert(REFUSED.to_owned(), "".into());
    }
}

/// A URL without keys: the known ones, what stands in a parameter with such a name, user and password.
pub fn redact_url(secrets: &Secrets, url: &str) -> String {
    secrets.redact(&redacted_url(url))
}

/// Bytes of a body that are replaced: from where to where, and by what.
type Replaced = (usize, usize, Vec<u8>);

/// Takes the keys out of a body that came in chunks, also where one is split over chunks, or over the events of a stream.
///
/// What is said instead is just what the listeners of the run were told then, event by event, so that a replay, which does
/// not know the keys, tells them the same.
pub fn redact_chunks(secrets: &Secrets, chunks: &mut [Chunk]) {
    if secrets.is_empty() {
        return;
    }
    let replaced = in_events(secrets, &whole(chunks));
    replace(chunks, &replaced);
    let bytes = whole(chunks);
    let places = secrets.places(&bytes).into_iter();
    let replaced: Vec<Replaced> = places.map(|(from, to)| (from, to, REDACTED.into())).collect();
    replace(chunks, &replaced);
}

fn whole(chunks: &[Chunk]) -> Vec<u8> {
    chunks.iter().flat_map(|chunk| &chunk.bytes).copied().collect()
}

/// The data of events whose texts, each joined to that which stands in the same place of the event before, hold keys.
fn in_events(secrets: &Secrets, body: &[u8]) -> Vec<Replaced> {
    let mut texts: Vec<Joined> = Vec::new();
    let mut events: Vec<(usize, usize, Value, bool)> = Vec::new();
    let mut from = 0;
    for line in body.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        let at = from;
        from += line.len();
        let Some(data) = line.strip_prefix(b"data:") else { continue };
        let Ok(mut value) = serde_json::from_slice::<Value>(data) else { continue };
        let has_changed = redact_texts(secrets, &mut value, &mut String::new(), &mut texts, events.len());
        let length = line.trim_ascii_end().len();
        events.push((at, at + length, value, has_changed));
    }
    for Joined { place, mut redactor, event } in texts {
        // What might have begun a key was none.
        let rest = redactor.finish();
        if let Some((.., value, true)) = events.get_mut(event)
            && let Some(Value::String(text)) = value.pointer_mut(&place)
        {
            text.push_str(&rest);
        }
    }
    let replaced = events.into_iter().filter(|(.., has_changed)| *has_changed);
    replaced.map(|(from, to, value, _)| (from, to, format!("data: {value}").into_bytes())).collect()
}

/// A text that is spread over events.
struct Joined {
    /// A JSON pointer.
    place: String,
    redactor: Redactor,
    /// The last event that has some of it.
    event: usize,
}

/// Redacts the texts of an event, each as the next piece of what stands in its place; whether one became another.
fn redact_texts(
    secrets: &Secrets,
    value: &mut Value,
    place: &mut String,
    texts: &mut Vec<Joined>,
    event: usize,
) -> bool {
    let length = place.len();
    let mut has_changed = false;
    let mut inside = |name: &str, value: &mut Value| {
        place.push('/');
        place.push_str(&name.replace('~', "~0").replace('/', "~1"));
        has_changed |= redact_texts(secrets, value, place, texts, event);
        place.truncate(length);
    };
    match value {
        Value::Array(items) => {
            items.iter_mut().enumerate().for_each(|(at, item)| inside(&at.to_string(), item));
        }
        Value::Object(members) => members.iter_mut().for_each(|(name, value)| inside(name, value)),
        Value::String(text) => {
            let at = texts.iter().position(|joined| joined.place == *place).unwrap_or_else(|| {
                texts.push(Joined { place: place.clone(), redactor: Redactor::new(secrets), event });
                texts.len() - 1
            });
            texts[at].event = event;
            let redacted = texts[at].redactor.push(text);
            has_changed = redacted != *text;
            *text = redacted;
        }
        _ => {}
    }
    has_changed
}

/// Replaces bytes of a body that came in chunks. What is put in stands in the chunk where the replaced bytes begin.
fn replace(chunks: &mut [Chunk], replaced: &[Replaced]) {
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
