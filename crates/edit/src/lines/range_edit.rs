//! HTML in the place of a range of lines.

use super::{Interpretation, LinesResolved, WHOLE_FROM, with_contents};
use crate::Error;
use crate::apply::DocumentHost;
use crate::atoms::Atoms;
use crate::attributes::{self, Known};
use crate::fit;
use crate::not_applied::NotApplied;
use crate::operation::LineEdit;
use crate::rewrite::rewrite;
use crate::rows::{InlineLine, pair_texts};
use crate::{as_shown, content, echo, kept_marks, line_html, mixed, neighbours, numbers, rows, segments};
use copydesk_document::align::matches;
use copydesk_document::{Document, Line, Lines, Node, Schema};
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

pub(super) struct RangeEdit<'a> {
    pub(super) host: &'a dyn DocumentHost,
    pub(super) document: &'a Document,
    pub(super) range: RangeInclusive<usize>,
    /// The lines of all blocks that the call changes.
    pub(super) all: &'a Lines,
    /// The lines of the range.
    pub(super) lines: &'a [Line],
    /// Their inline leaves.
    pub(super) atoms: &'a Atoms,
}

/// Returns whether HTML repeats the content of the only container of some lines: in place of the container it would
/// change nothing, so it is meant without the container.
fn leaves_container(schema: &Schema, old: &[Node], new: &[Node], html: &str) -> bool {
    let [container] = old else { return false };
    let inside = container.children();
    if schema.is_textblock(container.kind()) || inside.is_empty() {
        return false;
    }
    inside.len() == new.len() && attributes::keep(schema, inside, new.to_vec(), html) == inside
        || leaves_container(schema, inside, new, html)
}

impl RangeEdit<'_> {
    /// Returns whether content is the whole document as it is shown, with changes for the range.
    pub(super) fn is_whole_text(&self, edit: &LineEdit) -> bool {
        let given = as_shown::lines(&edit.content);
        edit.format.is_none() && self.may_reappear(given.len()) && {
            let lines = self.document.lines();
            let whole = rows::texts(self.document, &numbers::without_numbers(given, numbers::Old::These(&lines)));
            self.reappears(&lines, &whole)
        }
    }

    /// Places HTML with blocks.
    pub(super) fn blocks(&self, edit: &LineEdit) -> Result<LinesResolved, Error> {
        let schema = self.document.schema();
        let first = self.lines.first().map_or(0, |line| line.block);
        let last = self.lines.last().map_or(0, |line| line.block);
        let covered = self.document.line_numbers_of(first).start == *self.range.start()
            && self.document.line_numbers_of(last).end == *self.range.end() + 1;
        let range = first..last + 1;
        // The parts of one block are told by its id.
        if covered
            && last > first
            && edit.format.is_none()
            && let Some(with) =
                mixed::blocks(self.host, self.document, range.clone(), &edit.content, edit.format, false)?
        {
            let reading = Some(Interpretation::Range);
            return Ok(LinesResolved { blocks: range, with, reading, from_markdown: true, not_applied: Vec::new() });
        }
        let (html, from_markdown) = mixed::to_html(self.host, self.document, &edit.content, edit.format)?;
        let is_line = content::is_inline(&html) && !html.trim().is_empty();
        let line = || format!("<p>{html}</p>");
        let mut blocks = match is_line {
            true => self.host.parse(&line_html::in_textblock(self.document, &line()), first)?,
            false => self.host.parse(&fit::wrapped(&html), first)?,
        };
        let (mut reading, mut not_applied) = (Interpretation::Range, Vec::new());
        let whole = Document::from_blocks(schema.clone(), blocks.clone());
        let new_lines = whole.lines();
        let texts: Vec<String> = new_lines.iter().map(|line| line.text.clone()).collect();
        let lines = if self.may_reappear(texts.len()) { self.document.lines() } else { Vec::new() };
        if self.reappears(&lines, &texts) {
            let old_texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            let pairs = pair_texts(&old_texts, &texts.iter().map(String::as_str).collect::<Vec<_>>());
            not_applied = self.outside(&lines, &pairs, &texts);
            blocks = self.taken_from(&whole, &new_lines, &pairs);
            reading = Interpretation::Document;
        }
        if reading == Interpretation::Range {
            blocks = neighbours::trimmed_blocks(self.document, &self.range, blocks);
        }
        // Whole blocks keep what HTML cannot carry.
        if covered {
            blocks = echo::restore(self.host, self.document, first..last + 1, blocks, &html)?;
        }
        let lines = self.all.of_blocks(first..last + 1);
        if from_markdown && reading == Interpretation::Range {
            blocks = kept_marks::keep(self.document, lines, self.lines, blocks);
        }
        blocks = self.atoms.restored(schema, blocks);
        let old = &self.document.blocks()[range.clone()];
        if covered && reading == Interpretation::Range && leaves_container(schema, old, &blocks, &html) {
            let with = attributes::keep(schema, old, blocks, &html);
            return Ok(LinesResolved { blocks: range, with, reading: Some(reading), from_markdown, not_applied });
        }
        if let Some(contents) = fit::as_lines(self.document, lines, &self.range, &blocks) {
            let known = Known::of(&self.document.blocks()[first..last + 1]);
            let line = |nodes| InlineLine { nodes: known.keep_inline(schema, nodes, &html), keeps_marks: false };
            let contents = contents.into_iter().map(line).collect();
            let (blocks, with) = with_contents(self.host, self.document, vec![(self.range.clone(), contents)])?;
            return Ok(LinesResolved { blocks, with, reading: Some(reading), from_markdown, not_applied });
        }
        let mut placement = fit::place(self.document, lines, self.range.clone(), &html, blocks)?;
        let known = match html.contains("<img") {
            // An image may come from anywhere.
            true => Known::of(&placement.old).with_leaves_of(self.document.blocks()),
            false => Known::of(&placement.old),
        };
        placement.blocks = attributes::keep_known(schema, &placement.old, &known, placement.blocks, &html);
        let (blocks, with) = rewrite(self.document, &placement)?;
        Ok(LinesResolved { blocks, with, reading: Some(reading), from_markdown, not_applied })
    }

    /// Returns the differences of a whole new document outside the range. `pairs` has the old line of each new one.
    fn outside(&self, lines: &[Line], pairs: &[Option<usize>], new: &[String]) -> Vec<NotApplied> {
        let own: FxHashMap<usize, usize> =
            pairs.iter().enumerate().filter_map(|(at, own)| Some(((*own)?, at))).collect();
        let outside = lines.iter().enumerate().filter(|(_, line)| !self.range.contains(&line.line));
        let differs = |(at, line): (usize, &Line)| {
            let content = own.get(&at).map(|own| new[*own].clone());
            let is_same =
                content.as_ref().is_some_and(|new| as_shown::comparable(new) == as_shown::comparable(&line.text));
            (!is_same).then(|| NotApplied { line: line.line, text: line.text.clone(), content })
        };
        outside.filter_map(differs).collect()
    }

    /// Returns the nodes that the lines of the range became in a whole new document, as deep as one parent holds them
    /// all.
    fn taken_from(&self, whole: &Document, lines: &[Line], pairs: &[Option<usize>]) -> Vec<Node> {
        let is_before = |own: &Option<usize>| own.is_some_and(|own| own + 1 < *self.range.start());
        let is_behind = |own: &Option<usize>| own.is_some_and(|own| own >= *self.range.end());
        let first = pairs.iter().rposition(is_before).map_or(0, |at| at + 1);
        let end = pairs.iter().position(is_behind).unwrap_or(pairs.len());
        let Some(last) = end.checked_sub(1).filter(|last| first <= *last) else { return Vec::new() };
        let paths: Vec<&[usize]> = lines[first..=last].iter().map(|line| &line.path[..]).collect();
        let (from, to) = (paths[0], paths[paths.len() - 1]);
        let most = paths.iter().map(|path| path.len() - 1).min().unwrap_or(0);
        let shared = from.iter().zip(to).take(most).take_while(|(a, b)| a == b).count();
        let parent = from[..shared].iter().fold(whole.blocks(), |siblings, index| siblings[*index].children());
        let mut nodes = parent[from[shared]..=to[shared]].to_vec();
        // Only the lines for the range are taken from a textblock at its edges.
        let schema = whole.schema();
        let cut = |node: &mut Node, first: usize, behind: usize| {
            if schema.is_textblock(node.kind()) {
                let segments = segments::split(schema, node);
                let kept = first..segments.len() - behind;
                *node = segments::join(schema, node, segments[kept].to_vec());
            }
        };
        let before = lines[..first].iter().rev().take_while(|line| line.path == from).count();
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

    /// Returns whether `count` lines are enough for most lines outside the range. Reads no more of the document than it
    /// takes to find that they are not.
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

    /// Returns whether most lines outside the range reappear in order, with content for the range between them. Content
    /// that only repeats lines from elsewhere is content of the range.
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
}
