//! Prefix sums that follow a change without a visit to all later ones.

use std::ops::Range;

/// The sums of the first values of a list: the first is 0, and each adds the next value.
///
/// A change moves all sums behind it by the same amount. That amount is kept beside them and is added when they are
/// read, so changes near each other, such as those of typing, take constant time.
#[derive(Clone)]
pub(super) struct Sums {
    sums: Vec<usize>,
    /// The sums from this index on are moved by `by`, which wraps where they get less.
    from: usize,
    by: usize,
}

impl Sums {
    /// Returns the sums of no values.
    pub(super) fn new() -> Sums {
        Sums { sums: vec![0], from: 1, by: 0 }
    }

    /// Returns the sum of the first `count` values, or `None` if there are fewer.
    pub(super) fn get(&self, count: usize) -> Option<usize> {
        self.sums.get(count).map(|sum| self.moved(count, *sum))
    }

    /// Returns the sum of the first `count` values, of all if there are fewer.
    pub(super) fn before(&self, count: usize) -> usize {
        self.get(count).unwrap_or_else(|| self.all())
    }

    /// Returns the sum of all values.
    pub(super) fn all(&self) -> usize {
        self.get(self.sums.len() - 1).unwrap_or(0)
    }

    /// Returns the number of sums that `test` holds for. It holds for none behind the first that it does not hold for.
    pub(super) fn partition_point(&self, test: impl Fn(usize) -> bool) -> usize {
        let (first, rest) = self.sums.split_at(self.from.min(self.sums.len()));
        match first.partition_point(|sum| test(*sum)) {
            count if count < first.len() => count,
            count => count + rest.partition_point(|sum| test(sum.wrapping_add(self.by))),
        }
    }

    /// Appends values.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = usize>) {
        let count = self.sums.len() - 1;
        self.splice(count..count, values);
    }

    /// Replaces a range of values.
    pub(super) fn splice(&mut self, range: Range<usize>, values: impl Iterator<Item = usize>) {
        self.move_from(range.end + 1);
        let later = self.sums.len() - self.from;
        let (mut sum, before) = (self.sums[range.start], self.sums[range.end]);
        let new = values.map(|value| {
            sum += value;
            sum
        });
        self.sums.splice(range.start + 1..range.end + 1, new);
        self.by = self.by.wrapping_add(sum.wrapping_sub(before));
        self.from = self.sums.len() - later;
    }

    fn moved(&self, index: usize, sum: usize) -> usize {
        if index < self.from { sum } else { sum.wrapping_add(self.by) }
    }

    /// Makes the sums before an index those that they are, and the others those that are moved.
    fn move_from(&mut self, index: usize) {
        let by = self.by;
        let (range, by) =
            if self.from < index { (self.from..index, by) } else { (index..self.from, by.wrapping_neg()) };
        for sum in &mut self.sums[range] {
            *sum = sum.wrapping_add(by);
        }
        self.from = index;
    }
}
