//! Defines `update_section`, which changes one section.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::update::{DocUpdate, UpdateSection};

/// `update_section{operation, sectionIndex?, title?, content?}` → `{success, operation, sectionIndex, message, sections}`.
impl ToolDefinition for UpdateSection {
    const NAME: &'static str = "update_section";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Change one section. replace: new content for sectionIndex, and a new heading if title is given (0 is the \
             area of the h1). append: a new section at the end. insert: a new section before sectionIndex. delete: \
             take sectionIndex away (not 0). replace and delete need the section's content to have been shown to you. The \
             result has the new outline: later indexes may have moved.",
            "修改一个章节。replace：替换 sectionIndex 的内容，给出 title 时同时替换标题（0 为 h1 区域）。append：在末尾追加新章节。\
             insert：在 sectionIndex 之前插入新章节。delete：删除 sectionIndex(0 除外)。replace 和 delete 要求该章节的内容已展示给你。结果中带有最新目录，其后的 index 可能已改变。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        self.try_into().ok()
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(self.try_into(), context)
    }
}
