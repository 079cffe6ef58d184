//! Marks in a new text that replaces another one: `**bold**`, `<em>so</em>`.
//!
//! The text is read as HTML or Markdown if the call states that format; otherwise only if it plainly is that, and the
//! text that it replaces has nothing like it. All other signs in it are text.

use super::apply::DocumentHost;
use super::content::{self, Format};
use super::guard;
use super::line_html;
use super::{formulas, markdown};
use crate::Error;
use crate::messages;
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Marks, Node, NodeRole};

/// The signs of Markdown that make marks.
const SIGNS: [&str; 7] = ["**", "__", "~~", "`", "](", "*", "_"];

/// A new text whose marks are read.
pub struct MarkedText {
    /// Its lines.
    pub lines: Vec<Vec<Node>>,
    /// True if it was Markdown.
    pub from_markdown: bool,
}

/// Reads a new text with marks in it; `None` if it has no marks. `found` is the text of the document that it replaces,
/// `stated` the format that the call states, and `block` the index of its block.
///
/// # Errors
/// [`Error::UnsafeUrl`], an invalid parameter if HTML has blocks, and errors of the parser.
pub fn read(
    host: &dyn DocumentHost,
    document: &Document,
    found: &str,
    new: &str,
    stated: Option<Format>,
    block: usize,
) -> Result<Option<MarkedText>, Error> {
    let looks_like_html =
        || content::has_tag(new) && content::is_inline(new) && content::closes(new) && !content::has_tag(found);
    let is_formula = || {
        document.schema().find_role(NodeRole::InlineMath).is_some() && new.contains('$') && formulas::has_inline(new)
    };
    let looks_like_markdown = || {
        !content::has_tag(new)
            && host.markdown().is_some()
            && (is_formula() || SIGNS.iter().any(|sign| new.contains(sign) && !found.contains(sign)))
            && (is_formula()
                || new.contains(&format!("[{found}]("))
                || markdown::looks_like(new)
                || markdown::has_small_mark(new, std::iter::once(found)))
    };
    let format = match stated {
        Some(stated) => stated,
        None if looks_like_html() => Format::Html,
        None if looks_like_markdown() => Format::Markdown,
        None => Format::Text,
    };
    let lines: Option<Vec<String>> = match format {
        Format::Html => Some(html_lines(&checked(document, new.to_owned())?)?),
        Format::Markdown => {
            new.split('\n').map(|line| markdown_line(host, document, line)).collect::<Result<_, _>>()?
        }
        Format::Text => None,
    };
    let Some(lines) = lines else { return Ok(None) };
    let mut parsed = Vec::with_capacity(lines.len());
    for line in &lines {
        match parse_line(host, document, line, block)? {
            Some(nodes) => parsed.push(nodes),
            None => return Ok(None),
        }
    }
    let has_marks = |node: &Node| !node.is_text() || !node.marks().is_empty();
    if stated.is_none() && !parsed.iter().flatten().any(has_marks) {
        return Ok(None);
    }
    Ok(Some(MarkedText { lines: parsed, from_markdown: format == Format::Markdown }))
}

/// Returns the lines of inline HTML, or of paragraphs. Fails if it has other blocks.
fn html_lines(html: &str) -> Result<Vec<String>, Error> {
    if content::is_inline(html) {
        return Ok(html.split('\n').map(str::to_owned).collect());
    }
    paragraphs(html).ok_or_else(|| Error::InvalidValue {
        name: "new",
        given: excerpt(html),
        expected: messages::EXPECTED_INLINE.into(),
    })
}

/// Returns a line of Markdown as inline HTML, or `None` if it is a block. The parser removes spaces at the ends.
fn markdown_line(host: &dyn DocumentHost, document: &Document, line: &str) -> Result<Option<String>, Error> {
    let inside = line.trim();
    let start = &line[..line.len() - line.trim_start().len()];
    let end = &line[line.trim_end().len()..];
    let html = checked(document, markdown::to_html(host, inside)?)?;
    Ok(match paragraphs(&html).as_deref() {
        Some([]) => Some(line.to_owned()),
        Some([one]) => Some(format!("{start}{one}{end}")),
        _ => None,
    })
}

/// Parses a line of inline HTML with the spaces at its ends.
fn parse_line(
    host: &dyn DocumentHost,
    document: &Document,
    html: &str,
    block: usize,
) -> Result<Option<Vec<Node>>, Error> {
    let schema = document.schema();
    let inside = html.trim_matches([' ', '\t']);
    let blocks = host.parse(&line_html::in_textblock(document, &format!("<p>{inside}</p>")), block)?;
    let [only] = &blocks[..] else { return Ok(None) };
    if !schema.is_textblock(only.kind()) {
        return Ok(None);
    }
    let (start, end) = html.split_once(inside).unwrap_or_default();
    let space = |text: &str| (!text.is_empty()).then(|| Node::text_node(schema, text, Marks::NONE));
    Ok(Some(space(start).into_iter().chain(only.children().iter().cloned()).chain(space(end)).collect()))
}

/// Returns a text without its marks: without inline tags, without the URLs of links, and without the signs of Markdown
/// in pairs.
pub fn without_marks(text: &str) -> String {
    let text = &without_links(text);
    let mut text = match content::has_tag(text) && content::is_inline(text) {
        true => content::without_tags(text),
        false => text.to_owned(),
    };
    for sign in ["**", "__", "~~", "`", "*", "_"] {
        text = without_pairs(&text, sign);
    }
    text
}

/// Returns a text with the text of each link of Markdown in its place. Images stay.
fn without_links(text: &str) -> String {
    if !markdown::has_inline_mark(text) {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(middle) = rest.find("](") {
        let open = rest[..middle].rfind('[').filter(|open| !rest[..*open].ends_with('!'));
        let close = rest[middle..].find(')').map(|close| middle + close);
        let (Some(open), Some(close)) = (open, close) else {
            out.push_str(&rest[..middle + 2]);
            rest = &rest[middle + 2..];
            continue;
        };
        out.push_str(&rest[..open]);
        out.push_str(&rest[open + 1..middle]);
        rest = &rest[close + 1..];
    }
    out + rest
}

/// Removes a sign that occurs in pairs around text: the opening one follows a space or sign and precedes text, the
/// closing one the other way round.
fn without_pairs(text: &str, sign: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    while let Some(open) = rest.find(sign) {
        let inside = &rest[open + sign.len()..];
        let opens = !is_letter(rest[..open].chars().next_back()) && !inside.starts_with(char::is_whitespace);
        let close = inside.find(sign).filter(|close| {
            let before = &inside[..*close];
            !before.is_empty() && !before.contains('\n') && !before.ends_with(char::is_whitespace)
        });
        match close.filter(|_| opens) {
            Some(close) => {
                out.push_str(&rest[..open]);
                out.push_str(&inside[..close]);
                rest = &inside[close + sign.len()..];
            }
            None => {
                out.push_str(&rest[..open + sign.len()]);
                rest = inside;
            }
        }
    }
    out + rest
}

/// Returns HTML that was made from Markdown. Fails if it contains a URL that is never written.
pub fn checked(document: &Document, html: String) -> Result<String, Error> {
    guard::check_html(&[&html], document)?;
    Ok(html)
}

/// HTML that is nothing but paragraphs, as their lines.
fn paragraphs(html: &str) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let mut rest = html.trim();
    while !rest.is_empty() {
        let (inside, after) = rest.strip_prefix("<p>")?.split_once("</p>")?;
        // A break makes two lines of one.
        if !content::is_inline(inside) || inside.contains("<br") {
            return None;
        }
        lines.extend(inside.split('\n').map(str::to_owned));
        rest = after.trim_start();
    }
    Some(lines)
}
