//! Other notations for rows: Markdown's headings that are closed or underlined, fences of tildes, and tables without
//! outer bars; printed bullets and boxes; signs in full width, and numbers in other digits or letters.

use super::shown::{Kind, ShownRow, Vocabulary};
use crate::markdown::{heading, item};
use crate::{fence, fit};
use copydesk_document::notation::Sign;
use std::borrow::Cow;

/// Bullets and boxes as they are printed, escaped or typed in haste, which are not signs of Markdown, each with its
/// sign.
const PRINTED: [(&str, &str); 14] = [
    ("• ", "- "),
    ("◦ ", "- "),
    ("▪ ", "- "),
    ("‣ ", "- "),
    ("● ", "- "),
    ("☐ ", "- [ ] "),
    ("☑ ", "- [x] "),
    ("☒ ", "- [x] "),
    ("-\u{a0}", "- "),
    ("- [ ]\u{a0}", "- [ ] "),
    ("- [x]\u{a0}", "- [x] "),
    ("- [] ", "- [ ] "),
    ("- \\[ \\] ", "- [ ] "),
    ("- \\[x\\] ", "- [x] "),
];

/// Returns rows in the notation that is shown. Rows that the document has stay.
pub(super) fn as_shown<'r>(rows: &'r [String], vocabulary: &Vocabulary) -> Cow<'r, [String]> {
    let is_sign = |(printed, sign): &(&str, &str)| {
        (vocabulary.has_tasks() || !sign.ends_with("] "))
            && rows.iter().any(|row| row.contains(printed))
            && !vocabulary.has_text_with(printed)
    };
    let printed: Vec<(&str, &str)> = PRINTED.into_iter().filter(is_sign).collect();
    let letters = letters(rows);
    let signed = |row: &str| signed(row, &printed).or_else(|| in_ascii(row, vocabulary, letters));
    let is_other = |row: &String| {
        signed(row).is_some()
            || row.contains("~~~")
            || row.starts_with('\t') && row.contains("```")
            || row.contains('|')
            || row.ends_with('#')
            || is_underline(row)
            || matches!(row.trim(), "=" | "==")
            || row.contains(">>")
            || row.contains('\t')
    };
    if !rows.iter().any(is_other) {
        return Cow::Borrowed(rows);
    }
    // Three dashes are shown for a rule. They underline where one of them is below a heading of the document.
    let is_heading =
        |text: &str| (1..=6).any(|level| vocabulary.known(&format!("{} {}", "#".repeat(level), text.trim())).is_some());
    let dashes_underline = rows.windows(2).any(|pair| pair[1].trim() == "---" && is_heading(&pair[0]));
    let (mut out, mut open, mut columns): (Vec<String>, Option<(char, usize)>, usize) = (Vec::new(), None, 0);
    let mut tabs = "";
    for (at, row) in rows.iter().enumerate() {
        let opened = fence::of_line(row);
        if open.is_none() {
            tabs = &row[..row.len() - row.trim_start_matches('\t').len()];
        }
        // Code is indented as its fence is.
        let row = &match row.strip_prefix(tabs).filter(|_| open.is_some() || opened.is_some()) {
            Some(inside) => "  ".repeat(tabs.len()) + inside,
            None => row.clone(),
        };
        match (open, opened) {
            (Some((sign, length)), Some((other, count, ""))) if sign == other && count >= length => {
                open = None;
                out.push(with_ticks(row, sign));
                continue;
            }
            (None, Some((sign, length, _))) if vocabulary.known(row).is_none() => {
                open = Some((sign, length));
                out.push(with_ticks(row, sign));
                continue;
            }
            _ => {}
        }
        if open.is_some() || vocabulary.known(row).is_some() {
            out.push(row.clone());
            columns = 0;
            continue;
        }
        let row = &with_spaces(row);
        // One sign is enough below a heading of the document.
        let is_short = matches!(row.trim(), "=" | "==") && out.last().is_some_and(|last| is_heading(last));
        let underlines = is_short || is_underline(row) && (dashes_underline || row.trim() != "---");
        if let Some(title) = out.last().filter(|_| underlines).and_then(|last| titled(last, row)) {
            out.pop();
            out.push(title);
            continue;
        }
        let is_bare = |row: &str| row.contains('|') && !row.trim_start().starts_with('|');
        let begins = |rule: &String| {
            let count = fit::markdown_cells(rule).len();
            (fit::is_table_rule(rule) && is_bare(row) && count == fit::cells_in(row)).then_some(count)
        };
        columns = match rows.get(at + 1).and_then(begins) {
            Some(count) => count,
            None if is_bare(row) => columns,
            None => 0,
        };
        out.push(match columns {
            0 => signed(row).unwrap_or_else(|| without_closing(row)),
            _ => format!("| {} |", row.trim()),
        });
    }
    Cow::Owned(out)
}

/// Returns rows in the notation in which documents are shown, according to the old lines: an underlined heading, and
/// bullets.
pub(super) fn in_place_of(old: &[ShownRow], rows: Vec<String>) -> Vec<String> {
    with_bullets(old, with_underlined(old, rows))
}

/// Returns rows that replace a heading, with the sign of a heading if the second row underlines the first.
fn with_underlined(old: &[ShownRow], mut rows: Vec<String>) -> Vec<String> {
    let [ShownRow { kind: Kind::Heading(_), signs, .. }] = old else { return rows };
    let titled = rows.get(1).and_then(|line| titled(&rows[0], line));
    let Some(title) = titled.filter(|_| signs.is_empty() && is_underline(&rows[1])) else { return rows };
    rows.splice(..2, [title]);
    rows
}

/// Returns rows that replace bullet items with the bullet of these, if all of them begin with one sign outside of ASCII
/// with which no old row begins.
fn with_bullets(old: &[ShownRow], rows: Vec<String>) -> Vec<String> {
    // Openings of quotations and brackets, and signs before numbers.
    const OPENING: &str = "“‘„‚«‹»›「『（〈《【〔［｛¿¡…€£¥₽₩₹±−√∑∞≈≤≥°※＊＃＋＞－｜［";
    let filled = || rows.iter().filter(|row| !row.trim().is_empty());
    let sign_of = |row: &str| row.trim_start_matches([' ', '\u{3000}']).chars().next();
    let Some(sign) = filled().next().and_then(|row| sign_of(row)) else { return rows };
    let is_bullet = !sign.is_ascii() && !sign.is_alphanumeric() && !OPENING.contains(sign);
    let are_items =
        !old.is_empty() && old.iter().all(|row| row.signs.last() == Some(&Sign::Bullet) && !row.text.starts_with(sign));
    if !is_bullet || !are_items || !filled().all(|row| sign_of(row) == Some(sign)) {
        return rows;
    }
    let bullet = |row: String| match row.split_once(sign) {
        Some((indent, text)) => format!("{}- {}", indent.replace('\u{3000}', "  "), text.trim_start()),
        None => row,
    };
    rows.into_iter().map(bullet).collect()
}

/// Returns a row with a space behind each sign of a quotation in a quotation.
fn with_spaces(row: &str) -> String {
    let inside = row.trim_start_matches([' ', '>']);
    let signs = &row[..row.len() - inside.len()];
    // A tab behind the sign of an item is a space.
    let number = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let sign = inside.len() - number.len() + 1;
    let is_sign = match sign {
        1 => number.starts_with(['-', '*', '+']),
        _ => number.starts_with(['.', ')']),
    };
    if is_sign && inside[sign..].starts_with('\t') {
        return format!("{signs}{} {}", &inside[..sign], inside[sign..].trim_start());
    }
    if signs.contains(">>") { signs.replace(">>", "> >").replace(">>", "> >") + inside } else { row.to_owned() }
}

/// Returns a row that begins with a printed sign with that of an item.
fn signed(row: &str, printed: &[(&str, &str)]) -> Option<String> {
    let text = row.trim_start_matches([' ', '\t', '>', '|']);
    let (sign, inside) = printed.iter().find_map(|(printed, sign)| Some((sign, text.strip_prefix(printed)?)))?;
    Some(format!("{}{sign}{}", &row[..row.len() - text.len()], inside.trim_start()))
}

/// The zeros of the digits that numbers are written with (Unicode, general category Nd).
const ZEROS: [char; 20] = [
    '0', '\u{660}', '\u{6F0}', '\u{7C0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}', '\u{BE6}', '\u{C66}',
    '\u{CE6}', '\u{D66}', '\u{E50}', '\u{ED0}', '\u{F20}', '\u{1040}', '\u{17E0}', '\u{1810}', '\u{FF10}',
];

/// Returns a row that begins with a sign in full width, or with a number in other digits or in `letters`, with the sign
/// that is shown, where the document has such signs and no text with this one. There may be one sign in another.
fn in_ascii(row: &str, vocabulary: &Vocabulary, letters: Option<(char, char)>) -> Option<String> {
    let outer = with_ascii_sign(row, vocabulary, letters)?;
    Some(with_ascii_sign(&outer, vocabulary, letters).unwrap_or(outer))
}

fn with_ascii_sign(row: &str, vocabulary: &Vocabulary, letters: Option<(char, char)>) -> Option<String> {
    const WIDE_SPACE: char = '\u{3000}';
    let text = row.trim_start_matches([' ', '\t', '>', '|', WIDE_SPACE]);
    let around = row[..row.len() - text.len()].replace(WIDE_SPACE, "  ");
    let sign = text.chars().next()?;
    let is_text = |marker: &str| vocabulary.has_text_with(marker);
    match sign {
        '＞' | '｜' | '－' | '＊' | '＋' if is_text(sign.encode_utf8(&mut [0; 4])) => None,
        '－' | '＊' | '＋' => {
            let rest = &text[sign.len_utf8()..];
            let inside = rest.trim_start();
            // `－ 5 °C` is a text.
            let is_item = inside.len() < rest.len() && !inside.starts_with(|c: char| c.is_numeric());
            is_item.then(|| format!("{around}- {inside}"))
        }
        '＃' if !is_text("＃") => {
            let inside = text.trim_start_matches('＃');
            let level = text[..text.len() - inside.len()].chars().count();
            let is_heading = level <= 6 && inside.starts_with([' ', WIDE_SPACE]);
            is_heading.then(|| format!("{around}{} {}", "#".repeat(level), inside.trim_start()))
        }
        '＞' if vocabulary.has_quotes() => Some(format!("{around}> {}", text['＞'.len_utf8()..].trim_start())),
        '｜' if vocabulary.has_cells() => {
            Some(format!("{around}| {}", text['｜'.len_utf8()..].replace('｜', "|").trim_start()))
        }
        _ if vocabulary.has_numbers() => {
            let (number, rest) = number(text).or_else(|| lettered(text, letters?))?;
            let marker = &text[..text.len() - rest.len()];
            (!is_text(marker)).then(|| format!("{around}{number}. {}", rest.trim_start()))
        }
        _ => None,
    }
}

/// Returns the number that a text begins with, if its digits, the sign or the space behind them are outside of ASCII.
fn number(text: &str) -> Option<(u32, &str)> {
    let digit =
        |c: char| ZEROS.iter().find_map(|zero| (c as u32).checked_sub(*zero as u32).filter(|digit| *digit < 10));
    let digits: Vec<u32> = text.chars().map_while(digit).take(9).collect();
    let behind = text.char_indices().nth(digits.len()).map_or("", |(at, _)| &text[at..]);
    let rest = behind.strip_prefix(['.', '．', ')', '）'])?;
    let is_ascii = text[..text.len() - rest.len()].is_ascii() && !rest.starts_with('\u{a0}');
    (!digits.is_empty() && !is_ascii).then(|| (digits.iter().fold(0, |number, digit| number * 10 + digit), rest))
}

/// Returns the letters that rows are numbered with and the sign behind them: at least two, in their order.
fn letters(rows: &[String]) -> Option<(char, char)> {
    let letter = |row: &String| {
        let mut chars = row.chars();
        let (letter, sign, space) = (chars.next()?, chars.next()?, chars.next()?);
        (letter.is_ascii_lowercase() && matches!(sign, '.' | ')') && space == ' ').then_some((letter, sign))
    };
    let found: Vec<(char, char)> = rows.iter().filter_map(letter).collect();
    let follow = |pair: &[(char, char)]| pair[0].1 == pair[1].1 && pair[0].0 as u32 + 1 == pair[1].0 as u32;
    (found.len() > 1 && found.windows(2).all(follow)).then(|| found[0])
}

/// Returns the number that a text begins with as a letter.
fn lettered(text: &str, (_, sign): (char, char)) -> Option<(u32, &str)> {
    let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
    let rest = text[1..].strip_prefix(sign)?.strip_prefix(' ')?;
    Some((letter as u32 - 'a' as u32 + 1, rest))
}

/// Returns whether a row underlines the one before it.
pub(crate) fn is_underline(row: &str) -> bool {
    let text = row.trim();
    // Two dashes are above a signature.
    text.len() >= 3 && ["=", "-"].iter().any(|sign| text.replace(sign, "").is_empty())
}

/// Returns a heading without the signs that close it.
pub(crate) fn without_closing(row: &str) -> String {
    let open = row.trim_end().trim_end_matches('#');
    let is_closed = open.len() < row.trim_end().len() && open.ends_with(' ') && heading(row).is_some();
    if is_closed && !open.trim().trim_matches('#').is_empty() { open.trim_end().to_owned() } else { row.to_owned() }
}

/// Returns an underlined row of text as a heading.
fn titled(row: &str, underline: &str) -> Option<String> {
    let text = row.trim();
    let level = if underline.trim().starts_with('=') { "#" } else { "##" };
    let is_text = !text.is_empty()
        && !text.starts_with(['>', '|', '<', '!', '`', '$'])
        && heading(row).is_none()
        && item(row).is_none();
    is_text.then(|| format!("{level} {text}"))
}

fn with_ticks(row: &str, sign: char) -> String {
    match sign {
        '~' => {
            let start = row.len() - row.trim_start_matches([' ', '\t', '>']).len();
            let behind = row[start..].trim_start_matches('~');
            format!("{}```{}", &row[..start], behind.trim())
        }
        _ => row.to_owned(),
    }
}
