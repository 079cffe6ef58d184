//! HTML with Markdown between its blocks, as models write where Markdown has no sign for what they mean.
//!
//! A block of HTML begins at a line with the tag of a block and ends where that is closed. What is between such blocks is
//! Markdown, and so is a text in a paragraph that Markdown would read otherwise.

use crate::apply::DocumentHost;
use crate::content::{self, Format};
use crate::{Error, fence, guard, line_blocks, markdown};
use copydesk_document::{Document, Line};

/// The tags of blocks that have an end.
const BLOCKS: [&str; 37] = [
    "aside",
    "header",
    "main",
    "body",
    "html",
    "figcaption",
    "dl",
    "dt",
    "dd",
    "caption",
    "colgroup",
    "tfoot",
    "nav",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "th",
    "div",
    "details",
    "summary",
    "figure",
    "section",
    "article",
];
/// The tags of blocks without one.
const LEAVES: [&str; 3] = ["hr", "img", "input"];

/// Returns whether content is HTML with blocks. Tags in code are text.
pub fn is_html(text: &str) -> bool {
    let text = fence::unfenced(text, fence::ANY_CONTENT);
    // An element of the app's own may be a block.
    let is_own = |tag: String| !content::is_known_tag(&tag) && content::has_tag(text);
    content::outer_tag(text).is_some_and(is_own)
        || content::has_tag(text) && !content::is_inline(text) && {
            let bare = markdown::without_code(text);
            content::has_tag(&bare) && !content::is_inline(&bare)
        }
}

/// Returns content with blocks of HTML as HTML, and whether there was Markdown in it. `stated` Markdown is read as a whole.
///
/// # Errors
/// Those of the parser of Markdown; [`Error::UnsafeUrl`].
pub fn to_html(
    host: &dyn DocumentHost,
    document: &Document,
    text: &str,
    stated: Option<Format>,
) -> Result<(String, bool), Error> {
    if stated == Some(Format::Markdown) {
        let html = markdown::to_html(host, text)?;
        guard::check_html(&[&html], document)?;
        return Ok((html, true));
    }
    let text = fence::unfenced(text, fence::HTML);
    if stated == Some(Format::Html) {
        return Ok((content::to_html(text), false));
    }
    if host.markdown().is_none() {
        return Ok((content::to_html(text), false));
    }
    let parts = parts(text);
    let states = |part: &Part| match part {
        Part::Markdown(text) => !text.trim().is_empty(),
        Part::Html(html) => paragraph(html).is_some(),
    };
    if !parts.iter().any(states) {
        return Ok((content::to_html(text), false));
    }
    let mut html = String::with_capacity(text.len());
    for part in parts {
        let converted = match &part {
            Part::Markdown(text) if text.trim().is_empty() => continue,
            Part::Markdown(text) => markdown::to_html(host, &line_blocks::lines_apart(text))?,
            Part::Html(html) => match paragraph(html) {
                Some(inside) => markdown::to_html(host, inside)?,
                None => html.clone(),
            },
        };
        html += &converted;
    }
    guard::check_html(&[&html], document)?;
    Ok((html, true))
}

enum Part {
    Html(String),
    Markdown(String),
}

/// Returns the text of a paragraph that is Markdown of a block, or has marks.
fn paragraph(html: &str) -> Option<&str> {
    let inside = html.trim().strip_prefix("<p>")?.strip_suffix("</p>")?;
    let is_block = markdown::heading(inside).is_some() || markdown::has_inline_mark(inside);
    (!content::has_tag(inside) && is_block && Format::of(inside) == Format::Markdown).then_some(inside)
}

/// Cuts content into HTML and Markdown. As in Markdown, a blank line ends what is HTML by itself: text behind it in an
/// element that is open is Markdown.
fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut depth, mut fence, mut is_apart, mut in_code) = (0_usize, false, true, false);
    for line in text.split('\n') {
        let is_block = |tag: String| {
            BLOCKS.contains(&tag.as_str()) || LEAVES.contains(&tag.as_str()) || !content::is_known_tag(&tag)
        };
        // Text before a block in one line is HTML as well; a cell of Markdown may hold blocks.
        let holds = !line.trim_start().starts_with('|') && has_block(line);
        let begins = outer_block(line).is_some_and(is_block) || holds;
        let (indent, inside) = markdown::indented(line);
        is_apart = match depth > 0 && !in_code && !begins {
            true => {
                inside.is_empty()
                    || is_apart
                        && (indent < 4
                            || fence
                            || matches!(parts.last(), Some(Part::Markdown(text)) if !text.trim().is_empty()))
            }
            false => depth == 0,
        };
        if is_apart && inside.starts_with("```") {
            fence = !fence;
        }
        let is_html = !is_apart && depth > 0 || begins && !fence;
        if is_html {
            depth = opened(line, depth);
            in_code = in_code && !line.contains("</pre") || line.rfind("<pre") > line.rfind("</pre");
            is_apart = depth == 0;
        }
        match (parts.last_mut(), is_html) {
            (Some(Part::Html(html)), true) => *html = format!("{html}\n{line}"),
            (Some(Part::Markdown(text)), false) => *text = format!("{text}\n{line}"),
            (_, true) => parts.push(Part::Html(line.to_owned())),
            (_, false) => parts.push(Part::Markdown(line.to_owned())),
        }
        if is_html && depth == 0 {
            parts.push(Part::Markdown(String::new()));
        }
    }
    parts
}

/// Returns the name of the tag that a line begins with, be it one that ends a block.
fn outer_block(line: &str) -> Option<String> {
    let text = line.trim_start();
    match text.strip_prefix("</") {
        Some(rest) => content::outer_tag(&format!("<{rest}")),
        None => content::outer_tag(text),
    }
}

/// Returns whether a line has the tag of a block, outside of code.
fn has_block(line: &str) -> bool {
    let line = markdown::without_code(line);
    line.match_indices('<')
        .any(|(at, _)| content::outer_tag(&line[at..]).is_some_and(|tag| BLOCKS.contains(&tag.as_str())))
}

/// Returns how many blocks are open behind a line.
fn opened(line: &str, mut depth: usize) -> usize {
    for (at, _) in line.match_indices('<') {
        let rest = &line[at + 1..];
        let name = rest.trim_start_matches('/');
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        if !BLOCKS.contains(&name[..end].to_ascii_lowercase().as_str()) {
            continue;
        }
        match rest.starts_with('/') {
            true => depth = depth.saturating_sub(1),
            false => depth += 1,
        }
    }
    depth
}

/// Returns whether content for lines of code is HTML: a block of code, or blocks where the code has no tags.
pub fn is_html_for_code(text: &str, lines: &[Line]) -> bool {
    const BLOCKS: [&str; 12] = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "pre"];
    let tag = content::outer_tag(text).filter(|tag| BLOCKS.contains(&tag.as_str()));
    let is_block = tag.is_some_and(|tag| {
        tag == "pre" || text.trim_end().ends_with(&format!("</{tag}>")) || text.trim_end().ends_with('>')
    });
    is_block && (text.trim_start().starts_with("<pre") || !lines.iter().any(|line| line.text.contains('<')))
}
