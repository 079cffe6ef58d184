//! Signs that models do not tell apart: width, quotes, dashes, spaces.

use super::word_diff::diff_words;
use copydesk_document::align::{Match, matches};
use copydesk_document::words;
use std::ops::Range;

/// A differing range of two texts is compared sign by sign up to this many signs on each side.
const MOST_SIGNS: usize = 400;

/// Returns a text in a normal form, in which characters that models confuse are the same, and for each byte of it the
/// bytes of the text that it represents.
pub fn normalised(text: &str) -> (String, Vec<Range<usize>>) {
    normalised_with(text, false)
}

/// As [`normalised`]. `joins_hyphens` is true if two or three hyphens are a dash.
fn normalised_with(text: &str, joins_hyphens: bool) -> (String, Vec<Range<usize>>) {
    let mut dashes = if joins_hyphens { hyphens(text) } else { Vec::new() }.into_iter().peekable();
    let mut done = 0;
    let (mut out, mut sources) = (String::new(), Vec::<Range<usize>>::new());
    for (at, c) in text.char_indices() {
        if at < done {
            continue;
        }
        let mut source = dashes.next_if(|dash| dash.start == at).unwrap_or(at..at + c.len_utf8());
        done = source.end;
        let same: Option<&str> = match c {
            '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' => Some(""),
            '＂' | '״' | '″' => Some("\""),
            '‘' | '’' | '‚' | '‛' | '＇' | '`' | '´' | '׳' | '′' => Some("'"),
            _ if is_quote(c) => Some("\""),
            '‐'..='―' | '−' | '－' => Some("-"),
            '…' => Some("..."),
            '。' | '．' => Some("."),
            '、' => Some(","),
            _ if c.is_whitespace() => Some(" "),
            _ => None,
        };
        let before = &text[..at];
        // French quotes and their spaces are one sign. German ones are the other way round.
        let is_of_quote = || before.strip_suffix('«').is_some_and(|text| !text.ends_with(char::is_alphanumeric));
        if same == Some(" ") && (out.ends_with(' ') || is_of_quote()) {
            // Several spaces are one, which represents all of them.
            if let Some(last) = sources.last_mut() {
                last.end = source.end;
            }
            continue;
        }
        let closes = || !text[source.end..].starts_with(char::is_alphanumeric);
        if c == '»' && out.ends_with(' ') && closes() {
            out.pop();
            source.start = sources.pop().map_or(at, |space| space.start);
        }
        let start = out.len();
        match same {
            Some(same) => out.push_str(same),
            None => out.push(narrow(c)),
        }
        sources.extend(std::iter::repeat_n(source, out.len() - start));
    }
    (out, sources)
}

/// Returns the bytes of each run of two or three hyphens that is between words or between spaces.
fn hyphens(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = text[at..].find("--").map(|offset| at + offset) {
        at = start + text[start..].bytes().take_while(|byte| *byte == b'-').count();
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let beside = [text[..start].chars().next_back(), text[at..].chars().next()].map(is_space);
        if at - start <= 3 && beside[0] == beside[1] {
            found.push(start..at);
        }
    }
    found
}

fn is_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '‘' | '’' | '‚' | '‛')
}

/// Returns a character of ASCII for its form in full width.
pub fn narrow(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

/// Returns a new text in which the unchanged parts of `old` are written as in `found`, the text of the document that
/// `old` means.
pub fn adapted(old: &str, new: &str, found: &str) -> String {
    let ((old_same, old_sources), (found_same, found_sources)) = (normalised(old), normalised(found));
    if old == found || old_same != found_same {
        return new.to_owned();
    }
    // An author who writes the letters and digits of the document in full width writes new ones so, too.
    let is_wide = |text: &str| text.contains(|c: char| narrow(c) != c && c.is_alphanumeric());
    let narrowed: Option<String> = (is_wide(old) && !is_wide(found))
        .then(|| new.chars().map(|c| if c.is_alphanumeric() { narrow(c) } else { c }).collect());
    let new = narrowed.as_deref().unwrap_or(new);
    let mut out = String::with_capacity(new.len());
    let mut done = 0;
    for (from, to) in common(old, new) {
        // The bytes of the common form, where these are whole signs on both sides.
        let first = old_sources.partition_point(|source| source.start < from.start);
        let end = old_sources.partition_point(|source| source.end <= from.end);
        let is_cut = |at: usize| {
            let cuts = |sources: &[Range<usize>]| at > 0 && at < sources.len() && sources[at - 1] == sources[at];
            cuts(&old_sources) || cuts(&found_sources)
        };
        if first >= end || is_cut(first) || is_cut(end) {
            continue;
        }
        // Invisible characters at its ends are as the new text states them.
        let (start, stop) = (old_sources[first].start - from.start, from.end - old_sources[end - 1].end);
        out.push_str(&new[done..to.start + start]);
        out.push_str(&found[found_sources[first].start..found_sources[end - 1].end]);
        done = to.end - stop;
    }
    out.push_str(&new[done..]);
    out
}

/// Returns a new text in which the unchanged parts of `found` have its quotes, dashes, ellipses and spaces, if the new
/// text has them as a keyboard has them, or other spaces. `None` if nothing else is changed, since then that change is
/// intended; `changes_words` states that the content changes words elsewhere.
pub fn retyped(new: &str, found: &str, changes_words: bool) -> Option<String> {
    if found.is_ascii() && new.is_ascii() {
        return None;
    }
    let joins_hyphens = found.contains(['–', '—']) && !found.contains("--");
    let ((old_same, old_sources), (new_same, new_sources)) = (normalised(found), normalised_with(new, joins_hyphens));
    if !changes_words && old_same == new_same {
        return None;
    }
    let mut out = String::with_capacity(new.len());
    let mut done = 0;
    for (from, to) in common(&old_same, &new_same) {
        let (mut at, text) = (0, &old_same[from.clone()]);
        for (next, sign) in text.char_indices() {
            let end = next + sign.len_utf8();
            let part = |sources, start: usize| source(sources, start + at..start + end);
            let Some((old, same)) = part(&old_sources, from.start).zip(part(&new_sources, to.start)) else { continue };
            out.push_str(&new[done..same.start]);
            let (found, given) = (&found[old], &new[same.clone()]);
            // A hyphen beside another one, as before an option, is no dash.
            let is_part = given == "-" && (new[..same.start].ends_with('-') || new[same.end..].starts_with('-'));
            out.push_str(if is_retyped(found, given) && !is_part { found } else { given });
            (at, done) = (end, same.end);
        }
    }
    out.push_str(&new[done..]);
    Some(out).filter(|text| text != new)
}

/// Returns whether a quote, dash, ellipsis or space is another one as a keyboard has it, or another space.
fn is_retyped(found: &str, new: &str) -> bool {
    let is_sign = |c| matches!(c, '‐'..='―' | '…') || is_quote(c) || c.is_whitespace();
    let plain = plain(found);
    let is_same = match &*plain {
        " " => new.trim().is_empty(),
        "-" => new.bytes().all(|byte| byte == b'-'),
        plain => plain == new,
    };
    found.chars().all(is_sign) && is_same
}

/// Returns the bytes that a range of a normal form represents. `None` if they are not whole characters.
fn source(sources: &[Range<usize>], range: Range<usize>) -> Option<Range<usize>> {
    let is_cut = |at: usize| at > 0 && at < sources.len() && sources[at - 1] == sources[at];
    let is_whole = !range.is_empty() && !is_cut(range.start) && !is_cut(range.end);
    is_whole.then(|| sources[range.start].start..sources[range.end - 1].end)
}

/// Returns a text with what models do not tell apart made one.
pub fn plain(text: &str) -> String {
    normalised(text).0
}

/// Returns the ranges of bytes that two texts have in common.
fn common(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let (old_words, new_words): (Vec<&str>, Vec<&str>) = (words::split(old).collect(), words::split(new).collect());
    let (old_ends, new_ends) = (words::ends(&old_words), words::ends(&new_words));
    let mut ranges: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for chunk in diff_words(&old_words, &new_words, |_| false) {
        let from = old_ends[chunk.old.start]..old_ends[chunk.old.end];
        let to = new_ends[chunk.new.start]..new_ends[chunk.new.end];
        let signs_of = |text: &str| words::signs(text).count();
        if signs_of(&old[from.clone()]).max(signs_of(&new[to.clone()])) > MOST_SIGNS {
            continue;
        }
        let (old_signs, new_signs): (Vec<&str>, Vec<&str>) =
            (words::signs(&old[from.clone()]).collect(), words::signs(&new[to.clone()]).collect());
        let (from_ends, to_ends) = (words::ends(&old_signs), words::ends(&new_signs));
        ranges.extend(matches(&old_signs, &new_signs).into_iter().map(|Match { old, new, len }| {
            let (start, end) = (from_ends[old], from_ends[old + len]);
            let (new_start, new_end) = (to_ends[new], to_ends[new + len]);
            (from.start + start..from.start + end, to.start + new_start..to.start + new_end)
        }));
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::{plain, retyped};
    use copydesk_test_support::random::Random;

    #[test]
    fn hyphens_in_the_place_of_a_dash_are_the_dash() {
        for (new, found, made) in [
            ("A dash -- dash new", "A dash — dash old", "A dash — dash new"),
            ("pages 1--2 new", "pages 1–2 old", "pages 1–2 new"),
            ("a --- b new", "a — b old", "a — b new"),
        ] {
            assert_eq!(retyped(new, found, true).as_deref(), Some(made));
        }
        // The document has such hyphens, they begin an option, or there are too many.
        for (new, found) in [("a --b — d", "a --b — c"), ("x --flag —", "x —"), ("a ---- b", "a — c")] {
            assert_eq!(retyped(new, found, true), None, "{new:?}");
        }
    }

    #[test]
    fn what_is_retyped_reads_as_the_new_text() {
        let mut random = Random::new();
        const SIGNS: [&str; 14] = ["a", "b", "é", "1", " ", "\u{a0}", "«", "»", "“", "\"", "…", "...", "–", "\u{200d}"];
        for _ in 0..20_000 {
            let mut text = || (0..random.below(12)).map(|_| SIGNS[random.below(SIGNS.len())]).collect::<String>();
            let (found, new) = (text(), text());
            let words = |text: &str| plain(text).chars().filter(|c| !c.is_whitespace()).collect::<String>();
            if let Some(made) = retyped(&new, &found, true) {
                assert_eq!(words(&made), words(&new), "{new:?} in the place of {found:?}: {made:?}");
            }
        }
    }
}
