//! The check of setups and references: `[SETUP:id]` and `[REF:id]`.
//!
//! - A reference without a setup, anywhere in the workspace, is an error.
//! - A second setup of an id is an error.
//! - A setup without a reference, and a mark that cannot be read, are warnings.

use crate::anchors::Anchor;
use crate::finding::{CheckKind, Fact, Finding, Place, Report, Searched, Source, searched};
use crate::marks::{Mark, mark_at};
use crate::order::ordered;
use crate::paths::{chapter_number, is_story};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) const SETUP: &str = "[SETUP:";
pub(crate) const REFERENCE: &str = "[REF:";

/// A mark with its id.
struct Named<'a> {
    id: &'a str,
    at: usize,
    line: usize,
}

/// The marks of a file.
struct Marked<'a> {
    source: Source<'a>,
    setups: Vec<Named<'a>>,
    references: Vec<Named<'a>>,
}

/// Checks the texts of a story, given with their paths.
pub fn check<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Report {
    searched(files, check_searched)
}

/// Does the same with files that have been searched.
pub(crate) fn check_searched(files: Vec<Searched<'_>>) -> Report {
    let mut report = Report::default();
    let marked: Vec<Marked<'_>> = files
        .into_iter()
        .filter(|(path, ..)| is_story(path))
        .map(|file| {
            let source = Source::new(file, CheckKind::References);
            let setups = named(&source, &source.anchors.setups, SETUP, &mut report);
            let references = named(&source, &source.anchors.references, REFERENCE, &mut report);
            Marked { source, setups, references }
        })
        .collect();
    // Chapters come first.
    let number = |file: &Marked<'_>| chapter_number(file.source.path).map_or(u64::MAX, u64::from);
    let order = ordered(marked.iter().map(number));
    let in_order = || order.iter().map(|at| &marked[*at]);
    let mut first: FxHashMap<&str, Place> = FxHashMap::default();
    for Marked { source, setups, .. } in in_order() {
        for Named { id, at, line } in setups {
            let place = Place { file: source.path.to_owned(), line: *line };
            if let Some(first) = first.get(id) {
                let fact = Fact::DuplicateSetup { id: (*id).to_owned(), first: first.clone() };
                report.add(Finding::at(source, *at, *line, fact));
            } else {
                first.insert(id, place);
            }
        }
    }
    let mut used: FxHashSet<&str> = FxHashSet::default();
    for Marked { source, references, .. } in in_order() {
        for Named { id, at, line } in references {
            used.insert(id);
            if !first.contains_key(id) {
                let fact = Fact::MissingSetup { chapter: chapter_number(source.path), id: (*id).to_owned() };
                report.add(Finding::at(source, *at, *line, fact));
            }
        }
    }
    for Marked { source, setups, .. } in in_order() {
        for Named { id, at, line } in setups {
            // A second one is reported as that.
            let is_first = first.get(id).is_some_and(|place| place.file == source.path && place.line == *line);
            if !used.contains(id) && is_first {
                report.add(Finding::at(source, *at, *line, Fact::UnusedSetup { id: (*id).to_owned() }));
                used.insert(id);
            }
        }
    }
    report
}

/// Returns the marks with an id, and reports the others.
fn named<'a>(source: &Source<'a>, anchors: &[Anchor], start: &str, report: &mut Report) -> Vec<Named<'a>> {
    let mut named = Vec::new();
    for Anchor { at, line } in anchors.iter().copied().filter(|anchor| !source.waivers.contain(anchor.at)) {
        let Mark { text, value } = mark_at(source.text, at, start.len());
        match value.filter(|id| !id.is_empty()) {
            Some(id) => named.push(Named { id, at, line }),
            None => report.add(Finding::at(source, at, line, Fact::UnreadableMark { mark: text.to_owned() })),
        }
    }
    named
}
