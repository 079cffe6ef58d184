//! The inline content of lines.

use super::segments::{self, Segment};
use copydesk_document::{Document, Line, Node};

/// The inline content of lines of whole blocks. A textblock is cut into its lines once, where these are asked for one
/// after the other.
pub struct Inlines<'d> {
    document: &'d Document,
    lines: &'d [Line],
    /// The textblock that is cut: which of the lines is its first, and all of them.
    open: Option<(usize, Vec<Segment>)>,
}

impl<'d> Inlines<'d> {
    /// `lines` has every line of each block that is in it.
    pub fn new(document: &'d Document, lines: &'d [Line]) -> Inlines<'d> {
        Inlines { document, lines, open: None }
    }

    /// The inline content of a line, by its index.
    pub fn of(&mut self, at: usize) -> &[Node] {
        let is_open = self.open.as_ref().is_some_and(|(first, all)| (*first..first + all.len()).contains(&at));
        if !is_open {
            let path = &self.lines[at].path;
            let first = at - self.lines[..at].iter().rev().take_while(|line| line.path == *path).count();
            self.open = self.holder(at).map(|block| (first, segments::split(self.document.schema(), block)));
        }
        let segment = self.open.as_ref().and_then(|(first, all)| all.get(at - first));
        segment.map_or(&[], |segment| &segment.inline)
    }

    /// A line.
    pub fn line(&self, at: usize) -> &'d Line {
        &self.lines[at]
    }

    /// The textblock or leaf that a line is in.
    pub fn holder(&self, at: usize) -> Option<&'d Node> {
        let (last, parents) = self.lines[at].path.split_last()?;
        let parent =
            parents.iter().try_fold(self.document.blocks(), |nodes, index| Some(nodes.get(*index)?.children()));
        parent?.get(*last)
    }
}
