//! HTML with Markdown between its blocks, as models write it if Markdown has no sign for what they mean.
//!
//! A block of HTML begins at a line with the tag of a block and ends where that is closed. The text between such blocks
//! is Markdown, and so is a text in a paragraph that Markdown would read otherwise.

use crate::apply::DocumentHost;
use crate::atoms::{Atoms, Shield, has_signs};
use crate::content::{self, Format};
use crate::fence::Fences;
use crate::{Error, echo, fence, guard, kept_marks, markdown, rows};
use copydesk_document::{Document, Line, Node, Schema};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The most pairs of blocks, or of a paragraph and a line, that are compared.
const MOST_PAIRS: usize = 20_000;
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

/// Returns content with blocks of HTML as HTML, and whether there was Markdown in it. `stated` Markdown is read as a
/// whole.
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
        Part::Markdown(text) | Part::Inner(text) => !text.trim().is_empty(),
        Part::Html(html) => paragraph(html).is_some(),
    };
    if !parts.iter().any(states) {
        return Ok((content::to_html(text), false));
    }
    let mut signed: Vec<String> = Vec::new();
    document.each_line(0..document.blocks().len(), &mut |line| {
        if has_signs(line.text) {
            signed.push(line.text.to_owned());
        }
    });
    let is_compared = signed.len() * parts.len() <= MOST_PAIRS;
    let mut html = String::with_capacity(text.len());
    for part in parts {
        let converted = match &part {
            Part::Markdown(text) | Part::Inner(text) if text.trim().is_empty() => continue,
            Part::Markdown(text) | Part::Inner(text) => markdown::to_html(host, text)?,
            Part::Html(html) => match paragraph(html) {
                Some(inside) => {
                    let mut shield = Shield::default();
                    let shielded = with_literal_signs(&mut shield, inside, &signed, is_compared);
                    shield.html(markdown::to_html(host, &shielded)?)
                }
                None => html.clone(),
            },
        };
        html += &converted;
    }
    guard::check_html(&[&html], document)?;
    Ok((html, true))
}

/// Returns a paragraph with letters in place of the signs that are text: those of words of `signed`, the texts of the document
/// with signs, and, if `is_compared`, those of the most similar text that are unchanged.
fn with_literal_signs(shield: &mut Shield, paragraph: &str, signed: &[String], is_compared: bool) -> String {
    let shielded = shield.words(paragraph, signed.iter().map(String::as_str));
    if !is_compared || !has_signs(&shielded) {
        return shielded;
    }
    let likeness = |text: &String| rows::likeness(text, paragraph).filter(|like| *like >= rows::LEAST);
    let old = signed.iter().filter_map(|text| Some((likeness(text)?, text))).max_by_key(|(like, _)| *like);
    match old {
        Some((_, old)) => shield.signs(&shielded, old),
        None => shielded,
    }
}

enum Part {
    Html(String),
    Markdown(String),
    /// Markdown in an element that is open.
    Inner(String),
}

/// A piece of HTML, or of the text between two of them, at the top level.
struct Piece {
    is_html: bool,
    text: String,
}

/// Cuts content at the top level.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts(text) {
        let (is_html, text) = match part {
            Part::Html(text) | Part::Inner(text) => (true, text),
            Part::Markdown(text) => (false, text),
        };
        match pieces.last_mut().filter(|last| last.is_html == is_html) {
            Some(last) => last.text = format!("{}\n{text}", last.text),
            None => pieces.push(Piece { is_html, text }),
        }
    }
    pieces
}

/// Returns whether content has Markdown or rows between blocks of HTML or in them.
pub fn has_rows(text: &str) -> bool {
    let is_read = |part: &Part| match part {
        Part::Markdown(text) | Part::Inner(text) => !text.trim().is_empty(),
        Part::Html(_) => false,
    };
    parts(text).iter().any(is_read)
}

/// Returns the blocks that replace top-level blocks, for content with rows between blocks of HTML: each part in HTML
/// replaces the blocks that it resembles, and the rows between are read row by row. `None` if a part in HTML resembles
/// no block.
///
/// # Errors
/// Those of the parsers and of [`rows::of_blocks`].
pub fn blocks(
    host: &dyn DocumentHost,
    document: &Document,
    range: Range<usize>,
    text: &str,
    format: Option<Format>,
    is_section: bool,
) -> Result<Option<Vec<Node>>, Error> {
    let schema = document.schema();
    let old = &document.blocks()[range.clone()];
    let text = fence::unfenced(text, fence::ANY_CONTENT);
    if host.markdown().is_none() || !has_rows(text) {
        return Ok(None);
    }
    let pieces = pieces(text);
    // Rows hold no HTML.
    let has_blocks = |text: &str| text.lines().filter_map(outer_block).any(|tag| BLOCKS.contains(&tag.as_str()));
    if pieces.iter().any(|piece| !piece.is_html && has_blocks(&piece.text)) {
        return Ok(None);
    }
    let atoms = Atoms::of(schema, [old]);
    let mut made: Vec<(String, Vec<Node>)> = Vec::new();
    for piece in &pieces {
        made.push(match piece.is_html {
            true => {
                let (shield, shielded) = atoms.shielded(&[&piece.text]);
                let html = shield.html(to_html(host, document, &shielded[0], format)?.0);
                let nodes = host.parse(&html, range.start)?;
                (html, nodes)
            }
            false => Default::default(),
        });
    }
    let new: Vec<&Node> = made.iter().flat_map(|(_, nodes)| nodes).collect();
    if old.len() * new.len() > MOST_PAIRS {
        return Ok(None);
    }
    let (old_texts, new_texts): (Vec<String>, Vec<String>) =
        (old.iter().map(|node| node.text_content()).collect(), new.iter().map(|node| node.text_content()).collect());
    let like = |from: usize, to: usize| match old[from].kind() == new[to].kind() {
        true if old_texts[from].trim() == new_texts[to].trim() => Some(100),
        true => rows::likeness(&old_texts[from], &new_texts[to]),
        false => None,
    };
    let pairs: FxHashMap<usize, usize> =
        rows::best_pairs(old.len(), new.len(), like).into_iter().map(|(from, to)| (to, from)).collect();
    let mut places: Vec<Option<Range<usize>>> = Vec::new();
    let mut at = 0;
    for (piece, (_, nodes)) in pieces.iter().zip(&made) {
        let paired: Vec<usize> = (at..at + nodes.len()).filter_map(|at| pairs.get(&at).copied()).collect();
        at += nodes.len();
        places.push(match (piece.is_html, paired.first(), paired.last()) {
            (false, ..) => None,
            (true, Some(first), Some(last)) => Some(*first..*last + 1),
            _ => return Ok(None),
        });
    }
    let (mut out, mut done) = (Vec::new(), 0);
    for (at, piece) in pieces.iter().enumerate() {
        if let Some(place) = &places[at] {
            // Nothing is written for blocks without text between others.
            let between = &old[done..place.start];
            if at == 0 || pieces[at - 1].is_html {
                out.extend(between.iter().filter(|node| is_blank(schema, node)).cloned());
            }
            let (html, nodes) = std::mem::take(&mut made[at]);
            let place_in = range.start + place.start..range.start + place.end;
            let nodes = echo::restore(host, document, place_in.clone(), nodes, &html)?;
            let lines = document.lines_of_blocks(place_in);
            let nodes = kept_marks::keep(document, &lines, &lines, nodes);
            out.extend(atoms.restored(schema, nodes));
            done = place.end;
            continue;
        }
        let end = places[at..].iter().flatten().next().map_or(old.len(), |place| place.start);
        if piece.text.trim().is_empty() {
            out.extend(old[done..end].iter().filter(|node| is_blank(schema, node)).cloned());
        } else {
            let between = range.start + done..range.start + end;
            let made = rows::of_blocks(host, document, between, &piece.text, format, is_section)?;
            let Some((nodes, _)) = made else { return Ok(None) };
            out.extend(nodes);
        }
        done = end;
    }
    Ok(Some(out))
}

/// Returns whether a block is a textblock without content.
fn is_blank(schema: &Schema, node: &Node) -> bool {
    schema.is_textblock(node.kind()) && node.children().is_empty()
}

/// Returns the text of a paragraph that is Markdown of a block, or has marks.
fn paragraph(html: &str) -> Option<&str> {
    let inside = html.trim().strip_prefix("<p>")?.strip_suffix("</p>")?;
    let is_block = markdown::heading(inside).is_some() || markdown::has_inline_mark(inside);
    (!content::has_tag(inside) && is_block && Format::of(inside) == Format::Markdown).then_some(inside)
}

/// Splits content into HTML and Markdown. As in Markdown, a blank line ends HTML that is on its own: text behind it in
/// an open element is Markdown.
fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut depth, mut is_apart, mut in_code) = (0_usize, true, false);
    let mut fences = Fences::default();
    // The columns at which the content of the item begins that the lines are in.
    let mut item: Option<usize> = None;
    for line in text.split('\n') {
        let is_block = |tag: String| {
            BLOCKS.contains(&tag.as_str()) || LEAVES.contains(&tag.as_str()) || !content::is_known_tag(&tag)
        };
        // Text before a block in one line is HTML as well; a cell of Markdown may hold blocks.
        let holds = !line.trim_start().starts_with('|') && has_block(line);
        let (indent, inside) = markdown::indented(line);
        if depth == 0 && !inside.is_empty() && item.is_none_or(|columns| indent < columns) {
            item = markdown::item(line).map(|item| item.depth + 2);
        }
        let is_in_item = depth == 0 && item.is_some_and(|columns| indent >= columns);
        // HTML in an item is the item's.
        let begins = !is_in_item && (outer_block(line).is_some_and(is_block) || holds);
        is_apart = match depth > 0 && !in_code && !begins {
            true => {
                inside.is_empty()
                    || is_apart
                        && (indent < 4
                            || fences.is_open()
                            || matches!(parts.last(), Some(Part::Inner(text)) if !text.trim().is_empty()))
            }
            false => depth == 0,
        };
        if is_apart {
            fences.read(line);
        }
        let is_html = !is_apart && depth > 0 || begins && !fences.is_open();
        if is_html {
            depth = opened(line, depth);
            in_code = in_code && !line.contains("</pre") || line.rfind("<pre") > line.rfind("</pre");
            is_apart = depth == 0;
        }
        match (parts.last_mut(), is_html) {
            (Some(Part::Html(html)), true) => *html = format!("{html}\n{line}"),
            (Some(Part::Markdown(text)), false) if depth == 0 => *text = format!("{text}\n{line}"),
            (Some(Part::Inner(text)), false) => *text = format!("{text}\n{line}"),
            (_, true) => parts.push(Part::Html(line.to_owned())),
            (_, false) if depth > 0 => parts.push(Part::Inner(line.to_owned())),
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
