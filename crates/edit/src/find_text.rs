//! Resolves an edit of text: where the text is, and which blocks change.
//!
//! A text is looked for inside lines, across marks: exactly first, then with the differences set aside that models do
//! not see (width, quotes, dashes, spaces). Never is the first of several taken silently.

use super::as_shown;
use super::retext;
use super::rewrite::{Content, LineChange, LineChanges, rewrite};
use super::segments::{self, Segment};
use super::target::TextMatch;
use crate::Error;
use copydesk_base::error::excerpt;
use copydesk_document::{Document, Line, Node, OBJECT, join_texts};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Number of lines that are shown if the text is not found.
const NEAREST: usize = 3;
/// Number of matches that are listed if there are several.
const MOST_PLACES: usize = 20;

/// A resolved edit of text.
#[derive(Debug, Default)]
pub struct TextResolved {
    /// The top-level blocks that change.
    pub blocks: Range<usize>,
    /// Their replacements.
    pub with: Vec<Node>,
    /// The lines in which text was replaced, one entry for each place.
    pub lines: Vec<usize>,
    /// True if the text matches to the letter, not only after normalization.
    pub exact: bool,
}

/// A place of a text: the line and the bytes in its text.
#[derive(Clone)]
struct Place<'l> {
    line: &'l Line,
    bytes: Range<usize>,
}

impl Place<'_> {
    /// Returns whether the match includes something other than text.
    fn has_object(&self) -> bool {
        self.line.text[self.bytes.clone()].contains(OBJECT)
    }
}

fn in_one_line(a: &Place, b: &Place) -> bool {
    a.line.line == b.line.line
}

/// Finds what an edit of text comes to.
///
/// # Errors
/// [`Error::TextNotFound`] with the nearest lines, [`Error::TextAmbiguous`] with all places.
pub fn resolve(document: &Document, asked: &TextMatch, new: &str) -> Result<TextResolved, Error> {
    let lines = document.lines();
    let (places, exact) = chosen(document, &lines, asked)?;
    let mut inlines = Inlines::new(document, &lines);
    let new = new.replace("\r\n", "\n");
    let change = |places: &[Place]| {
        let line = places[0].line.line;
        let ranges: Vec<Range<usize>> = places.iter().map(|place| place.bytes.clone()).collect();
        (line, change(document, inlines.of(line - 1), &ranges, &new))
    };
    let changes: LineChanges = places.chunk_by(in_one_line).map(change).collect();
    let (blocks, with) = rewrite(document, &changes)?;
    Ok(TextResolved { blocks, with, lines: places.iter().map(|place| place.line.line).collect(), exact })
}

/// The lines in which an edit of text would replace something, one entry for each place.
///
/// # Errors
/// As [`resolve`].
pub fn lines_of(document: &Document, asked: &TextMatch) -> Result<Vec<usize>, Error> {
    let lines = document.lines();
    Ok(chosen(document, &lines, asked)?.0.iter().map(|place| place.line.line).collect())
}

/// The places that are meant, and whether the text stands there to the letter.
fn chosen<'l>(document: &Document, lines: &'l [Line], asked: &TextMatch) -> Result<(Vec<Place<'l>>, bool), Error> {
    let invalid = |expected: &str| {
        Error::Base(copydesk_base::Error::InvalidParameter {
            name: "old".into(),
            given: excerpt(&asked.old),
            expected: expected.into(),
        })
    };
    if asked.old.trim().is_empty() {
        return Err(invalid("the text to replace"));
    }
    if asked.old.trim_end_matches('\n').contains('\n') {
        return Err(invalid("a text inside one line; several lines are changed by their numbers"));
    }
    let total = document.line_count();
    let near = match asked.near_line {
        None => None,
        Some(line) => match usize::try_from(line) {
            Ok(near) if (1..=total).contains(&near) => Some(near),
            _ => return Err(Error::LineOutOfRange { start: line, end: line, total }),
        },
    };
    let old = asked.old.trim_end_matches('\n');
    let mut places = find(lines, |text| exactly(text, old));
    let exact = !places.is_empty();
    if !exact {
        let wanted = normalised(old).0;
        let wanted = wanted.trim();
        if !wanted.is_empty() {
            places = find(lines, |text| nearly(text, wanted));
        }
    }
    let mut inlines = Inlines::new(document, lines);
    // What begins inside a node and ends outside of it, such as in a footnote, cannot give way to one text.
    if places.iter().any(Place::has_object) {
        let whole = |places: &[Place<'l>]| {
            let ranges: Vec<Range<usize>> = places.iter().map(|place| place.bytes.clone()).collect();
            let cut = match places.iter().any(Place::has_object) {
                true => retext::cut_objects(document.schema(), inlines.of(places[0].line.line - 1), &ranges),
                false => vec![false; places.len()],
            };
            let kept = places.iter().zip(cut).filter(|(place, cut)| !(*cut && place.has_object()));
            kept.map(|(place, _)| place.clone()).collect::<Vec<_>>()
        };
        places = places.chunk_by(in_one_line).flat_map(whole).collect();
    }
    if places.is_empty() {
        return Err(Error::TextNotFound { old: excerpt(old), nearest: nearest(lines, old) });
    }
    if places.len() > 1 && !asked.all {
        places = match near {
            Some(near) => nearest_place(places, near, old)?,
            None => return Err(ambiguous(old, &places)),
        };
    }
    Ok((places, exact))
}

/// A line with other text in some of its ranges. Newlines in that text begin new lines.
fn change(document: &Document, inline: &[Node], ranges: &[Range<usize>], new: &str) -> LineChange {
    let mut lines = vec![Vec::new()];
    for node in retext::replace_all(document.schema(), inline, ranges, new) {
        match node.text() {
            Some(text) if text.contains('\n') => {
                for (index, piece) in text.split('\n').enumerate() {
                    if index > 0 {
                        lines.push(Vec::new());
                    }
                    if let (false, Some(last)) = (piece.is_empty(), lines.last_mut()) {
                        last.push(node.with_text(piece));
                    }
                }
            }
            _ => lines.last_mut().into_iter().for_each(|last| last.push(node.clone())),
        }
    }
    let mut contents = lines.into_iter().map(|nodes| Content::Inline(join_texts(nodes)).into());
    let own = contents.next().unwrap_or(Content::Same.into());
    LineChange::Lines { before: Vec::new(), own, after: contents.collect() }
}

/// The inline content of lines of whole blocks. A textblock is cut into its lines once, where these are asked for one
/// after the other.
pub struct Inlines<'d> {
    document: &'d Document,
    lines: &'d [Line],
    /// The textblock that is cut: which of the lines is its first, and all of them.
    open: Option<(usize, Vec<Segment>)>,
}

impl<'d> Inlines<'d> {
    /// `lines` has every line of each block that is in it.
    pub fn new(document: &'d Document, lines: &'d [Line]) -> Inlines<'d> {
        Inlines { document, lines, open: None }
    }

    /// The inline content of a line, by its index.
    pub fn of(&mut self, at: usize) -> &[Node] {
        let is_open = self.open.as_ref().is_some_and(|(first, all)| (*first..first + all.len()).contains(&at));
        if !is_open {
            let path = &self.lines[at].path;
            let first = at - self.lines[..at].iter().rev().take_while(|line| line.path == *path).count();
            self.open = self.holder(at).map(|block| (first, segments::split(self.document.schema(), block)));
        }
        let segment = self.open.as_ref().and_then(|(first, all)| all.get(at - first));
        segment.map_or(&[], |segment| &segment.inline)
    }

    /// A line.
    pub fn line(&self, at: usize) -> &'d Line {
        &self.lines[at]
    }

    /// The textblock or leaf that a line is in.
    pub fn holder(&self, at: usize) -> Option<&'d Node> {
        let (last, parents) = self.lines[at].path.split_last()?;
        let parent =
            parents.iter().try_fold(self.document.blocks(), |nodes, index| Some(nodes.get(*index)?.children()));
        parent?.get(*last)
    }
}

fn find<'l>(lines: &'l [Line], ranges: impl Fn(&str) -> Vec<Range<usize>>) -> Vec<Place<'l>> {
    lines.iter().flat_map(|line| ranges(&line.text).into_iter().map(move |bytes| Place { line, bytes })).collect()
}

fn exactly(text: &str, old: &str) -> Vec<Range<usize>> {
    text.match_indices(old).map(|(at, found)| at..at + found.len()).collect()
}

fn nearly(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let (folded, sources) = normalised(text);
    let found = folded.match_indices(wanted).filter_map(|(at, found)| {
        let (last, next) = (at + found.len() - 1, at + found.len());
        // One sign may stand for several, as "…" for "...": it is found whole or not at all.
        let cuts = |end: usize| end > 0 && end < sources.len() && sources[end - 1] == sources[end];
        (!cuts(at) && !cuts(next)).then(|| sources[at].start..sources[last].end)
    });
    found.collect()
}

/// A text with what models do not tell apart made one, and for each byte of it the bytes of the text that it stands
/// for.
pub fn normalised(text: &str) -> (String, Vec<Range<usize>>) {
    let (mut out, mut sources) = (String::new(), Vec::<Range<usize>>::new());
    for (at, c) in text.char_indices() {
        let source = at..at + c.len_utf8();
        let same: Option<&str> = match c {
            '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' => Some(""),
            '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '＂' => Some("\""),
            '‘' | '’' | '‚' | '‛' | '＇' | '`' | '´' => Some("'"),
            '‐'..='―' | '−' | '－' => Some("-"),
            '…' => Some("..."),
            '。' | '．' => Some("."),
            '、' => Some(","),
            _ if c.is_whitespace() => Some(" "),
            _ => None,
        };
        let start = out.len();
        match same {
            Some(" ") if out.ends_with(' ') => {
                // Several spaces are one, which stands for all of them.
                if let Some(last) = sources.last_mut() {
                    last.end = source.end;
                }
                continue;
            }
            Some(same) => out.push_str(same),
            None => match c {
                '\u{FF01}'..='\u{FF5E}' => out.push(char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c)),
                _ => out.push(c),
            },
        }
        sources.extend(std::iter::repeat_n(source, out.len() - start));
    }
    (out, sources)
}

fn nearest_place<'l>(places: Vec<Place<'l>>, near: usize, old: &str) -> Result<Vec<Place<'l>>, Error> {
    let distance = |place: &Place| place.line.line.abs_diff(near);
    let least = places.iter().map(distance).min().unwrap_or(0);
    let mut nearest: Vec<Place> = places.into_iter().filter(|place| distance(place) == least).collect();
    if nearest.len() > 1 {
        return Err(ambiguous(old, &nearest));
    }
    nearest.truncate(1);
    Ok(nearest)
}

fn ambiguous(old: &str, places: &[Place]) -> Error {
    let shown = places.iter().take(MOST_PLACES).map(|place| (place.line.line, around(place)));
    Error::TextAmbiguous { old: excerpt(old), count: places.len(), places: shown.collect() }
}

/// A place with some of what stands around it.
fn around(place: &Place) -> String {
    const AROUND: usize = 40;
    let text = &place.line.text;
    let start = text[..place.bytes.start].char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let end = text[place.bytes.end..].char_indices().nth(AROUND).map_or(text.len(), |(at, _)| place.bytes.end + at);
    let (left, right) = (if start > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
    format!("{left}{}{right}", &text[start..end])
}

/// The lines that are most like a text.
fn nearest(lines: &[Line], old: &str) -> Vec<(usize, String)> {
    let pairs_of = |text: &str| {
        let text: Vec<char> = normalised(text).0.to_ascii_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
        let mut pairs: FxHashMap<(char, char), usize> = FxHashMap::default();
        text.windows(2).for_each(|pair| *pairs.entry((pair[0], pair[1])).or_default() += 1);
        pairs
    };
    let wanted = pairs_of(old);
    let total: usize = wanted.values().sum::<usize>().max(1);
    let mut best = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if as_shown::comparable(&line.text).is_empty() {
            continue;
        }
        let there = pairs_of(&line.text);
        let common: usize =
            wanted.iter().map(|(pair, count)| there.get(pair).map_or(0, |found| *count.min(found))).sum();
        // Of two lines that have as much of it, the shorter one is nearer.
        let distance = 100_000 - common * 100_000 / total + there.values().sum::<usize>().min(999);
        best.push((distance, at));
    }
    best.sort_unstable();
    best.truncate(NEAREST);
    let mut best: Vec<usize> = best.into_iter().map(|(_, at)| at).collect();
    best.sort_unstable();
    best.into_iter().map(|at| (lines[at].line, excerpt(&lines[at].text))).collect()
}
