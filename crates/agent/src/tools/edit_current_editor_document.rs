//! Defines `edit_current_editor_document`, which changes lines.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::update::{DocUpdate, EditDocument};

/// `edit_current_editor_document{content, start_line?, end_line?, edits?, …}` → the result with the lines around the change.
impl ToolDefinition for EditDocument {
    const NAME: &'static str = "edit_current_editor_document";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Change lines of the document. Give start_line, end_line and content, or several ranges at once in edits; content \
             alone is the whole new document, all of which must have been shown to you. Plain text keeps what each line is (heading, item, cell) and its formatting; \
             more lines than the range add lines of the same kind, fewer take lines away, empty content deletes them. HTML is \
             taken as it is. Read the lines with read_lines first. All calls of one answer mean the lines of before.",
            "按行修改文档。给出 start_line、end_line 和 content，或用 edits 一次修改多个范围；只给 content 表示整篇新文档，此时整篇文档须已展示给你。\
             纯文本保留每行的类型(标题、列表项、单元格)和格式；行数多于范围时追加同类的行，少于范围时删去多余的行，content 为空则删除这些行。\
             HTML 按原样写入。请先用 read_lines 读取。同一次回答中的多次调用都以修改前的行号为准。",
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
