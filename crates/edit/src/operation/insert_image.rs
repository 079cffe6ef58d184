//! `insert_image`: an image before or after a section.

use copydesk_base::parameters;
use crate::messages;
use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::content;
use crate::parent::holds;
use crate::section::Sections;
use crate::target::{SectionUse, Target};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::host::is_http_url;
use copydesk_document::{Document, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Inserts an image before or after a section. The comments describe its parameters to models.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertImage {
    /// The section, as get_document numbers it.
    #[schemars(description = messages::INSERT_IMAGE_SECTION_INDEX.text(parameters::locale()))]
    pub section_index: i64,
    /// The url of a picture from the results of search_image.
    #[schemars(description = messages::INSERT_IMAGE_IMAGE_URL.text(parameters::locale()))]
    pub image_url: String,
    /// The alternative text of the image.
    #[schemars(description = messages::INSERT_IMAGE_IMAGE_DESCRIPTION.text(parameters::locale()))]
    pub image_description: String,
    /// On which side of the section. Default after_section.
    #[schemars(description = messages::INSERT_IMAGE_POSITION.text(parameters::locale()))]
    pub position: Option<ImagePosition>,
}

/// The side of a section on which an image is inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImagePosition {
    /// At its end.
    #[default]
    AfterSection,
    /// Before its heading.
    BeforeSection,
}

impl Operation for InsertImage {
    const NAME: &'static str = "insert_image";

    fn target(&self) -> Target {
        Target::section(self.section_index, SectionUse::Place)
    }

    fn retarget(&mut self, target: &Target) {
        target.sections().iter().for_each(|section| self.section_index = section.index);
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let section = sections.section(self.section_index, 0, Self::NAME)?;
        if !is_http_url(&self.image_url) {
            return Err(Error::InvalidUrl { name: "imageUrl", given: excerpt(&self.image_url) });
        }
        let at = match self.position.unwrap_or_default() {
            ImagePosition::BeforeSection => section.blocks.start,
            ImagePosition::AfterSection => section.blocks.end.min(sections.end().start),
        };
        let with = host.parse(&content::image(&self.image_url, &self.image_description), at)?;
        let is_it = |node: &Node| node.attrs().get("src").is_some_and(|src| *src == self.image_url);
        if !with.iter().any(|block| holds(block, &is_it)) {
            return Err(Error::NotInSchema { what: "<img>".into() });
        }
        sections.replaced(at..at, with, section.index)
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let (index, locale) = (outcome.index(), outcome.locale);
        match self.position.unwrap_or_default() {
            ImagePosition::AfterSection => messages::ImageAfter { index: &index }.text(locale),
            ImagePosition::BeforeSection => messages::ImageBefore { index: &index }.text(locale),
        }
    }
}
