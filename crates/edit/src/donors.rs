//! Ranges of old text that moved within their line.

use std::ops::Range;

/// Ranges of the old text, in bytes, that are elsewhere in the new one. They pass no marks to the text in their place.
#[derive(Default)]
pub struct Donors(pub Vec<Range<usize>>);

impl Donors {
    /// Returns the parts of a range that are not elsewhere.
    pub fn left_of(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut left = vec![range.clone()];
        for gone in &self.0 {
            let without = |part: Range<usize>| {
                let (before, behind) = (part.start..gone.start.min(part.end), gone.end.max(part.start)..part.end);
                [before, behind].into_iter().filter(|part| part.start < part.end)
            };
            left = left.into_iter().flat_map(without).collect();
        }
        left
    }
}
