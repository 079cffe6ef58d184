//! Lines with their numbers, as a model reads them.

use super::document::Document;
use super::line::Line;
use super::node::Node;
use super::nodes::Child;
use super::notation::{Fence, Headline, LineNumber, Prefix, Sign};
use super::schema::Schema;
use crate::Error;
use std::fmt::Write;
use std::ops::Range;

/// Number of characters that are shown of a line when it is one of several.
const LONGEST: usize = 500;

/// The information that is shown of a line beside its text. The numbers are the same in both styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Only the text.
    #[default]
    Plain,
    /// The kind of each line by signs like those of Markdown: `## `, `- `, `1. `, `> `, `| `, and code fences, which
    /// have no number.
    Structure,
}

/// The beginning of the mark in the place of the end of a long line.
pub const MARK_START: &str = "… [";

/// A line that is cut when it is one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutLine<'t> {
    /// The text that is shown.
    pub shown: &'t str,
    /// The mark behind it. No two lines of a document have the same.
    pub mark: String,
    /// The text that is not shown.
    pub rest: &'t str,
}

/// Returns what is shown of a line with this number when it is one of several; none where all of it is.
pub fn cut_line(number: usize, text: &str) -> Option<CutLine<'_>> {
    let (shown, rest) = text.split_at(end_of_shown(text)?);
    let left = rest.chars().count();
    Some(CutLine { shown, mark: format!("{MARK_START}{left} more characters: read line {number} alone]"), rest })
}

/// Returns whether a line is cut when it is one of several.
pub fn is_cut(text: &str) -> bool {
    end_of_shown(text).is_some()
}

/// Returns the byte at which a line is cut; none where all of it is shown.
fn end_of_shown(text: &str) -> Option<usize> {
    // Most lines have fewer bytes than that, and are not read.
    if text.len() <= LONGEST { None } else { text.char_indices().nth(LONGEST).map(|(at, _)| at) }
}

/// Lines as text, and where in it each of them is: its number and the bytes of its row.
pub type Numbered = (String, Vec<(usize, Range<usize>)>);

pub(super) fn numbered(
    document: &Document,
    start: Option<usize>,
    end: Option<usize>,
    style: Style,
    whole: bool,
) -> Result<Numbered, Error> {
    let total = document.line_count();
    let (first, last) = (start.unwrap_or(1), end.unwrap_or(total).min(total));
    let out_of_range = |name: &str, given: usize| -> Error {
        let expected = if total == 0 {
            "left out: the document has no lines".to_owned()
        } else {
            format!("a line number from 1 to {total}, start not after end")
        };
        copydesk_base::Error::InvalidParameter { name: name.into(), given: given.to_string(), expected }.into()
    };
    if let Some(given) = start.filter(|start| *start == 0 || *start > total) {
        return Err(out_of_range("start", given));
    }
    if let Some(given) = end.filter(|end| *end < first) {
        return Err(out_of_range("end", given));
    }
    let mut out = Headline { lines: total, version: &document.version() }.to_string();
    // One line more, since the line before decides which signs the first one gets.
    let mut lines = document.lines_between(first.saturating_sub(1).max(1), last).into_iter().peekable();
    let previous = lines.next_if(|line| line.line < first);
    let mut writer =
        Writer { document, previous, in_code: false, whole: whole || first == last, rows: Vec::new(), out: &mut out };
    for line in lines {
        match style {
            Style::Plain => writer.row(&line, &Prefix::default()),
            Style::Structure => writer.structured(&line),
        }
        writer.previous = Some(line);
    }
    writer.end_code();
    let rows = writer.rows;
    Ok((out, rows))
}

struct Writer<'a> {
    document: &'a Document,
    previous: Option<Line>,
    /// True if a code fence is open.
    in_code: bool,
    /// True if lines are shown whole, however long.
    whole: bool,
    rows: Vec<(usize, Range<usize>)>,
    out: &'a mut String,
}

impl Writer<'_> {
    fn row(&mut self, line: &Line, prefix: &Prefix) {
        let start = self.out.len() + 1;
        let _ = write!(self.out, "\n{}{prefix}", LineNumber(line.line));
        match cut_line(line.line, &line.text).filter(|_| !self.whole) {
            Some(CutLine { shown, mark, .. }) => {
                self.out.push_str(shown);
                self.out.push_str(&mark);
            }
            None => self.out.push_str(&line.text),
        }
        self.rows.push((line.line, start..self.out.len()));
    }

    fn structured(&mut self, line: &Line) {
        let schema = self.document.schema();
        let begins = begins(self.previous.as_ref(), line);
        if begins {
            self.end_code();
        }
        let nodes = nodes_on_path(self.document, &line.path);
        let prefix = prefix(schema, &nodes, self.previous.as_ref(), line);
        if let Some(code) = nodes.last().filter(|block| schema.node_type(block.kind()).code && !self.in_code) {
            let fence = Fence::Opening(code.attrs().text("language").unwrap_or(""));
            let _ = write!(self.out, "\n{prefix}{fence}");
            self.in_code = true;
        }
        self.row(line, &prefix);
    }

    fn end_code(&mut self) {
        if std::mem::take(&mut self.in_code) {
            let _ = write!(self.out, "\n{}", Fence::Closing);
        }
    }
}

/// Returns the prefix of each line of a top-level block.
pub(super) fn prefixes(document: &Document, block: usize) -> Vec<Prefix> {
    let lines = document.lines_of_blocks(block..block + 1);
    let prefix = |(at, line): (usize, &Line)| {
        let previous = at.checked_sub(1).map(|previous| &lines[previous]);
        prefix(document.schema(), &nodes_on_path(document, &line.path), previous, line)
    };
    lines.iter().enumerate().map(prefix).collect()
}

/// Returns whether a line is the first of its textblock.
fn begins(previous: Option<&Line>, line: &Line) -> bool {
    previous.is_none_or(|previous| previous.path != line.path)
}

/// Returns the prefix of a line. `nodes` are the nodes on its path.
fn prefix(schema: &Schema, nodes: &[&Node], previous: Option<&Line>, line: &Line) -> Prefix {
    let mut signs = Vec::new();
    for (depth, pair) in nodes.windows(2).enumerate() {
        // A marker belongs to the first line inside its item, not to those that follow.
        let item = &line.path[..depth + 2];
        let is_first_line = previous.is_none_or(|previous| !previous.path.starts_with(item));
        if let Some(spec) = schema.node_type(pair[0].kind()).spec {
            let (parent, node, index) = (pair[0], pair[1], line.path[depth + 1]);
            signs.extend((spec.child_prefix)(Child { parent, node, index, is_first_line }));
        }
    }
    if let Some(block) = nodes.last().filter(|block| !schema.node_type(block.kind()).code) {
        signs.extend(block_sign(schema, block, begins(previous, line)));
    }
    signs.into_iter().collect()
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

/// Returns the sign of a block before its own first line.
fn block_sign(schema: &Schema, block: &Node, begins: bool) -> Option<Sign> {
    match schema.node_type(block.kind()).spec.and_then(|spec| spec.prefix) {
        Some(prefix) if begins => prefix(block),
        None if block.is_leaf() => Some(Sign::Own(format!("[{}]", block.name(schema)))),
        _ => None,
    }
}
