//! Sentences that models write before and behind the content that they were asked for. They are recognized by their
//! form, so in every language.

use super::content;
use super::fence;
use super::neighbours::without_signs;
use super::not_applied::NotApplied;
use super::rows;
use copydesk_document::notation::Sign;
use copydesk_document::{Document, Line, words};

/// The most characters of an introduction.
const LONGEST: usize = 80;

/// Tags that begin a line.
const BLOCKS: [&str; 7] = ["<li", "<ol", "<ul", "<p", "<h", "<td", "<th"];
/// A first line with at least this likeness to an old line, from 0 to 100, is that line. Short sentences share small
/// words.
const MOST_ALIKE: u32 = 60;
/// The shortest word that two lines begin with by more than chance, in characters.
const SHORTEST_WORD: usize = 4;

/// Removes the sentences around content.
pub fn without_sentences(text: String, document: &Document, old: &[Line]) -> String {
    let text = without_introduction(text, document, old);
    match remark(&text, document, old) {
        Some((content, _)) => content.to_owned(),
        None => text,
    }
}

/// Removes a first line such as "Here is the line:". It ends with a colon, an empty line or a fence follows, it is
/// similar to no old line, and the rest is the old lines with changes. If the rest is the old lines without changes,
/// the first line is the edit. A line of code may end with a colon: what follows it then is indented.
fn without_introduction(text: String, document: &Document, old: &[Line]) -> String {
    let Some((first, rest)) = text.trim_start().split_once('\n') else { return text };
    let bare = first.trim().trim_matches(['*', '_']);
    let is_code = old.iter().all(|line| line.is_code(document.schema()));
    let is_apart = rest.lines().next().is_some_and(|row| row.trim().is_empty() || fence::of_line(row).is_some());
    let deeper = |first: &str, rest: &str| {
        let next = rest.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        next.len() - next.trim_start().len() > first.len() - first.trim_start().len()
    };
    if is_code && deeper(first, rest) {
        return text;
    }
    let is_one = !is_code && old.len() == 1 && !rest.trim_end().contains('\n');
    let introduces = bare.ends_with([':', '：'])
        && bare.contains(char::is_alphabetic)
        && bare.chars().count() < LONGEST
        && !bare.contains('<')
        && !rows::begins(bare)
        && (is_apart || is_one);
    match introduces
        && is_new(bare, old)
        && !begins_new_container(rest, document, old)
        && is_edited(rest, document, old, is_apart)
    {
        true => rest.trim_start_matches('\n').to_owned(),
        false => text,
    }
}

/// Returns content and the remark below it, such as "(Nothing else was changed.)". A remark is one pair of brackets
/// behind a blank line. The content above has the first and the last old line and changes some, and no old line is a
/// pair of brackets itself.
pub fn remark<'t>(text: &'t str, document: &Document, old: &[Line]) -> Option<(&'t str, &'t str)> {
    let (rest, last) = text.trim_end().rsplit_once("\n\n").filter(|(_, last)| is_note(last))?;
    let filled = |line: &&Line| !line.text.trim().is_empty();
    let end = old.iter().rfind(filled)?;
    let ends = || is_edited(rest, document, std::slice::from_ref(end), false);
    // Leaves are shown in brackets.
    let is_text = rows::shown_as(document, old).iter().any(|row| is_note(row.trim()));
    (!is_text && is_edited(rest, document, old, false) && ends()).then_some((rest, last))
}

/// Returns the remark below content for some lines as a difference that is not made.
pub fn left_out(content: &str, document: &Document, old: &[Line]) -> Option<NotApplied> {
    let (_, remark) = remark(content, document, old)?;
    let last = old.last()?;
    Some(NotApplied { line: last.line, text: last.text.clone(), content: Some(remark.to_owned()) })
}

/// Returns whether a text is one pair of brackets around a sentence. A single word is text, such as `[silence]`.
fn is_note(text: &str) -> bool {
    const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('（', '）'), ('【', '】')];
    let is_sentence = |text: &str| {
        let is_word = |word: &&str| word.contains(char::is_alphanumeric);
        words::split(text).filter(is_word).nth(1).is_some()
    };
    BRACKETS.iter().any(|(open, close)| {
        let inside = text.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close));
        inside.is_some_and(|inside| !inside.contains([*open, '\n']) && is_sentence(inside))
    })
}

/// Returns whether a line resembles no old line and no old line has the same beginning.
fn is_new(first: &str, old: &[Line]) -> bool {
    let likeness = |line: &Line| rows::likeness(&line.text, first).unwrap_or_default();
    let first_word = |text: &str| text.split_whitespace().next().map(str::to_owned);
    let word = first_word(first).filter(|word| word.chars().count() >= SHORTEST_WORD);
    let begins = |line: &Line| {
        rows::is_first_part(&line.text, first.trim_end_matches([':', '：']))
            || word.is_some() && first_word(&line.text) == word
    };
    !old.iter().any(|line| likeness(line) >= MOST_ALIKE || begins(line))
}

/// Returns whether a text begins with an item or a quotation and no old line is in one: a line above it introduces it.
fn begins_new_container(rest: &str, document: &Document, old: &[Line]) -> bool {
    const ITEMS: [Sign; 3] = [Sign::Task { checked: false }, Sign::Bullet, Sign::Number(1)];
    let Some(first) = rest.lines().find(|row| !row.trim().is_empty()) else { return false };
    let shown = rows::shown_as(document, old);
    [&ITEMS[..], &[Sign::Quote]].iter().any(|signs| {
        let has_sign = |row: &str| signs.iter().any(|sign| sign.read(row.trim_start()).is_some());
        has_sign(first) && !shown.iter().any(|row| has_sign(row))
    })
}

/// Returns whether a text is the old lines with changes: it has the first of them, or the one after a heading, or, if
/// it follows an empty line, one line for the only old one.
fn is_edited(rest: &str, document: &Document, old: &[Line], is_apart: bool) -> bool {
    let apart = BLOCKS.iter().fold(rest.to_owned(), |text, tag| text.replace(tag, &format!("\n{tag}")));
    let text = content::without_tags(&apart);
    let lines = content::written_lines(&text).into_iter().filter(|line| fence::of_line(line).is_none());
    // A row of Markdown's tables has several.
    let cells = |line| if str::starts_with(line, '|') { line.split('|').map(str::trim).collect() } else { vec![line] };
    let lines: Vec<&str> = lines.flat_map(cells).filter(|line| line.contains(char::is_alphanumeric)).collect();
    let shown = rows::shown_as(document, old);
    let texts = rows::texts_or_leaves(document, old);
    let filled: Vec<&str> = texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    let given: Vec<&str> = rest.lines().map(str::trim_end).filter(|row| !row.is_empty()).collect();
    let is_old = |(at, row): (usize, &&str)| shown[at].trim_end() == *row || old[at].text.trim_end() == *row;
    let is_same = !content::has_tag(rest) && given.len() == old.len() && given.iter().enumerate().all(is_old);
    let is_only = matches!(filled[..], [only] if is_apart && lines.len() == 1 && !only.ends_with([':', '：']));
    let like = |old: &str, line: &str| rows::likeness(old, &rows::bare(without_signs(line))).unwrap_or_default();
    // A line belongs to the old line that it is most similar to.
    let is_it = |old: &str, line: &str| {
        let here = like(old, line);
        here >= rows::LEAST && filled.iter().all(|other| like(other, line) <= here)
    };
    let is_there = |old: &&str| lines.iter().any(|line| is_it(old, line));
    // A section is given without its heading.
    let has_heading = old.first().is_some_and(|line| line.kind == "heading");
    let begins = filled.iter().take(1 + usize::from(has_heading)).any(is_there);
    !is_same && (is_only || begins)
}
