//! The sources of new rows.

use super::inline_line::InlineLine;
use super::shown::{self, ShownRow};
use super::{Ids, Link, Row, flatten};
use crate::Error;
use crate::apply::DocumentHost;
use crate::atoms::Atoms;
use crate::attributes::Known;
use copydesk_document::{Document, Line, Node, Schema};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;

/// A row with a text of the content.
pub(super) struct Text {
    /// Its index.
    pub(super) at: usize,
    /// The old row that it is.
    pub(super) own: Option<usize>,
    pub(super) written: Written,
    /// True if the content around it changes more than signs of typography.
    pub(super) changes_words: bool,
}

/// A text of the content.
pub(super) struct Written {
    pub(super) text: String,
    /// The same with the marks that it states.
    pub(super) marked: Option<Vec<Node>>,
    pub(super) states: StatedMarks,
}

/// The kinds of marks whose presence a text states.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum StatedMarks {
    /// Those that it has.
    Own,
    /// All that Markdown has signs for, except links.
    OfMarkdown,
    /// All, as HTML does.
    All,
}

/// A row of a table.
pub(super) struct TableRow {
    /// The nodes that it is in, the row itself last.
    pub(super) path: Vec<Link>,
    pub(super) cells: Vec<TableCell>,
}

/// A cell of such a row.
pub(super) enum TableCell {
    /// An old one with its lines, and its text if that is stated.
    Old(Range<usize>, Option<String>),
    /// A new one like another, and its text.
    New(Node, String),
}

/// Makes the new rows from the old ones and those of the content.
pub(super) struct Builder<'a> {
    /// Parses marks; `None` if rows are only compared.
    pub(super) host: Option<&'a dyn DocumentHost>,
    pub(super) document: &'a Document,
    /// The document that this one is a part of, if all other lines of it stay.
    pub(super) whole: Option<&'a Document>,
    pub(super) schema: &'a Schema,
    pub(super) ids: Ids,
    pub(super) lines: Vec<Line>,
    pub(super) old: Vec<ShownRow>,
    pub(super) old_rows: Vec<Row>,
    /// The rows of each old node.
    pub(super) rows_of: FxHashMap<u32, Range<usize>>,
    pub(super) out: Vec<Row>,
    /// The number of rows before those of the content that is being placed.
    pub(super) begin: usize,
    /// The nodes that the rows so far are in.
    pub(super) live: FxHashSet<u32>,
    /// The paths of old containers that have another place now.
    pub(super) moved: FxHashMap<u32, Vec<Link>>,
    /// The paths of blocks of code of the content.
    pub(super) code: FxHashMap<usize, Vec<Link>>,
    /// The old rows that edits name.
    pub(super) named: Vec<usize>,
    /// The inline contents of other lines, whose leaves may move into these rows.
    pub(super) beside: &'a [Vec<Node>],
    /// The inline leaves of both.
    pub(super) atoms: Option<Rc<Atoms>>,
    /// The rows whose content depends on that of the others.
    pub(super) texts: Vec<Text>,
    /// The numbers of columns of tables that the content begins.
    pub(super) columns: FxHashMap<u32, usize>,
    /// The rows of tables among the rows of content that are being placed, by their indexes.
    pub(super) table_rows: FxHashMap<usize, TableRow>,
    /// The old rows of tables that have other cells now.
    pub(super) laid_out: FxHashSet<u32>,
    /// The old cells that cover other slots now.
    pub(super) spans: FxHashMap<u32, Node>,
    /// True if a blank row of the content ends a block: not all of its rows have one before them.
    pub(super) blanks_separate: bool,
    /// True if the content is all of a section: a text that is not like an old one is new.
    pub(super) is_section: bool,
    /// True if no sign of the content means anything.
    pub(super) is_text: bool,
    /// True if character references in the content are still to be decoded: beside tags, or if they encode signs of
    /// tags.
    pub(super) has_references: bool,
    /// True if the content is written in Markdown: its tags state only what Markdown has no sign for.
    pub(super) writes_markdown: bool,
    /// True if the content changes more than signs of typography.
    pub(super) changes_words: bool,
    /// True if the content is stated to be Markdown.
    pub(super) is_markdown: bool,
    /// True if the content has marks of Markdown, or signs of blocks that were not there.
    pub(super) states: bool,
    /// The inline content of the rows, if that is given.
    pub(super) contents: Vec<InlineLine>,
    /// True if the content of the only edit is the whole document.
    pub(super) is_whole: bool,
    /// True if the rows are in the containers of the lines, though their signs do not say so.
    pub(super) is_indented: bool,
    /// Lines outside of its range that the content has otherwise.
    pub(super) not_applied: Vec<(usize, Option<String>)>,
    /// The attributes that identify the nodes and marks of the document.
    pub(super) known: Option<Rc<Known>>,
    /// The reason for which the content is refused.
    pub(super) error: Option<Error>,
}

impl<'a> Builder<'a> {
    /// Starts with the rows of some top-level blocks.
    pub(super) fn new(
        host: Option<&'a dyn DocumentHost>,
        document: &'a Document,
        blocks: Range<usize>,
    ) -> Option<Builder<'a>> {
        let schema = document.schema();
        let lines = document.lines_of_blocks(blocks.clone());
        let mut ids = Ids::default();
        let old_rows = flatten(schema, &document.blocks()[blocks], &mut ids);
        if lines.len() != old_rows.len() {
            return None;
        }
        let mut rows_of: FxHashMap<u32, Range<usize>> = FxHashMap::default();
        for (at, row) in old_rows.iter().enumerate() {
            row.path.iter().for_each(|link| rows_of.entry(link.id).or_insert(at..at).end = at + 1);
        }
        let old = shown::of_lines(document, &lines);
        Some(Builder {
            host,
            document,
            whole: None,
            schema,
            ids,
            lines,
            old,
            old_rows,
            rows_of,
            out: Vec::new(),
            begin: 0,
            live: FxHashSet::default(),
            moved: FxHashMap::default(),
            code: FxHashMap::default(),
            named: Vec::new(),
            beside: &[],
            atoms: None,
            texts: Vec::new(),
            columns: FxHashMap::default(),
            table_rows: FxHashMap::default(),
            laid_out: FxHashSet::default(),
            spans: FxHashMap::default(),
            blanks_separate: false,
            is_section: false,
            is_text: false,
            has_references: false,
            writes_markdown: false,
            changes_words: false,
            is_markdown: false,
            states: false,
            contents: Vec::new(),
            is_whole: false,
            is_indented: false,
            not_applied: Vec::new(),
            known: None,
            error: None,
        })
    }
}
