//! Which element means what: the parse rules of TipTap's extensions, for the types that a schema has.

use super::dom::{Dom, DomId};
use super::javascript::{from_string, is_space, parse_int};
use super::style::InlineStyle;
use crate::document::mark::Mark;
use crate::document::node::Node;
use crate::document::schema::{MarkTypeId, NodeTypeId, Schema};
use crate::map::HashMap;
use serde_json::Value;

/// The parse rules of a schema: the built-in ones, as far as it has their types.
pub(in crate::document) struct Rules {
    link: Option<MarkTypeId>,
    bold: Option<MarkTypeId>,
    code: Option<MarkTypeId>,
    italic: Option<MarkTypeId>,
    strike: Option<MarkTypeId>,
    underline: Option<MarkTypeId>,
    task_list: Option<NodeTypeId>,
    task_item: Option<NodeTypeId>,
    paragraph: Option<NodeTypeId>,
    blockquote: Option<NodeTypeId>,
    bullet_list: Option<NodeTypeId>,
    ordered_list: Option<NodeTypeId>,
    list_item: Option<NodeTypeId>,
    code_block: Option<NodeTypeId>,
    hard_break: Option<NodeTypeId>,
    heading: Option<NodeTypeId>,
    horizontal_rule: Option<NodeTypeId>,
    image: Option<NodeTypeId>,
    table: Option<NodeTypeId>,
    table_row: Option<NodeTypeId>,
    table_cell: Option<NodeTypeId>,
    table_header: Option<NodeTypeId>,
    /// Whether a list directly in a list is taken into the item before it.
    pub(super) normalizes_lists: bool,
}

/// What an element means.
pub(super) enum Meaning {
    /// A node of a type, with what its attributes say; its content is the element's, or another element's.
    Node { kind: NodeTypeId, given: Vec<(String, Value)>, content: Content },
    /// A mark on what is inside.
    Mark(Mark),
}

/// Where the content of a node comes from.
pub(super) enum Content {
    /// From an element's children.
    Of(DomId),
    /// From an element's children, every space and newline kept.
    Verbatim(DomId),
    /// From nothing: it is what the schema requires.
    Filled(Vec<Node>),
}

/// What is remembered about tables while one document is parsed, so that a cell need not look through its table.
#[derive(Default)]
pub(super) struct Tables {
    columns: HashMap<DomId, Vec<Option<String>>>,
    latest_cell: Option<(DomId, usize)>,
}

impl Rules {
    pub(super) fn new(schema: &Schema) -> Rules {
        let (node, mark) = (|name: &str| schema.find_node(name), |name: &str| schema.find_mark(name));
        let lists = ["taskList", "bulletList", "orderedList"];
        let holds_itself = |kind: NodeTypeId| schema.match_type(schema.node_type(kind).content_match, kind).is_some();
        Rules {
            link: mark("link"),
            bold: mark("bold"),
            code: mark("code"),
            italic: mark("italic"),
            strike: mark("strike"),
            underline: mark("underline"),
            task_list: node("taskList"),
            task_item: node("taskItem"),
            paragraph: node("paragraph"),
            blockquote: node("blockquote"),
            bullet_list: node("bulletList"),
            ordered_list: node("orderedList"),
            list_item: node("listItem"),
            code_block: node("codeBlock"),
            hard_break: node("hardBreak"),
            heading: node("heading"),
            horizontal_rule: node("horizontalRule"),
            image: node("image"),
            table: node("table"),
            table_row: node("tableRow"),
            table_cell: node("tableCell"),
            table_header: node("tableHeader"),
            normalizes_lists: !lists.iter().filter_map(|name| node(name)).any(holds_itself),
        }
    }

    /// What an element means; none where no rule matches it.
    pub(super) fn meaning(&self, schema: &Schema, dom: &Dom, tables: &mut Tables, element: DomId) -> Option<Meaning> {
        let name = dom.name(element)?;
        let simple_mark = |kind: Option<MarkTypeId>| kind.and_then(|kind| mark(schema, dom, element, kind));
        let style = || dom.attribute(element, "style").map(InlineStyle::parse).unwrap_or_default();
        match name {
            "a" => return if is_allowed_link(dom.attribute(element, "href")?) { simple_mark(self.link) } else { None },
            "b" => return if style().font_weight() == "normal" { None } else { simple_mark(self.bold) },
            "i" => return if style().font_style() == "normal" { None } else { simple_mark(self.italic) },
            "strong" => return simple_mark(self.bold),
            "code" => return simple_mark(self.code),
            "em" => return simple_mark(self.italic),
            "s" | "del" | "strike" => return simple_mark(self.strike),
            "u" => return simple_mark(self.underline),
            _ => {}
        }
        let is_task = |data_type: &str| dom.attribute(element, "data-type") == Some(data_type);
        let kind = match name {
            "ul" if is_task("taskList") && self.task_list.is_some() => self.task_list,
            "li" if is_task("taskItem") && self.task_item.is_some() => self.task_item,
            "p" => self.paragraph,
            "blockquote" => self.blockquote,
            "ul" => self.bullet_list,
            "ol" => self.ordered_list,
            "li" => self.list_item,
            "pre" => self.code_block,
            "br" => self.hard_break,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading,
            "hr" => self.horizontal_rule,
            "img" if !dom.attribute(element, "src")?.starts_with("data:") => self.image,
            "table" => self.table,
            "tr" => self.table_row,
            "td" => self.table_cell,
            "th" => self.table_header,
            _ => None,
        }?;
        let mut given = Vec::new();
        if Some(kind) == self.heading {
            given.push(("level".to_owned(), Value::from(name[1..].parse::<u8>().unwrap_or(1))));
        }
        for (attr, _) in schema.default_attrs(kind).iter() {
            let value = self.node_attribute(dom, tables, element, kind, attr);
            given.extend(value.map(|value| (attr.to_owned(), value)));
        }
        let content = if Some(kind) == self.task_item {
            Content::Of(dom.descendants(element).find(|id| dom.name(*id) == Some("div")).unwrap_or(element))
        } else if Some(kind) == self.code_block {
            Content::Verbatim(element)
        } else if (Some(kind) == self.table_cell || Some(kind) == self.table_header) && is_empty_cell(dom, element) {
            let filled = schema.create_and_fill(kind, schema.default_attrs(kind));
            Content::Filled(filled.map(|cell| cell.children().to_vec()).unwrap_or_default())
        } else {
            Content::Of(element)
        };
        Some(Meaning::Node { kind, given, content })
    }

    /// What an element says about an attribute; none where it says nothing, so that a default holds.
    fn node_attribute(
        &self,
        dom: &Dom,
        tables: &mut Tables,
        element: DomId,
        kind: NodeTypeId,
        name: &str,
    ) -> Option<Value> {
        let kind = Some(kind);
        let is_cell = kind == self.table_cell || kind == self.table_header;
        match name {
            "language" if kind == self.code_block => code_language(dom, element).map(Value::from),
            "start" if kind == self.ordered_list => dom.attribute(element, "start").map(parse_int),
            "type" if kind == self.ordered_list => list_type(dom, element).map(Value::from),
            "checked" if kind == self.task_item => {
                Some(matches!(dom.attribute(element, "data-checked"), Some("" | "true")).into())
            }
            "colwidth" if is_cell => column_widths(dom, tables, element),
            "align" if is_cell => cell_alignment(dom, element).map(Value::from),
            _ if !dom.has_attributes(element) => None,
            _ => dom.attribute(element, &name.to_ascii_lowercase()).map(from_string),
        }
    }

    /// The marks inside an element after what its style says.
    pub(super) fn style_marks(&self, schema: &Schema, style: &InlineStyle, marks: &mut Vec<Mark>) {
        let add = |marks: &mut Vec<Mark>, kind: Option<MarkTypeId>| {
            marks.extend(kind.and_then(|kind| schema.create_mark(kind, vec![]).ok()));
        };
        match style.font_weight() {
            "400" => marks.retain(|mark| Some(mark.kind) != self.bold),
            weight if is_bold(weight) => add(marks, self.bold),
            _ => {}
        }
        match style.font_style() {
            "normal" => marks.retain(|mark| Some(mark.kind) != self.italic),
            "italic" => add(marks, self.italic),
            _ => {}
        }
        if style.has_decoration("line-through") {
            add(marks, self.strike);
        }
        if style.has_decoration("underline") {
            add(marks, self.underline);
        }
    }
}

/// `bold`, `bolder`, or a number from 500 up as long as it begins with a digit from 5.
fn is_bold(weight: &str) -> bool {
    let is_number = weight.len() > 2 && weight.bytes().all(|byte| byte.is_ascii_digit());
    matches!(weight, "bold" | "bolder") || is_number && weight.as_bytes()[0] >= b'5'
}

fn mark(schema: &Schema, dom: &Dom, element: DomId, kind: MarkTypeId) -> Option<Meaning> {
    if !dom.has_attributes(element) {
        return schema.create_mark(kind, vec![]).ok().map(Meaning::Mark);
    }
    let declared = schema.default_mark_attrs(kind);
    let said = |name: &str| {
        let text = dom.attribute(element, &name.to_ascii_lowercase())?;
        // An address stays text, whatever it looks like.
        let value = if name == "href" { Value::from(text) } else { from_string(text) };
        Some((name.to_owned(), value))
    };
    let given = declared.iter().filter_map(|(name, _)| said(name)).collect();
    schema.create_mark(kind, given).ok().map(Meaning::Mark)
}

/// Whether TipTap takes a link's address: it is not empty, and what looks like a protocol is a harmless one.
fn is_allowed_link(href: &str) -> bool {
    !href.is_empty() && is_allowed_uri(href)
}

/// TipTap's test of an address, which leaves out white space and control characters wherever they stand.
pub(super) fn is_allowed_uri(uri: &str) -> bool {
    const PROTOCOLS: [&str; 10] = ["http", "https", "ftp", "ftps", "mailto", "tel", "callto", "sms", "cid", "xmpp"];
    let ignored = |char: char| matches!(char, '\0'..=' ' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{2029}' | '\u{205f}' | '\u{3000}');
    if uri.is_empty() {
        return true;
    }
    let uri: String = uri.chars().filter(|char| !ignored(*char)).map(|char| char.to_ascii_lowercase()).collect();
    let Some(first) = uri.chars().next() else { return false };
    if !first.is_ascii_lowercase() {
        return true;
    }
    let scheme_end =
        uri.find(|char: char| !(char.is_ascii_lowercase() || char.is_ascii_digit() || "+.-".contains(char)));
    match scheme_end.map(|end| (&uri[..end], uri[end..].starts_with(':'))) {
        // No sign of a protocol: a path, or a word alone.
        None | Some((_, false)) => true,
        Some((scheme, true)) => PROTOCOLS.contains(&scheme) || scheme.bytes().any(|byte| byte.is_ascii_digit()),
    }
}

/// The language that the first element in a code block names by its class.
fn code_language(dom: &Dom, pre: DomId) -> Option<String> {
    let first = dom.children(pre).find(|child| dom.is_element(*child))?;
    let mut classes = dom.attribute(first, "class")?.split_ascii_whitespace();
    let language = classes.find_map(|class| class.strip_prefix("language-"))?;
    (!language.is_empty()).then(|| language.to_owned())
}

/// The kind of numbers an ordered list has, by its attribute, its style, or the style of its first item.
fn list_type(dom: &Dom, list: DomId) -> Option<String> {
    if let Some(kind) = dom.attribute(list, "type").filter(|kind| !kind.is_empty()) {
        return Some(kind.to_owned());
    }
    let styled = |element: DomId| dom.attribute(element, "style").and_then(list_style_type).map(str::to_owned);
    styled(list).or_else(|| {
        let first = dom.descendants(list).find(|id| dom.name(*id) == Some("li"))?;
        styled(first)
    })
}

/// The first `list-style-type` in a style's text, as the letter that HTML has for it.
fn list_style_type(style: &str) -> Option<&'static str> {
    const NAME: &str = "list-style-type";
    let lower = style.to_ascii_lowercase();
    let value = lower.match_indices(NAME).find_map(|(at, _)| {
        let rest =
            lower[at + NAME.len()..].trim_start_matches(is_space).strip_prefix(':')?.trim_start_matches(is_space);
        let value = rest.split(';').next().unwrap_or("");
        (!value.is_empty()).then(|| value.trim_matches(is_space))
    })?;
    match value {
        "upper-roman" => Some("I"),
        "lower-roman" => Some("i"),
        "upper-alpha" | "upper-latin" => Some("A"),
        "lower-alpha" | "lower-latin" => Some("a"),
        _ => None,
    }
}

/// Whether a cell has no elements in it and no text but white space that collapses.
fn is_empty_cell(dom: &Dom, cell: DomId) -> bool {
    let blank = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c));
    dom.children(cell).all(|child| !dom.is_element(child) && dom.text(child).is_none_or(blank))
}

/// A cell's alignment: its style before its attribute, and only what TipTap knows.
fn cell_alignment(dom: &Dom, cell: DomId) -> Option<&'static str> {
    let style = dom.attribute(cell, "style").map(InlineStyle::parse).unwrap_or_default();
    let attribute = dom.attribute(cell, "align").unwrap_or("").trim_matches(is_space).to_ascii_lowercase();
    let align = if style.text_align().is_empty() { &*attribute } else { style.text_align() };
    ["left", "right", "center"].into_iter().find(|known| *known == align)
}

/// The widths of a cell's columns, by its own attribute or by the table's `col` at its place.
fn column_widths(dom: &Dom, tables: &mut Tables, cell: DomId) -> Option<Value> {
    if let Some(widths) = dom.attribute(cell, "colwidth").filter(|widths| !widths.is_empty()) {
        return Some(widths.split(',').map(parse_int).collect());
    }
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

/// The width of each `col` in a `colgroup` of a table.
fn columns(dom: &Dom, table: DomId) -> Vec<Option<String>> {
    let in_group = |id: &DomId| dom.parent(*id).is_some_and(|parent| dom.name(parent) == Some("colgroup"));
    let cols = dom.descendants(table).filter(|id| dom.name(*id) == Some("col")).filter(in_group);
    cols.map(|col| dom.attribute(col, "width").map(str::to_owned)).collect()
}

/// How many elements stand before a cell in its row. Cells are mostly asked for one after the other, so the count
/// goes on from the one before.
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
