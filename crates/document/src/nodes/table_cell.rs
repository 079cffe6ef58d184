//! `tableCell`, and what `tableHeader` shares with it.

use super::*;
#[cfg(feature = "html")]
use crate::html::javascript::{is_space, parse_int};
#[cfg(feature = "html")]
use crate::html::{Dom, DomId};
#[cfg(feature = "html")]
use rustc_hash::FxHashMap;

pub(super) const NODES: &[NodeSpec] = &[NodeSpec {
    name: "tableCell",
    other_name: "table_cell",
    role: Some(NodeRole::Cell),
    #[cfg(feature = "html")]
    parse: NodeParseSpec { tags: &[TagRule::named("td")], ..PARSE },
    html: |writer, node| write(writer, "td", node),
    ..CELL
}];

/// The specification that both types of cells share.
pub(super) const CELL: NodeSpec = NodeSpec {
    schema: r#"{
        "content": "block+", "isolating": true,
        "attrs": {
            "colspan": {"default": 1}, "rowspan": {"default": 1}, "colwidth": {"default": null},
            "align": {"default": null}
        }
    }"#,
    is_plain: true,
    ..NodeSpec::DEFAULT
};

/// The rules that make both types of cells from HTML.
#[cfg(feature = "html")]
pub(super) const PARSE: NodeParseSpec = NodeParseSpec {
    tags: &[],
    attrs: &[("colwidth", column_widths), ("align", |cell| alignment(cell).map(Value::from))],
    content: |cell, schema, kind| {
        if !is_empty(cell) {
            return Content::Of(cell.id);
        }
        let filled = schema.create_and_fill(kind, schema.default_attrs(kind));
        Content::Filled(filled.map(|cell| cell.children().to_vec()).unwrap_or_default())
    },
};

pub(super) fn write(writer: &mut Writer<'_>, tag: &str, cell: &Node) {
    writer.raw("<");
    writer.raw(tag);
    for (name, value) in cell.attrs().iter() {
        match name {
            "colspan" | "rowspan" if is_one(value) => {}
            "align" => {
                if let Some(align @ ("left" | "right" | "center")) = value.as_str() {
                    writer.attribute("style", &format!("text-align: {align};"));
                }
            }
            _ => writer.attributes(std::iter::once((name, value))),
        }
    }
    writer.raw(">");
    writer.fragment(cell.children());
    writer.close(tag);
}

fn is_one(value: &Value) -> bool {
    value.as_f64() == Some(1.0) || value.as_str() == Some("1")
}

/// Returns whether a cell has no elements in it and no text but white space that collapses.
#[cfg(feature = "html")]
fn is_empty(cell: &Element<'_>) -> bool {
    let blank = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c));
    cell.dom.children(cell.id).all(|child| !cell.dom.is_element(child) && cell.dom.text(child).is_none_or(blank))
}

/// Returns a cell's alignment: its style before its attribute, and only what TipTap knows.
#[cfg(feature = "html")]
fn alignment(cell: &Element<'_>) -> Option<&'static str> {
    let style = cell.style();
    let attribute = cell.attribute("align").unwrap_or("").trim_matches(is_space).to_ascii_lowercase();
    let align = if style.text_align().is_empty() { &*attribute } else { style.text_align() };
    ["left", "right", "center"].into_iter().find(|known| *known == align)
}

/// A cache of the tables of the document that is parsed, so that a cell need not look through its table.
#[cfg(feature = "html")]
#[derive(Default)]
pub(crate) struct Tables {
    columns: FxHashMap<DomId, Vec<Option<String>>>,
    latest_cell: Option<(DomId, usize)>,
}

/// Returns the widths of a cell's columns, by its own attribute or by the table's `col` at its place.
#[cfg(feature = "html")]
fn column_widths(cell: &mut Element<'_>) -> Option<Value> {
    if let Some(widths) = cell.attribute("colwidth").filter(|widths| !widths.is_empty()) {
        return Some(widths.split(',').map(parse_int).collect());
    }
    let (dom, tables, cell) = (cell.dom, &mut *cell.tables, cell.id);
    let row = dom.parent(cell).filter(|row| dom.is_element(*row))?;
    let is_table = |id: &DomId| dom.name(*id) == Some("table");
    let table = std::iter::successors(Some(cell), |id| dom.parent(*id)).find(is_table)?;
    let columns = tables.columns.entry(table).or_insert_with(|| columns(dom, table));
    if columns.is_empty() {
        return None;
    }
    let index = cell_index(dom, &mut tables.latest_cell, row, cell);
    let width = tables.columns.get(&table)?.get(index)?.as_deref().filter(|width| !width.is_empty())?;
    Some(Value::Array(vec![parse_int(width)]))
}

/// Returns the width of each `col` in a `colgroup` of a table.
#[cfg(feature = "html")]
fn columns(dom: &Dom, table: DomId) -> Vec<Option<String>> {
    let in_group = |id: &DomId| dom.parent(*id).is_some_and(|parent| dom.name(parent) == Some("colgroup"));
    let cols = dom.descendants(table).filter(|id| dom.name(*id) == Some("col")).filter(in_group);
    cols.map(|col| dom.attribute(col, "width").map(str::to_owned)).collect()
}

/// Returns the number of elements before a cell in its row. Cells are mostly requested one after the other, so the
/// count continues from the one before.
#[cfg(feature = "html")]
fn cell_index(dom: &Dom, latest: &mut Option<(DomId, usize)>, row: DomId, cell: DomId) -> usize {
    let known = latest.filter(|(known, _)| dom.parent(*known) == Some(row));
    let before = std::iter::successors(dom.previous_sibling(cell), |id| dom.previous_sibling(*id));
    let mut index = 0;
    for sibling in before {
        if let Some((_, at)) = known.filter(|(known, _)| *known == sibling) {
            index += at + 1;
            break;
        }
        index += usize::from(dom.is_element(sibling));
    }
    *latest = Some((cell, index));
    index
}
