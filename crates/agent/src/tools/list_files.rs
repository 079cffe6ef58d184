//! Defines `list_files`, which lists the files of the project.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::Filter;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `list_files{path?, glob?}` → `{files: [{path, size}], total}`.
#[derive(Deserialize, JsonSchema)]
pub struct ListFiles {
    /// The folder. Default: all.
    #[schemars(description = messages::LIST_FILES_PATH.text(parameters::locale()))]
    path: Option<String>,
    /// A pattern such as *.md (compared with names) or chapters/**/ch0*.md (compared with paths). Default: all files.
    #[schemars(description = messages::LIST_FILES_GLOB.text(parameters::locale()))]
    glob: Option<String>,
}

impl ToolDefinition for ListFiles {
    const NAME: &'static str = "list_files";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::List;

    fn description(locale: Locale) -> &'static str {
        messages::LIST_FILES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let filter = Filter::new(self.path.as_deref(), self.glob.as_deref())?;
            let files = context.workspace()?.select(&filter).await?;
            // A host gives a JavaScript number.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let listed: Value =
                files.iter().map(|file| json!({ "path": file.path, "size": file.size as u64 })).collect();
            Ok(ToolOutput { content: json!({ "files": listed, "total": files.len() }), ..ToolOutput::default() })
        })
    }
}
