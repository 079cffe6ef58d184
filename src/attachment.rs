//! Attachments of messages: the form in which a model reads them, and their size.

use copydesk_llm::{history, tokens};
use wasm_bindgen::prelude::*;

/// Returns a text as data that names its source, as results of tools are shown that third parties wrote.
#[wasm_bindgen(js_name = fencedText)]
pub fn fenced_text(source: &str, text: &str) -> String {
    history::fenced(source, &text.into())
}

/// Returns the estimated tokens of a text with images.
#[wasm_bindgen(js_name = estimateTokens)]
pub fn estimate_tokens(text: &str, images: usize) -> usize {
    tokens::estimate_text(text) + images * tokens::IMAGE_TOKENS
}
