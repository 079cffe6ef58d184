//! HTML of the content of one line.

use copydesk_document::{Document, Marks, Node, NodeTypeId, Schema};
use std::borrow::Cow;

/// Returns HTML that is one paragraph as the textblock of the schema that takes most of what may be in a line, without which
/// the parser puts the text into the first textblock that it finds.
pub fn in_textblock<'h>(document: &Document, html: &'h str) -> Cow<'h, str> {
    let schema = document.schema();
    let inside = || html.trim().strip_prefix("<p>")?.strip_suffix("</p>").filter(|inside| !inside.contains("</p>"));
    let Some(kind) = widest_textblock(schema).filter(|kind| schema.name(*kind) != "paragraph") else {
        return html.into();
    };
    let Some(inside) = inside() else { return html.into() };
    let empty = document.html_of(&[Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE)]);
    match empty.split_once("></") {
        Some((start, end)) => format!("{start}>{inside}</{end}").into(),
        None => html.into(),
    }
}

/// Returns the type of textblocks at the top level that takes most types of marks and nodes, a paragraph if it takes as many.
fn widest_textblock(schema: &Schema) -> Option<NodeTypeId> {
    let takes = |kind: NodeTypeId| {
        let block = schema.node_type(kind);
        let marks = schema.mark_types().iter().filter_map(|mark| schema.find_mark(&mark.name));
        marks.filter(|mark| block.allows_mark(*mark)).count() + schema.edges(block.content_match).len()
    };
    let edges = schema.edges(schema.node_type(schema.top_type()).content_match).iter().map(|(kind, _)| *kind);
    let blocks = edges.filter(|kind| schema.is_textblock(*kind) && !schema.node_type(*kind).code);
    blocks.rev().max_by_key(|kind| (takes(*kind), schema.name(*kind) == "paragraph"))
}

/// A letter that no text has. It represents a space while a line is parsed.
const SPACE: char = '\u{17EF1}';
/// The same for a tab.
const TAB: char = '\u{17EF2}';

/// Returns HTML of a line in which spaces that a parser collapses are letters. Spaces at the ends of the line are kept if
/// the `old` text begins or ends with one, and tabs if it has one.
pub fn with_kept_spaces<'h>(html: &'h str, old: &str) -> Cow<'h, str> {
    if html.contains('\t') && old.contains('\t') && !html.contains(TAB) {
        return with_kept_spaces(&html.replace('\t', TAB.encode_utf8(&mut [0; 4])), old).into_owned().into();
    }
    if !html.contains(' ') || html.contains(SPACE) {
        return html.into();
    }
    let mut spaces: Vec<(usize, bool)> = Vec::new();
    let (mut is_tag, mut after_space, mut begun, mut end) = (false, false, false, 0);
    for (at, c) in html.char_indices() {
        let next = html[at + c.len_utf8()..].chars().next();
        match c {
            '<' if next.is_some_and(|next| next.is_ascii_alphabetic() || next == '/') => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            ' ' => {
                let is_kept = if begun { after_space } else { old.starts_with(' ') };
                spaces.push((at, is_kept));
                after_space = true;
            }
            _ => (after_space, begun, end) = (false, true, at),
        }
    }
    let keeps_end = old.ends_with(' ');
    let is_kept = |(at, is_kept): &(usize, bool)| if *at > end && begun { keeps_end } else { *is_kept };
    let kept: Vec<usize> = spaces.iter().filter(|space| is_kept(space)).map(|(at, _)| *at).collect();
    if kept.is_empty() {
        return html.into();
    }
    let (mut out, mut done) = (String::with_capacity(html.len()), 0);
    for at in kept {
        out.push_str(&html[done..at]);
        out.push(SPACE);
        done = at + 1;
    }
    (out + &html[done..]).into()
}

/// Returns a node that was parsed from such HTML with its spaces.
pub fn with_spaces(node: Node) -> Node {
    match node.text() {
        Some(text) if text.contains([SPACE, TAB]) => node.with_text(text.replace(SPACE, " ").replace(TAB, "\t")),
        Some(_) => node,
        None if node.is_leaf() => node,
        None => node.with_children(node.children().iter().cloned().map(with_spaces).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_that_a_parser_collapses_are_letters() {
        let kept = |html: &str, old: &str| with_kept_spaces(html, old).replace(SPACE, "_");
        assert_eq!(kept("a  b <b> c</b> d", "x"), "a _b <b>_c</b> d");
        assert_eq!(kept("<b title=\"x  y\">a</b>  1 < 2  ", "x"), "<b title=\"x  y\">a</b> _1 < 2  ");
        assert_eq!(kept(" <b>a </b> ", " x "), "_<b>a_</b>_");
        assert_eq!(kept(" <b>a </b>", "x"), " <b>a </b>");
        assert_eq!(kept(" ", "x"), " ");
    }
}
