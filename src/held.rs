//! A document and who keeps it: the wasm itself, or an editor.

use super::taped::Watchers;
use super::value::reason;
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Node, Schema};
use copydesk_edit::Error;
use copydesk_edit::carry::Snapshots;
use copydesk_edit::decide::{self, Reviewed};
use copydesk_edit::guard::Bound;
use copydesk_edit::markdown::Markdown;
use copydesk_edit::{Change, DocumentHost, Origin, Review, Verdict, change};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What the skin lends of an editor. Every method may throw.
    #[derive(Clone)]
    pub type Editor;

    /// Calls `sync` of the handle where the wasm has not been told all yet.
    #[wasm_bindgen(method, catch)]
    fn sync(this: &Editor) -> Result<(), JsValue>;

    /// HTML as a JSON array of blocks that may stand at index `at` among the top-level blocks.
    #[wasm_bindgen(method, catch)]
    fn parse(this: &Editor, html: &str, at: usize) -> Result<String, JsValue>;

    /// Top-level blocks `start..end` as HTML, written with the editor's schema.
    #[wasm_bindgen(method, catch)]
    fn html(this: &Editor, start: usize, end: usize) -> Result<String, JsValue>;

    /// Makes the changes, a JSON array of `{from, to, content}`, as one transaction. It comes back as `sync`.
    #[wasm_bindgen(method, catch)]
    fn dispatch(this: &Editor, changes: &str) -> Result<(), JsValue>;

    /// A JSON array of top-level blocks as HTML, written with the editor's schema.
    #[wasm_bindgen(method, catch, js_name = htmlOf)]
    fn html_of(this: &Editor, blocks: &str) -> Result<String, JsValue>;

    /// Hunks came, went, or were decided. The method may be missing.
    #[wasm_bindgen(method, catch)]
    fn reviewed(this: &Editor) -> Result<(), JsValue>;
}

/// A document and who keeps it.
pub struct Held {
    /// What was last known of it. Reads go through [`DocumentHost::document`], which asks the editor for news first.
    pub review: RefCell<Review>,
    keeper: RefCell<Keeper>,
    /// Why the editor's news could not be taken: what JavaScript throws on says less.
    pub fault: RefCell<Option<Error>>,
    /// The language of results and errors.
    pub locale: Cell<Locale>,
    turns: Cell<u64>,
    /// What edits may do.
    pub guards: RefCell<Rc<Bound>>,
    /// The documents whose version somebody was told, so that edits may be stated on them.
    pub told: RefCell<Snapshots>,
    /// The schema as it was given.
    pub schema: Option<String>,
    /// Who is recorded on it.
    pub watchers: Watchers,
}

/// Who has the present document.
#[derive(Clone)]
enum Keeper {
    Wasm,
    Editor(Editor),
    /// It was an editor, which has been destroyed.
    Nobody,
}

impl Held {
    /// Holds a document of the built-in schema, or of this one.
    pub fn new(document: Document, schema: Option<String>, editor: Option<Editor>, locale: Locale) -> Held {
        Held {
            review: RefCell::new(Review::new(document)),
            keeper: RefCell::new(editor.map_or(Keeper::Wasm, Keeper::Editor)),
            fault: RefCell::new(None),
            locale: Cell::new(locale),
            turns: Cell::new(0),
            guards: RefCell::default(),
            told: RefCell::default(),
            schema,
            watchers: Watchers::default(),
        }
    }

    /// Lets go of the editor.
    pub fn release(&self) {
        self.keeper.replace(Keeper::Nobody);
    }
    /// The editor, if there is one.
    fn editor(&self) -> Result<Option<Editor>, Error> {
        match self.keeper.borrow().clone() {
            Keeper::Wasm => Ok(None),
            Keeper::Editor(editor) => Ok(Some(editor)),
            Keeper::Nobody => Err(Error::EditorDestroyed),
        }
    }
}

impl Reviewed for Held {
    fn review(&self) -> &RefCell<Review> {
        &self.review
    }

    fn refresh(&self) -> Result<(), Error> {
        if let Some(editor) = self.editor()? {
            self.fault.take();
            editor.sync().map_err(|thrown| self.fault.take().unwrap_or_else(|| refused(thrown)))?;
        }
        Ok(())
    }

    fn change_base(&self, changes: &[Change]) -> Result<(), Error> {
        // The changes are stated on the document that was read for them.
        let base = self.review.borrow().next_base();
        match self.editor()? {
            Some(editor) => {
                let json: serde_json::Value = changes.iter().map(|change| change.to_value(&base)).collect();
                let json = json.to_string();
                let dispatched = self.watchers.ours(|| editor.dispatch(&json)).map_err(refused);
                self.watchers.changed(&base, changes, &self.review);
                dispatched
            }
            None => {
                let changed = change::replace(&base, changes)?;
                self.review.borrow_mut().follow(changed);
                self.watchers.changed(&base, changes, &self.review);
                Ok(())
            }
        }
    }

    fn reviewed(&self) {
        if let Ok(Some(editor)) = self.editor() {
            // Whoever shows the hunks may fail at it; the decision stands.
            let _ = editor.reviewed();
        }
    }
}

impl DocumentHost for Held {
    fn document(&self) -> Result<Document, Error> {
        self.refresh()?;
        Ok(self.review.borrow().proposed().clone())
    }

    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let schema: Arc<Schema> = self.review.borrow().base().schema().clone();
        match self.editor()? {
            Some(editor) => {
                // The editor knows only its own blocks.
                let at = self.review.borrow().nearest_in_base(at);
                Ok(Document::blocks_from_json(&editor.parse(html, at).map_err(refused)?, &schema)?)
            }
            None => Ok(copydesk_document::parse_fragment(html, &schema)?),
        }
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        let (document, runs) = {
            let review = self.review.borrow();
            (review.proposed().clone(), review.runs(blocks.clone()))
        };
        let Some(editor) = self.editor()? else { return Ok(document.html_of(&document.blocks()[blocks])) };
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

    fn dispatch(&self, changes: &[Change], origin: &Origin) -> Result<(), Error> {
        let before = self.proposes().then(|| self.review.borrow().proposed().clone());
        decide::dispatch(self, changes, origin)?;
        if let Some(before) = before {
            self.watchers.proposed(&before, origin, &self.review);
        }
        Ok(())
    }

    fn new_turn(&self) -> String {
        self.turns.set(self.turns.get() + 1);
        format!("t{}", self.turns.get())
    }

    fn proposes(&self) -> bool {
        self.review.borrow().proposes()
    }

    fn in_editor(&self, position: usize) -> usize {
        self.review.borrow().in_base(position)
    }

    fn snapshot(&self, version: &str) -> Result<Document, Error> {
        self.told.borrow().get(version).cloned()
    }

    fn guards(&self) -> Rc<Bound> {
        self.guards.borrow().clone()
    }

    fn verdicts(&self, turns: &[String]) -> Vec<Verdict> {
        self.review.borrow_mut().take_verdicts(turns)
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        super::markdown::page_markdown()
    }
}

fn refused(thrown: JsValue) -> Error {
    Error::EditorRefused { reason: reason(&thrown) }
}
