//! Defines `activate_skill`, which loads the text of a skill that the system prompt only lists.

use super::{ACTIVATE_SKILL, ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;
use std::future::ready;

/// `activate_skill{name}` → the text of the skill.
#[derive(Deserialize, JsonSchema)]
pub struct ActivateSkill {
    /// The name of the skill, as listed.
    #[schemars(description = messages::ACTIVATE_SKILL_NAME.text(parameters::locale()))]
    name: String,
}

impl ToolDefinition for ActivateSkill {
    const NAME: &'static str = ACTIVATE_SKILL;
    const SUBJECT: Subject = Subject::Skills;
    const KIND: ToolKind = ToolKind::LoadSkill;

    fn description(locale: Locale) -> &'static str {
        messages::ACTIVATE_SKILL_DESCRIPTION.text(locale)
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
