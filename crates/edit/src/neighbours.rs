//! Content that repeats the lines beside those that are named, or is one of these.

use super::content::{self, Format};
use super::operation::LineEdit;
use super::parent::holds;
use super::{as_shown, fence, fit, markdown, rows};
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_document::align::matches;
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, Node, words};
use std::ops::RangeInclusive;

/// The most lines on each side that content may repeat.
const MOST_REPEATED: usize = 20;
/// The longest line that is compared with its neighbours, in characters.
const LONGEST: usize = 1_000;
/// The least number of bytes for which likeness is meaningful.
const SHORTEST: usize = 12;
/// The shortest word that says which item is meant, in characters.
const SHORTEST_WORD: usize = 4;
/// The greatest distance between a named line and one that the content is taken for.
const MOST_BESIDE: isize = 8;
/// The greatest distance between a named line and one that the content is taken for by its words alone.
const MOST_ALIKE: usize = 3;
/// The words of a line that are enough to tell it from others.
const LEAST_WORDS: usize = 4;
/// From this likeness on, content is nearly a line.
const NEARLY: f32 = 0.75;
/// The difference of two likenesses from which on content is one line and not the other.
const MUCH_MORE: f32 = 0.35;
/// Up to this likeness, content is another text than a line.
const ANOTHER: f32 = 0.5;

/// Returns a range with the tasks beside it that content repeats with another tick.
pub fn with_ticked(document: &Document, range: &RangeInclusive<usize>, edit: &LineEdit) -> RangeInclusive<usize> {
    let tick = |row: &str| match (Sign::Task { checked: false }).read(row.trim_start().trim_start_matches(['>', ' '])) {
        Some((Sign::Task { checked }, _)) => Some(checked),
        _ => None,
    };
    let lines = as_shown::lines(&edit.content);
    if edit.format == Some(Format::Text) || lines.len() < 2 || !lines.iter().any(|line| tick(line).is_some()) {
        return range.clone();
    }
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (head, tail) = repeated(document, range, &texts, false);
    let differs = |number: usize, row: &str| {
        let shown = rows::shown_as(document, &document.lines_between(number, number));
        let was = shown.first().and_then(|shown| tick(shown));
        was.is_some() && tick(row).is_some_and(|is| Some(is) != was)
    };
    let (start, end) = (*range.start(), *range.end());
    let before = (0..head).find(|at| differs(start - head + at, texts[*at]));
    let after = (0..tail).rfind(|at| differs(end + 1 + at, texts[texts.len() - tail + at]));
    before.map_or(start, |at| start - head + at)..=after.map_or(end, |at| end + 1 + at)
}

/// Returns an edit without the unchanged lines around its range that its plain text repeats.
pub fn trimmed(document: &Document, range: &RangeInclusive<usize>, edit: &LineEdit) -> LineEdit {
    let text = &edit.content;
    if edit.format == Some(Format::Text) || !content::is_inline(text) || !text.contains('\n') {
        return edit.clone();
    }
    let lines = as_shown::lines(text);
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    // Models repeat lines of code with or without their fence.
    let (head, tail) = [true, false]
        .map(|fences| repeated(document, range, &texts, fences))
        .into_iter()
        .max_by_key(|(head, tail)| head + tail)
        .unwrap_or_default();
    match head + tail {
        0 => edit.clone(),
        _ => LineEdit { content: lines[head..lines.len() - tail].join("\n"), ..edit.clone() },
    }
}

/// Returns blocks without the unchanged lines around a range that they repeat. Rows of a table are not looked at.
pub fn trimmed_blocks(document: &Document, range: &RangeInclusive<usize>, blocks: Vec<Node>) -> Vec<Node> {
    let schema = document.schema();
    if blocks.iter().any(|block| holds(block, &|node| fit::is_table(schema, node))) {
        return blocks;
    }
    let whole = Document::from_blocks(schema.clone(), blocks.clone());
    let lines = whole.lines();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let (head, tail) = repeated(document, range, &texts, false);
    if head + tail == 0 {
        return blocks;
    }
    let stays = |line: usize| line > head && line <= lines.len() - tail;
    let part = |(at, block): (usize, &Node)| fit::part(schema, block, whole.line_numbers_of(at).start, &stays);
    blocks.iter().enumerate().filter_map(part).collect()
}

/// Returns the numbers of lines at the beginning and at the end of content that repeat the lines before and behind a
/// range. What is left has as many lines as the range, or a line of the range itself, or, between lines of both sides,
/// none. Code may have fences in rows of their own.
fn repeated(document: &Document, range: &RangeInclusive<usize>, lines: &[&str], has_fences: bool) -> (usize, usize) {
    let (start, end) = (*range.start(), *range.end());
    let count = end + 1 - start;
    let is_near = |line: usize| line + MOST_REPEATED >= start && line <= end.saturating_add(MOST_REPEATED);
    let content = lines.join("\n");
    let restored = as_shown::ShownLines::of(document, is_near, std::iter::once(&content[..])).restored(&content);
    let lines: Vec<&str> = restored.split('\n').collect();
    let lines = &lines[..];
    let around = |first: usize, last: usize| document.lines_between(first, last);
    let is_same = |(new, (raw, old)): (&&str, &(String, Option<Line>))| {
        let Some(old) = old else { return new.trim_start().starts_with(raw) };
        let (new, old) = (new.trim(), old.text.trim());
        let is_old = |new: &str| new == old || new.ends_with(old) && without_signs(new) == old;
        new == raw.trim() && !new.is_empty() || !old.is_empty() && (is_old(new) || is_old(&rows::bare(new)))
    };
    let fence = || Some(("```".to_owned(), None));
    let shown = |lines: Vec<Line>| {
        let mut shown = Vec::with_capacity(lines.len());
        for block in lines.chunk_by(|a, b| a.path == b.path) {
            let is_inside =
                |line: usize| document.lines_between(line, line).iter().any(|line| line.path == block[0].path);
            let is_fenced = has_fences && block[0].is_code(document.schema()) && !is_inside(start) && !is_inside(end);
            shown.extend(fence().filter(|_| is_fenced));
            shown.extend(rows::shown_as(document, block).into_iter().zip(block.iter().cloned().map(Some)));
            shown.extend(fence().filter(|_| is_fenced));
        }
        shown
    };
    let before = shown(around(start.saturating_sub(MOST_REPEATED).max(1), start - 1));
    let after = shown(around(end + 1, end.saturating_add(MOST_REPEATED).min(document.line_count())));
    let own = shown(around(start, end));
    let is_own = |line: &&str| own.iter().any(|own| is_same((line, own)));
    // A line that is one of the range and one beside it is that of the range.
    let is_content = |rest: &[&str], repeated: &[&str]| {
        let has_own = rest.iter().any(is_own);
        // A fence that closes one of the rest is not that of a neighbour.
        let fences = rest.iter().filter(|line| fence::of_line(line).is_some()).count();
        // Rows without text are like any other empty ones.
        let has_text = |line: &&str| !without_signs(line).trim_matches(['|', ' ']).is_empty();
        fences % 2 == 0
            && repeated.iter().any(has_text)
            && repeated.iter().filter(|line| is_own(line)).all(|line| rest.contains(line))
            && (has_own || lines_of(rest) >= count)
    };
    // As many lines before the range as the content begins with.
    let repeats = |many: &usize| lines.iter().zip(&before[before.len() - many..]).take(*many).all(is_same);
    let head = most_repeated(before.len().min(lines.len()), repeats, |many| {
        let (repeated, rest) = lines.split_at(many);
        is_content(rest, repeated)
    });
    let lines = &lines[head..];
    let repeats = |many: &usize| lines[lines.len() - many..].iter().zip(&after).all(is_same);
    let tail = most_repeated(after.len().min(lines.len()), repeats, |many| {
        let (rest, repeated) = lines.split_at(lines.len() - many);
        is_content(rest, repeated) || rest.is_empty() && head > 0
    });
    (head, tail)
}

/// Returns how many lines rows state: a row of a table of Markdown has one for each of its cells.
fn lines_of(rows: &[&str]) -> usize {
    let lines = |row: &&str| if row.trim_start().starts_with('|') { fit::cells_in(row) } else { 1 };
    rows.iter().map(lines).sum()
}

/// Returns the greatest number of lines, up to `most`, that repeat others and leave content.
fn most_repeated(most: usize, repeats: impl Fn(&usize) -> bool, leaves_content: impl Fn(usize) -> bool) -> usize {
    (1..=most).rev().find(|many| leaves_content(*many) && repeats(many)).unwrap_or(0)
}

/// Returns a line without the signs of quotations, items and headings before it.
pub(super) fn without_signs(line: &str) -> &str {
    let mut text = line.trim_start();
    let signs = [Sign::Quote, Sign::Task { checked: false }, Sign::Bullet, Sign::Number(1)];
    while let Some((_, rest)) = signs.iter().find_map(|sign| sign.read(text)) {
        text = rest.trim_start();
    }
    markdown::heading_sign(text).map_or(text, |(_, text)| text)
}

/// Fails with [`Error::WrongLine`] if the content is nearly the line before or behind the named ones, and not at all
/// these. `lines` are the named lines.
pub fn check_line(document: &Document, lines: &[Line], edit: &LineEdit) -> Result<(), Error> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Ok(()) };
    if edit.format == Some(Format::Text) {
        return Ok(());
    }
    let text = content::lines_without_tags(&edit.content);
    let written = content::written_lines(&text);
    let cells: Vec<String>;
    let new: Vec<&str> = match written.iter().all(|row| fit::cells_in(row) > 1) {
        true => {
            cells = written.iter().flat_map(|row| fit::markdown_cells(row)).collect();
            cells.iter().map(|cell| cell.trim()).collect()
        }
        false => written.iter().map(|line| without_signs(line)).collect(),
    };
    if new.len() != lines.len() {
        return Ok(());
    }
    let named: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let signs = |row: &str| row.trim_start().strip_suffix(without_signs(row)).unwrap_or_default().to_owned();
    let shown_signs = |line: &Line| {
        let shown = rows::shown_as(document, std::slice::from_ref(line));
        shown.first().map(|row| signs(row)).unwrap_or_default()
    };
    let shifted = |number: usize| {
        let there = document.lines_between(number, number + lines.len() - 1);
        (there.len() == lines.len()).then_some(there)
    };
    let beside = (1..=MOST_BESIDE).flat_map(|by| [-by, by]).map(|by| (by, first.line.saturating_add_signed(by)));
    for (by, number) in beside.filter(|(_, number)| *number > 0) {
        let Some(there) = shifted(number) else { continue };
        let texts: Vec<&str> = there.iter().map(|line| line.text.as_str()).collect();
        // A short line, such as a heading, resembles no other. A copy of another line may be intended.
        let is_short = |line: &&str| line.len() < SHORTEST;
        let is_named = || new.iter().zip(&named).all(|(new, named)| common_share(new, named) >= NEARLY);
        let is_next = by.unsigned_abs() == 1;
        let is_copy = texts == new;
        let is_other = is_another(&new, &named)
            || named.iter().all(is_short) && !is_copy && !is_named()
            || is_much_more_like(&new, &texts, &named);
        // A task of the same text and depth, which the content ticks.
        let is_ticked = || {
            let is_task = |row: &str| matches!(&*signs(row), "- [ ] " | "- [x] ");
            let depth = |row: &str| row.len() - row.trim_start().len();
            let shown = |line: &Line| rows::shown_as(document, std::slice::from_ref(line)).swap_remove(0);
            let (there, own) = (shown(&there[0]), shown(&lines[0]));
            let at = depth(text.lines().find(|row| !row.trim().is_empty()).unwrap_or_default());
            is_copy && is_task(written[0]) && is_task(&there) && at == depth(&there) && at != depth(&own)
        };
        let is_near = by.unsigned_abs() <= MOST_ALIKE;
        let is_there = || match lines.len() {
            1 => {
                let sign = signs(written[0]);
                let shows = || sign == shown_signs(&there[0]) && sign != shown_signs(&lines[0]);
                let is_whole = || is_near && has_all_words(&there[0], new[0]);
                (is_like(&there[0], &lines[0]) || shows() || is_whole()) && is_there(&there[0], &lines[0], new[0])
            }
            // Another row of the table.
            count => by.unsigned_abs() % count == 0 && is_row_there(&texts, &named, &new),
        };
        if is_near && is_nearly(&new, &texts) && is_other || is_next && lines.len() == 1 && is_ticked() || is_there() {
            return Err(Error::WrongLine {
                given: (first.line, last.line),
                text: excerpt(named[0]),
                line: there[0].line,
                like: excerpt(texts[0]),
            });
        }
    }
    Ok(())
}

/// Returns whether two lines are of the same kind, in containers of the same depth.
fn is_like(a: &Line, b: &Line) -> bool {
    a.kind == b.kind && a.path.len() == b.path.len()
}

/// Returns whether content is another row than the named one, with changes: it has the first cell of that row and half
/// of the others, and no cell of the named one.
fn is_row_there(there: &[&str], named: &[&str], new: &[&str]) -> bool {
    let same = |row: &[&str]| row.iter().zip(new).filter(|(old, new)| old == new && !old.is_empty()).count();
    !new[0].is_empty() && there[0] == new[0] && 2 * same(there) >= new.len() && same(named) == 0 && there != new
}

/// Returns whether content has all words of a line, in their order, and these are enough to tell it from others.
fn has_all_words(line: &Line, text: &str) -> bool {
    let (old, new) = (written_words(&line.text), written_words(text));
    old.len() >= LEAST_WORDS && matches(&old, &new).iter().map(|run| run.len).sum::<usize>() == old.len()
}

/// Returns whether content is another line than the named one, with changes: it has most words of that line, more than
/// of the named one, and few of the words that only the named one has.
fn is_there(there: &Line, named: &Line, text: &str) -> bool {
    // In a script without spaces each sign is a word, and a few in common say nothing.
    let is_long = there.text.chars().nth(SHORTEST).is_some();
    let words = if is_long { written_words } else { spaced_words };
    let (old, new) = (words(&there.text), words(text));
    let gone: Vec<&str> = words(&named.text).into_iter().filter(|word| !old.contains(word)).collect();
    let is_enough = match old[..] {
        [only] => only.chars().count() >= SHORTEST_WORD && text.contains(&there.text),
        _ => old.len() > 1,
    };
    let common_with = |old: &[&str]| match old {
        // Such a line is the beginning of a longer word.
        [only] if !is_long && written_words(only).len() > 1 => usize::from(text.starts_with(only)),
        _ => matches(old, &new).iter().map(|run| run.len).sum(),
    };
    let (common, of_named) = (common_with(&old), common_with(&words(&named.text)));
    // A long text that is a part of that line, and of the named one hardly.
    let is_part = || new.len() > 2 * LEAST_WORDS && 4 * common >= 3 * new.len() && common >= 2 * of_named;
    is_enough
        && (4 * common >= 3 * old.len() || is_long && (8 * common >= 3 * (old.len() + new.len()) || is_part()))
        && common > of_named
        && old != new
        && !gone.is_empty()
        && 4 * gone.iter().filter(|word| new.contains(word)).count() <= gone.len()
}

fn spaced_words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn written_words(text: &str) -> Vec<&str> {
    words::split(text).filter(|word| word.contains(char::is_alphanumeric)).collect()
}

/// Returns whether each of some lines is nearly the one in the same place.
pub fn is_nearly<T: AsRef<str>>(new: &[&str], old: &[T]) -> bool {
    all_alike(new, old, &|likeness| likeness >= NEARLY)
}

/// Returns whether each of some lines is another text than the one in the same place.
pub fn is_another<T: AsRef<str>>(new: &[&str], old: &[T]) -> bool {
    all_alike(new, old, &|likeness| likeness <= ANOTHER)
}

/// Returns whether each of some lines resembles the one in the same place of `those` much more than that of `named`.
fn is_much_more_like(new: &[&str], those: &[&str], named: &[&str]) -> bool {
    let lines = new.iter().zip(those.iter().zip(named));
    let is_more = |(new, (that, named)): (&&str, (&&str, &&str))| {
        let (there, here) = (likeness(new, that), likeness(new, named));
        there.zip(here).is_some_and(|(there, here)| there >= NEARLY && there - here >= MUCH_MORE)
    };
    new.len() == those.len() && new.len() == named.len() && lines.into_iter().all(is_more)
}

fn all_alike<T: AsRef<str>>(new: &[&str], old: &[T], holds: &dyn Fn(f32) -> bool) -> bool {
    let alike = |(new, old): (&&str, &T)| likeness(new, old.as_ref()).is_some_and(holds);
    !new.is_empty() && new.len() == old.len() && new.iter().zip(old).all(alike)
}

/// Returns the likeness of two lines, from 0 to 1; `None` if they are too short or too long to compare.
pub fn likeness(a: &str, b: &str) -> Option<f32> {
    let fits = |text: &str| text.len() >= SHORTEST && text.chars().nth(LONGEST).is_none();
    (fits(a) && fits(b)).then(|| common_share(a, b))
}

/// Returns the share of the characters of two lines that both have in this order.
fn common_share(a: &str, b: &str) -> f32 {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let common: usize = matches(&a, &b).iter().map(|run| run.len).sum();
    2.0 * common as f32 / (a.len() + b.len()).max(1) as f32
}
