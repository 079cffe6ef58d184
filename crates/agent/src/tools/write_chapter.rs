//! Defines `write_chapter`, which writes a chapter by its number.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use copydesk_base::characters;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::{Error, paths};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// `write_chapter{number, content, base_dir?, overwrite?}` → `{success, path, created, version}`.
#[derive(Deserialize, JsonSchema)]
pub struct WriteChapter {
    // The range is checked by the call itself, whose error is a ValueError.
    /// The number of the chapter, 1–999.
    #[schemars(description = messages::WRITE_CHAPTER_NUMBER.text(parameters::locale()))]
    number: i64,
    /// The whole text of the chapter, in Markdown.
    #[schemars(description = messages::WRITE_CHAPTER_CONTENT.text(parameters::locale()))]
    content: String,
    /// The folder of the chapters. Default: chapters.
    #[schemars(description = messages::WRITE_CHAPTER_BASE_DIR.text(parameters::locale()))]
    base_dir: Option<String>,
    /// True to replace a chapter that is there; the history keeps the old one. Default: false.
    #[schemars(description = messages::WRITE_CHAPTER_OVERWRITE.text(parameters::locale()))]
    overwrite: Option<bool>,
}

impl WriteChapter {
    fn path(&self) -> Result<String, Error> {
        paths::of_chapter(self.base_dir.as_deref().unwrap_or("chapters"), self.number)
    }
}

impl ToolDefinition for WriteChapter {
    const NAME: &'static str = "write_chapter";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::Write;

    fn description(locale: Locale) -> &'static str {
        messages::WRITE_CHAPTER_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::WRITES_FILES
    }

    fn path_in(arguments: &Map<String, Value>) -> Option<String> {
        WriteChapter::deserialize(&Value::Object(arguments.clone())).ok()?.path().ok()
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            characters::check("content", &self.content)?;
            let path = self.path()?;
            let workspace = context.workspace()?;
            let overwrites = self.overwrite.unwrap_or(false);
            let known = workspace.known(&path).filter(|_| overwrites);
            let expected = match known {
                None if overwrites => match workspace.read(&path).await {
                    // The user may have continued it since the model saw it.
                    Ok(_) if workspace.is_known_from_before(&path) => {
                        return Err(Error::FileExists { path, can_overwrite: false }.into());
                    }
                    Ok(file) => Some(file.version),
                    Err(Error::FileNotFound { .. }) => None,
                    Err(error) => return Err(error.into()),
                },
                known => known,
            };
            match context.write_file(&path, self.content, expected).await {
                Ok(content) => Ok(ToolOutput { content, ..ToolOutput::default() }),
                Err(Error::FileExists { path, .. }) => {
                    Err(Error::FileExists { path, can_overwrite: !overwrites }.into())
                }
                Err(error) => Err(error.into()),
            }
        })
    }
}
