//! Text around the content of lines that is not part of it.
//!
//! A frame is removed if the rest resembles the replaced lines: `"…"` around a line is a frame, around a new sentence
//! it is text.

use super::content;
use crate::rows::likeness;
use copydesk_document::Line;

/// Likeness from which on two texts are one text edited, out of 100.
const ALIKE: u32 = 50;

/// Returns content without the frames around it. `old` are the lines that it replaces.
pub fn without_frames(text: String, old: &[Line]) -> String {
    let is_text = old.first().is_some_and(|line| line.text.starts_with('\u{FEFF}'));
    let text = text.strip_prefix('\u{FEFF}').filter(|_| !is_text).map(str::to_owned).unwrap_or(text);
    let frames = [escaped, quoted, arrow];
    let text = without_elements(text, old);
    frames.iter().fold(without_document_type(text), |text, frame| frame(&text, old).unwrap_or(text))
}

/// Returns content without the elements that no HTML knows around and before it.
pub fn without_elements(text: String, old: &[Line]) -> String {
    [aside, element].iter().fold(text, |text, frame| frame(&text, old).unwrap_or(text))
}

/// Returns whether text resembles the lines as a whole.
fn is_like(text: &str, old: &[Line]) -> bool {
    let lines: Vec<&str> = old.iter().map(|line| line.text.as_str()).collect();
    likeness(&content::without_tags(text), &lines.join("\n")).is_some_and(|like| like >= ALIKE)
}

/// Returns content without the type of document before a page.
pub fn without_document_type(text: String) -> String {
    let Some((beginning, rest)) = text.trim_start().split_once('>') else { return text };
    let is_type = beginning.get(..9).is_some_and(|name| name.eq_ignore_ascii_case("<!doctype"));
    if is_type { rest.trim_start().to_owned() } else { text }
}

/// Returns the name of an unknown tag at the beginning of content, such as `<new_content>`, the rest of the tag, and
/// the text behind it. Names with a dash are those of custom elements.
fn unknown_tag(text: &str) -> Option<(&str, &str, &str)> {
    let (tag, rest) = text.trim().strip_prefix('<')?.split_once('>')?;
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_unknown = !name.is_empty() && name.chars().all(is_name) && !content::is_known_tag(name);
    is_unknown.then_some((name, attributes, rest))
}

/// An element that no HTML knows in rows of its own before the lines, such as `<think>…</think>`, or a tag of it.
fn aside(text: &str, old: &[Line]) -> Option<String> {
    let (name, _, rest) = unknown_tag(text).filter(|(_, attributes, _)| attributes.is_empty())?;
    let rest = rest.split_once(&format!("</{name}>")).map_or(rest, |(_, behind)| behind);
    let rest = rest.trim_start_matches(' ').strip_prefix('\n')?.trim_start_matches('\n');
    is_like(rest, old).then(|| rest.to_owned())
}

/// An element that no HTML knows around the lines, or a section of character data. Its attributes may say which line it
/// is.
fn element(text: &str, old: &[Line]) -> Option<String> {
    let trimmed = text.trim();
    if let Some(inside) = trimmed.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")) {
        return Some(inside.trim_matches('\n').to_owned());
    }
    let (name, attributes, rest) = unknown_tag(text)?;
    let is_number = |line: &Line| {
        let value = attributes.split_once('=').map(|(_, value)| value.trim_matches(['"', '\'', ' ']));
        value == Some(&*line.line.to_string())
    };
    let inside = rest.strip_suffix(&format!("</{name}>"))?;
    let is_frame = attributes.is_empty() || old.first().is_some_and(is_number);
    (is_frame && !inside.contains(&format!("</{name}>"))).then(|| inside.trim_matches('\n').to_owned())
}

/// HTML whose tags are written as entities.
fn escaped(text: &str, old: &[Line]) -> Option<String> {
    let rest = text.trim().strip_prefix("&lt;")?;
    let tag = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric())?];
    let is_tag = content::is_known_tag(tag) && text.trim().ends_with("&gt;") && !content::has_tag(text);
    let html = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    (is_tag && !old.iter().any(|line| line.text.contains('<')) && is_like(&html, old)).then_some(html)
}

/// A pair of quotes around the whole, or a string of JSON.
fn quoted(text: &str, old: &[Line]) -> Option<String> {
    const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('\'', '\''), ('「', '」')];
    let trimmed = text.trim();
    let (open, close) = (trimmed.chars().next()?, trimmed.chars().next_back()?);
    let inside = trimmed.get(open.len_utf8()..trimmed.len() - close.len_utf8())?;
    let is_pair = QUOTES.contains(&(open, close)) && !inside.contains(open);
    let was_quoted = |line: &Line| line.text.trim_start().starts_with(open);
    if old.iter().any(was_quoted) {
        return None;
    }
    let decoded = || serde_json::from_str::<String>(trimmed).ok().filter(|_| open == '"');
    let inside = if is_pair && !inside.contains('\\') { inside.to_owned() } else { decoded()? };
    is_like(&inside, old).then_some(inside)
}

/// The old line, an arrow, and the new line.
fn arrow(text: &str, old: &[Line]) -> Option<String> {
    let [line] = old else { return None };
    let rest = text.trim().strip_prefix(line.text.trim()).filter(|_| !line.text.trim().is_empty())?;
    let new = ["→", "->", "=>", "⇒"].iter().find_map(|arrow| rest.trim_start().strip_prefix(arrow))?;
    (!new.contains('\n') && is_like(new, old)).then(|| new.trim().to_owned())
}
