//! Documents: top-level blocks with names that last, and where each of them begins.

use super::attrs::Attrs;
use super::body::{BlockId, Body, Part};
use super::json::{self, Rules};
use super::line::{Line, LineRef, LineWalk, Lines};
use super::node::Node;
use super::notation::Prefix;
use super::numbered::{self, Style, View};
use super::schema::Schema;
use super::section::{self, Section};
use super::{html, moved};
use crate::Error;
use copydesk_base::locale::Locale;
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// A replacement of a range of top-level blocks.
#[derive(Clone, Debug)]
pub struct BlockChange {
    /// The blocks that are removed.
    pub range: Range<usize>,
    /// The blocks that are inserted.
    pub blocks: Vec<Node>,
    /// The number by which it raises the version: the number of content changes that it combines.
    pub steps: u64,
}

/// A ProseMirror document. A value: a clone copies a few pointers, and a change gives a new one or a new version.
#[derive(Clone)]
pub struct Document {
    schema: Arc<Schema>,
    attrs: Attrs,
    body: Arc<Body>,
    version: u64,
    next_id: u64,
}

impl Document {
    /// Parses HTML with TipTap's own schema. A `String` that is passed by value is freed while it is read.
    ///
    /// # Errors
    /// [`copydesk_base::Error::TooLarge`], [`Error::TooDeep`].
    pub fn from_html(html: impl AsRef<str>) -> Result<Document, Error> {
        let schema = Schema::tiptap();
        let blocks = html::parse_fragment(html, &schema)?;
        Ok(Document::from_blocks(schema, blocks))
    }

    /// A document with nothing in it but what its schema requires: for TipTap, one empty paragraph.
    pub fn empty(schema: Arc<Schema>) -> Document {
        let top = schema.top_type();
        let filled = schema.create_and_fill(top, schema.default_attrs(top));
        let blocks = filled.map(|doc| doc.children().to_vec()).unwrap_or_default();
        Document::from_blocks(schema, blocks)
    }

    /// Reads a document from JSON and checks it against the schema.
    ///
    /// # Errors
    /// [`Error::InvalidDocument`] with the place, [`Error::UnknownType`], [`Error::TooDeep`],
    /// [`copydesk_base::Error::TooLarge`].
    pub fn from_json(json: &str, schema: Arc<Schema>) -> Result<Document, Error> {
        Document::read(json, schema, Rules::Strict)
    }

    /// Reads a document that an editor holds. Content that violates the schema is accepted: the editor is the source of
    /// truth. Unknown types and wrong shapes are errors nevertheless.
    ///
    /// # Errors
    /// As [`Document::from_json`].
    pub fn from_editor(json: &str, schema: Arc<Schema>) -> Result<Document, Error> {
        Document::read(json, schema, Rules::Lenient)
    }

    fn read(json: &str, schema: Arc<Schema>, rules: Rules) -> Result<Document, Error> {
        let doc = json::read_node(&schema, json, rules)?;
        if doc.kind() != schema.top_type() {
            let (found, wanted) = (doc.name(&schema), schema.name(schema.top_type()));
            return Err(Error::InvalidDocument { reason: format!("it is a {found}, not a {wanted}") });
        }
        let mut document = Document::from_blocks(schema, doc.children().to_vec());
        document.attrs = doc.attrs().clone();
        Ok(document)
    }

    /// Reads top-level blocks from a JSON array, as an editor holds them.
    ///
    /// # Errors
    /// As [`Document::from_editor`].
    pub fn blocks_from_json(json: &str, schema: &Schema) -> Result<Vec<Node>, Error> {
        json::read_nodes(schema, json, Rules::Lenient)
    }

    /// Makes a document of blocks. The caller must know that the schema allows them.
    pub fn from_blocks(schema: Arc<Schema>, blocks: Vec<Node>) -> Document {
        let attrs = schema.default_attrs(schema.top_type());
        let ids: Vec<_> = (0..blocks.len() as u64).map(BlockId).collect();
        let next_id = ids.len() as u64;
        let mut body = Body::empty();
        body.splice(&schema, Part { range: 0..0, blocks, ids });
        Document { schema, attrs, body: Arc::new(body), version: 1, next_id }
    }

    /// The document as HTML, as TipTap writes it. A node that TipTap's own schema does not have becomes a `div`
    /// (a `span` if it is inline) with its name as `data-type`, its attributes and its content.
    pub fn to_html(&self) -> String {
        self.html_of(self.blocks())
    }

    /// Some nodes of this document's schema as HTML, as [`Document::to_html`] writes them.
    pub fn html_of(&self, nodes: &[Node]) -> String {
        html::write(&self.schema, nodes)
    }

    /// The document as JSON, with the members and the order of `editor.getJSON()`.
    pub fn to_json(&self) -> String {
        let top = self.schema.top_type();
        let doc = Node::new(&self.schema, top, self.attrs.clone(), self.blocks().to_vec(), Default::default());
        doc.to_json(&self.schema)
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The attributes of the document's own node.
    pub fn attrs(&self) -> &Attrs {
        &self.attrs
    }

    /// The top-level blocks.
    pub fn blocks(&self) -> &[Node] {
        &self.body.blocks
    }

    /// The id of each top-level block. A block keeps its id through [`Document::sync`] and [`Document::replace_blocks`]
    /// as long as it exists, changed or not.
    pub fn block_ids(&self) -> &[BlockId] {
        &self.body.ids
    }

    /// Returns the index of the block with an id, or `None` if the document has none.
    pub fn block_with_id(&self, id: BlockId) -> Option<usize> {
        self.body.ids.iter().position(|known| *known == id)
    }

    /// The position of a top-level block; of the end for the index after the last. An index past that means the
    /// end too.
    pub fn block_start(&self, index: usize) -> usize {
        self.body.starts.before(index)
    }

    /// The top-level block that a position is in or before; the number of blocks for the end.
    pub fn block_at(&self, position: usize) -> usize {
        self.body.starts.partition_point(|start| start <= position).saturating_sub(1)
    }

    /// Returns the nodes around a range, the outermost first, each with its position.
    pub fn ancestors(&self, range: &Range<usize>) -> Vec<(usize, &Node)> {
        let mut ancestors = Vec::new();
        let first = self.block_at(range.start);
        let (mut start, mut next) = (self.block_start(first), self.blocks().get(first));
        while let Some(node) =
            next.filter(|node| !node.is_leaf() && range.start > start && range.end < start + node.size())
        {
            ancestors.push((start, node));
            start += 1;
            next = node.children().iter().find(|child| {
                let is_around = start + child.size() > range.start;
                start += if is_around { 0 } else { child.size() };
                is_around
            });
        }
        ancestors
    }

    /// The width of the content, in UTF-16 code units (ProseMirror's `doc.content.size`).
    pub fn size(&self) -> usize {
        self.body.starts.all()
    }

    /// Returns whether there is nothing in it: no block, or only empty paragraphs.
    pub fn is_empty(&self) -> bool {
        let empty = |block: &Node| self.schema.is_textblock(block.kind()) && block.children().is_empty();
        let paragraph = |block: &Node| block.name(&self.schema) == "paragraph";
        self.blocks().iter().all(|block| empty(block) && paragraph(block))
    }

    /// The sections; an empty document has none.
    pub fn sections(&self) -> Arc<[Section]> {
        if self.is_empty() { Arc::default() } else { self.body.sections(&self.schema).clone() }
    }

    /// The text of a heading, as in [`Section::title`].
    pub fn title_of(&self, heading: &Node) -> String {
        section::title(&self.schema, heading)
    }

    /// Every line.
    pub fn lines(&self) -> Vec<Line> {
        self.lines_of_blocks(0..self.blocks().len())
    }

    /// The lines of some top-level blocks, with the numbers they have in the whole document.
    pub fn lines_of_blocks(&self, range: Range<usize>) -> Vec<Line> {
        let mut lines = Vec::new();
        self.each_line(range, &mut |line| lines.push(line.into()));
        lines
    }

    /// Calls `see` with every line of some top-level blocks, without copying them.
    pub fn each_line(&self, range: Range<usize>, see: &mut dyn FnMut(LineRef<'_>)) {
        let (starts, lines) = (&self.body.starts, &self.body.lines);
        let mut walk = LineWalk::new(&self.schema, lines.before(range.start) + 1, see);
        for index in range.start..range.end.min(self.blocks().len()) {
            walk.block(&self.body.blocks[index], index, starts.before(index));
        }
    }

    /// Some lines by number, first and last included. Only the blocks they are in are looked at.
    pub fn lines_between(&self, first: usize, last: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        self.each_line_between(first, last, &mut |line| lines.push(line.into()));
        lines
    }

    /// Calls `see` with the lines that have the numbers `first` to `last`, both included. Only the blocks they are in
    /// are looked at, and no copy of a line is made.
    pub fn each_line_between(&self, first: usize, last: usize, see: &mut dyn FnMut(LineRef<'_>)) {
        if first == 0 || first > last || first > self.line_count() {
            return;
        }
        let blocks = self.block_of_line(first)..self.block_of_line(last.min(self.line_count())) + 1;
        self.each_line(blocks, &mut |line| {
            if (first..=last).contains(&line.line) {
                see(line);
            }
        });
    }

    /// Returns the lines of every top-level block that one of these ranges of line numbers touches. Each block is
    /// visited once. Ranges that start outside the document are ignored; ranges that end behind it are cut.
    pub fn lines_at(&self, ranges: impl IntoIterator<Item = RangeInclusive<usize>>) -> Lines {
        let count = self.line_count();
        let is_there =
            |range: &RangeInclusive<usize>| (1..=count).contains(range.start()) && range.start() <= range.end();
        let blocks = |range: RangeInclusive<usize>| {
            (self.block_of_line(*range.start()), self.block_of_line(*range.end().min(&count)) + 1)
        };
        let mut blocks: Vec<(usize, usize)> = ranges.into_iter().filter(is_there).map(blocks).collect();
        blocks.sort_unstable();
        let (mut lines, mut done) = (Vec::new(), 0);
        for (start, end) in blocks {
            let blocks = start.max(done)..end.max(done);
            done = blocks.end;
            self.each_line(blocks, &mut |line| lines.push(line.into()));
        }
        Lines(lines)
    }

    /// Returns the node at a path of indexes, the top-level block first.
    pub fn node_at(&self, path: &[usize]) -> Option<&Node> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.blocks().get(*first)?, |node, index| node.children().get(*index))
    }

    /// The top-level block that a line is in.
    pub fn block_of_line(&self, line: usize) -> usize {
        self.body.lines.partition_point(|before| before < line).saturating_sub(1)
    }

    /// Returns the number of lines.
    pub fn line_count(&self) -> usize {
        self.body.lines.all()
    }

    /// The numbers of a top-level block's lines, the end not included.
    pub fn line_numbers_of(&self, block: usize) -> Range<usize> {
        let lines = &self.body.lines;
        lines.before(block) + 1..lines.before(block + 1) + 1
    }

    /// Returns the lines as the model reads them: first the total and the version, then `12: text` for each line from
    /// `start` to `end`, both included; by default from the first and to the last line. A long line is truncated, with
    /// a marker that says how to read it whole, which is to ask for it alone.
    ///
    /// # Errors
    /// [`copydesk_base::Error::InvalidParameter`] if the document has no such lines.
    pub fn numbered(&self, start: Option<usize>, end: Option<usize>, style: Style) -> Result<String, Error> {
        self.numbered_in(start, end, style, Locale::En)
    }

    /// Does the same as [`Document::numbered`], with a headline in a language.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn numbered_in(
        &self,
        start: Option<usize>,
        end: Option<usize>,
        style: Style,
        locale: Locale,
    ) -> Result<String, Error> {
        Ok(self.numbered_rows(start, end, style, locale)?.0)
    }

    /// Returns [`Document::numbered_in`] with the number and the byte range of each row.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn numbered_rows(
        &self,
        start: Option<usize>,
        end: Option<usize>,
        style: Style,
        locale: Locale,
    ) -> Result<numbered::Numbered, Error> {
        numbered::numbered(self, View { start, end, style, locale, ..View::default() })
    }

    /// Does the same as [`Document::numbered_rows`] in [`Style::Structure`], with each line whole, however long.
    ///
    /// # Errors
    /// As [`Document::numbered`].
    pub fn whole_rows(&self, lines: RangeInclusive<usize>) -> Result<numbered::Numbered, Error> {
        let (start, end) = (Some(*lines.start()), Some(*lines.end()));
        numbered::numbered(self, View { start, end, style: Style::Structure, whole: true, ..View::default() })
    }

    /// Returns what [`Document::numbered`] in [`Style::Structure`] puts before the text of each line of a top-level
    /// block.
    pub fn prefixes(&self, block: usize) -> Vec<Prefix> {
        numbered::prefixes(self, block)
    }

    /// A short tag, such as "v12", that changes with every change of content.
    pub fn version(&self) -> String {
        format!("v{}", self.version)
    }

    /// Sets the version to that of another document, so that the tags of both are the same.
    pub fn go_on_from(&mut self, version: &str) {
        if let Some(number) = version.strip_prefix('v').and_then(|number| number.parse().ok()) {
            self.version = number;
        }
    }

    /// Gives this document a version that another document, from which it comes, has not had.
    pub fn go_on_after(&mut self, other: &Document) {
        self.version = self.version.max(other.version) + 1;
    }

    /// Applies a change of the editor: the blocks of a JSON array replace `removed` top-level blocks from `from_block`
    /// on. A block that still exists, edited or moved or not, keeps its id. If nothing differs, the version is
    /// unchanged.
    ///
    /// # Errors
    /// [`Error::InvalidDocument`] if the range is not in the document or the JSON is not an array of nodes,
    /// [`Error::UnknownType`], [`Error::TooDeep`], [`copydesk_base::Error::TooLarge`]. The document is then unchanged.
    pub fn sync(&mut self, from_block: usize, removed: usize, blocks_json: &str) -> Result<(), Error> {
        self.check_range(&(from_block..from_block.saturating_add(removed)), 0)?;
        let blocks = json::read_nodes(&self.schema, blocks_json, Rules::Lenient)?;
        self.splice(from_block..from_block + removed, blocks);
        Ok(())
    }

    /// Applies several changes at once, each as `[from_block, removed, added]`, in ascending order. The added blocks of
    /// all changes are in one array.
    ///
    /// # Errors
    /// Those of [`Document::sync`], and [`Error::InvalidDocument`] if the ranges overlap or the array has more or
    /// fewer blocks.
    pub fn sync_stretches(&mut self, stretches: &[[usize; 3]], blocks_json: &str) -> Result<(), Error> {
        let mut least = 0;
        for [from, removed, _] in stretches {
            self.check_range(&(*from..from.saturating_add(*removed)), least)?;
            least = from + removed;
        }
        let mut blocks = json::read_nodes(&self.schema, blocks_json, Rules::Lenient)?;
        let wanted = stretches.iter().fold(0_usize, |sum, [.., added]| sum.saturating_add(*added));
        if blocks.len() != wanted {
            let reason = format!("{} blocks came where {wanted} were announced", blocks.len());
            return Err(Error::InvalidDocument { reason });
        }
        let mut parts = Vec::with_capacity(stretches.len());
        for [from, removed, added] in stretches.iter().rev() {
            let came = blocks.split_off(blocks.len() - added);
            parts.push(BlockChange { range: *from..from + removed, blocks: came, steps: 1 });
        }
        parts.reverse();
        self.splice_all(parts);
        Ok(())
    }

    fn check_range(&self, range: &Range<usize>, least: usize) -> Result<(), Error> {
        let count = self.blocks().len();
        if range.start < least || range.end > count {
            let reason = format!("blocks {}–{} were changed, but the document has {count}", range.start, range.end);
            return Err(Error::InvalidDocument { reason });
        }
        Ok(())
    }

    /// This document with other blocks in a range of top-level blocks. A range past the end means the end.
    pub fn replace_blocks(&self, range: Range<usize>, blocks: Vec<Node>) -> Document {
        let mut document = self.clone();
        let end = range.end.min(self.blocks().len());
        document.splice(range.start.min(end)..end, blocks);
        document
    }

    /// [`Document::replace_blocks`] in place; the range is in the document.
    pub fn splice(&mut self, range: Range<usize>, blocks: Vec<Node>) {
        self.splice_all(vec![BlockChange { range, blocks, steps: 1 }]);
    }

    /// Applies several changes in one pass. Their ranges are in the document, ascending and disjoint. The content is
    /// that of [`Document::splice`] for each, the last one first. A block that one change removes and another inserts
    /// has moved and keeps its id.
    pub fn splice_all(&mut self, mut changes: Vec<BlockChange>) {
        changes.retain(|change| self.body.blocks[change.range.clone()] != change.blocks);
        let pairs = moved::pairs(&self.body.blocks, &changes);
        let mut parts = Vec::with_capacity(changes.len());
        // Backwards, so that new ids are given in the same order as by single splices.
        for (BlockChange { range, mut blocks, steps }, pairs) in changes.into_iter().zip(pairs).rev() {
            let mut ids = Vec::with_capacity(blocks.len());
            for (block, pair) in blocks.iter_mut().zip(pairs) {
                match pair {
                    Some(pair) => {
                        ids.push(self.body.ids[pair.old]);
                        // An equal block becomes the old value, so that it stays shared.
                        if pair.is_equal {
                            *block = self.body.blocks[pair.old].clone();
                        }
                    }
                    None => {
                        ids.push(BlockId(self.next_id));
                        self.next_id += 1;
                    }
                }
            }
            parts.push(Part { range, blocks, ids });
            self.version += steps;
        }
        if !parts.is_empty() {
            parts.reverse();
            Arc::make_mut(&mut self.body).splice_all(&self.schema, parts);
        }
    }

    /// Other blocks in a range, under the names that are given with them.
    pub fn put(&mut self, range: Range<usize>, blocks: Vec<(BlockId, Node)>) {
        let (ids, blocks) = blocks.into_iter().unzip();
        Arc::make_mut(&mut self.body).splice(&self.schema, Part { range, blocks, ids });
        self.version += 1;
    }

    /// Makes an equal block the very same value, so that comparing the two costs nothing.
    pub fn share(&mut self, index: usize, block: &Node) {
        Arc::make_mut(&mut self.body).blocks[index] = block.clone();
    }

    /// Makes the blocks that equal those with the same index in another document the very same values.
    pub fn share_equal(&mut self, other: &Document) {
        for (at, block) in other.blocks().iter().enumerate() {
            if self.blocks().get(at).is_some_and(|own| !own.ptr_eq(block) && own == block) {
                self.share(at, block);
            }
        }
    }

    /// Gives a block another name, which no other block has.
    pub fn rename(&mut self, index: usize, id: BlockId) {
        Arc::make_mut(&mut self.body).ids[index] = id;
    }

    /// Gives a block a name that no other ever had.
    pub fn rename_anew(&mut self, index: usize) {
        self.rename(index, BlockId(self.next_id));
        self.next_id += 1;
    }

    /// The name that the next new block gets.
    pub fn next_id(&self) -> BlockId {
        BlockId(self.next_id)
    }

    /// Returns whether a name has been given since.
    pub fn is_older_than(&self, id: BlockId) -> bool {
        id.0 >= self.next_id
    }

    /// Makes sure that this document never gives an id that the other has given.
    pub fn name_after(&mut self, other: &Document) {
        self.next_id = self.next_id.max(other.next_id);
    }
}

impl PartialEq for Document {
    /// Returns whether the content is equal; ids and versions are not content.
    fn eq(&self, other: &Document) -> bool {
        self.attrs == other.attrs && self.blocks() == other.blocks()
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.version(), self.blocks())
    }
}
