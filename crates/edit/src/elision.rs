//! Content that leaves text out: a row that represents the text between its neighbours.
//!
//! This depends on what the row replaces, not on its words: `…` between two unchanged lines is text; in the place of a
//! list it would delete that list. So the rows of the content are paired with the lines that it replaces.

use super::fence::Fences;
use super::neighbours::without_signs;
use super::{content, fit, rows};
use crate::Error;
use crate::rows::{LEAST, likeness, pair_texts};
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Line, words};
use std::ops::Range;

/// The number of characters before the dots of a cut line that are searched in the line that it may be.
const LAST_WORDS: usize = 30;
/// The least number of characters before the dots of a line that was cut.
const SHORTEST: usize = 12;

/// The form of a row that may represent others.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// Nothing but dots, or a comment or note between dots.
    Dots,
    /// Words between dots.
    Words,
    /// A note in brackets, or a comment of HTML.
    Note,
}

/// Fails with [`Error::Placeholder`] if a row of content represents some of the lines that it replaces, or is one of
/// them truncated. `is_code` is true if all of the lines are code, in which brackets are not notes.
pub fn check(content: &str, document: &Document, old: &[Line], is_code: bool) -> Result<(), Error> {
    let has_dots = |text: &str| text.contains('…') || text.contains("...");
    if !has_dots(content) && !content.contains(['(', '[', '（', '【', '<', '{', '［']) {
        return Ok(());
    }
    // Lines of a fence are code in any content.
    let cells = |(row, in_fence): (String, bool)| {
        let is_code = is_code || in_fence;
        cells_of(row, is_code).into_iter().map(move |cell| (cell, is_code))
    };
    let (rows, are_code): (Vec<String>, Vec<bool>) = rows_of(content).into_iter().flat_map(cells).unzip();
    let shapes: Vec<Option<Shape>> = rows.iter().zip(&are_code).map(|(row, is_code)| shape(row, *is_code)).collect();
    if shapes.iter().all(Option::is_none) && !rows.iter().any(|row| before_dots(row).is_some()) {
        return Ok(());
    }
    let texts = rows::texts_or_leaves(document, old);
    let old: Vec<&str> = texts.iter().map(|text| text.as_str()).filter(|text| !text.trim().is_empty()).collect();
    let bare: Vec<&str> = rows.iter().map(|row| without_signs(row)).collect();
    let mut pairs = pair_texts(&old, &bare);
    for (pair, row) in pairs.iter_mut().zip(&bare) {
        *pair = pair.filter(|from| old[*from] == *row || likeness(old[*from], row).is_some_and(|like| like >= LEAST));
    }
    // Of equal lines a row is the one behind that of the row before it.
    for at in 1..pairs.len() {
        let next = pairs[at - 1].map(|from| from + 1).filter(|next| pairs[at].is_some_and(|from| from > *next));
        pairs[at] = next.filter(|next| old.get(*next).is_some_and(|line| line.trim() == bare[at].trim())).or(pairs[at]);
    }
    let is_same = |at: usize| pairs[at].is_some_and(|from| old[from].trim() == bare[at].trim());
    // A note at the end, behind rows that are lines, with no word of any line. A word in square brackets may be a leaf.
    let is_rest = |at: usize| {
        let has_word = |text: &str| words::split(text).any(|word| word.chars().count() > 2 && bare[at].contains(word));
        let may_be_leaf = bare[at].starts_with('[') && !bare[at].contains(' ');
        let follows = at + 1 == rows.len() && pairs[..at].iter().any(Option::is_some);
        let is_noted = |line: &&str| has_word(line) || shape(line, is_code) == Some(Shape::Note);
        follows && !may_be_leaf && !old.iter().any(is_noted)
    };
    let is_old = |at: usize| old.iter().any(|line| line.trim() == bare[at].trim());
    for at in 0..rows.len() {
        let is_cut = before_dots(bare[at]).is_some_and(|start| old.iter().any(|line| goes_on(line, start)));
        // A line of dots that is edited is one.
        let is_edited = pairs[at].is_some_and(|from| shape(old[from], are_code[at]) == shapes[at]);
        let deletes = !is_edited
            && shapes[at].is_some_and(|shape| {
                let (gone, came) = gap(at, &pairs, old.len(), &is_same);
                match shape {
                    Shape::Dots => gone > 0,
                    Shape::Words => true,
                    Shape::Note => gone > came || gone == came && is_rest(at),
                }
            });
        if !is_old(at) && (is_cut || deletes) {
            return Err(Error::Placeholder { text: excerpt(&rows[at]) });
        }
    }
    Ok(())
}

/// Returns the cells of a row of a table, which are lines. A row that may represent others is a single line.
fn cells_of(row: String, is_code: bool) -> Vec<String> {
    match row.starts_with('|') && !is_code && shape(&row, is_code).is_none() {
        true if fit::is_table_rule(&row) => Vec::new(),
        true => fit::markdown_cells(&row),
        false => vec![row],
    }
}

/// Returns the numbers of removed lines and of new rows between the neighbours of a row that are old lines.
fn gap(at: usize, pairs: &[Option<usize>], count: usize, is_same: &dyn Fn(usize) -> bool) -> (usize, usize) {
    // A row that is paired with a line that it is not like is in its place, not that line.
    let stays = |row: usize| pairs[row].filter(|_| row != at || is_same(row));
    let before = (0..at).rev().find(|row| stays(*row).is_some());
    let behind = (at + 1..pairs.len()).find(|row| stays(*row).is_some());
    let from = before.and_then(stays).map_or(0, |line| line + 1);
    let to = behind.and_then(stays).unwrap_or(count);
    let lines: Range<usize> = from..to.max(from);
    let is_kept = |line: &usize| (0..pairs.len()).any(|row| stays(row) == Some(*line));
    let gone = lines.filter(|line| !is_kept(line)).count();
    (gone, behind.unwrap_or(pairs.len()) - before.map_or(0, |row| row + 1))
}

/// Returns the rows of content: lines of text, blocks and comments of HTML. The flag is true for those in a fence.
fn rows_of(content: &str) -> Vec<(String, bool)> {
    const ENDS: [&str; 10] =
        ["</p>", "</li>", "</tr>", "</h1>", "</h2>", "</h3>", "</h4>", "</pre>", "</blockquote>", "-->"];
    let blocks =
        ENDS.iter().fold(content.replace("<!--", "\n<!--"), |text, end| text.replace(end, &format!("{end}\n")));
    // An element without text is a leaf, such as a formula.
    let text = |line: &str| content::without_tags(&line.replace("></span>", ">\u{FFFC}</span>"));
    let row = |line: &str| if line.starts_with("<!--") { line.to_owned() } else { text(line) };
    let mut fences = Fences::default();
    let rows = blocks.lines().map(|line| (row(line.trim()).trim().to_owned(), fences.read(line)));
    rows.filter(|(row, _)| !row.is_empty()).collect()
}

/// Returns the only cell of a row of a table that has a text.
fn only_cell(row: &str) -> &str {
    let mut cells = row.strip_prefix('|').unwrap_or("").split('|').filter(|cell| !cell.trim().is_empty());
    match (cells.next(), cells.next()) {
        (Some(cell), None) => cell.trim(),
        _ => row,
    }
}

/// Returns a row without the numbers of several items before it, such as `2–4.`.
fn without_numbers(row: &str) -> &str {
    let rest = row.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '–' | '-' | ','));
    let rest = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < row.len());
    rest.map_or(row, str::trim_start)
}

fn shape(row: &str, is_code: bool) -> Option<Shape> {
    let marks = |c: char| matches!(c, '*' | '_' | '`' | '~') || c.is_whitespace();
    let text = if is_code { row } else { without_numbers(without_signs(only_cell(row))) }.trim_matches(marks);
    let is_dots = |c: char| matches!(c, '.' | '…');
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '|' | '/' | '*' | '#')).collect();
    let dotted = |text: &str| text.starts_with("...") || text.starts_with('…');
    let ends = |text: &str| text.ends_with("...") || text.ends_with('…');
    if !bare.is_empty() && bare.chars().all(is_dots) && dotted(&bare) {
        return Some(Shape::Dots);
    }
    const COMMENTS: [&str; 6] = ["//", "#", "--", "/*", ";", "%"];
    let comment = text.trim_start_matches(['/', '#', '*', '-', ';', '%', ' ']).trim_end_matches(['/', '*', ' ']);
    let is_comment = is_code && COMMENTS.iter().any(|sign| text.starts_with(sign));
    if !is_code && dotted(text) && ends(text) {
        return Some(Shape::Words);
    }
    if dotted(comment) && ends(comment) || is_comment && (dotted(comment) || ends(comment)) {
        return Some(Shape::Dots);
    }
    const BRACKETS: [(char, char); 7] =
        [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('（', '）'), ('【', '】'), ('［', '］')];
    let (open, close) = (text.chars().next()?, text.chars().next_back()?);
    let inside = text.get(open.len_utf8()..text.len() - close.len_utf8())?;
    let note = text.trim_start_matches(is_dots).trim_start();
    let is_in_brackets =
        |text: &str| BRACKETS.iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
    let is_all_dots = !inside.trim().is_empty() && inside.chars().all(|c| is_dots(c) || c.is_whitespace());
    if dotted(text) && is_in_brackets(note) || is_in_brackets(text) && is_all_dots && dotted(inside.trim()) {
        return Some(Shape::Dots);
    }
    let is_note = BRACKETS.contains(&(open, close)) && inside.chars().any(char::is_alphabetic);
    let is_one = !inside.contains(open) && !inside.contains(close);
    match is_note && is_one {
        true if dotted(inside.trim()) || ends(inside.trim()) => Some(Shape::Dots),
        // In code, a note is not code: it has words only.
        true if !is_code || open == '(' && inside.chars().all(|c| c.is_alphabetic() || c == ' ') => Some(Shape::Note),
        _ => None,
    }
}

/// Returns the beginning of a line that ends with dots.
fn before_dots(line: &str) -> Option<&str> {
    let start = line.trim_end().strip_suffix('…').or_else(|| line.trim_end().strip_suffix("..."))?;
    start.chars().nth(SHORTEST).map(|_| start)
}

/// Returns whether a line continues a text: it begins with the text or has its last words, and has more behind these.
fn goes_on(line: &str, text: &str) -> bool {
    let is_more = |rest: &str| !rest.trim_matches(['…', '.', ' ']).is_empty();
    if line.strip_prefix(text).is_some_and(is_more) {
        return true;
    }
    let end = text.char_indices().rev().nth(LAST_WORDS).map_or(0, |(at, _)| at);
    end > 0 && line.match_indices(&text[end..]).any(|(at, found)| is_more(&line[at + found.len()..]))
}
