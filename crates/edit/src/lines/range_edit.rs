//! One edit of a range of lines.

use super::{Changes, Interpretation, NotApplied, WHOLE_FROM, change_of, put, text_changes};
use crate::Error;
use crate::apply::DocumentHost;
use crate::atoms::Atoms;
use crate::attributes::{self, Known};
use crate::content;
use crate::fit;
use crate::operation::LineEdit;
use crate::pair::Fate;
use crate::rewrite::{Content, LineChange, NewLine};
use crate::tidied::Tidied;
use crate::written::{ContentKind, Written, fates, tidy};
use crate::{as_shown, echo, kept_marks, neighbours, retext, segments};
use copydesk_document::align::matches;
use copydesk_document::{Document, Line, Lines, Node};
use std::cell::OnceCell;
use std::ops::RangeInclusive;

pub(super) struct RangeEdit<'a> {
    pub(super) host: &'a dyn DocumentHost,
    pub(super) document: &'a Document,
    pub(super) range: RangeInclusive<usize>,
    /// The ranges of all edits of the call.
    pub(super) ranges: &'a [RangeInclusive<usize>],
    /// The lines of all blocks that the call changes.
    pub(super) all: &'a Lines,
    /// The nodes and marks of these blocks, by what identifies them.
    pub(super) known: &'a OnceCell<Known>,
    /// The lines of the range.
    pub(super) lines: &'a [Line],
    /// Their inline leaves.
    pub(super) atoms: &'a Atoms,
    /// True if the content is compared with the lines around the range.
    pub(super) is_compared: bool,
}

impl RangeEdit<'_> {
    pub(super) fn edit(
        &self,
        edit: &LineEdit,
        written: &Written,
        may_be_whole: bool,
        changes: &mut Changes,
        not_applied: &mut Vec<NotApplied>,
    ) -> Result<Option<Interpretation>, Error> {
        let new = match &written.content {
            ContentKind::Empty => {
                self.remove(changes);
                return Ok(None);
            }
            ContentKind::Blocks(html) => {
                return self.blocks(html, written, may_be_whole, changes, not_applied).map(Some);
            }
            ContentKind::Inline(lines) if self.inline(lines, &[], Content::Inline, changes)? => {
                return Ok(Some(Interpretation::Range));
            }
            ContentKind::Marked(new) if self.inline(&new.lines, &new.states, Content::Marked, changes)? => {
                return Ok(Some(Interpretation::Range));
            }
            ContentKind::Inline(lines) | ContentKind::Marked(Tidied { lines, .. }) => {
                return self.blocks(&lines.join("\n"), written, may_be_whole, changes, not_applied).map(Some);
            }
            ContentKind::Text(new) => new,
        };
        let given = as_shown::lines(&edit.content);
        if may_be_whole && edit.format.is_none() && self.may_reappear(given.len()) {
            let lines = self.document.lines();
            let whole = tidy(self.document, &lines, as_shown::without_numbers(given, &lines));
            if self.reappears(&lines, &whole.lines) {
                self.of_whole_text(&lines, &whole, changes, not_applied);
                return Ok(Some(Interpretation::Document));
            }
        }
        let fates = fates(self.document, self.lines, &new.lines, 0..self.lines.len());
        changes.extend(text_changes(self.lines, &fates, new));
        Ok(Some(Interpretation::Range))
    }

    /// Returns whether content is the whole document as it is shown, of which the range is meant.
    pub(super) fn is_whole_text(&self, edit: &LineEdit) -> bool {
        let given = as_shown::lines(&edit.content);
        edit.format.is_none() && self.may_reappear(given.len()) && {
            let lines = self.document.lines();
            let whole = tidy(self.document, &lines, as_shown::without_numbers(given, &lines));
            self.reappears(&lines, &whole.lines)
        }
    }

    fn remove(&self, changes: &mut Changes) {
        changes.extend(self.range.clone().map(|line| (line, LineChange::Remove)));
    }

    /// Lines of inline HTML, with what they say of tasks; false where they are blocks after all, as tags of the app's
    /// own may be.
    fn inline(
        &self,
        new: &[String],
        states: &[Option<bool>],
        content: fn(Vec<Node>) -> Content,
        changes: &mut Changes,
    ) -> Result<bool, Error> {
        let mut blocks: Vec<Node> = Vec::with_capacity(new.len());
        for line in new {
            let at = self.lines.first().map_or(0, |line| line.block);
            match <[Node; 1]>::try_from(self.host.parse(&format!("<p>{line}</p>"), at)?) {
                Ok([block]) if self.document.schema().is_textblock(block.kind()) => blocks.push(block),
                _ => return Ok(false),
            }
        }
        // Of text that keeps its marks the forms are read where it is put beside the old text.
        if matches!(content(Vec::new()), Content::Inline(_)) {
            blocks = self.atoms.restored(self.document.schema(), blocks);
        }
        let contents = blocks.iter().map(|block| block.children().to_vec()).collect();
        self.put_inline(contents, states, content, &new.join("\n"), changes);
        Ok(true)
    }

    /// Inline content for the lines of the range, which stay what they are.
    fn put_inline(
        &self,
        contents: Vec<Vec<Node>>,
        states: &[Option<bool>],
        content: fn(Vec<Node>) -> Content,
        html: &str,
        changes: &mut Changes,
    ) {
        let schema = self.document.schema();
        let known = self.known.get_or_init(|| self.known_nodes());
        let contents: Vec<Vec<Node>> =
            contents.into_iter().map(|nodes| known.keep_inline(schema, nodes, html)).collect();
        let texts: Vec<String> = contents.iter().map(|nodes| retext::flat_text(schema, nodes)).collect();
        let fates = fates(self.document, self.lines, &texts, 0..self.lines.len());
        for (line, fate) in self.lines.iter().zip(&fates) {
            let new = |index: usize| NewLine {
                content: content(contents[index].clone()),
                checked: states.get(index).copied().flatten(),
            };
            changes.push((line.line, change_of(fate, new)));
        }
    }

    /// Returns what identifies the nodes and marks of all blocks that the call changes.
    fn known_nodes(&self) -> Known {
        let mut blocks: Vec<usize> = self.all.0.iter().map(|line| line.block).collect();
        blocks.dedup();
        Known::of(blocks.into_iter().map(|block| &self.document.blocks()[block]))
    }

    /// HTML with blocks in it.
    fn blocks(
        &self,
        text: &str,
        written: &Written,
        may_be_whole: bool,
        changes: &mut Changes,
        not_applied: &mut Vec<NotApplied>,
    ) -> Result<Interpretation, Error> {
        let first = self.lines.first().map_or(0, |line| line.block);
        let last = self.lines.last().map_or(0, |line| line.block);
        let html = content::to_html(text);
        let mut blocks = self.host.parse(&fit::wrapped(&html), first)?;
        let mut reading = Interpretation::Range;
        if may_be_whole {
            let whole = Document::from_blocks(self.document.schema().clone(), blocks.clone());
            let new_lines = whole.lines();
            let texts: Vec<String> = new_lines.iter().map(|line| line.text.clone()).collect();
            let lines = if self.may_reappear(texts.len()) { self.document.lines() } else { Vec::new() };
            if self.reappears(&lines, &texts) {
                let fates = fates(self.document, &lines, &texts, self.range.start() - 1..*self.range.end());
                list_outside(&self.range, &lines, &fates, &texts, not_applied);
                blocks = self.taken_from(&whole, &new_lines, &fates);
                reading = Interpretation::Document;
            }
        }
        if self.is_compared && reading == Interpretation::Range {
            blocks = neighbours::trimmed_blocks(self.document, &self.range, blocks);
        }
        // Whole blocks keep what HTML cannot carry.
        let covered = self.document.line_numbers_of(first).start == *self.range.start()
            && self.document.line_numbers_of(last).end == *self.range.end() + 1;
        if covered {
            blocks = echo::restore(self.host, self.document, first..last + 1, blocks, &html)?;
        }
        if written.from_markdown && reading == Interpretation::Range {
            let lines = self.all.of_blocks(first..last + 1);
            blocks = kept_marks::keep(self.document, lines, self.lines, blocks);
        }
        blocks = self.atoms.restored(self.document.schema(), blocks);
        let lines = self.all.of_blocks(first..last + 1);
        if let Some(contents) = fit::as_lines(self.document, lines, &self.range, &blocks) {
            self.put_inline(contents, &[], Content::Inline, &html, changes);
            return Ok(reading);
        }
        let mut placement = fit::place(self.document, lines, self.range.clone(), &html, written.states_list, blocks)?;
        let known = match html.contains("<img") {
            // An image may come from anywhere.
            true => Known::of(&placement.old).with_leaves_of(self.document.blocks()),
            false => Known::of(&placement.old),
        };
        let (schema, old) = (self.document.schema(), &placement.old);
        placement.blocks = attributes::keep_known(schema, old, &known, placement.blocks, &html);
        put(placement, &self.range, self.ranges, changes)?;
        Ok(reading)
    }

    /// Of a whole new document what the lines of the range became: the nodes that hold them, as deep as one parent
    /// holds them all.
    fn taken_from(&self, whole: &Document, lines: &[Line], fates: &[Fate]) -> Vec<Node> {
        let own = &fates[self.range.start() - 1..*self.range.end()];
        let new: Vec<usize> = own.iter().flat_map(Fate::lines).collect();
        let (Some(first), Some(last)) = (new.iter().min(), new.iter().max()) else { return Vec::new() };
        let paths: Vec<&[usize]> = lines[*first..=*last].iter().map(|line| &line.path[..]).collect();
        let (from, to) = (paths[0], paths[paths.len() - 1]);
        let most = paths.iter().map(|path| path.len() - 1).min().unwrap_or(0);
        let shared = from.iter().zip(to).take(most).take_while(|(a, b)| a == b).count();
        let parent = from[..shared].iter().fold(whole.blocks(), |siblings, index| siblings[*index].children());
        let mut nodes = parent[from[shared]..=to[shared]].to_vec();
        // A textblock of which only some lines are meant gives only those.
        let schema = whole.schema();
        let cut = |node: &mut Node, first: usize, behind: usize| {
            if schema.is_textblock(node.kind()) {
                let segments = segments::split(schema, node);
                let kept = first..segments.len() - behind;
                *node = segments::join(schema, node, segments[kept].to_vec());
            }
        };
        let before = lines[..*first].iter().rev().take_while(|line| line.path == from).count();
        let behind = lines[last + 1..].iter().take_while(|line| line.path == to).count();
        if behind > 0
            && let Some(node) = nodes.last_mut()
        {
            cut(node, 0, behind);
        }
        if before > 0
            && let Some(node) = nodes.first_mut()
        {
            cut(node, before, 0);
        }
        nodes
    }

    /// Returns whether so many lines are enough for most of what stands outside the range. Looks at no more of the
    /// document than it takes to say that they are not.
    fn may_reappear(&self, count: usize) -> bool {
        let mut outside = 0;
        (0..self.document.blocks().len()).all(|block| {
            self.document.each_line(block..block + 1, &mut |line| {
                outside += usize::from(self.is_outside(line.line, line.text));
            });
            count as f64 >= WHOLE_FROM * outside as f64
        })
    }

    fn is_outside(&self, line: usize, text: &str) -> bool {
        !self.range.contains(&line) && !as_shown::comparable(text).is_empty()
    }

    /// Returns whether most of what stands outside the range reappears in order, and something for the range
    /// between it. What only repeats lines from elsewhere is content of the range.
    fn reappears(&self, lines: &[Line], new: &[String]) -> bool {
        /// The least number of lines outside that reappear where the content has nothing for the range: it is deleted.
        const LEAST: usize = 4;
        let outside: Vec<&Line> = lines.iter().filter(|line| self.is_outside(line.line, &line.text)).collect();
        let texts: Vec<String> = outside.iter().map(|line| as_shown::comparable(&line.text)).collect();
        let new: Vec<String> = new.iter().map(|line| as_shown::comparable(line)).collect();
        let runs = matches(&texts, &new);
        let found: usize = runs.iter().map(|run| run.len).sum();
        if outside.is_empty() || (found as f64) < WHOLE_FROM * outside.len() as f64 {
            return false;
        }
        let behind = outside.partition_point(|line| line.line < *self.range.start());
        let mut pairs = runs.iter().flat_map(|run| (0..run.len).map(|at| (run.old + at, run.new + at)));
        let start = pairs.clone().take_while(|(old, _)| *old < behind).last().map_or(0, |(_, new)| new + 1);
        let end = pairs.find(|(old, _)| *old >= behind).map_or(new.len(), |(_, new)| new);
        let has_text = |lines: &[String]| lines.iter().any(|line| !line.is_empty());
        new.get(start..end).is_some_and(has_text) || found == outside.len() && found >= LEAST
    }

    fn of_whole_text(&self, lines: &[Line], new: &Tidied, changes: &mut Changes, not_applied: &mut Vec<NotApplied>) {
        let fates = fates(self.document, lines, &new.lines, self.range.start() - 1..*self.range.end());
        changes.extend(text_changes(lines, &fates, new).filter(|(line, _)| self.range.contains(line)));
        list_outside(&self.range, lines, &fates, &new.lines, not_applied);
    }
}

fn list_outside(
    range: &RangeInclusive<usize>,
    lines: &[Line],
    fates: &[Fate],
    new: &[String],
    list: &mut Vec<NotApplied>,
) {
    for (line, fate) in lines.iter().zip(fates).filter(|(line, _)| !range.contains(&line.line)) {
        let content = fate.text(new);
        if fate.own.is_none() || as_shown::comparable(&content) != as_shown::comparable(&line.text) {
            let content = (!content.is_empty()).then_some(content);
            list.push(NotApplied { line: line.line, text: line.text.clone(), content });
        }
    }
}
