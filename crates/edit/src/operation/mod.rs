//! The operations: each kind of doc update is defined in one file, by the struct of its parameters.
//!
//! The list at [`DocUpdate`] is the only other place that knows of an operation.

mod line_edit;
mod summary;

pub use summary::Outcome;

use super::apply::{DocumentHost, Resolved};
use super::content::Format;
use super::draft::Draft;
use super::target::{SectionUse, Target};
use crate::Error;
use crate::messages;
use copydesk_base::error::excerpt;
use copydesk_base::parameters::{self, Parameters};
use copydesk_document::{Document, Line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The definition of one kind of doc update, implemented by the struct of its parameters.
pub trait Operation: Parameters + Serialize + Clone {
    /// The name in the field `operation`.
    const NAME: &'static str;

    /// Reads its parameters. Fails with an error that names the parameter.
    fn read(given: &Value) -> Result<Self, Error> {
        Ok(parameters::read(Self::NAME, given)?)
    }

    /// Returns the target to which it refers.
    fn target(&self) -> Target;

    /// Makes it refer to a target of the same kind in the current document.
    fn retarget(&mut self, target: &Target);

    /// Returns the version whose lines are meant, if it is stated.
    fn version(&self) -> Option<&str> {
        None
    }

    /// Returns the reason for the update in the model's own words, if it is stated.
    fn instruction(&self) -> Option<&str> {
        None
    }

    /// Returns its contents as they were written: HTML, Markdown or text.
    fn contents(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Returns all texts in which signs may be stated, each with the format that is stated for it.
    fn contents_mut(&mut self) -> Vec<(&mut String, Option<Format>)> {
        self.blocks_mut().into_iter().map(|content| (content, None)).collect()
    }

    /// Returns the heading that it states for a section that is there already.
    fn heading(&self) -> Option<String> {
        None
    }

    /// Returns the content that always becomes whole blocks, so that Markdown in it can be converted first.
    fn blocks_mut(&mut self) -> Option<&mut String> {
        None
    }

    /// Applies the format that is stated for all of the content to the parts that do not state their own.
    fn set_format(&mut self, _format: Format) {}

    /// Restores content that repeats lines of `then` as they were shown truncated.
    fn complete(&mut self, _then: &Document) {}

    /// Restates an update of the whole document as one of the lines that it changes. Returns false if it cannot be.
    fn narrow(&mut self, _then: &Document) -> bool {
        false
    }

    /// Finds which top-level blocks become which.
    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error>;

    /// Returns one sentence that describes what was done.
    fn summary(&self, outcome: &Outcome) -> String;

    /// Returns the place and the content from arguments that are still arriving; `None` if nothing will be written, or
    /// if they do not state the place yet.
    fn draft(_arguments: &Map<String, Value>, _now: &Document) -> Option<Draft> {
        None
    }
}

/// Options of an edit, whatever the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditOptions {
    /// How content is written. Default: as it looks.
    #[schemars(extend("hidden" = true))]
    pub format: Option<Format>,
    /// Only after an error would_drop: true lets go of what it names.
    #[schemars(extend("hidden" = true), description = messages::EDIT_OPTIONS_CONFIRM_DROP.text(parameters::locale()))]
    pub confirm_drop: Option<bool>,
}

impl EditOptions {
    /// Reads the options beside the parameters of an operation. Fails with an error that names the option.
    pub fn read(given: &Value) -> Result<EditOptions, Error> {
        Ok(parameters::read("apply", given)?)
    }
}

/// The `type` of an event that carries an update.
const DOC_UPDATE_EVENT: &str = "doc_update";

/// Makes [`DocUpdate`] of the list of operations.
macro_rules! operations {
    ($($module:ident::$operation:ident,)*) => {
        $(mod $module; pub use $module::$operation;)*

        /// One edit as a model or a server states it. Indexes and lines are those before the edit.
        #[derive(Clone, Debug, PartialEq)]
        #[expect(missing_docs, reason = "the structs have the documentation")]
        pub enum DocUpdate {
            $($operation($operation),)*
        }

        /// The names of the operations.
        pub const OPERATIONS: &[&str] = &[$($operation::NAME),*];

        impl DocUpdate {
            /// Reads `{operation, …}` as the package's `Document.apply` takes it, or a `doc_update` event.
            ///
            /// An event states the update as the document was right before it; its `version` is that of the result.
            pub fn from_value(value: &Value) -> Result<DocUpdate, Error> {
                if value["type"] == DOC_UPDATE_EVENT
                    && let Value::Object(mut event) = value.clone()
                {
                    event.retain(|name, _| name != "type" && name != "version");
                    return DocUpdate::from_value(&event.into());
                }
                match value["operation"].as_str() {
                    $(Some($operation::NAME) => $operation::read(value).map(DocUpdate::$operation),)*
                    Some(other) => Err(Error::UnknownOperation { given: excerpt(other), valid: OPERATIONS }),
                    None => Err(copydesk_base::Error::MissingParameter { call: "apply".into(), name: "operation".into() }.into()),
                }
            }

            /// Returns the parameters with `operation`, as [`DocUpdate::from_value`] reads them.
            pub fn to_map(&self) -> Map<String, Value> {
                let (name, parameters) = match self {
                    $(DocUpdate::$operation(operation) => ($operation::NAME, serde_json::to_value(operation)),)*
                };
                // The structs have no keys that are not strings, so they are always JSON.
                let mut given = match without_nulls(parameters.unwrap_or_default()) {
                    Value::Object(given) => given,
                    _ => Map::new(),
                };
                given.insert("operation".into(), name.into());
                given
            }

            /// Returns the draft of an update `{operation, …}` that is still arriving.
            pub fn draft(arguments: &Map<String, Value>, now: &Document) -> Option<Draft> {
                match arguments.get("operation")?.as_str()? {
                    $($operation::NAME => $operation::draft(arguments, now),)*
                    _ => None,
                }
            }

            /// Returns the operation's name.
            pub fn operation(&self) -> &'static str {
                match self { $(DocUpdate::$operation(_) => $operation::NAME,)* }
            }

            /// Returns the target to which it refers.
            pub fn target(&self) -> Target {
                match self { $(DocUpdate::$operation(operation) => operation.target(),)* }
            }

            /// Returns the lines of the sections whose content it replaces.
            pub fn replaced_lines(&self, document: &Document) -> Vec<Line> {
                let Target::Sections(targets) = self.target() else { return Vec::new() };
                let sections = document.sections();
                let replaced = targets.iter().filter(|target| target.usage == SectionUse::Replaced);
                let found = replaced.filter_map(|target| sections.get(usize::try_from(target.index).ok()?));
                found.flat_map(|section| document.lines_of_blocks(section.blocks.clone())).collect()
            }

            /// Makes it refer to a target of the same kind in the current document.
            pub fn retarget(&mut self, target: &Target) {
                match self { $(DocUpdate::$operation(operation) => operation.retarget(target),)* }
            }

            /// Returns the version whose lines are meant, if it is stated.
            pub fn version(&self) -> Option<&str> {
                let version = match self { $(DocUpdate::$operation(operation) => operation.version(),)* };
                version.map(str::trim).filter(|version| !version.is_empty())
            }

            /// Returns the reason for the update in the model's own words, if it is stated.
            pub fn instruction(&self) -> Option<&str> {
                match self { $(DocUpdate::$operation(operation) => operation.instruction(),)* }
            }

            /// Returns its contents as they were written.
            pub fn contents(&self) -> Vec<&str> {
                match self { $(DocUpdate::$operation(operation) => operation.contents(),)* }
            }

            /// Returns all texts in which signs may be stated, each with the format that is stated for it.
            pub(crate) fn contents_mut(&mut self) -> Vec<(&mut String, Option<Format>)> {
                match self { $(DocUpdate::$operation(operation) => operation.contents_mut(),)* }
            }

            /// Returns the heading that it states for a section that is there already.
            pub(crate) fn heading(&self) -> Option<String> {
                match self { $(DocUpdate::$operation(operation) => operation.heading(),)* }
            }

            /// Returns the content that always becomes whole blocks.
            pub(crate) fn blocks_mut(&mut self) -> Option<&mut String> {
                match self { $(DocUpdate::$operation(operation) => operation.blocks_mut(),)* }
            }

            /// Takes in the format that is stated for all of its content.
            pub(crate) fn set_format(&mut self, format: Format) {
                match self { $(DocUpdate::$operation(operation) => operation.set_format(format),)* }
            }

            /// Restores content that repeats lines of `then` as they were shown truncated.
            pub(crate) fn complete(&mut self, then: &Document) {
                match self { $(DocUpdate::$operation(operation) => operation.complete(then),)* }
            }

            /// Restates an update of the whole document as one of the lines that it changes.
            pub(crate) fn narrow(&mut self, then: &Document) -> bool {
                match self { $(DocUpdate::$operation(operation) => operation.narrow(then),)* }
            }

            /// Finds which top-level blocks become which.
            pub(crate) fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
                match self { $(DocUpdate::$operation(operation) => operation.resolve(host, document),)* }
            }

            /// Returns one sentence that describes what was done.
            pub(crate) fn summary(&self, outcome: &Outcome) -> String {
                match self { $(DocUpdate::$operation(operation) => operation.summary(outcome),)* }
            }
        }

        $(impl From<$operation> for DocUpdate {
            fn from(operation: $operation) -> DocUpdate {
                DocUpdate::$operation(operation)
            }
        })*
    };
}

operations! {
    replace::Replace,
    append::Append,
    insert::Insert,
    delete::Delete,
    insert_image::InsertImage,
    move_section::MoveSection,
    replace_lines::ReplaceLines,
    replace_text::ReplaceText,
    set_attributes::SetAttributes,
}

pub use insert_image::ImagePosition;
pub use line_edit::LineEdit;
pub use set_attributes::AttributeEdit;

/// Removes absent fields at every level.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let given = fields.into_iter().filter(|(_, field)| !field.is_null());
            Value::Object(given.map(|(name, field)| (name, without_nulls(field))).collect())
        }
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        value => value,
    }
}

/// Returns a text of arguments that are still arriving, empty if it has not begun.
fn arriving<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Fails with [`copydesk_base::Error::MissingParameter`] if a title is blank.
fn needs_title(call: &str, title: &str) -> Result<(), Error> {
    match title.trim().is_empty() {
        true => Err(copydesk_base::Error::MissingParameter { call: call.into(), name: "title".into() }.into()),
        false => Ok(()),
    }
}
