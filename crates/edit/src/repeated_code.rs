//! Code blocks that content repeats without their fence.
//!
//! A Markdown file has HTML and other sources that no node of the schema is. They are shown as code; content in Markdown
//! repeats them as they are in the file. Code without a language may be indented there.

use crate::fence::Fences;
use copydesk_document::{Node, Schema};
use std::borrow::Cow;

/// The language of a block that is the source of a part of a Markdown file: `SOURCE_LANGUAGE` of `copydesk/markdown`.
const SOURCE: &str = "markdown-source";

/// Returns content in which each code block of `old` that it repeats without a fence has one.
pub fn fenced<'t>(schema: &Schema, old: &[Node], text: &'t str) -> Cow<'t, str> {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    for block in old.iter().filter(|block| schema.node_type(block.kind()).code) {
        let code = block.text_content();
        let language = block.attrs().text("language").unwrap_or_default();
        let indented = |line: &str| if line.is_empty() { String::new() } else { format!("    {line}") };
        let written: Vec<String> = match language {
            SOURCE => code.split('\n').map(str::to_owned).collect(),
            "" => code.split('\n').map(indented).collect(),
            _ => continue,
        };
        if code.trim().is_empty() || !text.contains(written[0].as_str()) {
            continue;
        }
        if lines.is_empty() {
            lines = text.split('\n').map(Cow::Borrowed).collect();
        }
        if let Some(at) = place_of(&written, &lines) {
            let sign = fence_for(&code);
            let block = format!("{sign}{language}\n{code}\n{sign}");
            lines.splice(at..at + written.len(), block.split('\n').map(|line| Cow::Owned(line.to_owned())));
        }
    }
    if lines.is_empty() { text.into() } else { lines.join("\n").into() }
}

/// Returns the first place outside of fences where lines are between blank ones, or at the ends.
fn place_of(written: &[String], lines: &[Cow<'_, str>]) -> Option<usize> {
    let mut fences = Fences::default();
    let is_open: Vec<bool> = lines.iter().map(|line| fences.read(line)).collect();
    let is_apart = |at: Option<&Cow<'_, str>>| at.is_none_or(|line| line.trim().is_empty());
    let is_it = |at: &usize| {
        let behind = lines.get(at + written.len());
        let before = at.checked_sub(1).and_then(|at| lines.get(at));
        let there = lines[*at..*at + written.len()].iter().map(|line| line.trim_end());
        !is_open[*at] && is_apart(before) && is_apart(behind) && there.eq(written.iter().map(|line| line.trim_end()))
    };
    (0..(lines.len() + 1).saturating_sub(written.len())).find(is_it)
}

/// Returns a fence that no line of code ends.
fn fence_for(code: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
