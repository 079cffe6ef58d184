//! Marks around calls: tags, tokens, brackets, code blocks and words.

use super::words::{LANGUAGES, NAME_BYTES, WORDS, identifier};

/// Splits a tag or a token at the beginning of a text into the text between its brackets and the text after it.
pub(super) fn tag(text: &str) -> Option<(&str, &str)> {
    let (inside, after) = text.strip_prefix('<')?.split_once('>')?;
    let is_tag = !inside.is_empty() && inside.len() < 2 * NAME_BYTES && !inside.contains(['<', '\n']);
    is_tag.then_some((inside, after))
}

/// Splits a word in brackets at the beginning of a text, such as `[TOOL_CALLS]`.
pub(super) fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (inside, after) = text.strip_prefix('[')?.split_once(']')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    is_word.then_some((inside, after))
}

/// Returns the namespace of a tag with the sign that ends it.
pub(super) fn namespace(inside: &str) -> &str {
    let name = inside.strip_prefix('/').unwrap_or(inside);
    if let Some(bar) = name.chars().next().filter(|first| matches!(first, '|' | '｜')) {
        let end = name[bar.len_utf8()..].find(bar).map(|at| at + 2 * bar.len_utf8());
        // A token alone is not a namespace.
        return end.filter(|end| *end < name.len()).map_or("", |end| &name[..end]);
    }
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(name.len());
    if name[end..].starts_with(':') { &name[..=end] } else { "" }
}

/// Returns the tool that a tag names: of `invoke name="edit"` and `function=edit`.
pub(super) fn name_in(inside: &str) -> Option<&str> {
    let inside = inside.strip_prefix(namespace(inside)).unwrap_or(inside);
    let element = identifier(inside);
    if !is_about_calls(element) {
        return None;
    }
    let rest = inside[element.len()..].trim_start();
    let value = rest.strip_prefix("name").map(str::trim_start).unwrap_or(rest).strip_prefix('=')?;
    Some(identifier(value.trim_start().trim_start_matches(['"', '\''])))
}

/// Returns whether a word of a mark refers to calls.
pub(super) fn is_about_calls(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix('/').unwrap_or(&name);
    let is_word = name.chars().all(|c| c.is_alphanumeric() || "_-:|｜▁".contains(c));
    is_word && ["tool", "function", "invoke", "call"].iter().any(|word| name.contains(word))
}

/// Returns the text after a closing tag, if it begins with one.
pub(super) fn after_tag(text: &str) -> &str {
    match tag(text) {
        Some((inside, after)) if inside.starts_with('/') => after,
        _ => text,
    }
}

/// Returns the text after a mark around calls; `after_call` states that a call is before it.
pub(super) fn without_mark(text: &str, after_call: bool) -> Option<&str> {
    if let Some(after) = text.strip_prefix("```") {
        let (language, rest) = after.split_once('\n').unwrap_or((after, ""));
        return LANGUAGES.contains(&language.trim()).then_some(rest);
    }
    if let Some((inside, after)) = bracketed(text) {
        return is_about_calls(inside).then_some(after);
    }
    if let Some((inside, after)) = tag(text) {
        let is_token = inside.starts_with(['|', '｜']);
        return (is_token || is_about_calls(inside) || after_call && inside.starts_with('/')).then_some(after);
    }
    if after_call && let Some(after) = text.strip_prefix([')', ']', ',', ';']) {
        return Some(after);
    }
    after_word(text).filter(|after| !after_call || after.starts_with(['<', '[']))
}

/// Returns the text after one of the [`WORDS`].
pub(super) fn after_word(text: &str) -> Option<&str> {
    WORDS.iter().find_map(|word| {
        let after = text.strip_prefix(word)?;
        let is_whole = !word.ends_with(char::is_alphanumeric) || identifier(after).is_empty();
        is_whole.then_some(after)
    })
}

/// Returns the arguments after the name of a tool: without tokens, and without ids and words before a mark.
pub(super) fn to_arguments(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("Action Input:").or_else(|| after_word(rest)) {
            rest = after.trim_start();
            continue;
        }
        let word = identifier(rest);
        let mark = rest[word.len()..].trim_start();
        let after = match (tag(mark), bracketed(mark)) {
            (Some((inside, after)), _) if inside.starts_with(['|', '｜']) => after,
            (_, Some((_, after))) => after,
            _ => return rest,
        };
        rest = after.trim_start();
    }
}
