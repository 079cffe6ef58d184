//! Lines and their new content.

use crate::content::Format;
use crate::messages;
use crate::target::LineRange;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines and their new content. Without lines the content is the whole new document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LineEdit {
    /// The first line, counted from 1.
    #[schemars(description = messages::LINE_EDIT_START_LINE.text(parameters::locale()))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(description = messages::LINE_EDIT_END_LINE.text(parameters::locale()))]
    pub end_line: Option<i64>,
    /// The new content, empty to delete the lines.
    #[schemars(description = messages::LINE_EDIT_CONTENT.text(parameters::locale()))]
    pub content: String,
    /// How content is written.
    #[schemars(description = messages::LINE_EDIT_FORMAT.text(parameters::locale()))]
    pub format: Option<Format>,
}

impl LineEdit {
    /// Returns the lines that it states.
    pub fn range(&self) -> LineRange {
        LineRange { start: self.start_line, end: self.end_line }
    }
}
