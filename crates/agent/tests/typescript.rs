//! The built-in tools, as a table for TypeScript.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use copydesk_agent::tools::{Subject, ToolKind, all_built_in, built_in_kinds};
use copydesk_base::Locale;
use copydesk_test_support::typescript::check_module;

const HEAD: &str = "\
/**
 * The built-in tools: the part of an agent that they work on, and what their calls do. `COPYDESK_UPDATE=1 cargo test --test
 * typescript` writes this module from `BUILT_IN` of crates/agent.
 */

export const BUILT_IN_TOOLS = {
";

#[test]
fn the_table_of_the_package_has_the_built_in_tools() {
    let mut text = HEAD.to_owned();
    for (name, subject, kind) in built_in_kinds() {
        let subject = match subject {
            Subject::Document => "document",
            Subject::Workspace => "workspace",
            Subject::Files => "files",
            Subject::Skills => "skills",
            Subject::Outside => "outside",
        };
        let does = match kind {
            ToolKind::Read => "read",
            ToolKind::Write => "write",
            ToolKind::InsertImage => "image",
            ToolKind::List => "list",
            ToolKind::Search => "search",
            ToolKind::Check => "check",
            ToolKind::LoadSkill => "skill",
        };
        text += &format!("  {name}: {{ subject: \"{subject}\", does: \"{does}\" }},\n");
    }
    check_module("agent/built-in-tools.ts", &(text + "} as const;\n"));
}

#[test]
fn a_tool_that_writes_the_document_edits_it_and_no_other_does() {
    for (tool, (name, subject, kind)) in all_built_in(Locale::En).iter().zip(built_in_kinds()) {
        assert_eq!(tool.spec.name, name);
        assert_eq!(tool.policy.edits, kind.writes() && subject == Subject::Document, "{name}");
    }
}
