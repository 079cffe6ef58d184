//! Signs and parts of sentences, in each language.

use crate::error::quoted;
use crate::locale::Locale;
use crate::messages;

/// Returns the sign between the entries of a list.
pub fn comma(locale: Locale) -> &'static str {
    messages::COMMA.text(locale)
}

/// Returns the sign between the parts of a sentence.
pub fn semicolon(locale: Locale) -> &'static str {
    messages::SEMICOLON.text(locale)
}

/// Returns the entries of a list in one row.
pub fn listed(entries: &[impl AsRef<str>], locale: Locale) -> String {
    entries.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(comma(locale))
}

/// Returns a colon and a text without its full stop; nothing for an empty text.
pub fn after_colon(text: &str, locale: Locale) -> String {
    quoted(messages::COLON.text(locale), text)
}

/// Returns a dash and a text without its full stop; nothing for an empty text.
pub fn after_dash(text: &str, locale: Locale) -> String {
    quoted(messages::DASH.text(locale), text)
}
