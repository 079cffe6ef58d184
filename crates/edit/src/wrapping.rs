//! Removes text that models put around content: fences, introductions, line numbers, diff signs, escapes, blank lines
//! between paragraphs.
//!
//! Each rule applies only if all lines agree and the replaced lines have nothing similar; otherwise the content is
//! taken literally. Content with the stated format `text` is never unwrapped. A line that represents text that was left
//! out is not a wrapping: [`elision::check`] refuses it.

use super::apply::DocumentHost;
use super::content::{self, Format};
use super::frames::{without_document_type, without_frames};
use super::introduction::without_sentences;
use super::neighbours::without_signs;
use super::numbers::{Old, text_without_numbers};
use super::operation::LineEdit;
use super::{elision, fence, rows};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_base::lenient_json::Mender;
use copydesk_document::{Document, Line, Node, NodeRole};

/// Returns an edit of lines with its content unwrapped. `old` are the lines that it replaces.
///
/// # Errors
/// [`Error::Placeholder`] if a line represents text that was left out, [`Error::SearchDiffers`] if the searched text of
/// a conflict marker differs from the lines.
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
    let code = !old.is_empty() && old.iter().all(|line| line.is_code(schema));
    let mut text = without_spaces_behind(edit.content.replace("\r\n", "\n"), old, edit.format);
    // Markdown around a block of code is a fence around a fence.
    if code && fence::fenced(fence::unfenced(&text, fence::MARKDOWN)).is_some() {
        text = fence::unfenced(&text, fence::MARKDOWN).to_owned();
    }
    if !code {
        text = without_frames(text, old);
    }
    text = match code {
        true => without_sentences(text, document, old),
        false => decoded(host, bare(text, document, old, edit.format), old)?,
    };
    text = replacement(&text, document, old)?;
    text = without_diff_signs(text, document, old);
    text = text_without_numbers(text, Old::In(document, old));
    elision::check(&text, document, old, code)?;
    if !code {
        text = without_comments(text, old);
    }
    if !code && text.trim().is_empty() {
        text.clear();
    }
    Ok(LineEdit { content: text, ..edit.clone() })
}

/// Returns the unwrapped content of a section. `old` are the lines that it replaces.
///
/// # Errors
/// [`Error::Placeholder`] if a line represents text that was left out.
pub fn section_content(document: &Document, text: &str, old: &[Line], stated: Option<Format>) -> Result<String, Error> {
    let text = without_spaces_behind(text.replace("\r\n", "\n"), old, stated);
    let text = without_document_type(text);
    let text = match is_fence_of_code(document, &text, old) {
        true => text,
        false => bare(text, document, old, stated),
    };
    Ok(text_without_numbers(text, Old::SomeOf(document)))
}

/// Returns whether a fence around content is that of the code that it replaces: `old` has nothing else, but for a heading.
fn is_fence_of_code(document: &Document, text: &str, old: &[Line]) -> bool {
    let schema = document.schema();
    let is_heading =
        |line: &&Line| schema.find_node(&line.kind).and_then(|kind| schema.role(kind)) == Some(NodeRole::Heading);
    let mut inside = old.iter().skip_while(is_heading).peekable();
    let Some(code) = inside.peek().and_then(|line| document.node_at(&line.path)) else { return false };
    let language = code.attrs().text("language").unwrap_or_default();
    fence::fenced(text).is_some_and(|fenced| fenced.language.is_empty() || fenced.language == language)
        && inside.all(|line| line.is_code(schema))
}

/// Returns the unwrapped content of a whole document. A fence around a document that begins or ends with code may
/// belong to that code.
pub fn document_content(document: &Document, text: &str, stated: Option<Format>) -> String {
    let lines = document.lines();
    let is_code = |line: Option<&Line>| line.is_some_and(|line| line.is_code(document.schema()));
    let text = without_spaces_behind(text.replace("\r\n", "\n"), &lines, stated);
    let text = unescaped(without_document_type(text), &[]);
    let mut filled = lines.iter().filter(|line| !line.text.trim().is_empty());
    let (first, last) = (filled.next(), filled.next_back());
    let text = match is_code(first) || is_code(last) {
        true => without_sentences(text, document, &lines),
        false => bare(text, document, &lines, stated),
    };
    text_without_numbers(text, Old::These(&lines))
}

/// Returns rows for lines with text, without spaces at the end of the last one, and without single spaces at the ends
/// of all of them: two spaces are a hard break of Markdown.
fn without_spaces_behind(text: String, old: &[Line], stated: Option<Format>) -> String {
    let is_new = old.iter().all(|line| line.text.trim().is_empty());
    if !text.contains('\n') || is_new || stated.is_some() || old.iter().any(|line| line.text.ends_with(' ')) {
        return text;
    }
    // Behind the sign of an empty line the space is a part of the sign.
    let has_text =
        |row: &str| without_signs(row).trim_matches(['|', ' ']).contains(|c: char| !"-+*>#.)0123456789".contains(c));
    let has_one = |row: &str| row.trim().is_empty() || row.ends_with(' ') && !row.ends_with("  ") && has_text(row);
    let without = |row: &'_ str| if has_text(row) { row.trim_end_matches(' ').to_owned() } else { row.to_owned() };
    let text = match text.split('\n').all(has_one) {
        true => text.split('\n').map(without).collect::<Vec<_>>().join("\n"),
        false => text,
    };
    let end = text.trim_end_matches('\n').len();
    let (rows, newlines) = text.split_at(end);
    let last = &rows[rows.rfind('\n').map_or(0, |at| at + 1)..];
    match has_text(last) && last.ends_with(' ') {
        true => format!("{}{newlines}", rows.trim_end_matches(' ')),
        false => text,
    }
}

/// Takes fences, introductions and escapes away.
fn bare(text: String, document: &Document, old: &[Line], format: Option<Format>) -> String {
    let text = without_fence(unescaped(text, old), format);
    without_fence(without_sentences(text, document, old), format)
}

/// Returns the content of a whole document without a fence around it. One around a document that begins or ends with
/// code may be that of the code.
pub fn without_fence_around(text: String, old: &[Line], document: &Document, format: Option<Format>) -> String {
    let is_code = |line: Option<&Line>| line.is_some_and(|line| line.is_code(document.schema()));
    match is_code(old.first()) || is_code(old.last()) {
        true => text,
        false => without_fence(text, format),
    }
}

/// Removes a fence around the whole content. In stated Markdown, any other fence than one that states Markdown again is
/// code.
fn without_fence(text: String, format: Option<Format>) -> String {
    let languages = match format {
        Some(Format::Markdown) => fence::MARKDOWN,
        _ => fence::ANY_CONTENT,
    };
    match fence::unfenced(&text, languages) {
        inside if inside.len() < text.len() => inside.trim_end_matches('\n').to_owned(),
        _ => text,
    }
}

/// Decodes `\n`, `\t`, `\"` and `\u2019` if content is plainly encoded twice as a whole: it has no line break and no
/// quote of its own, its `\n` end lines, and no escape is a word that the text is about.
fn unescaped(text: String, old: &[Line]) -> String {
    // Quotes in tags are those of their attributes.
    let has_own = text.contains('\n') || content::without_tags(&text.replace("\\\"", "")).contains('"');
    if has_own || !text.contains('\\') || old.iter().any(|line| line.text.contains('\\')) {
        return text;
    }
    if has_backslash(&text) {
        return text;
    }
    let (mut out, mut rest, mut quotes) = (String::with_capacity(text.len()), text.as_str(), 0);
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let Some((decoded, after)) = decoded_escape(&rest[at + 1..]) else { return text };
        let (last, next) = (out.chars().next_back(), after.chars().next());
        quotes += usize::from(decoded == '"');
        let is_right = match decoded {
            '\n' => is_line_end(last, after),
            '\t' => last.is_none_or(|last| matches!(last, '\n' | '\t')),
            '"' if quotes % 2 == 1 => next.is_some_and(|next| !next.is_whitespace()),
            '"' => last.is_some_and(|last| !last.is_whitespace()),
            _ => !(is_apart(last) && is_apart(next)),
        };
        if !is_right {
            return text;
        }
        out.push(decoded);
        rest = after;
    }
    out.push_str(rest);
    if quotes % 2 == 0 { out } else { text }
}

/// Returns the character that an escape states after its backslash, and the text after it.
fn decoded_escape(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let decoded = match chars.next()? {
        'n' => '\n',
        't' => '\t',
        quote @ ('"' | '\'') => quote,
        'u' => {
            let digits = text.get(1..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
            let decoded = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            return Some((decoded, &text[5..]));
        }
        // A path, a formula or Markdown's own escape.
        _ => return None,
    };
    Some((decoded, chars.as_str()))
}

/// Returns whether a line plausibly ends between this character and text, in which further line breaks are encoded.
fn is_line_end(last: Option<char>, after: &str) -> bool {
    const BLOCKS: [&str; 7] = ["- ", "* ", "#", "<", "> ", "| ", "\\n"];
    let is_block = BLOCKS.iter().any(|block| after.starts_with(block));
    let after = after.trim_start_matches("\\n").trim_start_matches("\\t");
    let begins = |next: char| match next {
        '"' | '\'' | '`' | ')' | ']' | '}' | ',' | ';' | '.' | '/' => false,
        next => !next.is_whitespace() && !next.is_lowercase(),
    };
    let ends = |last: char| match last.is_alphanumeric() {
        true => is_block,
        false => !last.is_whitespace() && !"`'([{,/\\".contains(last),
    };
    last.is_some_and(|last| last == '\n' || ends(last)) && after.chars().next().is_none_or(begins)
}

/// Returns whether a character is not part of a word, so that the text beside it may be a word of its own.
fn is_apart(beside: Option<char>) -> bool {
    beside.is_none_or(|beside| beside.is_whitespace() || "\"'`()[],.;:".contains(beside))
}

/// Returns whether a backslash of a text may be one, as in `$\nu$`, if the text has escapes of JSON.
fn has_backslash(text: &str) -> bool {
    let without_quotes = text.replace("\\\"", "_").replace("\\'", "_").replace('"', "_");
    let json = format!("\"{without_quotes}\"");
    let mut mender = Mender::default();
    mender.read(&json, true);
    mender.text() != json || mender.ambiguous().is_some()
}

/// Decodes entities in content without tags if the old lines have none. The text is unchanged if this would make an
/// unclosed tag or a block, or if the old lines are about tags or code: it was escaped so as not to be one.
pub(super) fn decoded(host: &dyn DocumentHost, text: String, old: &[Line]) -> Result<String, Error> {
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
    let has_other = || !content::closes(&out) || out.contains('`') || old.iter().any(|line| line.text.contains('<'));
    let is_text = has_elements(&out) || content::has_tag(&out) && has_other();
    Ok(if is_text { text } else { out })
}

/// Returns whether a text has a tag of HTML that neither is inline nor has inline content.
fn has_elements(text: &str) -> bool {
    // Not in any schema. Some have no text.
    const OTHERS: &str = "audio button canvas embed form iframe math noscript object script select style svg template \
        textarea title video";
    let is_other = |name: &str| OTHERS.split(' ').any(|other| other.eq_ignore_ascii_case(name));
    !content::is_inline(text) || content::start_tags(text).any(is_other)
}

/// Returns whether a text has an entity.
pub(super) fn has_entity(text: &str) -> bool {
    text.match_indices('&').any(|(at, _)| entity(&text[at..]).is_some())
}

/// Returns the length of the entity that a text begins with, such as `&amp;` or `&#39;`.
fn entity(text: &str) -> Option<usize> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = text[1..end].strip_prefix('#').unwrap_or(&text[1..end]);
    (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(end + 1)
}

/// Returns content without comments of HTML, and without the rows that contain nothing else. Code is not changed.
pub(super) fn without_comments(text: String, old: &[Line]) -> String {
    let is_comment = |row: &str| row.trim().starts_with("<!--") && row.trim().find("-->") == Some(row.trim().len() - 3);
    if !text.contains("<!--") || text.contains("<pre") || old.iter().any(|line| line.text.contains("<!--")) {
        return text;
    }
    if text.contains(['`', '~']) || text.contains("<code") {
        let mut is_code = false;
        let stays = |row: &&str| {
            is_code ^= fence::of_line(row).is_some();
            is_code || !is_comment(row)
        };
        return text.split('\n').filter(stays).collect::<Vec<_>>().join("\n");
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), &text[..]);
    while let Some((before, inside)) = rest.split_once("<!--") {
        let Some((_, behind)) = inside.split_once("-->") else { break };
        let ends_row = behind.is_empty() || behind.starts_with('\n');
        out += if ends_row { before.trim_end_matches([' ', '\t']) } else { before };
        let is_row = out.is_empty() || out.ends_with('\n');
        rest = if is_row { behind.strip_prefix('\n').unwrap_or(behind) } else { behind };
    }
    out + rest
}

/// Returns the new text of conflict markers whose old text is that of the lines.
fn replacement(text: &str, document: &Document, old: &[Line]) -> Result<String, Error> {
    let lines: Vec<&str> = text.trim_matches('\n').split('\n').collect();
    let is = |line: &str, sign: &str| line.starts_with(sign);
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(text.to_owned()) };
    let middle = lines.iter().position(|line| is(line, "======="));
    let (true, true, Some(middle)) = (is(first, "<<<<<<<"), is(last, ">>>>>>>"), middle) else {
        let has_markers = is(first, "<<<<<<<") && !old.iter().any(|line| is(&line.text, "<<<<<<<"));
        return if has_markers { Err(Error::MarkersCutOff) } else { Ok(text.to_owned()) };
    };
    let searched = &lines[1..middle];
    let shown = rows::shown_as(document, old);
    let same = searched.len() == old.len() && (0..old.len()).all(|at| is_line(searched[at], &old[at], &shown[at]));
    match same {
        true => Ok(lines[middle + 1..lines.len() - 1].join("\n")),
        false => Err(Error::SearchDiffers { searched: excerpt(&searched.join("\n")) }),
    }
}

/// Returns whether a text is a line, with or without its tags and the signs that it is `shown` with.
fn is_line(text: &str, line: &Line, shown: &str) -> bool {
    let (bare, unmarked) = (content::without_tags(text), rows::bare(text));
    [line.text.trim(), shown.trim()].iter().any(|old| *old == bare.trim() || *old == unmarked.trim())
}

/// Takes away the signs of a diff, and the lines that it removes, where each of these is one of the old lines. Lines
/// that are only removed are told from items by the signs that they are shown with.
fn without_diff_signs(text: String, document: &Document, old: &[Line]) -> String {
    let lines: Vec<&str> = text.trim_matches('\n').split('\n').filter(|line| !line.starts_with("@@")).collect();
    let signed = |sign: char| lines.iter().filter_map(move |line| line.strip_prefix(sign));
    if signed('+').next().is_none() && signed('-').next().is_none()
        || !lines.iter().all(|line| line.starts_with(['+', '-', ' ']))
    {
        return text;
    }
    let shown = rows::shown_as(document, old);
    let is_old = |text: &str| old.iter().zip(&shown).any(|(line, shown)| is_line(text, line, shown));
    let is_shown = |text: &str| {
        let is_it = |(line, raw): (&Line, &String)| raw.trim() == text.trim() && raw.trim() != line.text.trim();
        old.iter().zip(&shown).any(is_it)
    };
    let adds = signed('+').next().is_some();
    // If nothing is removed, rows without a sign must be old lines: items that begin with `+` may contain others.
    let is_diff = signed('-').all(is_old)
        && (signed('-').next().is_some() || signed(' ').all(is_old))
        && (adds && (signed('-').next().is_some() || lines.len() > 1)
            || !adds && lines.len() == signed('-').count() && signed('-').all(is_shown))
        && !old.iter().any(|line| line.text.starts_with('+'));
    if !is_diff {
        return text;
    }
    let kept: Vec<&str> = lines.iter().filter(|line| !line.starts_with('-')).map(|line| &line[1..]).collect();
    // A space behind the sign belongs to the sign if all rows have one and the old lines begin with none.
    let is_spaced = kept.iter().copied().chain(signed('-')).all(|line| line.starts_with(' '))
        && !shown.iter().any(|line| line.starts_with(' '));
    let bare = |line: &&str| if is_spaced { line[1..].to_owned() } else { (*line).to_owned() };
    kept.iter().map(bare).collect::<Vec<_>>().join("\n")
}
