//! Defines `search_files`, which searches files for a text or a regular expression.

use super::{ExecutionPolicy, Subject, ToolContext, ToolDefinition, ToolFuture, ToolOutput};
use crate::workspace::{FileSearch, FoundText};
use copydesk_base::locale::Locale;
use copydesk_workspace::{Filter, MOST_MATCHES};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `search_files{pattern, regex?, path?, glob?, case_sensitive?}` →
/// `{matches: [{path, line, text, before, after}], total, cut?, skipped?: {count, files: [{path, code}]}}`.
#[derive(Deserialize, JsonSchema)]
pub struct SearchFiles {
    /// The text, or the regular expression (JavaScript) with regex: true.
    #[schemars(extend("zh-CN" = "要查找的文字；regex: true 时为正则表达式（JavaScript）。"))]
    pattern: String,
    /// True for a regular expression. Default: false.
    #[schemars(extend("zh-CN" = "为 true 时按正则表达式查找，默认 false。"))]
    regex: Option<bool>,
    /// A folder or a file. Default: all.
    #[schemars(extend("zh-CN" = "文件夹或文件，默认全部。"))]
    path: Option<String>,
    /// A pattern of names or paths, as in list_files. Default: all files.
    #[schemars(extend("zh-CN" = "文件名或路径的通配符，同 list_files，默认全部文件。"))]
    glob: Option<String>,
    /// True if upper and lower case differ. Default: false.
    #[schemars(extend("zh-CN" = "为 true 时区分大小写，默认 false。"))]
    case_sensitive: Option<bool>,
}

impl ToolDefinition for SearchFiles {
    const NAME: &'static str = "search_files";
    const SUBJECT: Subject = Subject::Workspace;

    fn description(locale: Locale) -> &'static str {
        locale.pick(
            "Search the files of the project. Each match has path, line number, the line, and two lines before and \
             after it. At most 50 matches; the result says when there are more.",
            "在项目文件中查找。每个结果包含路径、行号、该行以及前后各两行。最多 50 个结果，超出时会注明。",
        )
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
                let said = context.locale.pick(
                    "Only the first 50 matches are shown. Use a longer pattern, path or glob for the others.",
                    "只显示前 50 个结果。请用更长的内容、path 或 glob 缩小范围。",
                );
                content["cut"] = said.into();
            }
            if let Some(skipped) = skipped.for_model() {
                content["skipped"] = skipped;
            }
            Ok(ToolOutput { content, ..ToolOutput::default() })
        })
    }
}
