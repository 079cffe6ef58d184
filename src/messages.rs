//! The messages of this crate, generated from the catalogs in `messages/`.

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
