//! Defines `replace_text`, which replaces a text inside a line.

use super::edit::{apply_update, instruction_parameter, version_parameter};
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

    fn parameters(locale: Locale) -> Vec<(&'static str, &'static str)> {
        vec![
            (
                "old",
                locale.pick(
                    "The text that goes, exactly as it stands in one line.",
                    "要替换的文字，与某一行中的完全一致。",
                ),
            ),
            ("new", locale.pick("The text in its place, as plain text.", "替换后的文字，纯文本。")),
            ("near_line", locale.pick("The line it is in, where it occurs more than once.", "出现多次时，所在的行。")),
            ("all", locale.pick("Whether every occurrence is meant.", "是否替换全部。")),
            instruction_parameter(locale),
            version_parameter(locale),
        ]
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
