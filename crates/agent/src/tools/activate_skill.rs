//! Defines `activate_skill`, which loads the text of a skill that the system prompt only lists.

use super::{ACTIVATE_SKILL, ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use crate::Error;
use copydesk_base::locale::Locale;
use schemars::JsonSchema;
use serde::Deserialize;
use std::future::ready;

/// `activate_skill{name}` → the text of the skill.
#[derive(Deserialize, JsonSchema)]
pub struct ActivateSkill {
    /// The name of the skill, as listed.
    #[schemars(extend("zh-CN" = "技能的名称，以列表为准。"))]
    name: String,
}

impl ToolDefinition for ActivateSkill {
    const NAME: &'static str = ACTIVATE_SKILL;
    const SUBJECT: Subject = Subject::Skills;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Load the instructions of a skill. Call it before you begin a task of the kind that the skill describes.",
            "加载某个技能的说明。开始该技能所描述的任务之前先调用。",
        )
    }

    fn policy() -> ExecutionPolicy {
        // It is an instruction, with marks that say how far to trust it, and not data.
        ExecutionPolicy { atomic: true, timeout: None, untrusted: false, edits: false, ..ExecutionPolicy::default() }
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let name = self.name.trim();
        let skills = &context.skills;
        let found = skills.iter().find(|skill| skill.name == name);
        let content = found.map(|skill| skill.fenced().into()).ok_or_else(|| Error::UnknownSkill {
            name: name.to_owned(),
            valid: skills.iter().map(|skill| skill.name.clone()).collect(),
        });
        Box::pin(ready(content.map(|content| ToolOutput { content, ..ToolOutput::default() })))
    }
}
