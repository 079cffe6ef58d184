//! `insert`: a new section before another.

use crate::messages;
use super::{Operation, Outcome, arriving, needs_title};
use crate::apply::{DocumentHost, Resolved};
use crate::draft::Draft;
use crate::section::Sections;
use crate::target::{SectionUse, Target};
use crate::Error;
use copydesk_base::parameters;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Adds a section before another.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Insert {
    /// The section that will follow the new one; the index behind the last one adds at the end.
    pub section_index: i64,
    /// The text of its heading.
    pub title: String,
    /// Its content.
    pub content: String,
}

impl Operation for Insert {
    const NAME: &'static str = "insert";

    fn read(given: &Value) -> Result<Insert, Error> {
        let given: Insert = parameters::read(Self::NAME, given)?;
        needs_title(Self::NAME, &given.title)?;
        Ok(given)
    }

    fn target(&self) -> Target {
        Target::section(self.section_index, SectionUse::Place)
    }

    fn retarget(&mut self, target: &Target) {
        target.sections().iter().for_each(|section| self.section_index = section.index);
    }

    fn contents(&self) -> Vec<&str> {
        vec![&self.content]
    }

    fn blocks_mut(&mut self) -> Option<&mut String> {
        Some(&mut self.content)
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let index = usize::try_from(self.section_index).unwrap_or(usize::MAX);
        let (blocks, index) = if index == sections.count().max(1) || (index == 0 && sections.is_empty()) {
            // Behind the last section is the end.
            (sections.end(), sections.count().max(1))
        } else if index == 0 && document.sections().first().is_some_and(|first| first.blocks.is_empty()) {
            // Nothing precedes the first heading.
            (0..0, 1)
        } else {
            let section = sections.section(self.section_index, 1, Self::NAME).map_err(|error| match error {
                // The index behind the last section is valid as well.
                Error::SectionOutOfRange { parameter, index, operation, .. } => {
                    Error::SectionOutOfRange { parameter, index, valid: Some((1, sections.count().max(1))), operation }
                }
                error => error,
            })?;
            (section.blocks.start..section.blocks.start, section.index)
        };
        let with = sections.new_section(&self.title, &self.content, blocks.start)?;
        sections.replaced(blocks, with, index)
    }

    fn summary(&self, outcome: &Outcome) -> String {
        outcome.section() + messages::SECTION_INSERTED.text(outcome.locale)
    }

    fn draft(arguments: &Map<String, Value>, _: &Document) -> Option<Draft> {
        let target = Target::section(arguments.get("sectionIndex")?.as_i64()?, SectionUse::Place);
        Some(Draft::of_new_section(target, arriving(arguments, "title"), arriving(arguments, "content")))
    }
}
