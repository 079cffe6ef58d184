//! Markdown, which models slip into although they are asked for HTML.
//!
//! [`looks_like`] knows it by what nobody writes otherwise; prose with a number, a dash or an asterisk at the beginning of a
//! line is no Markdown. The parser is the host's ([`host::Markdown`]): it is loaded when it is first needed.

use super::apply::DocumentHost;
use super::content::{Format, escape};
use super::update::DocUpdate;
use crate::error::Error;
use std::borrow::Cow;

/// Markdown as HTML, by the host's parser.
///
/// # Errors
/// [`Error::MarkdownNotLoaded`].
pub fn to_html(host: &dyn DocumentHost, markdown: &str) -> Result<String, Error> {
    let html = host.markdown().and_then(|parser| parser.to_html(unwrapped(markdown)));
    html.ok_or(Error::MarkdownNotLoaded { reason: None })
}

/// Whether some content of an update of sections is Markdown. That of lines is known where its place is (`lines.rs`).
pub fn is_needed(update: &DocUpdate, stated: Option<Format>) -> bool {
    let by_lines = matches!(update, DocUpdate::ReplaceLines(_));
    !by_lines
        && update
            .contents()
            .into_iter()
            .any(|content| stated.unwrap_or_else(|| Format::of(content)) == Format::Markdown)
}

/// The update with HTML in place of Markdown, and in place of what is stated to be text; and whether there was Markdown.
///
/// # Errors
/// [`Error::MarkdownNotLoaded`] where the parser is not there.
pub fn converted<'u>(
    host: &dyn DocumentHost,
    update: &'u DocUpdate,
    stated: Option<Format>,
) -> Result<(Cow<'u, DocUpdate>, bool), Error> {
    let is_markdown = is_needed(update, stated);
    let parser = host.markdown().filter(|_| is_markdown);
    // A host without any parser takes what only looks like Markdown for the text that it is as well.
    if matches!(update, DocUpdate::ReplaceLines(_)) {
        return Ok((Cow::Borrowed(update), false));
    }
    if stated != Some(Format::Text) && (!is_markdown || parser.is_none() && stated.is_none()) {
        return Ok((Cow::Borrowed(update), false));
    }
    let mut update = update.clone();
    for content in update.contents_mut() {
        *content = match stated.unwrap_or_else(|| Format::of(content)) {
            Format::Html => continue,
            Format::Text if stated.is_none() => continue,
            Format::Text => paragraphs(content),
            Format::Markdown => to_html(host, content)?,
        };
    }
    Ok((Cow::Owned(update), is_markdown))
}

/// Text as HTML: every line a paragraph, every sign as it is.
fn paragraphs(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("<p>{}</p>", escape(line))).collect()
}

/// Models put a whole Markdown document into a fence now and then.
fn unwrapped(content: &str) -> &str {
    let opened = content.trim().strip_prefix("```").and_then(|rest| rest.split_once('\n'));
    let inside = opened.filter(|(language, _)| matches!(language.trim(), "markdown" | "md"));
    let inside = inside.and_then(|(_, inside)| inside.strip_suffix("```"));
    // Fences inside show that the last one need not belong to the first.
    inside.filter(|inside| inside.matches("```").count() % 2 == 0).unwrap_or(content)
}

/// Whether content without tags is written in Markdown.
pub fn looks_like(content: &str) -> bool {
    let lines: Vec<&str> = unwrapped(content).lines().map(str::trim_end).collect();
    let line = |at: usize| lines.get(at).copied().unwrap_or_default();
    // What is not enough by itself: a title that may be a comment, a quote, a rule.
    let (mut title, mut quote_or_rule) = (false, false);
    for at in 0..lines.len() {
        let (now, next) = (line(at), line(at + 1));
        if let Some(fence) = fence(now)
            && lines[at + 1..].iter().any(|later| is_closing(later, fence))
        {
            return true;
        }
        if is_table(now, next) || has_list(&lines, at) || has_inline_mark(now) {
            return true;
        }
        match heading(now) {
            Some((1, text)) => {
                let stands_alone = next.is_empty() && (at == 0 || line(at - 1).is_empty());
                let begins = text.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
                if stands_alone && begins {
                    return true;
                }
                title |= begins;
            }
            Some(_) => return true,
            None => {}
        }
        let is_rule = !now.is_empty() && matches!(now, "---" | "***" | "___") && next.is_empty() && at > 0;
        let is_underline = now.len() >= 3 && now.bytes().all(|byte| byte == b'=') && at > 0 && !line(at - 1).is_empty();
        quote_or_rule |= is_rule || is_underline || now.strip_prefix("> ").is_some_and(|text| text.len() > 2);
    }
    title && quote_or_rule
}

/// A line without the indentation that Markdown allows.
fn shallow(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3).then_some(text)
}

/// The sign and the length of the fence that a line opens.
fn fence(line: &str) -> Option<(char, usize)> {
    let text = shallow(line)?;
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == sign).count();
    (length >= 3 && !text[length..].contains('`')).then_some((sign, length))
}

fn is_closing(line: &str, (sign, length): (char, usize)) -> bool {
    shallow(line).is_some_and(|text| text.len() >= length && text.chars().all(|c| c == sign))
}

/// The level and the text of a heading that begins with `#`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = shallow(line)?;
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let title = text[level..].strip_prefix([' ', '\t'])?.trim();
    ((1..=6).contains(&level) && title.contains(char::is_alphanumeric)).then_some((level, title))
}

/// The kind of the list that a line may be an item of, its number where it has one, and its text.
fn item(line: &str) -> Option<(char, Option<u32>, &str)> {
    let text = line.trim_start();
    let (sign, number, rest) = match text.chars().next()? {
        sign @ ('-' | '*' | '+') => (sign, None, &text[1..]),
        '0'..='9' => {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let sign = text[digits..].chars().next().filter(|sign| matches!(sign, '.' | ')'))?;
            // Years and amounts are no numbers of items.
            (sign, Some(text[..digits].parse().ok().filter(|number| *number < 1000)?), &text[digits + 1..])
        }
        _ => return None,
    };
    let rest = rest.strip_prefix([' ', '\t'])?.trim();
    (!rest.is_empty() && !rest.chars().all(|c| matches!(c, '-' | '*' | '_' | ' '))).then_some((sign, number, rest))
}

/// Whether a list begins at a line: two items in a row, one below a line that announces it, or a task.
fn has_list(lines: &[&str], at: usize) -> bool {
    let Some((sign, number, text)) = item(lines[at]).filter(|_| shallow(lines[at]).is_some()) else { return false };
    if number.is_none() && ["[ ] ", "[x] ", "[X] "].iter().any(|task| text.starts_with(task)) {
        return true;
    }
    let before = lines[..at].iter().rev().find(|line| !line.is_empty());
    if before.is_some_and(|line| line.ends_with([':', '：'])) {
        return true;
    }
    // What belongs to an item is blank or indented.
    let mut rest = lines[at + 1..].iter();
    let next = rest.find(|line| !line.is_empty() && (!line.starts_with("  ") || item(line).is_some()));
    next.and_then(|line| item(line)).is_some_and(|(next_sign, next_number, _)| {
        next_sign == sign
            && match (number, next_number) {
                (Some(number), Some(next)) => next == number + 1 || next == number,
                (None, None) => true,
                _ => false,
            }
    })
}

/// Whether a line is the head of a table: the next one draws the line below it.
fn is_table(head: &str, below: &str) -> bool {
    let cells = |line: &str| line.trim().trim_start_matches('|').trim_end_matches('|').split('|').count();
    let is_rule = |cell: &str| {
        let dashes = cell.trim().trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    let rule = below.trim();
    let is_delimiter = rule.contains('|') && rule.trim_start_matches('|').trim_end_matches('|').split('|').all(is_rule);
    is_delimiter && head.contains('|') && cells(head) == cells(rule)
}

/// Whether a line has bold text, a link or a picture.
fn has_inline_mark(line: &str) -> bool {
    let line = without_code(line);
    has_bold(&line) || has_link(&line)
}

fn has_bold(line: &str) -> bool {
    line.match_indices("**").any(|(at, _)| {
        let (before, rest) = (&line[..at], &line[at + 2..]);
        // Within a word, as in `2**3`, it is a power.
        if before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '*') {
            return false;
        }
        let Some(end) = rest.find("**") else { return false };
        let (inside, after) = (&rest[..end], &rest[end + 2..]);
        let is_edge = |c: char| !c.is_whitespace() && !matches!(c, '*' | '/' | '.' | '\\');
        inside.starts_with(is_edge)
            && inside.ends_with(|c: char| !c.is_whitespace() && !matches!(c, '*' | '/' | '\\' | '('))
            && inside.contains(char::is_alphabetic)
            && !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*')
    })
}

/// Whether a line has `[text](address)`.
fn has_link(line: &str) -> bool {
    line.match_indices("](").any(|(at, _)| {
        let Some(open) = line[..at].rfind('[') else { return false };
        let Some(end) = line[at + 2..].find(')') else { return false };
        // `list[0](x.y)` is a call.
        if line[..open].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ']' | ')')) {
            return false;
        }
        let target = &line[at + 2..at + 2 + end];
        let (address, title) = target.split_once(' ').unwrap_or((target, "\"\""));
        let is_address = address.contains("://")
            || address.starts_with("mailto:")
            || address.starts_with("javascript:")
            || address.starts_with(['/', '#'])
            || address.contains('.') && address.contains(char::is_alphabetic);
        let is_picture = line[..open].ends_with('!');
        is_address && title.trim().starts_with(['"', '\'', '(']) && (is_picture || open + 1 < at)
    })
}

/// Text without what stands in fences and between backticks.
pub(super) fn without_code(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('`') {
        let ticks = rest[at..].bytes().take_while(|byte| *byte == b'`').count();
        let (open, inside) = (&rest[at..at + ticks], &rest[at + ticks..]);
        kept.push_str(&rest[..at]);
        match inside.find(open) {
            Some(end) => rest = inside[end..].trim_start_matches('`'),
            None => {
                kept.push_str(open);
                rest = inside;
            }
        }
    }
    kept + rest
}
