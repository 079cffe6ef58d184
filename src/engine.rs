//! [`document`], as a crate of its own: it is compiled for speed, and all else for size.
#![forbid(unsafe_code)]

use copydesk_base::{error, fields, map, number};
pub mod document;
