//! Differences in tokens: made in the old nodes they are the new ones.

use crate::documents::{WORDS, blocks, document_of, for_seeds};
use copydesk_document::Document;
use copydesk_edit::tokens::{New, Splice, diff, spliced};
use serde_json::{Value, json};

/// The position of the first block, where positions are counted within something else.
const AT: usize = 7;

fn differences(old: &Document, new: &Document) -> Vec<Splice> {
    diff(old.schema(), old.blocks(), new.blocks(), AT)
}

/// A node around blocks, or the blocks alone.
fn within(container: Option<&str>, blocks: &[Value]) -> Document {
    match container {
        Some(name) => document_of(&[json!({ "type": name, "content": blocks })]),
        None => document_of(blocks),
    }
}

#[test]
fn the_differences_of_nodes_make_the_old_ones_the_new_ones() {
    for_seeds(1000, |random| {
        let (first, last) = (blocks(random, 0, 2), blocks(random, 0, 2));
        let middle = |middle: Vec<Value>| [first.clone(), middle, last.clone()].concat();
        let container = *random.pick(&[None, Some("blockquote")]);
        let old = within(container, &middle(blocks(random, 1, 3)));
        let new = within(container, &middle(blocks(random, 1, 3)));
        let splices = differences(&old, &new);
        let placed: Vec<(usize, &Splice)> = splices.iter().map(|splice| (splice.from, splice)).collect();
        let made = spliced(old.schema(), old.blocks(), AT, &placed);
        assert_eq!(made.as_deref(), Some(new.blocks()), "{old:?} to {new:?}");
        assert!(splices.is_sorted_by(|a, b| a.to <= b.from), "{splices:?}");
        // Equal blocks before and behind are not part of a difference.
        let size = |blocks: &[Value]| if blocks.is_empty() { 0 } else { document_of(blocks).size() };
        let depth = usize::from(container.is_some());
        let (least, most) = (AT + depth + size(&first), AT + old.size() - depth - size(&last));
        assert!(splices.iter().all(|splice| least <= splice.from && splice.to <= most), "{splices:?}");
    });
}

#[test]
fn a_block_that_is_added_or_deleted_before_others_is_a_whole_node() {
    for_seeds(500, |random| {
        let paragraph = |text: &str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
        // Another one is added behind, so that not all after the first is the same.
        let [before, behind] = ["before", "behind"].map(paragraph);
        let words: Vec<&str> = (0..=random.below(3)).map(|_| *random.pick(&WORDS)).collect();
        let stays = paragraph(&words.join(" "));
        let container = *random.pick(&[None, Some("blockquote")]);
        let few = within(container, std::slice::from_ref(&stays));
        let many = within(container, &[before, stays, behind]);
        for (old, new) in [(&few, &many), (&many, &few)] {
            let splices = differences(old, new);
            assert!(matches!(&splices[0], Splice { new: New::Nodes(_), depth: 0, .. }), "{splices:?}");
        }
    });
}
