//! The document as JavaScript uses it: standalone, or bound to an editor.

use super::guarded_document::GuardedDocument;
use super::page_document::{Editor, PageDocument};
use super::value::{decode, encode, encode_many, settings, throw};
use copydesk_base::ErrorInfo;
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Schema, Style, utf16};
use copydesk_edit::guard::{Bound, Guards};
use copydesk_edit::{BlockParser, DocumentHolder, Error as EditError, Origin, plan, section};
use copydesk_review::decide::{self, Reviewed};
use copydesk_review::undo_decision::undo_decision;
use copydesk_review::{Authors, DocumentEvent, Due, Error, HistoryMove, Mode, ReviewHost, Version, Which};
use js_sys::{Array, Uint32Array};
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A document; `Document` of the package wraps it.
#[wasm_bindgen(js_name = DocumentHandle)]
pub struct DocumentHandle(pub(super) Rc<PageDocument>, pub(super) Option<Rc<Bound>>);

#[wasm_bindgen(js_class = DocumentHandle)]
impl DocumentHandle {
    /// Parses HTML with the built-in schema.
    #[wasm_bindgen(js_name = fromHTML)]
    pub fn from_html(html: String, locale: &str) -> Result<DocumentHandle, JsValue> {
        let locale = Locale::from_tag(locale);
        let document = Document::from_html(html).map_err(|error| throw(&error, locale))?;
        Ok(DocumentHandle(Rc::new(PageDocument::new(document, None, None, locale)), None))
    }

    /// Reads a document of the given or the built-in schema, and binds it to an editor if there is one. The JSON is
    /// UTF-8: a string would take three times its length until it is copied.
    #[wasm_bindgen(js_name = fromJSON)]
    pub fn from_json(
        json: &[u8],
        schema: Option<String>,
        editor: Option<Editor>,
        locale: &str,
    ) -> Result<DocumentHandle, JsValue> {
        let locale = Locale::from_tag(locale);
        let json = &*String::from_utf8_lossy(json);
        let read = || -> Result<Document, copydesk_document::Error> {
            let schema = schema.as_ref().map_or_else(|| Ok(Schema::tiptap()), |schema| Schema::from_json(schema))?;
            match &editor {
                Some(_) => Document::from_editor(json, schema),
                None => Document::from_json(json, schema),
            }
        };
        let document = read().map_err(|error| throw(&error, locale))?;
        Ok(DocumentHandle(Rc::new(PageDocument::new(document, schema, editor, locale)), None))
    }

    /// Returns the document as HTML.
    #[wasm_bindgen(js_name = toHTML)]
    pub fn to_html(&self) -> Result<String, JsValue> {
        let html = || self.0.html(0..self.0.document()?.blocks().len());
        html().map_err(|error| self.throw(&error))
    }

    /// Returns the document as ProseMirror JSON.
    #[wasm_bindgen(js_name = toJSON)]
    pub fn to_json(&self) -> Result<String, JsValue> {
        Ok(self.document()?.to_json())
    }

    /// Returns the sections as `{index, title, from, to}`.
    pub fn outline(&self) -> Result<JsValue, JsValue> {
        encode_many(&self.document()?.sections())
    }

    /// Returns the sections as `[texts, numbers, next]`: the joined titles and contents of the sections with a key of
    /// at least `since`; for each section its key, `from`, `to`, and the lengths of both texts, 0 if they are left out;
    /// the `since` of the next call. A section keeps its key while its blocks do not change ([`SectionKeys`]).
    ///
    /// [`SectionKeys`]: copydesk_document::SectionKeys
    pub fn sections(&self, since: u32) -> Result<Array, JsValue> {
        let document = self.document()?;
        let sections = document.sections();
        let keys = self.0.section_keys.borrow_mut().of(document.blocks(), &sections);
        let (mut texts, mut numbers) = (String::new(), Vec::with_capacity(5 * sections.len()));
        for (section, key) in sections.iter().zip(keys) {
            numbers.extend([key, section.from as u32, section.to as u32]);
            if key < since {
                numbers.extend([0, 0]);
                continue;
            }
            let content = section::html(self.0.as_ref(), &document, section).map_err(|error| {
                // The keys were given, but the caller gets no texts with them.
                self.0.section_keys.borrow_mut().invalidate_all();
                self.throw(&error)
            })?;
            numbers.extend([&section.title, &content].map(|text| utf16::len(text) as u32));
            texts.push_str(&section.title);
            texts.push_str(&content);
        }
        let next = self.0.section_keys.borrow().next();
        Ok(Array::of3(&texts.into(), &Uint32Array::from(&numbers[..]), &next.into()))
    }

    /// Returns the lines as `[texts, numbers, kinds]`: all texts joined; for each line `from`, `to`, the length of
    /// its text, the index of its kind, its path with the length in front, and its text forms (offset and length) with
    /// their number in front; the names of the kinds. One object per line would take several times as long to transfer.
    pub fn lines(&self) -> Result<Array, JsValue> {
        let document = self.document()?;
        let (mut texts, mut numbers, mut kinds) = (String::new(), Vec::new(), Vec::<String>::new());
        document.each_line(0..document.blocks().len(), &mut |line| {
            let kind = kinds.iter().position(|known| known == line.kind).unwrap_or_else(|| {
                kinds.push(line.kind.to_owned());
                kinds.len() - 1
            });
            let has_forms = line.text.is_empty() || !line.atoms.is_empty();
            let width = if has_forms { utf16::len(line.text) } else { line.to - line.from };
            numbers.extend([line.from, line.to, width, kind, line.path.len()].map(|number| number as u32));
            numbers.extend(line.path.iter().map(|index| *index as u32));
            numbers.push(line.atoms.len() as u32);
            for atom in line.atoms {
                let (before, form) = (&line.text[..atom.start], &line.text[atom.clone()]);
                numbers.extend([utf16::len(before), utf16::len(form)].map(|number| number as u32));
            }
            texts.push_str(line.text);
        });
        let kinds: Array = kinds.into_iter().map(JsValue::from).collect();
        Ok(Array::of3(&texts.into(), &Uint32Array::from(&numbers[..]), &kinds))
    }

    /// Returns the lines from `start` to `end` as numbered text; the bounds are optional. With `structure` a prefix
    /// shows the kind of each line. `locale` is the language of the first line.
    pub fn numbered(
        &self,
        start: Option<usize>,
        end: Option<usize>,
        structure: bool,
        locale: Option<String>,
    ) -> Result<String, JsValue> {
        let style = if structure { Style::Structure } else { Style::Plain };
        let document = self.document()?;
        self.0.told.borrow_mut().remember(&document);
        let locale = locale.map_or(Locale::En, |tag| Locale::from_tag(&tag));
        document.numbered_in(start, end, style, locale).map_err(|error| self.throw(&error))
    }

    /// Returns the version of the current document.
    #[wasm_bindgen(getter)]
    pub fn version(&self) -> Result<String, JsValue> {
        let document = self.document()?;
        self.0.told.borrow_mut().remember(&document);
        Ok(document.version())
    }

    /// Sets the limits of edits from now on; null removes them.
    #[wasm_bindgen(js_name = setGuards)]
    pub fn set_guards(&self, guards: JsValue) -> Result<(), JsValue> {
        let set = move || -> Result<(), Error> {
            if guards.is_undefined() || guards.is_null() {
                self.guarded(Value::Null);
                self.0.cell.clear_guards();
                return Ok(());
            }
            let given = settings("guards", guards)?;
            let guards: Guards = decode("guards", &given)?;
            self.0.document()?;
            self.0.cell.set_guards(&guards)?;
            self.guarded(given);
            Ok(())
        };
        set().map_err(|error| self.throw(&error))
    }

    /// Returns `auto` or `review`.
    #[wasm_bindgen(getter)]
    pub fn mode(&self) -> String {
        match self.0.review().borrow().mode {
            Mode::Auto => "auto".into(),
            Mode::Review => "review".into(),
        }
    }

    /// Sets the mode, which the JS package has validated.
    #[wasm_bindgen(js_name = setMode)]
    pub fn set_mode(&self, mode: &str) {
        self.0.observers.input("setMode", &|| mode.into());
        let mode = if mode == "review" { Mode::Review } else { Mode::Auto };
        decide::set_mode(self.0.as_ref(), mode);
    }

    /// Returns whether an edit would wait for a decision.
    #[wasm_bindgen(getter)]
    pub fn proposes(&self) -> bool {
        self.0.review().borrow().proposes()
    }

    /// Returns the pending hunks.
    pub fn hunks(&self) -> Result<JsValue, JsValue> {
        self.document()?;
        let hunks: Value = {
            let review = self.0.review().borrow();
            review.hunks().iter().map(|hunk| hunk.to_value(review.base())).collect()
        };
        encode(&hunks)
    }

    /// Returns the revision of the hunks and the positions of some of them, as [`Review::hunk_places`].
    #[wasm_bindgen(js_name = hunkPlaces)]
    pub fn hunk_places(&self, start: u32, end: u32) -> Result<Uint32Array, JsValue> {
        self.document()?;
        let review = self.0.review().borrow();
        let places = review.hunk_places(start as usize..end as usize).into_iter().flatten().map(|number| number as u32);
        let numbers: Vec<u32> = std::iter::once(review.revision()).chain(places).collect();
        Ok(Uint32Array::from(&numbers[..]))
    }

    /// Makes stored hunks, given as JSON, pending again.
    #[wasm_bindgen(js_name = restoreHunks)]
    pub fn restore_hunks(&self, hunks: &str) -> Result<(), JsValue> {
        let restored = || {
            let before = self.0.document()?;
            decide::restore(self.0.as_ref(), &read(hunks)?)?;
            let (origin, review) = (Origin::default(), &self.0.review().borrow());
            self.0.observers.emit(DocumentEvent::Proposed { before: &before, origin: &origin, review });
            Ok::<_, Error>(())
        };
        restored().map_err(|error| self.throw(&error))
    }

    /// Replaces the document by another one, given as JSON, with an edit that belongs to no turn and that guards do not
    /// check.
    #[wasm_bindgen(js_name = proposeDocument)]
    pub fn propose_document(&self, json: &str) -> Result<(), JsValue> {
        let proposed = || {
            let before = self.0.document()?;
            let after = Document::from_json(json, before.schema().clone())?;
            let changes = plan::compare(&before, &after).changes;
            self.0.dispatch(&changes, &Origin::default())
        };
        proposed().map_err(|error: EditError| self.throw(&error))
    }

    /// Shares the hunks with other pages from now on. The arguments are the halves of a random number, from which the
    /// ids of new hunks are made, so that no other page uses the same.
    #[wasm_bindgen(js_name = shareHunks)]
    pub fn share_hunks(&self, high: u32, low: u32) {
        self.0.review().borrow_mut().share((u64::from(high) << 32 | u64::from(low)) >> 1);
    }

    /// Sets the authors of edits, `{agent, person}` as JSON.
    #[wasm_bindgen(js_name = setAuthors)]
    pub fn set_authors(&self, authors: &str) -> Result<(), JsValue> {
        let given = read(authors).map_err(|error| self.throw(&error))?;
        let author = |name: &str| given.get(name).cloned();
        self.0.review().borrow_mut().set_authors(Authors { agent: author("agent"), person: author("person") });
        Ok(())
    }

    /// Returns and forgets the decisions about shared hunks since the last call: `{id, outcome}[]`.
    #[wasm_bindgen(js_name = takeDecisions)]
    pub fn take_decisions(&self) -> Result<JsValue, JsValue> {
        let taken = self.0.review().borrow_mut().take_decisions();
        encode(&taken.iter().map(|(id, outcome)| json!({ "id": id, "outcome": outcome })).collect())
    }

    /// Replaces the pending hunks by the shared ones in `{hunks, decided}`, given as JSON, on the document that was
    /// reported last. Returns `{id, reason}[]` for those that are not pending.
    #[wasm_bindgen(js_name = adoptHunks)]
    pub fn adopt_hunks(&self, shared: &str) -> Result<JsValue, JsValue> {
        let adopted = || {
            let shared = read(shared)?;
            let (before, revision) = {
                let review = self.0.review().borrow();
                (review.proposed().clone(), review.revision())
            };
            let waiting = self.0.review().borrow_mut().adopt(&shared)?;
            let (origin, review) = (Origin::default(), &self.0.review().borrow());
            if review.revision() != revision {
                self.0.observers.emit(DocumentEvent::Proposed { before: &before, origin: &origin, review });
            }
            Ok::<_, Error>(waiting)
        };
        let waiting = adopted().map_err(|error| self.throw(&error))?;
        encode(&waiting.iter().map(|(id, reason)| json!({ "id": id, "reason": reason })).collect())
    }

    /// Decides a conflict: `mine`, `theirs` or `both`.
    #[wasm_bindgen(js_name = resolveHunk)]
    pub fn resolve_hunk(&self, id: &str, version: &str) -> Result<(), JsValue> {
        let resolved = || {
            let chosen = Version::from_name(version)?;
            let given = json!({ "hunk": id, "version": version });
            self.decided("resolve", given, &|| {
                decide::resolve(self.0.as_ref(), id, chosen)?;
                Ok(Value::Null)
            })
        };
        resolved().map(drop).map_err(|error| self.throw(&error))
    }

    /// Accepts the hunks of a selection, given as JSON: `{hunks, conflicts}`.
    pub fn accept(&self, which: &str) -> Result<JsValue, JsValue> {
        let accepted = || {
            self.decided("accept", read(which)?, &|| {
                decide::accept(self.0.as_ref(), &read_which(which)?).map(|accepted| accepted.to_value())
            })
        };
        encode(&accepted().map_err(|error| self.throw(&error))?)
    }

    /// Rejects the hunks of a selection.
    pub fn reject(&self, which: &str) -> Result<JsValue, JsValue> {
        let rejected = || {
            self.decided("reject", read(which)?, &|| {
                decide::reject(self.0.as_ref(), &read_which(which)?).map(Value::from)
            })
        };
        encode(&rejected().map_err(|error| self.throw(&error))?)
    }

    /// Makes decided hunks pending again, those of the last decision without a selection: `{hunks, left}`.
    #[wasm_bindgen(js_name = undoDecision)]
    pub fn undo_decision(&self, which: Option<String>) -> Result<JsValue, JsValue> {
        let undone = || {
            let value = which.as_deref().map(read).transpose()?.unwrap_or_default();
            let which = which.as_deref().map(read_which).transpose()?;
            self.decided("undoDecision", value, &|| {
                undo_decision(self.0.as_ref(), which.as_ref()).map(|undone| undone.to_value())
            })
        };
        encode(&undone().map_err(|error| self.throw(&error))?)
    }

    /// Reverts a turn: `{restored, left}`.
    #[wasm_bindgen(js_name = undoTurn)]
    pub fn undo_turn(&self, turn: &str) -> Result<JsValue, JsValue> {
        let undone = || Ok(decide::undo_turn(self.0.as_ref(), turn)?.to_value());
        encode(&self.decided("undoTurn", turn.into(), &undone).map_err(|error| self.throw(&error))?)
    }

    /// Applies a change that the editor reports: for each range of top-level blocks its index, the number of blocks
    /// removed and the number inserted; and the inserted blocks.
    /// `history` is given if the editor's history makes the change: "undo", "redo" or "unknown".
    pub fn sync(&self, stretches: &[u32], blocks: &str, history: Option<String>) -> Result<(), JsValue> {
        if let Some(direction) = history {
            self.0.observers.input("history", &|| direction.as_str().into());
            self.0.review().borrow_mut().expect_history(HistoryMove::from_name(&direction));
        }
        let stretches: Vec<[usize; 3]> =
            stretches.as_chunks().0.iter().map(|stretch: &[u32; 3]| stretch.map(|number| number as usize)).collect();
        self.0.observers.emit(DocumentEvent::Synced { ranges: &stretches, blocks });
        // In place: with a clone the document would copy all its blocks. No JavaScript runs meanwhile.
        let synced = self.0.review().borrow_mut().sync(&stretches, blocks);
        self.invalidate_sections(&stretches);
        synced.map_err(|error| {
            let thrown = self.throw(&error);
            self.0.fault.replace(Some(error));
            thrown
        })
    }

    /// Returns when the editor has to report a change inside of one top-level block: 0 at once, 1 before the next read,
    /// 2 before the next read and joined with others of the same block ([`Due`]).
    #[wasm_bindgen(getter)]
    pub fn due(&self) -> u8 {
        match self.0.review().borrow().due() {
            Due::Now => 0,
            Due::Later => 1,
            Due::Joined => 2,
        }
    }

    /// Releases the editor, which was destroyed. The document cannot be read after that.
    pub fn release(&self) {
        self.0.release();
    }

    /// Returns the document as an agent gets it.
    pub(super) fn host(&self) -> Rc<dyn ReviewHost> {
        match &self.1 {
            Some(guards) => Rc::new(GuardedDocument { document: self.0.clone(), guards: guards.clone() }),
            None => self.0.clone(),
        }
    }

    /// Gives the sections of reported blocks new keys, also if the blocks are equal: `NaN` is null here, so an equal
    /// block can have different HTML in the editor.
    fn invalidate_sections(&self, stretches: &[[usize; 3]]) {
        let review = self.0.review().borrow();
        let blocks = review.base().blocks();
        let (mut keys, mut inserted, mut deleted) = (self.0.section_keys.borrow_mut(), 0, 0);
        for [from, removed, added] in stretches {
            let start = (from + inserted).saturating_sub(deleted);
            keys.invalidate(blocks.get(start..start + added).unwrap_or_default());
            (inserted, deleted) = (inserted + added, deleted + removed);
        }
    }

    /// Stores the guards that were set; null if they were removed.
    fn guarded(&self, guards: Value) {
        self.0.observers.input("setGuards", &|| guards.clone());
        self.0.given_guards.replace(guards);
    }

    /// Carries out a decision of the user.
    fn decided(&self, name: &str, value: Value, act: &dyn Fn() -> Result<Value, Error>) -> Result<Value, Error> {
        // Changes that the editor has not reported yet precede the decision.
        self.0.refresh()?;
        self.0.observers.decide(name, &value, self.0.review(), act)
    }

    fn document(&self) -> Result<Document, JsValue> {
        self.0.document().map_err(|error| self.throw(&error))
    }

    pub(super) fn throw(&self, error: &dyn ErrorInfo) -> JsValue {
        throw(error, self.0.locale.get())
    }
}

/// Reads JSON.
pub(super) fn read(json: &str) -> Result<Value, Error> {
    serde_json::from_str(json)
        .map_err(|error| copydesk_base::Error::InvalidArguments { reason: error.to_string() }.into())
}

fn read_which(json: &str) -> Result<Which, Error> {
    Which::from_value(&read(json)?)
}
