//! Texts to be found in another one, all at once.

use std::collections::BinaryHeap;

/// Texts, of which those are asked for with which another text begins.
pub struct Dictionary<'t> {
    /// In rising order, each once.
    texts: Vec<&'t str>,
    /// Of each the longest other one that it begins with.
    shorter: Vec<Option<usize>>,
}

impl<'t> Dictionary<'t> {
    /// A dictionary of these.
    pub fn of(texts: impl Iterator<Item = &'t str>) -> Dictionary<'t> {
        let mut texts = texts.collect::<BinaryHeap<_>>().into_sorted_vec();
        texts.dedup();
        // What a text begins with stands before it, with nothing between them but what begins so too.
        let mut open: Vec<usize> = Vec::new();
        let mut shorter = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            while open.last().is_some_and(|last| !text.starts_with(texts[*last])) {
                open.pop();
            }
            shorter.push(open.last().copied());
            open.push(at);
        }
        Dictionary { texts, shorter }
    }

    /// All with which a text begins, the longest first.
    pub fn beginnings(&self, text: &str) -> impl Iterator<Item = &'t str> {
        // Nothing that it begins with is greater than it, and the greatest that is not is one of them or begins with all.
        let greatest = self.texts.partition_point(|other| *other <= text).checked_sub(1);
        let chain = std::iter::successors(greatest, |at| self.shorter[*at]);
        chain.map(|at| self.texts[at]).skip_while(move |other| !text.starts_with(other))
    }

    /// The longest with which a text begins.
    pub fn longest(&self, text: &str) -> Option<&'t str> {
        self.beginnings(text).next()
    }
}
