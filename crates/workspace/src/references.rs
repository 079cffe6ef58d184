//! The check of setups and references: `[SETUP:id]` and `[REF:id]`.
//!
//! - A reference without a setup, anywhere in the workspace, is an error.
//! - A second setup of an id is an error.
//! - A setup without a reference, and a mark that cannot be read, are warnings.

use crate::finding::{CheckKind, CheckReport, CheckedFile, Fact, StoryPosition};
use crate::marks::{MarkKind, StoryMark, StoryMarks};
use crate::order::ordered;
use crate::paths::{chapter_number, is_story};
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks the texts of a story, given with their paths and in the order of these.
pub fn check<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> CheckReport {
    let stories = files.into_iter().filter(|(path, _)| is_story(path));
    let files: Vec<_> = stories.map(|(path, text)| (path, text, StoryMarks::of(text))).collect();
    check_marks(files.iter().map(|(path, text, marks)| CheckedFile { path, text, marks }))
}

/// Checks a story whose marks were read.
pub(crate) fn check_marks<'a>(sources: impl Iterator<Item = CheckedFile<'a>>) -> CheckReport {
    let sources: Vec<CheckedFile<'a>> = sources.collect();
    // Chapters come first.
    let order = ordered(sources.iter().map(|source| chapter_number(source.path).map_or(u64::MAX, u64::from)));
    let in_order = || order.iter().map(|at| &sources[*at]);
    let mut report = CheckReport::default();
    let mut first: FxHashMap<&str, (&str, &StoryMark)> = FxHashMap::default();
    for source in in_order() {
        for mark in &source.marks.marks {
            let is_of_reference = matches!(mark.kind, MarkKind::Setup | MarkKind::Reference);
            let Some(id) = source.value(mark).filter(|id| !id.is_empty()) else {
                if is_of_reference {
                    let fact = Fact::UnreadableMark { mark: source.mark(mark).to_owned() };
                    report.add(source, CheckKind::References, mark, fact);
                }
                continue;
            };
            if mark.kind != MarkKind::Setup {
                continue;
            }
            match first.get(id) {
                Some((path, setup)) => {
                    let fact = Fact::DuplicateSetup { id: id.to_owned(), first: StoryPosition::of((path, setup.line)) };
                    report.add(source, CheckKind::References, mark, fact);
                }
                None => {
                    first.insert(id, (source.path, mark));
                }
            }
        }
    }
    let mut used: FxHashSet<&str> = FxHashSet::default();
    for source in in_order() {
        for (mark, id) in named(source, MarkKind::Reference) {
            used.insert(id);
            if !first.contains_key(id) {
                let fact = Fact::MissingSetup { chapter: chapter_number(source.path), id: id.to_owned() };
                report.add(source, CheckKind::References, mark, fact);
            }
        }
    }
    for source in in_order() {
        for (mark, id) in named(source, MarkKind::Setup) {
            // A second one is reported as that.
            let is_first = first.get(id).is_some_and(|(_, setup)| std::ptr::eq(*setup, mark));
            if is_first && !used.contains(id) {
                report.add(source, CheckKind::References, mark, Fact::UnusedSetup { id: id.to_owned() });
            }
        }
    }
    report
}

/// Returns the marks of a kind that have an id.
fn named<'s, 'a>(
    source: &'s CheckedFile<'a>,
    kind: MarkKind,
) -> impl Iterator<Item = (&'a StoryMark, &'a str)> + use<'s, 'a> {
    let marks = source.marks.marks.iter().filter(move |mark| mark.kind == kind);
    marks.filter_map(|mark| Some((mark, source.value(mark).filter(|id| !id.is_empty())?)))
}
