//! The positions at which the checks read a text.

use crate::lines::LineCounter;
use crate::order::ordered;
use crate::{marks, references, timeline, waiver};

/// A position with its line.
#[derive(Clone, Copy)]
pub(crate) struct Anchor {
    /// In bytes.
    pub(crate) at: usize,
    /// From 1.
    pub(crate) line: usize,
}

/// The positions in a text at which days and marks begin. A text is searched for them once: later checks read only
/// these.
#[derive(Default)]
pub(crate) struct Anchors {
    pub(crate) days: Vec<Anchor>,
    pub(crate) dates: Vec<Anchor>,
    pub(crate) setups: Vec<Anchor>,
    pub(crate) references: Vec<Anchor>,
    /// True if a comment may accept findings.
    pub(crate) has_waivers: bool,
}

impl Anchors {
    pub(crate) fn of(text: &str) -> Anchors {
        let with_lines = |found: &[usize]| {
            let mut counter = LineCounter::new(text);
            let anchor = |at: usize| Anchor { at, line: counter.line_at(at) };
            ordered(found.iter().map(|at| *at as u64)).into_iter().map(|index| found[index]).map(anchor).collect()
        };
        Anchors {
            days: with_lines(&timeline::days(text)),
            dates: with_lines(&marks::starts(text, timeline::TIME)),
            setups: with_lines(&marks::starts(text, references::SETUP)),
            references: with_lines(&marks::starts(text, references::REFERENCE)),
            has_waivers: waiver::may_be_in(text),
        }
    }
}
