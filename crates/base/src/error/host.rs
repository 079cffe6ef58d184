//! An error that only the host knows.

use super::ErrorInfo;
use crate::locale::Locale;
use std::fmt;
use std::rc::Rc;

/// An error of a host, such as a replay, that passes through the crates below it unchanged.
#[derive(Clone)]
pub struct HostError(Rc<dyn ErrorInfo>);

impl HostError {
    /// Wraps an error.
    pub fn new(error: impl ErrorInfo + 'static) -> HostError {
        HostError(Rc::new(error))
    }
}

impl std::ops::Deref for HostError {
    type Target = dyn ErrorInfo;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl fmt::Debug for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Equal if code, message and details are equal.
impl PartialEq for HostError {
    fn eq(&self, other: &HostError) -> bool {
        let told = |error: &HostError| (error.code(), error.message(Locale::En), error.details());
        Rc::ptr_eq(&self.0, &other.0) || told(self) == told(other)
    }
}
