//! The formats, one file each.

use crate::wire::Format;

mod anthropic_messages;
mod google_generative_ai;
mod openai_completions;
mod openai_responses;

/// All formats, in the order of the table's columns.
pub fn all() -> Vec<Format> {
    vec![
        openai_completions::format(),
        anthropic_messages::format(),
        openai_responses::format(),
        google_generative_ai::format(),
    ]
}
