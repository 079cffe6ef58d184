//! Pairs the rows of content with those of the document.

use super::shown_row::ShownRow;
use super::shown_row::literal;
use copydesk_document::align::{Match, matches};
use copydesk_document::words;
use rustc_hash::{FxHashMap, FxHashSet};
use std::num::NonZeroU8;
use std::ops::Range;

/// A likeness from which on two rows are one row edited, from 0 to 100.
pub const LEAST: u32 = 35;

/// The most pairs of rows that are compared at once.
const MOST_PAIRS: usize = 16_000_000;

/// When a new row is an old one that it is not like, but whose place it has.
#[derive(Clone, Copy, PartialEq)]
pub enum PlaceRule {
    /// Always.
    Any,
    /// If it is in the same containers, which the signs of the new rows state.
    InContainers,
    /// If, in addition, there are as many rows as before. Otherwise the text is new.
    IfAsMany,
}

impl PlaceRule {
    /// Returns the rule for rows whose signs are stated or not.
    pub fn of(stated: bool) -> PlaceRule {
        if stated { PlaceRule::InContainers } else { PlaceRule::Any }
    }

    /// Returns whether the signs of the rows state their containers.
    pub fn are_stated(self) -> bool {
        self != PlaceRule::Any
    }
}

/// Returns for each new row the old one that it is.
pub fn pair(old: &[ShownRow], new: &[ShownRow], rule: PlaceRule) -> Vec<Option<usize>> {
    let has_fences = new.iter().any(ShownRow::is_code);
    let keys = |rows: &[ShownRow]| rows.iter().map(|row| row.key(has_fences)).collect::<Vec<_>>();
    let (old_keys, new_keys) = (keys(old), keys(new));
    let mut pairs = vec![None; new.len()];
    let (mut old_at, mut new_at) = (0, 0);
    let mut gaps = Vec::new();
    for run in matches(&old_keys, &new_keys) {
        gaps.push((old_at..run.old, new_at..run.new));
        (0..run.len).for_each(|at| pairs[run.new + at] = Some(run.old + at));
        (old_at, new_at) = (run.old + run.len, run.new + run.len);
    }
    gaps.push((old_at..old.len(), new_at..new.len()));
    // A row that reappears elsewhere has moved: equality takes precedence over likeness.
    let bare = |row: &ShownRow, key: &str| -> String {
        let text = if row.text.trim().is_empty() { key.to_owned() } else { row.bare() };
        text.trim().to_owned()
    };
    let mut left: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for at in gaps.iter().flat_map(|(old, _)| old.clone()).rev() {
        let text = bare(&old[at], &old_keys[at]);
        if !text.is_empty() {
            left.entry(text).or_default().push(at);
        }
    }
    let mut moved = vec![false; old.len()];
    for at in gaps.iter().flat_map(|(_, new)| new.clone()) {
        if let Some(from) = left.get_mut(&bare(&new[at], &new_keys[at])).and_then(Vec::pop) {
            pairs[at] = Some(from);
            moved[from] = true;
        }
    }
    for (old_range, new_range) in gaps {
        let old_left: Vec<usize> = old_range.filter(|at| !moved[*at]).collect();
        let new_left: Vec<usize> = new_range.filter(|at| pairs[*at].is_none()).collect();
        for (from, to) in likest(old, new, &old_left, &new_left, rule) {
            pairs[to] = Some(from);
        }
    }
    pair_first_parts(old, new, &mut pairs);
    // Beside a fence, a row without one is not code.
    for (at, pair) in pairs.iter_mut().enumerate().filter(|_| has_fences) {
        *pair = pair.filter(|from| !old[*from].is_code() || new[at].is_code());
    }
    pairs
}

/// Pairs an old row that was split with the first of its parts, and a row that joins old ones with the first of these.
fn pair_first_parts(old: &[ShownRow], new: &[ShownRow], pairs: &mut [Option<usize>]) {
    for at in (1..new.len()).rev() {
        let Some(from) = pairs[at] else { continue };
        let text = old[from].bare();
        let (mut rest, mut first) = (new[at].bare(), at);
        for before in (0..at).rev().take_while(|before| pairs[*before].is_none()) {
            if rest.len() > text.len() {
                break;
            }
            let part = new[before].bare();
            if are_parts(&text, &part, &rest) {
                first = before;
            }
            rest.insert_str(0, &part);
        }
        pairs.swap(first, at);
    }
    let mut used: FxHashSet<usize> = pairs.iter().flatten().copied().collect();
    for (at, pair) in pairs.iter_mut().enumerate() {
        while let Some(from) = *pair
            && let Some(before) = from.checked_sub(1)
            && !used.contains(&before)
            && are_parts(&new[at].bare(), &old[before].bare(), &old[from].bare())
        {
            used.insert(before);
            *pair = Some(before);
        }
    }
}

/// Returns whether a text consists of two others, with small changes.
fn are_parts(text: &str, first: &str, second: &str) -> bool {
    let rest = || text.trim().chars().skip(first.trim().chars().count()).collect::<String>();
    text.trim() != second.trim()
        && is_first_part(text, first)
        && !is_first_part(second, first)
        && likeness(&rest(), second).is_some_and(|like| like >= LEAST)
}

/// Returns whether a text is longer than a part and begins with most of it: the end of the part may be another sign.
pub fn is_first_part(text: &str, part: &str) -> bool {
    let (text, part) = (text.trim(), part.trim());
    let common = text.chars().zip(part.chars()).take_while(|(a, b)| a == b).count();
    !part.is_empty() && text.len() > part.len() && 2 * common > part.chars().count()
}

/// Returns for each new row of a table the old one that it is. Each row has the texts of its cells.
pub fn pair_cells(old: &[Vec<String>], new: &[Vec<String>]) -> Vec<Option<usize>> {
    let rows = |rows: &[Vec<String>]| rows.iter().cloned().map(ShownRow::of_cells).collect::<Vec<_>>();
    pair(&rows(old), &rows(new), PlaceRule::InContainers)
}

/// Returns for each new text the old one that it is, in ascending order: an equal one, the likest between these, or the
/// one at its place.
pub fn pair_texts(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut pairs = vec![None; new.len()];
    let (old_rows, new_rows) = (literals(old), literals(new));
    let (mut old_at, mut new_at) = (0, 0);
    let end = Match { old: old.len(), new: new.len(), len: 0 };
    for run in matches(old, new).into_iter().chain([end]) {
        let (from, to): (Vec<usize>, Vec<usize>) = ((old_at..run.old).collect(), (new_at..run.new).collect());
        for (from, to) in likest(&old_rows, &new_rows, &from, &to, PlaceRule::Any) {
            pairs[to] = Some(from);
        }
        (0..run.len).for_each(|at| pairs[run.new + at] = Some(run.old + at));
        (old_at, new_at) = (run.old + run.len, run.new + run.len);
    }
    pairs
}

/// Returns the same where an equal text may be anywhere.
pub fn pair_moved_texts(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    pair(&literals(old), &literals(new), PlaceRule::Any)
}

fn literals(texts: &[&str]) -> Vec<ShownRow> {
    texts.iter().map(|text| literal(text)).collect()
}

fn likest(old: &[ShownRow], new: &[ShownRow], from: &[usize], to: &[usize], rule: PlaceRule) -> Vec<(usize, usize)> {
    if from.is_empty() || to.is_empty() {
        return Vec::new();
    }
    let is_alike = |(from, to): (&usize, &usize)| {
        let (old, new) = (&old[*from], &new[*to]);
        !rule.are_stated() || old.has_containers_of(new) && old.is_code() == new.is_code()
    };
    if from.len() == to.len() && from.iter().zip(to).all(is_alike) {
        return from.iter().copied().zip(to.iter().copied()).collect();
    }
    let bare = |rows: &[ShownRow], which: &[usize]| which.iter().map(|at| rows[*at].bare()).collect::<Vec<_>>();
    let (old_texts, new_texts) = (bare(old, from), bare(new, to));
    let mut vocabulary = Vocabulary::default();
    let old_words: Vec<Words> = old_texts.iter().map(|text| vocabulary.words(text)).collect();
    let new_words: Vec<Words> = new_texts.iter().map(|text| vocabulary.words(text)).collect();
    let like = |i: usize, j: usize| match old[from[i]].has_cells() == new[to[j]].has_cells() {
        true => old_words[i].likeness(&new_words[j]),
        false => None,
    };
    let mut pairs = best_pairs(from.len(), to.len(), like);
    if rule == PlaceRule::IfAsMany {
        return pairs.into_iter().map(|(i, j)| (from[i], to[j])).collect();
    }
    // Of the others each is in the place of one that is in the same containers.
    let (mut i, mut j) = (0, 0);
    for (a, b) in pairs.clone().into_iter().chain([(from.len(), to.len())]) {
        while i < a && j < b {
            if is_alike((&from[i], &to[j])) && old[from[i]].has_cells() == new[to[j]].has_cells() {
                pairs.push((i, j));
                i += 1;
            } else if a - i > b - j {
                i += 1;
                continue;
            }
            j += 1;
        }
        (i, j) = (a + 1, b + 1);
    }
    pairs.into_iter().map(|(i, j)| (from[i], to[j])).collect()
}

/// Returns the pairs in ascending order whose likenesses have the greatest sum.
pub fn best_pairs(old: usize, new: usize, like: impl Fn(usize, usize) -> Option<u32>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    best_between(0..old, 0..new, &like, &mut pairs);
    pairs
}

fn best_between(
    old: Range<usize>,
    new: Range<usize>,
    like: &dyn Fn(usize, usize) -> Option<u32>,
    pairs: &mut Vec<(usize, usize)>,
) {
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        // If there are too many, each half is compared with the same half.
        let (i, j) = (old.start + old.len() / 2, new.start + new.len() / 2);
        best_between(old.start..i, new.start..j, like, pairs);
        best_between(i..old.end, j..new.end, like, pairs);
        return;
    }
    let (height, width) = (old.len(), new.len());
    let mut best = vec![0_u32; (height + 1) * (width + 1)];
    let mut likes = vec![None; height * width];
    for i in (0..height).rev() {
        for j in (0..width).rev() {
            let here = like(old.start + i, new.start + j).filter(|like| *like >= LEAST);
            likes[i * width + j] = here.and_then(|like| NonZeroU8::new(like as u8));
            let at = i * (width + 1) + j;
            let paired = here.map_or(0, |here| here + best[at + width + 2]);
            best[at] = paired.max(best[at + width + 1]).max(best[at + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < height && j < width {
        let at = i * (width + 1) + j;
        match likes[i * width + j] {
            Some(like) if best[at] == u32::from(like.get()) + best[at + width + 2] => {
                pairs.push((old.start + i, new.start + j));
                (i, j) = (i + 1, j + 1);
            }
            _ if best[at] == best[at + width + 1] => i += 1,
            _ => j += 1,
        }
    }
}

/// Returns the share of the words that two texts have in common, in percent.
pub fn likeness(a: &str, b: &str) -> Option<u32> {
    let mut vocabulary = Vocabulary::default();
    vocabulary.words(a).likeness(&vocabulary.words(b))
}

/// Numbers of words, so that many texts are compared fast.
#[derive(Default)]
struct Vocabulary<'t>(FxHashMap<&'t str, u32>);

impl<'t> Vocabulary<'t> {
    fn words(&mut self, text: &'t str) -> Words {
        let words = words::split(text).filter(|word| !word.trim().is_empty());
        let ids: Vec<u32> = words
            .map(|word| {
                let next = self.0.len() as u32;
                *self.0.entry(word).or_insert(next)
            })
            .collect();
        let mut places: Vec<(u32, u64)> = Vec::new();
        if ids.len() <= u64::BITS as usize {
            places.extend(ids.iter().enumerate().map(|(at, id)| (*id, 1 << at)));
            places.sort_unstable();
            places.dedup_by(|(id, bit), (last, bits)| {
                *bits |= if id == last { *bit } else { 0 };
                id == last
            });
        }
        Words { ids, places }
    }
}

/// The words of a text by their numbers.
struct Words {
    ids: Vec<u32>,
    /// The places of each word, as bits; empty for a text with too many words.
    places: Vec<(u32, u64)>,
}

impl Words {
    fn likeness(&self, other: &Words) -> Option<u32> {
        let (a, b) = (self.ids.len(), other.ids.len());
        (a > 0 && b > 0).then(|| (200 * self.common(other) / (a + b)) as u32)
    }

    /// Returns how many words two texts have in common in the same order.
    fn common(&self, other: &Words) -> usize {
        if self.places.is_empty() {
            return matches(&self.ids, &other.ids).iter().map(|run| run.len).sum();
        }
        // The longest common subsequence with a bit for each word: Hyyrö, “Bit-parallel LCS-length computation
        // revisited”, 2004.
        let mut row = u64::MAX;
        for id in &other.ids {
            let Ok(at) = self.places.binary_search_by_key(id, |(id, _)| *id) else { continue };
            let found = row & self.places[at].1;
            row = row.wrapping_add(found) | (row - found);
        }
        (!row).count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Vocabulary, best_between, best_pairs};
    use copydesk_document::align::matches;
    use copydesk_test_support::random::Random;

    #[test]
    fn words_in_common_are_those_of_the_difference() {
        let mut random = Random::new();
        for _ in 0..2_000 {
            let mut text =
                |most: usize| -> Vec<String> { (0..random.below(most)).map(|_| random.below(6).to_string()).collect() };
            let (a, b) = (text(70), text(70));
            let (one, other) = (a.join(" "), b.join(" "));
            let mut vocabulary = Vocabulary::default();
            let (words, others) = (vocabulary.words(&one), vocabulary.words(&other));
            let naive = longest_common(&a, &b);
            assert!(words.common(&others) == naive || words.ids.len() > 64, "{one} / {other}");
            assert!(matches(&a, &b).iter().map(|run| run.len).sum::<usize>() <= naive);
        }
    }

    fn longest_common(a: &[String], b: &[String]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y { diagonal + 1 } else { row[at + 1].max(row[at]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn too_many_rows_are_paired_by_halves() {
        let like = |i: usize, j: usize| (i == j).then_some(90);
        assert_eq!(best_pairs(5_000, 5_000, like).len(), 5_000);
        let mut pairs = Vec::new();
        best_between(2..4, 1..4, &like, &mut pairs);
        assert_eq!(pairs, [(2, 2), (3, 3)]);
    }
}
