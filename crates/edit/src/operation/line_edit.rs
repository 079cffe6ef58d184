//! Lines and their new content.

use crate::content::Format;
use crate::target::LineRange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lines and their new content. Without lines the content is the whole new document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LineEdit {
    /// The first line, counted from 1.
    #[schemars(extend("zh-CN" = "起始行，从 1 开始。"))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(extend("zh-CN" = "结束行（含）。"))]
    pub end_line: Option<i64>,
    /// The new content, empty to delete the lines.
    #[schemars(extend("zh-CN" = "新内容，为空则删除这些行。"))]
    pub content: String,
    /// How content is written.
    #[schemars(extend("zh-CN" = "content 的写法。"))]
    pub format: Option<Format>,
}

impl LineEdit {
    /// Returns the lines that it states.
    pub fn range(&self) -> LineRange {
        LineRange { start: self.start_line, end: self.end_line }
    }
}
