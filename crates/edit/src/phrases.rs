//! Words with marks of their own inside a line.
//!
//! Plain text names such a phrase by its words. If they occur once in the old line and once in the new one, they are
//! the same phrase, wherever they are now, even if a diff of words would keep other words.

use copydesk_document::{Mark, Node, words};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The most phrases of a line that are looked for elsewhere in it.
const MOST_PHRASES: usize = 100;

/// Returns the bytes of the texts of whole words that have a mark in common that is not on all words of the line,
/// without the spaces and signs at their ends; longer ones first. `runs` are the nodes of the line with their bytes in
/// `text`.
pub(crate) fn phrases(text: &str, runs: &[(Range<usize>, &Node)]) -> Vec<Range<usize>> {
    let mut marks: Vec<&Mark> = Vec::new();
    for mark in runs.iter().flat_map(|(_, node)| node.marks()) {
        if !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let has_words = |range: &Range<usize>| text[range.clone()].contains(char::is_alphanumeric);
    let are_whole = |range: &Range<usize>| is_whole(text, range);
    let mut found: Vec<Range<usize>> = Vec::new();
    for mark in marks.into_iter().take(MOST_PHRASES) {
        let of_mark = runs.chunk_by(|(_, a), (_, b)| a.marks().contains(mark) == b.marks().contains(mark));
        let with_mark = of_mark.filter(|group| group[0].1.marks().contains(mark));
        let ranges =
            with_mark.map(|group| group[0].0.start..group[group.len() - 1].0.end).map(|range| trimmed(text, range));
        found.extend(ranges.filter(has_words).filter(are_whole));
    }
    found.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
    found.dedup();
    found.truncate(MOST_PHRASES);
    found
}

/// Returns the bytes of the only place at which a text has a phrase as words of their own.
pub(crate) fn only_place(text: &str, phrase: &str) -> Option<Range<usize>> {
    only_one(places(text, phrase), text, phrase)
}

/// Returns where a text has a phrase, also where two places overlap.
fn places<'t>(text: &'t str, phrase: &'t str) -> impl Iterator<Item = usize> + 't {
    let first = phrase.chars().next().map(char::len_utf8);
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + text.get(from..)?.find(phrase)?;
        from = at + first?;
        Some(at)
    })
}

/// Returns whether a range begins and ends at boundaries of words.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let (before, phrase, behind) = (&text[..range.start], &text[range.clone()], &text[range.end..]);
    !words::is_one_word(before, phrase) && !words::is_one_word(phrase, behind)
}

fn only_one(places: impl Iterator<Item = usize>, text: &str, phrase: &str) -> Option<Range<usize>> {
    let mut places = places.filter(|at| is_whole(text, &(*at..at + phrase.len())));
    let first = places.next()?;
    places.next().is_none().then(|| first..first + phrase.len())
}

/// The words of a long text, in which many phrases are looked for.
pub(crate) struct WordIndex<'t> {
    text: &'t str,
    /// The places of each word.
    places: FxHashMap<&'t str, Vec<usize>>,
}

impl<'t> WordIndex<'t> {
    pub(crate) fn of(text: &'t str) -> WordIndex<'t> {
        let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let mut at = 0;
        for word in words::split(text) {
            places.entry(word).or_default().push(at);
            at += word.len();
        }
        WordIndex { text, places }
    }

    /// Returns whether the text has a phrase once as words of their own, as [`only_place`] does.
    pub(crate) fn has_once(&self, phrase: &str) -> bool {
        let mut before = 0;
        // The rarest word determines where to look.
        let rarest = words::split(phrase).map(|word| {
            let start = before;
            before += word.len();
            (self.places.get(word).map_or(&[][..], Vec::as_slice), start)
        });
        let Some((places, start)) = rarest.min_by_key(|(places, _)| places.len()) else { return false };
        let starts = places.iter().filter_map(|at| at.checked_sub(start));
        let is_there = |at: &usize| self.text.get(*at..).is_some_and(|rest| rest.starts_with(phrase));
        only_one(starts.filter(is_there), self.text, phrase).is_some()
    }
}

/// Returns a range without the spaces and signs at its ends. A letter keeps its accents.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let is_beside = |sign: &&str| !sign.starts_with(char::is_alphanumeric);
    let start = range.start + words::signs(inside).take_while(is_beside).map(str::len).sum::<usize>();
    let mut end = start;
    let mut at = range.start;
    for sign in words::signs(inside) {
        at += sign.len();
        end = if is_beside(&sign) { end } else { at };
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::{WordIndex, only_place};
    use copydesk_test_support::random::Random;

    #[test]
    fn an_index_finds_what_a_search_finds() {
        let mut random = Random::new();
        let words =
            ["a", "tea", "teas", "\u{8336}", "\u{7EFF}\u{8336}", " ", "  ", ",", "e\u{301}", "\n", "\u{1F600}", "-"];
        for _ in 0..5_000 {
            let mut some = |most: usize| -> String { (0..random.below(most)).map(|_| *random.pick(&words)).collect() };
            let (text, phrase) = (some(12), some(4).trim().to_owned());
            if !phrase.is_empty() {
                let found = WordIndex::of(&text).has_once(&phrase);
                assert_eq!(found, only_place(&text, &phrase).is_some(), "{phrase:?} in {text:?}");
            }
        }
    }
}
