//! One edit from the asking to the result.

use super::change::Change;
use super::content::Format;
use super::guard::{self, Report};
use super::operation::{DocUpdate, Outcome};
use super::plan::{self};
use super::record::{self, DiffRecord, Stated};
use super::relocate::{self, FoundBy};
use super::required;
use super::sections_as_html;
use super::target::{Target, line_ranges};
use super::{formulas, introduction};
use super::{unplaced, unsaid};
use crate::Error;
use crate::guard::dropped::{Dropped, list_dropped};
use crate::messages;
use copydesk_document::{Document, Section};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

pub use super::cell::DocumentCell;
pub use super::context::EditContext;
pub use super::host::{BlockParser, DocumentHolder, DocumentHost, at_once, made_at_once, with_parts};
pub use super::origin::Origin;
pub use super::outline::outline;
use super::outline::outline_of;
pub use super::resolved::Resolved;

/// An applied edit.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The operation's name.
    pub operation: &'static str,
    /// The section that the edit was about; `None` for an edit of lines.
    pub section_index: Option<usize>,
    /// The outcome in one sentence.
    pub message: String,
    /// The content that it dropped, if the guards report it.
    pub dropped: Vec<Dropped>,
    /// The changes that were made, as JSON.
    pub changes: Value,
    /// The changes line by line.
    pub diffs: Vec<DiffRecord>,
    /// Further facts: how content was read, what was not applied.
    pub facts: Map<String, Value>,
    /// The sections after the edit.
    pub sections: Arc<[Section]>,
    /// The tag of the document after the edit.
    pub version: String,
}

impl Applied {
    /// The result as `Document.apply` gives it and a `doc_update` event carries it.
    pub fn into_map(self) -> Map<String, Value> {
        let mut map = Map::new();
        map.insert("success".into(), true.into());
        map.insert("operation".into(), self.operation.into());
        if let Some(index) = self.section_index {
            map.insert("sectionIndex".into(), index.into());
        }
        map.insert("message".into(), self.message.into());
        map.extend(self.facts);
        map.insert("changes".into(), self.changes);
        map.insert("diffs".into(), self.diffs.iter().map(DiffRecord::to_value).collect());
        map.insert("sections".into(), outline_of(&self.sections));
        map.insert("version".into(), self.version.into());
        if !self.dropped.is_empty() {
            map.insert("dropped".into(), serde_json::json!(self.dropped));
        }
        map
    }
}

/// Applies a doc update: whole, or not at all.
pub fn apply(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Applied, Error> {
    let planned = plan_update(host, update, context)?;
    if !planned.changes.is_empty() {
        host.dispatch(&planned.changes, &planned.origin)?;
    }
    planned.finish(host, update, context)
}

/// Plans a doc update. Everything that can fail happens here, apart from the holder's refusal.
pub fn plan_update(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Planned, Error> {
    let before = host.document()?;
    let (resolved, changes, report) = prepare(host, &before, update, context)?;
    let mut origin = context.origin.clone();
    origin.instruction = origin.instruction.or_else(|| update.instruction().map(str::to_owned));
    origin.found_by = resolved.stated.iter().map(|stated| stated.by).max().or(found_by(&update.target()));
    Ok(Planned { before, resolved, changes, report, origin })
}

/// A doc update that is planned for a document and not made yet.
pub struct Planned {
    before: Document,
    resolved: Resolved,
    changes: Vec<Change>,
    report: Report,
    origin: Origin,
}

impl Planned {
    /// Returns the document that it was planned for.
    pub fn before(&self) -> &Document {
        &self.before
    }

    /// Makes the changes, wherever the document is. Returns false if it is another one by now: nothing was changed, and
    /// the update has to be planned again.
    ///
    /// # Errors
    /// Those of the holder if it does not take the changes; nothing has changed then.
    pub async fn commit(&self, host: &dyn DocumentHost) -> Result<bool, Error> {
        if self.changes.is_empty() { Ok(true) } else { host.commit(&self.changes, &self.origin).await }
    }

    /// Returns the result of the update, which was made.
    ///
    /// # Errors
    /// Those of reading the document.
    pub fn finish(self, host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Applied, Error> {
        let Planned { before, mut resolved, changes, report, .. } = self;
        let after = host.document()?;
        let is_changed = !changes.is_empty();
        if let Some(scope) = context.scope.as_ref().filter(|_| is_changed) {
            scope.edited(&before, &changes, &after);
        }
        if host.proposes() && is_changed {
            resolved.facts.insert("pending".into(), true.into());
        }
        let sections = after.sections();
        let instruction = context.origin.instruction.as_deref().or(update.instruction());
        let outcome =
            Outcome { resolved: &resolved, before: &before, after: &sections, is_changed, locale: context.locale };
        let mut message = update.summary(&outcome);
        if resolved.facts.contains_key("converted") {
            message += messages::MARKDOWN_CONVERTED.text(context.locale);
        }
        if !report.dropped.is_empty() {
            let dropped = list_dropped(&report.dropped, context.locale);
            message += &messages::AlsoDropped { dropped: &dropped }.text(context.locale);
        }
        if resolved.facts.contains_key("pending") {
            message += messages::WAITS_FOR_APPROVAL.text(context.locale);
        }
        let mut diffs = record::records(&before, &after, &changes, &resolved.stated, instruction);
        let by = found_by(&update.target());
        diffs.iter_mut().for_each(|diff| diff.found_by = diff.found_by.or(by));
        Ok(Applied {
            operation: update.operation(),
            section_index: resolved.section,
            message,
            dropped: report.dropped,
            changes: changes.iter().map(|change| change.to_value(&before)).collect(),
            diffs,
            facts: resolved.facts,
            version: after.version(),
            sections,
        })
    }
}

/// Returns how the place of a target is found that is stated as a text.
fn found_by(target: &Target) -> Option<FoundBy> {
    match target {
        // The line states which occurrence is meant.
        Target::Text(text) if text.near_line.is_some() && !text.all => Some(FoundBy::Lines),
        Target::Text(_) => Some(FoundBy::Text),
        _ => None,
    }
}

/// Restates an update that names another version than the current one for the current document.
fn relocated<'u>(
    host: &dyn DocumentHost,
    now: &Document,
    update: Cow<'u, DocUpdate>,
    context: &EditContext,
) -> Result<(Cow<'u, DocUpdate>, Option<Vec<Stated>>), Error> {
    match update.version().filter(|version| context.stated.is_none() && *version != now.version()) {
        Some(version) => {
            let (update, stated) = relocate::relocate_update(&host.snapshot(version)?, now, &update)?;
            Ok((Cow::Owned(update), stated))
        }
        None => Ok((update, None)),
    }
}

/// Returns the lines of a target, where they were given as the document counts now.
fn stated(target: &Target, total: usize) -> Vec<Stated> {
    let Target::Lines(ranges) = target else { return Vec::new() };
    let ranges = line_ranges(ranges, total).unwrap_or_default();
    ranges.into_iter().map(|range| Stated { given: range.clone(), found: range, by: FoundBy::Lines }).collect()
}

/// Returns whether [`apply`] would make the update; nothing changes.
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
    let mut update = update.clone();
    let mut is_text = false;
    for (content, format) in update.contents_mut() {
        is_text |= format.or(context.format) == Some(Format::Text);
        if let Cow::Owned(stated) = formulas::stated(before, content, format.or(context.format)) {
            *content = stated;
        }
    }
    let update = &update;
    let given = update.contents();
    let (update, from_markdown) = sections_as_html::converted(host, before, update, context.format)?;
    let (update, relocated) = relocated(host, before, update, context)?;
    guard::check_html(&update.contents(), before)?;
    guard::check_characters(&update)?;
    let mut resolved = update.resolve(host, before)?;
    required::supply(before, &mut resolved.replacement)?;
    resolved.stated =
        context.stated.clone().or(relocated).unwrap_or_else(|| stated(&update.target(), before.line_count()));
    if from_markdown {
        resolved.facts.insert("converted".into(), "markdown".into());
    }
    if !update.target().is_by_lines() && context.format != Some(Format::Text) {
        let replaced = update.replaced_lines(before);
        let remarks: Vec<_> =
            given.iter().filter_map(|content| introduction::left_out(content, before, &replaced)).collect();
        if !remarks.is_empty() {
            resolved.facts.insert("notApplied".into(), serde_json::to_value(remarks).unwrap_or_default());
        }
    }
    if !context.confirm_drop {
        unsaid::check(before, &resolved, &given)?;
    }
    let changes = plan::plan(before, &resolved.replacement);
    guard::check_new_characters(before, &changes)?;
    guard::check_depth(before, &changes)?;
    if !is_text {
        unplaced::check_signs(before, &changes)?;
    }
    if !changes.is_empty() {
        given.iter().try_for_each(|content| unplaced::check(before.schema(), &changes, content))?;
    }
    let guards = host.guards();
    if !changes.is_empty() {
        guards.check_target(before, &update.target())?;
    }
    let report = guard::check(&guards, before, &changes, context)?;
    Ok((resolved, changes, report))
}
