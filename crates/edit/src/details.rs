//! `<details>` between rows of Markdown, in the notation in which a document shows it: `▸ summary`, and indented below
//! it its content. Markdown has no sign of its own, so models write the tags.

use crate::content;
use crate::fence::{self, Fences};
use copydesk_document::notation::SUMMARY;
use copydesk_document::{NodeRole, Schema};

/// Returns content as rows if `<details>` are its only blocks of HTML. `None` if there are none, or others, if tags are
/// not closed, and if the schema has no such node.
pub fn as_rows(schema: &Schema, content: &str) -> Option<String> {
    if !content.contains("<details") && !content.contains("<summary>") || schema.find_role(NodeRole::Summary).is_none()
    {
        return None;
    }
    let content = fence::unfenced(content, fence::ANY_CONTENT);
    // The summary alone is that line.
    if let Some(title) = content.trim().strip_prefix("<summary>").and_then(|rest| rest.strip_suffix("</summary>")) {
        let row = format!("{SUMMARY}{}", title.trim());
        return (!title.contains('\n') && !content::is_html(&row)).then_some(row);
    }
    let (mut rows, mut depth, mut fences) = (Vec::new(), 0_usize, Fences::default());
    for line in content.split('\n') {
        let text = line.trim_start();
        if fences.read(line)
            || !text.contains("details>") && !text.contains("<details") && !text.starts_with("<summary")
        {
            rows.push(indented(depth, line));
            continue;
        }
        let around = &line[..line.len() - text.len()];
        let mut rest = text;
        while !rest.trim().is_empty() {
            (depth, rest) = match tag(rest) {
                Some(("details", behind)) => (depth + 1, behind),
                Some(("/details", behind)) => (depth.checked_sub(1)?, behind),
                Some(("summary", behind)) => {
                    let (title, behind) = behind.split_once("</summary>")?;
                    rows.push(indented(depth.checked_sub(1)?, &format!("{around}{SUMMARY}{}", title.trim())));
                    (depth, behind)
                }
                _ => {
                    let end = rest.find("</details").unwrap_or(rest.len());
                    rows.push(indented(depth, &format!("{around}{}", rest[..end].trim())));
                    (depth, &rest[end..])
                }
            };
            rest = rest.trim_start();
        }
    }
    let rows = rows.join("\n");
    (depth == 0 && !content::is_html(&rows)).then_some(rows)
}

/// Returns the name of the tag that a text begins with, and the text behind it.
fn tag(text: &str) -> Option<(&str, &str)> {
    let (tag, behind) = text.strip_prefix('<')?.split_once('>')?;
    Some((tag.split_whitespace().next()?, behind))
}

fn indented(depth: usize, row: &str) -> String {
    if row.trim().is_empty() { String::new() } else { format!("{}{row}", "  ".repeat(depth)) }
}
