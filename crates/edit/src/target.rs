//! Targets: the parts of a document that doc updates refer to.
//!
//! A target is the pivot of this crate: relocating, persisting and previewing work on targets and know no operation.
//! The parameters that state a target have the same names in every operation and tool, so that a target can be
//! written into the arguments of any call.

use crate::Error;
use copydesk_base::lenient_json;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The part of a document that a doc update refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Sections by their indexes.
    Sections(Vec<SectionTarget>),
    /// Ranges of lines by their numbers.
    Lines(Vec<LineRange>),
    /// A text inside lines.
    Text(TextMatch),
    /// The whole document.
    Document,
    /// The end of the document.
    End,
}

/// A section by its index.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionTarget {
    /// The parameter that states the index.
    pub parameter: &'static str,
    /// The index.
    pub index: i64,
    /// The use of the section.
    pub usage: SectionUse,
}

/// The use of a section that a doc update refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionUse {
    /// Its content stays; it states a place.
    Place,
    /// Its content stays; it takes another place.
    Moved,
    /// Its content is replaced.
    Replaced,
    /// The section is removed.
    Removed,
}

impl SectionUse {
    /// Returns whether content of the section is lost, so that the model must know it.
    pub fn overwrites(self) -> bool {
        matches!(self, SectionUse::Replaced | SectionUse::Removed)
    }
}

/// A range of lines as it is stated: one line if only one end is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRange {
    /// The first line, counted from 1.
    pub start: Option<i64>,
    /// The last line, included.
    pub end: Option<i64>,
}

/// A text inside lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextMatch {
    /// The text.
    pub old: String,
    /// The line it is in or near, where it occurs more than once.
    pub near_line: Option<i64>,
    /// True if every occurrence is meant.
    pub all: bool,
}

impl Target {
    /// Returns the target of one section, stated by `sectionIndex`.
    pub fn section(index: i64, usage: SectionUse) -> Target {
        Target::Sections(vec![SectionTarget { parameter: "sectionIndex", index, usage }])
    }

    /// Returns the sections that are meant; empty if the target is something else.
    pub fn sections(&self) -> &[SectionTarget] {
        match self {
            Target::Sections(sections) => sections,
            _ => &[],
        }
    }

    /// Returns whether lines are meant, and not sections or the end.
    pub fn is_by_lines(&self) -> bool {
        matches!(self, Target::Lines(_) | Target::Text(_) | Target::Document)
    }

    /// Writes the target into the arguments of a call that states one of the same kind.
    pub fn write(&self, arguments: &mut Map<String, Value>) {
        match self {
            Target::Sections(sections) => {
                for SectionTarget { parameter, index, .. } in sections {
                    arguments.insert((*parameter).to_owned(), (*index).into());
                }
            }
            Target::Lines(ranges) => {
                let mut ranges = ranges.iter();
                if let Some(Value::Array(edits)) = arguments.get_mut("edits").map(as_list) {
                    let edits = edits.iter_mut().filter_map(Value::as_object_mut);
                    edits.zip(ranges.by_ref()).for_each(|(edit, range)| range.write(edit));
                }
                ranges.next().into_iter().for_each(|range| range.write(arguments));
            }
            Target::Text(TextMatch { near_line: Some(line), .. }) => {
                arguments.insert("near_line".to_owned(), (*line).into());
            }
            Target::Text(_) | Target::Document | Target::End => {}
        }
    }
}

impl LineRange {
    /// Returns the range of these lines.
    pub fn of(lines: &RangeInclusive<usize>) -> LineRange {
        LineRange { start: Some(*lines.start() as i64), end: Some(*lines.end() as i64) }
    }

    /// Returns whether no line is stated.
    pub fn is_empty(&self) -> bool {
        self.start.is_none() && self.end.is_none()
    }

    /// Returns the lines. Fails with [`Error::LineOutOfRange`] if a document of `total` lines does not have them.
    pub fn lines(&self, total: usize) -> Result<RangeInclusive<usize>, Error> {
        let (start, end) = (self.start.or(self.end), self.end.or(self.start));
        let number = |line: Option<i64>| {
            line.and_then(|line| usize::try_from(line).ok()).filter(|line| (1..=total).contains(line))
        };
        match (number(start), number(end)) {
            (Some(start), Some(end)) if start <= end => Ok(start..=end),
            _ => Err(Error::LineOutOfRange { start: start.unwrap_or_default(), end: end.unwrap_or_default(), total }),
        }
    }

    fn write(&self, edit: &mut Map<String, Value>) {
        edit.insert("start_line".to_owned(), self.start.into());
        edit.insert("end_line".to_owned(), self.end.into());
    }
}

/// Returns the lines of several ranges.
///
/// # Errors
/// [`Error::LineOutOfRange`], [`Error::OverlappingEdits`].
pub fn line_ranges(ranges: &[LineRange], total: usize) -> Result<Vec<RangeInclusive<usize>>, Error> {
    let ranges: Vec<_> = ranges.iter().map(|range| range.lines(total)).collect::<Result<_, _>>()?;
    let mut sorted: Vec<_> = ranges.iter().map(|range| (*range.start(), *range.end())).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].1 >= pair[1].0) {
        Some(pair) => Err(Error::OverlappingEdits { first: pair[0], second: pair[1] }),
        None => Ok(ranges),
    }
}

/// Returns edits as a list, where they were given as text or as one object.
fn as_list(edits: &mut Value) -> &mut Value {
    if let Some(inside) = edits.as_str().and_then(|text| lenient_json::read(text).ok()) {
        *edits = inside;
    }
    if edits.is_object() {
        *edits = vec![edits.take()].into();
    }
    edits
}
