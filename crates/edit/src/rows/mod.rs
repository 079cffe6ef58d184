//! A document as rows: its lines, each with the nodes around it.
//!
//! Blocks are [`flatten`]ed to rows and [`assemble`]d again. Between the two, an edit is a list operation: rows are
//! kept, get another text or another path, are added and removed. Two rows are in one node if their paths have the same
//! [`Link::id`] there, so the paths define the structure and no row is read twice.

mod builder;
mod cell_lines;
mod given;
mod in_place;
mod inline_line;
mod layouts;
mod nodes;
mod pairing;
mod placing;
mod shown;
mod shown_row;
mod standard;
mod tables;
mod texts;

use crate::segments::{self, Segment};
use copydesk_document::{Mark, Marks, Node, NodeRole, Schema, join_texts, text_form};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

pub use inline_line::InlineLine;
pub use pairing::{LEAST, best_pairs, is_first_part, likeness, pair_cells, pair_moved_texts, pair_texts};
pub use placing::{Content as Given, LinesContent, Replaced, as_edits, of_blocks, of_lines, texts};
pub use shown::{begins, shown_as, texts_or_leaves};
pub use shown_row::bare;
pub(crate) use standard::{is_underline, without_closing};

/// A node on the path of a row.
#[derive(Clone, Debug)]
pub struct Link {
    /// The identity of the node among those of one list of rows.
    pub id: u32,
    /// Its type, attributes and marks. The children are those that it had.
    pub node: Node,
}

/// A line with the nodes around it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The nodes that it is in, the top-level block first, its textblock or leaf last.
    pub path: Vec<Link>,
    /// The break before it, if it is not the first line of its textblock.
    pub opened_by: Option<Node>,
    /// Its inline content; empty for a leaf.
    pub inline: Vec<Node>,
    /// The index of the old row that it is; `None` if it is new.
    pub from: Option<usize>,
}

/// Gives identities to nodes.
#[derive(Debug, Default)]
pub struct Ids(u32);

impl Ids {
    /// Returns a link to a node that no row has yet.
    pub fn link(&mut self, node: Node) -> Link {
        self.0 += 1;
        Link { id: self.0, node }
    }

    /// Returns a link to a new node of a type with the default attributes.
    pub fn fresh(&mut self, schema: &Schema, role: NodeRole) -> Option<Link> {
        let kind = schema.find_role(role)?;
        Some(self.link(Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE)))
    }
}

/// Returns a node with the default `id`, as a new node of its kind has.
pub fn without_id(schema: &Schema, node: &Node) -> Node {
    match schema.default_attrs(node.kind()).get("id") {
        Some(id) => node.with_attrs(node.attrs().with("id", id.clone())),
        None => node.clone(),
    }
}

/// Returns the rows of blocks: one for each of their lines, and one for each container without lines.
pub fn flatten(schema: &Schema, blocks: &[Node], ids: &mut Ids) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut path = Vec::new();
    blocks.iter().for_each(|block| flatten_node(schema, block, ids, &mut path, &mut rows));
    rows
}

fn flatten_node(schema: &Schema, node: &Node, ids: &mut Ids, path: &mut Vec<Link>, rows: &mut Vec<Row>) {
    path.push(ids.link(node.clone()));
    if schema.is_textblock(node.kind()) {
        for Segment { opened_by, inline } in segments::split(schema, node) {
            rows.push(Row { path: path.clone(), opened_by, inline, from: Some(rows.len()) });
        }
    } else if node.children().is_empty() {
        rows.push(Row { path: path.clone(), opened_by: None, inline: Vec::new(), from: Some(rows.len()) });
    } else {
        node.children().iter().for_each(|child| flatten_node(schema, child, ids, path, rows));
    }
    path.pop();
}

/// Returns the blocks that rows form. `None` if the schema does not allow a node.
pub fn assemble(schema: &Schema, rows: &[Row]) -> Option<Vec<Node>> {
    assemble_at(schema, rows, 0)
}

fn assemble_at(schema: &Schema, rows: &[Row], depth: usize) -> Option<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    let rows = &with_items_before(schema, rows, depth)[..];
    for group in rows.chunk_by(|a, b| a.path[depth].id == b.path[depth].id) {
        let Link { id, node } = &group[0].path[depth];
        let before = counts.entry(*id).or_default();
        let made = match group.iter().all(|row| row.path.len() > depth + 1) {
            true => node.with_children(assemble_at(schema, group, depth + 1)?),
            false if group.iter().any(|row| row.path.len() > depth + 1) => return None,
            false if schema.is_textblock(node.kind()) => {
                let segments =
                    group.iter().map(|row| Segment { opened_by: row.opened_by.clone(), inline: row.inline.clone() });
                segments::join(schema, node, segments.collect())
            }
            false if group.len() > 1 => return None,
            false => node.clone(),
        };
        // A list into which something was inserted continues its numbers.
        let start = made.first_number().filter(|_| *before > 0);
        let count = *before as i64;
        *before += made.children().len();
        let made = start.map(|start| made.with_first_number(start.saturating_add(count))).unwrap_or(made);
        let made = match schema.check(&made) {
            Ok(()) => made,
            Err(_) if schema.is_textblock(made.kind()) => with_allowed(schema, &made)?,
            Err(_) => with_first_textblock(schema, &made)?,
        };
        nodes.push(if made == *node { node.clone() } else { made });
    }
    Some(nodes)
}

/// Returns rows in which the second part of an item that another item was inserted into belongs to that other item.
fn with_items_before<'r>(schema: &Schema, rows: &'r [Row], depth: usize) -> Cow<'r, [Row]> {
    let is_item = |row: &Row| nodes::is_item(schema, &row.path[depth].node);
    if !rows.first().is_some_and(is_item) {
        return Cow::Borrowed(rows);
    }
    let mut seen = FxHashSet::default();
    let mut rows = Cow::Borrowed(rows);
    for at in 1..rows.len() {
        let (before, row) = (&rows[at - 1].path[depth], &rows[at]);
        if before.id == row.path[depth].id {
            continue;
        }
        seen.insert(before.id);
        let is_rest = seen.contains(&row.path[depth].id) && is_item(&rows[at - 1]);
        let is_list = |link: &Link| link.node.children().first().is_some_and(|item| nodes::is_item(schema, item));
        if is_rest && row.path.get(depth + 1).is_some_and(is_list) {
            let (before, id) = (before.clone(), row.path[depth].id);
            let rest = rows[at..].iter().take_while(|row| row.path[depth].id == id).count();
            rows.to_mut()[at..at + rest].iter_mut().for_each(|row| row.path[depth] = before.clone());
        }
    }
    rows
}

/// Returns a textblock with as much of its content as it takes: of other leaves their texts, and no other marks.
fn with_allowed(schema: &Schema, block: &Node) -> Option<Node> {
    let kind = schema.node_type(block.kind());
    let allowed = |node: &Node| {
        let marks: Vec<Mark> = node.marks().iter().filter(|mark| kind.allows_mark(mark.kind)).cloned().collect();
        node.with_marks(marks.into())
    };
    let marked: Vec<Node> = block.children().iter().map(allowed).collect();
    let text = |node: Node| match node.is_text() {
        true => Some(node),
        false => node.is_atom().then(|| Node::text_node(schema, text_form(schema, &node), Marks::NONE)),
    };
    let texts = || join_texts(marked.iter().cloned().filter_map(text).collect());
    let made = [block.with_children(marked.clone()), block.with_children(texts())];
    made.into_iter().find(|made| schema.check(made).is_ok())
}

/// Returns a node that must begin with a textblock with an empty one.
fn with_first_textblock(schema: &Schema, node: &Node) -> Option<Node> {
    let kind = schema.default_textblock(node.kind())?;
    let empty = Node::new(schema, kind, schema.default_attrs(kind), Vec::new(), Marks::NONE);
    let made = node.with_children(std::iter::once(empty).chain(node.children().iter().cloned()).collect());
    schema.check(&made).is_ok().then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_document::Document;

    #[test]
    fn rows_make_the_blocks_that_they_came_from() {
        let html = "<h1>A</h1><ul><li><p>a<br>b</p><ol start=3><li><p>c</p></li></ol></li><li><p></p></li></ul><pre><code>x\n\ny</code></pre>\
            <table><tr><th><p>1</p><p>2</p></th><td><img src='https://a.b/c'></td></tr></table><hr><blockquote><p>q</p></blockquote>";
        let document = Document::from_html(html).unwrap();
        let rows = flatten(document.schema(), document.blocks(), &mut Ids::default());
        assert_eq!(rows.len(), document.line_count());
        assert_eq!(assemble(document.schema(), &rows).unwrap(), document.blocks());
    }
}
