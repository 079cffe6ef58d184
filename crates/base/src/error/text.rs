//! Parts of messages.

/// Returns whether an origin is on this machine.
pub fn is_local(origin: &str) -> bool {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    ["localhost", "127.0.0.1", "[::1]"]
        .iter()
        .any(|local| host.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
}

/// Returns the beginning and the end of a text that is too long to be shown: an error often has its place in the one
/// and its reason in the other.
pub fn ends_of(text: &str) -> String {
    const SHOWN: usize = 300;
    let first = text.char_indices().nth(SHOWN).map(|(at, _)| at);
    let last = text.char_indices().rev().nth(SHOWN).map(|(at, _)| at);
    match first.zip(last).filter(|(first, last)| first < last) {
        Some((first, last)) => format!("{}…{}", &text[..first], &text[last..]),
        None => text.to_owned(),
    }
}

/// Cuts text from outside to a length that can be shown, at a character boundary.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 200;
    let text = text.trim();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns milliseconds as seconds, without zeros at the end: `1.5`.
pub fn seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns `separator` and the text, or nothing for an empty text. The full stop of a sentence is left out: the message
/// around it continues.
pub fn quoted(separator: &str, text: &str) -> String {
    let text = text.trim_end();
    let open = text.strip_suffix(['.', '。']).filter(|rest| !rest.ends_with(['.', '。'])).unwrap_or(text);
    if open.is_empty() { String::new() } else { format!("{separator}{open}") }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quoted_sentence_ends_with_one_full_stop() {
        for (text, expected) in [
            ("Incorrect API key provided.", ": Incorrect API key provided"),
            ("no balance. ", ": no balance"),
            ("余额不足。", ": 余额不足"),
            ("wait...", ": wait..."),
            ("why?", ": why?"),
            ("v1.5", ": v1.5"),
            (".", ""),
            ("", ""),
        ] {
            assert_eq!(quoted(": ", text), expected, "{text:?}");
        }
    }
}
