//! `append`: a new section at the end.

use crate::messages;
use super::{Operation, Outcome, arriving, needs_title};
use crate::apply::{DocumentHost, Resolved};
use crate::draft::Draft;
use crate::section::Sections;
use crate::target::Target;
use crate::Error;
use copydesk_base::parameters;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Adds a section at the end.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Append {
    /// The text of its heading.
    pub title: String,
    /// Its content.
    pub content: String,
}

impl Operation for Append {
    const NAME: &'static str = "append";

    fn read(given: &Value) -> Result<Append, Error> {
        let given: Append = parameters::read(Self::NAME, given)?;
        needs_title(Self::NAME, &given.title)?;
        Ok(given)
    }

    fn target(&self) -> Target {
        Target::End
    }

    fn retarget(&mut self, _: &Target) {}

    fn contents(&self) -> Vec<&str> {
        vec![&self.content]
    }

    fn blocks_mut(&mut self) -> Option<&mut String> {
        Some(&mut self.content)
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let blocks = sections.end();
        let with = sections.new_section(&self.title, &self.content, blocks.start)?;
        sections.replaced(blocks, with, sections.count().max(1))
    }

    fn summary(&self, outcome: &Outcome) -> String {
        outcome.section() + messages::SECTION_APPENDED.text(outcome.locale)
    }

    fn draft(arguments: &Map<String, Value>, _: &Document) -> Option<Draft> {
        let (title, content) = (arriving(arguments, "title"), arriving(arguments, "content"));
        Some(Draft::of_new_section(Target::End, title, content))
    }
}
