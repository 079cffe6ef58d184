//! Edits of the document as JavaScript makes them: in the later part, as all that edits.

use super::document::{DocumentHandle, read};
use super::parts::later;
use super::value::{decode, encode, settings, with_text};
use copydesk_edit::guard::{Bound, Guards, ScopeRange};
use copydesk_edit::operation::EditOptions;
use copydesk_edit::{DocUpdate, DocumentHolder, EditContext, apply, apply::check};
use copydesk_review::decide::Reviewed;
use copydesk_review::{Error, bind_scope};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_class = DocumentHandle)]
impl DocumentHandle {
    /// Applies a doc update, given as JSON, perhaps with a long text beside it ([`with_text`]).
    pub fn apply(&self, update: &str, text: Option<String>) -> Result<JsValue, JsValue> {
        apply_update(self, update, text)
    }

    /// Returns a handle of the same document. Agents that get it have to comply with these guards besides those of the
    /// document; `undefined` means none. Sections are those of the current document.
    #[wasm_bindgen(js_name = forAgent)]
    pub fn for_agent(&self, guards: JsValue) -> Result<DocumentHandle, JsValue> {
        handle_for_agent(self, guards)
    }

    /// Throws if a run that may change only this range could change nothing.
    #[wasm_bindgen(js_name = checkScope)]
    pub fn check_scope(&self, from: usize, to: usize) -> Result<(), JsValue> {
        check_range(self, from, to)
    }

    /// Throws if an update could not be applied; changes nothing.
    pub fn check(&self, update: &str) -> Result<(), JsValue> {
        check_update(self, update)
    }
}

later! {
    "02"
    /// See [`DocumentHandle::apply`].
    fn apply_update(this: &DocumentHandle, update: &str, text: Option<String>) -> Result<JsValue, JsValue> {
        let applied = move || {
            let (update, context) = read_update(this, update, text)?;
            let applied = apply(this.0.as_ref(), &update, &context)?;
            this.0.told.borrow_mut().remember(&this.0.document()?);
            Ok::<_, Error>(applied)
        };
        encode(&applied().map_err(|error| this.throw(&error))?.into_map().into())
    }
}

later! {
    "03"
    /// See [`DocumentHandle::for_agent`].
    fn handle_for_agent(this: &DocumentHandle, guards: JsValue) -> Result<DocumentHandle, JsValue> {
        let bind = || -> Result<Option<Rc<Bound>>, Error> {
            if guards.is_undefined() {
                return Ok(None);
            }
            let guards: Guards = decode("guards", &settings("guards", guards)?)?;
            this.0.document()?;
            Ok(Some(Rc::new(this.0.review().borrow().bind(&guards)?)))
        };
        let bound = bind().map_err(|error| this.throw(&error))?;
        Ok(DocumentHandle(this.0.clone(), bound))
    }
}

later! {
    "04"
    /// See [`DocumentHandle::check_scope`].
    fn check_range(this: &DocumentHandle, from: usize, to: usize) -> Result<(), JsValue> {
        bind_scope(this.0.as_ref(), ScopeRange { from, to }).map(drop).map_err(|error| this.throw(&error))
    }
}

later! {
    "05"
    /// See [`DocumentHandle::check`].
    fn check_update(this: &DocumentHandle, update: &str) -> Result<(), JsValue> {
        let checked = || {
            let (update, context) = read_update(this, update, None)?;
            Ok::<_, Error>(check(this.0.as_ref(), &update, &context)?)
        };
        checked().map_err(|error| this.throw(&error))
    }
}

fn read_update(this: &DocumentHandle, json: &str, text: Option<String>) -> Result<(DocUpdate, EditContext), Error> {
    let mut given = read(json)?;
    // Read before a long text is added, which would be copied with them.
    let EditOptions { format, confirm_drop } = EditOptions::read(&given)?;
    if let Some(mut text) = text {
        with_text(&mut given, &mut text);
    }
    let context = EditContext { confirm_drop: confirm_drop == Some(true), format, ..this.0.locale.get().into() };
    Ok((DocUpdate::from_value(&given)?, context))
}
