//! A document of the page: standalone, or bound to an editor.

use super::value::reason;
use copydesk_base::host::LocalFuture;
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Node, SectionKeys};
use copydesk_edit::Error;
use copydesk_edit::apply::{BlockParser, DocumentHolder, at_once, made_at_once};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::relocate::Snapshots;
use copydesk_edit::{Change, Origin};
use copydesk_review::decide::{self, Reviewed};
use copydesk_review::{DocumentEvent, Observers, Review, ReviewCell};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// An editor, as the JS package binds it. Every method may throw.
    #[derive(Clone)]
    pub type Editor;

    /// Calls `sync` of the handle if the editor has changed since the last call.
    #[wasm_bindgen(method, catch)]
    fn sync(this: &Editor) -> Result<(), JsValue>;

    /// Parses HTML into a JSON array of blocks that may be placed at index `at` of the top level.
    #[wasm_bindgen(method, catch)]
    fn parse(this: &Editor, html: &str, at: usize) -> Result<String, JsValue>;

    /// Returns the top-level blocks `start..end` as HTML of the editor's schema.
    #[wasm_bindgen(method, catch)]
    fn html(this: &Editor, start: usize, end: usize) -> Result<String, JsValue>;

    /// Applies the changes, a JSON array of `{from, to, content}`, as one transaction, which is reported to `sync`.
    #[wasm_bindgen(method, catch)]
    fn dispatch(this: &Editor, changes: &str) -> Result<(), JsValue>;

    /// Returns a JSON array of top-level blocks as HTML of the editor's schema.
    #[wasm_bindgen(method, catch, js_name = htmlOf)]
    fn html_of(this: &Editor, blocks: &str) -> Result<String, JsValue>;

    /// Returns true while the user cannot edit.
    #[wasm_bindgen(method, catch, js_name = isReadOnly)]
    fn is_read_only(this: &Editor) -> Result<bool, JsValue>;

    /// Returns the two ends of the selection.
    #[wasm_bindgen(method, catch)]
    fn selection(this: &Editor) -> Result<Vec<u32>, JsValue>;

    /// Reports that hunks were added, removed or decided. The method is optional.
    #[wasm_bindgen(method, catch)]
    fn reviewed(this: &Editor) -> Result<(), JsValue>;
}

/// A document of the page: standalone, or bound to an editor.
pub struct PageDocument {
    /// The last known state. Reads use [`DocumentHolder::document`], which syncs with the editor first.
    pub cell: ReviewCell,
    binding: RefCell<Binding>,
    /// The error of the last sync, which has more details than the exception that JavaScript gets.
    pub fault: RefCell<Option<Error>>,
    /// The language of results and errors.
    pub locale: Cell<Locale>,
    /// The documents whose versions were returned, so that edits may refer to them.
    pub told: RefCell<Snapshots>,
    /// The keys of the sections, as of the last time they were read.
    pub section_keys: RefCell<SectionKeys>,
    /// The schema as the caller passed it.
    pub schema: Option<String>,
    /// Observers of the document.
    pub observers: Observers,
    /// The guards as the caller passed them; null without guards.
    pub given_guards: RefCell<serde_json::Value>,
}

/// The editor that the document is bound to.
#[derive(Clone)]
enum Binding {
    None,
    Editor(Editor),
    /// Bound to an editor that was destroyed.
    Destroyed,
}

impl PageDocument {
    /// Creates a document of the given or the built-in schema.
    pub fn new(document: Document, schema: Option<String>, editor: Option<Editor>, locale: Locale) -> PageDocument {
        PageDocument {
            cell: ReviewCell::new(document),
            binding: RefCell::new(editor.map_or(Binding::None, Binding::Editor)),
            fault: RefCell::new(None),
            locale: Cell::new(locale),
            told: RefCell::default(),
            section_keys: RefCell::default(),
            schema,
            observers: Observers::default(),
            given_guards: RefCell::default(),
        }
    }

    /// Releases the editor, which was destroyed.
    pub fn release(&self) {
        self.binding.replace(Binding::Destroyed);
    }

    /// Returns the editor, if there is one. Fails if it was destroyed.
    fn editor(&self) -> Result<Option<Editor>, Error> {
        match self.binding.borrow().clone() {
            Binding::None => Ok(None),
            Binding::Editor(editor) => Ok(Some(editor)),
            Binding::Destroyed => Err(Error::EditorDestroyed),
        }
    }
}

impl Reviewed for PageDocument {
    fn review(&self) -> &RefCell<Review> {
        self.cell.review()
    }

    fn refresh(&self) -> Result<(), Error> {
        if let Some(editor) = self.editor()? {
            self.fault.take();
            editor.sync().map_err(|thrown| self.fault.take().unwrap_or_else(|| refused(thrown)))?;
        }
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), Error> {
        // The changes refer to the document that was read for them.
        let base = self.review().borrow().next_base();
        let changed = match self.editor()? {
            Some(editor) => {
                let json: serde_json::Value = changes.iter().map(|change| change.to_value(&base)).collect();
                let json = json.to_string();
                self.observers.dispatch(|| editor.dispatch(&json)).map_err(refused)
            }
            None => Ok(self.cell.change_base(changes)?),
        };
        let review = &self.review().borrow();
        self.observers.emit(DocumentEvent::Changed { before: &base, changes, review });
        changed
    }

    fn reviewed(&self) {
        if let Ok(Some(editor)) = self.editor() {
            // An exception of a review view must not undo the decision.
            let _ = editor.reviewed();
        }
    }
}

impl DocumentHolder for PageDocument {
    fn document(&self) -> Result<Document, Error> {
        self.refresh()?;
        Ok(self.cell.document())
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.told.borrow().get(version).cloned()
    }

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        // The app's own code may change what its user cannot.
        if origin.turn.is_some()
            && let Some(editor) = self.editor()?
            && editor.is_read_only().map_err(refused)?
        {
            return Err(Error::ReadOnly);
        }
        let before = self.proposes().then(|| self.cell.document());
        decide::dispatch(self, changes, origin)?;
        if let Some(before) = before {
            let review = &self.review().borrow();
            self.observers.emit(DocumentEvent::Proposed { before: &before, origin, review });
        }
        Ok(())
    }

    fn commit<'a>(&'a self, changes: &'a [Change], origin: &'a Origin) -> LocalFuture<'a, Result<bool, Error>> {
        made_at_once(self.dispatch(changes, origin))
    }

    fn synced(&self) -> LocalFuture<'_, ()> {
        at_once(())
    }

    fn new_turn(&self) -> String {
        self.cell.new_turn()
    }

    fn guards(&self) -> Rc<Bound> {
        self.cell.guards()
    }

    fn selection(&self) -> Option<Range<usize>> {
        let given = self.editor().ok()??.selection().ok()?;
        let [from, to] = given[..] else { return None };
        let review = self.review().borrow();
        let [from, to] = [from, to].map(|position| review.in_proposed(position as usize).min(review.proposed().size()));
        Some(from..to.max(from))
    }

    fn proposes(&self) -> bool {
        self.review().borrow().proposes()
    }
}

impl BlockParser for PageDocument {
    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let Some(editor) = self.editor()? else { return self.cell.parse(html, at) };
        let (schema, at) = {
            let review = self.review().borrow();
            // The editor has no proposed blocks.
            (review.base().schema().clone(), review.nearest_in_base(at))
        };
        Ok(Document::blocks_from_json(&editor.parse(html, at).map_err(refused)?, &schema)?)
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let Some(editor) = self.editor()? else { return self.cell.html(blocks) };
        let (document, runs) = {
            let review = self.review().borrow();
            (review.proposed().clone(), review.runs(blocks))
        };
        let mut html = String::new();
        for run in runs {
            match run.base {
                Some(base) => html += &editor.html(base.start, base.end).map_err(refused)?,
                None => {
                    let nodes = document.blocks()[run.proposed].iter();
                    let json: serde_json::Value = nodes.map(|node| node.to_value(document.schema())).collect();
                    html += &editor.html_of(&json.to_string()).map_err(refused)?;
                }
            }
        }
        Ok(html)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        super::markdown::page_markdown()
    }

    fn missing(&self) -> Option<LocalFuture<'_, ()>> {
        None
    }
}

fn refused(thrown: JsValue) -> Error {
    Error::EditorRefused { reason: reason(&thrown) }
}
