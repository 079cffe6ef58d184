//! `replace_lines`: new content for ranges of lines, or for the whole document.

use super::{Operation, Outcome};
use crate::apply::{DocumentHost, Resolved};
use crate::content::Format;
use crate::guard::extent::{self, Extent};
use crate::lines;
use crate::preview::Draft;
use crate::target::{LineRange, Target, line_ranges};
use crate::Error;
use copydesk_document::Document;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Gives ranges of lines new content.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct ReplaceLines {
    /// What to change; the ranges do not overlap.
    pub edits: Vec<LineEdit>,
    /// The version whose lines are meant. Default: that of the last read or result.
    pub version: Option<String>,
    /// Why, in the model's own words.
    pub instruction: Option<String>,
    /// True if content without lines may delete most of the document.
    pub whole: Option<bool>,
}

/// Lines and their new content. Without lines the content is the whole new document.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct LineEdit {
    /// The first line, counted from 1.
    #[schemars(extend("zh-CN" = "起始行，从 1 开始。"))]
    pub start_line: Option<i64>,
    /// The last line, included.
    #[schemars(extend("zh-CN" = "结束行（含）。"))]
    pub end_line: Option<i64>,
    /// The new content, empty to delete the lines.
    #[schemars(extend("zh-CN" = "新内容，为空则删除这些行。"))]
    pub content: String,
    /// How content is written.
    #[schemars(extend("zh-CN" = "content 的写法。"))]
    pub format: Option<Format>,
}

impl LineEdit {
    /// Returns the lines that it states.
    pub fn range(&self) -> LineRange {
        LineRange { start: self.start_line, end: self.end_line }
    }
}

impl Operation for ReplaceLines {
    const NAME: &'static str = "replace_lines";

    fn target(&self) -> Target {
        match &self.edits[..] {
            [edit] if edit.range().is_empty() => Target::Document,
            edits => Target::Lines(edits.iter().map(LineEdit::range).collect()),
        }
    }

    fn retarget(&mut self, target: &Target) {
        if let Target::Lines(ranges) = target {
            for (edit, range) in self.edits.iter_mut().zip(ranges) {
                (edit.start_line, edit.end_line) = (range.start, range.end);
            }
        }
        self.version = None;
    }

    fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn instruction(&self) -> Option<&str> {
        self.instruction.as_deref()
    }

    fn contents(&self) -> Vec<&str> {
        self.edits.iter().map(|edit| edit.content.as_str()).collect()
    }

    fn set_format(&mut self, format: Format) {
        self.edits.iter_mut().for_each(|edit| edit.format = edit.format.or(Some(format)));
    }

    fn complete(&mut self, then: &Document) {
        self.edits = lines::uncut(then, &self.edits);
    }

    fn narrow(&mut self, then: &Document) -> bool {
        let [edit] = &self.edits[..] else { return false };
        let all = 0..then.blocks().len();
        if extent::check(then, all, Extent::of_text(&edit.content), self.whole).is_err() {
            return false;
        }
        let edits = lines::as_edits(then, &edit.content, edit.format);
        edits.map(|edits| self.edits = edits).is_some()
    }

    fn resolve(&self, host: &dyn DocumentHost, document: &Document) -> Result<Resolved, Error> {
        let resolved = lines::resolve(host, document, &self.edits)?;
        if self.target() == Target::Document {
            let left = Extent::of_blocks(document.schema(), &resolved.with);
            extent::check(document, resolved.blocks.clone(), left, self.whole)?;
        }
        let mut facts = Map::new();
        if resolved.from_markdown {
            facts.insert("converted".into(), "markdown".into());
        }
        if let Some(reading) = resolved.reading {
            facts.insert("reading".into(), reading.name().into());
        }
        if !resolved.not_applied.is_empty() {
            facts.insert("notApplied".into(), serde_json::to_value(&resolved.not_applied).unwrap_or_default());
        }
        let lines = match self.target() {
            Target::Lines(ranges) => line_ranges(&ranges, document.line_count())?,
            _ => Vec::new(),
        };
        Ok(Resolved { lines, facts, ..Resolved::of(resolved.blocks, resolved.with) })
    }

    fn summary(&self, outcome: &Outcome) -> String {
        let (locale, ranges, lines) = (outcome.locale, outcome.lines(), &outcome.resolved.lines);
        if !outcome.is_changed {
            return outcome.unchanged();
        }
        if lines.is_empty() {
            return locale.pick("Document updated", "文档已更新").into();
        }
        let is_one = lines.len() == 1 && lines[0].start() == lines[0].end();
        let plural = if is_one { "" } else { "s" };
        match self.edits.iter().all(|edit| edit.content.is_empty()) {
            true => locale.pick(format!("Line{plural} {ranges} deleted"), format!("第 {ranges} 行已删除")),
            false => locale.pick(format!("Line{plural} {ranges} updated"), format!("第 {ranges} 行已更新")),
        }
    }

    fn draft(arguments: &Map<String, Value>, _: &Document) -> Option<Draft> {
        let edit = arguments.get("edits")?.as_array()?.last()?.as_object()?;
        let number = |name: &str| edit.get(name).and_then(Value::as_u64).and_then(|line| i64::try_from(line).ok());
        let range = LineRange { start: number("start_line"), end: number("end_line") };
        let target = if range.is_empty() { Target::Document } else { Target::Lines(vec![range]) };
        Some(Draft { target, content: edit.get("content")?.as_str()?.to_owned(), format: None })
    }
}
