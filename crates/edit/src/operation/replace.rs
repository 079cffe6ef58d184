//! `replace`: new content for a section, and a new heading where a title is given.

use crate::messages;
use super::{Operation, Outcome, arriving};
use crate::apply::{DocumentHost, Resolved};
use crate::content::{self, Format};
use crate::guard::extent;
use crate::draft::Draft;
use crate::section::Sections;
use crate::target::{SectionUse, Target};
use crate::Error;
use copydesk_base::parameters;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Replaces the content of a section, and its heading if `title` is given. Section 0 is the area of the h1.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Replace {
    /// The section.
    pub section_index: i64,
    /// The new text of the heading, where it changes.
    pub title: Option<String>,
    /// The new content, without the heading.
    pub content: String,
    /// True if the content may delete most of the document.
    pub whole: Option<bool>,
    /// The format of content that is read row by row, if that is stated.
    #[serde(skip)]
    pub format: Option<Format>,
}

impl Operation for Replace {
    const NAME: &'static str = "replace";

    fn read(given: &Value) -> Result<Replace, Error> {
        let given: Replace = parameters::read(Self::NAME, given)?;
        let title = given.title.filter(|title| !title.trim().is_empty());
        Ok(Replace { title, ..given })
    }

    fn target(&self) -> Target {
        Target::section(self.section_index, SectionUse::Replaced)
    }

    fn retarget(&mut self, target: &Target) {
        target.sections().iter().for_each(|section| self.section_index = section.index);
    }

    fn contents(&self) -> Vec<&str> {
        vec![&self.content]
    }

    fn heading(&self) -> Option<String> {
        let lines = content::lines_without_tags(&self.content);
        // Models repeat the heading at the beginning of the content.
        let is_heading = self.content.trim_start().starts_with("## ")
            || content::outer_tag(&self.content).is_some_and(|tag| tag == "h1" || tag == "h2");
        let lead = content::written_lines(&lines).first().copied().filter(|_| is_heading);
        self.title.as_deref().or(lead).map(|title| content::title_text(title).to_owned())
    }

    fn blocks_mut(&mut self) -> Option<&mut String> {
        Some(&mut self.content)
    }

    fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let sections = Sections::of(host, document);
        let title = self.title.as_deref();
        if self.section_index == 0 && sections.is_empty() {
            return sections.replaced(0..document.blocks().len(), sections.opening(title, &self.content, self.format)?, 0);
        }
        let section = sections.section(self.section_index, 0, Self::NAME)?;
        let with = sections.rewritten(section, title, &self.content, self.format)?;
        if self.whole != Some(true) {
            extent::check_section(document, section.blocks.clone(), &with)?;
        }
        sections.replaced(section.blocks.clone(), with, section.index)
    }

    fn summary(&self, outcome: &Outcome) -> String {
        outcome.section() + messages::SECTION_UPDATED.text(outcome.locale)
    }

    fn draft(arguments: &Map<String, Value>, now: &Document) -> Option<Draft> {
        let index = arguments.get("sectionIndex")?.as_i64()?;
        let (title, written) = (arriving(arguments, "title"), arriving(arguments, "content"));
        if now.sections().is_empty() && index == 0 {
            let heading = if title.is_empty() { String::new() } else { content::heading(1, title) };
            let content = heading + &content::to_html(written);
            return Some(Draft { target: Target::Document, content, format: Some(Format::Html) });
        }
        let target = Target::section(index, SectionUse::Replaced);
        Some(Draft { target, content: written.to_owned(), format: None })
    }
}
