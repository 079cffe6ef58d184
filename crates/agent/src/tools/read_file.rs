//! Defines `read_file`, which reads a text file with line numbers.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use copydesk_base::locale::Locale;
use copydesk_workspace::{LineRange, numbered};
use schemars::JsonSchema;
use serde::Deserialize;

/// `read_file{path, start_line?, end_line?, raw?}` → the lines as text, `12 | text` each; cut after 10,000 characters.
#[derive(Deserialize, JsonSchema)]
pub struct ReadFile {
    /// The path of the file, such as chapters/ch001.md.
    #[schemars(extend("zh-CN" = "文件路径，例如 chapters/ch001.md。"))]
    path: String,
    /// The first line, from 1. Default: the first.
    #[schemars(extend("zh-CN" = "起始行，从 1 开始，默认第一行。"))]
    start_line: Option<i64>,
    /// The last line, included. Default: the last.
    #[schemars(extend("zh-CN" = "结束行（含），默认最后一行。"))]
    end_line: Option<i64>,
    /// True for the plain text without line numbers. Default: false.
    #[schemars(extend("zh-CN" = "为 true 时返回不带行号的纯文本，默认 false。"))]
    raw: Option<bool>,
}

impl ToolDefinition for ReadFile {
    const NAME: &'static str = "read_file";
    const SUBJECT: Subject = Subject::Files;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Read a text file of the project. Each line is shown as \"12 | text\"; the number is not part of the text. \
             After 10,000 characters the result is cut: read on with start_line.",
            "读取项目中的文本文件。每行显示为“12 | 内容”，行号不属于正文。结果超过 10,000 个字符时会截断，用 start_line 继续读取。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let workspace = context.workspace()?;
            let file = workspace.read(&self.path).await?;
            let range = LineRange { first: self.start_line, last: self.end_line };
            let content = numbered(&file.text, range, self.raw.unwrap_or(false), context.locale)?;
            workspace.know(&file.path, &file.version);
            Ok(ToolOutput { content: content.into(), ..ToolOutput::default() })
        })
    }
}
