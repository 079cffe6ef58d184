//! Content that has no place.

use crate::Error;
use copydesk_base::error::excerpt;

/// Returns the error of content that states what has no place where it is given.
pub fn unplaced(content: &str) -> Error {
    Error::NotInSchema { what: format!("“{}”", excerpt(content)) }
}
