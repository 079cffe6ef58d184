//! Differences of texts that are cut into words.

use copydesk_document::align::{Chunk, Relation, diff, diff_around};
use copydesk_document::{Node, words};

/// Number of changes in one text above which it changes as a whole: each is a step that the editor has to make.
const MOST_CHANGES: usize = 50;
/// Share of words in common, out of 100, below which a text changes as a whole.
const LEAST_IN_COMMON: usize = 35;

/// Returns what is equal in two texts, however little it is: words first, and of the spaces those between equal words.
/// If spaces counted as much as words, the spaces of a long sentence would decide which words are equal.
pub fn diff_words(old: &[&str], new: &[&str]) -> Vec<Chunk> {
    fn words<'t>(pieces: &[&'t str]) -> (Vec<usize>, Vec<&'t str>) {
        pieces.iter().copied().enumerate().filter(|(_, piece)| !piece.trim().is_empty()).unzip()
    }
    let ((old_at, old_words), (new_at, new_words)) = (words(old), words(new));
    let equal = diff(&old_words, &new_words).into_iter().filter(|chunk| chunk.relation == Relation::Equal);
    let pairs = equal.flat_map(|chunk| chunk.old.zip(chunk.new));
    let anchors: Vec<(usize, usize)> = pairs.map(|(old, new)| (old_at[old], new_at[new])).collect();
    diff_around(old, new, &anchors)
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
    let equal = diff_words(&old, &new).into_iter().filter(|chunk| chunk.relation == Relation::Equal);
    let common = equal.flat_map(|chunk| &new[chunk.new]).filter(has_letters).count();
    is_little(common, old.iter().chain(&new).filter(has_letters).count())
}

/// Returns the changes from the words of one textblock to those of another. Changes with only a space between them are
/// one, and where little is left of a text it changes as a whole: a few words that happen to recur are no reason to cut
/// a sentence up.
pub fn diff_sentence(old: &[Node], new: &[Node]) -> Vec<Chunk> {
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

/// Makes one replaced chunk of the first, the last and all between, where there is more than one.
pub fn merge_replaced(chunks: &mut Vec<Chunk>) {
    let is_replaced = |chunk: &Chunk| chunk.relation == Relation::Replaced;
    let (Some(first), Some(last)) = (chunks.iter().position(is_replaced), chunks.iter().rposition(is_replaced)) else {
        return;
    };
    let old = chunks[first].old.start..chunks[last].old.end;
    let new = chunks[first].new.start..chunks[last].new.end;
    chunks.splice(first..=last, [Chunk { relation: Relation::Replaced, old, new }]);
}

fn is_space(piece: &Node) -> bool {
    piece.text().is_some_and(|text| text.trim().is_empty())
}
