//! The document as JavaScript holds it: by itself, or bound to an editor.

use super::value::{decode, encode, reason, throw};
use crate::document::{Document, Node, Schema, Section, Style, utf16};
use crate::edit::apply::check;
use crate::edit::carry::Snapshots;
use crate::edit::content::Format;
use crate::edit::decide::{self, Reviewed};
use crate::edit::guard::{Bound, Guards, confirms_drop};
use crate::edit::{
    Change, DocUpdate, DocumentHost, EditContext, Mode, Origin, Review, Verdict, Which, apply, change, section,
};
use crate::error::Error;
use crate::host::Markdown;
use crate::locale::Locale;
use js_sys::{Array, Uint32Array};
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

/// A document; `Document` of the package wraps it.
#[wasm_bindgen(js_name = DocumentHandle)]
pub struct DocumentHandle(pub(super) Rc<Held>);

/// A document and who keeps it.
pub(super) struct Held {
    /// What was last known of it. Reads go through [`DocumentHost::document`], which asks the editor for news first.
    review: RefCell<Review>,
    keeper: RefCell<Keeper>,
    /// Why the editor's news could not be taken: what JavaScript throws on says less.
    fault: RefCell<Option<Error>>,
    locale: Cell<Locale>,
    turns: Cell<u64>,
    guards: RefCell<Rc<Bound>>,
    /// The documents whose version somebody was told, so that edits may be stated on them.
    told: RefCell<Snapshots>,
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
        encode(&self.document()?.sections().iter().map(Section::to_value).collect())
    }

    /// The sections as `[texts, numbers]`: all titles and contents in one; for each section the widths of both, `from`
    /// and `to`.
    pub fn sections(&self) -> Result<Array, JsValue> {
        let document = self.document()?;
        let (mut texts, mut numbers) = (String::new(), Vec::new());
        for section in document.sections() {
            let content = section::html(self.0.as_ref(), &document, &section).map_err(|error| self.throw(&error))?;
            let widths = [&section.title, &content].map(|text| utf16::len(text));
            numbers.extend([widths[0], widths[1], section.from, section.to].map(|number| number as u32));
            texts.push_str(&section.title);
            texts.push_str(&content);
        }
        Ok(Array::of2(&texts.into(), &Uint32Array::from(&numbers[..])))
    }

    /// The lines as `[texts, numbers, kinds]`: all texts in one; for each line `from`, `to`, the width of its text, its
    /// kind as an index, and its path with the length in front; the names of the kinds. An object a line would take
    /// several times as long to cross.
    pub fn lines(&self) -> Result<Array, JsValue> {
        let document = self.document()?;
        let (mut texts, mut numbers, mut kinds) = (String::new(), Vec::new(), Vec::<String>::new());
        document.each_line(0..document.blocks().len(), &mut |line| {
            let kind = kinds.iter().position(|known| known == line.kind).unwrap_or_else(|| {
                kinds.push(line.kind.to_owned());
                kinds.len() - 1
            });
            let width = if line.text.is_empty() { 0 } else { line.to - line.from };
            numbers.extend([line.from, line.to, width, kind, line.path.len()].map(|number| number as u32));
            numbers.extend(line.path.iter().map(|index| *index as u32));
            texts.push_str(line.text);
        });
        let kinds: Array = kinds.into_iter().map(JsValue::from).collect();
        Ok(Array::of3(&texts.into(), &Uint32Array::from(&numbers[..]), &kinds))
    }

    /// The lines from `start` to `end` as numbered text; all of them where a bound is left out. With `structure`
    /// each shows what kind of line it is.
    pub fn numbered(&self, start: Option<usize>, end: Option<usize>, structure: bool) -> Result<String, JsValue> {
        let style = if structure { Style::Structure } else { Style::Plain };
        let document = self.document()?;
        self.0.told.borrow_mut().remember(&document);
        document.numbered(start, end, style).map_err(|error| self.throw(&error))
    }

    /// The tag of the document of this moment.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> Result<String, JsValue> {
        let document = self.document()?;
        self.0.told.borrow_mut().remember(&document);
        Ok(document.version())
    }

    /// Applies a doc update, given as JSON.
    pub fn apply(&self, update: &str) -> Result<JsValue, JsValue> {
        let applied = || {
            let (update, context) = self.read_update(update)?;
            let applied = apply(self.0.as_ref(), &update, &context)?;
            self.0.told.borrow_mut().remember(&self.0.document()?);
            Ok::<_, Error>(applied)
        };
        encode(&applied().map_err(|error| self.throw(&error))?.to_map().into())
    }

    /// Sets what edits may do from now on; nothing is guarded where nothing is given.
    #[wasm_bindgen(js_name = setGuards)]
    pub fn set_guards(&self, guards: JsValue) -> Result<(), JsValue> {
        let bound = || -> Result<Bound, Error> {
            match guards.is_undefined() || guards.is_null() {
                true => Ok(Bound::default()),
                false => {
                    let guards: Guards = decode("guards", guards)?;
                    self.0.document()?;
                    guards.bind_in(&self.0.review.borrow())
                }
            }
        };
        let bound = bound().map_err(|error| self.throw(&error))?;
        self.0.guards.replace(Rc::new(bound));
        Ok(())
    }

    /// Whether an update could be applied: throws where it could not, and changes nothing.
    pub fn check(&self, update: &str) -> Result<(), JsValue> {
        let checked = || {
            let (update, context) = self.read_update(update)?;
            check(self.0.as_ref(), &update, &context)
        };
        checked().map_err(|error| self.throw(&error))
    }

    /// `auto` or `review`.
    #[wasm_bindgen(getter)]
    pub fn mode(&self) -> String {
        match self.0.review.borrow().mode {
            Mode::Auto => "auto".into(),
            Mode::Review => "review".into(),
        }
    }

    /// Sets the mode; what is neither of the two is refused by the skin.
    #[wasm_bindgen(js_name = setMode)]
    pub fn set_mode(&self, mode: &str) {
        let mode = if mode == "review" { Mode::Review } else { Mode::Auto };
        decide::set_mode(self.0.as_ref(), mode);
    }

    /// Whether an edit of now would wait for a decision.
    #[wasm_bindgen(getter)]
    pub fn proposes(&self) -> bool {
        self.0.review.borrow().proposes()
    }

    /// What waits for a decision.
    pub fn hunks(&self) -> Result<JsValue, JsValue> {
        self.document()?;
        let hunks: serde_json::Value = {
            let review = self.0.review.borrow();
            review.hunks().iter().map(|hunk| hunk.to_value(review.base())).collect()
        };
        encode(&hunks)
    }

    /// Accepts the hunks of a selection, given as JSON; their ids.
    pub fn accept(&self, which: &str) -> Result<JsValue, JsValue> {
        let accepted = || decide::accept(self.0.as_ref(), &read_which(which)?);
        encode(&accepted().map_err(|error| self.throw(&error))?.into())
    }

    /// Rejects them.
    pub fn reject(&self, which: &str) -> Result<JsValue, JsValue> {
        let rejected = || decide::reject(self.0.as_ref(), &read_which(which)?);
        encode(&rejected().map_err(|error| self.throw(&error))?.into())
    }

    /// Takes back a turn: `{restored, left}`.
    #[wasm_bindgen(js_name = undoTurn)]
    pub fn undo_turn(&self, turn: &str) -> Result<JsValue, JsValue> {
        encode(&decide::undo_turn(self.0.as_ref(), turn).map_err(|error| self.throw(&error))?.to_value())
    }

    /// Takes over what an editor's transaction changed: for each stretch of top-level blocks where it begins, how many
    /// went and how many came; and all that came.
    pub fn sync(&self, stretches: &[u32], blocks: &str) -> Result<(), JsValue> {
        let stretches: Vec<[usize; 3]> =
            stretches.as_chunks().0.iter().map(|stretch: &[u32; 3]| stretch.map(|number| number as usize)).collect();
        // In place: a clone beside it would make the document copy all its blocks. No JavaScript runs meanwhile.
        let synced = self.0.review.borrow_mut().sync(&stretches, blocks);
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

    fn read_update(&self, json: &str) -> Result<(DocUpdate, EditContext), Error> {
        let given = read(json)?;
        let context = EditContext {
            confirm_drop: confirms_drop(&given),
            format: Format::stated(&given)?,
            ..self.0.locale.get().into()
        };
        Ok((DocUpdate::from_value(&given)?, context))
    }

    fn throw(&self, error: &Error) -> JsValue {
        throw(error, self.0.locale.get())
    }
}

fn read(json: &str) -> Result<serde_json::Value, Error> {
    serde_json::from_str(json).map_err(|error| Error::InvalidArguments { reason: error.to_string() })
}

fn read_which(json: &str) -> Result<Which, Error> {
    Which::from_value(&read(json)?)
}

fn held(document: Document, editor: Option<Editor>, locale: Locale) -> DocumentHandle {
    DocumentHandle(Rc::new(Held {
        review: RefCell::new(Review::new(document)),
        keeper: RefCell::new(editor.map_or(Keeper::Wasm, Keeper::Editor)),
        fault: RefCell::new(None),
        locale: Cell::new(locale),
        turns: Cell::new(0),
        guards: RefCell::default(),
        told: RefCell::default(),
    }))
}

impl Held {
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
                let changes: serde_json::Value = changes.iter().map(|change| change.to_value(&base)).collect();
                editor.dispatch(&changes.to_string()).map_err(refused)
            }
            None => {
                let changed = change::replace(&base, changes)?;
                self.review.borrow_mut().follow(changed);
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
                Document::blocks_from_json(&editor.parse(html, at).map_err(refused)?, &schema)
            }
            None => crate::document::parse_fragment(html, &schema),
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
        decide::dispatch(self, changes, origin)
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
