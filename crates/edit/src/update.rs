//! One edit as a model or a server states it.

use super::content::Format;
use crate::Error;
use copydesk_base::arguments::{self, Arguments, Param, Params};
use copydesk_base::error::excerpt;
use serde_json::Value;

/// The operations of [`DocUpdate`], by their names on the wire.
pub const OPERATIONS: [&str; 7] =
    ["replace", "append", "insert", "delete", "insert_image", "replace_lines", "replace_text"];

/// One edit, at the grain of sections or of lines. Indexes and lines are those before the edit.
#[derive(Clone, Debug, PartialEq)]
pub enum DocUpdate {
    /// Gives a section new content, and a new heading where `title` says so. Section 0 is the h1's area.
    Replace {
        /// The section.
        section_index: i64,
        /// The new text of the heading, where it changes.
        title: Option<String>,
        /// The new content, without the heading.
        content: String,
    },
    /// Adds a section at the end.
    Append {
        /// The text of its heading.
        title: String,
        /// Its content.
        content: String,
    },
    /// Adds a section before another.
    Insert {
        /// The section that will follow the new one.
        section_index: i64,
        /// The text of its heading.
        title: String,
        /// Its content.
        content: String,
    },
    /// Takes a section away, heading and all.
    Delete {
        /// The section; not 0.
        section_index: i64,
    },
    /// Puts a picture before or after a section.
    InsertImage {
        /// The section.
        section_index: i64,
        /// The picture's address: http or https.
        image_url: String,
        /// What it shows: the alternative text.
        image_description: String,
        /// On which side.
        position: ImagePosition,
    },
    /// Gives lines another content.
    ReplaceLines(ReplaceLines),
    /// Puts a text in the place of another, inside a line.
    ReplaceText(ReplaceText),
}

/// The parameters of `replace_lines`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplaceLines {
    /// What to change; the ranges do not overlap.
    pub edits: Vec<LineEdit>,
    /// The version whose lines are meant. Default: that of the last read or result.
    pub version: Option<String>,
    /// Why, in the model's own words.
    pub instruction: Option<String>,
}

impl ReplaceLines {
    /// Whether it brings a whole new document, and not lines.
    pub fn is_whole(&self) -> bool {
        self.edits.iter().all(|edit| edit.start_line.is_none() && edit.end_line.is_none())
    }
}

impl Params for ReplaceLines {
    const PARAMS: &'static [Param] =
        &[Param::list("edits", LineEdit::PARAMS).required(), Param::string("version"), Param::string("instruction")];

    fn take(given: &mut Arguments) -> ReplaceLines {
        ReplaceLines {
            edits: given.list("edits").unwrap_or_default(),
            version: given.text("version"),
            instruction: given.text("instruction"),
        }
    }
}

/// Lines and their new content. Without lines the content is the whole new document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineEdit {
    /// The first line, counted from 1.
    pub start_line: Option<i64>,
    /// The last line, included.
    pub end_line: Option<i64>,
    /// The new content, empty to delete the lines.
    pub content: String,
    /// How the content is written. Default: as it looks.
    pub format: Option<Format>,
}

impl Params for LineEdit {
    const PARAMS: &'static [Param] = &[
        Param::integer("start_line").described("The first line, counted from 1."),
        Param::integer("end_line").described("The last line, included."),
        Param::string("content").required().described("The new content, empty to delete the lines."),
        Param::choice("format", &Format::NAMES).described("How content is written."),
    ];

    fn take(given: &mut Arguments) -> LineEdit {
        LineEdit {
            start_line: given.integer("start_line"),
            end_line: given.integer("end_line"),
            content: given.text("content").unwrap_or_default(),
            format: given.text("format").and_then(|name| Format::named(&name)),
        }
    }
}

/// The parameters of `edit_current_editor_document`: one range, several in `edits`, or the whole document.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "LineEdit and ReplaceLines say what each means")]
pub struct EditDocument {
    pub start_line: Option<i64>,
    pub end_line: Option<i64>,
    pub content: Option<String>,
    pub edits: Option<Vec<LineEdit>>,
    pub format: Option<Format>,
    pub instruction: Option<String>,
    pub version: Option<String>,
}

impl Params for EditDocument {
    // The place comes before the content, so that what streams can be shown where it will stand.
    const PARAMS: &'static [Param] = &[
        Param::integer("start_line"),
        Param::integer("end_line"),
        Param::string("content"),
        Param::list("edits", LineEdit::PARAMS),
        Param::choice("format", &Format::NAMES),
        Param::string("instruction"),
        Param::string("version"),
    ];

    fn take(given: &mut Arguments) -> EditDocument {
        EditDocument {
            start_line: given.integer("start_line"),
            end_line: given.integer("end_line"),
            content: given.text("content"),
            edits: given.list("edits"),
            format: given.text("format").and_then(|name| Format::named(&name)),
            instruction: given.text("instruction"),
            version: given.text("version"),
        }
    }
}

/// The parameters of `replace_text`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplaceText {
    /// The text that goes, as it stands in one line.
    pub old: String,
    /// The text in its place.
    pub new: String,
    /// The line it is in or near, where it occurs more than once.
    pub near_line: Option<i64>,
    /// Whether every occurrence is meant.
    pub all: Option<bool>,
    /// The version whose lines are meant. Default: that of the last read or result.
    pub version: Option<String>,
    /// Why, in the model's own words.
    pub instruction: Option<String>,
}

impl Params for ReplaceText {
    const PARAMS: &'static [Param] = &[
        Param::string("old").required(),
        Param::string("new").required(),
        Param::integer("near_line"),
        Param::boolean("all"),
        Param::string("version"),
        Param::string("instruction"),
    ];

    fn take(given: &mut Arguments) -> ReplaceText {
        ReplaceText {
            old: given.text("old").unwrap_or_default(),
            new: given.text("new").unwrap_or_default(),
            near_line: given.integer("near_line"),
            all: given.boolean("all"),
            version: given.text("version"),
            instruction: given.text("instruction"),
        }
    }
}

/// On which side of a section a picture goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImagePosition {
    /// At its end.
    #[default]
    AfterSection,
    /// Before its heading.
    BeforeSection,
}

/// The parameters of `update_section`. Which of them are needed depends on the operation: see [`DocUpdate`].
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "DocUpdate says what each means")]
pub struct UpdateSection {
    pub operation: String,
    pub section_index: Option<i64>,
    pub title: Option<String>,
    pub content: Option<String>,
}

impl Params for UpdateSection {
    const PARAMS: &'static [Param] = &[
        Param::choice("operation", OPERATIONS.split_at(4).0).required(),
        Param::integer("sectionIndex"),
        Param::string("title"),
        Param::string("content"),
    ];

    fn take(given: &mut Arguments) -> UpdateSection {
        UpdateSection {
            operation: given.text("operation").unwrap_or_default(),
            section_index: given.integer("sectionIndex"),
            title: given.text("title"),
            content: given.text("content"),
        }
    }
}

/// The parameters of `insert_image`.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "DocUpdate says what each means")]
pub struct InsertImage {
    pub section_index: i64,
    pub image_url: String,
    pub image_description: String,
    pub position: Option<ImagePosition>,
}

impl Params for InsertImage {
    const PARAMS: &'static [Param] = &[
        Param::integer("sectionIndex").required(),
        Param::string("imageUrl").required(),
        Param::string("imageDescription").required(),
        Param::choice("position", &["after_section", "before_section"]),
    ];

    fn take(given: &mut Arguments) -> InsertImage {
        InsertImage {
            section_index: given.integer("sectionIndex").unwrap_or_default(),
            image_url: given.text("imageUrl").unwrap_or_default(),
            image_description: given.text("imageDescription").unwrap_or_default(),
            position: given.text("position").map(|name| match name.as_str() {
                "before_section" => ImagePosition::BeforeSection,
                _ => ImagePosition::AfterSection,
            }),
        }
    }
}

impl DocUpdate {
    /// Reads `{operation, …}` as the package's `Document.apply` takes it.
    pub fn from_value(value: &Value) -> Result<DocUpdate, Error> {
        match value["operation"].as_str() {
            Some("insert_image") => Ok(arguments::read::<InsertImage>("insert_image", value)?.into()),
            Some("replace_lines") => Ok(DocUpdate::ReplaceLines(arguments::read("replace_lines", value)?)),
            Some("replace_text") => Ok(DocUpdate::ReplaceText(arguments::read("replace_text", value)?)),
            Some(operation) if OPERATIONS.contains(&operation) => {
                arguments::read::<UpdateSection>(operation, value)?.try_into()
            }
            Some(other) => Err(Error::UnknownOperation { given: excerpt(other), valid: &OPERATIONS }),
            None => {
                Err(copydesk_base::Error::MissingParameter { call: "apply".into(), name: "operation".into() }.into())
            }
        }
    }

    /// The section that the update names; an append and edits of lines name none.
    pub fn section_index(&self) -> Option<i64> {
        match self {
            DocUpdate::Append { .. } | DocUpdate::ReplaceLines(_) | DocUpdate::ReplaceText(_) => None,
            DocUpdate::Replace { section_index, .. }
            | DocUpdate::Insert { section_index, .. }
            | DocUpdate::Delete { section_index }
            | DocUpdate::InsertImage { section_index, .. } => Some(*section_index),
        }
    }

    /// The version whose lines are meant, where it is stated.
    pub fn version(&self) -> Option<&str> {
        let version = match self {
            DocUpdate::ReplaceLines(asked) => asked.version.as_deref(),
            DocUpdate::ReplaceText(asked) => asked.version.as_deref(),
            _ => None,
        };
        version.map(str::trim).filter(|version| !version.is_empty())
    }

    /// Why, in the model's own words, where it says so.
    pub fn instruction(&self) -> Option<&str> {
        match self {
            DocUpdate::ReplaceLines(asked) => asked.instruction.as_deref(),
            DocUpdate::ReplaceText(asked) => asked.instruction.as_deref(),
            _ => None,
        }
    }

    /// The same update for another section.
    pub fn with_section_index(&self, index: usize) -> DocUpdate {
        let mut update = self.clone();
        match &mut update {
            DocUpdate::Append { .. } | DocUpdate::ReplaceLines(_) | DocUpdate::ReplaceText(_) => {}
            DocUpdate::Replace { section_index, .. }
            | DocUpdate::Insert { section_index, .. }
            | DocUpdate::Delete { section_index }
            | DocUpdate::InsertImage { section_index, .. } => *section_index = index as i64,
        }
        update
    }

    /// The contents that the update brings, as they were written: HTML, Markdown or text.
    pub fn contents_mut(&mut self) -> Vec<&mut String> {
        match self {
            DocUpdate::Replace { content, .. }
            | DocUpdate::Append { content, .. }
            | DocUpdate::Insert { content, .. } => {
                vec![content]
            }
            DocUpdate::ReplaceLines(asked) => asked.edits.iter_mut().map(|edit| &mut edit.content).collect(),
            DocUpdate::Delete { .. } | DocUpdate::InsertImage { .. } | DocUpdate::ReplaceText(_) => vec![],
        }
    }

    /// The same contents, to look at.
    pub fn contents(&self) -> Vec<&str> {
        match self {
            DocUpdate::Replace { content, .. }
            | DocUpdate::Append { content, .. }
            | DocUpdate::Insert { content, .. } => {
                vec![content]
            }
            DocUpdate::ReplaceLines(asked) => asked.edits.iter().map(|edit| edit.content.as_str()).collect(),
            DocUpdate::Delete { .. } | DocUpdate::InsertImage { .. } | DocUpdate::ReplaceText(_) => vec![],
        }
    }

    /// Whether text of the section goes, so that it must be known what that text is.
    pub fn overwrites(&self) -> bool {
        matches!(self, DocUpdate::Replace { .. } | DocUpdate::Delete { .. })
    }

    /// The operation's name on the wire.
    pub fn operation(&self) -> &'static str {
        match self {
            DocUpdate::Replace { .. } => OPERATIONS[0],
            DocUpdate::Append { .. } => OPERATIONS[1],
            DocUpdate::Insert { .. } => OPERATIONS[2],
            DocUpdate::Delete { .. } => OPERATIONS[3],
            DocUpdate::InsertImage { .. } => OPERATIONS[4],
            DocUpdate::ReplaceLines(_) => OPERATIONS[5],
            DocUpdate::ReplaceText(_) => OPERATIONS[6],
        }
    }
}

impl TryFrom<UpdateSection> for DocUpdate {
    type Error = Error;

    fn try_from(given: UpdateSection) -> Result<DocUpdate, Error> {
        let call = given.operation.as_str();
        let title = Some(given.title.unwrap_or_default()).filter(|title| !title.trim().is_empty());
        let section_index = needed(call, "sectionIndex", given.section_index);
        let content = needed(call, "content", given.content);
        Ok(match call {
            "append" => DocUpdate::Append { title: needed(call, "title", title)?, content: content? },
            "insert" => DocUpdate::Insert {
                section_index: section_index?,
                title: needed(call, "title", title)?,
                content: content?,
            },
            "delete" => DocUpdate::Delete { section_index: section_index? },
            _ => DocUpdate::Replace { section_index: section_index?, title, content: content? },
        })
    }
}

impl From<InsertImage> for DocUpdate {
    fn from(given: InsertImage) -> DocUpdate {
        DocUpdate::InsertImage {
            section_index: given.section_index,
            image_url: given.image_url,
            image_description: given.image_description,
            position: given.position.unwrap_or_default(),
        }
    }
}

impl TryFrom<EditDocument> for DocUpdate {
    type Error = Error;

    fn try_from(given: EditDocument) -> Result<DocUpdate, Error> {
        const CALL: &str = "edit_current_editor_document";
        let EditDocument { content, start_line, end_line, edits, format, instruction, version } = given;
        let mut edits = edits.unwrap_or_default();
        if edits.is_empty() || content.is_some() {
            edits.push(LineEdit { start_line, end_line, content: needed(CALL, "content", content)?, format });
        }
        Ok(DocUpdate::ReplaceLines(ReplaceLines { edits, version, instruction }))
    }
}

fn needed<T>(call: &str, name: &str, value: Option<T>) -> Result<T, Error> {
    value.ok_or_else(|| Error::Base(copydesk_base::Error::MissingParameter { call: call.into(), name: name.into() }))
}
