#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| copydesk_fuzz_targets::google_generative_ai(bytes));
