//! Sections: the parts a document falls into at its top-level second-level headings.

use super::line::push_inline;
use super::node::Node;
use super::schema::Schema;
use super::sums::Sums;
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// Section 0 is all before the first top-level h2; every top-level h2 begins another, up to the next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Zero-based index of the section.
    pub index: usize,
    /// The text of its heading, with a space for each hard break; empty if it has none.
    pub title: String,
    /// The position where it begins.
    pub from: usize,
    /// The position where it ends.
    pub to: usize,
    /// Its top-level blocks.
    #[serde(skip)]
    pub blocks: Range<usize>,
    /// The top-level block that holds its title: its h2, for section 0 the first top-level h1 in it.
    #[serde(skip)]
    pub heading: Option<usize>,
}

/// Returns the sections of top-level blocks. `levels` has the level of each heading and 0 for any other block, `starts`
/// the position of each block and of the end.
pub(super) fn sections(schema: &Schema, blocks: &[Node], levels: &[u8], starts: &Sums) -> Vec<Section> {
    let h2s = (0..blocks.len()).filter(|at| levels[*at] == 2);
    let bounds: Vec<usize> = std::iter::once(0).chain(h2s).chain([blocks.len()]).collect();
    let ranges = bounds.windows(2).map(|pair| pair[0]..pair[1]).enumerate();
    ranges
        .map(|(index, range)| {
            let heading = match index {
                0 => range.clone().find(|at| levels[*at] == 1),
                _ => Some(range.start),
            };
            Section {
                index,
                title: heading.map(|at| title(schema, &blocks[at])).unwrap_or_default(),
                from: starts.before(range.start),
                to: starts.before(range.end),
                blocks: range,
                heading,
            }
        })
        .collect()
}

/// Returns the level of a heading; `None` for any other node.
pub fn heading_level(schema: &Schema, node: &Node) -> Option<u64> {
    if node.name(schema) == "heading" { node.attrs().get("level").and_then(Value::as_u64) } else { None }
}

/// The text of a textblock on one line: a hard break or newline is a space.
pub(super) fn title(schema: &Schema, heading: &Node) -> String {
    let mut title = String::new();
    for child in heading.children() {
        match schema.is_hard_break(child.kind()) {
            true => title.push(' '),
            false if child.is_leaf() => push_inline(schema, child, &mut title),
            false => title.push_str(&child.text_content()),
        }
    }
    if title.contains('\n') { title.replace('\n', " ") } else { title }
}
