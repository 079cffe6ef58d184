//! Parts of the messages and details of errors.

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
