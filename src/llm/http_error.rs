//! (to come)
use crate::error::Error;

/// The error for a status other than 2xx.
pub fn status_error(status: u16, _url: &str, _content_type: &str, _body: &str, _key: Option<&str>) -> Error {
    Error::BadRequest { status, message: String::new() }
}
