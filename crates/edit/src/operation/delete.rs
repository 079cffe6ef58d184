//! `delete`: removes a section, heading and all.

use crate::messages;
use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::section::Sections;
use crate::target::{SectionUse, Target};
use crate::Error;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Removes a section, heading and all.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delete {
    /// The section; not 0.
    pub section_index: i64,
}

impl Operation for Delete {
    const NAME: &'static str = "delete";

    fn target(&self) -> Target {
        Target::section(self.section_index, SectionUse::Removed)
    }

    fn retarget(&mut self, target: &Target) {
        target.sections().iter().for_each(|section| self.section_index = section.index);
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let section = sections.section(self.section_index, 1, Self::NAME)?;
        sections.replaced(section.blocks.clone(), Vec::new(), section.index)
    }

    fn summary(&self, outcome: &Outcome) -> String {
        outcome.section_before() + messages::SECTION_DELETED.text(outcome.locale)
    }
}
