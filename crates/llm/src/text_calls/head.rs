//! Recognition of the beginning of a call while its text arrives.

use super::marks::{after_word, bracketed, is_about_calls, name_in, namespace, tag};
use super::words::{Begins, LANGUAGES, NAME_BYTES, NAMES, WORDS, identifier, tool_name};
use crate::arguments::Bracket;
use std::borrow::Cow;

/// The length of JSON in which the name of the tool has to be, in bytes.
const JSON_HEAD: usize = 4 * NAME_BYTES;

/// Returns whether a call begins here, in marks or as its name and arguments; `in_sentence` states that text is before
/// it on its line. Only tokens, which are nothing else, are marks there.
pub(crate) fn marks_begin(text: &str, in_sentence: bool, tools: &[String], ended: bool) -> Begins {
    let open = if ended { Begins::No } else { Begins::Unknown };
    let is_known = |name: &str| tools.iter().any(|tool| tool == tool_name(name));
    let (mut rest, mut is_marked) = (text, false);
    loop {
        let Some(first) = rest.chars().next() else { return open };
        match first {
            '<' => {
                let Some((inside, after)) = tag(rest) else {
                    let is_tag = rest.len() < NAME_BYTES && !rest[1..].contains(['<', '\n']);
                    let next = rest[1..].chars().next();
                    let may_be = next.is_none_or(|next| matches!(next, '|' | '｜'))
                        || (!in_sentence || is_marked) && next.is_some_and(|next| next.is_alphabetic() || next == '/');
                    return if is_tag && may_be { open } else { Begins::No };
                };
                let is_token = inside.starts_with(['|', '｜']);
                if in_sentence && !is_marked && !is_token {
                    return Begins::No;
                }
                if let Some(name) = name_in(inside) {
                    return if name == "function" || is_known(name) { Begins::Yes } else { Begins::No };
                }
                // A tag with the name of the tool, around tags of its arguments.
                if is_known(inside) {
                    return match after.trim_start().chars().next() {
                        None => open,
                        Some('<' | '{') => Begins::Yes,
                        Some(_) => Begins::No,
                    };
                }
                if !(is_token || is_about_calls(inside) || is_marked && NAMES.contains(&inside)) {
                    return Begins::No;
                }
                rest = after;
            }
            '[' | '{' if is_marked => return Begins::Yes,
            '[' => match bracketed(rest) {
                Some((inside, after)) if is_about_calls(inside) => rest = after,
                None if !rest.contains(']') && rest.len() < NAME_BYTES => {
                    let inside = rest[1..].trim_start();
                    let name = identifier(inside);
                    if inside[name.len()..].starts_with('(') {
                        return if is_known(name) && !in_sentence { Begins::Yes } else { Begins::No };
                    }
                    return if name.len() == inside.len() && !inside.contains(' ') { open } else { Begins::No };
                }
                _ => {
                    let inside = rest[1..].trim_start();
                    let name = identifier(inside);
                    let is_call = !in_sentence && inside[name.len()..].starts_with('(') && is_known(name);
                    return if is_call { Begins::Yes } else { Begins::No };
                }
            },
            _ if first.is_whitespace() && is_marked => {
                rest = rest.trim_start();
                continue;
            }
            _ if in_sentence && !is_marked => return Begins::No,
            _ => match after_word(rest) {
                Some(after) => rest = after,
                None => return name_begins(rest, is_marked, tools, ended),
            },
        }
        is_marked = true;
        if let Some(after) = rest.strip_prefix(char::is_whitespace) {
            rest = after.trim_start();
        }
    }
}

/// Returns whether the name of a tool and arguments begin here.
fn name_begins(text: &str, is_marked: bool, tools: &[String], ended: bool) -> Begins {
    let open = if ended { Begins::No } else { Begins::Unknown };
    let name = identifier(text);
    let after = &text[name.len()..];
    if after.is_empty() && name.len() < NAME_BYTES {
        let may_be = |whole: &str| whole.starts_with(name) || name.contains([':', '.']);
        let is_beginning =
            is_marked || WORDS.iter().any(|word| word.starts_with(text)) || tools.iter().any(|tool| may_be(tool));
        return if is_beginning { open } else { Begins::No };
    }
    if !(name == "function" && is_marked || tools.iter().any(|tool| tool == tool_name(name))) {
        return if WORDS.iter().any(|word| word.starts_with(text)) { open } else { Begins::No };
    }
    let arguments = after.trim_start();
    let arguments = arguments.strip_prefix("json").filter(|_| is_marked).unwrap_or(arguments);
    if is_marked && !arguments.is_empty() && "json".starts_with(arguments) {
        return open;
    }
    let Some(first) = arguments.chars().next() else { return open };
    let inside = arguments[first.len_utf8()..].trim_start();
    let is_call = match first {
        '<' | '{' | '`' if is_marked => true,
        '[' if is_marked => true,
        '{' if inside.is_empty() => return open,
        '{' => inside.starts_with(['"', '}']),
        '(' if is_marked || inside.starts_with([')', '{']) => true,
        '(' => {
            let member = identifier(inside);
            match inside[member.len()..].trim_start().chars().next() {
                None => return open,
                Some(sign) => sign == '=' && !member.is_empty(),
            }
        }
        _ if is_marked && "Action Input:".starts_with(arguments) => return open,
        _ => is_marked && arguments.starts_with("Action Input:"),
    };
    if is_call { Begins::Yes } else { Begins::No }
}

/// Returns whether JSON that names a tool begins here, alone or in a code block, or another call in a code block.
pub(crate) fn json_begins(text: &str, tools: &[String], ended: bool) -> Begins {
    let open = if ended { Begins::No } else { Begins::Unknown };
    let mut json = text;
    if let Some(fence) = text.strip_prefix("```") {
        let Some((language, rest)) = fence.split_once('\n') else {
            let may_be = LANGUAGES.iter().any(|language| language.starts_with(fence.trim()));
            return if may_be { open } else { Begins::No };
        };
        if !LANGUAGES.contains(&language.trim()) {
            return Begins::No;
        }
        json = rest.trim_start();
        if json.is_empty() {
            return open;
        }
        if !json.starts_with(['{', '[']) {
            return marks_begin(json, false, tools, ended);
        }
    }
    let object = json.trim_start_matches(|character: char| character == '[' || character.is_whitespace());
    if object.is_empty() {
        return open;
    }
    if !object.starts_with('{') {
        return marks_begin(json, false, tools, ended);
    }
    let end = object.char_indices().map(|(at, _)| at).find(|at| *at >= JSON_HEAD).unwrap_or(object.len());
    let head: String = object[..end].chars().filter(|character| !character.is_whitespace()).collect();
    let is_named = |name: &&str| {
        head.match_indices(&format!("\"{name}\":\"")).any(|(at, start)| {
            let named = identifier(&head[at + start.len()..]);
            head[at + start.len() + named.len()..].starts_with('"') && tools.iter().any(|tool| tool == tool_name(named))
        })
    };
    if NAMES.iter().any(is_named) {
        return Begins::Yes;
    }
    if end < object.len() || is_closed(object) { Begins::No } else { open }
}

/// Returns whether the outermost bracket of JSON is closed.
fn is_closed(json: &str) -> bool {
    let mut bracket = Bracket::default();
    bracket.follow(json);
    bracket.closed
}

/// Returns text without the namespace of its first tag: `<x:invoke>` and `<｜DSML｜invoke>` are `<invoke>`.
pub(super) fn without_namespace(text: &str) -> Cow<'_, str> {
    match tag(text).map(|(inside, _)| namespace(inside)) {
        Some(space) if !space.is_empty() => {
            Cow::Owned(text.replace(&format!("<{space}"), "<").replace(&format!("</{space}"), "</"))
        }
        _ => Cow::Borrowed(text),
    }
}
