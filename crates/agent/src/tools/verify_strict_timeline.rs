//! Defines `verify_strict_timeline`, which checks the days and dates of the story.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_workspace::CheckKind;
use schemars::JsonSchema;
use serde::Deserialize;

/// `verify_strict_timeline{}` → `{errors, warnings, skipped?}`, each finding
/// `{file, line, text, message, code, details, waived?}`.
#[derive(Deserialize, JsonSchema)]
pub struct VerifyStrictTimeline {}

impl ToolDefinition for VerifyStrictTimeline {
    const NAME: &'static str = "verify_strict_timeline";
    const SUBJECT: Subject = Subject::Workspace;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Check the days (第3天, Day 3) and dates ([TIME:2024-01-15]) of all chapters in their order: jumps, steps back, \
             and dates that are not written correctly, do not exist or go back. Every finding has file, line and text.",
            "按顺序检查所有章节中的天数（第3天、Day 3）与日期（[TIME:2024-01-15]）：跳跃、倒退，以及格式错误、不存在或倒退的日期。\
             每个发现都带有文件、行号与原文。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        context.check(CheckKind::Timeline)
    }
}
