//! Content without lines: whether it is the document, or a section of it, that it would replace.
//!
//! Such content may as well be a part that lacks its lines, so it is compared with the text that it replaces. Content
//! that is stated with `whole: true` is meant.

use crate::error::{Error, Partial};
use copydesk_document::align::{Relation, diff, matches};
use copydesk_document::{Document, Line, Node, Schema, Style, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The least share of its lines by which content is the document if it has a line for each one at both ends.
const LEAST_STATED: f64 = 0.5;
/// The least share by which it is, although lines at an end are missing.
const MOST_STATED: f64 = 0.75;
/// The least share of the words of a line, by their length, that state it.
const LEAST_WORDS: f64 = 0.5;
/// The most current lines that an error shows.
const MOST_SHOWN: usize = 20;
/// The number of lines from which on an edit of a section may not delete most of a document.
const SHORT: usize = 8;

/// Fails with [`Error::NotTheWhole`] unless content that becomes `after` is demonstrably the document: it states at
/// least [`MOST_STATED`] of the lines, or [`LEAST_STATED`] of them with as many lines at the beginning and at the end
/// as it leaves out there.
///
/// Lines without text and lines whose text is stated elsewhere in the content count as stated.
pub fn check_document(document: &Document, after: &[Line]) -> Result<(), Error> {
    let schema = document.schema();
    let lines = document.lines();
    let units = |lines: &[Line]| lines.iter().filter_map(|line| unit(schema, line)).collect::<Vec<_>>();
    check_units(document, &units(&lines), &units(after))
}

/// Does the same for content in plain text, which does not state leaves.
pub fn check_text(document: &Document, content: &[String]) -> Result<(), Error> {
    let lines = document.lines();
    let units = lines.iter().filter(|line| has_text(&line.text));
    let units: Vec<_> = units.map(|line| Unit { line: line.line, key: line.text.trim().to_owned() }).collect();
    let content = content.iter().enumerate().filter(|(_, line)| has_text(line));
    let content: Vec<_> = content.map(|(at, line)| Unit { line: at + 1, key: line.trim().to_owned() }).collect();
    check_units(document, &units, &content)
}

/// Fails with [`Error::WouldDropMost`] if replacing a section by `with` removes most of a document of some length, and
/// with [`Error::NotTheWhole`] if `with` has only lines of the section, less than half of them and some with changes.
pub fn check_section(document: &Document, blocks: Range<usize>, with: &[Node]) -> Result<(), Error> {
    let schema = document.schema();
    let old = document.lines_of_blocks(blocks.clone());
    let after = Document::from_blocks(schema.clone(), with.to_vec());
    let new = after.lines();
    let is_same_heading = old.first().zip(new.first()).is_some_and(|(old, new)| old.text == new.text);
    let units = |lines: &[Line]| {
        let content = lines.iter().skip(usize::from(is_same_heading));
        content.filter_map(|line| unit(schema, line)).collect::<Vec<_>>()
    };
    let (old_units, new_units) = (units(&old), units(&new));
    let correspondence = Correspondence::of(&old_units, &new_units);
    let stated = correspondence.count();
    let is_part = stated >= new_units.len() && 2 * stated < old_units.len();
    // Unchanged lines alone show that the others are to be removed: as an edit of these lines they would change
    // nothing.
    let known: FxHashSet<_> =
        old.iter().filter_map(|line| Some((unit(schema, line)?.key, is_checked(document, line)))).collect();
    let is_known =
        |line: &Line| unit(schema, line).is_none_or(|unit| known.contains(&(unit.key, is_checked(&after, line))));
    let is_changed = !new.iter().skip(usize::from(is_same_heading)).all(is_known);
    if is_part && is_changed && correspondence.is_used.iter().all(|used| *used) {
        return Err(correspondence.error(document, &old_units, &new_units));
    }
    let size = |blocks: &[Node]| blocks.iter().map(Node::size).sum::<usize>();
    let lost = size(&document.blocks()[blocks]).saturating_sub(size(with));
    let (total, lines) = (document.line_count(), old.len().saturating_sub(new.len()));
    match total >= SHORT && (2 * lines > total || 4 * lost > 3 * document.size()) {
        true => Err(Error::WouldDropMost { lines: old.len(), left: new.len() }),
        false => Ok(()),
    }
}

/// Returns whether the task that begins with a line is done. `None` if no task begins with it.
fn is_checked(document: &Document, line: &Line) -> Option<bool> {
    let (at, parent) = line.path.split_last()?;
    let item = document.node_at(parent).filter(|_| *at == 0)?;
    item.attrs().get("checked")?.as_bool()
}

/// A line for comparison.
struct Unit {
    line: usize,
    key: String,
}

/// Returns what identifies a line: its text, or the kind of a leaf. `None` for an empty textblock.
fn unit(schema: &Schema, line: &Line) -> Option<Unit> {
    let is_leaf = line.text.is_empty() && !schema.find_node(&line.kind).is_some_and(|kind| schema.is_textblock(kind));
    let key = if is_leaf { format!("\u{FFFC}{}", line.kind) } else { line.text.trim().to_owned() };
    has_text(&key).then_some(Unit { line: line.line, key })
}

fn has_text(text: &str) -> bool {
    !text.trim().is_empty()
}

fn check_units(document: &Document, old: &[Unit], new: &[Unit]) -> Result<(), Error> {
    let correspondence = Correspondence::of(old, new);
    let stated = correspondence.count();
    let share = |least: f64| stated as f64 >= least * old.len() as f64;
    match stated == old.len() || share(MOST_STATED) || share(LEAST_STATED) && correspondence.spans {
        true => Ok(()),
        false => Err(correspondence.error(document, old, new)),
    }
}

/// Returns the current lines that an error shows: the first of a range.
fn rows(document: &Document, (first, last): (usize, usize)) -> String {
    let last = last.min(first + MOST_SHOWN - 1);
    document.numbered(Some(first), Some(last), Style::Structure).unwrap_or_default()
}

/// The lines of a text that another one states.
struct Correspondence {
    stated: Vec<bool>,
    /// The lines of the other text that are mostly words of this one.
    is_used: Vec<bool>,
    /// False if lines at the beginning or at the end are missing, and fewer are in their place.
    spans: bool,
}

impl Correspondence {
    fn of(old: &[Unit], new: &[Unit]) -> Correspondence {
        let keys = |units: &[Unit]| units.iter().map(|unit| unit.key.clone()).collect::<Vec<_>>();
        let (old, new) = (keys(old), keys(new));
        let mut stated = vec![false; old.len()];
        let mut is_used = vec![false; new.len()];
        let (mut old_at, mut new_at) = (0, 0);
        for run in matches(&old, &new) {
            let gap = (old_at..run.old, new_at..run.new);
            state_words(&old, &new, gap, &mut stated, &mut is_used);
            (run.old..run.old + run.len).for_each(|at| stated[at] = true);
            (run.new..run.new + run.len).for_each(|at| is_used[at] = true);
            (old_at, new_at) = (run.old + run.len, run.new + run.len);
        }
        state_words(&old, &new, (old_at..old.len(), new_at..new.len()), &mut stated, &mut is_used);
        state_moved(&old, &new, &mut stated, &is_used);
        let missing = |marks: &mut dyn Iterator<Item = &bool>| marks.take_while(|mark| !**mark).count();
        let begins = missing(&mut stated.iter()) <= missing(&mut is_used.iter());
        let ends = missing(&mut stated.iter().rev()) <= missing(&mut is_used.iter().rev());
        Correspondence { stated, is_used, spans: begins && ends }
    }

    /// Returns the number of lines that are stated.
    fn count(&self) -> usize {
        self.stated.iter().filter(|stated| **stated).count()
    }

    fn error(&self, document: &Document, old: &[Unit], new: &[Unit]) -> Error {
        let like: Vec<usize> =
            old.iter().zip(&self.stated).filter(|(_, stated)| **stated).map(|(unit, _)| unit.line).collect();
        let like = like.first().copied().zip(like.last().copied());
        let all = old.first().zip(old.last()).map_or((1, 1), |(first, last)| (first.line, last.line));
        let now = rows(document, like.unwrap_or(all));
        Error::NotTheWhole { partial: Box::new(Partial { lines: old.len(), left: new.len(), like, now }) }
    }
}

/// Marks the lines of a gap that have enough of their words, in order, in the new lines of the gap.
fn state_words(
    old: &[String],
    new: &[String],
    (old_gap, new_gap): (Range<usize>, Range<usize>),
    stated: &mut [bool],
    is_used: &mut [bool],
) {
    let pieces = |lines: &[String], gap: &Range<usize>| {
        gap.clone().flat_map(|at| words_of(&lines[at]).into_iter().map(move |word| (at, word.to_owned()))).unzip()
    };
    let (old_lines, old_words): (Vec<usize>, Vec<String>) = pieces(old, &old_gap);
    let (new_lines, new_words): (Vec<usize>, Vec<String>) = pieces(new, &new_gap);
    if old_words.is_empty() || new_words.is_empty() {
        return;
    }
    let (mut of_old, mut of_new) = (FxHashMap::default(), FxHashMap::default());
    for chunk in diff(&old_words, &new_words).into_iter().filter(|chunk| chunk.relation == Relation::Equal) {
        chunk.old.for_each(|at| *of_old.entry(old_lines[at]).or_default() += old_words[at].len());
        chunk.new.for_each(|at| *of_new.entry(new_lines[at]).or_default() += new_words[at].len());
    }
    let mark = |found: FxHashMap<usize, usize>, lines: &[String], marks: &mut [bool]| {
        for (at, found) in found {
            let length: usize = words_of(&lines[at]).iter().map(|word| word.len()).sum();
            marks[at] = found as f64 >= LEAST_WORDS * length as f64;
        }
    };
    mark(of_old, old, stated);
    mark(of_new, new, is_used);
}

/// Marks the lines that the content has at another place.
fn state_moved(old: &[String], new: &[String], stated: &mut [bool], is_used: &[bool]) {
    let mut left: FxHashMap<&str, usize> = FxHashMap::default();
    for (line, _) in new.iter().zip(is_used).filter(|(_, used)| !**used) {
        *left.entry(line).or_default() += 1;
    }
    for (line, stated) in old.iter().zip(stated).filter(|(_, stated)| !**stated) {
        if let Some(count) = left.get_mut(line.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            *stated = true;
        }
    }
}

/// Returns the words of a line; its other characters if it has none.
fn words_of(line: &str) -> Vec<&str> {
    let pieces: Vec<&str> = words::split(line).filter(|piece| has_text(piece)).collect();
    let has_letters = |piece: &&str| piece.contains(char::is_alphanumeric);
    match pieces.iter().any(has_letters) {
        true => pieces.into_iter().filter(has_letters).collect(),
        false => pieces,
    }
}
