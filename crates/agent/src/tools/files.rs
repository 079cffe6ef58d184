//! Common definitions of the tools for files.

use super::{ToolContext, ToolFuture, ToolOutput, path_of};
use crate::Error;
use crate::workspace::{ListedFile, Workspace};
use copydesk_llm::{AssistantPart, Message};
use copydesk_workspace::{CheckKind, Filter};
use serde_json::{Value, json};

impl ToolContext {
    /// Returns the workspace. Fails with [`Error::NoWorkspace`] if the agent has none.
    pub(super) fn workspace(&self) -> Result<&Workspace, Error> {
        self.workspace.as_ref().ok_or(Error::NoWorkspace)
    }

    /// Writes a file and returns the result for the model: `{success, path, created, version}`.
    pub(super) async fn write_file(
        &self,
        path: &str,
        text: String,
        expected: Option<String>,
    ) -> Result<Value, copydesk_workspace::Error> {
        let Some(workspace) = &self.workspace else {
            return Err(copydesk_workspace::Error::FileNotFound { path: path.to_owned() });
        };
        let tool_id = self.origin.tool_id.as_deref().unwrap_or_default();
        let written = workspace.write(tool_id, path, text, expected).await?;
        let (path, version) = (written.path, written.version);
        Ok(json!({ "success": true, "path": path, "created": written.created, "version": version }))
    }

    /// Runs a check of the story.
    pub(super) fn check(self, kind: CheckKind) -> ToolFuture {
        Box::pin(async move {
            let content = self.workspace()?.check(kind, self.locale).await?;
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}

impl Workspace {
    /// Returns the files that a filter selects. Fails with
    /// [`FileNotFound`](copydesk_workspace::Error::FileNotFound) if its folder has no files.
    pub(super) async fn select(&self, filter: &Filter) -> Result<Vec<ListedFile>, copydesk_workspace::Error> {
        let mut files = self.list().await?;
        let is_folder = filter.folder().is_empty() || files.iter().any(|file| filter.is_inside(&file.path));
        if !is_folder {
            return Err(copydesk_workspace::Error::FileNotFound { path: filter.folder().to_owned() });
        }
        files.retain(|file| filter.accepts(&file.path));
        Ok(files)
    }
}

/// Returns the paths of the files that the calls of a conversation read or wrote.
pub fn files_in(messages: &[Message]) -> impl Iterator<Item = String> {
    let parts = messages.iter().filter_map(|message| match message {
        Message::Assistant { content, .. } => Some(content),
        _ => None,
    });
    parts.flatten().filter_map(|part| match part {
        AssistantPart::ToolCall { name, arguments, .. } => path_of(name, arguments),
        _ => None,
    })
}
