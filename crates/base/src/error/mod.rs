//! Errors: one entry for each, with its fields, its code, its message and its details.
//!
//! Every crate has one error enum, named `Error`, which [`errors!`](crate::errors) generates from a list of entries.
//! All of them implement [`ErrorInfo`], the information for programs, models and users. An error of a lower crate is
//! wrapped in a variant with the name of that crate.
//!
//! ```
//! copydesk_base::errors! {
//!     /// A failure of the tea service.
//!     pub enum Error {
//!         /// The water is not hot enough.
//!         TooCold {
//!             /// The temperature of the water, in degrees.
//!             degrees: u32,
//!         } = "too_cold" {
//!             // A crate has its messages in catalogs: `messages::TooCold { degrees }.text(locale)`.
//!             message: |locale| format!("The water has {degrees} °C ({}).", locale.tag()),
//!             details: { "degrees": degrees },
//!             retryable: true,
//!         }
//!     }
//!     wraps {
//!         /// A wrong parameter or setting, or a failure of the host.
//!         Base(copydesk_base),
//!     }
//! }
//! use copydesk_base::{ErrorInfo, Locale};
//!
//! let error = Error::TooCold { degrees: 60 };
//! assert_eq!(error.code(), "too_cold");
//! assert_eq!(error.message(Locale::En), "The water has 60 °C (en).");
//! assert_eq!(Error::from(copydesk_base::Error::Aborted).code(), "aborted");
//! ```

mod base;
mod host;
mod text;

pub use base::Error;
pub use host::HostError;
pub use text::{ends_of, excerpt, is_local, quoted, seconds};

use crate::locale::Locale;
#[doc(hidden)]
pub use serde_json::{Value, json};

/// The information in an error for programs, models and users.
///
/// A tool hands the message to the model; an `error` event hands it to the user. No message ever contains a key.
pub trait ErrorInfo: std::error::Error {
    /// Returns the stable name of this kind of error, for programs.
    fn code(&self) -> &'static str;

    /// Returns the problem, the valid values, and the way out, in the reader's language.
    fn message(&self, locale: Locale) -> String;

    /// Returns the numbers and names in the error, as a JSON object, for programs.
    fn details(&self) -> Value;

    /// Returns whether the same request may succeed a moment later.
    fn is_retryable(&self) -> bool;
}

/// Defines the error enum of a crate: one entry for each error.
///
/// An entry is a variant with its doc comment and fields, `= "code"`, and in braces:
///
/// - `shorten: field,` (optional): a field with text from outside, which message and details cut to its two ends;
/// - `message: |locale| …,`: the message, an expression in which the fields are references. Its text is in the catalogs
///   of the crate, for each language;
/// - `details: { "key": value },` (optional): the JSON object for programs;
/// - `retryable: true,` (optional).
///
/// `wraps` lists the crates whose errors become variants, as `Name(crate)`. `Name(crate: A, B)` keeps one form for one
/// error: an error that is wrapped there as `A` or `B` is converted to the variant of that name here.
#[macro_export]
macro_rules! errors {
    (
        $(#[$enum_meta:meta])*
        pub enum Error {
            $(
                $(#[$meta:meta])*
                $variant:ident $({ $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })? = $code:tt {
                    $(shorten: $short:ident,)?
                    message: |$locale:ident| $message:expr,
                    $(details: $details:tt,)?
                    $(retryable: $retryable:expr,)?
                }
            )*
        }
        $(wraps {
            $($(#[$wrap_meta:meta])* $wrapper:ident($krate:ident $(: $($shared:ident),+)?),)*
        })?
    ) => {
        $(#[$enum_meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Error {
            $($(#[$meta])* $variant $({ $($(#[$field_meta])* $field: $type),* })?,)*
            $($($(#[$wrap_meta])* $wrapper($krate::Error),)*)?
        }

        #[allow(unused_variables)]
        impl $crate::ErrorInfo for Error {
            fn code(&self) -> &'static str {
                match self {
                    $(Error::$variant $({ $($field),* })? => $code,)*
                    $($(Error::$wrapper(error) => $crate::ErrorInfo::code(error),)*)?
                }
            }

            fn message(&self, locale: $crate::Locale) -> String {
                match self {
                    $(Error::$variant $({ $($field),* })? => {
                        $(let $short = &$crate::error::ends_of($short);)?
                        let $locale = locale;
                        String::from($message)
                    })*
                    $($(Error::$wrapper(error) => $crate::ErrorInfo::message(error, locale),)*)?
                }
            }

            fn details(&self) -> $crate::error::Value {
                match self {
                    $(Error::$variant $({ $($field),* })? => {
                        $(let $short = &$crate::error::ends_of($short);)?
                        $crate::errors!(@details $($details)?)
                    })*
                    $($(Error::$wrapper(error) => $crate::ErrorInfo::details(error),)*)?
                }
            }

            fn is_retryable(&self) -> bool {
                match self {
                    $(Error::$variant $({ $($field),* })? => $crate::errors!(@retryable $($retryable)?),)*
                    $($(Error::$wrapper(error) => $crate::ErrorInfo::is_retryable(error),)*)?
                }
            }
        }

        impl std::fmt::Display for Error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$crate::ErrorInfo::message(self, $crate::Locale::En))
            }
        }

        impl std::error::Error for Error {}

        $($(
            impl From<$krate::Error> for Error {
                fn from(error: $krate::Error) -> Error {
                    match error {
                        $($($krate::Error::$shared(error) => Error::$shared(error),)+)?
                        error => Error::$wrapper(error),
                    }
                }
            }
        )*)?
    };
    (@details) => { $crate::error::json!({}) };
    (@details $details:tt) => { $crate::error::json!($details) };
    (@retryable) => { false };
    (@retryable $retryable:expr) => { $retryable };
}
