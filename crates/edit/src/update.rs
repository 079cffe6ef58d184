//! One edit as a model or a server states it.

use super::content::Format;
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::parameters;
use schemars::JsonSchema;
use serde::Deserialize;
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
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
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

/// Lines and their new content. Without lines the content is the whole new document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
pub struct LineEdit {
    /// The first line, counted from 1.
    pub start_line: Option<i64>,
    /// The last line, included.
    pub end_line: Option<i64>,
    /// The new content, empty to delete the lines.
    pub content: String,
    /// How content is written.
    pub format: Option<Format>,
}

/// The parameters of `edit_current_editor_document`: one range, several in `edits`, or the whole document.
// The lines come before the content, so that content that is still arriving can be shown where it will be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditDocument {
    /// The first line, from 1.
    #[schemars(extend("zh-CN" = "起始行，从 1 开始。"))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(extend("zh-CN" = "结束行(含)。"))]
    pub end_line: Option<i64>,
    /// The new text of the lines, or of the whole document.
    #[schemars(extend("zh-CN" = "这些行(或整篇文档)的新内容。"))]
    pub content: Option<String>,
    /// Several ranges at once; they do not overlap.
    #[schemars(extend("zh-CN" = "一次修改多个互不重叠的范围。"))]
    pub edits: Option<Vec<LineEdit>>,
    /// How content is written. Default: as it looks.
    #[schemars(extend("zh-CN" = "content 的写法，默认自动判断。"))]
    pub format: Option<Format>,
    /// Why, in a few words.
    #[schemars(extend("zh-CN" = "修改原因，简短说明。"))]
    pub instruction: Option<String>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(extend("zh-CN" = "行号所属的版本，默认最近一次看到的版本。"))]
    pub version: Option<String>,
}

/// The parameters of `replace_text`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
pub struct ReplaceText {
    /// The text that goes, exactly as it stands in one line.
    #[schemars(extend("zh-CN" = "要替换的文字，与某一行中的完全一致。"))]
    pub old: String,
    /// The text in its place, as plain text.
    #[schemars(extend("zh-CN" = "替换后的文字，纯文本。"))]
    pub new: String,
    /// The line it is in, where it occurs more than once.
    #[schemars(extend("zh-CN" = "出现多次时，所在的行。"))]
    pub near_line: Option<i64>,
    /// Whether every occurrence is meant.
    #[schemars(extend("zh-CN" = "是否替换全部。"))]
    pub all: Option<bool>,
    /// The version whose lines are meant. Default: the last you saw.
    #[schemars(extend("zh-CN" = "行号所属的版本，默认最近一次看到的版本。"))]
    pub version: Option<String>,
    /// Why, in a few words.
    #[schemars(extend("zh-CN" = "修改原因，简短说明。"))]
    pub instruction: Option<String>,
}

/// On which side of a section a picture goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImagePosition {
    /// At its end.
    #[default]
    AfterSection,
    /// Before its heading.
    BeforeSection,
}

/// The parameters of `update_section`. Which of them are needed depends on the operation: see [`DocUpdate`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSection {
    /// What to do.
    #[schemars(extend("zh-CN" = "要执行的操作。"))]
    pub operation: SectionOperation,
    /// The section, as get_document numbers it. Needed for replace, insert and delete.
    #[schemars(extend("zh-CN" = "章节序号，以 get_document 的编号为准。replace、insert、delete 必填。"))]
    pub section_index: Option<i64>,
    /// The heading, as plain text. Needed for append and insert.
    #[schemars(extend("zh-CN" = "标题，纯文本。append、insert 必填。"))]
    pub title: Option<String>,
    /// The content as HTML (p, h3, ul, ol, blockquote, pre, table, strong, em, a …), without the heading. Needed for
    /// replace, append and insert.
    #[schemars(extend(
        "zh-CN" = "内容，使用 HTML（p、h3、ul、ol、blockquote、pre、table、strong、em、a 等），不含标题。replace、append、insert 必填。"
    ))]
    pub content: Option<String>,
}

/// The operations of `update_section`.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "DocUpdate says what each means")]
pub enum SectionOperation {
    Replace,
    Append,
    Insert,
    Delete,
}

/// The parameters of `insert_image`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InsertImage {
    /// The section, as get_document numbers it.
    #[schemars(extend("zh-CN" = "章节序号，以 get_document 的编号为准。"))]
    pub section_index: i64,
    /// The url of a picture from the results of search_image.
    #[schemars(extend("zh-CN" = "search_image 结果中图片的 url。"))]
    pub image_url: String,
    /// What the picture shows: its alternative text.
    #[schemars(extend("zh-CN" = "图片内容的描述，用作替代文本。"))]
    pub image_description: String,
    /// On which side of the section. Default after_section.
    #[schemars(extend("zh-CN" = "插入位置，默认 after_section。"))]
    pub position: Option<ImagePosition>,
}

impl DocUpdate {
    /// Reads `{operation, …}` as the package's `Document.apply` takes it.
    pub fn from_value(value: &Value) -> Result<DocUpdate, Error> {
        match value["operation"].as_str() {
            Some("insert_image") => Ok(parameters::read::<InsertImage>("insert_image", value)?.into()),
            Some("replace_lines") => Ok(DocUpdate::ReplaceLines(parameters::read("replace_lines", value)?)),
            Some("replace_text") => Ok(DocUpdate::ReplaceText(parameters::read("replace_text", value)?)),
            Some(operation) if OPERATIONS.contains(&operation) => {
                parameters::read::<UpdateSection>(operation, value)?.try_into()
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
        let call = OPERATIONS[given.operation as usize];
        let title = Some(given.title.unwrap_or_default()).filter(|title| !title.trim().is_empty());
        let section_index = needed(call, "sectionIndex", given.section_index);
        let content = needed(call, "content", given.content);
        Ok(match given.operation {
            SectionOperation::Append => DocUpdate::Append { title: needed(call, "title", title)?, content: content? },
            SectionOperation::Insert => DocUpdate::Insert {
                section_index: section_index?,
                title: needed(call, "title", title)?,
                content: content?,
            },
            SectionOperation::Delete => DocUpdate::Delete { section_index: section_index? },
            SectionOperation::Replace => DocUpdate::Replace { section_index: section_index?, title, content: content? },
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
