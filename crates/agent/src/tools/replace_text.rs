//! Defines `replace_text`, which replaces a text inside a line.

use super::edit::apply_update;
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_edit::update::{DocUpdate, ReplaceText};

/// `replace_text{old, new, near_line?, all?}` → the result with the lines around the change.
impl ToolDefinition for ReplaceText {
    const NAME: &'static str = "replace_text";

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Put a text in the place of another inside a line; formatting and links of what stays are kept. The best tool for \
             small changes of words.",
            "把某一行中的一段文字替换为另一段，保留其余文字的格式和链接。适合改动少量词句。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        Some(DocUpdate::ReplaceText(self))
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        apply_update(Ok(DocUpdate::ReplaceText(self)), context)
    }
}
