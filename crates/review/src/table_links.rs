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

#[cfg(test)]
mod tests {
    use super::tables;
    use copydesk_document::Document;
    use std::ops::Range;

    /// Returns a table of rows that are written as cells with their attributes: `colspan="2" a|b`.
    fn table(rows: &[&str]) -> Document {
        let cell = |cell: &str| format!("<td {}></td>", cell.trim());
        let row = |row: &&str| format!("<tr>{}</tr>", row.split('|').map(cell).collect::<String>());
        Document::from_html(format!("<table>{}</table>", rows.iter().map(row).collect::<String>())).unwrap()
    }

    /// Returns the positions of a range of rows.
    fn rows(table: &Document, rows: Range<usize>) -> Range<usize> {
        let ends = table.blocks()[0].children().iter().scan(1, |end, row| {
            *end += row.size();
            Some(*end)
        });
        let ends: Vec<usize> = std::iter::once(1).chain(ends).collect();
        ends[rows.start]..ends[rows.end]
    }

    /// Returns the groups of two changes: of the first rows into others, and of the last row, which is deleted.
    fn groups(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
        let before = table(&[old, &["|"]].concat());
        let after = table(new);
        let (kept, deleted) = (rows(&before, 0..old.len()), rows(&before, old.len()..old.len() + 1));
        let (changed, end) = (rows(&after, 0..new.len()), rows(&after, new.len()..new.len()));
        tables(&before, &after, &[(kept, changed), (deleted, end)])
    }

    #[test]
    fn rows_of_another_width_are_decided_with_all_changes_of_rows_of_their_table() {
        let together = [[0, 1]];
        assert_eq!(groups(&["|"], &["||"]), together);
        assert_eq!(groups(&["|"], &[" "]), together);
        assert_eq!(groups(&["|"], &["colspan=\"2\"|"]), together);
        assert_eq!(groups(&["rowspan=\"2\"|", " "], &["||", "||"]), together);
    }

    #[test]
    fn rows_of_the_same_width_are_decided_alone_however_their_cells_are_merged() {
        let alone: [Vec<usize>; 0] = [];
        assert_eq!(groups(&["|"], &["|", "|"]), alone);
        assert_eq!(groups(&["|"], &["colspan=\"2\""]), alone);
        assert_eq!(groups(&["rowspan=\"2\"|", " "], &["|", "|"]), alone);
        assert_eq!(groups(&["rowspan=\"2\"|", " "], &["|"]), alone);
        assert_eq!(groups(&["colspan=\"2\" rowspan=\"2\"|", " "], &["||", "||"]), alone);
    }
}
