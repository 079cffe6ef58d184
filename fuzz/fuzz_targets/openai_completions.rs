//! Any response in `openai-completions` is an answer or a typed error, the same at every split, and the same scanned
//! and parsed.

#![no_main]

use copydesk_llm::Api;
use copydesk_fuzz::answers::{hold, hold_skimmed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    hold(Api::OPENAI_COMPLETIONS, bytes);
    hold_skimmed(bytes);
});
