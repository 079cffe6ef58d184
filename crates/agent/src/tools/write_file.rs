//! Defines `write_file`, which writes a whole text file.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use copydesk_base::characters;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;

/// `write_file{path, content}` → `{success, path, created, version}`.
#[derive(Deserialize, JsonSchema)]
pub struct WriteFile {
    /// The path of the file, such as notes/characters.md. Missing folders are created.
    #[schemars(extend("zh-CN" = "文件路径，例如 notes/characters.md；缺少的文件夹会自动创建。"))]
    path: String,
    /// The whole text.
    #[schemars(extend("zh-CN" = "完整的文本内容。"))]
    content: String,
}

impl ToolDefinition for WriteFile {
    const NAME: &'static str = "write_file";
    const SUBJECT: Subject = Subject::Workspace;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Write a text file of the project. A file that is there is replaced only if you have read it before and \
             nobody has changed it since. For a change of some lines use edit_file.",
            "写入项目中的文本文件。已存在的文件只有在你读取过且之后无人修改时才会被替换。只改几行请用 edit_file。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::WRITES_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            characters::check("content", &self.content)?;
            let expected = context.workspace()?.known(&self.path);
            let content = context.write_file(&self.path, self.content, expected).await?;
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
