//! Content that has no place.

use crate::change::Change;
use crate::parent::holds;
use crate::{Error, content};
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Node, Schema};

/// Returns the error of content that is not allowed in its place.
pub fn unplaced(content: &str) -> Error {
    Error::NotInSchema { what: format!("“{}”", excerpt(content)) }
}

/// Fails with [`Error::NotInSchema`] if HTML without text states something, such as a video, and the changes made from
/// it have neither text nor leaves: they would only delete.
pub fn check(schema: &Schema, changes: &[Change], html: &str) -> Result<(), Error> {
    // Other empty elements are empty blocks.
    let states =
        |tag: &str| !content::is_known_tag(tag) || matches!(&*tag.to_ascii_lowercase(), "img" | "hr" | "table");
    let is_bare = html.trim_start().starts_with('<') && content::without_tags(html).trim().is_empty();
    let is_comment = html.trim().starts_with("<!--") && html.trim().find("-->") == Some(html.trim().len() - 3);
    if !(is_comment || is_bare && content::start_tags(html).any(states)) {
        return Ok(());
    }
    let mut new = changes.iter().flat_map(|change| &change.content);
    let is_leaf =
        |node: &Node| node.is_leaf() && !schema.is_textblock(node.kind()) && !schema.is_hard_break(node.kind());
    if new.any(|block| holds(block, &is_leaf)) { Ok(()) } else { Err(unplaced(html)) }
}

/// Fails with [`Error::Placeholder`] if a change writes the text form of a leaf block of the document, such as
/// `[chart]`, as the text of a block.
pub fn check_signs(before: &Document, changes: &[Change]) -> Result<(), Error> {
    let schema = before.schema();
    let mut texts = Vec::new();
    changes.iter().flat_map(|change| &change.content).for_each(|node| collect_signs(schema, node, &mut texts));
    let is_sign = |text: &&String| {
        let has = |node: &Node| holds(node, &|node| node.name(schema) == &text[1..text.len() - 1] && node.is_leaf());
        let is_text =
            |node: &Node| holds(node, &|node| schema.is_textblock(node.kind()) && node.text_content() == **text);
        before.blocks().iter().any(has) && !before.blocks().iter().any(is_text)
    };
    match texts.iter().find(is_sign) {
        Some(text) => Err(Error::Placeholder { text: excerpt(text) }),
        None => Ok(()),
    }
}

/// Collects the texts of textblocks that are one word in square brackets.
fn collect_signs(schema: &Schema, node: &Node, texts: &mut Vec<String>) {
    if !schema.is_textblock(node.kind()) {
        return node.children().iter().for_each(|child| collect_signs(schema, child, texts));
    }
    let text = node.text_content();
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or_default();
    if !inside.is_empty() && inside.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
        texts.push(text);
    }
}
