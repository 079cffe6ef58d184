//! The parts of a document that can be read in the result of a tool.
//!
//! A result changes on its way to the model: it is paged, hooks of the app replace or drop it, and a stopped run never
//! sends it. So reading a document shows nothing yet. A tool that reads returns [`Evidence`] beside its result: the
//! exact text by which each line and each section appears in it. When a request is sent, the results in it are searched
//! for these texts once, and [`Shown`](super::relocate::Shown) gets those that they contain completely.

use super::apply::DocumentHost;
use super::section;
use crate::Error;
use copydesk_base::locale::Locale;
use copydesk_document::{BlockId, Document, Section, Style};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::ops::{Range, RangeInclusive};

/// The length of the prefix by which texts are looked up, in bytes.
const PREFIX: usize = 32;
/// No text that shows something is shorter: a row of an empty line, a rule.
const SHORTEST: usize = 3;
/// Number of levels of a result that are searched.
const DEEPEST: usize = 64;

/// The parts of a document that one result contains, and which of them were sent to the model so far.
pub struct Evidence {
    document: Document,
    /// Orders evidence by when the document was read.
    at: u64,
    units: Vec<Unit>,
    /// The number of the first unit of each section of the outline: its entry; its content follows.
    sections: Vec<Entry>,
    /// True if this result has a whole line that is longer than what is shown of a line elsewhere.
    uncut: bool,
    /// The units that were found in the sent results.
    found: RefCell<FxHashSet<usize>>,
    /// Search patterns of the units that were not found yet.
    patterns: RefCell<Option<[Patterns; 2]>>,
}

impl fmt::Debug for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Evidence of {}: {} of {} units",
            self.document.version(),
            self.found.borrow().len(),
            self.units.len()
        )
    }
}

/// A section as it appears in a result.
struct Entry {
    section: Section,
    /// The units of its content; `None` if the result has only the outline.
    content: Option<Range<usize>>,
    /// The unit of its entry in the outline.
    unit: usize,
}

/// The smallest part of a document that a result shows or does not show.
struct Unit {
    what: What,
    /// The text by which it appears in the result.
    text: String,
}

impl Unit {
    /// Returns whether it is a text, and no part of the JSON of a result.
    fn is_text(&self) -> bool {
        matches!(self.what, What::Line(_) | What::Content) || self.text.starts_with('\n')
    }
}

#[derive(Clone, Copy)]
enum What {
    /// A line with its number.
    Line(usize),
    /// The entry of a section in an outline.
    Entry,
    /// A part of a section's content.
    Content,
    /// The outline of a document without sections.
    Blank,
}

/// The parts of a document that were found in the results that were sent.
#[derive(Default)]
pub struct Excerpts {
    /// Numbers of lines.
    pub lines: Vec<usize>,
    /// Indexes of sections whose entries in an outline were found.
    pub entries: Vec<usize>,
    /// Top-level blocks that were shown as HTML.
    pub blocks: Vec<usize>,
    /// True if the outline of a document without sections was found.
    pub blank: bool,
}

impl Excerpts {
    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.entries.is_empty() && self.blocks.is_empty() && !self.blank
    }
}

impl Evidence {
    /// A result that shows nothing of the document yet. `at` grows with each reading of it.
    pub fn new(document: &Document, at: u64) -> Evidence {
        Evidence {
            document: document.clone(),
            at,
            units: Vec::new(),
            sections: Vec::new(),
            uncut: false,
            found: RefCell::default(),
            patterns: RefCell::default(),
        }
    }

    /// Adds lines as [`Document::numbered`] writes them in [`Style::Structure`], and returns that text.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn with_lines(&mut self, lines: RangeInclusive<usize>) -> Result<String, Error> {
        self.with_lines_in(lines, Locale::En)
    }

    /// Does the same as [`Evidence::with_lines`], with a headline in a language.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn with_lines_in(&mut self, lines: RangeInclusive<usize>, locale: Locale) -> Result<String, Error> {
        let (start, end) = (Some(*lines.start()), Some(*lines.end()));
        let (text, rows) = self.document.numbered_rows(start, end, Style::Structure, locale)?;
        self.uncut = lines.start() == lines.end();
        let unit =
            |(line, row): (usize, Range<usize>)| Unit { what: What::Line(line), text: format!("\n{}", &text[row]) };
        self.units.extend(rows.into_iter().map(unit));
        Ok(text)
    }

    /// Adds whole lines, however long. Returns the rows alone, with a newline before each.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn with_whole_lines(&mut self, lines: RangeInclusive<usize>) -> Result<String, Error> {
        let (text, rows) = self.document.whole_rows(lines)?;
        self.uncut = true;
        let unit =
            |(line, row): (usize, Range<usize>)| Unit { what: What::Line(line), text: format!("\n{}", &text[row]) };
        self.units.extend(rows.into_iter().map(unit));
        Ok(text.find('\n').map_or_else(String::new, |start| text[start..].to_owned()))
    }

    /// The result has the outline as text: `row` writes the row of a section, or of a document without sections,
    /// beginning with a newline. Returns the rows.
    pub fn with_outline_rows(&mut self, row: &dyn Fn(Option<&Section>) -> String) -> String {
        let mut written = String::new();
        for section in self.document.sections().iter() {
            let (unit, text) = (self.units.len(), row(Some(section)));
            written += &text;
            self.units.push(Unit { what: What::Entry, text });
            self.sections.push(Entry { section: section.clone(), content: None, unit });
        }
        if self.sections.is_empty() {
            written = row(None);
            self.units.push(Unit { what: What::Blank, text: written.clone() });
        }
        written
    }

    /// The result has the outline: `{index, title}` for each section.
    pub fn with_outline(&mut self) {
        for section in self.document.sections().iter() {
            let unit = self.units.len();
            // As it begins in the JSON of a result.
            let title = Value::from(section.title.as_str()).to_string();
            self.units
                .push(Unit { what: What::Entry, text: format!("{{\"index\":{},\"title\":{title}", section.index) });
            self.sections.push(Entry { section: section.clone(), content: None, unit });
        }
        if self.sections.is_empty() {
            self.units.push(Unit { what: What::Blank, text: "\"sections\":[]".into() });
        }
    }

    /// The result has the content of a section of the outline; returns it as HTML.
    ///
    /// # Errors
    /// Those of the holder of the document.
    pub fn with_content(&mut self, host: &dyn DocumentHost, index: usize) -> Result<String, Error> {
        let Some(entry) = self.sections.get_mut(index) else { return Ok(String::new()) };
        let parts = section::html_parts(host, &self.document, &entry.section)?;
        let first = self.units.len();
        let written = parts.concat();
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        self.units.extend(parts.map(|text| Unit { what: What::Content, text }));
        entry.content = Some(first..self.units.len());
        Ok(written)
    }

    /// The document that was read.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Its place in the order of readings.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Returns whether long lines are whole in the result.
    pub fn is_uncut(&self) -> bool {
        self.uncut
    }

    /// Records the units that a sent result contains. `is_page` is called with each text in it, and returns whether it
    /// recorded by itself what that shows: see [`Evidence::places`].
    pub fn search(&self, content: &Value, is_page: &mut dyn FnMut(&str) -> bool) {
        self.search_value(content, DEEPEST, is_page);
    }

    fn search_value(&self, value: &Value, depth: usize, is_page: &mut dyn FnMut(&str) -> bool) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::String(text) => self.search_text(text, depth, is_page),
            Value::Array(items) => items.iter().for_each(|item| self.search_value(item, depth, is_page)),
            Value::Object(fields) => {
                let index = fields.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
                let entry = index.and_then(|index| self.sections.get(index));
                let titled =
                    |entry: &&Entry| fields.get("title").and_then(Value::as_str) == Some(entry.section.title.as_str());
                let entry = entry.filter(titled);
                if let Some(entry) = entry {
                    self.note(entry.unit);
                }
                if fields.get("sections").and_then(Value::as_array).is_some_and(Vec::is_empty) {
                    let blank = self.units.iter().position(|unit| matches!(unit.what, What::Blank));
                    blank.into_iter().for_each(|unit| self.note(unit));
                }
                for (name, field) in fields {
                    match (field, entry) {
                        (Value::String(text), Some(entry)) if name == "content" && self.is_content(entry, text) => {
                            entry.content.clone().into_iter().flatten().for_each(|unit| self.note(unit));
                        }
                        // It was found as it is.
                        (_, Some(_)) if name == "title" => {}
                        _ => self.search_value(field, depth, is_page),
                    }
                }
            }
            _ => {}
        }
    }

    fn search_text(&self, text: &str, depth: usize, is_page: &mut dyn FnMut(&str) -> bool) {
        // Mostly all was found in the sections already, and the text is the whole document once more.
        let is_all = self.found.borrow().len() == self.units.len();
        if is_all || text.len() < SHORTEST || is_page(text) {
            return;
        }
        // A hook may give a result as text.
        if is_json(text)
            && let Ok(value) = serde_json::from_str(text)
        {
            return self.search_value(&value, depth, is_page);
        }
        let mut patterns = self.patterns.borrow_mut();
        let found = self.find(text, patterns.get_or_insert_with(|| self.patterns()));
        found.into_iter().for_each(|(_, unit)| self.note(unit));
    }

    /// Notes that a unit was sent.
    pub fn note(&self, unit: usize) {
        self.found.borrow_mut().insert(unit);
    }

    /// Returns whether a text is all of a section's content.
    fn is_content(&self, entry: &Entry, text: &str) -> bool {
        let Some(units) = entry.content.clone() else { return false };
        let mut parts = self.units[units].iter();
        parts.try_fold(text, |rest, unit| rest.strip_prefix(unit.text.as_str())).is_some_and(str::is_empty)
    }

    /// Returns the byte ranges of the units in a text of this result. The text may be JSON, also without its end.
    pub fn places(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        self.find(text, &mut self.patterns())
    }

    /// The units as they appear in a text, and as they appear in JSON.
    fn patterns(&self) -> [Patterns; 2] {
        let units = || self.units.iter().enumerate();
        let plain = units().filter(|(_, unit)| unit.is_text()).map(|(at, unit)| (at, unit.text.clone()));
        let json = units().map(|(at, unit)| (at, if unit.is_text() { escaped(&unit.text) } else { unit.text.clone() }));
        [Patterns::new(plain.collect()), Patterns::new(json.collect())]
    }

    fn find(&self, text: &str, [plain, json]: &mut [Patterns; 2]) -> Vec<(Range<usize>, usize)> {
        // A row ends where its line does, and the first row of a text has no newline before it.
        let is_line = |unit: usize| matches!(self.units[unit].what, What::Line(_));
        let ends = |unit: usize, rest: &str| !is_line(unit) || rest.is_empty() || rest.starts_with(['\n', '\r']);
        let mut places = plain.find(&format!("\n{text}"), &ends);
        places.iter_mut().for_each(|(place, _)| *place = place.start.saturating_sub(1)..place.end - 1);
        if is_json(text) {
            let ends = |unit: usize, rest: &str| !is_line(unit) || rest.starts_with("\\n") || rest.starts_with('"');
            places.extend(json.find(text, &ends));
        }
        places
    }

    /// Returns the parts that were found so far.
    pub fn shown(&self) -> Excerpts {
        let found = self.found.borrow();
        let mut shown = Excerpts::default();
        for (_, unit) in self.units.iter().enumerate().filter(|(at, _)| found.contains(at)) {
            match unit.what {
                What::Line(line) => shown.lines.push(line),
                What::Blank => shown.blank = true,
                What::Entry | What::Content => {}
            }
        }
        for (index, entry) in self.sections.iter().enumerate() {
            let is_listed = found.contains(&entry.unit);
            if is_listed {
                shown.entries.push(index);
                shown.blocks.extend(entry.section.heading);
            }
            // Section by section: half of one may read like the whole of another.
            if entry.content.clone().is_some_and(|mut units| units.all(|unit| found.contains(&unit))) && is_listed {
                let heading = entry.section.heading;
                shown.blocks.extend(entry.section.blocks.clone().filter(|block| Some(*block) != heading));
            }
        }
        shown
    }

    /// The blocks of a section of the outline.
    pub fn section(&self, index: usize) -> Vec<BlockId> {
        let entry = self.sections.get(index);
        entry.map(|entry| self.document.block_ids()[entry.section.blocks.clone()].to_vec()).unwrap_or_default()
    }

    /// Returns the number of sections of the outline.
    pub fn section_count(&self) -> usize {
        self.sections.len()
    }
}

fn is_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}

/// A text as it is inside a JSON string.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// Texts that are looked for: in one pass over a text, however many they are.
struct Patterns {
    /// The unit that each is of, and itself.
    texts: Vec<(usize, String)>,
    /// Those that are not found yet, by their prefix.
    by_prefix: FxHashMap<Vec<u8>, VecDeque<usize>>,
    /// The lengths of prefixes.
    lengths: Vec<usize>,
    first_bytes: [bool; 256],
}

impl Patterns {
    fn new(texts: Vec<(usize, String)>) -> Patterns {
        let (mut first_bytes, mut lengths) = ([false; 256], Vec::new());
        let mut by_prefix: FxHashMap<Vec<u8>, VecDeque<usize>> = FxHashMap::default();
        for (at, (_, text)) in texts.iter().enumerate() {
            let prefix = &text.as_bytes()[..text.len().min(PREFIX)];
            let Some(first) = prefix.first() else { continue };
            first_bytes[usize::from(*first)] = true;
            if !lengths.contains(&prefix.len()) {
                lengths.push(prefix.len());
            }
            by_prefix.entry(prefix.to_vec()).or_default().push_back(at);
        }
        Patterns { texts, by_prefix, lengths, first_bytes }
    }

    /// Returns the ranges of units in a text that were not found before, in bytes, with their units; equal units have a
    /// range each. `ends` is called with a unit and the text behind it, and returns whether the unit may end there.
    fn find(&mut self, text: &str, ends: &dyn Fn(usize, &str) -> bool) -> Vec<(Range<usize>, usize)> {
        let bytes = text.as_bytes();
        let mut places = Vec::new();
        for start in (0..bytes.len()).filter(|at| self.first_bytes[usize::from(bytes[*at])]) {
            for length in &self.lengths {
                let prefix = bytes.get(start..start + length);
                let Some(candidates) = prefix.and_then(|prefix| self.by_prefix.get_mut(prefix)) else { continue };
                let is_here = |at: &usize| {
                    let (unit, pattern) = &self.texts[*at];
                    text[start..].strip_prefix(pattern.as_str()).is_some_and(|rest| ends(*unit, rest))
                };
                if let Some(found) = candidates.iter().position(is_here).and_then(|at| candidates.remove(at)) {
                    let (unit, pattern) = &self.texts[found];
                    places.push((start..start + pattern.len(), *unit));
                }
            }
        }
        places
    }
}
