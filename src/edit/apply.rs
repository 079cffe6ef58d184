//! One edit from the asking to the result.

use super::change::{self, Change};
use super::guard::{self, Bound, Guards};
use super::markdown::{self, Format};
use super::provenance::Provenance;
use super::section::resolve;
use super::update::{DocUpdate, ImagePosition};
use super::{content, plan};
use crate::document::{Document, Node, parse_fragment};
use crate::error::{Dropped, Error, dropped_in_words};
use crate::host::Markdown;
use crate::locale::Locale;
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// Whoever holds a document: an editor, or a [`DocumentCell`].
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
    /// What edits may do.
    fn guards(&self) -> Rc<Bound> {
        Rc::default()
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
}

/// What an edit is made with.
#[derive(Clone, Debug, Default)]
pub struct EditContext {
    /// The language of results and errors.
    pub locale: Locale,
    /// Whose edit it is.
    pub origin: Origin,
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
    /// The section that the edit was about.
    pub section_index: usize,
    /// What happened, in one sentence.
    pub message: String,
    /// Whether its content was Markdown.
    pub from_markdown: bool,
    /// What it dropped, where the guards report it.
    pub dropped: Vec<Dropped>,
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
        let mut map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        if self.from_markdown {
            map.insert("converted".into(), "markdown".into());
        }
        if !self.dropped.is_empty() {
            map.insert("dropped".into(), self.dropped.iter().map(Dropped::to_value).collect());
        }
        map
    }
}

/// Applies a doc update: whole, or not at all.
pub fn apply(host: &dyn DocumentHost, update: &DocUpdate, context: &EditContext) -> Result<Applied, Error> {
    let (update, from_markdown) = markdown::converted(host, update, context.format)?;
    let update = update.as_ref();
    let before = host.document()?;
    guard::check_html(&update.contents(), &before)?;
    let replacement = resolve(host, &before, update)?;
    let changes = plan::plan(&before, &replacement);
    let report = guard::check(&host.guards(), &before, &changes, context)?;
    if !changes.is_empty() {
        host.dispatch(&changes, &context.origin)?;
    }
    let after = host.document()?;
    // What was deleted is named by the title it had.
    let titled = if matches!(update, DocUpdate::Delete { .. }) { &before } else { &after };
    let title = titled.sections().into_iter().nth(replacement.section_index).map(|section| section.title);
    let mut message = message(update, replacement.section_index, &title.unwrap_or_default(), context.locale);
    if from_markdown {
        message += context.locale.pick(" (its Markdown became HTML)", "（已将 Markdown 转换为 HTML）");
    }
    if !report.dropped.is_empty() {
        let dropped = dropped_in_words(&report.dropped, context.locale);
        message += &context.locale.pick(format!("; it dropped {dropped}"), format!("；丢失了{dropped}"));
    }
    Ok(Applied {
        operation: update.operation(),
        section_index: replacement.section_index,
        message,
        from_markdown,
        dropped: report.dropped,
        changes: changes.iter().map(|change| change.to_value(&before)).collect(),
        outline: outline(&after),
        version: after.version(),
    })
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

/// A document without an editor: parsed and changed by copydesk itself. Clones are the same document.
#[derive(Clone)]
pub struct DocumentCell(Rc<Held>);

struct Held {
    document: RefCell<Document>,
    turns: Cell<u64>,
    guards: RefCell<Rc<Bound>>,
    markdown: RefCell<Option<Rc<dyn Markdown>>>,
}

impl DocumentCell {
    /// Holds a document.
    pub fn new(document: Document) -> DocumentCell {
        DocumentCell(Rc::new(Held {
            document: RefCell::new(document),
            turns: Cell::default(),
            guards: RefCell::default(),
            markdown: RefCell::default(),
        }))
    }

    /// The document of this moment.
    pub fn document(&self) -> Document {
        self.0.document.borrow().clone()
    }

    /// Sets what turns Markdown into HTML.
    pub fn set_markdown(&self, parser: Rc<dyn Markdown>) {
        *self.0.markdown.borrow_mut() = Some(parser);
    }

    /// Sets what edits may do from now on. Sections are those of the document of this moment.
    pub fn set_guards(&self, guards: &Guards) -> Result<(), Error> {
        let bound = guards.bind(&self.document())?;
        *self.0.guards.borrow_mut() = Rc::new(bound);
        Ok(())
    }
}

impl DocumentHost for DocumentCell {
    fn document(&self) -> Result<Document, Error> {
        Ok(self.document())
    }

    fn parse(&self, html: &str, _at: usize) -> Result<Vec<Node>, Error> {
        let schema = self.0.document.borrow().schema().clone();
        parse_fragment(html, &schema)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let document = self.document();
        Ok(document.html_of(&document.blocks()[blocks]))
    }

    fn dispatch(&self, changes: &[Change], _origin: &Origin) -> Result<(), Error> {
        let changed = change::replace(&self.0.document.borrow(), changes)?;
        *self.0.document.borrow_mut() = changed;
        Ok(())
    }

    fn new_turn(&self) -> String {
        self.0.turns.set(self.0.turns.get() + 1);
        format!("t{}", self.0.turns.get())
    }

    fn guards(&self) -> Rc<Bound> {
        self.0.guards.borrow().clone()
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        self.0.markdown.borrow().clone()
    }
}
