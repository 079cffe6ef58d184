//! Texts that are shortened to a number of tokens.

use copydesk_document::words::shorten;
use copydesk_llm::tokens::estimate_text;

/// Shortens a text to at most `tokens` estimated tokens.
pub(crate) fn shorten_to_tokens(text: &str, tokens: usize) -> String {
    let mut short = text.to_owned();
    let mut longest = text.chars().count();
    loop {
        let now = estimate_text(&short);
        if now <= tokens {
            return short;
        }
        // In proportion, and a little less, so that the loop ends.
        longest = (longest as u64 * tokens as u64 / now as u64 * 9 / 10) as usize;
        if longest < 16 {
            return String::new();
        }
        short = shorten(text, longest);
    }
}
