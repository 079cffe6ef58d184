//! Defines `search_content`, which finds a word in the Markdown files.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use crate::workspace::{FileSearch, FoundText};
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::{Error, Filter};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most lines that are returned: the result is a list, and cannot say that it was cut.
const MOST_LINES: usize = 1_000;

/// `search_content{keyword, search_dir?}` → `[{file, line, content}]`.
#[derive(Deserialize, JsonSchema)]
pub struct SearchContent {
    /// The text, literally, in this case.
    #[schemars(description = messages::SEARCH_CONTENT_KEYWORD.text(parameters::locale()))]
    keyword: String,
    /// The folder. Default: ".", the whole project.
    #[schemars(description = messages::SEARCH_CONTENT_SEARCH_DIR.text(parameters::locale()))]
    search_dir: Option<String>,
}

impl ToolDefinition for SearchContent {
    const NAME: &'static str = "search_content";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::Search;

    fn description(locale: Locale) -> &'static str {
        messages::SEARCH_CONTENT_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let workspace = context.workspace()?;
            let mut files = workspace.select(&Filter::new(self.search_dir.as_deref(), None)?).await?;
            files.retain(|file| file.path.to_ascii_lowercase().ends_with(".md"));
            let search = FileSearch {
                pattern: &self.keyword,
                regex: false,
                case_sensitive: true,
                paths: Some(files.into_iter().map(|file| file.path).collect()),
                limit: MOST_LINES,
            };
            let FoundText { matches, is_cut, .. } = workspace.search(search).await?;
            if is_cut {
                let expected = messages::RarerKeyword { most: &MOST_LINES }.message();
                return Err(Error::InvalidValue { name: "keyword", given: self.keyword, expected }.into());
            }
            let line = |found: &Value| {
                let content = found["text"].as_str().unwrap_or_default().trim();
                json!({ "file": found["path"], "line": found["line"], "content": content })
            };
            let content: Value = matches.iter().map(line).collect();
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
