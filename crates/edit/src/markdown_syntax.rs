//! Recognition of Markdown in text that may not be Markdown.

use super::content::Next;
use super::fence;

/// Returns whether content without tags is written in Markdown.
pub fn looks_like(content: &str) -> bool {
    let lines: Vec<&str> = fence::unfenced(content, fence::MARKDOWN).lines().map(str::trim_end).collect();
    // Not enough by itself: a title that may be a comment, a quotation, a thematic break.
    let (mut title, mut quote_or_rule) = (false, false);
    let mut before = "";
    let mut fences = fence::Fences::default();
    for (at, now) in lines.iter().copied().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let is_open = fences.is_open();
        fences.read(now);
        let is_closed = is_open && !fences.is_open();
        if is_closed || is_table(now, next) || has_list(&lines, at) || has_inline_mark(now) {
            return true;
        }
        if let Some((level, text)) = heading(now) {
            let first = ends(text).0;
            let begins = first.is_alphabetic() && !first.is_ascii_lowercase();
            if level > 1 || begins && next.is_empty() && before.is_empty() {
                return true;
            }
            title |= begins;
        }
        let is_rule = next.is_empty() && at > 0 && matches!(now, "---" | "***" | "___");
        let is_underline = now.len() >= 3 && run(now, b'=') == now.len() && !before.is_empty();
        quote_or_rule |= is_rule || is_underline || now.len() > 4 && now.starts_with("> ");
        before = now;
    }
    title && quote_or_rule
}

/// Returns the number of times that a byte is repeated at the beginning of a text.
pub(crate) fn run(text: &str, sign: u8) -> usize {
    text.bytes().take_while(|byte| *byte == sign).count()
}

/// A line without its indentation, and how deep that is.
pub(crate) fn indented(line: &str) -> (usize, &str) {
    let depth = run(line, b' ');
    (depth, &line[depth..])
}

/// Returns the first and the last character of a text; spaces if it is empty.
fn ends(text: &str) -> (char, char) {
    (text.chars().next().unwrap_or(' '), text.chars().next_back().unwrap_or(' '))
}

/// Returns whether a line is a thematic break of Markdown.
pub fn is_rule(text: &str) -> bool {
    let mut signs = text.trim().bytes().filter(|sign| !matches!(sign, b' ' | b'\t'));
    let Some(rule @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
    signs.clone().all(|sign| sign == rule) && signs.count() >= 2
}

/// Returns the level of the sign of a heading that a text begins with, and the text behind it.
pub(crate) fn heading_sign(text: &str) -> Option<(u8, &str)> {
    let level = run(text, b'#');
    let rest = text[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level as u8, rest))
}

/// The level and the text of a heading that begins with `#`.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let (depth, text) = indented(line);
    let level = run(text, b'#');
    let title = &text[level..];
    let is_heading = depth < 4 && (1..=6).contains(&level) && ends(title).0.is_whitespace();
    (is_heading && title.chars().any(char::is_alphanumeric)).then_some((level, title.trim()))
}

/// A line that may be an item of a list.
pub(crate) struct Item<'a> {
    /// The width of its indent.
    pub(crate) depth: usize,
    sign: u8,
    /// Its number; `None` for a bullet.
    pub(crate) number: Option<u32>,
    text: &'a str,
}

/// Reads a line that may be an item of a list.
pub(crate) fn item(line: &str) -> Option<Item<'_>> {
    let (depth, line) = indented(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let sign = *line.as_bytes().get(digits)?;
    let is_item = if digits > 0 { matches!(sign, b'.' | b')') } else { matches!(sign, b'-' | b'*' | b'+') };
    // Years and amounts are not numbers of items.
    if !is_item || digits > 3 {
        return None;
    }
    let rest = &line[digits + 1..];
    let text = rest.trim();
    let is_rule = text.bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_' | b' '));
    (matches!(ends(rest).0, ' ' | '\t') && !is_rule).then(|| Item {
        depth,
        sign,
        number: line[..digits].parse().ok(),
        text,
    })
}

/// Returns whether a list begins at a line: two items in a row, one below a line that announces it, a list in an
/// item, or a task.
fn has_list(lines: &[&str], at: usize) -> bool {
    let Some(first) = item(lines[at]).filter(|item| item.depth < 4) else { return false };
    if first.number.is_none() && matches!(first.text.as_bytes(), [b'[', b' ' | b'x' | b'X', b']', b' ', ..]) {
        return true;
    }
    let before = lines[..at].iter().rev().find(|line| !line.is_empty());
    if before.is_some_and(|line| matches!(ends(line).1, ':' | '：')) {
        return true;
    }
    for line in &lines[at + 1..] {
        match item(line) {
            Some(next) => {
                let follows = match (first.number, next.number) {
                    (Some(number), Some(next)) => next == number + 1 || next == number,
                    (None, None) => true,
                    _ => false,
                };
                return next.depth >= first.depth + 2 || next.sign == first.sign && follows;
            }
            // What belongs to an item is blank or indented.
            None if line.is_empty() || indented(line).0 >= 2 => {}
            None => return false,
        }
    }
    false
}

/// Returns whether a line is the head of a table: the next one draws the line below it.
fn is_table(head: &str, below: &str) -> bool {
    let is_rule = below.contains('|') && below.contains('-');
    if !is_rule || !head.contains('|') || !below.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ')) {
        return false;
    }
    cells(head) == cells(below)
}

/// Returns the number of cells in a row of a table.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let bars = row.bytes().filter(|byte| *byte == b'|').count();
    let (first, last) = ends(row);
    bars + 1 - usize::from(first == '|') - usize::from(last == '|' && bars > 1)
}

/// Returns whether a line has bold or other emphasised text, a link or a picture.
pub fn has_inline_mark(line: &str) -> bool {
    // Most lines contain none of the signs, so that one pass is enough.
    if !line.bytes().any(|byte| matches!(byte, b'*' | b'_' | b'~' | b'[')) {
        return false;
    }
    let text = without_code(line);
    has_bold(&text) || has_link(&text) || has_emphasis(&text) || underscored(&text).any(is_phrase)
}

/// Returns whether a line of content for old lines has marks that are not recognized elsewhere: code in backticks if no
/// old line has these, a word of an old line between `__` and `__`, or such a word with a part between other signs.
/// Without the old line such a word may be a name, as `__init__` is.
pub fn has_small_mark<'t>(line: &str, old: impl Iterator<Item = &'t str> + Clone) -> bool {
    let bare = without_code(line);
    if bare != line && !old.clone().any(|old| old.contains('`')) {
        return true;
    }
    let is_old = |word: &str| old.clone().any(|old| old.contains(word) && !old.contains(&format!("__{word}__")));
    underscored(&bare).any(is_old) || has_marked_part(&bare, old)
}

/// Returns whether a line has a word between `__` and `__`, and no old line has these.
pub fn has_underscored<'t>(line: &str, mut old: impl Iterator<Item = &'t str>) -> bool {
    line.contains("__") && underscored(&without_code(line)).next().is_some() && !old.any(|old| old.contains("__"))
}

/// Returns whether a line has an escape of Markdown.
pub fn has_escape(line: &str) -> bool {
    const ESCAPED: [char; 15] = ['*', '_', '~', '`', '#', '+', '-', '.', ')', '!', '<', '>', '[', '|', '$'];
    // An author who escapes a sign escapes all of its kind in the word: `¯\_(ツ)_/¯` has no escape.
    let is_escape = |word: &str, sign: char| {
        let escapes = word.match_indices('\\').filter(|(at, _)| word[at + 1..].starts_with(sign)).count();
        escapes > 0 && (!"*_~".contains(sign) || escapes == word.matches(sign).count())
    };
    line.split_whitespace().any(|word| ESCAPED.iter().any(|sign| is_escape(word, *sign)))
}

/// Returns whether a word with a part between two signs of marks is in one of the old lines, without these signs.
fn has_marked_part<'t>(line: &str, old: impl Iterator<Item = &'t str> + Clone) -> bool {
    const SIGNS: [&str; 4] = ["***", "**", "*", "~~"];
    let is_sign = |c: char| !c.is_alphanumeric();
    SIGNS.iter().filter(|sign| line.contains(**sign)).any(|sign| {
        let parts: Vec<&str> = line.split(sign).collect();
        parts.windows(3).any(|part| {
            let before = part[0].rsplit(is_sign).next().unwrap_or_default();
            let behind = part[2].split(is_sign).next().unwrap_or_default();
            let whole = format!("{before}{}{behind}", part[1]);
            whole.len() > part[1].len()
                && !part[1].trim().is_empty()
                && old.clone().any(|old| !old.contains(sign) && old.contains(&whole))
        })
    })
}

/// Returns the texts between `__` and `__` in a line that no letters, digits or further underscores adjoin.
fn underscored(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find("__")?;
            let before = ends(&rest[..at]).1;
            let inside = &rest[at + 2..];
            let end = inside.find("__")?;
            let (text, after) = (&inside[..end], &inside[end + 2..]);
            let is_edge = |c: char| !c.is_whitespace() && c != '_';
            let stands_alone = |c: char| !c.is_alphanumeric() && c != '_';
            let (first, last) = ends(text);
            rest = after;
            if !text.is_empty()
                && is_edge(first)
                && is_edge(last)
                && stands_alone(before)
                && stands_alone(ends(after).0)
            {
                return Some(text);
            }
        }
    })
}

/// Returns whether a text has letters or digits and is not an identifier, which begins with an ASCII letter and
/// continues with letters, digits and `_`.
fn is_phrase(text: &str) -> bool {
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    !is_name && text.chars().any(char::is_alphanumeric)
}

/// Returns whether a line has `*x*`, `_x_` or `~~x~~`, with spaces or signs around it and letters in it. `2 * 3` and
/// `snake_case_name` do not count.
fn has_emphasis(line: &str) -> bool {
    ["~~", "*", "_"].iter().any(|sign| {
        let is_sign = |c: char| sign.contains(c);
        let mut rest = line;
        while let Some(at) = rest.find(sign) {
            let before = ends(&rest[..at]).1;
            let inside = &rest[at + sign.len()..];
            let Some(end) = inside.find(sign) else { return false };
            let after = ends(&inside[end + sign.len()..]).0;
            let (first, last) = ends(&inside[..end]);
            let is_edge = |c: char| !c.is_whitespace() && !is_sign(c) && !matches!(c, '/' | '\\' | '.');
            let stands_alone = |c: char| !c.is_ascii_alphanumeric() && !is_sign(c) && !matches!(c, '/' | '\\');
            let has_edges = end > 0 && is_edge(first) && !last.is_whitespace() && !is_sign(last);
            if has_edges
                && stands_alone(before)
                && stands_alone(after)
                && inside[..end].chars().any(char::is_alphanumeric)
            {
                return true;
            }
            rest = &inside[end..];
        }
        false
    })
}

fn has_bold(line: &str) -> bool {
    ["**", "***"].iter().any(|sign| has_starred(line, sign))
}

/// Returns whether a line has text between two signs of asterisks.
fn has_starred(line: &str, sign: &str) -> bool {
    for (at, _) in line.match_indices(sign) {
        let rest = &line[at + sign.len()..];
        let Some(end) = rest.find(sign) else { return false };
        let (inside, before, after) = (&rest[..end], ends(&line[..at]).1, ends(&rest[end + sign.len()..]).0);
        let (first, last) = ends(inside);
        // Before a word, as in `2**3`, it is a power; beside a slash it is a path.
        let joins = |c: char| c.is_ascii_alphanumeric() || c == '*';
        let is_edge = |c: char| !c.is_whitespace() && !matches!(c, '*' | '/' | '\\');
        let has_edges = is_edge(first) && is_edge(last) && first != '.' && last != '(';
        // Behind a power there is another one.
        let is_power = joins(before) && !inside.chars().all(char::is_alphabetic) || joins(after);
        if has_edges && !is_power && inside.chars().any(char::is_alphanumeric) {
            return true;
        }
    }
    false
}

/// Returns whether a line has `[text](address)`.
fn has_link(line: &str) -> bool {
    let (mut opened, mut seen) = (None, 0);
    let (mut ends, mut spaces) = (Next::by(|text| text.find(')')), Next::by(|text| text.find(' ')));
    let (mut marks, mut letters) =
        (Next::by(|text| text.find([':', '.'])), Next::by(|text| text.find(char::is_alphabetic)));
    let mut titles = Next::by(|text| text.find(|c: char| !c.is_whitespace()));
    for (at, _) in line.match_indices("](") {
        opened = line[seen..at].rfind('[').map(|open| seen + open).or(opened);
        seen = at;
        let from = at + 2;
        let (Some(open), Some(end)) = (opened, ends.from(line, from)) else { continue };
        // `list[0](x.y)` is a call.
        let before = self::ends(&line[..open]).1;
        let space = spaces.from(line, from).filter(|space| *space < end);
        let address = from..space.unwrap_or(end);
        let joins = before.is_ascii_alphanumeric() || matches!(before, '_' | ']' | ')');
        let is_call = joins && !line[address.clone()].contains("://");
        let first = self::ends(&line[address.clone()]).0;
        let is_address =
            matches!(first, '/' | '#') || marks.from(line, from).is_some_and(|mark| address.contains(&mark));
        let mut title = |space: usize| titles.from(line, space).filter(|title| *title < end);
        let is_titled =
            space.is_none_or(|space| title(space).is_some_and(|at| line[at..].starts_with(['"', '\'', '('])));
        let says_something = before == '!' || open + 1 < at;
        let has_letter = letters.from(line, from).is_some_and(|letter| letter < end);
        if !is_call && is_address && is_titled && says_something && has_letter {
            return true;
        }
    }
    false
}

/// Removes code spans and fences: from a run of backticks to the next run of at least that length.
pub(crate) fn without_code(text: &str) -> String {
    let runs: Vec<(usize, usize)> = ticks(text).collect();
    // The length of the longest run from each run on.
    let mut longest = vec![0; runs.len() + 1];
    for (at, (_, length)) in runs.iter().enumerate().rev() {
        longest[at] = longest[at + 1].max(*length);
    }
    let mut kept = String::with_capacity(text.len());
    let (mut done, mut next) = (0, 0);
    while let Some((start, length)) = runs.get(next).copied() {
        kept.push_str(&text[done..start]);
        if longest[next + 1] < length {
            kept.push_str(&text[start..start + length]);
            done = start + length;
            next += 1;
            continue;
        }
        let ends = runs[next + 1..].iter().position(|(_, other)| *other >= length).unwrap_or(0);
        next += ends + 2;
        done = runs[next - 1].0 + runs[next - 1].1;
    }
    kept.push_str(&text[done..]);
    kept
}

/// Returns the offset and the length of each run of backticks.
fn ticks(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find('`')?;
        let length = run(&text[start..], b'`');
        rest = start + length;
        Some((start, length))
    })
}
