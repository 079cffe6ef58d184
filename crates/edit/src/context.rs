//! The context of an edit.

use crate::content::Format;
use crate::guard::RunScope;
use crate::origin::Origin;
use crate::provenance::Provenance;
use crate::record::Stated;
use copydesk_base::locale::Locale;
use std::rc::Rc;

/// The context of an edit.
#[derive(Clone, Debug, Default)]
pub struct EditContext {
    /// The language of results and errors.
    pub locale: Locale,
    /// The origin of the edit.
    pub origin: Origin,
    /// The lines as the model gave them, if they had to be found again.
    pub stated: Option<Vec<Stated>>,
    /// True if the edit may drop what the guards would keep.
    pub confirm_drop: bool,
    /// The URLs that a model's edit may bring: those that it did not make up. `None` for an edit of the app itself.
    pub provenance: Option<Rc<Provenance>>,
    /// The format of the content; detected if it is not given.
    pub format: Option<Format>,
    /// The scope of the run that the edit belongs to.
    pub scope: Option<Rc<RunScope>>,
}

impl From<Locale> for EditContext {
    /// An edit that no model asked for.
    fn from(locale: Locale) -> EditContext {
        EditContext { locale, ..EditContext::default() }
    }
}
