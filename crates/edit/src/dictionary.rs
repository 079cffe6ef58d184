//! A set of strings that answers which of them another string starts with.

use std::collections::BinaryHeap;

/// A set of strings, searched by prefix.
pub struct Dictionary<'t> {
    /// Sorted, without duplicates.
    texts: Vec<&'t str>,
    /// For each string, the longest other string of the set that is a prefix of it.
    parent: Vec<Option<usize>>,
}

impl<'t> Dictionary<'t> {
    /// Builds the set.
    pub fn of(texts: impl Iterator<Item = &'t str>) -> Dictionary<'t> {
        let mut texts = texts.collect::<BinaryHeap<_>>().into_sorted_vec();
        texts.dedup();
        // In sorted order the prefixes of a string precede it, and all strings between them share that prefix.
        let mut prefixes: Vec<usize> = Vec::new();
        let mut parent = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            while prefixes.last().is_some_and(|last| !text.starts_with(texts[*last])) {
                prefixes.pop();
            }
            parent.push(prefixes.last().copied());
            prefixes.push(at);
        }
        Dictionary { texts, parent }
    }

    /// Returns the strings that `text` starts with, the longest first.
    pub fn prefixes_of(&self, text: &str) -> impl Iterator<Item = &'t str> {
        // The longest prefix is the greatest string that is not greater than the text, or a prefix of that string.
        let greatest = self.texts.partition_point(|other| *other <= text).checked_sub(1);
        let chain = std::iter::successors(greatest, |at| self.parent[*at]);
        chain.map(|at| self.texts[at]).skip_while(move |other| !text.starts_with(other))
    }

    /// Returns the longest string that `text` starts with.
    pub fn longest_prefix_of(&self, text: &str) -> Option<&'t str> {
        self.prefixes_of(text).next()
    }
}
