//! The range that a call whose arguments are still arriving will change, and its content so far.
//!
//! A preview is a guess for the eye, without effects: the edit itself is resolved when the call is complete.

use super::content::Format;
use super::draft::Draft;
use super::operation::DocUpdate;
use super::relocate::Shown;
use super::relocate::locate::locate;
use super::target::{SectionUse, Target, TextMatch};
use copydesk_document::Document;
use serde::Serialize;
use serde_json::{Map, Value};

/// A range of a document and the content that is arriving for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preview {
    /// The beginning of the range that is replaced.
    pub from: usize,
    /// The end of the range.
    pub to: usize,
    /// The content so far.
    pub content: String,
    /// The format of the content, as far as it can be told.
    pub format: Format,
}

impl Preview {
    /// Returns it as JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Returns the preview in the current document of an update `{operation, …}` that is still arriving; `None` if it
/// writes nothing, or if it does not state its target yet.
pub fn preview(now: &Document, shown: &Shown, arguments: &Map<String, Value>) -> Option<Preview> {
    let Draft { target, content, format } = DocUpdate::draft(arguments, now)?;
    let (from, to) = range(now, shown, &target)?;
    let format = match format.unwrap_or_else(|| Format::of(&content)) {
        Format::Html => Format::Html,
        Format::Markdown | Format::Text => Format::Text,
    };
    Some(Preview { from, to, content, format })
}

/// Returns the range of a target in the current document.
fn range(now: &Document, shown: &Shown, target: &Target) -> Option<(usize, usize)> {
    match target {
        Target::Document => Some((0, now.size())),
        Target::End => Some((now.size(), now.size())),
        Target::Sections(sections) => {
            let stated = sections.first()?;
            let section = shown.section(now, usize::try_from(stated.index).ok()?)?;
            match stated.usage {
                SectionUse::Place | SectionUse::Moved => Some((section.from, section.from)),
                SectionUse::Replaced | SectionUse::Removed => {
                    let first = section.heading.map_or(section.blocks.start, |heading| heading + 1);
                    Some((now.block_start(first), section.to))
                }
            }
        }
        Target::Lines(ranges) => {
            let then = shown.meant_snapshot()?;
            let (found, _) = locate(then, &ranges.first()?.lines(then.line_count()).ok()?, now)?;
            let lines = now.lines_between(*found.start(), *found.end());
            Some((lines.first()?.from, lines.last()?.to))
        }
        Target::Text(TextMatch { old, .. }) => only_match(now, old),
    }
}

/// Returns the range of a text; `None` unless it occurs exactly once.
fn only_match(now: &Document, old: &str) -> Option<(usize, usize)> {
    let lines = now.lines();
    let mut matches = lines.iter().flat_map(|line| {
        line.text.match_indices(old).map(|(at, found)| (line.position(at), line.position(at + found.len())))
    });
    let range = matches.next().filter(|_| !old.is_empty())?;
    matches.next().is_none().then_some(range)
}
