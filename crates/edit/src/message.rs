//! What happened, in one sentence.

use super::apply::Resolved;
use super::content;
use super::update::{DocUpdate, ImagePosition};
use copydesk_base::locale::Locale;
use copydesk_document::{Document, Section};

/// The message of an edit that was applied.
pub fn message(
    update: &DocUpdate,
    resolved: &Resolved,
    before: &Document,
    after: &[Section],
    nothing_changed: bool,
    locale: Locale,
) -> String {
    let index = resolved.section.unwrap_or_default();
    let name = || {
        // What was deleted is named by the title it had.
        let title = match update {
            DocUpdate::Delete { .. } => before.sections().get(index).map(|section| content::one_line(&section.title)),
            _ => after.get(index).map(|section| content::one_line(&section.title)),
        };
        match title.unwrap_or_default() {
            title if title.is_empty() => format!("Section {index}"),
            title => format!("Section {index} '{title}'"),
        }
    };
    match update {
        DocUpdate::Replace { .. } => said(locale, &name(), " updated", " 已更新"),
        DocUpdate::Append { .. } => said(locale, &name(), " appended", " 已追加"),
        DocUpdate::Insert { .. } => said(locale, &name(), " inserted", " 已插入"),
        DocUpdate::Delete { .. } => said(locale, &name(), " deleted", " 已删除"),
        DocUpdate::InsertImage { position: ImagePosition::AfterSection, .. } => {
            locale.pick(format!("Image inserted after Section {index}"), format!("图片已插入到 Section {index} 之后"))
        }
        DocUpdate::InsertImage { position: ImagePosition::BeforeSection, .. } => {
            locale.pick(format!("Image inserted before Section {index}"), format!("图片已插入到 Section {index} 之前"))
        }
        _ if nothing_changed => {
            locale.pick("Nothing changed: the document already reads so", "没有改动：文档内容已是如此").into()
        }
        DocUpdate::ReplaceLines(_) if resolved.lines.is_empty() => locale.pick("Document updated", "文档已更新").into(),
        DocUpdate::ReplaceLines(asked) => {
            let gone = asked.edits.iter().all(|edit| edit.content.is_empty());
            let ranges = ranges(resolved, locale);
            let plural = if resolved.lines.len() == 1 && resolved.lines[0].start() == resolved.lines[0].end() {
                ""
            } else {
                "s"
            };
            match gone {
                true => locale.pick(format!("Line{plural} {ranges} deleted"), format!("第 {ranges} 行已删除")),
                false => locale.pick(format!("Line{plural} {ranges} updated"), format!("第 {ranges} 行已更新")),
            }
        }
        DocUpdate::ReplaceText(_) => {
            let (count, ranges) = (resolved.lines.len(), ranges(resolved, locale));
            match count {
                1 => locale.pick(format!("Text replaced in line {ranges}"), format!("第 {ranges} 行的文字已替换")),
                _ => locale.pick(
                    format!("Text replaced in {count} places: lines {ranges}"),
                    format!("已替换 {count} 处文字：第 {ranges} 行"),
                ),
            }
        }
    }
}

fn said(locale: Locale, name: &str, en: &str, zh: &str) -> String {
    format!("{name}{}", locale.pick(en, zh))
}

fn ranges(resolved: &Resolved, locale: Locale) -> String {
    let mut ranges = resolved.lines.clone();
    ranges.dedup();
    let range = |range: &std::ops::RangeInclusive<usize>| match (range.start(), range.end()) {
        (start, end) if start == end => start.to_string(),
        (start, end) => format!("{start}–{end}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(locale.pick(", ", "、"))
}
