//! Defines `verify_strict_references`, which checks setups and references.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture};
use copydesk_base::locale::Locale;
use copydesk_workspace::CheckKind;
use schemars::JsonSchema;
use serde::Deserialize;

/// `verify_strict_references{}` → `{errors, warnings, skipped?}`, each finding
/// `{file, line, text, message, code, details, waived?}`.
#[derive(Deserialize, JsonSchema)]
pub struct VerifyStrictReferences {}

impl ToolDefinition for VerifyStrictReferences {
    const NAME: &'static str = "verify_strict_references";
    const SUBJECT: Subject = Subject::Workspace;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Check that every [REF:id] has a [SETUP:id], that every setup is referred to, and that no id is set up twice. \
             Every finding has file, line and text.",
            "检查每个 [REF:编号] 都有对应的 [SETUP:编号]，每个伏笔都被引用，且没有重复的编号。每个发现都带有文件、行号与原文。",
        )
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        context.check(CheckKind::References)
    }
}
