//! Defines `verify_strict_references`, which checks setups and references.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
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
    const KIND: ToolKind = ToolKind::Check;

    fn description(locale: Locale) -> &'static str {
        messages::VERIFY_STRICT_REFERENCES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        context.check(CheckKind::References)
    }
}
