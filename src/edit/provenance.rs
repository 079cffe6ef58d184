//! Where addresses come from: those that tools returned and that the person wrote, against those that a model made up.
//!
//! An address in a picture is asked for as soon as the picture is shown, so one that a model put together can carry
//! the document's text to whoever planted the wish for it in a page. One that came from outside as it is carries nothing.

use serde_json::Value;

/// The most addresses that are kept.
const MOST: usize = 5_000;
/// The longest address that is kept, in bytes.
const LONGEST: usize = 4_096;
/// How deep values are looked into.
const DEEPEST: usize = 64;

/// The http(s) addresses that have been seen, letter for letter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The addresses.
    pub urls: Vec<String>,
}

impl Provenance {
    /// Whether an address was seen.
    pub fn knows(&self, url: &str) -> bool {
        self.urls.iter().any(|known| known == url.trim())
    }
}

/// Takes the addresses out of the strings of a tool's result: strings that are one, and those that stand in a text.
///
/// In what strangers wrote only the former count: a service puts the address of what it found into a field of its own,
/// and in the text beside it anybody may have written anything.
pub fn collect(value: &Value, of_strangers: bool, into: &mut Provenance) {
    let take = if of_strangers { collect_whole } else { collect_text };
    walk(value, DEEPEST, take, into);
}

fn walk(value: &Value, depth: usize, take: fn(&str, &mut Provenance), into: &mut Provenance) {
    match value {
        _ if depth == 0 => {}
        Value::String(text) => take(text, into),
        Value::Array(items) => items.iter().for_each(|item| walk(item, depth - 1, take, into)),
        Value::Object(fields) => fields.values().for_each(|field| walk(field, depth - 1, take, into)),
        _ => {}
    }
}

/// Takes a text that is an address.
fn collect_whole(text: &str, into: &mut Provenance) {
    let whole = text.trim();
    if starts_as_url(whole) && !whole.contains(char::is_whitespace) {
        keep(whole, into);
    }
}

/// Takes the addresses out of a text.
pub fn collect_text(text: &str, into: &mut Provenance) {
    collect_whole(text, into);
    let mut rest = text;
    while let Some(at) = find_start(rest) {
        rest = &rest[at..];
        let url = in_text(rest);
        keep(url, into);
        // A text may be HTML, in which addresses are escaped.
        if url.contains("&amp;") {
            keep(&url.replace("&amp;", "&"), into);
        }
        rest = &rest[url.len().max("http".len())..];
    }
}

fn keep(url: &str, into: &mut Provenance) {
    if url.len() <= LONGEST && into.urls.len() < MOST && !into.knows(url) {
        into.urls.push(url.to_owned());
    }
}

fn starts_as_url(text: &str) -> bool {
    let starts = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    starts("http://") || starts("https://")
}

fn find_start(text: &str) -> Option<usize> {
    let scheme_at = |end: usize, scheme: &str| {
        let start = end.checked_sub(scheme.len())?;
        text.get(start..end).filter(|found| found.eq_ignore_ascii_case(scheme)).map(|_| start)
    };
    text.match_indices("://").find_map(|(at, _)| scheme_at(at, "https").or_else(|| scheme_at(at, "http")))
}

/// The address with which a text begins, without the signs of the sentence around it.
fn in_text(text: &str) -> &str {
    let mut open = 0_usize;
    let end = text.find(|c: char| match c {
        '(' => {
            open += 1;
            false
        }
        // A bracket that the address did not open closes one around it.
        ')' if open == 0 => true,
        ')' => {
            open -= 1;
            false
        }
        _ => {
            c.is_whitespace()
                || c.is_control()
                || "\"'<>`[]{}|\\^".contains(c)
                || "，。；：！？、（）【】《》「」『』“”‘’…".contains(c)
        }
    });
    text[..end.unwrap_or(text.len())].trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~'])
}
