//! Lines of content as blocks: each line is one, as lines are shown.
//!
//! Markdown joins lines of text that have no blank line between them, reads `2. b` below a line of text as text, and
//! wants an item inside a numbered one three columns in, where it is shown two. [`lines_apart`] writes content so that
//! Markdown reads what was meant. Ranges, sections and whole documents are read by it.

use super::fence::{self, Fences};
use super::markdown::{heading, indented, item, run};
use copydesk_document::notation::Sign;

/// Returns Markdown in which each line is a block. Lines that end with a break, or that look wrapped, stay together.
pub fn lines_apart(content: &str) -> String {
    let content = fence::unfenced(content, fence::MARKDOWN);
    let mut out: Vec<String> = Vec::new();
    // The number of lines in `out` at which the present run of items begins.
    let mut items: Option<usize> = None;
    let (mut before, mut fences) = ("", Fences::default());
    for line in content.split('\n') {
        let is_code = fences.read(line);
        if !is_code {
            let (inside, quote) = unquoted(line);
            let (inside_before, quote_before) = unquoted(before);
            if is_apart(inside_before, inside) && (quote == quote_before || quote.is_empty()) {
                out.push(quote.trim_end().to_owned());
            }
        }
        match (items, !is_code && item(line).is_some()) {
            (None, true) => items = Some(out.len()),
            (Some(first), false) => {
                indent(&mut out[first..]);
                items = None;
            }
            _ => {}
        }
        out.push(line.to_owned());
        before = if is_code { "" } else { line };
    }
    if let Some(first) = items {
        indent(&mut out[first..]);
    }
    out.join("\n")
}

/// Indents items that follow each other by four columns for each level, where Markdown would not find one of them
/// inside the item that it is shown in.
fn indent(items: &mut [String]) {
    let is_too_near = |pair: &[String]| {
        let (Some(outer), Some(inner)) = (item(&pair[0]), item(&pair[1])) else { return false };
        let width = outer.number.map_or(1, |number| number.to_string().len()) + 2 - usize::from(outer.number.is_none());
        inner.depth > outer.depth && inner.depth < outer.depth + width
    };
    if !items.windows(2).any(is_too_near) {
        return;
    }
    let Some(levels) = levels_of(items) else { return };
    for (line, level) in items.iter_mut().zip(levels) {
        *line = "    ".repeat(level) + line.trim_start();
    }
}

/// Returns a line without the signs of the quotations around it, and these.
fn unquoted(line: &str) -> (&str, &str) {
    let inside = line.trim_start_matches(['>', ' ']);
    match line.trim_start().starts_with('>') {
        true => (inside, &line[..line.len() - inside.len()]),
        false => (line, ""),
    }
}

/// Returns whether a line is a block of its own that Markdown reads as more of the line before it, which says nothing
/// of the kind.
fn is_apart(before: &str, line: &str) -> bool {
    let is_bare = |line: &str| {
        let (depth, text) = indented(line);
        depth < 2 && !text.starts_with(['<', '|']) && heading(line).is_none() && item(line).is_none()
    };
    let text = line.trim();
    let is_underline = run(text, b'=') == text.len() || run(text, b'-') == text.len();
    let starts_lower = text.starts_with(|c: char| c.is_ascii_lowercase());
    let is_wrapped = before.chars().count() >= 60 && starts_lower;
    let breaks = before.ends_with("  ") || before.ends_with('\\');
    let in_table = before.contains('|') && line.contains('|');
    if before.trim().is_empty() || text.is_empty() || heading(before).is_some() || breaks || in_table {
        return false;
    }
    // An item, a table or a rule below a line of text, as rules are shown.
    let begins = indented(line).0 < 2 && (item(line).is_some() || text.starts_with('|') || text == "---");
    is_bare(line) && !is_underline && !is_wrapped || begins && is_bare(before)
}

/// Returns whether a line is a thematic break of Markdown.
pub fn is_rule(text: &str) -> bool {
    let mut signs = text.trim().bytes().filter(|sign| !matches!(sign, b' ' | b'\t'));
    let Some(rule @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
    signs.clone().all(|sign| sign == rule) && signs.count() >= 2
}

/// Returns the width of the indent of a line that begins an item; a tab is two.
fn indent_of(line: &str) -> Option<usize> {
    let mut rest = line;
    while let Some((_, inside)) = Sign::Quote.read(rest) {
        rest = inside;
    }
    let text = rest.trim_start_matches([' ', '\t']);
    let is_item = item(text).is_some();
    is_item.then(|| rest[..rest.len() - text.len()].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum())
}

/// Returns the levels of lines that are items of one list; none where one of them is no item.
fn levels_of(lines: &[String]) -> Option<Vec<usize>> {
    let rows: Vec<usize> = lines.iter().map(|line| indent_of(line)).collect::<Option<_>>()?;
    Some(levels(&rows))
}

/// Returns the level of each item.
fn levels(indents: &[usize]) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut levels = Vec::with_capacity(indents.len());
    for indent in indents {
        while open.last().is_some_and(|(outer, _)| outer > indent) {
            open.pop();
        }
        let level = match open.last() {
            Some((outer, level)) if outer == indent => *level,
            Some((_, level)) => level + 1,
            None => (indent / 2).min(1),
        };
        if open.last().is_none_or(|(outer, _)| outer < indent) {
            open.push((*indent, level));
        }
        levels.push(level);
    }
    levels
}
