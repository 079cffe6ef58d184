//! Parts of the messages and details of errors.

use super::Partial;
use crate::guard::Part;
use copydesk_base::Locale;
use serde_json::{Value, json};

/// Returns the sentence that says what may be changed.
pub(super) fn allowed_part(
    sections: &[(usize, String)],
    lines: Option<(usize, usize)>,
    part: &Part,
    locale: Locale,
) -> String {
    if let Some(lines) = lines {
        return part.in_words(lines, locale);
    }
    let mut names = String::new();
    for (index, title) in sections {
        names += if names.is_empty() { "" } else { locale.pick(", ", "、") };
        names += &format!("Section {index} '{title}'");
    }
    if names.is_empty() {
        return locale.pick("What could be changed is no longer there.", "允许修改的部分已不存在。").to_owned();
    }
    locale.pick(format!("Only {names} may be changed."), format!("只能修改 {names}。"))
}

/// Returns the sentence that says which URLs are allowed.
pub(super) fn allowed_sources(picture: bool, hosts: &[String], agent: bool, locale: Locale) -> String {
    let mut sources = Vec::new();
    if !hosts.is_empty() {
        let hosts = hosts.join(", ");
        sources.push(locale.pick(format!("one on {hosts}"), format!("位于 {hosts} 的地址")));
    }
    if agent {
        let en = if picture {
            "one whose exact url search_image or another tool returned"
        } else {
            "one that a tool returned"
        };
        sources.push(locale.pick(en, "工具（如 search_image）原样返回的 url").to_owned());
        sources.push(locale.pick("one that the user wrote", "用户给出的地址").to_owned());
    }
    sources.push(locale.pick("one that is in the document already", "文档中已有的地址").to_owned());
    let sources = sources.join(locale.pick(", or ", "，或"));
    locale.pick(format!("Use {sources}, letter for letter; add nothing to it."), format!("请一字不差地使用{sources}。"))
}

/// Returns lines with their numbers, each on a row of its own.
pub(super) fn numbered(lines: &[(usize, String)]) -> String {
    lines.iter().map(|(line, text)| format!("\n{line}: {text}")).collect()
}

/// Returns the same for programs.
pub(super) fn numbered_json(lines: &[(usize, String)]) -> Value {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}

/// Returns the message about content without lines that is not the whole of what it would replace.
pub(super) fn partial_content(partial: &Partial, locale: Locale) -> String {
    let Partial { lines, left, like, now } = partial;
    let range =
        |first: usize, last: usize| if first == last { format!("{first}") } else { format!("{first}–{last}") };
    match like {
        Some((first, last)) => locale.pick(
            format!(
                "The content names no lines and is not the whole text: it has {left} of its own and would replace {lines}. It is like line {}, so nothing was done. To change these lines, call again with start_line: {first} and end_line: {last}; to replace everything, with whole: true. The lines are now:\n{now}",
                range(*first, *last)
            ),
            format!(
                "内容没有指明行号，也不是全文：它有 {left} 行，却会替换 {lines} 行。它与第 {} 行相近，因此没有执行。如果只改这些行，请加上 start_line: {first} 和 end_line: {last} 再次调用；如果确实要全部替换，请加上 whole: true。这些行现在是：\n{now}",
                range(*first, *last)
            ),
        ),
        None => locale.pick(
            format!(
                "The content names no lines and has nothing of the {lines} lines that it would replace, so nothing was done. To change or add lines, name those that it replaces with start_line and end_line; to replace everything, call again with whole: true. The lines are now:\n{now}"
            ),
            format!(
                "内容没有指明行号，且不含将被替换的 {lines} 行中的任何文字，因此没有执行。如果要修改或添加行，请用 start_line 和 end_line 指明它替换哪些行；如果确实要全部替换，请加上 whole: true 再次调用。这些行现在是：\n{now}"
            ),
        ),
    }
}
