//! Defines `search_files`, which searches files for a text or a regular expression.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolKind, ToolOutput};
use crate::messages;
use crate::workspace::{FileSearch, FoundText};
use copydesk_base::locale::Locale;
use copydesk_base::parameters;
use copydesk_workspace::{Filter, MOST_MATCHES};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `search_files{pattern, regex?, path?, glob?, case_sensitive?}` →
/// `{matches: [{path, line, text, before, after}], total, cut?, skipped?: {count, files: [{path, code}]}}`.
#[derive(Deserialize, JsonSchema)]
pub struct SearchFiles {
    /// The text, or the regular expression (JavaScript) with regex: true.
    #[schemars(description = messages::SEARCH_FILES_PATTERN.text(parameters::locale()))]
    pattern: String,
    /// True for a regular expression. Default: false.
    #[schemars(description = messages::SEARCH_FILES_REGEX.text(parameters::locale()))]
    regex: Option<bool>,
    /// A folder or a file. Default: all.
    #[schemars(description = messages::SEARCH_FILES_PATH.text(parameters::locale()))]
    path: Option<String>,
    /// A pattern of names or paths, as in list_files. Default: all files.
    #[schemars(description = messages::SEARCH_FILES_GLOB.text(parameters::locale()))]
    glob: Option<String>,
    /// True if upper and lower case differ. Default: false.
    #[schemars(description = messages::SEARCH_FILES_CASE_SENSITIVE.text(parameters::locale()))]
    case_sensitive: Option<bool>,
}

impl ToolDefinition for SearchFiles {
    const NAME: &'static str = "search_files";
    const SUBJECT: Subject = Subject::Workspace;
    const KIND: ToolKind = ToolKind::Search;

    fn description(locale: Locale) -> &'static str {
        messages::SEARCH_FILES_DESCRIPTION.text(locale)
    }

    fn policy() -> ExecutionPolicy {
        ExecutionPolicy::READS_FILES
    }

    fn run(self, context: ToolContext) -> ToolFuture {
        Box::pin(async move {
            let workspace = context.workspace()?;
            let filter = Filter::new(self.path.as_deref(), self.glob.as_deref())?;
            let paths = match filter.is_all() {
                // Also those that no path leads to, which are named as skipped.
                true => None,
                false => Some(workspace.select(&filter).await?.into_iter().map(|file| file.path).collect()),
            };
            let search = FileSearch {
                pattern: &self.pattern,
                regex: self.regex.unwrap_or(false),
                case_sensitive: self.case_sensitive.unwrap_or(false),
                paths,
                limit: MOST_MATCHES,
            };
            let FoundText { matches, is_cut, skipped } = workspace.search(search).await?;
            let mut content = json!({ "total": matches.len(), "matches": matches });
            if is_cut {
                let said = messages::ONLY_FIRST_MATCHES.text(context.locale);
                content["cut"] = said.into();
            }
            if let Some(skipped) = skipped.for_model() {
                content["skipped"] = skipped;
            }
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
