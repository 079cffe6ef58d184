//! Numbers of lines before the rows of content: `5: `, `5 | `, `[5] `, `L5: `, `第5行：`.
//!
//! Rows are numbered if all of them are, in one form, by consecutive numbers. Fences and blank rows may lack numbers.
//! Forms that begin items too, such as `5. `, need rows that resemble the lines that they replace.

use crate::rows::{self, likeness};
use crate::typography::narrow;
use crate::{as_shown, content};
use copydesk_document::notation::Headline;
use copydesk_document::{Document, Line};

/// Likeness from which on two texts are one text edited, out of 100.
const ALIKE: u32 = 50;
/// The text before and behind a number, and whether content rarely begins like this by itself.
type Form = (&'static str, &'static str, bool);
const FORMS: [Form; 22] = [
    ("", ":", true),
    ("", "：", true),
    ("", " |", true),
    ("", "|", true),
    ("", "\t", true),
    ("", "→", true),
    ("[", "]:", true),
    ("[", "]", true),
    ("【", "】", true),
    ("Line ", ":", true),
    ("line ", ":", true),
    ("L", ":", true),
    ("L", "", true),
    ("第", "行：", true),
    ("第", "行:", true),
    ("第", "行", true),
    ("(", ")", false),
    ("#", "", false),
    ("", ")", false),
    ("", ".", false),
    ("", " -", false),
    ("", " –", false),
];

/// The lines that content is for.
#[derive(Clone, Copy)]
pub enum Old<'a> {
    /// These.
    These(&'a [Line]),
    /// These of a document. The rows may repeat lines around them.
    In(&'a Document, &'a [Line]),
    /// Some of a document: one of the rows is as it was.
    SomeOf(&'a Document),
}

/// Returns rows without the numbers of their lines, and without the headline above them.
pub fn without_numbers(rows: Vec<String>, old: Old) -> Vec<String> {
    let has_headline = rows.len() > 1 && Headline::read(&rows[0]).is_some();
    let rows = if has_headline { rows[1..].to_vec() } else { rows };
    match FORMS.iter().find_map(|form| bare(&rows, form, old)) {
        Some(bare) => bare.into_iter().map(str::to_owned).collect(),
        None => rows,
    }
}

/// Returns a text without the numbers of its lines.
pub fn text_without_numbers(text: String, old: Old) -> String {
    let given = as_shown::lines(&text);
    let bare = without_numbers(given.clone(), old);
    match bare == given {
        true => text,
        false if text.ends_with('\n') => bare.join("\n") + "\n",
        false => bare.join("\n"),
    }
}

/// The rows that are numbered, each with its number and the text behind it.
type Numbered<'r> = Vec<(usize, &'r str)>;

/// Returns rows without numbers in one form. `None` if a row has none, or if they are text.
fn bare<'r>(rows: &'r [String], form: &Form, old: Old) -> Option<Vec<&'r str>> {
    let first = rows.iter().find_map(|row| number_in(row, form))?.0;
    let (mut bare, mut numbered, mut added) = (Vec::with_capacity(rows.len()), Numbered::new(), 0);
    for row in rows {
        let next = numbered.last().map_or(first, |(number, _)| number + 1);
        match number_in(row, form) {
            Some((number, _)) if number != next && number != next + added => return None,
            Some((number, rest)) => {
                bare.push(rest);
                numbered.push((number, rest));
            }
            None => {
                added += usize::from(!has_none(row));
                bare.push(row);
            }
        }
    }
    // One row of several may be new.
    let is_complete = added == 0 || added == 1 && numbered.len() > 1 && form.2;
    let is_spaced = || {
        let is_apart = |(row, rest): (&String, &&str)| {
            row[..row.len() - rest.len()].ends_with([' ', '\t', '→']) || rest.is_empty() || rest.starts_with('<')
        };
        rows.iter().zip(&bare).all(is_apart)
    };
    let is_sure = numbered.len() > 1 || is_spaced();
    (is_complete && are_numbers(&numbered, form, old, is_sure)).then_some(bare)
}

/// Returns whether numbers before rows are those of their lines.
fn are_numbers(numbered: &Numbered, form: &Form, given: Old, is_sure: bool) -> bool {
    let Some((first, _)) = numbered.first() else { return false };
    let given = match given {
        Old::In(document, named) if form.2 && repeats_around(document, named, numbered) => return true,
        Old::In(_, named) => Old::These(named),
        given => given,
    };
    let old = match given {
        Old::SomeOf(document) => texts_from(document, *first),
        Old::These(old) | Old::In(_, old) => old.iter().map(|line| (line.line, line.text.clone())).collect(),
    };
    let begins = |text: &str, number: usize| number_in(text, form).is_some_and(|(found, _)| found == number);
    let mut pairs = old.iter().zip(numbered);
    if pairs.clone().any(|((line, text), (_, rest))| begins(text, *line) && !begins(rest, *line)) {
        return false;
    }
    let is_same = |((_, old), (_, new)): (&(usize, String), &(usize, &str))| !old.is_empty() && new.ends_with(&**old);
    let is_alike = |((_, old), (_, new)): (&(usize, String), &(usize, &str))| {
        old == new || likeness(&content::without_tags(new), old).is_some_and(|like| like >= ALIKE)
    };
    // If nothing else differs, the sign of an item is what changes.
    let is_equal = |((_, old), (_, new)): (&(usize, String), &(usize, &str))| old == new;
    // Of a line with a sign the number is before that.
    let is_before_sign = |(at, (_, new)): (usize, &(usize, &str))| match given {
        Old::These(old) | Old::In(_, old) => old.get(at).is_none_or(|line| line.path.len() == 1) || rows::begins(new),
        Old::SomeOf(_) => true,
    };
    let are_alike = numbered.len() == old.len()
        && pairs.clone().all(is_alike)
        && (form.2 || numbered.iter().enumerate().all(is_before_sign) && !pairs.clone().all(is_equal));
    let is_here = old.first().is_some_and(|(line, _)| line == first);
    // A number before the sign of an item, row by row, is not part of its text.
    let are_before_signs = |named: &[Line]| {
        named.len() > 1
            && named.len() == numbered.len()
            && named.iter().all(|line| line.path.len() > 1)
            && numbered.iter().all(|(_, new)| rows::begins(new))
    };
    match given {
        Old::SomeOf(_) => form.2 && pairs.any(is_same),
        Old::These(named) | Old::In(_, named) => {
            form.2 && (is_here && is_sure || are_before_signs(named))
                || are_alike && (is_here || form.2 && numbered.len() > 1)
        }
    }
}

/// Returns whether rows are numbered as lines from before the named ones or up to behind them are, and repeat those.
fn repeats_around(document: &Document, named: &[Line], numbered: &Numbered) -> bool {
    let (Some(first), Some(last)) = (named.first(), named.last()) else { return false };
    let (Some((from, _)), Some((to, _))) = (numbered.first(), numbered.last()) else { return false };
    let has_all = *from <= first.line && last.line <= *to;
    let old = if has_all { document.lines_between(*from, *to) } else { Vec::new() };
    let is_same = |(line, (_, row)): (&Line, &(usize, &str))| {
        let is_named = (first.line..=last.line).contains(&line.line);
        is_named || content::without_tags(row).trim_end().ends_with(line.text.trim_end())
    };
    old.len() > named.len() && old.len() == numbered.len() && old.iter().zip(numbered).all(is_same)
}

/// Returns the texts of the lines of a document from one on, with their numbers.
fn texts_from(document: &Document, first: usize) -> Vec<(usize, String)> {
    let mut texts = Vec::new();
    document.each_line(0..document.blocks().len(), &mut |line| texts.push((line.line, line.text.to_owned())));
    texts.retain(|(line, _)| *line >= first);
    texts
}

/// Returns the number before a row, and the rest of the row behind one space, or behind a tab or an arrow. `5:30` is a
/// time.
fn number_in<'r>(row: &'r str, (before, behind, _): &Form) -> Option<(usize, &'r str)> {
    let rest = row.trim_start().strip_prefix(before)?;
    let digits: String = rest.chars().map(narrow).take_while(char::is_ascii_digit).collect();
    let number = digits.parse().ok()?;
    let rest = rest.char_indices().nth(digits.len()).map_or("", |(at, _)| &rest[at..]).strip_prefix(behind)?;
    let is_apart = rest.is_empty() || rest.starts_with(' ') || !behind.is_empty() && *behind != "." && *behind != ")";
    let ends_number = matches!(*behind, "\t" | "→");
    match rest.strip_prefix(' ').filter(|_| !ends_number) {
        Some(rest) => Some((number, rest)),
        None => {
            let is_one_number = !ends_number && rest.starts_with(|c: char| c.is_ascii_digit());
            (is_apart && !is_one_number).then_some((number, rest))
        }
    }
}

/// Returns whether a row has no number where others have one.
fn has_none(row: &str) -> bool {
    row.trim().is_empty() || row.trim_start_matches(['>', ' ', '|']).starts_with("```")
}
