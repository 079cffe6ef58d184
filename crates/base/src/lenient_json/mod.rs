//! JSON as language models write it.
//!
//! Models forget to escape: they write LaTeX and paths with single backslashes, and line breaks literally. JSON refuses
//! `\alpha`, and reads `\frac` as a form feed and `rac`. [`Mender`] rewrites such text to the JSON that was meant, and
//! [`read`] parses it.
//!
//! - A line break, a tab or another control character in a string is escaped.
//! - A backslash before a character that cannot be escaped is a backslash, as are `\b` and `\f`: a document has neither
//!   backspaces nor form feeds. `\'` is an apostrophe.
//! - `\n` and `\t` are a line break and a tab, except where a LaTeX command begins (`$\nu$`, `\theta`), and in a path
//!   whose other backslashes are single (`C:\new\files`, `src\routes\table.ts`).
//! - `\r` is a carriage return at the end of a line only: before `\n`, or at the end of the text.
//! - If both readings are plausible (`C:\new` alone, `docs\notes\tables`), the text is refused: see
//!   [`Mender::ambiguous`]. A tab between letters is plausible in a table. The escapes `\u000a`, `\u000d` and `\u0009`
//!   always are control characters.
//!
//! ```
//! use copydesk_base::lenient_json::{self, ReadError};
//! use serde_json::json;
//!
//! assert_eq!(lenient_json::read(r#"{"formula":"$\frac{\nu}{2}$\nNext line"}"#).unwrap(),
//!     json!({ "formula": "$\\frac{\\nu}{2}$\nNext line" }));
//! assert!(matches!(lenient_json::read(r#"{"folder":"C:\new"}"#), Err(ReadError::Ambiguous(escape)) if escape == r"\new"));
//! ```

mod context;
mod latex;
mod mender;
mod word;

pub use mender::Mender;

use serde_json::Value;

/// The reason why a text is not JSON.
#[derive(Debug)]
pub enum ReadError {
    /// This escape and the letters after it may be a control character or a backslash.
    Ambiguous(String),
    /// The text is not JSON, also with its escapes mended.
    Json(serde_json::Error),
}

/// Parses a JSON text as a model wrote it.
pub fn read(text: &str) -> Result<Value, ReadError> {
    let mut mender = Mender::default();
    mender.read(text, true);
    match mender.ambiguous() {
        Some(escape) => Err(ReadError::Ambiguous(escape.to_owned())),
        None => serde_json::from_str(mender.text()).map_err(ReadError::Json),
    }
}
