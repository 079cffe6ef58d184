//! Defines `set_attributes`, which sets attributes of lines.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, SetAttributes};
use schemars::JsonSchema;
use serde::Deserialize;

/// `set_attributes{edits: [{start_line, end_line?, attributes}]}` → the result with the lines around the changes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SetAttributesCall {
    #[serde(flatten)]
    edit: SetAttributes,
}

impl ToolDefinition for SetAttributesCall {
    const NAME: &'static str = "set_attributes";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Set attributes of lines without writing their text again: tick tasks, change the level of headings, the \
             language of code, an alignment. In all calls of one answer line numbers are those shown to you before it.",
            "设置行的属性而不重写文字：勾选任务、修改标题级别、代码语言、对齐方式等。同一次回答的所有调用，行号都以回答之前展示给你的为准。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(self.edit.into()), EditOptions::default(), context)
    }
}
