//! `table`.

use super::*;
use crate::html::javascript::{float_text, to_number};

/// The width of a column without a stated one, in pixels.
const CELL_MIN_WIDTH: f64 = 25.0;

/// The most columns written for one table. A span can claim any number.
const MOST_COLUMNS: usize = 10_000;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "table",
    role: Some(NodeRole::Table),
    schema: r#"{"content": "tableRow+", "group": "block", "isolating": true}"#,
    #[cfg(feature = "html")]
    parse: NodeParseSpec::tags(&[TagRule::named("table")]),
    html: write,
    ..NodeSpec::DEFAULT
}];

fn write(writer: &mut Writer<'_>, table: &Node) {
    let (mut columns, mut total, mut fixed) = (String::new(), 0.0, true);
    let cells = table.children().first().map(Node::children).unwrap_or_default();
    let mut count = 0;
    for cell in cells {
        let span = cell.attrs().get("colspan").map_or(0.0, to_number);
        let widths = cell.attrs().get("colwidth").and_then(Value::as_array);
        let mut index = 0;
        while (index as f64) < span && count < MOST_COLUMNS {
            let width =
                widths.and_then(|widths| widths.get(index)).and_then(Value::as_f64).filter(|width| *width != 0.0);
            total += width.unwrap_or(CELL_MIN_WIDTH);
            fixed &= width.is_some();
            let (property, width) = match width {
                Some(width) => ("width", width.max(CELL_MIN_WIDTH)),
                None => ("min-width", CELL_MIN_WIDTH),
            };
            columns.push_str(&format!("<col style=\"{property}: {}px;\">", float_text(width)));
            (index, count) = (index + 1, count + 1);
        }
    }
    let property = if fixed { "width" } else { "min-width" };
    // A browser refuses a width below nothing, and keeps the empty attribute.
    let style = if total < 0.0 { String::new() } else { format!("{property}: {}px;", float_text(total)) };
    writer.raw(&format!("<table style=\"{style}\"><colgroup>{columns}</colgroup><tbody>"));
    writer.fragment(table.children());
    writer.raw("</tbody></table>");
}
