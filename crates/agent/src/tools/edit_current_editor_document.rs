//! Defines `edit_current_editor_document`, which changes lines.

use super::edit::{apply_update, of_operation};
use super::{ExecutionPolicy, ToolContext, ToolDefinition, ToolFuture, ToolKind};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_edit::DocUpdate;
use copydesk_edit::Error;
use copydesk_edit::content::Format;
use copydesk_edit::operation::{EditOptions, LineEdit, Operation, ReplaceLines};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `edit_current_editor_document{content, start_line?, end_line?, edits?, …}` → the result with the lines around the
/// change.
// The lines come before the content, so that content that is still arriving can be shown where it will be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditDocument {
    /// The first line, from 1.
    #[schemars(description = messages::EDIT_DOCUMENT_START_LINE.text(parameters::locale()))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(description = messages::EDIT_DOCUMENT_END_LINE.text(parameters::locale()))]
    pub end_line: Option<i64>,
    /// The new text of the lines, or of the whole document.
    #[schemars(description = messages::EDIT_DOCUMENT_CONTENT.text(parameters::locale()))]
    pub content: Option<String>,
    /// Several ranges at once; they do not overlap.
    #[schemars(description = messages::EDIT_DOCUMENT_EDITS.text(parameters::locale()))]
    pub edits: Option<Vec<LineEdit>>,
    /// The notation of content. Default: detected.
    #[schemars(description = messages::EDIT_DOCUMENT_FORMAT.text(parameters::locale()))]
    pub format: Option<Format>,
    /// Why, in a few words.
    #[schemars(description = messages::EDIT_DOCUMENT_INSTRUCTION.text(parameters::locale()))]
    pub instruction: Option<String>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(description = messages::EDIT_DOCUMENT_VERSION.text(parameters::locale()))]
    pub version: Option<String>,
    /// With content alone: true if it replaces the whole document, whatever it is.
    #[schemars(description = messages::EDIT_DOCUMENT_WHOLE.text(parameters::locale()))]
    pub whole: Option<bool>,
    /// Confirms that the edit may drop what the guards protect.
    #[serde(rename = "confirmDrop")]
    #[schemars(extend("hidden" = true))]
    pub confirm_drop: Option<bool>,
}

impl EditDocument {
    fn options(&self) -> EditOptions {
        EditOptions { format: self.format, confirm_drop: self.confirm_drop }
    }

    fn update(self) -> Result<DocUpdate, Error> {
        let EditDocument { content, start_line, end_line, edits, format, instruction, version, whole, .. } = self;
        let edits = edits.unwrap_or_default();
        if edits.is_empty() && content.is_none() {
            let (call, name) = (<Self as ToolDefinition>::NAME.to_owned(), "content".to_owned());
            return Err(copydesk_base::Error::MissingParameter { call, name }.into());
        }
        let update = ReplaceLines { edits, version, instruction, whole, start_line, end_line, content };
        let mut update = update.listed()?;
        format.into_iter().for_each(|format| update.set_format(format));
        Ok(update.into())
    }
}

impl ToolDefinition for EditDocument {
    const NAME: &'static str = "edit_current_editor_document";
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::EDIT_CURRENT_EDITOR_DOCUMENT_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::EDITS_DOCUMENT
    }

    fn doc_update(self) -> Option<DocUpdate> {
        self.update().ok()
    }

    fn arriving_update(arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut update = of_operation(<ReplaceLines as Operation>::NAME, arguments.clone());
        if !update.get("edits").is_some_and(Value::is_array) {
            let edit = update.clone();
            update.insert("edits".into(), vec![Value::Object(edit)].into());
        }
        Some(update)
    }

    fn check(&self) -> Result<(), crate::Error> {
        Ok(self.clone().update().map(drop)?)
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        let options = self.options();
        apply_update(self.update(), options, context)
    }
}
