//! Differences of texts that are cut into words.

use copydesk_document::align::{Chunk, Relation, diff, diff_around};
use copydesk_document::words::{self, InlinePiece};

/// Number of changes in one text above which it changes as a whole: each is a step that the editor has to make.
const MOST_CHANGES: usize = 50;
/// Share of words in common, out of 100, below which a text changes as a whole.
const LEAST_IN_COMMON: usize = 35;

/// Punctuation before which a word ends.
const CLOSING: [char; 14] = [',', '.', ';', ':', '!', '?', ')', ']', '，', '。', '、', '；', '：', '）'];

/// Returns the equal parts of two texts, however small: words first, and of the spaces those between equal words. If
/// spaces counted as much as words, the spaces of a long sentence would decide which words are equal. `is_edge` returns
/// whether marks begin or end before an old word.
pub fn diff_words(old: &[&str], new: &[&str], is_edge: impl Fn(usize) -> bool) -> Vec<Chunk> {
    fn words<'t>(pieces: &[&'t str]) -> (Vec<usize>, Vec<&'t str>) {
        pieces.iter().copied().enumerate().filter(|(_, piece)| !piece.trim().is_empty()).unzip()
    }
    let ((old_at, old_words), (new_at, new_words)) = (words(old), words(new));
    let equal = diff(&old_words, &new_words).into_iter().filter(|chunk| chunk.relation == Relation::Equal);
    let pairs = equal.flat_map(|chunk| chunk.old.zip(chunk.new));
    let anchors: Vec<(usize, usize)> = pairs.map(|(old, new)| (old_at[old], new_at[new])).collect();
    let mut chunks = diff_around(old, new, &anchors);
    slide(old, new, &mut chunks, is_edge);
    chunks.retain(|chunk| !chunk.old.is_empty() || !chunk.new.is_empty());
    chunks
}

/// Moves words that were only deleted, or only added, to the ends of words, where the text is the same: of `£6 £5` to
/// `£5` the first amount is deleted, and not `6 £`. If several places are equal in that, the deletion is the one with
/// marks that begin or end at its ends.
fn slide(old: &[&str], new: &[&str], chunks: &mut [Chunk], is_edge: impl Fn(usize) -> bool) {
    for at in 1..chunks.len().saturating_sub(1) {
        let Chunk { relation, old: from, new: to } = chunks[at].clone();
        let are_equal = [at - 1, at + 1].iter().all(|at| chunks[*at].relation == Relation::Equal);
        if relation == Relation::Equal || !are_equal || !from.is_empty() && !to.is_empty() {
            continue;
        }
        let is_deleted = to.is_empty();
        let (pieces, range) = if is_deleted { (old, from) } else { (new, to) };
        let is_space = |at: usize| pieces.get(at).is_none_or(|piece| piece.trim().is_empty());
        let has_space = pieces[range.clone()].iter().any(|piece| piece.trim().is_empty());
        if !has_space && !is_deleted {
            continue;
        }
        let closes = |at: usize| pieces.get(at).is_some_and(|piece| piece.starts_with(CLOSING));
        let begins = |at: usize| at == 0 || is_space(at - 1) || is_space(at) || closes(at);
        let both = |holds: &dyn Fn(usize) -> bool, start, end| usize::from(holds(start)) + usize::from(holds(end));
        let edges = |start, end| if is_deleted { both(&is_edge, start, end) } else { 0 };
        let ends = |start, end| (both(&begins, start, end), edges(start, end));
        // Between two changes something equal is left.
        let most = |beside: usize, is_outer: bool| chunks[beside].old.len() - usize::from(!is_outer);
        let (before, after) = (most(at - 1, at == 1), most(at + 1, at + 2 == chunks.len()));
        let left = (1..=before).take_while(|by| pieces[range.start - by] == pieces[range.end - by]);
        let behind = (0..after).take_while(|by| pieces[range.start + by] == pieces[range.end + by]);
        let shifts = left.map(|by| -(by as isize)).chain(behind.map(|by| by as isize + 1));
        let score =
            |shift: isize| ends(range.start.saturating_add_signed(shift), range.end.saturating_add_signed(shift));
        let Some(best) =
            shifts.filter(|shift| score(*shift) > score(0)).max_by_key(|shift| (score(*shift), -shift.abs()))
        else {
            continue;
        };
        let moved = |at: usize| at.saturating_add_signed(best);
        chunks[at - 1].old.end = moved(chunks[at - 1].old.end);
        chunks[at - 1].new.end = moved(chunks[at - 1].new.end);
        for range in [&mut chunks[at].old, &mut chunks[at].new] {
            *range = moved(range.start)..moved(range.end);
        }
        chunks[at + 1].old.start = moved(chunks[at + 1].old.start);
        chunks[at + 1].new.start = moved(chunks[at + 1].new.start);
    }
}

/// Returns whether two texts with `all` words in all have so few in common that they are different sentences.
fn is_little(common: usize, all: usize) -> bool {
    200 * common < LEAST_IN_COMMON * all
}

/// Returns whether two texts are different sentences.
pub fn are_unlike(old: &str, new: &str) -> bool {
    let words = |text| words::split(text).collect::<Vec<_>>();
    let has_letters = |word: &&&str| word.contains(char::is_alphanumeric);
    let (old, new) = (words(old), words(new));
    let equal = diff_words(&old, &new, |_| false).into_iter().filter(|chunk| chunk.relation == Relation::Equal);
    let common = equal.flat_map(|chunk| &new[chunk.new]).filter(has_letters).count();
    is_little(common, old.iter().chain(&new).filter(has_letters).count())
}

/// Returns the changes from the words of one textblock to those of another. Changes with only a space between them are
/// one, and if little of a text is unchanged, it changes as a whole: a few words that happen to recur are no reason to
/// split a sentence.
pub fn diff_sentence(old: &[InlinePiece<'_>], new: &[InlinePiece<'_>]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut common = 0;
    for chunk in diff(old, new) {
        let is_equal = chunk.relation == Relation::Equal;
        let pieces = &old[chunk.old.clone()];
        let is_gap = is_equal && chunk.old.end < old.len() && pieces.iter().all(is_space);
        common += if is_equal { pieces.iter().filter(|piece| !is_space(piece)).count() } else { 0 };
        match chunks.last_mut() {
            Some(last) if last.relation == Relation::Replaced && (is_gap || !is_equal) => {
                (last.old.end, last.new.end) = (chunk.old.end, chunk.new.end);
            }
            _ => chunks.push(chunk),
        }
    }
    let replaced = chunks.iter().filter(|chunk| chunk.relation == Relation::Replaced).count();
    let all = old.iter().chain(new).filter(|piece| !is_space(piece)).count();
    if is_little(common, all) || replaced > MOST_CHANGES {
        merge_replaced(&mut chunks);
    }
    chunks
}

/// Joins the first and the last replaced chunk and all between into one, if there are several.
pub fn merge_replaced(chunks: &mut Vec<Chunk>) {
    let is_replaced = |chunk: &Chunk| chunk.relation == Relation::Replaced;
    let (Some(first), Some(last)) = (chunks.iter().position(is_replaced), chunks.iter().rposition(is_replaced)) else {
        return;
    };
    let old = chunks[first].old.start..chunks[last].old.end;
    let new = chunks[first].new.start..chunks[last].new.end;
    chunks.splice(first..=last, [Chunk { relation: Relation::Replaced, old, new }]);
}

fn is_space(piece: &InlinePiece<'_>) -> bool {
    matches!(piece, InlinePiece::Word { text, .. } if text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use copydesk_test_support::random::Random;

    #[test]
    fn chunks_are_the_two_texts_and_equal_ones_are_equal() {
        const PIECES: [&str; 7] = ["£", "6", "5", " ", " ", ",", "very"];
        let mut random = Random::new();
        for _ in 0..20_000 {
            let mut text = || (0..random.below(9)).map(|_| *random.pick(&PIECES)).collect::<Vec<_>>();
            let (old, new) = (text(), text());
            let chunks = diff_words(&old, &new, |at| at % 3 == 0);
            let of = |side: fn(&Chunk) -> &std::ops::Range<usize>| {
                chunks.iter().flat_map(|chunk| side(chunk).clone()).collect::<Vec<_>>()
            };
            assert_eq!(of(|chunk| &chunk.old), (0..old.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
            assert_eq!(of(|chunk| &chunk.new), (0..new.len()).collect::<Vec<_>>(), "{old:?} {new:?}");
            for chunk in chunks.iter().filter(|chunk| chunk.relation == Relation::Equal) {
                assert_eq!(old[chunk.old.clone()], new[chunk.new.clone()], "{old:?} {new:?}");
            }
        }
    }
}
