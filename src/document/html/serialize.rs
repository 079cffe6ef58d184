//! From nodes to HTML: ProseMirror's `DOMSerializer`, TipTap's `renderHTML`, and a browser's `innerHTML`.

use super::javascript::{float_text, is_truthy, to_number, to_text};
use super::rules::is_allowed_uri;
use crate::document::attrs::Attrs;
use crate::document::mark::Mark;
use crate::document::node::Node;
use crate::document::schema::Schema;
use serde_json::Value;

/// The width of a table column that has none, in pixels.
const CELL_MIN_WIDTH: f64 = 25.0;

/// The most columns written for one table. A span can claim any number.
const MOST_COLUMNS: usize = 10_000;

/// Nodes as HTML.
pub(in crate::document) fn write(schema: &Schema, nodes: &[Node]) -> String {
    let mut writer = Writer { schema, out: String::new() };
    writer.fragment(nodes);
    writer.out
}

struct Writer<'s> {
    schema: &'s Schema,
    out: String,
}

impl Writer<'_> {
    /// Writes siblings. Marks that neighbours share are one element around them.
    fn fragment(&mut self, nodes: &[Node]) {
        let mut active: Vec<(&Mark, &str)> = Vec::new();
        for node in nodes {
            let marks = node.marks();
            let spans = |mark: &Mark| self.schema.mark(mark.kind).is_some_and(|kind| kind.spanning);
            let same = |((open, _), mark): &(&(&Mark, &str), &Mark)| open == mark && spans(mark);
            let keep = active.iter().zip(marks).take_while(same).count();
            self.close_marks(&mut active, keep);
            for mark in &marks[keep..] {
                let tag = self.open_mark(mark, self.schema.is_inline(node.kind()));
                active.push((mark, tag));
            }
            self.node(node);
        }
        self.close_marks(&mut active, 0);
    }

    fn close_marks(&mut self, active: &mut Vec<(&Mark, &str)>, keep: usize) {
        for (_, tag) in active.drain(keep..).rev() {
            self.close(tag);
        }
    }

    fn open_mark(&mut self, mark: &Mark, inline: bool) -> &'static str {
        let name = self.schema.mark(mark.kind).map_or("", |kind| &*kind.name);
        let tag = match name {
            "link" => {
                self.open_link(mark);
                return "a";
            }
            "bold" => "strong",
            "code" => "code",
            "italic" => "em",
            "strike" => "s",
            "underline" => "u",
            _ if inline => "span",
            _ => "div",
        };
        self.out.push('<');
        self.out.push_str(tag);
        if matches!(tag, "span" | "div") {
            self.data(name, &mark.attrs);
        }
        self.out.push('>');
        tag
    }

    fn open_link(&mut self, mark: &Mark) {
        let forbidden = mark.attrs.text("href").is_some_and(|href| !is_allowed_uri(href));
        self.out.push_str("<a");
        for name in ["target", "rel", "class", "href", "title"] {
            match mark.attrs.get(name) {
                Some(_) if name == "href" && forbidden => self.attribute("href", ""),
                Some(value) => self.attributes(std::iter::once((name, value))),
                None => {}
            }
        }
        self.out.push('>');
    }

    fn node(&mut self, node: &Node) {
        if let Some(text) = node.text() {
            self.text(text);
            return;
        }
        let attrs = node.attrs();
        match node.name(self.schema) {
            "paragraph" => self.element("p", node),
            "blockquote" => self.element("blockquote", node),
            "bulletList" => self.element("ul", node),
            "listItem" => self.element("li", node),
            "tableRow" => self.element("tr", node),
            "hardBreak" => self.out.push_str("<br>"),
            "horizontalRule" => self.out.push_str("<hr>"),
            "heading" => self.element(heading_tag(attrs.get("level")), node),
            "image" => {
                self.out.push_str("<img");
                self.attributes(attrs.iter());
                self.out.push('>');
            }
            "codeBlock" => {
                self.out.push_str("<pre><code");
                if let Some(language) = attrs.get("language").filter(|language| is_truthy(language)) {
                    self.attribute("class", &format!("language-{}", to_text(language)));
                }
                self.out.push('>');
                self.fragment(node.children());
                self.out.push_str("</code></pre>");
            }
            "orderedList" => {
                self.out.push_str("<ol");
                match attrs.get("start") {
                    // What was no number when it was parsed is null as JSON, and still "NaN" to the page.
                    Some(Value::Null) => self.attribute("start", "NaN"),
                    Some(start) if start.as_f64() != Some(1.0) => self.attribute("start", &to_text(start)),
                    _ => {}
                }
                if let Some(kind) = attrs.get("type").filter(|kind| is_truthy(kind) && kind.as_str() != Some("1")) {
                    self.attribute("type", &to_text(kind));
                }
                self.out.push('>');
                self.fragment(node.children());
                self.close("ol");
            }
            "taskList" => {
                self.out.push_str("<ul data-type=\"taskList\">");
                self.fragment(node.children());
                self.close("ul");
            }
            "taskItem" => {
                self.out.push_str("<li");
                if let Some(checked) = attrs.get("checked").filter(|checked| !checked.is_null()) {
                    self.attribute("data-checked", &to_text(checked));
                }
                let checked = attrs.get("checked").is_some_and(is_truthy);
                let mark = if checked { " checked=\"checked\"" } else { "" };
                self.out.push_str(" data-type=\"taskItem\"><label><input type=\"checkbox\"");
                self.out.push_str(mark);
                self.out.push_str("><span></span></label><div>");
                self.fragment(node.children());
                self.out.push_str("</div></li>");
            }
            "table" => self.table(node),
            "tableCell" => self.cell("td", node),
            "tableHeader" => self.cell("th", node),
            name => self.unknown(name, node),
        }
    }

    fn element(&mut self, tag: &str, node: &Node) {
        self.out.push('<');
        self.out.push_str(tag);
        self.out.push('>');
        self.fragment(node.children());
        self.close(tag);
    }

    fn table(&mut self, table: &Node) {
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
        self.out.push_str(&format!("<table style=\"{style}\"><colgroup>{columns}</colgroup><tbody>"));
        self.fragment(table.children());
        self.out.push_str("</tbody></table>");
    }

    fn cell(&mut self, tag: &str, cell: &Node) {
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in cell.attrs().iter() {
            match name {
                "colspan" | "rowspan" if is_one(value) => {}
                "align" => {
                    if let Some(align @ ("left" | "right" | "center")) = value.as_str() {
                        self.attribute("style", &format!("text-align: {align};"));
                    }
                }
                _ => self.attributes(std::iter::once((name, value))),
            }
        }
        self.out.push('>');
        self.fragment(cell.children());
        self.close(tag);
    }

    /// A node that TipTap's own schema does not have, so that nothing of it is lost.
    fn unknown(&mut self, name: &str, node: &Node) {
        let tag = if self.schema.is_inline(node.kind()) { "span" } else { "div" };
        self.out.push('<');
        self.out.push_str(tag);
        self.data(name, node.attrs());
        self.out.push('>');
        self.fragment(node.children());
        self.close(tag);
    }

    /// Name and attributes of what TipTap's own schema does not have; what is no plain value stands there as JSON.
    fn data(&mut self, name: &str, attrs: &Attrs) {
        self.attribute("data-type", name);
        for (name, value) in attrs.iter() {
            match value {
                Value::Array(_) | Value::Object(_) => self.attribute(name, &value.to_string()),
                value => self.attributes(std::iter::once((name, value))),
            }
        }
    }

    fn close(&mut self, tag: &str) {
        self.out.push_str("</");
        self.out.push_str(tag);
        self.out.push('>');
    }

    /// Writes attributes, but for those that are null.
    fn attributes<'a>(&mut self, attrs: impl Iterator<Item = (&'a str, &'a Value)>) {
        for (name, value) in attrs.filter(|(_, value)| !value.is_null()) {
            match value {
                Value::String(text) => self.attribute(name, text),
                value => self.attribute(name, &to_text(value)),
            }
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let refused = |char: char| {
            char.is_whitespace() || char.is_control() || matches!(char, '"' | '\'' | '>' | '<' | '/' | '=')
        };
        if name.is_empty() || name.contains(refused) {
            return;
        }
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.escaped(value, true);
        self.out.push('"');
    }

    fn text(&mut self, text: &str) {
        self.escaped(text, false);
    }

    fn escaped(&mut self, text: &str, in_attribute: bool) {
        let (mut written, mut before) = (0, 0);
        for (at, byte) in text.bytes().enumerate() {
            let (reference, width) = match byte {
                b'&' => ("&amp;", 1),
                b'<' => ("&lt;", 1),
                b'>' => ("&gt;", 1),
                // U+00A0, in two bytes.
                0xA0 if before == 0xC2 => ("&nbsp;", 2),
                b'"' if in_attribute => ("&quot;", 1),
                _ => {
                    before = byte;
                    continue;
                }
            };
            self.out.push_str(&text[written..at + 1 - width]);
            self.out.push_str(reference);
            written = at + 1;
            before = byte;
        }
        self.out.push_str(&text[written..]);
    }
}

fn heading_tag(level: Option<&Value>) -> &'static str {
    match level.and_then(Value::as_f64) {
        Some(2.0) => "h2",
        Some(3.0) => "h3",
        Some(4.0) => "h4",
        Some(5.0) => "h5",
        Some(6.0) => "h6",
        _ => "h1",
    }
}

fn is_one(value: &Value) -> bool {
    value.as_f64() == Some(1.0) || value.as_str() == Some("1")
}
