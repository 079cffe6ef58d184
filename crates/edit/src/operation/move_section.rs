//! `move_section`: another place for a section.

use copydesk_base::parameters;
use crate::messages;
use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::section::Sections;
use crate::target::{SectionTarget, SectionUse, Target};
use crate::Error;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Moves a section with its heading. The comments describe its parameters to models.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoveSection {
    /// The section, as get_document numbers it; not 0.
    #[schemars(description = messages::MOVE_SECTION_SECTION_INDEX.text(parameters::locale()))]
    pub section_index: i64,
    /// The index that the section has afterwards; not 0.
    #[schemars(description = messages::MOVE_SECTION_TO_INDEX.text(parameters::locale()))]
    pub to_index: i64,
}

/// The parameter for the index to which the section moves.
const TO: &str = "toIndex";

impl Operation for MoveSection {
    const NAME: &'static str = "move_section";

    fn target(&self) -> Target {
        let moved = SectionTarget { parameter: "sectionIndex", index: self.section_index, usage: SectionUse::Moved };
        let place = SectionTarget { parameter: TO, index: self.to_index, usage: SectionUse::Place };
        Target::Sections(vec![moved, place])
    }

    fn retarget(&mut self, target: &Target) {
        for section in target.sections() {
            let index = if section.parameter == TO { &mut self.to_index } else { &mut self.section_index };
            *index = section.index;
        }
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let moved = sections.section(self.section_index, 1, Self::NAME)?;
        let place = sections.section_of(TO, self.to_index, 1, Self::NAME)?;
        let blocks = moved.blocks.start.min(place.blocks.start)..moved.blocks.end.max(place.blocks.end);
        let mut with = document.blocks()[blocks.clone()].to_vec();
        match moved.index < place.index {
            true => with.rotate_left(moved.blocks.len()),
            false => with.rotate_right(moved.blocks.len()),
        }
        sections.replaced(blocks, with, place.index)
    }

    fn summary(&self, outcome: &Outcome) -> String {
        if !outcome.is_changed {
            return outcome.unchanged();
        }
        let (from, to) = (self.section_index, outcome.section());
        messages::SectionMoved { from: &from, to: &to }.text(outcome.locale)
    }
}
