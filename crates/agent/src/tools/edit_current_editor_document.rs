//! Defines `edit_current_editor_document`, which changes lines.

use super::edit::{apply_update, of_operation};
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::Error;
use copydesk_edit::content::Format;
use copydesk_edit::operation::{EditOptions, LineEdit, Operation, ReplaceLines};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `edit_current_editor_document{content, start_line?, end_line?, edits?, …}` → the result with the lines around the
/// change.
// The lines come before the content, so that content that is still arriving can be shown where it will be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditDocument {
    /// The first line, from 1.
    #[schemars(extend("zh-CN" = "起始行，从 1 开始。"))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(extend("zh-CN" = "结束行（含）。"))]
    pub end_line: Option<i64>,
    /// The new text of the lines, or of the whole document.
    #[schemars(extend("zh-CN" = "这些行（或整篇文档）的新内容。"))]
    pub content: Option<String>,
    /// Several ranges at once; they do not overlap.
    #[schemars(extend("zh-CN" = "一次修改多个互不重叠的范围。"))]
    pub edits: Option<Vec<LineEdit>>,
    /// The notation of content. Default: detected.
    #[schemars(extend("zh-CN" = "content 的写法，默认自动判断。"))]
    pub format: Option<Format>,
    /// Why, in a few words.
    #[schemars(extend("zh-CN" = "修改原因，简短说明。"))]
    pub instruction: Option<String>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(extend("zh-CN" = "行号所属的版本，默认最近一次看到的版本。"))]
    pub version: Option<String>,
    /// With content alone: true if it replaces the whole document, whatever it is.
    #[schemars(extend("zh-CN" = "只给 content 时：true 表示无论内容如何都替换整篇文档。"))]
    pub whole: Option<bool>,
    /// Confirms that the edit may drop what the guards protect.
    #[serde(rename = "confirmDrop")]
    #[schemars(extend("hidden" = true))]
    pub confirm_drop: Option<bool>,
}

impl EditDocument {
    fn options(&self) -> EditOptions {
        EditOptions { format: self.format, confirm_drop: self.confirm_drop }
    }

    fn update(self) -> Result<DocUpdate, Error> {
        let EditDocument { content, start_line, end_line, edits, format, instruction, version, whole, .. } = self;
        let edits = edits.unwrap_or_default();
        if edits.is_empty() && content.is_none() {
            let (call, name) = (<Self as ToolDefinition>::NAME.to_owned(), "content".to_owned());
            return Err(copydesk_base::Error::MissingParameter { call, name }.into());
        }
        let update = ReplaceLines { edits, version, instruction, whole, start_line, end_line, content };
        let mut update = update.listed()?;
        format.into_iter().for_each(|format| update.set_format(format));
        Ok(update.into())
    }
}

impl ToolDefinition for EditDocument {
    const NAME: &'static str = "edit_current_editor_document";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Change lines of the document. Give start_line, end_line and content, or several ranges at once in edits. content \
             alone is the whole document with your changes, all of which must have been shown to you; another text takes \
             its place only with whole: true. Write content as lines are shown: signs for the kind of a line, tags for \
             marks. Text without signs keeps the kind of each line (heading, list item, cell), and text without tags its \
             formatting; more lines than the range add lines of the same kind, fewer remove lines, empty content deletes \
             the range. HTML blocks are inserted as they are. Lines that you were not shown read with read_lines first. In \
             all calls of one answer line numbers are those shown to you before it.",
            "按行修改文档。给出 start_line、end_line 和 content，或用 edits 一次修改多个范围；只给 content 表示改动后的整篇文档，此时整篇文档须已展示给你；要换成另一篇文字，须加上 whole: true。\
             content 按行的显示方式书写：行首符号表示类型，标签表示格式。不写符号则保留每行的类型（标题、列表项、单元格），不写标签则保留原有格式；行数多于范围时追加同类的行，少于范围时删去多余的行，content 为空则删除这些行。\
             HTML 块按原样写入。尚未展示给你的行请先用 read_lines 读取。\
             同一次回答的所有调用中，行号都以回答之前展示给你的为准。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        self.update().ok()
    }

    fn arriving_update(arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut update = of_operation(<ReplaceLines as Operation>::NAME, arguments.clone());
        if !update.get("edits").is_some_and(Value::is_array) {
            let edit = update.clone();
            update.insert("edits".into(), vec![Value::Object(edit)].into());
        }
        Some(update)
    }

    fn check(&self) -> Result<(), crate::Error> {
        Ok(self.clone().update().map(drop)?)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let options = self.options();
        apply_update(self.update(), options, context)
    }
}
