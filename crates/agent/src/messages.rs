//! The messages of this crate, made of the catalogs in `messages/`.

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
