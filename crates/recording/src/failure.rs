//! The errors of the network in a recording.

use copydesk_base::{Error, ErrorInfo};
use serde::{Deserialize, Serialize};

/// An error of the network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The code of the error.
    pub code: String,
    /// The origin, the reason, or what timed out.
    #[serde(default)]
    pub what: String,
    /// The timeout, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ms: u64,
}

fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Failure {
        let code = error.code().to_owned();
        let (what, ms) = match error {
            Error::Blocked { origin } => (origin.clone(), 0),
            Error::Unreachable { origin, reason } => (format!("{origin} {reason}").trim_end().to_owned(), 0),
            Error::FetchFailed { reason } => (reason.clone(), 0),
            Error::Redirected { origin, target } => (format!("{origin} {}", target.as_deref().unwrap_or_default()), 0),
            Error::Timeout { what, ms } => (what.clone(), *ms),
            other => (other.to_string(), 0),
        };
        Failure { code, what, ms }
    }
}

impl Failure {
    /// Returns the error again. A code other than those of the network becomes [`Error::FetchFailed`].
    pub(crate) fn error(&self) -> Error {
        let (what, ms) = (self.what.clone(), self.ms);
        match self.code.as_str() {
            "offline" => Error::Offline,
            "blocked_by_cors" => Error::Blocked { origin: what },
            "unreachable" => {
                let (origin, reason) = what.split_once(' ').unwrap_or((&what, ""));
                Error::Unreachable { origin: origin.to_owned(), reason: reason.to_owned() }
            }
            "timeout" => Error::Timeout { what, ms },
            "aborted" => Error::Aborted,
            "redirected" => {
                let (origin, target) = what.split_once(' ').unwrap_or((&what, ""));
                let target = Some(target).filter(|target| !target.is_empty()).map(str::to_owned);
                Error::Redirected { origin: origin.to_owned(), target }
            }
            _ => Error::FetchFailed { reason: what },
        }
    }
}
