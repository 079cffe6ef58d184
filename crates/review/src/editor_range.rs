//! Ranges of the document that the editor holds, for edits and previews of the proposal.

use super::host::ReviewHost;
use copydesk_edit::Error;
use copydesk_edit::guard::{RunScope, ScopeRange};
use copydesk_edit::preview::{Preview, preview};
use copydesk_edit::relocate::Shown;
use serde_json::{Map, Value};

/// Binds the scope of a run, a range of the editor's document, to the current document.
///
/// # Errors
/// As [`RunScope::bind`]; the host's error if the document cannot be read.
pub fn bind_scope(host: &dyn ReviewHost, range: ScopeRange) -> Result<RunScope, Error> {
    let document = host.document()?;
    RunScope::bind(&host.guards(), &document, host.in_document(range.from..range.to))
}

/// Returns the preview of an update that is still arriving, as [`preview`] does, at its range of the editor's document.
pub fn preview_in_editor(host: &dyn ReviewHost, shown: &Shown, arguments: &Map<String, Value>) -> Option<Preview> {
    let found = preview(&host.document().ok()?, shown, arguments)?;
    Some(Preview { from: host.in_editor(found.from), to: host.in_editor(found.to), ..found })
}
