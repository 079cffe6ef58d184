//! Hunks that change the number of columns of a table. Deciding only some of them leaves rows of different width, which
//! an editor fills up with empty cells in both versions.

use crate::linked::ChangedPair;
use copydesk_document::{Document, Node, NodeRole, Schema};
use copydesk_edit::change::content_between;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// Returns groups of indexes of ranges that are decided together.
pub(crate) fn tables(before: &Document, after: &Document, ranges: &[ChangedPair]) -> Vec<Vec<usize>> {
    let schema = before.schema();
    let is = |node: &Node, role: NodeRole| node.role(schema) == Some(role);
    let mut tables: FxHashMap<usize, (Vec<usize>, bool)> = FxHashMap::default();
    for (at, (old, new)) in ranges.iter().enumerate() {
        let around = before.ancestors(old);
        let (Some((_, inner)), Some((table, _))) =
            (around.last(), around.iter().rev().find(|(_, node)| is(node, NodeRole::Table)))
        else {
            continue;
        };
        let (old, new) = (content_between(before, old.start, old.end), content_between(after, new.start, new.end));
        let is_rows = is(inner, NodeRole::Table);
        let changes_width = if is_rows {
            let are_some = !old.is_empty() && !new.is_empty();
            are_some && area(schema, &old) * new.len() as f64 != area(schema, &new) * old.len() as f64
        } else {
            is(inner, NodeRole::Row) && area(schema, &old) != area(schema, &new)
        };
        if is_rows || changes_width {
            let (members, is_reshaped) = tables.entry(*table).or_default();
            members.push(at);
            *is_reshaped |= changes_width;
        }
    }
    let mut groups: Vec<Vec<usize>> = tables
        .into_values()
        .filter_map(|(members, is_reshaped)| (is_reshaped && members.len() > 1).then_some(members))
        .collect();
    groups.sort_unstable();
    groups
}

/// Returns the number of slots that cells cover, alone or in rows.
fn area(schema: &Schema, nodes: &[Node]) -> f64 {
    let span = |cell: &Node, name: &str| cell.attrs().get(name).and_then(Value::as_f64).unwrap_or(1.0);
    let of = |node: &Node| match node.role(schema) {
        Some(NodeRole::Row) => area(schema, node.children()),
        _ => span(node, "colspan") * span(node, "rowspan"),
    };
    nodes.iter().map(of).sum()
}
