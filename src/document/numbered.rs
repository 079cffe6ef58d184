//! Lines with their numbers, as a model reads them.

use super::document::Document;
use super::line::Line;
use super::node::Node;
use super::schema::Schema;
use crate::error::Error;
use serde_json::Value;
use std::fmt::Write;

/// How much of a line is shown when it is one of several, in characters.
const LONGEST: usize = 500;

/// What is shown of a line beside its text. The numbers are the same in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Only the text.
    #[default]
    Plain,
    /// What kind of line it is, in the signs of Markdown: `## `, `- `, `1. `, `> `, `| `, and code fences, which
    /// have no number.
    Structure,
}

pub(super) fn numbered(
    document: &Document,
    start: Option<usize>,
    end: Option<usize>,
    style: Style,
) -> Result<String, Error> {
    let total = document.line_count();
    let (first, last) = (start.unwrap_or(1), end.unwrap_or(total).min(total));
    let out_of_range = |name: &str, given: usize| {
        let expected = if total == 0 {
            "left out: the document has no lines".to_owned()
        } else {
            format!("a line number from 1 to {total}, start not after end")
        };
        Error::InvalidParameter { name: name.into(), given: given.to_string(), expected }
    };
    if let Some(given) = start.filter(|start| *start == 0 || *start > total) {
        return Err(out_of_range("start", given));
    }
    if let Some(given) = end.filter(|end| *end < first) {
        return Err(out_of_range("end", given));
    }
    let mut out = format!("{total} {}, version {}", if total == 1 { "line" } else { "lines" }, document.version());
    let lines = document.lines_between(first, last);
    let whole = lines.len() == 1;
    let mut writer = Writer { document, previous: None, whole, out: &mut out };
    for line in &lines {
        match style {
            Style::Plain => writer.row(line, ""),
            Style::Structure => writer.structured(line),
        }
        writer.previous = Some(line.clone());
    }
    if style == Style::Structure {
        writer.close_code();
    }
    Ok(out)
}

struct Writer<'a> {
    document: &'a Document,
    previous: Option<Line>,
    whole: bool,
    out: &'a mut String,
}

impl Writer<'_> {
    fn row(&mut self, line: &Line, prefix: &str) {
        let _ = write!(self.out, "\n{}: {prefix}", line.line);
        match line.text.char_indices().nth(LONGEST) {
            Some((cut, _)) if !self.whole => {
                let left = line.text[cut..].chars().count();
                let _ =
                    write!(self.out, "{}… [{left} more characters: read line {} alone]", &line.text[..cut], line.line);
            }
            _ => self.out.push_str(&line.text),
        }
    }

    fn structured(&mut self, line: &Line) {
        let schema = self.document.schema();
        let nodes = nodes_on_path(self.document, &line.path);
        let begins = self.previous.as_ref().is_none_or(|previous| previous.path != line.path);
        if begins {
            self.close_code();
        }
        let mut prefix = String::new();
        for (depth, pair) in nodes.windows(2).enumerate() {
            let (parent, child) = (pair[0], pair[1]);
            // A marker belongs to the first line inside its item, not to those that follow.
            let first = begins
                && self.previous.as_ref().is_none_or(|previous| !previous.path.starts_with(&line.path[..depth + 2]));
            prefix.push_str(&container_prefix(schema, parent, child, line.path[depth + 1], first));
        }
        if let Some(block) = nodes.last() {
            if begins && nodes.len() == 1 && block.name(schema) == "blockquote" {
                prefix.push_str("> ");
            }
            if schema.node_type(block.kind()).code {
                if begins {
                    let _ = write!(self.out, "\n{prefix}```{}", block.attrs().text("language").unwrap_or(""));
                }
            } else {
                prefix.push_str(&block_prefix(schema, block, line, begins));
            }
        }
        self.row(line, &prefix);
    }

    /// Ends the code fence of the line before, where that was code.
    fn close_code(&mut self) {
        let Some(previous) = self.previous.take() else { return };
        let nodes = nodes_on_path(self.document, &previous.path);
        if nodes.last().is_some_and(|block| self.document.schema().node_type(block.kind()).code) {
            self.out.push_str("\n```");
        }
        self.previous = Some(previous);
    }
}

/// The nodes that a path leads through, the top-level block first.
fn nodes_on_path<'d>(document: &'d Document, path: &[usize]) -> Vec<&'d Node> {
    let mut siblings = document.blocks();
    let mut nodes = Vec::with_capacity(path.len());
    for index in path {
        let Some(node) = siblings.get(*index) else { break };
        nodes.push(node);
        siblings = node.children();
    }
    nodes
}

/// What a parent puts before the lines of one of its children.
fn container_prefix(schema: &Schema, parent: &Node, child: &Node, index: usize, first: bool) -> String {
    match parent.name(schema) {
        "blockquote" => "> ".into(),
        "bulletList" if first => "- ".into(),
        "orderedList" if first => {
            let start = parent.attrs().get("start").and_then(Value::as_i64).unwrap_or(1);
            format!("{}. ", start.saturating_add(index as i64))
        }
        "taskList" if first => {
            let checked = child.attrs().get("checked").and_then(Value::as_bool).unwrap_or(false);
            if checked { "- [x] ".into() } else { "- [ ] ".into() }
        }
        "bulletList" | "orderedList" | "taskList" => "  ".into(),
        "tableRow" => "| ".into(),
        _ => String::new(),
    }
}

/// What a block puts before its own first line.
fn block_prefix(schema: &Schema, block: &Node, line: &Line, begins: bool) -> String {
    match (&*line.kind, super::section::heading_level(schema, block)) {
        (_, Some(level)) if begins => format!("{} ", "#".repeat(level.clamp(1, 6) as usize)),
        ("horizontalRule", _) => "---".into(),
        ("image", _) => format!("![{}]({})", block.attrs().text("alt").unwrap_or(""), shown_address(block)),
        (kind, _) if block.is_leaf() => format!("[{kind}]"),
        _ => String::new(),
    }
}

/// An image's address; of one that is the image itself, only the beginning.
fn shown_address(image: &Node) -> String {
    let source = image.attrs().text("src").unwrap_or("");
    if source.starts_with("data:") {
        format!("{}…", &source[..source.find(',').unwrap_or(5)])
    } else {
        source.to_owned()
    }
}
