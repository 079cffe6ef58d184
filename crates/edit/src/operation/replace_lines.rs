//! `replace_lines`: new content for ranges of lines, or for the whole document.

use crate::messages;
use super::line_edit::LineEdit;
use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::content::Format;
use crate::guard::extent;
use crate::{introduction, lines};
use crate::draft::Draft;
use crate::target::{LineRange, Target, line_ranges};
use crate::{Error, as_shown};
use copydesk_base::parameters;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Gives ranges of lines new content.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ReplaceLines {
    /// What to change; the ranges do not overlap.
    #[serde(default)]
    pub edits: Vec<LineEdit>,
    /// The version whose lines are meant. Default: that of the last read or result.
    pub version: Option<String>,
    /// Why, in the model's own words.
    pub instruction: Option<String>,
    /// True if content without lines replaces the whole document, whatever it is.
    pub whole: Option<bool>,
    /// The first line of an edit that is given without a list, or of the one in the list that has no lines.
    #[schemars(extend("hidden" = true))]
    #[serde(skip_serializing)]
    pub start_line: Option<i64>,
    /// Its last line, included.
    #[schemars(extend("hidden" = true))]
    #[serde(skip_serializing)]
    pub end_line: Option<i64>,
    /// Its content.
    #[schemars(extend("hidden" = true))]
    #[serde(skip_serializing)]
    pub content: Option<String>,
}

impl ReplaceLines {
    /// Returns the update with all of its edits in the list. An edit without lines takes those beside the list.
    ///
    /// # Errors
    /// [`Error::EditWithoutLines`] if one of several edits has no lines, and none are beside the list for it.
    pub fn listed(mut self) -> Result<ReplaceLines, Error> {
        let beside = LineRange { start: self.start_line.take(), end: self.end_line.take() };
        let content = self.content.take().filter(|content| self.edits.is_empty() || !content.is_empty());
        let edit = |content| LineEdit { start_line: beside.start, end_line: beside.end, content, format: None };
        let content = content.map(edit).filter(|edit| !self.edits.contains(edit));
        let has_lines = |edit: &LineEdit| !edit.range().is_empty();
        if let Some(content) = content {
            // The same content once in the list and once beside it is one edit.
            self.edits.retain(|edit| has_lines(edit) || edit.content != content.content);
            self.edits.push(content);
        } else if let [edit] = &mut self.edits.iter_mut().filter(|edit| !has_lines(edit)).collect::<Vec<_>>()[..] {
            (edit.start_line, edit.end_line) = (beside.start, beside.end);
        }
        match self.edits.iter().position(|edit| !has_lines(edit)) {
            Some(at) if self.edits.len() > 1 => {
                Err(Error::EditWithoutLines { number: at + 1, count: self.edits.len() })
            }
            _ => Ok(self),
        }
    }
}

impl Operation for ReplaceLines {
    const NAME: &'static str = "replace_lines";

    fn read(given: &Value) -> Result<ReplaceLines, Error> {
        let read: ReplaceLines = parameters::read(Self::NAME, given)?;
        if given.get("edits").is_none_or(Value::is_null) && read.content.is_none() {
            let (call, name) = (Self::NAME.to_owned(), "edits".to_owned());
            return Err(copydesk_base::Error::MissingParameter { call, name }.into());
        }
        let read = read.listed()?;
        if read.edits.is_empty() {
            let (name, given) = ("edits".to_owned(), "an empty list".to_owned());
            let expected = "at least one edit, with start_line, end_line and content".into();
            return Err(copydesk_base::Error::InvalidParameter { name, given, expected }.into());
        }
        Ok(read)
    }

    fn target(&self) -> Target {
        match &self.edits[..] {
            [edit] if edit.range().is_empty() => Target::Document,
            edits => Target::Lines(edits.iter().map(LineEdit::range).collect()),
        }
    }

    fn retarget(&mut self, target: &Target) {
        if let Target::Lines(ranges) = target {
            for (edit, range) in self.edits.iter_mut().zip(ranges) {
                (edit.start_line, edit.end_line) = (range.start, range.end);
            }
        }
        self.version = None;
    }

    fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn instruction(&self) -> Option<&str> {
        self.instruction.as_deref()
    }

    fn contents(&self) -> Vec<&str> {
        self.edits.iter().map(|edit| edit.content.as_str()).collect()
    }

    fn contents_mut(&mut self) -> Vec<(&mut String, Option<Format>)> {
        self.edits.iter_mut().map(|edit| (&mut edit.content, edit.format)).collect()
    }

    fn set_format(&mut self, format: Format) {
        self.edits.iter_mut().for_each(|edit| edit.format = edit.format.or(Some(format)));
    }

    fn complete(&mut self, then: &Document) {
        self.edits = lines::restored(then, &self.edits);
    }

    fn narrow(&mut self, then: &Document) -> bool {
        let [edit] = &self.edits[..] else { return false };
        if self.whole != Some(true) && extent::check_text(then, &as_shown::lines(&edit.content)).is_err() {
            return false;
        }
        let edits = lines::as_edits(then, &edit.content, edit.format);
        edits.map(|edits| self.edits = edits).is_some()
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let mut resolved = lines::resolve(host, document, &self.edits)?;
        let is_read = |edit: &&LineEdit| edit.format != Some(Format::Text);
        resolved.not_applied.extend(self.edits.iter().filter(is_read).filter_map(|edit| {
            let lines = match &line_ranges(&[edit.range()], document.line_count()).ok()?[..] {
                [range] if !edit.range().is_empty() => document.lines_between(*range.start(), *range.end()),
                _ => document.lines(),
            };
            introduction::left_out(&edit.content, document, &lines)
        }));
        if self.target() == Target::Document && self.whole != Some(true) {
            let mut after = document.clone();
            after.splice(resolved.blocks.clone(), resolved.with.clone());
            extent::check_document(document, &after.lines())?;
        }
        let mut facts = Map::new();
        if resolved.from_markdown {
            facts.insert("converted".into(), "markdown".into());
        }
        if let Some(reading) = resolved.reading {
            facts.insert("reading".into(), reading.name().into());
        }
        if !resolved.not_applied.is_empty() {
            facts.insert("notApplied".into(), serde_json::to_value(&resolved.not_applied).unwrap_or_default());
        }
        let lines = match self.target() {
            Target::Lines(ranges) => line_ranges(&ranges, document.line_count())?,
            _ => Vec::new(),
        };
        Ok(Resolved { lines, facts, ..Resolved::of(resolved.blocks, resolved.with) })
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let (locale, ranges, lines) = (outcome.locale, outcome.lines(), &outcome.resolved.lines);
        if !outcome.is_changed {
            return outcome.unchanged();
        }
        if lines.is_empty() {
            return messages::DOCUMENT_UPDATED.text(locale).into();
        }
        let is_one = lines.len() == 1 && lines[0].start() == lines[0].end();
        let ranges = &ranges;
        match (self.edits.iter().all(|edit| edit.content.is_empty()), is_one) {
            (true, true) => messages::LineDeleted { ranges }.text(locale),
            (true, false) => messages::LinesDeleted { ranges }.text(locale),
            (false, true) => messages::LineUpdated { ranges }.text(locale),
            (false, false) => messages::LinesUpdated { ranges }.text(locale),
        }
    }

    fn draft(arguments: &Map<String, Value>, _: &Document) -> Option<Draft> {
        let edit = arguments.get("edits")?.as_array()?.last()?.as_object()?;
        let range = Some(arriving_range(edit)).filter(|range| !range.is_empty());
        let range = range.unwrap_or_else(|| arriving_range(arguments));
        let target = if range.is_empty() { Target::Document } else { Target::Lines(vec![range]) };
        Some(Draft { target, content: edit.get("content")?.as_str()?.to_owned(), format: None })
    }
}

/// Returns the lines that arguments which are still arriving state.
fn arriving_range(arguments: &Map<String, Value>) -> LineRange {
    let number = |name: &str| arguments.get(name).and_then(Value::as_u64).and_then(|line| i64::try_from(line).ok());
    LineRange { start: number("start_line"), end: number("end_line") }
}
