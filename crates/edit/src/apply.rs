//! One edit from the asking to the result.

use super::change::Change;
use super::content::Format;
use super::guard::{self, Bound, Report};
use super::hunk::Verdict;
use super::locate::FoundBy;
use super::markdown;
use super::provenance::Provenance;
use super::record::{self, DiffRecord, Stated};
use super::section::Replacement;
use super::update::DocUpdate;
use super::{carry, find_text, lines, message, plan, section};
use crate::Error;
use crate::guard::dropped::{Dropped, list_dropped};
use crate::markdown::Markdown;
use copydesk_base::fields::form;
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Node, Section};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

pub use super::cell::DocumentCell;

/// Whoever holds a document: an editor, or a [`DocumentCell`]. Under review it is the proposal that is read and changed.
///
/// Calls may come back into the holder before they return (an editor reports its own transactions), so they are
/// made with nothing borrowed.
pub trait DocumentHost {
    /// The document of this moment.
    fn document(&self) -> Result<Document, Error>;
    /// HTML as blocks of the holder's own schema that may stand at index `at` among the top-level blocks.
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error>;
    /// Some of its top-level blocks as HTML, as the holder's schema writes them.
    fn html(&self, blocks: Range<usize>) -> Result<String, Error>;
    /// Makes all changes as one transaction, or none.
    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error>;
    /// A name for a turn that begins, which no other turn on this document has.
    fn new_turn(&self) -> String;
    /// Whether an edit of now would wait for the person.
    fn proposes(&self) -> bool {
        false
    }
    /// A position in what the editor holds, for one in [`DocumentHost::document`].
    fn in_editor(&self, position: usize) -> usize {
        position
    }
    /// The document with a version, as it was shown; an error with the versions that are remembered.
    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        Err(Error::UnknownVersion { given: version.to_owned(), valid: Vec::new() })
    }
    /// What edits may do.
    fn guards(&self) -> Rc<Bound> {
        Rc::default()
    }
    /// What the person decided about the proposals of these turns since this was last asked.
    fn verdicts(&self, _turns: &[String]) -> Vec<Verdict> {
        Vec::new()
    }
    /// What turns Markdown into HTML, where there is something.
    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        None
    }
}

/// Whose edit it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The turn, as [`DocumentHost::new_turn`] named it; none for an edit that no model asked for.
    pub turn: Option<String>,
    /// The tool call.
    pub tool_id: Option<String>,
    /// Why, in the model's own words.
    pub instruction: Option<String>,
    /// How the lines that it names were found.
    pub found_by: Option<FoundBy>,
}

/// What an edit is made with.
#[derive(Clone, Debug, Default)]
pub struct EditContext {
    /// The language of results and errors.
    pub locale: Locale,
    /// Whose edit it is.
    pub origin: Origin,
    /// The lines as the model gave them, where they had to be found again.
    pub stated: Option<Vec<Stated>>,
    /// Whether the edit may drop what the guards would keep.
    pub confirm_drop: bool,
    /// The addresses that a model's edit may bring: those that it did not make up. None for an edit of the app itself.
    pub provenance: Option<Rc<Provenance>>,
    /// How the content is written; found out where nobody says it.
    pub format: Option<Format>,
}

impl From<Locale> for EditContext {
    /// An edit that no model asked for.
    fn from(locale: Locale) -> EditContext {
        EditContext { locale, ..EditContext::default() }
    }
}

/// What an edit came to.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The operation's name.
    pub operation: &'static str,
    /// The section that the edit was about; none for an edit of lines.
    pub section_index: Option<usize>,
    /// What happened, in one sentence.
    pub message: String,
    /// What it dropped, where the guards report it.
    pub dropped: Vec<Dropped>,
    /// The changes that were made, as JSON.
    pub changes: Value,
    /// The same line by line.
    pub diffs: Vec<DiffRecord>,
    /// What else there is to say: how content was read, what was not applied.
    pub facts: Map<String, Value>,
    /// The outline after the edit.
    pub outline: Value,
    /// The tag of the document after the edit.
    pub version: String,
}

impl Applied {
    /// The result as `Document.apply` gives it and a `doc_update` event carries it.
    pub fn to_map(&self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("success".into(), true.into());
        map.insert("operation".into(), self.operation.into());
        if let Some(index) = self.section_index {
            map.insert("sectionIndex".into(), index.into());
        }
        map.insert("message".into(), self.message.clone().into());
        map.extend(self.facts.clone());
        map.insert("changes".into(), self.changes.clone());
        map.insert("diffs".into(), self.diffs.iter().map(DiffRecord::to_value).collect());
        map.insert("sections".into(), self.outline.clone());
        map.insert("version".into(), self.version.clone().into());
        if !self.dropped.is_empty() {
            map.insert("dropped".into(), serde_json::json!(self.dropped));
        }
        map
    }
}

/// Applies a doc update: whole, or not at all.
pub fn apply(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Applied, Error> {
    let before = host.document()?;
    let (mut resolved, changes, report) = prepare(host, &before, update, context)?;
    if !changes.is_empty() {
        let mut origin = context.origin.clone();
        origin.instruction = origin.instruction.or_else(|| update.instruction().map(str::to_owned));
        origin.found_by = resolved.stated.iter().map(|stated| stated.by).max();
        host.dispatch(&changes, &origin)?;
    }
    if host.proposes() && !changes.is_empty() {
        resolved.facts.insert("pending".into(), true.into());
    }
    let after = host.document()?;
    let sections = after.sections();
    let instruction = context.origin.instruction.as_deref().or(update.instruction());
    let mut message = message::message(update, &resolved, &before, &sections, changes.is_empty(), context.locale);
    if resolved.facts.contains_key("converted") {
        message += context.locale.pick(" (its Markdown became HTML)", "（已将 Markdown 转换为 HTML）");
    }
    if !report.dropped.is_empty() {
        let dropped = list_dropped(&report.dropped, context.locale);
        message += &context.locale.pick(format!("; it dropped {dropped}"), format!("；丢失了{dropped}"));
    }
    if resolved.facts.contains_key("pending") {
        message += context.locale.pick("; it waits for the person's yes", "；待用户确认");
    }
    Ok(Applied {
        operation: update.operation(),
        section_index: resolved.section,
        message,
        dropped: report.dropped,
        changes: changes.iter().map(|change| change.to_value(&before)).collect(),
        diffs: record::records(&before, &after, &changes, &resolved.stated, instruction),
        facts: resolved.facts,
        outline: outline_of(&sections),
        version: after.version(),
    })
}

/// What an update comes to.
pub struct Resolved {
    /// Which top-level blocks become which.
    pub replacement: Replacement,
    /// The section that it is about, as the outline counts after it; after a delete, the index that is gone.
    pub section: Option<usize>,
    /// The lines that it is about, before it.
    pub lines: Vec<RangeInclusive<usize>>,
    /// The same as they were given, and how they were found.
    pub stated: Vec<Stated>,
    /// What there is to say about how it was understood.
    pub facts: Map<String, Value>,
}

fn resolve(host: &dyn DocumentHost, document: &Document, update: &DocUpdate) -> Result<Resolved, Error> {
    let mut facts = Map::new();
    let (replacement, section, lines) = match update {
        DocUpdate::ReplaceLines(asked) => {
            let resolved = lines::resolve(host, document, &asked.edits)?;
            if resolved.from_markdown {
                facts.insert("converted".into(), "markdown".into());
            }
            if let Some(reading) = resolved.reading {
                facts.insert("reading".into(), reading.name().into());
            }
            if !resolved.not_applied.is_empty() {
                facts.insert(
                    "notApplied".into(),
                    resolved.not_applied.iter().map(lines::NotApplied::to_value).collect(),
                );
            }
            let is_whole = asked.edits.iter().all(|edit| edit.start_line.is_none() && edit.end_line.is_none());
            let ranges = if is_whole { Vec::new() } else { lines::ranges(&asked.edits, document.line_count())? };
            (Replacement { blocks: resolved.blocks, with: resolved.with }, None, ranges)
        }
        DocUpdate::ReplaceText(asked) => {
            let resolved = find_text::resolve(document, asked)?;
            facts.insert("matches".into(), resolved.lines.len().into());
            if !resolved.exact {
                facts.insert("exact".into(), false.into());
            }
            let lines = resolved.lines.iter().map(|line| *line..=*line).collect();
            (Replacement { blocks: resolved.blocks, with: resolved.with }, None, lines)
        }
        _ => {
            let (replacement, index) = section::resolve(host, document, update)?;
            (replacement, Some(index), Vec::new())
        }
    };
    Ok(Resolved { replacement, section, lines, stated: Vec::new(), facts })
}

/// An update that states another version than that of now, as it must be stated now.
fn carried<'u>(
    host: &dyn DocumentHost,
    now: &Document,
    update: Cow<'u, DocUpdate>,
    context: &EditContext,
) -> Result<(Cow<'u, DocUpdate>, Option<Vec<Stated>>), Error> {
    let version = update.version().filter(|version| context.stated.is_none() && *version != now.version());
    match (version, update.as_ref()) {
        (Some(version), DocUpdate::ReplaceLines(asked)) => {
            let (asked, stated) = carry::carry(&host.snapshot(version)?, now, asked)?;
            Ok((Cow::Owned(DocUpdate::ReplaceLines(asked)), Some(stated)))
        }
        (Some(version), DocUpdate::ReplaceText(asked)) => {
            let asked = carry::carry_text(&host.snapshot(version)?, now, asked)?;
            Ok((Cow::Owned(DocUpdate::ReplaceText(asked)), None))
        }
        _ => Ok((update, None)),
    }
}

/// The lines of an update, where they were given as the document counts now.
fn stated(update: &DocUpdate, total: usize) -> Vec<Stated> {
    let DocUpdate::ReplaceLines(asked) = update else { return Vec::new() };
    let ranges = lines::ranges(&asked.edits, total).unwrap_or_default();
    ranges.into_iter().map(|range| Stated { given: range.clone(), found: range, by: FoundBy::Lines }).collect()
}

/// Whether [`apply`] would make the update; nothing changes.
pub fn check(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<(), Error> {
    prepare(host, &host.document()?, update, context).map(drop)
}

/// Everything that can fail.
fn prepare(
    host: &dyn DocumentHost,
    before: &Document,
    update: &DocUpdate,
    context: &EditContext,
) -> Result<(Resolved, Vec<Change>, Report), Error> {
    let (update, from_markdown) = markdown::converted(host, update, context.format)?;
    let (update, carried) = carried(host, before, update, context)?;
    guard::check_html(&update.contents(), before)?;
    let mut resolved = resolve(host, before, &update)?;
    resolved.stated = context.stated.clone().or(carried).unwrap_or_else(|| stated(&update, before.line_count()));
    if from_markdown {
        resolved.facts.insert("converted".into(), "markdown".into());
    }
    let changes = plan::plan(before, &resolved.replacement);
    let report = guard::check(&host.guards(), before, &changes, context)?;
    Ok((resolved, changes, report))
}

/// The sections of a document as `[{index, title}]`.
pub fn outline(document: &Document) -> Value {
    outline_of(&document.sections())
}

fn outline_of(sections: &[Section]) -> Value {
    let entry = |section: &Section| form("index title", [section.index.into(), section.title.as_str().into()]);
    sections.iter().map(entry).collect()
}
