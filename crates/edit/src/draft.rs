//! An update that is still arriving.

use crate::content::{self, Format};
use crate::target::Target;

/// The target of an update that is still arriving, and its content so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The target of the update.
    pub target: Target,
    /// The content so far.
    pub content: String,
    /// The format of the content, if it is known.
    pub format: Option<Format>,
}

impl Draft {
    /// Returns the draft of a section that was not there before.
    pub fn of_new_section(target: Target, title: &str, written: &str) -> Draft {
        let content = content::heading(2, title) + &content::to_html(written);
        Draft { target, content, format: Some(Format::Html) }
    }
}
