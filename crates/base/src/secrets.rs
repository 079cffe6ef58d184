//! The keys that an agent uses, and their redaction from everything that servers return.
//!
//! A server knows the key that it was sent, and may repeat it: in an error, in an answer, in the arguments of a call.
//! [`Secrets`] holds every key in the forms in which it may be repeated; [`Secrets::redact`] replaces them in a text,
//! a [`Redactor`] in a text that arrives in chunks.
//!
//! The forms are: unchanged, percent-encoded, escaped for JSON (once, and twice: arguments of calls are JSON in JSON),
//! and escaped for HTML. A server that *hides* a key (spelled backwards, one letter a word) cannot be stopped: it has
//! the key.

use crate::host::{Request, percent_decoded, percent_encode};
use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine, GeneralPurpose, GeneralPurposeConfig};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The base64 of the header `authorization: Basic`; its padding may be missing.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The replacement of a key.
pub const REDACTED: &str = "…";

/// Headers whose values are not keys.
const HARMLESS: [&str; 17] = [
    "accept",
    "accept-language",
    "anthropic-beta",
    "anthropic-dangerous-direct-browser-access",
    "anthropic-version",
    "cache-control",
    "content-type",
    "helicone-cache-enabled",
    "http-referer",
    "openai-beta",
    "openai-organization",
    "openai-project",
    "origin",
    "referer",
    "user-agent",
    "x-stainless-lang",
    "x-title",
];

/// The endings of names of parameters, headers and settings that hold keys. `maxTokensField` holds none.
const ENDINGS: [&str; 13] = [
    "key",
    "token",
    "secret",
    "password",
    "passwd",
    "auth",
    "authorization",
    "signature",
    "sig",
    "credential",
    "cookie",
    "client_id",
    "clientid",
];

/// The length in bytes below which a text of letters alone may be a word.
const LONGER_THAN_WORDS: usize = 20;

/// The length of the prefix by which a form is found; no form is shorter.
const HEAD: usize = 4;

/// Returns whether a text counts as a key: it has at least 8 bytes, or at least 4 with a digit among them. If a server
/// needs no key, people write `x`, `none` or `ollama`, and such words are in many texts.
pub fn is_key(text: &str) -> bool {
    text.len() >= 8 || text.len() >= HEAD && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns whether a parameter, a header or a setting of this name holds a key.
pub fn names_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether the value of a header is known to be no key.
pub fn is_harmless(header: &str) -> bool {
    HARMLESS.iter().any(|name| header.eq_ignore_ascii_case(name))
}

/// The known keys. Clones are the same set.
///
/// A text that is too short to be a key ([`is_key`]) is not added.
#[derive(Clone, Default)]
pub struct Secrets(Rc<RefCell<FxHashMap<u32, Vec<String>>>>);

/// A match at a position of a text.
enum SecretMatch {
    /// A key, with its length in bytes.
    Whole(usize),
    /// The beginning of a key at the end of the text.
    Begun,
    None,
}

impl Secrets {
    /// Returns the set of one key.
    pub fn of(key: &str) -> Secrets {
        let secrets = Secrets::default();
        secrets.add(key);
        secrets
    }

    /// Returns whether no key is known.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Adds a key.
    pub fn add(&self, key: &str) {
        let key = key.trim();
        if !is_key(key) {
            return;
        }
        let mut known = self.0.borrow_mut();
        for form in forms(key) {
            if let Some(head) = head(form.as_bytes()) {
                let list: &mut Vec<String> = known.entry(head).or_default();
                if !list.contains(&form) {
                    list.push(form);
                }
            }
        }
    }

    /// Adds the value of a header, or the part behind its scheme (`Bearer`, `Basic`). If the name does not say that the
    /// header holds a key, a value that may be a word is left out.
    pub fn add_header(&self, name: &str, value: &str) {
        let value = value.trim();
        if is_harmless(name) || (!names_key(name) && is_word(value)) {
            return;
        }
        if value.starts_with("https://") || value.starts_with("http://") {
            return self.add_url(value);
        }
        match value.split_once(' ') {
            Some((scheme, key)) if is_key(key.trim()) => {
                self.add(key);
                if scheme.eq_ignore_ascii_case("basic")
                    && let Some(pair) = BASE64.decode(key.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok())
                {
                    self.add_user(&pair);
                }
            }
            _ => self.add(value),
        }
    }

    /// Adds the keys in a URL: user and password, and the parameters with names of keys.
    pub fn add_url(&self, url: &str) {
        each_part(url, &mut |part, kind| match kind {
            PartKind::Plain => {}
            PartKind::User => {
                self.add_user(part);
                self.add_user(&percent_decoded(part));
            }
            PartKind::Key => {
                self.add(part);
                self.add(&percent_decoded(part));
            }
        });
    }

    /// Adds `user:password`: together, each by itself, and as the header that contains them.
    fn add_user(&self, pair: &str) {
        self.add(pair);
        pair.split(':').for_each(|part| self.add(part));
        self.add(&BASE64.encode(pair));
    }

    /// Adds all keys in a request.
    pub fn add_request(&self, request: &Request) {
        self.add_url(&request.url);
        request.headers.iter().for_each(|(name, value)| self.add_header(name, value));
    }

    /// Returns the text without keys.
    pub fn redact(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let mut redactor = Redactor::new(self);
        redactor.push(text) + &redactor.finish()
    }

    /// Returns an unfinished text without keys, and without an end that may be the beginning of one.
    pub fn redact_unfinished(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        Redactor::strict(self).push(text)
    }

    /// Redacts all texts of a value, names of members too.
    pub fn redact_value(&self, value: &mut Value) {
        match value {
            Value::String(text) if self.is_in(text) => *text = self.redact(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(members) => {
                members.values_mut().for_each(|value| self.redact_value(value));
                if members.keys().any(|name| self.is_in(name)) {
                    let renamed = std::mem::take(members).into_iter();
                    *members = renamed.map(|(name, value)| (self.redact(&name), value)).collect();
                }
            }
            _ => {}
        }
    }

    /// Returns whether a key is in the text.
    pub fn is_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        !self.is_empty() && (0..bytes.len()).any(|at| self.whole(&bytes[at..]).is_some())
    }

    /// Returns the byte ranges of keys, from left to right.
    pub fn places(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            // Nothing follows: the beginning of a key is not a key.
            match self.whole(&bytes[at..]) {
                Some(length) => {
                    places.push((at, at + length));
                    at += length;
                }
                None => at += 1,
            }
        }
        places
    }

    /// Returns the length of the longest key at the start of the bytes.
    fn whole(&self, rest: &[u8]) -> Option<usize> {
        let known = self.0.borrow();
        let list = known.get(&head(rest)?)?;
        list.iter().filter(|form| rest.starts_with(form.as_bytes())).map(String::len).max()
    }

    /// Returns the match at the start of these bytes, after which more may come.
    fn at(&self, rest: &[u8], hold_all: bool) -> SecretMatch {
        let known = self.0.borrow();
        let Some(head) = head(rest) else {
            // So few letters begin many words: they are held back only where they are a good part of the key.
            let is_held =
                |form: &String| form.as_bytes().starts_with(rest) && (hold_all || rest.len() * 2 >= form.len());
            let begun = !rest.is_empty() && known.values().flatten().any(is_held);
            return if begun { SecretMatch::Begun } else { SecretMatch::None };
        };
        let Some(list) = known.get(&head) else { return SecretMatch::None };
        let whole = list.iter().filter(|form| rest.starts_with(form.as_bytes())).map(String::len).max();
        let begun = list.iter().any(|form| form.len() > rest.len() && form.as_bytes().starts_with(rest));
        match whole {
            _ if begun => SecretMatch::Begun,
            Some(length) => SecretMatch::Whole(length),
            None => SecretMatch::None,
        }
    }
}

// A key belongs into no log.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

/// Redacts a text that arrives in chunks, split anywhere.
///
/// An end that may begin a key is held back until it is known. Of a key of eight bytes or more that are its first four:
/// fewer are in every other text (`sk` ends `ask`), tell nothing, and would make each such text late. So up to three
/// bytes of a key may be given out before it is replaced, and never more.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    secrets: Secrets,
    /// The end of the text so far that may begin a key.
    held: String,
    /// The number of its bytes that were returned already.
    sent: usize,
    hold_all: bool,
}

impl Redactor {
    /// Returns a redactor at the start of a text.
    pub fn new(secrets: &Secrets) -> Redactor {
        Redactor { secrets: secrets.clone(), ..Redactor::default() }
    }

    /// Takes the next chunk and returns the text that is certain so far.
    pub fn push(&mut self, piece: &str) -> String {
        if self.secrets.is_empty() && self.held.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        self.take(false)
    }

    /// Returns a redactor that holds back every end that may begin a key, however short.
    pub fn strict(secrets: &Secrets) -> Redactor {
        Redactor { hold_all: true, ..Redactor::new(secrets) }
    }

    /// Returns the text that was held back before something else is reported. If it did begin a key, the rest is
    /// replaced.
    pub fn release(&mut self) -> String {
        let given = self.held.get(self.sent..).unwrap_or_default().to_owned();
        self.sent = self.held.len();
        given
    }

    /// Returns the text that was held back at the end of the text.
    pub fn finish(&mut self) -> String {
        self.take(true)
    }

    fn take(&mut self, is_end: bool) -> String {
        let text = std::mem::take(&mut self.held);
        let bytes = text.as_bytes();
        let mut given = String::with_capacity(text.len());
        // How far the text was given out or replaced, and where the last key ended.
        let (mut done, mut after_key, mut at) = (std::mem::take(&mut self.sent), 0, 0);
        let begun = loop {
            if at >= bytes.len() {
                break None;
            }
            let found = match is_end {
                true => self.secrets.whole(&bytes[at..]).map_or(SecretMatch::None, SecretMatch::Whole),
                false => self.secrets.at(&bytes[at..], self.hold_all),
            };
            match found {
                SecretMatch::None => at += 1,
                SecretMatch::Begun => break Some(at),
                SecretMatch::Whole(length) => {
                    given.push_str(text.get(done..at).unwrap_or_default());
                    given.push_str(REDACTED);
                    at += length;
                    (done, after_key) = (done.max(at), at);
                }
            }
        };
        let end = begun.unwrap_or(text.len()).max(done);
        given.push_str(text.get(done..end).unwrap_or_default());
        if !is_end {
            // Text that was returned last may turn out to begin a key.
            let mut keep = text.len().saturating_sub(HEAD - 1).min(end).max(after_key);
            while !text.is_char_boundary(keep) {
                keep += 1;
            }
            let keep = begun.map_or(keep, |at| keep.min(at));
            self.sent = end - keep;
            self.held = text[keep..].to_owned();
        }
        given
    }
}

/// Returns the prefix by which a form is found, if the text is long enough.
fn head(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk::<HEAD>().map(|head| u32::from_le_bytes(*head))
}

/// Returns the forms in which a key may be repeated.
fn forms(key: &str) -> Vec<String> {
    let escaped = |text: &str| {
        let json = Value::from(text).to_string();
        json[1..json.len() - 1].to_owned()
    };
    let once = escaped(key);
    let encoded = percent_encode(key);
    // As JavaScript's `encodeURIComponent` leaves them.
    let mut by_component = encoded.clone();
    for (code, sign) in [("%21", "!"), ("%27", "'"), ("%28", "("), ("%29", ")"), ("%2A", "*")] {
        by_component = by_component.replace(code, sign);
    }
    let html = key.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut forms = vec![
        escaped(&once),
        once.replace('/', "\\/"),
        once,
        lower_codes(&encoded),
        lower_codes(&by_component),
        encoded,
        by_component,
        html,
        key.to_owned(),
    ];
    forms.retain(|form| form.len() >= HEAD);
    forms
}

/// Returns percent-encoded text with the codes in lower case.
fn lower_codes(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let mut lower = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_at(part.len().min(2));
        lower.push('%');
        lower.push_str(&code.to_ascii_lowercase());
        lower.push_str(rest);
    }
    lower
}

/// Returns whether a text may be an ordinary word, such as `production`.
fn is_word(text: &str) -> bool {
    text.len() < LONGER_THAN_WORDS && text.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_. ".contains(&byte))
}

/// The kind of a part of a URL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// Nothing secret.
    Plain,
    /// User and password, or one of them.
    User,
    /// The value of a parameter that holds a key.
    Key,
}

/// Returns the URL without user, password and keys.
pub fn url_without_keys(url: &str) -> String {
    let mut plain = String::with_capacity(url.len());
    each_part(url, &mut |part, kind| plain.push_str(if kind == PartKind::Plain { part } else { "" }));
    plain.replacen("://@", "://", 1)
}

/// Returns the URL with [`REDACTED`] in place of user, password and keys.
pub fn redacted_url(url: &str) -> String {
    let mut redacted = String::with_capacity(url.len());
    each_part(url, &mut |part, kind| redacted.push_str(if kind == PartKind::Plain { part } else { REDACTED }));
    redacted
}

/// Returns the parameters of a URL that hold keys: name and value, decoded.
pub fn key_parameters(url: &str) -> Vec<(String, String)> {
    let (mut found, mut before) = (Vec::new(), String::new());
    each_part(url, &mut |part, kind| {
        if kind == PartKind::Key {
            let name = before.trim_start_matches(['?', '&', '#', ';']).trim_end_matches('=');
            found.push((percent_decoded(name), percent_decoded(part)));
        }
        before = part.to_owned();
    });
    found
}

/// Returns whether a URL has user, password or keys in it.
pub fn has_keys(url: &str) -> bool {
    let mut found = false;
    each_part(url, &mut |_, kind| found |= kind != PartKind::Plain);
    found
}

/// Calls a function with the parts of a URL in order; together they are the URL.
fn each_part(url: &str, part: &mut dyn FnMut(&str, PartKind)) {
    let (place, query) = url.find(['?', '#']).map_or((url, ""), |at| url.split_at(at));
    let authority = place.find("://").map_or(0, |at| at + 3);
    let host_end = place[authority..].find('/').map_or(place.len(), |at| authority + at);
    match place[authority..host_end].rfind('@') {
        Some(at) if authority > 0 => {
            part(&place[..authority], PartKind::Plain);
            part(&place[authority..authority + at], PartKind::User);
            part(&place[authority + at..], PartKind::Plain);
        }
        _ => part(place, PartKind::Plain),
    }
    let mut rest = query;
    while !rest.is_empty() {
        // The sign before it, the parameter, and on to the next sign.
        let end = rest[1..].find(['?', '&', '#', ';']).map_or(rest.len(), |at| at + 1);
        let (parameter, further) = rest.split_at(end);
        match parameter.find('=') {
            Some(at) if names_key(&parameter[1..at]) && at + 1 < parameter.len() => {
                part(&parameter[..=at], PartKind::Plain);
                part(&parameter[at + 1..], PartKind::Key);
            }
            _ => part(parameter, PartKind::Plain),
        }
        rest = further;
    }
}
