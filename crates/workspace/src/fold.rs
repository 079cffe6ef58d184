//! Case folding of one character to one character, as `RegExp` with the flags `iu` folds: `ſ` is `s`, `ß` is not `ss`.

/// Returns the character that represents all that differ from it in case only.
pub(crate) fn fold(c: char) -> char {
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        '\0'..='\x7f' | '\u{3000}'..='\u{9fff}' => c,
        // A letter of its own in Turkish; its capital is that of `i`.
        'ı' => c,
        // Equal to another character, though the capitals of both are several characters.
        '\u{1fd3}' => '\u{390}',
        '\u{1fe3}' => '\u{3b0}',
        '\u{fb05}' => '\u{fb06}',
        _ => {
            let upper = only(c.to_uppercase()).unwrap_or(c);
            only(upper.to_lowercase()).unwrap_or(upper)
        }
    }
}

/// Returns a text in which each character is folded; `None` if that is the text itself.
pub(crate) fn folded(text: &str) -> Option<String> {
    let mut folded = String::new();
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        let to = fold(c);
        if to != c {
            if copied == 0 {
                folded.reserve(text.len());
            }
            folded.push_str(&text[copied..at]);
            folded.push(to);
            copied = at + c.len_utf8();
        }
    }
    if copied == 0 {
        return None;
    }
    folded.push_str(&text[copied..]);
    Some(folded)
}

/// Returns whether a character has no other case, so that it is found without folding.
pub(crate) fn is_uncased(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9fff}') || (c.is_ascii() && !c.is_ascii_alphabetic())
}

fn only(mut of: impl Iterator<Item = char>) -> Option<char> {
    of.next().filter(|_| of.next().is_none())
}
