//! Phrases with marks of an old line that content writes in Markdown: `[docs](docs)`, `<https://a.example>`, `*c*`.
//!
//! Signs around a phrase are Markdown if the phrase has their mark in the old line. Without that line `_c_` may be a name,
//! `[a](b)` code, and a backtick in the text of a link a sign.

use copydesk_document::{Marks, Node, Schema};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A phrase in Markdown.
pub struct MarkdownPhrase {
    /// The bytes of the content, with the signs.
    pub whole: Range<usize>,
    /// The bytes of the content without the signs.
    pub inner: Range<usize>,
    /// True if a link refers to a definition, which the content does not have: `[a]`, `[a][1]`.
    pub is_reference: bool,
}

/// Returns the phrases of an old line that content writes in Markdown, in their order. `old` is the inline content of the
/// line.
pub fn find(schema: &Schema, old: &[Node], content: &str) -> Vec<MarkdownPhrase> {
    let (mut found, mut searched): (Vec<MarkdownPhrase>, FxHashSet<(&str, &Marks)>) = Default::default();
    let old_text: String = old.iter().filter_map(Node::text).collect();
    for node in old.iter().filter(|node| !node.marks().is_empty()) {
        let text = node.text().unwrap_or_default().trim();
        if text.is_empty() || !searched.insert((text, node.mark_set())) {
            continue;
        }
        let marks: Vec<&str> = node.marks().iter().filter_map(|mark| Some(&*schema.mark(mark.kind)?.name)).collect();
        for (start, _) in content.match_indices(text) {
            let inner = start..start + text.len();
            let whole = with_signs(content, inner.clone(), marks.clone());
            let reference = reference(content, &whole)
                .filter(|_| marks.contains(&"link") && !content[whole.clone()].contains("]("));
            let is_reference = reference.is_some();
            let whole = reference.unwrap_or(whole);
            let overlaps = |other: &MarkdownPhrase| other.whole.start < whole.end && whole.start < other.whole.end;
            if whole != inner && !old_text.contains(&content[whole.clone()]) && !found.iter().any(overlaps) {
                found.push(MarkdownPhrase { whole, inner, is_reference });
            }
        }
    }
    found.sort_by_key(|phrase| phrase.whole.start);
    found
}

/// Returns a range of content with the signs around it that are those of the marks.
fn with_signs(content: &str, mut range: Range<usize>, mut marks: Vec<&str>) -> Range<usize> {
    while let Some((at, wider)) =
        marks.iter().enumerate().find_map(|(at, mark)| Some((at, wrapped(content, &range, mark, &marks)?)))
    {
        marks.swap_remove(at);
        range = wider;
    }
    range
}

/// Returns a range with the signs of one mark; `None` if they are not around it. `marks` are all that the phrase still has.
fn wrapped(content: &str, range: &Range<usize>, mark: &str, marks: &[&str]) -> Option<Range<usize>> {
    let (before, behind) = (&content[..range.start], &content[range.end..]);
    let between = |sign: &str| {
        let (rest, behind) = (before.strip_suffix(sign)?, behind.strip_prefix(sign)?);
        // `**c**` is no `*c*`.
        let is_longer = rest.ends_with(&sign[..1]) && behind.starts_with(&sign[..1]);
        let is_both = marks.contains(&"bold") && marks.contains(&"italic");
        (!is_longer || is_both).then(|| rest.len()..content.len() - behind.len())
    };
    match mark {
        "bold" => between("**").or_else(|| between("__")),
        "italic" => between("*").or_else(|| between("_")),
        "strike" => between("~~"),
        "code" => {
            let ticks = |text: &str| text.len() - text.trim_start_matches('`').len();
            let pad = usize::from(before.ends_with("` ") && behind.starts_with(" `"));
            let count = ticks(&behind[pad..]);
            let opens = before[..before.len() - pad].strip_suffix(&*"`".repeat(count))?;
            (count > 0 && !opens.ends_with('`')).then(|| opens.len()..range.end + pad + count)
        }
        "link" => match before.strip_suffix('[') {
            Some(rest) => Some(rest.len()..range.end + target(behind)?),
            None => {
                let (rest, behind) = (before.strip_suffix('<')?, behind.strip_prefix('>')?);
                content[range.clone()].contains(':').then(|| rest.len()..content.len() - behind.len())
            }
        },
        _ => None,
    }
}

/// Returns a range with the brackets of a reference around it; `None` if they are not there.
fn reference(content: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let start = content[..range.start].strip_suffix('[')?.len();
    let behind = content[range.end..].strip_prefix(']').filter(|behind| !behind.starts_with(['(', ':']))?;
    let label = behind.strip_prefix('[').and_then(|label| label.find(']')).map_or(0, |end| end + 2);
    Some(start..content.len() - behind.len() + label)
}

/// Returns the length of the target of a link that a text begins with: `](url "title")`.
fn target(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("](")?;
    let end = match inside.strip_prefix('<') {
        Some(url) => url.find('>')? + 2,
        None => {
            let mut depth = 0_usize;
            inside.find(|c: char| {
                match c {
                    '(' => depth += 1,
                    ')' if depth == 0 => return true,
                    ')' => depth -= 1,
                    _ => return c.is_whitespace(),
                }
                false
            })?
        }
    };
    let rest = &inside[end..];
    let title = match rest.trim_start().chars().next()? {
        ')' => 0,
        quote @ ('"' | '\'') => {
            let start = rest.len() - rest.trim_start().len() + 1;
            start + rest[start..].find(quote)? + 1
        }
        _ => return None,
    };
    let closing = &rest[title..];
    let spaces = closing.len() - closing.trim_start().len();
    closing.trim_start().starts_with(')').then_some(2 + end + title + spaces + 1)
}
