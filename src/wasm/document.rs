//! The document as JavaScript holds it: by itself, or bound to an editor.

use super::value::{decode, encode, reason, throw};
use crate::document::{Document, Node, Schema, Section, Style};
use crate::edit::guard::{Bound, Guards, confirms_drop};
use crate::edit::markdown::Format;
use crate::edit::{Change, DocUpdate, DocumentHost, EditContext, Origin, apply, change, section};
use crate::error::Error;
use crate::host::Markdown;
use crate::locale::Locale;
use js_sys::{Array, Uint32Array};
use serde::Serialize;
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
}

/// A document; `Document` of the package wraps it.
#[wasm_bindgen(js_name = DocumentHandle)]
pub struct DocumentHandle(pub(super) Rc<Held>);

/// A document and who keeps it.
pub(super) struct Held {
    /// What was last known of it. Reads go through [`DocumentHost::document`], which asks the editor for news first.
    document: RefCell<Document>,
    keeper: RefCell<Keeper>,
    /// Why the editor's news could not be taken: what JavaScript throws on says less.
    fault: RefCell<Option<Error>>,
    locale: Cell<Locale>,
    turns: Cell<u64>,
    guards: RefCell<Rc<Bound>>,
}

/// Who has the present document.
#[derive(Clone)]
enum Keeper {
    Wasm,
    Editor(Editor),
    /// It was an editor, which has been destroyed.
    Nobody,
}

#[wasm_bindgen(js_class = DocumentHandle)]
impl DocumentHandle {
    /// Parses HTML with the built-in schema.
    #[wasm_bindgen(js_name = fromHTML)]
    pub fn from_html(html: String, locale: &str) -> Result<DocumentHandle, JsValue> {
        let locale = Locale::from_tag(locale);
        Ok(held(Document::from_html(html).map_err(|error| throw(&error, locale))?, None, locale))
    }

    /// Reads a document of the built-in schema, or of the one given, and binds it to an editor if there is one.
    #[wasm_bindgen(js_name = fromJSON)]
    pub fn from_json(
        json: &str,
        schema: Option<String>,
        editor: Option<Editor>,
        locale: &str,
    ) -> Result<DocumentHandle, JsValue> {
        let locale = Locale::from_tag(locale);
        let read = || -> Result<Document, Error> {
            let schema = schema.map_or_else(|| Ok(Schema::tiptap()), |schema| Schema::from_json(&schema))?;
            match &editor {
                Some(_) => Document::from_editor(json, schema),
                None => Document::from_json(json, schema),
            }
        };
        Ok(held(read().map_err(|error| throw(&error, locale))?, editor, locale))
    }

    /// The document as HTML.
    #[wasm_bindgen(js_name = toHTML)]
    pub fn to_html(&self) -> Result<String, JsValue> {
        let html = || self.0.html(0..self.0.document()?.blocks().len());
        html().map_err(|error| self.throw(&error))
    }

    /// The document as ProseMirror JSON.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn to_json(&self) -> Result<String, JsValue> {
        Ok(self.document()?.to_json())
    }

    /// The sections as `{index, title, from, to}`.
    pub fn outline(&self) -> Result<JsValue, JsValue> {
        encode(&self.document()?.sections())
    }

    /// The sections as `{index, title, content, from, to}`.
    pub fn sections(&self) -> Result<JsValue, JsValue> {
        #[derive(Serialize)]
        struct Whole {
            index: usize,
            title: String,
            content: String,
            from: usize,
            to: usize,
        }
        let document = self.document()?;
        let whole = |section: Section| {
            let content = section::html(self.0.as_ref(), &document, &section)?;
            let Section { index, title, from, to, .. } = section;
            Ok(Whole { index, title, content, from, to })
        };
        let sections: Result<Vec<Whole>, Error> = document.sections().into_iter().map(whole).collect();
        encode(&sections.map_err(|error| self.throw(&error))?)
    }

    /// The lines as `[texts, numbers, kinds]`: all texts in one; for each line `from`, `to`, the width of its text, its
    /// kind as an index, and its path with the length in front; the names of the kinds. An object a line would take
    /// several times as long to cross.
    pub fn lines(&self) -> Result<Array, JsValue> {
        let (mut texts, mut numbers, mut kinds) = (String::new(), Vec::new(), Vec::<String>::new());
        for line in self.document()?.lines() {
            let kind = kinds.iter().position(|known| *known == line.kind).unwrap_or_else(|| {
                kinds.push(line.kind);
                kinds.len() - 1
            });
            let width = if line.text.is_empty() { 0 } else { line.to - line.from };
            numbers.extend([line.from, line.to, width, kind, line.path.len()].map(|number| number as u32));
            numbers.extend(line.path.iter().map(|index| *index as u32));
            texts.push_str(&line.text);
        }
        let kinds: Array = kinds.into_iter().map(JsValue::from).collect();
        Ok(Array::of3(&texts.into(), &Uint32Array::from(&numbers[..]), &kinds))
    }

    /// The lines from `start` to `end` as numbered text; all of them where a bound is left out. With `structure`
    /// each shows what kind of line it is.
    pub fn numbered(&self, start: Option<usize>, end: Option<usize>, structure: bool) -> Result<String, JsValue> {
        let style = if structure { Style::Structure } else { Style::Plain };
        self.document()?.numbered(start, end, style).map_err(|error| self.throw(&error))
    }

    /// The tag of the document of this moment.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> Result<String, JsValue> {
        Ok(self.document()?.version())
    }

    /// Applies a doc update, given as JSON.
    pub fn apply(&self, update: &str) -> Result<JsValue, JsValue> {
        let applied = || {
            let given: serde_json::Value =
                serde_json::from_str(update).map_err(|error| Error::InvalidArguments { reason: error.to_string() })?;
            let (confirm_drop, format) = (confirms_drop(&given), Format::stated(&given)?);
            let context = EditContext { confirm_drop, format, ..self.0.locale.get().into() };
            apply(self.0.as_ref(), &DocUpdate::from_value(&given)?, &context)
        };
        encode(&applied().map_err(|error| self.throw(&error))?.to_map())
    }

    /// Sets what edits may do from now on; nothing is guarded where nothing is given.
    #[wasm_bindgen(js_name = setGuards)]
    pub fn set_guards(&self, guards: JsValue) -> Result<(), JsValue> {
        let bound = || -> Result<Bound, Error> {
            match guards.is_undefined() || guards.is_null() {
                true => Ok(Bound::default()),
                false => decode::<Guards>("guards", guards)?.bind(&self.0.document()?),
            }
        };
        let bound = bound().map_err(|error| self.throw(&error))?;
        self.0.guards.replace(Rc::new(bound));
        Ok(())
    }

    /// Takes over what an editor's transaction changed: `removed` top-level blocks from `from` on are now these.
    pub fn sync(&self, from: usize, removed: usize, blocks: &str) -> Result<(), JsValue> {
        // In place: a clone beside it would make the document copy all its blocks. No JavaScript runs meanwhile.
        let synced = self.0.document.borrow_mut().sync(from, removed, blocks);
        synced.map_err(|error| {
            let thrown = self.throw(&error);
            self.0.fault.replace(Some(error));
            thrown
        })
    }

    /// Lets go of the editor, which has been destroyed. The document cannot be read any more.
    pub fn release(&self) {
        self.0.keeper.replace(Keeper::Nobody);
    }

    fn document(&self) -> Result<Document, JsValue> {
        self.0.document().map_err(|error| self.throw(&error))
    }

    fn throw(&self, error: &Error) -> JsValue {
        throw(error, self.0.locale.get())
    }
}

fn held(document: Document, editor: Option<Editor>, locale: Locale) -> DocumentHandle {
    DocumentHandle(Rc::new(Held {
        document: RefCell::new(document),
        keeper: RefCell::new(editor.map_or(Keeper::Wasm, Keeper::Editor)),
        fault: RefCell::new(None),
        locale: Cell::new(locale),
        turns: Cell::new(0),
        guards: RefCell::default(),
    }))
}

impl Held {
    /// The document as it was last known.
    fn known(&self) -> Document {
        self.document.borrow().clone()
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

impl DocumentHost for Held {
    fn document(&self) -> Result<Document, Error> {
        if let Some(editor) = self.editor()? {
            self.fault.take();
            editor.sync().map_err(|thrown| self.fault.take().unwrap_or_else(|| refused(thrown)))?;
        }
        Ok(self.known())
    }

    fn parse(&self, html: &str, at: usize) -> Result<Vec<Node>, Error> {
        let schema: Arc<Schema> = self.document.borrow().schema().clone();
        match self.editor()? {
            Some(editor) => Document::blocks_from_json(&editor.parse(html, at).map_err(refused)?, &schema),
            None => crate::document::parse_fragment(html, &schema),
        }
    }

    fn html(&self, blocks: Range<usize>) -> Result<String, Error> {
        match self.editor()? {
            Some(editor) => editor.html(blocks.start, blocks.end).map_err(refused),
            None => {
                let document = self.known();
                Ok(document.html_of(&document.blocks()[blocks]))
            }
        }
    }

    fn dispatch(&self, changes: &[Change], _origin: &Origin) -> Result<(), Error> {
        // The changes are stated on the document that was read for them.
        let document = self.known();
        match self.editor()? {
            Some(editor) => {
                let changes: serde_json::Value = changes.iter().map(|change| change.to_value(&document)).collect();
                editor.dispatch(&changes.to_string()).map_err(refused)
            }
            None => {
                self.document.replace(change::replace(&document, changes)?);
                Ok(())
            }
        }
    }

    fn new_turn(&self) -> String {
        self.turns.set(self.turns.get() + 1);
        format!("t{}", self.turns.get())
    }

    fn guards(&self) -> Rc<Bound> {
        self.guards.borrow().clone()
    }

    fn markdown(&self) -> Option<Rc<dyn Markdown>> {
        super::markdown::page_markdown()
    }
}

fn refused(thrown: JsValue) -> Error {
    Error::EditorRefused { reason: reason(&thrown) }
}
