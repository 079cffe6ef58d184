//! Lines of content as blocks: each line is one, as lines are shown.
//!
//! Markdown joins lines of text that have no blank line between them, reads `2. b` below a line of text as text, and
//! wants an item inside a numbered one three columns in, where it is shown two. [`lines_apart`] writes content so that
//! Markdown reads what was meant. Ranges, sections and whole documents are read by it.

use super::fence;
use super::levels;
use super::markdown::{self, heading, indented, item, run};
use copydesk_document::Document;
use copydesk_document::notation::Sign;

/// Returns Markdown in which each line is a block. Lines that end with a break, or that look wrapped, stay together.
pub fn lines_apart(content: &str) -> String {
    let content = fence::unfenced(content, fence::MARKDOWN);
    let mut out: Vec<String> = Vec::new();
    // The number of lines in `out` at which the present run of items begins.
    let mut items: Option<usize> = None;
    let (mut before, mut open): (&str, Option<(u8, usize)>) = ("", None);
    for line in content.split('\n') {
        let fence = markdown::fence(line);
        let is_code = open.is_some() || fence.is_some();
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
        open = match (open, fence) {
            (None, fence) => fence,
            (Some((sign, length)), Some((other, longer))) if sign == other && longer >= length => None,
            (open, _) => open,
        };
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
    let Some(levels) = levels::of_items(items) else { return };
    for (line, level) in items.iter_mut().zip(levels) {
        *line = "    ".repeat(level) + line.trim_start();
    }
}

/// Returns lines without the signs of the quotations around them, where each has one.
pub fn without_quotes(lines: &[String]) -> String {
    let inside = |line: &String| {
        let mut rest = line.as_str();
        while let Some((_, inside)) = Sign::Quote.read(rest) {
            rest = inside;
        }
        rest.to_owned()
    };
    match lines.iter().all(|line| line.trim().is_empty() || line.starts_with('>')) {
        true => lines.iter().map(inside).collect::<Vec<_>>().join("\n"),
        false => lines.join("\n"),
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

/// Returns whether lines of text state blocks by the signs of only a few of them: an item or a quotation before words, a
/// rule between lines, a title above lines. No line of `old` may begin so.
pub fn are_stated<'l>(lines: impl Iterator<Item = &'l str>, mut old: impl Iterator<Item = &'l str>) -> bool {
    let filled: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    let is_rule = |line: &str| matches!(line.trim(), "---" | "***" | "___" | "- - -" | "* * *");
    let has_sign = |line: &&str| begins(line) || is_rule(line);
    let is_title = |line: &str| {
        let begins = |text: &str| text.starts_with(|c: char| !c.is_ascii() || c.is_ascii_uppercase());
        heading(line).is_some_and(|(level, text)| level == 1 && begins(text))
    };
    let titles = filled.iter().filter(|line| line.starts_with("# ")).count();
    let states = |line: &&str| begins(line) || is_rule(line) && filled.len() > 1;
    let begins_with_title = filled.len() > 1 && titles == 1 && is_title(filled[0]);
    (begins_with_title || filled.iter().any(states))
        && !old.any(|old| has_sign(&old) || begins_with_title && old.starts_with("# "))
}

/// As [`are_stated`], for content of a document.
pub fn are_stated_in(document: &Document, content: &str) -> bool {
    are_stated(content.lines(), std::iter::empty()) && {
        let mut old = Vec::new();
        document.each_line(0..document.blocks().len(), &mut |line| old.push(line.text.to_owned()));
        are_stated(content.lines(), old.iter().map(String::as_str))
    }
}

/// Returns whether a line has the sign of a quotation, or of the first item of a list, before words.
fn begins(line: &str) -> bool {
    let text = ["> ", "- ", "* ", "1. ", "1) "].iter().find_map(|sign| line.strip_prefix(sign));
    let is_word = |c: char| c.is_alphabetic() || !c.is_ascii() || matches!(c, '*' | '_' | '[' | '`' | '"' | '$');
    text.is_some_and(|text| text.starts_with(is_word))
}

/// Returns whether a line is a thematic break of Markdown.
pub fn is_rule(text: &str) -> bool {
    let mut signs = text.trim().bytes().filter(|sign| !matches!(sign, b' ' | b'\t'));
    let Some(rule @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
    signs.clone().all(|sign| sign == rule) && signs.count() >= 2
}
