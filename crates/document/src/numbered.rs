//! Lines with their numbers, as a model reads them.

use super::document::Document;
use super::html;
use super::line::{Line, LineRef};
use super::node::Node;
use super::nodes::Child;
use super::notation::{Fence, Headline, LineNumber, Prefix, Sign};
use super::schema::Schema;
use crate::Error;
use crate::messages;
use copydesk_base::locale::Locale;
use std::borrow::Cow;
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
    /// Everything that content of an edit can state: the kind of each line by signs like those of Markdown (`## `,
    /// `- `, `1. `, `> `, `| `, and code fences, which have no number), and its marks as inline HTML.
    Structure,
}

/// The beginning of the marker in the place of the end of a long line.
pub const MARK_START: &str = "… [";

/// A line that is cut when it is one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutLine<'t> {
    /// The text that is shown.
    pub shown: Cow<'t, str>,
    /// The text that is not shown.
    pub rest: Cow<'t, str>,
    /// Number of characters of the line that are not shown.
    left: usize,
    number: usize,
}

impl CutLine<'_> {
    /// Returns the marker behind the shown part. No two lines of a document have the same.
    pub fn mark_in(&self, locale: Locale) -> String {
        let CutLine { left, number, .. } = self;
        format!("{MARK_START}{}]", messages::MoreCharacters { left, number }.text(locale))
    }
}

/// Returns the text of a line as a style shows it.
pub fn text_in<'l>(schema: &Schema, line: LineRef<'l>, style: Style) -> Cow<'l, str> {
    part_of(schema, line, 0..line.text.len(), style)
}

/// Returns the shown part of a line if it is one of several; `None` if all of it is shown.
pub fn cut_line<'l>(schema: &Schema, line: LineRef<'l>, style: Style) -> Option<CutLine<'l>> {
    let end = end_of_shown(line.text)?;
    let left = line.text[end..].chars().count();
    // A text form is shown whole.
    let end = line.atoms.iter().find(|atom| atom.contains(&end)).map_or(end, |atom| atom.start);
    let [shown, rest] = [0..end, end..line.text.len()].map(|part| part_of(schema, line, part, style));
    Some(CutLine { shown, rest, left, number: line.line })
}

/// Returns what some bytes of a line's text show.
fn part_of<'l>(schema: &Schema, line: LineRef<'l>, part: Range<usize>, style: Style) -> Cow<'l, str> {
    let text = &line.text[part.clone()];
    let is_text = style == Style::Plain || !schema.is_textblock(line.node.kind());
    if is_text || schema.node_type(line.node.kind()).code {
        return Cow::Borrowed(text);
    }
    if line.node.children().iter().all(|child| child.marks().is_empty()) {
        return html::shown_text(text);
    }
    let range = match part == (0..line.text.len()) {
        true => line.from..line.to,
        false => {
            let line = Line::from(line);
            line.position(part.start)..line.position(part.end)
        }
    };
    Cow::Owned(html::write_line(schema, &line.content(range.start, range.end)))
}

/// Returns whether a line is cut when it is one of several.
pub fn is_cut(text: &str) -> bool {
    end_of_shown(text).is_some()
}

/// Returns the byte at which a line is truncated; `None` if all of it is shown.
fn end_of_shown(text: &str) -> Option<usize> {
    // Most lines have fewer bytes than that, and are not read.
    if text.len() <= LONGEST { None } else { text.char_indices().nth(LONGEST).map(|(at, _)| at) }
}

/// Lines as text, and where in it each of them is: its number and the bytes of its row.
pub type Numbered = (String, Vec<(usize, Range<usize>)>);

/// The lines that are shown, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// The first line; `None` for the first of the document.
    pub start: Option<usize>,
    /// The last line; `None` for the last of the document.
    pub end: Option<usize>,
    pub style: Style,
    /// True if lines are shown whole, however long.
    pub whole: bool,
    /// The language of the headline and of marks.
    pub locale: Locale,
}

pub(super) fn numbered(document: &Document, view: View) -> Result<Numbered, Error> {
    let View { start, end, style, whole, locale } = view;
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
    let out = Headline { lines: total, version: &document.version() }.written_in(locale);
    let whole = whole || first == last;
    let mut writer =
        LineWriter { document, previous: None, in_code: false, style, whole, locale, rows: Vec::new(), out };
    match style {
        Style::Plain => document.each_line_between(first, last, &mut |line| writer.row(line, &Prefix::default())),
        Style::Structure => {
            // One line more, since the line before decides which signs the first one gets.
            document.each_line_between(first.saturating_sub(1).max(1), last, &mut |line| {
                if line.line >= first {
                    writer.structured(line);
                }
                remember(&mut writer.previous, line.path);
            });
        }
    }
    writer.end_code();
    Ok((writer.out, writer.rows))
}

/// Keeps a path in place of the one before, without allocating again.
fn remember(previous: &mut Option<Vec<usize>>, path: &[usize]) {
    let kept = previous.get_or_insert_default();
    kept.clear();
    kept.extend_from_slice(path);
}

struct LineWriter<'a> {
    document: &'a Document,
    /// The path of the line before.
    previous: Option<Vec<usize>>,
    /// True if a code fence is open.
    in_code: bool,
    style: Style,
    /// True if lines are shown whole, however long.
    whole: bool,
    locale: Locale,
    rows: Vec<(usize, Range<usize>)>,
    out: String,
}

impl LineWriter<'_> {
    fn row(&mut self, line: LineRef<'_>, prefix: &Prefix) {
        let start = self.out.len() + 1;
        let _ = write!(self.out, "\n{}{prefix}", LineNumber(line.line));
        let schema = self.document.schema();
        match cut_line(schema, line, self.style).filter(|_| !self.whole) {
            Some(cut) => {
                self.out.push_str(&cut.shown);
                self.out.push_str(&cut.mark_in(self.locale));
            }
            None => self.out.push_str(&text_in(schema, line, self.style)),
        }
        self.rows.push((line.line, start..self.out.len()));
    }

    fn structured(&mut self, line: LineRef<'_>) {
        let schema = self.document.schema();
        if begins(self.previous.as_deref(), line.path) {
            self.end_code();
        }
        let nodes = nodes_on_path(self.document, line.path);
        let prefix = prefix(schema, &nodes, self.previous.as_deref(), line.path);
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
    let (mut prefixes, mut previous) = (Vec::new(), None);
    document.each_line(block..block + 1, &mut |line| {
        let nodes = nodes_on_path(document, line.path);
        prefixes.push(prefix(document.schema(), &nodes, previous.as_deref(), line.path));
        remember(&mut previous, line.path);
    });
    prefixes
}

/// Returns whether a line is the first of its textblock, by its path and that of the line before.
fn begins(previous: Option<&[usize]>, path: &[usize]) -> bool {
    previous != Some(path)
}

/// Returns the prefix of a line by its path, the nodes on it, and the path of the line before.
fn prefix(schema: &Schema, nodes: &[&Node], previous: Option<&[usize]>, path: &[usize]) -> Prefix {
    let mut signs = Vec::new();
    for (depth, pair) in nodes.windows(2).enumerate() {
        // A marker belongs to the first line inside its item, not to those that follow.
        let item = &path[..depth + 2];
        let is_first_line = previous.is_none_or(|previous| !previous.starts_with(item));
        if let Some(spec) = schema.node_type(pair[0].kind()).spec {
            let (parent, node, index) = (pair[0], pair[1], path[depth + 1]);
            signs.extend((spec.child_prefix)(Child { parent, node, index, is_first_line }));
        }
    }
    if let Some(block) = nodes.last().filter(|block| !schema.node_type(block.kind()).code) {
        signs.extend(block_sign(schema, block, begins(previous, path)));
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
