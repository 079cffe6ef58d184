//! Alignments of random sequences: they cover both sequences, and no better one exists.

use crate::documents::{blocks, document_of, for_seeds};
use crate::random::Random;
use copydesk_document::align::{Chunk, Relation, align, align_documents, diff, matches};
use copydesk_document::{Document, Node};
use serde_json::Value;
use std::fmt::Debug;

/// Two documents that have some blocks in common.
fn some_documents(random: &mut Random) -> (Document, Document) {
    let old = blocks(random, 1, 9);
    let mut new: Vec<Value> = old.iter().filter(|_| random.below(3) > 0).cloned().collect();
    for block in blocks(random, 1, 3) {
        new.insert(random.below(new.len() + 1), block);
    }
    (document_of(&old), document_of(&new))
}

/// Checks that chunks cover both sequences in order, and that each relation holds.
fn check<T: PartialEq + Debug>(old: &[T], new: &[T], chunks: &[Chunk]) {
    let (mut old_at, mut new_at) = (0, 0);
    for chunk in chunks {
        assert_eq!((chunk.old.start, chunk.new.start), (old_at, new_at), "{chunks:?}");
        (old_at, new_at) = (chunk.old.end, chunk.new.end);
        let (old, new) = (&old[chunk.old.clone()], &new[chunk.new.clone()]);
        match chunk.relation {
            Relation::Equal => assert_eq!(old, new),
            Relation::Edited => assert!(old.len() == 1 && new.len() == 1 && old != new),
            Relation::Replaced => assert!(!old.is_empty() || !new.is_empty()),
        }
    }
    assert_eq!((old_at, new_at), (old.len(), new.len()), "{chunks:?}");
    let is_joined = |pair: &[Chunk]| pair[0].relation != pair[1].relation || pair[0].relation == Relation::Edited;
    assert!(chunks.windows(2).all(is_joined), "{chunks:?}");
}

/// The length of the longest common subsequence.
fn longest_common<T: PartialEq>(old: &[T], new: &[T]) -> usize {
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let both = if old[i] == new[j] { best[i + 1][j + 1] + 1 } else { 0 };
            best[i][j] = both.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    best[0][0]
}

#[test]
fn an_alignment_covers_both_sequences() {
    for_seeds(1000, |random| {
        let (old, new) = some_documents(random);
        check(old.blocks(), new.blocks(), &align(old.blocks(), new.blocks()));
        check(old.blocks(), new.blocks(), &diff(old.blocks(), new.blocks()));
        let mut synced = old.clone();
        let all: Vec<Value> = new.blocks().iter().map(|block| block.to_value(new.schema())).collect();
        synced.sync(0, old.blocks().len(), &Value::from(all).to_string()).unwrap();
        check(old.blocks(), synced.blocks(), &align_documents(&old, &synced));
    });
}

#[test]
fn a_difference_is_the_smallest() {
    for_seeds(2000, |random| {
        let words = |random: &mut Random| (0..random.below(12)).map(|_| random.below(4)).collect::<Vec<usize>>();
        let (old, new) = (words(random), words(random));
        let chunks = diff(&old, &new);
        check(&old, &new, &chunks);
        let equal = chunks.iter().filter(|chunk| chunk.relation == Relation::Equal).map(|chunk| chunk.old.len());
        assert_eq!(equal.sum::<usize>(), longest_common(&old, &new), "{old:?} {new:?}");
        assert_eq!(matches(&old, &new).iter().map(|run| run.len).sum::<usize>(), longest_common(&old, &new));
    });
}

#[test]
fn equal_nodes_have_equal_hashes() {
    use std::hash::{BuildHasher, RandomState};
    let state = RandomState::new();
    for_seeds(300, |random| {
        let (a, b) = some_documents(random);
        let read_again = Document::from_json(&a.to_json(), a.schema().clone()).unwrap();
        let all: Vec<&Node> = a.blocks().iter().chain(b.blocks()).chain(read_again.blocks()).collect();
        for (left, right) in all.iter().flat_map(|left| all.iter().map(move |right| (left, right))) {
            assert_eq!(left == right, state.hash_one(left) == state.hash_one(right));
        }
    });
}

#[test]
fn a_rule_that_is_equal_does_not_part_edited_paragraphs() {
    let html = |word: &str| format!("<p>One {word} is here.</p><hr><p>Two {word} are there.</p><hr><p>Three.</p>");
    let old = Document::from_html(html("cup")).unwrap();
    // The first rule is removed; a difference of equal blocks may pair it with the second.
    let new = Document::from_html(html("pot").replacen("<hr>", "", 1).replace("Three", "Four")).unwrap();
    let chunks = align(old.blocks(), new.blocks());
    let pairs: Vec<_> = chunks.iter().filter(|chunk| chunk.relation != Relation::Replaced).collect();
    let pairs: Vec<_> = pairs.iter().flat_map(|chunk| chunk.old.clone().zip(chunk.new.clone())).collect();
    assert_eq!(pairs, [(0, 0), (2, 1), (3, 2), (4, 3)]);
}

#[test]
fn long_documents_are_aligned_by_what_is_equal() {
    let html = |at: usize, word: &str| format!("<p>Line {at} of the {word}.</p>");
    let old: String = (0..400).map(|at| html(at, "old text")).collect();
    let new: String = (0..400).map(|at| html(at, if at % 3 == 0 { "new text" } else { "old text" })).collect();
    let (old, new) = (Document::from_html(old).unwrap(), Document::from_html(new).unwrap());
    let chunks = align(old.blocks(), new.blocks());
    check(old.blocks(), new.blocks(), &chunks);
    assert_eq!(chunks.iter().filter(|chunk| chunk.relation == Relation::Edited).count(), 134);
    assert!(chunks.iter().all(|chunk| chunk.relation != Relation::Replaced));
}
