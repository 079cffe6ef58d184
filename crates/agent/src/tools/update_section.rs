//! Defines `update_section`, which changes one section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::Error;
use copydesk_edit::operation::EditOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `update_section{operation, sectionIndex?, title?, content?}` → `{success, operation, sectionIndex, message,
/// sections}`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSection {
    /// The operation.
    #[schemars(extend("zh-CN" = "要执行的操作。"))]
    pub operation: SectionOperation,
    /// The section, as get_document numbers it. Needed for replace, insert and delete.
    #[schemars(extend("zh-CN" = "章节序号，以 get_document 的编号为准。replace、insert、delete 必填。"))]
    pub section_index: Option<i64>,
    /// The heading, as plain text. Needed for append and insert.
    #[schemars(extend("zh-CN" = "标题，纯文本。append、insert 必填。"))]
    pub title: Option<String>,
    /// The content as HTML (p, h3, ul, ol, blockquote, pre, table, strong, em, a …), without the heading. Needed for
    /// replace, append and insert.
    #[schemars(extend(
        "zh-CN" = "内容，使用 HTML（p、h3、ul、ol、blockquote、pre、table、strong、em、a 等），不含标题。replace、append、insert 必填。"
    ))]
    pub content: Option<String>,
    /// With replace: true if the content may delete most of the document.
    #[schemars(extend("zh-CN" = "用于 replace：true 表示允许因此删去文档的大部分。"))]
    pub whole: Option<bool>,
    /// Options of the edit.
    #[serde(flatten)]
    pub options: EditOptions,
}

/// The operations of `update_section`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SectionOperation {
    Replace,
    Append,
    Insert,
    Delete,
}

impl UpdateSection {
    fn update(&self) -> Result<DocUpdate, Error> {
        let given = serde_json::to_value(self);
        DocUpdate::from_value(&given.map_err(|error| Error::Internal { reason: error.to_string() })?)
    }
}

impl ToolDefinition for UpdateSection {
    const NAME: &'static str = "update_section";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Change one section. replace: new content for sectionIndex, and a new heading if title is given (0 is the \
             section of the h1). append: a new section at the end. insert: a new section before sectionIndex. delete: \
             remove sectionIndex (not 0). replace and delete need the section's content to have been shown to you. In \
             all calls of one answer an index is that of the outline shown to you before it; the result has the new \
             outline for your next answer.",
            "修改一个章节。replace：替换 sectionIndex 的内容，给出 title 时同时替换标题（0 为 h1 区域）。append：在末尾追加新章节。\
             insert：在 sectionIndex 之前插入新章节。delete：删除 sectionIndex（0 除外）。replace 和 delete 要求该章节的内容已展示给你。\
             同一次回答的所有调用中，序号都以回答之前展示给你的目录为准；结果中的最新目录供下一次回答使用。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        self.update().ok()
    }

    fn arriving_update(arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        Some(arguments.clone())
    }

    fn check(&self) -> Result<(), crate::Error> {
        Ok(self.update().map(drop)?)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(self.update(), self.options, context)
    }
}
