//! Content lines without the signs of the lines that they become, and what these signs said.

use super::written::fates;
use super::{as_shown, markdown, wrapping};
use copydesk_document::{Document, Line};

/// The share of the old lines that are in a whole document that is given as it is shown.
const MOST_SAME: f64 = 0.6;

/// Lines without the signs that were before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tidied {
    /// The lines.
    pub lines: Vec<String>,
    /// For each line whether it says that its task is done. None where it says nothing, or what is so already.
    pub states: Vec<Option<bool>>,
    /// The indexes of the lines that stand for a block that is a leaf, such as an image: they have no text.
    pub leaves: Vec<usize>,
    /// True if these leaves stand in another order than before.
    pub are_leaves_moved: bool,
}

impl From<Vec<String>> for Tidied {
    fn from(lines: Vec<String>) -> Tidied {
        Tidied { states: vec![None; lines.len()], lines, ..Tidied::default() }
    }
}

impl Tidied {
    /// Reads the lines that are the signs of leaves among the old lines, such as an image, wherever they stand now.
    pub(super) fn read_leaves(&mut self, document: &Document, old: &[Line], prefixes: &mut as_shown::Prefixes) {
        let schema = document.schema();
        let mut last = None;
        for line in old.iter().filter(|line| line.text.is_empty()) {
            if schema.find_node(&line.kind).is_none_or(|kind| schema.is_textblock(kind)) {
                continue;
            }
            let sign = prefixes.of(line).to_string();
            let is_sign = |new: &String| !sign.trim().is_empty() && new.trim_end() == sign.trim_end();
            if let Some(at) = self.lines.iter().position(is_sign) {
                self.lines[at].clear();
                self.leaves.push(at);
                self.are_leaves_moved |= Some(at) < last;
                last = Some(at);
            }
        }
    }

    /// Returns whether a leaf, such as an image, would not stay the node that it is because lines around it moved.
    pub(super) fn moves_leaves(&self, document: &Document, old: &[Line]) -> bool {
        if self.leaves.is_empty() {
            return false;
        }
        let schema = document.schema();
        let is_leaf = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| !schema.is_textblock(kind));
        let fates = fates(document, old, &self.lines, 0..old.len());
        let stays = |leaf: &usize| old.iter().zip(&fates).any(|(line, fate)| fate.own == Some(*leaf) && is_leaf(line));
        self.are_leaves_moved || !self.leaves.iter().all(stays)
    }

    /// Returns the lines without Markdown's signs of a hard break at their ends: each line is one as it is. Where an old
    /// line ends so they are text.
    pub(super) fn without_breaks(mut self, old: &[Line]) -> Tidied {
        for sign in ["  ", "\\"] {
            let last = self.lines.len().saturating_sub(1);
            let ends = |text: &str| text.ends_with(sign);
            if !self.lines[..last].iter().any(|line| ends(line)) || old.iter().any(|line| ends(&line.text)) {
                continue;
            }
            self.lines[..last].iter_mut().filter(|line| ends(line)).for_each(|line| {
                line.truncate(line.trim_end_matches(sign).trim_end().len());
            });
        }
        self
    }

    /// Returns the lines that are not blank, unless the old lines have blank ones that they may be.
    pub(super) fn without_blank_lines(self, old: &[Line]) -> Tidied {
        let stays = wrapping::blank_lines_stay(&self.lines, old);
        self.filtered(|_| stays)
    }

    /// Returns the lines of a whole document without the blank ones that only separate others: a blank line stays where
    /// an old one is blank, and between two lines of one block of code.
    pub(super) fn without_separators(self, document: &Document, old: &[Line]) -> Tidied {
        if !self.lines.iter().any(|line| line.trim().is_empty()) {
            return self;
        }
        let schema = document.schema();
        // For each line the block of code that it is in, and the old line that it is.
        let mut code: Vec<Option<&[usize]>> = vec![None; self.lines.len()];
        let mut owner: Vec<Option<&Line>> = vec![None; self.lines.len()];
        for (line, fate) in old.iter().zip(fates(document, old, &self.lines, 0..old.len())) {
            if let Some(own) = fate.own {
                owner[own] = Some(line);
                code[own] = line.is_code(schema).then_some(&line.path);
            }
        }
        let is_textblock = |line: &Line| schema.find_node(&line.kind).is_some_and(|kind| schema.is_textblock(kind));
        let is_blank = |at: usize| self.lines[at].trim().is_empty();
        let mut stays = vec![false; self.lines.len()];
        let mut start = 0;
        while start < stays.len() {
            let end = (start..stays.len()).find(|at| is_blank(*at) != is_blank(start)).unwrap_or(stays.len());
            if is_blank(start) {
                let before = start.checked_sub(1).and_then(|at| code[at]);
                let is_in_code = before.is_some() && code.get(end).is_some_and(|behind| before == *behind);
                // A blank line may stand for a leaf, unless another one beside it does.
                let has_leaf = self.leaves.iter().any(|leaf| (start..end).contains(leaf));
                let is_old = |line: &Line| line.text.trim().is_empty() && (is_textblock(line) || !has_leaf);
                (start..end).for_each(|at| stays[at] = is_in_code || owner[at].is_some_and(is_old));
            }
            start = end;
        }
        self.filtered(|at| stays[at])
    }

    /// Returns the lines of a whole document if it is given as it is shown: most old lines are there, and the others say
    /// nothing of blocks or marks. The fences around lines of code go.
    pub(super) fn given_as_shown(self, document: &Document, old: &[Line]) -> Option<Tidied> {
        let new = self.without_fences(document, old);
        let is_filled = |text: &str| !text.trim().is_empty();
        let mut is_known = vec![false; new.lines.len()];
        let mut same = 0;
        for (line, fate) in old.iter().zip(fates(document, old, &new.lines, 0..old.len())) {
            let Some(own) = fate.own else { continue };
            let is_same = new.lines[own] == line.text;
            same += usize::from(is_same && is_filled(&line.text));
            is_known[own] = is_same || line.is_code(document.schema());
        }
        let texts = || old.iter().map(|line| line.text.as_str());
        let is_markdown = |line: &str| {
            let signs = ["|", "```", "- ", "* ", "> ", "1. "];
            let begins = signs.iter().any(|sign| line.trim_start().starts_with(sign));
            begins || markdown::looks_like(line) || markdown::has_small_mark(line, texts())
        };
        let is_plain = new.lines.iter().zip(&is_known).all(|(line, known)| *known || !is_markdown(line));
        let filled = texts().filter(|text| is_filled(text)).count();
        (is_plain && same as f64 >= MOST_SAME * filled as f64).then_some(new)
    }

    /// Returns the lines without the fences that are shown around code.
    fn without_fences(self, document: &Document, old: &[Line]) -> Tidied {
        let is_fence = |line: &String| line.trim_start().starts_with("```");
        if !self.lines.iter().any(is_fence) || old.iter().any(|line| line.text.contains("```")) {
            return self;
        }
        let mut in_code = vec![false; self.lines.len()];
        for (line, fate) in old.iter().zip(fates(document, old, &self.lines, 0..old.len())) {
            if let Some(own) = fate.own {
                in_code[own] = line.is_code(document.schema());
            }
        }
        let is_beside = |at: usize| in_code.get(at + 1) == Some(&true) || at > 0 && in_code[at - 1];
        let keeps: Vec<bool> =
            self.lines.iter().enumerate().map(|(at, line)| !is_fence(line) || !is_beside(at)).collect();
        self.retained(|at| keeps[at])
    }

    /// Returns the lines that are not blank or a leaf, and of the others those that stay.
    pub(super) fn filtered(self, stays: impl Fn(usize) -> bool) -> Tidied {
        let is_blank: Vec<bool> = self.lines.iter().map(|line| line.trim().is_empty()).collect();
        let leaves = self.leaves.clone();
        self.retained(|at| !is_blank[at] || leaves.binary_search(&at).is_ok() || stays(at))
    }

    fn retained(self, keeps: impl Fn(usize) -> bool) -> Tidied {
        let kept: Vec<usize> = (0..self.lines.len()).filter(|at| keeps(*at)).collect();
        let is_leaf = |index: &usize| self.leaves.binary_search(&kept[*index]).is_ok();
        Tidied {
            lines: kept.iter().map(|at| self.lines[*at].clone()).collect(),
            states: kept.iter().map(|at| self.states[*at]).collect(),
            leaves: (0..kept.len()).filter(is_leaf).collect(),
            are_leaves_moved: self.are_leaves_moved,
        }
    }
}
