//! Parts of the messages and details of errors.

use super::Partial;
use crate::guard::Part;
use crate::messages;
use copydesk_base::Locale;
use copydesk_base::phrases;
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
        names += if names.is_empty() { "" } else { phrases::comma(locale) };
        names += &format!("Section {index} '{title}'");
    }
    if names.is_empty() {
        return messages::ALLOWED_PART_GONE.text(locale).to_owned();
    }
    messages::OnlyNames { names: &names }.text(locale)
}

/// Returns the sentence that says which URLs are allowed.
pub(super) fn allowed_sources(picture: bool, hosts: &[String], agent: bool, locale: Locale) -> String {
    let mut sources = Vec::new();
    if !hosts.is_empty() {
        let hosts = hosts.join(", ");
        sources.push(messages::UrlOnHosts { hosts: &hosts }.text(locale));
    }
    if agent {
        let of_tool = if picture { messages::PICTURE_OF_TOOL } else { messages::URL_OF_TOOL };
        sources.push(of_tool.text(locale).to_owned());
        sources.push(messages::URL_OF_USER.text(locale).to_owned());
    }
    sources.push(messages::URL_IN_DOCUMENT.text(locale).to_owned());
    let sources = sources.join(messages::OR_SEPARATOR.text(locale));
    messages::UseSources { sources: &sources }.text(locale)
}

/// Returns lines with their numbers, each on a row of its own.
pub(super) fn numbered(lines: &[(usize, String)]) -> String {
    lines.iter().map(|(line, text)| format!("\n{line}: {text}")).collect()
}

/// Returns the same for programs.
pub(super) fn numbered_json(lines: &[(usize, String)]) -> Value {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}

/// Returns the message about content without lines that is only a part of the text that it would replace.
pub(super) fn partial_content(partial: &Partial, locale: Locale) -> String {
    let Partial { lines, left, like, now } = partial;
    let range =
        |first: usize, last: usize| if first == last { format!("{first}") } else { format!("{first}–{last}") };
    match like {
        Some((first, last)) => messages::PartialLike {
            left: &left,
            lines: &lines,
            range: &range(*first, *last),
            first: &first,
            last: &last,
            now: &now,
        }
        .text(locale),
        None => messages::PartialUnlike { lines: &lines, now: &now }.text(locale),
    }
}
