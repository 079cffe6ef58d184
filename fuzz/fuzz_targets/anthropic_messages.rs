//! Any response in `anthropic-messages` is an answer or a typed error, and the same at every split.

#![no_main]

use copydesk_llm::Api;
use copydesk_fuzz::answers::hold;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| hold(Api::ANTHROPIC_MESSAGES, bytes));
