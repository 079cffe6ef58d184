//! One edit from the asking to the result.

use super::change::Change;
use super::hunk::Verdict;
use super::section::resolve;
use super::update::{DocUpdate, ImagePosition};
use super::{content, plan};
use crate::document::{Document, Node};
use crate::error::Error;
use crate::locale::Locale;
use serde_json::{Map, Value, json};
use std::ops::Range;

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
    /// What the person decided about proposals since this was last asked.
    fn verdicts(&self) -> Vec<Verdict> {
        Vec::new()
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
}

/// What an edit is made with.
#[derive(Clone, Debug, Default)]
pub struct EditContext {
    /// The language of results and errors.
    pub locale: Locale,
    /// Whose edit it is.
    pub origin: Origin,
}

impl From<Locale> for EditContext {
    /// An edit that no model asked for.
    fn from(locale: Locale) -> EditContext {
        EditContext { locale, origin: Origin::default() }
    }
}

/// What an edit came to.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The operation's name.
    pub operation: &'static str,
    /// The section that the edit was about.
    pub section_index: usize,
    /// What happened, in one sentence.
    pub message: String,
    /// The changes that were made, as JSON.
    pub changes: Value,
    /// The outline after the edit.
    pub outline: Value,
    /// The tag of the document after the edit.
    pub version: String,
}

impl Applied {
    /// The result as `Document.apply` gives it and a `doc_update` event carries it.
    pub fn to_map(&self) -> Map<String, Value> {
        let value = json!({
            "success": true,
            "operation": self.operation,
            "sectionIndex": self.section_index,
            "message": self.message,
            "changes": self.changes,
            "sections": self.outline,
            "version": self.version,
        });
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }
}

/// Applies a doc update: whole, or not at all.
pub fn apply(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Applied, Error> {
    let before = host.document()?;
    let replacement = resolve(host, &before, update)?;
    let changes = plan::plan(&before, &replacement);
    if !changes.is_empty() {
        host.dispatch(&changes, &context.origin)?;
    }
    let after = host.document()?;
    // What was deleted is named by the title it had.
    let titled = if matches!(update, DocUpdate::Delete { .. }) { &before } else { &after };
    let title = titled.sections().into_iter().nth(replacement.section_index).map(|section| section.title);
    Ok(Applied {
        operation: update.operation(),
        section_index: replacement.section_index,
        message: message(update, replacement.section_index, &title.unwrap_or_default(), context.locale),
        changes: changes.iter().map(|change| change.to_value(&before)).collect(),
        outline: outline(&after),
        version: after.version(),
    })
}

/// Whether [`apply`] would find what the update means; nothing changes.
pub fn check(host: &dyn DocumentHost, update: &DocUpdate) -> Result<(), Error> {
    resolve(host, &host.document()?, update).map(drop)
}

/// The sections of a document as `[{index, title}]`.
pub fn outline(document: &Document) -> Value {
    document.sections().iter().map(|section| json!({ "index": section.index, "title": section.title })).collect()
}

fn message(update: &DocUpdate, index: usize, title: &str, locale: Locale) -> String {
    let name = match content::one_line(title) {
        title if title.is_empty() => format!("Section {index}"),
        title => format!("Section {index} '{title}'"),
    };
    match update {
        DocUpdate::Replace { .. } => locale.pick(format!("{name} updated"), format!("{name} 已更新")),
        DocUpdate::Append { .. } => locale.pick(format!("{name} appended"), format!("{name} 已追加")),
        DocUpdate::Insert { .. } => locale.pick(format!("{name} inserted"), format!("{name} 已插入")),
        DocUpdate::Delete { .. } => locale.pick(format!("{name} deleted"), format!("{name} 已删除")),
        DocUpdate::InsertImage { position: ImagePosition::AfterSection, .. } => {
            locale.pick(format!("Image inserted after Section {index}"), format!("图片已插入到 Section {index} 之后"))
        }
        DocUpdate::InsertImage { position: ImagePosition::BeforeSection, .. } => {
            locale.pick(format!("Image inserted before Section {index}"), format!("图片已插入到 Section {index} 之前"))
        }
    }
}
