//! The wasm file. Nothing is in it but copydesk: what is linked last decides how the whole is optimized, and that
//! should not be the crate whose own code is to be small.
pub use copydesk::*;
