//! Defines `move_section`, which moves a section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::DocUpdate;
use copydesk_edit::operation::{EditOptions, MoveSection};
use schemars::JsonSchema;
use serde::Deserialize;

/// `move_section{sectionIndex, toIndex}` → `{success, operation, sectionIndex, message, sections}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct MoveSectionCall {
    #[serde(flatten)]
    edit: MoveSection,
    #[serde(flatten)]
    options: EditOptions,
}

impl ToolDefinition for MoveSectionCall {
    const NAME: &'static str = "move_section";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Move a section, with its heading and content as they are, so that it has the index toIndex afterwards. \
             Section 0 stays first. In all calls of one answer \
             an index is that of the outline shown to you before it.",
            "移动一个章节（标题和内容保持不变），使其移动后的序号为 toIndex。章节 0 始终在最前。\
             同一次回答的所有调用中，序号都以回答之前展示给你的目录为准。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(self.edit.into())
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(self.edit.into()), self.options, context)
    }
}
