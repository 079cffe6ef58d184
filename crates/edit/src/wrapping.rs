//! Removes what models put around content and is no part of it: fences, introductions, line numbers, diff signs, escapes,
//! blank lines between paragraphs.
//!
//! Each rule holds only where all lines agree and nothing in the lines that are replaced looks the same; otherwise the
//! content is taken literally. Content with the stated format `text` is never unwrapped. A line that stands for text that
//! was left out is no wrapping: [`check_complete`] refuses it.

use super::apply::DocumentHost;
use super::content::{self, Format};
use super::operation::LineEdit;
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Line, Node};

/// A line as long as this may have been shown truncated, in characters.
const LONG: usize = 300;

/// Returns an edit of lines with its bare content. `old` are the lines that it replaces.
///
/// # Errors
/// [`Error::Placeholder`] where a line stands for text that was left out, [`Error::SearchDiffers`] where the searched
/// text of a conflict marker is not that of the lines.
pub fn unwrapped(
    host: &dyn DocumentHost,
    document: &Document,
    old: &[Line],
    edit: &LineEdit,
) -> Result<LineEdit, Error> {
    if edit.format == Some(Format::Text) || edit.content.is_empty() {
        return Ok(edit.clone());
    }
    let schema = document.schema();
    let is_code = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| schema.node_type(kind).code);
    let code = !old.is_empty() && old.iter().all(is_code);
    let mut text = edit.content.replace("\r\n", "\n");
    if !code {
        text = decoded(host, bare(text, old), old)?;
    }
    text = replacement(&text, old)?;
    text = without_diff_signs(text, old);
    text = without_line_numbers(text, old);
    check_complete(&text, old.iter().map(|line| line.text.as_str()))?;
    if !code && text.trim().is_empty() {
        text.clear();
    }
    Ok(LineEdit { content: text, ..edit.clone() })
}

/// Returns content of a section without what is around it.
///
/// # Errors
/// [`Error::Placeholder`] where a line stands for text that was left out.
pub fn section_content(document: &Document, text: &str) -> Result<String, Error> {
    let text = bare(text.replace("\r\n", "\n"), &[]);
    let mut old = Vec::new();
    document.each_line(0..document.blocks().len(), &mut |line| old.push(line.text.to_owned()));
    check_complete(&text, old.iter().map(String::as_str))?;
    Ok(text)
}

/// Takes fences, introductions and escapes away.
fn bare(text: String, old: &[Line]) -> String {
    without_fence(without_introduction(without_fence(unescaped(text, old)), old))
}

/// Takes away a fence of Markdown or HTML, or of no language, around the whole content.
fn without_fence(text: String) -> String {
    let trimmed = text.trim();
    let Some(sign) = ["```", "~~~"].into_iter().find(|sign| trimmed.starts_with(sign)) else { return text };
    let Some((opened, inside)) = trimmed.split_once('\n') else { return text };
    let Some(inside) = inside.strip_suffix(sign) else { return text };
    let language = opened.trim_start_matches(&sign[..1]).trim().to_ascii_lowercase();
    let is_wrapping = matches!(language.as_str(), "" | "html" | "markdown" | "md" | "text" | "txt" | "plaintext");
    // Another fence inside shows that the last one need not belong to the first.
    match is_wrapping && !inside.contains(sign) {
        true => inside.trim_end_matches('\n').to_owned(),
        false => text,
    }
}

/// Takes away a first line such as "Here is the line:" where more follows.
fn without_introduction(text: String, old: &[Line]) -> String {
    const WORDS: [&str; 16] = [
        "here is",
        "here's",
        "here are",
        "sure",
        "certainly",
        "of course",
        "updated",
        "revised",
        "rewritten",
        "the new",
        "below is",
        "以下",
        "这是",
        "好的",
        "修改后",
        "更新后",
    ];
    let start = text.trim_start();
    let Some((first, rest)) = start.split_once('\n') else { return text };
    let lower = first.trim().to_lowercase();
    let introduces = lower.ends_with([':', '：']) && lower.chars().count() < 80 && !lower.contains('<');
    let is_known = WORDS.iter().any(|words| lower.starts_with(words));
    match introduces && is_known && !rest.trim().is_empty() && !old.iter().any(|line| line.text.trim() == first.trim())
    {
        true => rest.trim_start_matches('\n').to_owned(),
        false => text,
    }
}

/// Decodes `\n`, `\t`, `\"` and `\u2019` where content is on one line and plainly escaped.
fn unescaped(text: String, old: &[Line]) -> String {
    if text.contains('\n') || !text.contains('\\') || old.iter().any(|line| line.text.contains('\\')) {
        return text;
    }
    let (mut out, mut chars) = (String::with_capacity(text.len()), text.chars().peekable());
    let mut before = ' ';
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            before = c;
            continue;
        }
        let next = chars.next();
        let decoded = match next {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('"') => '"',
            Some('\'') => '\'',
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                match u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4).and_then(char::from_u32) {
                    Some(decoded) => decoded,
                    None => return text,
                }
            }
            // A path, a formula or Markdown's own escape.
            _ => return text,
        };
        // `C:\new` is a path, `a\nb` may be one.
        let is_path = before == ':' || decoded == '\t' && before.is_alphanumeric();
        let goes_on = chars.peek().is_some_and(|next| next.is_ascii_lowercase());
        if is_path || decoded == '\n' && before.is_alphanumeric() && goes_on {
            return text;
        }
        out.push(decoded);
        before = decoded;
    }
    out
}

/// Decodes entities in content without tags, where the old lines have none. Where this would make a tag, the text was
/// escaped so as not to be one, and stays.
fn decoded(host: &dyn DocumentHost, text: String, old: &[Line]) -> Result<String, Error> {
    if !text.contains('&') || content::has_tag(&text) || old.iter().any(|line| has_entity(&line.text)) {
        return Ok(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = entity(rest);
        // The host's own parser knows all entities.
        let found = match length {
            Some(length) => host.parse(&format!("<p>x{}x</p>", &rest[..length]), 0)?.first().map(Node::text_content),
            None => None,
        };
        let inside = found.as_deref().and_then(|found| found.strip_prefix('x')?.strip_suffix('x'));
        match (inside, length) {
            (Some(inside), Some(length)) => {
                out.push_str(inside);
                rest = &rest[length..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Ok(if content::has_tag(&out) { text } else { out })
}

fn has_entity(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| entity(&text[at..]).is_some())
}

/// Returns the length of the entity that a text begins with, such as `&amp;` or `&#39;`.
fn entity(text: &str) -> Option<usize> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = text[1..end].strip_prefix('#').unwrap_or(&text[1..end]);
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(end + 1)
}

/// Takes the new text out of conflict markers of which the old text is that of the lines.
fn replacement(text: &str, old: &[Line]) -> Result<String, Error> {
    let lines: Vec<&str> = text.trim_matches('\n').split('\n').collect();
    let is = |line: &str, sign: &str| line.starts_with(sign);
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(text.to_owned()) };
    let middle = lines.iter().position(|line| is(line, "======="));
    let (true, true, Some(middle)) = (is(first, "<<<<<<<"), is(last, ">>>>>>>"), middle) else {
        return Ok(text.to_owned());
    };
    let searched = &lines[1..middle];
    let same = searched.len() == old.len() && searched.iter().zip(old).all(|(a, b)| a.trim() == b.text.trim());
    match same {
        true => Ok(lines[middle + 1..lines.len() - 1].join("\n")),
        false => Err(Error::SearchDiffers { searched: excerpt(&searched.join("\n")) }),
    }
}

/// Takes away the signs of a diff, and the lines that it removes, where each of these is one of the old lines.
fn without_diff_signs(text: String, old: &[Line]) -> String {
    let lines: Vec<&str> = text.trim_matches('\n').split('\n').filter(|line| !line.starts_with("@@")).collect();
    let removed: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix('-')).collect();
    let is_old = |text: &&str| old.iter().any(|line| line.text.trim() == text.trim());
    let is_signed = |line: &&str| line.starts_with(['+', '-', ' ']);
    let is_diff = lines.iter().any(|line| line.starts_with('+'))
        && lines.iter().all(is_signed)
        && (!removed.is_empty() || lines.len() > 1)
        && removed.iter().all(is_old)
        && !old.iter().any(|line| line.text.starts_with('+'));
    if !is_diff {
        return text;
    }
    let kept = lines.iter().filter(|line| !line.starts_with('-')).map(|line| &line[1..]);
    kept.map(|line| if removed.is_empty() { line.trim_start() } else { line }).collect::<Vec<_>>().join("\n")
}

/// Takes away numbers that count the lines from the first of the old ones on: `5: `, `5 | `, `5<tab>`, `5→`. One line of
/// several may have none.
fn without_line_numbers(text: String, old: &[Line]) -> String {
    let Some(first) = old.first().map(|line| line.line) else { return text };
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(&text).split('\n').collect();
    let bare = |(at, line): (usize, &&'_ str)| -> Option<String> {
        let rest = line.trim_start().strip_prefix(&(first + at).to_string())?;
        let rest = match rest.strip_prefix('\t').or_else(|| rest.strip_prefix('→')) {
            Some(rest) => rest,
            None => {
                let after = rest.trim_start().strip_prefix([':', '|'])?;
                // `5:30` is a time.
                match after.strip_prefix(' ') {
                    Some(rest) => rest,
                    None if after.is_empty() || after.starts_with('<') => after,
                    None if lines.len() > 1 && !after.starts_with(|c: char| c.is_ascii_digit()) => after,
                    None => return None,
                }
            }
        };
        Some(rest.to_owned())
    };
    let numbered: Vec<Option<String>> = lines.iter().enumerate().map(bare).collect();
    let count = numbered.iter().flatten().count();
    let begins = |text: &str, number: usize| text.trim_start().starts_with(&number.to_string());
    let is_content = old
        .iter()
        .zip(&numbered)
        .any(|(old, new)| begins(&old.text, old.line) && new.as_ref().is_none_or(|new| !begins(new, old.line)));
    if count == 0 || is_content || count + usize::from(lines.len() > 2) < lines.len() {
        return text;
    }
    let all = lines.iter().zip(numbered).map(|(line, bare)| bare.unwrap_or_else(|| (*line).to_owned()));
    all.collect::<Vec<_>>().join("\n")
}

/// Takes away blank lines, which separate paragraphs, unless the old lines have blank ones that they may be.
pub fn without_blank_lines(lines: Vec<String>, old: &[Line]) -> Vec<String> {
    let is_blank = |line: &String| line.trim().is_empty();
    let there = old.iter().filter(|line| line.text.trim().is_empty()).count();
    let blank = lines.iter().filter(|line| is_blank(line)).count();
    if blank == 0 || blank == lines.len() || blank <= there {
        return lines;
    }
    lines.into_iter().filter(|line| !is_blank(line)).collect()
}

/// Fails with [`Error::Placeholder`] where a line of content stands for text that was left out, and is none of the old
/// lines.
pub fn check_complete<'t>(text: &str, old: impl Iterator<Item = &'t str> + Clone) -> Result<(), Error> {
    let has_dots = text.contains(['…', '.', '(', '[', '（', '【']) || text.contains("<!--") || text.contains("//");
    if !has_dots {
        return Ok(());
    }
    let blocks =
        text.replace("</p>", "</p>\n").replace("</li>", "</li>\n").replace("-->", "-->\n").replace("<!--", "\n<!--");
    for line in blocks.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_old = || old.clone().any(|old| old.trim() == line);
        let is_cut = || old.clone().any(|old| is_beginning(line, old));
        if (stands_for_more(line) || is_cut()) && !is_old() {
            return Err(Error::Placeholder { text: excerpt(line) });
        }
    }
    Ok(())
}

/// Returns whether a line is the beginning of a long one and ends with dots that this one does not have.
fn is_beginning(line: &str, old: &str) -> bool {
    let Some(start) = line.strip_suffix('…').or_else(|| line.strip_suffix("...")) else { return false };
    let is_long = old.chars().nth(LONG).is_some();
    let common = start.chars().zip(old.chars()).take_while(|(a, b)| a == b).count();
    is_long
        && common >= LONG / 3
        && start.chars().count() < old.chars().count()
        && !old.trim_end().ends_with(['…', '.'])
        || is_long && common >= LONG / 3 && start.len() + LONG / 3 < old.len()
}

/// Returns whether a line says that something was left out, such as `… rest unchanged …` or `// ... existing code ...`.
fn stands_for_more(line: &str) -> bool {
    const WORDS: [&str; 19] = [
        "前文",
        "上文",
        "rest",
        "remaining",
        "remainder",
        "unchanged",
        "existing",
        "same as",
        "as before",
        "previous",
        "omitted",
        "other",
        "不变",
        "其余",
        "省略",
        "保持",
        "原有",
        "同上",
        "剩余",
    ];
    let is_comment =
        line.starts_with("<!--") || line.starts_with("//") || line.starts_with("/*") || line.starts_with("# ");
    let text = if line.starts_with("<!--") { line.to_owned() } else { content::without_tags(line) };
    let text = text.trim_matches(|c: char| c.is_whitespace() || "<!->/*#".contains(c));
    let inner = text.trim_matches(|c: char| "()[]（）【】{}<>".contains(c)).trim();
    let is_bracketed = inner.len() < text.len() && text.starts_with(['(', '[', '（', '【', '{', '<']);
    let words = inner.trim_matches(|c: char| c.is_whitespace() || c == '.' || c == '…');
    let has_dots = |part: &str| part.contains('…') || part.contains("...");
    let dotted = has_dots(&inner[..inner.len() - inner.trim_start_matches(['.', '…']).len()])
        || has_dots(&inner[inner.trim_end_matches(['.', '…']).len()..]);
    let lower = words.to_lowercase();
    let says_it = WORDS.iter().any(|word| lower.contains(word)) && lower.chars().count() <= 60;
    let only_dots = words.is_empty() && has_dots(inner);
    only_dots || says_it && (dotted || is_bracketed || is_comment && !line.starts_with("# "))
}
